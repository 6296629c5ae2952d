#include "base/random.h"
#include "base/tests/support.h"
#include "geometry/triangle.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>

static vec3 random_point(base_random *random, double size)
{
    const double x = base_random_range(random, -size, size);
    const double y = base_random_range(random, -size, size);
    return (vec3){x, y, base_random_range(random, -size, size)};
}

static geo_triangle random_triangle(base_random *random, double size)
{
    const vec3 a = random_point(random, size), b = random_point(random, size);
    return (geo_triangle){{a, b, random_point(random, size)}};
}

/**
 * Makes a needle, a cap, or a triangle flat along an axis: shapes whose signs are badly
 * conditioned.
 */
static geo_triangle random_sliver(base_random *random)
{
    geo_triangle t = random_triangle(random, 1);
    const double thin = ldexp(1, -(int)base_random_below(random, 45));
    const double at = base_random_below(random, 2) == 0 ? base_random_unit(random) : 0;
    const vec3 base = vec3_madd(t.p[0], at, vec3_sub(t.p[1], t.p[0]));
    t.p[2] = vec3_madd(base, thin, t.p[2]);
    return t;
}

static geo_triangle translated(geo_triangle t, vec3 by)
{
    return (geo_triangle){{vec3_add(t.p[0], by), vec3_add(t.p[1], by), vec3_add(t.p[2], by)}};
}

static geo_triangle rotated(geo_triangle t, int by)
{
    return (geo_triangle){{t.p[by % 3], t.p[(by + 1) % 3], t.p[(by + 2) % 3]}};
}

static vec3 edge_of(const geo_triangle *t, int i)
{
    return vec3_sub(t->p[(i + 1) % 3], t->p[i]);
}

/* --- Closest point ---------------------------------------------------------------------------- */

Test(triangle, closest_in_each_region)
{
    const geo_triangle t = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
    const vec3 cases[][2] = {
        {{1, 1, 3}, {1, 1, 0}},                                                      /* face */
        {{2, -3, 1}, {2, 0, 0}},                                                     /* edges */
        {{-2, 3, -1}, {0, 3, 0}}, {{4, 4, 2}, {2, 2, 0}},  {{-1, -1, 0}, {0, 0, 0}}, /* corners */
        {{9, -1, 0}, {4, 0, 0}},  {{-1, 9, 0}, {0, 4, 0}}, {{1, 2, 0}, {1, 2, 0}},   /* on it */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int turn = 0; turn < 3; turn++) {
            const vec3 got = geo_triangle_closest(rotated(t, turn), cases[i][0]);
            cr_assert(vec3_equal(got, cases[i][1]), "case %zu turned %d: %g %g %g", i, turn, got.x,
                      got.y, got.z);
        }
    }
}

Test(triangle, closest_on_degenerate_triangles)
{
    const geo_triangle point = {{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}};
    const geo_triangle segment = {{{0, 0, 0}, {2, 0, 0}, {8, 0, 0}}};
    cr_assert(vec3_equal(geo_triangle_closest(point, (vec3){5, 5, 5}), point.p[0]));
    for (int turn = 0; turn < 3; turn++) {
        const geo_triangle s = rotated(segment, turn);
        cr_assert(vec3_equal(geo_triangle_closest(s, (vec3){5, 1, 1}), (vec3){5, 0, 0}));
        cr_assert(vec3_equal(geo_triangle_closest(s, (vec3){1, 1, 1}), (vec3){1, 0, 0}));
        cr_assert(vec3_equal(geo_triangle_closest(s, (vec3){9, 1, 1}), (vec3){8, 0, 0}));
        cr_assert(vec3_equal(geo_triangle_closest(s, (vec3){-9, 1, 1}), (vec3){0, 0, 0}));
    }
}

