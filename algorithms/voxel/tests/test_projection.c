#include "algorithms/voxel/projection.h"
#include "base/random.h"
#include "base/tests/support.h"
#include "geometry/triangle.h"

#include <criterion/criterion.h>

typedef alg_projection projector(geo_triangle triangle, vec3 p);

static const struct {
    const char *name;
    projector *project;
} methods[2] = {
    {"kkt", alg_project_kkt},
    {"voronoi", alg_project_voronoi},
};

static vec3 random_point(base_random *random, double size)
{
    const double x = base_random_range(random, -size, size);
    const double y = base_random_range(random, -size, size);
    return (vec3){x, y, base_random_range(random, -size, size)};
}

static double longest_edge(const geo_triangle *t)
{
    return fmax(vec3_distance(t->p[0], t->p[1]),
                fmax(vec3_distance(t->p[1], t->p[2]), vec3_distance(t->p[2], t->p[0])));
}

/** Returns the error of the distance between p and the found point. */
static double distance_error(const geo_triangle *t, vec3 p, vec3 found)
{
    const geo_triangle at_p = {{p, p, p}};
    const double truth = (double)sqrtl(geo_triangle_distance2_extended(*t, at_p));
    return fabs(vec3_distance(p, found) - truth);
}

Test(projection, every_part_of_a_triangle)
{
    const geo_triangle t = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
    static const struct {
        vec3 p, expected;
        double s, t;
        bool interior;
    } cases[] = {
        {{1, 1, 3}, {1, 1, 0}, 0.25, 0.25, true},
        {{1, 1, 0}, {1, 1, 0}, 0.25, 0.25, true},
        {{2, -1, 5}, {2, 0, 0}, 0.5, 0, false},
        {{2, 0, -1}, {2, 0, 0}, 0.5, 0, false}, /* above the edge */
        {{-1, 1, 1}, {0, 1, 0}, 0, 0.25, false},
        {{0, 1, 1}, {0, 1, 0}, 0, 0.25, false},
        {{4, 2, -2}, {3, 1, 0}, 0.75, 0.25, false},
        {{3, 1, -2}, {3, 1, 0}, 0.75, 0.25, false},
        {{-1, -2, 0}, {0, 0, 0}, 0, 0, false},
        {{0, 0, 0}, {0, 0, 0}, 0, 0, false},
        {{9, 1, 1}, {4, 0, 0}, 1, 0, false},
        {{5, -7, 1}, {4, 0, 0}, 1, 0, false},
        {{1, 9, 1}, {0, 4, 0}, 0, 1, false},
        {{-7, 5, 1}, {0, 4, 0}, 0, 1, false},
    };
    for (int m = 0; m < 2; m++) {
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            const alg_projection raw = methods[m].project(t, cases[i].p);
            const alg_projection both[2] = {raw, alg_project_refine(t, cases[i].p, raw)};
            for (int k = 0; k < 2; k++) {
                cr_assert(vec3_equal(both[k].point, cases[i].expected), "%s case %zu",
                          methods[m].name, i);
                cr_assert(both[k].s == cases[i].s && both[k].t == cases[i].t, "%s case %zu",
                          methods[m].name, i);
                cr_assert_eq(both[k].interior, cases[i].interior, "%s case %zu", methods[m].name,
                             i);
            }
        }
    }
}

Test(projection, an_obtuse_corner_is_nearest_beyond_both_of_its_edges)
{
    /* Beyond an edge, but the nearest point is on the next edge, or is a corner. */
    const geo_triangle t = {{{0, 0, 0}, {8, 0, 0}, {-6, 2, 0}}};
    for (int m = 0; m < 2; m++) {
        for (int turn = 0; turn < 3; turn++) {
            const geo_triangle turned = {{t.p[turn], t.p[(turn + 1) % 3], t.p[(turn + 2) % 3]}};
            cr_assert(vec3_equal(methods[m].project(turned, (vec3){-0.5, -3, 1}).point, t.p[0]));
            const vec3 beyond = methods[m].project(turned, (vec3){-3, -9, 1}).point;
            cr_assert(vec3_equal(beyond, t.p[0]), "%s, turned by %d: %g %g", methods[m].name, turn,
                      beyond.x, beyond.y);
            const vec3 on_edge = methods[m].project(turned, (vec3){-6.5, -4, 0}).point;
            cr_assert_leq(distance_error(&t, (vec3){-6.5, -4, 0}, on_edge), 1e-15);
        }
    }
}

