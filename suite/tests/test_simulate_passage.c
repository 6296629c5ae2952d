/**
 * Bodies that pass through each other, detected by the paths of points, independent of the
 * triangles.
 */
#include "geometry/pose.h"
#include "suite/simulate/passage.h"
#include "suite/tests/simulate.h"

#include <math.h>

TestSuite(passage, .init = enter_folder, .fini = leave_folder);

enum { PATH_MOST = 400 };

/** Poses of B's origin in A's frame, in order of time. */
typedef struct motion {
    vec3 positions[PATH_MOST];
    geo_quat turn; /* the same for all of them */
    size_t count;
} motion;

/** A straight motion from `begin` to `end` in `steps` steps, including both ends. */
static motion straight(vec3 begin, vec3 end, size_t steps)
{
    motion p = {.turn = geo_quat_identity(), .count = steps + 1};
    for (size_t i = 0; i <= steps; i++) {
        p.positions[i] = vec3_madd(begin, (double)i / (double)steps, vec3_sub(end, begin));
    }
    return p;
}

/** The same motion there and back. */
static motion there_and_back(vec3 begin, vec3 end, size_t steps)
{
    motion p = straight(begin, end, steps);
    for (size_t i = 0; i < steps; i++) {
        p.positions[p.count++] = p.positions[steps - 1 - i];
    }
    return p;
}

static bench_passed follow(const char *a, const char *b, const motion *path)
{
    static geo_pose poses[PATH_MOST];
    bench_pair pair;
    bench_passage *passage;
    bench_passed passed;
    open_pair(a, b, &pair);
    assert_ok(bench_passage_create(&pair, &passage, ERR));
    for (size_t i = 0; i < path->count; i++) {
        poses[i] = bench_pair_pose(&pair, path->positions[i], path->turn);
    }
    assert_ok(bench_passage_find(passage, poses, path->count, &passed, ERR));
    bench_passage_destroy(passage);
    bench_pair_close(&pair);
    return passed;
}

static void expect(const char *what, const char *a, const char *b, const motion *path, bool through,
                   double least, double most)
{
    const bench_passed passed = follow(a, b, path);
    cr_expect_eq(passed.through, through, "%s: %s", what, through ? "not through" : "through");
    cr_expect(passed.share >= least && passed.share <= most, "%s: a share of %g", what,
              passed.share);
}

/* --- Plates ----------------------------------------------------------------------------------- */

static void write_quad(FILE *file, size_t a, size_t b, size_t c, size_t d)
{
    fprintf(file, "3 %zu %zu %zu\n3 %zu %zu %zu\n", a, b, c, a, c, d);
}

/**
 * Writes FOLDER/NAME: a plate centred at the origin, edge x edge x thickness, rotated about y. Its
 * large faces have n x n quads. open: without the lower face and the four side faces.
 */
static void write_plate(const char *name, double edge, double thickness, double turn, size_t n,
                        bool open, char file_name[128])
{
    const geo_pose pose =
        geo_pose_make((geo_quat){0, sin(0.5 * turn), 0, cos(0.5 * turn)}, vec3_make(0, 0, 0));
    const size_t row = n + 1, top = row * row;
    snprintf(file_name, 128, "%s/%s", folder, name);
    FILE *const file = fopen(file_name, "w");
    cr_assert_not_null(file);
    fprintf(file, "OFF\n%zu %zu 0\n", 2 * top, open ? 2 * n * n : 4 * n * n + 8 * n);
    for (size_t i = 0; i < 2 * top; i++) {
        const double x = (double)(i % row) / (double)n - 0.5;
        const double y = (double)(i / row % row) / (double)n - 0.5;
        const double z = i < top ? -0.5 : 0.5;
        const vec3 p = geo_pose_apply(&pose, vec3_make(edge * x, edge * y, thickness * z));
        fprintf(file, "%.17g %.17g %.17g\n", p.x, p.y, p.z);
    }
    for (size_t i = 0; i < n * n; i++) {
        const size_t v = i / n * row + i % n;
        write_quad(file, top + v, top + v + 1, top + v + row + 1, top + v + row);
        if (!open) {
            write_quad(file, v, v + row, v + row + 1, v + 1);
        }
    }
    for (size_t i = 0; i < n && !open; i++) {
        const size_t left = i * row, back = n * row + i;
        write_quad(file, i, i + 1, top + i + 1, top + i);
        write_quad(file, back + 1, back, top + back, top + back + 1);
        write_quad(file, left + row, left, top + left, top + left + row);
        write_quad(file, left + n, left + row + n, top + left + row + n, top + left + n);
    }
    fclose(file);
}

