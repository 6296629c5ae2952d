/** Triangulation of plane regions with holes, with the few long triangles of CAD exports. */
#ifndef SCENARIOS_MODELS_TRIANGULATE_H
#define SCENARIOS_MODELS_TRIANGULATE_H

#include "base/error.h"
#include "geometry/types.h"

#include <stddef.h>
#include <stdint.h>

/**
 * Divides a plane region into triangles whose corners are the corners of its polygons. A point is
 * in the region if an odd number of polygons is around it, so outer polygons, their holes and
 * islands in these go into one call. Each triangle has the orientation of its outer polygon.
 * Every triangle has a positive area, also if some corners are collinear. n corners, c outer
 * polygons and h holes give n + 2 h - 2 c triangles.
 *
 * Shapes   points: x and y of `count` points. next: count entries; point next[i] follows point i on
 *          its polygon. faces: room for 2 count entries. All points differ. Polygons do not touch
 *          or cross each other or themselves.
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT for some of the polygons that touch or cross. For the
 *          others, the faces are undefined.
 * Cost     O(n log n + n k), where a line crosses k edges. All decisions are exact.
 * Source   Hertel1983 (a sweep in which each interval has a chain of vertices), Garey1978 (the
 *          stack of a monotone polygon); own implementation.
 */
base_status scn_triangulate(const double *points, const uint32_t *next, size_t count,
                            geo_face *faces, size_t *face_count, base_error *err) BASE_MUST_CHECK;

#endif
