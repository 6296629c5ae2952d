/**
 * Traversals alone, compared with lookups of all points one by one and with all pairs of triangles:
 * everything left out is at least as far as the bounds, with any limits.
 */
#include "algorithms/pst/tests/fields.h"
#include "algorithms/pst/distance.h"
#include "base/tests/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

/* --- Pairs ------------------------------------------------------------------------------------ */

/** A field, and points of another body. */
typedef struct scene {
    subject field;
    geo_mesh mesh;
    base_arena arena;
    geo_surface surface;
    alg_pst_tree tree;
    alg_pst_traversal traversal;
} scene;

enum { SCENES = 4 };

/** Opens a torus in the field of a torus; points with patches as large as those of a cube in the
 * field of a thin plate; evenly distributed points in that of an open ball; or few points in that
 * of a cavity. */
static scene *open_scene(int which)
{
    static const uint32_t fields[SCENES] = {0, 2, 3, 4};
    static const alg_pst_points_options options[SCENES] = {{ALG_PST_MESH, 32, 1, false},
                                                           {ALG_PST_MESH, 12, 1, false},
                                                           {ALG_PST_TWO_PHASE, 16, 1, false},
                                                           {ALG_PST_MESH, 4, 1, false}};
    scene *const s = base_alloc(1, sizeof *s);
    *s = (scene){0};
    open_subject(&s->field, fields[which], 1);
    s->mesh = which == 0   ? shape_torus(12, 0.6, 0.2)
              : which == 1 ? shape_cube((vec3){0.1, 0.2, 0.3}, 0.4)
              : which == 2 ? shape_ball((vec3){0, 0, 0}, 0.5, 3)
                           : shape_ball((vec3){-0.05, 0, 0}, 0.3, 2);
    base_error err = {0};
    alg_pst_points points;
    cr_assert(geo_surface_build(&s->mesh, &s->arena, &s->surface, &err) == BASE_OK &&
                  alg_pst_points_build(&s->surface, &options[which], &s->arena, &points, &err) ==
                      BASE_OK &&
                  alg_pst_tree_build(&points, which == 2 ? ALG_PST_BALANCED : ALG_PST_NEIGHBOURS,
                                     &s->arena, &s->tree, &err) == BASE_OK,
              "%s", err.text);
    assert_ok(alg_pst_traversal_bind(&s->traversal, &s->tree, &s->field.field, s->tree.points.count,
                                     &s->arena, ERR));
    return s;
}

static void close_scene(scene *s)
{
    close_subject(&s->field);
    base_arena_release(&s->arena);
    geo_mesh_release(&s->mesh);
    base_free(s);
}

/** Returns a random pose: near, within the blocks, or far outside. */
static geo_pose any_pose(base_random *random, int number)
{
    static const double reaches[] = {0.2, 1, 1.5, 3, 1000};
    return shape_pose(random, reaches[number % 5]);
}

/** Limits of a traversal. */
typedef struct limits {
    float limit;
    bool fixed;
    uint64_t budget;
    uint32_t capacity; /* 0: room for all points */
} limits;

static void run(scene *s, const limits *l, const geo_pose *pose)
{
    s->traversal.limit = l->limit;
    s->traversal.fixed = l->fixed;
    s->traversal.budget = l->budget;
    s->traversal.capacity = l->capacity > 0 ? l->capacity : s->tree.points.count;
    alg_pst_traverse(&s->traversal, pose);
}

/** Returns the least bound of everything that the traversal has kept or left out. */
static double lower_bound(const alg_pst_traversal *w)
{
    float least = w->rest;
    for (uint32_t i = 0; i < w->count; i++) {
        least = fminf(least, w->candidates[i].bound);
    }
    return (double)least;
}

/* --- Bounds ----------------------------------------------------------------------------------- */

/** Computes for each point a lower bound of the distance of its surface from the point's own
 * distance. */
