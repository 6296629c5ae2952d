#include "algorithms/lpd/translation.h"

/* Share of the limit by which the translation may fall short of a depth. */
static const double SLACK = 1e-12;

/* Normals are parallel if the sine of their angle is at most this. */
static const double PARALLEL = 1e-12;

typedef struct program {
    const alg_lpd_region *regions;
    double limit_m;
} program;

/** Returns by how much t falls short of a region's depth; 0 for a region of infinite depth. */
static double missing(const program *p, uint32_t region, vec3 t)
{
    const alg_lpd_way *const way = &p->regions[region].way;
    const double left = isfinite(way->depth_m) ? way->depth_m - vec3_dot(way->direction, t) : 0;
    return left > SLACK * p->limit_m ? left : 0;
}

/** Finds the shortest *t + s along, for any number s, that satisfies the first `count` regions. The
 * vector along is perpendicular to *t. */
static bool on_line(const program *p, uint32_t count, vec3 along, vec3 *t)
{
    double lo = -(double)INFINITY, hi = (double)INFINITY;
    for (uint32_t k = 0; k < count; k++) {
        const alg_lpd_way *const way = &p->regions[k].way;
        const double slope = vec3_dot(way->direction, along);
        if (!isfinite(way->depth_m)) {
            continue;
        }
        if (fabs(slope) <= PARALLEL) {
            if (missing(p, k, *t) > 0) {
                return false;
            }
            continue;
        }
        const double at = (way->depth_m - vec3_dot(way->direction, *t)) / slope;
        lo = slope > 0 && at > lo ? at : lo;
        hi = slope < 0 && at < hi ? at : hi;
    }
    /* At a point where two planes meet, rounding may make lo slightly larger than hi. */
    if (lo - hi > SLACK * p->limit_m) {
        return false;
    }
    *t = vec3_madd(*t, lo > 0 ? lo : hi < 0 ? hi : 0, along);
    return vec3_norm(*t) <= p->limit_m;
}

/** Finds the shortest t that satisfies a region with equality, and all regions before it. */
static bool in_plane(const program *p, uint32_t region, vec3 *t)
{
    const alg_lpd_way *const way = &p->regions[region].way;
    const vec3 n = way->direction, foot = vec3_scale(way->depth_m, n);
    vec3 best = foot;
    for (uint32_t j = 0; j < region; j++) {
        const double left = missing(p, j, best);
        if (left == 0) {
            continue;
        }
        const vec3 other = p->regions[j].way.direction, along = vec3_cross(n, other);
        const double sine = vec3_norm(along);
        if (sine <= PARALLEL) {
            return false;
        }
        /* Goes from the foot straight to the line in which the planes of both regions intersect. */
        const vec3 across = vec3_cross(vec3_scale(1 / sine, along), n);
        const double way_m =
            (p->regions[j].way.depth_m - vec3_dot(other, foot)) / vec3_dot(other, across);
        best = vec3_madd(foot, way_m, across);
        if (!on_line(p, j, vec3_scale(1 / sine, along), &best)) {
            return false;
        }
    }
    *t = best;
    return vec3_norm(best) <= p->limit_m;
}

bool alg_lpd_translation(const alg_lpd_region *regions, uint32_t count, double limit_m, vec3 *t)
{
    const program p = {regions, limit_m};
    vec3 best = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        if (missing(&p, i, best) > 0 && !in_plane(&p, i, &best)) {
            return false;
        }
    }
    *t = best;
    return true;
}
