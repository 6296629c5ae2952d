/** Tests of the searches along a line, with known answers. */
#include "geometry/pose.h"
#include "scenarios/tests/support.h"
#include "scenarios/trajectories/sampling.h"

/** A solver as samplers initialise it. The structure owns everything that the solver borrows. */
typedef struct bench {
    world world;
    scn_pair pair;
    scn_oracle oracle;
    scn_sampler sampler;
    scn_trajectory trajectory;
    scn_run run;
} bench;

static void set_up(bench *b, world w, scn_target target)
{
    *b = (bench){.world = w, .sampler = {.target = target, .frames = 1}};
    b->pair = world_pair(&b->world);
    b->oracle = world_oracle(&b->world);
    base_error err = {0};
    cr_assert_eq(scn_run_start(&b->sampler, &b->pair, &b->oracle, &b->trajectory, &b->run, &err),
                 BASE_OK, "%s", err.text);
}

static scn_root first(bench *b, const scn_line *line, double wanted)
{
    scn_root root;
    cr_assert_eq(scn_first(&b->run.solver, line, wanted, &root, NULL), BASE_OK);
    return root;
}

static scn_root near(bench *b, const scn_line *line, double wanted, double s)
{
    scn_root root;
    cr_assert_eq(scn_near(&b->run.solver, line, wanted, s, 0, &root, NULL), BASE_OK);
    return root;
}

static const scn_line along_x = {{1, 0, 0}, {0, 0, 0, 1}};

/** Returns a small ball in front of a large one, on the x axis, and a ball B of radius r. */
static world world_two_in_a_row(double small, double r)
{
    world w = {.shape = SHAPE_BALLS, .a.count = 2, .b.count = 1};
    w.a.ball[0].radius = 0.04;
    w.a.ball[1] = (geo_ball){vec3_make(0.1, 0, 0), small};
    w.bound_a.radius = 0.11;
    w.b.ball[0].radius = w.bound_b.radius = r;
    return w;
}

Test(solve, the_first_volume_is_in_the_first_body)
{
    /* On the way to the large ball, B, which is as large as the small one, passes completely
     * through the small one: 4 r. */
    bench b;
    for (double r = 0.01; r > 0.001; r *= 0.6) {
        set_up(&b, world_two_in_a_row(r, r), SCN_TARGET_VOLUME);
        for (int i = 1; i <= 90; i++) {
            const double wanted = 0.01 * i * ball_volume(r);
            const scn_root root = first(&b, &along_x, wanted);
            cr_assert(root.found && root.monotone, "%d %% of %g", i, r);
            cr_assert_leq(fabs(root.value - wanted), 1e-6 * ball_volume(r), "%d %% of %g", i, r);
            cr_assert(root.s > 0.1 && root.s < 0.12, "%d %% of %g: at %g, behind the small ball", i,
                      r, root.s);
        }
    }
    /* The small ball cannot give this volume. So the volume decreases on the way, which the root
     * reports. */
    set_up(&b, world_two_in_a_row(0.007, 0.01), SCN_TARGET_VOLUME);
    const scn_root root = first(&b, &along_x, 0.5 * ball_volume(0.01));
    cr_assert(root.found && !root.monotone);
    cr_assert_lt(root.s, 0.05);
}

Test(solve, what_is_not_there_is_not_found)
{
    bench b;
    set_up(&b, world_torus(), SCN_TARGET_DISTANCE);
    /* B's dumbbell is along y. Along z it passes the ring at a distance of 24 mm at least. */
    const scn_line along_z = {{0, 0, 1}, {0, 0, 0, 1}};
    cr_assert(!first(&b, &along_z, 0.01).found);
    cr_assert(first(&b, &along_z, 0.03).found);
    set_up(&b, world_two_balls(), SCN_TARGET_VOLUME);
    cr_assert(!first(&b, &along_x, 1.1 * ball_volume(0.03)).found);
    cr_assert(!near(&b, &along_x, 1.1 * ball_volume(0.03), 0.06).found);
}

