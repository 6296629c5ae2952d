/** The folder of a run, the paths of the files in it, and the names that are parts of them. */
#ifndef SUITE_RUN_FOLDER_H
#define SUITE_RUN_FOLDER_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { BENCH_RUN_FOLDER_BYTES = 1024, BENCH_RUN_PATH_BYTES = 2048 };

/** The file that the owner of a run locks. */
#define BENCH_RUN_LOCK "lock"

/**
 * Makes the folder of a run: `out`, which must be new or empty; or, when that is NULL,
 * results/NAME-TIME, with the link results/NAME pointing at it.
 *
 * Errors   BASE_ERR_ARGUMENT for a folder that is not empty or a path that is too long;
 *          BASE_ERR_SYSTEM. A link that cannot be made is a warning.
 */
base_status bench_run_folder(const char *out, const char *name, char path[BENCH_RUN_FOLDER_BYTES],
                             base_error *err) BASE_MUST_CHECK;

/**
 * Makes this process the owner of a run's folder until it ends: it locks BENCH_RUN_LOCK there.
 * Workers do not inherit the lock, and the system gives it up when the process is killed. Where a
 * file system has no locks, a warning says so. A resume claims before it reads the manifest.
 *
 * Errors   BASE_ERR_INPUT if another process owns the folder, with its number; BASE_ERR_SYSTEM if
 *          nothing can be written there.
 */
base_status bench_run_claim(const char *folder, base_error *err) BASE_MUST_CHECK;

/**
 * Is the claimed folder still where it was? Without a claim there is nothing to check.
 * Errors: BASE_ERR_SYSTEM if it was removed or moved, so that results are lost.
 */
base_status bench_run_check_claim(base_error *err) BASE_MUST_CHECK;

/**
 * The folder of a run that is there: `run` itself, or the one of that name in results/. A folder is
 * a run when manifest.csv or cells.csv is in it.
 * Errors: BASE_ERR_INPUT when neither is a folder, or none a run; if an experiment has the name,
 * the message says to run it first.
 */
base_status bench_run_find(const char *run, char path[BENCH_RUN_FOLDER_BYTES],
                           base_error *err) BASE_MUST_CHECK;

/**
 * The path of a file in a run's folder, which may be there or not: FOLDER/FORMAT. Whoever opens a
 * file of a run, to read or to write it, asks here. Names in the format have passed
 * bench_name_fault.
 *
 * Errors   BASE_ERR_INPUT for a link, on the way or at its end, and for what is no file (a pipe
 *          would wait for ever): somebody else's folder leads nowhere else. BASE_ERR_ARGUMENT for a
 *          path that is too long; BASE_ERR_SYSTEM.
 */
base_status bench_run_file(const char *folder, char path[BENCH_RUN_PATH_BYTES], base_error *err,
                           const char *format, ...) BASE_PRINTF(4, 5) BASE_MUST_CHECK;

/* --- Names ------------------------------------------------------------------------------------ */

/*
 * A name becomes a part of a path, of a figure, of somebody's script. So it is checked when a run
 * begins and whenever a file is read back: a name that could not have been written is refused.
 */

enum { BENCH_CONTESTANT_NAME_BYTES = 160 };

typedef enum bench_name_kind {
    BENCH_NAME_SCENARIO,   /* as scenario files name them: scn_is_scenario_name */
    BENCH_NAME_CONTESTANT, /* family:key=value,...@LABEL: [a-z0-9-]+, the same, [A-Za-z0-9._+-]+,
                              [a-z]+; without the parts that it does not have */
    BENCH_NAME_EXPERIMENT, /* [a-z0-9-]+ */
    BENCH_NAME_SECTION,    /* of manifest.csv: a scenario's name, or one of its kind ("machine"); or
                              "plugin CONTESTANT" */
    BENCH_NAME_KEY,        /* of manifest.csv, and of a column: [A-Za-z0-9_]+ */
} bench_name_kind;

/** NULL when the text is such a name; else what it is not: "no name of a scenario (...)". */
const char *bench_name_fault(bench_name_kind kind, const char *text);

/** A contestant's name as part of a file name: ':', ',' and '@' become '_'. */
void bench_variant_file(const char *variant, char *file, size_t size);

/** Is it the second copy of a baseline, "VARIANT@twin"? It shows the noise and is no variant. */
bool bench_variant_is_twin(const char *variant);

#endif
