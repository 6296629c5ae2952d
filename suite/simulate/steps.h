/**
 * SCENE/VARIANT.steps.csv and SCENE/VARIANT.times.csv while rows are added. After the process was
 * killed, all complete rows are recovered.
 */
#ifndef SUITE_STEPS_H
#define SUITE_STEPS_H

#include "algorithms/algorithms.h"
#include "suite/results/run_folder.h"
#include "suite/results/simulations.h"

/** The existing rows, in order: row i is step i. A zeroed struct has no rows. */
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

#endif
