/**
 * Where a fixed body is not: blocks of 8 x 8 x 8 voxels, and how far each is from the body.
 *
 * Source   this suite.
 */
#ifndef ALGORITHMS_IMP_COARSE_H
#define ALGORITHMS_IMP_COARSE_H

#include "algorithms/voxel/map.h"

/** Edge of a block, in voxels. */
enum { ALG_IMP_COARSE_BLOCK = 8 };

/**
 * Builds a map of blocks: layer 0 if a block has a surface voxel or a full one; negative layers
 * outside. Its edge is in half edges of a voxel, from the corner of voxel (0, 0, 0).
 *
 * Shapes   surface, full: voxels of the body, of one size.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: a byte a block.
 * Cost     O(words of the grid).
 */
base_status alg_imp_coarse_build(const alg_voxel_bits *surface, const alg_voxel_bits *full,
                                 base_arena *arena, alg_voxel_map *map,
                                 base_error *err) BASE_MUST_CHECK;

/** Returns true only if a ball meets no voxel of the body. In half edges of a voxel. Cost: O(1). */
bool alg_imp_coarse_misses(const alg_voxel_map *map, const float centre[3], float radius);

#endif
