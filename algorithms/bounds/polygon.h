/** Convex polygons in space, cut by planes. */
#ifndef ALGORITHMS_BOUNDS_POLYGON_H
#define ALGORITHMS_BOUNDS_POLYGON_H

#include "geometry/vec.h"

#include <string.h>

/** A plane adds at most one corner: room for a triangle cut by 29 planes. */
enum { ALG_BOUNDS_CORNERS_MAX = 32 };

typedef struct alg_bounds_polygon {
    uint32_t count; /* of corners; 0 for an empty polygon */
    vec3 p[ALG_BOUNDS_CORNERS_MAX];
} alg_bounds_polygon;

static inline void alg_bounds_polygon_add(alg_bounds_polygon *polygon, vec3 p)
{
    polygon->p[polygon->count++] = p;
}

/**
 * Splits a polygon along the plane dot(normal, x) = offset. Every part of it, also one that lies in
 * the plane, goes to exactly one side.
 *
 * Shapes   below, above: not the polygon itself.
 */
static inline void alg_bounds_polygon_split(const alg_bounds_polygon *polygon, vec3 normal,
                                            double offset, alg_bounds_polygon *below,
                                            alg_bounds_polygon *above)
{
    double side[ALG_BOUNDS_CORNERS_MAX];
    uint32_t lower = 0, upper = 0;
    for (uint32_t i = 0; i < polygon->count; i++) {
        side[i] = vec3_dot(normal, polygon->p[i]) - offset;
        lower += side[i] < 0;
        upper += side[i] > 0;
    }
    below->count = above->count = 0;
    if (lower == 0 || upper == 0) {
        alg_bounds_polygon *const all = lower == 0 ? above : below;
        all->count = polygon->count;
        memcpy(all->p, polygon->p, polygon->count * sizeof *polygon->p);
        return;
    }
    for (uint32_t i = 0; i < polygon->count; i++) {
        const uint32_t j = i + 1 < polygon->count ? i + 1 : 0;
        if (side[i] <= 0) {
            alg_bounds_polygon_add(below, polygon->p[i]);
        }
        if (side[i] >= 0) {
            alg_bounds_polygon_add(above, polygon->p[i]);
        }
        if ((side[i] < 0 && side[j] > 0) || (side[i] > 0 && side[j] < 0)) {
            const vec3 edge = vec3_sub(polygon->p[j], polygon->p[i]);
            const vec3 p = vec3_madd(polygon->p[i], side[i] / (side[i] - side[j]), edge);
            alg_bounds_polygon_add(below, p);
            alg_bounds_polygon_add(above, p);
        }
    }
}

#endif
