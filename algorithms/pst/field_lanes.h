/**
 * Lookups in a field of distances (field.h) for several points at once: for eight points in float,
 * or for four in double. The files that include this header are compiled once per instruction set.
 */
#ifndef ALGORITHMS_PST_FIELD_LANES_H
#define ALGORITHMS_PST_FIELD_LANES_H

#include "algorithms/pst/field.h"
#include "geometry/lanes.h"
#include "geometry/pose.h"

#include <stddef.h>

enum { ALG_PST_LANES = 8 };

/** Positions of eight points in their bricks (field.h). A point outside of the blocks is replaced
 * by the nearest point of the blocks. */
typedef struct alg_pst_positions {
    i32x8 brick, corner; /* corner: lowest corner of the cell, in the brick */
    f32x8 edge;          /* edge of the cell */
    f32x8 t[3];          /* position in the cell, 0 to 1 */
    f32x8 outside2;      /* squared distance of the point from the blocks */
} alg_pst_positions;

/** Moves eight points. */
static inline void alg_pst_move_eight(const geo_motion *m, const f32x8 p[3], f32x8 moved[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const f32x8 a = f32x8_mul(f32x8_set(m->column[0][axis]), p[0]);
        const f32x8 b = f32x8_mul(f32x8_set(m->column[1][axis]), p[1]);
        const f32x8 c = f32x8_mul(f32x8_set(m->column[2][axis]), p[2]);
        moved[axis] = f32x8_add(f32x8_add(f32x8_add(a, b), c), f32x8_set(m->t[axis]));
    }
}

/** Returns the whole parts of coordinates, but at most `last`. *rest becomes the coordinates minus
 * these. at: not negative. */
static inline i32x8 alg_pst_whole(f32x8 at, i32x8 last, f32x8 *rest)
{
    const i32x8 whole = i32x8_min(i32x8_of(at), last);
    *rest = f32x8_sub(at, f32x8_of(whole));
    return whole;
}

/**
 * Computes the positions of eight points.
 *
 * Frames   p: x, y, z in the field's frame, relative to field->corner, in metres.
 */
static inline alg_pst_positions alg_pst_find_positions(const alg_pst_field *field, const f32x8 p[3])
{
    const f32x8 zero = f32x8_set(0);
    f32x8 at[3], outside2 = zero; /* at: in units of blocks */
    for (int axis = 0; axis < 3; axis++) {
        const f32x8 q = f32x8_min(f32x8_max(p[axis], zero), f32x8_set(field->extent[axis]));
        const f32x8 gap = f32x8_sub(p[axis], q);
        outside2 = f32x8_add(outside2, f32x8_mul(gap, gap));
        at[axis] = f32x8_mul(q, f32x8_set(field->per_side));
    }
    const i32x8 one = i32x8_set(1);
    const f32x8 most = f32x8_set(1);
    f32x8 in[3]; /* position in the block, 0 to 1 */
    i32x8 block = i32x8_set(0);
    for (int axis = 2; axis >= 0; axis--) {
        const int32_t n = (int32_t)field->block_count[axis];
        const i32x8 whole = alg_pst_whole(at[axis], i32x8_set(n - 1), &in[axis]);
        block = i32x8_add(i32x8_mul(block, i32x8_set(n)), whole);
    }
    const i32x8 word = i32x8_gather(field->blocks, block);
    const i32x8 level = i32x8_and(word, i32x8_set(3));
    /* Computes 2^level and its inverse by setting the exponent of a float. */
    const i32x8 bias = i32x8_set(127);
    const f32x8 cells = f32x8_bits_of(i32x8_left(i32x8_add(bias, level), 23));
    const f32x8 part = f32x8_bits_of(i32x8_left(i32x8_sub(bias, level), 23));
    const i32x8 count = i32x8_of(cells), bricks = i32x8_right(count, 1);
    alg_pst_positions positions = {
        .brick = i32x8_set(0),
        .corner = i32x8_set(0),
        .edge = f32x8_mul(part, f32x8_set(field->side)),
        .outside2 = outside2,
    };
    for (int axis = 2; axis >= 0; axis--) {
        const i32x8 cell =
            alg_pst_whole(f32x8_mul(in[axis], cells), i32x8_sub(count, one), &positions.t[axis]);
        positions.t[axis] = f32x8_min(positions.t[axis], most);
        positions.brick = i32x8_add(i32x8_mul(positions.brick, bricks), i32x8_right(cell, 1));
        positions.corner =
            i32x8_add(i32x8_mul(positions.corner, i32x8_set(3)), i32x8_and(cell, one));
    }
    /* The mask keeps the 26 bits of a brick's number (alg_pst_field_build). */
    positions.brick =
        i32x8_add(positions.brick, i32x8_and(i32x8_right(word, 2), i32x8_set(0x3ffffff)));
    return positions;
}

