/** Compares the answers of pst-exact with those of brute, which tests all pairs of triangles. */
#include "algorithms/tests/pair.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/tests/support.h"
#include "geometry/triangle.h"

#include <stdio.h>

/** Opens a pair of solids or of mere surfaces. */
static pair open_as(const char *name, const geo_mesh *a, const geo_mesh *b, bool solid)
{
    pair p = {.variant = pair_variant(name), .a = shape_body(a, solid), .b = shape_body(b, solid)};
    pair_prepare(&p, &p.variant.settings);
    pair_bind(&p, ALG_WANT_DISTANCE);
    return p;
}

/**
 * Compares an answer x with the truth y. The distance has the same bits, the bracket contains it,
 * and the witnesses have this distance. The contact is the same. If the bodies are apart, the
 * witnesses of x are also those of y: the points of the first of the nearest pairs of triangles.
 */
static void compare(alg_answer x, alg_answer y, const char *what)
{
    const unsigned all =
        ALG_HAS_DISTANCE | ALG_HAS_DISTANCE_BRACKET | ALG_HAS_WITNESS | ALG_HAS_CONTACT;
    cr_assert_eq(x.answered, all, "%s", what);
    cr_assert_eq(x.outcome, ALG_CONVERGED, "%s", what);
    cr_assert_eq(x.distance_m, y.distance_m, "%s: %.17g, not %.17g", what, x.distance_m,
                 y.distance_m);
    cr_assert_eq(x.colliding, y.colliding, "%s", what);
    cr_assert(x.distance_lo_m <= y.distance_m && y.distance_m <= x.distance_hi_m, "%s", what);
    const double size = vec3_norm(x.witness_a) + x.distance_m;
    cr_assert_leq(fabs(vec3_distance(x.witness_a, x.witness_b) - x.distance_m), 1e-13 * size, "%s",
                  what);
    cr_assert(y.distance_m == 0 ||
                  (vec3_equal(x.witness_a, y.witness_a) && vec3_equal(x.witness_b, y.witness_b)),
              "%s", what);
}

static const char *const variants[] = {
    "pst-exact:voxels=24,shell-voxels=8",
    "pst-exact:field=moving,shell-voxels=12,voxels=16",
    "pst-exact:shell-voxels=6,start=last,voxels=24",
    "pst-exact:shell-voxels=2,tolerance=0.5,voxels=2",
};

enum { POSES = 60, HAND_POSES = 11 };

/** Returns the next pose of a test. Without ALL_CASES (sweep_step), the test uses all poses by hand
 * and every fifth one of the others. */
static size_t next_pose(size_t i)
{
    return i + (i + 1 < HAND_POSES ? 1 : sweep_step(5));
}

enum { VARIANTS = sizeof variants / sizeof *variants };

/**
 * Compares all variants with the answers of brute. These are computed once, because brute is slow.
 * Without ALL_CASES (sweep_step) it tests one variant only, which depends on `number`.
 */
static void compare_all(const geo_mesh *a, const geo_mesh *b, bool solid,
                        const geo_pose poses[POSES], size_t number, const char *what)
{
    alg_answer truth[POSES];
    pair brute = open_as("brute", a, b, solid);
    for (size_t i = 0; i < POSES; i = next_pose(i)) {
        truth[i] = pair_ask(&brute, &poses[i]);
    }
    pair_close(&brute);
    const size_t step = sweep_step(VARIANTS);
    for (size_t v = number % step; v < VARIANTS; v += step) {
        SCOPED_PAIR p = open_as(variants[v], a, b, solid);
        for (size_t i = 0; i < POSES; i = next_pose(i)) {
            char name[128];
            snprintf(name, sizeof name, "%s, pose %zu, %s", what, i, variants[v]);
            compare(pair_ask(&p, &poses[i]), truth[i], name);
        }
    }
}

/**
 * Makes poses: first those by hand, which suit cubes with a half edge of 1, then random ones.
 * Multiplies all translations by `scale`.
 */
static void fill_poses(geo_pose *poses, uint64_t seed, double reach, double scale)
{
    const geo_pose hand[HAND_POSES] = {
        geo_pose_identity(),         shape_shift(2, 0.5, 0.5),      shape_shift(2, 2, 2),
        shape_shift(2, 2, 0.25),     shape_shift(5, 0.3, -0.2),     shape_shift(0.25, 0.125, 0),
        shape_shift(0, 0, 2.5),      shape_shift(5, 6, 0.1),        shape_shift(1e6, 2e5, -3e5),
        shape_shift(2 + 1e-9, 0, 0), shape_shift(-2 - 1e-9, 0.5, 0)};
    base_random random = base_random_seed(seed);
    for (size_t i = 0; i < POSES; i++) {
        poses[i] = i < HAND_POSES ? hand[i] : shape_pose(&random, reach);
        poses[i].translation = vec3_scale(scale, poses[i].translation);
    }
}

Test(exact, cubes_that_touch_or_intersect_or_are_nested_or_far_apart)
{
    const double scales[] = {1, 0x1p-10, 0x1p10};
    for (size_t i = 0; i < 3; i++) {
        geo_pose poses[POSES];
        fill_poses(poses, 1, 3, scales[i]);
        SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, scales[i]);
        SCOPED_MESH off = shape_cube((vec3){0, 0, 0}, scales[i] / 4);
        compare_all(&cube, &cube, true, poses, 3 * i, "two cubes");
        compare_all(&cube, &off, true, poses, 3 * i + 1, "a cube and a small one");
        compare_all(&off, &cube, true, poses, 3 * i + 2, "a small cube and a cube");
    }
}