/** The distance must equal that of a degenerate triangle {p, p, p} in long double. */
Test(triangle, closest_is_nearest)
{
    const uint64_t seed = 21;
    base_random random = base_random_seed(seed);
    const int step = (int)sweep_step(5);
    int inside = 0, slivers = 0;
    for (int i = 0; i < 40000; i += step) {
        const geo_triangle t = i % 2 == 0 ? random_triangle(&random, 1) : random_sliver(&random);
        vec3 p = random_point(&random, 2);
        if (i % 3 == 0) { /* next to the triangle */
            const vec3 on = vec3_madd(t.p[0], base_random_unit(&random), edge_of(&t, 0));
            p = vec3_scale(ldexp(1, -(int)base_random_below(&random, 60)), p);
            p = vec3_add(p, vec3_madd(on, base_random_unit(&random), vec3_sub(t.p[2], on)));
        }
        const vec3 got = geo_triangle_closest(t, p);
        const geo_triangle at_p = {{p, p, p}};
        const geo_triangle at_got = {{got, got, got}};
        const long double want = sqrtl(geo_triangle_distance2_extended(at_p, t));
        const long double on = sqrtl(geo_triangle_distance2_extended(at_got, t));
        const long double d = sqrtl(geo_triangle_distance2_extended(at_p, at_got));
        cr_assert(fabsl(d - want) <= 4e-15L && on <= 4e-15L,
                  "seed %lu case %d: %.17Lg instead of %.17Lg, off the triangle by %Lg",
                  (unsigned long)seed, i, d, want, on);
        const vec3 n = vec3_cross(vec3_sub(t.p[1], t.p[0]), vec3_sub(t.p[2], t.p[0]));
        slivers += vec3_norm(n) < 1e-4;
        inside += vec3_norm(vec3_cross(n, vec3_sub(p, got))) < 1e-9 * vec3_norm(n);
    }
    cr_assert(inside > 2000 / step && inside < 30000 / step && slivers > 4000 / step, "%d %d",
              inside, slivers);
}

Test(triangle, neighbours_tie_exactly)
{
    const uint64_t seed = 22;
    base_random random = base_random_seed(seed);
    int ties = 0;
    for (int i = 0; i < 20000; i++) {
        const geo_triangle s = random_triangle(&random, 1);
        const geo_triangle t = {{s.p[1], s.p[0], random_point(&random, 1)}};
        const vec3 p = random_point(&random, 2);
        const vec3 a = geo_triangle_closest(s, p), b = geo_triangle_closest(t, p);
        const vec3 n = vec3_cross(vec3_sub(s.p[1], s.p[0]), vec3_sub(a, s.p[0]));
        if (vec3_norm(n) < 1e-12 && vec3_distance(a, b) < 1e-12) {
            cr_assert(vec3_equal(a, b), "seed %lu case %d", (unsigned long)seed, i);
            ties++;
        }
    }
    cr_assert_gt(ties, 1000, "%d", ties);
}

/* --- Distances -------------------------------------------------------------------------------- */

Test(triangle, segments_by_hand)
{
    vec3 p, q;
    /* Crossing, skew. */
    cr_assert_eq(geo_segment_distance2((vec3){-1, 0, 0}, (vec3){1, 0, 0}, (vec3){0, -1, 2},
                                       (vec3){0, 1, 2}, &p, &q),
                 4);
    cr_assert(vec3_equal(p, (vec3){0, 0, 0}) && vec3_equal(q, (vec3){0, 0, 2}));
    /* Parallel, with and without overlap. */
    cr_assert_eq(geo_segment_distance2((vec3){0, 0, 0}, (vec3){4, 0, 0}, (vec3){3, 3, 0},
                                       (vec3){9, 3, 0}, NULL, NULL),
                 9);
    cr_assert_eq(geo_segment_distance2((vec3){0, 0, 0}, (vec3){4, 0, 0}, (vec3){7, 4, 0},
                                       (vec3){9, 4, 0}, &p, &q),
                 25);
    cr_assert(vec3_equal(p, (vec3){4, 0, 0}) && vec3_equal(q, (vec3){7, 4, 0}));
    /* Points. */
    cr_assert_eq(geo_segment_distance2((vec3){1, 1, 1}, (vec3){1, 1, 1}, (vec3){0, 0, 0},
                                       (vec3){2, 0, 0}, NULL, NULL),
                 2);
    cr_assert_eq(geo_segment_distance2((vec3){0, 0, 0}, (vec3){2, 0, 0}, (vec3){1, 1, 1},
                                       (vec3){1, 1, 1}, NULL, NULL),
                 2);
    cr_assert_eq(geo_segment_distance2((vec3){0, 0, 0}, (vec3){0, 0, 0}, (vec3){1, 2, 2},
                                       (vec3){1, 2, 2}, NULL, NULL),
                 9);
}

