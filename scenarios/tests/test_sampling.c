/** Searches along a line, with known answers, and samplers with a continuous path. */
#include "geometry/pose.h"
#include "scenarios/tests/support.h"
#include "scenarios/trajectories/sampler.h"
#include "scenarios/trajectories/sampling.h"
#include "scenarios/trajectories/trajectory.h"

/* --- Lines ------------------------------------------------------------------------------------ */

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
    assert_ok(scn_run_start(&b->sampler, &b->pair, &b->oracle, &b->trajectory, &b->run, ERR));
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

Test(solve, a_missing_root_is_not_found)
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
                         scn_waypoint *waypoint)
{
    (void)context;
    (void)share;
    *waypoint = tracker->waypoint;
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
    cr_assert(found && tracker.waypoint.s > 0.1);
    const scn_mover mover = {NULL, stay_on_line, nothing, NULL};
    size_t off = 0;
    for (int i = 0; i < 400; i++) {
        const double before = tracker.waypoint.s;
        cr_assert_eq(scn_track_step(&tracker, &mover, NULL), BASE_OK);
        cr_assert_leq(fabs(tracker.waypoint.s - before), b.run.solver.step_m, "step %d", i);
        off += fabs(tracker.value - tracker.waypoint.wanted) > 1e-3 * tracker.waypoint.wanted;
    }
    /* The jump is about 50 mm long, in steps of 1.5 mm. */
    cr_assert(off > 20 && off < 60, "%zu frames off", off);
    cr_assert_lt(tracker.waypoint.s, 0.05);
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

/* --- Glide ------------------------------------------------------------------------------------ */

/* --- Glide ------------------------------------------------------------------------------------ */

Test(glide, glide_follows_the_profile_within_the_step)
{
    world w = world_two_balls();
    const scn_sampler s = {.kind = SCN_GLIDE, .lo = 0.02, .hi = 0.1, .frames = 800, .seed = 4};
    scn_trajectory t = sample(&w, &s);
    assert_step(&w, &t, 0.01);
    assert_achieved(&w, &t, false);
    cr_assert_eq(off_target(&t, 0, 1e-9 * world_size(&w)), 0);
    const double scale = world_diagonal(&w);
    cr_assert_float_eq(t.frames[0].target, 0.02 * scale, 1e-12);
    cr_assert_float_eq(t.frames[799].target, 0.02 * scale, 1e-6);
    double most = 0, travelled = 0;
    for (size_t i = 0; i < t.frame_count; i++) {
        most = fmax(most, t.frames[i].target);
        travelled += i == 0 ? 0
                            : vec3_distance(frame_offset(&w, &t.frames[i]),
                                            frame_offset(&w, &t.frames[i - 1]));
    }
    cr_assert_float_eq(most, 0.1 * scale, 1e-5);
    /* B moves at a large part of the allowed speed; its rotation uses a part as well. */
    cr_assert_gt(travelled, 800 * 0.001 * 0.1, "%g m", travelled);
    cr_assert_leq(w.distances, 6 * t.frame_count, "%zu queries", w.distances);
    scn_trajectory_release(&t);
    no_leak();
}

Test(glide, glide_at_contact_touches_and_does_not_overlap)
{
    world w = world_two_balls();
    const scn_sampler s = {.kind = SCN_GLIDE, .frames = 300, .seed = 4, .step = 0.02};
    SCOPED_TRAJECTORY t = sample(&w, &s);
    assert_step(&w, &t, 0.02);
    for (size_t i = 1; i < t.frame_count; i++) {
        cr_assert(t.frames[i].achieved > 0 && t.frames[i].achieved <= 1e-10, "frame %zu: %g", i,
                  t.frames[i].achieved);
    }
}

Test(glide, glide_turns_off_where_it_would_jump)
{
    /* B slips into the waist of A, or through the hole, or out of it, but not in one step. */
    size_t off = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        world w = seed % 2 ? world_dumbbells() : world_torus();
        const scn_sampler s = {
            .kind = SCN_GLIDE, .lo = 0.01, .hi = 0.03, .frames = 400, .seed = seed, .step = 0.03};
        SCOPED_TRAJECTORY t = sample(&w, &s);
        assert_step(&w, &t, 0.03);
        assert_achieved(&w, &t, false);
        const size_t missed = off_target(&t, 0, 1e-9 * world_size(&w));
        cr_assert_leq(missed, t.frame_count / 4, "seed %llu: %zu frames off",
                      (unsigned long long)seed, missed);
        off += missed;
    }
    cr_assert_leq(off, 20 * 400 / 50, "%zu frames off", off);
    no_leak();
}

