#include "scenarios/tests/support.h"
#include "scenarios/trajectories/trajectory.h"

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

static void assert_error(scn_format format, const char *text, const char *message)
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
        scn_trajectory t = import_good(SCN_KITTI, text);
        const geo_quat p = t.frames[0].orientation;
        const double dot = q.x * p.x + q.y * p.y + q.z * p.z + q.w * p.w;
        cr_assert_geq(fabs(dot), 1 - 1e-15, "seed 3, rotation %d: %.17g", i, dot);
        scn_trajectory_release(&t);
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
    assert_error(SCN_TUM, "1 2 3 4 0 0 0\n", "'F' line 1: 7 fields, TUM has 8");
    assert_error(SCN_TUM, "#\n1 2 3 4 0 0 0 1 9\n", "'F' line 2: 9 fields, TUM has 8");
    assert_error(SCN_TUM, "1 2 3 4 0 0 0 1\n2 2 3 4 0 0 1\n",
                 "'F' line 2: 7 fields, but 8 in the first record");
    assert_error(SCN_TUM, "1 2 3 4 0 0 0 1\n2 2 z 4 0 0 0 1\n",
                 "'F' line 2: column 'c2': 'z' is not a finite number");
    assert_error(SCN_TUM, "1 2 3 inf 0 0 0 1\n",
                 "'F' line 1: column 'c3': 'inf' is not a finite number");
    assert_error(SCN_TUM, "2 2 3 4 0 0 0 1\n\n1 2 3 4 0 0 0 1\n",
                 "'F' line 3: time 1 s does not increase (2 s before)");
    assert_error(SCN_TUM, "1 2 3 4 0 0 0 2\n", "'F' line 1: quaternion of length 2, not 1");
    assert_error(SCN_TUM, "# nothing\n", "'F': no records");
    no_leak();
}

Test(import, kitti_errors)
{
    assert_error(SCN_KITTI, "1 0 0 0 0 1 0 0 0 0 1\n", "'F' line 1: 11 fields, KITTI has 12");
    assert_error(SCN_KITTI, "1 0 0 0 0 1 0 0 0 0 1.002 0\n",
                 "'F' line 1: the 3x3 matrix is no rotation");
    assert_error(SCN_KITTI, "1 0 0 0 0 1 0 0 0 0 1 0\n1 0 0 0 0 1 0 0 0 0 -1 0\n",
                 "'F' line 2: the 3x3 matrix is no rotation");
    assert_error(SCN_KITTI, "1 0 0 0 0 1 0 0 0 0 nan 0\n",
                 "'F' line 1: column 'c10': 'nan' is not a finite number");
    no_leak();
}

Test(import, euroc_errors)
{
    assert_error(SCN_EUROC, "1,1,2,3,1,0,0\n", "'F' line 1: 7 fields, EuRoC has 8 or more");
    assert_error(SCN_EUROC, "1.5,1,2,3,1,0,0,0\n",
                 "'F' line 1: time '1.5' is no whole number of nanoseconds");
    assert_error(SCN_EUROC, "1,1,2,3,1,0,0,0\n99999999999999999999,1,2,3,1,0,0,0\n",
                 "'F' line 2: time '99999999999999999999' is no whole number of nanoseconds");
    assert_error(SCN_EUROC, "5,1,2,3,1,0,0,0\n5,1,2,3,1,0,0,0\n",
                 "'F' line 2: time 0 s does not increase (0 s before)");
    assert_error(SCN_EUROC, "5,1,2,3,1,0,0,0\n9,1,2,3,1,0.1,0,0\n",
                 "'F' line 2: quaternion of length 1.00499, not 1");
    no_leak();
}

Test(import, pqp_errors)
{
    assert_error(SCN_PQP, "", "'F': no frames");
    assert_error(SCN_PQP, "1.5\n", "'F' line 1: 1.5 is no number of frames");
    assert_error(SCN_PQP, "0\n", "'F' line 1: 0 is no number of frames");
    assert_error(SCN_PQP, "1 2\n", "'F' line 1: 2 fields instead of 1");
    assert_error(SCN_PQP, "2\n1 0 0\n0 1 0\n0 0 1\n0 0 0\n1 0 0\n",
                 "'F' line 6: the file ends in frame 2 of 2");
    assert_error(SCN_PQP, "1\n1 0 0\n0 1\n0 0 1\n0 0 0\n", "'F' line 3: 2 fields instead of 3");
    assert_error(SCN_PQP, "1\n1 0 0\n0 1 x\n0 0 1\n0 0 0\n", "'F' line 3: 'x' is no finite number");
    assert_error(SCN_PQP, "1\n1 0 0\n0 1 1\n0 0 1\n0 0 0\n",
                 "'F' line 5: the 3x3 matrix is no rotation");
    assert_error(SCN_PQP, "1\n1 0 0\n0 1 0\n0 0 1\n0 0 0\n4\n",
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
        scn_trajectory t;
        base_error err = {0};
        cr_assert_eq(scn_trajectory_import(files[i].path, files[i].format, &t, &err), BASE_OK, "%s",
                     err.text);
        cr_assert_geq(t.frame_count, files[i].frames_min, "%s: %zu", files[i].path, t.frame_count);
        scn_trajectory_release(&t);
    }
}
