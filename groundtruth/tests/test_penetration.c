#include "base/parallel.h"
#include "base/tests/support.h"
#include "geometry/pose.h"
#include "groundtruth/depth/depth.h"
#include "groundtruth/depth/penetration.h"
#include "groundtruth/depth/separation.h"

#include "hulls.h"

/* Bound of the bracket's width, where the cells may be used up; and of the excess of the upper
 * end over the depth. */
#define WIDTH 6e-3
#define ABOVE 1e-6

static gt_penetration_space *space;

static void make_space(void)
{
    space = gt_penetration_space_create();
    cr_assert_not_null(space);
}

static void release_space(void)
{
    gt_penetration_space_destroy(space);
}

/** Queries, and checks the properties of every answer. */
static gt_penetration query(const shape *a, const shape *b, geo_pose pose)
{
    gt_penetration p;
    gt_penetration_query(a->body, b->body, &pose, space, &p);
    cr_assert(p.depth_m.lo >= 0 && p.depth_m.lo <= p.depth_m.hi && isfinite(p.depth_m.hi),
              "[%.17g, %.17g]", p.depth_m.lo, p.depth_m.hi);
    cr_assert(fabs(vec3_norm(p.direction) - 1) < 1e-15);
    if (p.proof == GT_DEPTH_BALLS) {
        const vec3 out = vec3_madd(pose.translation, p.depth_m.hi, p.direction);
        const geo_pose moved = {pose.rotation, out};
        gt_distance d;
        gt_distance_query(a->body, b->body, &moved, &d);
        cr_assert(d.distance_m.lo > 0, "moved by %.17g it is not out", p.depth_m.hi);
    }
    return p;
}

static void check(const gt_penetration *p, double expected, const char *name)
{
    cr_assert(p->depth_m.lo <= expected && expected <= p->depth_m.hi * (1 + 1e-14),
              "%s: [%.17g, %.17g], not %.17g", name, p->depth_m.lo, p->depth_m.hi, expected);
    cr_assert(p->depth_m.lo >= expected * (1 - WIDTH), "%s: at least %.17g of %.17g", name,
              p->depth_m.lo, expected);
    cr_assert(p->depth_m.hi <= expected * (1 + ABOVE), "%s: at most %.17g of %.17g", name,
              p->depth_m.hi, expected);
    cr_assert_eq(p->proof, GT_DEPTH_BALLS);
    cr_assert(p->places > 0 && p->starts > 0 && p->cells > 0);
}

static void points_along(const gt_penetration *p, vec3 expected, const char *name)
{
    const vec3 d = p->direction;
    cr_assert(vec3_distance(d, expected) < 2e-3, "%s: along (%g, %g, %g)", name, d.x, d.y, d.z);
}

/* --- Closed forms ----------------------------------------------------------------------------- */

Test(penetration, boxes, .init = make_space, .fini = release_space)
{
    SCOPED_SHAPE a = shape_box((vec3){-1, -1, -1}, (vec3){1, 1, 1});
    SCOPED_SHAPE b = shape_box((vec3){-0.5, -0.25, -2}, (vec3){0.5, 0.25, 2});
    base_random random = base_random_seed(91);
    for (int trial = 0; trial < 5; trial++) {
        const double reach[3] = {1.5, 1.25, 3};
        const vec3 at = {base_random_range(&random, -1.4, 1.4),
                         base_random_range(&random, -1.2, 1.2),
                         base_random_range(&random, -2.9, 2.9)};
        double expected = INFINITY;
        vec3 way = {0, 0, 0};
        for (int k = 0; k < 3; k++) {
            const double x = vec3_get(at, k), left = reach[k] - fabs(x), side = x > 0 ? 1 : -1;
            if (left < expected) {
                expected = left;
                way = (vec3){k == 0 ? side : 0, k == 1 ? side : 0, k == 2 ? side : 0};
            }
        }
        const gt_penetration p = query(&a, &b, shift(at.x, at.y, at.z));
        check(&p, expected, "boxes");
        points_along(&p, way, "boxes");
    }
}

