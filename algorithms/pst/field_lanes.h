/**
 * Eight points at once in a field of distances, in float, for files that are compiled once per
 * instruction set.
 */
#ifndef ALGORITHMS_PST_FIELD_LANES_H
#define ALGORITHMS_PST_FIELD_LANES_H

#include "algorithms/pst/field.h"
#include "base/simd.h"

enum { ALG_PST_LANES = 8 };

/** Eight places, by the bricks that they are in. */
typedef struct alg_pst_places {
    const alg_pst_brick *brick[ALG_PST_LANES];
    uint32_t corner[ALG_PST_LANES]; /* the cell's lowest, in the brick */
    float t[3][ALG_PST_LANES];      /* in the cell, 0 to 1 */
} alg_pst_places;

/** at: in blocks, of one lane, 0 to the number of them. */
static inline void alg_pst_place_lane(const alg_pst_field *field, const float at[3],
                                      alg_pst_places *places, int lane)
{
    float in[3]; /* the block, 0 to 1 */
    size_t block = 0;
    for (int axis = 2; axis >= 0; axis--) {
        const uint32_t n = field->block_count[axis], place = (uint32_t)at[axis];
        const uint32_t whole = place < n ? place : n - 1;
        block = block * n + whole;
        in[axis] = at[axis] - (float)whole;
    }
    const uint32_t word = field->blocks[block], level = word & 3;
    const uint32_t cells = 1u << level, bricks = cells / 2;
    uint32_t brick = 0, corner = 0;
    for (int axis = 2; axis >= 0; axis--) {
        const float place = in[axis] * (float)cells;
        const uint32_t cell = (uint32_t)place < cells ? (uint32_t)place : cells - 1;
        const float t = place - (float)cell;
        brick = brick * bricks + cell / 2;
        corner = corner * 3 + cell % 2;
        places->t[axis][lane] = t < 1 ? t : 1;
    }
    places->brick[lane] = field->bricks + (word >> 2) + brick;
    places->corner[lane] = corner;
}

/** The value of alg_pst_field_at for places in the blocks, and the errors of their bricks. */
static inline f32x8 alg_pst_interpolate_lanes(const alg_pst_places *places, f32x8 *below)
{
    float corner[8][ALG_PST_LANES], bend[3][ALG_PST_LANES], error[ALG_PST_LANES];
    for (int lane = 0; lane < ALG_PST_LANES; lane++) {
        const alg_pst_brick *const brick = places->brick[lane];
        const float *const v = brick->values + places->corner[lane];
        for (int i = 0; i < 8; i++) {
            corner[i][lane] = v[(i & 1) + (i >> 1 & 1) * 3 + (i >> 2) * 9];
        }
        for (int axis = 0; axis < 3; axis++) {
            bend[axis][lane] = brick->bend[axis];
        }
        error[lane] = alg_pst_error(brick->below);
    }
    f32x8 v[8];
    for (int i = 0; i < 8; i++) {
        v[i] = f32x8_load(corner[i]);
    }
    /* Along x, then y, then z. */
    for (int axis = 0, n = 4; axis < 3; axis++, n /= 2) {
        const f32x8 t = f32x8_load(places->t[axis]);
        for (int i = 0; i < n; i++) {
            v[i] = f32x8_add(v[2 * i], f32x8_mul(t, f32x8_sub(v[2 * i + 1], v[2 * i])));
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        const f32x8 t = f32x8_load(places->t[axis]);
        const f32x8 tau = f32x8_mul(t, f32x8_sub(f32x8_set(1), t));
        v[0] = f32x8_sub(v[0], f32x8_mul(f32x8_load(bend[axis]), tau));
    }
    *below = f32x8_load(error);
    return v[0];
}

/**
 * alg_pst_field_at of eight points; *below may be larger, and holds in spite of the rounding of
 * coordinates to float.
 *
 * Frames   x, y, z: the field's frame, less field->corner, in metres.
 */
static inline void alg_pst_field_lanes(const alg_pst_field *field, f32x8 x, f32x8 y, f32x8 z,
                                       f32x8 *value, f32x8 *below)
{
    const f32x8 zero = f32x8_set(0), p[3] = {x, y, z};
    const double edge = field->edge * ALG_PST_BLOCK_CELLS;
    float at[3][ALG_PST_LANES];
    f32x8 way2 = zero;
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t n = field->block_count[axis];
        const f32x8 q = f32x8_min(f32x8_max(p[axis], zero), f32x8_set((float)(edge * n)));
        const f32x8 gap = f32x8_sub(p[axis], q);
        way2 = f32x8_add(way2, f32x8_mul(gap, gap));
        const f32x8 place = f32x8_mul(q, f32x8_set((float)(1 / edge)));
        f32x8_store(at[axis], f32x8_min(place, f32x8_set((float)n)));
    }
    alg_pst_places places;
    for (int lane = 0; lane < ALG_PST_LANES; lane++) {
        alg_pst_place_lane(field, (float[3]){at[0][lane], at[1][lane], at[2][lane]}, &places, lane);
    }
    *value = alg_pst_interpolate_lanes(&places, below);
    if (m32x8_bits(f32x8_lt(zero, way2)) != 0) {
        const f32x8 outside = f32x8_max(*value, zero);
        const f32x8 far = f32x8_sqrt(f32x8_add(way2, f32x8_mul(outside, outside)));
        const f32x8 rounding = f32x8_mul(f32x8_sqrt(way2), f32x8_set((float)ALG_PST_LOOKUP_ERROR));
        *value = f32x8_select(f32x8_lt(zero, way2), far, *value);
        *below = f32x8_add(*below, rounding);
    }
}

#endif
