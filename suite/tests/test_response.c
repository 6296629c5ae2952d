/**
 * Scenes with a force that is known in closed form (scenarios/trajectories/ideal.c), with the
 * models that they name. The force of the exact volume must be within 1 % of it, and forces of
 * inner spheres must agree with it.
 */
#include "algorithms/registry.h"
#include "base/tests/support.h"
#include "geometry/pose.h"
#include "geometry/vec.h"
#include "suite/inputs/pair.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

enum { FRAMES = 101 };

/* Relative to a vector of at least half the largest size, otherwise relative to the largest:
 * where round walls begin to touch, the error of their meshes is a large part of the depth. */
#define TOLERANCE       0.01
#define TOLERANCE_SMALL 0.05

typedef struct response {
    vec3 force, torque;
} response;

/** Returns minus the gradient of the volume, and its torque about the centroid of B's mesh. */
static response exact_response(const bench_pair *pair, const geo_pose *pose, gt_flux_space *space)
{
    gt_flux flux;
    assert_ok(gt_flux_query(pair->a.truth, pair->b.truth, pose, space, &flux, ERR));
    cr_assert_eq(flux.flaws, 0);
    const vec3 c = geo_pose_apply(pose, pair->b.report.measure.centroid);
    double bound_m3;
    return (response){vec3_scale(-1, flux.gradient_m2),
                      vec3_scale(-1, gt_flux_torque(&flux, c, &bound_m3))};
}

/** A scene with a number of frames. */
typedef struct scene {
    bench_pair pair;
    scn_trajectory trajectory;
    gt_flux_space *space;
    double force_m2, torque_m3; /* the largest */
} scene;

static void open_scene(const char *a, const char *b, scene *s)
{
    const scn_motion motion = {.sampler = {.kind = SCN_RESPONSE, .frames = FRAMES}};
    assert_ok(bench_pair_open(a, b, &s->pair, ERR));
    assert_ok(bench_pair_trajectory(&s->pair, &motion, NULL, true, &s->trajectory, ERR));
    cr_assert_eq(s->trajectory.frame_count, FRAMES);
    s->space = gt_flux_space_create();
    cr_assert_not_null(s->space);
    s->force_m2 = s->torque_m3 = 0;
    for (size_t f = 0; f < FRAMES; f++) {
        const scn_known *const known = &s->trajectory.frames[f].known;
        s->force_m2 = fmax(s->force_m2, vec3_norm(known->force_m2));
        s->torque_m3 = fmax(s->torque_m3, vec3_norm(known->torque_m3));
    }
}

static void close_scene(scene *s)
{
    gt_flux_space_destroy(s->space);
    scn_trajectory_release(&s->trajectory);
    bench_pair_close(&s->pair);
}

static void expect_near(vec3 exact, vec3 ideal, double largest, const char *where)
{
    const double size = vec3_norm(ideal), error = vec3_distance(exact, ideal);
    const double slack = size >= 0.5 * largest ? TOLERANCE * size : TOLERANCE_SMALL * largest;
    cr_expect(error <= slack, "%s: off by %g %% of %g; the largest is %g", where,
              100 * error / size, size, largest);
}

Test(response, the_exact_force_is_within_one_percent)
{
    static const struct {
        const char *a, *b;
        size_t touching; /* number of frames with a known force */
    } scenes[] = {{"bore", "pin", 89},  {"box", "cone", 93},     {"box", "sphere", 64},
                  {"box", "cube", 101}, {"channel", "cube", 72}, {"sphere", "box", 101}};
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        scene s;
        open_scene(scenes[i].a, scenes[i].b, &s);
        /* The known torque is 0, so the torque of the mesh is compared with force times lever. */
        const double lever = vec3_norm(s.pair.b.report.box.hi);
        const double torque_m3 = s.torque_m3 > 0 ? s.torque_m3 : lever * s.force_m2;
        size_t touching = 0;
        for (size_t f = 0; f < FRAMES; f++) {
            const scn_frame *const frame = &s.trajectory.frames[f];
            const geo_pose pose = bench_pair_pose(&s.pair, frame->position, frame->orientation);
            const response exact = exact_response(&s.pair, &pose, s.space);
            char where[100];
            cr_assert(frame->known.mask & SCN_KNOWN_FORCE);
            snprintf(where, sizeof where, "%s and %s, frame %zu: force", scenes[i].a, scenes[i].b,
                     f);
            expect_near(exact.force, frame->known.force_m2, s.force_m2, where);
            snprintf(where, sizeof where, "%s and %s, frame %zu: torque", scenes[i].a, scenes[i].b,
                     f);
            expect_near(exact.torque, frame->known.torque_m3, torque_m3, where);
            touching += vec3_norm(frame->known.force_m2) > 0;
        }
        cr_expect_eq(touching, scenes[i].touching, "%s and %s: %zu frames", scenes[i].a,
                     scenes[i].b, touching);
        close_scene(&s);
    }
}

/**
 * The truth's force by depth is near the known one: within its bound if both bodies are boxes. If a
 * body is round, within the error of its mesh, which counts twice: in the depths and in the area.
 */
