/** A baseline: a run's answers and counters, as later runs are held against them. */
#ifndef SUITE_BASELINE_H
#define SUITE_BASELINE_H

#include "suite/gate/cells.h"

#define BENCH_BASELINE_DIRECTORY "results/reference"

/**
 * Reads a baseline. bench_gate_cells_release is due either way.
 * Errors: those of base_csv_read; BASE_ERR_INPUT for a missing column, or a field that could not have
 * been written.
 */
base_status bench_gate_read_baseline(const char *path, bench_gate_cells *cells,
                                     base_error *err) BASE_MUST_CHECK;

/** Does a column of a baseline speak of the cell? The others are the frame's. */
bool bench_baseline_is_of_cell(const char *column);

/**
 * Writes a run as a baseline: for each cell one row without a frame (status, quantity, contract,
 * ...), then one for each of its frames (answers and counters). No time is in it. The file gets its
 * name only when it is complete.
 *
 * Errors   BASE_ERR_INPUT for a run that was interrupted; for cells that have died or are wrong
 *          unless `force`: then that is what the next run has to do.
 */
base_status bench_gate_bless(const bench_gate_cells *run, const char *path, bool force,
                             base_error *err) BASE_MUST_CHECK;

#endif
