#include "base/elementary.h"
#include "base/random.h"
#include "base/tests/support.h"
#include "geometry/tree.h"
#include "geometry/mesh.h"
#include "geometry/pose.h"
#include "geometry/triangle.h"
#include "groundtruth/body/body.h"
#include "groundtruth/distance/distance.h"

#include "shapes.h"

#include <float.h>
#include <math.h>

static gt_distance query(const shape *a, const shape *b, geo_pose pose)
{
    gt_distance d;
    gt_distance_query(a->body, b->body, &pose, &d);
    return d;
}

/* --- Hand cases ------------------------------------------------------------------------------- */

Test(distance, cubes_apart)
{
    SCOPED_SHAPE a = shape_cube(1), b = shape_cube(1);
    const struct {
        const char *name;
        vec3 by;
        double expected;
    } cases[] = {
        {"face", {3, 0.1, 0.2}, 2},
        {"edge", {4, 5, 0.2}, 5},
        {"vertex", {3, -4, 5}, sqrt(4 + 9 + 16.0)},
        {"near face", {1 + 0x1p-30, 0, 0}, 0x1p-30},
        {"touching face", {1, 0.5, 0.25}, 0},
        {"touching edge", {1, -1, 0}, 0},
        {"touching point", {1, 1, 1}, 0},
        {"overlapping", {0.5, 0.5, 0.5}, 0},
        {"the same", {0, 0, 0}, 0},
        {"far", {1e6, 0, 0}, 1e6 - 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const vec3 by = cases[i].by;
        const gt_distance d = query(&a, &b, shift(by.x, by.y, by.z));
        const double e = cases[i].expected;
        cr_assert(within(d.distance_m, e) && within(d.surface_m, e), "%s: [%.17g, %.17g], not %g",
                  cases[i].name, d.distance_m.lo, d.distance_m.hi, e);
        const double wide = e == 0 ? 0 : 2.001 * (1e-12 * e + 64 * DBL_EPSILON * (e + 2));
        cr_assert(d.distance_m.hi - d.distance_m.lo <= wide, "%s: width %g", cases[i].name,
                  d.distance_m.hi - d.distance_m.lo);
        const double gap = vec3_distance(d.witness_a, d.witness_b);
        cr_assert(fabs(gap - e) <= 1e-12 * e + 1e-15, "%s: witnesses %g apart", cases[i].name, gap);
        cr_assert(d.triangle_tests > 0);
    }
}

Test(distance, contained_bodies_overlap)
{
    SCOPED_SHAPE big = shape_cube(1), small = shape_cube(0.25);
    const gt_distance in = query(&big, &small, shift(0.125, 0, 0));
    cr_assert(in.distance_m.lo == 0 && in.distance_m.hi == 0);
    cr_assert(within(in.surface_m, 0.25) && in.surface_m.lo > 0.2499, "%g", in.surface_m.lo);
    const gt_distance out = query(&small, &big, shift(-0.125, 0, 0));
    cr_assert(out.distance_m.lo == 0 && out.distance_m.hi == 0);
    cr_assert(within(out.surface_m, 0.25) && out.surface_m.lo > 0.2499);
}

/** A cube of edge 2 with a cavity of edge 1. */
static shape hollow(void)
{
    shape s = {0};
    shape_add_box(&s, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, false);
    shape_add_box(&s, (vec3){-0.5, -0.5, -0.5}, (vec3){0.5, 0.5, 0.5}, true);
    shape_finish(&s);
    cr_assert(s.report.solid);
    return s;
}

Test(distance, a_body_in_a_cavity_does_not_overlap)
{
    SCOPED_SHAPE shell = hollow(), small = shape_cube(0.25);
    const gt_distance free = query(&shell, &small, shift(0.125, 0, 0));
    cr_assert(within(free.distance_m, 0.25) && free.distance_m.lo > 0.2499);
    const gt_distance swapped = query(&small, &shell, shift(-0.125, 0, 0));
    cr_assert(within(swapped.distance_m, 0.25) && swapped.distance_m.lo > 0.2499);
    const gt_distance wall = query(&shell, &small, shift(0.75, 0, 0));
    cr_assert(wall.distance_m.hi == 0 && within(wall.surface_m, 0.125) && wall.surface_m.lo > 0.12);
}

Test(distance, one_component_inside_is_enough)
{
    SCOPED_SHAPE big = shape_cube(1), two = {0};
    shape_add_box(&two, (vec3){5, 5, 5}, (vec3){6, 6, 6}, false);
    shape_add_box(&two, (vec3){-0.1, -0.1, -0.1}, (vec3){0.1, 0.1, 0.1}, false);
    shape_finish(&two);
    const gt_distance d = query(&big, &two, geo_pose_identity());
    cr_assert(d.distance_m.hi == 0 && within(d.surface_m, 0.4));
    const gt_distance e = query(&two, &big, geo_pose_identity());
    cr_assert(e.distance_m.hi == 0 && within(e.surface_m, 0.4));
}

Test(distance, surfaces_contain_nothing)
{
    SCOPED_SHAPE open = {0}, small = shape_cube(0.25);
    shape_add_box(&open, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, false);
    open.parts.face_count--;
    shape_finish(&open);
    cr_assert(!open.report.solid);
    const gt_distance d = query(&open, &small, geo_pose_identity());
    cr_assert(within(d.distance_m, 0.875) && d.distance_m.lo > 0.87);
    /* but are inside of solids */
    SCOPED_SHAPE big = shape_cube(10);
    cr_assert(query(&big, &open, geo_pose_identity()).distance_m.hi == 0);
    cr_assert(query(&open, &big, geo_pose_identity()).distance_m.hi == 0);
}

Test(distance, far_bodies_keep_their_digits)
{
    /* Both bodies are a billion times their size from their own origins. */
    SCOPED_SHAPE a = {0}, b = {0};
    const double far = 0x1p30;
    shape_add_torus(&a, 60, 40, 1, 0.25);
    shape_add_ball(&b, 40, 20, 0.5);
    const geo_pose to_a = shift(far, -far, far), to_b = shift(-far, far, 2 * far);
    shape_move(&a, &to_a);
    shape_move(&b, &to_b);
    shape_finish(&a);
    shape_finish(&b);
    const gt_distance d = query(&a, &b, shift(2 * far + 3, -2 * far, -far));
    cr_assert(fabs(middle(d.distance_m) - (3 - 1.25 - 0.5)) < 1e-2, "%g", middle(d.distance_m));
    gt_distance brute;
    const geo_pose pose = shift(2 * far + 3, -2 * far, -far);
    gt_distance_brute(a.body, b.body, &pose, &brute);
    cr_assert(within(d.surface_m, middle(brute.surface_m)));
    cr_assert(a.body->span < 2 && b.body->span < 2, "boxes are of %g and %g", a.body->span,
              b.body->span);
}

/* --- Comparison with all pairs in extended precision ------------------------------------------ */

static void check_witnesses(const shape *a, const shape *b, const geo_pose *pose,
                            const gt_distance *d, const char *what, int frame)
{
    const double tolerance = 1e-12 * (1 + d->surface_m.hi);
    const double gap = vec3_distance(d->witness_a, d->witness_b);
    cr_assert(fabs(gap - middle(d->surface_m)) <= tolerance, "%s, frame %d: witnesses %.17g apart",
              what, frame, gap);
    SCOPED_ARENA arena = {0};
    geo_surface on_a, on_b;
    cr_assert_eq(geo_surface_build(&a->mesh, &arena, &on_a, NULL), BASE_OK);
    cr_assert_eq(geo_surface_build(&b->mesh, &arena, &on_b, NULL), BASE_OK);
    const geo_pose back = geo_pose_inverse(pose);
    const geo_closest ca = geo_surface_closest(&on_a, d->witness_a, UINT32_MAX);
    const geo_closest cb =
        geo_surface_closest(&on_b, geo_pose_apply(&back, d->witness_b), UINT32_MAX);
    cr_assert(sqrt(ca.distance2) <= tolerance && sqrt(cb.distance2) <= tolerance,
              "%s, frame %d: witnesses %g and %g off the surfaces", what, frame, sqrt(ca.distance2),
              sqrt(cb.distance2));
}

typedef struct counts {
    int apart, crossing, inside;
} counts;

static void sweep(shape *a, shape *b, double reach, uint64_t seed, const char *what, counts *n)
{
    base_random random = base_random_seed(seed);
    for (int frame = 0; frame < 150 / (int)sweep_step(3); frame++) {
        const geo_pose pose = random_pose(&random, reach * base_random_unit(&random));
        gt_distance fast, slow;
        gt_distance_query(a->body, b->body, &pose, &fast);
        gt_distance_brute(a->body, b->body, &pose, &slow);
        cr_assert(within(fast.surface_m, middle(slow.surface_m)) &&
                      within(fast.distance_m, middle(slow.distance_m)),
                  "%s, seed %zu, frame %d: [%.17g, %.17g], all pairs say %.17g", what, (size_t)seed,
                  frame, fast.surface_m.lo, fast.surface_m.hi, middle(slow.surface_m));
        cr_assert((fast.surface_m.hi == 0) == (slow.surface_m.hi == 0) &&
                      (fast.distance_m.hi == 0) == (slow.distance_m.hi == 0),
                  "%s, seed %zu, frame %d: contact and no contact", what, (size_t)seed, frame);
        check_witnesses(a, b, &pose, &fast, what, frame);
        n->crossing += fast.surface_m.hi == 0;
        n->apart += fast.distance_m.lo > 0;
        n->inside += fast.distance_m.hi == 0 && fast.surface_m.lo > 0;
    }
}

Test(distance, random_poses_against_all_pairs)
{
    SCOPED_SHAPE torus = {0}, ball = {0}, bead = {0},
                 box = shape_box((vec3){-1, -0.3, -0.2}, (vec3){1, 0.3, 0.2});
    shape_add_torus(&torus, 16, 10, 1, 0.4);
    shape_add_ball(&ball, 14, 9, 1);
    shape_add_ball(&bead, 9, 6, 0.15);
    shape_finish(&torus);
    shape_finish(&ball);
    shape_finish(&bead);
    cr_assert(torus.report.solid && ball.report.solid && bead.report.solid);
    const int part = (int)sweep_step(3);
    counts n = {0};
    sweep(&torus, &torus, 4, 1, "torus and torus", &n);
    sweep(&torus, &ball, 4, 2, "torus and ball", &n);
    sweep(&torus, &bead, 2, 3, "torus and bead", &n);
    sweep(&bead, &ball, 2, 4, "bead and ball", &n);
    sweep(&box, &torus, 3, 5, "box and torus", &n);
    sweep(&ball, &bead, 1.5, 6, "ball and bead", &n);
    cr_assert(n.apart > 200 / part && n.crossing > 200 / part && n.inside > 20 / part,
              "%d apart, %d crossing, %d inside", n.apart, n.crossing, n.inside);
}

Test(distance, near_contact_against_all_pairs)
{
    /* Gaps from the float margins of the hierarchy down to the last digits of double. */
    SCOPED_SHAPE torus = {0}, ball = {0};
    shape_add_torus(&torus, 24, 12, 1, 0.4);
    shape_add_ball(&ball, 20, 12, 0.7);
    shape_finish(&torus);
    shape_finish(&ball);
    base_random random = base_random_seed(8);
    int seen = 0;
    for (int frame = 0; frame < 40; frame++) {
        geo_pose pose = random_pose(&random, 4);
        for (int step = 0; step < 14; step++) {
            gt_distance fast, slow;
            gt_distance_query(torus.body, ball.body, &pose, &fast);
            gt_distance_brute(torus.body, ball.body, &pose, &slow);
            const double d = middle(slow.surface_m);
            cr_assert(within(fast.surface_m, d) && within(slow.surface_m, middle(fast.surface_m)),
                      "frame %d, step %d: %.17g, all pairs say %.17g", frame, step,
                      middle(fast.surface_m), d);
            seen += d > 0 && d < 1e-6;
            if (d == 0) {
                break;
            }
            const vec3 towards = vec3_sub(fast.witness_a, fast.witness_b);
            pose.translation = vec3_madd(pose.translation, 0.95, towards);
        }
    }
    cr_assert(seen > 120, "%d frames below 1e-6", seen);
}

static bool stop(void *context, uint32_t face_a, uint32_t face_b, const geo_common *common)
{
    (void)context, (void)face_a, (void)face_b, (void)common;
    return false;
}

/**
 * Across the first contact in steps of the last digits: the decision whether surfaces intersect
 * stays exact.
 */
Test(distance, contact_is_decided_exactly)
{
    SCOPED_SHAPE torus = {0}, ball = {0};
    shape_add_torus(&torus, 24, 12, 1, 0.4);
    shape_add_ball(&ball, 20, 12, 0.7);
    shape_finish(&torus);
    shape_finish(&ball);
    base_random random = base_random_seed(9);
    int crossing = 0, apart = 0;
    for (int frame = 0; frame < 150; frame++) {
        geo_pose pose = random_pose(&random, 4);
        gt_distance d = query(&torus, &ball, pose);
        vec3 direction = {0, 0, 0};
        for (int step = 0; step < 8 && d.surface_m.lo > 0; step++) {
            direction = vec3_normalize(vec3_sub(d.witness_a, d.witness_b));
            pose.translation = vec3_add(pose.translation, vec3_sub(d.witness_a, d.witness_b));
            d = query(&torus, &ball, pose);
        }
        for (int step = -20; step <= 20; step++) {
            const geo_pose moved = {pose.rotation,
                                    vec3_madd(pose.translation, 4e-17 * step, direction)};
            d = query(&torus, &ball, moved);
            const bool intersect = !geo_tree_intersections(&torus.body->tree, &ball.body->tree,
                                                           &moved, false, stop, NULL, NULL);
            cr_assert_eq(d.surface_m.hi == 0, intersect, "frame %d, step %d: %g", frame, step,
                         d.surface_m.hi);
            cr_assert(d.surface_m.lo == 0 && d.surface_m.hi < 1e-12);
            crossing += intersect;
            apart += !intersect;
        }
    }
    cr_assert(crossing > 500 && apart > 500, "%d crossing, %d apart", crossing, apart);
}

/* --- Theoretical properties ------------------------------------------------------------------- */

Test(distance, swapping_and_moving_both_change_nothing)
{
    SCOPED_SHAPE torus = {0}, ball = {0};
    shape_add_torus(&torus, 20, 12, 1, 0.3);
    shape_add_ball(&ball, 16, 10, 0.6);
    shape_finish(&torus);
    shape_finish(&ball);
    base_random random = base_random_seed(21);
    for (int frame = 0; frame < 60; frame++) {
        const geo_pose pose = random_pose(&random, 1.2 + base_random_unit(&random));
        const geo_pose inverse = geo_pose_inverse(&pose);
        const gt_distance d = query(&torus, &ball, pose);
        const gt_distance swapped = query(&ball, &torus, inverse);
        cr_assert(fabs(middle(d.surface_m) - middle(swapped.surface_m)) <= 1e-14,
                  "frame %d: %.17g, swapped %.17g", frame, middle(d.surface_m),
                  middle(swapped.surface_m));
        SCOPED_SHAPE carried = {0};
        shape_add_torus(&carried, 20, 12, 1, 0.3);
        const geo_pose motion = random_pose(&random, 3);
        shape_move(&carried, &motion);
        shape_finish(&carried);
        const gt_distance both = query(&carried, &ball, geo_pose_compose(&motion, &pose));
        cr_assert(fabs(middle(d.surface_m) - middle(both.surface_m)) <= 1e-14,
                  "frame %d: %.17g, both moved %.17g", frame, middle(d.surface_m),
                  middle(both.surface_m));
    }
}

Test(distance, scales_with_the_bodies)
{
    SCOPED_SHAPE a = {0}, b = {0};
    shape_add_torus(&a, 20, 12, 1, 0.3);
    shape_add_ball(&b, 16, 10, 0.6);
    shape_finish(&a);
    shape_finish(&b);
    for (int exponent = -40; exponent <= 40; exponent += 20) {
        const double factor = ldexp(1, exponent);
        SCOPED_SHAPE c = {0}, d = {0};
        shape_add_torus(&c, 20, 12, 1, 0.3);
        shape_add_ball(&d, 16, 10, 0.6);
        shape_scale(&c, factor);
        shape_scale(&d, factor);
        shape_finish(&c);
        shape_finish(&d);
        base_random random = base_random_seed(22);
        for (int frame = 0; frame < 20; frame++) {
            const geo_pose pose = random_pose(&random, 1.2 + base_random_unit(&random));
            const geo_pose scaled = {pose.rotation, vec3_scale(factor, pose.translation)};
            const double one = middle(query(&a, &b, pose).surface_m);
            const double other = middle(query(&c, &d, scaled).surface_m);
            cr_assert(fabs(factor * one - other) <= 1e-14 * factor,
                      "2^%d, frame %d: %.17g, not %.17g", exponent, frame, other, factor * one);
        }
    }
}

/* --- Reference sets --------------------------------------------------------------------------- */

static void check_reference(const char *a_path, const char *b_path, const char *name)
{
    if (!shared_is_there()) {
        cr_skip_test("skipped: ../shared is not there");
    }
    SCOPED_SHAPE a = shape_load(a_path), b = shape_load(b_path);
    SCOPED_REFERENCE r = reference_read(name);
    for (size_t f = 0; f < r.expected.rows; f++) {
        const gt_distance d = query(&a, &b, reference_pose(&r, f));
        const double expected = reference_number(&r.expected, f, "distance_m");
        cr_assert(fabs(middle(d.distance_m) - expected) <= 1e-14 * expected,
                  "%s, frame %zu: %.17g, not %.17g", name, f, middle(d.distance_m), expected);
    }
}

Test(distance, reference_spot_rocker)
{
    check_reference("../shared/models/c3d-spot.off", "../shared/models/c3d-rocker-arm.off",
                    "spot-rocker-distance");
}

Test(distance, reference_bunny)
{
    check_reference("../shared/models/oded-bunny_hr.off", "../shared/models/oded-bunny_hr.off",
                    "bunny-bunny-distance");
}

/* --- With a hint ------------------------------------------------------------------------------ */

/** Compares all members except the counter. */
static bool same_answer(const gt_distance *a, const gt_distance *b)
{
    gt_distance x = *a, y = *b;
    x.triangle_tests = y.triangle_tests = 0;
    return memcmp(&x, &y, sizeof x) == 0;
}

/** Tests all pairs in double: returns the first of the nearest in the order of faces. */
static double first_of_all_pairs(const shape *a, const shape *b, const geo_pose *pose,
                                 uint32_t face[2])
{
    double best2 = INFINITY;
    for (uint32_t i = 0; i < a->mesh.face_count; i++) {
        const geo_triangle s = geo_mesh_triangle(&a->mesh, i);
        for (uint32_t j = 0; j < b->mesh.face_count; j++) {
            const geo_triangle t = geo_pose_apply_triangle(pose, geo_mesh_triangle(&b->mesh, j));
            if (geo_triangle_intersect(s, t)) {
                return 0;
            }
            const double d2 = geo_triangle_distance2(s, t, NULL, NULL);
            if (d2 < best2) {
                best2 = d2;
                face[0] = i;
                face[1] = j;
            }
        }
    }
    return best2;
}

static uint32_t any_face(base_random *random, const shape *s)
{
    return (uint32_t)base_random_below(random, s->mesh.face_count + 2); /* some give no hint */
}

typedef struct hint_counts {
    int apart, crossing;
} hint_counts;

static void check_pose(const shape *a, const shape *b, const geo_pose *pose, base_random *random,
                       const char *what, hint_counts *n)
{
    gt_distance cold, hinted;
    gt_distance_hint hint = GT_NO_HINT;
    gt_distance_query_from(a->body, b->body, pose, &hint, &cold);
    const gt_distance_hint found = hint;
    uint32_t face[2] = {0, 0};
    const double d2 = first_of_all_pairs(a, b, pose, face);
    if (d2 > 0) {
        gt_distance expected;
        gt_distance_finish(a->body, b->body, pose, false, d2, &expected);
        cr_assert(memcmp(&cold.surface_m, &expected.surface_m, sizeof cold.surface_m) == 0,
                  "%s: %.17g, all pairs say %.17g", what, middle(cold.surface_m), sqrt(d2));
        cr_assert(found.face_a == face[0] && found.face_b == face[1],
                  "%s: faces %u and %u, not %u and %u", what, found.face_a, found.face_b, face[0],
                  face[1]);
    } else {
        cr_assert(cold.surface_m.lo == 0, "%s", what);
    }
    n->apart += d2 > 0;
    n->crossing += d2 == 0;
    for (int k = 0; k < 8; k++) {
        hint = k == 0 ? found : (gt_distance_hint){any_face(random, a), any_face(random, b)};
        const gt_distance_hint from = hint;
        gt_distance_query_from(a->body, b->body, pose, &hint, &hinted);
        cr_assert(same_answer(&cold, &hinted) && hint.face_a == found.face_a &&
                      hint.face_b == found.face_b,
                  "%s: from faces %u and %u: %.17g, not %.17g", what, from.face_a, from.face_b,
                  middle(hinted.surface_m), middle(cold.surface_m));
    }
    setenv("PROXBENCH_SIMD", "sse2", 1);
    hint = GT_NO_HINT;
    gt_distance_query_from(a->body, b->body, pose, &hint, &hinted);
    unsetenv("PROXBENCH_SIMD");
    cr_assert(same_answer(&cold, &hinted) && cold.triangle_tests == hinted.triangle_tests &&
                  hint.face_a == found.face_a && hint.face_b == found.face_b,
              "%s: other bits without AVX2", what);
}

static void sweep_hints(const shape *a, const shape *b, double reach, uint64_t seed,
                        const char *what, hint_counts *n)
{
    base_random random = base_random_seed(seed);
    for (size_t frame = 0; frame < 60 / sweep_step(4); frame++) {
        const geo_pose pose = random_pose(&random, reach * base_random_unit(&random));
        check_pose(a, b, &pose, &random, what, n);
    }
}

Test(distance, changes_nothing_and_is_all_pairs_to_the_last_bit)
{
    SCOPED_SHAPE torus = {0}, ball = {0}, bead = {0}, splinter = {0},
                 box = shape_box((vec3){-1, -0.3, -0.2}, (vec3){1, 0.3, 0.2});
    shape_add_torus(&torus, 16, 10, 1, 0.4);
    shape_add_ball(&ball, 14, 9, 1);
    shape_add_ball(&bead, 9, 6, 0.15);
    shape_add_box(&splinter, (vec3){-1, -0.01, -1e-4}, (vec3){1, 0.01, 1e-4}, false);
    shape_finish(&torus);
    shape_finish(&ball);
    shape_finish(&bead);
    shape_finish(&splinter);
    hint_counts n = {0};
    sweep_hints(&torus, &torus, 5, 21, "torus and torus", &n);
    sweep_hints(&torus, &ball, 5, 22, "torus and ball", &n);
    sweep_hints(&bead, &ball, 2, 23, "bead and ball", &n);
    sweep_hints(&box, &torus, 3, 24, "box and torus", &n);
    sweep_hints(&splinter, &torus, 2, 25, "splinter and torus", &n);
    sweep_hints(&splinter, &box, 2, 26, "splinter and box", &n);
    sweep_hints(&box, &box, 3, 27, "box and box", &n);
    const int part = (int)sweep_step(4);
    cr_assert(n.apart > 150 / part && n.crossing > 60 / part, "%d apart, %d crossing", n.apart,
              n.crossing);
}

/** Makes separate needles, each with a small angle at its first corner. */
static shape needles(base_random *random)
{
    shape s = {0};
    for (int i = 0; i < 60; i++) {
        const vec3 p = vec3_scale(base_random_unit(random), geo_random_direction(random));
        const vec3 d = geo_random_direction(random);
        const double thin = base_exp(base_random_range(random, -3, -2.4));
        const vec3 q = vec3_madd(p, 0.5 * base_random_unit(random) + 0.25, d);
        const vec3 corners[3] = {p, vec3_add(p, d),
                                 vec3_madd(q, thin, geo_random_direction(random))};
        shape_add(&s, corners, 3, &(geo_face){{0, 1, 2}}, 1, false);
    }
    shape_finish(&s);
    return s;
}

Test(distance, needles)
{
    base_random random = base_random_seed(31);
    SCOPED_SHAPE a = needles(&random), b = needles(&random);
    hint_counts n = {0};
    for (int frame = 0; frame < 300; frame++) {
        const geo_pose pose = random_pose(&random, 1 + 2 * base_random_unit(&random));
        check_pose(&a, &b, &pose, &random, "needles", &n);
    }
    cr_assert(n.apart > 100, "%d apart, %d crossing", n.apart, n.crossing);
}

/**
 * Makes a plate with a round hole, as CAD programs write it: each corner of the plate has a fan of
 * long triangles to a quarter of the hole, and the wall of the hole has small ones.
 */
static shape plate_with_hole(double half, int sides)
{
    enum { SIDES_MAX = 64 };
    vec3 points[2 * SIDES_MAX + 8];
    geo_face faces[8 * SIDES_MAX];
    size_t count = 0;
    const uint32_t n = (uint32_t)sides, corners = 2 * n;
    for (uint32_t k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < n; i++) {
            const double angle = 2 * 3.14159265358979 * i / n;
            points[k * n + i] = (vec3){0.1 * base_cos(angle), 0.1 * base_sin(angle), 0.02 * k};
        }
        for (uint32_t i = 0; i < 4; i++) {
            points[corners + 4 * k + i] =
                (vec3){i == 0 || i == 3 ? half : -half, i < 2 ? half : -half, 0.02 * k};
        }
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t corner = corners + 4 * k + 4 * i / n, next = (i + 1) % n;
            faces[count++] = (geo_face){{k * n + i, k * n + next, corner}};
            if (4 * next / n != 4 * i / n) {
                faces[count++] = (geo_face){{corner, k * n + next, corners + 4 * k + 4 * next / n}};
            }
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t next = (i + 1) % n;
        faces[count++] = (geo_face){{i, next, n + i}};
        faces[count++] = (geo_face){{next, n + next, n + i}};
    }
    shape s = {0};
    shape_add(&s, points, corners + 8, faces, count, false);
    shape_finish(&s);
    return s;
}

