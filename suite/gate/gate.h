/**
 * The gate: what a run answered, against what a committed baseline says it has to answer.
 *
 *   baseline.h  cells and frames of a run or a baseline; a run's answers as the baseline of later
 *               ones
 *   answers.h   the answers of a cell's frames, old against new; work.h their counters,
 *               pairing.h what both are told by
 *   findings.h  what was found, and how it is told
 *   against.h   old code against new
 */
#ifndef SUITE_GATE_H
#define SUITE_GATE_H

#include "suite/gate/baseline.h"
#include "suite/gate/findings.h"

/**
 * Asks all gates but those of time about each cell of the baseline, then about what the
 * run has beyond it.
 *
 * Errors   files of the run that cannot be read; BASE_ERR_MEMORY.
 */
base_status bench_gate_check(const bench_gate_cells *baseline, const bench_gate_cells *run,
                             bench_gate_report *report, base_error *err) BASE_MUST_CHECK;

#endif
