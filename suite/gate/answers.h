/**
 * The answers of one cell's frames, old against new.
 *
 *   approximate methods  (contract "approximate" of that quantity) the error against the truth
 *                        decides: over the cell neither its mean nor its largest value may have
 *                        grown by more than rounding. What belongs to the quantity and has no truth
 *                        (witness points, forces) may change with it, and not alone
 *   all others           the same bits, or within tolerance_ulp
 *
 * Old is what is expected, of a baseline or of the old code; new is the run, whose frames have the
 * truth. An error is by how much an answer lies outside of the truth's bracket, and 0 inside: finer
 * than that nobody knows the truth.
 */
#ifndef SUITE_ANSWERS_H
#define SUITE_ANSWERS_H

#include "suite/gate/baseline.h"
#include "suite/gate/findings.h"

/**
 * By how much the error of an approximate method may grow, relative to the largest number of the
 * column in the cell: 4096 ulp. Sums of some thousand terms in another order differ by that much,
 * and no approximation is that good.
 */
#define BENCH_APPROXIMATE_ROUNDING 0x1p-40

/**
 * How many doubles lie between two numbers, plus one: 0 for the same number, 1 for neighbours. Both
 * zeros are the same number. UINT64_MAX when one is a NaN and the other is not.
 */
uint64_t bench_ulps_apart(double a, double b);

/**
 * Asks the gate about a cell's answers. Frames that one side lacks are findings. A column that is
 * expected nowhere is told, and no failure.
 *
 * old   its contract and tolerance are what the answers are held to.
 */
void bench_gate_compare_answers(const bench_gate_cell *old, const bench_gate_frames *expected,
                                const bench_gate_frames *got, bench_gate_report *report);

#endif
