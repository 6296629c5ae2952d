#include "scenarios/tests/support.h"
#include "scenarios/trajectories/trajectory.h"

enum { FRAMES = 40 };

static geo_quat about_z(double angle)
{
    return (geo_quat){0, 0, base_sin(0.5 * angle), base_cos(0.5 * angle)};
}

static void append(scn_trajectory *t, double t_s, vec3 position, geo_quat orientation)
{
    base_error err = {0};
    const scn_frame frame = {.t_s = t_s, .position = position, .orientation = orientation};
    cr_assert_eq(scn_trajectory_append(t, &frame, &err), BASE_OK, "%s", err.text);
}

static scn_trajectory relative(const scn_trajectory *a, const scn_trajectory *b,
                               const scn_mounting *mount_a, const scn_mounting *mount_b)
{
    scn_trajectory t;
    base_error err = {0};
    const scn_mounting none = scn_mounting_none();
    cr_assert_eq(scn_trajectory_relative(a, b, mount_a ? mount_a : &none, mount_b ? mount_b : &none,
                                         &t, &err),
                 BASE_OK, "%s", err.text);
    return t;
}

static void assert_pose(const scn_frame *f, vec3 p, geo_quat q)
{
    cr_assert_leq(vec3_distance(f->position, p), 1e-12, "%g %g %g, not %g %g %g", f->position.x,
                  f->position.y, f->position.z, p.x, p.y, p.z);
    cr_assert_leq(geo_quat_chord(f->orientation, q), 1e-12);
}

/** A quarter turn computed by hand: B is two metres in front of A, whose x axis is the world's
 * y. */
Test(relative, by_hand)
{
    scn_trajectory a = {0}, b = {0};
    append(&a, 5, vec3_make(10, 20, 30), about_z(BASE_PI / 2));
    append(&b, 5, vec3_make(10, 22, 31), about_z(BASE_PI));
    scn_trajectory t = relative(&a, &b, NULL, NULL);
    cr_assert_eq(t.frame_count, 1);
    cr_assert_eq(t.frames[0].t_s, 5);
    cr_assert(isnan(t.frames[0].target) && isnan(t.frames[0].achieved));
    assert_pose(&t.frames[0], vec3_make(2, 0, 1), about_z(BASE_PI / 2));
    scn_trajectory_release(&t);
    /* A's body is one metre along its tracker's x. B's body is turned back by a quarter turn. */
    const scn_mounting on_a = {{1, 0, 0}, geo_quat_identity()};
    const scn_mounting on_b = {{0, 0, 0.5}, about_z(-BASE_PI / 2)};
    t = relative(&a, &b, &on_a, &on_b);
    assert_pose(&t.frames[0], vec3_make(1, 0, 1.5), geo_quat_identity());
    scn_trajectory_release(&t);
    /* The axes of the mounting matter: A's body looks back along its tracker's x. */
    const scn_mounting turned = {{1, 0, 0}, about_z(BASE_PI)};
    t = relative(&a, &b, &turned, NULL);
    assert_pose(&t.frames[0], vec3_make(-1, 0, 1), about_z(-BASE_PI / 2));
    scn_trajectory_release(&t);
    scn_trajectory_release(&a);
    scn_trajectory_release(&b);
    no_leak();
}

/**
 * Both trackers of a known relative motion are moved in the world. The relative motion is
 * recovered, except for rounding, for any motion of the world and any mountings.
 */