/** Returns a + t (b - a). */
static inline f32x8 alg_pst_between(f32x8 a, f32x8 b, f32x8 t)
{
    return f32x8_add(a, f32x8_mul(t, f32x8_sub(b, a)));
}

/** Returns the sum of bend[i] t[i] (1 - t[i]) over the three axes i. */
static inline f32x8 alg_pst_bent(const alg_pst_positions *positions, const f32x8 bend[3])
{
    f32x8 sum = f32x8_set(0);
    for (int axis = 0; axis < 3; axis++) {
        const f32x8 t = positions->t[axis];
        const f32x8 tau = f32x8_mul(t, f32x8_sub(f32x8_set(1), t));
        sum = f32x8_add(sum, f32x8_mul(bend[axis], tau));
    }
    return sum;
}

/**
 * Returns the values at eight points, which may be outside of the blocks. value: for each point,
 * the value at the nearest point of the blocks. If the point itself is in a block, this is already
 * its value. If not, the value increases with the distance from the blocks, and *below is increased
 * by a bound of the additional rounding.
 */
static inline f32x8 alg_pst_go_beyond(const alg_pst_positions *positions, f32x8 value, f32x8 *below)
{
    const f32x8 zero = f32x8_set(0), outside2 = positions->outside2;
    if (m32x8_bits(f32x8_lt(zero, outside2)) == 0) {
        return value;
    }
    const f32x8 outside = f32x8_max(value, zero);
    const f32x8 far = f32x8_sqrt(f32x8_add(outside2, f32x8_mul(outside, outside)));
    const f32x8 rounding = f32x8_mul(f32x8_sqrt(outside2), f32x8_set((float)ALG_PST_LOOKUP_ERROR));
    *below = f32x8_add(*below, rounding);
    return f32x8_select(f32x8_lt(zero, outside2), far, value);
}

/**
 * Returns the values of alg_pst_field_at at eight points, and sets *below to their errors `below`
 * (alg_pst_sample). The arithmetic is in float, so a value may differ from that of alg_pst_field_at
 * by rounding. *below includes a bound of this rounding.
 */
static inline f32x8 alg_pst_read_bricks(const alg_pst_field *field,
                                        const alg_pst_positions *positions, f32x8 *below)
{
    const void *cells[ALG_PST_LANES], *bricks[ALG_PST_LANES];
    int32_t brick[ALG_PST_LANES], corner[ALG_PST_LANES];
    i32x8_store(brick, positions->brick);
    i32x8_store(corner, positions->corner);
    for (int i = 0; i < ALG_PST_LANES; i++) {
        bricks[i] = &field->bricks[brick[i]];
        cells[i] = &field->bricks[brick[i]].values[corner[i]];
    }
    f32x8 y[2], z[2];
    for (size_t k = 0; k < 2; k++) {
        for (size_t j = 0; j < 2; j++) {
            i32x8 upper;
            const i32x8 lower = i32x8_load_pairs(cells, sizeof(float) * (3 * j + 9 * k), &upper);
            y[j] = alg_pst_between(f32x8_bits_of(lower), f32x8_bits_of(upper), positions->t[0]);
        }
        z[k] = alg_pst_between(y[0], y[1], positions->t[1]);
    }
    i32x8 second, errors;
    const size_t at = offsetof(alg_pst_brick, bend);
    const i32x8 first = i32x8_load_pairs(bricks, at, &second);
    const i32x8 third = i32x8_load_pairs(bricks, at + 2 * sizeof(float), &errors);
    const f32x8 bend[3] = {f32x8_bits_of(first), f32x8_bits_of(second), f32x8_bits_of(third)};
    /* The lower half of these four bytes is `below`. */
    *below = f32x8_bits_of(i32x8_left(errors, 16));
    const f32x8 trilinear = alg_pst_between(z[0], z[1], positions->t[2]);
    return alg_pst_go_beyond(positions, f32x8_sub(trilinear, alg_pst_bent(positions, bend)), below);
}

/** Like alg_pst_read_bricks, with packed bricks. Values may be smaller by up to one step of their
 * brick (alg_pst_packed). */
