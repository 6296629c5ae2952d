/*
 * The part of a tetrahedron inside another one, compiled once per instruction set (simd.h); all
 * versions return the same bits.
 */
#ifndef GROUNDTRUTH_CLIP_KERNEL_H
#define GROUNDTRUTH_CLIP_KERNEL_H

#include "base/simd.h"
#include "groundtruth/body/tetrahedra.h"

/** The sides of a corner of a tetrahedron: its distances from four planes, times the lengths of
 * their normals; positive inside. */
typedef struct gt_sides {
    double side[4];
} gt_sides;

/** Returns corner 0 in all lanes except the first, which has corner 1. */
static inline f64x4 clip_reference(double corner0, double corner1)
{
    static const double first[4] = {-1, 0, 0, 0};
    const m64x4 lane0 = f64x4_lt(f64x4_load(first), f64x4_set(0));
    return f64x4_select(lane0, f64x4_set(corner1), f64x4_set(corner0));
}

/**
 * Computes the sides of the corners of `of` against the planes of the faces of `at`. side[i] of a
 * corner is dot(normal i, corner - p). p is corner 1 of `at` for plane 0, and corner 0 for the
 * other planes. The side is positive inside. inside[c] gets the mask of the positive sides of
 * corner c, bit i for plane i.
 *
 * Two tetrahedra at a face have their corners in the order of gt_tetrahedron. So their sides
 * against this face are exactly opposite values, and the rounding errors of the two parts cancel.
 */
static inline void clip_sides(const gt_tetrahedron *at, const gt_planes *planes,
                              const gt_tetrahedron *of, gt_sides corners[4], unsigned inside[4])
{
    const f64x4 x0 = clip_reference(at->p[0].x, at->p[1].x);
    const f64x4 y0 = clip_reference(at->p[0].y, at->p[1].y);
    const f64x4 z0 = clip_reference(at->p[0].z, at->p[1].z);
    const f64x4 nx = f64x4_load(planes->x), ny = f64x4_load(planes->y), nz = f64x4_load(planes->z);
    for (int i = 0; i < 4; i++) {
        f64x4 side = f64x4_mul(nx, f64x4_sub(f64x4_set(of->p[i].x), x0));
        side = f64x4_add(side, f64x4_mul(ny, f64x4_sub(f64x4_set(of->p[i].y), y0)));
        side = f64x4_add(side, f64x4_mul(nz, f64x4_sub(f64x4_set(of->p[i].z), z0)));
        f64x4_store(corners[i].side, side);
        inside[i] = m64x4_bits(f64x4_lt(f64x4_set(0), side));
    }
}

/** The planes in the order in which they cut. */
typedef struct cuts {
    int plane[4];
    int count;
} cuts;

/**
 * The points where edges from inside to outside meet a plane. in and out are the shares of each
 * edge that are inside and outside; their sum is 1.
 */
typedef struct meetings {
    double in[4], out[4];
} meetings;

static inline void clip_edges(const double inside[4], const double outside[4], meetings *m)
{
    const f64x4 from = f64x4_load(inside), to = f64x4_load(outside);
    const f64x4 length = f64x4_sub(from, to);
    f64x4_store(m->in, f64x4_div(from, length));
    f64x4_store(m->out, f64x4_div(f64x4_sub(f64x4_set(0), to), length));
}

/** Returns the sides of the point where an edge meets the plane. */
static inline gt_sides clip_meet(const gt_sides *inside, const gt_sides *outside, const meetings *m,
                                 int edge)
{
    gt_sides at;
    f64x4_store(at.side, f64x4_add(f64x4_mul(f64x4_set(m->out[edge]), f64x4_load(inside->side)),
                                   f64x4_mul(f64x4_set(m->in[edge]), f64x4_load(outside->side))));
    return at;
}

static double clip_part(const cuts *c, int next, const gt_sides *const corner[4]);

/** Only corner a is inside. The part is a smaller tetrahedron at a. */
static double clip_one(const cuts *c, int next, const gt_sides *const q[4])
{
    const int k = c->plane[next];
    const double a = q[0]->side[k];
    meetings m; /* ab, ac, ad */
    clip_edges((const double[4]){a, a, a, a},
               (const double[4]){q[1]->side[k], q[2]->side[k], q[3]->side[k], q[3]->side[k]}, &m);
    const double part = m.in[0] * m.in[1] * m.in[2];
    if (next + 1 == c->count) {
        return part;
    }
    const gt_sides ab = clip_meet(q[0], q[1], &m, 0), ac = clip_meet(q[0], q[2], &m, 1);
    const gt_sides ad = clip_meet(q[0], q[3], &m, 2);
    const gt_sides *const rest[4] = {q[0], &ab, &ac, &ad};
    return part * clip_part(c, next + 1, rest);
}

/** Corners a and b are inside. The part is a wedge at the edge a-b, which is split into three
 * tetrahedra. */
static double clip_two(const cuts *c, int next, const gt_sides *const q[4])
{
    const int k = c->plane[next];
    const double a = q[0]->side[k], b = q[1]->side[k], cc = q[2]->side[k], d = q[3]->side[k];
    meetings m; /* ac, ad, bc, bd */
    clip_edges((const double[4]){a, a, b, b}, (const double[4]){cc, d, cc, d}, &m);
    const double part[3] = {m.in[0] * m.in[1], m.out[0] * m.in[2] * m.in[3],
                            m.in[0] * m.out[1] * m.in[3]};
    if (next + 1 == c->count) {
        return part[0] + part[1] + part[2];
    }
    const gt_sides ac = clip_meet(q[0], q[2], &m, 0), ad = clip_meet(q[0], q[3], &m, 1);
    const gt_sides bc = clip_meet(q[1], q[2], &m, 2), bd = clip_meet(q[1], q[3], &m, 3);
    const gt_sides *const first[4] = {q[0], q[1], &ac, &ad};
    const gt_sides *const second[4] = {&ac, q[1], &bc, &bd};
    const gt_sides *const third[4] = {&ad, q[1], &ac, &bd};
    return part[0] * clip_part(c, next + 1, first) + part[1] * clip_part(c, next + 1, second) +
           part[2] * clip_part(c, next + 1, third);
}

