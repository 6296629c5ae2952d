/**
 * SCENARIO/VARIANT.regions.csv: the parts of the penetration that have a way out of their own, of
 * variants that answer them: a row for each, of at most BENCH_REGIONS_MAX in a frame.
 */
#ifndef SUITE_REGIONS_H
#define SUITE_REGIONS_H

#include "suite/results/cells.h"
#include "suite/results/columns.h"

extern const bench_columns bench_regions_columns;

/** Was the cell asked for its regions, and has it answered them in some frame? */
bool bench_cell_has_regions(const bench_cell *cell);

/**
 * Writes the file of such a cell whole or not at all.
 *
 * centre_a  of A's frame, in its file
 * Errors    BASE_ERR_SYSTEM.
 */
base_status bench_regions_write(const char *path, const bench_cell *cell, vec3 centre_a,
                                base_error *err) BASE_MUST_CHECK;

#endif