static void own_bounds(const scene *s, const geo_pose *pose, double *bounds)
{
    const alg_pst_points *const points = &s->tree.points;
    for (uint32_t i = 0; i < points->count; i++) {
        const double own = subject_distance(&s->field, geo_pose_apply(pose, points->points[i]));
        bounds[i] = alg_pst_surface_bound(points, i, own);
    }
}

/** Each point is a candidate or left out, with a bound that holds. */
static void check_points(const scene *s, const double *bounds, const char *text)
{
    const alg_pst_traversal *const w = &s->traversal;
    const uint32_t count = s->tree.points.count;
    SCOPED_FREE bool *const kept = base_alloc(count, sizeof *kept);
    memset(kept, 0, count * sizeof *kept);
    for (uint32_t i = 0; i < w->count; i++) {
        const alg_pst_candidate c = w->candidates[i];
        cr_assert(c.point < count && !kept[c.point], "%s: point %u is there twice", text, c.point);
        cr_assert((double)c.bound <= bounds[c.point], "%s: point %u: %.9g is above %.9g", text,
                  c.point, (double)c.bound, bounds[c.point]);
        kept[c.point] = true;
    }
    for (uint32_t i = 0; i < count; i++) {
        cr_assert(kept[i] || (double)w->rest <= bounds[i],
                  "%s: what is left out is at %.9g, and point %u at %.9g", text, (double)w->rest, i,
                  bounds[i]);
    }
}

Test(traversal, bounds_are_never_above_the_distance)
{
    enum { POSES = 20 };
    const int step = (int)sweep_step(3), least = 100 / (int)sweep_step(15);
    static const uint32_t capacities[] = {0, 1, 3, 40};
    for (int which = 0; which < SCENES; which++) {
        scene *const s = open_scene(which);
        base_random random = base_random_seed(51);
        SCOPED_FREE double *const bounds = base_alloc(s->tree.points.count, sizeof *bounds);
        int positive = 0, out = 0;
        for (int i = 0; i < POSES; i += step) {
            const geo_pose pose = any_pose(&random, i);
            const double truth = surfaces_distance(&s->field.mesh, &s->mesh, &pose);
            own_bounds(s, &pose, bounds);
            for (uint64_t budget = 0; budget <= 100; budget += sweep_step(5)) {
                /* With half of the distance as a limit, everything is left out. */
                const float shares[] = {INFINITY, 1, 0.5F};
                const float limit = truth > 0 ? shares[budget % 3] * (float)truth : INFINITY;
                run(s, &(limits){limit, budget % 2 == 1, budget, capacities[budget % 4]}, &pose);
                const alg_pst_traversal *const w = &s->traversal;
                const double lower = lower_bound(w);
                char text[80];
                snprintf(text, sizeof text, "scene %d, pose %d, budget %d, capacity %u", which, i,
                         (int)budget, w->capacity);
                check_points(s, bounds, text);
                cr_assert(lower <= truth && lower >= 0, "%s: %.9g is above %.9g", text, lower,
                          truth);
                cr_assert(budget == 0 || w->spheres + w->points <= budget,
                          "%s: %d spheres, %d points", text, (int)w->spheres, (int)w->points);
                cr_assert(w->count <= w->capacity, "%s: %u", text, w->count);
                positive += lower > 0.5 * truth && truth > 0;
                out += !w->ended;
            }
        }
        cr_assert(positive > least && out > least, "scene %d: %d positive, %d not ended", which,
                  positive, out);
        close_scene(s);
    }
}

/** Without a budget, and with room for all or only a few of the candidates, of which some are
 * replaced. */
