/** Convex polygons in space, cut by planes: what covers are computed from. */
#ifndef ALGORITHMS_IST_POLYGON_H
#define ALGORITHMS_IST_POLYGON_H

#include "geometry/vec.h"

#include <string.h>

/** A triangle that 29 planes have cut, and not one corner more. */
enum { ALG_IST_CORNERS_MAX = 32 };

typedef struct alg_ist_polygon {
    uint32_t count; /* of corners; 0: nothing */
    vec3 p[ALG_IST_CORNERS_MAX];
} alg_ist_polygon;

static inline void alg_ist_polygon_add(alg_ist_polygon *polygon, vec3 p)
{
    polygon->p[polygon->count++] = p;
}

/**
 * Divides a polygon in two along the plane dot(normal, x) = offset: every part of it, also one that
 * lies in the plane, goes to exactly one side.
 *
 * Shapes   below, above: not the polygon itself.
 */
static inline void alg_ist_polygon_split(const alg_ist_polygon *polygon, vec3 normal, double offset,
                                         alg_ist_polygon *below, alg_ist_polygon *above)
{
    double side[ALG_IST_CORNERS_MAX];
    uint32_t lower = 0, upper = 0;
    for (uint32_t i = 0; i < polygon->count; i++) {
        side[i] = vec3_dot(normal, polygon->p[i]) - offset;
        lower += side[i] < 0;
        upper += side[i] > 0;
    }
    below->count = above->count = 0;
    if (lower == 0 || upper == 0) {
        alg_ist_polygon *const all = lower == 0 ? above : below;
        all->count = polygon->count;
        memcpy(all->p, polygon->p, polygon->count * sizeof *polygon->p);
        return;
    }
    for (uint32_t i = 0; i < polygon->count; i++) {
        const uint32_t j = i + 1 < polygon->count ? i + 1 : 0;
        if (side[i] <= 0) {
            alg_ist_polygon_add(below, polygon->p[i]);
        }
        if (side[i] >= 0) {
            alg_ist_polygon_add(above, polygon->p[i]);
        }
        if ((side[i] < 0 && side[j] > 0) || (side[i] > 0 && side[j] < 0)) {
            const vec3 edge = vec3_sub(polygon->p[j], polygon->p[i]);
            const vec3 p = vec3_madd(polygon->p[i], side[i] / (side[i] - side[j]), edge);
            alg_ist_polygon_add(below, p);
            alg_ist_polygon_add(above, p);
        }
    }
}

#endif
