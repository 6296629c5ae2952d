#include "base/tests/sweep.h"
#include "groundtruth/depth/depth.h"
#include "groundtruth/trajectory.h"

#include "exact.h"
#include "hulls.h"

/* The depth of convex bodies by all directions: compared with closed forms, with the method of
 * hulls and, for bodies far from their own origins, with exact integers. */

static gt_bracket by_edges(const shape *a, const shape *b, const geo_pose *pose, vec3 *direction)
{
    gt_bracket depth;
    cr_assert(gt_depth_edges(a->body, b->body, pose, &depth, direction));
    return depth;
}

static gt_bracket by_hull(const shape *a, const shape *b, const geo_pose *pose)
{
    gt_depth found;
    gt_depth_query(a->body, b->body, pose, &found);
    return found.depth_m;
}

Test(edges, boxes)
{
    shape a = convex_box((vec3){-1, -1, -1}, (vec3){1, 1, 1});
    shape b = convex_box((vec3){-0.5, -0.25, -2}, (vec3){0.5, 0.25, 2});
    const struct {
        vec3 at;
        double depth;
        vec3 direction;
    } cases[] = {
        {{1.25, 0, 0}, 0.25, {1, 0, 0}},
        {{0, -1, 0}, 0.25, {0, -1, 0}},
        {{1.5 - 0x1p-30, 0, 0}, 0x1p-30, {1, 0, 0}},
        {{1.5, 0.5, 0}, 0, {1, 0, 0}},
        {{3.5, 0.5, 0}, 0, {7, 7, 7}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const geo_pose pose = shift(cases[i].at.x, cases[i].at.y, cases[i].at.z);
        vec3 direction = {7, 7, 7};
        const gt_bracket depth = by_edges(&a, &b, &pose, &direction);
        cr_assert(within(depth, cases[i].depth) && depth.hi - depth.lo < 1e-12,
                  "case %zu: [%.17g, %.17g]", i, depth.lo, depth.hi);
        cr_assert(vec3_distance(direction, cases[i].direction) < 1e-15, "case %zu: %g %g %g", i,
                  direction.x, direction.y, direction.z);
    }
    shape_release(&a);
    shape_release(&b);
}

/**
 * Two edges that cross: the depth is along their cross product, which is not the normal of any
 * face.
 */
Test(edges, an_edge_on_an_edge)
{
    shape a = convex_prism(4, 1, 1, 1), b = convex_prism(4, 1, 1, 1);
    /* An edge of each runs along z and is extreme along x; B's is rotated to run along y. */
    const geo_quat quarter = {1, 0, 0, 1};
    const geo_pose pose = geo_pose_make(quarter, (vec3){1.875, 0, 0});
    vec3 direction;
    const gt_bracket depth = by_edges(&a, &b, &pose, &direction);
    cr_assert(within(depth, 0.125), "[%.17g, %.17g]", depth.lo, depth.hi);
    cr_assert(vec3_distance(direction, (vec3){1, 0, 0}) < 1e-14);
    shape_release(&a);
    shape_release(&b);
}

Test(edges, agree_with_the_hulls)
{
    base_random random = base_random_seed(31);
    int deep = 0;
    for (size_t i = 0; i < 200; i += sweep_step(4)) {
        shape a = random_hull(&random, 4 + (uint32_t)base_random_below(&random, 40),
                              (vec3){1, 0.75, 0.5});
        shape b = random_hull(&random, 4 + (uint32_t)base_random_below(&random, 40),
                              (vec3){0.5, 1, 0.01});
        for (int k = 0; k < 4; k++) {
            const geo_pose pose = random_pose(&random, base_random_range(&random, 0, 1));
            vec3 direction;
            const gt_bracket x = by_hull(&a, &b, &pose), y = by_edges(&a, &b, &pose, &direction);
            cr_assert(fabs(middle(x) - middle(y)) <= 1e-12 * middle(x) + 1e-14,
                      "seed 31, pair %zu: %.17g and %.17g", i, middle(x), middle(y));
            deep += x.lo > 0;
        }
        shape_release(&a);
        shape_release(&b);
    }
    cr_assert_gt(deep, 50);
}

/* --- Far from their own origins --------------------------------------------------------------- */

/** Checks that the depth of the moved corners is in the bracket of each method, and that the
 * methods confirm each other. */
static void hold_far(const shape *a, const shape *b, const geo_pose *pose, const char *where)
{
    vec3 *const moved = base_alloc(b->mesh.vertex_count, sizeof *moved);
    cr_assert_not_null(moved);
    for (size_t v = 0; v < b->mesh.vertex_count; v++) {
        moved[v] = geo_pose_apply(pose, b->mesh.vertices[v]);
    }
    exact_pair pair = exact_pair_make(&a->mesh, &b->mesh, moved);
    exact_length exact;
    exact_length_init(&exact);
    exact_depth(&pair, &exact);
    const gt_options options = {.threads = 1, .methods = GT_BY_HULL | GT_BY_EDGES};
    gt_truth t;
    base_error err = {0};
    cr_assert_eq(gt_trajectory_truth(a->body, b->body, pose, 1, GT_WANT_DEPTH, &options, &t, &err),
                 BASE_OK, "%s", err.text);
    for (int m = GT_HULL; m <= GT_EDGES; m++) {
        cr_assert_eq(exact_length_outside(&exact, t.by[m]), 0,
                     "%s: %s says [%.17g, %.17g], it is %.17g", where, gt_method_names[m],
                     t.by[m].lo, t.by[m].hi, exact_length_round(&exact));
    }
    cr_assert_eq(t.depth_certified, 2, "%s: %s", where, gt_doubt_format(&t, GT_DEPTH).text);
    exact_length_clear(&exact);
    exact_pair_clear(&pair);
    base_free(moved);
}

/** If B is rotated far from its origin, the rounding of its corners is larger than that of the
 * hull's own coordinates. */
Test(edges, far_bodies_hold_exact_integers)
{
    static const double far[] = {0, 1e3, 1e5, 6.7e7};
    base_random random = base_random_seed(33);
    for (size_t i = 0; i < 48; i += sweep_step(4)) {
        shape a = convex_box((vec3){-1, -0.5, -0.25}, (vec3){1, 0.5, 0.75});
        shape b = {0};
        const vec3 off = vec3_scale(far[i / 4 % 4], geo_random_direction(&random));
        shape_add_box(&b, off, vec3_add(off, (vec3){0.75, 1, 0.5}), false);
        shape_finish(&b);
        shape_make_hull(&b);
        for (int k = 0; k < 4; k++) {
            geo_pose pose = random_pose(&random, 0);
            const vec3 way =
                vec3_scale(base_random_range(&random, 0, 0.5), geo_random_direction(&random));
            pose.translation = vec3_sub(way, geo_pose_rotate(&pose, b.body->centre));
            char where[64];
            snprintf(where, sizeof where, "seed 33, %g sizes off, pose %zu.%d", far[i / 4 % 4], i,
                     k);
            hold_far(&a, &b, &pose, where);
        }
        shape_release(&a);
        shape_release(&b);
    }
}