Test(traversal, replaced_candidates_remain_in_the_bound)
{
    static const uint32_t capacities[] = {0, 1, 2, 10};
    for (int which = 0; which < SCENES; which++) {
        scene *const s = open_scene(which);
        SCOPED_FREE double *const bounds = base_alloc(s->tree.points.count, sizeof *bounds);
        base_random random = base_random_seed(58);
        for (int i = 0; i < 50; i += (int)sweep_step(3)) {
            const geo_pose pose = any_pose(&random, i);
            own_bounds(s, &pose, bounds);
            for (int k = 0; k < 8; k++) {
                const float limit = k < 4 ? INFINITY : 1;
                run(s, &(limits){limit, k >= 4, 0, capacities[k % 4]}, &pose);
                char text[80];
                snprintf(text, sizeof text, "scene %d, pose %d, limits %d", which, i, k);
                check_points(s, bounds, text);
            }
        }
        close_scene(s);
    }
}

/** If only spheres were looked up, the nearest point is the representative of a cluster of the
 * root, which was looked up at its sphere's centre. */
static void check_representative(const scene *s, const geo_pose *pose)
{
    const alg_pst_traversal *const w = &s->traversal;
    const alg_pst_node *const root = &s->tree.nodes[0];
    uint32_t lane = 0;
    while (lane < ALG_PST_WIDTH && root->first[lane] != w->nearest) {
        lane++;
    }
    cr_assert_lt(lane, ALG_PST_WIDTH, "point %u is no representative", w->nearest);
    const vec3 centre = {(double)root->centre[0][lane], (double)root->centre[1][lane],
                         (double)root->centre[2][lane]};
    const vec3 at = geo_pose_apply(pose, vec3_add(s->tree.origin, centre));
    const vec3 looked_up = {(double)w->nearest_at[0], (double)w->nearest_at[1],
                            (double)w->nearest_at[2]};
    const double off = vec3_distance(vec3_add(s->field.field.corner, looked_up), at);
    cr_assert_leq(off, (double)w->margin + 1e-4 * (double)w->nearest_radius,
                  "point %u: its sphere is %g away from where it was looked up", w->nearest, off);
}

/** The budget allows only the first clusters of the root. */
Test(traversal, a_budget_ends_within_a_node)
{
    for (int which = 0; which < SCENES; which++) {
        scene *const s = open_scene(which);
        const alg_pst_node *const root = &s->tree.nodes[0];
        base_random random = base_random_seed(57);
        for (int i = 0; i < 50; i++) {
            const geo_pose pose = any_pose(&random, i);
            for (uint32_t budget = 1; budget < ALG_PST_WIDTH && root->count[budget] > 0; budget++) {
                run(s, &(limits){INFINITY, false, budget, 0}, &pose);
                const alg_pst_traversal *const w = &s->traversal;
                cr_assert(w->spheres == budget && !w->ended, "scene %d, pose %d, budget %u", which,
                          i, budget);
                cr_assert_lt(w->nearest, root->first[budget], "scene %d, pose %d, budget %u", which,
                             i, budget);
                check_representative(s, &pose);
            }
        }
        close_scene(s);
    }
}

/** If the time is over, a traversal looks up only the uppermost clusters, and bounds the points
 * below them. */
Test(traversal, without_time_only_the_root_is_looked_up)
{
    for (int which = 0; which < SCENES; which++) {
        scene *const s = open_scene(which);
        base_random random = base_random_seed(56);
        for (int i = 0; i < 10; i += (int)sweep_step(2)) {
            const geo_pose pose = any_pose(&random, i);
            s->traversal.deadline_ns = 1;
            run(s, &(limits){INFINITY, false, 0, 0}, &pose);
            const alg_pst_traversal *const w = &s->traversal;
            const double lower = lower_bound(w),
                         truth = surfaces_distance(&s->field.mesh, &s->mesh, &pose);
            cr_assert(w->points == 0 && w->spheres > 0 && w->spheres <= ALG_PST_WIDTH,
                      "scene %d, pose %d: %d spheres, %d points", which, i, (int)w->spheres,
                      (int)w->points);
            cr_assert(!w->ended || w->inside, "scene %d, pose %d", which, i);
            cr_assert_leq(lower, truth, "scene %d, pose %d: %.9g is above %.9g", which, i, lower,
                          truth);
        }
        close_scene(s);
    }
}

