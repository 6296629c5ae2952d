/** The intersection of two triangles: the segment in which they cross, a point, or a flat area. */
#ifndef GEOMETRY_TRIANGLE_COMMON_H
#define GEOMETRY_TRIANGLE_COMMON_H

#include "geometry/vec.h"

/** Ends of the intersection of two triangles. */
typedef struct geo_common {
    vec3 from, to;
} geo_common;

/**
 * True if the closed triangles share a point. Exact: geo_triangle_intersect. If true, *common holds
 * the ends of the intersection.
 *
 * Triangles that cross share a segment; if all corners are off the other plane, it runs along the
 * normal of s times the normal of t. Other intersections have their ends in any order: a point has
 * two equal ones, an area (of coplanar triangles) the two of its points that are farthest apart.
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

/* --- Shared by triangle_common.c and tree_intersections_isa.c --------------------------------- */

/** Bound of the error of a determinant of differences of doubles, relative to the sum of the
 * absolute values of its terms: eight roundings of 2^-53 each, and their products. */
#define GEO_DETERMINANT_ERROR (10 * 0x1p-53)

/**
 * The largest accepted shift of the point where an edge pierces a plane that errors of distances
 * from the plane may cause, relative to the largest coordinate of the edge. With the roundings that
 * follow (of two ratios, of their product with an edge that may be twice as long as that coordinate
 * is large, and of the sum) the total is 13 * 2^-53.
 */
#define GEO_PIERCE_SHARE 0x1p-51

#endif
