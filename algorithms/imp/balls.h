/**
 * Smallest balls around the children of a node, for all patterns of children there can be.
 *
 * Unit: half the edge of a child; the origin is the centre of the node. The eight children of a
 * node are cubes with centres at (+-1, +-1, +-1), child i at +x where bit 0 of i is set, at +y for
 * bit 1, at +z for bit 2. The four of a quadtree are squares, likewise.
 *
 * Source   IMP 3.1 and figure 2, which count 12 of 15 patterns of a quadtree and 85 of 255 of an
 *          octree as smaller than the whole one's; exact balls are smaller in 8 and 78 (8 + 12 + 42
 *          + 16 patterns of four sizes).
 */
#ifndef ALGORITHMS_IMP_BALLS_H
#define ALGORITHMS_IMP_BALLS_H

#include "geometry/types.h"

/**
 * Around the cubes of a pattern; bit i: child i is there.
 *
 * Shapes   1 <= pattern <= 255.
 * Errors   none; the ball is the smallest up to rounding, geo_ball_enclose.
 */
geo_ball alg_imp_ball_of_cubes(unsigned pattern);

/**
 * Around the balls of all voxels there can be in the children of a pattern, where half the edge of
 * a child is `halves` half edges of a voxel: that of the voxels' centres, and sqrt(3) more, all in
 * half edges of a voxel.
 *
 * A voxel's ball reaches sqrt(3) - 1 out of its cube, and so does what is in it. For children that
 * are voxels themselves, this is the ball of their centres and sqrt(3); for large children it is
 * that of their cubes and sqrt(3) - 1.
 * Shapes   1 <= pattern <= 255; halves >= 1.
 */
geo_ball alg_imp_ball_of_voxels(unsigned pattern, double halves);

/** Around the squares of a pattern of a quadtree, with z = 0. 1 <= pattern <= 15. */
geo_ball alg_imp_ball_of_squares(unsigned pattern);

#endif
