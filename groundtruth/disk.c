#include "groundtruth/disk.h"

#include <float.h>

enum { STACK_MAX = GEO_BVH_DEPTH_MAX * GEO_BVH_WIDTH };

/** Goes through the leaves below one child of a node. */
typedef struct leaves {
    const geo_bvh *bvh;
    uint32_t stack[STACK_MAX]; /* nodes */
    size_t depth;
    const geo_bvh_node *node; /* whose lanes from `lane` on are left */
    uint32_t lane, end;
} leaves;

static leaves leaves_start(const geo_bvh *bvh, const geo_bvh_node *node, uint32_t lane)
{
    return (leaves){.bvh = bvh, .node = node, .lane = lane, .end = lane + 1};
}

static bool leaves_next(leaves *l, uint32_t *first, uint32_t *count)
{
    for (;;) {
        for (; l->lane < l->end; l->lane++) {
            if (!geo_bvh_lane_used(l->node, (int)l->lane)) {
                continue;
            }
            *first = l->node->first[l->lane];
            *count = l->node->count[l->lane];
            if (*count > 0) {
                l->lane++;
                return true;
            }
            l->stack[l->depth++] = *first;
        }
        if (l->depth == 0) {
            return false;
        }
        l->node = &l->bvh->nodes[l->stack[--l->depth]];
        l->lane = 0;
        l->end = GEO_BVH_WIDTH;
    }
}

typedef struct builder {
    const geo_bvh *bvh;
    const geo_triangle *triangles;
    vec3 origin;
} builder;

static vec3 mean_normal(const builder *b, const geo_bvh_node *node, uint32_t lane)
{
    vec3 sum = {0, 0, 0};
    uint32_t first, count;
    leaves l = leaves_start(b->bvh, node, lane);
    while (leaves_next(&l, &first, &count)) {
        for (uint32_t i = first; i < first + count; i++) {
            const vec3 *const p = b->triangles[i].p;
            sum = vec3_add(sum, vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])));
        }
    }
    const vec3 axis = vec3_normalize(sum);
    return vec3_norm2(axis) > 0 ? axis : (vec3){0, 0, 1};
}

/** Reach along the axis, both ways, and square of the reach away from it. */
typedef struct reach {
    double lo, hi, away2;
} reach;

static reach measure(const builder *b, const geo_bvh_node *node, uint32_t lane, vec3 centre,
                     vec3 axis)
{
    reach r = {INFINITY, -INFINITY, 0};
    const vec3 from = vec3_add(b->origin, centre);
    uint32_t first, count;
    leaves l = leaves_start(b->bvh, node, lane);
    while (leaves_next(&l, &first, &count)) {
        for (uint32_t i = 3 * first; i < 3 * (first + count); i++) {
            const vec3 d = vec3_sub(b->triangles[i / 3].p[i % 3], from);
            const double along = vec3_dot(d, axis);
            const double away2 = vec3_norm2(vec3_madd(d, -along, axis));
            r.lo = along < r.lo ? along : r.lo;
            r.hi = along > r.hi ? along : r.hi;
            r.away2 = away2 > r.away2 ? away2 : r.away2;
        }
    }
    return r;
}

static vec3 rounded(vec3 v)
{
    return (vec3){(double)(float)v.x, (double)(float)v.y, (double)(float)v.z};
}

static float above(double x)
{
    return nextafterf((float)(x * (1 + 16 * DBL_EPSILON)), INFINITY);
}

static void fill(const builder *b, const geo_bvh_node *node, uint32_t lane, gt_disks *disks)
{
    vec3 centre = {0.5 * ((double)node->lo[0][lane] + (double)node->hi[0][lane]),
                   0.5 * ((double)node->lo[1][lane] + (double)node->hi[1][lane]),
                   0.5 * ((double)node->lo[2][lane] + (double)node->hi[2][lane])};
    const vec3 axis = rounded(mean_normal(b, node, lane));
    const reach first = measure(b, node, lane, centre, axis);
    centre = rounded(vec3_madd(centre, 0.5 * (first.lo + first.hi), axis));
    const reach r = measure(b, node, lane, centre, axis);
    for (int k = 0; k < 3; k++) {
        disks->centre[k][lane] = (float)vec3_get(centre, k);
        disks->axis[k][lane] = (float)vec3_get(axis, k);
    }
    disks->thickness[lane] = above(r.hi > -r.lo ? r.hi : -r.lo);
    disks->radius[lane] = above(sqrt(r.away2));
}

geo_status gt_disks_build(const geo_bvh *bvh, const geo_triangle *triangles, vec3 origin,
                          geo_arena *arena, gt_disks **disks, geo_error *err)
{
    const builder b = {bvh, triangles, origin};
    *disks = geo_arena_alloc(arena, bvh->node_count, sizeof **disks);
    if (*disks == NULL) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory for %u disks", bvh->node_count);
    }
    for (uint32_t n = 0; n < bvh->node_count; n++) {
        for (uint32_t lane = 0; lane < GEO_BVH_WIDTH; lane++) {
            if (geo_bvh_lane_used(&bvh->nodes[n], (int)lane)) {
                fill(&b, &bvh->nodes[n], lane, &(*disks)[n]);
            }
        }
    }
    return GEO_OK;
}
