/**
 * manifest.csv: what a reader needs to judge the numbers of a run, or to make them again. Rows are
 * section,key,value.
 */
#ifndef SUITE_MANIFEST_H
#define SUITE_MANIFEST_H

#include "algorithms/registry.h"
#include "suite/results/columns.h"

/** A row. Texts are never NULL. */
typedef struct bench_fact {
    const char *section, *key, *value;
} bench_fact;

extern const bench_columns bench_manifest_columns;

/** The file while it is written. */
typedef struct bench_manifest bench_manifest;

/**
 * Begins the manifest of a run's folder with what is known of this program. It stands beside an old
 * one until bench_manifest_publish: then it holds what --resume needs, and grows row by row.
 * Errors: BASE_ERR_SYSTEM, BASE_ERR_MEMORY, those of bench_run_file.
 */
base_status bench_manifest_create(const char *folder, bench_manifest **manifest,
                                  base_error *err) BASE_MUST_CHECK;
void bench_manifest_add(bench_manifest *manifest, const char *section, const char *key,
                        const char *format, ...) BASE_PRINTF(4, 5);
/**
 * The command as one can type it again, and the way to where it was typed from the folder of the
 * run: it holds after both are moved, and a run that is published tells no more of a machine's
 * folders than its command does.
 */
void bench_manifest_add_command(bench_manifest *manifest, const char *folder, const char *command);
/** The words of the command, one a row: --resume begins with them. */
void bench_manifest_add_arguments(bench_manifest *manifest, const char *const *arguments,
                                  size_t count);
/** The shared library that brought the variant's algorithm, if one did. */
void bench_manifest_add_plugin(bench_manifest *manifest, const alg_variant *variant);
/** The time of day, in UTC, in section "run". */
void bench_manifest_add_time(bench_manifest *manifest, const char *key);
/** bench_machine_facts, and what the environment says of it. */
void bench_manifest_add_machine(bench_manifest *manifest);
/** Gives it its name. Errors: BASE_ERR_SYSTEM; then it is freed, and an old one stays. */
base_status bench_manifest_publish(bench_manifest *manifest, base_error *err) BASE_MUST_CHECK;
/** Takes one that was not published away and frees it: an old one stays. */
void bench_manifest_discard(bench_manifest *manifest);
/** Ends it with the time of day, closes and frees it. */
base_status bench_manifest_close(bench_manifest *manifest, base_error *err) BASE_MUST_CHECK;

/* --- Facts of the machine --------------------------------------------------------------------- */

typedef void bench_machine_put(void *context, const char *section, const char *key,
                               const char *value);

/**
 * Calls put once per fact, always the same keys in the same order; "unknown" where this machine
 * does not tell, "none" where it tells that there is nothing. Reads files of the kernel and of PATH
 * and needs no privilege. Nothing names the machine or its owner.
 *
 * Sections: `machine` is what times depend on, so that times of two runs are of one machine only if
 * it is the same in both, but for what changes by the minute: keys that begin with "load" or
 * contain "_now". `tools` is what helps a run along.
 *
 * root: "" for this machine; a folder whose proc, sys and root are read instead, for tests.
 */
void bench_machine_facts(const char *root, bench_machine_put *put, void *context);

#endif