Test(distance, parts_of_long_triangles_change_no_bit)
{
    SCOPED_SHAPE plate = plate_with_hole(4, 64), pin = plate_with_hole(0.3, 24), ball = {0};
    shape_add_ball(&ball, 12, 8, 0.09);
    shape_finish(&ball);
    cr_assert(plate.body->parts.divided && plate.body->parts.count > 700, "%u parts",
              plate.body->parts.count);
    cr_assert(!ball.body->parts.divided && ball.body->parts.leaves == ball.body->tree.leaves);
    base_random random = base_random_seed(33);
    hint_counts n = {0};
    for (int frame = 0; frame < 60 / (int)sweep_step(2); frame++) {
        const double reach = 3 * base_random_unit(&random);
        const geo_pose pose = random_pose(&random, reach);
        check_pose(&plate, &ball, &pose, &random, "plate and ball", &n);
        check_pose(&ball, &plate, &pose, &random, "ball and plate", &n);
        check_pose(&plate, &pin, &pose, &random, "plate and pin", &n);
        const geo_pose above = shift(reach, 0, 0.0625 + 0.25 * reach);
        check_pose(&plate, &pin, &above, &random, "parallel plates", &n);
    }
    cr_assert(n.apart > 60 && n.crossing > 10, "%d apart, %d crossing", n.apart, n.crossing);
}

