/**
 * The gate compares the answers of a run with a committed baseline.
 *
 *   baseline.h  cells and frames of a run or a baseline; writes a run as a baseline
 *   answers.h   compares the answers of a cell's frames; work.h their counters; pairing.h holds
 *               what both use
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

#endif
