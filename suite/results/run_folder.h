/** The folder of a run, and the paths of the files in it. */
#ifndef SUITE_RUN_FOLDER_H
#define SUITE_RUN_FOLDER_H

#include "base/error.h"

enum { BENCH_RUN_FOLDER_BYTES = 1024, BENCH_RUN_PATH_BYTES = 2048 };

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
 * The folder of a run that is there: `run` itself, or the one of that name in results/.
 * Errors: BASE_ERR_INPUT when neither is a folder.
 */
base_status bench_run_find(const char *run, char path[BENCH_RUN_FOLDER_BYTES],
                           base_error *err) BASE_MUST_CHECK;

/**
 * The path of a file in a run's folder, which may be there or not: FOLDER/FORMAT. Whoever opens a
 * file of a run, to read or to write it, asks here. Names in the format are names of names.h.
 *
 * Errors   BASE_ERR_INPUT for a link, on the way or at its end, and for what is no file (a pipe
 *          would wait for ever): somebody else's folder leads nowhere else. BASE_ERR_ARGUMENT for a
 *          path that is too long; BASE_ERR_SYSTEM.
 */
base_status bench_run_file(const char *folder, char path[BENCH_RUN_PATH_BYTES], base_error *err,
                           const char *format, ...) BASE_PRINTF(4, 5) BASE_MUST_CHECK;

#endif