Test(glide, glide_follows_volumes_in_few_queries)
{
    world worlds[] = {world_two_balls(), world_dumbbells(), world_shell()};
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        world *const w = &worlds[i];
        const scn_sampler s = {.kind = SCN_GLIDE,
                               .target = SCN_TARGET_VOLUME,
                               .lo = 0.01,
                               .hi = 0.1,
                               .frames = 400,
                               .seed = 2};
        SCOPED_TRAJECTORY t = sample(w, &s);
        assert_step(w, &t, 0.01);
        assert_achieved(w, &t, true);
        const size_t off = off_target(&t, 1e-3, 1e-6 * world_least_volume(w));
        cr_assert_eq(off, 0, "world %zu: %zu frames off", i, off);
        cr_assert_leq(w->volumes, 5 * t.frame_count, "world %zu: %zu queries", i, w->volumes);
    }
    no_leak();
}

Test(glide, glide_of_volume_from_touching)
{
    world w = world_two_balls();
    const scn_sampler s = {
        .kind = SCN_GLIDE, .target = SCN_TARGET_VOLUME, .hi = 0.05, .frames = 500, .seed = 2};
    SCOPED_TRAJECTORY t = sample(&w, &s);
    assert_step(&w, &t, 0.01);
    cr_assert_eq(off_target(&t, 1e-3, 1e-6 * world_least_volume(&w)), 0);
    cr_assert_leq(w.volumes + w.distances, 12 * t.frame_count, "%zu, %zu", w.volumes, w.distances);
}

/* --- Press and tumble ------------------------------------------------------------------------- */

Test(glide, press_goes_in_to_the_volume_and_out_again)
{
    world w = world_dumbbells();
    const scn_sampler s = {
        .kind = SCN_PRESS, .target = SCN_TARGET_VOLUME, .hi = 0.1, .frames = 301, .seed = 8};
    scn_trajectory t = sample(&w, &s);
    assert_step(&w, &t, 0.01);
    const double wanted = 0.1 * world_least_volume(&w);
    const vec3 u = vec3_normalize(frame_offset(&w, &t.frames[0]));
    size_t apart = 0, inside = 0;
    for (size_t i = 0; i < t.frame_count; i++) {
        const scn_frame *const f = &t.frames[i], *const mirror = &t.frames[300 - i];
        const geo_pose pose = frame_pose(f);
        const double v = world_volume(&w, &pose);
        cr_assert_lt(vec3_distance(u, vec3_normalize(frame_offset(&w, f))), 1e-12);
        cr_assert(vec3_equal(f->position, mirror->position), "frame %zu", i);
        cr_assert_leq(v, wanted + 1e-6 * world_least_volume(&w));
        apart += v <= 0;
        inside += v > 0;
        cr_assert_eq(isnan(f->target), i != 150, "frame %zu", i);
    }
    cr_assert(apart > 80 && inside > 80, "%zu apart, %zu inside", apart, inside);
    cr_assert_float_eq(t.frames[150].target, wanted, 1e-18);
    cr_assert_leq(fabs(t.frames[150].achieved - wanted), 1e-6 * world_least_volume(&w));
    scn_trajectory_release(&t);
    no_leak();
}

Test(glide, press_to_a_distance)
{
    world w = world_torus();
    const scn_sampler s = {.kind = SCN_PRESS, .lo = 0.01, .hi = 0.1, .frames = 200, .seed = 8};
    SCOPED_TRAJECTORY t = sample(&w, &s);
    assert_step(&w, &t, 0.01);
    assert_achieved(&w, &t, false);
    const double scale = world_diagonal(&w), slack = 1e-9 * world_size(&w);
    cr_assert_float_eq(t.frames[0].achieved, 0.1 * scale, slack);
    cr_assert_float_eq(t.frames[99].achieved, 0.01 * scale, slack);
    cr_assert_float_eq(t.frames[199].achieved, 0.1 * scale, slack);
}

