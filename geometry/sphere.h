/** Sphere primitives. */
#ifndef GEOMETRY_SPHERE_H
#define GEOMETRY_SPHERE_H

#include "geometry/types.h"

#include <stddef.h>

/** Returns 4/3 pi r^3. */
double geo_ball_volume(double radius);

/**
 * Returns the volume of the lens of two balls: the sum of two spherical caps. It is 0 if they are
 * apart or touch, and the smaller ball's volume if it is inside the other.
 */
double geo_ball_overlap_volume(geo_ball a, geo_ball b);

/**
 * Returns the smallest enclosing ball of balls.
 *
 * Each pivot adds the ball that extends farthest outside to the basis, until no ball does. The
 * basis has at most four balls. The radius R is measured from the final centre c, so that every
 * given ball is contained in double arithmetic: the computed vec3_distance(c, c_i) + r_i is <= R.
 * R exceeds the smallest radius by less than 1e-13 of it, also for equal, nested, collinear or
 * coplanar balls.
 * Shapes   balls[count], count >= 1, radii >= 0.
 * Cost     O(count) a pivot, about ten pivots.
 * Source   Fischer2003 (smallest enclosing balls of balls); the pivot rule is Gaertner1999's.
 */
geo_ball geo_ball_enclose(const geo_ball *balls, size_t count);

#endif
