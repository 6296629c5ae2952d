#include "base/tests/support.h"
#include "geometry/pose.h"
#include "groundtruth/body/body.h"
#include "groundtruth/depth/depth.h"
#include "groundtruth/depth/separation.h"

#include "hulls.h"

#include <float.h>

static gt_separation query(const shape *a, const shape *b, geo_pose pose, vec3 u)
{
    gt_separation s;
    gt_separation_query(a->body, b->body, &pose, u, &s);
    return s;
}

/**
 * Checks that the bracket contains the value and is no wider than the rounding error divided by the
 * rate at which the bodies separate.
 */
static void check(gt_bracket bracket, double expected, double steep, const char *name)
{
    cr_assert(within(bracket, expected), "%s: [%.17g, %.17g], not %.17g", name, bracket.lo,
              bracket.hi, expected);
    cr_assert(bracket.hi - bracket.lo < 2e-11 / steep, "%s: [%.17g, %.17g] is wide", name,
              bracket.lo, bracket.hi);
}

static const vec3 x_axis = {1, 0, 0}, z_axis = {0, 0, 1};

/* --- Closed forms ----------------------------------------------------------------------------- */

Test(separation, boxes)
{
    SCOPED_SHAPE a = shape_box((vec3){-1, -1, -1}, (vec3){1, 1, 1});
    SCOPED_SHAPE b = shape_box((vec3){-0.5, -0.25, -2}, (vec3){0.5, 0.25, 2});
    base_random random = base_random_seed(71);
    for (int trial = 0; trial < 200; trial++) {
        const vec3 at = {base_random_range(&random, -1.4, 1.4),
                         base_random_range(&random, -1.2, 1.2),
                         base_random_range(&random, -2.9, 2.9)};
        const vec3 u = geo_random_direction(&random);
        double expected = INFINITY, steep = 1;
        for (int k = 0; k < 3; k++) {
            const double reach = k == 0 ? 1.5 : k == 1 ? 1.25 : 3, speed = fabs(vec3_get(u, k));
            const double side = vec3_get(u, k) > 0 ? 1 : -1;
            const double t = (reach - side * vec3_get(at, k)) / speed;
            steep = t < expected ? speed : steep;
            expected = t < expected ? t : expected;
        }
        const gt_separation s = query(&a, &b, shift(at.x, at.y, at.z), vec3_scale(7, u));
        check(s.first_m, expected, steep, "first");
        check(s.clear_m, expected, steep, "clear");
        cr_assert(s.pair_tests > 0);
    }
}

/** Makes walls at x in [-3, -2] and [2, 3], on a floor. */
static shape slot(void)
{
    shape s = {0};
    const vec3 v[] = {{-3, -1, -1}, {3, -1, -1}, {3, -1, 2},  {2, -1, 2}, {2, -1, 0}, {-2, -1, 0},
                      {-2, -1, 2},  {-3, -1, 2}, {-3, 1, -1}, {3, 1, -1}, {3, 1, 2},  {2, 1, 2},
                      {2, 1, 0},    {-2, 1, 0},  {-2, 1, 2},  {-3, 1, 2}};
    const uint32_t cap[6][3] = {{0, 1, 4}, {1, 2, 3}, {1, 3, 4}, {0, 4, 5}, {0, 5, 7}, {5, 6, 7}};
    geo_face f[28];
    size_t nf = 0;
    for (int i = 0; i < 6; i++) {
        const uint32_t *const c = cap[i];
        f[nf++] = (geo_face){{c[0], c[1], c[2]}};
        f[nf++] = (geo_face){{c[0] + 8, c[2] + 8, c[1] + 8}};
    }
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t j = (i + 1) % 8;
        f[nf++] = (geo_face){{i, i + 8, j}};
        f[nf++] = (geo_face){{j, i + 8, j + 8}};
    }
    shape_add(&s, v, 16, f, nf, false);
    shape_finish(&s);
    cr_assert(s.report.solid && s.report.measure.volume_m3 > 0);
    return s;
}

