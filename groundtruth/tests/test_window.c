/**
 * The truth inside a window: by hand, compared with other truths, and under transformations that
 * must not change it.
 */
#include "base/error.h"
#include "base/tests/support.h"
#include "groundtruth/depth/separation.h"
#include "groundtruth/depth/window.h"
#include "groundtruth/trajectory.h"
#include "groundtruth/volume/flux.h"

#include "cache_fixture.h"
#include "shapes.h"

#include <math.h>

static gt_window_truth query(const shape *a, const shape *b, geo_pose pose, gt_window window,
                             double depth_m)
{
    gt_window_truth t;
    assert_ok(gt_window_query(a->body, b->body, &pose, &window, depth_m, &t, ERR));
    return t;
}

/** Makes a window with the direction z. */
static gt_window upright(vec3 point, double half_u, double half_v)
{
    return (gt_window){point, {1, 0, 0}, {0, 1, 0}, half_u, half_v, {0, 0, 1}};
}

static gt_window wide(vec3 direction)
{
    const vec3 any = fabs(direction.x) < 0.5 ? (vec3){1, 0, 0} : (vec3){0, 1, 0};
    const vec3 u = vec3_normalize(vec3_cross(direction, any));
    return (gt_window){{0, 0, 0}, u, vec3_cross(direction, u), 10, 10, direction};
}

static void check(gt_bracket bracket, double expected, const char *what, const char *of)
{
    cr_assert(within(bracket, expected) && bracket.hi - bracket.lo < 1e-10,
              "%s: %s: [%.17g, %.17g], not %.17g", of, what, bracket.lo, bracket.hi, expected);
}

static bool meet(gt_bracket x, gt_bracket y)
{
    return x.lo <= y.hi && y.lo <= x.hi;
}

/* --- By hand ---------------------------------------------------------------------------------- */

/** B is 0.25 deep in A's top, from x = 0 to 1 and y = 0 to 1. */
Test(window, boxes)
{
    SCOPED_SHAPE a = shape_box((vec3){-2, -2, -1}, (vec3){2, 2, 0});
    SCOPED_SHAPE b = shape_box((vec3){0, 0, -0.25}, (vec3){1, 1, 1});
    static const struct {
        const char *name;
        vec3 point;
        double half_u, half_v, depth, before, after, needed;
    } cases[] = {
        {"all of it", {0.5, 0.5, 0}, 1, 1, 0.125, 0.25, 0.125, 0.25},
        {"enough", {0.5, 0.5, 0}, 1, 1, 0.25, 0.25, 0, 0.25},
        {"half of it", {0, 0.5, 7}, 0.5, 1, 0.125, 0.125, 0.0625, 0.25},
        {"a quarter", {0.25, 0.25, 0}, 0.5, 0.5, 0.125, 0.140625, 0.0703125, 0.25},
        {"a wall and its outside", {-0.5, 0.5, 0}, 0.75, 0.25, 0.125, 0.03125, 0.015625, 0.25},
        {"backwards", {0.5, 0.5, 0}, 1, 1, -0.25, 0.25, 0.5, 0.25},
        {"far back", {0.5, 0.5, 0}, 1, 1, -1.25, 0.25, 0.75, 0.25},
        {"inside of the walls", {0.5, 0.5, 0}, 0.25, 0.25, 0.125, 0.0625, 0.03125, 0},
        {"beside it", {-1, 0.5, 0}, 0.5, 0.5, 0.125, 0, 0, 0},
        {"beside both", {9, 0, 0}, 1, 1, 0.125, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const gt_window w = upright(cases[i].point, cases[i].half_u, cases[i].half_v);
        const gt_window_truth t = query(&a, &b, shift(0, 0, 0), w, cases[i].depth);
        check(t.before_m3, cases[i].before, "before", cases[i].name);
        check(t.after_m3, cases[i].after, "after", cases[i].name);
        check(t.needed_m, cases[i].needed, "needed", cases[i].name);
    }
}

/** A wall stands at the window's side: a mere touch may count as meeting or not. */
Test(window, a_wall_at_its_side_is_in_and_out)
{
    SCOPED_SHAPE a = shape_box((vec3){-2, -2, -1}, (vec3){2, 2, 0});
    SCOPED_SHAPE b = shape_box((vec3){0, 0, -0.25}, (vec3){1, 1, 1});
    for (int k = 0; k < 8; k++) {
        const double sign = k & 2 ? 1 : -1, less = k & 4 ? 1e-15 : 0;
        const vec3 along_x = {0.5 + 0.25 * sign, 0.5, 0}, along_y = {0.5, 0.5 + 0.25 * sign, 0};
        const gt_window w =
            k & 1 ? upright(along_x, 0.25 - less, 0.125) : upright(along_y, 0.125, 0.25 - less);
        const gt_window_truth t = query(&a, &b, shift(0, 0, 0), w, 0.1);
        cr_assert(t.needed_m.lo == 0 && fabs(t.needed_m.hi - 0.25) < 1e-12, "case %d: [%g, %g]", k,
                  t.needed_m.lo, t.needed_m.hi);
    }
}

/** A gap smaller than the slack may count as touching, and touching as overlap. */
Test(window, what_merely_touches_meets_or_not)
{
    SCOPED_SHAPE a = shape_box((vec3){-1, -1, -1}, (vec3){0, 1, 0});
    static const double gaps[] = {-1e-15, 0, 1e-15, 1e-12};
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        SCOPED_SHAPE b = shape_box((vec3){gaps[i], -0.5, -0.25}, (vec3){1, 0.5, 1});
        const gt_window_truth t = query(&a, &b, shift(0, 0, 0), upright((vec3){0, 0, 0}, 2, 2), 0);
        cr_assert(t.before_m3.lo == 0 && t.before_m3.hi < 1e-12 && t.needed_m.lo == 0, "gap %g",
                  gaps[i]);
        cr_assert(fabs(t.needed_m.hi - (gaps[i] < 1e-13 ? 0.25 : 0)) < 1e-12, "gap %g: %g", gaps[i],
                  t.needed_m.hi);
    }
}