static const double tilt = 35 * BASE_PI / 180;
static const vec3 above = {0.002, 0.001, 0.06}, below = {0.002, 0.001, -0.06};

/** Writes a cube of 30 mm, 15 times as thick as the plate. */
static void write_cube(char b[128])
{
    write_box("cube.off", vec3_make(-0.015, -0.015, -0.015), vec3_make(0.015, 0.015, 0.015), b);
}

Test(passage, a_plate_of_any_triangles_is_passed_in_any_steps)
{
    static const size_t steps[] = {120, 7, 1};
    char coarse[128], fine[128], b[128];
    write_plate("coarse.off", 0.2, 0.002, tilt, 1, false, coarse);
    write_plate("fine.off", 0.2, 0.002, tilt, 40, false, fine);
    write_cube(b);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const motion p = straight(above, below, steps[i]);
        expect("12 triangles", coarse, b, &p, true, 1, 1);
        expect("40 x 40 quads", fine, b, &p, true, 1, 1);
    }
}

/** The centre passes at half of the way; the front faces have passed before. */
Test(passage, the_centre_or_half_of_the_points_decides)
{
    char a[128], b[128];
    write_plate("a.off", 0.2, 0.002, 0, 3, false, a);
    write_cube(b);
    const motion before = straight(above, vec3_make(0.002, 0.001, 0), 50);
    const motion behind = straight(above, vec3_make(0.002, 0.001, -0.0012), 50);
    const motion all = straight(above, vec3_make(0.002, 0.001, -0.0158), 50);
    const motion almost = straight(above, vec3_make(0.002, 0.001, -0.0142), 50);
    expect("the centre is in the plate", a, b, &before, false, 0.42, 0.5);
    expect("the centre is behind it", a, b, &behind, true, 0.42, 0.5);
    expect("the last face is in the plate", a, b, &almost, true, 0.75, 0.85);
    expect("all of it is through", a, b, &all, true, 0.75, 0.85);
}

/** After the passage it enters the plate again from behind. */
Test(passage, what_has_passed_stays_so)
{
    char a[128], b[128];
    write_plate("a.off", 0.2, 0.002, 0, 3, false, a);
    write_cube(b);
    motion p = straight(above, below, 40);
    const motion again = there_and_back(below, vec3_make(0.002, 0.001, -0.0155), 20);
    memcpy(p.positions + p.count, again.positions, again.count * sizeof *p.positions);
    p.count += again.count;
    expect("through, and a little back", a, b, &p, true, 1, 1);
}

/** A plate of 1e-16 m: both crossings of a step of 20 m round to the same double. */
Test(passage, crossings_that_round_to_one_place_take_turns)
{
    char a[128], b[128];
    write_plate("a.off", 0.2, 1e-16, 0, 3, false, a);
    write_cube(b);
    const motion down = straight(vec3_make(0, 0, 10), vec3_make(0, 0, -10), 1);
    const motion up = straight(vec3_make(0, 0, -10), vec3_make(0, 0, 10), 1);
    expect("down", a, b, &down, true, 1, 1);
    expect("up", a, b, &up, true, 1, 1);
}

