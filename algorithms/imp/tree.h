/**
 * An implicit sphere tree: an N-tree over voxels whose spheres are not stored, but derived during
 * the descent.
 *
 * Levels    A node of level l is a cube of 2^(k l) voxels along each edge, where k = 1, 2, 3 for 8,
 *           64 and 512 children. Voxels are the nodes of level 0; the root, of level `root_level`,
 *           is the only node of its level.
 * Cells     A node is identified by its level and its cell (x, y, z): it covers voxels x 2^(k l) to
 *           (x + 1) 2^(k l) - 1, and likewise for y and z.
 * Children  are in Morton order: bit 3 j of a child's number is bit j of its x offset in its
 *           parent, 3 j + 1 of y, 3 j + 2 of z. Children 8 i to 8 i + 7 are a cube of 2 x 2 x 2
 *           children, and byte i of the node's child mask.
 * Units     half the edge of a voxel, from the corner of voxel (0, 0, 0): the centre of a node of
 *           level l is at (2 x + 1) 2^(k l), and likewise for y and z. These are integers, exact as
 *           floats. The ball around the node's cube has the radius sqrt(3) 2^(k l).
 * Kinds     A voxel is a surface voxel or a full one (inside; with fill=solid only). A node is full
 *           if all of its voxels are: it is not stored, and all of its children exist and are full.
 *           All other nodes that have voxels are stored; their only pointer is the number of the
 *           first child.
 *
 * Balls of nodes enclose the balls of all voxels below, not only their cubes, so that no pair of
 * voxels whose balls meet is ever missed: the result does not depend on how the tree is built.
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

/** Returns k: the bits of a level along an edge. */
static inline uint32_t alg_imp_bits(alg_imp_children children)
{
    return (uint32_t)children + 1;
}

/** Returns the number of bytes of a child mask: a bit for each child. */
static inline uint32_t alg_imp_mask_bytes(alg_imp_children children)
{
    return 1u << (3 * children);
}

/** Values of the parameter "spheres": the side optimisation, off, and on in two variants. */
typedef enum alg_imp_spheres {
    ALG_IMP_CUBES,    /* around the node's cube: side optimisation off */
    ALG_IMP_PATTERNS, /* around the existing children. 8: a table by pattern; 64 and 512: a table
                         by the bounding box of the children */
    ALG_IMP_STORED,   /* around the voxels below, stored for each node */
} alg_imp_spheres;

enum { ALG_IMP_LEVELS_MAX = 13 }; /* 8 children and 2048 voxels with padding need 12 */

/** The number of a full node or voxel, which is not stored. */
#define ALG_IMP_FULL 0xffffffffu

/** A ball relative to the centre of its node, in half edges of a voxel. */
typedef struct alg_imp_sphere {
    float offset[3]; /* multiples of 2^-10, so that the ball's own centre is exact as a float as
                        well */
    float radius;    /* rounded up, by more than the rounding of computations with it */
} alg_imp_sphere;

/**
 * The stored nodes of a level, in Morton order of their cells; child masks have alg_imp_mask_bytes
 * bytes per node.
 */
typedef struct alg_imp_level {
    uint32_t count;
    uint32_t *first;  /* arena; number of a node's first stored child in the level below (level
                         1: of its first surface voxel) */
    uint8_t *present; /* arena; one bit per existing child */
    uint8_t
        *full; /* arena; the full ones of these, which are not stored; NULL: the tree has no full
                  nodes */
    uint16_t *box; /* arena; ALG_IMP_PATTERNS with 64 and 512 children: index into the table by
                      boxes; else NULL */
    alg_imp_sphere *spheres; /* arena; ALG_IMP_STORED; else NULL */
} alg_imp_level;

typedef struct alg_imp_tree {
    alg_imp_children children;
    alg_imp_spheres sphere_kind;
    uint32_t root_level;                          /* at least 1 */
    uint32_t voxel_count;                         /* stored voxels: surface voxels, in Morton
                                                     order */
    uint64_t full_count;                          /* number of full voxels */
    uint32_t size[3];                             /* size of the grid, in voxels */
    alg_imp_level levels[ALG_IMP_LEVELS_MAX + 1]; /* [l], 1 <= l <= root_level; [0] is unused */
    /**
     * ALG_IMP_PATTERNS: the ball of a stored node of level l is tables[l][pattern] (8 children: the
     * byte of existing children) or tables[l][box] (64 and 512). Arena. NULL for other kinds.
     */
    alg_imp_sphere *tables[ALG_IMP_LEVELS_MAX + 1];
} alg_imp_tree;

typedef struct alg_imp_tree_options {
    alg_imp_children children;
    alg_imp_spheres spheres;
    unsigned threads; /* threads of the build, 0: all; the tree does not depend on them */
} alg_imp_tree_options;

/** The position of a voxel in the grid. */
typedef struct alg_imp_cell {
    uint32_t x, y, z;
} alg_imp_cell;

/** Returns the cell of a child of a cell: bits 3 j + axis of the child's number are its offset. */
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
 * Builds the tree level by level, each on all threads: the pyramid from the voxels upwards, then
 * the nodes from the root downwards.
 *
 * surface, full: bits of one size, at most 2^13 along an edge, without a voxel in common; full
 * NULL: surface voxels only.
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT without a surface voxel, and with more than 2^31 of
 *          them.
 * Memory   arena: 5 bytes per node of 8 children, 12 of 64, 68 of 512; with full voxels 1, 8 or 64
 *          more; 2 more by boxes, 16 more if balls are stored; tables by boxes take 16 kB (64) or
 *          0.75 MB (512) per level. Scratch outside of it: bits of voxels, cells of nodes.
 * Cost     O(words of the grid + surface voxels); stored balls add O(levels) per voxel.
 */
base_status alg_imp_tree_build(const alg_voxel_bits *surface, const alg_voxel_bits *full,
                               const alg_imp_tree_options *options, base_arena *arena,
                               alg_imp_tree *tree, base_error *err) BASE_MUST_CHECK;

/**
 * Returns true if there is a voxel in a cell of the grid, stored or full. *number: its number, or
 * ALG_IMP_FULL. Cost: O(levels).
 */
bool alg_imp_tree_find(const alg_imp_tree *tree, alg_imp_cell cell, uint32_t *number);

enum { ALG_IMP_CHILDREN_MAX = 512 };

/** A stored node, or a surface voxel. */
typedef struct alg_imp_child {
    uint32_t number;
    alg_imp_cell cell; /* in its level */
} alg_imp_child;

/** Lists the stored children of a stored node of a level above 0. Returns their number. */
uint32_t alg_imp_tree_open(const alg_imp_tree *tree, uint32_t level, const alg_imp_child *node,
                           alg_imp_child children[ALG_IMP_CHILDREN_MAX]);

/** Called for a surface voxel. */
typedef void alg_imp_visitor(void *context, uint32_t number, alg_imp_cell cell);

/** Visits all surface voxels, in the order of their numbers. */
void alg_imp_tree_visit(const alg_imp_tree *tree, alg_imp_visitor *visit, void *context);

/**
 * Returns the ball of a node of a level, by its number or ALG_IMP_FULL; level 0: the ball of a
 * voxel.
 */
alg_imp_sphere alg_imp_sphere_of(const alg_imp_tree *tree, uint32_t level, uint32_t number);

/** Returns the bytes of nodes and tables, for the build info. */
uint64_t alg_imp_tree_bytes(const alg_imp_tree *tree);

#endif
