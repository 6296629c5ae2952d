/**
 * The gate compares the answers of a run with a committed baseline.
 *
 *   approximate methods  (contract "approximate" for the quantity) are judged by the error against
 *                        the truth: neither its mean nor its largest value over the cell may grow
 *                        by more than rounding. Columns of the quantity without a truth (witness
 *                        points, forces) may change together with it, but not alone
 *   all other methods    must give the same bits, or agree within tolerance_ulp
 *   counters             must not grow; a smaller counter is a note
 *
 * Old is the expected side: a baseline or the old code. New is the run, whose frames have the
 * truth. The error is the distance from an answer to the truth interval, 0 inside it: the error
 * cannot be known more finely than the width of that interval.
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
 * Asks all gates except those of time about each cell of the baseline, then about the cells of the
 * run that the baseline lacks.
 *
 * Errors   files of the run that cannot be read; BASE_ERR_MEMORY.
 */
base_status bench_gate_check(const bench_gate_cells *baseline, const bench_gate_cells *run,
                             bench_gate_report *report, base_error *err) BASE_MUST_CHECK;

/**
 * Returns the distance of two numbers in ulp: 0 for the same number, 1 for neighbours. Both zeros
 * are the same number, and so are two NaNs. Returns UINT64_MAX if exactly one is a NaN.
 */
uint64_t bench_ulps_apart(double a, double b);

#endif
