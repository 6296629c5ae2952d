#include "base/elementary.h"
#include "base/memory.h"
#include "base/tests/support.h"
#include "geometry/pose.h"
#include "geometry/sphere.h"

#include <criterion/criterion.h>
#include <math.h>

enum { COUNT_MAX = 9 };

static geo_ball random_ball(base_random *random, double radius)
{
    const double x = base_random_range(random, -1, 1), y = base_random_range(random, -1, 1);
    const vec3 centre = {x, y, base_random_range(random, -1, 1)};
    return (geo_ball){centre, radius * base_random_unit(random)};
}

/* --- Volumes ---------------------------------------------------------------------------------- */

static double relative(double got, double want)
{
    return fabs(got - want) / want;
}

Test(sphere, volumes_by_hand)
{
    cr_assert_eq(geo_ball_volume(0), 0);
    cr_assert_lt(relative(geo_ball_volume(3), 36 * BASE_PI), 1e-15);
    const geo_ball unit = {{0, 0, 0}, 1};
    cr_assert_eq(geo_ball_overlap_volume(unit, (geo_ball){{2, 0, 0}, 1}), 0);
    cr_assert_eq(geo_ball_overlap_volume(unit, (geo_ball){{5, 0, 0}, 1}), 0);
    cr_assert_eq(geo_ball_overlap_volume(unit, unit), geo_ball_volume(1));
    cr_assert_eq(geo_ball_overlap_volume(unit, (geo_ball){{0.5, 0, 0}, 0.5}), geo_ball_volume(0.5));
    cr_assert_eq(geo_ball_overlap_volume((geo_ball){{0.1, 0, 0}, 0.5}, unit), geo_ball_volume(0.5));
    cr_assert_eq(geo_ball_overlap_volume(unit, (geo_ball){{0, 0, 0}, 0}), 0);
    /* Equal balls of radius r at distance r: 5/12 pi r^3. */
    cr_assert_lt(
        relative(geo_ball_overlap_volume(unit, (geo_ball){{0, 1, 0}, 1}), 5 * BASE_PI / 12), 1e-15);
}

/**
 * Integrates the cross-sections along the line of centres by Simpson's rule: they are parabolas.
 */
static double lens_by_sections(double r0, double r1, double d)
{
    const double cut = (d * d + r0 * r0 - r1 * r1) / (2 * d);
    const double ends[2][3] = {{d - r1, cut, 1}, {cut, r0, 0}};
    double sum = 0;
    for (int part = 0; part < 2; part++) {
        const double radius = ends[part][2] > 0 ? r1 : r0, centre = ends[part][2] > 0 ? d : 0;
        const double lo = ends[part][0], hi = ends[part][1];
        const double x[3] = {lo - centre, 0.5 * (lo + hi) - centre, hi - centre};
        double section[3];
        for (int i = 0; i < 3; i++) {
            section[i] = BASE_PI * (radius * radius - x[i] * x[i]);
        }
        sum += (hi - lo) / 6 * (section[0] + 4 * section[1] + section[2]);
    }
    return sum;
}

Test(sphere, lens_equals_integrated_sections)
{
    const uint64_t seed = 31;
    base_random random = base_random_seed(seed);
    int lenses = 0, apart = 0, nested = 0;
    for (int i = 0; i < 20000; i++) {
        const geo_ball a = random_ball(&random, 2), b = random_ball(&random, 2);
        const double d = vec3_distance(a.centre, b.centre), got = geo_ball_overlap_volume(a, b);
        const double both = a.radius + b.radius, difference = fabs(a.radius - b.radius);
        apart += d >= both;
        nested += d <= difference;
        cr_assert_eq(geo_ball_overlap_volume(b, a), got, "seed %lu case %d", (unsigned long)seed,
                     i);
        if (d < both - 1e-3 && d > difference + 1e-3) {
            const double want = lens_by_sections(a.radius, b.radius, d);
            cr_assert(fabs(got - want) <= 1e-12 * (1 + want),
                      "seed %lu case %d: %.17g instead of %.17g", (unsigned long)seed, i, got,
                      want);
            lenses++;
        }
    }
    cr_assert(lenses > 5000 && apart > 1000 && nested > 1000, "%d %d %d", lenses, apart, nested);
}

