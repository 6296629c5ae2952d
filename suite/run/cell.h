/** Judges a cell's answers. Reads the journal of a contestant, whose first pass has its answers. */
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

/**
 * Judges the answers of a cell, however they were made. Reads the members of the cell up to
 * `quantities` and frame_count, answers, details, regions and contacts, and of the options the
 * cache and `quiet`. Fills truths and judgements (frame_count entries each), escapes, windows and
 * forces. A broken promise sets the status "wrong" if it was "ok" or "interrupted"; brackets that
 * are too wide set "uninformative" if it was "ok".
 * Errors: those of gt_escapes and gt_windows; BASE_ERR_MEMORY.
 */
base_status bench_cell_judge(const bench_run_options *options, const bench_scenario *scenario,
                             bench_cell *cell, base_error *err) BASE_MUST_CHECK;

#endif
