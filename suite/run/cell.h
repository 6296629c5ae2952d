/** Reads the journal of a contestant and judges the answers of its first pass. */
#ifndef SUITE_CELL_H
#define SUITE_CELL_H

#include "suite/results/cells.h"
#include "suite/run/measure.h"

/**
 * Makes the cell of plan->entrants[index]. measured: the passes of this entrant. The cell holds all
 * samples in memory. Call bench_cell_release also after an error.
 * Errors: BASE_ERR_SYSTEM, BASE_ERR_MEMORY, those of gt_escapes and gt_windows.
 */
base_status bench_cell_make(const bench_run_options *options, const bench_plan *plan,
                            const bench_scenario *scenario, const bench_measured *measured,
                            size_t index, bench_cell *cell, base_error *err) BASE_MUST_CHECK;

#endif
