/**
 * The gate compares the answers and counters of a run with a committed baseline.
 *
 *   approximate methods  (contract "approximate" for the quantity) are judged by their error
 *                        against the truth: neither its mean nor its largest value over the cell
 *                        may grow by more than rounding. Columns that have no truth to compare with
 *                        (such as witness points) may change if a column of the same quantity with
 *                        a truth changes, but not alone
 *   all other methods    must give the same bits, or agree within tolerance_ulp
 *   counters             must not grow. A smaller counter is a note
 *
 * "Old" is the expected side: a baseline or the old code. "New" is the run, whose frames contain
 * the truth. The error is the distance from an answer to the interval of the truth. It is 0 inside
 * the interval, because the true value may be anywhere in it.
 *
 *   baseline.h  cells and frames of a run or a baseline; writes a run as a baseline
 *   findings.h  findings and their output
 *   against.h   old code against new
 */
#ifndef SUITE_GATE_H
#define SUITE_GATE_H

#include "suite/gate/baseline.h"
#include "suite/gate/findings.h"

/**
 * Asks the gates of cells, answers, counters, contract, ending and allocations about each cell of
 * the baseline, then those that need no baseline about each cell of the run that the baseline
 * lacks. Allocations of plug-ins are not judged.
 *
 * Errors   those of bench_gate_frames_open; BASE_ERR_MEMORY.
 */
base_status bench_gate_check(const bench_gate_cells *baseline, const bench_gate_cells *run,
                             bench_gate_report *report, base_error *err) BASE_MUST_CHECK;

/**
 * Returns the distance of two numbers in ulp: 0 for the same number, 1 for neighbours. Both zeros
 * are the same number, and so are two NaNs. Returns UINT64_MAX if exactly one is a NaN.
 */
uint64_t bench_ulps_apart(double a, double b);

#endif