Test(separation, out_of_one_wall_before_the_other)
{
    SCOPED_SHAPE a = slot(), b = shape_cube(0.9);
    const double z = 1.03;
    /* In the left wall: to the right B leaves it into the slot, and is finally behind the right
     * wall; to the left it is wholly inside the wall for a while. */
    const gt_separation right = query(&a, &b, shift(-2.25, 0.1, z), x_axis);
    check(right.first_m, 0.7, 1, "right, first");
    check(right.clear_m, 5.7, 1, "right, clear");
    const gt_separation left = query(&a, &b, shift(-2.25, 0.1, z), (vec3){-1, 0, 0});
    check(left.first_m, 1.2, 1, "left, first");
    check(left.clear_m, 1.2, 1, "left, clear");
    const gt_separation up = query(&a, &b, shift(-2.25, 0.1, z), z_axis);
    check(up.first_m, 2.45 - z, 1, "up, first");
    check(up.clear_m, 2.45 - z, 1, "up, clear");
    /* In the slot: there is no overlap to leave, but a wall in the way. */
    const gt_separation apart = query(&a, &b, shift(0, 0.1, z), x_axis);
    cr_assert(apart.first_m.lo == 0 && apart.first_m.hi == 0);
    check(apart.clear_m, 3.45, 1, "apart, clear");
    const gt_separation away = query(&a, &b, shift(0, 0.1, z), z_axis);
    cr_assert(away.first_m.hi == 0 && away.clear_m.hi == 0);
}

Test(separation, contained_bodies)
{
    SCOPED_SHAPE shell = {0}, small = shape_cube(0.25), big = shape_cube(4);
    shape_add_box(&shell, (vec3){-2, -2, -2}, (vec3){2, 2, 2}, false);
    shape_add_box(&shell, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, true);
    shape_finish(&shell);
    const gt_separation out = query(&big, &small, shift(0.5, 0.01, 0.02), x_axis);
    check(out.first_m, 1.625, 1, "out of a cube");
    const gt_separation around = query(&small, &big, shift(0.5, 0.01, 0.02), x_axis);
    check(around.first_m, 1.625, 1, "a cube off what it contains");
    /* In the wall of the shell, without contact: into the cavity, and then through the far wall. */
    const gt_separation in = query(&shell, &small, shift(-1.5, 0.01, 0.02), x_axis);
    check(in.first_m, 0.625, 1, "into the cavity");
    check(in.clear_m, 3.625, 1, "through the far wall");
    const gt_separation off = query(&shell, &small, shift(-1.5, 0.01, 0.02), (vec3){-1, 0, 0});
    check(off.first_m, 0.625, 1, "off the shell");
    const gt_separation cavity = query(&shell, &small, shift(0.1, 0.01, 0.02), x_axis);
    cr_assert(cavity.first_m.hi == 0);
    check(cavity.clear_m, 2.025, 1, "out of the cavity");
}

Test(separation, sliding_contact_is_told_by_the_width)
{
    SCOPED_SHAPE a = shape_cube(1), b = shape_cube(1);
    const gt_separation touching = query(&a, &b, shift(0, 1, 0.25), x_axis);
    cr_assert(touching.first_m.lo == 0 && within(touching.first_m, 1), "[%g, %g]",
              touching.first_m.lo, touching.first_m.hi);
    const gt_separation same = query(&a, &b, shift(0, 0, 0), x_axis);
    cr_assert(within(same.first_m, 1) && same.first_m.hi < 1 + 1e-11, "[%.17g, %.17g]",
              same.first_m.lo, same.first_m.hi);
    shape_make_hull(&a);
    shape_make_hull(&b);
    check(query(&a, &b, shift(0, 0, 0), x_axis).first_m, 1, 1, "the same, by hulls");
    check(query(&a, &b, shift(0.25, 0, 0), x_axis).first_m, 0.75, 1, "flush, by hulls");
    const gt_separation beside = query(&a, &b, shift(0, 1, 0.25), x_axis);
    cr_assert(beside.first_m.lo == 0, "%g", beside.first_m.lo);
}

/* --- Two methods ------------------------------------------------------------------------------ */

Test(separation, hulls_by_triangles_and_by_the_minkowski_difference)
{
    base_random random = base_random_seed(72);
    const int part = (int)sweep_step(4);
    int counted = 0;
    for (int trial = 0; trial < 300 / part; trial++) {
        SCOPED_SHAPE a =
            random_hull(&random, 5 + (uint32_t)base_random_below(&random, 60), (vec3){1, 1, 1});
        SCOPED_SHAPE b =
            random_hull(&random, 5 + (uint32_t)base_random_below(&random, 60), (vec3){1, 0.5, 0.7});
        const geo_pose pose = random_pose(&random, base_random_range(&random, 0, 1.2));
        const vec3 u = geo_random_direction(&random);
        const gt_separation hulls = query(&a, &b, pose, u);
        struct gt_hull *const keep = a.body->hull;
        a.body->hull = NULL;
        const gt_separation triangles = query(&a, &b, pose, u);
        a.body->hull = keep;
        const gt_bracket x = hulls.first_m, y = triangles.first_m;
        cr_assert(x.lo <= y.hi && y.lo <= x.hi, "%d: [%.17g, %.17g] and [%.17g, %.17g]", trial,
                  x.lo, x.hi, y.lo, y.hi);
        cr_assert(x.hi - x.lo < 1e-10 && y.hi - y.lo < 1e-10, "%d: %g and %g wide", trial,
                  x.hi - x.lo, y.hi - y.lo);
        gt_depth d;
        gt_depth_query(a.body, b.body, &pose, &d);
        cr_assert(d.depth_m.lo <= x.hi, "%d: depth %g, but %g", trial, d.depth_m.lo, x.hi);
        if (d.depth_m.lo > 0) {
            const gt_separation shortest = query(&a, &b, pose, d.direction);
            cr_assert(shortest.first_m.lo <= d.depth_m.hi && shortest.first_m.hi >= d.depth_m.lo);
            counted++;
        }
    }
    cr_assert(counted > 150 / part, "%d", counted);
}

