/** The files of a run that get a scenario's results: its rows, its frames and its trajectory. */
#ifndef SUITE_FILES_H
#define SUITE_FILES_H

#include "suite/results/builds.h"
#include "suite/results/cells.h"
#include "suite/run/run.h"
#include "suite/run/scenario.h"

enum { BENCH_ROW_FILES = 6 }; /* files that get rows of each cell */

/** The open files of a run. */
typedef struct bench_run_files {
    const bench_run_options *options; /* borrowed */
    FILE *rows[BENCH_ROW_FILES];
    bench_builds *builds;
    bench_extras counters; /* of all contestants */
    bench_extras times;    /* facts of all contestants that are times */
} bench_run_files;

/**
 * Opens the files and writes their headers. A run that goes on writes beside the files that are
 * there, so that they stay if it ends with an error: with another build, say, or other meshes.
 * Errors: BASE_ERR_SYSTEM, BASE_ERR_MEMORY, those of bench_run_file. bench_run_files_close is due
 * either way.
 */
base_status bench_run_files_open(const bench_run_options *options, bench_run_files *files,
                                 base_error *err) BASE_MUST_CHECK;

/** Writes trajectories/SCENARIO.csv. Errors: BASE_ERR_SYSTEM, those of bench_run_file. */
base_status bench_run_files_put_trajectory(const bench_run_files *files,
                                           const bench_scenario *scenario,
                                           base_error *err) BASE_MUST_CHECK;

/** Writes a cell to all files. row: of bench_summarize. Errors: as above. */
base_status bench_run_files_put(bench_run_files *files, const bench_scenario *scenario,
                                const bench_cell *cell, const bench_cell_row *row,
                                base_error *err) BASE_MUST_CHECK;

/** Syncs the files. cells.csv is the last one: the files that it names are there. Errors: as above.
 */
base_status bench_run_files_sync(const bench_run_files *files, base_error *err) BASE_MUST_CHECK;

/**
 * Closes the files. A run that goes on replaces those of before, if status is BASE_OK.
 * Returns  status, or the error of the closing if that is BASE_OK.
 */
base_status bench_run_files_close(bench_run_files *files, base_status status,
                                  base_error *err) BASE_MUST_CHECK;

#endif
