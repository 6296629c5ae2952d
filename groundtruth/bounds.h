/**
 * Lower bounds of the distance from one bounding volume to eight others, in float.
 *
 * Two frames move against each other. The one volume is "fixed" and stands in its own frame, the
 * eight are children of a node in theirs. `margin` is taken from every gap: what rounding, here
 * and before, may have added to it.
 */
#ifndef GROUNDTRUTH_BOUNDS_H
#define GROUNDTRUTH_BOUNDS_H

#include "geometry/disk.h"
#include "geometry/pose.h"
#include "geometry/simd.h"

#include <float.h>

/**
 * The margin for two frames whose contents are within size_a and size_b of their origins, which
 * are `apart`: about fifty roundings in float of products of such lengths, and normals that are
 * short by four units. `error`: of what the volumes bound, in double.
 */
static inline float gt_bounds_margin(double size_a, double size_b, double apart, double error)
{
    return geo_float_above(48 * (double)FLT_EPSILON * (size_a + size_b + apart) + error);
}

/** Centre and half edges. */
typedef struct gt_half_box {
    float c[3], e[3];
} gt_half_box;

/** One lane of a geo_disk_node. */
typedef struct gt_disk {
    float centre[3], normal[3], thickness, radius;
} gt_disk;

static inline gt_disk gt_disk_get(const geo_disk_node *node, uint32_t lane)
{
    gt_disk disk = {.thickness = node->thickness[lane], .radius = node->radius[lane]};
    for (int k = 0; k < 3; k++) {
        disk.centre[k] = node->centre[k][lane];
        disk.normal[k] = node->normal[k][lane];
    }
    return disk;
}

/** Carries from one frame to the other; size: the absolute values of r. */
typedef struct gt_motion {
    float r[3][3], size[3][3], t[3];
} gt_motion;

static inline gt_motion gt_motion_make(const geo_pose *pose)
{
    gt_motion m;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            m.r[i][k] = (float)vec3_get(pose->rotation.row[i], k);
            m.size[i][k] = fabsf(m.r[i][k]);
        }
        m.t[i] = (float)vec3_get(pose->translation, i);
    }
    return m;
}

static inline gt_half_box gt_half_box_get(const geo_bvh_node *node, uint32_t lane)
{
    gt_half_box box;
    for (int k = 0; k < 3; k++) {
        box.c[k] = 0.5F * (node->lo[k][lane] + node->hi[k][lane]);
        box.e[k] = 0.5F * (node->hi[k][lane] - node->lo[k][lane]);
    }
    return box;
}

static inline gt_half_box gt_half_box_move(const gt_motion *m, const gt_half_box *box)
{
    gt_half_box moved;
    for (int i = 0; i < 3; i++) {
        moved.c[i] = m->t[i];
        moved.e[i] = 0;
        for (int k = 0; k < 3; k++) {
            moved.c[i] += m->r[i][k] * box->c[k];
            moved.e[i] += m->size[i][k] * box->e[k];
        }
    }
    return moved;
}

/** Adds the square of |c - fixed_c| - (e + fixed_e), where that is positive. */
static inline f32x8 gt_add_gap(f32x8 sum, f32x8 c, f32x8 e, float fixed_c, float fixed_e)
{
    const f32x8 apart = f32x8_abs(f32x8_sub(c, f32x8_set(fixed_c)));
    const f32x8 gap = f32x8_sub(apart, f32x8_add(e, f32x8_set(fixed_e)));
    const f32x8 positive = f32x8_max(gap, f32x8_set(0));
    return f32x8_add(sum, f32x8_mul(positive, positive));
}

/**
 * Squared bounds from boxes: the larger of the distances between the enclosing boxes in both
 * frames. m goes from the node's frame to that of `fixed`, which is also given in the node's.
 */
