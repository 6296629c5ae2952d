/**
 * Bounds of a body's nodes and triangles in the frame of a window, for eight at a time, in float.
 * Bounds are conservative: they contain all of the node or triangle.
 *
 * Frame    a window's frame, defined in parting.h.
 */
#ifndef ALGORITHMS_LPD_BOUNDS_H
#define ALGORITHMS_LPD_BOUNDS_H

#include "base/simd.h"
#include "geometry/pose.h"
#include "geometry/tree.h"

typedef struct alg_lpd_bounds {
    float lo[3], hi[3];
} alg_lpd_bounds;

/** Bounds of the eight children of a node, or of the eight triangles of a leaf. */
typedef struct alg_lpd_bounds8 {
    f32x8 lo[3], hi[3];
} alg_lpd_bounds8;

/** Transformation of a body into the frame of a window. */
typedef struct alg_lpd_viewer {
    float axis[3][3]; /* the window's axes in the tree's frame */
    float size[3][3]; /* their absolute values */
    float origin[3];  /* of the tree, in the window */
    float half[2];    /* half sides of the window */
    float blur;       /* bound of the rounding errors */
} alg_lpd_viewer;

/** pose: of the body in the frame of the axes; origin: of the tree, in the window's frame; blur: a
 * bound from geo_motion_margin. */
static inline alg_lpd_viewer alg_lpd_viewer_make(const geo_pose *pose, vec3 origin, mat3 axes,
                                                 const double half[2], float blur)
{
    alg_lpd_viewer v = {.half = {base_float_above(half[0]), base_float_above(half[1])},
                        .blur = blur};
    for (int i = 0; i < 3; i++) {
        const vec3 axis = mat3_tmul_vec3(pose->rotation, axes.row[i]);
        v.origin[i] = (float)vec3_get(origin, i);
        for (int k = 0; k < 3; k++) {
            v.axis[i][k] = (float)vec3_get(axis, k);
            v.size[i][k] = fabsf(v.axis[i][k]);
        }
    }
    return v;
}

/** Returns the bounds of the ball around the tree's origin. */
static inline alg_lpd_bounds alg_lpd_bounds_ball(const alg_lpd_viewer *v, double radius)
{
    alg_lpd_bounds ball;
    const float reach = base_float_above(radius) + v->blur;
    for (int i = 0; i < 3; i++) {
        ball.lo[i] = v->origin[i] - reach;
        ball.hi[i] = v->origin[i] + reach;
    }
    return ball;
}

static inline f32x8 alg_lpd_along(const alg_lpd_viewer *v, int i, const f32x8 point[3])
{
    f32x8 at = f32x8_set(v->origin[i]);
    for (int k = 0; k < 3; k++) {
        at = f32x8_add(at, f32x8_mul(f32x8_set(v->axis[i][k]), point[k]));
    }
    return at;
}

/** Returns the bounds of a node's children. Bounds of a child without triangles are NaN. */
static inline alg_lpd_bounds8 alg_lpd_bounds_children(const alg_lpd_viewer *v,
                                                      const geo_slab_node *node)
{
    const f32x8 half = f32x8_set(0.5F);
    f32x8 middle[3], edge[3];
    for (int k = 0; k < 3; k++) {
        const f32x8 lo = f32x8_load(node->lo[k]), hi = f32x8_load(node->hi[k]);
        middle[k] = f32x8_mul(half, f32x8_add(lo, hi));
        edge[k] = f32x8_mul(half, f32x8_sub(hi, lo));
    }
    alg_lpd_bounds8 seen;
    for (int i = 0; i < 3; i++) {
        const f32x8 centre = alg_lpd_along(v, i, middle);
        f32x8 reach = f32x8_set(v->blur);
        for (int k = 0; k < 3; k++) {
            reach = f32x8_add(reach, f32x8_mul(f32x8_set(v->size[i][k]), edge[k]));
        }
        seen.lo[i] = f32x8_sub(centre, reach);
        seen.hi[i] = f32x8_add(centre, reach);
    }
    return seen;
}

static inline alg_lpd_bounds8 alg_lpd_bounds_triangles(const alg_lpd_viewer *v,
                                                       const geo_tree_leaf *leaf)
{
    const f32x8 blur = f32x8_set(v->blur);
    f32x8 corner[3][3];
    for (int k = 0; k < 3; k++) {
        for (int axis = 0; axis < 3; axis++) {
            corner[k][axis] = f32x8_load(leaf->corner[k][axis]);
        }
    }
    alg_lpd_bounds8 seen;
    for (int i = 0; i < 3; i++) {
        const f32x8 p = alg_lpd_along(v, i, corner[0]), q = alg_lpd_along(v, i, corner[1]);
        const f32x8 r = alg_lpd_along(v, i, corner[2]);
        seen.lo[i] = f32x8_sub(f32x8_min(p, f32x8_min(q, r)), blur);
        seen.hi[i] = f32x8_add(f32x8_max(p, f32x8_max(q, r)), blur);
    }
    return seen;
}

static inline alg_lpd_bounds alg_lpd_bounds_lane(const alg_lpd_bounds8 *seen, unsigned lane)
{
    alg_lpd_bounds one;
    for (int i = 0; i < 3; i++) {
        float lo[GEO_TREE_WIDTH], hi[GEO_TREE_WIDTH];
        f32x8_store(lo, seen->lo[i]);
        f32x8_store(hi, seen->hi[i]);
        one.lo[i] = lo[lane];
        one.hi[i] = hi[lane];
    }
    return one;
}

/** Returns the mask of those of eight bounds that overlap `other` inside the window, seen along
 * z. */
static inline m32x8 alg_lpd_seen_together(const alg_lpd_viewer *v, const alg_lpd_bounds8 *seen,
                                          const alg_lpd_bounds *other)
{
    m32x8 hit = f32x8_le(seen->lo[0], seen->hi[0]);
    for (int i = 0; i < 2; i++) {
        const float half = v->half[i];
        const float lo = other->lo[i] > -half ? other->lo[i] : -half;
        const float hi = other->hi[i] < half ? other->hi[i] : half;
        hit = m32x8_and(hit, f32x8_le(seen->lo[i], f32x8_set(hi)));
        hit = m32x8_and(hit, f32x8_le(f32x8_set(lo), seen->hi[i]));
    }
    return hit;
}

#endif
