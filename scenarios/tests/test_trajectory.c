/** Trajectories and their files, recordings in foreign formats, and two trackers. */
#include "base/hash.h"
#include "base/memory.h"
#include "scenarios/tests/support.h"
#include "scenarios/trajectories/trajectory.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define HEADER "frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw"

static base_status read_text(const char *text, scn_trajectory *t, base_error *err, scratch *s)
{
    *s = scratch_write(text);
    const base_status status = scn_trajectory_read(s->path, t, err);
    unlink(s->path);
    return status;
}

static scn_trajectory read_good(const char *text)
{
    scn_trajectory t;
    base_error err = {0};
    scratch s;
    cr_assert_eq(read_text(text, &t, &err, &s), BASE_OK, "%s: %s", text, err.text);
    return t;
}

static void assert_file_error(const char *text, base_status status, const char *message)
{
    scn_trajectory t;
    base_error err = {0};
    scratch s;
    cr_assert_eq(read_text(text, &t, &err, &s), status, "%s: %s", text, err.text);
    cr_assert_str_eq(error_text(&err, &s), message, "%s: got %s", text, err.text);
    cr_assert_null(t.frames);
    cr_assert_eq(t.frame_count, 0);
}

Test(trajectory, append_grows_and_keeps)
{
    scn_trajectory t = {0};
    for (int i = 0; i < 1000; i++) {
        const scn_frame frame = {.t_s = i, .orientation = geo_quat_identity()};
        assert_ok(scn_trajectory_append(&t, &frame, ERR));
    }
    cr_assert_eq(t.frame_count, 1000);
    for (int i = 0; i < 1000; i++) {
        cr_assert_eq(t.frames[i].t_s, i);
    }
    scn_trajectory_release(&t);
    cr_assert_null(t.frames);
    scn_trajectory_release(&t);
    no_leak();
}

Test(trajectory, a_part_is_resampled_at_equal_steps)
{
    scn_trajectory t = {0}, even = {0};
    base_error err = {0};
    const scn_frame frames[] = {
        {.t_s = 1, .position = {0, 0, 0}, .orientation = {0, 0, 0, 1}, .target = 5},
        {.t_s = 1.5, .position = {1, 0, 0}, .orientation = {0, 0, 1, 0}, .known.mask = 3},
        {.t_s = 2, .position = {1, 2, 0}, .orientation = {0, 0, 1, 0}, .achieved = 7},
    };
    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(scn_trajectory_append(&t, &frames[i], &err), BASE_OK);
    }
    cr_assert_eq(scn_trajectory_resample(&t, 1.25, 1.95, 0.1, &even, &err), BASE_OK);
    const double x[] = {0.5, 0.7, 0.9, 1, 1, 1, 1, 1}, y[] = {0, 0, 0, 0.2, 0.6, 1, 1.4, 1.8};
    cr_assert_eq(even.frame_count, 8); /* (1.95 - 1.25) / 0.1 is below 7 in doubles */
    for (size_t i = 0; i < 8; i++) {
        const scn_frame *const f = &even.frames[i];
        cr_assert_eq(f->t_s, 0.1 * (double)i);
        cr_assert_float_eq(f->position.x, x[i], 1e-12, "%zu: %.17g", i, f->position.x);
        cr_assert_float_eq(f->position.y, y[i], 1e-12, "%zu: %.17g", i, f->position.y);
        cr_assert(isnan(f->target) && isnan(f->achieved) && f->known.mask == 0);
    }
    cr_assert_float_eq(even.frames[0].orientation.z, sqrt(0.5), 1e-15);
    scn_trajectory_release(&even);
    /* A single pose; then parts outside of the times. */
    cr_assert_eq(scn_trajectory_resample(&t, 2, 2, 0.1, &even, &err), BASE_OK);
    cr_assert_eq(even.frame_count, 1);
    cr_assert_eq(even.frames[0].position.y, 2);
    const double parts[][2] = {
        {0.5, 2}, {1, 2.5}, {1.75, 1.25}, {(double)NAN, 2}, {1, (double)NAN}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        cr_assert_eq(scn_trajectory_resample(&t, parts[i][0], parts[i][1], 0.1, &even, &err),
                     BASE_ERR_ARGUMENT, "%zu", i);
    }
    scn_trajectory_release(&even);
    scn_trajectory_release(&t);
}

Test(trajectory, a_written_file_is_read_back_to_the_same_bits)
{
    scn_trajectory t = {0}, back;
    base_random random = base_random_seed(11);
    snprintf(t.source, sizeof t.source, "made by hand, \"quoted\", seed=11");
    for (int i = 0; i < 500; i++) {
        const scn_frame frame = {
            .t_s = 0.001 * i,
            .position = vec3_scale(0.3, geo_random_direction(&random)),
            .orientation = geo_random_rotation(&random),
            .target = i % 3 ? base_random_unit(&random) : (double)NAN,
            .achieved = i % 2 ? base_random_unit(&random) : (double)NAN,
        };
        assert_ok(scn_trajectory_append(&t, &frame, ERR));
    }
    const scratch s = scratch_write("");
    FILE *const file = fopen(s.path, "wb");
    assert_ok(scn_trajectory_write(&t, file, s.path, ERR));
    fclose(file);
    assert_ok(scn_trajectory_read(s.path, &back, ERR));
    unlink(s.path);
    cr_assert_eq(back.frame_count, t.frame_count);
    cr_assert_str_eq(back.source, t.source);
    for (size_t i = 0; i < t.frame_count; i++) {
        const scn_frame *const p = &t.frames[i], *const q = &back.frames[i];
        const double a[] = {p->t_s,           p->position.x,    p->position.y,    p->position.z,
                            p->orientation.x, p->orientation.y, p->orientation.z, p->orientation.w};
        const double b[] = {q->t_s,           q->position.x,    q->position.y,    q->position.z,
                            q->orientation.x, q->orientation.y, q->orientation.z, q->orientation.w};
        cr_assert_eq(memcmp(a, b, sizeof a), 0, "frame %zu", i);
        cr_assert(p->target == q->target || (isnan(p->target) && isnan(q->target)));
        cr_assert(p->achieved == q->achieved || (isnan(p->achieved) && isnan(q->achieved)));
    }
    scn_trajectory_release(&t);
    scn_trajectory_release(&back);
    no_leak();
}

