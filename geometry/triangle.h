/** Triangle primitives: exact intersection, precise distance, closest point. */
#ifndef GEOMETRY_TRIANGLE_H
#define GEOMETRY_TRIANGLE_H

#include "geometry/vec.h"

/**
 * Point of the closed triangle nearest to p.
 *
 * Degenerate triangles (segments, points) are answered as such. A point on an edge or corner has
 * the same bits for every triangle with that edge, so that neighbours tie exactly.
 * Source   Ericson2005 5.1.5 (Voronoi regions); all candidates are compared for slivers.
 */
vec3 geo_triangle_closest(geo_triangle t, vec3 p);

/**
 * Closest points of the segments [p0, p1] and [q0, q1] (each may be a point); returns the squared
 * distance. on_p and on_q may be NULL.
 */
double geo_segment_distance2(vec3 p0, vec3 p1, vec3 q0, vec3 q1, vec3 *on_p, vec3 *on_q);

/**
 * Squared distance of two closed triangles that do not intersect: minimum over 9 edge pairs and 6
 * vertex-triangle pairs, each computed from differences of coordinates, so that the error of the
 * distance stays near 1e-15 times the extent of the two triangles. The same bits when s and t are
 * swapped. on_s and on_t may be NULL. Triangles that intersect have no meaningful result: test
 * geo_triangle_intersect first where that can be.
 * Cost     about 0.4 us.
 */
double geo_triangle_distance2(geo_triangle s, geo_triangle t, vec3 *on_s, vec3 *on_t);

/** The order of triangles by coordinates in which geo_triangle_distance2 takes its arguments. */
bool geo_triangle_less(const geo_triangle *s, const geo_triangle *t);

/**
 * Do the closed triangles share a point? Exact; touching counts. Degenerate triangles are taken
 * as the segments or points that they are.
 */
bool geo_triangle_intersect(geo_triangle s, geo_triangle t);

/**
 * The mesh question: do two faces intersect beyond what they share? shared = number of vertices
 * (0 to 3) that both have by index; the corners are rotated by the caller so that the shared ones
 * come first in both, in the same order. Exact for triangles that are not degenerate.
 *
 * 1: they meet outside of the shared corner. 2: they overlap in their plane. 3: always.
 */
bool geo_triangle_intersect_beyond(geo_triangle s, geo_triangle t, int shared);

/**
 * Squared distance of two closed triangles by the plain formulas in extended precision, 0 if they
 * intersect: the oracle of tests and of brute force.
 */
long double geo_triangle_distance2_extended(geo_triangle s, geo_triangle t);

#endif