/** Faces, edges and corners opposite each other: many pairs are equally near. */
Test(distance, ties_have_one_answer)
{
    SCOPED_SHAPE a = shape_cube(1), ball = {0};
    shape_add_ball(&ball, 16, 8, 0.5);
    shape_finish(&ball);
    base_random random = base_random_seed(28);
    hint_counts n = {0};
    static const vec3 shifts[] = {
        {1.5, 0, 0}, {1.5, 1.5, 0}, {1.5, 1.5, 1.5}, {0, 0, -2}, {1.5, 0.25, 0.125}, {1, 0, 0},
    };
    for (size_t i = 0; i < sizeof shifts / sizeof shifts[0]; i++) {
        const geo_pose pose = shift(shifts[i].x, shifts[i].y, shifts[i].z);
        check_pose(&a, &a, &pose, &random, "cubes", &n);
        check_pose(&a, &ball, &pose, &random, "cube and ball", &n);
        check_pose(&ball, &ball, &pose, &random, "balls", &n);
    }
    cr_assert(n.apart > 12 && n.crossing > 1, "%d apart, %d crossing", n.apart, n.crossing);
}

Test(distance, a_body_inside_another_one)
{
    SCOPED_SHAPE big = shape_cube(4), small = shape_cube(0.25);
    base_random random = base_random_seed(29);
    hint_counts n = {0};
    for (int frame = 0; frame < 40; frame++) {
        const geo_pose pose = random_pose(&random, 1.5 * base_random_unit(&random));
        check_pose(&big, &small, &pose, &random, "inside", &n);
        gt_distance d;
        gt_distance_query(big.body, small.body, &pose, &d);
        cr_assert(d.distance_m.hi == 0 && d.surface_m.lo > 0);
    }
}