Test(window, each_leg_of_a_u_sees_its_own)
{
    SCOPED_SHAPE u = {0};
    shape_add_box(&u, (vec3){-2, -1, 0}, (vec3){-1, 1, 3}, false);
    shape_add_box(&u, (vec3){1, -1, 0}, (vec3){2, 1, 2}, false);
    shape_finish(&u);
    SCOPED_SHAPE bar = shape_box((vec3){-4, -0.5, 1.5}, (vec3){4, 0.5, 2.5});
    const gt_window_truth left =
        query(&u, &bar, shift(0, 0, 0), upright((vec3){-1.5, 0, 2}, 0.75, 2), 0.5);
    const gt_window_truth right =
        query(&u, &bar, shift(0, 0, 0), upright((vec3){1.5, 0, 2}, 0.75, 2), 0.5);
    check(left.before_m3, 1, "before", "left");
    check(left.after_m3, 1, "after", "left");
    check(left.needed_m, 1.5, "needed", "left");
    check(right.before_m3, 0.5, "before", "right");
    check(right.after_m3, 0, "after", "right");
    check(right.needed_m, 0.5, "needed", "right");
}

/**
 * Where no surfaces meet there is no contact to leave; they meet farther on along the direction.
 */
Test(window, of_a_contained_body)
{
    SCOPED_SHAPE a = shape_cube(4), b = shape_cube(0.5);
    const gt_window_truth t =
        query(&a, &b, shift(0.5, 0.25, 0.125), upright((vec3){0.5, 0.25, 0}, 1, 1), 2);
    check(t.before_m3, 0.125, "before", "contained");
    check(t.after_m3, 0.25 * 0.125, "after", "contained");
    check(t.needed_m, 0, "needed", "contained");
}

/**
 * A cavity, and B in the wall beneath it: faces that look down cancel against those that look up.
 */
Test(window, cavities_are_not_counted)
{
    SCOPED_SHAPE a = {0};
    shape_add_box(&a, (vec3){-2, -2, -2}, (vec3){2, 2, 2}, false);
    shape_add_box(&a, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, true);
    shape_finish(&a);
    SCOPED_SHAPE b = shape_box((vec3){-0.5, -0.5, -1.5}, (vec3){0.5, 0.5, 1.75});
    const gt_window_truth t =
        query(&a, &b, shift(0, 0, 0), upright((vec3){0.5, 0, 0}, 0.5, 3), 0.25);
    check(t.before_m3, 0.5 * (0.5 + 0.75), "before", "cavity");
    check(t.after_m3, 0.5 * (0.25 + 1), "after", "cavity");
}