/** Few of A's points pass through the part of B that is completely inside. */
Test(passage, going_back_clipping_and_sliding_are_no_passage)
{
    static const double few = 0.03;
    char plate[128], b[128], box[128];
    write_plate("plate.off", 0.2, 0.04, tilt, 4, false, plate);
    write_cube(b);
    write_box("box.off", vec3_make(-0.1, -0.1, -0.1), vec3_make(0.1, 0.1, 0.1), box);
    const vec3 high = {0.002, 0.001, 0.08}, dip = {0.002, 0.001, 0.01}, top = {0.002, 0.001, 0.03};
    const motion back = there_and_back(high, dip, 60), jump = there_and_back(high, dip, 1);
    const motion touch = there_and_back(high, top, 60);
    expect("it goes in and comes back", plate, b, &back, false, 0, few);
    expect("in jumps", plate, b, &jump, false, 0, few);
    expect("half of it", plate, b, &touch, false, 0, 0);
    /* From above the box's edge to a point beside it. */
    const motion clip = straight(vec3_make(0.08, 0, 0.12), vec3_make(0.13, 0, 0.07), 60);
    expect("a corner clips an edge", box, b, &clip, false, 0, 0);
    const motion along = straight(vec3_make(-0.15, 0, 0.115), vec3_make(0.15, 0, 0.115), 60);
    expect("a face slides on a face", box, b, &along, false, 0, few);
    const motion edge = straight(vec3_make(-0.15, 0.115, 0.115), vec3_make(0.15, 0.115, 0.115), 60);
    expect("an edge slides on an edge", box, b, &edge, false, 0, few);
    const motion out = straight(vec3_make(0, 0, 0), vec3_make(0, 0, 0.2), 60);
    expect("it begins inside", box, b, &out, false, 0, few);
}

/**
 * The faces at the tilted edge are at right angles up to rounding, so the scalar product of their
 * normals has either sign.
 */
Test(passage, right_angles_are_no_opposed_faces)
{
    char a[128], b[128];
    write_box("b.off", vec3_make(-0.001, -0.08, -0.001), vec3_make(0.001, 0.08, 0.001), b);
    for (int degrees = 1; degrees <= 40; degrees += 3) {
        const double turn = degrees * BASE_PI / 180;
        write_plate("a.off", 0.2, 0.2, turn, 7, false, a);
        const geo_pose pose =
            geo_pose_make((geo_quat){0, sin(0.5 * turn), 0, cos(0.5 * turn)}, vec3_make(0, 0, 0));
        const motion clip = straight(geo_pose_apply(&pose, vec3_make(0.08, 0, 0.11)),
                                     geo_pose_apply(&pose, vec3_make(0.11, 0, 0.08)), 3);
        expect("a bar clips an edge", a, b, &clip, false, 0, 0.03);
    }
}

Test(passage, a_body_beside_a_plate_passes_nothing)
{
    static const vec3 beside[] = {{0.15, 0, 0}, {-0.15, 0, 0}, {0, 0.15, 0}, {0, -0.15, 0}};
    char a[128], b[128];
    write_plate("a.off", 0.2, 0.002, 0, 1, false, a);
    write_cube(b);
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        const vec3 up = vec3_make(0.003, 0.004, 0.1);
        const motion p = straight(vec3_add(beside[i], up), vec3_sub(beside[i], up), 9);
        expect("beside", a, b, &p, false, 0, 0);
    }
}

/**
 * Beyond the longest edge of two faces, and within their boxes. It is in turn the first, second and
 * third edge of both.
 */
