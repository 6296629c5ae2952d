/** What a flood from a corner of a grid reaches. */
#ifndef ALGORITHMS_VOXEL_FLOOD_H
#define ALGORITHMS_VOXEL_FLOOD_H

#include "algorithms/voxel/bits.h"
#include "base/error.h"

/**
 * Sets the bits of the voxels that can be reached from voxel (0, 0, 0), which is no surface voxel,
 * through faces of voxels and without entering a surface voxel.
 *
 * Shapes   outside: of the size of `surface`, all bits 0.
 * Errors   BASE_ERR_MEMORY.
 * Memory   5 bytes a row of voxels along x, until it returns.
 * Cost     O(words) for each time that a row is entered anew, which is a few times for bodies.
 * Source   VPS 3 ("Layering"): a stack, last in first out; here of rows, 64 voxels at a time.
 */
base_status alg_voxel_flood(const alg_voxel_bits *surface, alg_voxel_bits *outside,
                            base_error *err) BASE_MUST_CHECK;

#endif
