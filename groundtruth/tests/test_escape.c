#include "base/memory.h"
#include "geometry/pose.h"
#include "groundtruth/depth/separation.h"
#include "groundtruth/trajectory.h"

#include "shapes.h"

static gt_escape query(const shape *a, const shape *b, geo_pose pose, vec3 n, double depth)
{
    gt_escape e;
    base_error err = {0};
    gt_flux_space *const space = gt_flux_space_create();
    cr_assert_eq(gt_escape_query(a->body, b->body, &pose, n, depth, space, &e, &err), BASE_OK, "%s",
                 err.text);
    gt_flux_space_destroy(space);
    return e;
}

static void check(gt_bracket bracket, double expected, const char *what, double depth)
{
    cr_assert(within(bracket, expected) && bracket.hi - bracket.lo < 1e-10,
              "%s of %g: [%.17g, %.17g], not %.17g", what, depth, bracket.lo, bracket.hi, expected);
}

/** Walls at x in [-3, -2] and [2, 3]. */
static shape two_walls(void)
{
    shape s = {0};
    shape_add_box(&s, (vec3){-3, -1, -1}, (vec3){-2, 1, 2}, false);
    shape_add_box(&s, (vec3){2, -1, -1}, (vec3){3, 1, 2}, false);
    shape_finish(&s);
    return s;
}

Test(escape, out_of_one_wall_before_the_other)
{
    shape a = two_walls(), b = shape_cube(0.9);
    const struct {
        double depth, left, gap_m; /* left: remaining share of the overlap, along x */
    } cases[] = {{-0.2, 0.9, 0}, {0, 0.7, 0}, {0.5, 0.2, 0}, {1, 0, 0.3}, {4, 0.2, 0}, {6, 0, 0.3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double depth = cases[i].depth;
        const gt_escape e = query(&a, &b, shift(-2.25, 0.1, 1.03), (vec3){3, 0, 0}, depth);
        check(e.needed_m, 0.7, "needed", depth);
        check(e.clear_m, 5.7, "clear", depth);
        check(e.before_m3, 0.7 * 0.9 * 0.9, "before", depth);
        check(e.after_m3, cases[i].left * 0.9 * 0.9, "after", depth);
        check(e.gap_m, cases[i].gap_m, "gap", depth);
    }
    shape_release(&a);
    shape_release(&b);
}

Test(escape, nothing_of_bodies_that_are_apart)
{
    shape a = two_walls(), b = shape_cube(0.9);
    const gt_escape e = query(&a, &b, shift(0, 0.1, 1.03), (vec3){1, 0, 0}, 0.5);
    cr_assert(!gt_known(e.needed_m) && !gt_known(e.clear_m) && !gt_known(e.before_m3) &&
              !gt_known(e.after_m3) && !gt_known(e.gap_m));
    shape_release(&a);
    shape_release(&b);
}

Test(escape, of_a_contained_body)
{
    shape a = shape_cube(4), b = shape_cube(0.5);
    const gt_escape e = query(&a, &b, shift(1, 0.01, 0.02), (vec3){1, 0, 0}, 0.5);
    check(e.needed_m, 1.25, "needed", 0.5);
    check(e.before_m3, 0.125, "before", 0.5);
    check(e.after_m3, 0.125, "after", 0.5);
    check(e.gap_m, 0, "gap", 0.5);
    shape_release(&a);
    shape_release(&b);
}

static bool meet(gt_bracket x, gt_bracket y, double scale)
{
    return scale * x.lo <= y.hi * (1 + 1e-12) && y.lo <= scale * x.hi * (1 + 1e-12);
}

static void same(const gt_escape *x, const gt_escape *y, double scale, const char *what, int trial)
{
    const double scale3 = scale * scale * scale;
    cr_assert(meet(x->needed_m, y->needed_m, scale), "%s, %d: needed", what, trial);
    cr_assert(meet(x->clear_m, y->clear_m, scale), "%s, %d: clear", what, trial);
    cr_assert(meet(x->before_m3, y->before_m3, scale3), "%s, %d: before", what, trial);
    cr_assert(meet(x->after_m3, y->after_m3, scale3), "%s, %d: after", what, trial);
    cr_assert(meet(x->gap_m, y->gap_m, scale), "%s, %d: gap", what, trial);
}

/** Exchanges the bodies, scales both, and compares the moved pose with a query at that pose. */
Test(escape, theories)
{
    base_random random = base_random_seed(81);
    shape a = {0}, b = {0}, large_a = {0}, large_b = {0};
    shape_add_torus(&a, 24, 16, 1, 0.25);
    shape_add_torus(&b, 20, 12, 0.7, 0.3);
    shape_add_torus(&large_a, 24, 16, 8, 2);
    shape_add_torus(&large_b, 20, 12, 8 * 0.7, 8 * 0.3);
    shape *const all[] = {&a, &b, &large_a, &large_b};
    for (int i = 0; i < 4; i++) {
        shape_finish(all[i]);
    }
    int overlaps = 0, outs = 0;
    for (int trial = 0; trial < 40; trial++) {
        const geo_pose pose = random_pose(&random, base_random_range(&random, 0, 1.5));
        const vec3 n = geo_random_direction(&random);
        const double depth = base_random_range(&random, 0, 1.5);
        const gt_escape e = query(&a, &b, pose, n, depth);
        if (!gt_known(e.gap_m)) {
            continue;
        }
        const geo_pose back = geo_pose_inverse(&pose);
        const vec3 n_back = vec3_scale(-1, mat3_tmul_vec3(pose.rotation, n));
        const gt_escape swapped = query(&b, &a, back, n_back, depth);
        same(&e, &swapped, 1, "exchanged", trial);
        const geo_pose far = {pose.rotation, vec3_scale(8, pose.translation)};
        const gt_escape large = query(&large_a, &large_b, far, n, 8 * depth);
        same(&e, &large, 8, "larger", trial);
        const geo_pose moved = {pose.rotation, vec3_madd(pose.translation, depth, n)};
        const gt_escape there = query(&a, &b, moved, n, 0);
        if (gt_known(there.before_m3)) {
            cr_assert(meet(e.after_m3, there.before_m3, 1), "%d: there", trial);
            overlaps++;
        } else {
            cr_assert(e.after_m3.lo == 0 && e.gap_m.lo > 0, "%d: out", trial);
            outs++;
        }
        cr_assert(e.needed_m.lo <= e.clear_m.hi, "%d: needed more than clear", trial);
    }
    cr_assert(overlaps > 5 && outs > 5, "%d, %d", overlaps, outs);
    for (int i = 0; i < 4; i++) {
        shape_release(all[i]);
    }
}

Test(escape, out_of_memory)
{
    shape a = two_walls(), b = shape_cube(0.9);
    gt_escape e;
    base_error err = {0};
    const geo_pose pose = shift(-2.25, 0.1, 1.03);
    gt_flux_space *const space = gt_flux_space_create();
    base_memory_fail_after(0);
    const base_status status =
        gt_escape_query(a.body, b.body, &pose, (vec3){1, 0, 0}, 0.5, space, &e, &err);
    base_memory_fail_after(SIZE_MAX);
    cr_assert_eq(status, BASE_ERR_MEMORY);
    gt_flux_space_destroy(space);
    shape_release(&a);
    shape_release(&b);
}