static inline f32x8 gt_bound_boxes(const geo_bvh_node *node, const gt_motion *m,
                                   const gt_half_box *fixed, const gt_half_box *fixed_moved,
                                   float margin)
{
    f32x8 c[3], e[3], in_node = f32x8_set(0), in_fixed = f32x8_set(0);
    for (int k = 0; k < 3; k++) {
        const f32x8 lo = f32x8_load(node->lo[k]), hi = f32x8_load(node->hi[k]);
        c[k] = f32x8_mul(f32x8_set(0.5F), f32x8_add(lo, hi));
        e[k] = f32x8_mul(f32x8_set(0.5F), f32x8_sub(hi, lo));
        in_node = gt_add_gap(in_node, c[k], e[k], fixed_moved->c[k], fixed_moved->e[k] + margin);
    }
    for (int i = 0; i < 3; i++) {
        f32x8 centre = f32x8_set(m->t[i]), half = f32x8_set(0);
        for (int k = 0; k < 3; k++) {
            centre = f32x8_add(centre, f32x8_mul(f32x8_set(m->r[i][k]), c[k]));
            half = f32x8_add(half, f32x8_mul(f32x8_set(m->size[i][k]), e[k]));
        }
        in_fixed = gt_add_gap(in_fixed, centre, half, fixed->c[i], fixed->e[i] + margin);
    }
    return f32x8_mul(f32x8_max(in_node, in_fixed), f32x8_set(1 - 8 * FLT_EPSILON));
}

static inline f32x8 gt_dot8(const f32x8 a[3], const f32x8 b[3])
{
    const f32x8 xy = f32x8_add(f32x8_mul(a[0], b[0]), f32x8_mul(a[1], b[1]));
    return f32x8_add(xy, f32x8_mul(a[2], b[2]));
}

/**
 * Reach of a disk along a direction u from its centre, by the cosine to its axis: |cos| thickness +
 * sin radius, whatever the rotation. 16 eps makes the sine no less than
 * it is for a cosine off by the rounding of a few products.
 */
static inline f32x8 gt_disk_reach(f32x8 cosine, f32x8 thickness, f32x8 radius)
{
    const f32x8 square = f32x8_sub(f32x8_set(1 + 16 * FLT_EPSILON), f32x8_mul(cosine, cosine));
    const f32x8 sine = f32x8_sqrt(f32x8_max(square, f32x8_set(16 * FLT_EPSILON)));
    return f32x8_add(f32x8_mul(f32x8_abs(cosine), thickness), f32x8_mul(sine, radius));
}

/**
 * Squared bounds from disks: gaps along both axes and along the line of centres. *order says who
 * is likely to be nearer where bounds are 0: the distance of the centres less half the reaches.
 */
static inline f32x8 gt_bound_disks(const geo_disk_node *disks, const gt_motion *m,
                                   const gt_disk *fixed, float margin, f32x8 *order)
{
    f32x8 d[3], axis[3], fixed_axis[3];
    for (int i = 0; i < 3; i++) {
        d[i] = f32x8_set(m->t[i] - fixed->centre[i]);
        axis[i] = f32x8_set(0);
        fixed_axis[i] = f32x8_set(fixed->normal[i]);
        for (int k = 0; k < 3; k++) {
            const f32x8 r = f32x8_set(m->r[i][k]);
            d[i] = f32x8_add(d[i], f32x8_mul(r, f32x8_load(disks->centre[k])));
            axis[i] = f32x8_add(axis[i], f32x8_mul(r, f32x8_load(disks->normal[k])));
        }
    }
    const f32x8 h = f32x8_load(disks->thickness), r = f32x8_load(disks->radius);
    const f32x8 fixed_h = f32x8_set(fixed->thickness), fixed_r = f32x8_set(fixed->radius);
    const f32x8 along = gt_dot8(d, axis), fixed_along = gt_dot8(d, fixed_axis);
    const f32x8 between = gt_dot8(axis, fixed_axis);
    const f32x8 length = f32x8_max(f32x8_sqrt(gt_dot8(d, d)), f32x8_set(FLT_MIN));
    const f32x8 gap_axis =
        f32x8_sub(f32x8_abs(along), f32x8_add(h, gt_disk_reach(between, fixed_h, fixed_r)));
    const f32x8 gap_fixed =
        f32x8_sub(f32x8_abs(fixed_along), f32x8_add(fixed_h, gt_disk_reach(between, h, r)));
    const f32x8 both = f32x8_add(gt_disk_reach(f32x8_div(along, length), h, r),
                                 gt_disk_reach(f32x8_div(fixed_along, length), fixed_h, fixed_r));
    *order = f32x8_sub(length, f32x8_mul(f32x8_set(0.5F), both));
    const f32x8 gap = f32x8_max(f32x8_max(gap_axis, gap_fixed), f32x8_sub(length, both));
    const f32x8 positive = f32x8_max(f32x8_sub(gap, f32x8_set(margin)), f32x8_set(0));
    return f32x8_mul(f32x8_mul(positive, positive), f32x8_set(1 - 8 * FLT_EPSILON));
}

#endif
