/** Lookups of eight points: same bits as a reference loop, agreement with scalar lookups, and their
 * bounds. Lookups of four points in double: same bits as scalar lookups. */
#include "algorithms/pst/field_lanes.h"
#include "algorithms/pst/tests/fields.h"
#include "base/elementary.h"
#include "base/simd.h"
#include "base/tests/support.h"

#include <criterion/criterion.h>

/* Both instruction sets are in one program, each in its own suite. */
#ifdef __AVX2__
#define field_lanes field_lanes_avx2
#else
#define field_lanes field_lanes_sse2
#endif

typedef struct eight {
    float at[3][8], value[8], below[8];
    float packed[8], packed_below[8];
} eight;

static void look_up(const alg_pst_field *field, eight *e)
{
    const f32x8 at[3] = {f32x8_load(e->at[0]), f32x8_load(e->at[1]), f32x8_load(e->at[2])};
    const alg_pst_positions positions = alg_pst_find_positions(field, at);
    f32x8 below;
    f32x8_store(e->value, alg_pst_read_bricks(field, &positions, &below));
    f32x8_store(e->below, below);
    f32x8_store(e->packed, alg_pst_read_packed(field, &positions, &below));
    f32x8_store(e->packed_below, below);
}

static bool usable(void)
{
#ifdef __AVX2__
    return base_cpu_avx2();
#else
    return true;
#endif
}

/** Position of a point in its brick. */
typedef struct cell_point {
    uint32_t brick, corner;
    float t[3], edge, outside2;
} cell_point;

/** Reference for a lane: the same operations in the same order, one point at a time. */
static cell_point plain_cell_point(const alg_pst_field *field, const float p[3])
{
    const double edge = field->edge * ALG_PST_BLOCK_CELLS;
    float in[3];
    size_t block = 0;
    cell_point s = {0};
    for (int axis = 2; axis >= 0; axis--) {
        const uint32_t n = field->block_count[axis];
        const float most = (float)(edge * n);
        const float q = p[axis] < 0 ? 0 : p[axis] > most ? most : p[axis];
        const float at = q * (float)(1 / edge);
        const uint32_t whole = (uint32_t)at < n ? (uint32_t)at : n - 1;
        block = block * n + whole;
        in[axis] = at - (float)whole;
    }
    for (int axis = 0; axis < 3; axis++) {
        const float most = (float)(edge * field->block_count[axis]);
        const float q = p[axis] < 0 ? 0 : p[axis] > most ? most : p[axis];
        s.outside2 += (p[axis] - q) * (p[axis] - q);
    }
    const uint32_t word = field->blocks[block], cells = 1u << (word & 3);
    for (int axis = 2; axis >= 0; axis--) {
        const float place = in[axis] * (float)cells;
        const uint32_t cell = (uint32_t)place < cells ? (uint32_t)place : cells - 1;
        s.brick = s.brick * (cells / 2) + cell / 2;
        s.corner = s.corner * 3 + cell % 2;
        s.t[axis] = place - (float)cell < 1 ? place - (float)cell : 1;
    }
    s.brick += word >> 2;
    s.edge = (float)edge / (float)cells;
    return s;
}

static float between(float a, float b, float t)
{
    return a + t * (b - a);
}

/** Interpolates the values at the corners. */
static float plain_trilinear(const cell_point *s, const float values[ALG_PST_BRICK_CORNERS])
{
    float y[2], z[2];
    for (uint32_t k = 0; k < 2; k++) {
        for (uint32_t j = 0; j < 2; j++) {
            const float *const v = values + s->corner + 3 * j + 9 * k;
            y[j] = between(v[0], v[1], s->t[0]);
        }
        z[k] = between(y[0], y[1], s->t[1]);
    }
    return between(z[0], z[1], s->t[2]);
}

static float plain_bent(const cell_point *s, const float bend[3])
{
    float sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        sum += bend[axis] * (s->t[axis] * (1 - s->t[axis]));
    }
    return sum;
}

static float plain_beyond(const cell_point *s, float value)
{
    const float outside = value > 0 ? value : 0;
    return s->outside2 > 0 ? sqrtf(s->outside2 + outside * outside) : value;
}

static float plain_value(const alg_pst_field *field, const cell_point *s, float *below)
{
    const alg_pst_brick *const b = &field->bricks[s->brick];
    *below = base_half_value(b->below) + sqrtf(s->outside2) * (float)ALG_PST_LOOKUP_ERROR;
    return plain_beyond(s, plain_trilinear(s, b->values) - plain_bent(s, b->bend));
}

static float plain_packed(const alg_pst_field *field, const cell_point *s)
{
    const alg_pst_packed *const b = &field->packed[s->brick];
    float values[ALG_PST_BRICK_CORNERS], bend[3];
    for (int i = 0; i < ALG_PST_BRICK_CORNERS; i++) {
        values[i] = (float)b->corners[i];
    }
    for (int axis = 0; axis < 3; axis++) {
        bend[axis] = (float)b->bend[axis];
    }
    const float step = ldexpf(1, b->step - 127);
    const float value = b->least + step * plain_trilinear(s, values);
    return plain_beyond(s, value - s->edge * (1.0F / 256) * plain_bent(s, bend));
}

