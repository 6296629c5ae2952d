/** A flood fill from a corner of a grid. */
#ifndef ALGORITHMS_VOXEL_FLOOD_H
#define ALGORITHMS_VOXEL_FLOOD_H

#include "algorithms/voxel/bits.h"
#include "base/error.h"

/**
 * Sets the bits of the voxels that can be reached from voxel (0, 0, 0), which is not a surface
 * voxel, through faces of voxels and without entering a surface voxel.
 *
 * Shapes   outside: of the size of `surface`, all bits 0.
 * Errors   BASE_ERR_MEMORY.
 * Memory   5 bytes per row of voxels along x, until it returns.
 * Cost     O(words) for each time that a row is processed, which is a few times for usual bodies.
 * Source   VPS 3 ("Layering"): a stack, last in first out; here it holds rows, with 64 voxels per
 *          word.
 */
base_status alg_voxel_flood(const alg_voxel_bits *surface, alg_voxel_bits *outside,
                            base_error *err) BASE_MUST_CHECK;

#endif
