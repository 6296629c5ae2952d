#include "base/memory.h"
#include "scenarios/tests/support.h"

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

static void assert_error(const char *text, base_status status, const char *message)
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
    base_error err = {0};
    for (int i = 0; i < 1000; i++) {
        const scn_frame frame = {.t_s = i, .orientation = geo_quat_identity()};
        cr_assert_eq(scn_trajectory_append(&t, &frame, &err), BASE_OK);
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

Test(trajectory, what_is_written_is_read_back_to_the_same_bits)
{
    scn_trajectory t = {0}, back;
    base_error err = {0};
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
        cr_assert_eq(scn_trajectory_append(&t, &frame, &err), BASE_OK);
    }
    const scratch s = scratch_write("");
    FILE *const file = fopen(s.path, "wb");
    cr_assert_eq(scn_trajectory_write(&t, file, s.path, &err), BASE_OK, "%s", err.text);
    fclose(file);
    cr_assert_eq(scn_trajectory_read(s.path, &back, &err), BASE_OK, "%s", err.text);
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
    scn_trajectory t = {.source = "glide, by hand"};
    base_error err = {0};
    const scn_frame first = {
        .position = {0.5, -1, 0.25}, .orientation = {0, 0, 0, 1}, .target = 0.125, .achieved = NAN};
    const scn_frame second = {
        .t_s = 0.001, .orientation = {1, 0, 0, 0}, .target = NAN, .achieved = 3};
    cr_assert_eq(scn_trajectory_append(&t, &first, &err), BASE_OK);
    cr_assert_eq(scn_trajectory_append(&t, &second, &err), BASE_OK);
    char *text = NULL;
    size_t size = 0;
    FILE *const file = open_memstream(&text, &size);
    cr_assert_eq(scn_trajectory_write(&t, file, "memory", &err), BASE_OK);
    fclose(file);
    cr_assert_str_eq(text, HEADER ",target,achieved,source\n"
                                  "0,0,0.5,-1,0.25,0,0,0,1,0.125,,\"glide, by hand\"\n"
                                  "1,0.001,0,0,0,1,0,0,0,,3,\n");
    free(text);
    scn_trajectory_release(&t);
}

Test(trajectory, what_is_known_is_kept)
{
    scn_trajectory t = {0}, back;
    base_error err = {0};
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
        cr_assert_eq(scn_trajectory_append(&t, &frame, &err), BASE_OK);
    }
    const scratch s = scratch_write("");
    FILE *const file = fopen(s.path, "w");
    cr_assert_eq(scn_trajectory_write(&t, file, s.path, &err), BASE_OK);
    fclose(file);
    cr_assert_eq(scn_trajectory_read(s.path, &back, &err), BASE_OK, "%s", err.text);
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
    scn_trajectory_release(&t);
    scn_trajectory_release(&back);
}

/** Without a force, a file has no columns for it; with only a force, it has no other columns of
 * known answers. */
Test(trajectory, columns_of_what_is_known)
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
        scn_trajectory t = {0};
        base_error err = {0};
        const scn_frame frame = {.orientation = geo_quat_identity(), .known.mask = cases[i].mask};
        cr_assert_eq(scn_trajectory_append(&t, &frame, &err), BASE_OK);
        char *text = NULL, head[400];
        size_t size = 0;
        FILE *const file = open_memstream(&text, &size);
        cr_assert_eq(scn_trajectory_write(&t, file, "memory", &err), BASE_OK);
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
        scn_trajectory_release(&t);
    }
}

/** A force with a missing component is not known. */
Test(trajectory, a_part_of_a_force_is_none)
{
    const scratch s = scratch_write(
        HEADER ",known_fx_m2,known_fy_m2,known_fz_m2,known_tx_m3,known_ty_m3,known_tz_m3\n"
               "0,0,0,0,0,0,0,0,1,1,2,3,4,5,6\n"
               "1,1,0,0,0,0,0,0,1,1,2,3,4,,6\n");
    scn_trajectory t;
    base_error err = {0};
    cr_assert_eq(scn_trajectory_read(s.path, &t, &err), BASE_OK, "%s", err.text);
    unlink(s.path);
    cr_assert_eq(t.frames[0].known.mask, SCN_KNOWN_FORCE);
    cr_assert(vec3_equal(t.frames[0].known.torque_m3, vec3_make(4, 5, 6)));
    cr_assert_eq(t.frames[1].known.mask, 0);
    scn_trajectory_release(&t);
}