Test(response, the_exact_force_by_depth_is_near_the_known_one)
{
    static const struct {
        const char *a, *b;
        double share; /* relative to the largest */
    } scenes[] = {{"box", "cone", 0.005},
                  {"box", "sphere", 0.005},
                  {"box", "cube", 0},
                  {"channel", "cube", 0},
                  {"sphere", "box", 0.02}};
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        scene s;
        open_scene(scenes[i].a, scenes[i].b, &s);
        gt_depth_space *const space = gt_depth_space_create();
        double largest_m3 = 0, largest_m4 = 0;
        for (size_t f = 0; f < FRAMES; f++) {
            const scn_known *const known = &s.trajectory.frames[f].known;
            cr_assert(known->mask & SCN_KNOWN_DEPTH_FORCE);
            largest_m3 = fmax(largest_m3, vec3_norm(known->depth_force_m3));
            largest_m4 = fmax(largest_m4, vec3_norm(known->depth_torque_m4));
        }
        /* The known torque is 0, so the torque of the mesh is compared with force times lever. */
        const double lever = vec3_norm(s.pair.b.report.box.hi);
        largest_m4 = largest_m4 > 0 ? largest_m4 : lever * largest_m3;
        for (size_t f = 2; f < FRAMES; f += sweep_step(9)) {
            const scn_frame *const frame = &s.trajectory.frames[f];
            const geo_pose pose = bench_pair_pose(&s.pair, frame->position, frame->orientation);
            gt_depth_force x;
            assert_ok(gt_depth_force_query(s.pair.a.truth, s.pair.b.truth, &pose, GT_DEPTH_OF_A,
                                           s.space, space, &x, ERR));
            cr_assert(x.flaws == 0 && x.complete);
            const double off = vec3_distance(x.force_m3, frame->known.depth_force_m3);
            const double off_torque = vec3_distance(x.torque_m4, frame->known.depth_torque_m4);
            cr_expect_leq(off, x.force_bound_m3 + (scenes[i].share + 1e-12) * largest_m3,
                          "%s and %s, frame %zu: %g of %g", scenes[i].a, scenes[i].b, f, off,
                          largest_m3);
            cr_expect_leq(off_torque, x.torque_bound_m4 + (scenes[i].share + 1e-12) * largest_m4,
                          "%s and %s, frame %zu: torque %g of %g", scenes[i].a, scenes[i].b, f,
                          off_torque, largest_m4);
        }
        gt_depth_space_destroy(space);
        close_scene(&s);
    }
}

/** The mesh of a box is exact, so there is no tolerance except rounding. */
Test(response, boxes_have_the_known_force)
{
    static const char *const fixed[] = {"box", "channel"};
    for (size_t i = 0; i < 2; i++) {
        scene s;
        open_scene(fixed[i], "cube", &s);
        for (size_t f = 0; f < FRAMES; f++) {
            const scn_frame *const frame = &s.trajectory.frames[f];
            const geo_pose pose = bench_pair_pose(&s.pair, frame->position, frame->orientation);
            const response exact = exact_response(&s.pair, &pose, s.space);
            cr_expect_lt(vec3_distance(exact.force, frame->known.force_m2), 1e-13 * s.force_m2,
                         "%s, frame %zu", fixed[i], f);
            cr_expect_lt(vec3_distance(exact.torque, frame->known.torque_m3), 1e-13 * s.torque_m3,
                         "%s, frame %zu", fixed[i], f);
        }
        close_scene(&s);
    }
}

/* --- Inner spheres ---------------------------------------------------------------------------- */

/** A pair of bodies, bound for the force of one variant. */
typedef struct contestant {
    alg_variant variant;
    void *fixed, *moving, *state;
} contestant;

static contestant open_contestant(const char *name, const bench_pair *pair)
{
    contestant c = {0};
    alg_message message = {""};
    alg_build_info info;
    const alg_request request = {.size = sizeof request,
                                 .wanted = ALG_WANT_VOLUME | ALG_WANT_FORCE};
    cr_assert_eq(alg_variant_parse(name, 1, &c.variant, &message), ALG_OK, "%s", message.text);
    const alg_algorithm *const g = c.variant.algorithm;
    const alg_settings *const settings = &c.variant.settings;
    cr_assert(g->prepare(settings, &pair->a.view, ALG_FIXED, &c.fixed, &info, &message) == ALG_OK &&
                  g->prepare(settings, &pair->b.view, ALG_MOVING, &c.moving, &info, &message) ==
                      ALG_OK &&
                  g->bind(settings, c.fixed, c.moving, &request, &c.state, &message) == ALG_OK,
              "%s: %s", name, message.text);
    return c;
}

static alg_answer ask(const contestant *c, const geo_pose *pose)
{
    alg_answer answer = {.size = sizeof answer};
    c->variant.algorithm->query(c->state, pose, &answer);
    return answer;
}

static void close_contestant(contestant *c)
{
    c->variant.algorithm->release(c->state);
    c->variant.algorithm->dispose(c->moving);
    c->variant.algorithm->dispose(c->fixed);
}

