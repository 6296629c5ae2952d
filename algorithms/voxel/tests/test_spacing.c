#include "algorithms/voxel/spacing.h"
#include "base/tests/support.h"

#include "base/memory.h"
#include "base/random.h"

#include <criterion/criterion.h>

/* --- Selection -------------------------------------------------------------------------------- */

enum { POINTS = 4000 };

typedef struct choice {
    uint32_t places[POINTS];
    size_t count;
    double radius;
} choice;

static choice choose(const vec3 *points, size_t first, size_t count, size_t target, double guess,
                     uint64_t seed)
{
    static choice c;
    assert_ok(alg_blue_noise_choose(points, first, count, target, guess, seed, c.places, &c.count,
                                    &c.radius, ERR));
    return c;
}

/** Returns points in a square of edge 1 and on a line across it. */
static vec3 *random_points(void)
{
    base_random random = base_random_seed(4);
    vec3 *const points = base_alloc(POINTS, sizeof *points);
    for (int i = 0; i < POINTS; i++) {
        points[i].x = base_random_unit(&random);
        points[i].y = i % 10 == 0 ? points[i].x : base_random_unit(&random);
        points[i].z = i % 10 == 0 ? 0.3 : 0;
    }
    return points;
}

Test(blue_noise, is_a_maximal_set_of_points_that_are_apart)
{
    SCOPED_FREE vec3 *const points = random_points();
    for (size_t target = 1; target <= 1000; target = 3 * target + 1) {
        for (double guess = 1e-4; guess < 1e3; guess *= 1e3) {
            const choice c = choose(points, POINTS / 2, POINTS, target, guess, target);
            cr_assert_leq(fabs((double)c.count - (double)target),
                          target < 100 ? 1 : 0.01 * (double)target, "%zu for %zu", c.count, target);
            for (size_t i = 0; i < POINTS; i++) {
                double nearest = INFINITY;
                for (size_t k = 0; k < c.count; k++) {
                    nearest = fmin(nearest, vec3_distance(points[i], points[c.places[k]]));
                }
                cr_assert_lt(nearest, c.radius, "point %zu, %zu wanted", i, target);
            }
            for (size_t i = 0; i < c.count; i++) {
                for (size_t k = 0; k < i; k++) {
                    cr_assert_geq(vec3_distance(points[c.places[i]], points[c.places[k]]),
                                  c.radius * (1 - 1e-15), "%zu wanted", target);
                }
            }
        }
    }
}

Test(blue_noise, the_first_are_tried_before_the_others)
{
    SCOPED_FREE vec3 *const points = random_points();
    /* Each point of the second half equals one of the first half. */
    for (size_t i = 0; i < POINTS / 2; i++) {
        points[POINTS / 2 + i] = points[i];
    }
    const choice c = choose(points, POINTS / 2, POINTS, 300, 0.03, 9);
    cr_assert_gt(c.count, 290);
    for (size_t i = 0; i < c.count; i++) {
        cr_assert_lt(c.places[i], POINTS / 2);
    }
}

Test(blue_noise, depends_on_the_seed_alone)
{
    SCOPED_FREE vec3 *const points = random_points();
    for (size_t first = 0; first <= POINTS; first += POINTS) {
        const choice one = choose(points, first, POINTS, 200, 0.05, 1);
        const choice again = choose(points, first, POINTS, 200, 0.05, 1);
        const choice other = choose(points, first, POINTS, 200, 0.05, 2);
        cr_assert(one.count == again.count && one.radius == again.radius);
        cr_assert_eq(memcmp(one.places, again.places, one.count * sizeof *one.places), 0);
        cr_assert_neq(memcmp(one.places, other.places, one.count * sizeof *one.places), 0);
    }
}

Test(blue_noise, the_number_of_points_is_near_the_target)
{
    /* 100 points at distance 1: either all of them are accepted, or at most every second one. 60 is
     * nearer to half of them. */
    vec3 points[100] = {0};
    for (int i = 0; i < 100; i++) {
        points[i].x = i;
    }
    for (int k = 1; k < 40; k++) {
        const size_t count = choose(points, 0, 100, 60, 0.05 * k, 1).count;
        cr_assert(count > 33 && count <= 50, "%zu from a radius of %g", count, 0.05 * k);
    }
}

