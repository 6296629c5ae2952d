#include "base/elementary.h"
#include "base/memory.h"
#include "base/tests/support.h"
#include "geometry/mesh.h"
#include "geometry/pose.h"
#include "groundtruth/volume/flux.h"
#include "groundtruth/volume/flux_pair.h"
#include "groundtruth/volume/volume_tetra.h"

#include "shapes.h"

#include <float.h>

/*
 * The volume by boundary flux: compared with closed forms with coincident features, with
 * tetrahedra, with itself (derivatives, swapping, splitting) and with the reference sets.
 */

static gt_flux query(const shape *a, const shape *b, geo_pose pose)
{
    gt_flux f;
    gt_flux_space *const space = gt_flux_space_create();
    cr_assert_not_null(space);
    assert_ok(gt_flux_query(a->body, b->body, &pose, space, &f, ERR));
    gt_flux_space_destroy(space);
    cr_assert_eq(f.flaws, 0, "%llu flaws", (unsigned long long)f.flaws);
    return f;
}

static vec3 torque_of(const gt_flux *f, vec3 about)
{
    double bound;
    return gt_flux_torque(f, about, &bound);
}

static void check(const char *what, const gt_flux *f, double expected, double size)
{
    const double error = fabs(middle(f->volume_m3) - expected);
    cr_assert(within(f->volume_m3, expected) && error <= 1e-14 * expected + 1e-15 * size,
              "%s: [%.17g, %.17g], not %.17g", what, f->volume_m3.lo, f->volume_m3.hi, expected);
}

/* --- Hand cases ------------------------------------------------------------------------------- */

