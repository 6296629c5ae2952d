/**
 * Sums of two doubles, with about 104 bits, for directions whose digits cancel in double
 * arithmetic.
 */
#ifndef GROUNDTRUTH_WIDE_H
#define GROUNDTRUTH_WIDE_H

#include "base/elementary.h"
#include "geometry/vec.h"

typedef base_two gt_wide;

typedef struct gt_wide3 {
    gt_wide x, y, z;
} gt_wide3;

static inline gt_wide gt_wide_add(gt_wide a, gt_wide b)
{
    const gt_wide high = base_two_sum(a.high, b.high), low = base_two_sum(a.low, b.low);
    const gt_wide carried = base_two_sum(high.high, high.low + low.high);
    return base_two_sum(carried.high, carried.low + low.low);
}

static inline gt_wide gt_wide_mul(gt_wide a, gt_wide b)
{
    const gt_wide p = base_two_product(a.high, b.high);
    return base_two_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

/** Returns a b - c d. */
static inline gt_wide gt_wide_minor(gt_wide a, gt_wide b, gt_wide c, gt_wide d)
{
    const gt_wide cd = gt_wide_mul(c, d);
    return gt_wide_add(gt_wide_mul(a, b), (gt_wide){-cd.high, -cd.low});
}

/** Returns a - b, exactly. */
static inline gt_wide3 gt_wide3_between(vec3 a, vec3 b)
{
    return (gt_wide3){base_two_sum(a.x, -b.x), base_two_sum(a.y, -b.y), base_two_sum(a.z, -b.z)};
}

static inline gt_wide3 gt_wide3_cross(gt_wide3 a, gt_wide3 b)
{
    return (gt_wide3){gt_wide_minor(a.y, b.z, a.z, b.y), gt_wide_minor(a.z, b.x, a.x, b.z),
                      gt_wide_minor(a.x, b.y, a.y, b.x)};
}

static inline gt_wide gt_wide3_dot(vec3 a, gt_wide3 b)
{
    const gt_wide x = {a.x, 0}, y = {a.y, 0}, z = {a.z, 0};
    return gt_wide_add(gt_wide_add(gt_wide_mul(x, b.x), gt_wide_mul(y, b.y)), gt_wide_mul(z, b.z));
}

/** Returns m v. */
static inline gt_wide3 gt_wide3_turn(mat3 m, gt_wide3 v)
{
    return (gt_wide3){gt_wide3_dot(m.row[0], v), gt_wide3_dot(m.row[1], v),
                      gt_wide3_dot(m.row[2], v)};
}

/** Rounds each component to the nearest double. */
static inline vec3 gt_wide3_round(gt_wide3 v)
{
    return (vec3){v.x.high, v.y.high, v.z.high};
}

#endif
