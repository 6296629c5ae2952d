#include "scenarios/tests/support.h"
#include "scenarios/trajectories/sampler.h"
#include "scenarios/trajectories/trajectory.h"

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
    base_error err = {0};
    w->distances = w->volumes = 0;
    cr_assert_eq(scn_follow(recording, s, &pair, &oracle, &t, &err), BASE_OK, "%s", err.text);
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
    scn_trajectory r = record(&d);
    scn_sampler s = {.lo = 0.01, .hi = 0.06, .frames = 600, .seed = 12};
    for (int target = SCN_TARGET_DISTANCE; target <= SCN_TARGET_VOLUME; target++) {
        s.target = (scn_target)target;
        scn_trajectory t = follow(&w, &r, &s);
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
        scn_trajectory_release(&t);
    }
    scn_trajectory_release(&r);
}

Test(follow, jumps_are_made_in_frames_of_their_own)
{
    size_t off = 0, on = 0, overlaps = 0;
    for (uint64_t seed = 1; seed <= 16; seed++) {
        world w = seed % 2 ? world_dumbbells() : world_torus();
        const drift d = {0, 1, {0.3, -0.2, 0.25}, 4};
        scn_trajectory r = record(&d);
        const scn_sampler s = {.lo = 0.02, .hi = 0.02, .frames = 800, .seed = seed};
        scn_trajectory t = follow(&w, &r, &s);
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
        scn_trajectory_release(&r);
        scn_trajectory_release(&t);
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
    scn_trajectory r = record(&d);
    scn_sampler s = {.lo = 0.01, .hi = 0.01, .frames = 1000, .seed = 1};
    scn_trajectory t = follow(&w, &r, &s);
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
    scn_trajectory_release(&t);
    scn_trajectory_release(&r);
}

Test(follow, the_end_need_not_be_a_whole_millisecond)
{
    world w = world_two_balls();
    const drift d = {0, 0.02, {0.1, 0, 0}, 1};
    scn_trajectory r = record(&d);
    r.frames[2].t_s = 0.0153;
    r.frame_count = 3;
    const scn_sampler s = {.lo = 0.01, .hi = 0.01, .frames = 1000, .seed = 1};
    scn_trajectory t = follow(&w, &r, &s);
    cr_assert_eq(t.frame_count, 17, "%zu", t.frame_count);
    cr_assert_leq(angle_between(t.frames[16].orientation, r.frames[2].orientation), 1e-7);
    scn_trajectory_release(&t);
    scn_trajectory_release(&r);
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

Test(follow, what_cannot_be_is_refused)
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
        scn_trajectory r;
        base_error err = {0};
        cr_assert_eq(scn_trajectory_import(files[i].path, files[i].format, &r, &err), BASE_OK);
        world w = world_dumbbells();
        const scn_sampler s = {.lo = 0.01, .hi = 0.1, .frames = 1500, .seed = 1};
        scn_trajectory t = follow(&w, &r, &s);
        cr_assert_eq(t.frame_count, 1500, "%s: %zu", files[i].path, t.frame_count);
        assert_step(&w, &t, 0.01);
        const size_t off = off_target(&t, 0, 1e-9 * world_size(&w));
        cr_assert_leq(off, 500, "%s: %zu frames off", files[i].path, off);
        cr_assert_leq(w.distances, 40 * t.frame_count, "%s: %zu queries", files[i].path,
                      w.distances);
        scn_trajectory_release(&r);
        scn_trajectory_release(&t);
    }
}
