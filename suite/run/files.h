/** The files of a run that receive the results of a scenario: rows, frames and trajectory. */
#ifndef SUITE_FILES_H
#define SUITE_FILES_H

#include "suite/results/builds.h"
#include "suite/results/cells.h"
#include "suite/run/run.h"
#include "suite/run/scenario.h"

enum { BENCH_ROW_FILES = 6 }; /* number of files with rows for each cell */

/** The open files of a run. */
typedef struct bench_run_files {
    const bench_run_options *options; /* borrowed */
    FILE *rows[BENCH_ROW_FILES];
    bench_builds *builds;
    bench_extras counters; /* names of the counters of all contestants */
    bench_extras times;    /* names of the facts of all contestants that are times */
} bench_run_files;

/**
 * Opens the files and writes their headers. A resumed run writes new files beside the old ones, so
 * that the old files stay if the run ends with an error (for example because the build or the
 * meshes differ).
 * Errors: BASE_ERR_SYSTEM, BASE_ERR_MEMORY, those of bench_run_file. Call bench_run_files_close
 * also after an error.
 */
base_status bench_run_files_open(const bench_run_options *options, bench_run_files *files,
                                 base_error *err) BASE_MUST_CHECK;

/** Writes trajectories/SCENARIO.csv. Errors: BASE_ERR_SYSTEM, those of bench_run_file. */
base_status bench_run_files_put_trajectory(const bench_run_files *files,
                                           const bench_scenario *scenario,
                                           base_error *err) BASE_MUST_CHECK;

/** Writes a cell to all files. row: from bench_summarize. Errors: as above. */
base_status bench_run_files_put(bench_run_files *files, const bench_scenario *scenario,
                                const bench_cell *cell, const bench_cell_row *row,
                                base_error *err) BASE_MUST_CHECK;

/**
 * Syncs the files. cells.csv is synced last, so that all files that it names exist. Errors: as
 * above.
 */
base_status bench_run_files_sync(const bench_run_files *files, base_error *err) BASE_MUST_CHECK;

/**
 * Closes the files. A resumed run replaces the old files if status is BASE_OK.
 * Returns  status, or the error of closing if status is BASE_OK.
 */
base_status bench_run_files_close(bench_run_files *files, base_status status,
                                  base_error *err) BASE_MUST_CHECK;

#endif
