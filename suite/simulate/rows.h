/**
 * Holds simulations.csv and simulation_times.csv of a folder while variants finish, including the
 * rows of variants that finished before the simulation was resumed.
 */
#ifndef SUITE_SIMULATION_ROWS_H
#define SUITE_SIMULATION_ROWS_H

#include "suite/results/simulations.h"

/** One row of each file per scene and variant, in the order of the command. */
typedef struct bench_simulation_rows {
    const char *folder;               /* borrowed */
    bench_simulation_row *rows;       /* owned, as all below */
    bench_simulation_time_row *times; /* row i is of the same variant */
    size_t count;
    base_csv before, times_before; /* the files as they were found; they hold texts of rows */
} bench_simulation_rows;

/**
 * Makes room for `most` rows. read: also reads both files of the folder, if they exist.
 * Errors: BASE_ERR_MEMORY; of files BASE_ERR_SYSTEM, and BASE_ERR_INPUT for fields that are never
 * written. The caller must call bench_simulation_rows_close either way.
 */
base_status bench_simulation_rows_open(const char *folder, size_t most, bool read,
                                       bench_simulation_rows *rows,
                                       base_error *err) BASE_MUST_CHECK;

/**
 * Adds the existing row of a variant that has finished. An interrupted variant has not finished.
 * Returns true if there was such a row. Fields that are never written are an error in *status.
 */
bool bench_simulation_rows_keep(bench_simulation_rows *rows, const char *scene, const char *variant,
                                base_status *status, base_error *err);

/**
 * Writes both files, the times first, so that every variant with a row in simulations.csv also has
 * its times. Also computes the chatter. Errors: BASE_ERR_SYSTEM.
 */
base_status bench_simulation_rows_write(bench_simulation_rows *rows,
                                        base_error *err) BASE_MUST_CHECK;

void bench_simulation_rows_close(bench_simulation_rows *rows);

#endif