/**
 * A thin lens of equal balls: pi (R - h / 3) h^2 2 with h = depth / 2, with full relative accuracy.
 */
Test(sphere, thin_lens_keeps_its_digits)
{
    for (int k = 1; k < 45; k++) {
        const double depth = ldexp(1, -k), h = depth / 2;
        const double want = 2 * BASE_PI / 3 * h * h * (3 - h);
        const double got =
            geo_ball_overlap_volume((geo_ball){{0, 0, 0}, 1}, (geo_ball){{2 - depth, 0, 0}, 1});
        cr_assert_lt(relative(got, want), 4e-15, "depth 2^-%d: %g instead of %g", k, got, want);
    }
}

/* --- Enclosing ball --------------------------------------------------------------------------- */

static long double reach(const long double c[3], const geo_ball *ball)
{
    const long double x = c[0] - (long double)ball->centre.x;
    const long double y = c[1] - (long double)ball->centre.y;
    const long double z = c[2] - (long double)ball->centre.z;
    return sqrtl(x * x + y * y + z * z) + (long double)ball->radius;
}

/** Solves m x = b by Gaussian elimination with pivoting; false if a pivot vanishes. */
static bool solve(int n, long double m[3][3], long double b[2][3])
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) {
            pivot = fabsl(m[i][k]) > fabsl(m[pivot][k]) ? i : pivot;
        }
        if (fabsl(m[pivot][k]) < 1e-14L) {
            return false;
        }
        for (int j = 0; j < n; j++) {
            const long double t = m[k][j];
            m[k][j] = m[pivot][j];
            m[pivot][j] = t;
        }
        for (int r = 0; r < 2; r++) {
            const long double t = b[r][k];
            b[r][k] = b[r][pivot];
            b[r][pivot] = t;
        }
        for (int i = 0; i < n; i++) {
            const long double f = i == k ? 0 : m[i][k] / m[k][k];
            for (int j = 0; j < n; j++) {
                m[i][j] -= f * m[k][j];
            }
            b[0][i] -= f * b[0][k];
            b[1][i] -= f * b[1][k];
        }
    }
    for (int k = 0; k < n; k++) {
        b[0][k] /= m[k][k];
        b[1][k] /= m[k][k];
    }
    return true;
}

/**
 * Returns the radius needed around the best centre at which the balls of this subset are all
 * tangent.
 */
static long double subset_radius(const geo_ball *balls, int count, const int *subset, int size)
{
    const geo_ball *const first = &balls[subset[0]];
    long double q[3][3], d[3], gram[3][3], rhs[2][3];
    for (int i = 0; i + 1 < size; i++) {
        const geo_ball *const ball = &balls[subset[i + 1]];
        q[i][0] = (long double)ball->centre.x - (long double)first->centre.x;
        q[i][1] = (long double)ball->centre.y - (long double)first->centre.y;
        q[i][2] = (long double)ball->centre.z - (long double)first->centre.z;
        d[i] = (long double)ball->radius - (long double)first->radius;
    }
    for (int i = 0; i + 1 < size; i++) {
        for (int j = 0; j + 1 < size; j++) {
            gram[i][j] = q[i][0] * q[j][0] + q[i][1] * q[j][1] + q[i][2] * q[j][2];
        }
        rhs[0][i] = (gram[i][i] - d[i] * d[i]) / 2;
        rhs[1][i] = d[i];
    }
    if (!solve(size - 1, gram, rhs)) {
        return (long double)INFINITY;
    }
    long double p[2][3] = {{0}};
    for (int r = 0; r < 2; r++) {
        for (int i = 0; i + 1 < size; i++) {
            for (int k = 0; k < 3; k++) {
                p[r][k] += rhs[r][i] * q[i][k];
            }
        }
    }
    long double pp = 0, pq = 0, qq = 0;
    for (int k = 0; k < 3; k++) {
        pp += p[0][k] * p[0][k];
        pq += p[0][k] * p[1][k];
        qq += p[1][k] * p[1][k];
    }
    /* p + rho q| = rho; both roots without cancellation. */
    const long double a = qq - 1, root = sqrtl(fmaxl(pq * pq - a * pp, 0));
    const long double far = -(pq + copysignl(root, pq));
    const long double rhos[2] = {far / a, size == 1 ? 0 : pp / far};
    long double best = (long double)INFINITY;
    for (int i = 0; i < 2; i++) {
        const long double rho = rhos[i];
        if (!isfinite(rho)) {
            continue;
        }
        const long double c[3] = {(long double)first->centre.x + p[0][0] + rho * p[1][0],
                                  (long double)first->centre.y + p[0][1] + rho * p[1][1],
                                  (long double)first->centre.z + p[0][2] + rho * p[1][2]};
        long double radius = 0;
        for (int k = 0; k < count; k++) {
            radius = fmaxl(radius, reach(c, &balls[k]));
        }
        best = radius < best ? radius : best;
    }
    return best;
}

