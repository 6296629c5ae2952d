/**
 * Smallest balls around the children of a node, for all possible patterns of children.
 *
 * Unit: half the edge of a child; the origin is the centre of the node. The eight children of a
 * node are cubes with centres at (+-1, +-1, +-1), child i at +x where bit 0 of i is set, at +y for
 * bit 1, at +z for bit 2. The four children of a quadtree node are squares, numbered in the same
 * way.
 *
 * Source   IMP 3.1 and figure 2, which count 12 of 15 patterns of a quadtree and 85 of 255 of an
 *          octree whose ball is smaller than that of the whole node; exact balls are smaller in 8
 *          and 78 cases (8 + 12 + 42 + 16 patterns of four sizes).
 */
#ifndef ALGORITHMS_IMP_BALLS_H
#define ALGORITHMS_IMP_BALLS_H

#include "geometry/types.h"

/**
 * Returns the ball around the cubes of a pattern; bit i: child i exists.
 *
 * Shapes   1 <= pattern <= 255.
 * Errors   cannot fail; the ball is the smallest up to rounding, see geo_ball_enclose.
 */
geo_ball alg_imp_ball_of_cubes(unsigned pattern);

/**
 * Returns the ball around the balls of all possible voxels in the children of a pattern, where half
 * the edge of a child is `halves` half edges of a voxel. It is the ball around the centres of the
 * voxels, enlarged by sqrt(3). All lengths are in half edges of a voxel.
 *
 * The ball of a voxel reaches sqrt(3) - 1 out of the voxel's cube, and so does the content of the
 * voxel. For children that are voxels themselves, this is the ball of their centres, enlarged by
 * sqrt(3); for large children it approaches that of their cubes, enlarged by sqrt(3) - 1.
 * Shapes   1 <= pattern <= 255; halves >= 1.
 */
geo_ball alg_imp_ball_of_voxels(unsigned pattern, double halves);

/**
 * Returns the ball around the squares of a quadtree pattern, in the plane z = 0. 1 <= pattern <=
 * 15.
 */
geo_ball alg_imp_ball_of_squares(unsigned pattern);

#endif