Test(glide, press_says_how_many_frames_it_needs)
{
    world w = world_two_balls();
    const scn_pair pair = world_pair(&w);
    const scn_oracle oracle = world_oracle(&w);
    scn_sampler s = {.kind = SCN_PRESS, .lo = 0.01, .hi = 0.1, .frames = 10, .seed = 8};
    SCOPED_TRAJECTORY t;
    base_error err = {0};
    cr_assert_eq(scn_sample(&s, &pair, &oracle, &t, &err), BASE_ERR_ARGUMENT);
    cr_assert_str_eq(err.text,
                     "this press needs 51 frames for a step of 0.001 m, not 10: take that many, "
                     "or a larger step");
    s.frames = 50;
    cr_assert_eq(scn_sample(&s, &pair, &oracle, &t, &err), BASE_ERR_ARGUMENT);
    s.frames = 51;
    t = sample(&w, &s);
    assert_step(&w, &t, 0.01);
}

Test(glide, press_without_a_number_of_frames_takes_as_many_as_it_needs)
{
    world w = world_two_balls();
    const scn_pair pair = world_pair(&w);
    const scn_oracle oracle = world_oracle(&w);
    scn_sampler s = {.kind = SCN_PRESS, .lo = 0.01, .hi = 0.1, .frames = 0, .seed = 8};
    scn_trajectory t;
    base_error err = {0};
    cr_assert_eq(scn_sample(&s, &pair, &oracle, &t, &err), BASE_OK);
    cr_assert_eq(t.frame_count, SCN_PRESS_FRAMES); /* 51 are needed */
    cr_assert(strstr(t.source, " frames=100 "));
    scn_trajectory_release(&t);
    s.step = 0.0025;
    cr_assert_eq(scn_sample(&s, &pair, &oracle, &t, &err), BASE_OK);
    cr_assert_geq(t.frame_count, 190);
    assert_step(&w, &t, 0.0025);
    scn_trajectory_release(&t);
    s.kind = SCN_GLIDE;
    cr_assert_eq(scn_sample(&s, &pair, &oracle, &t, &err), BASE_ERR_ARGUMENT);
    cr_assert_str_eq(err.text, "a sampler needs at least one frame");
}

Test(glide, tumble_turns_fully_and_comes_into_contact)
{
    world w = world_dumbbells();
    const scn_sampler s = {.kind = SCN_TUMBLE, .frames = 400, .seed = 6};
    scn_trajectory t = sample(&w, &s);
    assert_achieved(&w, &t, false);
    const double apart = vec3_norm(frame_offset(&w, &t.frames[0]));
    size_t touching = 0;
    double x_least = 1, z_least = 1;
    for (size_t i = 0; i < t.frame_count; i++) {
        const scn_frame *const f = &t.frames[i];
        const mat3 m = geo_quat_matrix(f->orientation);
        cr_assert_float_eq(vec3_norm(frame_offset(&w, f)), apart, 1e-12);
        touching += f->achieved <= 0;
        x_least = fmin(x_least, m.row[0].x);
        z_least = fmin(z_least, m.row[2].z);
        cr_assert(isnan(f->target));
    }
    cr_assert(touching > 20 && touching < 380, "%zu frames in contact", touching);
    /* A full turn moves both axes to their opposites, and the loop is closed. */
    cr_assert_lt(x_least, -0.999);
    cr_assert_lt(z_least, -0.999);
    cr_assert_float_eq(t.frames[0].orientation.w, 1, 0);
    cr_assert_gt(fabs(t.frames[399].orientation.w), 0.999);
    scn_trajectory_release(&t);
    no_leak();
}

Test(glide, tumble_about_a_volume)
{
    world w = world_dumbbells();
    const scn_sampler s = {
        .kind = SCN_TUMBLE, .target = SCN_TARGET_VOLUME, .lo = 0.05, .frames = 300, .seed = 6};
    SCOPED_TRAJECTORY t = sample(&w, &s);
    size_t more = 0;
    for (size_t i = 0; i < t.frame_count; i++) {
        const geo_pose pose = frame_pose(&t.frames[i]);
        more += world_volume(&w, &pose) > 0.05 * world_least_volume(&w);
    }
    cr_assert(more > 20 && more < 280, "%zu frames with more", more);
}

/* --- Follow ----------------------------------------------------------------------------------- */

/** A recording with constant velocities, at 100 Hz, that starts at a given time and position. */
typedef struct drift {
    double start_s, seconds;
    vec3 velocity; /* m/s */
    double turn;   /* rad/s about (1, 2, 2) / 3 */
} drift;

static geo_quat drift_orientation(const drift *d, double t)
{
    const double half = 0.5 * d->turn * (t - d->start_s), s = base_sin(half) / 3;
    return (geo_quat){s, 2 * s, 2 * s, base_cos(half)};
}