/** Open surfaces have a translation but no volume. */
Test(window, surfaces_have_no_volume)
{
    static const geo_face faces[2] = {{{0, 1, 2}}, {{0, 2, 3}}};
    static const vec3 corners[4] = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}};
    SCOPED_SHAPE a = {0}, b = shape_cube(1);
    shape_add(&a, corners, 4, faces, 2, false);
    shape_finish(&a);
    const gt_window w = upright((vec3){0, 0, 0}, 1, 1);
    const gt_window_truth t = query(&a, &b, shift(0, 0, 0.25), w, 1);
    cr_assert(!gt_known(t.before_m3) && !gt_known(t.after_m3));
    check(t.needed_m, 0.25, "needed", "a sheet");
    const gt_window_truth swapped = query(&b, &a, shift(0, 0, -0.25), w, 1);
    cr_assert(!gt_known(swapped.before_m3) && !gt_known(swapped.after_m3));
    check(swapped.needed_m, 0.75, "needed", "a sheet that moves");
}

/* --- Comparison with other truths ------------------------------------------------------------- */

static gt_bracket flux_volume(const shape *a, const shape *b, geo_pose pose)
{
    gt_flux flux;
    gt_flux_space *const space = gt_flux_space_create();
    cr_assert_not_null(space);
    assert_ok(gt_flux_query(a->body, b->body, &pose, space, &flux, ERR));
    gt_flux_space_destroy(space);
    return flux.volume_m3;
}

static void two_tori(shape *a, shape *b)
{
    *a = *b = (shape){0};
    shape_add_torus(a, 24, 16, 1, 0.25);
    shape_add_torus(b, 20, 12, 0.7, 0.3);
    shape_finish(a);
    shape_finish(b);
}

static geo_pose pushed(geo_pose pose, double depth, vec3 n)
{
    return (geo_pose){pose.rotation, vec3_madd(pose.translation, depth, n)};
}

Test(window, as_large_as_all_it_is_the_whole)
{
    SCOPED_SHAPE a, b;
    two_tori(&a, &b);
    shape_tetrahedralise(&a);
    shape_tetrahedralise(&b);
    base_random random = base_random_seed(5);
    int overlaps = 0, ways = 0;
    for (int trial = 0; trial < 30; trial++) {
        const geo_pose pose = random_pose(&random, base_random_range(&random, 0, 1.5));
        const vec3 n = geo_random_direction(&random);
        const double depth = base_random_range(&random, 0, 0.5);
        const geo_pose after = pushed(pose, depth, n);
        const gt_window_truth t = query(&a, &b, pose, wide(n), depth);
        gt_volume whole;
        gt_volume_query(a.body, b.body, &pose, &whole);
        cr_assert(meet(t.before_m3, whole.volume_m3), "trial %d: %g", trial, whole.value_m3);
        cr_assert(meet(t.before_m3, flux_volume(&a, &b, pose)), "trial %d", trial);
        cr_assert(meet(t.after_m3, flux_volume(&a, &b, after)), "trial %d", trial);
        cr_assert_lt(t.before_m3.hi - t.before_m3.lo, 2e-11, "trial %d", trial);
        gt_separation out;
        gt_separation_query(a.body, b.body, &pose, n, &out);
        cr_assert_leq(t.needed_m.lo, out.first_m.hi, "trial %d", trial);
        overlaps += whole.value_m3 > 0;
        ways += t.needed_m.lo > 0 && meet(t.needed_m, out.first_m);
    }
    cr_assert(overlaps > 15 && ways == overlaps, "%d overlaps, %d ways", overlaps, ways);
}

/**
 * In the middle of a slab the column is a box, for which all other truths are known; the slab's own
 * surface there is its top and its bottom.
 */