/** Returns one of the 48 rotations and reflections of the axes; true for the 24 rotations. */
static bool turn_of(int index, mat3 *turn)
{
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                     {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    double m[3][3] = {{0}};
    for (int i = 0; i < 3; i++) {
        m[i][orders[index / 8][i]] = (index >> i & 1) != 0 ? -1 : 1;
    }
    const int odd = (index / 8 >= 3) + (index & 1) + (index >> 1 & 1) + (index >> 2 & 1);
    for (int i = 0; i < 3; i++) {
        turn->row[i] = (vec3){m[i][0], m[i][1], m[i][2]};
    }
    return odd % 2 == 0;
}

static double overlap(double lo, double hi, double lo2, double hi2)
{
    const double width = (hi < hi2 ? hi : hi2) - (lo > lo2 ? lo : lo2);
    return width > 0 ? width : 0;
}

/** Boxes with corners on a coarse grid: faces, edges and corners coincide often. */
Test(flux, boxes_on_a_grid)
{
    base_random random = base_random_seed(51);
    int touching = 0, over = 0;
    for (int pair = 0; pair < 400; pair++) {
        vec3 half[2];
        for (int s = 0; s < 2; s++) {
            half[s] = (vec3){(double)(1 + base_random_below(&random, 4)) / 4,
                             (double)(1 + base_random_below(&random, 4)) / 4,
                             (double)(1 + base_random_below(&random, 4)) / 4};
        }
        SCOPED_SHAPE a = shape_box(vec3_scale(-1, half[0]), half[0]);
        SCOPED_SHAPE b = shape_box(vec3_scale(-1, half[1]), half[1]);
        geo_pose pose = geo_pose_identity();
        while (!turn_of((int)base_random_below(&random, 48), &pose.rotation)) {
        }
        double expected = 1;
        const vec3 turned = vec3_abs(geo_pose_rotate(&pose, half[1]));
        double t[3];
        for (int k = 0; k < 3; k++) {
            t[k] = ((double)base_random_below(&random, 17) - 8) / 4;
            const double ha = vec3_get(half[0], k), hb = vec3_get(turned, k);
            expected *= overlap(-ha, ha, t[k] - hb, t[k] + hb);
        }
        pose.translation = (vec3){t[0], t[1], t[2]};
        const gt_flux f = query(&a, &b, pose);
        check("boxes on a grid, seed 51", &f, expected, 1);
        over += expected > 0;
        touching += f.exact > 0;
    }
    cr_assert(over > 50 && touching > 50, "%d over, %d touching", over, touching);
}

Test(flux, quantities_of_a_corner)
{
    SCOPED_SHAPE a = shape_cube(1), b = shape_cube(1);
    const vec3 by = {0.5, -0.25, 0.75}, overlap_edges = {0.5, 0.75, 0.25};
    const gt_flux f = query(&a, &b, shift(by.x, by.y, by.z));
    check("corner", &f, 0.5 * 0.75 * 0.25, 1);
    const vec3 e = overlap_edges;
    cr_assert(fabs(f.area_m2 - 2 * (e.x * e.y + e.y * e.z + e.z * e.x)) < 1e-15, "%g", f.area_m2);
    const vec3 gradient = {-e.y * e.z, e.x * e.z, -e.x * e.y};
    cr_assert(vec3_distance(f.gradient_m2, gradient) < 1e-15);
    const vec3 centroid = {0.25, -0.125, 0.375};
    cr_assert(vec3_distance(f.centroid, centroid) < 1e-15, "%g %g %g", f.centroid.x, f.centroid.y,
              f.centroid.z);
    /* The pressure on each of B's faces inside A acts at its middle. */
    vec3 torque = {0, 0, 0};
    const vec3 middles[3] = {{0, -0.125, 0.375}, {0.25, 0.25, 0.375}, {0.25, -0.125, 0.25}};
    const vec3 normals[3] = {{gradient.x, 0, 0}, {0, gradient.y, 0}, {0, 0, gradient.z}};
    for (int i = 0; i < 3; i++) {
        torque = vec3_add(torque, vec3_cross(middles[i], normals[i]));
    }
    cr_assert(vec3_distance(torque_of(&f, (vec3){0, 0, 0}), torque) < 1e-15);
}

Test(flux, cavities_and_islands)
{
    SCOPED_SHAPE s = {0}, all = shape_cube(2), small = shape_cube(0.125), tiny = shape_cube(0.5);
    shape_add_box(&s, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, false);
    shape_add_box(&s, (vec3){-0.5, -0.5, -0.5}, (vec3){0.5, 0.5, 0.5}, true);
    shape_add_box(&s, (vec3){-0.25, -0.25, -0.25}, (vec3){0.25, 0.25, 0.25}, false);
    shape_finish(&s);
    const struct {
        const char *name;
        const shape *a, *b;
        vec3 by;
        double expected;
    } cases[] = {
        {"within the cavity", &s, &small, {0.375, 0, 0}, 0},
        {"the same, swapped", &small, &s, {-0.375, 0, 0}, 0},
        {"within the island", &s, &small, {0, 0.125, 0}, 0.125 * 0.125 * 0.125},
        {"within the wall", &s, &small, {0, 0, 0.75}, 0.125 * 0.125 * 0.125},
        {"around all", &all, &s, {0, 0, 0}, 7.125},
        {"within all", &s, &all, {0, 0, 0}, 7.125},
        {"in itself", &s, &s, {0, 0, 0}, 7.125},
        {"the island's own size", &s, &tiny, {0, 0, 0}, 0.125},
        {"half out of it", &s, &tiny, {0.25, 0, 0}, 0.0625},
        {"on the cavity's wall", &s, &tiny, {0.5, 0, 0}, 0.0625},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const vec3 p = cases[i].by;
        const gt_flux f = query(cases[i].a, cases[i].b, shift(p.x, p.y, p.z));
        check(cases[i].name, &f, cases[i].expected, 1);
    }
}

static shape torus(void)
{
    shape s = {0};
    shape_add_torus(&s, 20, 12, 1, 0.4);
    shape_finish(&s);
    return s;
}

static shape ball(void)
{
    shape s = {0};
    shape_add_ball(&s, 16, 10, 0.8);
    shape_finish(&s);
    return s;
}

/** A body in itself, at every axis rotation, and shifted by parts of its own edges. */
Test(flux, bodies_in_themselves)
{
    shape bodies[3] = {torus(), ball(), shape_cube(1)};
    for (int i = 0; i < 3; i++) {
        const shape *const s = &bodies[i];
        const gt_flux f = query(s, s, geo_pose_identity());
        check("in itself", &f, s->report.measure.volume_m3, 1);
        cr_assert(f.exact > 0);
        for (int k = 0; k < 48; k++) {
            geo_pose pose = geo_pose_identity();
            if (!turn_of(k, &pose.rotation)) {
                continue;
            }
            const gt_flux there = query(s, s, pose);
            const gt_flux back = query(s, s, geo_pose_inverse(&pose));
            const double v = middle(there.volume_m3), w = middle(back.volume_m3);
            cr_assert(v > 0 && fabs(v - w) < 1e-14, "body %d, turn %d: %.17g, back %.17g", i, k, v,
                      w);
        }
    }
    for (int i = 0; i < 3; i++) {
        shape_release(&bodies[i]);
    }
}

/* --- The traversal ---------------------------------------------------------------------------- */

static uint64_t crossing_pairs(const shape *a, const shape *b, const geo_pose *pose)
{
    uint64_t count = 0, exact = 0;
    gt_segment segment;
    for (size_t i = 0; i < a->mesh.face_count; i++) {
        const geo_triangle s = geo_mesh_triangle(&a->mesh, i);
        const gt_flux_facet of_a = gt_flux_facet_make(&s, 0);
        for (size_t j = 0; j < b->mesh.face_count; j++) {
            const geo_triangle t = geo_pose_apply_triangle(pose, geo_mesh_triangle(&b->mesh, j));
            const gt_flux_facet of_b = gt_flux_facet_make(&t, 0);
            count += gt_flux_facets_cross(&of_a, &of_b, &segment, &exact);
        }
    }
    return count;
}

/** Makes a box in general position whose long faces are slivers. */
static shape needle(double thickness)
{
    shape s = {0};
    base_random random = base_random_seed(58);
    const geo_pose turn = random_pose(&random, 0.1);
    shape_add_box(&s, (vec3){-1, 0, 0}, (vec3){1, thickness, thickness}, false);
    shape_move(&s, &turn);
    shape_finish(&s);
    cr_assert(s.report.solid);
    return s;
}

/** Bounds must not hide a pair, not even of slivers, whose normals are noise. */
Test(flux, finds_every_pair_that_crosses)
{
    shape bodies[] = {torus(),
                      ball(),
                      shape_cube(1),
                      shape_box((vec3){-1, -1, 0}, (vec3){1, 1, 1e-9}),
                      needle(1e-9),
                      needle(1e-12),
                      shape_box((vec3){0, 0, 0}, (vec3){1e-7, 1e-6, 1e-5})};
    enum { COUNT = sizeof bodies / sizeof bodies[0] };
    base_random random = base_random_seed(57);
    uint64_t all = 0;
    gt_flux_space *const space = gt_flux_space_create();
    for (int frame = 0; frame < 300; frame++) {
        const shape *const a = &bodies[frame % 3], *const b = &bodies[frame / 3 % COUNT];
        geo_pose pose = random_pose(&random, 1.2 * base_random_unit(&random));
        if (frame % 5 == 0) {
            pose.rotation = geo_pose_identity().rotation;
        }
        gt_flux f;
        assert_ok(gt_flux_query(a->body, b->body, &pose, space, &f, ERR));
        const uint64_t expected = crossing_pairs(a, b, &pose);
        cr_assert_eq(f.pairs, expected, "seed 57, frame %d: %llu pairs, not %llu", frame,
                     (unsigned long long)f.pairs, (unsigned long long)expected);
        all += expected;
    }
    cr_assert(all > 10000, "%llu", (unsigned long long)all);
    gt_flux_space_destroy(space);
    for (int i = 0; i < COUNT; i++) {
        shape_release(&bodies[i]);
    }
}

/* --- Theoretical properties ------------------------------------------------------------------- */

/**
 * Coordinates of vertices unchanged, and rounded to a few digits, which makes many features
 * coincide.
 */
Test(flux, equals_tetrahedra)
{
    SCOPED_SHAPE a = torus(), b = ball(), c = shape_cube(1.25);
    const shape *const pairs[4][2] = {{&a, &b}, {&b, &c}, {&c, &a}, {&a, &a}};
    shape_tetrahedralise(&a);
    shape_tetrahedralise(&b);
    shape_tetrahedralise(&c);
    base_random random = base_random_seed(52);
    int over = 0;
    for (int frame = 0; frame < 400; frame++) {
        const shape *const *const pair = pairs[frame % 4];
        geo_pose pose = random_pose(&random, 1.6 * base_random_unit(&random));
        if (frame % 3 == 0) {
            turn_of((int)(8 * base_random_below(&random, 3)), &pose.rotation);
            pose.translation.x = rint(4 * pose.translation.x) / 4;
            pose.translation.y = frame % 2 == 0 ? 0 : pose.translation.y;
        }
        const double v = middle(query(pair[0], pair[1], pose).volume_m3);
        gt_volume w;
        gt_volume_query(pair[0]->body, pair[1]->body, &pose, &w);
        cr_assert(fabs(v - middle(w.volume_m3)) <= 1e-13 * v + 1e-14,
                  "seed 52, frame %d: %.17g, tetrahedra %.17g", frame, v, middle(w.volume_m3));
        over += v > 0;
    }
    cr_assert(over > 200, "%d frames overlap", over);
}

/** Returns the pose rotated by a small angle about an axis through c. */
static geo_pose turned(const geo_pose *pose, vec3 axis, double angle, vec3 c)
{
    const double s = base_sin(angle / 2);
    const geo_pose turn = geo_pose_make(
        (geo_quat){s * axis.x, s * axis.y, s * axis.z, base_cos(angle / 2)}, (vec3){0, 0, 0});
    const vec3 arm = vec3_sub(pose->translation, c);
    return (geo_pose){mat3_mul(turn.rotation, pose->rotation),
                      vec3_add(c, geo_pose_rotate(&turn, arm))};
}

/**
 * Returns central differences of the volume for three translations h along the axes, or three
 * rotations about c.
 */
static vec3 slope(const shape *a, const shape *b, const geo_pose *pose, const vec3 *c, double h)
{
    double slope[3];
    for (int k = 0; k < 3; k++) {
        const vec3 axis = {k == 0, k == 1, k == 2};
        double v[2];
        for (int side = 0; side < 2; side++) {
            const double by = side == 0 ? -h : h;
            const geo_pose shifted = {pose->rotation, vec3_madd(pose->translation, by, axis)};
            v[side] = query(a, b, c ? turned(pose, axis, by, *c) : shifted).value_m3;
        }
        slope[k] = (v[1] - v[0]) / (2 * h);
    }
    return (vec3){slope[0], slope[1], slope[2]};
}

/**
 * Checks derivatives that are not tiny relative to the surface in contact, whose direction would be
 * arbitrary.
 */
static int check_derivatives(const shape *a, const shape *b, const geo_pose *pose, int frame)
{
    const double size = vec3_norm(b->body->half), h = 1e-6 * size;
    const gt_flux f = query(a, b, *pose);
    const vec3 c = geo_pose_apply(pose, b->report.measure.centroid);
    const vec3 gradient = slope(a, b, pose, NULL, h), turn = slope(a, b, pose, &c, h / size);
    const vec3 torque = torque_of(&f, c);
    const double off = geo_direction_angle(vec3_normalize(gradient), vec3_normalize(f.gradient_m2));
    const double off_turn = geo_direction_angle(vec3_normalize(turn), vec3_normalize(torque));
    cr_assert(vec3_distance(gradient, f.gradient_m2) <= 1e-7 * f.area_m2,
              "frame %d: gradient off by %g of area %g", frame,
              vec3_distance(gradient, f.gradient_m2), f.area_m2);
    cr_assert(vec3_distance(turn, torque) <= 1e-7 * size * f.area_m2,
              "frame %d: torque off by %g of area %g", frame, vec3_distance(turn, torque),
              f.area_m2);
    const bool pushed = vec3_norm(f.gradient_m2) > 0.1 * f.area_m2;
    const bool turning = vec3_norm(torque) > 0.02 * size * f.area_m2;
    cr_assert(!pushed || off < 1e-6, "frame %d: direction of the gradient off by %g", frame, off);
    cr_assert(!turning || off_turn < 1e-6, "frame %d: direction of the torque off by %g", frame,
              off_turn);
    return pushed && turning;
}

Test(flux, gradient_and_torque_are_derivatives)
{
    SCOPED_SHAPE a = torus(), b = ball();
    base_random random = base_random_seed(53);
    int directions = 0;
    for (int frame = 0; frame < 60; frame++) {
        const geo_pose pose = random_pose(&random, 0.3 + base_random_unit(&random));
        directions += check_derivatives(&b, &a, &pose, frame);
    }
    cr_assert(directions > 20, "%d", directions);
}

/**
 * The sum of the forces on both bodies is 0, also that of the moments about any point, and both
 * orders give the same overlap.
 */
Test(flux, action_is_reaction)
{
    SCOPED_SHAPE a = torus(), b = ball();
    base_random random = base_random_seed(54);
    int over = 0;
    for (int frame = 0; frame < 100; frame++) {
        const geo_pose pose = random_pose(&random, 1.5 * base_random_unit(&random));
        const geo_pose inverse = geo_pose_inverse(&pose);
        const gt_flux f = query(&a, &b, pose), g = query(&b, &a, inverse);
        const vec3 gradient = geo_pose_rotate(&pose, g.gradient_m2);
        const vec3 about = geo_random_direction(&random);
        const vec3 there = torque_of(&f, about);
        const vec3 back = geo_pose_rotate(&pose, torque_of(&g, geo_pose_apply(&inverse, about)));
        cr_assert(vec3_norm(vec3_add(f.gradient_m2, gradient)) <= 1e-14, "frame %d: %g", frame,
                  vec3_norm(vec3_add(f.gradient_m2, gradient)));
        cr_assert(vec3_norm(vec3_add(there, back)) <= 1e-14, "frame %d: %g", frame,
                  vec3_norm(vec3_add(there, back)));
        cr_assert(fabs(middle(f.volume_m3) - middle(g.volume_m3)) <= 1e-14);
        cr_assert(fabs(f.area_m2 - g.area_m2) <= 1e-13);
        if (middle(f.volume_m3) > 1e-6) {
            const vec3 centroid = geo_pose_apply(&pose, g.centroid);
            cr_assert(vec3_distance(f.centroid, centroid) <= 1e-11, "frame %d", frame);
            over++;
        }
    }
    cr_assert(over > 40, "%d frames overlap", over);
}

Test(flux, scales_exactly_by_powers_of_two)
{
    SCOPED_SHAPE a = torus(), b = ball();
    int over = 0;
    for (int exponent = -40; exponent <= 40; exponent += 20) {
        const double factor = ldexp(1, exponent);
        SCOPED_SHAPE c = {0}, d = {0};
        shape_add_torus(&c, 20, 12, 1, 0.4);
        shape_add_ball(&d, 16, 10, 0.8);
        shape_scale(&c, factor);
        shape_scale(&d, factor);
        shape_finish(&c);
        shape_finish(&d);
        base_random random = base_random_seed(55);
        for (int frame = 0; frame < 20; frame++) {
            const geo_pose pose = random_pose(&random, 1.2);
            const geo_pose scaled = {pose.rotation, vec3_scale(factor, pose.translation)};
            const double v = middle(query(&a, &b, pose).volume_m3);
            const double w = middle(query(&c, &d, scaled).volume_m3);
            over += v > 0;
            cr_assert(fabs(w / (factor * factor * factor) - v) <= 1e-15 * v,
                      "2^%d, frame %d: %.17g, not %.17g", exponent, frame, w, v);
        }
    }
    cr_assert(over >= 80, "%d frames overlap", over);
}

Test(flux, the_same_bits_from_every_instruction_set)
{
    SCOPED_SHAPE a = torus(), b = ball();
    base_random random = base_random_seed(56);
    for (int frame = 0; frame < 100; frame++) {
        geo_pose pose = random_pose(&random, 1.5 * base_random_unit(&random));
        if (frame % 4 == 0) {
            pose = geo_pose_identity();
            pose.translation.z = 0.25 * frame / 100;
        }
        const gt_flux wide = query(&a, &b, pose);
        setenv("PROXBENCH_SIMD", "sse2", 1);
        const gt_flux narrow = query(&a, &b, pose);
        unsetenv("PROXBENCH_SIMD");
        cr_assert_eq(memcmp(&wide, &narrow, sizeof wide), 0, "seed 56, frame %d", frame);
    }
}

Test(flux, far_bodies_keep_their_digits)
{
    SCOPED_SHAPE a = {0}, b = {0};
    const double far = 0x1p20;
    shape_add_box(&a, (vec3){far, far, -far}, (vec3){far + 1, far + 1, 1 - far}, false);
    shape_add_box(&b, (vec3){-far, 0, far}, (vec3){1 - far, 1, far + 1}, false);
    shape_finish(&a);
    shape_finish(&b);
    const gt_flux f = query(&a, &b, shift(2 * far + 0.5, far + 0.25, -2 * far));
    cr_assert(fabs(middle(f.volume_m3) - 0.375) <= 1e-14, "%.17g", middle(f.volume_m3));
}

/** After a failure of any allocation the next query with the same space is right. */
Test(flux, memory_that_runs_out)
{
    SCOPED_SHAPE a = torus(), b = ball();
    const geo_pose pose = shift(0.9, 0.1, 0.05);
    const gt_flux want = query(&a, &b, pose);
    int failed = 0;
    for (size_t n = 0; n < 40; n++) {
        gt_flux got;
        base_error err = {0};
        gt_flux_space *const space = gt_flux_space_create();
        cr_assert_not_null(space);
        base_memory_fail_after(n);
        const base_status status = gt_flux_query(a.body, b.body, &pose, space, &got, &err);
        base_memory_fail_after(SIZE_MAX);
        cr_assert(status == BASE_OK || status == BASE_ERR_MEMORY, "allocation %zu: %s", n,
                  err.text);
        failed += status != BASE_OK;
        assert_ok(gt_flux_query(a.body, b.body, &pose, space, &got, ERR));
        cr_assert_eq(memcmp(&got, &want, sizeof got), 0, "after allocation %zu failed", n);
        gt_flux_space_destroy(space);
    }
    cr_assert(failed > 4, "%d", failed);
}

/* --- Reference sets --------------------------------------------------------------------------- */

static void check_frames(const shape *a, const shape *b, const char *name)
{
    SCOPED_REFERENCE r = reference_read(name);
    for (size_t f = 0; f < r.expected.rows; f += sweep_step(3)) {
        const gt_flux flux = query(a, b, reference_pose(&r, f));
        const double expected = reference_number(&r.expected, f, "volume_m3");
        cr_assert(fabs(middle(flux.volume_m3) - expected) <= 1e-14 * expected,
                  "%s, frame %zu: %.17g, not %.17g", name, f, middle(flux.volume_m3), expected);
    }
}

Test(flux, reference_spot_rocker)
{
    if (!shared_is_there()) {
        cr_skip_test("skipped: ../shared is not there");
    }
    SCOPED_SHAPE a = shape_load("../shared/models/c3d-spot.off");
    SCOPED_SHAPE b = shape_load("../shared/models/c3d-rocker-arm.off");
    check_frames(&a, &b, "spot-rocker-volume");
}

Test(flux, derivatives_of_a_scan)
{
    if (!shared_is_there()) {
        cr_skip_test("skipped: ../shared is not there");
    }
    SCOPED_SHAPE a = shape_load("../shared/models/c3d-spot.off");
    SCOPED_SHAPE b = shape_load("../shared/models/c3d-rocker-arm.off");
    SCOPED_REFERENCE r = reference_read("spot-rocker-volume");
    int directions = 0;
    for (size_t f = 0; f < r.expected.rows; f += 4 * sweep_step(4)) {
        const geo_pose pose = reference_pose(&r, f);
        directions += check_derivatives(&a, &b, &pose, (int)f);
    }
    cr_assert(directions > 3 / (int)sweep_step(4), "%d", directions);
}

Test(flux, reference_bunny)
{
    if (!shared_is_there()) {
        cr_skip_test("skipped: ../shared is not there");
    }
    SCOPED_SHAPE bunny = shape_load("../shared/models/oded-bunny_hr.off");
    check_frames(&bunny, &bunny, "bunny-bunny-volume");
    const gt_flux f = query(&bunny, &bunny, geo_pose_identity());
    const double whole = bunny.report.measure.volume_m3;
    cr_assert(fabs(middle(f.volume_m3) - whole) <= 1e-14 * whole, "in itself: %.17g, not %.17g",
              middle(f.volume_m3), whole);
}

/* --- Kinks ------------------------------------------------------------------------------------ */

/** Where a face is in a face of the other body, the gradient's limits from both sides are within
 * the jump. */
Test(flux, jumps_where_faces_coincide)
{
    SCOPED_SHAPE a = shape_cube(1), b = shape_cube(1);
    const struct {
        const char *name;
        vec3 at;
        double jump; /* the common area in one plane, or the length of several such vectors */
    } cases[] = {
        {"face to face", {1, 0, 0}, 1},
        {"a face slid over a face", {0.5, 0.25, 1}, 0.375},
        {"flush on two sides", {0, 0.25, 0.5}, 0.75},
        {"an edge on an edge", {1, 1, 0.25}, 0},
        {"a vertex on a vertex", {1, 1, 1}, 0},
        {"in general position", {0.5, 0.25, 0.125}, 0},
        {"apart", {1.5, 0, 0}, 0},
        {"in one another", {0, 0, 0}, 3.464102},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const vec3 at = cases[i].at;
        const gt_flux f = query(&a, &b, shift(at.x, at.y, at.z));
        const double jump = gt_flux_jump(&f);
        cr_assert(jump >= cases[i].jump * (1 - 1e-6) && jump <= 1.02 * cases[i].jump + 1e-11,
                  "%s: %.9g, not %.9g", cases[i].name, jump, cases[i].jump);
        for (int k = 0; k < 8; k++) {
            const double e = 0x1p-30;
            const vec3 beside = {at.x + (k & 1 ? e : -e), at.y + (k & 2 ? 2 * e : -2 * e),
                                 at.z + (k & 4 ? 3 * e : -3 * e)};
            const gt_flux g = query(&a, &b, shift(beside.x, beside.y, beside.z));
            const double off = vec3_distance(f.gradient_m2, g.gradient_m2);
            cr_assert(off <= jump + 1e-7, "%s, side %d: off by %g, jump %g", cases[i].name, k, off,
                      jump);
            double bound, unused;
            const vec3 centroid = at;
            const vec3 torque = gt_flux_torque(&f, centroid, &bound);
            const double turn = vec3_distance(torque, gt_flux_torque(&g, centroid, &unused));
            cr_assert(turn <= bound + 1e-7, "%s, side %d: torque off by %g, bound %g",
                      cases[i].name, k, turn, bound);
        }
    }
}

static shape octahedron(double r)
{
    static const geo_face faces[8] = {{{0, 2, 4}}, {{2, 1, 4}}, {{1, 3, 4}}, {{3, 0, 4}},
                                      {{2, 0, 5}}, {{1, 2, 5}}, {{3, 1, 5}}, {{0, 3, 5}}};
    const vec3 p[6] = {{r, 0, 0}, {-r, 0, 0}, {0, r, 0}, {0, -r, 0}, {0, 0, r}, {0, 0, -r}};
    shape s = {0};
    shape_add(&s, p, 6, faces, 8, false);
    shape_finish(&s);
    return s;
}

/** A face with a normal along no axis, on one of twice its size. */
Test(flux, jumps_along_a_slanted_face)
{
    SCOPED_SHAPE a = octahedron(1), b = octahedron(2);
    const gt_flux f = query(&a, &b, shift(1, 1, 1));
    const double jump = gt_flux_jump(&f), area = sqrt(3) / 2;
    cr_assert(jump >= area && jump <= 1.02 * area, "%g", jump);
}

/** Faces across each other in one plane, under any rotation: the jump is the common area. */
Test(flux, jumps_by_the_common_area)
{
    base_random random = base_random_seed(57);
    SCOPED_SHAPE a = shape_box((vec3){-1, -1, -1}, (vec3){1, 1, 0});
    SCOPED_SHAPE b = shape_box((vec3){-1, -0.25, 0}, (vec3){1, 0.25, 1});
    for (int i = 0; i < 50; i++) {
        const double half = base_random_range(&random, 0, BASE_PI);
        const geo_quat q = {0, 0, base_sin(half), base_cos(half)};
        const geo_pose pose = geo_pose_make(q, (vec3){0, 0, 0});
        const double s = fabs(base_sin(2 * half)), c = fabs(base_cos(2 * half));
        /* If the strip of width 0.5 is steep, it leaves the square through two of its sides. */
        const double whole = 2 * 0.5, reach = c + 0.25 * s;
        const gt_flux f = query(&a, &b, pose);
        const double jump = gt_flux_jump(&f);
        const bool inside = reach <= 1 && s + 0.25 * c <= 1;
        cr_assert(jump <= 1.02 * whole && (!inside || jump >= whole), "seed 57, %d: %g", i, jump);
        cr_assert(jump > 0.9, "seed 57, %d: %g", i, jump);
    }
}