/** A body whose own origin is at one of its corners. */
Test(penetration, off_centre, .init = make_space, .fini = release_space)
{
    SCOPED_SHAPE a = shape_box((vec3){-1, -1, -1}, (vec3){1, 1, 1});
    SCOPED_SHAPE b = shape_box((vec3){0, 0, 0}, (vec3){3, 2, 1.5});
    const gt_penetration p = query(&a, &b, shift(-1.5, -1, -0.7));
    check(&p, 1.7, "off centre");
    points_along(&p, (vec3){0, 0, 1}, "off centre");
}

Test(penetration, contained_bodies, .init = make_space, .fini = release_space)
{
    SCOPED_SHAPE shell = {0}, small = shape_cube(0.25), big = shape_cube(4);
    shape_add_box(&shell, (vec3){-2, -2, -2}, (vec3){2, 2, 2}, false);
    shape_add_box(&shell, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, true);
    shape_finish(&shell);
    const gt_penetration out = query(&big, &small, shift(0.5, 0.01, 0.02));
    check(&out, 1.625, "out of a cube");
    points_along(&out, (vec3){1, 0, 0}, "out of a cube");
    const gt_penetration around = query(&small, &big, shift(0.5, 0.01, 0.02));
    check(&around, 1.625, "a cube off what it contains");
    points_along(&around, (vec3){1, 0, 0}, "a cube off what it contains");
    /* In the wall, without contact. */
    const gt_penetration in = query(&shell, &small, shift(-1.45, 0.01, 0.02));
    check(&in, 0.575, "into the cavity");
    points_along(&in, (vec3){1, 0, 0}, "into the cavity");
    const gt_penetration off = query(&shell, &small, shift(-1.55, 0.01, 0.02));
    check(&off, 0.575, "off the shell");
    points_along(&off, (vec3){-1, 0, 0}, "off the shell");
    const gt_penetration same = query(&big, &big, shift(0, 0, 0));
    check(&same, 4, "in itself");
}

/** Makes a plate of 4 x 4 x 0.5 with a hole of 1 x 1 in its middle. */
static shape make_plate(void)
{
    shape s = {0};
    vec3 v[16];
    for (uint32_t i = 0; i < 16; i++) {
        const double h = i & 4 ? 0.5 : 2;
        const double x = (i & 3) == 0 || (i & 3) == 3 ? -h : h, y = (i & 3) < 2 ? -h : h;
        v[i] = (vec3){x, y, i & 8 ? 0.25 : -0.25};
    }
    geo_face f[32];
    size_t nf = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t j = (i + 1) % 4;
        /* The bottom, the top, the outside, and the hole. */
        const uint32_t quads[4][4] = {{i, i + 4, j + 4, j},
                                      {i + 8, j + 8, j + 12, i + 12},
                                      {i, j, j + 8, i + 8},
                                      {i + 4, i + 12, j + 12, j + 4}};
        for (int q = 0; q < 4; q++) {
            const uint32_t *const c = quads[q];
            f[nf++] = (geo_face){{c[0], c[1], c[2]}};
            f[nf++] = (geo_face){{c[0], c[2], c[3]}};
        }
    }
    shape_add(&s, v, 16, f, nf, false);
    shape_finish(&s);
    cr_assert(s.report.solid && fabs(s.report.measure.volume_m3 - 7.5) < 1e-12);
    return s;
}

