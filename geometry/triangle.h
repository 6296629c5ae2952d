/** Triangle primitives: exact distance, exact intersection, closest point. */
#ifndef GEOMETRY_TRIANGLE_H
#define GEOMETRY_TRIANGLE_H

#include "geometry/vec.h"

/**
 * Point of the closed triangle nearest to p.
 *
 * Degenerate triangles (segments, points) are answered as such.
 * Source   Ericson2005 5.1.5 (Voronoi regions), with an end-point comparison for slivers.
 */
vec3 geo_triangle_closest(geo_triangle t, vec3 p);

/** Closest points of the segments [p0, p1] and [q0, q1]; returns the squared distance. */
double geo_segment_distance2(vec3 p0, vec3 p1, vec3 q0, vec3 q1, vec3 *on_p, vec3 *on_q);

/**
 * Squared distance of two closed triangles that do not intersect: minimum over 9 edge pairs and 6
 * vertex-triangle pairs, each computed from differences of coordinates, so that the relative error
 * of the distance stays near 1e-15 times (size / distance). Never 0 for triangles that intersect
 * only in their interiors: test geo_triangle_intersect first where that can be.
 */
double geo_triangle_distance2(geo_triangle s, geo_triangle t, vec3 *on_s, vec3 *on_t);

/** The same in extended precision (long double), the oracle of the tests and of `brute`. */
long double geo_triangle_distance2_extended(geo_triangle s, geo_triangle t);

/** Do the closed triangles share a point? Exact for non-degenerate triangles; touching counts. */
bool geo_triangle_intersect(geo_triangle s, geo_triangle t);

/**
 * The mesh question: do two faces intersect beyond what they share? shared = number of vertices
 * (0 to 3) that both have by index; the corners are rotated by the caller so that the shared ones
 * come first in both, in the same order. Exact.
 */
bool geo_triangle_intersect_beyond(geo_triangle s, geo_triangle t, int shared);

#endif
