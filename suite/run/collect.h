/** A contestant's journal read back and judged. */
#ifndef SUITE_COLLECT_H
#define SUITE_COLLECT_H

#include "suite/results/cells.h"
#include "suite/run/stage.h"

/**
 * Reads what a contestant has measured and judges its answers. Memory: its samples;
 * bench_cell_release is due either way.
 */
base_status bench_stage_cell(const bench_stage *stage, size_t entry, bench_cell *cell,
                             base_error *err) BASE_MUST_CHECK;

#endif
