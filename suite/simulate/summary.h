/** What the steps of a simulation come to: rows of simulations.csv and simulation_times.csv. */
#ifndef SUITE_SIMULATION_SUMMARY_H
#define SUITE_SIMULATION_SUMMARY_H

#include "suite/results/simulations.h"

/**
 * Fills in all of a row that steps tell: the names, status, gain and hash of the row stay as they are,
 * chatter is not known.
 *
 * edge_m  smallest edge of both bodies' boxes
 * Errors  BASE_ERR_MEMORY.
 */
base_status bench_simulation_sum_up(const bench_step_row *steps, size_t count, double edge_m,
                                    bench_simulation_row *row, base_error *err) BASE_MUST_CHECK;

/** The same of times. count: 0 leaves zeros. */
base_status bench_simulation_sum_up_times(const bench_step_time_row *times, size_t count,
                                          double step_s, bench_simulation_time_row *row,
                                          base_error *err) BASE_MUST_CHECK;

/** Chatter of all rows: toggles beyond those of exact-volume on the same scene, if it came to the end. */
void bench_simulation_chatter(bench_simulation_row *rows, size_t count);

#endif
