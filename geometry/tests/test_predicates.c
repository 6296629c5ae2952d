#include "base/random.h"
#include "geometry/predicates.h"
#include "geometry/vec.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

/*
 * Oracle: coordinates are integers of up to 53 bits times a power of two, so an integer of 192 bits
 * holds their determinant exactly.
 */

__extension__ typedef __int128 wide;

/** The number high 2^64 + low, exact for products of three 54-bit integers. */
typedef struct huge {
    wide high, low;
} huge;

static void huge_add_product(huge *to, int64_t a, int64_t b, int64_t c, int sign)
{
    const wide ab = (wide)a * b * sign;
    to->high += (ab >> 64) * c;
    to->low += (wide)(uint64_t)ab * c;
}

static int huge_sign(huge x)
{
    const wide high = x.high + (x.low >> 64);
    const uint64_t low = (uint64_t)x.low;
    return high < 0 ? -1 : high > 0 || low != 0;
}

typedef struct point {
    int64_t x, y, z;
} point;

static huge determinant3(point a, point b, point c, point d)
{
    a = (point){a.x - d.x, a.y - d.y, a.z - d.z};
    b = (point){b.x - d.x, b.y - d.y, b.z - d.z};
    c = (point){c.x - d.x, c.y - d.y, c.z - d.z};
    huge sum = {0, 0};
    huge_add_product(&sum, a.x, b.y, c.z, 1);
    huge_add_product(&sum, a.y, b.z, c.x, 1);
    huge_add_product(&sum, a.z, b.x, c.y, 1);
    huge_add_product(&sum, a.z, b.y, c.x, -1);
    huge_add_product(&sum, a.y, b.x, c.z, -1);
    huge_add_product(&sum, a.x, b.z, c.y, -1);
    return sum;
}

static int oracle3(point a, point b, point c, point d)
{
    return huge_sign(determinant3(a, b, c, d));
}

static wide determinant2(point a, point b, point c)
{
    return (wide)(b.x - a.x) * (c.y - a.y) - (wide)(b.y - a.y) * (c.x - a.x);
}

static int oracle2(point a, point b, point c)
{
    const wide d = determinant2(a, b, c);
    return (d > 0) - (d < 0);
}

static vec3 scaled(point p, int exponent)
{
    return (vec3){ldexp((double)p.x, exponent), ldexp((double)p.y, exponent),
                  ldexp((double)p.z, exponent)};
}

static int sign3(const point p[4], int exponent)
{
    return geo_orient3d(scaled(p[0], exponent), scaled(p[1], exponent), scaled(p[2], exponent),
                        scaled(p[3], exponent));
}

static int sign2(point a, point b, point c)
{
    return geo_orient2d((double[2]){(double)a.x, (double)a.y},
                        (double[2]){(double)b.x, (double)b.y},
                        (double[2]){(double)c.x, (double)c.y});
}

static int64_t random_integer(base_random *random, int64_t bound)
{
    return (int64_t)base_random_below(random, (uint64_t)(2 * bound + 1)) - bound;
}

static point random_point(base_random *random, int64_t bound)
{
    const int64_t x = random_integer(random, bound), y = random_integer(random, bound);
    return (point){x, y, random_integer(random, bound)};
}

static point combine(point a, point b, point c, int64_t s, int64_t t)
{
    return (point){a.x + s * (b.x - a.x) + t * (c.x - a.x), a.y + s * (b.y - a.y) + t * (c.y - a.y),
                   a.z + s * (b.z - a.z) + t * (c.z - a.z)};
}