/** Directions that differ by 2^-1 to 2^-50, and segments that cross or miss each other. */
Test(triangle, nearly_parallel_segments)
{
    const uint64_t seed = 23;
    base_random random = base_random_seed(seed);
    for (int i = 0; i < 40000; i++) {
        const vec3 p0 = random_point(&random, 1), u = random_point(&random, 1);
        const double angle = ldexp(1, -1 - i % 50), gap = ldexp(1, -(int)(i / 50 % 40));
        const vec3 v = vec3_madd(u, angle, random_point(&random, 1));
        const vec3 on_p = vec3_madd(p0, base_random_unit(&random), u);
        const vec3 q0 = vec3_add(vec3_madd(on_p, -base_random_unit(&random), v),
                                 vec3_scale(gap, random_point(&random, 1)));
        const vec3 p1 = vec3_add(p0, u), q1 = vec3_add(q0, v);
        const double got = sqrt(geo_segment_distance2(p0, p1, q0, q1, NULL, NULL));
        const geo_triangle s = {{p0, p1, p1}};
        const geo_triangle t = {{q0, q1, q1}};
        const long double want = sqrtl(geo_triangle_distance2_extended(s, t));
        cr_assert(fabsl((long double)got - want) <= 4e-15L,
                  "seed %lu case %d: %.17g instead of %.17Lg", (unsigned long)seed, i, got, want);
    }
}

static void check_distance(geo_triangle s, geo_triangle t, long double slack, uint64_t seed, int i)
{
    vec3 a, b;
    const double d2 = geo_triangle_distance2(s, t, &a, &b);
    const long double want = sqrtl(geo_triangle_distance2_extended(s, t));
    cr_assert(fabsl(sqrtl((long double)d2) - want) <= slack,
              "seed %lu case %d: %.17g instead of %.17Lg", (unsigned long)seed, i, sqrt(d2), want);
    cr_assert(fabs(vec3_distance(a, b) - sqrt(d2)) <= (double)slack, "seed %lu case %d: witnesses",
              (unsigned long)seed, i);
    const double off_s = vec3_distance(geo_triangle_closest(s, a), a);
    const double off_t = vec3_distance(geo_triangle_closest(t, b), b);
    cr_assert(off_s <= (double)slack && off_t <= (double)slack,
              "seed %lu case %d: witnesses off their triangles by %g and %g", (unsigned long)seed,
              i, off_s, off_t);
    vec3 c, d;
    const double swapped = geo_triangle_distance2(t, s, &d, &c);
    cr_assert(swapped == d2 && vec3_equal(a, c) && vec3_equal(b, d), "seed %lu case %d: swap",
              (unsigned long)seed, i);
}

Test(triangle, distance_equals_long_double)
{
    const uint64_t seed = 24;
    base_random random = base_random_seed(seed);
    int apart = 0, met = 0, close = 0;
    for (int i = 0; i < 20000; i++) {
        geo_triangle s = i % 4 == 0 ? random_sliver(&random) : random_triangle(&random, 1);
        geo_triangle t = i % 3 == 0 ? random_sliver(&random) : random_triangle(&random, 1);
        t = translated(t, vec3_scale(base_random_range(&random, 0, 2), random_point(&random, 1)));
        if (geo_triangle_distance2_extended(s, t) == 0) {
            met++;
            continue;
        }
        check_distance(s, t, 6e-15L, seed, i);
        apart++;
        /* Moved close along the line of the witnesses. */
        vec3 a, b;
        geo_triangle_distance2(s, t, &a, &b);
        const double left = ldexp(1, -(int)base_random_below(&random, 45));
        t = translated(t, vec3_scale(1 - left, vec3_sub(a, b)));
        if (!geo_triangle_intersect(s, t)) {
            check_distance(s, t, 6e-15L, seed, i);
            close++;
        }
    }
    cr_assert(apart > 7000 && met > 500 && close > 5000, "%d %d %d", apart, met, close);
}

/** Vertices, edges and faces as the nearest features, with exact answers. */
Test(triangle, distance_by_hand)
{
    const geo_triangle s = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
    const struct {
        geo_triangle t;
        double distance2;
    } cases[] = {
        {{{{1, 1, 2}, {2, 1, 5}, {1, 2, 5}}}, 4},          /* corner over face */
        {{{{-9, -9, -3}, {20, -9, -3}, {-9, 20, -3}}}, 9}, /* face below all of it */
        {{{{2, -1, -1}, {2, -1, 1}, {2, -5, 0}}}, 1},      /* edge to edge */
        {{{{-3, -4, 0}, {-5, -5, 0}, {-4, -6, 0}}}, 25},   /* corner to corner, coplanar */
        {{{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}}, 1},          /* a point */
        {{{{-1, 1, 5}, {3, 1, 5}, {7, 1, 5}}}, 25},        /* a segment */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_assert_not(geo_triangle_intersect(s, cases[i].t), "case %zu", i);
        const double d2 = geo_triangle_distance2(s, cases[i].t, NULL, NULL);
        cr_assert_eq(d2, cases[i].distance2, "case %zu: %.17g", i, d2);
        cr_assert_eq(geo_triangle_distance2_extended(s, cases[i].t),
                     (long double)cases[i].distance2, "case %zu", i);
    }
}

