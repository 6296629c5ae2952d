/** Triangle primitives: exact intersection and its ends, precise distance, closest point. */
#ifndef GEOMETRY_TRIANGLE_H
#define GEOMETRY_TRIANGLE_H

#include "geometry/vec.h"

/**
 * Returns the point of the closed triangle nearest to p.
 *
 * Degenerate triangles are treated as segments or points. A point on an edge or corner has the same
 * bits for every triangle with that edge, so that neighbours tie exactly.
 * Source   Ericson2005 5.1.5 (Voronoi regions); for slivers all candidates are compared.
 */
vec3 geo_triangle_closest(geo_triangle t, vec3 p);

/**
 * Finds the closest points of the segments [p0, p1] and [q0, q1] (each may be a point); returns the
 * squared distance. on_p and on_q may be NULL.
 */
double geo_segment_distance2(vec3 p0, vec3 p1, vec3 q0, vec3 q1, vec3 *on_p, vec3 *on_q);

/**
 * Returns the squared distance of two closed triangles that do not intersect: the minimum over 9
 * edge pairs and 6 vertex-triangle pairs. Each is computed from differences of coordinates, so that
 * the error of the distance stays near 1e-15 times the extent of the two triangles. Swapping s and
 * t gives the same bits. on_s and on_t may be NULL. For triangles that intersect the result is
 * meaningless: test geo_triangle_intersect first if they may.
 * Cost     about 0.4 us.
 */
double geo_triangle_distance2(geo_triangle s, geo_triangle t, vec3 *on_s, vec3 *on_t);

/** True if s is before t in an order by coordinates. geo_triangle_distance2 sorts s and t by it. */
bool geo_triangle_less(const geo_triangle *s, const geo_triangle *t);

/**
 * True if the closed triangles share a point. Exact; touching counts. Degenerate triangles are
 * treated as segments or points.
 */
bool geo_triangle_intersect(geo_triangle s, geo_triangle t);

/**
 * True if two faces of a mesh intersect beyond the vertices and edges they share. shared: number of
 * vertices (0 to 3) that both have by index. The caller orders the corners so that the shared ones
 * come first in both, in the same order. Exact for triangles that are not degenerate.
 *
 * For one shared vertex, true if they meet outside of it. For two, true if they overlap in their
 * plane. For three, always true.
 */
bool geo_triangle_intersect_beyond(geo_triangle s, geo_triangle t, int shared);

/**
 * Returns the squared distance of two closed triangles by the plain formulas in extended precision,
 * 0 if they intersect. Tests and the brute-force method use it as a reference.
 */
long double geo_triangle_distance2_extended(geo_triangle s, geo_triangle t);

/* --- The intersection of two triangles: a segment, a point, or a flat area -------------------- */

/** Ends of the intersection of two triangles. */
typedef struct geo_common {
    vec3 from, to;
} geo_common;

/**
 * True if the closed triangles share a point. Exact: geo_triangle_intersect. If true, *common holds
 * the ends of the intersection.
 *
 * Triangles that cross share a segment. If no corner is in the plane of the other triangle, the
 * segment runs in the direction of the cross product of the normals of s and t. Other intersections
 * have their ends in any order. If they share only a point, both ends are that point. If coplanar
 * triangles share an area, the ends are the two points of the area that are farthest apart.
 *
 * Errors   the error of each coordinate is at most 2^-49 of the largest coordinate of both
 *          triangles; an end that is a corner has the exact coordinates of the corner. The point
 *          where an edge pierces a triangle has the same bits for all triangles with that edge, so
 *          that segments join to chains.
 * Cost     0.15 us for triangles that cross and are small relative to their coordinates, 2 us for
 *          large ones, 4 us for those that touch, 20 us for coplanar ones.
 * Source   the intervals on the line of both planes of Moller1997, compared only by signs of
 *          determinants.
 */
bool geo_triangle_common(geo_triangle s, geo_triangle t, geo_common *common);

/**
 * Returns a point of two triangles that intersect: the middle of the ends found by
 * geo_triangle_common. The error of each coordinate is at most 2^-48 of the largest coordinate of
 * both triangles.
 */
vec3 geo_triangle_common_point(geo_triangle s, geo_triangle t);

/* --- Rounding of determinants ----------------------------------------------------------------- */

/** Bounds the error of a determinant of differences of doubles, relative to the sum of the absolute
 * values of its terms. There are eight roundings of 2^-53 each; two more cover their products. */
#define GEO_DETERMINANT_ERROR (10 * 0x1p-53)

/**
 * Errors of the distances from a plane shift the point where an edge pierces the plane. This is the
 * largest accepted shift, relative to the largest coordinate of the edge. Then there are five
 * roundings of 2^-53. Four of them (of a sum, a quotient, the edge vector and a product) are
 * relative to the edge vector, which may be twice as large as the coordinate. The last one is that
 * of the point. The total error is (4 + 8 + 1) 2^-53.
 */
#define GEO_PIERCE_SHARE 0x1p-51

#endif