/** Returns the smallest radius over all subsets of one to four balls. */
static long double oracle_radius(const geo_ball *balls, int count)
{
    long double best = (long double)INFINITY;
    for (unsigned bits = 1; bits < 1u << count; bits++) {
        if (__builtin_popcount(bits) > 4) {
            continue;
        }
        int subset[4] = {0}, size = 0;
        for (int i = 0; i < count; i++) {
            if ((bits >> i & 1) != 0) {
                subset[size++] = i;
            }
        }
        best = fminl(best, subset_radius(balls, count, subset, size));
    }
    return best;
}

static void check_contained(const geo_ball *balls, size_t count, geo_ball got)
{
    for (size_t i = 0; i < count; i++) {
        cr_assert(vec3_distance(got.centre, balls[i].centre) + balls[i].radius <= got.radius,
                  "ball %zu of %zu sticks out", i, count);
    }
}

Test(sphere, enclose_by_hand)
{
    const geo_ball one = {{1, 2, 3}, 0.5};
    geo_ball got = geo_ball_enclose(&one, 1);
    cr_assert(vec3_equal(got.centre, one.centre) && got.radius == 0.5);

    const geo_ball two[] = {
        {{-2, 0, 0}, 1},
        {{3, 0, 0}, 2},
    };
    got = geo_ball_enclose(two, 2);
    cr_assert(vec3_equal(got.centre, (vec3){1, 0, 0}) && got.radius == 4, "%g %g", got.centre.x,
              got.radius);

    const geo_ball nested[] = {
        {{0, 0, 0}, 1},
        {{5, 0, 0}, 9},
        {{5, 1, 0}, 8},
    };
    got = geo_ball_enclose(nested, 3);
    cr_assert(vec3_equal(got.centre, nested[1].centre) && got.radius == 9);

    const geo_ball same[] = {one, one, one, one, one};
    got = geo_ball_enclose(same, 5);
    cr_assert(vec3_equal(got.centre, one.centre) && got.radius == 0.5);

    /* The corners of a cube, and balls inside it. */
    geo_ball cube[9];
    for (int i = 0; i < 8; i++) {
        cube[i] = (geo_ball){{i & 1, i >> 1 & 1, i >> 2 & 1}, 0.25};
    }
    cube[8] = (geo_ball){{0.5, 0.5, 0.5}, 0.5};
    got = geo_ball_enclose(cube, 9);
    cr_assert(vec3_distance(got.centre, cube[8].centre) < 1e-15 &&
              fabs(got.radius - (0.25 + sqrt(0.75))) < 4e-16);
}

/**
 * Up to 9 balls: general, points, collinear, coplanar, cospherical, nested, repeated, nearly so.
 */
