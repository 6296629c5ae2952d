#include "geometry/nearest.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/simd.h"

#include <float.h>

/* Factor for the bound in float of the distance to a box: 5 roundings of its square. */
static const double bound_slack = 1 + 0x1p-20;

typedef struct search {
    const geo_nearest *balls;
    vec3 point;
    f32x8 below[3], above[3]; /* point, rounded down and up */
    double gap;               /* |p - c| - r of the nearest so far */
    uint32_t ball;
    uint32_t except; /* this ball is skipped; GEO_NEAREST_NONE: no ball is */
    float limit;     /* boxes with a larger squared bound contain no ball that is nearer or equally
                  * near */
} search;

static void try_ball(search *s, uint32_t ball)
{
    if (ball == s->except) {
        return;
    }
    const double gap = vec3_distance(s->point, s->balls->centres[ball]) - s->balls->radii[ball];
    if (gap < s->gap || (gap == s->gap && ball < s->ball)) {
        s->gap = gap;
        s->ball = ball;
        const double reach2 = gap > 0 ? gap * gap * bound_slack : 0;
        s->limit = base_float_above(reach2 + (double)FLT_MIN);
    }
}

/** A child that remains to be searched. */
typedef struct subtree {
    float bound;
    uint32_t first, count; /* as in a node's lane */
} subtree;

/** Pushes the lanes within the limit on the stack, the nearest on top; returns the new height. */
static size_t push_lanes(const search *s, const geo_bvh_node *node, subtree *stack, size_t top)
{
    const f32x8 zero = f32x8_set(0);
    f32x8 sum = zero;
    for (int axis = 0; axis < 3; axis++) {
        const f32x8 under = f32x8_sub(f32x8_load(node->lo[axis]), s->above[axis]);
        const f32x8 over = f32x8_sub(s->below[axis], f32x8_load(node->hi[axis]));
        const f32x8 gap = f32x8_max(f32x8_max(under, over), zero);
        sum = f32x8_add(sum, f32x8_mul(gap, gap));
    }
    float bound[GEO_BVH_WIDTH];
    f32x8_store(bound, sum);
    const size_t base = top;
    /* Unused lanes are infinitely far away. */
    for (unsigned left = m32x8_bits(f32x8_le(sum, f32x8_set(s->limit))); left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        size_t at = top++;
        for (; at > base && stack[at - 1].bound < bound[lane]; at--) {
            stack[at] = stack[at - 1];
        }
        stack[at] = (subtree){bound[lane], node->first[lane], node->count[lane]};
    }
    return top;
}

static uint32_t find(const geo_nearest *nearest, vec3 p, uint32_t except, uint32_t hint,
                     double *gap)
{
    search s = {.balls = nearest,
                .point = p,
                .gap = INFINITY,
                .ball = GEO_NEAREST_NONE,
                .except = except,
                .limit = FLT_MAX};
    for (int axis = 0; axis < 3; axis++) {
        s.below[axis] = f32x8_set(base_float_below(vec3_get(p, axis)));
        s.above[axis] = f32x8_set(base_float_above(vec3_get(p, axis)));
    }
    if (hint != GEO_NEAREST_NONE) {
        try_ball(&s, hint);
    }
    subtree stack[GEO_BVH_DEPTH_MAX * GEO_BVH_WIDTH];
    size_t top = push_lanes(&s, &nearest->bvh.nodes[0], stack, 0);
    while (top > 0) {
        const subtree t = stack[--top];
        if (t.bound > s.limit) {
            continue;
        }
        if (t.count == 0) {
            top = push_lanes(&s, &nearest->bvh.nodes[t.first], stack, top);
        }
        for (uint32_t i = 0; i < t.count; i++) {
            try_ball(&s, nearest->bvh.order[t.first + i]);
        }
    }
    *gap = s.gap;
    return s.ball;
}

uint32_t geo_nearest_find(const geo_nearest *nearest, vec3 p, uint32_t hint, double *gap)
{
    return find(nearest, p, GEO_NEAREST_NONE, hint, gap);
}

uint32_t geo_nearest_other(const geo_nearest *nearest, uint32_t ball, uint32_t hint, double *gap)
{
    return find(nearest, nearest->centres[ball], ball, hint, gap);
}

base_status geo_nearest_build(const vec3 *centres, const double *radii, size_t count,
                              base_arena *arena, geo_nearest *nearest, base_error *err)
{
    base_assert(count > 0);
    *nearest = (geo_nearest){.centres = centres, .radii = radii};
    geo_box *const boxes = base_alloc(count, sizeof *boxes);
    if (!boxes) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu balls", count);
    }
    for (size_t i = 0; i < count; i++) {
        const vec3 r = {radii[i], radii[i], radii[i]};
        boxes[i] = (geo_box){vec3_sub(centres[i], r), vec3_add(centres[i], r)};
    }
    const base_status status =
        geo_bvh_build(boxes, count, GEO_BVH_LEAF_MAX, arena, &nearest->bvh, err);
    base_free(boxes);
    return status;
}