static gt_distance distance_at(const shape *a, const shape *b, geo_pose pose, vec3 u, double t)
{
    const geo_pose moved = {pose.rotation, vec3_madd(pose.translation, t, u)};
    gt_distance d;
    gt_distance_query(a->body, b->body, &moved, &d);
    return d;
}

Test(separation, tori_against_the_distance_at_many_translations)
{
    base_random random = base_random_seed(73);
    SCOPED_SHAPE a = {0}, b = {0};
    shape_add_torus(&a, 40, 24, 1, 0.25);
    shape_add_torus(&b, 30, 16, 0.7, 0.3);
    shape_finish(&a);
    shape_finish(&b);
    int again = 0, colliding = 0;
    for (int trial = 0; trial < 60; trial++) {
        const geo_pose pose =
            random_pose(&random, base_random_range(&random, 0, trial % 2 ? 3 : 1.5));
        const vec3 any = geo_random_direction(&random);
        const vec3 u = vec3_normalize(vec3_madd(any, trial % 2 ? -2 : 0, pose.translation));
        const gt_separation s = query(&a, &b, pose, u);
        const double first = middle(s.first_m), clear = middle(s.clear_m), hair = 1e-9;
        cr_assert(s.first_m.hi - s.first_m.lo < hair && s.clear_m.hi - s.clear_m.lo < hair,
                  "%d: [%.17g, %.17g], [%.17g, %.17g]", trial, s.first_m.lo, s.first_m.hi,
                  s.clear_m.lo, s.clear_m.hi);
        cr_assert(first <= clear + hair);
        for (int i = 0; i <= 20 && first > 0; i++) {
            const double t = first * i / 20 - (i == 20 ? hair : 0);
            cr_assert(distance_at(&a, &b, pose, u, t).distance_m.hi == 0, "%d: out at %g of %g",
                      trial, t, first);
        }
        cr_assert(distance_at(&a, &b, pose, u, first + hair).distance_m.lo > 0, "%d: not out at %g",
                  trial, first);
        for (int i = 0; i <= 20; i++) {
            const double t = clear + hair + 0.1 * i;
            cr_assert(distance_at(&a, &b, pose, u, t).distance_m.lo > 0,
                      "%d: not clear at %g of %g", trial, t, clear);
        }
        if (clear > 0) {
            cr_assert(distance_at(&a, &b, pose, u, clear - hair).distance_m.hi == 0,
                      "%d: clear before %g", trial, clear);
        }
        colliding += first > 0;
        again += clear > first + 0.01;
    }
    cr_assert(colliding > 20 && again > 5, "%d collide, %d collide again", colliding, again);
}

/* --- One pair of triangles -------------------------------------------------------------------- */

Test(separation, triangles)
{
    const geo_triangle flat = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
    const geo_triangle up = {{{1, 1, 2}, {2, 1, 3}, {1, 2, 4}}};
    const gt_interval down = gt_contact_interval(&flat, &up, (vec3){0, 0, -1}, 0);
    cr_assert(down.from == 2 && down.to == 4, "[%g, %g]", down.from, down.to);
    const gt_interval wide = gt_contact_interval(&flat, &up, (vec3){0, 0, -1}, 0.25);
    cr_assert(wide.from == 1.75 && wide.to > 4 && wide.to <= 4.25, "[%g, %g]", wide.from, wide.to);
    const gt_interval missed = gt_contact_interval(&flat, &up, (vec3){1, 0, 0}, 0);
    cr_assert(missed.from > missed.to);
    /* Coplanar triangles. */
    const geo_triangle beside = {{{5, 1, 0}, {6, 1, 0}, {5, 1.5, 0}}};
    const gt_interval slide = gt_contact_interval(&flat, &beside, (vec3){-1, 0, 0}, 0);
    cr_assert(slide.from == 2 && slide.to == 6, "[%g, %g]", slide.from, slide.to);
    const gt_interval flush = gt_contact_interval(&flat, &beside, (vec3){-1, 0, 0}, -0.1);
    cr_assert(flush.from > flush.to);
}
