/**
 * Empty space around a fixed body: blocks of 8 x 8 x 8 voxels, with the distance of each from the
 * body.
 *
 * Source   this suite.
 */
#ifndef ALGORITHMS_IMP_COARSE_H
#define ALGORITHMS_IMP_COARSE_H

#include "algorithms/voxel/map.h"

/** Edge of a block, in voxels. */
enum { ALG_IMP_COARSE_BLOCK = 8 };

/**
 * Builds a map of blocks. A block with a surface voxel or a full voxel has layer 0; layers outside
 * are negative. The map's edge is in half edges of a voxel, from the corner of voxel (0, 0, 0).
 *
 * Shapes   surface, full: voxels of the body, of one size.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: one byte per block.
 * Cost     O(words of the grid).
 */
base_status alg_imp_coarse_build(const alg_voxel_bits *surface, const alg_voxel_bits *full,
                                 base_arena *arena, alg_voxel_map *map,
                                 base_error *err) BASE_MUST_CHECK;

/**
 * Returns true only if a ball meets no voxel of the body. Lengths are in half edges of a voxel.
 * Cost: O(1).
 */
bool alg_imp_coarse_misses(const alg_voxel_map *map, const float centre[3], float radius);

#endif