static bool same_bits(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/** A packed value is less than that of the brick by at most one step, so its bound holds as well.
 */
static void check_packed(const subject *s, const eight *e, int lane, const cell_point *at)
{
    const float want = plain_packed(&s->field, at);
    cr_assert(same_bits(e->packed[lane], want), "%s: packed %a instead of %a", s->name,
              (double)e->packed[lane], (double)want);
    cr_assert(same_bits(e->packed_below[lane], e->below[lane]), "%s: packed error", s->name);
    const double step = ldexp(1, s->field.packed[at->brick].step - 127);
    const double less = (double)e->value[lane] - (double)e->packed[lane];
    const double rounding = subject_rounding(s, sqrt((double)at->outside2)) / 4;
    cr_assert(less >= -rounding && less <= step + rounding, "%s: packed %g less, steps of %g",
              s->name, less, step);
}

static void check_eight(const subject *s, eight *e, const vec3 positions[8])
{
    look_up(&s->field, e);
    for (int lane = 0; lane < 8; lane++) {
        const float p[3] = {e->at[0][lane], e->at[1][lane], e->at[2][lane]};
        const cell_point at = plain_cell_point(&s->field, p);
        float below;
        const float value = plain_value(&s->field, &at, &below);
        cr_assert(same_bits(value, e->value[lane]), "%s: %a instead of %a", s->name,
                  (double)e->value[lane], (double)value);
        cr_assert(same_bits(below, e->below[lane]), "%s: error %a instead of %a", s->name,
                  (double)e->below[lane], (double)below);
        check_packed(s, e, lane, &at);
        const double d = subject_distance(s, positions[lane]);
        const double least = (double)value - (double)below;
        cr_assert(least <= d, "%s: %.9g - %.9g is above %.9g", s->name, (double)value,
                  (double)below, d);
        cr_assert((double)e->packed[lane] - (double)below <= d, "%s: packed %.9g - %.9g above %.9g",
                  s->name, (double)e->packed[lane], (double)below, d);
        if (subject_inner(s, positions[lane], 0.01)) {
            const alg_pst_sample one = alg_pst_field_at(&s->field, positions[lane]);
            const double rounding = subject_rounding(s, subject_way(s, positions[lane]));
            cr_assert_float_eq((double)value, (double)one.value, rounding, "%s: %.9g, %.9g",
                               s->name, (double)value, (double)one.value);
            cr_assert((double)below >= (double)one.below * (1 - 1e-6), "%s", s->name);
        }
    }
}

Test(field_lanes, are_those_of_single_points)
{
    enum { PACKETS = 12500 };
    for (uint32_t which = 0; which < SUBJECTS && usable(); which++) {
        const double scale = which % 3 == 0 ? 1 : which % 3 == 1 ? 1e-3 : 1e3;
        base_random random = base_random_seed(which);
        SCOPED_SUBJECT s;
        open_subject(&s, which, scale);
        for (size_t i = 0; i < PACKETS; i += sweep_step(7)) {
            vec3 positions[8];
            eight e;
            for (int lane = 0; lane < 8; lane++) {
                positions[lane] = subject_point(&s, &random);
                const vec3 from = vec3_sub(positions[lane], s.field.corner);
                for (int axis = 0; axis < 3; axis++) {
                    e.at[axis][lane] = (float)vec3_get(from, axis);
                }
            }
            check_eight(&s, &e, positions);
        }
    }
}

/** Sets random bends, up to the greatest value of a byte. The other bodies do not have such
 * bends. */
static void bend_bricks(alg_pst_field *field, base_random *random)
{
    const uint32_t *const n = field->block_count;
    for (uint32_t block = 0; block < n[0] * n[1] * n[2]; block++) {
        const uint32_t first = field->blocks[block] >> 2, level = field->blocks[block] & 3;
        const double edge = ldexp(field->edge, (int)(ALG_PST_LEVEL_MOST - level));
        for (uint32_t k = first; k < first + (1u << 3 * (level - 1)); k++) {
            for (int axis = 0; axis < 3; axis++) {
                const double units = (double)base_random_below(random, 256);
                field->bricks[k].bend[axis] = (float)(units / 256 * edge);
            }
        }
    }
}

Test(field_lanes, of_any_bend)
{
    base_random random = base_random_seed(12);
    SCOPED_SUBJECT s;
    open_subject(&s, 0, 1);
    bend_bricks(&s.field, &random);
    assert_ok(alg_pst_field_pack(&s.field, &s.arena, ERR));
    for (int i = 0; i < 2000 && usable(); i++) {
        eight e;
        for (int lane = 0; lane < 8; lane++) {
            const vec3 from = vec3_sub(subject_point(&s, &random), s.field.corner);
            for (int axis = 0; axis < 3; axis++) {
                e.at[axis][lane] = (float)vec3_get(from, axis);
            }
        }
        look_up(&s.field, &e);
        for (int lane = 0; lane < 8; lane++) {
            const float p[3] = {e.at[0][lane], e.at[1][lane], e.at[2][lane]};
            const cell_point at = plain_cell_point(&s.field, p);
            check_packed(&s, &e, lane, &at);
        }
    }
}

/** Lanes are independent: one point among far ones, and corners of the blocks up to the last one.
 */
Test(field_lanes, do_not_mix)
{
    SCOPED_SUBJECT s;
    open_subject(&s, 0, 1);
    const vec3 extent = subject_extent(&s);
    for (uint32_t corners = 0; corners < 8 && usable(); corners++) {
        eight near = {0}, mixed;
        for (int lane = 0; lane < 8; lane++) {
            for (int axis = 0; axis < 3; axis++) {
                const double last = corners >> axis & 1 ? vec3_get(extent, axis) : 0;
                near.at[axis][lane] = (float)last;
            }
        }
        look_up(&s.field, &near);
        for (int lone = 0; lone < 8; lone++) {
            mixed = near;
            for (int lane = 0; lane < 8; lane++) {
                mixed.at[lane % 3][lane] += lane == lone ? 0 : 100.0F * (float)(lane + 1);
            }
            look_up(&s.field, &mixed);
            cr_assert(memcmp(&mixed.value[lone], &near.value[lone], sizeof(float)) == 0);
            cr_assert(memcmp(&mixed.below[lone], &near.below[lone], sizeof(float)) == 0);
        }
    }
}

/* --- Four in double --------------------------------------------------------------------------- */

static void check_four(const subject *s, const vec3 p[4], int *beyond, int *inside)
{
    double values[4];
    const vec4 at = {f64x4_lanes(p[0].x, p[1].x, p[2].x, p[3].x),
                     f64x4_lanes(p[0].y, p[1].y, p[2].y, p[3].y),
                     f64x4_lanes(p[0].z, p[1].z, p[2].z, p[3].z)};
    f64x4_store(values, alg_pst_read_four(&s->field, at));
    for (int i = 0; i < 4; i++) {
        const bool in_blocks = subject_way(s, p[i]) <= 0;
        const float want = in_blocks ? alg_pst_field_at(&s->field, p[i]).value : 0;
        cr_assert(same_bits((float)values[i], want), "%s, lane %d: %a instead of %a", s->name, i,
                  values[i], (double)want);
        *beyond += !in_blocks;
        *inside += want < 0;
    }
}

/** Random points, and corners of cells and of blocks, which could belong to several cells. */
Test(field_lanes, four_are_those_of_single_points)
{
    for (uint32_t which = 0; which < SUBJECTS && usable(); which++) {
        base_random random = base_random_seed(which + 100);
        SCOPED_SUBJECT s;
        open_subject(&s, which, which % 2 == 0 ? 1 : 1e-3);
        if (which == 0) {
            bend_bricks(&s.field, &random);
            assert_ok(alg_pst_field_pack(&s.field, &s.arena, ERR));
        }
        int beyond = 0, inside = 0;
        for (int i = 0; i < 5000; i++) {
            vec3 p[4];
            for (int lane = 0; lane < 4; lane++) {
                p[lane] = subject_point(&s, &random);
                if (i % 4 == 0) {
                    const uint32_t *const n = s.field.block_count;
                    const double h = i % 8 == 0 ? s.field.edge : s.field.edge * ALG_PST_BLOCK_CELLS;
                    const uint32_t cells = i % 8 == 0 ? ALG_PST_BLOCK_CELLS : 1;
                    const vec3 whole = {h * (double)base_random_below(&random, cells * n[0] + 1),
                                        h * (double)base_random_below(&random, cells * n[1] + 1),
                                        h * (double)base_random_below(&random, cells * n[2] + 1)};
                    p[lane] = vec3_add(s.field.corner, whole);
                }
            }
            check_four(&s, p, &beyond, &inside);
        }
        cr_assert(beyond > 500 && beyond < 15000, "%s: %d", s.name, beyond);
        cr_assert(!s.solid || inside > 5, "%s: %d", s.name, inside);
    }
}

Test(field_lanes, floors_are_those_of_the_library)
{
    const double at[] = {0,   0x1p-1074, 0.25, 0.5,         1 - 0x1p-53, 1,
                         1.5, 2.5,       3.5,  4 - 0x1p-51, 1e9 + 0.5,   0x1p31};
    for (size_t i = 0; i < sizeof at / sizeof *at && usable(); i++) {
        double got[4];
        f64x4_store(got, alg_pst_floor_four(f64x4_set(at[i]), f64x4_lanes(0, 3, 1e6, 0x1p32)));
        cr_assert(got[0] == 0 && got[1] == fmin(floor(at[i]), 3) &&
                      got[2] == fmin(floor(at[i]), 1e6) && got[3] == floor(at[i]),
                  "%a: %g, %g, %g, %g", at[i], got[0], got[1], got[2], got[3]);
    }
}
