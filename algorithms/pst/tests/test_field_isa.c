/** Lookups of eight points: against a plain loop to the last bit, against the scalar ones, and their bounds. */
#include "algorithms/pst/field_lanes.h"
#include "algorithms/pst/tests/fields.h"
#include "base/cpu.h"

#include <criterion/criterion.h>

TestSuite(field_lanes, .timeout = 120);

typedef struct eight {
    float at[3][8], value[8], below[8];
} eight;

static void look_up(const alg_pst_field *field, eight *e)
{
    f32x8 value, below;
    alg_pst_field_lanes(field, f32x8_load(e->at[0]), f32x8_load(e->at[1]), f32x8_load(e->at[2]),
                        &value, &below);
    f32x8_store(e->value, value);
    f32x8_store(e->below, below);
}

static bool usable(void)
{
#ifdef __AVX2__
    return base_cpu_avx2();
#else
    return true;
#endif
}

/** What the lanes are to do, one point at a time: the same sums in the same order. */
static float plain_value(const alg_pst_field *field, const float p[3], float *below)
{
    const double edge = field->edge * ALG_PST_BLOCK_CELLS;
    float at[3], t[3], way2 = 0;
    size_t block = 0;
    for (int axis = 2; axis >= 0; axis--) {
        const uint32_t n = field->block_count[axis];
        const float most = (float)(edge * n);
        const float q = p[axis] < 0 ? 0 : p[axis] > most ? most : p[axis];
        const float place = q * (float)(1 / edge);
        at[axis] = place < (float)n ? place : (float)n;
        const uint32_t whole = (uint32_t)at[axis] < n ? (uint32_t)at[axis] : n - 1;
        block = block * n + whole;
        at[axis] -= (float)whole;
    }
    for (int axis = 0; axis < 3; axis++) {
        const float most = (float)(edge * field->block_count[axis]);
        const float q = p[axis] < 0 ? 0 : p[axis] > most ? most : p[axis];
        way2 += (p[axis] - q) * (p[axis] - q);
    }
    const uint32_t word = field->blocks[block], cells = 1u << (word & 3);
    uint32_t brick = 0, corner = 0;
    for (int axis = 2; axis >= 0; axis--) {
        const float place = at[axis] * (float)cells;
        const uint32_t cell = (uint32_t)place < cells ? (uint32_t)place : cells - 1;
        brick = brick * (cells / 2) + cell / 2;
        corner = corner * 3 + cell % 2;
        t[axis] = place - (float)cell < 1 ? place - (float)cell : 1;
    }
    const alg_pst_brick *const b = field->bricks + (word >> 2) + brick;
    float pair[2];
    for (uint32_t x = 0; x < 2; x++) {
        const float *const v = b->values + corner + x;
        const float lo = v[0] + t[1] * (v[3] - v[0]), hi = v[9] + t[1] * (v[12] - v[9]);
        pair[x] = lo + t[2] * (hi - lo);
    }
    float v = pair[0] + t[0] * (pair[1] - pair[0]);
    for (int axis = 0; axis < 3; axis++) {
        v -= b->bend[axis] * (t[axis] * (1 - t[axis]));
    }
    *below = alg_pst_error(b->below) + sqrtf(way2) * (float)ALG_PST_LOOKUP_ERROR;
    const float outside = v > 0 ? v : 0;
    return way2 > 0 ? sqrtf(way2 + outside * outside) : v;
}

static void check_eight(const subject *s, eight *e, const vec3 places[8])
{
    look_up(&s->field, e);
    for (int lane = 0; lane < 8; lane++) {
        const float at[3] = {e->at[0][lane], e->at[1][lane], e->at[2][lane]};
        float below;
        const float value = plain_value(&s->field, at, &below);
        cr_assert(memcmp(&value, &e->value[lane], sizeof value) == 0, "%s: %a instead of %a",
                  s->name, (double)e->value[lane], (double)value);
        cr_assert(memcmp(&below, &e->below[lane], sizeof below) == 0, "%s: error %a instead of %a",
                  s->name, (double)e->below[lane], (double)below);
        const double d = subject_distance(s, places[lane]);
        const double least = (double)value - (double)below;
        cr_assert(least <= d, "%s: %.9g - %.9g is above %.9g", s->name, (double)value,
                  (double)below, d);
        if (subject_inner(s, places[lane], 0.01)) {
            const alg_pst_sample one = alg_pst_field_at(&s->field, places[lane]);
            const double rounding = subject_rounding(s, subject_way(s, places[lane]));
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
        subject s;
        open_subject(&s, which, scale);
        for (int i = 0; i < PACKETS; i++) {
            vec3 places[8];
            eight e;
            for (int lane = 0; lane < 8; lane++) {
                places[lane] = subject_point(&s, &random);
                const vec3 from = vec3_sub(places[lane], s.field.corner);
                for (int axis = 0; axis < 3; axis++) {
                    e.at[axis][lane] = (float)vec3_get(from, axis);
                }
            }
            check_eight(&s, &e, places);
        }
        close_subject(&s);
    }
}

/** Lanes know nothing of each other: one alone among far ones, and corners of the blocks to the last. */
Test(field_lanes, do_not_mix)
{
    subject s;
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
    close_subject(&s);
}
