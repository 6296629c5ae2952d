#include "algorithms/ist/tests/solids.h"
#include "algorithms/tests/pair.h"
#include "base/tests/sweep.h"

#include <string.h>

enum { BOTH = ALG_WANT_DISTANCE | ALG_WANT_CONTACT };

static const char *const variants[] = {
    "ist-triangles:voxels=16", "ist-triangles:band=2,rounds=0,voxels=16",
    "ist-triangles:band=1,packing=cover,voxels=8", "ist-triangles:rounds=0,start=last,voxels=16"};
enum { VARIANTS = sizeof variants / sizeof *variants };

/**
 * Checks that the answer is between the truth and the distance of the spheres. Releases the meshes.
 */
static void check_bounds(const char *what, geo_mesh a, geo_mesh b, double reach, int poses)
{
    const int step = (int)sweep_step(5);
    pair truth = pair_open("brute", &a, &b, BOTH);
    for (int v = 0; v < VARIANTS; v++) {
        const char *const packing = v == 2 ? "ist:packing=cover,voxels=8" : "ist:voxels=16";
        pair p = pair_open(variants[v], &a, &b, BOTH);
        pair spheres = pair_open(packing, &a, &b, ALG_WANT_DISTANCE);
        base_random random = base_random_seed(11);
        size_t better = 0, apart = 0;
        double error = 0, error_of_spheres = 0;
        for (int i = 0; i < poses; i += step) {
            const geo_pose pose = shape_pose(&random, reach);
            const alg_answer x = pair_ask(&truth, &pose), y = pair_ask(&p, &pose);
            const double s = pair_ask(&spheres, &pose).distance_m;
            cr_assert(y.distance_m >= x.distance_m && y.distance_m <= s,
                      "%s, %s, pose %d: %.17g is not from %.17g to %.17g", what, variants[v], i,
                      y.distance_m, x.distance_m, s);
            cr_assert(y.distance_lo_m <= x.distance_m && y.distance_hi_m == y.distance_m,
                      "%s, %s, pose %d: %g for %g", what, variants[v], i, y.distance_lo_m,
                      x.distance_m);
            cr_assert(!y.colliding || x.distance_m == 0);
            if (y.distance_m > 0) {
                cr_assert_float_eq(vec3_distance(y.witness_a, y.witness_b), y.distance_m, 1e-13);
            }
            better += y.distance_m < s;
            apart += x.distance_m > 0;
            error += y.distance_m - x.distance_m;
            error_of_spheres += s - x.distance_m;
        }
        cr_assert((int)apart > 8 / step && 10 * better > 8 * apart, "%s, %s: %zu of %zu are nearer",
                  what, variants[v], better, apart);
        cr_assert_lt(error, 0.7 * error_of_spheres, "%s, %s: %g after %g", what, variants[v], error,
                     error_of_spheres);
        pair_close(&spheres);
        pair_close(&p);
    }
    pair_close(&truth);
    geo_mesh_release(&a);
    geo_mesh_release(&b);
}

Test(ist_triangles, balls)
{
    check_bounds("balls", shape_ball((vec3){0, 0, 0}, 1, 4), shape_ball((vec3){0.3, 0, 0}, 0.7, 4),
                 1.9, 100);
}

Test(ist_triangles, cubes)
{
    check_bounds("cubes", shape_cube((vec3){0, 0, 0}, 1),
                 shape_box((vec3){-0.5, -1, -0.7}, (vec3){0.5, 1, 0.7}), 2.4, 300);
}

Test(ist_triangles, cavity_and_parts)
{
    check_bounds("cavity", solid_with_cavity(), shape_cube((vec3){0, 0, 0}, 0.25), 1.6, 100);
}

/**
 * Tests the definition at the begin of the section ist-triangles of triangles.c, by all pairs of
 * spheres.
 */