Test(trajectory, written_file_is_exactly_this)
{
    SCOPED_TRAJECTORY t = {.source = "glide, by hand"};
    const scn_frame first = {
        .position = {0.5, -1, 0.25}, .orientation = {0, 0, 0, 1}, .target = 0.125, .achieved = NAN};
    const scn_frame second = {
        .t_s = 0.001, .orientation = {1, 0, 0, 0}, .target = NAN, .achieved = 3};
    assert_ok(scn_trajectory_append(&t, &first, ERR));
    assert_ok(scn_trajectory_append(&t, &second, ERR));
    char *text = NULL;
    size_t size = 0;
    FILE *const file = open_memstream(&text, &size);
    assert_ok(scn_trajectory_write(&t, file, "memory", ERR));
    fclose(file);
    cr_assert_str_eq(text, HEADER ",target,achieved,source\n"
                                  "0,0,0.5,-1,0.25,0,0,0,1,0.125,,\"glide, by hand\"\n"
                                  "1,0.001,0,0,0,1,0,0,0,,3,\n");
    free(text);
}

Test(trajectory, known_answers_are_kept)
{
    SCOPED_TRAJECTORY t = {0}, back;
    const vec3 force = {1 / 3., -2, 1e-30}, torque = {0, 1 / 7., -1};
    const vec3 none = {0, 0, 0};
    const scn_known known[] = {
        {SCN_KNOWN_DISTANCE | SCN_KNOWN_VOLUME, 0, 0.125, none, none, none, none},
        {0, 0, 0, none, none, none, none},
        {SCN_KNOWN_VOLUME, 0, 1e-30, none, none, none, none},
        {SCN_KNOWN_DISTANCE, 1 / 3., 0, none, none, none, none},
        {SCN_KNOWN_FORCE, 0, 0, force, torque, none, none},
        {SCN_KNOWN_FORCE | SCN_KNOWN_VOLUME, 0, 0.5, none, torque, none, none},
        {SCN_KNOWN_DEPTH_FORCE, 0, 0, none, none, torque, force},
        {SCN_KNOWN_FORCE | SCN_KNOWN_DEPTH_FORCE, 0, 0, force, none, none, torque}};
    enum { COUNT = sizeof known / sizeof *known };
    for (size_t i = 0; i < COUNT; i++) {
        const scn_frame frame = {
            .t_s = (double)i, .orientation = geo_quat_identity(), .known = known[i]};
        assert_ok(scn_trajectory_append(&t, &frame, ERR));
    }
    const scratch s = scratch_write("");
    FILE *const file = fopen(s.path, "w");
    assert_ok(scn_trajectory_write(&t, file, s.path, ERR));
    fclose(file);
    assert_ok(scn_trajectory_read(s.path, &back, ERR));
    unlink(s.path);
    cr_assert_eq(back.frame_count, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        const scn_known *const k = &back.frames[i].known;
        cr_assert(k->mask == known[i].mask && k->distance_m == known[i].distance_m &&
                      k->volume_m3 == known[i].volume_m3,
                  "frame %zu: %u %.17g %.17g", i, k->mask, k->distance_m, k->volume_m3);
        cr_assert(vec3_equal(k->force_m2, known[i].force_m2) &&
                      vec3_equal(k->torque_m3, known[i].torque_m3),
                  "frame %zu: force or torque", i);
        cr_assert(vec3_equal(k->depth_force_m3, known[i].depth_force_m3) &&
                      vec3_equal(k->depth_torque_m4, known[i].depth_torque_m4),
                  "frame %zu: force or torque by depth", i);
    }
}

/** Without a force, a file has no columns for it; with only a force, it has no other columns of
 * known answers. */
