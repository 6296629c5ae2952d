#include "base/random.h"
#include "geometry/bvh.h"

#include <criterion/criterion.h>
#include <math.h>

/** Evaluates the definition, ball by ball. */
static uint32_t look_at_all(const vec3 *centres, const double *radii, size_t count, vec3 p,
                            double *gap)
{
    uint32_t best = 0;
    *gap = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        const double g = vec3_distance(p, centres[i]) - radii[i];
        if (g < *gap) {
            *gap = g;
            best = i;
        }
    }
    return best;
}

/* On a lattice many balls are equally near, and points are in balls, on them and between them. */
Test(nearest, is_that_of_all_balls_with_any_hint)
{
    enum { SIDE = 8, COUNT = SIDE * SIDE * SIDE, POINTS = 4000 };
    vec3 centres[COUNT];
    double radii[COUNT];
    base_random random = base_random_seed(1);
    for (int i = 0; i < COUNT; i++) {
        centres[i] = (vec3){i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        radii[i] = 0.125 * (double)base_random_below(&random, 4);
    }
    base_arena arena = {0};
    base_error err = {0};
    geo_nearest nearest;
    cr_assert_eq(geo_nearest_build(centres, radii, COUNT, &arena, &nearest, &err), BASE_OK);
    size_t inside = 0;
    for (int i = 0; i < POINTS; i++) {
        const vec3 p = {0.25 * (double)base_random_below(&random, 40) - 1,
                        0.25 * (double)base_random_below(&random, 40) - 1,
                        0.25 * (double)base_random_below(&random, 40) - 1};
        double expected_gap, gap, gap_hinted;
        const uint32_t expected = look_at_all(centres, radii, COUNT, p, &expected_gap);
        const uint32_t hint = (uint32_t)base_random_below(&random, COUNT);
        cr_assert_eq(geo_nearest_find(&nearest, p, GEO_NEAREST_NONE, &gap), expected, "%d", i);
        cr_assert_eq(geo_nearest_find(&nearest, p, hint, &gap_hinted), expected, "%d", i);
        cr_assert(gap == expected_gap && gap_hinted == expected_gap, "%d: %g", i, gap);
        inside += gap < 0;
    }
    for (uint32_t ball = 0; ball < COUNT; ball++) {
        double expected_gap = INFINITY, gap;
        uint32_t expected = GEO_NEAREST_NONE;
        for (uint32_t i = 0; i < COUNT; i++) {
            const double d = vec3_distance(centres[ball], centres[i]) - radii[i];
            if (i != ball && d < expected_gap) {
                expected_gap = d;
                expected = i;
            }
        }
        const uint32_t hint = (uint32_t)base_random_below(&random, COUNT);
        cr_assert_eq(geo_nearest_other(&nearest, ball, GEO_NEAREST_NONE, &gap), expected, "%u",
                     ball);
        cr_assert_eq(gap, expected_gap);
        cr_assert_eq(geo_nearest_other(&nearest, ball, hint, &gap), expected, "%u", ball);
    }
    cr_assert_gt(inside, 10);
    base_arena_release(&arena);
}

Test(nearest, of_one_ball_there_is_no_other)
{
    const vec3 centre = {1, 2, 3};
    const double radius = 0.5;
    base_arena arena = {0};
    base_error err = {0};
    geo_nearest nearest;
    double gap;
    cr_assert_eq(geo_nearest_build(&centre, &radius, 1, &arena, &nearest, &err), BASE_OK);
    cr_assert_eq(geo_nearest_other(&nearest, 0, GEO_NEAREST_NONE, &gap), GEO_NEAREST_NONE);
    cr_assert_eq(gap, INFINITY);
    base_arena_release(&arena);
}
