#include "algorithms/ist/tests/solids.h"
#include "algorithms/tests/pair.h"
#include "base/tests/sweep.h"

#include <stdlib.h>
#include <string.h>

enum { BOTH = ALG_WANT_DISTANCE | ALG_WANT_CONTACT };

static const char *const variants[] = {"ist-exact:voxels=24", "ist-exact:packing=cover,voxels=12",
                                       "ist-exact:start=last,voxels=16"};
enum { VARIANTS = sizeof variants / sizeof *variants };

enum { POSES_MAX = 400 };

/** Compares `count` random poses within reach with brute force. Releases the meshes. */
static void compare(const char *what, geo_mesh a, geo_mesh b, double reach, int count)
{
    /* Brute force is slow, so it answers each pose once for all variants. */
    pair brute = pair_open("brute", &a, &b, BOTH);
    geo_pose poses[POSES_MAX];
    double truth[POSES_MAX];
    base_random random = base_random_seed(11);
    const int step = (int)sweep_step(5);
    int overlapping = 0;
    for (int i = 0; i < count; i += step) {
        poses[i] = shape_pose(&random, reach);
        truth[i] = pair_ask(&brute, &poses[i]).distance_m;
        overlapping += truth[i] == 0;
    }
    pair_close(&brute);
    cr_assert(overlapping > 8 / step && count / step - overlapping > 8 / step,
              "%s: %d of %d overlap", what, overlapping, count);
    for (int v = 0; v < VARIANTS; v++) {
        pair p = pair_open(variants[v], &a, &b, BOTH);
        for (int i = 0; i < count; i += step) {
            const alg_answer y = pair_ask(&p, &poses[i]);
            cr_assert_eq(y.distance_m, truth[i], "%s, %s, pose %d: %.17g for %.17g", what,
                         variants[v], i, y.distance_m, truth[i]);
            cr_assert_eq(y.colliding, truth[i] == 0, "%s, %s, pose %d", what, variants[v], i);
            cr_assert_float_eq(vec3_distance(y.witness_a, y.witness_b), truth[i], 1e-13,
                               "%s, %s, pose %d", what, variants[v], i);
        }
        pair_close(&p);
    }
    geo_mesh_release(&a);
    geo_mesh_release(&b);
}

Test(ist_exact, balls)
{
    compare("balls", shape_ball((vec3){0, 0, 0}, 1, 4), shape_ball((vec3){0.3, 0, 0}, 0.7, 4), 1.7,
            120);
}

Test(ist_exact, cubes)
{
    compare("cubes", shape_cube((vec3){0, 0, 0}, 1),
            shape_box((vec3){-0.5, -1, -0.7}, (vec3){0.5, 1, 0.7}), 2.2, 400);
}

Test(ist_exact, needle_and_cube)
{
    compare("needle", shape_box((vec3){-1, -0.07, -0.06}, (vec3){1, 0.07, 0.06}),
            shape_cube((vec3){0.4, 0, 0}, 0.5), 1.4, 200);
}

Test(ist_exact, cavity_and_parts)
{
    compare("cavity", solid_with_cavity(), shape_cube((vec3){0, 0, 0}, 0.1), 1.3, 200);
    compare("two with cavities", solid_with_cavity(), solid_with_cavity(), 2.2, 60);
}

/** Tests a body inside the cavity of the other one, which is apart from it. */
Test(ist_exact, in_the_cavity)
{
    SCOPED_MESH a =
        shape_join(shape_cube((vec3){0, 0, 0}, 1), shape_reverse(shape_cube((vec3){0, 0, 0}, 0.5)));
    SCOPED_MESH b = shape_cube((vec3){0, 0, 0}, 0.125);
    for (int v = 0; v < VARIANTS; v++) {
        pair p = pair_open(variants[v], &a, &b, BOTH), q = pair_open(variants[v], &b, &a, BOTH);
        const geo_pose in = shape_shift(0.25, 0, 0), wall = shape_shift(0.75, 0, 0);
        const geo_pose touching = shape_shift(0.375, 0, 0), out = shape_shift(2, 0, 0);
        cr_assert_eq(pair_ask(&p, &in).distance_m, 0.125);
        cr_assert_eq(pair_ask(&q, &in).distance_m, 0.125);
        cr_assert_eq(pair_ask(&p, &wall).distance_m, 0);
        cr_assert_eq(pair_ask(&q, &wall).distance_m, 0);
        cr_assert(pair_ask(&p, &touching).colliding);
        cr_assert_eq(pair_ask(&p, &out).distance_m, 0.875);
        pair_close(&p);
        pair_close(&q);
    }
}

Test(ist_exact, touching_identical_and_nested)
{
    SCOPED_MESH a = shape_cube((vec3){0, 0, 0}, 1), b = shape_cube((vec3){0, 0, 0}, 0.25);
    pair p = pair_open("ist-exact:voxels=16", &a, &a, BOTH);
    pair q = pair_open("ist-exact:voxels=16", &a, &b, BOTH);
    const geo_pose poses[] = {geo_pose_identity(), shape_shift(2, 0, 0), shape_shift(2, 2, 0),
                              shape_shift(2, 2, 2), shape_shift(0, 0.5, 0)};
    for (size_t i = 0; i < sizeof poses / sizeof *poses; i++) {
        const alg_answer x = pair_ask(&p, &poses[i]);
        cr_assert(x.distance_m == 0 && x.colliding, "pose %zu: %g", i, x.distance_m);
    }
    cr_assert_eq(pair_ask(&p, &(geo_pose){poses[0].rotation, {2.5, 0.3, 0}}).distance_m, 0.5);
    const alg_answer inside = pair_ask(&q, &(geo_pose){poses[0].rotation, {0.7, 0.7, 0.7}});
    cr_assert(inside.distance_m == 0 && inside.colliding);
    pair_close(&p);
    pair_close(&q);
}