Test(sphere, enclose_equals_all_subsets)
{
    const uint64_t seed = 32;
    base_random random = base_random_seed(seed);
    int nested = 0, spread = 0;
    for (int i = 0; i < 6000; i++) {
        geo_ball balls[COUNT_MAX];
        const int count = 1 + i % COUNT_MAX, kind = i / COUNT_MAX % 9;
        for (int k = 0; k < count; k++) {
            geo_ball *const b = &balls[k];
            *b = random_ball(&random, kind == 0 ? 0 : kind == 1 ? 3 : 0.7);
            const double flat = kind == 6 ? 0x1p-40 : 0;
            if (kind == 2 || kind == 6) {
                b->centre.z = b->centre.x + flat * b->centre.z;
            } else if (kind == 3) {
                b->centre = vec3_scale(b->centre.x, (vec3){1, 2, 3});
            } else if (kind == 4) {
                *b = (geo_ball){geo_random_direction(&random), 0.25};
            } else if (kind == 5) {
                b->centre = (vec3){floor(2 * b->centre.x), floor(2 * b->centre.y), 1};
                b->radius = floor(4 * b->radius);
            } else if (kind == 7 && k > 0) {
                *b = balls[base_random_below(&random, (uint64_t)k)];
                b->radius = nextafter(b->radius, base_random_unit(&random));
            } else if (kind == 8 && k > 0) { /* slightly outside the first ball */
                const double inner = vec3_distance(b->centre, balls[0].centre);
                balls[0].radius = 9;
                b->radius = 9 - inner * (1 - ldexp(1, -(int)base_random_below(&random, 50)));
            }
        }
        const geo_ball got = geo_ball_enclose(balls, (size_t)count);
        check_contained(balls, (size_t)count, got);
        const double want = (double)oracle_radius(balls, count);
        cr_assert(fabs(got.radius - want) <= 1e-13 * want,
                  "seed %lu case %d, kind %d: %.17g instead of %.17g", (unsigned long)seed, i, kind,
                  got.radius, want);
        double largest = 0;
        for (int k = 0; k < count; k++) {
            largest = fmax(largest, balls[k].radius);
        }
        nested += got.radius == largest;
        spread += got.radius > largest;
    }
    cr_assert(nested > 500 && spread > 3000, "%d %d", nested, spread);
}

/**
 * The ball is optimal if the touching balls surround the centre: no direction leads away from all
 * of them.
 */
static void check_surrounded(const geo_ball *balls, size_t count, geo_ball got, double slack)
{
    base_random random = base_random_seed(1);
    for (int k = 0; k < 300; k++) {
        const vec3 step = vec3_scale(1e-4 * got.radius, geo_random_direction(&random));
        const vec3 moved = vec3_add(got.centre, step);
        double radius = 0;
        for (size_t i = 0; i < count; i++) {
            radius = fmax(radius, vec3_distance(moved, balls[i].centre) + balls[i].radius);
        }
        cr_assert_geq(radius, got.radius * (1 - slack), "%zu balls: %.17g is better than %.17g",
                      count, radius, got.radius);
    }
}

Test(sphere, enclose_many)
{
    const size_t counts[] = {100, 3000, 30000};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (int kind = 0; kind < 4; kind++) {
            SCOPED_FREE geo_ball *const balls = base_alloc(counts[c], sizeof *balls);
            cr_assert_not_null(balls);
            base_random random = base_random_seed(33 + c);
            for (size_t i = 0; i < counts[c]; i++) {
                balls[i] = random_ball(&random, kind == 0 ? 0.5 : 0);
                if (kind == 2) { /* all on one sphere, up to rounding */
                    balls[i].centre = vec3_normalize(balls[i].centre);
                } else if (kind == 3) { /* a flat grid: many equal candidates */
                    balls[i].centre = (vec3){(double)(i % 31), (double)(i / 31 % 31), 0};
                }
            }
            const geo_ball got = geo_ball_enclose(balls, counts[c]);
            check_contained(balls, counts[c], got);
            if (counts[c] <= 3000) {
                check_surrounded(balls, counts[c], got, 1e-14);
            }
            if (kind == 2) {
                cr_assert(fabs(got.radius - 1) < (counts[c] > 100 ? 1e-3 : 0.1), "%.17g",
                          got.radius);
            }
        }
    }
}

Test(sphere, enclose_moves_with_its_balls)
{
    const uint64_t seed = 34;
    base_random random = base_random_seed(seed);
    for (int i = 0; i < 500; i++) {
        geo_ball balls[20], moved[20];
        const vec3 offset = {base_random_unit(&random), 3, -2};
        const geo_pose pose = {geo_quat_matrix(geo_random_rotation(&random)), offset};
        for (int k = 0; k < 20; k++) {
            balls[k] = random_ball(&random, 0.3);
            moved[k] = (geo_ball){geo_pose_apply(&pose, balls[k].centre), balls[k].radius};
        }
        const geo_ball a = geo_ball_enclose(balls, 20), b = geo_ball_enclose(moved, 20);
        cr_assert(fabs(a.radius - b.radius) < 1e-14 &&
                      vec3_distance(geo_pose_apply(&pose, a.centre), b.centre) < 1e-7,
                  "seed %lu case %d: %.17g %.17g", (unsigned long)seed, i, a.radius, b.radius);
    }
}