/** The peg moves back to the middle of the hole, not out of it. */
Test(penetration, plate_and_peg, .init = make_space, .fini = release_space)
{
    SCOPED_SHAPE a = make_plate();
    SCOPED_SHAPE b = shape_box((vec3){-0.45, -0.45, -3}, (vec3){0.45, 0.45, 3});
    const struct {
        double x, y, depth;
        vec3 way;
    } cases[] = {
        {0.2, 0.03, 0.15, {-1, 0, 0}},
        {0.02, -0.35, 0.3, {0, 1, 0}},
        {0.2, 0.15, 0.180277563773199465, {-0.83205029433784368, -0.55470019622522912, 0}},
        {-0.5, 0.5, 0.636396103067892771, {0.70710678118654752, -0.70710678118654752, 0}},
        {1.7, 0, 0.75, {1, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const gt_penetration p = query(&a, &b, shift(cases[i].x, cases[i].y, 0.1));
        check(&p, cases[i].depth, "peg");
        points_along(&p, cases[i].way, "peg");
    }
}

/** The polyhedra are slightly smaller than the bodies that they approximate. */
Test(penetration, torus_and_ball, .init = make_space, .fini = release_space)
{
    SCOPED_SHAPE a = {0}, small = {0}, large = {0};
    shape_add_torus(&a, 48, 24, 1, 0.25);
    shape_add_ball(&small, 32, 16, 0.15);
    shape_add_ball(&large, 32, 16, 0.8);
    shape_finish(&a);
    shape_finish(&small);
    shape_finish(&large);
    const gt_penetration tube = query(&a, &small, shift(1, 0.02, 0.01));
    const gt_penetration hole = query(&a, &large, shift(0.002, 0.001, 0));
    const double in_tube = 0.25 + 0.15 - 0.01, in_hole = sqrt(1.05 * 1.05 - 1);
    cr_assert(tube.depth_m.lo > 0.98 * in_tube && tube.depth_m.hi < 1.001 * in_tube, "[%g, %g]",
              tube.depth_m.lo, tube.depth_m.hi);
    /* The ball need not move straight up: it moves to where the polyhedra are thinner. */
    cr_assert(hole.depth_m.lo > 0.96 * in_hole && hole.depth_m.hi < in_hole, "[%g, %g]",
              hole.depth_m.lo, hole.depth_m.hi);
    cr_assert(fabs(hole.direction.z) > 0.99);
}

Test(penetration, apart_and_touching, .init = make_space, .fini = release_space)
{
    SCOPED_SHAPE a = shape_cube(1), b = shape_cube(1);
    const gt_penetration apart = query(&a, &b, shift(1.5, 0.1, 0));
    cr_assert(apart.depth_m.lo == 0 && apart.depth_m.hi == 0 && apart.proof == GT_DEPTH_APART);
    points_along(&apart, (vec3){1, 0, 0}, "apart");
    const gt_penetration faces = query(&a, &b, shift(1, 0.25, 0.125));
    cr_assert(faces.depth_m.lo == 0 && faces.depth_m.hi < 1e-12, "%g", faces.depth_m.hi);
    const gt_penetration edges = query(&a, &b, shift(1, 1, 0.125));
    cr_assert(edges.depth_m.lo == 0 && edges.depth_m.hi < 1e-12, "%g", edges.depth_m.hi);
    const gt_penetration corners = query(&a, &b, shift(1, 1, 1));
    cr_assert(corners.depth_m.lo == 0 && corners.depth_m.hi < 1e-12, "%g", corners.depth_m.hi);
}

/** Depths from 1e-3 of the bodies down to the limit of precision. */
Test(penetration, shallow, .init = make_space, .fini = release_space)
{
    SCOPED_SHAPE a = shape_cube(1), b = shape_cube(1);
    for (int k = 3; k < 12; k += 2) {
        const double depth = base_pow(0.1, k);
        const gt_penetration p = query(&a, &b, shift(1 - depth, 0.25, 0.125));
        const double slack = 1e-11;
        cr_assert(p.depth_m.lo > depth * (1 - WIDTH) - slack && p.depth_m.lo < depth + slack &&
                      p.depth_m.hi > depth - slack && p.depth_m.hi < depth * (1 + ABOVE) + slack,
                  "[%.17g, %.17g], not %g", p.depth_m.lo, p.depth_m.hi, depth);
    }
}

/* --- Other methods ---------------------------------------------------------------------------- */

/** Queries convex bodies without their hulls, as other bodies. */
static gt_penetration query_without_hulls(shape *a, shape *b, geo_pose pose)
{
    struct gt_hull *const hull_a = a->body->hull, *const hull_b = b->body->hull;
    a->body->hull = b->body->hull = NULL;
    const gt_penetration p = query(a, b, pose);
    a->body->hull = hull_a;
    b->body->hull = hull_b;
    return p;
}

Test(penetration, convex_bodies, .init = make_space, .fini = release_space)
{
    base_random random = base_random_seed(92);
    int overlaps = 0;
    for (int trial = 0; trial < 8; trial++) {
        SCOPED_SHAPE a =
            random_hull(&random, 5 + (uint32_t)base_random_below(&random, 60), (vec3){1, 1, 1});
        SCOPED_SHAPE b =
            random_hull(&random, 5 + (uint32_t)base_random_below(&random, 60), (vec3){1, 0.5, 0.7});
        const geo_pose pose = random_pose(&random, base_random_range(&random, 0, 1.2));
        gt_depth exact;
        gt_depth_query(a.body, b.body, &pose, &exact);
        const gt_penetration by_hulls = query(&a, &b, pose);
        cr_assert(by_hulls.depth_m.lo == exact.depth_m.lo &&
                  by_hulls.depth_m.hi == exact.depth_m.hi);
        cr_assert(vec3_equal(by_hulls.direction, exact.direction));
        const gt_penetration p = query_without_hulls(&a, &b, pose);
        if (exact.depth_m.lo > 0) {
            check(&p, middle(exact.depth_m), "convex");
            cr_assert_eq(by_hulls.proof, GT_DEPTH_HULLS);
            overlaps++;
        } else {
            cr_assert(p.depth_m.lo == 0 && p.depth_m.hi == exact.depth_m.hi, "%d", trial);
        }
    }
    cr_assert(overlaps > 3, "%d", overlaps);
}

static vec3 sphere_point(int i, int count)
{
    const double z = 1 - (2 * i + 1.0) / count, r = sqrt(1 - z * z);
    return (vec3){r * base_cos(2.4 * i), r * base_sin(2.4 * i), z};
}

/** No direction is better than the lower end, and the best is hardly better than the upper end. */
Test(penetration, tori_by_many_directions, .init = make_space, .fini = release_space)
{
    enum { DIRECTIONS = 50 };
    base_random random = base_random_seed(93);
    SCOPED_SHAPE a = {0}, b = {0};
    shape_add_torus(&a, 20, 12, 1, 0.25);
    shape_add_torus(&b, 16, 10, 0.7, 0.3);
    shape_finish(&a);
    shape_finish(&b);
    int overlaps = 0;
    for (int trial = 0; trial < 4; trial++) {
        const geo_pose pose = random_pose(&random, base_random_range(&random, 0, 1.5));
        const gt_penetration p = query(&a, &b, pose);
        if (p.proof == GT_DEPTH_APART) {
            continue;
        }
        overlaps++;
        cr_assert(p.depth_m.lo > (1 - WIDTH) * p.depth_m.hi, "%d: [%g, %g]", trial, p.depth_m.lo,
                  p.depth_m.hi);
        double best = INFINITY;
        for (int i = 0; i < DIRECTIONS; i++) {
            gt_separation s;
            gt_separation_query(a.body, b.body, &pose, sphere_point(i, DIRECTIONS), &s);
            best = s.first_m.hi < best ? s.first_m.hi : best;
        }
        cr_assert(p.depth_m.lo <= best, "%d: at least %g, but there is %g", trial, p.depth_m.lo,
                  best);
        cr_assert(p.depth_m.hi <= best, "%d: at most %g, but there is %g", trial, p.depth_m.hi,
                  best);
        gt_separation along;
        gt_separation_query(a.body, b.body, &pose, p.direction, &along);
        cr_assert(along.first_m.lo <= p.depth_m.hi && along.first_m.hi >= p.depth_m.lo);
    }
    cr_assert(overlaps > 1, "%d", overlaps);
}

/* --- Theoretical properties ------------------------------------------------------------------- */

static shape torus(uint32_t nu, uint32_t nv, double major, double minor, double scale,
                   const geo_pose *pose)
{
    shape s = {0};
    shape_add_torus(&s, nu, nv, major, minor);
    shape_scale(&s, scale);
    if (pose) {
        shape_move(&s, pose);
    }
    shape_finish(&s);
    return s;
}

static bool meet(const gt_penetration *x, const gt_penetration *y, double slack)
{
    return x->depth_m.lo <= y->depth_m.hi + slack && y->depth_m.lo <= x->depth_m.hi + slack;
}

Test(penetration, theories, .init = make_space, .fini = release_space)
{
    base_random random = base_random_seed(94);
    const geo_pose far = random_pose(&random, 1000);
    shape a = torus(12, 8, 1, 0.25, 1, NULL), b = torus(10, 7, 0.7, 0.3, 1, NULL);
    shape a_large = torus(12, 8, 1, 0.25, 8, NULL), b_large = torus(10, 7, 0.7, 0.3, 8, NULL);
    shape a_tiny = torus(12, 8, 1, 0.25, 1e-9, NULL), b_tiny = torus(10, 7, 0.7, 0.3, 1e-9, NULL);
    shape a_far = torus(12, 8, 1, 0.25, 1, &far);
    int overlaps = 0;
    for (int trial = 0; trial < 3; trial++) {
        const geo_pose pose = random_pose(&random, base_random_range(&random, 0, 1.5));
        const gt_penetration p = query(&a, &b, pose);
        if (p.proof == GT_DEPTH_APART) {
            continue;
        }
        overlaps++;
        const gt_penetration swapped = query(&b, &a, geo_pose_inverse(&pose));
        cr_assert(meet(&p, &swapped, 0), "%d: exchanged", trial);
        /* Powers of two do not change any digit. */
        const geo_pose at_8 = {pose.rotation, vec3_scale(8, pose.translation)};
        const gt_penetration large = query(&a_large, &b_large, at_8);
        cr_assert(large.depth_m.lo == 8 * p.depth_m.lo && large.depth_m.hi == 8 * p.depth_m.hi,
                  "%d: larger: [%.17g, %.17g], not 8 [%.17g, %.17g]", trial, large.depth_m.lo,
                  large.depth_m.hi, p.depth_m.lo, p.depth_m.hi);
        cr_assert(vec3_equal(large.direction, p.direction));
        const geo_pose at_tiny = {pose.rotation, vec3_scale(1e-9, pose.translation)};
        gt_penetration tiny = query(&a_tiny, &b_tiny, at_tiny);
        tiny.depth_m.lo *= 1e9;
        tiny.depth_m.hi *= 1e9;
        cr_assert(meet(&p, &tiny, 1e-12), "%d: tiny", trial);
        const gt_penetration moved = query(&a_far, &b, geo_pose_compose(&far, &pose));
        cr_assert(meet(&p, &moved, 1e-9), "%d: far", trial);
        cr_assert(moved.depth_m.lo > (1 - WIDTH) * moved.depth_m.hi - 1e-9, "%d: far", trial);
    }
    cr_assert(overlaps > 1, "%d", overlaps);
    shape *const all[] = {&a, &b, &a_large, &b_large, &a_tiny, &b_tiny, &a_far};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        shape_release(all[i]);
    }
}

/* --- The same bits ---------------------------------------------------------------------------- */

enum { POSES = 6 };

typedef struct job {
    const gt_body *a, *b;
    geo_pose poses[POSES];
    gt_penetration found[POSES];
} job;

static void find(void *context, size_t begin, size_t end)
{
    job *const j = context;
    gt_penetration_space *const own = gt_penetration_space_create();
    for (size_t i = begin; i < end; i++) {
        gt_penetration_query(j->a, j->b, &j->poses[i], own, &j->found[i]);
    }
    gt_penetration_space_destroy(own);
}

Test(penetration, same_bits_in_any_thread_and_order, .init = make_space, .fini = release_space)
{
    base_random random = base_random_seed(95);
    SCOPED_SHAPE a = {0}, b = {0};
    shape_add_torus(&a, 12, 8, 1, 0.25);
    shape_add_ball(&b, 10, 6, 0.5);
    shape_finish(&a);
    shape_finish(&b);
    job j = {.a = a.body, .b = b.body};
    for (int i = 0; i < POSES; i++) {
        j.poses[i] = random_pose(&random, 0.2 * i);
    }
    base_parallel_for(POSES, 1, 3, find, &j);
    for (int i = POSES; i-- > 0;) {
        const gt_penetration p = query(&a, &b, j.poses[i]), *const q = &j.found[i];
        cr_assert(p.depth_m.lo == q->depth_m.lo && p.depth_m.hi == q->depth_m.hi &&
                      vec3_equal(p.direction, q->direction) && p.proof == q->proof &&
                      p.places == q->places && p.starts == q->starts && p.cells == q->cells,
                  "pose %d", i);
    }
}