Test(passage, a_face_ends_at_each_of_its_edges)
{
    char a[128], b[128];
    write_cube(b);
    for (int turn = 0; turn < 3; turn++) {
        static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {3, 1, 2}};
        snprintf(a, sizeof a, "%s/corner%d.off", folder, turn);
        FILE *const file = fopen(a, "w");
        cr_assert_not_null(file);
        fprintf(file, "OFF\n4 4 0\n0 0 0\n0.2 0 0\n0 0.2 0\n0 0 0.2\n");
        for (int f = 0; f < 4; f++) {
            fprintf(file, "3 %d %d %d\n", faces[f][turn], faces[f][(turn + 1) % 3],
                    faces[f][(turn + 2) % 3]);
        }
        fclose(file);
        const motion p = straight(vec3_make(0.15, 0.15, 0.3), vec3_make(0.15, 0.15, -0.3), 1);
        expect("beside a corner", a, b, &p, false, 0, 0);
        const motion q = straight(vec3_make(0.04, 0.04, 0.3), vec3_make(0.04, 0.04, -0.1), 1);
        expect("through the corner", a, b, &q, true, 1, 1);
    }
}

/** A bar jumps over two edges of two boxes: through top and side, then through side and bottom. */
Test(passage, crossings_of_a_step_are_taken_in_the_order_of_the_way)
{
    char one[128], two[128], a[128], b[128], command[1024];
    write_box("one.off", vec3_make(-0.5, -0.5, -0.5), vec3_make(0, 0.5, 0), one);
    write_box("two.off", vec3_make(0.2, -0.5, -0.24), vec3_make(0.7, 0.5, 0.5), two);
    write_box("bar.off", vec3_make(-0.001, -0.4, -0.001), vec3_make(0.001, 0.4, 0.001), b);
    snprintf(a, sizeof a, "%s/both.off", folder);
    snprintf(command, sizeof command,
             "(echo OFF; echo 16 24 0; sed -n 3,10p %s; sed -n 3,10p %s; sed -n 11,22p %s; "
             "sed -n 11,22p %s | awk '{ print 3, $2 + 8, $3 + 8, $4 + 8 }') >%s",
             one, two, one, two, a);
    cr_assert_eq(system(command), 0);
    /* x + z = -0.02: enters the first box through the top at x = -0.02, leaves at z = -0.02;
     * enters the second box through its side at z = -0.22, leaves through the bottom at x =
     * 0.22. */
    const motion p = straight(vec3_make(-0.12, 0, 0.1), vec3_make(0.38, 0, -0.4), 1);
    const bench_passed passed = follow(a, b, &p);
    cr_expect_not(passed.through, "a share of %g", passed.share);
}

/** Each edge of the open plate is crossed by less than half of the points, which come back. */
Test(passage, points_that_have_gone_back_do_not_add_up)
{
    char a[128], b[128];
    write_plate("open.off", 0.2, 0.002, 0, 3, true, a);
    write_cube(b);
    motion p = there_and_back(vec3_make(0.1015, 0, 0.05), vec3_make(0.1015, 0, -0.05), 20);
    const motion other =
        there_and_back(vec3_make(-0.1015, 0, 0.05), vec3_make(-0.1015, 0, -0.05), 20);
    memcpy(p.positions + p.count, other.positions, other.count * sizeof *p.positions);
    p.count += other.count;
    expect("over two edges", a, b, &p, false, 0.4, 0.5);
}

/** All points and the path are in planes of faces or on edges. */
Test(passage, paths_on_faces_and_edges_are_counted_once)
{
    char a[128], b[128];
    write_plate("a.off", 2, 0.25, 0, 8, false, a); /* lines at multiples of 1/4 */
    write_box("b.off", vec3_make(-0.25, -0.25, -0.25), vec3_make(0.25, 0.25, 0.25), b);
    const motion p = straight(vec3_make(0, 0, 1), vec3_make(0, 0, -1), 16);
    expect("steps end on faces", a, b, &p, true, 1, 1);
    const motion beside = straight(vec3_make(1.25, 0, 1), vec3_make(1.25, 0, -1), 16);
    expect("a side in the plane of a side", a, b, &beside, false, 0, 0.2);
}