/**
 * Tests that scaling by powers of two changes no digit, and that far bodies keep the digits that
 * doubles allow.
 */
Test(ist_exact, scale_and_place)
{
    SCOPED_MESH a = solid_with_cavity(), b = shape_ball((vec3){0, 0, 0}, 0.5, 3);
    SCOPED_MESH small_a = shape_move(solid_with_cavity(), geo_pose_identity(), 0x1p-20);
    SCOPED_MESH small_b =
        shape_move(shape_ball((vec3){0, 0, 0}, 0.5, 3), geo_pose_identity(), 0x1p-20);
    pair p = pair_open(variants[0], &a, &b, BOTH);
    pair q = pair_open(variants[0], &small_a, &small_b, BOTH);
    pair truth = pair_open("brute", &a, &b, BOTH);
    base_random random = base_random_seed(5);
    for (size_t i = 0; i < 100; i += sweep_step(5)) {
        geo_pose pose = shape_pose(&random, 2);
        const double d = pair_ask(&p, &pose).distance_m;
        geo_pose far = pose, small = pose;
        small.translation = vec3_scale(0x1p-20, pose.translation);
        cr_assert_eq(pair_ask(&q, &small).distance_m, 0x1p-20 * d, "pose %zu", i);
        far.translation = vec3_scale(1e6, geo_random_direction(&random));
        cr_assert_eq(pair_ask(&p, &far).distance_m, pair_ask(&truth, &far).distance_m, "pose %zu",
                     i);
    }
    pair_close(&p);
    pair_close(&q);
    pair_close(&truth);
}

static alg_status prepare(const char *name, const alg_mesh *mesh, alg_message *message)
{
    alg_variant v;
    alg_build_info info = {0};
    void *prepared;
    cr_assert_eq(alg_variant_parse(name, 1, &v, message), ALG_OK, "%s", message->text);
    const alg_status status =
        v.algorithm->prepare(&v.settings, mesh, ALG_FIXED, &prepared, &info, message);
    cr_assert_eq(status == ALG_OK, prepared != NULL);
    v.algorithm->dispose(prepared);
    return status;
}

Test(ist_exact, needs_solids)
{
    SCOPED_MESH mesh = shape_cube((vec3){0, 0, 0}, 1);
    const alg_mesh open = shape_body(&mesh, false);
    alg_message message;
    cr_assert_eq(prepare("ist-exact:voxels=8", &open, &message), ALG_UNSUPPORTED);
    cr_assert_not_null(strstr(message.text, "solid"), "%s", message.text);
}

Test(ist_exact, out_of_memory)
{
    SCOPED_MESH mesh = solid_with_cavity();
    const alg_mesh body = shape_body(&mesh, true);
    alg_status status = ALG_OUT_OF_MEMORY;
    size_t failures = 0;
    for (size_t n = 0; status != ALG_OK; n += sweep_step(3)) {
        alg_message message;
        base_memory_fail_after(n);
        status = prepare("ist-exact:voxels=8", &body, &message);
        base_memory_fail_after(SIZE_MAX);
        failures += status == ALG_OUT_OF_MEMORY;
        cr_assert(status == ALG_OK || status == ALG_OUT_OF_MEMORY, "%s", message.text);
    }
    cr_assert_gt(failures, 20 / sweep_step(3), "%zu", failures);
}

static void check_reference(const char *set, const char *file_a, const char *file_b)
{
    reference r;
    if (!reference_open(set, file_a, file_b, &r)) {
        cr_skip_test("skipped: ../shared is not there");
    }
    pair p = pair_open("ist-exact:min-radius=0.5,voxels=64", &r.a, &r.b, ALG_WANT_DISTANCE);
    for (size_t i = 0; i < r.count; i++) {
        const double d = pair_ask(&p, &r.poses[i]).distance_m;
        cr_assert_float_eq(d, r.distances[i], 1e-12 * r.distances[i] + 64 * 0x1p-52,
                           "%s, frame %zu: %.17g for %.17g", set, i, d, r.distances[i]);
    }
    pair_close(&p);
    reference_close(&r);
}

Test(ist_exact, spot_and_rocker_arm)
{
    check_reference("spot-rocker", "../shared/models/c3d-spot.off",
                    "../shared/models/c3d-rocker-arm.off");
}

Test(ist_exact, two_bunnies)
{
    check_reference("bunny-bunny", "../shared/models/oded-bunny_hr.off",
                    "../shared/models/oded-bunny_hr.off");
}

/**
 * Tests a body so near to a corner that no sphere of the larger cube reaches it: their surfaces are
 * apart.
 */
Test(ist_exact, in_a_corner)
{
    SCOPED_MESH a = shape_cube((vec3){0, 0, 0}, 32), b = shape_cube((vec3){0, 0, 0}, 0.5);
    pair p = pair_open("ist-exact:voxels=8", &a, &b, BOTH);
    pair q = pair_open("ist-exact:voxels=8", &b, &a, BOTH);
    pair spheres = pair_open("ist:voxels=8", &a, &b, ALG_WANT_DISTANCE);
    const geo_pose in = shape_shift(30.25, 30.25, 30.25),
                   around = shape_shift(-30.25, -30.25, -30.25);
    cr_assert_gt(pair_ask(&spheres, &in).distance_m, 0);
    const alg_answer x = pair_ask(&p, &in), y = pair_ask(&q, &around);
    cr_assert(x.distance_m == 0 && x.colliding, "%g", x.distance_m);
    cr_assert(y.distance_m == 0 && y.colliding, "%g", y.distance_m);
    pair_close(&spheres);
    pair_close(&p);
    pair_close(&q);
}
