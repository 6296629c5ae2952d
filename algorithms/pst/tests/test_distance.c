/**
 * Distances by points and fields, compared with all pairs of triangles: an upper bound and a
 * bracket that contains the truth, for all kinds of points, in either role, with any budget.
 */
#include "algorithms/life.h"
#include "algorithms/pst/penetration.h"
#include "algorithms/pst/tests/fields.h"
#include "algorithms/tests/pair.h"
#include "base/elementary.h"
#include "base/tests/support.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POSES = 6 };

/* --- The oracle ------------------------------------------------------------------------------- */

/** Two bodies, and data for the oracle. */
typedef struct scene {
    const char *name;
    geo_mesh a, b;
    bool solid_a, solid_b;
    double reach; /* greatest length of random shifts */
    base_arena arena;
    pair_pool pool;
    geo_shell shell_a, shell_b;
    double size; /* size of both bodies together, to which roundings are relative */
} scene;

static scene *scene_make(const char *name, geo_mesh a, bool solid_a, geo_mesh b, bool solid_b,
                         double reach)
{
    scene *const s = base_alloc(1, sizeof *s);
    *s = (scene){.name = name, .a = a, .b = b, .solid_a = solid_a, .solid_b = solid_b};
    s->reach = reach;
    s->pool.a = shape_body(&s->a, solid_a);
    s->pool.b = shape_body(&s->b, solid_b);
    s->size = geo_box_reach(s->pool.a.box) + geo_box_reach(s->pool.b.box);
    assert_ok(
        geo_shell_build(alg_mesh_view(&s->pool.a), s->pool.a.solid, &s->arena, &s->shell_a, ERR));
    assert_ok(
        geo_shell_build(alg_mesh_view(&s->pool.b), s->pool.b.solid, &s->arena, &s->shell_b, ERR));
    return s;
}

static void scene_release(scene *s)
{
    pair_pool_release(&s->pool);
    base_arena_release(&s->arena);
    geo_mesh_release(&s->a);
    geo_mesh_release(&s->b);
    base_free(s);
}

/** Returns the distance of the surfaces, 0 if a solid contains a part of the other body. */
static double true_distance(const scene *s, const geo_pose *pose)
{
    vec3 in_both;
    return geo_shells_nested(&s->shell_a, &s->shell_b, pose, &in_both)
               ? 0
               : surfaces_distance(&s->a, &s->b, pose);
}

/** Returns the distance of a point from the surface. */
static double off_surface(const geo_surface *surface, vec3 p)
{
    return sqrt(geo_surface_closest(surface, p, UINT32_MAX).distance2);
}

/* --- Contestants ------------------------------------------------------------------------------ */

typedef struct contestant {
    char name[96];
    pair pair;
} contestant;

/** Opens a contestant. All contestants of a scene share its bodies. */
static contestant enter(scene *s, const char *name)
{
    contestant c = {.pair = pair_pool_open(&s->pool, name, ALG_WANT_DISTANCE)};
    snprintf(c.name, sizeof c.name, "%s", name);
    return c;
}

#define SMALL  "voxels=32,shell-voxels=12"
#define COARSE "voxels=16,shell-voxels=8" /* for tests with many bodies, and for brief tests */

/** Opens a contestant with small resolutions. */
static contestant enter_small(scene *s, const char *name)
{
    char text[96];
    snprintf(text, sizeof text, "%s%c%s", name, strchr(name, ':') ? ',' : ':',
             sweep_step(2) == 1 ? SMALL : COARSE);
    return enter(s, text);
}

static void leave(contestant *c)
{
    pair_close(&c->pair);
}

static const char *text_of(const scene *s, const contestant *c, int pose)
{
    static char text[256];
    snprintf(text, sizeof text, "%s, %s, pose %d", s->name, c->name, pose);
    return text;
}