/* --- Candidates ------------------------------------------------------------------------------- */

/** With a fixed limit, the candidates are all points with a bound below it. Returns 1 if some but
 * not all points are candidates. */
static int check_fixed(scene *s, const geo_pose *pose, float limit, const char *text)
{
    run(s, &(limits){limit, true, 0, 0}, pose);
    const alg_pst_traversal *const w = &s->traversal;
    if (w->inside) {
        return 0;
    }
    const alg_pst_points *const points = &s->tree.points;
    double *const bounds = base_alloc(points->count, sizeof *bounds);
    own_bounds(s, pose, bounds);
    check_points(s, bounds, text);
    for (uint32_t i = 0; i < w->count; i++) {
        const alg_pst_candidate c = w->candidates[i];
        cr_assert(c.bound >= 0 && c.bound <= limit, "%s: point %u", text, c.point);
        const vec3 at = geo_pose_apply(pose, points->points[c.point]);
        const alg_pst_sample sample = alg_pst_field_at(&s->field.field, at);
        const double off = (double)(sample.below + sample.above + s->traversal.margin);
        cr_assert_float_eq((double)c.value, (double)sample.value, off + 0.01 * s->field.field.edge,
                           "%s: point %u has the value %.9g, not %.9g", text, c.point,
                           (double)c.value, (double)sample.value);
    }
    /* No candidate is missing: everything left out, which is at least as far as `rest`, is above
     * the limit. */
    cr_assert(w->ended && w->rest > limit, "%s: %.9g is left out", text, (double)w->rest);
    base_free(bounds);
    return w->count > 0 && w->count < points->count;
}

Test(traversal, a_fixed_limit_keeps_all_points_below_it)
{
    enum { POSES = 15 };
    const int step = (int)sweep_step(2);
    for (int which = 0; which < SCENES; which++) {
        scene *const s = open_scene(which);
        base_random random = base_random_seed(52);
        int some = 0;
        for (int i = 0; i < POSES; i += step) {
            const geo_pose pose = any_pose(&random, i);
            const double d = surfaces_distance(&s->field.mesh, &s->mesh, &pose);
            const float shares[] = {0, 0.9F, 1, 1.02F, 1.2F, 2, 1e6F};
            for (int k = 0; k < 7; k++) {
                char text[96];
                snprintf(text, sizeof text, "scene %d, pose %d, %g of %g", which, i,
                         (double)shares[k], d);
                some += check_fixed(s, &pose, shares[k] * ((float)d + 0.05F * (k > 2)), text);
            }
        }
        cr_assert_gt(some, 10 / step, "scene %d: %d", which, some);
        close_scene(s);
    }
}

/** The nearest point of a traversal is the nearest one, up to the errors of the field. */
Test(traversal, ends_with_the_nearest_point)
{
    enum { POSES = 40 };
    const int step = (int)sweep_step(3);
    for (int which = 0; which < SCENES; which++) {
        scene *const s = open_scene(which);
        const alg_pst_points *const points = &s->tree.points;
        base_random random = base_random_seed(53);
        int compared = 0;
        for (int i = 0; i < POSES; i += step) {
            const geo_pose pose = any_pose(&random, i);
            run(s, &(limits){INFINITY, false, 0, 0}, &pose);
            const alg_pst_traversal *const w = &s->traversal;
            if (w->inside || w->nearest_radius > 0) {
                continue;
            }
            double least = (double)INFINITY, allowed = 0;
            for (uint32_t p = 0; p < points->count; p++) {
                const vec3 at = geo_pose_apply(&pose, points->points[p]);
                const double d = subject_distance(&s->field, at);
                const alg_pst_sample sample = alg_pst_field_at(&s->field.field, at);
                allowed = d < least ? (double)sample.below : allowed;
                least = fmin(least, d);
            }
            const vec3 at = geo_pose_apply(&pose, points->points[w->nearest]);
            const alg_pst_sample sample = alg_pst_field_at(&s->field.field, at);
            allowed += (double)sample.above + (double)w->margin + 0.01 * s->field.field.edge;
            const double own = subject_distance(&s->field, at);
            cr_assert_leq(own, least + allowed, "scene %d, pose %d: %.9g, nearest %.9g", which, i,
                          own, least);
            cr_assert_float_eq((double)w->nearest_value, own, allowed + (double)sample.below,
                               "scene %d, pose %d: the value %.9g of %.9g", which, i,
                               (double)w->nearest_value, own);
            cr_assert_eq(w->limit, fmaxf(w->nearest_value, 0), "scene %d, pose %d", which, i);
            compared++;
        }
        cr_assert_gt(compared, 15 / step, "scene %d: %d", which, compared);
        close_scene(s);
    }
}

