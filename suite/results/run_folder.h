/** The folder of a run, the paths of its files, and the names that are parts of paths. */
#ifndef SUITE_RUN_FOLDER_H
#define SUITE_RUN_FOLDER_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { BENCH_RUN_FOLDER_BYTES = 1024, BENCH_RUN_PATH_BYTES = 2048 };

/** The file that the owner of a run locks. */
#define BENCH_RUN_LOCK "lock"

/**
 * Makes the folder of a run. This is `out`, which must be new or empty. If `out` is NULL, it is
 * results/NAME-TIME.
 *
 * Errors   BASE_ERR_ARGUMENT for a folder that is not empty or a path that is too long;
 *          BASE_ERR_SYSTEM.
 */
base_status bench_run_folder(const char *out, const char *name, char path[BENCH_RUN_FOLDER_BYTES],
                             base_error *err) BASE_MUST_CHECK;

/**
 * Lets the link results/NAME point to the folder results/NAME-TIME. Does nothing for other folders.
 * An older link is replaced if `replace` is set, and stays otherwise; any other file of this name
 * stays. If the link cannot be made, a warning is printed. Callers link a run that has results, so
 * that a run that fails at once does not hide an earlier one.
 */
void bench_run_link(const char *folder, bool replace);

/**
 * Makes this process the owner of a run's folder until it ends, by a lock on BENCH_RUN_LOCK there.
 * Workers do not inherit the lock, and the system releases it when the process is killed. On a file
 * system without locks a warning is printed. --resume claims the folder before it reads the
 * manifest.
 *
 * Errors   BASE_ERR_INPUT, with the process id if it is known, if another process owns the folder;
 *          BASE_ERR_SYSTEM if the folder is not writable.
 */
base_status bench_run_claim(const char *folder, base_error *err) BASE_MUST_CHECK;

/**
 * Checks that the claimed folder is still at its path. Without a claim there is no check.
 * Errors: BASE_ERR_SYSTEM if it was removed or moved, because results would be lost.
 */
base_status bench_run_check_claim(base_error *err) BASE_MUST_CHECK;

/**
 * Finds the folder of an existing run: `run` itself, or the folder with that name in results/. A
 * folder is a run if it contains manifest.csv or cells.csv.
 * Errors: BASE_ERR_INPUT if neither is the folder of a run. If neither is a folder, but an
 * experiment has this name, the message says to run it first.
 */
base_status bench_run_find(const char *run, char path[BENCH_RUN_FOLDER_BYTES],
                           base_error *err) BASE_MUST_CHECK;

/**
 * Returns the path FOLDER/FORMAT of an existing or new file in a run's folder. All code that opens
 * a file of a run must use this function. Names that are printed into the path must have been
 * checked by bench_name_fault.
 *
 * Errors   BASE_ERR_INPUT if the file or a folder below FOLDER is a link, or if the file exists and
 *          is not a regular file (a pipe would block). So a run from another user cannot redirect
 *          access to files outside of its folder. BASE_ERR_ARGUMENT for a path that is too long;
 *          BASE_ERR_SYSTEM.
 */
base_status bench_run_file(const char *folder, char path[BENCH_RUN_PATH_BYTES], base_error *err,
                           const char *format, ...) BASE_PRINTF(4, 5) BASE_MUST_CHECK;

/* --- Names ------------------------------------------------------------------------------------ */

/* Names become parts of paths, figures and users' scripts. So they are checked when a run begins
 * and whenever a file is read back: a name that this program would not write is refused. */

enum { BENCH_CONTESTANT_NAME_BYTES = 160 };

typedef enum bench_name_kind {
    BENCH_NAME_SCENARIO,   /* as in scenario files: scn_is_scenario_name */
    BENCH_NAME_CONTESTANT, /* family:key=value,...@LABEL: [a-z0-9-]+, the same, [A-Za-z0-9._+-]+,
                              [a-z]+; optional parts may be missing */
    BENCH_NAME_EXPERIMENT, /* [a-z0-9-]+ */
    BENCH_NAME_SECTION,    /* of manifest.csv: a scenario's name or a similar word ("machine"); or
                              "plugin CONTESTANT" or "variant CONTESTANT" */
    BENCH_NAME_KEY,        /* of manifest.csv, and of a column: [A-Za-z0-9_]+ */
} bench_name_kind;

/**
 * Returns NULL if the name is valid, otherwise a description of the fault: "no name of a scenario
 * (...)".
 */
const char *bench_name_fault(bench_name_kind kind, const char *text);

/** Converts a contestant's name to a part of a file name: ':', ',' and '@' become '_'. */
void bench_variant_file(const char *variant, char *file, size_t size);

/**
 * True for "VARIANT@twin", the second copy of a baseline. It is measured only to show the noise.
 */
bool bench_variant_is_twin(const char *variant);

#endif