/** Checks the guarantees that hold for every answer. Returns the answer. */
static alg_answer judge(const scene *s, const contestant *c, int number, const geo_pose *pose,
                        double truth)
{
    const alg_answer answer = pair_ask(&c->pair, pose);
    const alg_variant *const variant = &c->pair.variant;
    const char *const text = text_of(s, c, number);
    const double rounding = 256 * DBL_EPSILON * (s->size + vec3_norm(pose->translation));
    cr_assert(answer.answered & ALG_HAS_DISTANCE && answer.answered & ALG_HAS_DISTANCE_BRACKET,
              "%s", text);
    cr_assert_leq(answer.distance_lo_m, truth + rounding, "%s: %.9g > %.9g", text,
                  answer.distance_lo_m, truth);
    cr_assert_geq(answer.distance_hi_m, truth - rounding, "%s: %.9g < %.9g", text,
                  answer.distance_hi_m, truth);
    cr_assert(answer.distance_lo_m >= 0 && answer.distance_lo_m <= answer.distance_m &&
                  answer.distance_m <= answer.distance_hi_m && isfinite(answer.distance_hi_m),
              "%s: %.9g in %.9g to %.9g", text, answer.distance_m, answer.distance_lo_m,
              answer.distance_hi_m);
    if (variant->algorithm->contract(&variant->settings, ALG_DISTANCE) == ALG_UPPER_BOUND) {
        cr_assert_geq(answer.distance_m, truth - rounding, "%s: %.9g < %.9g", text,
                      answer.distance_m, truth);
    }
    if (answer.answered & ALG_HAS_WITNESS && answer.distance_m > 0) {
        const geo_pose inverse = geo_pose_inverse(pose);
        const vec3 b = geo_pose_apply(&inverse, answer.witness_b);
        cr_assert_leq(off_surface(&s->shell_a.surface, answer.witness_a), rounding, "%s", text);
        cr_assert_leq(off_surface(&s->shell_b.surface, b), rounding, "%s", text);
        cr_assert_float_eq(vec3_distance(answer.witness_a, answer.witness_b), answer.distance_m,
                           rounding, "%s", text);
    }
    return answer;
}

/* --- Scenes ----------------------------------------------------------------------------------- */

static geo_mesh open_box(void)
{
    geo_mesh_builder mesh = shape_edit(shape_cube((vec3){0}, 1));
    mesh.face_count = 10; /* without the side of +y */
    return geo_mesh_builder_finish(&mesh);
}

static geo_mesh hollow(void)
{
    return shape_join(shape_cube((vec3){0}, 2), shape_reverse(shape_ball((vec3){0}, 1.5, 6)));
}

static geo_mesh scaled(double scale)
{
    return shape_move(shape_torus(8, 1, 0.4), geo_pose_identity(), scale);
}

enum { SCENES = 9 };

static scene *make_scene(int which)
{
    const vec3 one = {1, 1, 1}, minus = {-1, -1, -1}, thin = {1, 1, 0.004};
    switch (which) {
    case 0:
        return scene_make("tori", scaled(1), true, shape_torus(7, 1, 0.3), true, 1.5);
    case 1:
        return scene_make("boxes", shape_box(minus, one), true, shape_box(minus, one), true, 2);
    case 2:
        return scene_make("plate", shape_box((vec3){-1, -1, 0}, thin), true,
                          shape_ball((vec3){0}, 0.3, 5), true, 0.7);
    case 3:
        return scene_make("cavity", hollow(), true, shape_ball((vec3){0}, 0.3, 4), true, 1.5);
    case 4:
        return scene_make("open", open_box(), false, shape_torus(7, 0.5, 0.2), true, 1.2);
    case 5:
        return scene_make("both open", open_box(), false, open_box(), false, 1.5);
    case 6:
        return scene_make("in it", shape_cube((vec3){0}, 0.2), true, shape_cube((vec3){0}, 2), true,
                          1);
    case 7:
        return scene_make("tiny", scaled(1e-3), true, scaled(1e-3), true, 2e-3);
    default:
        return scene_make(
            "parts", shape_join(shape_cube((vec3){0}, 0.5), shape_ball((vec3){3, 0, 0}, 0.5, 4)),
            true, scaled(0.5), true, 2.5);
    }
}