Test(solve, near_comes_from_either_side)
{
    bench b;
    set_up(&b, world_two_balls(), SCN_TARGET_DISTANCE);
    for (int i = 1; i <= 60; i++) {
        const double from = 0.003 * i;
        for (int k = 0; k <= 10; k++) {
            const double d = 0.001 * k;
            const scn_root root = near(&b, &along_x, d, from);
            cr_assert(root.found, "from %g", from);
            cr_assert_leq(fabs(root.s - (0.08 + d)), 1.1e-10, "from %g: %.17g", from, root.s);
            cr_assert_gt(root.value, 0, "from %g", from);
        }
    }
    set_up(&b, world_two_balls(), SCN_TARGET_VOLUME);
    for (int i = 1; i <= 60; i++) {
        const double from = 0.0015 * i, wanted = 0.2 * ball_volume(0.03);
        const scn_root root = near(&b, &along_x, wanted, from);
        cr_assert(root.found, "from %g", from);
        cr_assert_leq(fabs(root.value - wanted), 1e-3 * wanted);
        cr_assert_float_eq(lens_volume(root.s, 0.05, 0.03), root.value, 1e-15);
    }
}

Test(solve, near_parts_inwards_under_an_overhang)
{
    /* In the shell's cavity, too near to the wall or in it, the position is further inwards. */
    bench b;
    const double r = 0.008;
    set_up(&b, world_shell(), SCN_TARGET_DISTANCE);
    for (int i = 1; i <= 9; i++) {
        const double d = 0.005, from = 0.04 - r - 0.1 * i * d;
        const scn_root root = near(&b, &along_x, d, from);
        cr_assert(root.found, "from %g", from);
        cr_assert_float_eq(root.s, 0.04 - r - d, 2e-10, "from %g: %.17g", from, root.s);
    }
    set_up(&b, world_shell(), SCN_TARGET_VOLUME);
    for (int i = 1; i <= 9; i++) {
        const double wanted = 0.1 * ball_volume(r), from = 0.04 - 0.05 * i * r;
        const scn_root root = near(&b, &along_x, wanted, from);
        cr_assert(root.found, "from %g", from);
        cr_assert(root.s > 0.04 - r && root.s < 0.04, "from %g: %.17g", from, root.s);
    }
}

Test(solve, near_crosses_a_hump)
{
    /* At the centre of the small ball, whose volume is not sufficient, the search continues to the
     * large ball. */
    bench b;
    set_up(&b, world_two_in_a_row(0.004, 0.01), SCN_TARGET_VOLUME);
    for (int i = -7; i <= 7; i++) {
        const double from = 0.1 + 0.002 * i, wanted = 0.2 * ball_volume(0.01);
        const scn_root root = near(&b, &along_x, wanted, from);
        cr_assert(root.found, "from %g", from);
        cr_assert_leq(fabs(root.value - wanted), 1e-3 * wanted);
        cr_assert_lt(root.s, 0.05, "from %g: %g", from, root.s);
    }
}

static void stay_on_line(const void *context, const scn_tracker *tracker, double share,
                         scn_spot *spot)
{
    (void)context;
    (void)share;
    *spot = tracker->spot;
}

static void nothing(void *context, const scn_tracker *tracker, double share)
{
    (void)context;
    (void)tracker;
    (void)share;
}

