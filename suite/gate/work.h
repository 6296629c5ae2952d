/**
 * Compares the counters of one cell, old against new. A counter that has grown fails; one that has
 * shrunk is a note.
 */
#ifndef SUITE_WORK_H
#define SUITE_WORK_H

#include "suite/gate/baseline.h"
#include "suite/gate/findings.h"

/**
 * Asks the gate about the counters of a cell's frames, and about build_bytes, the memory that the
 * variant has built, if both sides have it. A counter that only the new side has is a note.
 */
void bench_gate_compare_work(const bench_gate_cell *old, const bench_gate_frames *expected,
                             const bench_gate_cell *new, const bench_gate_frames *got,
                             bench_gate_report *report);

#endif