/** Makes random poses, nearer and farther, the last one a million sizes away, and computes the true
 * distances. */
static void make_poses(const scene *s, geo_pose poses[POSES], double truth[POSES])
{
    base_random random = base_random_seed(17);
    for (int i = 0; i < POSES; i++) {
        poses[i] = shape_pose(&random, s->reach * (i % 3 == 2 ? 3 : 1));
    }
    poses[POSES - 1].translation = vec3_scale(1e6 * s->size, (vec3){0.6, -0.48, 0.64});
    for (int i = 0; i < POSES; i++) {
        truth[i] = true_distance(s, &poses[i]);
    }
}

/* --- Guarantees ------------------------------------------------------------------------------- */

/** Checks a scene with several contestants. A brief test uses one name in `part`, varying with the
 * scene's number. */
static void check_scene(int which, const char *const *names, size_t name_count, size_t number,
                        contestant (*open)(scene *s, const char *name), size_t part)
{
    const size_t step = sweep_step(part);
    scene *const s = make_scene(which);
    geo_pose poses[POSES];
    double truth[POSES];
    make_poses(s, poses, truth);
    for (size_t n = number % step; n < name_count; n += step) {
        contestant c = open(s, names[n]);
        for (int i = 0; i < POSES; i++) {
            (void)judge(s, &c, i, &poses[i], truth[i]);
        }
        leave(&c);
    }
    scene_release(s);
}

Test(distance, the_bracket_holds_for_any_points_in_either_role)
{
    static const char *const names[] = {
        "pst:" COARSE,
        "pst:" COARSE ",field=moving",
        "pst:" COARSE ",shell=two-phase",
        "pst:" COARSE ",shell=two-phase,field=moving",
        "pst:" COARSE ",shell=blue-noise",
        "pst:" COARSE ",clusters=balanced",
        "pst:" COARSE ",candidates=1",
        "pst:" COARSE ",candidates=64,rounds=4",
        "pst:" COARSE ",rounds=0",
        "pst:" COARSE ",rounds=0,field=moving",
        "pst:" COARSE ",tolerance=0.2,rounds=0",
        "pst:" COARSE ",tolerance=0.2,candidates=2",
        "pst:" COARSE ",start=last",
    };
    for (int which = 0; which < SCENES; which++) {
        check_scene(which, names, sizeof names / sizeof *names, (size_t)which, enter, 5);
    }
}

Test(distance, budgets_are_kept_and_brackets_hold_within_them)
{
    static const uint64_t budgets[] = {1, 2, 10, 100, 1000};
    static const char *const ways[] = {"", ",rounds=0", ",start=last", ",shell=two-phase"};
    const int step = (int)sweep_step(3);
    for (int which = 0; which < SCENES; which += 2) {
        scene *const s = make_scene(which);
        geo_pose poses[POSES];
        double truth[POSES];
        make_poses(s, poses, truth);
        for (int k = which % step; k < 20; k += step) {
            const uint64_t budget = budgets[k % 5];
            char name[96];
            snprintf(name, sizeof name, "pst:budget=%d%s", (int)budget, ways[k / 5]);
            contestant c = enter_small(s, name);
            for (int i = 0; i < POSES; i++) {
                const alg_answer answer = judge(s, &c, i, &poses[i], truth[i]);
                const uint64_t *const count = answer.counters;
                cr_assert_leq(count[ALG_PST_COUNT_SPHERES] + count[ALG_PST_COUNT_POINTS], budget,
                              "%s", text_of(s, &c, i));
            }
            leave(&c);
        }
        scene_release(s);
    }
}

