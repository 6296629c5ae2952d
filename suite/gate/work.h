/** The counters of one cell's frames, old against new: none may have grown; fewer are told. */
#ifndef SUITE_WORK_H
#define SUITE_WORK_H

#include "suite/gate/baseline.h"
#include "suite/gate/findings.h"

/** Asks the gate about a cell's counters. One that is expected nowhere is told, and no failure. */
void bench_gate_compare_work(const bench_gate_cell *old, const bench_gate_frames *expected,
                             const bench_gate_frames *got, bench_gate_report *report);

#endif
