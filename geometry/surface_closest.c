#include "base/elementary.h"
#include "base/simd.h"
#include "geometry/surface.h"
#include "geometry/triangle.h"

enum { STACK = GEO_BVH_DEPTH_MAX * GEO_BVH_WIDTH };

/* A squared bound in float: 6 roundings of 2^-24. */
#define BOUND_SLACK (1 + 0x1p-20)
/* Error of a computed point of a triangle, relative to the largest coordinate: 8 roundings. */
#define POINT_ERROR 0x1p-49
/* Error of a length in float by cancellation, relative to the largest coordinate: p and the
 * centre of a disk are up to 3.5 apart then, and sums of such products round 5 times. */
#define DISK_ERROR 0x1p-19
/* Error of |d|^2 - (n d)^2, relative to |d|^2, with |n|^2 > 1 - 2^-20. */
#define AWAY_SLACK (1 - 0x1p-19)

typedef struct search {
    const geo_surface *surface;
    vec3 p;
    f32x8 below[3], above[3], nearest[3]; /* p, rounded down, up and as usual */
    f32x8 disk_error;
    double point_error;
    geo_closest best;
    float limit; /* boxes of larger bound cannot hold a better answer, nor an equal one */
} search;

typedef struct entry {
    float bound;
    uint32_t first, count;
} entry;

static void consider(search *s, geo_triangle t, uint32_t face)
{
    const vec3 point = geo_triangle_closest(t, s->p);
    const double distance2 = vec3_distance2(s->p, point);
    if (distance2 > s->best.distance2 || (distance2 == s->best.distance2 && face >= s->best.face)) {
        return;
    }
    s->best = (geo_closest){distance2, point, face};
    /* The computed distance may be below the true one, to which the boxes' bounds refer. */
    const double reach = sqrt(distance2) + s->point_error;
    s->limit = base_float_above(reach * reach * BOUND_SLACK);
}

/** Squared distances of p to eight boxes, never too large. */
static f32x8 box_bounds(const search *s, const geo_bvh_node *node)
{
    const f32x8 zero = f32x8_set(0);
    f32x8 sum = zero;
    for (int k = 0; k < 3; k++) {
        const f32x8 under = f32x8_sub(f32x8_load(node->lo[k]), s->above[k]);
        const f32x8 over = f32x8_sub(s->below[k], f32x8_load(node->hi[k]));
        const f32x8 gap = f32x8_max(f32x8_max(under, over), zero);
        sum = f32x8_add(sum, f32x8_mul(gap, gap));
    }
    return sum;
}

/** Squared distances of p to eight disks, never too large. */
static f32x8 disk_bounds(const search *s, const geo_disk_node *disks)
{
    const f32x8 zero = f32x8_set(0);
    f32x8 along = zero, d2 = zero;
    for (int k = 0; k < 3; k++) {
        const f32x8 d = f32x8_sub(s->nearest[k], f32x8_load(disks->centre[k]));
        along = f32x8_add(along, f32x8_mul(f32x8_load(disks->normal[k]), d));
        d2 = f32x8_add(d2, f32x8_mul(d, d));
    }
    const f32x8 away2 =
        f32x8_sub(f32x8_mul(d2, f32x8_set((float)AWAY_SLACK)), f32x8_mul(along, along));
    const f32x8 away = f32x8_sqrt(f32x8_max(away2, zero));
    const f32x8 thickness = f32x8_add(f32x8_load(disks->thickness), s->disk_error);
    const f32x8 radius = f32x8_add(f32x8_load(disks->radius), s->disk_error);
    const f32x8 over = f32x8_max(f32x8_sub(f32x8_abs(along), thickness), zero);
    const f32x8 beside = f32x8_max(f32x8_sub(away, radius), zero);
    return f32x8_add(f32x8_mul(over, over), f32x8_mul(beside, beside));
}

/** Pushes the lanes within the limit, the nearest on top; returns the new depth. */
static size_t push_lanes(const search *s, uint32_t index, entry *stack, size_t depth)
{
    const geo_bvh_node *const node = &s->surface->bvh.nodes[index];
    const f32x8 bound8 = f32x8_max(box_bounds(s, node), disk_bounds(s, &s->surface->disks[index]));
    const m32x8 used = f32x8_le(f32x8_load(node->lo[0]), f32x8_load(node->hi[0]));
    const m32x8 near = f32x8_le(bound8, f32x8_set(s->limit));
    float bound[GEO_BVH_WIDTH];
    f32x8_store(bound, bound8);
    const size_t bottom = depth;
    for (unsigned left = m32x8_bits(m32x8_and(used, near)); left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        size_t place = depth++;
        for (; place > bottom && stack[place - 1].bound < bound[lane]; place--) {
            stack[place] = stack[place - 1];
        }
        stack[place] = (entry){bound[lane], node->first[lane], node->count[lane]};
    }
    return depth;
}

static void descend(search *s)
{
    const geo_bvh *const bvh = &s->surface->bvh;
    entry stack[STACK];
    size_t depth = push_lanes(s, 0, stack, 0);
    while (depth > 0) {
        const entry top = stack[--depth];
        if (top.bound > s->limit) {
            continue;
        }
        if (top.count == 0) {
            depth = push_lanes(s, top.first, stack, depth);
            continue;
        }
        for (uint32_t i = top.first; i < top.first + top.count; i++) {
            if (bvh->order[i] != s->best.face) {
                consider(s, s->surface->triangles[i], bvh->order[i]);
            }
        }
    }
}

geo_closest geo_surface_closest(const geo_surface *surface, vec3 p, uint32_t hint)
{
    search s = {
        .surface = surface, .p = p, .best = {INFINITY, {0, 0, 0}, UINT32_MAX},
                .limit = INFINITY
    };
    for (int k = 0; k < 3; k++) {
        s.below[k] = f32x8_set(base_float_below(vec3_get(p, k)));
        s.above[k] = f32x8_set(base_float_above(vec3_get(p, k)));
        s.nearest[k] = f32x8_set((float)vec3_get(p, k));
    }
    const double reach = geo_box_reach(geo_box_add(surface->bvh.box, p));
    s.point_error = POINT_ERROR * reach;
    s.disk_error = f32x8_set(base_float_above(DISK_ERROR * reach));
    if (hint < surface->mesh->face_count) {
        consider(&s, geo_mesh_triangle(surface->mesh, hint), hint);
    }
    descend(&s);
    return s.best;
}
