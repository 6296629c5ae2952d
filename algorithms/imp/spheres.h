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
#include "geometry/types.h"

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

/* --- Smallest balls around the children of a node --------------------------------------------- */

/*
 * The eight children of a node are cubes with centres at (+-1, +-1, +-1) half edges of a child from
 * the centre of the node, child i at +x where bit 0 of i is set, at +y for bit 1, at +z for bit 2.
 * The four children of a quadtree node are squares, numbered in the same way.
 *
 * Source   IMP 3.1 and figure 2, which count 12 of 15 patterns of a quadtree and 85 of 255 of an
 *          octree whose ball is smaller than that of the whole node; exact balls are smaller in 8
 *          and 78 cases (8 + 12 + 42 + 16 patterns of four sizes).
 */

/**
 * Returns the ball around the balls of all possible voxels in the children of a pattern, where half
 * the edge of a child is `halves` half edges of a voxel. It is the ball around the centres of the
 * voxels, enlarged by sqrt(3). All lengths are in half edges of a voxel.
 *
 * The ball of a voxel reaches sqrt(3) - 1 out of the voxel's cube, and so does the content of the
 * voxel. For children that are voxels themselves, this is the ball of their centres, enlarged by
 * sqrt(3); for large children it approaches that of their cubes, enlarged by sqrt(3) - 1.
 *
 * Shapes   1 <= pattern <= 255; bit i: child i exists. halves >= 1.
 * Errors   cannot fail; the ball is the smallest up to rounding, see geo_ball_enclose.
 */
geo_ball alg_imp_ball_of_voxels(unsigned pattern, double halves);

/**
 * Returns the ball around the squares of a quadtree pattern, in the plane z = 0, in half edges of a
 * square. 1 <= pattern <= 15.
 */
geo_ball alg_imp_ball_of_squares(unsigned pattern);

#endif