Test(projection, degenerate_triangles_are_segments_and_points)
{
    base_random random = base_random_seed(3);
    const vec3 a = {1, 2, 3}, along = {2, -1, 0.5};
    static const double places[][3] = {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0},
                                       {0, 1, 1}, {0, 1, 2}, {0, 2, 1}, {1, 0, 2}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        /* After division by 3, the corners are collinear only up to rounding. */
        for (int divisor = 1; divisor <= 3; divisor += 2) {
            geo_triangle t;
            for (int k = 0; k < 3; k++) {
                t.p[k] = vec3_madd(a, places[i][k] / divisor, along);
            }
            for (int n = 0; n < 200; n++) {
                const vec3 p = vec3_madd(a, 1, random_point(&random, 4));
                for (int m = 0; m < 2; m++) {
                    const alg_projection raw = methods[m].project(t, p);
                    const alg_projection fine = alg_project_refine(t, p, raw);
                    cr_assert_leq(distance_error(&t, p, raw.point), 1e-14, "%s, line %zu / %d",
                                  methods[m].name, i, divisor);
                    cr_assert_leq(distance_error(&t, p, fine.point), 1e-14, "%s, line %zu / %d",
                                  methods[m].name, i, divisor);
                    cr_assert_not(raw.interior, "%s, line %zu / %d", methods[m].name, i, divisor);
                }
            }
        }
    }
}

Test(projection, rounding_makes_no_inside)
{
    /* The corners are collinear up to rounding: the area is noise, and a point inside would be as
     * well. */
    base_random random = base_random_seed(13);
    for (int n = 0; n < 20000; n++) {
        const vec3 a = random_point(&random, 1), along = random_point(&random, 1);
        geo_triangle t;
        for (int k = 0; k < 3; k++) {
            t.p[k] = vec3_madd(a, base_random_range(&random, -1, 1), along);
        }
        const vec3 p = random_point(&random, 1);
        for (int m = 0; m < 2; m++) {
            const alg_projection raw = methods[m].project(t, p);
            const alg_projection fine = alg_project_refine(t, p, raw);
            cr_assert_leq(distance_error(&t, p, raw.point), 1e-14, "%s, %d", methods[m].name, n);
            cr_assert_leq(distance_error(&t, p, fine.point), 1e-14, "%s, %d", methods[m].name, n);
        }
    }
}

/**
 * Returns a triangle with a longest edge near 1 and a height of about 1 / aspect above it: a needle
 * (with the short side at any corner), a cap, or a triangle between these.
 */
static geo_triangle thin_triangle(base_random *random, double aspect)
{
    const vec3 along = vec3_normalize(random_point(random, 1));
    const vec3 across = vec3_normalize(vec3_cross(along, random_point(random, 1)));
    const double places[4] = {0, 0.5, 1, base_random_unit(random)};
    const double place = places[base_random_below(random, 4)];
    const int first = (int)base_random_below(random, 3);
    geo_triangle t;
    t.p[first] = random_point(random, 1);
    t.p[(first + 1) % 3] = vec3_add(t.p[first], along);
    t.p[(first + 2) % 3] = vec3_madd(vec3_madd(t.p[first], place, along), 1 / aspect, across);
    return t;
}

/**
 * Returns a point over the triangle, near its boundary, or anywhere; from far away to touching it.
 */
static vec3 point_near(base_random *random, const geo_triangle *t)
{
    const bool rim = base_random_below(random, 2) == 0;
    const double s =
        rim ? ldexp(1, -(int)base_random_below(random, 30)) : base_random_range(random, -0.3, 1.3);
    const double on = base_random_unit(random);
    const vec3 e0 = vec3_sub(t->p[1], t->p[0]), e1 = vec3_sub(t->p[2], t->p[0]);
    const vec3 p = vec3_madd(vec3_madd(t->p[0], s * (1 - on), e0), s * on, e1);
    const double away = 3 * ldexp(1, -(int)base_random_below(random, 50));
    return base_random_below(random, 8) == 0 ? p : vec3_add(p, random_point(random, away));
}

