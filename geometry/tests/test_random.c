#include "base/hash.h"
#include "geometry/pose.h"
#include "geometry/vec.h"

#include <criterion/criterion.h>

/* The first numbers of both generators, as their authors' programs print them. */

Test(random, splitmix64_seeds_as_published)
{
    const base_random random = base_random_seed(0);
    cr_assert_eq(random.s[0], 0xe220a8397b1dcdaf);
    cr_assert_eq(random.s[1], 0x6e789e6aa1b965f4);
    cr_assert_eq(random.s[2], 0x06c45d188009454f);
    cr_assert_eq(random.s[3], 0xf88bb8a8724c81ec);
}

Test(random, xoshiro256starstar_runs_as_published)
{
    const uint64_t expected[] = {11520,
                                 0,
                                 1509978240,
                                 1215971899390074240,
                                 1216172134540287360,
                                 607988272756665600,
                                 16172922978634559625u,
                                 8476171486693032832,
                                 10595114339597558777u,
                                 2904607092377533576};
    base_random random = {{1, 2, 3, 4}};
    for (int i = 0; i < 10; i++) {
        const uint64_t x = base_random_u64(&random);
        cr_assert_eq(x, expected[i], "number %d is %lu", i, (unsigned long)x);
    }
}

Test(random, both_together)
{
    base_random random = base_random_seed(12345);
    uint64_t x = 0;
    for (int i = 0; i < 1000; i++) {
        x = base_random_u64(&random);
    }
    cr_assert_eq(x, 4376237175366653112, "%lu", (unsigned long)x);
}

Test(random, below_stays_below_and_is_even)
{
    base_random random = base_random_seed(1);
    const uint64_t ends[] = {1, 2, 3, 10, 1000};
    for (int k = 0; k < 5; k++) {
        size_t counts[1000] = {0};
        const size_t draws = 200 * 1000;
        for (size_t i = 0; i < draws; i++) {
            const uint64_t x = base_random_below(&random, ends[k]);
            cr_assert_lt(x, ends[k]);
            counts[x]++;
        }
        const double mean = (double)draws / (double)ends[k];
        for (uint64_t v = 0; v < ends[k]; v++) { /* five standard deviations */
            cr_assert_float_eq((double)counts[v], mean, 5 * sqrt(mean) + 1e-9, "%zu of %g: %zu",
                               (size_t)v, (double)ends[k], counts[v]);
        }
    }
}

/* With n = 3 * 2^62, plain x % n would be in [0, 2^62) half of the time instead of a third. */
Test(random, below_is_even_for_a_huge_range)
{
    base_random random = base_random_seed(2);
    const uint64_t quarter = (uint64_t)1 << 62, n = 3 * quarter;
    const int draws = 90000;
    int low = 0;
    for (int i = 0; i < draws; i++) {
        const uint64_t x = base_random_below(&random, n);
        cr_assert_lt(x, n);
        low += x < quarter;
    }
    cr_assert_float_eq(low, draws / 3.0, 5 * sqrt(draws * 2.0 / 9), "%d of %d", low, draws);
    cr_assert_neq(base_random_below(&random, UINT64_MAX), UINT64_MAX);
}

Test(random, unit_has_mean_and_variance_of_the_uniform)
{
    base_random random = base_random_seed(3);
    const int draws = 400000;
    double sum = 0, squares = 0, least = 1, most = 0;
    for (int i = 0; i < draws; i++) {
        const double u = base_random_unit(&random);
        cr_assert(u >= 0 && u < 1, "%.17g", u);
        cr_assert_eq(u * 0x1p53, floor(u * 0x1p53), "53 bits");
        sum += u;
        squares += u * u;
        least = u < least ? u : least;
        most = u > most ? u : most;
    }
    cr_assert_float_eq(sum / draws, 1.0 / 2, 5 * sqrt(1.0 / 12 / draws));
    cr_assert_float_eq(squares / draws, 1.0 / 3, 5 * sqrt(4.0 / 45 / draws));
    cr_assert(least < 1e-4 && most > 1 - 1e-4);
}