Test(window, of_a_slab_it_is_that_of_a_box)
{
    base_random random = base_random_seed(6);
    SCOPED_SHAPE b = {0};
    shape_add_torus(&b, 20, 12, 0.7, 0.3);
    shape_finish(&b);
    int overlaps = 0, ways = 0;
    for (int trial = 0; trial < 30; trial++) {
        const geo_pose there = random_pose(&random, 0.5);
        const double u = base_random_range(&random, 0.1, 0.9),
                     v = base_random_range(&random, 0.1, 0.9);
        SCOPED_SHAPE slab = {0}, box = {0};
        shape_add_box(&slab, (vec3){-5, -5, -2}, (vec3){5, 5, 0}, false);
        shape_add_box(&box, (vec3){-u, -v, -2}, (vec3){u, v, 0}, false);
        shape_move(&slab, &there);
        shape_move(&box, &there);
        shape_finish(&slab);
        shape_finish(&box);
        const mat3 axes = mat3_transpose(there.rotation);
        const gt_window w = {there.translation, axes.row[0], axes.row[1], u, v, axes.row[2]};
        const geo_pose pose = random_pose(&random, base_random_range(&random, 0, 1));
        const double depth = base_random_range(&random, 0, 0.5);
        const gt_window_truth t = query(&slab, &b, pose, w, depth);
        cr_assert(meet(t.before_m3, flux_volume(&box, &b, pose)), "trial %d", trial);
        cr_assert(meet(t.after_m3, flux_volume(&box, &b, pushed(pose, depth, w.direction))),
                  "trial %d", trial);
        gt_separation out;
        gt_separation_query(box.body, b.body, &pose, w.direction, &out);
        overlaps += t.before_m3.lo > 0;
        if (t.needed_m.hi > 0) {
            ways++;
            cr_assert(meet(t.needed_m, out.first_m), "trial %d: [%.17g, %.17g]", trial,
                      t.needed_m.lo, t.needed_m.hi);
        }
    }
    cr_assert(overlaps > 15 && ways > 10, "%d overlaps, %d ways", overlaps, ways);
}

/* --- Invariants ------------------------------------------------------------------------------- */

static gt_window part_of(gt_window w, int i, int j, int parts)
{
    const double u = w.half_u_m / parts, v = w.half_v_m / parts;
    w.point = vec3_madd(w.point, u * (2 * i + 1 - parts), w.side_u);
    w.point = vec3_madd(w.point, v * (2 * j + 1 - parts), w.side_v);
    w.half_u_m = u;
    w.half_v_m = v;
    return w;
}

Test(window, tiles_add_up)
{
    enum { PARTS = 7 };
    SCOPED_SHAPE a, b;
    two_tori(&a, &b);
    base_random random = base_random_seed(7);
    for (int trial = 0; trial < 6; trial++) {
        const geo_pose pose = random_pose(&random, 0.7);
        gt_window w = wide(geo_random_direction(&random));
        w.half_u_m = w.half_v_m = 2;
        const gt_window_truth whole = query(&a, &b, pose, w, 0.125);
        gt_window_truth sum = {0};
        for (int k = 0; k < PARTS * PARTS; k++) {
            const gt_window_truth t =
                query(&a, &b, pose, part_of(w, k % PARTS, k / PARTS, PARTS), 0.125);
            sum.before_m3.lo += t.before_m3.lo, sum.before_m3.hi += t.before_m3.hi;
            sum.after_m3.lo += t.after_m3.lo, sum.after_m3.hi += t.after_m3.hi;
            sum.needed_m.hi = fmax(sum.needed_m.hi, t.needed_m.hi);
        }
        cr_assert(meet(sum.before_m3, whole.before_m3) && meet(sum.after_m3, whole.after_m3),
                  "trial %d", trial);
        cr_assert_leq(sum.needed_m.hi, whole.needed_m.hi * (1 + 1e-12), "trial %d", trial);
    }
}

static gt_window move_window(gt_window w, const geo_pose *by)
{
    return (gt_window){geo_pose_apply(by, w.point),
                       mat3_mul_vec3(by->rotation, w.side_u),
                       mat3_mul_vec3(by->rotation, w.side_v),
                       w.half_u_m,
                       w.half_v_m,
                       mat3_mul_vec3(by->rotation, w.direction)};
}

static bool same_window(const gt_window_truth *x, const gt_window_truth *y, double scale)
{
    const double s3 = scale * scale * scale;
    return meet((gt_bracket){s3 * x->before_m3.lo, s3 * x->before_m3.hi}, y->before_m3) &&
           meet((gt_bracket){s3 * x->after_m3.lo, s3 * x->after_m3.hi}, y->after_m3) &&
           meet((gt_bracket){scale * x->needed_m.lo, scale * x->needed_m.hi}, y->needed_m);
}