Test(trajectory, columns_of_known_answers)
{
    static const struct {
        unsigned mask;
        const char *columns;
    } cases[] = {
        {0, ""},
        {SCN_KNOWN_DISTANCE, ",known_distance_m,known_volume_m3"},
        {SCN_KNOWN_FORCE, ",known_fx_m2,known_fy_m2,known_fz_m2,known_tx_m3,known_ty_m3,"
                          "known_tz_m3"},
        {SCN_KNOWN_DEPTH_FORCE, ",known_depth_fx_m3,known_depth_fy_m3,known_depth_fz_m3,"
                                "known_depth_tx_m4,known_depth_ty_m4,known_depth_tz_m4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED_TRAJECTORY t = {0};
        const scn_frame frame = {.orientation = geo_quat_identity(), .known.mask = cases[i].mask};
        assert_ok(scn_trajectory_append(&t, &frame, ERR));
        char *text = NULL, head[400];
        size_t size = 0;
        FILE *const file = open_memstream(&text, &size);
        assert_ok(scn_trajectory_write(&t, file, "memory", ERR));
        fclose(file);
        snprintf(head, sizeof head, HEADER ",target,achieved,source%s\n", cases[i].columns);
        cr_assert_eq(strncmp(text, head, strlen(head)), 0, "case %zu: %s", i, text);
        size_t commas[2] = {0, 0}, line = 0;
        for (const char *c = text; *c; c++) {
            commas[line] += *c == ',';
            line += *c == '\n' && line == 0;
        }
        cr_assert_eq(commas[1], commas[0], "case %zu: %s", i, text);
        free(text);
    }
}

/** A force with a missing component is not known. */
Test(trajectory, an_incomplete_force_is_ignored)
{
    const scratch s = scratch_write(
        HEADER ",known_fx_m2,known_fy_m2,known_fz_m2,known_tx_m3,known_ty_m3,known_tz_m3\n"
               "0,0,0,0,0,0,0,0,1,1,2,3,4,5,6\n"
               "1,1,0,0,0,0,0,0,1,1,2,3,4,,6\n");
    SCOPED_TRAJECTORY t;
    assert_ok(scn_trajectory_read(s.path, &t, ERR));
    unlink(s.path);
    cr_assert_eq(t.frames[0].known.mask, SCN_KNOWN_FORCE);
    cr_assert(vec3_equal(t.frames[0].known.torque_m3, vec3_make(4, 5, 6)));
    cr_assert_eq(t.frames[1].known.mask, 0);
}

Test(trajectory, a_full_device_is_an_error)
{
    FILE *const file = fopen("/dev/full", "wb");
    if (!file) {
        cr_skip_test("skipped: /dev/full is not there");
    }
    SCOPED_TRAJECTORY t = {0};
    base_error err = {0};
    const scn_frame frame = {.orientation = geo_quat_identity()};
    assert_ok(scn_trajectory_append(&t, &frame, ERR));
    cr_assert_eq(scn_trajectory_write(&t, file, "/dev/full", &err), BASE_ERR_SYSTEM);
    fclose(file);
}

Test(trajectory, reads_columns_by_name_in_any_order)
{
    scn_trajectory t = read_good("note,qw,qz,qy,qx,z_m,y_m,x_m,t_s,frame\r\n"
                                 "first,1,0,0,0,3,2,1,0.5,7\r\n"
                                 ",0,0,0,1,6,5,4,0.75,8\r\n");
    cr_assert_eq(t.frame_count, 2);
    cr_assert_eq(t.frames[0].t_s, 0.5);
    cr_assert_eq(t.frames[0].position.x, 1);
    cr_assert_eq(t.frames[0].position.z, 3);
    cr_assert_eq(t.frames[0].orientation.w, 1);
    cr_assert_eq(t.frames[1].orientation.x, 1);
    cr_assert(isnan(t.frames[0].target) && isnan(t.frames[0].achieved));
    cr_assert_neq(t.source[0], '\0', "the path stands in for a missing source");
    scn_trajectory_release(&t);
    no_leak();
}

Test(trajectory, numbers_of_frames_and_times_may_be_missing)
{
    scn_trajectory t = read_good("x_m, y_m, z_m, qx, qy, qz, qw\n"
                                 "1, 2, 3, 0, 0, 0, 1\n"
                                 "  4,5 ,\t6, 0, 0, 0, 1  \n");
    cr_assert_eq(t.frame_count, 2);
    cr_assert_eq(t.frames[0].t_s, 0);
    cr_assert_eq(t.frames[1].t_s, 0.001);
    cr_assert_eq(t.frames[1].position.y, 5);
    scn_trajectory_release(&t);
    t = read_good("t_s,x_m,y_m,z_m,qx,qy,qz,qw\n0.5,1,2,3,0,0,0,1\n0.7,1,2,3,0,0,0,1\n");
    cr_assert_eq(t.frames[1].t_s, 0.7);
    scn_trajectory_release(&t);
    assert_file_error("frame,x_m,y_m,z_m,qx,qy,qz,qw\none,1,2,3,0,0,0,1\n", BASE_ERR_INPUT,
                      "'F' line 2: column 'frame': 'one' is not a finite number");
    no_leak();
}

/** For a recording in each foreign format, the error explains how to import it. */
Test(trajectory, recordings_are_recognised)
{
    static const struct {
        const char *text, *reason, *format;
    } cases[] = {
        {"# a comment\n10 1 2 3 0 0 0 1\n10.5 1 2 4 0 0 0 1\n", "'F': there is no column 'x_m'",
         "tum"},
        {"1 0 0 1 0 1 0 2 0 0 1 3\n", "'F': there is no column 'x_m'", "kitti"},
        {"#timestamp,x,y,z,qw,qx,qy,qz\n1000000000,1,2,3,1,0,0,0\n",
         "'F': there is no column 'x_m'", "euroc"},
        {"1403715524912143104,1,2,3,1,0,0,0,9\n", "'F' line 1: two columns are named '1'", "euroc"},
        {"1403715524912143104,1,2,3,5,6,7,8\n", "'F': there is no column 'x_m'", "euroc"},
        {"1\n1 0 0\n0 1 0\n0 0 1\n1 2 3\n", "'F': there is no column 'x_m'", "pqp"},
        {"1,2,3,4,5,6,7,8\n", "'F': there is no column 'x_m'", NULL},
        {"1 0 0\n", "'F': there is no column 'x_m'", NULL},
        {"words\n", "'F': there is no column 'x_m'", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char message[300];
        const char *const hint = "; it looks like a recording: 'proxbench trajectory import ";
        const char *const format = cases[i].format;
        snprintf(message, sizeof message, "%s%s%s%s", cases[i].reason, format ? hint : "",
                 format ? format : "", format ? " FILE' makes a trajectory of it" : "");
        assert_file_error(cases[i].text, BASE_ERR_INPUT, message);
    }
}

/** Within 1e-14 of unit length a pose keeps its bits; within 1e-3 it is normalised. */
Test(trajectory, poses_of_numbers)
{
    static const struct {
        double off; /* difference of the length from 1 */
        bool good, same;
    } cases[] = {
        {0, true, true},        {4e-15, true, true},   {-4e-15, true, true},
        {1e-13, true, false},   {9.9e-4, true, false}, {-9.9e-4, true, false},
        {1.1e-3, false, false}, {-1, false, false},    {NAN, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double scale = 1 + cases[i].off;
        const double n[7] = {1, -2, 3, 0.48 * scale, -0.6 * scale, 0, 0.64 * scale};
        geo_vec3 position;
        geo_quat q;
        double length;
        cr_assert_eq(scn_pose_of_numbers(n, &position, &q, &length), cases[i].good, "case %zu", i);
        cr_assert(position.x == 1 && position.y == -2 && position.z == 3, "case %zu", i);
        cr_assert(isnan(scale) || fabs(length - scale) < 1e-15, "case %zu: %.17g", i, length);
        if (cases[i].good) {
            cr_assert_eq(q.x == n[3] && q.y == n[4] && q.w == n[6], cases[i].same, "case %zu", i);
            cr_assert_float_eq(sqrt(q.x * q.x + q.y * q.y + q.w * q.w), 1, 1e-14, "case %zu", i);
        }
    }
}

Test(trajectory, nearly_unit_quaternions_are_renormalised)
{
    SCOPED_TRAJECTORY t = read_good(HEADER "\n0,0,0,0,0,0,0,0,1.0009\n1,1,0,0,0,0,0.6,0,0.7995\n");
    cr_assert_eq(t.frames[0].orientation.w, 1);
    const geo_quat q = t.frames[1].orientation;
    cr_assert_float_eq(q.y * q.y + q.w * q.w, 1, 1e-15);
    cr_assert_float_eq(q.y / q.w, 0.6 / 0.7995, 1e-15);
}

Test(trajectory, errors_name_the_line_and_the_reason)
{
    assert_file_error("frame,t_s,x_m,y_m,z_m,qx,qy,qz\n0,0,0,0,0,0,0,0\n", BASE_ERR_INPUT,
                      "'F': there is no column 'qw'");
    assert_file_error(HEADER "\n", BASE_ERR_INPUT, "'F': no frames");
    assert_file_error("", BASE_ERR_INPUT, "'F': no records");
    assert_file_error(HEADER "\n0,0,0,0,0,0,0,0,1\n1,1,0,0,0,0,0,0\n", BASE_ERR_INPUT,
                      "'F' line 3: 8 fields, but 9 in the header");
    assert_file_error(HEADER "\n0,0,0,nan,0,0,0,0,1\n", BASE_ERR_INPUT,
                      "'F' line 2: column 'y_m': 'nan' is not a finite number");
    assert_file_error(HEADER "\n0,0,0,,0,0,0,0,1\n", BASE_ERR_INPUT,
                      "'F' line 2: column 'y_m' is empty");
    assert_file_error(HEADER ",target\n0,0,0,0,0,0,0,0,1,x\n", BASE_ERR_INPUT,
                      "'F' line 2: column 'target': 'x' is not a finite number");
    assert_file_error(HEADER "\n0,0,0,0,0,0,0,0,1\n1,1,0,0,0,0,0,0,1.002\n", BASE_ERR_INPUT,
                      "'F' line 3: quaternion of length 1.002, not 1");
    assert_file_error(HEADER "\n0,0,0,0,0,0,0,0,0\n", BASE_ERR_INPUT,
                      "'F' line 2: quaternion of length 0, not 1");
    assert_file_error(HEADER "\n0,0.5,0,0,0,0,0,0,1\n1,0.5,0,0,0,0,0,0,1\n", BASE_ERR_INPUT,
                      "'F' line 3: time 0.5 s does not increase (0.5 s before)");
    no_leak();
}

Test(trajectory, a_missing_file_is_a_system_error)
{
    scn_trajectory t;
    base_error err = {0};
    cr_assert_eq(scn_trajectory_read("/nonexistent/t.csv", &t, &err), BASE_ERR_SYSTEM);
    cr_assert_not_null(strstr(err.text, "/nonexistent/t.csv"), "%s", err.text);
}

Test(trajectory, every_failed_allocation_is_an_error)
{
    const scratch s = scratch_write(HEADER "\n0,0,0,0,0,0,0,0,1\n1,1,0,0,0,0,0,0,1\n");
    scn_trajectory t;
    const size_t failures = COUNT_FAILURES(scn_trajectory_read(s.path, &t, ERR), {
        cr_assert(!failed || !t.frames);
        scn_trajectory_release(&t);
    });
    unlink(s.path);
    cr_assert_gt(failures, 2);
    no_leak();
}

Test(trajectory, reads_the_reference_trajectories)
{
    static const char path[] = "../shared/reference/bunny-bunny-distance.trajectory.csv";
    if (access(path, R_OK) != 0) {
        cr_skip_test("skipped: ../shared is not there");
    }
    SCOPED_TRAJECTORY t;
    assert_ok(scn_trajectory_read(path, &t, ERR));
    cr_assert_gt(t.frame_count, 10);
    cr_assert_eq(t.frames[0].position.x, -0.21241584248486176);
    cr_assert_eq(t.frames[1].t_s, 0.001);
}

/* --- Recordings in foreign formats ------------------------------------------------------------ */

static scn_trajectory import_good(scn_format format, const char *text)
{
    const scratch s = scratch_write(text);
    scn_trajectory t;
    base_error err = {0};
    cr_assert_eq(scn_trajectory_import(s.path, format, &t, &err), BASE_OK, "%s: %s", text,
                 err.text);
    unlink(s.path);
    cr_assert_not_null(strstr(t.source, strrchr(s.path, '/') + 1), "%s", t.source);
    return t;
}

static void assert_import_error(scn_format format, const char *text, const char *message)
{
    const scratch s = scratch_write(text);
    scn_trajectory t;
    base_error err = {0};
    cr_assert_eq(scn_trajectory_import(s.path, format, &t, &err), BASE_ERR_INPUT, "%s", text);
    unlink(s.path);
    cr_assert_str_eq(error_text(&err, &s), message, "%s: got %s", text, err.text);
    cr_assert_null(t.frames);
}

static void assert_frame(const scn_frame *f, double t, vec3 p, geo_quat q)
{
    cr_assert_float_eq(f->t_s, t, 1e-12, "%.17g", f->t_s);
    cr_assert(vec3_equal(f->position, p), "%g %g %g", f->position.x, f->position.y, f->position.z);
    const geo_quat o = f->orientation;
    cr_assert_leq(fabs(o.x - q.x) + fabs(o.y - q.y) + fabs(o.z - q.z) + fabs(o.w - q.w), 1e-9,
                  "%g %g %g %g", o.x, o.y, o.z, o.w);
    cr_assert(isnan(f->target) && isnan(f->achieved));
}

Test(import, tum_with_everything_liberal)
{
    scn_trajectory t = import_good(SCN_TUM, "# timestamp tx ty tz qx qy qz qw\r\n"
                                            "\r\n"
                                            "10.5 1 2 3 0 0 0 1  \r\n"
                                            "# in between\r\n"
                                            "   10.75\t4   5 6 0.6 0 0.0 0.8004\t\r\n"
                                            "11 7 8 9 1e0 0 0 0");
    cr_assert_eq(t.frame_count, 3);
    assert_frame(&t.frames[0], 10.5, vec3_make(1, 2, 3), (geo_quat){0, 0, 0, 1});
    const geo_quat q = geo_quat_normalize((geo_quat){0.6, 0, 0, 0.8004});
    assert_frame(&t.frames[1], 10.75, vec3_make(4, 5, 6), q);
    assert_frame(&t.frames[2], 11, vec3_make(7, 8, 9), (geo_quat){1, 0, 0, 0});
    scn_trajectory_release(&t);
    no_leak();
}

Test(import, kitti_matrices_become_quaternions)
{
    /* Identity, 120 degrees about (1, 1, 1), and half turns about each axis. */
    scn_trajectory t = import_good(SCN_KITTI, "1 0 0 0.5 0 1 0 0.25 0 0 1 -1\n"
                                              "0 0 1 1 1 0 0 2 0 1 0 3 \n"
                                              "1 0 0 0 0 -1 0 0 0 0 -1 0\n"
                                              "-1 0 0 0 0 1 0 0 0 0 -1 0\n"
                                              "-1 0 0 0 0 -1 0 0 0 0 1 0\n");
    cr_assert_eq(t.frame_count, 5);
    assert_frame(&t.frames[0], 0, vec3_make(0.5, 0.25, -1), (geo_quat){0, 0, 0, 1});
    assert_frame(&t.frames[1], 0.1, vec3_make(1, 2, 3), (geo_quat){0.5, 0.5, 0.5, 0.5});
    assert_frame(&t.frames[2], 0.2, vec3_make(0, 0, 0), (geo_quat){1, 0, 0, 0});
    assert_frame(&t.frames[3], 0.3, vec3_make(0, 0, 0), (geo_quat){0, 1, 0, 0});
    assert_frame(&t.frames[4], 0.4, vec3_make(0, 0, 0), (geo_quat){0, 0, 1, 0});
    scn_trajectory_release(&t);
    no_leak();
}

Test(import, any_rotation_survives_its_matrix)
{
    base_random random = base_random_seed(3);
    for (int i = 0; i < 300; i++) {
        const geo_quat q = geo_random_rotation(&random);
        const mat3 m = geo_quat_matrix(q);
        char text[1000];
        snprintf(text, sizeof text, "%.17g %.17g %.17g 0 %.17g %.17g %.17g 0 %.17g %.17g %.17g 0\n",
                 m.row[0].x, m.row[0].y, m.row[0].z, m.row[1].x, m.row[1].y, m.row[1].z, m.row[2].x,
                 m.row[2].y, m.row[2].z);
        SCOPED_TRAJECTORY t = import_good(SCN_KITTI, text);
        const geo_quat p = t.frames[0].orientation;
        const double dot = q.x * p.x + q.y * p.y + q.z * p.z + q.w * p.w;
        cr_assert_geq(fabs(dot), 1 - 1e-15, "seed 3, rotation %d: %.17g", i, dot);
    }
}

Test(import, euroc_counts_nanoseconds_exactly)
{
    scn_trajectory t =
        import_good(SCN_EUROC, "#timestamp, p_RS_R_x [m], p_RS_R_y [m], p_RS_R_z [m], q_RS_w []\n"
                               "1403715524907143001,1,2,3,1,0,0,0,9,9,9\r\n"
                               "1403715524912143100, 4, 5, 6, 0.5, -0.5, 0.5, 0.5, 9, x, 9 \r\n");
    cr_assert_eq(t.frame_count, 2);
    assert_frame(&t.frames[0], 0, vec3_make(1, 2, 3), (geo_quat){0, 0, 0, 1});
    assert_frame(&t.frames[1], 0.005000099, vec3_make(4, 5, 6), (geo_quat){-0.5, 0.5, 0.5, 0.5});
    cr_assert_float_eq(t.frames[1].t_s, 0.005000099, 1e-17);
    scn_trajectory_release(&t);
    no_leak();
}

Test(import, pqp_paths)
{
    scn_trajectory t = import_good(SCN_PQP, "# path\r\n2\r\n\r\n"
                                            "1 0 0\r\n0 1 0 \r\n0\t0 1\r\n0.5 0.25 -1\r\n\r\n"
                                            "0 0 1\n1 0 0\n# row\n0 1 0\n1 2 3");
    cr_assert_eq(t.frame_count, 2);
    assert_frame(&t.frames[0], 0, vec3_make(0.5, 0.25, -1), (geo_quat){0, 0, 0, 1});
    assert_frame(&t.frames[1], 0.1, vec3_make(1, 2, 3), (geo_quat){0.5, 0.5, 0.5, 0.5});
    scn_trajectory_release(&t);
    no_leak();
}

Test(import, tum_errors)
{
    assert_import_error(SCN_TUM, "1 2 3 4 0 0 0\n", "'F' line 1: 7 fields, TUM has 8");
    assert_import_error(SCN_TUM, "#\n1 2 3 4 0 0 0 1 9\n", "'F' line 2: 9 fields, TUM has 8");
    assert_import_error(SCN_TUM, "1 2 3 4 0 0 0 1\n2 2 3 4 0 0 1\n",
                        "'F' line 2: 7 fields, but 8 in the first record");
    assert_import_error(SCN_TUM, "1 2 3 4 0 0 0 1\n2 2 z 4 0 0 0 1\n",
                        "'F' line 2: column 'c2': 'z' is not a finite number");
    assert_import_error(SCN_TUM, "1 2 3 inf 0 0 0 1\n",
                        "'F' line 1: column 'c3': 'inf' is not a finite number");
    assert_import_error(SCN_TUM, "2 2 3 4 0 0 0 1\n\n1 2 3 4 0 0 0 1\n",
                        "'F' line 3: time 1 s does not increase (2 s before)");
    assert_import_error(SCN_TUM, "1 2 3 4 0 0 0 2\n", "'F' line 1: quaternion of length 2, not 1");
    assert_import_error(SCN_TUM, "# nothing\n", "'F': no records");
    no_leak();
}

Test(import, kitti_errors)
{
    assert_import_error(SCN_KITTI, "1 0 0 0 0 1 0 0 0 0 1\n",
                        "'F' line 1: 11 fields, KITTI has 12");
    assert_import_error(SCN_KITTI, "1 0 0 0 0 1 0 0 0 0 1.002 0\n",
                        "'F' line 1: the 3x3 matrix is not a rotation");
    assert_import_error(SCN_KITTI, "1 0 0 0 0 1 0 0 0 0 1 0\n1 0 0 0 0 1 0 0 0 0 -1 0\n",
                        "'F' line 2: the 3x3 matrix is not a rotation");
    assert_import_error(SCN_KITTI, "1 0 0 0 0 1 0 0 0 0 nan 0\n",
                        "'F' line 1: column 'c10': 'nan' is not a finite number");
    no_leak();
}

Test(import, euroc_errors)
{
    assert_import_error(SCN_EUROC, "1,1,2,3,1,0,0\n", "'F' line 1: 7 fields, EuRoC has 8 or more");
    assert_import_error(SCN_EUROC, "1.5,1,2,3,1,0,0,0\n",
                        "'F' line 1: time '1.5' is not a whole number of nanoseconds");
    assert_import_error(
        SCN_EUROC, "1,1,2,3,1,0,0,0\n99999999999999999999,1,2,3,1,0,0,0\n",
        "'F' line 2: time '99999999999999999999' is not a whole number of nanoseconds");
    assert_import_error(SCN_EUROC, "5,1,2,3,1,0,0,0\n5,1,2,3,1,0,0,0\n",
                        "'F' line 2: time 0 s does not increase (0 s before)");
    assert_import_error(SCN_EUROC, "5,1,2,3,1,0,0,0\n9,1,2,3,1,0.1,0,0\n",
                        "'F' line 2: quaternion of length 1.00499, not 1");
    no_leak();
}

Test(import, pqp_errors)
{
    assert_import_error(SCN_PQP, "", "'F': no frames");
    assert_import_error(SCN_PQP, "1.5\n", "'F' line 1: 1.5 is not a number of frames");
    assert_import_error(SCN_PQP, "0\n", "'F' line 1: 0 is not a number of frames");
    assert_import_error(SCN_PQP, "1 2\n", "'F' line 1: 2 fields instead of 1");
    assert_import_error(SCN_PQP, "2\n1 0 0\n0 1 0\n0 0 1\n0 0 0\n1 0 0\n",
                        "'F' line 6: the file ends in frame 2 of 2");
    assert_import_error(SCN_PQP, "1\n1 0 0\n0 1\n0 0 1\n0 0 0\n",
                        "'F' line 3: 2 fields instead of 3");
    assert_import_error(SCN_PQP, "1\n1 0 0\n0 1 x\n0 0 1\n0 0 0\n",
                        "'F' line 3: 'x' is not a finite number");
    assert_import_error(SCN_PQP, "1\n1 0 0\n0 1 1\n0 0 1\n0 0 0\n",
                        "'F' line 5: the 3x3 matrix is not a rotation");
    assert_import_error(SCN_PQP, "1\n1 0 0\n0 1 0\n0 0 1\n0 0 0\n4\n",
                        "'F' line 6: more than the 1 frames announced");
    no_leak();
}

Test(import, a_missing_file_is_a_system_error)
{
    for (int format = SCN_TUM; format <= SCN_PQP; format++) {
        scn_trajectory t;
        base_error err = {0};
        cr_assert_eq(scn_trajectory_import("/nonexistent/x", (scn_format)format, &t, &err),
                     BASE_ERR_SYSTEM, "format %d", format);
        cr_assert_str_eq(err.text, "cannot open '/nonexistent/x': No such file or directory");
    }
}

Test(import, real_recordings)
{
    static const struct {
        const char *path;
        scn_format format;
        size_t frames_min;
    } files[] = {
        {"../shared/trajectories/tum-freiburg1-xyz.txt", SCN_TUM, 1000},
        {"../shared/trajectories/kitti-00.txt", SCN_KITTI, 100},
        {"../shared/trajectories/euroc-v102.csv", SCN_EUROC, 1000},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (access(files[i].path, R_OK) != 0) {
            cr_skip_test("skipped: ../shared is not there");
        }
        SCOPED_TRAJECTORY t;
        assert_ok(scn_trajectory_import(files[i].path, files[i].format, &t, ERR));
        cr_assert_geq(t.frame_count, files[i].frames_min, "%s: %zu", files[i].path, t.frame_count);
    }
}

/* --- Two trackers ----------------------------------------------------------------------------- */

enum { FRAMES = 40 };

static geo_quat about_z(double angle)
{
    return (geo_quat){0, 0, base_sin(0.5 * angle), base_cos(0.5 * angle)};
}

static void append(scn_trajectory *t, double t_s, vec3 position, geo_quat orientation)
{
    const scn_frame frame = {.t_s = t_s, .position = position, .orientation = orientation};
    assert_ok(scn_trajectory_append(t, &frame, ERR));
}

static scn_trajectory relative(const scn_trajectory *a, const scn_trajectory *b,
                               const scn_mounting *mount_a, const scn_mounting *mount_b)
{
    scn_trajectory t;
    const scn_mounting none = scn_mounting_none();
    assert_ok(scn_trajectory_relative(a, b, mount_a ? mount_a : &none, mount_b ? mount_b : &none,
                                      &t, ERR));
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
    SCOPED_TRAJECTORY a = {0}, b = {0}, truth = {0};
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
    SCOPED_TRAJECTORY t = relative(&a, &b, &on_a, &on_b);
    cr_assert_eq(t.frame_count, FRAMES);
    for (int i = 0; i < FRAMES; i++) {
        assert_pose(&t.frames[i], truth.frames[i].position, truth.frames[i].orientation);
    }
}

/** B is interpolated at A's times. A's frames outside of B's times are left out. */
Test(relative, b_is_interpolated_to_the_times_of_a)
{
    SCOPED_TRAJECTORY a = {0}, b = {0};
    for (int i = 0; i < 8; i++) {
        append(&a, 0.25 * i, vec3_make(0, 0, 0), geo_quat_identity());
    }
    append(&b, 0.5, vec3_make(1, 0, 0), geo_quat_identity());
    append(&b, 1, vec3_make(2, 0, 4), about_z(1));
    append(&b, 1.5, vec3_make(2, 2, 4), about_z(1));
    SCOPED_TRAJECTORY t = relative(&a, &b, NULL, NULL);
    cr_assert_eq(t.frame_count, 5);
    cr_assert_eq(t.frames[0].t_s, 0.5);
    cr_assert_eq(t.frames[4].t_s, 1.5);
    assert_pose(&t.frames[0], vec3_make(1, 0, 0), geo_quat_identity());
    assert_pose(&t.frames[1], vec3_make(1.5, 0, 2), about_z(0.5));
    assert_pose(&t.frames[2], vec3_make(2, 0, 4), about_z(1));
    assert_pose(&t.frames[3], vec3_make(2, 1, 4), about_z(1));
    assert_pose(&t.frames[4], vec3_make(2, 2, 4), about_z(1));
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
    SCOPED_TRAJECTORY a, b;
    assert_ok(scn_trajectory_import(sa.path, SCN_EUROC, &a, ERR));
    assert_ok(scn_trajectory_import(sb.path, SCN_EUROC, &b, ERR));
    unlink(sa.path);
    unlink(sb.path);
    SCOPED_TRAJECTORY t = relative(&a, &b, NULL, NULL);
    cr_assert_eq(t.frame_count, 2);
    cr_assert_eq(t.frames[0].t_s, 1);
    cr_assert_float_eq(t.frames[0].position.x, 1.5, 1e-12);
    cr_assert_float_eq(t.frames[1].position.x, 2.5, 1e-12);
    cr_assert_eq(t.epoch_ns, a.epoch_ns);
    cr_assert_not_null(strstr(t.source, "seen from"), "%s", t.source);
}

Test(relative, one_recording_with_mountings)
{
    SCOPED_TRAJECTORY b = {0};
    append(&b, 1, vec3_make(1, 2, 3), about_z(BASE_PI / 2));
    append(&b, 2, vec3_make(1, 2, 4), about_z(BASE_PI / 2));
    const scn_mounting on_a = {{1, 0, 0}, geo_quat_identity()};
    const scn_mounting on_b = {{1, 0, 0}, geo_quat_identity()};
    SCOPED_TRAJECTORY t = relative(NULL, &b, &on_a, &on_b);
    cr_assert_eq(t.frame_count, 2);
    cr_assert_eq(t.frames[1].t_s, 2);
    assert_pose(&t.frames[0], vec3_make(0, 3, 3), about_z(BASE_PI / 2));
    assert_pose(&t.frames[1], vec3_make(0, 3, 4), about_z(BASE_PI / 2));
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
    SCOPED_TRAJECTORY a = {0}, b = {0};
    append(&a, 1, vec3_make(0, 0, 0), geo_quat_identity());
    append(&a, 2, vec3_make(0, 0, 0), geo_quat_identity());
    append(&b, 2, vec3_make(1, 2, 3), about_z(1));
    append(&b, 3, vec3_make(NAN, NAN, NAN), about_z(2));
    b.frame_count = 1;
    SCOPED_TRAJECTORY t = relative(&a, &b, NULL, NULL);
    cr_assert_eq(t.frame_count, 1);
    cr_assert_eq(t.frames[0].t_s, 2);
    assert_pose(&t.frames[0], vec3_make(1, 2, 3), about_z(1));
}

/* --- Committed recordings --------------------------------------------------------------------- */

/* The frames of committed recordings must not change. */

/** Returns the hash of the bits of time, position and orientation of all frames. */
static base_hash_text hash_of(const scn_trajectory *t)
{
    base_hasher *const hasher = base_hasher_create();
    cr_assert_not_null(hasher);
    for (size_t i = 0; i < t->frame_count; i++) {
        const scn_frame *const f = &t->frames[i];
        const double values[] = {f->t_s,           f->position.x,    f->position.y,
                                 f->position.z,    f->orientation.x, f->orientation.y,
                                 f->orientation.z, f->orientation.w};
        base_hasher_add(hasher, values, sizeof values);
    }
    return base_hash_format(base_hasher_finish(hasher));
}

Test(recordings, frames_are_the_same_for_ever)
{
    static const struct {
        const char *name;
        size_t frames;
        const char *hash, *source;
    } recordings[] = {
        {"peg", 361, "c0d1820eab6b8fbdcff2f37e34d6517a", "simulate peg: exact-volume by force;"},
        {"scrape", 401, "93a7f089fde9839eda40ef42c17be593",
         "simulate scrape: exact-volume by force;"},
        {"nut", 501, "5a2af371fdaa7e39440fedd5cf64f35c", "simulate nut: exact-volume by force;"},
        {"press", 361, "05199886598d39b31f9630fd3a8242e8",
         "simulate press: exact-volume by force;"},
        {"stir", 401, "febfc61dfd20b14cb215c869dd56641c", "simulate stir: exact-volume by force;"},
        {"hover", 300, "5d03fd20fe1a105bcd1f602895f8420d",
         "simulate pair: imp:voxels=64 by impulses;"},
        {"approach-64", 300, "89ae746d705c295bf9ba9913cc02b4e5",
         "simulate pair: imp:voxels=64 by impulses;"},
        {"approach-128", 300, "c149126ab67f122228c3c58457897f9b",
         "simulate pair: imp by impulses;"},
        {"approach-256", 300, "3224866a6d6bc8ab7b6dd5f88172b0db",
         "simulate pair: imp:voxels=256 by impulses;"},
    };
    for (size_t i = 0; i < sizeof recordings / sizeof *recordings; i++) {
        char path[128];
        SCOPED_TRAJECTORY t;
        snprintf(path, sizeof path, "scenarios/experiments/recordings/%s.csv", recordings[i].name);
        assert_ok(scn_trajectory_read(path, &t, ERR));
        cr_expect_eq(t.frame_count, recordings[i].frames, "%s: %zu frames", path, t.frame_count);
        const base_hash_text hash = hash_of(&t);
        cr_expect_str_eq(hash.hex, recordings[i].hash, "%s: %s", path, hash.hex);
        cr_expect_eq(strncmp(t.source, recordings[i].source, strlen(recordings[i].source)), 0,
                     "%s: %s", path, t.source);
    }
}
