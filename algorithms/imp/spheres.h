/**
 * The balls of nodes: around the cube, around the existing children, or around the voxels below.
 *
 * All lengths are in half edges of a voxel. Offsets are multiples of 2^-10, so that the centre of a
 * node is exact as a float in all grids up to 2^13 voxels along an edge; radii are measured around
 * these centres, and rounded up.
 */
#ifndef ALGORITHMS_IMP_SPHERES_H
#define ALGORITHMS_IMP_SPHERES_H

#include "algorithms/imp/tree.h"

/** Returns the ball around the cube of a node of a level. */
alg_imp_sphere alg_imp_sphere_of_cube(alg_imp_children children, uint32_t level);

/** Returns the number of entries of a table: patterns of 8 children, or boxes of 64 or 512. */
uint32_t alg_imp_table_count(alg_imp_children children);

/**
 * Returns the table index of the smallest box of children that holds those of a pattern, which has
 * 64 or 512 children and is not empty.
 */
uint16_t alg_imp_box_of(alg_imp_children children, const uint8_t *present);

/**
 * Fills the table of a level. Each ball encloses all possible voxels in the children of a pattern,
 * or of a box. No ball is larger than that of the node's cube.
 */
void alg_imp_table_fill(alg_imp_children children, uint32_t level, alg_imp_sphere *table);

/** An item below a node, in Morton order: a surface voxel, or a full node or voxel. */
typedef struct alg_imp_item {
    float centre[3];
    float reach; /* distance from there to the centres of its outermost voxels along each axis;
                    0: a voxel */
} alg_imp_item;

/**
 * Returns a ball around the balls of all voxels of some items: small, though not always the
 * smallest.
 *
 * centre: of the node. known: a ball that encloses them, relative to the centre; it is returned
 * unless a smaller one is found.
 * Cost     16 passes over the items.
 */
alg_imp_sphere alg_imp_sphere_around(const alg_imp_item *items, size_t count, const float centre[3],
                                     alg_imp_sphere known);

#endif
