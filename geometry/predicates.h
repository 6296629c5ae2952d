/**
 * Exact signs. Each predicate returns the exact sign (-1, 0, 1) of a polynomial in the given
 * doubles. A floating-point filter finds most signs. Expansion arithmetic computes the others.
 *
 * Requires no overflow or underflow: every coordinate is 0 or between 1e-60 and 1e60 in size.
 * Cost     about 5 ns if the filter decides, about 1 us otherwise.
 * Source   Shewchuk1997 (adaptive predicates), own implementation.
 */
#ifndef GEOMETRY_PREDICATES_H
#define GEOMETRY_PREDICATES_H

#include "geometry/vec.h"

/**
 * Returns on which side of the plane through a, b, c the point d lies: the sign of det [a - d;
 * b - d; c - d]. If the face a, b, c is counter-clockwise as seen from outside, the result is +1 if
 * d is behind the face (inside), -1 if d is in front of it, and 0 if the four points are coplanar.
 */
int geo_orient3d(vec3 a, vec3 b, vec3 c, vec3 d);

/** Returns the sign of (b - a) x (c - a) in the plane of two coordinates: +1 counter-clockwise. */
int geo_orient2d(const double a[2], const double b[2], const double c[2]);

/** Returns the sign of (p1 - p0) x (q1 - q0) in the plane of two coordinates. */
int geo_cross2d(const double p0[2], const double p1[2], const double q0[2], const double q1[2]);

/**
 * Return the determinants of geo_orient2d and geo_orient3d, each with a relative error of at most
 * 2^-52, however small the value is.
 * Cost     about 1 us.
 */
double geo_orient2d_value(const double a[2], const double b[2], const double c[2]);
double geo_orient3d_value(vec3 a, vec3 b, vec3 c, vec3 d);

#endif
