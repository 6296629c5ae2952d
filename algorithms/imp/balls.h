/**
 * Smallest enclosing balls of children of a node, for all patterns of children there can be.
 *
 * Unit: half the edge of a child; the origin is the centre of the node. The eight children of a node
 * are cubes with centres at (+-1, +-1, +-1), child i at +x where bit 0 of i is set, at +y for bit 1,
 * at +z for bit 2. The four of a quadtree are squares, likewise.
 *
 * Source   IMP 3.1 and figure 2, which count 12 of 15 patterns of a quadtree and 85 of 255 of an octree
 *          as smaller than the whole one's; exact balls are smaller in 8 and 78 (8 + 12 + 42 + 16 patterns of four sizes).
 */
#ifndef ALGORITHMS_IMP_BALLS_H
#define ALGORITHMS_IMP_BALLS_H

#include "geometry/vec.h"

#include <stdint.h>

typedef struct alg_imp_ball {
    vec3 centre;
    double radius;
} alg_imp_ball;

/**
 * The smallest ball that holds count points, exact up to rounding: of all balls through two, three or four of
 * them, and points alone, the smallest that holds all.
 *
 * Shapes   1 <= count <= 64.
 * Cost     O(count^5) at worst; for tables.
 */
alg_imp_ball alg_imp_smallest_ball(const vec3 *points, int count);

/** Around the cubes of a pattern; bit i: child i is there. 1 <= pattern <= 255. */
alg_imp_ball alg_imp_ball_of_cubes(unsigned pattern);

/**
 * Around the balls around these cubes: that of their centres, and sqrt(3) more. It holds whatever is in such a
 * ball, also what reaches out of its cube, as the balls of voxels do.
 */
alg_imp_ball alg_imp_ball_of_balls(unsigned pattern);

/** Around the squares of a pattern of a quadtree, with z = 0. 1 <= pattern <= 15. */
alg_imp_ball alg_imp_ball_of_squares(unsigned pattern);

#endif