Test(triangle, distance_scales_by_powers_of_two)
{
    const uint64_t seed = 25;
    base_random random = base_random_seed(seed);
    for (int i = 0; i < 2000; i++) {
        geo_triangle s = random_triangle(&random, 1), t = random_triangle(&random, 1);
        const double d2 = geo_triangle_distance2(s, t, NULL, NULL);
        for (int k = 0; k < 3; k++) {
            s.p[k] = vec3_scale(0x1p-40, s.p[k]);
            t.p[k] = vec3_scale(0x1p-40, t.p[k]);
        }
        cr_assert_eq(geo_triangle_distance2(s, t, NULL, NULL), d2 * 0x1p-80, "seed %lu case %d",
                     (unsigned long)seed, i);
    }
}

/* --- Intersection ----------------------------------------------------------------------------- */

static vec3 random_integer_point(base_random *random, int bound)
{
    const uint64_t n = 2 * (uint64_t)bound + 1;
    const double x = (double)base_random_below(random, n), y = (double)base_random_below(random, n);
    return (vec3){x - bound, y - bound, (double)base_random_below(random, n) - bound};
}

static geo_triangle random_integer_triangle(base_random *random, int bound)
{
    const vec3 a = random_integer_point(random, bound), b = random_integer_point(random, bound);
    return (geo_triangle){{a, b, random_integer_point(random, bound)}};
}

