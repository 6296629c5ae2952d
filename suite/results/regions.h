/**
 * SCENARIO/VARIANT.regions.csv: the regions of penetration with a separating direction of their
 * own, for variants that answer regions. One row for each region, at most BENCH_REGIONS_MAX per
 * frame.
 */
#ifndef SUITE_REGIONS_H
#define SUITE_REGIONS_H

#include "suite/results/cells.h"
#include "suite/results/columns.h"

extern const bench_columns bench_regions_columns;

/** True if the cell was asked for its regions and has answered them in some frame. */
bool bench_cell_has_regions(const bench_cell *cell);

/**
 * Writes the complete file of such a cell or leaves it unchanged.
 *
 * centre_a  centre of A in the frame of its file
 * Errors    BASE_ERR_SYSTEM.
 */
base_status bench_regions_write(const char *path, const bench_cell *cell, vec3 centre_a,
                                base_error *err) BASE_MUST_CHECK;

#endif
