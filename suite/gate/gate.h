/**
 * The gate: what a run answered, against what a committed baseline says it has to answer.
 *
 *   baseline.h  cells and frames of a run or a baseline; a run's answers as the baseline of later
 *               ones
 *   findings.h  what was found, and how it is told
 *   against.h   old code against new
 */
#ifndef SUITE_GATE_H
#define SUITE_GATE_H

#include "suite/gate/baseline.h"
#include "suite/gate/findings.h"

/**
 * How many doubles lie between two numbers, plus one: 0 for the same number, 1 for neighbours. Both
 * zeros are the same number. UINT64_MAX when one is a NaN and the other is not.
 */
uint64_t bench_ulps_apart(double a, double b);

/**
 * Asks all gates but those of time about each cell of the baseline, then about what the
 * run has beyond it.
 *
 * Errors   files of the run that cannot be read; BASE_ERR_MEMORY.
 */
base_status bench_gate_check(const bench_gate_cells *baseline, const bench_gate_cells *run,
                             bench_gate_report *report, base_error *err) BASE_MUST_CHECK;

#endif