/** Corners a, b and c are inside. The part is what remains without the corner d, and is split into
 * three tetrahedra. */
static double clip_three(const cuts *c, int next, const gt_sides *const q[4])
{
    const int k = c->plane[next];
    const double d = q[3]->side[k];
    meetings m; /* ad, bd, cd */
    clip_edges((const double[4]){q[0]->side[k], q[1]->side[k], q[2]->side[k], q[2]->side[k]},
               (const double[4]){d, d, d, d}, &m);
    const double part[3] = {m.in[0], m.out[0] * m.in[1], m.out[0] * m.out[1] * m.in[2]};
    if (next + 1 == c->count) {
        return part[0] + part[1] + part[2];
    }
    const gt_sides ad = clip_meet(q[0], q[3], &m, 0), bd = clip_meet(q[1], q[3], &m, 1);
    const gt_sides cd = clip_meet(q[2], q[3], &m, 2);
    const gt_sides *const first[4] = {q[0], q[1], q[2], &ad};
    const gt_sides *const second[4] = {&ad, q[1], q[2], &bd};
    const gt_sides *const third[4] = {&ad, &bd, q[2], &cd};
    return part[0] * clip_part(c, next + 1, first) + part[1] * clip_part(c, next + 1, second) +
           part[2] * clip_part(c, next + 1, third);
}

/** For each mask of the corners that are inside: an order of the corners that begins with these. */
static const uint8_t clip_order[16][4] = {
    {0, 1, 2, 3}, {0, 1, 2, 3}, {1, 0, 2, 3}, {0, 1, 2, 3}, {2, 0, 1, 3}, {0, 2, 1, 3},
    {1, 2, 0, 3}, {0, 1, 2, 3}, {3, 0, 1, 2}, {0, 3, 1, 2}, {1, 3, 0, 2}, {0, 1, 3, 2},
    {2, 3, 0, 1}, {0, 2, 3, 1}, {1, 2, 3, 0}, {0, 1, 2, 3},
};

static const uint8_t clip_count[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

static double clip_part(const cuts *c, int next, const gt_sides *const corner[4])
{
    for (; next < c->count; next++) {
        const int k = c->plane[next];
        const unsigned mask =
            (unsigned)(corner[0]->side[k] > 0) | (unsigned)(corner[1]->side[k] > 0) << 1 |
            (unsigned)(corner[2]->side[k] > 0) << 2 | (unsigned)(corner[3]->side[k] > 0) << 3;
        const uint8_t *const order = clip_order[mask];
        const gt_sides *const sorted[4] = {corner[order[0]], corner[order[1]], corner[order[2]],
                                           corner[order[3]]};
        switch (clip_count[mask]) {
        case 0:
            return 0;
        case 1:
            return clip_one(c, next, sorted);
        case 2:
            return clip_two(c, next, sorted);
        case 3:
            return clip_three(c, next, sorted);
        default:
            break;
        }
    }
    return 1;
}

/** For each mask of four bits: the word in which byte i is bit i. */
static const uint32_t clip_bytes[16] = {
    0x00000000, 0x00000001, 0x00000100, 0x00000101, 0x00010000, 0x00010001, 0x00010100, 0x00010101,
    0x01000000, 0x01000001, 0x01000100, 0x01000101, 0x01010000, 0x01010001, 0x01010100, 0x01010101,
};

/**
 * Orders the planes. The planes with the fewest corners inside come first. Planes with all corners
 * inside do not cut.
 */
static inline cuts clip_order_planes(const unsigned inside[4])
{
    const uint32_t counts = clip_bytes[inside[0]] + clip_bytes[inside[1]] + clip_bytes[inside[2]] +
                            clip_bytes[inside[3]];
    const unsigned n[4] = {counts & 0xff, counts >> 8 & 0xff, counts >> 16 & 0xff, counts >> 24};
    const unsigned b10 = n[1] < n[0], b20 = n[2] < n[0], b30 = n[3] < n[0];
    const unsigned b21 = n[2] < n[1], b31 = n[3] < n[1], b32 = n[3] < n[2];
    cuts order;
    order.plane[b10 + b20 + b30] = 0;
    order.plane[1 - b10 + b21 + b31] = 1;
    order.plane[2 - b20 - b21 + b32] = 2;
    order.plane[3 - b30 - b31 - b32] = 3;
    order.count = (n[0] < 4) + (n[1] < 4) + (n[2] < 4) + (n[3] < 4);
    return order;
}

/**
 * Returns the share, from 0 to 1, of a tetrahedron that is on the positive side of four planes.
 * corners: the sides of its corners. inside: the masks of the positive ones.
 *
 * One plane after the other cuts the tetrahedron. What remains after a cut is split into at most
 * three tetrahedra, whose volumes are products of edge ratios in (0, 1). Nothing cancels, so the
 * relative error is that of the sides. A corner in a plane counts as outside.
 *
 * Cost     no allocation; at most 40 cuts, usually 3 to 6.
 */
static inline double clip_all(const gt_sides corners[4], const unsigned inside[4])
{
    const cuts order = clip_order_planes(inside);
    const gt_sides *const all[4] = {&corners[0], &corners[1], &corners[2], &corners[3]};
    return clip_part(&order, 0, all);
}

#endif
