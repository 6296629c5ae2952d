#include "base/elementary.h"
#include "base/error.h"
#include "base/random.h"
#include "base/tests/support.h"
#include "geometry/pose.h"
#include "geometry/types.h"
#include "groundtruth/body/body.h"
#include "groundtruth/volume/clip_kernel.h"
#include "groundtruth/volume/volume_tetra.h"

#include "shapes.h"

#include <float.h>

static gt_volume query(const shape *a, const shape *b, geo_pose pose)
{
    gt_volume v;
    gt_volume_query(a->body, b->body, &pose, &v);
    return v;
}

static shape ready(shape s)
{
    shape_tetrahedralise(&s);
    return s;
}

static void check(const char *what, gt_volume v, double expected)
{
    cr_assert(within(v.volume_m3, expected) &&
                  fabs(middle(v.volume_m3) - expected) <= 1e-15 * (1 + expected),
              "%s: [%.17g, %.17g], not %.17g", what, v.volume_m3.lo, v.volume_m3.hi, expected);
    /* Half a bracket is 1e-11 V + 64 eps s A, and every body here is below 4 m and 24 m2. */
    const double wide = 2 * (1e-11 * expected + 64 * DBL_EPSILON * 4 * 24);
    cr_assert(v.volume_m3.hi - v.volume_m3.lo <= 1.001 * wide, "%s: width %g", what,
              v.volume_m3.hi - v.volume_m3.lo);
}

/* --- Hand cases ------------------------------------------------------------------------------- */

