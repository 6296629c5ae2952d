/**
 * Distances from the cells of a voxmap's grid to the voxels that matter. They make most lookups
 * unnecessary.
 */
#ifndef ALGORITHMS_VOXEL_CLEARANCE_H
#define ALGORITHMS_VOXEL_CLEARANCE_H

#include "algorithms/voxel/map.h"
#include "base/error.h"
#include "base/memory.h"

/** Edge of a cell, in voxels. */
enum { ALG_VOXEL_CELL_BITS = 2, ALG_VOXEL_CELL = 1 << ALG_VOXEL_CELL_BITS };

/** Number of steps of a clearance per voxel, and the largest clearance in voxels. */
enum { ALG_VOXEL_CLEARANCE_STEPS = 16, ALG_VOXEL_CLEARANCE_MAX = 16 };

typedef struct alg_voxel_clearance {
    int32_t least;     /* voxels of this layer and of inner layers matter */
    uint32_t count[3]; /* cells */
    /**
     * Arena; x fastest. 0: the cell contains a voxel that matters. n > 0: it contains no such
     * voxel, and no point of the cell is nearer than (n - 1) / ALG_VOXEL_CLEARANCE_STEPS voxels to
     * one. One element follows the last one, so that 32 bits can be read at each.
     */
    int16_t *cells;
} alg_voxel_clearance;

/**
 * Computes the clearance of all cells.
 *
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT for more than 2^31 cells.
 * Memory   arena: 2 bytes per cell; scratch outside of it.
 * Cost     O(cells) near voxels that matter, on all CPUs; the result does not depend on their
 *          number.
 */
base_status alg_voxel_clearance_build(const alg_voxel_map *map, int32_t least, base_arena *arena,
                                      alg_voxel_clearance *clearance,
                                      base_error *err) BASE_MUST_CHECK;

#endif
