/**
 * An implicit sphere tree: an N-tree over voxels. The spheres of its nodes are not stored, but
 * derived during the descent. Only ALG_IMP_STORED stores them, for comparison.
 *
 * Levels    A node of level l is a cube of 2^(k l) voxels along each edge, where k = 1, 2, 3 for 8,
 *           64 and 512 children. Voxels are the nodes of level 0; the root, of level `root_level`,
 *           is the only node of its level.
 * Cells     A node is identified by its level and its cell (x, y, z): it covers voxels x 2^(k l) to
 *           (x + 1) 2^(k l) - 1, and likewise for y and z.
 * Children  are in Morton order. Bit j of a child's x offset in its parent is bit 3 j of the
 *           child's number; for y it is bit 3 j + 1, and for z bit 3 j + 2. Children 8 i to 8 i + 7
 *           form a cube of 2 x 2 x 2 children, and their bits are byte i of the node's child mask.
 * Units     half the edge of a voxel, from the corner of voxel (0, 0, 0): the centre of a node of
 *           level l is at (2 x + 1) 2^(k l), and likewise for y and z. These are integers, exact as
 *           floats. The ball around the node's cube has the radius sqrt(3) 2^(k l).
 * Kinds     A voxel of the tree is a surface voxel or a full voxel. Full voxels are inside of the
 *           body; a tree has them only with fill=solid. A node is full if all of its voxels are
 *           full. Full nodes are not stored: all of their children exist and are full. All other
 *           nodes that have voxels are stored. The only pointer of a stored node is the number of
 *           its first stored child.
 *
 * The ball of a node encloses the balls of all voxels below it, not only their cubes. So no pair of
 * voxels whose balls meet is missed, and the result does not depend on how the tree is built.
 *
 * Source   IMP 3.1. Full nodes, and balls that enclose balls, are this suite's.
 */
#ifndef ALGORITHMS_IMP_TREE_H
#define ALGORITHMS_IMP_TREE_H

#include "algorithms/voxel/grid.h"
#include "base/memory.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/** Values of the parameter "children", in the order of its choices. */
typedef enum alg_imp_children {
    ALG_IMP_8,
    ALG_IMP_64,
    ALG_IMP_512,
} alg_imp_children;

/** Returns k: a node has 2^k children along each edge. */
static inline uint32_t alg_imp_bits(alg_imp_children children)
{
    return (uint32_t)children + 1;
}

/** Returns the number of bytes of a child mask: a bit for each child. */
static inline uint32_t alg_imp_mask_bytes(alg_imp_children children)
{
    return 1u << (3 * children);
}

/**
 * Values of the parameter "spheres": the paper's side optimisation is off, or on in two variants.
 */
typedef enum alg_imp_spheres {
    ALG_IMP_CUBES,    /* around the node's cube: side optimisation off */
    ALG_IMP_PATTERNS, /* around the existing children, from a table. Its index is the pattern (8
                         children) or the bounding box of the existing children (64 and 512) */
    ALG_IMP_STORED,   /* around the voxels below, stored for each node */
} alg_imp_spheres;

enum { ALG_IMP_LEVELS_MAX = 13 }; /* 8 children and 2048 voxels with padding need 12 */

/** The number of a full node or voxel, which is not stored. */
#define ALG_IMP_FULL 0xffffffffu

/**
 * A ball. Its position is relative to the centre of its node. Lengths are in half edges of a voxel.
 */
typedef struct alg_imp_sphere {
    float offset[3]; /* multiples of 2^-10, so that the ball's centre is exact as a float */
    float radius;    /* rounded up, by more than the rounding errors of computations with it */
} alg_imp_sphere;

/**
 * The stored nodes of a level, in Morton order of their cells. A child mask takes
 * alg_imp_mask_bytes bytes per node.
 */
typedef struct alg_imp_level {
    uint32_t count;
    uint32_t *first;  /* arena; number of the node's first stored child in the level below; in
                         level 1, of its first surface voxel */
    uint8_t *present; /* arena; child mask of the existing children */
    uint8_t *full;    /* arena; child mask of the full children, which are not stored; NULL if the
                         tree has no full voxels */
    uint16_t *box;    /* arena; index into the table, for ALG_IMP_PATTERNS with 64 or 512 children;
                         else NULL */
    alg_imp_sphere *spheres; /* arena; ALG_IMP_STORED; else NULL */
} alg_imp_level;