Test(distance, real_meshes)
{
    if (!shared_is_there()) {
        cr_skip_test("no ../shared");
    }
    SCOPED_SHAPE spot = shape_load("../shared/models/c3d-spot.off");
    SCOPED_SHAPE rocker = shape_load("../shared/models/c3d-rocker-arm.off");
    SCOPED_REFERENCE r = reference_read("spot-rocker-distance");
    base_random random = base_random_seed(30);
    gt_distance_hint last = GT_NO_HINT;
    for (size_t row = 0; row < r.expected.rows; row++) {
        const geo_pose pose = reference_pose(&r, row);
        gt_distance cold, hinted;
        gt_distance_query(spot.body, rocker.body, &pose, &cold);
        gt_distance_query_from(spot.body, rocker.body, &pose, &last, &hinted);
        cr_assert(same_answer(&cold, &hinted), "frame %zu, from the frame before", row);
        for (int k = 0; k < 4; k++) {
            gt_distance_hint hint = {any_face(&random, &spot), any_face(&random, &rocker)};
            gt_distance_query_from(spot.body, rocker.body, &pose, &hint, &hinted);
            cr_assert(same_answer(&cold, &hinted), "frame %zu, hint %d", row, k);
        }
        setenv("PROXBENCH_SIMD", "sse2", 1);
        gt_distance_query(spot.body, rocker.body, &pose, &hinted);
        unsetenv("PROXBENCH_SIMD");
        cr_assert(memcmp(&cold, &hinted, sizeof cold) == 0, "frame %zu, without AVX2", row);
    }
}