static inline f32x8 alg_pst_read_packed(const alg_pst_field *field,
                                        const alg_pst_positions *positions, f32x8 *below)
{
    const char *const bricks = (const char *)field->packed;
    const i32x8 byte = i32x8_set(0xff), half = i32x8_set(0xffff);
    const i32x8 brick = i32x8_mul(positions->brick, i32x8_set(sizeof *field->packed / 2));
    const i32x8 corner = i32x8_add(brick, positions->corner);
    f32x8 y[2], z[2];
    for (size_t k = 0; k < 2; k++) {
        for (size_t j = 0; j < 2; j++) {
            const size_t row = offsetof(alg_pst_packed, corners) + 2 * (3 * j + 9 * k);
            const i32x8 two = i32x8_gather2(bricks + row, corner);
            y[j] =
                alg_pst_between(f32x8_of(i32x8_and(two, half)),
                                f32x8_of(i32x8_and(i32x8_right(two, 16), half)), positions->t[0]);
        }
        z[k] = alg_pst_between(y[0], y[1], positions->t[1]);
    }
    const f32x8 steps = alg_pst_between(z[0], z[1], positions->t[2]);
    /* Four bytes hold `below`, the step and the first bend. The next two hold the other bends. */
    const i32x8 word = i32x8_gather2(bricks + offsetof(alg_pst_packed, below), brick);
    const i32x8 next = i32x8_gather2(bricks + offsetof(alg_pst_packed, bend) + 1, brick);
    const f32x8 step = f32x8_bits_of(i32x8_left(i32x8_and(i32x8_right(word, 16), byte), 23));
    const f32x8 bend[3] = {f32x8_of(i32x8_and(i32x8_right(word, 24), byte)),
                           f32x8_of(i32x8_and(next, byte)),
                           f32x8_of(i32x8_and(i32x8_right(next, 8), byte))};
    const f32x8 unit = f32x8_mul(positions->edge, f32x8_set(1.0F / 256));
    const f32x8 least =
        f32x8_bits_of(i32x8_gather2(bricks + offsetof(alg_pst_packed, least), brick));
    *below = f32x8_bits_of(i32x8_left(word, 16));
    const f32x8 value = f32x8_sub(f32x8_add(least, f32x8_mul(step, steps)),
                                  f32x8_mul(unit, alg_pst_bent(positions, bend)));
    return alg_pst_go_beyond(positions, value, below);
}

/** Prefetches bricks, two cache lines each. */
static inline void alg_pst_prefetch_bricks(const alg_pst_field *field,
                                           const alg_pst_positions *positions)
{
    int32_t brick[ALG_PST_LANES];
    i32x8_store(brick, positions->brick);
    for (int lane = 0; lane < ALG_PST_LANES; lane++) {
        __builtin_prefetch(&field->bricks[brick[lane]]);
        __builtin_prefetch(&field->bricks[brick[lane]].bend);
    }
}

/** Like alg_pst_prefetch_bricks, with packed bricks. */
static inline void alg_pst_prefetch_packed(const alg_pst_field *field,
                                           const alg_pst_positions *positions)
{
    int32_t brick[ALG_PST_LANES];
    i32x8_store(brick, positions->brick);
    for (int lane = 0; lane < ALG_PST_LANES; lane++) {
        __builtin_prefetch(&field->packed[brick[lane]]);
    }
}

/* --- Four in double --------------------------------------------------------------------------- */

/** Returns floor(at), but at most `last`. Lanes of at are from 0 to 2^51. last: integers. */
static inline f64x4 alg_pst_floor_four(f64x4 at, f64x4 last)
{
    /* The sum is rounded to the nearest integer. */
    const f64x4 shift = f64x4_set(0x1p52), least = f64x4_min(at, last);
    const f64x4 nearest = f64x4_sub(f64x4_add(least, shift), shift);
    const f64x4 one = f64x4_set(1), zero = f64x4_set(0);
    return f64x4_sub(nearest, f64x4_select(f64x4_lt(least, nearest), one, zero));
}

/** Cells of four points: their lowest corners, and the bends of their bricks. */
typedef struct alg_pst_four_cells {
    const float *corner[4], *bend[4];
    f64x4 t[3]; /* position in the cell, 0 to 1 */
} alg_pst_four_cells;

/** Finds the cells of points whose coordinates relative to the field's corner are not negative.
 * Points beyond the last block get its last cells. */