typedef struct alg_imp_tree {
    alg_imp_children children;
    alg_imp_spheres sphere_kind;
    uint32_t root_level;                          /* at least 1 */
    uint32_t voxel_count;                         /* number of stored voxels: the surface voxels,
                                                     in Morton order */
    uint64_t full_count;                          /* number of full voxels */
    uint32_t size[3];                             /* size of the grid with its padding, in voxels */
    alg_imp_level levels[ALG_IMP_LEVELS_MAX + 1]; /* [l], 1 <= l <= root_level; [0] is unused */
    /**
     * Arena; only for ALG_IMP_PATTERNS, else NULL. The ball of stored node n of level l is
     * tables[l][present[n]] with 8 children, and tables[l][box[n]] with 64 or 512.
     */
    alg_imp_sphere *tables[ALG_IMP_LEVELS_MAX + 1];
} alg_imp_tree;

typedef struct alg_imp_tree_options {
    alg_imp_children children;
    alg_imp_spheres spheres;
    unsigned threads; /* threads of the build; 0: one per CPU; the tree does not depend on their
                         number */
} alg_imp_tree_options;

/** The position of a voxel in the grid. */
typedef struct alg_imp_cell {
    uint32_t x, y, z;
} alg_imp_cell;

/** Returns the cell of a child of a cell, in the level below. */
static inline alg_imp_cell alg_imp_child_cell(alg_imp_cell cell, uint32_t child, uint32_t bits)
{
    alg_imp_cell at = {0, 0, 0};
    for (uint32_t j = 0; j < bits; j++) {
        at.x |= (child >> (3 * j) & 1) << j;
        at.y |= (child >> (3 * j + 1) & 1) << j;
        at.z |= (child >> (3 * j + 2) & 1) << j;
    }
    return (alg_imp_cell){(cell.x << bits) + at.x, (cell.y << bits) + at.y,
                          (cell.z << bits) + at.z};
}

/**
 * Builds the tree level by level; all threads share each level. First it finds out which nodes have
 * voxels or are full, from the voxels upwards. Then it lists the stored nodes, from the root
 * downwards.
 *
 * surface, full: bits of the same size, at most 2^13 along an edge. No voxel is in both. If full is
 * NULL, the tree has surface voxels only.
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT if there is no surface voxel, or if there are 2^31 or
 *          more.
 * Memory   arena: 5 bytes per node of 8 children, 12 of 64, 68 of 512. With full voxels, a node
 *          takes 1, 8 or 64 bytes more. A table index takes 2 bytes more, a stored ball 16 bytes
 *          more. The table of a level takes 4 kB (8 children), 16 kB (64) or 0.75 MB (512). Scratch
 *          outside of the arena: bits of voxels, cells of nodes.
 * Cost     O(words of the grid + surface voxels); stored balls add O(levels) per voxel.
 */
base_status alg_imp_tree_build(const alg_voxel_bits *surface, const alg_voxel_bits *full,
                               const alg_imp_tree_options *options, base_arena *arena,
                               alg_imp_tree *tree, base_error *err) BASE_MUST_CHECK;

/**
 * Returns true if the tree has a voxel in a cell of the grid, stored or full. Sets *number to the
 * number of a stored voxel, or to ALG_IMP_FULL; leaves it unchanged if false. Cost: O(levels).
 */
bool alg_imp_tree_find(const alg_imp_tree *tree, alg_imp_cell cell, uint32_t *number);

enum { ALG_IMP_CHILDREN_MAX = 512 };

/** A stored node, or a surface voxel. */
typedef struct alg_imp_child {
    uint32_t number;
    alg_imp_cell cell; /* in its level */
} alg_imp_child;

/**
 * Lists the stored children of a stored node. The level of the node is at least 1. Returns the
 * number of children.
 */
uint32_t alg_imp_tree_open(const alg_imp_tree *tree, uint32_t level, const alg_imp_child *node,
                           alg_imp_child children[ALG_IMP_CHILDREN_MAX]);

/** Receives a surface voxel. */
typedef void alg_imp_visitor(void *context, uint32_t number, alg_imp_cell cell);

/** Visits all surface voxels, in the order of their numbers. */
void alg_imp_tree_visit(const alg_imp_tree *tree, alg_imp_visitor *visit, void *context);

/**
 * Returns the ball of the node of a level that has this number. The number ALG_IMP_FULL means a
 * full node. In level 0, the ball of a voxel is returned.
 */
alg_imp_sphere alg_imp_sphere_of(const alg_imp_tree *tree, uint32_t level, uint32_t number);

/** Returns the size of all nodes and tables in bytes, for the build info. */
uint64_t alg_imp_tree_bytes(const alg_imp_tree *tree);

#endif
