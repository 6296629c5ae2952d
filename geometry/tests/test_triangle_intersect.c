#include "base/random.h"
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

Test(triangle_intersect, intersection_by_hand)
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

Test(triangle_intersect, intersection_equals_separating_axes)
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
Test(triangle_intersect, intersection_does_not_depend_on_order)
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

Test(triangle_intersect, beyond_a_common_corner)
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

Test(triangle_intersect, beyond_a_common_edge)
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

Test(triangle_intersect, beyond_nothing_and_everything)
{
    const geo_triangle s = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
    cr_assert(geo_triangle_intersect_beyond(s, s, 3));
    cr_assert(geo_triangle_intersect_beyond(s, s, 0));
    cr_assert_not(geo_triangle_intersect_beyond(s, translated(s, (vec3){0, 0, 1}), 0));
}
