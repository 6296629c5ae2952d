/**
 * Slabs and cells as bytes, and back.
 *
 * What is read is not trusted: counts must fit the bytes, numbers must lie in range, and cells must
 * be the octree that they were built as, so that no query of what was read can leave its arrays.
 */
#ifndef ALGORITHMS_BOUNDS_SAVED_H
#define ALGORITHMS_BOUNDS_SAVED_H

#include "algorithms/bounds/cells.h"
#include "algorithms/bounds/slabs.h"
#include "algorithms/life.h"

/** Raised whenever slabs, cells or their bytes change: a part of alg_algorithm.state_version. */
enum { ALG_BOUNDS_STATE_VERSION = 1 };

/** False when the writer wants no more. */
bool alg_bounds_slabs_save(const alg_bounds_slabs *slabs, const alg_writer *to);
bool alg_bounds_cells_save(const alg_bounds_cells *cells, const alg_writer *to);

/**
 * Reads what was saved, and nothing behind it.
 *
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT for what no build has made.
 * Memory   arena: as for the build.
 */
base_status alg_bounds_slabs_load(alg_reader *from, base_arena *arena, alg_bounds_slabs *slabs,
                                  base_error *err) BASE_MUST_CHECK;
base_status alg_bounds_cells_load(alg_reader *from, base_arena *arena, alg_bounds_cells *cells,
                                  base_error *err) BASE_MUST_CHECK;

#endif