Test(predicates, orientation_of_the_unit_corner)
{
    const vec3 o = {0, 0, 0}, x = {1, 0, 0}, y = {0, 1, 0};
    /* Counter-clockwise as seen from +z: -z is behind. */
    cr_assert_eq(geo_orient3d(o, x, y, (vec3){0.2, 0.2, -1}), 1);
    cr_assert_eq(geo_orient3d(o, x, y, (vec3){0.2, 0.2, 1}), -1);
    cr_assert_eq(geo_orient3d(o, x, y, (vec3){7, -3, 0}), 0);
    cr_assert_eq(geo_orient2d((double[2]){0, 0}, (double[2]){1, 0}, (double[2]){0, 1}), 1);
    cr_assert_eq(geo_orient2d((double[2]){0, 0}, (double[2]){0, 1}, (double[2]){1, 0}), -1);
    cr_assert_eq(geo_orient2d((double[2]){0.1, 0.1}, (double[2]){0.2, 0.2}, (double[2]){0.3, 0.3}),
                 0);
}

static long double huge_value(huge x)
{
    return 0x1p64L * (long double)(x.high + (x.low >> 64)) + (long double)(uint64_t)x.low;
}

static bool near(double value, long double want)
{
    return fabsl((long double)value - want) <= 0x1p-52L * fabsl(want);
}

/** All digits are right, however close to 0 the value is. */
Test(predicates, values_equal_integer_arithmetic)
{
    const uint64_t seed = 16;
    base_random random = base_random_seed(seed);
    int small = 0;
    for (int i = 0; i < 20000; i++) {
        const int64_t bound = i % 3 == 0 ? 4 : i % 3 == 1 ? 1 << 20 : (int64_t)1 << 49;
        point p[4];
        for (int k = 0; k < 4; k++) {
            p[k] = random_point(&random, bound);
        }
        const point shift = random_point(&random, 1);
        if (i % 2 == 0) {
            const point on = combine(p[0], p[1], p[2], random_integer(&random, 2), 0);
            p[3] = (point){on.x + shift.x, on.y + shift.y, on.z + shift.z};
            small++;
        }
        const vec3 q[4] = {scaled(p[0], 0), scaled(p[1], 0), scaled(p[2], 0), scaled(p[3], 0)};
        cr_assert(near(geo_orient3d_value(q[0], q[1], q[2], q[3]),
                       huge_value(determinant3(p[0], p[1], p[2], p[3]))),
                  "seed %lu case %d", (unsigned long)seed, i);
        cr_assert(near(geo_orient2d_value((double[2]){q[0].x, q[0].y}, (double[2]){q[1].x, q[1].y},
                                          (double[2]){q[3].x, q[3].y}),
                       (long double)determinant2(p[0], p[1], p[3])),
                  "seed %lu case %d", (unsigned long)seed, i);
    }
    cr_assert_eq(small, 10000);
}

/** Points next to a diagonal, where plain double arithmetic gives noise. */
Test(predicates, neighbours_of_a_diagonal)
{
    const double up = nextafter(0.5, 1), down = nextafter(0.5, 0);
    const double a[2] = {12, 12}, b[2] = {24, 24};
    cr_assert_eq(geo_orient2d((double[2]){0.5, 0.5}, a, b), 0);
    cr_assert_eq(geo_orient2d((double[2]){0.5, up}, a, b), 1);
    cr_assert_eq(geo_orient2d((double[2]){up, 0.5}, a, b), -1);
    cr_assert_eq(geo_orient2d((double[2]){0.5, down}, a, b), -1);
    cr_assert_eq(geo_orient2d((double[2]){down, 0.5}, a, b), 1);
    const vec3 p = {12, 12, 12}, q = {24, 24, 24}, r = {24, 25, 23};
    const vec3 s = {0.5, 0.5, 0.5};
    cr_assert_eq(geo_orient3d(p, q, r, s), 0);
    cr_assert_eq(geo_orient3d(p, q, r, (vec3){up, 0.5, 0.5}),
                 -geo_orient3d(p, q, r, (vec3){down, 0.5, 0.5}));
    cr_assert_neq(geo_orient3d(p, q, r, (vec3){up, 0.5, 0.5}), 0);
}

