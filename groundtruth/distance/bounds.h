/**
 * Lower bounds of the distance from one cylinder to eight others, in float.
 *
 * The eight cylinders are the children of a node, in the node's frame. The one, `fixed`, is a
 * cylinder of the other body that gt_cylinder_move has transformed into this frame. The frames are
 * in relative motion, so the transform is rounded. A bound may be too large by rounding; the caller
 * compares it with a limit that has a margin for this.
 */
#ifndef GROUNDTRUTH_BOUNDS_H
#define GROUNDTRUTH_BOUNDS_H

#include "base/simd.h"
#include "geometry/bvh.h"
#include "geometry/pose.h"

#include <float.h>

typedef struct vec8 {
    f32x8 x, y, z;
} vec8;

static inline vec8 vec8_load(const float v[3][GEO_BVH_WIDTH])
{
    return (vec8){f32x8_load(v[0]), f32x8_load(v[1]), f32x8_load(v[2])};
}

static inline vec8 vec8_set(const float v[3])
{
    return (vec8){f32x8_set(v[0]), f32x8_set(v[1]), f32x8_set(v[2])};
}

static inline vec8 vec8_add(vec8 a, vec8 b)
{
    return (vec8){f32x8_add(a.x, b.x), f32x8_add(a.y, b.y), f32x8_add(a.z, b.z)};
}

static inline vec8 vec8_sub(vec8 a, vec8 b)
{
    return (vec8){f32x8_sub(a.x, b.x), f32x8_sub(a.y, b.y), f32x8_sub(a.z, b.z)};
}

static inline f32x8 vec8_dot(vec8 a, vec8 b)
{
    return f32x8_add(f32x8_add(f32x8_mul(a.x, b.x), f32x8_mul(a.y, b.y)), f32x8_mul(a.z, b.z));
}

/** A cylinder of a geo_cylinder_node, in another frame. The fourth components are not used. */
typedef struct gt_cylinder {
    float centre[4], normal[4], thickness, radius;
} gt_cylinder;

static inline f32x4 gt_rotate(const geo_motion *m, const float v[3][GEO_BVH_WIDTH], uint32_t lane)
{
    const f32x4 x = f32x4_mul(f32x4_load(m->column[0]), f32x4_set(v[0][lane]));
    const f32x4 y = f32x4_mul(f32x4_load(m->column[1]), f32x4_set(v[1][lane]));
    const f32x4 z = f32x4_mul(f32x4_load(m->column[2]), f32x4_set(v[2][lane]));
    return f32x4_add(f32x4_add(x, y), z);
}

static inline void gt_cylinder_move(const geo_motion *m, const geo_cylinder_node *node,
                                    uint32_t lane, gt_cylinder *cylinder)
{
    f32x4_store(cylinder->centre, f32x4_add(gt_rotate(m, node->centre, lane), f32x4_load(m->t)));
    f32x4_store(cylinder->normal, gt_rotate(m, node->normal, lane));
    cylinder->thickness = node->thickness[lane];
    cylinder->radius = node->radius[lane];
}

/**
 * Returns the reach of a cylinder from its centre along a vector, times the length of the vector:
 * |dot| thickness + sqrt(length^2 - dot^2) radius. dot is the dot product of the vector and the
 * cylinder's normal. It does not depend on the frame. The factor 1 + 16 eps makes the root no less
 * than its exact value, although products are rounded.
 */
static inline f32x8 gt_cylinder_reach(f32x8 dot, f32x8 length2, f32x8 thickness, f32x8 radius)
{
    const f32x8 wide2 = f32x8_mul(length2, f32x8_set(1 + 16 * FLT_EPSILON));
    const f32x8 across2 = f32x8_sub(wide2, f32x8_mul(dot, dot));
    const f32x8 across = f32x8_sqrt(f32x8_max(across2, f32x8_set(0)));
    return f32x8_add(f32x8_mul(f32x8_abs(dot), thickness), f32x8_mul(across, radius));
}

/**
 * Returns lower bounds of the distances between cylinders, without the margin. Each is the largest
 * of the gaps along both axes and along the line of centres. *order estimates which cylinder is
 * nearest if bounds are negative: the distance of the centres minus half the reaches along their
 * line.
 */
static inline f32x8 gt_bound_cylinders(const geo_cylinder_node *cylinders, const gt_cylinder *fixed,
                                       f32x8 *order)
{
    const vec8 d = vec8_sub(vec8_load(cylinders->centre), vec8_set(fixed->centre));
    const vec8 axis = vec8_load(cylinders->normal), fixed_axis = vec8_set(fixed->normal);
    const f32x8 h = f32x8_load(cylinders->thickness), r = f32x8_load(cylinders->radius);
    const f32x8 fixed_h = f32x8_set(fixed->thickness), fixed_r = f32x8_set(fixed->radius);
    const f32x8 along = vec8_dot(d, axis), fixed_along = vec8_dot(d, fixed_axis);
    const f32x8 between = vec8_dot(axis, fixed_axis), length2 = vec8_dot(d, d);
    const f32x8 one = f32x8_set(1);
    const f32x8 length = f32x8_sqrt(length2);
    const f32x8 gap_axis = f32x8_sub(
        f32x8_abs(along), f32x8_add(h, gt_cylinder_reach(between, one, fixed_h, fixed_r)));
    const f32x8 gap_fixed = f32x8_sub(f32x8_abs(fixed_along),
                                      f32x8_add(fixed_h, gt_cylinder_reach(between, one, h, r)));
    const f32x8 both =
        f32x8_div(f32x8_add(gt_cylinder_reach(along, length2, h, r),
                            gt_cylinder_reach(fixed_along, length2, fixed_h, fixed_r)),
                  f32x8_max(length, f32x8_set(FLT_MIN)));
    *order = f32x8_sub(length, f32x8_mul(f32x8_set(0.5F), both));
    return f32x8_max(f32x8_max(gap_axis, gap_fixed), f32x8_sub(length, both));
}

#endif