/* --- All pairs -------------------------------------------------------------------------------- */

/** Computes the distance by every pair of triangles, without rejection. */
static double least_of_all_pairs(const shape *a, const shape *b, const geo_pose *pose,
                                 bool *intersect)
{
    long double least2 = (long double)INFINITY;
    *intersect = false;
    for (size_t j = 0; j < b->mesh.face_count; j++) {
        const geo_triangle t = geo_pose_apply_triangle(pose, geo_mesh_triangle(&b->mesh, j));
        for (size_t i = 0; i < a->mesh.face_count; i++) {
            const geo_triangle u = geo_mesh_triangle(&a->mesh, i);
            const long double d2 = geo_triangle_distance2_extended(u, t);
            *intersect = *intersect || geo_triangle_intersect(u, t);
            least2 = d2 < least2 ? d2 : least2;
        }
    }
    return *intersect ? 0 : sqrt((double)least2);
}

static bool compare(const shape *a, const shape *b, const geo_pose *pose, const char *what, int i)
{
    bool intersect;
    gt_distance found;
    const double d = least_of_all_pairs(a, b, pose, &intersect);
    gt_distance_brute(a->body, b->body, pose, &found);
    cr_assert_eq(intersect, found.surface_m.hi == 0, "%s %d", what, i);
    cr_assert(within(found.surface_m, d), "%s %d: %.17g not in %.17g to %.17g", what, i, d,
              found.surface_m.lo, found.surface_m.hi);
    const double value = middle(found.surface_m);
    cr_assert(fabs(value - d) <= 4e-16 * d + 1e-300, "%s %d: %.17g, not %.17g", what, i, value, d);
    return intersect;
}