/** Points that are independent, coplanar, and off a plane by one unit, at three scales. */
Test(predicates, orient3d_equals_integer_arithmetic)
{
    const uint64_t seed = 11;
    base_random random = base_random_seed(seed);
    int seen[3] = {0}, degenerate = 0;
    for (int i = 0; i < 60000; i++) {
        const int64_t bound = i % 3 == 0 ? 4 : i % 3 == 1 ? 1 << 20 : (int64_t)1 << 49;
        point p[4];
        for (int k = 0; k < 4; k++) {
            p[k] = random_point(&random, bound);
        }
        if (i % 2 == 0) {
            p[3] =
                combine(p[0], p[1], p[2], random_integer(&random, 2), random_integer(&random, 2));
            const point shift = random_point(&random, 1);
            p[3] = (point){p[3].x + shift.x, p[3].y + shift.y, p[3].z + shift.z};
            degenerate++;
        }
        const int want = oracle3(p[0], p[1], p[2], p[3]);
        const int exponent = (int)random_integer(&random, 60) - 40;
        const int got = sign3(p, exponent);
        cr_assert_eq(got, want, "seed %lu case %d: %d instead of %d", (unsigned long)seed, i, got,
                     want);
        seen[want + 1]++;
    }
    cr_assert(seen[0] > 20000 && seen[1] > 1000 && seen[2] > 20000, "%d %d %d", seen[0], seen[1],
              seen[2]);
    cr_assert_gt(degenerate, 20000);
}

Test(predicates, orient2d_equals_integer_arithmetic)
{
    const uint64_t seed = 12;
    base_random random = base_random_seed(seed);
    int seen[3] = {0};
    for (int i = 0; i < 60000; i++) {
        const int64_t bound = i % 3 == 0 ? 4 : i % 3 == 1 ? 1 << 25 : (int64_t)1 << 49;
        point a = random_point(&random, bound), b = random_point(&random, bound);
        point c = random_point(&random, bound);
        if (i % 2 == 0) {
            const point shift = random_point(&random, 1);
            c = combine(a, b, a, random_integer(&random, 3), 0);
            c = (point){c.x + shift.x, c.y + shift.y, 0};
        }
        const int want = oracle2(a, b, c), got = sign2(a, b, c);
        cr_assert_eq(got, want, "seed %lu case %d: %d instead of %d", (unsigned long)seed, i, got,
                     want);
        seen[want + 1]++;
    }
    cr_assert(seen[0] > 20000 && seen[1] > 1000 && seen[2] > 20000, "%d %d %d", seen[0], seen[1],
              seen[2]);
}

/** Differences of 54 bits are rounded, so the products may be in the wrong order. */
Test(predicates, orient2d_with_differences_that_round)
{
    const uint64_t seed = 15;
    base_random random = base_random_seed(seed);
    const int64_t far = (int64_t)1 << 53, step = (int64_t)1 << 52, wobble = (int64_t)1 << 49;
    int seen[3] = {0};
    for (int i = 0; i < 30000; i++) {
        const point d = random_point(&random, wobble), e = random_point(&random, wobble);
        const point a = {llabs(d.x) - far, llabs(d.y) - far, 0};
        const point b = {a.x + step + e.x, a.y + step + e.y, 0};
        const point shift = random_point(&random, 1);
        point c = combine(a, b, a, 3, 0);
        c = (point){c.x + shift.x, c.y + shift.y, 0};
        const int want = oracle2(a, b, c);
        cr_assert(sign2(a, b, c) == want && sign2(b, c, a) == want && sign2(b, a, c) == -want,
                  "seed %lu case %d: not %d", (unsigned long)seed, i, want);
        seen[want + 1]++;
    }
    cr_assert(seen[0] > 5000 && seen[1] > 1000 && seen[2] > 5000, "%d %d %d", seen[0], seen[1],
              seen[2]);
}

/**
 * Doubles of very different sizes: differences are rounded, and expansions get their full length.
 */