Test(trajectory, a_full_device_is_an_error)
{
    FILE *const file = fopen("/dev/full", "wb");
    if (!file) {
        cr_skip_test("skipped: /dev/full is not there");
    }
    scn_trajectory t = {0};
    base_error err = {0};
    const scn_frame frame = {.orientation = geo_quat_identity()};
    cr_assert_eq(scn_trajectory_append(&t, &frame, &err), BASE_OK);
    cr_assert_eq(scn_trajectory_write(&t, file, "/dev/full", &err), BASE_ERR_SYSTEM);
    fclose(file);
    scn_trajectory_release(&t);
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
    assert_error("frame,x_m,y_m,z_m,qx,qy,qz,qw\none,1,2,3,0,0,0,1\n", BASE_ERR_INPUT,
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
        assert_error(cases[i].text, BASE_ERR_INPUT, message);
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
    scn_trajectory t = read_good(HEADER "\n0,0,0,0,0,0,0,0,1.0009\n1,1,0,0,0,0,0.6,0,0.7995\n");
    cr_assert_eq(t.frames[0].orientation.w, 1);
    const geo_quat q = t.frames[1].orientation;
    cr_assert_float_eq(q.y * q.y + q.w * q.w, 1, 1e-15);
    cr_assert_float_eq(q.y / q.w, 0.6 / 0.7995, 1e-15);
    scn_trajectory_release(&t);
}

Test(trajectory, every_bad_file_says_where_and_why)
{
    assert_error("frame,t_s,x_m,y_m,z_m,qx,qy,qz\n0,0,0,0,0,0,0,0\n", BASE_ERR_INPUT,
                 "'F': there is no column 'qw'");
    assert_error(HEADER "\n", BASE_ERR_INPUT, "'F': no frames");
    assert_error("", BASE_ERR_INPUT, "'F': no records");
    assert_error(HEADER "\n0,0,0,0,0,0,0,0,1\n1,1,0,0,0,0,0,0\n", BASE_ERR_INPUT,
                 "'F' line 3: 8 fields, but 9 in the header");
    assert_error(HEADER "\n0,0,0,nan,0,0,0,0,1\n", BASE_ERR_INPUT,
                 "'F' line 2: column 'y_m': 'nan' is not a finite number");
    assert_error(HEADER "\n0,0,0,,0,0,0,0,1\n", BASE_ERR_INPUT,
                 "'F' line 2: column 'y_m' is empty");
    assert_error(HEADER ",target\n0,0,0,0,0,0,0,0,1,x\n", BASE_ERR_INPUT,
                 "'F' line 2: column 'target': 'x' is not a finite number");
    assert_error(HEADER "\n0,0,0,0,0,0,0,0,1\n1,1,0,0,0,0,0,0,1.002\n", BASE_ERR_INPUT,
                 "'F' line 3: quaternion of length 1.002, not 1");
    assert_error(HEADER "\n0,0,0,0,0,0,0,0,0\n", BASE_ERR_INPUT,
                 "'F' line 2: quaternion of length 0, not 1");
    assert_error(HEADER "\n0,0.5,0,0,0,0,0,0,1\n1,0.5,0,0,0,0,0,0,1\n", BASE_ERR_INPUT,
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
    size_t n = 0;
    base_status status = BASE_ERR_MEMORY;
    for (; n < 100 && status == BASE_ERR_MEMORY; n++) {
        scn_trajectory t;
        base_memory_fail_after(n);
        status = scn_trajectory_read(s.path, &t, NULL);
        base_memory_fail_after(SIZE_MAX);
        cr_assert(status == BASE_OK || !t.frames, "allocation %zu", n);
        scn_trajectory_release(&t);
    }
    unlink(s.path);
    cr_assert_eq(status, BASE_OK);
    cr_assert_gt(n, 3);
    no_leak();
}

Test(trajectory, reads_the_reference_trajectories)
{
    static const char path[] = "../shared/reference/bunny-bunny-distance.trajectory.csv";
    if (access(path, R_OK) != 0) {
        cr_skip_test("skipped: ../shared is not there");
    }
    scn_trajectory t;
    base_error err = {0};
    cr_assert_eq(scn_trajectory_read(path, &t, &err), BASE_OK, "%s", err.text);
    cr_assert_gt(t.frame_count, 10);
    cr_assert_eq(t.frames[0].position.x, -0.21241584248486176);
    cr_assert_eq(t.frames[1].t_s, 0.001);
    scn_trajectory_release(&t);
}
