/** deadline.csv: the share of frames that are answered within a time *and* within an error. */
#ifndef SUITE_DEADLINE_H
#define SUITE_DEADLINE_H

#include "suite/results/cells.h"
#include "suite/results/columns.h"

extern const bench_columns bench_deadline_columns;

/**
 * Writes for each quantity of a cell a row for each distinct time of a frame, sorted by time.
 * Errors are those of bench_quantity.error; the error of contact is a wrong verdict. Frames without
 * an error are not counted.
 * Errors: BASE_ERR_MEMORY.
 */
base_status bench_deadline_put(FILE *file, const bench_cell *cell, base_error *err) BASE_MUST_CHECK;

#endif