static inline alg_pst_four_cells alg_pst_find_four(const alg_pst_field *field, const f64x4 from[3])
{
    const f64x4 one = f64x4_set(1), half = f64x4_set(0.5);
    const f64x4 side = f64x4_set(field->edge * ALG_PST_BLOCK_CELLS);
    f64x4 in[3], block = f64x4_set(0); /* in: position in the block, 0 to 1 */
    for (int axis = 2; axis >= 0; axis--) {
        const f64x4 n = f64x4_set(field->block_count[axis]);
        const f64x4 at = f64x4_div(from[axis], side);
        const f64x4 whole = alg_pst_floor_four(at, f64x4_sub(n, one));
        block = f64x4_add(f64x4_mul(block, n), whole);
        in[axis] = f64x4_min(f64x4_sub(at, whole), one);
    }
    int32_t index[4], offset[4];
    f64x4_truncate(index, block);
    const uint32_t word[4] = {field->blocks[index[0]], field->blocks[index[1]],
                              field->blocks[index[2]], field->blocks[index[3]]};
    const f64x4 cells =
        f64x4_lanes(1 << (word[0] & 3), 1 << (word[1] & 3), 1 << (word[2] & 3), 1 << (word[3] & 3));
    const f64x4 bricks = f64x4_mul(cells, half), last = f64x4_sub(cells, one);
    f64x4 brick = f64x4_set(0), corner = f64x4_set(0);
    alg_pst_four_cells found;
    for (int axis = 2; axis >= 0; axis--) {
        const f64x4 at = f64x4_mul(in[axis], cells);
        const f64x4 cell = alg_pst_floor_four(at, last);
        const f64x4 above = alg_pst_floor_four(f64x4_mul(cell, half), bricks);
        brick = f64x4_add(f64x4_mul(brick, bricks), above);
        corner =
            f64x4_add(f64x4_mul(corner, f64x4_set(3)), f64x4_sub(cell, f64x4_add(above, above)));
        found.t[axis] = f64x4_sub(at, cell);
    }
    f64x4_truncate(index, brick);
    f64x4_truncate(offset, corner);
    for (int i = 0; i < 4; i++) {
        const alg_pst_brick *const b = field->bricks + (word[i] >> 2) + index[i];
        found.corner[i] = b->values + offset[i];
        found.bend[i] = b->bend;
    }
    return found;
}

static inline f64x4 alg_pst_gather_four(const float *const p[4], size_t at)
{
    return f64x4_lanes((double)p[0][at], (double)p[1][at], (double)p[2][at], (double)p[3][at]);
}

/** Returns a + t (b - a). */
static inline f64x4 alg_pst_between_four(f64x4 a, f64x4 b, f64x4 t)
{
    return f64x4_add(a, f64x4_mul(t, f64x4_sub(b, a)));
}

/**
 * Returns the values at four points in the field's frame, in double. Rounded to float, they have
 * the same bits as the values of alg_pst_field_at. A point outside of the blocks is an exception:
 * its value in alg_pst_field_at is 0 or positive, and 0 is returned here.
 */
static inline f64x4 alg_pst_read_four(const alg_pst_field *field, vec4 p)
{
    const f64x4 at[3] = {p.x, p.y, p.z}, zero = f64x4_set(0);
    f64x4 from[3], y[2], z[2], outside = zero;
    for (int axis = 0; axis < 3; axis++) {
        const double h = field->edge * ALG_PST_BLOCK_CELLS;
        const double corner = vec3_get(field->corner, axis);
        const f64x4 far = f64x4_set(corner + h * field->block_count[axis]);
        from[axis] = f64x4_sub(at[axis], f64x4_set(corner));
        const m64x4 within = m64x4_and(f64x4_le(zero, from[axis]), f64x4_le(at[axis], far));
        outside = f64x4_select(within, outside, f64x4_set(1));
        from[axis] = f64x4_select(within, from[axis], zero);
    }
    const alg_pst_four_cells cells = alg_pst_find_four(field, from);
    for (size_t k = 0; k < 2; k++) {
        for (size_t j = 0; j < 2; j++) {
            const size_t row = 3 * j + 9 * k;
            y[j] = alg_pst_between_four(alg_pst_gather_four(cells.corner, row),
                                        alg_pst_gather_four(cells.corner, row + 1), cells.t[0]);
        }
        z[k] = alg_pst_between_four(y[0], y[1], cells.t[1]);
    }
    f64x4 value = alg_pst_between_four(z[0], z[1], cells.t[2]);
    for (size_t axis = 0; axis < 3; axis++) {
        const f64x4 bend = alg_pst_gather_four(cells.bend, axis), t = cells.t[axis];
        value = f64x4_sub(value, f64x4_mul(f64x4_mul(bend, t), f64x4_sub(f64x4_set(1), t)));
    }
    return f64x4_select(f64x4_lt(zero, outside), zero, value);
}

#endif