static double angle_deg(vec3 x, vec3 y)
{
    return atan2(vec3_norm(vec3_cross(x, y)), vec3_dot(x, y)) * (180 / 3.14159265358979323846);
}

/** The pose of a box rotated by 20 degrees about z and shifted by so many mm. */
static geo_pose turned_box(const bench_pair *pair, double x_mm, double y_mm, double z_mm)
{
    const double half = 10 * (3.14159265358979323846 / 180);
    return bench_pair_pose(pair, (vec3){1e-3 * x_mm, 1e-3 * y_mm, 1e-3 * z_mm},
                           (geo_quat){0, 0, sin(half), cos(half)});
}

/**
 * Two boxes with the same centre exert a torque about z and no force. If all forces cancel except
 * the noise of the grid, the result must be no force.
 */
Test(response, boxes_around_one_centre_are_a_couple)
{
    SCOPED_BENCH_PAIR pair;
    assert_ok(bench_pair_open("box", "box", &pair, ERR));
    gt_flux_space *const space = gt_flux_space_create();
    contestant c = open_contestant("ist:voxels=32", &pair);
    const geo_pose couple = turned_box(&pair, 0, 0, 0);
    const response exact = exact_response(&pair, &couple, space);
    const alg_answer x = ask(&c, &couple);
    cr_expect_lt(vec3_norm(x.force), 0.03 * x.volume_m3, "force %g of the volume",
                 vec3_norm(x.force) / x.volume_m3);
    cr_expect_lt(angle_deg(x.torque, exact.torque), 5, "torque off by %g degrees",
                 angle_deg(x.torque, exact.torque));
    /* Levers are not longer than the bodies, in any pose near the one in which the forces
     * cancel. */
    const double reach = vec3_norm(pair.b.report.box.hi);
    alg_answer last = {0};
    for (int step = 0; step <= 200; step++) {
        const double at = 0.01 * (step - 100);
        const geo_pose pose = turned_box(&pair, -1.88 * at, 2.65 * at, 0.011 * at);
        const alg_answer y = ask(&c, &pose);
        cr_expect_leq(vec3_norm(y.force), y.volume_m3, "step %d", step);
        cr_expect_lt(vec3_norm(y.torque), reach * y.volume_m3, "step %d: a lever of %g m", step,
                     vec3_norm(y.torque) / y.volume_m3);
        if (step > 0) {
            cr_expect_lt(vec3_distance(y.force, last.force), 0.02 * y.volume_m3, "step %d: %g",
                         step, vec3_distance(y.force, last.force) / y.volume_m3);
            cr_expect_lt(vec3_distance(y.torque, last.torque), 0.02 * reach * y.volume_m3,
                         "step %d: %g m", step, vec3_distance(y.torque, last.torque) / y.volume_m3);
        }
        last = y;
    }
    close_contestant(&c);
    gt_flux_space_destroy(space);
}

/**
 * Root mean square of the angles to the exact force, over the frames where it is at least half of
 * the largest. Few spheres reach into the tip of a cone, which makes most of its torque.
 */
Test(response, inner_spheres_push_as_the_exact_volume_does)
{
    static const struct {
        const char *a, *b;
        double force_deg, torque_deg; /* 0: the exact torque is 0 */
    } scenes[] = {{"bore", "pin", 13, 12},
                  {"box", "cone", 28, 80},
                  {"box", "sphere", 3, 0},
                  {"box", "cube", 12, 10},
                  {"channel", "cube", 3, 4}};
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        scene s;
        open_scene(scenes[i].a, scenes[i].b, &s);
        contestant c = open_contestant("ist:voxels=48", &s.pair);
        double force_deg2 = 0, torque_deg2 = 0;
        size_t forces = 0, torques = 0;
        for (size_t f = 0; f < FRAMES; f += sweep_step(3)) {
            const scn_frame *const frame = &s.trajectory.frames[f];
            const geo_pose pose = bench_pair_pose(&s.pair, frame->position, frame->orientation);
            const response exact = exact_response(&s.pair, &pose, s.space);
            const alg_answer x = ask(&c, &pose);
            if (vec3_norm(exact.force) >= 0.5 * s.force_m2) {
                const double off = angle_deg(x.force, exact.force);
                force_deg2 += off * off;
                forces++;
            }
            if (s.torque_m3 > 0 && vec3_norm(exact.torque) >= 0.5 * s.torque_m3) {
                const double off = angle_deg(x.torque, exact.torque);
                torque_deg2 += off * off;
                torques++;
            }
        }
        const double force_deg = sqrt(force_deg2 / (double)forces);
        const double torque_deg = torques > 0 ? sqrt(torque_deg2 / (double)torques) : 0;
        cr_expect_lt(force_deg, scenes[i].force_deg, "%s and %s: force off by %g degrees",
                     scenes[i].a, scenes[i].b, force_deg);
        cr_expect(torque_deg < scenes[i].torque_deg || torques == 0,
                  "%s and %s: torque off by %g degrees in %zu frames", scenes[i].a, scenes[i].b,
                  torque_deg, torques);
        close_contestant(&c);
        close_scene(&s);
    }
}