Test(relative, the_world_and_the_mountings_cancel)
{
    base_random random = base_random_seed(3);
    scn_trajectory a = {0}, b = {0}, truth = {0};
    const scn_mounting on_a = {{0.3, -0.1, 0.2}, geo_random_rotation(&random)};
    const scn_mounting on_b = {{-0.05, 0.4, 0.1}, geo_random_rotation(&random)};
    for (int i = 0; i < FRAMES; i++) {
        const geo_quat q = geo_random_rotation(&random), w = geo_random_rotation(&random);
        const vec3 x = geo_random_direction(&random), place = geo_random_direction(&random);
        append(&truth, i, x, q);
        /* W_a = V inverse(M_a), W_b = V X inverse(M_b) for the pose V of A's body in the world. */
        const geo_pose v = geo_pose_make(w, vec3_scale(3, place));
        const geo_pose ma = geo_pose_make(on_a.orientation, on_a.position);
        const geo_pose mb = geo_pose_make(on_b.orientation, on_b.position);
        const geo_pose back_a = geo_pose_inverse(&ma), back_b = geo_pose_inverse(&mb);
        const geo_pose xs = geo_pose_make(q, x), vx = geo_pose_compose(&v, &xs);
        const geo_quat ca = {-on_a.orientation.x, -on_a.orientation.y, -on_a.orientation.z,
                             on_a.orientation.w};
        const geo_quat cb = {-on_b.orientation.x, -on_b.orientation.y, -on_b.orientation.z,
                             on_b.orientation.w};
        append(&a, i, geo_pose_apply(&v, back_a.translation), geo_quat_mul(w, ca));
        append(&b, i, geo_pose_apply(&vx, back_b.translation),
               geo_quat_mul(geo_quat_mul(w, q), cb));
    }
    scn_trajectory t = relative(&a, &b, &on_a, &on_b);
    cr_assert_eq(t.frame_count, FRAMES);
    for (int i = 0; i < FRAMES; i++) {
        assert_pose(&t.frames[i], truth.frames[i].position, truth.frames[i].orientation);
    }
    scn_trajectory_release(&t);
    scn_trajectory_release(&a);
    scn_trajectory_release(&b);
    scn_trajectory_release(&truth);
}

/** B is interpolated at A's times. A's frames outside of B's times are left out. */
Test(relative, b_is_interpolated_to_the_times_of_a)
{
    scn_trajectory a = {0}, b = {0};
    for (int i = 0; i < 8; i++) {
        append(&a, 0.25 * i, vec3_make(0, 0, 0), geo_quat_identity());
    }
    append(&b, 0.5, vec3_make(1, 0, 0), geo_quat_identity());
    append(&b, 1, vec3_make(2, 0, 4), about_z(1));
    append(&b, 1.5, vec3_make(2, 2, 4), about_z(1));
    scn_trajectory t = relative(&a, &b, NULL, NULL);
    cr_assert_eq(t.frame_count, 5);
    cr_assert_eq(t.frames[0].t_s, 0.5);
    cr_assert_eq(t.frames[4].t_s, 1.5);
    assert_pose(&t.frames[0], vec3_make(1, 0, 0), geo_quat_identity());
    assert_pose(&t.frames[1], vec3_make(1.5, 0, 2), about_z(0.5));
    assert_pose(&t.frames[2], vec3_make(2, 0, 4), about_z(1));
    assert_pose(&t.frames[3], vec3_make(2, 1, 4), about_z(1));
    assert_pose(&t.frames[4], vec3_make(2, 2, 4), about_z(1));
    scn_trajectory_release(&t);
    scn_trajectory_release(&a);
    scn_trajectory_release(&b);
}

/** Recordings in whole nanoseconds begin at time 0 each. Their clocks give the offset between
 * them. */
