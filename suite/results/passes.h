/** passes.csv: what of a cell was measured when, one row a pass. */
#ifndef SUITE_RESULTS_PASSES_H
#define SUITE_RESULTS_PASSES_H

#include "suite/results/cell.h"
#include "suite/results/columns.h"

extern const bench_columns bench_passes_columns;

void bench_passes_put(FILE *file, const bench_cell *cell);

#endif