Test(predicates, full_length_expansions)
{
    const uint64_t seed = 13;
    base_random random = base_random_seed(seed);
    int zero = 0, other = 0;
    for (int i = 0; i < 20000; i++) {
        vec3 p[4];
        for (int k = 0; k < 4; k++) {
            const double size = ldexp(1, (int)random_integer(&random, 60));
            p[k] = vec3_scale(size, (vec3){base_random_unit(&random) - 0.5,
                                           base_random_unit(&random) - 0.5,
                                           base_random_unit(&random) - 0.5});
        }
        if (i % 2 == 0) {
            /* Exactly in the plane x = y, and next to it. */
            for (int k = 0; k < 4; k++) {
                p[k].y = p[k].x;
            }
            cr_assert_eq(geo_orient3d(p[0], p[1], p[2], p[3]), 0, "seed %lu case %d",
                         (unsigned long)seed, i);
            zero++;
            vec3 above = p[3], below = p[3];
            above.y = nextafter(p[3].y, INFINITY);
            below.y = nextafter(p[3].y, -INFINITY);
            const int s = geo_orient3d(p[0], p[1], p[2], above);
            cr_assert(s != 0 && s == -geo_orient3d(p[0], p[1], p[2], below), "seed %lu case %d",
                      (unsigned long)seed, i);
        }
        /* Odd permutations negate the sign, even ones do not. */
        const int s = geo_orient3d(p[0], p[1], p[2], p[3]);
        cr_assert_eq(geo_orient3d(p[1], p[0], p[2], p[3]), -s);
        cr_assert_eq(geo_orient3d(p[1], p[2], p[0], p[3]), s);
        cr_assert_eq(geo_orient3d(p[0], p[1], p[3], p[2]), -s);
        cr_assert_eq(geo_orient3d(p[3], p[2], p[1], p[0]), s);
        cr_assert_eq(geo_orient3d(p[1], p[2], p[3], p[0]), -s);
        other += s != 0;
    }
    cr_assert(zero > 5000 && other > 5000, "%d %d", zero, other);
}

Test(predicates, translation_by_exact_offsets_changes_nothing)
{
    const uint64_t seed = 14;
    base_random random = base_random_seed(seed);
    for (int i = 0; i < 20000; i++) {
        point p[4], q[4];
        const point offset = random_point(&random, (int64_t)1 << 50);
        for (int k = 0; k < 4; k++) {
            p[k] = random_point(&random, 3);
            q[k] = (point){p[k].x + offset.x, p[k].y + offset.y, p[k].z + offset.z};
        }
        cr_assert_eq(sign3(p, 0), sign3(q, 0), "seed %lu case %d", (unsigned long)seed, i);
        cr_assert_eq(sign2(p[0], p[1], p[2]), sign2(q[0], q[1], q[2]), "seed %lu case %d",
                     (unsigned long)seed, i);
    }
}

/** Two edges of a parallelogram, exactly parallel and off by one unit. */
Test(predicates, cross2d_equals_integer_arithmetic)
{
    const uint64_t seed = 13;
    base_random random = base_random_seed(seed);
    int seen[3] = {0};
    for (int i = 0; i < 60000; i++) {
        const int64_t bound = i % 3 == 0 ? 4 : i % 3 == 1 ? 1 << 20 : (int64_t)1 << 49;
        const point a = random_point(&random, bound), b = random_point(&random, bound);
        const point c = random_point(&random, bound);
        point d = random_point(&random, bound);
        if (i % 2 == 0) {
            const point off = random_point(&random, 1);
            d = (point){c.x + b.x - a.x + off.x, c.y + b.y - a.y + off.y, 0};
        }
        const wide want = (wide)(b.x - a.x) * (d.y - c.y) - (wide)(b.y - a.y) * (d.x - c.x);
        const int sign = (want > 0) - (want < 0);
        const double p0[2] = {(double)a.x, (double)a.y}, p1[2] = {(double)b.x, (double)b.y};
        const double q0[2] = {(double)c.x, (double)c.y}, q1[2] = {(double)d.x, (double)d.y};
        cr_assert_eq(geo_cross2d(p0, p1, q0, q1), sign, "seed %lu case %d", (unsigned long)seed, i);
        seen[1 + sign]++;
    }
    cr_assert(seen[0] > 10000 && seen[1] > 1000 && seen[2] > 10000);
}