Test(blue_noise, takes_no_point_twice)
{
    /* Three different points; more are wanted. */
    vec3 points[60] = {0};
    for (int i = 0; i < 60; i++) {
        points[i].x = i % 3;
    }
    choice c = choose(points, 0, 60, 10, 1, 1);
    cr_assert_eq(c.count, 3);
    /* All points at one position. */
    for (int i = 0; i < 60; i++) {
        points[i].x = 7;
    }
    c = choose(points, 30, 60, 5, 1, 1);
    cr_assert_eq(c.count, 1);
    cr_assert_eq(choose(points, 0, 0, 5, 1, 1).count, 0);
    cr_assert_eq(choose(points, 0, 60, 0, 1, 1).count, 0);
}

Test(blue_noise, failing_allocations_are_reported)
{
    SCOPED_FREE vec3 *const points = random_points();
    static uint32_t chosen[POINTS];
    size_t count;
    double radius;
    cr_assert_geq(COUNT_FAILURES(alg_blue_noise_choose(points, 0, POINTS, 100, 0.1, 1, chosen,
                                                       &count, &radius, ERR),
                                 (void)0),
                  4);
}

/* --- Measurement ------------------------------------------------------------------------------ */

static alg_spacing measure(const vec3 *points, size_t count)
{
    alg_spacing spacing;
    assert_ok(alg_spacing_measure(points, count, &spacing, ERR));
    return spacing;
}

Test(spacing, a_few_points)
{
    const vec3 points[5] = {{0, 0, 0}, {3, 0, 0}, {3, 4, 0}, {3, 4, 1}, {3, 4, 1}};
    for (size_t count = 0; count < 2; count++) {
        const alg_spacing none = measure(points, count);
        cr_assert(none.mean == 0 && none.least == 0 && none.deviation == 0);
    }
    const alg_spacing two = measure(points, 2);
    cr_assert(two.mean == 3 && two.least == 3 && two.deviation == 0);
    /* distances 3, 3, 4 */
    const alg_spacing three = measure(points, 3);
    cr_assert_eq(three.mean, 10. / 3);
    cr_assert_eq(three.least, 3);
    cr_assert_float_eq(three.deviation, sqrt(2. / 9) / (10. / 3), 1e-15);
    cr_assert_eq(measure(points, 5).least, 0);
    const alg_spacing same = measure(points + 3, 2);
    cr_assert(same.mean == 0 && same.deviation == 0);
}

Test(spacing, equals_all_pairs)
{
    base_random random = base_random_seed(1);
    static vec3 points[700];
    for (size_t count = 2; count <= 700; count = count < 20 ? count + 1 : 2 * count) {
        for (size_t i = 0; i < count; i++) {
            /* Points on a curve, so that near ones are roughly consecutive; some occur twice. */
            const double t = (double)i / (double)count + base_random_range(&random, 0, 0.1);
            points[i] = i > 0 && base_random_below(&random, 10) == 0
                            ? points[base_random_below(&random, i)]
                            : (vec3){cos(9 * t), sin(9 * t), t};
        }
        static double distances[700];
        double sum = 0, squares = 0, least = INFINITY;
        for (size_t i = 0; i < count; i++) {
            double nearest = INFINITY;
            for (size_t j = 0; j < count; j++) {
                nearest = i == j ? nearest : fmin(nearest, vec3_distance(points[i], points[j]));
            }
            distances[i] = nearest;
            sum += nearest;
            least = fmin(least, nearest);
        }
        const double mean = sum / (double)count;
        for (size_t i = 0; i < count; i++) {
            squares += (distances[i] - mean) * (distances[i] - mean);
        }
        const double deviation = mean > 0 ? sqrt(squares / (double)count) / mean : 0;
        const alg_spacing found = measure(points, count);
        cr_assert_float_eq(found.mean, mean, 1e-14, "%zu points", count);
        cr_assert_eq(found.least, least, "%zu points", count);
        cr_assert_float_eq(found.deviation, deviation, 1e-12, "%zu points", count);
    }
}

Test(spacing, failing_allocations_are_reported)
{
    const vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    alg_spacing spacing;
    cr_assert_geq(COUNT_FAILURES(alg_spacing_measure(points, 3, &spacing, ERR), (void)0), 2);
}
