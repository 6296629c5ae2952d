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
    int32_t corner[ALG_PST_LANES]; /* the cell's lowest, in the brick */
    float t[3][ALG_PST_LANES];     /* in the cell, 0 to 1 */
} alg_pst_places;

/** The blocks that places are in, and where in them, 0 to 1; at: in blocks, 0 to the number of them. Plain loops
 * over lanes, which compilers make instructions for all of them, as numbers are signed. */
static inline void alg_pst_find_blocks(const alg_pst_field *field, float at[3][ALG_PST_LANES],
                                       int32_t block[ALG_PST_LANES])
{
    const int32_t nx = (int32_t)field->block_count[0], ny = (int32_t)field->block_count[1];
    const int32_t nz = (int32_t)field->block_count[2];
    for (int lane = 0; lane < ALG_PST_LANES; lane++) {
        int32_t x = (int32_t)at[0][lane], y = (int32_t)at[1][lane], z = (int32_t)at[2][lane];
        x = x < nx ? x : nx - 1;
        y = y < ny ? y : ny - 1;
        z = z < nz ? z : nz - 1;
        at[0][lane] -= (float)x;
        at[1][lane] -= (float)y;
        at[2][lane] -= (float)z;
        block[lane] = (z * ny + y) * nx + x;
    }
}

/** at: in blocks, as above. */
static inline void alg_pst_find_places(const alg_pst_field *field, float at[3][ALG_PST_LANES],
                                       alg_pst_places *places)
{
    int32_t block[ALG_PST_LANES], last[ALG_PST_LANES], brick[ALG_PST_LANES] = {0};
    uint32_t word[ALG_PST_LANES];
    alg_pst_find_blocks(field, at, block);
    for (int lane = 0; lane < ALG_PST_LANES; lane++) {
        word[lane] = field->blocks[block[lane]];
        last[lane] = (1 << (word[lane] & 3)) - 1;
        places->corner[lane] = 0;
    }
    for (int axis = 2; axis >= 0; axis--) {
        for (int lane = 0; lane < ALG_PST_LANES; lane++) {
            const int32_t cells = last[lane] + 1;
            const float place = at[axis][lane] * (float)cells;
            const int32_t whole = (int32_t)place;
            const int32_t cell = whole < last[lane] ? whole : last[lane];
            const float t = place - (float)cell;
            places->t[axis][lane] = t < 1 ? t : 1;
            brick[lane] = brick[lane] * (cells >> 1) + (cell >> 1);
            places->corner[lane] = places->corner[lane] * 3 + (cell & 1);
        }
    }
    for (int lane = 0; lane < ALG_PST_LANES; lane++) {
        places->brick[lane] = field->bricks + (word[lane] >> 2) + brick[lane];
    }
}

/** The value of alg_pst_field_at for places in the blocks, and the errors of their bricks. Corners are read by
 * pairs along x, so that y and z are taken by registers of two places each, which is also what compilers
 * can keep in registers. */
static inline f32x8 alg_pst_interpolate_lanes(const alg_pst_places *places, f32x8 *below)
{
    float pair[4][2 * ALG_PST_LANES], t[3][2 * ALG_PST_LANES];
    float bend[3][ALG_PST_LANES], error[ALG_PST_LANES];
    for (int lane = 0; lane < ALG_PST_LANES; lane++) {
        const alg_pst_brick *const brick = places->brick[lane];
        const float *const v = brick->values + places->corner[lane];
        for (int i = 0; i < 4; i++) {
            memcpy(&pair[i][2 * lane], v + (i & 1) * 3 + (i >> 1) * 9, 2 * sizeof *v);
        }
        for (int axis = 0; axis < 3; axis++) {
            bend[axis][lane] = brick->bend[axis];
        }
        error[lane] = alg_pst_error(brick->below);
    }
    for (int lane = 0; lane < ALG_PST_LANES; lane++) {
        for (int axis = 1; axis < 3; axis++) {
            t[axis][2 * lane] = t[axis][2 * lane + 1] = places->t[axis][lane];
        }
    }
    for (int part = 0; part < 2 * ALG_PST_LANES; part += 4) {
        f32x4 v[4];
        for (int i = 0; i < 4; i++) {
            v[i] = f32x4_load(pair[i] + part);
        }
        for (int axis = 1, n = 2; axis < 3; axis++, n /= 2) {
            const f32x4 at = f32x4_load(t[axis] + part);
            for (int i = 0; i < n; i++) {
                v[i] = f32x4_add(v[2 * i], f32x4_mul(at, f32x4_sub(v[2 * i + 1], v[2 * i])));
            }
        }
        f32x4_store(pair[0] + part, v[0]);
    }
    float lo[ALG_PST_LANES], hi[ALG_PST_LANES];
    for (int lane = 0; lane < ALG_PST_LANES; lane++) {
        lo[lane] = pair[0][2 * lane];
        hi[lane] = pair[0][2 * lane + 1];
    }
    f32x8 value = f32x8_load(lo);
    value = f32x8_add(value, f32x8_mul(f32x8_load(places->t[0]), f32x8_sub(f32x8_load(hi), value)));
    for (int axis = 0; axis < 3; axis++) {
        const f32x8 at = f32x8_load(places->t[axis]);
        const f32x8 tau = f32x8_mul(at, f32x8_sub(f32x8_set(1), at));
        value = f32x8_sub(value, f32x8_mul(f32x8_load(bend[axis]), tau));
    }
    *below = f32x8_load(error);
    return value;
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
    alg_pst_find_places(field, at, &places);
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