Test(relative, clocks_of_two_recordings)
{
    const scratch sa = scratch_write("1400000000000000000,0,0,0,1,0,0,0\n"
                                     "1400000001000000000,0,0,0,1,0,0,0\n"
                                     "1400000002000000000,0,0,0,1,0,0,0\n");
    const scratch sb = scratch_write("1400000000500000000,1,0,0,1,0,0,0\n"
                                     "1400000002500000000,3,0,0,1,0,0,0\n");
    scn_trajectory a, b;
    base_error err = {0};
    cr_assert_eq(scn_trajectory_import(sa.path, SCN_EUROC, &a, &err), BASE_OK, "%s", err.text);
    cr_assert_eq(scn_trajectory_import(sb.path, SCN_EUROC, &b, &err), BASE_OK, "%s", err.text);
    unlink(sa.path);
    unlink(sb.path);
    scn_trajectory t = relative(&a, &b, NULL, NULL);
    cr_assert_eq(t.frame_count, 2);
    cr_assert_eq(t.frames[0].t_s, 1);
    cr_assert_float_eq(t.frames[0].position.x, 1.5, 1e-12);
    cr_assert_float_eq(t.frames[1].position.x, 2.5, 1e-12);
    cr_assert_eq(t.epoch_ns, a.epoch_ns);
    cr_assert_not_null(strstr(t.source, "seen from"), "%s", t.source);
    scn_trajectory_release(&t);
    scn_trajectory_release(&a);
    scn_trajectory_release(&b);
}

Test(relative, one_recording_with_mountings)
{
    scn_trajectory b = {0};
    append(&b, 1, vec3_make(1, 2, 3), about_z(BASE_PI / 2));
    append(&b, 2, vec3_make(1, 2, 4), about_z(BASE_PI / 2));
    const scn_mounting on_a = {{1, 0, 0}, geo_quat_identity()};
    const scn_mounting on_b = {{1, 0, 0}, geo_quat_identity()};
    scn_trajectory t = relative(NULL, &b, &on_a, &on_b);
    cr_assert_eq(t.frame_count, 2);
    cr_assert_eq(t.frames[1].t_s, 2);
    assert_pose(&t.frames[0], vec3_make(0, 3, 3), about_z(BASE_PI / 2));
    assert_pose(&t.frames[1], vec3_make(0, 3, 4), about_z(BASE_PI / 2));
    scn_trajectory_release(&t);
    scn_trajectory_release(&b);
}

Test(relative, nothing_in_common_is_an_error)
{
    scn_trajectory a = {0}, b = {0}, t;
    append(&a, 1, vec3_make(0, 0, 0), geo_quat_identity());
    append(&a, 2, vec3_make(0, 0, 0), geo_quat_identity());
    append(&b, 2.5, vec3_make(0, 0, 0), geo_quat_identity());
    base_error err = {0};
    const scn_mounting none = scn_mounting_none();
    cr_assert_eq(scn_trajectory_relative(&a, &b, &none, &none, &t, &err), BASE_ERR_INPUT);
    cr_assert_str_eq(err.text, "the recordings have no time in common: 1 to 2 s of A, 2.5 to 2.5 s "
                               "of B");
    cr_assert_null(t.frames);
    /* The message uses A's clock. */
    b.epoch_ns = 3000000000;
    cr_assert_eq(scn_trajectory_relative(&a, &b, &none, &none, &t, &err), BASE_ERR_INPUT);
    cr_assert_str_eq(err.text, "the recordings have no time in common: 1 to 2 s of A, 5.5 to 5.5 s "
                               "of B");
    scn_trajectory_release(&a);
    scn_trajectory_release(&b);
    no_leak();
}

/** The memory after the only pose is not read. */
Test(relative, one_pose_is_there_at_its_time)
{
    scn_trajectory a = {0}, b = {0};
    append(&a, 1, vec3_make(0, 0, 0), geo_quat_identity());
    append(&a, 2, vec3_make(0, 0, 0), geo_quat_identity());
    append(&b, 2, vec3_make(1, 2, 3), about_z(1));
    append(&b, 3, vec3_make(NAN, NAN, NAN), about_z(2));
    b.frame_count = 1;
    scn_trajectory t = relative(&a, &b, NULL, NULL);
    cr_assert_eq(t.frame_count, 1);
    cr_assert_eq(t.frames[0].t_s, 2);
    assert_pose(&t.frames[0], vec3_make(1, 2, 3), about_z(1));
    scn_trajectory_release(&t);
    scn_trajectory_release(&a);
    scn_trajectory_release(&b);
}