Test(distance, a_deadline_that_is_over_still_gives_a_bracket)
{
    static const char *const names[] = {
        "pst:deadline-us=0.001",
        "pst:deadline-us=5",
        "pst:budget=40,deadline-us=0.001,rounds=0",
    };
    for (int i = 0; 3 * i < SCENES; i++) {
        check_scene(3 * i, names, 3, (size_t)i, enter_small, 3);
    }
}

/* --- Hand cases ------------------------------------------------------------------------------- */

/** The distance of cubes of half edge 1 is known at these shifts. */
Test(distance, of_cubes_is_known)
{
    static const struct {
        vec3 shift;
        double truth, error;
        const char *what;
    } rows[] = {
        {{3, 0.3, 0.1}, 1, 1e-12, "faces"},
        {{3, 3, 0.1}, 1.4142135623730951, 1e-12, "edges"},
        {{3, 3, 3}, 1.7320508075688772, 1e-12, "corners"},
        {{2, 0.3, 0.1}, 0, 0, "touching faces"},
        {{2, 2, 2}, 0, 0, "touching corners"},
        {{1.5, 0.3, 0.1}, 0, 0, "overlapping"},
        {{0, 0, 0}, 0, 0, "the same place"},
        {{2 + 1e-9, 0.3, 0.1}, 1e-9, 1e-12, "nearly touching"},
    };
    static const char *const names[] = {"pst", "pst:field=moving", "pst:shell=two-phase"};
    scene *const s =
        scene_make("cubes", shape_cube((vec3){0}, 1), true, shape_cube((vec3){0}, 1), true, 1);
    for (int n = 0; n < 3; n++) {
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            contestant c = enter_small(s, names[n]);
            const geo_pose pose = shape_shift(rows[i].shift.x, rows[i].shift.y, rows[i].shift.z);
            const alg_answer answer = judge(s, &c, 0, &pose, rows[i].truth);
            cr_assert_float_eq(answer.distance_m, rows[i].truth, rows[i].error,
                               "%s, %s: %.9g, not %.9g", names[n], rows[i].what, answer.distance_m,
                               rows[i].truth);
            leave(&c);
        }
    }
    scene_release(s);
}

Test(distance, is_zero_where_one_body_is_in_the_other_but_not_in_its_cavity)
{
    static const char *const names[] = {"pst", "pst:field=moving", "pst:rounds=0",
                                        "pst:field=moving,rounds=0"};
    scene *const in = scene_make("in a cube", shape_cube((vec3){0}, 2), true,
                                 shape_cube((vec3){0}, 0.1), true, 1);
    scene *const cavity =
        scene_make("in a cavity", hollow(), true, shape_cube((vec3){0}, 0.1), true, 1);
    const geo_pose pose = shape_shift(0.2, 0.1, -0.3);
    for (int n = 0; n < 4; n++) {
        contestant c = enter_small(in, names[n]);
        cr_assert_eq(judge(in, &c, 0, &pose, 0).distance_hi_m, 0, "%s", names[n]);
        leave(&c);
        c = enter_small(cavity, names[n]);
        const double truth = true_distance(cavity, &pose);
        /* Variants 2 and 3 measure no point, so they are less accurate. A brief test has coarser
         * bodies. */
        const double error = n < 2 ? 0.02 : sweep_step(2) == 1 ? 0.2 : 0.4;
        cr_assert_float_eq(judge(cavity, &c, 0, &pose, truth).distance_m, truth, error * truth,
                           "%s", names[n]);
        leave(&c);
    }
    scene_release(in);
    scene_release(cavity);
}

/* --- Measurements ----------------------------------------------------------------------------- */

/**
 * Two boxes with a gap, in a field of a few large cells. A descent starts at a face of either box
 * and cannot cross the gap. The field's value shows that it did not end at the nearest point.
 */
