/**
 * Files of a folder of simulations, and the summaries of steps in them.
 *
 *   SCENE/VARIANT.steps.csv, SCENE/VARIANT.times.csv    one row per step
 *   simulations.csv, simulation_times.csv               one row per scene and variant
 */
#ifndef SUITE_SIMULATE_ROWS_H
#define SUITE_SIMULATE_ROWS_H

#include "algorithms/algorithms.h"
#include "suite/results/run_folder.h"
#include "suite/results/reference.h"
#include "suite/simulate/passage.h"

/* --- Steps ------------------------------------------------------------------------------------ */

/**
 * SCENE/VARIANT.steps.csv and .times.csv while rows are added. After the process was killed, all
 * complete rows are recovered. Row i is step i. A zeroed struct has no rows.
 */
typedef struct bench_steps {
    bench_step_row *rows; /* owned */
    size_t count, capacity;
    bench_step_time_row *times; /* owned; of steps from 1 on; some may be missing */
    size_t time_count, time_capacity;
    const char *const *counters; /* of the variant; borrowed, or NULL */
    FILE *file, *time_file;
    char path[BENCH_RUN_PATH_BYTES], time_path[BENCH_RUN_PATH_BYTES];
} bench_steps;

/**
 * Opens both files: FOLDER/SCENE/FILE.steps.csv and .times.csv. Existing files are read back, and
 * bytes after their last complete row are cut off.
 *
 * counters  names, as in alg_algorithm; borrowed
 * Errors    BASE_ERR_INPUT for rows that no simulation writes, or for other columns;
 *           BASE_ERR_SYSTEM, BASE_ERR_MEMORY. The caller must call bench_steps_close either way.
 */
base_status bench_steps_open(const char *folder, const char *scene, const char *file,
                             const char *const *counters, bench_steps *steps,
                             base_error *err) BASE_MUST_CHECK;

/**
 * Adds a step; counters: those of its answer. The step is on disk only after bench_steps_sync. For
 * step 0, counters and time are NULL. Errors: BASE_ERR_MEMORY.
 */
base_status bench_steps_add(bench_steps *steps, const bench_step_row *row, const uint64_t *counters,
                            const bench_step_time_row *time, base_error *err) BASE_MUST_CHECK;

/**
 * Writes all added steps to disk, the times first, so that no step lacks its time. Errors:
 * BASE_ERR_SYSTEM.
 */
base_status bench_steps_sync(bench_steps *steps, base_error *err) BASE_MUST_CHECK;

void bench_steps_close(bench_steps *steps);

/* --- Summaries -------------------------------------------------------------------------------- */

/**
 * Sets all members of a row that follow from steps. Names, status, gain and hash of the row are not
 * changed. Chatter and energy beyond the reference are set to unknown.
 *
 * passed  result of bench_passage_find for these steps
 * Errors  BASE_ERR_MEMORY.
 */
base_status bench_simulation_sum_up(const bench_step_row *steps, size_t count,
                                    const bench_passed *passed, bench_simulation_row *row,
                                    base_error *err) BASE_MUST_CHECK;

/** Sets the members that follow from times. If count is 0, none is set. Errors: BASE_ERR_MEMORY. */
base_status bench_simulation_sum_up_times(const bench_step_time_row *times, size_t count,
                                          double step_s, bench_simulation_time_row *row,
                                          base_error *err) BASE_MUST_CHECK;

/**
 * Compares all rows with that of exact-volume on the same scene, if it finished: sets chatter and
 * the energy beyond the reference. The force of exact-volume is the gradient of a potential, so the
 * energy that it creates is due to coupling and time steps only. Rows without a gain
 * (BENCH_CELL_UNSCALED) are not compared.
 */
void bench_simulation_compare(bench_simulation_row *rows, size_t count);

/* --- Summaries in files ----------------------------------------------------------------------- */

/**
 * Holds simulations.csv and simulation_times.csv while variants finish, including the rows of
 * variants that finished before the simulation was resumed. Each file has one row per scene and
 * variant, in the order of the command.
 */
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
 * Calls bench_simulation_compare and writes both files. The times are written first, so that every
 * variant with a row in simulations.csv also has its times. Errors: BASE_ERR_SYSTEM.
 */
base_status bench_simulation_rows_write(bench_simulation_rows *rows,
                                        base_error *err) BASE_MUST_CHECK;

void bench_simulation_rows_close(bench_simulation_rows *rows);

#endif