/** The pair moved as a whole, as seen from B, rotated by a right angle, reversed, and scaled. */
Test(window, theories)
{
    shape a, b, large_a = {0}, large_b = {0}, moved = {0};
    two_tori(&a, &b);
    shape_add_torus(&large_a, 24, 16, 8, 2);
    shape_add_torus(&large_b, 20, 12, 8 * 0.7, 8 * 0.3);
    shape_finish(&large_a);
    shape_finish(&large_b);
    base_random random = base_random_seed(9);
    const geo_pose motion = random_pose(&random, 3);
    shape_add_torus(&moved, 24, 16, 1, 0.25);
    shape_move(&moved, &motion);
    shape_finish(&moved);
    int overlaps = 0;
    for (int trial = 0; trial < 30; trial++) {
        const geo_pose pose = random_pose(&random, base_random_range(&random, 0, 1.2));
        gt_window w = wide(geo_random_direction(&random));
        w.point = vec3_scale(base_random_range(&random, 0, 1), geo_random_direction(&random));
        w.half_u_m = base_random_range(&random, 0.1, 1);
        w.half_v_m = base_random_range(&random, 0.1, 1);
        const double depth = base_random_range(&random, -0.2, 0.5);
        const gt_window_truth t = query(&a, &b, pose, w, depth);
        overlaps += t.before_m3.lo > 0;

        const geo_pose with = {mat3_mul(motion.rotation, pose.rotation),
                               geo_pose_apply(&motion, pose.translation)};
        gt_window_truth other = query(&moved, &b, with, move_window(w, &motion), depth);
        cr_assert(same_window(&t, &other, 1), "trial %d: moved", trial);

        const geo_pose back = geo_pose_inverse(&pose);
        gt_window seen = move_window(w, &back);
        seen.direction = vec3_scale(-1, seen.direction);
        other = query(&b, &a, back, seen, depth);
        cr_assert(same_window(&t, &other, 1), "trial %d: seen from B", trial);

        gt_window turned = w;
        turned.side_u = w.side_v, turned.side_v = w.side_u;
        turned.half_u_m = w.half_v_m, turned.half_v_m = w.half_u_m;
        other = query(&a, &b, pose, turned, depth);
        cr_assert(same_window(&t, &other, 1), "trial %d: turned", trial);

        gt_window mirrored = w;
        mirrored.side_u = vec3_scale(-1, w.side_u);
        mirrored.point = vec3_madd(w.point, -3, w.direction);
        other = query(&a, &b, pose, mirrored, depth);
        cr_assert(same_window(&t, &other, 1), "trial %d: farther along it", trial);

        gt_window large = w;
        large.point = vec3_scale(8, w.point);
        large.half_u_m = 8 * w.half_u_m, large.half_v_m = 8 * w.half_v_m;
        const geo_pose large_pose = {pose.rotation, vec3_scale(8, pose.translation)};
        other = query(&large_a, &large_b, large_pose, large, 8 * depth);
        cr_assert(same_window(&t, &other, 8), "trial %d: large", trial);
    }
    cr_assert(overlaps > 8, "%d overlaps", overlaps);
    shape *const all[] = {&a, &b, &large_a, &large_b, &moved};
    for (int i = 0; i < 5; i++) {
        shape_release(all[i]);
    }
}

Test(window, without_memory_it_fails)
{
    SCOPED_SHAPE a = shape_cube(1), b = shape_cube(1);
    const geo_pose pose = shift(0.5, 0.25, 0.75);
    const gt_window w = upright((vec3){0.5, 0.25, 0}, 0.25, 0.5);
    gt_window_truth t;
    cr_assert_gt(COUNT_FAILURES(gt_window_query(a.body, b.body, &pose, &w, 0.1, &t, ERR), (void)0),
                 5);
}

/* --- Kept in the cache ------------------------------------------------------------------------ */

