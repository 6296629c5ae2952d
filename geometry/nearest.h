/** Which of many balls is nearest to a point. */
#ifndef GEOMETRY_NEAREST_H
#define GEOMETRY_NEAREST_H

#include "geometry/bvh.h"

typedef struct geo_nearest {
    const vec3 *centres;
    const double *radii;
    geo_bvh bvh;
} geo_nearest;

/** No ball: a search without a hint. */
#define GEO_NEAREST_NONE UINT32_MAX

/**
 * Shapes   centres, radii: one ball or more; borrowed.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena.
 */
base_status geo_nearest_build(const vec3 *centres, const double *radii, size_t count,
                              base_arena *arena, geo_nearest *nearest,
                              base_error *err) BASE_MUST_CHECK;

/**
 * The ball with the smallest |p - c| - r (of equal ones the first); *gap is that value, negative
 * for a point inside.
 *
 * hint: any ball, or GEO_NEAREST_NONE; it changes the time alone.
 * Cost     O(log n): about 1 us.
 */
uint32_t geo_nearest_find(const geo_nearest *nearest, vec3 p, uint32_t hint, double *gap);

/**
 * The same for the centre of a ball, among all others: GEO_NEAREST_NONE, and *gap infinite, where
 * there is no other one.
 */
uint32_t geo_nearest_other(const geo_nearest *nearest, uint32_t ball, uint32_t hint, double *gap);

#endif
