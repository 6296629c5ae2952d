/**
 * Exact signs. Each predicate returns the sign (-1, 0, 1) of a polynomial in the given doubles,
 * never wrong: a floating-point filter first, expansion arithmetic when the filter cannot tell.
 *
 * Requires no overflow or underflow: every coordinate is 0 or between 1e-60 and 1e60 in size.
 * Cost     about 5 ns when the filter decides, about 1 us when it cannot.
 * Source   Shewchuk1997 (adaptive predicates), own implementation.
 */
#ifndef GEOMETRY_PREDICATES_H
#define GEOMETRY_PREDICATES_H

#include "geometry/vec.h"

/**
 * Side of d against the plane through a, b, c: the sign of det [a - d; b - d; c - d].
 * For a face a, b, c, counter-clockwise seen from outside: +1 when d is behind the face (inside),
 * -1 when it is in front, 0 when the four are coplanar.
 */
int geo_orient3d(vec3 a, vec3 b, vec3 c, vec3 d);

/** sign of (b - a) x (c - a) in the plane of two coordinates: +1 counter-clockwise. */
int geo_orient2d(const double a[2], const double b[2], const double c[2]);

/** sign of (p1 - p0) x (q1 - q0) in the plane of two coordinates. */
int geo_cross2d(const double p0[2], const double p1[2], const double q0[2], const double q1[2]);

/**
 * The determinants of geo_orient2d and geo_orient3d themselves, each within 2^-52 of its own value
 * however small that is.
 * Cost     about 1 us.
 */
double geo_orient2d_value(const double a[2], const double b[2], const double c[2]);
double geo_orient3d_value(vec3 a, vec3 b, vec3 c, vec3 d);

#endif