/** Fills two windows for most frames; some extend beyond the bodies, some miss them. */
static void fill_windows(gt_reported_window windows[FRAMES])
{
    base_random random = base_random_seed(12);
    for (int i = 0; i < FRAMES; i++) {
        const geo_pose there = random_pose(&random, base_random_unit(&random));
        const mat3 axes = mat3_transpose(there.rotation);
        windows[i] = (gt_reported_window){
            .frame = (size_t)(i / 2),
            .window = {there.translation, axes.row[0], axes.row[1],
                       base_random_range(&random, 0.1, 1), base_random_range(&random, 0.1, 1),
                       axes.row[2]},
            .depth_m = base_random_range(&random, -0.1, 0.5),
        };
    }
}

static void ask_windows(fixture *f, size_t begin, size_t count, const gt_reported_window *windows,
                        gt_window_truth *truths)
{
    assert_ok(gt_windows(f->a.body, f->b.body, f->poses, windows + begin, count, &f->options,
                         truths + begin, ERR));
}

static bool same_truths(const gt_window_truth *x, const gt_window_truth *y, size_t count)
{
    return memcmp(x, y, count * sizeof *x) == 0; /* six numbers, no gaps */
}

static bool is_none(const gt_window_truth *t)
{
    return !gt_known(t->before_m3) && !gt_known(t->after_m3) && !gt_known(t->needed_m);
}

Test(window, are_those_of_the_query)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_reported_window windows[FRAMES];
    gt_window_truth truths[FRAMES];
    fill_windows(windows);
    ask_windows(&f, 0, FRAMES, windows, truths);
    int in = 0, empty = 0;
    for (int i = 0; i < FRAMES; i++) {
        const gt_reported_window *const w = &windows[i];
        gt_window_truth t;
        cr_assert_eq(gt_window_query(f.a.body, f.b.body, &f.poses[w->frame], &w->window, w->depth_m,
                                     &t, NULL),
                     BASE_OK);
        cr_assert(same_truths(&t, &truths[i], 1), "window %d", i);
        in += t.before_m3.lo > 0;
        empty += t.before_m3.lo == 0;
    }
    cr_assert(in > 5 && empty > 5, "%d with an overlap, %d without", in, empty);
}

Test(window, invalid_windows_are_not_computed)
{
    SCOPED_FIXTURE f;
    setup(&f);
    char path[1024];
    gt_reported_window windows[FRAMES];
    gt_window_truth truths[FRAMES];
    fill_windows(windows);
    ask_windows(&f, 9, 1, windows, truths);
    find_file(&f, ".truth", path);
    const gt_reported_window right = windows[9];
    const vec3 v = right.window.side_v, long_v = vec3_scale(1.00001, v);
    const vec3 askew = vec3_madd(v, 0.00001, right.window.side_u);
    const vec3 leaning = vec3_madd(v, 0.00001, right.window.direction);
    gt_reported_window none[9] = {right, right, right, right, right, right, right, right, right};
    none[0].depth_m = (double)NAN;
    none[1].window.point.y = (double)INFINITY;
    none[2].window.half_u_m = 0;
    none[3].window.half_v_m = -1;
    none[4].window.half_v_m = (double)NAN;
    none[5].window.side_v = long_v;
    none[6].window.side_v = askew;
    none[7].window.side_v = leaning;
    none[8].window.direction = (vec3){0, 0, 0};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        windows[9] = none[i];
        truths[9] = (gt_window_truth){{0, 0}, {0, 0}, {0, 0}};
        ask_windows(&f, 9, 1, windows, truths);
        cr_assert(is_none(&truths[9]), "window %zu", i);
    }
    cr_assert_eq(size_of(path), (off_t)sizeof(gt_record), "nothing was kept of them");
    windows[9] = right;
    windows[9].window.side_v = vec3_scale(1 + 1e-9, v);
    ask_windows(&f, 9, 1, windows, truths);
    cr_assert(gt_known(truths[9].needed_m), "nearly right is mended");
}

