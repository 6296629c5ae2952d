#include "algorithms/ist/finder.h"

#include "base/memory.h"
#include "base/simd.h"

#include <float.h>

/* Floats bound the distance to a box: 5 roundings of its square. */
static const double bound_slack = 1 + 0x1p-20;

typedef struct search {
    const alg_ist_packing *packing;
    vec3 point;
    f32x8 below[3], above[3]; /* point, rounded down and up */
    double gap;               /* |p - c| - r of the nearest so far */
    uint32_t sphere;
    float limit; /* boxes with a larger squared bound hold no better sphere, nor an equal one */
} search;

static void try_sphere(search *s, uint32_t sphere)
{
    const double gap =
        vec3_distance(s->point, s->packing->centres[sphere]) - s->packing->radii[sphere];
    if (gap < s->gap || (gap == s->gap && sphere < s->sphere)) {
        s->gap = gap;
        s->sphere = sphere;
        const double reach2 = gap > 0 ? gap * gap * bound_slack : 0;
        s->limit = base_float_above(reach2 + (double)FLT_MIN);
    }
}

typedef struct waiting {
    float bound;
    uint32_t first, count; /* as in a node's lane */
} waiting;

/** Puts the lanes within the limit on the stack, the nearest on top; returns the new height. */
static size_t push_lanes(const search *s, const geo_bvh_node *node, waiting *stack, size_t top)
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
    /* Lanes that are not used are infinitely far. */
    for (unsigned left = m32x8_bits(f32x8_le(sum, f32x8_set(s->limit))); left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        size_t at = top++;
        for (; at > base && stack[at - 1].bound < bound[lane]; at--) {
            stack[at] = stack[at - 1];
        }
        stack[at] = (waiting){bound[lane], node->first[lane], node->count[lane]};
    }
    return top;
}

uint32_t alg_ist_find_sphere(const alg_ist_finder *finder, vec3 p, uint32_t hint, double *gap)
{
    search s = {.packing = finder->packing,
                .point = p,
                .gap = INFINITY,
                .sphere = ALG_IST_NO_SPHERE,
                .limit = FLT_MAX};
    for (int axis = 0; axis < 3; axis++) {
        s.below[axis] = f32x8_set(base_float_below(vec3_get(p, axis)));
        s.above[axis] = f32x8_set(base_float_above(vec3_get(p, axis)));
    }
    if (hint != ALG_IST_NO_SPHERE) {
        try_sphere(&s, hint);
    }
    waiting stack[GEO_BVH_DEPTH_MAX * GEO_BVH_WIDTH];
    size_t top = push_lanes(&s, &finder->bvh.nodes[0], stack, 0);
    while (top > 0) {
        const waiting w = stack[--top];
        if (w.bound > s.limit) {
            continue;
        }
        if (w.count == 0) {
            top = push_lanes(&s, &finder->bvh.nodes[w.first], stack, top);
        }
        for (uint32_t i = 0; i < w.count; i++) {
            try_sphere(&s, finder->bvh.order[w.first + i]);
        }
    }
    *gap = s.gap;
    return s.sphere;
}

base_status alg_ist_finder_build(const alg_ist_packing *packing, base_arena *arena,
                                 alg_ist_finder *finder, base_error *err)
{
    base_assert(packing->count > 0);
    *finder = (alg_ist_finder){.packing = packing};
    geo_box *const boxes = base_alloc(packing->count, sizeof *boxes);
    if (!boxes) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu spheres", packing->count);
    }
    for (size_t i = 0; i < packing->count; i++) {
        const vec3 r = {packing->radii[i], packing->radii[i], packing->radii[i]};
        boxes[i] = (geo_box){vec3_sub(packing->centres[i], r), vec3_add(packing->centres[i], r)};
    }
    const base_status status =
        geo_bvh_build(boxes, packing->count, GEO_BVH_LEAF_MAX, arena, &finder->bvh, err);
    base_free(boxes);
    return status;
}
