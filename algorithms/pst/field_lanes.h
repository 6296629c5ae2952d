/**
 * Eight points at once in a field of distances, in float, for files that are compiled once per
 * instruction set.
 */
#ifndef ALGORITHMS_PST_FIELD_LANES_H
#define ALGORITHMS_PST_FIELD_LANES_H

#include "algorithms/pst/field.h"
#include "base/simd.h"

#include <stddef.h>

enum { ALG_PST_LANES = 8 };

/** Eight places, by the bricks that they are in; those beyond the blocks by the nearest ones of these. */
typedef struct alg_pst_places {
    i32x8 brick, corner; /* the cell's lowest, in the brick */
    f32x8 edge;          /* of the cell */
    f32x8 t[3];          /* in the cell, 0 to 1 */
    f32x8 way2;          /* squared, from there to the place itself */
} alg_pst_places;

/** Numbers in blocks, 0 to the number of them: the whole part, which is a block's, and *rest. */
static inline i32x8 alg_pst_whole(f32x8 at, i32x8 last, f32x8 *rest)
{
    const i32x8 whole = i32x8_min(i32x8_of(at), last);
    *rest = f32x8_sub(at, f32x8_of(whole));
    return whole;
}

/**
 * Where eight points are.
 *
 * Frames   p: x, y, z in the field's frame, less field->corner, in metres.
 */
static inline alg_pst_places alg_pst_find_places(const alg_pst_field *field, const f32x8 p[3])
{
    const f32x8 zero = f32x8_set(0);
    f32x8 at[3], way2 = zero; /* at: in blocks */
    for (int axis = 0; axis < 3; axis++) {
        const f32x8 q = f32x8_min(f32x8_max(p[axis], zero), f32x8_set(field->extent[axis]));
        const f32x8 gap = f32x8_sub(p[axis], q);
        way2 = f32x8_add(way2, f32x8_mul(gap, gap));
        at[axis] = f32x8_mul(q, f32x8_set(field->per_side));
    }
    const i32x8 one = i32x8_set(1);
    const f32x8 most = f32x8_set(1);
    f32x8 in[3]; /* the block, 0 to 1 */
    i32x8 block = i32x8_set(0);
    for (int axis = 2; axis >= 0; axis--) {
        const int32_t n = (int32_t)field->block_count[axis];
        const i32x8 whole = alg_pst_whole(at[axis], i32x8_set(n - 1), &in[axis]);
        block = i32x8_add(i32x8_mul(block, i32x8_set(n)), whole);
    }
    const i32x8 word = i32x8_gather(field->blocks, block);
    const i32x8 level = i32x8_and(word, i32x8_set(3));
    /* 2^level and its inverse, by a float's exponent. */
    const i32x8 bias = i32x8_set(127);
    const f32x8 cells = f32x8_bits_of(i32x8_left(i32x8_add(bias, level), 23));
    const f32x8 part = f32x8_bits_of(i32x8_left(i32x8_sub(bias, level), 23));
    const i32x8 count = i32x8_of(cells), bricks = i32x8_right(count, 1);
    alg_pst_places places = {
        .brick = i32x8_set(0),
        .corner = i32x8_set(0),
        .edge = f32x8_mul(part, f32x8_set(field->side)),
        .way2 = way2,
    };
    for (int axis = 2; axis >= 0; axis--) {
        const i32x8 cell =
            alg_pst_whole(f32x8_mul(in[axis], cells), i32x8_sub(count, one), &places.t[axis]);
        places.t[axis] = f32x8_min(places.t[axis], most);
        places.brick = i32x8_add(i32x8_mul(places.brick, bricks), i32x8_right(cell, 1));
        places.corner = i32x8_add(i32x8_mul(places.corner, i32x8_set(3)), i32x8_and(cell, one));
    }
    /* Without a sign: a brick's number has 26 bits. */
    places.brick = i32x8_add(places.brick, i32x8_and(i32x8_right(word, 2), i32x8_set(0x3ffffff)));
    return places;
}

/** a + t (b - a) */
static inline f32x8 alg_pst_between(f32x8 a, f32x8 b, f32x8 t)
{
    return f32x8_add(a, f32x8_mul(t, f32x8_sub(b, a)));
}

/** Sum of bend_a t_a (1 - t_a). */
static inline f32x8 alg_pst_bent(const alg_pst_places *places, const f32x8 bend[3])
{
    f32x8 sum = f32x8_set(0);
    for (int axis = 0; axis < 3; axis++) {
        const f32x8 t = places->t[axis];
        const f32x8 tau = f32x8_mul(t, f32x8_sub(f32x8_set(1), t));
        sum = f32x8_add(sum, f32x8_mul(bend[axis], tau));
    }
    return sum;
}