Test(random, range_never_returns_its_end)
{
    base_random random = base_random_seed(4);
    const double starts[] = {1, -1, 0, 1e300, -0x1p53};
    for (int k = 0; k < 5; k++) {
        const double lo = starts[k], hi = nextafter(lo, INFINITY);
        for (int i = 0; i < 1000; i++) { /* half of the sums would round to hi */
            const double x = base_random_range(&random, lo, hi);
            cr_assert_eq(x, lo, "%.17g in [%.17g, %.17g)", x, lo, hi);
        }
        cr_assert_eq(base_random_range(&random, lo, lo), lo);
    }
    for (int i = 0; i < 1000; i++) {
        const double x = base_random_range(&random, -3, 5);
        cr_assert(x >= -3 && x < 5);
    }
}

/* Moments of the uniform distribution on the sphere, and Archimedes' theorem: each coordinate is
 * uniform. */
Test(random, directions_cover_the_sphere_evenly)
{
    base_random random = base_random_seed(5);
    const int draws = 200000;
    vec3 sum = {0, 0, 0};
    double squares[3] = {0}, mixed = 0;
    int bins[3][10] = {{0}};
    for (int i = 0; i < draws; i++) {
        const vec3 d = geo_random_direction(&random);
        cr_assert_float_eq(vec3_norm(d), 1, 1e-15, "length %.17g", vec3_norm(d));
        sum = vec3_add(sum, d);
        mixed += d.x * d.y + d.y * d.z + d.z * d.x;
        for (int axis = 0; axis < 3; axis++) {
            const double c = vec3_get(d, axis);
            squares[axis] += c * c;
            bins[axis][(int)fmin(9, 5 * (c + 1))]++;
        }
    }
    const double spread = 5 / sqrt(draws);
    for (int axis = 0; axis < 3; axis++) {
        cr_assert_float_eq(vec3_get(sum, axis) / draws, 0, spread, "axis %d", axis);
        cr_assert_float_eq(squares[axis] / draws, 1.0 / 3, spread, "axis %d", axis);
        for (int b = 0; b < 10; b++) {
            cr_assert_float_eq(bins[axis][b], draws / 10.0, 5 * sqrt(draws * 0.09), "bin %d", b);
        }
    }
    cr_assert_float_eq(mixed / draws, 0, 2 * spread);
}

/* A uniform rotation angle t has the density (1 - cos t)/pi: the mean of cos t is -1/2. The unit
 * quaternions are uniform on the 3-sphere: every square has the mean 1/4, every fourth power
 * 1/8. */
Test(random, rotations_are_uniform)
{
    base_random random = base_random_seed(6);
    const int draws = 200000;
    double squares[4] = {0}, fourths[4] = {0}, cosine = 0;
    for (int i = 0; i < draws; i++) {
        const geo_quat q = geo_random_rotation(&random);
        const double c[] = {q.x, q.y, q.z, q.w};
        double norm2 = 0;
        for (int k = 0; k < 4; k++) {
            norm2 += c[k] * c[k];
            squares[k] += c[k] * c[k];
            fourths[k] += c[k] * c[k] * c[k] * c[k];
        }
        cr_assert_float_eq(norm2, 1, 1e-15, "%.17g", norm2);
        cosine += 2 * q.w * q.w - 1;
    }
    const double spread = 5 / sqrt(draws);
    for (int k = 0; k < 4; k++) {
        cr_assert_float_eq(squares[k] / draws, 1.0 / 4, spread / 2, "component %d", k);
        cr_assert_float_eq(fourths[k] / draws, 1.0 / 8, spread / 2, "component %d", k);
    }
    cr_assert_float_eq(cosine / draws, -1.0 / 2, spread);
}

/* The bits are the same in every build on every machine. */
Test(random, the_stream_is_fixed)
{
    base_random random = base_random_seed(7);
    base_hasher *const hasher = base_hasher_create();
    for (int i = 0; i < 10000; i++) {
        const uint64_t below = base_random_below(&random, (uint64_t)i + 1);
        const double range = base_random_range(&random, -i, 1);
        const vec3 direction = geo_random_direction(&random);
        const geo_quat rotation = geo_random_rotation(&random);
        base_hasher_add(hasher, &below, sizeof below);
        base_hasher_add(hasher, &range, sizeof range);
        base_hasher_add(hasher, &direction, sizeof direction);
        base_hasher_add(hasher, &rotation, sizeof rotation);
    }
    const base_hash_text text = base_hash_format(base_hasher_finish(hasher));
    cr_assert_str_eq(text.hex, "77541c4d2b3668bf7118ecd2e0d08c79");
}
