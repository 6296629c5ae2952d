/**
 * SCENE/VARIANT.steps.csv and SCENE/VARIANT.times.csv while they grow, and what is left of them
 * after the process was killed: all complete rows.
 */
#ifndef SUITE_STEPS_H
#define SUITE_STEPS_H

#include "algorithms/algorithms.h"
#include "suite/results/run_folder.h"
#include "suite/results/simulations.h"

/** Rows that are there, in order: row i is step i. Zeroed: none. */
typedef struct bench_steps {
    bench_step_row *rows; /* owned */
    size_t count, capacity;
    bench_step_time_row *times; /* owned; of steps from 1 on, of which some may be missing */
    size_t time_count, time_capacity;
    const char *const *counters; /* of the variant; borrowed, or NULL */
    FILE *file, *time_file;
    char path[BENCH_RUN_PATH_BYTES], time_path[BENCH_RUN_PATH_BYTES];
} bench_steps;

/**
 * Opens both files: FOLDER/SCENE/FILE.steps.csv and .times.csv. Those that are there are read back,
 * and what stands behind their last complete row is cut off.
 *
 * counters  names, as alg_algorithm has them; borrowed
 * Errors    BASE_ERR_INPUT for rows that no simulation writes, or with other columns;
 *           BASE_ERR_SYSTEM, BASE_ERR_MEMORY. bench_steps_close is due either way.
 */
base_status bench_steps_open(const char *folder, const char *scene, const char *file,
                             const char *const *counters, bench_steps *steps,
                             base_error *err) BASE_MUST_CHECK;

/**
 * Writes a step; counters: of its answer. On disk it is after bench_steps_sync. Step 0 has neither
 * counters nor a time: NULL. Errors: BASE_ERR_MEMORY.
 */
base_status bench_steps_add(bench_steps *steps, const bench_step_row *row, const uint64_t *counters,
                            const bench_step_time_row *time, base_error *err) BASE_MUST_CHECK;

/** Makes what was added safe: the times first, so that no step is without one. Errors:
 * BASE_ERR_SYSTEM. */
base_status bench_steps_sync(bench_steps *steps, base_error *err) BASE_MUST_CHECK;

void bench_steps_close(bench_steps *steps);

#endif