Test(volume, cubes)
{
    SCOPED_SHAPE a = ready(shape_cube(1)), b = ready(shape_cube(1));
    const struct {
        const char *name;
        vec3 by;
        double expected;
    } cases[] = {
        {"the same", {0, 0, 0}, 1},
        {"half", {0.5, 0, 0}, 0.5},
        {"an edge's part", {0.5, 0.25, 0}, 0.375},
        {"a corner's part", {0.5, -0.5, 0.75}, 0.0625},
        {"a thin slice", {1 - 0x1p-20, 0, 0}, 0x1p-20},
        {"a tiny corner", {1 - 0x1p-12, 1 - 0x1p-12, 0x1p-12 - 1}, 0x1p-36},
        {"touching a face", {1, 0.25, 0.5}, 0},
        {"touching an edge", {1, 1, 0}, 0},
        {"touching a vertex", {1, 1, 1}, 0},
        {"apart", {2, 0, 0}, 0},
        {"far apart", {0, -3, 0}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const vec3 p = cases[i].by;
        const gt_volume v = query(&a, &b, shift(p.x, p.y, p.z));
        check(cases[i].name, v, cases[i].expected);
        cr_assert((v.tetrahedron_tests > 0) == (cases[i].expected > 0));
    }
}

Test(volume, cavities_are_not_filled)
{
    SCOPED_SHAPE shell = {0}, inner = ready(shape_cube(0.5)), outer = ready(shape_cube(2));
    shape_add_box(&shell, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, false);
    shape_add_box(&shell, (vec3){-0.5, -0.5, -0.5}, (vec3){0.5, 0.5, 0.5}, true);
    shape_finish(&shell);
    shape_tetrahedralise(&shell);
    check("inside the cavity", query(&shell, &inner, shift(0.25, 0, 0)), 0);
    check("half into the wall", query(&shell, &inner, shift(0.5, 0, 0)), 0.0625);
    check("inside the wall", query(&shell, &inner, shift(0.75, 0, 0)), 0.125);
    check("around all", query(&outer, &shell, geo_pose_identity()), 7);
    check("a shell in itself", query(&shell, &shell, geo_pose_identity()), 7);
}

Test(volume, an_island_in_a_cavity)
{
    SCOPED_SHAPE s = {0}, all = ready(shape_cube(2));
    shape_add_box(&s, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, false);
    shape_add_box(&s, (vec3){-0.5, -0.5, -0.5}, (vec3){0.5, 0.5, 0.5}, true);
    shape_add_box(&s, (vec3){-0.25, -0.25, -0.25}, (vec3){0.25, 0.25, 0.25}, false);
    shape_finish(&s);
    cr_assert(s.report.solid);
    shape_tetrahedralise(&s);
    check("island", query(&all, &s, geo_pose_identity()), 7.125);
}

/* --- Boxes compared with the closed form ------------------------------------------------------ */

typedef struct flat {
    long double x, y;
} flat;

/** Returns the area of a convex polygon clipped to the rectangle |x| <= hx, |y| <= hy. */
static long double clipped_area(flat *p, int n, double hx, double hy)
{
    for (int side = 0; side < 4; side++) {
        flat out[16];
        int m = 0;
        for (int i = 0; i < n; i++) {
            const flat a = p[i], b = p[(i + 1) % n];
            const long double sign = side % 2 == 0 ? 1 : -1;
            const long double f =
                side < 2 ? (long double)hx - sign * a.x : (long double)hy - sign * a.y;
            const long double g =
                side < 2 ? (long double)hx - sign * b.x : (long double)hy - sign * b.y;
            if (f >= 0) {
                out[m++] = a;
            }
            if ((f >= 0) != (g >= 0)) {
                const long double t = f / (f - g);
                out[m++] = (flat){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
            }
        }
        memcpy(p, out, sizeof out);
        n = m;
    }
    long double area = 0;
    for (int i = 0; i < n; i++) {
        const flat a = p[i], b = p[(i + 1) % n];
        area += a.x * b.y - a.y * b.x;
    }
    return area / 2;
}

/** Returns the common volume of two centred boxes; the second one is rotated about z and moved. */
static double boxes_expected(vec3 half_a, vec3 half_b, const geo_pose *pose)
{
    flat p[16] = {{0, 0}};
    for (int i = 0; i < 4; i++) {
        const double x = i == 0 || i == 3 ? half_b.x : -half_b.x;
        const double y = i < 2 ? half_b.y : -half_b.y;
        const vec3 moved = geo_pose_apply(pose, (vec3){x, y, 0});
        p[i] = (flat){(long double)moved.x, (long double)moved.y};
    }
    const double z = pose->translation.z;
    const double lo = fmax(-half_a.z, z - half_b.z), hi = fmin(half_a.z, z + half_b.z);
    const long double area = clipped_area(p, 4, half_a.x, half_a.y);
    return hi > lo ? (double)(area * ((long double)hi - (long double)lo)) : 0;
}

static vec3 random_half(base_random *random)
{
    const double x = base_random_range(random, 0.1, 1), y = base_random_range(random, 0.1, 1);
    return (vec3){x, y, base_random_range(random, 0.1, 1)};
}

Test(volume, random_boxes_against_the_closed_form)
{
    base_random random = base_random_seed(77);
    const int part = (int)sweep_step(4);
    int apart = 0, over = 0;
    for (int pair = 0; pair < 20 / part; pair++) {
        const vec3 ha = random_half(&random), hb = random_half(&random);
        SCOPED_SHAPE a = ready(shape_box(vec3_scale(-1, ha), ha));
        SCOPED_SHAPE b = ready(shape_box(vec3_scale(-1, hb), hb));
        for (int k = 0; k < 20; k++) {
            const double angle = k % 2 == 0 ? 0 : base_random_range(&random, -4, 4);
            const geo_quat q = {0, 0, base_sin(angle / 2), base_cos(angle / 2)};
            const double x = base_random_range(&random, -1, 1),
                         y = base_random_range(&random, -1, 1);
            const geo_pose pose = geo_pose_make(q, (vec3){x, y, base_random_range(&random, -1, 1)});
            const double expected = boxes_expected(ha, hb, &pose);
            const gt_volume v = query(&a, &b, pose);
            const double error = fabs(middle(v.volume_m3) - expected);
            cr_assert(within(v.volume_m3, expected) && error <= 1e-14 * expected + 1e-13,
                      "seed 77, pair %d, pose %d: %.17g, not %.17g", pair, k, middle(v.volume_m3),
                      expected);
            apart += expected == 0;
            over += expected > 0;
        }
    }
    cr_assert(apart > 30 / part && over > 150 / part, "%d apart, %d over", apart, over);
}

/* --- Theoretical properties ------------------------------------------------------------------- */

static shape torus(void)
{
    shape s = {0};
    shape_add_torus(&s, 20, 12, 1, 0.4);
    shape_finish(&s);
    return ready(s);
}

static shape ball(void)
{
    shape s = {0};
    shape_add_ball(&s, 16, 10, 0.8);
    shape_finish(&s);
    return ready(s);
}

Test(volume, swapping_and_moving_both_change_nothing)
{
    SCOPED_SHAPE a = torus(), b = ball();
    base_random random = base_random_seed(31);
    const int part = (int)sweep_step(2);
    int over = 0;
    for (int frame = 0; frame < 40 / part; frame++) {
        const geo_pose pose = random_pose(&random, 1.5 * base_random_unit(&random));
        const double v = middle(query(&a, &b, pose).volume_m3);
        const double swapped = middle(query(&b, &a, geo_pose_inverse(&pose)).volume_m3);
        cr_assert(fabs(v - swapped) <= 1e-13 * v + 1e-13, "frame %d: %.17g, swapped %.17g", frame,
                  v, swapped);
        over += v > 0;
        if (frame % 8 != 0) {
            continue;
        }
        SCOPED_SHAPE carried = {0};
        shape_add_torus(&carried, 20, 12, 1, 0.4);
        const geo_pose motion = random_pose(&random, 3);
        shape_move(&carried, &motion);
        shape_finish(&carried);
        shape_tetrahedralise(&carried);
        const double both = middle(query(&carried, &b, geo_pose_compose(&motion, &pose)).volume_m3);
        cr_assert(fabs(v - both) <= 1e-13 * v + 1e-14, "frame %d: %.17g, both moved %.17g", frame,
                  v, both);
    }
    cr_assert(over > 20 / part, "%d frames overlap", over);
}

Test(volume, scales_with_the_bodies)
{
    SCOPED_SHAPE a = torus(), b = ball();
    for (int exponent = -24; exponent <= 24; exponent += 12 * (int)sweep_step(2)) {
        const double factor = ldexp(1, exponent), cube = factor * factor * factor;
        SCOPED_SHAPE c = {0}, d = {0};
        shape_add_torus(&c, 20, 12, 1, 0.4);
        shape_add_ball(&d, 16, 10, 0.8);
        shape_scale(&c, factor);
        shape_scale(&d, factor);
        shape_finish(&c);
        shape_finish(&d);
        shape_tetrahedralise(&c);
        shape_tetrahedralise(&d);
        base_random random = base_random_seed(32);
        for (int frame = 0; frame < 10; frame++) {
            const geo_pose pose = random_pose(&random, 1.2);
            const geo_pose scaled = {pose.rotation, vec3_scale(factor, pose.translation)};
            const double v = middle(query(&a, &b, pose).volume_m3);
            const double w = middle(query(&c, &d, scaled).volume_m3);
            cr_assert(v > 0 && fabs(cube * v - w) <= 1e-13 * cube * v,
                      "2^%d, frame %d: %.17g, not %.17g", exponent, frame, w, cube * v);
        }
    }
}

/** A body in itself, rotated by a quarter turn, and inside a cube: planes and edges coincide. */
Test(volume, whole_bodies)
{
    SCOPED_SHAPE a = torus(), big = ready(shape_cube(3)), huge = ready(shape_cube(1000));
    const double whole = a.report.measure.volume_m3;
    const geo_pose quarter = {{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}, {0, 0, 0}};
    const gt_volume cases[] = {
        query(&a, &a, geo_pose_identity()),        query(&a, &a, quarter),
        query(&big, &a, shift(0.01, 0.02, 0.03)),  query(&a, &big, shift(-0.01, 0.02, 0.03)),
        query(&huge, &a, shift(0.01, 0.02, 0.03)), query(&a, &huge, shift(-0.01, 0.02, 0.03))};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        /* A quarter turn maps the torus onto itself up to the last digits of its vertices. */
        cr_assert(fabs(middle(cases[i].volume_m3) - whole) <= 2e-15 * whole * (i == 1 ? 20 : 1),
                  "case %zu: %.17g, not %.17g", i, middle(cases[i].volume_m3), whole);
    }
}

/**
 * The common volume of two bodies is the sum of the common volumes with two halves of one of them.
 */
Test(volume, halves_add_up)
{
    SCOPED_SHAPE a = torus(), left = ready(shape_box((vec3){-2, -2, -2}, (vec3){0, 2, 2})),
                 right = ready(shape_box((vec3){0, -2, -2}, (vec3){2, 2, 2})),
                 whole = ready(shape_box((vec3){-2, -2, -2}, (vec3){2, 2, 2}));
    base_random random = base_random_seed(33);
    for (int frame = 0; frame < 30; frame++) {
        const geo_pose pose = random_pose(&random, 2 * base_random_unit(&random));
        const double sum =
            middle(query(&a, &left, pose).volume_m3) + middle(query(&a, &right, pose).volume_m3);
        const double all = middle(query(&a, &whole, pose).volume_m3);
        cr_assert(all > 0 && fabs(sum - all) <= 1e-14 * all, "frame %d: %.17g in halves, %.17g",
                  frame, sum, all);
    }
}

Test(volume, far_bodies_keep_their_digits)
{
    SCOPED_SHAPE a = {0}, b = {0};
    const double far = 0x1p20;
    shape_add_box(&a, (vec3){far, far, -far}, (vec3){far + 1, far + 1, 1 - far}, false);
    shape_add_box(&b, (vec3){-far, 0, far}, (vec3){1 - far, 1, far + 1}, false);
    shape_finish(&a);
    shape_finish(&b);
    shape_tetrahedralise(&a);
    shape_tetrahedralise(&b);
    const gt_volume v = query(&a, &b, shift(2 * far + 0.5, far + 0.25, -2 * far));
    cr_assert(fabs(middle(v.volume_m3) - 0.375) <= 1e-15, "%.17g", middle(v.volume_m3));
}

Test(volume, only_solids_have_one)
{
    SCOPED_SHAPE open = {0};
    shape_add_box(&open, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, false);
    open.parts.face_count--;
    shape_finish(&open);
    base_error err = {0};
    cr_assert_eq(gt_body_tetrahedralise(open.body, NULL, &err), BASE_ERR_INPUT);
    cr_assert(strstr(err.text, "not a solid: ") == err.text && strstr(err.text, "open edge"), "%s",
              err.text);
}

/* --- Reference sets --------------------------------------------------------------------------- */

#ifdef NDEBUG
enum { STEP = 4 }; /* every fourth frame of the large set */
#else
enum { STEP = 20 };
#endif

static void check_frames(const shape *a, const shape *b, const char *name, size_t step)
{
    SCOPED_REFERENCE r = reference_read(name);
    for (size_t f = 0; f < r.expected.rows; f += step) {
        const gt_volume v = query(a, b, reference_pose(&r, f));
        const double expected = reference_number(&r.expected, f, "volume_m3");
        cr_assert(fabs(middle(v.volume_m3) - expected) <= 4e-15 * expected,
                  "%s, frame %zu: %.17g, not %.17g", name, f, middle(v.volume_m3), expected);
    }
}

Test(volume, reference_spot_rocker)
{
    if (!shared_is_there()) {
        cr_skip_test("skipped: ../shared is not there");
    }
    SCOPED_SHAPE a = ready(shape_load("../shared/models/c3d-spot.off"));
    SCOPED_SHAPE b = ready(shape_load("../shared/models/c3d-rocker-arm.off"));
    check_frames(&a, &b, "spot-rocker-volume", STEP / 4);
}

Test(volume, reference_bunny)
{
    if (!shared_is_there()) {
        cr_skip_test("skipped: ../shared is not there");
    }
    SCOPED_SHAPE bunny = ready(shape_load("../shared/models/oded-bunny_hr.off"));
    check_frames(&bunny, &bunny, "bunny-bunny-volume", STEP * sweep_step(3));
}

/* --- Packets ---------------------------------------------------------------------------------- */

static shape torus_at(vec3 centre)
{
    shape s = {0};
    shape_add_torus(&s, 16, 10, 1, 0.4);
    const geo_pose there = {geo_pose_identity().rotation, centre};
    shape_move(&s, &there);
    shape_finish(&s);
    shape_tetrahedralise(&s);
    return s;
}

static bool used(const gt_cell *cell)
{
    return cell->volume_m3 > 0;
}

Test(volume, packets_are_full_and_hold_what_their_cells_are)
{
    SCOPED_SHAPE s = torus_at((vec3){0, 0, 0});
    const gt_cells *const c = &s.body->cells;
    const size_t packets = c->bvh.primitive_count;
    size_t cells = 0;
    double volume = 0;
    for (size_t i = 0; i < packets; i++) {
        for (size_t lane = 0; lane < GT_PACKET; lane++) {
            const gt_cell *const cell = &c->cells[GT_PACKET * i + lane];
            const gt_packet *const p = &c->packets[i];
            cr_assert_eq(used(cell), p->lo[0][lane] <= p->hi[0][lane], "cell %zu %zu", i, lane);
            cells += used(cell);
            volume += cell->volume_m3;
            for (int k = 0; k < 4 && used(cell); k++) {
                const vec3 q = cell->corners.p[k];
                const double n[3] = {(double)p->normal[k][0][lane], (double)p->normal[k][1][lane],
                                     (double)p->normal[k][2][lane]};
                const double side = n[0] * q.x + n[1] * q.y + n[2] * q.z;
                cr_assert(side - (double)p->offset[k][lane] > -1e-6, "cell %zu %zu: %g", i, lane,
                          side);
                cr_assert(fabs(q.y - (double)p->corner[k][1][lane]) <= 0x1p-23);
            }
        }
    }
    cr_assert(packets * GT_PACKET - cells < GT_PACKET, "%zu cells in %zu packets", cells, packets);
    cr_assert(fabs(volume - s.report.measure.volume_m3) <= 1e-14 * volume);
}

typedef struct sum {
    double volume;
    uint64_t over;  /* number of pairs that share a volume */
    uint64_t boxes; /* number of pairs whose boxes meet */
} sum;

static geo_box box_of_cell(const gt_cell *cell)
{
    geo_box box = {cell->corners.p[0], cell->corners.p[0]};
    for (int i = 1; i < 4; i++) {
        box.lo = vec3_min(box.lo, cell->corners.p[i]);
        box.hi = vec3_max(box.hi, cell->corners.p[i]);
    }
    return box;
}

/**
 * Sums over all pairs without rejection: A's cell is cut by B's if it is smaller, else the reverse.
 */
static sum all_pairs(const shape *a, const shape *b, const geo_pose *pose)
{
    const gt_cells *const ca = &a->body->cells, *const cb = &b->body->cells;
    sum s = {0};
    for (size_t j = 0; j < (size_t)GT_PACKET * cb->bvh.primitive_count; j++) {
        gt_cell moved = cb->cells[j];
        for (int i = 0; i < 4; i++) {
            moved.corners.p[i] = geo_pose_apply(pose, moved.corners.p[i]);
        }
        moved.planes = gt_tetrahedron_planes(&moved.corners);
        for (size_t i = 0; i < (size_t)GT_PACKET * ca->bvh.primitive_count; i++) {
            const gt_cell *const cell = &ca->cells[i];
            if (!used(cell) || !used(&moved)) {
                continue;
            }
            const gt_cell *const cut = cell->size < moved.size ? cell : &moved;
            const gt_cell *const by = cell->size < moved.size ? &moved : cell;
            gt_sides sides[4];
            unsigned inside[4];
            clip_sides(&by->corners, &by->planes, &cut->corners, sides, inside);
            const double part = clip_all(sides, inside);
            s.volume += part * cut->volume_m3;
            s.over += part > 1e-12;
            s.boxes += geo_box_overlap(box_of_cell(cell), box_of_cell(&moved));
        }
    }
    return s;
}

static void check_poses(const shape *a, const shape *b, vec3 offset)
{
    base_random random = base_random_seed(8);
    for (int n = 0; n < 6; n++) {
        geo_pose pose = n == 0 ? geo_pose_identity() : random_pose(&random, 1.2);
        pose.translation = vec3_add(pose.translation, offset);
        pose.translation = vec3_sub(pose.translation, geo_pose_rotate(&pose, offset));
        const sum expected = all_pairs(a, b, &pose);
        gt_volume v[2];
        for (int narrow = 0; narrow < 2; narrow++) {
            if (narrow) {
                setenv("PROXBENCH_SIMD", "sse2", 1);
            }
            gt_volume_query(a->body, b->body, &pose, &v[narrow]);
            unsetenv("PROXBENCH_SIMD");
        }
        cr_assert(memcmp(&v[0], &v[1], sizeof v[0]) == 0, "pose %d: %.17g, narrow %.17g", n,
                  middle(v[0].volume_m3), middle(v[1].volume_m3));
        const double got = middle(v[0].volume_m3);
        cr_assert(fabs(got - expected.volume) <= 1e-13 * expected.volume,
                  "pose %d: %.17g, not %.17g", n, got, expected.volume);
        cr_assert(expected.over > 100 && v[0].tetrahedron_tests >= expected.over,
                  "pose %d: %llu tests, %llu pairs", n, (unsigned long long)v[0].tetrahedron_tests,
                  (unsigned long long)expected.over);
        /* Boxes in float are larger by the margin, and the traversal leaves some pairs out. */
        const double boxes = (double)v[0].box_pairs / (double)expected.boxes;
        cr_assert(boxes > 0.9 && boxes < 1.1 && v[0].box_pairs >= v[0].tetrahedron_tests,
                  "pose %d: %llu pairs of boxes, not %llu", n, (unsigned long long)v[0].box_pairs,
                  (unsigned long long)expected.boxes);
    }
}

Test(volume, nothing_is_rejected_that_counts)
{
    SCOPED_SHAPE a = torus_at((vec3){0, 0, 0});
    check_poses(&a, &a, (vec3){0, 0, 0});
}

Test(volume, nor_far_from_0)
{
    const vec3 far = {1e4, -2e4, 3e3};
    SCOPED_SHAPE a = torus_at(far);
    cr_assert(vec3_norm(a.body->origin) > 1e4);
    check_poses(&a, &a, far);
}

/* --- Two bodies at once ----------------------------------------------------------------------- */

static shape ball_of(uint32_t n)
{
    shape s = {0};
    shape_add_ball(&s, 2 * n, n, 1);
    shape_finish(&s);
    return s;
}

static shape open_box(void)
{
    shape s = {0};
    shape_add_box(&s, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, false);
    s.parts.face_count--;
    shape_finish(&s);
    return s;
}

Test(volume, both_bodies_at_once_are_the_same_as_each)
{
    shape a[2] = {ball_of(6), ball_of(6)}, b[2] = {ball_of(9), ball_of(9)};
    shape_tetrahedralise(&a[0]);
    shape_tetrahedralise(&b[0]);
    assert_ok(gt_bodies_tetrahedralise(a[1].body, b[1].body, NULL, ERR));
    assert_ok(gt_bodies_tetrahedralise(a[1].body, a[1].body, NULL, ERR));
    const geo_pose pose = {geo_pose_identity().rotation, {0.3, 0.2, 0.1}};
    gt_volume v[2];
    for (int i = 0; i < 2; i++) {
        gt_volume_query(a[i].body, b[i].body, &pose, &v[i]);
    }
    cr_assert(v[0].volume_m3.lo > 0.1 && memcmp(&v[0], &v[1], sizeof v[0]) == 0);
    for (int i = 0; i < 2; i++) {
        shape_release(&a[i]);
        shape_release(&b[i]);
    }
}

Test(volume, the_error_is_that_of_the_first_body)
{
    SCOPED_SHAPE good = ball_of(6), open = open_box(), flipped = {0};
    shape_add_box(&flipped, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, true);
    shape_finish(&flipped);
    const struct {
        const shape *a, *b;
        const char *says;
    } cases[] = {
        {&good, &open, "open edge"},
        {&open, &good, "open edge"},
        {&open, &flipped, "open edge"},
        {&flipped, &open, "inside out"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        base_error err = {0};
        cr_assert_eq(gt_bodies_tetrahedralise(cases[i].a->body, cases[i].b->body, NULL, &err),
                     BASE_ERR_INPUT);
        cr_assert(strstr(err.text, cases[i].says), "case %zu: %s", i, err.text);
    }
}
