/**
 * manifest.csv: the facts that a reader needs to judge the numbers of a run or to repeat it. Its
 * rows are section,key,value.
 */
#ifndef SUITE_MANIFEST_H
#define SUITE_MANIFEST_H

#include "algorithms/registry.h"
#include "suite/results/columns.h"

/** A row of manifest.csv. Texts are never NULL. */
typedef struct bench_fact {
    const char *section, *key, *value;
} bench_fact;

extern const bench_columns bench_manifest_columns;

/** The file while it is being written. */
typedef struct bench_manifest bench_manifest;

/**
 * Begins the manifest of a run's folder with the facts of this program. Until
 * bench_manifest_publish, the new file has another name, and an old manifest stays. The manifest
 * must be published after the rows that --resume needs; later rows are appended to it.
 * Errors: BASE_ERR_SYSTEM, BASE_ERR_MEMORY, those of bench_run_file.
 */
base_status bench_manifest_create(const char *folder, bench_manifest **manifest,
                                  base_error *err) BASE_MUST_CHECK;
void bench_manifest_add(bench_manifest *manifest, const char *section, const char *key,
                        const char *format, ...) BASE_PRINTF(4, 5);
/**
 * Adds the command as it can be typed again, and the relative path from the run's folder to the
 * folder where it was typed. The path stays valid if both folders are moved together. It is
 * relative so that a published run reveals no absolute path of the machine.
 */
void bench_manifest_add_command(bench_manifest *manifest, const char *folder, const char *command);
/** Adds the words of the command, one per row. --resume starts the run again with them. */
void bench_manifest_add_arguments(bench_manifest *manifest, const char *const *arguments,
                                  size_t count);
/** Adds the shared library of the variant's algorithm, if it comes from a plug-in. */
void bench_manifest_add_plugin(bench_manifest *manifest, const alg_variant *variant);
/** Adds the current time in UTC to section "run". */
void bench_manifest_add_time(bench_manifest *manifest, const char *key);
/** Adds bench_machine_facts, and PROXBENCH_HOST and PROXBENCH_THREADS if they are set. */
void bench_manifest_add_machine(bench_manifest *manifest);
/**
 * Renames the manifest to its final name. Errors: BASE_ERR_SYSTEM; the manifest is then freed, and
 * an old one stays.
 */
base_status bench_manifest_publish(bench_manifest *manifest, base_error *err) BASE_MUST_CHECK;
/** Removes and frees a manifest that was not published; an old one stays. */
void bench_manifest_discard(bench_manifest *manifest);
/**
 * Adds the end time, then closes and frees the manifest. Errors: BASE_ERR_SYSTEM if a row could not
 * be written.
 */
base_status bench_manifest_close(bench_manifest *manifest, base_error *err) BASE_MUST_CHECK;

/* --- Facts of the machine --------------------------------------------------------------------- */

typedef void bench_machine_put(void *context, const char *section, const char *key,
                               const char *value);

/**
 * Calls put once per fact, always with the same keys in the same order. The value is "unknown" if
 * the machine does not provide it, and "none" if it reports that there is no such thing. Reads
 * files of the kernel, searches PATH for TetGen, and needs no privilege. No fact names the machine
 * or its owner, except that the path of TetGen may contain a user's name.
 *
 * Sections: `machine` contains the facts that times depend on. Times of two runs are comparable
 * only if this section is the same in both, except for values that change within minutes: keys that
 * begin with "load" or contain "_now". `tools` contains facts about optional aids of a run: the
 * kernel's permission for performance counters, and TetGen.
 *
 * root: "" for this machine. Tests give a folder instead, in which all files of the kernel and of
 * containers (/proc, /sys, /run, /.dockerenv) are looked up.
 */
void bench_machine_facts(const char *root, bench_machine_put *put, void *context);

#endif