/** A traversal stops if a point is certainly in the solid, and only then. */
Test(traversal, stops_at_a_point_inside)
{
    for (int which = 0; which < SCENES; which++) {
        scene *const s = open_scene(which);
        base_random random = base_random_seed(59);
        int inside = 0;
        for (int i = 0; i < 400; i++) {
            const geo_pose pose = shape_pose(&random, 1);
            run(s, &(limits){INFINITY, false, 0, 0}, &pose);
            const vec3 at = geo_pose_apply(&pose, s->tree.points.points[s->traversal.nearest]);
            const bool contained = s->field.solid && geo_surface_contains(&s->field.surface, at);
            cr_assert(!s->traversal.inside || contained, "scene %d, pose %d: point %u is outside",
                      which, i, s->traversal.nearest);
            inside += s->traversal.inside;
        }
        /* The plate is thinner than a cell, and the open ball has no inside. */
        const bool deep = which == 0 || which == 3;
        cr_assert(deep ? inside > 40 : inside == 0, "scene %d: %d", which, inside);
        close_scene(s);
    }
}

/** Only a part of the tree is visited: few clusters are opened together with others before the
 * limit decreases. */
Test(traversal, far_clusters_are_skipped)
{
    scene *const s = open_scene(0);
    base_random random = base_random_seed(54);
    for (int i = 0; i < 20; i++) {
        geo_pose pose = shape_pose(&random, 0);
        pose.translation = vec3_scale(2.5, geo_random_direction(&random));
        run(s, &(limits){INFINITY, false, 0, 0}, &pose);
        cr_assert(s->traversal.points > 0 && s->traversal.points < s->tree.points.count / 3,
                  "pose %d: %d of %u points", i, (int)s->traversal.points, s->tree.points.count);
        const uint64_t points = s->traversal.points;
        run(s, &(limits){s->traversal.limit, false, 0, 0}, &pose);
        cr_assert_leq(s->traversal.points, points, "pose %d: known before", i);
    }
    close_scene(s);
}

/* --- Instruction sets ------------------------------------------------------------------------- */

/** All results of a traversal. */
typedef struct findings {
    float limit, rest, nearest_value, nearest_radius, nearest_at[3];
    uint32_t count, nearest, ended, inside;
    uint64_t spheres, points;
} findings;

/* --- Room ------------------------------------------------------------------------------------- */

enum { FULL = 24 };

/** Reference for alg_pst_make_room, which tests all candidates each time. */
static bool make_room_plainly(alg_pst_traversal *w, float bound)
{
    uint32_t kept = 0, worst = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        if (w->candidates[i].bound <= w->limit) {
            w->candidates[kept++] = w->candidates[i];
        } else {
            w->rest = fminf(w->rest, w->candidates[i].bound);
        }
    }
    w->count = kept;
    if (kept < w->capacity) {
        return true;
    }
    for (uint32_t i = 1; i < kept; i++) {
        worst = w->candidates[i].bound > w->candidates[worst].bound ? i : worst;
    }
    const float greatest = w->candidates[worst].bound;
    if (!(bound < greatest)) {
        return false;
    }
    w->rest = fminf(w->rest, greatest);
    w->candidates[worst] = w->candidates[--w->count];
    return true;
}

