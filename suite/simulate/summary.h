/** What the steps of a simulation come to: rows of simulations.csv and simulation_times.csv. */
#ifndef SUITE_SIMULATION_SUMMARY_H
#define SUITE_SIMULATION_SUMMARY_H

#include "suite/results/simulations.h"
#include "suite/simulate/passage.h"

/**
 * Fills in all of a row that steps tell: the names, status, gain and hash of the row stay as they
 * are, chatter and energy beyond the reference are not known.
 *
 * passed  of these steps
 * Errors  BASE_ERR_MEMORY.
 */
base_status bench_simulation_sum_up(const bench_step_row *steps, size_t count,
                                    const bench_passed *passed, bench_simulation_row *row,
                                    base_error *err) BASE_MUST_CHECK;

/** The same of times. count: 0 leaves zeros. */
base_status bench_simulation_sum_up_times(const bench_step_time_row *times, size_t count,
                                          double step_s, bench_simulation_time_row *row,
                                          base_error *err) BASE_MUST_CHECK;

/**
 * Compares all rows with that of exact-volume on the same scene, if it came to its end: chatter and
 * the energy beyond. Its force is the gradient of a potential, so that the energy that it creates
 * is that of coupling and time steps. Rows without a gain (BENCH_CELL_UNSCALED) are not compared.
 */
void bench_simulation_compare(bench_simulation_row *rows, size_t count);

#endif
