/**
 * The balls of nodes: around the cube, around the existing children, or around the voxels below.
 *
 * All lengths are in half edges of a voxel. Offsets are multiples of 2^-10, so that the centre of a
 * node's ball is exact as a float in all grids up to 2^13 voxels along an edge. Radii are measured
 * around these centres, and rounded up.
 */
#ifndef ALGORITHMS_IMP_SPHERES_H
#define ALGORITHMS_IMP_SPHERES_H

#include "algorithms/imp/tree.h"
#include "geometry/types.h"

/** Returns the ball around the cube of a node of this level. */
alg_imp_sphere alg_imp_sphere_of_cube(alg_imp_children children, uint32_t level);

/**
 * Returns the number of entries of a table: one for each pattern of 8 children, or for each box of
 * 64 or 512 children.
 */
uint32_t alg_imp_table_count(alg_imp_children children);

/**
 * Returns the table index of the smallest box that holds all existing children of a node.
 * `present`: the node's child mask, for 64 or 512 children, not empty.
 */
uint16_t alg_imp_box_of(alg_imp_children children, const uint8_t *present);

/**
 * Fills the table of a level. Each ball encloses the balls of all possible voxels in the children
 * of a pattern, or of a box. No ball is larger than that of the node's cube.
 */
void alg_imp_table_fill(alg_imp_children children, uint32_t level, alg_imp_sphere *table);

/** An item below a node, in Morton order: a surface voxel, or a full node or voxel. */
typedef struct alg_imp_item {
    float centre[3];
    float reach; /* distance along each axis from the centre to the centres of the item's
                    outermost voxels; 0: a voxel */
} alg_imp_item;

/**
 * Returns a ball that encloses the balls of all voxels of some items, relative to `centre`. It is
 * small, but not always the smallest.
 *
 * centre: centre of the node. known: a ball that encloses them, relative to `centre`; it is
 * returned unless a smaller one is found.
 * Cost     16 passes over the items.
 */
alg_imp_sphere alg_imp_sphere_around(const alg_imp_item *items, size_t count, const float centre[3],
                                     alg_imp_sphere known);

/* --- Smallest balls around the children of a node --------------------------------------------- */

/*
 * The eight children of a node are cubes. Their centres are at (+-1, +-1, +-1) half edges of a
 * child from the centre of the node: child i is at +x if bit 0 of i is set, at +y if bit 1 is set,
 * and at +z if bit 2 is set. The four children of a quadtree node are squares, numbered in the same
 * way.
 *
 * Source   IMP 3.1 and figure 2. The paper counts the patterns whose ball is smaller than that of
 *          the whole node: 12 of 15 for a quadtree, and 85 of 255 for an octree. With exact balls,
 *          the counts are 8 and 78; the 78 have balls of four sizes, for 8 + 12 + 42 + 16 patterns.
 */

/**
 * Returns the ball around the balls of all possible voxels in the children of a pattern. It is the
 * ball around the centres of the voxels, enlarged by sqrt(3). `halves` is half the edge of a child.
 * All lengths are in half edges of a voxel.
 *
 * The ball of a voxel reaches sqrt(3) - 1 beyond the faces of the voxel's cube. Nevertheless, for
 * large children the result is hardly larger than the ball around their cubes: by 0 to 0.1 in the
 * limit.
 *
 * Shapes   1 <= pattern <= 255; bit i: child i exists. halves >= 1.
 * Errors   cannot fail; the ball is the smallest up to rounding, see geo_ball_enclose.
 */
geo_ball alg_imp_ball_of_voxels(unsigned pattern, double halves);

/**
 * Returns the ball around the squares of a quadtree pattern. The squares are in the plane z = 0.
 * Lengths are in half edges of a square. 1 <= pattern <= 15.
 */
geo_ball alg_imp_ball_of_squares(unsigned pattern);

#endif
