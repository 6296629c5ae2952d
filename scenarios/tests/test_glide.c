/** Samplers with a continuous path: glide, press, tumble. */
#include "scenarios/tests/support.h"

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
    scn_trajectory t = sample(&w, &s);
    assert_step(&w, &t, 0.02);
    for (size_t i = 1; i < t.frame_count; i++) {
        cr_assert(t.frames[i].achieved > 0 && t.frames[i].achieved <= 1e-10, "frame %zu: %g", i,
                  t.frames[i].achieved);
    }
    scn_trajectory_release(&t);
}

Test(glide, glide_turns_off_where_it_would_jump)
{
    /* B slips into the waist of A, or through the hole, or out of it, but not in one step. */
    size_t off = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        world w = seed % 2 ? world_dumbbells() : world_torus();
        const scn_sampler s = {
            .kind = SCN_GLIDE, .lo = 0.01, .hi = 0.03, .frames = 400, .seed = seed, .step = 0.03};
        scn_trajectory t = sample(&w, &s);
        assert_step(&w, &t, 0.03);
        assert_achieved(&w, &t, false);
        const size_t missed = off_target(&t, 0, 1e-9 * world_size(&w));
        cr_assert_leq(missed, t.frame_count / 4, "seed %llu: %zu frames off",
                      (unsigned long long)seed, missed);
        off += missed;
        scn_trajectory_release(&t);
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
        scn_trajectory t = sample(w, &s);
        assert_step(w, &t, 0.01);
        assert_achieved(w, &t, true);
        const size_t off = off_target(&t, 1e-3, 1e-6 * world_least_volume(w));
        cr_assert_eq(off, 0, "world %zu: %zu frames off", i, off);
        cr_assert_leq(w->volumes, 5 * t.frame_count, "world %zu: %zu queries", i, w->volumes);
        scn_trajectory_release(&t);
    }
    no_leak();
}

Test(glide, glide_of_volume_from_touching)
{
    world w = world_two_balls();
    const scn_sampler s = {
        .kind = SCN_GLIDE, .target = SCN_TARGET_VOLUME, .hi = 0.05, .frames = 500, .seed = 2};
    scn_trajectory t = sample(&w, &s);
    assert_step(&w, &t, 0.01);
    cr_assert_eq(off_target(&t, 1e-3, 1e-6 * world_least_volume(&w)), 0);
    cr_assert_leq(w.volumes + w.distances, 12 * t.frame_count, "%zu, %zu", w.volumes, w.distances);
    scn_trajectory_release(&t);
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
    scn_trajectory t = sample(&w, &s);
    assert_step(&w, &t, 0.01);
    assert_achieved(&w, &t, false);
    const double scale = world_diagonal(&w), slack = 1e-9 * world_size(&w);
    cr_assert_float_eq(t.frames[0].achieved, 0.1 * scale, slack);
    cr_assert_float_eq(t.frames[99].achieved, 0.01 * scale, slack);
    cr_assert_float_eq(t.frames[199].achieved, 0.1 * scale, slack);
    scn_trajectory_release(&t);
}

Test(glide, press_says_how_many_frames_it_needs)
{
    world w = world_two_balls();
    const scn_pair pair = world_pair(&w);
    const scn_oracle oracle = world_oracle(&w);
    scn_sampler s = {.kind = SCN_PRESS, .lo = 0.01, .hi = 0.1, .frames = 10, .seed = 8};
    scn_trajectory t;
    base_error err = {0};
    cr_assert_eq(scn_sample(&s, &pair, &oracle, &t, &err), BASE_ERR_ARGUMENT);
    cr_assert_str_eq(err.text, "this press needs 51 frames for a step of 0.001 m, not 10");
    s.frames = 50;
    cr_assert_eq(scn_sample(&s, &pair, &oracle, &t, &err), BASE_ERR_ARGUMENT);
    s.frames = 51;
    t = sample(&w, &s);
    assert_step(&w, &t, 0.01);
    scn_trajectory_release(&t);
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
    scn_trajectory t = sample(&w, &s);
    size_t more = 0;
    for (size_t i = 0; i < t.frame_count; i++) {
        const geo_pose pose = frame_pose(&t.frames[i]);
        more += world_volume(&w, &pose) > 0.05 * world_least_volume(&w);
    }
    cr_assert(more > 20 && more < 280, "%zu frames with more", more);
    scn_trajectory_release(&t);
}