/** Adds a candidate as traversals do. */
static bool add(alg_pst_traversal *w, bool (*make_room)(alg_pst_traversal *, float), uint32_t point,
                float bound)
{
    if (w->count == w->capacity && !make_room(w, bound)) {
        w->rest = fminf(w->rest, bound);
        return false;
    }
    w->candidates[w->count++] = (alg_pst_candidate){point, bound, 0};
    return true;
}

/** The candidates, their order and `rest` are those of the reference in each step, with decreasing
 * bounds, many equal ones, and a limit that decreases or stays infinite. */
Test(traversal, room_is_made_as_by_looking_at_all)
{
    base_random random = base_random_seed(61);
    alg_pst_candidate candidates[2][FULL];
    int refused = 0, dropped = 0, replaced = 0;
    for (int round = 0; round < 400; round++) {
        const uint32_t capacity = 1 + (uint32_t)base_random_below(&random, FULL);
        alg_pst_traversal w[2];
        for (int i = 0; i < 2; i++) {
            w[i] = (alg_pst_traversal){.candidates = candidates[i],
                                       .capacity = capacity,
                                       .rest = INFINITY,
                                       .limit = INFINITY,
                                       .worst = UINT32_MAX};
        }
        for (uint32_t point = 0; point < 200; point++) {
            if (round % 3 != 0 && base_random_below(&random, 8) == 0) {
                const float limit = (float)base_random_range(&random, 0, 12);
                w[0].limit = w[1].limit = fminf(w[0].limit, limit);
            }
            const double most = round % 2 == 0 ? 10 : 10 - 0.04 * point;
            const float any = (float)floor(base_random_range(&random, 0, most) * 2) / 2;
            const float bound = fminf(any, w[0].limit);
            const uint32_t before = w[0].count;
            const bool added = add(&w[0], alg_pst_make_room, point, bound);
            cr_assert_eq(added, add(&w[1], make_room_plainly, point, bound), "%d, %u", round,
                         point);
            cr_assert(w[0].count == w[1].count && w[0].rest == w[1].rest, "%d, %u", round, point);
            for (uint32_t i = 0; i < w[0].count; i++) {
                cr_assert(candidates[0][i].point == candidates[1][i].point &&
                              candidates[0][i].bound == candidates[1][i].bound,
                          "%d, %u, candidate %u", round, point, i);
            }
            refused += !added;
            replaced += added && w[0].count == before;
            dropped += w[0].count < before;
        }
    }
    cr_assert(refused > 1000 && replaced > 1000 && dropped > 100, "%d, %d, %d", refused, replaced,
              dropped);
}

/** A full traversal leaves no state for the next one. */
Test(traversal, room_is_made_anew_in_each_query)
{
    base_random random = base_random_seed(62);
    int full = 0;
    for (int which = 0; which < SCENES; which++) {
        scene *const used = open_scene(which), *const fresh = open_scene(which);
        for (int i = 0; i < 60; i++) {
            const limits l = {.limit = i % 2 == 0 ? 0.5F : 10.0F, .fixed = true, .capacity = 3};
            const geo_pose pose = any_pose(&random, i % 4);
            run(used, &l, &pose);
            fresh->traversal.worst = UINT32_MAX;
            fresh->traversal.full_limit = INFINITY;
            run(fresh, &l, &pose);
            cr_assert(used->traversal.count == fresh->traversal.count &&
                          used->traversal.rest == fresh->traversal.rest,
                      "%d, %d", which, i);
            for (uint32_t k = 0; k < used->traversal.count; k++) {
                cr_assert_eq(used->traversal.candidates[k].point,
                             fresh->traversal.candidates[k].point, "%d, %d", which, i);
            }
            full += used->traversal.count == 3;
        }
        close_scene(used);
        close_scene(fresh);
    }
    cr_assert(full > 40, "%d", full);
}
