/** deadline.csv: the share of frames answered within a time *and* within an error. */
#ifndef SUITE_DEADLINE_H
#define SUITE_DEADLINE_H

#include "suite/results/cells.h"
#include "suite/results/columns.h"

extern const bench_columns bench_deadline_columns;

/**
 * For each quantity of a cell, sorted by time, a row for each time at which more frames are done.
 * Errors are as bench_quantity.error says, and those of contact wrong verdicts; frames without one
 * are left out of the count.
 * Errors: BASE_ERR_MEMORY.
 */
base_status bench_deadline_put(FILE *file, const bench_cell *cell, base_error *err) BASE_MUST_CHECK;

#endif
