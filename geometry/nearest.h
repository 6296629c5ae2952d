/** Search for the ball nearest to a point, among many balls. */
#ifndef GEOMETRY_NEAREST_H
#define GEOMETRY_NEAREST_H

#include "geometry/bvh.h"

typedef struct geo_nearest {
    const vec3 *centres;
    const double *radii;
    geo_bvh bvh;
} geo_nearest;

/** Index for a search without a hint. */
#define GEO_NEAREST_NONE UINT32_MAX

/**
 * Shapes   centres, radii: at least one ball; borrowed.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena.
 */
base_status geo_nearest_build(const vec3 *centres, const double *radii, size_t count,
                              base_arena *arena, geo_nearest *nearest,
                              base_error *err) BASE_MUST_CHECK;

/**
 * Returns the ball with the smallest |p - c| - r (the first of equal ones); *gap is that value,
 * negative for a point inside.
 *
 * hint: any ball, or GEO_NEAREST_NONE; it changes only the time.
 * Cost     O(log n): about 1 us.
 */
uint32_t geo_nearest_find(const geo_nearest *nearest, vec3 p, uint32_t hint, double *gap);

/**
 * The same for the centre of a ball, among all other balls. Returns GEO_NEAREST_NONE and sets *gap
 * to infinity if there is no other ball.
 */
uint32_t geo_nearest_other(const geo_nearest *nearest, uint32_t ball, uint32_t hint, double *gap);

#endif
