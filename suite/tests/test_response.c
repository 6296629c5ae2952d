/**
 * The scenes whose force is known in closed form (scenarios/trajectories/response.h), with the
 * models that they name: the exact volume's force comes within 1 % of it.
 */
#include "geometry/pose.h"
#include "geometry/vec.h"
#include "suite/inputs/pair.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

TestSuite(response, .timeout = 30);

enum { FRAMES = 101 };

/* Of a vector that is at least half as large as it gets, and of the largest elsewhere: where round
 * walls begin to touch, the depth by which their meshes are off is a large part of what there is. */
#define TOLERANCE       0.01
#define TOLERANCE_SMALL 0.05

typedef struct response {
    vec3 force, torque;
} response;

/** Minus the gradient of the volume, and its torque about the centroid of B's mesh. */
static response exact_response(const bench_pair *pair, const geo_pose *pose, gt_flux_space *space)
{
    gt_flux flux;
    base_error err = {0};
    cr_assert_eq(gt_flux_query(pair->a.truth, pair->b.truth, pose, space, &flux, &err), BASE_OK,
                 "%s", err.text);
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
    const scn_motion motion = {
        .sampler = {.kind = SCN_RESPONSE, .frames = FRAMES}
    };
    base_error err = {0};
    cr_assert_eq(bench_pair_open(a, b, &s->pair, &err), BASE_OK, "%s", err.text);
    cr_assert_eq(bench_pair_trajectory(&s->pair, &motion, NULL, true, &s->trajectory, &err),
                 BASE_OK, "%s", err.text);
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
        size_t touching; /* frames in which a force is known */
    } scenes[] = {
        {"bore",    "pin",    89 },
        {"box",     "cone",   93 },
        {"box",     "sphere", 64 },
        {"box",     "cube",   101},
        {"channel", "cube",   72 }
    };
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        scene s;
        open_scene(scenes[i].a, scenes[i].b, &s);
        /* No torque at all: what the mesh has is held against what its force could have. */
        const double lever = vec3_norm(s.pair.b.report.box.hi);
        const double torque_m3 = s.torque_m3 > 0 ? s.torque_m3 : lever * s.force_m2;
        size_t touching = 0;
        for (size_t f = 0; f < FRAMES; f++) {
            const scn_frame *const frame = &s.trajectory.frames[f];
            const geo_pose pose = bench_pair_pose(&s.pair, frame->position, frame->orientation);
            const response exact = exact_response(&s.pair, &pose, s.space);
            char where[100];
            cr_assert_eq(frame->known.mask, SCN_KNOWN_FORCE);
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

/** Boxes are what they stand for: no tolerance but rounding. */
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
