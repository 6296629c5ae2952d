/**
 * The gate: what a run answered, against what a committed baseline says it has to answer.
 *
 *   cells.h     cells and frames of a run or a baseline
 *   findings.h  what was found, and how it is told
 *   baseline.h  a run's answers as the baseline of later ones
 *   against.h   old code against new
 */
#ifndef SUITE_GATE_H
#define SUITE_GATE_H

#include "suite/gate/cells.h"
#include "suite/gate/findings.h"

/** What a column of a frames' file is to the gate. */
typedef enum bench_gate_column {
    BENCH_COLUMN_OTHER, /* truth, errors, times */
    BENCH_COLUMN_ANSWER,
    BENCH_COLUMN_COUNTER,
} bench_gate_column;

/** By its name; one that nobody foresaw is an answer. */
bench_gate_column bench_gate_column_kind(const char *name);

/**
 * How many doubles lie between two numbers, plus one: 0 for the same number, 1 for neighbours. Both
 * zeros are the same number. UINT64_MAX when one is a NaN and the other is not.
 */
uint64_t bench_ulps_apart(double a, double b);

/**
 * Asks the gates about the frames of one cell: answers agree to the last bit, or within
 * tolerance_ulp; then counters. Frames that one side lacks are findings of the answers. A column
 * that is expected nowhere is told, and no failure.
 */
void bench_gate_compare_frames(const bench_gate_frames *expected, const bench_gate_frames *got,
                               const bench_gate_cell *cell, uint64_t tolerance_ulp,
                               bench_gate_report *report);

/**
 * Asks all gates but those of time about each cell of the baseline, then about what the
 * run has beyond it.
 *
 * Errors   files of the run that cannot be read; BASE_ERR_MEMORY.
 */
base_status bench_gate_check(const bench_gate_cells *baseline, const bench_gate_cells *run,
                             bench_gate_report *report, base_error *err) BASE_MUST_CHECK;

#endif