Test(triangle, intersection_by_hand)
{
    const geo_triangle s = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
    const struct {
        geo_triangle t;
        bool meet;
        const char *what;
    } cases[] = {
        {{{{1, 1, -1}, {1, 1, 1}, {2, 1, 1}}}, true, "through the face"},
        {{{{1, 1, 0}, {1, 1, 1}, {2, 1, 1}}}, true, "corner on the face"},
        {{{{1, 1, 0x1p-1000}, {1, 1, 1}, {2, 1, 1}}}, false, "corner just above the face"},
        {{{{4, 0, 0}, {5, 0, 1}, {5, 1, 0}}}, true, "corner on corner"},
        {{{{2, 2, -1}, {2, 2, 1}, {5, 5, 0}}}, true, "edges cross"},
        {{{{2, 2.5, -1}, {2, 2.5, 1}, {5, 5, 0}}}, false, "edges pass"},
        {{{{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}}, true, "inside, coplanar"},
        {{{{-9, -9, 0}, {20, -9, 0}, {-9, 20, 0}}}, true, "around, coplanar"},
        {{{{2, 2, 0}, {5, 2, 0}, {2, 5, 0}}}, true, "coplanar, corner on edge"},
        {{{{3, 2, 0}, {5, 2, 0}, {2, 5, 0}}}, false, "coplanar, apart"},
        {{{{1, -1, 0}, {2, -1, 0}, {1, 9, 0}}}, true, "coplanar, through"},
        {{{{0, 0, 0}, {4, 0, 0}, {0, 0, 4}}}, true, "common edge"},
        {{{{5, 0, 0}, {9, 0, 0}, {5, 0, 4}}}, false, "edge in line, apart"},
        {{{{0, 0, 1}, {4, 0, 1}, {0, 4, 1}}}, false, "parallel planes"},
        {{{{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}}, true, "point on the face"},
        {{{{3, 3, 0}, {3, 3, 0}, {3, 3, 0}}}, false, "point beside the face"},
        {{{{1, 1, -1}, {1, 1, 1}, {1, 1, 0}}}, true, "segment through the face"},
        {{{{3, 3, -1}, {3, 3, 1}, {3, 3, 0}}}, false, "segment beside the face"},
        {{{{-1, 1, 0}, {5, 1, 0}, {9, 1, 0}}}, true, "segment in the plane, across"},
        {{{{-1, 5, 0}, {5, 5, 0}, {9, 5, 0}}}, false, "segment in the plane, apart"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int turn = 0; turn < 9; turn++) {
            const geo_triangle a = rotated(s, turn), b = rotated(cases[i].t, turn / 3);
            cr_assert(geo_triangle_intersect(a, b) == cases[i].meet &&
                          geo_triangle_intersect(b, a) == cases[i].meet,
                      "%s, turn %d", cases[i].what, turn);
        }
    }
    const geo_triangle segment = {{{0, 0, 0}, {2, 2, 2}, {1, 1, 1}}};
    const geo_triangle crossing = {{{0, 1, 1}, {1, 1, 1}, {3, 1, 1}}};
    cr_assert(geo_triangle_intersect(segment, crossing));
    cr_assert(geo_triangle_intersect(segment, segment));
    cr_assert_not(geo_triangle_intersect(segment, translated(segment, (vec3){3, 3, 3})));
    cr_assert_not(geo_triangle_intersect(segment, translated(segment, (vec3){0, 0, 1})));
    cr_assert_not(geo_triangle_intersect(segment, translated(crossing, (vec3){0, 0, 1})));
}

/** True if the projections on the axis are disjoint. */
static bool separates(vec3 axis, const geo_triangle *s, const geo_triangle *t)
{
    double s_lo = INFINITY, s_hi = -INFINITY, t_lo = INFINITY, t_hi = -INFINITY;
    for (int i = 0; i < 3; i++) {
        const double a = vec3_dot(axis, s->p[i]), b = vec3_dot(axis, t->p[i]);
        s_lo = a < s_lo ? a : s_lo;
        s_hi = a > s_hi ? a : s_hi;
        t_lo = b < t_lo ? b : t_lo;
        t_hi = b > t_hi ? b : t_hi;
    }
    return s_lo > t_hi || t_lo > s_hi;
}

static vec3 normal_of(const geo_triangle *t)
{
    return vec3_cross(edge_of(t, 0), edge_of(t, 1));
}

/**
 * If the two triangles are apart, the line between their nearest points separates them, and it is
 * one of these axes: corner to corner, corner to edge, edge to edge, corner to face. This includes
 * degenerate triangles; for integer corners everything is exact.
 */
static bool oracle_intersect(const geo_triangle *s, const geo_triangle *t)
{
    if (separates(normal_of(s), s, t) || separates(normal_of(t), s, t)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const vec3 e = edge_of(s, i), f = edge_of(t, j), w = vec3_sub(t->p[j], s->p[i]);
            if (separates(w, s, t) || separates(vec3_cross(e, f), s, t)) {
                return false;
            }
            for (int k = 0; k < 3; k++) {
                const vec3 g = edge_of(s, k), h = edge_of(t, k);
                if (separates(vec3_cross(g, vec3_cross(g, w)), s, t) ||
                    separates(vec3_cross(h, vec3_cross(h, w)), s, t)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool degenerate(const geo_triangle *t)
{
    return vec3_norm2(normal_of(t)) == 0;
}

Test(triangle, intersection_equals_separating_axes)
{
    const uint64_t seed = 26;
    base_random random = base_random_seed(seed);
    int met = 0, apart = 0, coplanar = 0, flat = 0;
    for (int i = 0; i < 60000; i++) {
        const int bound = 1 + i % 4;
        geo_triangle s = random_integer_triangle(&random, bound);
        geo_triangle t = random_integer_triangle(&random, bound);
        if (i % 5 == 0) { /* all coplanar */
            for (int k = 0; k < 3; k++) {
                s.p[k].z = s.p[k].x + 2 * s.p[k].y;
                t.p[k].z = t.p[k].x + 2 * t.p[k].y;
            }
            coplanar++;
        }
        flat += degenerate(&s) || degenerate(&t);
        const bool want = oracle_intersect(&s, &t);
        /* The same test far from the origin, where differences are still exact. */
        const vec3 far = vec3_scale(0x1p40, random_integer_point(&random, 3));
        cr_assert(geo_triangle_intersect(s, t) == want && geo_triangle_intersect(t, s) == want &&
                      geo_triangle_intersect(translated(s, far), translated(t, far)) == want,
                  "seed %lu case %d: not %d", (unsigned long)seed, i, want);
        met += want;
        apart += !want;
    }
    cr_assert(met > 10000 && apart > 10000 && coplanar > 10000 && flat > 1000, "%d %d %d %d", met,
              apart, coplanar, flat);
}

/**
 * Touching by construction: a corner rounded to the other plane is exactly on it only by chance.
 */
Test(triangle, intersection_does_not_depend_on_order)
{
    const uint64_t seed = 27;
    base_random random = base_random_seed(seed);
    int met = 0, apart = 0;
    for (int i = 0; i < 20000; i++) {
        const geo_triangle s = random_triangle(&random, 1);
        const vec3 on = vec3_madd(vec3_madd(s.p[0], base_random_unit(&random), edge_of(&s, 0)),
                                  base_random_unit(&random), edge_of(&s, 1));
        const vec3 above = vec3_add(on, normal_of(&s));
        const geo_triangle t = {{on, above, vec3_add(above, random_point(&random, 1e-3))}};
        const bool meet = geo_triangle_intersect(s, t);
        for (int turn = 0; turn < 9; turn++) {
            geo_triangle a = rotated(s, turn), b = rotated(t, turn / 3);
            const vec3 swap = a.p[0];
            cr_assert_eq(geo_triangle_intersect(a, b), meet, "seed %lu case %d",
                         (unsigned long)seed, i);
            a.p[0] = a.p[1];
            a.p[1] = swap;
            cr_assert_eq(geo_triangle_intersect(b, a), meet, "seed %lu case %d",
                         (unsigned long)seed, i);
        }
        met += meet;
        apart += !meet;
    }
    cr_assert(met > 1000 && apart > 1000, "%d %d", met, apart);
}

/**
 * Near the common corner both triangles are cones; they meet if a small cut through one meets t.
 */
static bool oracle_beyond_corner(const geo_triangle *s, const geo_triangle *t)
{
    const double zoom = 256; /* the cut is 1 / 256 of s, closer than any far edge of t */
    const vec3 corner = vec3_scale(zoom, s->p[0]);
    const vec3 cut0 = vec3_add(corner, vec3_sub(s->p[1], s->p[0]));
    const vec3 cut1 = vec3_add(corner, vec3_sub(s->p[2], s->p[0]));
    const geo_triangle cut = {{cut0, cut1, cut1}};
    const geo_triangle zoomed = {{corner, vec3_scale(zoom, t->p[1]), vec3_scale(zoom, t->p[2])}};
    return oracle_intersect(&cut, &zoomed);
}

Test(triangle, beyond_a_common_corner)
{
    const uint64_t seed = 28;
    base_random random = base_random_seed(seed);
    int met = 0, apart = 0;
    for (int i = 0; i < 60000; i++) {
        const int bound = 1 + i % 3;
        geo_triangle s = random_integer_triangle(&random, bound);
        geo_triangle t = random_integer_triangle(&random, bound);
        t.p[0] = s.p[0];
        if (i % 3 == 0) { /* all coplanar */
            for (int k = 0; k < 3; k++) {
                s.p[k].y = s.p[k].x - s.p[k].z;
                t.p[k].y = t.p[k].x - t.p[k].z;
            }
        }
        if (degenerate(&s) || degenerate(&t)) {
            continue;
        }
        const bool want = oracle_beyond_corner(&s, &t);
        cr_assert(geo_triangle_intersect_beyond(s, t, 1) == want &&
                      geo_triangle_intersect_beyond(t, s, 1) == want,
                  "seed %lu case %d: not %d", (unsigned long)seed, i, want);
        met += want;
        apart += !want;
    }
    cr_assert(met > 5000 && apart > 5000, "%d %d", met, apart);
}

Test(triangle, beyond_a_common_edge)
{
    const uint64_t seed = 29;
    base_random random = base_random_seed(seed);
    int met = 0, apart = 0, opposite = 0;
    for (int i = 0; i < 60000; i++) {
        geo_triangle s = random_integer_triangle(&random, 2);
        geo_triangle t = s;
        t.p[2] = random_integer_point(&random, 2);
        if (degenerate(&s) || degenerate(&t)) {
            continue;
        }
        const bool coplanar = vec3_norm2(vec3_cross(normal_of(&s), normal_of(&t))) == 0;
        const bool want = coplanar && vec3_dot(normal_of(&s), normal_of(&t)) > 0;
        cr_assert(geo_triangle_intersect_beyond(s, t, 2) == want &&
                      geo_triangle_intersect_beyond(t, s, 2) == want,
                  "seed %lu case %d: not %d", (unsigned long)seed, i, want);
        met += want;
        apart += !want;
        opposite += coplanar && !want;
    }
    cr_assert(met > 500 && apart > 5000 && opposite > 500, "%d %d %d", met, apart, opposite);
}

Test(triangle, beyond_nothing_and_everything)
{
    const geo_triangle s = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
    cr_assert(geo_triangle_intersect_beyond(s, s, 3));
    cr_assert(geo_triangle_intersect_beyond(s, s, 0));
    cr_assert_not(geo_triangle_intersect_beyond(s, translated(s, (vec3){0, 0, 1}), 0));
}