Test(window, are_kept)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_reported_window windows[FRAMES];
    gt_window_truth first[FRAMES], second[FRAMES], none[FRAMES];
    char path[1024];
    fill_windows(windows);
    ask_windows(&f, 10, 5, windows, first);
    find_file(&f, ".truth", path);
    cr_assert_eq(size_of(path), (off_t)(5 * sizeof(gt_record)));
    ask_windows(&f, 0, FRAMES, windows, first);
    ask_windows(&f, 0, FRAMES, windows, second);
    cr_assert(same_truths(first, second, FRAMES));
    cr_assert_eq(size_of(path), (off_t)(FRAMES * sizeof(gt_record)), "asked twice");
    f.options.cache_directory = NULL;
    f.options.threads = 1;
    ask_windows(&f, 0, FRAMES, windows, none);
    cr_assert(same_truths(first, none, FRAMES), "with and without a cache, and by one thread");
}

/** Every number of the window is in the key, and so is the pose. */
Test(window, another_window_misses)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_reported_window windows[FRAMES];
    gt_window_truth truths[FRAMES];
    char path[1024];
    off_t records = 1;
    fill_windows(windows);
    ask_windows(&f, 0, 1, windows, truths);
    find_file(&f, ".truth", path);
    gt_window *const w = &windows[0].window;
    double *const numbers[] = {
        &w->point.x,     &w->point.y,     &w->point.z,         &w->side_u.x,
        &w->side_u.y,    &w->side_u.z,    &w->side_v.x,        &w->side_v.y,
        &w->side_v.z,    &w->half_u_m,    &w->half_v_m,        &w->direction.x,
        &w->direction.y, &w->direction.z, &windows[0].depth_m, &f.poses[0].translation.z};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        *numbers[i] = nextafter(*numbers[i], 9);
        ask_windows(&f, 0, 1, windows, truths);
        cr_assert_eq(size_of(path), ++records * (off_t)sizeof(gt_record), "number %zu", i);
    }
    /* They are in one file with the truths of the pair, and no record is used for the wrong
     * query. */
    gt_truth truth;
    ask(&f, 0, 1, GT_WANT_DISTANCE, &truth);
    cr_assert_eq(size_of(path), ++records * (off_t)sizeof(gt_record));
}

/** Otherwise old records would be used as new answers. */
Test(window, version_follows_the_bits)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_reported_window windows[FRAMES];
    gt_window_truth truths[FRAMES];
    fill_windows(windows);
    f.options.cache_directory = NULL;
    ask_windows(&f, 0, FRAMES, windows, truths);
    base_hasher *const hasher = base_hasher_create();
    base_hasher_add(hasher, truths, sizeof truths);
    const base_hash_text found = base_hash_format(base_hasher_finish(hasher));
    cr_assert_str_eq(found.hex, "2b75f87e2634967a527b7db43b11e582",
                     "other bits: raise the version in cache.c, then put %s here", found.hex);
}

/**
 * One of the bodies is an open surface: translations are known, volumes are not. Without memory the
 * query fails.
 */
Test(window, surfaces_and_errors)
{
    SCOPED_FIXTURE f;
    setup(&f);
    SCOPED_SHAPE open = {0};
    shape_add_box(&open, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, false);
    open.parts.face_count--;
    shape_finish(&open);
    gt_reported_window windows[FRAMES];
    gt_window_truth found, right;
    base_error err = {0};
    fill_windows(windows);
    cr_assert_eq(gt_windows(f.a.body, open.body, f.poses, windows, 1, NULL, &found, &err), BASE_OK);
    cr_assert(!gt_known(found.before_m3) && !gt_known(found.after_m3) && gt_known(found.needed_m));
    cr_assert_eq(gt_windows(f.a.body, f.b.body, f.poses, windows, 1, NULL, &right, &err), BASE_OK);
    bool done = false;
    for (size_t n = 0; n < 1000 && !done; n++) {
        err = (base_error){0};
        f.options.threads = 1;
        f.options.cache_directory = n % 2 == 0 ? f.cache : NULL;
        base_memory_fail_after(n / 2);
        const base_status status =
            gt_windows(f.a.body, f.b.body, f.poses, windows, 1, &f.options, &found, &err);
        base_memory_fail_after(SIZE_MAX);
        cr_assert(status == BASE_OK || status == BASE_ERR_MEMORY, "allocation %zu: %s", n,
                  err.text);
        cr_assert((status == BASE_OK) == (err.text[0] == '\0'), "allocation %zu", n);
        cr_assert(status != BASE_OK || same_truths(&found, &right, 1), "allocation %zu", n);
        done = status == BASE_OK && n % 2 == 0;
    }
    cr_assert(done);
}