Test(solve, a_track_goes_on_over_a_hump)
{
    /* The target volume becomes larger than the small ball's maximum, where the slope is 0. */
    bench b;
    set_up(&b, world_two_in_a_row(0.0085, 0.01), SCN_TARGET_VOLUME);
    b.sampler.lo = 0.5;
    b.sampler.hi = 0.7;
    b.sampler.frames = 400;
    scn_tracker tracker;
    bool found;
    cr_assert_eq(scn_track_start(&b.run, &along_x, &tracker, &found, NULL), BASE_OK);
    cr_assert(found && tracker.spot.s > 0.1);
    const scn_mover mover = {NULL, stay_on_line, nothing, NULL};
    size_t off = 0;
    for (int i = 0; i < 400; i++) {
        const double before = tracker.spot.s;
        cr_assert_eq(scn_track_step(&tracker, &mover, NULL), BASE_OK);
        cr_assert_leq(fabs(tracker.spot.s - before), b.run.solver.step_m, "step %d", i);
        off += fabs(tracker.value - tracker.spot.wanted) > 1e-3 * tracker.spot.wanted;
    }
    /* The jump is about 50 mm long, in steps of 1.5 mm. */
    cr_assert(off > 20 && off < 60, "%zu frames off", off);
    cr_assert_lt(tracker.spot.s, 0.05);
    cr_assert_gt(tracker.phase, 0.8, "%g", tracker.phase);
    /* A wrong slope must not stop the profile. */
    const double phase = tracker.phase;
    tracker.slope_m2 = 1e-18;
    cr_assert_eq(scn_track_step(&tracker, &mover, NULL), BASE_OK);
    cr_assert_gt(tracker.phase, phase + 0.01 / 400, "%g", tracker.phase - phase);
}

Test(solve, slerp_is_a_turn_at_constant_speed)
{
    base_random random = base_random_seed(21);
    const scn_pair pair = {.ball_b.radius = 2};
    for (int i = 0; i < 300; i++) {
        const geo_quat a = geo_random_rotation(&random), b = geo_random_rotation(&random);
        const vec3 u = geo_random_direction(&random), v = geo_random_direction(&random);
        const double whole = geo_direction_angle(u, v);
        cr_assert_float_eq(whole, acos(vec3_dot(u, v)), 1e-7);
        for (int k = 0; k <= 4; k++) {
            const double share = 0.25 * k;
            const vec3 w = geo_slerp_direction(u, v, share);
            cr_assert_float_eq(vec3_norm(w), 1, 1e-15);
            cr_assert_float_eq(geo_direction_angle(u, w), share * whole, 1e-14, "seed 21, %d", i);
            cr_assert_float_eq(geo_direction_angle(w, v), (1 - share) * whole, 1e-14);
            /* Two rotations by half the angle. */
            const geo_quat p = geo_slerp(a, b, share), q = geo_slerp(a, b, 0.5 * share);
            const mat3 once = mat3_mul(geo_quat_matrix(q), mat3_transpose(geo_quat_matrix(a)));
            const mat3 twice = mat3_mul(once, geo_quat_matrix(q)), m = geo_quat_matrix(p);
            for (int row = 0; row < 3; row++) {
                cr_assert_leq(vec3_distance(twice.row[row], m.row[row]), 1e-14, "seed 21, %d", i);
            }
        }
        /* The bound holds for points of the ball and is not much too large. */
        const double bound = scn_turn_motion(&pair, a, b);
        double most = 0;
        for (int k = 0; k < 200; k++) {
            const vec3 p = vec3_scale(2, geo_random_direction(&random));
            most = fmax(most, vec3_distance(mat3_mul_vec3(geo_quat_matrix(a), p),
                                            mat3_mul_vec3(geo_quat_matrix(b), p)));
        }
        cr_assert(most <= bound && most > 0.6 * bound, "seed 21, %d: %g, bound %g", i, most, bound);
    }
}

Test(solve, slerp_of_the_same_and_of_opposites)
{
    const geo_quat a = {0, 0, 0, 1}, negative = {0, 0, 0, -1};
    cr_assert_eq(fabs(geo_slerp(a, a, 0.3).w), 1);
    cr_assert_eq(fabs(geo_slerp(a, negative, 0.3).w), 1);
    cr_assert_eq(scn_turn_motion(&(scn_pair){.ball_b.radius = 1}, a, negative), 0);
    const vec3 u = {0, 0.6, 0.8}, v = {0, -0.6, -0.8};
    cr_assert_leq(vec3_distance(geo_slerp_direction(u, u, 0.7), u), 1e-15);
    const vec3 half = geo_slerp_direction(u, v, 0.5);
    cr_assert_float_eq(vec3_norm(half), 1, 1e-15);
    cr_assert_float_eq(vec3_dot(half, u), 0, 1e-15);
    cr_assert_leq(vec3_distance(geo_slerp_direction(u, v, 1), v), 1e-15);
}
