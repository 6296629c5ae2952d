/**
 * An octree over some of the voxels of a grid.
 *
 * The root is a cube of 2^levels voxels along each edge. A cube that contains none of these voxels
 * is empty and not divided. Part i of a cube has the upper half of x if bit 0 of i is set, of y for
 * bit 1, of z for bit 2.
 */
#ifndef ALGORITHMS_VOXEL_OCTREE_H
#define ALGORITHMS_VOXEL_OCTREE_H

#include "base/error.h"
#include "base/memory.h"

#include <stdint.h>

enum { ALG_VOXEL_OCTREE_LEVELS_MAX = 16 };

/** A child without voxels. The value 0 is free, since it is the number of the root. */
#define ALG_VOXEL_EMPTY 0u

/** A child that is a voxel: this bit and the voxel's number. */
#define ALG_VOXEL_LEAF 0x80000000u

typedef struct alg_voxel_at {
    uint32_t x, y, z;
} alg_voxel_at;

typedef struct alg_voxel_octree_node {
    uint32_t child[8]; /* ALG_VOXEL_EMPTY, a node's number, or ALG_VOXEL_LEAF | voxel */
} alg_voxel_octree_node;

typedef struct alg_voxel_octree {
    alg_voxel_octree_node *nodes; /* arena; depth first, nodes[0] is the root */
    uint32_t node_count;
    uint32_t levels; /* at least 1: children of a node of level 1 are voxels */
} alg_voxel_octree;

/**
 * Builds the octree.
 *
 * Shapes   voxels: distinct, coordinates below 2^levels, count < 2^31; in any order. 1 <= levels <=
 *          ALG_VOXEL_OCTREE_LEVELS_MAX.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 32 bytes per node; scratch outside of it.
 * Cost     O(count (log count + levels)).
 */
base_status alg_voxel_octree_build(const alg_voxel_at *voxels, size_t count, uint32_t levels,
                                   base_arena *arena, alg_voxel_octree *octree,
                                   base_error *err) BASE_MUST_CHECK;

#endif
