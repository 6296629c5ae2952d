/**
 * Compares the answers of one cell's frames, old against new.
 *
 *   approximate methods  (contract "approximate" for the quantity) are judged by the error against
 *                        the truth: neither its mean nor its largest value over the cell may grow
 *                        by more than rounding. Columns of the quantity without a truth (witness
 *                        points, forces) may change together with it, but not alone
 *   all other methods    must give the same bits, or agree within tolerance_ulp
 *
 * Old is the expected side: a baseline or the old code. New is the run, whose frames have the
 * truth. The error is the distance from an answer to the truth interval, 0 inside it: the error
 * cannot be known more finely than the width of that interval.
 */
#ifndef SUITE_ANSWERS_H
#define SUITE_ANSWERS_H

#include "suite/gate/baseline.h"
#include "suite/gate/findings.h"

/**
 * Accepted growth of an approximate method's error, relative to the largest number of the column in
 * the cell: 4096 ulp. Sums of some thousand terms in another order differ by that much, and no
 * approximation is that accurate.
 */
#define BENCH_APPROXIMATE_ROUNDING 0x1p-40

/**
 * Returns the distance of two numbers in ulp: 0 for the same number, 1 for neighbours. Both zeros
 * are the same number, and so are two NaNs. Returns UINT64_MAX if exactly one is a NaN.
 */
uint64_t bench_ulps_apart(double a, double b);

/**
 * Asks the gate about a cell's answers. Frames that one side lacks are findings. A column that only
 * the new side has is a note, not a failure.
 *
 * old   its contract and its tolerance apply.
 */
void bench_gate_compare_answers(const bench_gate_cell *old, const bench_gate_frames *expected,
                                const bench_gate_frames *got, bench_gate_report *report);

#endif