static scn_trajectory record(const drift *d)
{
    scn_trajectory r = {.source = "drift"};
    const int n = (int)(d->seconds * 100 + 0.5);
    for (int i = 0; i <= n; i++) {
        const double t = d->start_s + 0.01 * i;
        const scn_frame frame = {
            .t_s = t,
            .position = vec3_madd(vec3_make(5, 6, 7), 0.01 * i, d->velocity),
            .orientation = drift_orientation(d, t),
        };
        cr_assert_eq(scn_trajectory_append(&r, &frame, NULL), BASE_OK);
    }
    return r;
}

static scn_trajectory follow(world *w, const scn_trajectory *recording, const scn_sampler *s)
{
    const scn_pair pair = world_pair(w);
    const scn_oracle oracle = world_oracle(w);
    scn_trajectory t;
    w->distances = w->volumes = 0;
    assert_ok(scn_follow(recording, s, &pair, &oracle, &t, ERR));
    cr_assert(t.frame_count >= 1 && t.frame_count <= s->frames);
    return t;
}

static double angle_between(geo_quat a, geo_quat b)
{
    const double dot = fabs(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
    return 2 * acos(fmin(1, dot));
}

Test(follow, keeps_rotation_and_the_motion_across_the_radius)
{
    world w = world_two_balls();
    const drift d = {100.25, 1, {0.1, -0.2, 0.05}, 1.5};
    scn_trajectory r = record(&d);
    const scn_sampler s = {.lo = 0.03, .hi = 0.03, .frames = 5000, .seed = 3};
    scn_trajectory t = follow(&w, &r, &s);
    /* The recording is slow enough: one frame per millisecond. */
    cr_assert_eq(t.frame_count, 1001);
    assert_step(&w, &t, 0.01);
    cr_assert_eq(off_target(&t, 0, 1e-9 * world_size(&w)), 0);
    cr_assert_leq(w.distances, 6 * t.frame_count, "%zu queries", w.distances);
    const vec3 step = vec3_scale(0.001, d.velocity);
    double tangential = 0;
    for (size_t i = 0; i < t.frame_count; i++) {
        const scn_frame *const f = &t.frames[i];
        cr_assert_float_eq(f->t_s, 0.001 * (double)i, 1e-12);
        const geo_quat q = drift_orientation(&d, d.start_s + f->t_s);
        cr_assert_leq(angle_between(f->orientation, q), 1e-7, "frame %zu", i);
        if (i == 0) {
            continue;
        }
        const vec3 c = frame_offset(&w, &t.frames[i - 1]), e = frame_offset(&w, f);
        const vec3 u = vec3_normalize(vec3_add(c, e)), moved = vec3_sub(e, c);
        const vec3 across = vec3_madd(moved, -vec3_dot(moved, u), u);
        const vec3 expected = vec3_madd(step, -vec3_dot(step, u), u);
        cr_assert_leq(vec3_distance(across, expected), 0.01 * vec3_norm(step),
                      "frame %zu: %g %g %g, not %g %g %g", i, across.x, across.y, across.z,
                      expected.x, expected.y, expected.z);
        tangential += vec3_norm(across);
    }
    cr_assert_gt(tangential, 0.03, "%g m", tangential);
    cr_assert_str_eq(t.source,
                     "drift; follow target=distance lo=0.03 hi=0.03 frames=5000 seed=3 step=0.01");
    scn_trajectory_release(&r);
    scn_trajectory_release(&t);
    no_leak();
}

Test(follow, slows_down_what_is_too_fast_and_drops_nothing)
{
    /* 3 m/s and 20 rad/s give about 4 mm per millisecond. 1 mm is allowed, of which half is
     * used. */
    world w = world_two_balls();
    const drift d = {0, 0.1, {1, -2, 2}, 20};
    scn_trajectory r = record(&d);
    const scn_sampler s = {.lo = 0.03, .hi = 0.03, .frames = 50000, .seed = 3};
    scn_trajectory t = follow(&w, &r, &s);
    assert_step(&w, &t, 0.01);
    cr_assert(t.frame_count > 350 && t.frame_count < 2000, "%zu frames", t.frame_count);
    /* Every millisecond of the recording occurs, in order, and so do its ends. */
    size_t at = 0;
    for (int tick = 0; tick <= 100; tick++) {
        const geo_quat q = drift_orientation(&d, 0.001 * tick);
        while (at < t.frame_count && angle_between(t.frames[at].orientation, q) > 1e-6) {
            at++;
        }
        cr_assert_lt(at, t.frame_count, "millisecond %d is not there", tick);
    }
    cr_assert_eq(at, t.frame_count - 1);
    scn_trajectory_release(&r);
    scn_trajectory_release(&t);
    no_leak();
}

Test(follow, follows_the_profile_of_distance_and_volume)
{
    world w = world_two_balls();
    const drift d = {0, 0.8, {0.1, 0.1, 0}, 0.5};
    SCOPED_TRAJECTORY r = record(&d);
    scn_sampler s = {.lo = 0.01, .hi = 0.06, .frames = 600, .seed = 12};
    for (int target = SCN_TARGET_DISTANCE; target <= SCN_TARGET_VOLUME; target++) {
        s.target = (scn_target)target;
        SCOPED_TRAJECTORY t = follow(&w, &r, &s);
        const bool volume = target == SCN_TARGET_VOLUME;
        const double unit = volume ? world_least_volume(&w) : world_diagonal(&w);
        assert_step(&w, &t, 0.01);
        cr_assert_eq(t.frame_count, 600);
        cr_assert_float_eq(t.frames[0].target, 0.01 * unit, 1e-12);
        double most = 0;
        for (size_t i = 0; i < t.frame_count; i++) {
            most = fmax(most, t.frames[i].target);
            const geo_pose pose = frame_pose(&t.frames[i]);
            const double value = volume ? world_volume(&w, &pose) : world_distance(&w, &pose);
            cr_assert_eq(t.frames[i].achieved, value, "frame %zu", i);
        }
        cr_assert_float_eq(most, 0.06 * unit, 1e-4 * unit);
        cr_assert_eq(off_target(&t, volume ? 1e-3 : 0, 1e-9 * unit), 0);
    }
}

Test(follow, jumps_are_made_in_frames_of_their_own)
{
    size_t off = 0, on = 0, overlaps = 0;
    for (uint64_t seed = 1; seed <= 16; seed++) {
        world w = seed % 2 ? world_dumbbells() : world_torus();
        const drift d = {0, 1, {0.3, -0.2, 0.25}, 4};
        SCOPED_TRAJECTORY r = record(&d);
        const scn_sampler s = {.lo = 0.02, .hi = 0.02, .frames = 800, .seed = seed};
        SCOPED_TRAJECTORY t = follow(&w, &r, &s);
        const double motion = largest_motion(&w, &t);
        cr_assert_leq(motion, 0.01 * world_size(&w) * (1 + 1e-9), "seed %llu: %g",
                      (unsigned long long)seed, motion);
        for (size_t i = 0; i < t.frame_count; i++) {
            const scn_frame *const f = &t.frames[i];
            const geo_pose pose = frame_pose(f);
            cr_assert_eq(f->achieved, world_distance(&w, &pose), "seed %llu, frame %zu",
                         (unsigned long long)seed, i);
            overlaps += f->achieved <= 0;
        }
        const size_t missed = off_target(&t, 0, 1e-9 * world_size(&w));
        off += missed;
        on += t.frame_count - missed;
    }
    cr_assert(off > 50 && on > off, "%zu off, %zu on target", off, on);
    /* In a slot that is too narrow for the distance, B may be pushed into the wall. */
    cr_assert_lt(overlaps, (on + off) / 50, "%zu overlaps", overlaps);
    no_leak();
}

Test(follow, a_still_recording_stays_and_ends)
{
    world w = world_dumbbells();
    const drift d = {7, 0.05, {0, 0, 0}, 0};
    SCOPED_TRAJECTORY r = record(&d);
    scn_sampler s = {.lo = 0.01, .hi = 0.01, .frames = 1000, .seed = 1};
    SCOPED_TRAJECTORY t = follow(&w, &r, &s);
    cr_assert_eq(t.frame_count, 51);
    cr_assert_leq(largest_motion(&w, &t), 1e-9);
    scn_trajectory_release(&t);
    s.hold = 2;
    t = follow(&w, &r, &s);
    cr_assert_eq(t.frame_count, 102);
    scn_trajectory_release(&t);
    s.hold = 1;
    r.frame_count = 1;
    t = follow(&w, &r, &s);
    cr_assert_eq(t.frame_count, 1);
}

Test(follow, the_end_need_not_be_a_whole_millisecond)
{
    world w = world_two_balls();
    const drift d = {0, 0.02, {0.1, 0, 0}, 1};
    SCOPED_TRAJECTORY r = record(&d);
    r.frames[2].t_s = 0.0153;
    r.frame_count = 3;
    const scn_sampler s = {.lo = 0.01, .hi = 0.01, .frames = 1000, .seed = 1};
    SCOPED_TRAJECTORY t = follow(&w, &r, &s);
    cr_assert_eq(t.frame_count, 17, "%zu", t.frame_count);
    cr_assert_leq(angle_between(t.frames[16].orientation, r.frames[2].orientation), 1e-7);
}

Test(follow, the_same_bits_again)
{
    world w = world_dumbbells();
    const drift d = {0, 0.2, {0.2, 0.1, -0.4}, 3};
    scn_trajectory r = record(&d);
    scn_sampler s = {.lo = 0.01, .hi = 0.05, .frames = 300, .seed = 5};
    scn_trajectory first = follow(&w, &r, &s), again = follow(&w, &r, &s);
    s.seed = 6;
    scn_trajectory other = follow(&w, &r, &s);
    const base_hash_text a = trajectory_hash(&first), b = trajectory_hash(&again),
                         c = trajectory_hash(&other);
    cr_assert_str_eq(a.hex, b.hex);
    cr_assert_str_neq(a.hex, c.hex);
    scn_trajectory_release(&first);
    scn_trajectory_release(&again);
    scn_trajectory_release(&other);
    scn_trajectory_release(&r);
    no_leak();
}

Test(follow, impossible_options_are_refused)
{
    world w = world_torus();
    const scn_pair pair = world_pair(&w);
    const scn_oracle oracle = world_oracle(&w);
    const drift d = {0, 0.02, {0.1, 0, 0}, 1};
    scn_trajectory r = record(&d), t;
    scn_sampler s = {.lo = 0.01, .hi = 0.05, .frames = 300};
    base_error err = {0};
    const scn_trajectory none = {0};
    cr_assert_eq(scn_follow(&none, &s, &pair, &oracle, &t, &err), BASE_ERR_ARGUMENT);
    cr_assert_str_eq(err.text, "a recording needs at least one frame");
    s.target = SCN_TARGET_VOLUME;
    cr_assert_eq(scn_follow(&r, &s, &pair, &oracle, &t, &err), BASE_ERR_ARGUMENT);
    cr_assert_str_eq(err.text, "a sampler of volumes needs two solids; see `proxbench mesh check`");
    s.target = SCN_TARGET_DISTANCE;
    r.frames[2].t_s = r.frames[1].t_s;
    cr_assert_eq(scn_follow(&r, &s, &pair, &oracle, &t, &err), BASE_ERR_ARGUMENT);
    cr_assert_str_eq(err.text, "the recording's time does not increase at frame 2");
    cr_assert_null(t.frames);
    r.frames[2].t_s = 0.02;
    w.fail_at = 20;
    cr_assert_eq(scn_follow(&r, &s, &pair, &oracle, &t, &err), BASE_ERR_SYSTEM);
    cr_assert_null(t.frames);
    scn_trajectory_release(&r);
    no_leak();
}

Test(follow, real_recordings)
{
    static const struct {
        const char *path;
        scn_format format;
    } files[] = {
        {"../shared/trajectories/tum-freiburg1-xyz.txt", SCN_TUM},
        {"../shared/trajectories/kitti-00.txt", SCN_KITTI},
        {"../shared/trajectories/euroc-v102.csv", SCN_EUROC},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (access(files[i].path, R_OK) != 0) {
            cr_skip_test("skipped: ../shared is not there");
        }
        SCOPED_TRAJECTORY r;
        assert_ok(scn_trajectory_import(files[i].path, files[i].format, &r, ERR));
        world w = world_dumbbells();
        const scn_sampler s = {.lo = 0.01, .hi = 0.1, .frames = 1500, .seed = 1};
        SCOPED_TRAJECTORY t = follow(&w, &r, &s);
        cr_assert_eq(t.frame_count, 1500, "%s: %zu", files[i].path, t.frame_count);
        assert_step(&w, &t, 0.01);
        const size_t off = off_target(&t, 0, 1e-9 * world_size(&w));
        cr_assert_leq(off, 500, "%s: %zu frames off", files[i].path, off);
        cr_assert_leq(w.distances, 40 * t.frame_count, "%s: %zu queries", files[i].path,
                      w.distances);
    }
}