Test(ist_triangles, candidates_are_those_of_the_band)
{
    SCOPED_MESH a = solid_with_cavity(), b = shape_ball((vec3){0, 0, 0}, 0.6, 3);
    pair none = pair_open("ist-triangles:rounds=0,voxels=16", &a, &b, BOTH);
    size_t improved = 0;
    double last_sum = INFINITY;
    for (int band = 1; band <= 4; band *= 2) {
        char cold[64], warm[64];
        snprintf(cold, sizeof cold, "ist-triangles:band=%d,rounds=0,voxels=16", band);
        snprintf(warm, sizeof warm, "ist-triangles:band=%d,rounds=0,start=last,voxels=16", band);
        pair p = pair_open(cold, &a, &b, BOTH), q = pair_open(warm, &a, &b, BOTH);
        base_random random = base_random_seed(3);
        double sum = 0;
        for (int i = 0; i < 60; i++) {
            const geo_pose pose = shape_pose(&random, 2);
            const alg_answer x = pair_ask(&p, &pose), y = pair_ask(&q, &pose);
            const bool same_witnesses =
                vec3_equal(x.witness_a, y.witness_a) && vec3_equal(x.witness_b, y.witness_b);
            cr_assert(x.distance_m == y.distance_m && (same_witnesses || x.distance_m == 0),
                      "band %d, pose %d: the start matters", band, i);
            improved += x.distance_m < pair_ask(&none, &pose).distance_m;
            sum += x.distance_m;
        }
        cr_assert_leq(sum, last_sum, "band %d", band);
        last_sum = sum;
        pair_close(&p);
        pair_close(&q);
    }
    cr_assert_gt(improved, 10, "%zu", improved);
    pair_close(&none);
}

Test(ist_triangles, contracts)
{
    const char *const names[] = {"ist-triangles", "ist-exact"};
    for (int i = 0; i < 2; i++) {
        alg_variant v;
        alg_message message;
        cr_assert_eq(alg_variant_parse(names[i], 1, &v, &message), ALG_OK);
        const alg_algorithm *const g = v.algorithm;
        cr_assert(g->flags & ALG_NEEDS_SOLIDS && g->flags & ALG_KEEPS_STATE);
        cr_assert_eq(g->contract(&v.settings, ALG_DISTANCE), i ? ALG_EXACT : ALG_UPPER_BOUND);
        cr_assert_eq(g->contract(&v.settings, ALG_CONTACT), i ? ALG_EXACT : ALG_LOWER_BOUND);
        cr_assert_eq(g->contract(&v.settings, ALG_VOLUME), ALG_NOT_ANSWERED);
    }
}

/** Checks the reference pairs: nearly all poses are accurate to a thousandth. */
static void check_reference(const char *set, const char *file_a, const char *file_b)
{
    reference r;
    if (!reference_open(set, file_a, file_b, &r)) {
        cr_skip_test("skipped: ../shared is not there");
    }
    pair p = pair_open("ist-triangles:min-radius=0.5,voxels=64", &r.a, &r.b, ALG_WANT_DISTANCE);
    size_t near = 0;
    for (size_t i = 0; i < r.count; i++) {
        const alg_answer x = pair_ask(&p, &r.poses[i]);
        const double d = r.distances[i], slack = 1e-12 * d + 64 * 0x1p-52;
        cr_assert(x.distance_m >= d - slack && x.distance_lo_m <= d + slack,
                  "%s, frame %zu: %.17g for %.17g", set, i, x.distance_m, d);
        near += x.distance_m <= 1.001 * d;
    }
    cr_assert(10 * near >= 7 * r.count, "%s: %zu of %zu are near", set, near, r.count);
    pair_close(&p);
    reference_close(&r);
}

Test(ist_triangles, spot_and_rocker_arm)
{
    check_reference("spot-rocker", "../shared/models/c3d-spot.off",
                    "../shared/models/c3d-rocker-arm.off");
}

Test(ist_triangles, two_bunnies)
{
    check_reference("bunny-bunny", "../shared/models/oded-bunny_hr.off",
                    "../shared/models/oded-bunny_hr.off");
}

Test(ist_triangles, a_round_is_a_round)
{
    /* From zero rounds to one: one round of approach finds a nearer pair in some poses. */
    SCOPED_MESH a = shape_ball((vec3){0, 0, 0}, 1, 6), b = shape_ball((vec3){0.3, 0, 0}, 0.7, 6);
    pair none = pair_open("ist-triangles:rounds=0,voxels=8", &a, &b, ALG_WANT_DISTANCE);
    pair one = pair_open("ist-triangles:rounds=1,voxels=8", &a, &b, ALG_WANT_DISTANCE);
    base_random random = base_random_seed(3);
    size_t nearer = 0;
    for (int i = 0; i < 100; i++) {
        const geo_pose pose = shape_pose(&random, 2.5);
        const double x = pair_ask(&none, &pose).distance_m, y = pair_ask(&one, &pose).distance_m;
        cr_assert_leq(y, x, "pose %d", i);
        nearer += y < x;
    }
    cr_assert_gt(nearer, 10, "%zu of 100", nearer);
    pair_close(&none);
    pair_close(&one);
}