/** Returns the number of pairs of faces with the least distance, with B moved. */
static size_t count_nearest(const geo_mesh *a, const geo_mesh *b, const geo_pose *pose)
{
    size_t count = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < a->face_count; i++) {
        for (uint32_t j = 0; j < b->face_count; j++) {
            const geo_triangle moved = geo_pose_apply_triangle(pose, geo_mesh_triangle(b, j));
            const double d2 = geo_triangle_distance2(geo_mesh_triangle(a, i), moved, NULL, NULL);
            count = d2 < least ? 1 : count + (d2 == least);
            least = fmin(least, d2);
        }
    }
    return count;
}

/** Faces, edges and corners are opposite each other, so at least four pairs of faces are equally
 * near. */
Test(exact, the_first_of_equally_near_pairs_has_the_witnesses)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1), small = shape_cube((vec3){0.25, 0, 0}, 0.75);
    geo_pose poses[POSES];
    const double across[] = {3, 2.5, -2.5, 0.5, -0.5};
    size_t count = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 5; j++) {
            for (int k = 0; k < 4; k++) {
                poses[count++] = shape_shift(across[i], across[j], across[(j + k) % 5]);
            }
        }
    }
    cr_assert_eq(count, POSES);
    for (size_t i = 0; i < count; i++) {
        cr_assert_geq(count_nearest(&cube, &small, &poses[i]), 4, "pose %zu", i);
    }
    compare_all(&cube, &small, true, poses, 0, "two cubes");
    compare_all(&small, &cube, true, poses, 2, "the same the other way round");
}

Test(exact, bodies_that_are_bent)
{
    geo_pose poses[POSES];
    fill_poses(poses, 2, 1.6, 1);
    SCOPED_MESH torus = shape_torus(10, 1, 0.3), ball = shape_ball((vec3){0.1, 0, 0}, 0.4, 4);
    compare_all(&torus, &ball, true, poses, 0, "a torus and a ball");
    compare_all(&ball, &torus, true, poses, 1, "a ball and a torus");
    compare_all(&torus, &torus, true, poses, 2, "two tori");
}

Test(exact, a_cavity_is_outside)
{
    geo_pose poses[POSES];
    fill_poses(poses, 3, 1, 1);
    SCOPED_MESH hollow = shape_join(shape_cube((vec3){0, 0, 0}, 1.5),
                                    shape_reverse(shape_ball((vec3){0, 0, 0}, 1, 4)));
    SCOPED_MESH seed = shape_ball((vec3){0, 0, 0}, 0.2, 3);
    compare_all(&hollow, &seed, true, poses, 0, "in a cavity");
    compare_all(&seed, &hollow, true, poses, 3, "around a body");
}

Test(exact, surfaces_that_are_open)
{
    for (size_t integer = 0; integer < 2; integer++) {
        base_random random = base_random_seed(4);
        geo_pose poses[POSES];
        fill_poses(poses, 5, 4, 1);
        SCOPED_MESH a = shape_soup(&random, 30, integer == 1),
                    b = shape_soup(&random, 25, integer == 1);
        SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1);
        compare_all(&a, &b, false, poses, 2 * integer, integer ? "soups of integers" : "soups");
        compare_all(&a, &cube, false, poses, 2 * integer + 1,
                    "a soup and a cube without an inside");
    }
}

/**
 * With start=last, a query starts from the pair of faces of the previous query. Along a path in
 * small steps this pair is often the nearest one again, or almost the nearest one.
 */
Test(exact, a_start_from_the_last_pair_changes_no_bit_while_bodies_are_apart)
{
    SCOPED_MESH torus = shape_torus(12, 1, 0.3), ball = shape_ball((vec3){0, 0, 0}, 0.4, 4);
    const bool all = sweep_step(2) == 1;
    pair cold = pair_open(all ? "pst-exact:voxels=32" : "pst-exact:voxels=12", &torus, &ball,
                          ALG_WANT_DISTANCE);
    SCOPED_PAIR last =
        pair_open(all ? "pst-exact:start=last,voxels=32" : "pst-exact:start=last,voxels=12", &torus,
                  &ball, ALG_WANT_DISTANCE);
    uint64_t tests[2] = {0, 0};
    for (int i = 0; i < (all ? 300 : 100); i++) {
        const geo_pose pose = geo_pose_make((geo_quat){0.01 * i, 0.3, 0.002 * i, 1},
                                            (vec3){2 - 0.012 * i, 0.2, 0.9 - 0.001 * i});
        const alg_answer x = pair_ask(&cold, &pose), y = pair_ask(&last, &pose);
        cr_assert_eq(x.distance_m, y.distance_m, "frame %d", i);
        cr_assert(x.distance_m == 0 || (vec3_distance(x.witness_a, y.witness_a) == 0 &&
                                        vec3_distance(x.witness_b, y.witness_b) == 0),
                  "frame %d", i);
        for (int k = 0; k < 2; k++) {
            tests[0] += x.counters[k];
            tests[1] += y.counters[k];
        }
    }
    cr_assert_lt(tests[1], tests[0] - tests[0] / 20,
                 "start=last saves more than a twentieth of the tests of spheres and points");
    pair_close(&cold);
}