Test(distance, rejects_nothing_that_counts)
{
    SCOPED_SHAPE torus = {0}, ball = {0};
    shape_add_torus(&torus, 14, 9, 1, 0.4); /* 252 triangles, 8 blocks, the last one short */
    shape_add_ball(&ball, 10, 7, 0.5);
    shape_finish(&torus);
    shape_finish(&ball);
    base_random random = base_random_seed(70);
    const int part = (int)sweep_step(3);
    int apart = 0, over = 0;
    for (int i = 0; i < 12 / part; i++) {
        const geo_pose pose = random_pose(&random, 3.5 * base_random_unit(&random));
        const bool intersect = compare(&torus, &ball, &pose, "frame", i);
        apart += !intersect;
        over += intersect;
    }
    cr_assert(apart >= 4 / part && over >= 4 / part, "%d apart, %d over", apart, over);
}

/** Balls of blocks are moved with a large rounding error if the body is far from its origin. */
Test(distance, far_from_the_origin)
{
    SCOPED_SHAPE torus = {0}, ball = {0};
    shape_add_torus(&torus, 12, 8, 1, 0.4);
    shape_add_ball(&ball, 8, 6, 0.3);
    const geo_pose away = shift(1e6, -2e6, 5e5);
    shape_move(&ball, &away);
    shape_finish(&torus);
    shape_finish(&ball);
    base_random random = base_random_seed(71);
    for (int i = 0; i < 6; i++) {
        const geo_quat q = geo_random_rotation(&random);
        const geo_pose turn = geo_pose_make(q, (vec3){0, 0, 0});
        const vec3 there = vec3_scale(-1, geo_pose_apply(&turn, (vec3){1e6, -2e6, 5e5}));
        const vec3 at = vec3_scale(2 * base_random_unit(&random), geo_random_direction(&random));
        const geo_pose pose = geo_pose_make(q, vec3_add(there, at));
        compare(&torus, &ball, &pose, "frame", i);
    }
}

Test(distance, fewer_triangles_than_a_block)
{
    SCOPED_SHAPE a = shape_cube(1), b = shape_cube(0.5);
    const geo_pose poses[] = {shift(2, 0, 0), shift(1, 1, 0.25), shift(0, 0, 0), shift(0.75, 0, 0)};
    for (int i = 0; i < 4; i++) {
        compare(&a, &b, &poses[i], "cubes", i);
    }
}