Test(distance, a_descent_into_another_valley_is_noticed)
{
    scene *const s =
        scene_make("gap",
                   shape_join(shape_cube((vec3){-1, 0, 0}, 0.5),
                              shape_box((vec3){0.5, -0.5, -0.5}, (vec3){0.9, 0.5, 0.5})),
                   true, shape_cube((vec3){0}, 0.05), true, 1);
    contestant c = enter(s, "pst:voxels=8,shell-voxels=4,rounds=1");
    base_random random = base_random_seed(71);
    int crossed = 0;
    for (int i = 0; i < 200; i++) {
        const vec3 shift = shape_point(&random, 0.3);
        const geo_pose pose = shape_shift(shift.x, shift.y, shift.z);
        const double truth = 0.45 - fabs(shift.x);
        const alg_answer answer = judge(s, &c, i, &pose, truth);
        cr_assert_float_eq(answer.distance_m, truth, truth / 128, "at x = %g: %.9g, not %.9g",
                           shift.x, answer.distance_m, truth);
        crossed += answer.counters[ALG_PST_COUNT_CLOSEST] % 2 == 1; /* a search besides descents */
    }
    cr_assert_gt(crossed, 10, "%d", crossed);
    leave(&c);
    scene_release(s);
}

/**
 * A slightly tilted cube over a plane. Its lowest corner has the least value among many points that
 * may be the nearest, and is measured. At most the opposite corner is measured as well, since only
 * that is far enough away. Each takes a descent on either body, and no search.
 */
Test(distance, the_lowest_corner_is_measured_first)
{
    const double half = 0.2;
    scene *const s = scene_make("over a plane", shape_box((vec3){-2, -2, -1}, (vec3){2, 2, 0}),
                                true, shape_cube((vec3){0}, half), true, 1);
    contestant c = enter(s, "pst:voxels=16,shell-voxels=2,rounds=1");
    base_random random = base_random_seed(72);
    for (int i = 0; i < 50; i++) {
        const geo_quat tilt = {base_random_range(&random, -0.05, 0.05),
                               base_random_range(&random, -0.05, 0.05),
                               base_random_range(&random, -1, 1), 1};
        const geo_pose pose = geo_pose_make(tilt, (vec3){0.1, 0.2, 0.5});
        double truth = (double)INFINITY;
        for (size_t v = 0; v < s->b.vertex_count; v++) {
            truth = fmin(truth, geo_pose_apply(&pose, s->b.vertices[v]).z);
        }
        const alg_answer answer = judge(s, &c, i, &pose, truth);
        cr_assert_float_eq(answer.distance_m, truth, 1e-12, "pose %d: %.9g, not %.9g", i,
                           answer.distance_m, truth);
        const uint64_t descents = answer.counters[ALG_PST_COUNT_CLOSEST];
        cr_assert(descents == 2 || descents == 4, "pose %d: %d", i, (int)descents);
    }
    leave(&c);
    scene_release(s);
}

/**
 * A cube with few points and large patches, and a small ball with many points beside it. If a point
 * of the ball is measured, the bounds of the others must include the cube's face.
 */
Test(distance, the_bracket_has_the_bounds_of_all_that_is_not_measured)
{
    static const char *const names[] = {"pst:voxels=32,shell-voxels=2,candidates=1,rounds=1",
                                        "pst:voxels=32,shell-voxels=2,candidates=2,rounds=1"};
    scene *const s = scene_make(
        "cube and ball", shape_cube((vec3){0}, 0.2), true,
        shape_join(shape_cube((vec3){0}, 0.5), shape_ball((vec3){0.65, 0, 0}, 0.1, 3)), true, 1.2);
    for (int n = 0; n < 2; n++) {
        contestant c = enter(s, names[n]);
        base_random random = base_random_seed(74);
        for (size_t i = 0; i < 1000; i += sweep_step(3)) {
            const geo_pose pose = shape_pose(&random, s->reach);
            (void)judge(s, &c, (int)i, &pose, true_distance(s, &pose));
        }
        leave(&c);
    }
    scene_release(s);
}