/** The value of alg_pst_field_at for places in the blocks, and the errors of their bricks. */
static inline f32x8 alg_pst_interpolate_bricks(const alg_pst_field *field,
                                               const alg_pst_places *places, f32x8 *below)
{
    const char *const bricks = (const char *)field->bricks;
    const i32x8 brick = i32x8_mul(places->brick, i32x8_set(sizeof *field->bricks / 4));
    const i32x8 corner = i32x8_add(brick, places->corner);
    f32x8 y[2], z[2], bend[3];
    for (size_t k = 0; k < 2; k++) {
        for (size_t j = 0; j < 2; j++) {
            const char *const row = bricks + sizeof(float) * (3 * j + 9 * k);
            y[j] = alg_pst_between(f32x8_gather(row, corner),
                                   f32x8_gather(row + sizeof(float), corner), places->t[0]);
        }
        z[k] = alg_pst_between(y[0], y[1], places->t[1]);
    }
    for (size_t axis = 0; axis < 3; axis++) {
        const size_t at = offsetof(alg_pst_brick, bend) + sizeof(float) * axis;
        bend[axis] = f32x8_gather(bricks + at, brick);
    }
    /* The lower half of these four bytes is `below`. */
    const i32x8 errors = i32x8_gather(bricks + offsetof(alg_pst_brick, below), brick);
    *below = f32x8_bits_of(i32x8_left(errors, 16));
    return f32x8_sub(alg_pst_between(z[0], z[1], places->t[2]), alg_pst_bent(places, bend));
}

/** The same of packed bricks. */
static inline f32x8 alg_pst_interpolate_packed(const alg_pst_field *field,
                                               const alg_pst_places *places, f32x8 *below)
{
    const char *const bricks = (const char *)field->packed;
    const i32x8 byte = i32x8_set(0xff), half = i32x8_set(0xffff);
    const i32x8 brick = i32x8_mul(places->brick, i32x8_set(sizeof *field->packed / 2));
    const i32x8 corner = i32x8_add(brick, places->corner);
    f32x8 y[2], z[2];
    for (size_t k = 0; k < 2; k++) {
        for (size_t j = 0; j < 2; j++) {
            const size_t row = offsetof(alg_pst_packed, corners) + 2 * (3 * j + 9 * k);
            const i32x8 two = i32x8_gather2(bricks + row, corner);
            y[j] = alg_pst_between(f32x8_of(i32x8_and(two, half)),
                                   f32x8_of(i32x8_and(i32x8_right(two, 16), half)), places->t[0]);
        }
        z[k] = alg_pst_between(y[0], y[1], places->t[1]);
    }
    const f32x8 steps = alg_pst_between(z[0], z[1], places->t[2]);
    /* Four bytes hold `below`, the step and the first bend; the next two the other bends. */
    const i32x8 word = i32x8_gather2(bricks + offsetof(alg_pst_packed, below), brick);
    const i32x8 next = i32x8_gather2(bricks + offsetof(alg_pst_packed, bend) + 1, brick);
    const f32x8 step = f32x8_bits_of(i32x8_left(i32x8_and(i32x8_right(word, 16), byte), 23));
    const f32x8 bend[3] = {f32x8_of(i32x8_and(i32x8_right(word, 24), byte)),
                           f32x8_of(i32x8_and(next, byte)),
                           f32x8_of(i32x8_and(i32x8_right(next, 8), byte))};
    const f32x8 unit = f32x8_mul(places->edge, f32x8_set(1.0F / 256));
    const f32x8 least =
        f32x8_bits_of(i32x8_gather2(bricks + offsetof(alg_pst_packed, least), brick));
    *below = f32x8_bits_of(i32x8_left(word, 16));
    return f32x8_sub(f32x8_add(least, f32x8_mul(step, steps)),
                     f32x8_mul(unit, alg_pst_bent(places, bend)));
}

/** Beyond the blocks: the value from the nearest point of theirs on. */
static inline void alg_pst_go_beyond(const alg_pst_places *places, f32x8 *value, f32x8 *below)
{
    const f32x8 zero = f32x8_set(0), way2 = places->way2;
    if (m32x8_bits(f32x8_lt(zero, way2)) != 0) {
        const f32x8 outside = f32x8_max(*value, zero);
        const f32x8 far = f32x8_sqrt(f32x8_add(way2, f32x8_mul(outside, outside)));
        const f32x8 rounding = f32x8_mul(f32x8_sqrt(way2), f32x8_set((float)ALG_PST_LOOKUP_ERROR));
        *value = f32x8_select(f32x8_lt(zero, way2), far, *value);
        *below = f32x8_add(*below, rounding);
    }
}

/**
 * alg_pst_field_at of eight places; *below may be larger, and holds in spite of the rounding of
 * coordinates to float.
 */
static inline f32x8 alg_pst_read_bricks(const alg_pst_field *field, const alg_pst_places *places,
                                        f32x8 *below)
{
    f32x8 value = alg_pst_interpolate_bricks(field, places, below);
    alg_pst_go_beyond(places, &value, below);
    return value;
}

/** The same of packed bricks: values may be less by a step of theirs. */
static inline f32x8 alg_pst_read_packed(const alg_pst_field *field, const alg_pst_places *places,
                                        f32x8 *below)
{
    f32x8 value = alg_pst_interpolate_packed(field, places, below);
    alg_pst_go_beyond(places, &value, below);
    return value;
}

/** Asks for the packed bricks of places that are read soon. */
static inline void alg_pst_prefetch_packed(const alg_pst_field *field, const alg_pst_places *places)
{
    int32_t brick[ALG_PST_LANES];
    i32x8_store(brick, places->brick);
    for (int lane = 0; lane < ALG_PST_LANES; lane++) {
        __builtin_prefetch(&field->packed[brick[lane]]);
    }
}

#endif