Test(passage, a_surface_without_an_inside_is_passed_until_it_is_crossed_back)
{
    char a[128], b[128];
    write_plate("open.off", 0.2, 0.002, tilt, 4, true, a);
    write_cube(b);
    const motion p = straight(above, below, 60), up = straight(below, above, 60);
    expect("from the front", a, b, &p, true, 1, 1);
    expect("from behind", a, b, &up, true, 1, 1);
    const motion both = there_and_back(above, below, 60);
    expect("through and back", a, b, &both, true, 1, 1);
    const motion dip = there_and_back(above, vec3_make(0.002, 0.001, 0.012), 60);
    expect("a little, and back", a, b, &dip, false, 0.05, 0.45);
}

/** A small body at rest passes through a wide body that moves. */
Test(passage, either_body_may_be_the_one_that_passes)
{
    char a[128], b[128];
    write_box("ball.off", vec3_make(0.02, 0.02, -0.005), vec3_make(0.03, 0.03, 0.005), a);
    write_plate("tray.off", 0.2, 0.002, tilt, 5, false, b);
    const motion p = straight(vec3_make(0, 0, 0.1), vec3_make(0, 0, -0.1), 40);
    expect("a tray over a ball", a, b, &p, true, 1, 1);
    const motion miss = straight(vec3_make(0.2, 0, 0.1), vec3_make(0.2, 0, -0.1), 40);
    expect("beside it", a, b, &miss, false, 0, 0);
    /* The ball is 0.1 from the corner at B's origin, on B's side. */
    write_box("wing.off", vec3_make(-0.01, -0.01, -0.001), vec3_make(0.2, 0.2, 0.001), b);
    const motion wing = straight(vec3_make(-0.08, -0.07, 0.1), vec3_make(-0.08, -0.07, -0.1), 40);
    expect("a tray with its origin at a corner", a, b, &wing, true, 1, 1);
}

/**
 * A frame of four bars around a rod: its centroid is in the hole, and the rod passes through it.
 */
Test(passage, a_centroid_outside_of_its_body_is_not_followed)
{
    char rod[128], frame[128];
    write_box("rod.off", vec3_make(-0.01, -0.01, -0.1), vec3_make(0.01, 0.01, 0.1), rod);
    snprintf(frame, sizeof frame, "%s/frame.off", folder);
    FILE *const file = fopen(frame, "w");
    cr_assert_not_null(file);
    fprintf(file, "OFF\n16 32 0\n");
    for (int i = 0; i < 16; i++) { /* outside and inside, four corners each, below and above */
        const double edge = i & 8 ? 0.02 : 0.05;
        const int corner = i & 3;
        fprintf(file, "%g %g %g\n", corner == 1 || corner == 2 ? edge : -edge,
                corner >= 2 ? edge : -edge, i & 4 ? 0.01 : -0.01);
    }
    for (size_t i = 0; i < 4; i++) {
        const size_t k = (i + 1) % 4;
        write_quad(file, i, k, k + 4, i + 4);           /* outside */
        write_quad(file, k + 8, i + 8, i + 12, k + 12); /* the hole */
        write_quad(file, i + 4, k + 4, k + 12, i + 12); /* above */
        write_quad(file, k, i, i + 8, k + 8);           /* below */
    }
    fclose(file);
    const motion p = straight(vec3_make(0, 0, 0.15), vec3_make(0, 0, -0.15), 60);
    expect("a frame over a rod", rod, frame, &p, false, 0, 0);
    const motion wrong = straight(vec3_make(0.035, 0, 0.15), vec3_make(0.035, 0, -0.15), 60);
    expect("the rod goes through a bar", rod, frame, &wrong, true, 0.9, 1);
}

Test(passage, no_path_and_one_pose_are_no_passage)
{
    char a[128], b[128];
    write_plate("a.off", 0.2, 0.002, tilt, 2, false, a);
    write_cube(b);
    motion p = straight(above, below, 1);
    p.count = 1;
    expect("one pose", a, b, &p, false, 0, 0);
    p.count = 0;
    expect("no pose", a, b, &p, false, 0, 0);
}