Test(projection, distances_are_those_of_extended_precision_at_any_aspect_ratio)
{
    const int step = (int)sweep_step(3);
    base_random random = base_random_seed(11);
    for (double aspect = 1; aspect <= 1e18; aspect *= 10) {
        double worst_raw[2] = {0, 0};
        size_t interior = 0, boundary = 0;
        for (int n = 0; n < 3000; n += step) {
            const geo_triangle t = thin_triangle(&random, aspect);
            const vec3 p = point_near(&random, &t);
            for (int m = 0; m < 2; m++) {
                const alg_projection raw = methods[m].project(t, p);
                const alg_projection fine = alg_project_refine(t, p, raw);
                const double edge = longest_edge(&t);
                worst_raw[m] = fmax(worst_raw[m], distance_error(&t, p, raw.point) / edge);
                const double error = distance_error(&t, p, fine.point) / edge;
                cr_assert_leq(error, 1e-12, "%s, aspect %g: case %d is off by %g", methods[m].name,
                              aspect, n, error);
                cr_assert(fine.s >= 0 && fine.t >= 0 && fine.s + fine.t <= 1 + 1e-15);
                interior += fine.interior;
                boundary += !fine.interior;
            }
        }
        const size_t some = 500 / (size_t)step;
        cr_assert(boundary > some && (interior > some || aspect > 1e7), "aspect %g: %zu, %zu",
                  aspect, interior, boundary);
        for (int m = 0; m < 2; m++) {
            /* Beyond this aspect ratio some triangles are treated as segments, which they are not
             * exactly. */
            const double lost = 2e-15 * aspect * (m == 0 ? aspect : 5);
            cr_assert(aspect > 1e5 || worst_raw[m] <= 1e-14 + lost, "%s, aspect %g: %g",
                      methods[m].name, aspect, worst_raw[m]);
        }
    }
}

Test(projection, both_methods_find_the_same_part_and_point)
{
    base_random random = base_random_seed(5);
    size_t parts[2] = {0, 0};
    for (int n = 0; n < 20000; n++) {
        const geo_triangle t = {
            {random_point(&random, 1), random_point(&random, 1), random_point(&random, 1)}};
        const vec3 n01 = vec3_cross(vec3_sub(t.p[1], t.p[0]), vec3_sub(t.p[2], t.p[0]));
        const double edge = longest_edge(&t);
        if (vec3_norm(n01) < 0.1 * edge * edge) {
            continue;
        }
        const vec3 p = random_point(&random, 1);
        const alg_projection kkt = alg_project_kkt(t, p), voronoi = alg_project_voronoi(t, p);
        cr_assert_eq(kkt.interior, voronoi.interior, "case %d", n);
        cr_assert_leq(vec3_distance(kkt.point, voronoi.point), 1e-12, "case %d", n);
        cr_assert(fabs(kkt.s - voronoi.s) < 1e-11 && fabs(kkt.t - voronoi.t) < 1e-11, "case %d", n);
        cr_assert_leq(vec3_distance(kkt.point, geo_triangle_closest(t, p)), 1e-12, "case %d", n);
        parts[kkt.interior]++;
    }
    cr_assert(parts[0] > 1000 && parts[1] > 1000);
}

Test(projection, scales_with_the_triangle)
{
    base_random random = base_random_seed(7);
    for (int n = 0; n < 2000; n++) {
        const geo_triangle t = thin_triangle(&random, n % 2 ? 1 : 1000);
        const vec3 p = point_near(&random, &t);
        const geo_triangle large = {
            {vec3_scale(0x1p30, t.p[0]), vec3_scale(0x1p30, t.p[1]), vec3_scale(0x1p30, t.p[2])}};
        for (int m = 0; m < 2; m++) {
            const alg_projection one = methods[m].project(t, p);
            const alg_projection two = methods[m].project(large, vec3_scale(0x1p30, p));
            cr_assert(vec3_equal(vec3_scale(0x1p30, one.point), two.point), "%s %d",
                      methods[m].name, n);
            cr_assert(one.s == two.s && one.t == two.t && one.interior == two.interior, "%s %d",
                      methods[m].name, n);
            const alg_projection fine = alg_project_refine(t, p, one);
            const alg_projection other = alg_project_refine(large, vec3_scale(0x1p30, p), two);
            cr_assert(vec3_equal(vec3_scale(0x1p30, fine.point), other.point), "%s %d",
                      methods[m].name, n);
        }
    }
}
