/** Summarises the steps of a simulation as rows of simulations.csv and simulation_times.csv. */
#ifndef SUITE_SIMULATION_SUMMARY_H
#define SUITE_SIMULATION_SUMMARY_H

#include "suite/results/simulations.h"
#include "suite/simulate/passage.h"

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

/** Summarises times in the same way. If count is 0, nothing is set. Errors: BASE_ERR_MEMORY. */
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

#endif
