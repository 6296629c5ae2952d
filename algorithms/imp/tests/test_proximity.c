/**
 * Tests distance and volume of implicit sphere trees: brackets against exact answers, and known
 * values.
 */
#include "algorithms/tests/pair.h"
#include "base/random.h"
#include "base/tests/support.h"
#include "geometry/pose.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define SOLID "fill=solid,probe=voxels,probe-voxels=24,voxels=32"

static const char *const variants[] = {
    "imp:children=8," SOLID,
    "imp:children=64," SOLID ",spheres=stored",
    "imp:children=512," SOLID ",spheres=cubes",
    "imp:fill=solid,one-child=off,probe=voxels,probe-voxels=24,voxels=32",
    "imp:children=8,fill=solid,level=1,probe=voxels,probe-voxels=24,voxels=32",
    "imp:children=64,fill=solid,level=1,probe=voxels,probe-voxels=24,voxels=32",
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static geo_pose random_pose(base_random *random, double reach)
{
    const geo_quat q = geo_random_rotation(random);
    const vec3 direction = geo_random_direction(random);
    return geo_pose_make(q, vec3_scale(reach * base_random_unit(random), direction));
}

/**
 * Checks that the bracket contains the exact distance, and is not wider than the voxels' diagonals
 * allow.
 */
static void check_distance(const char *name, const alg_answer *answer, double truth, double width)
{
    cr_assert_eq(answer->answered & ALG_HAS_DISTANCE_BRACKET, (uint32_t)ALG_HAS_DISTANCE_BRACKET,
                 "%s", name);
    cr_assert(answer->distance_lo_m <= truth && truth <= answer->distance_m,
              "%s: %g is not in %g to %g", name, truth, answer->distance_lo_m, answer->distance_m);
    cr_assert_eq(answer->distance_hi_m, answer->distance_m);
    cr_assert(answer->distance_hi_m - answer->distance_lo_m <= width,
              "%s: %g to %g is wider than %g", name, answer->distance_lo_m, answer->distance_hi_m,
              width);
}

enum { POSES = 60 };

/** A pose of B, and the exact distance there. */
typedef struct question {
    geo_pose pose;
    double distance_m;
} question;

/**
 * Fills the questions. Brute force is slow, so it answers each pose once for all variants. Returns
 * the number of poses at which the bodies are apart.
 */
static int ask_brute(const geo_mesh *a, const geo_mesh *b, question questions[POSES])
{
    pair brute = pair_open("brute", a, b, ALG_WANT_DISTANCE);
    base_random random = base_random_seed(7);
    int apart = 0;
    for (size_t i = 0; i < POSES; i += sweep_step(5)) {
        const geo_pose pose = random_pose(&random, 3);
        questions[i] = (question){pose, pair_ask(&brute, &pose).distance_m};
        apart += questions[i].distance_m > 0;
    }
    pair_close(&brute);
    return apart;
}

Test(proximity, brackets_hold_the_distance)
{
    SCOPED_MESH a = shape_torus(16, 1, 0.4), b = shape_ball((vec3){0.1, 0, 0}, 0.5, 6);
    question questions[POSES];
    const int apart = ask_brute(&a, &b, questions);
    const int step = (int)sweep_step(5);
    cr_assert(apart > 20 / step && apart < POSES / step, "%d apart", apart);
    for (size_t v = 0; v < VARIANTS; v++) {
        SCOPED_PAIR p = pair_open(variants[v], &a, &b, ALG_WANT_DISTANCE);
        const double voxels = 2.8 / 32 + 1.0 / 24;
        const double width = 2 * 1.7320508 * voxels * (v < 4 ? 1 : v == 4 ? 2 : 4);
        for (int i = 0; i < POSES; i += step) {
            const double truth = questions[i].distance_m;
            const alg_answer answer = pair_ask(&p, &questions[i].pose);
            check_distance(variants[v], &answer, truth, width);
            if (v < 4 && truth > 0) {
                /* Points are on the surface, so the error is smaller than the width of the
                 * bracket. */
                cr_assert(answer.distance_m - truth < 0.6 * voxels, "%s: %g for %g", variants[v],
                          answer.distance_m, truth);
                cr_assert_float_eq(vec3_distance(answer.witness_a, answer.witness_b),
                                   answer.distance_m, 1e-5);
            }
        }
    }
}

Test(proximity, one_body_inside_of_the_other_is_no_distance)
{
    SCOPED_MESH a = shape_ball((vec3){0, 0, 0}, 1, 10), b = shape_ball((vec3){0, 0, 0}, 0.2, 6);
    for (size_t v = 0; v < VARIANTS; v++) {
        for (int swap = 0; swap < 2; swap++) {
            SCOPED_PAIR p =
                pair_open(variants[v], swap ? &b : &a, swap ? &a : &b, ALG_WANT_DISTANCE);
            const geo_pose pose = shape_shift(0.2, 0.1, -0.1);
            const alg_answer answer = pair_ask(&p, &pose);
            cr_assert(answer.distance_lo_m == 0 && answer.distance_m >= 0);
            cr_assert(v >= 4 || (answer.distance_m == 0 && answer.colliding), "%s: %g", variants[v],
                      answer.distance_m);
        }
    }
}

/** Tests that a closed hollow is not part of the solid: a body inside it is apart. */
Test(proximity, a_closed_hollow_is_empty)
{
    SCOPED_MESH shell =
        shape_join(shape_cube((vec3){0, 0, 0}, 1), shape_reverse(shape_cube((vec3){0, 0, 0}, 0.6)));
    SCOPED_MESH b = shape_cube((vec3){0, 0, 0}, 0.2);
    for (size_t v = 0; v < 4; v += sweep_step(3)) {
        SCOPED_PAIR p = pair_open(variants[v], &shell, &b, ALG_WANT_DISTANCE | ALG_WANT_VOLUME);
        const geo_pose pose = shape_shift(0, 0, 0);
        const alg_answer answer = pair_ask(&p, &pose);
        check_distance(variants[v], &answer, 0.4, 0.5);
        cr_assert(answer.volume_lo_m3 == 0 && answer.volume_hi_m3 == 0 && answer.volume_m3 == 0,
                  "%s: %g", variants[v], answer.volume_hi_m3);
    }
}

/** Tests two cubes of edge 2 with their faces on planes of voxels, and then at random offsets. */
Test(proximity, brackets_hold_the_volume_of_boxes)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1);
    for (size_t v = 0; v < VARIANTS; v++) {
        SCOPED_PAIR p = pair_open(variants[v], &cube, &cube, ALG_WANT_VOLUME);
        for (int i = 0; i <= 20; i += (int)sweep_step(5)) {
            const double x = 0.107 * i, y = 0.25, z = -0.5;
            const geo_pose pose = shape_shift(x, y, z);
            const alg_answer answer = pair_ask(&p, &pose);
            const double truth = x < 2 ? (2 - x) * (2 - y) * (2 + z) : 0;
            cr_assert(answer.volume_lo_m3 <= truth && truth <= answer.volume_hi_m3,
                      "%s, %g: %g is not in %g to %g", variants[v], x, truth, answer.volume_lo_m3,
                      answer.volume_hi_m3);
            cr_assert(answer.volume_lo_m3 <= answer.volume_m3 &&
                      answer.volume_m3 <= answer.volume_hi_m3);
            cr_assert(v >= 4 || fabs(answer.volume_m3 - truth) < 0.25, "%s, %g: %g for %g",
                      variants[v], x, answer.volume_m3, truth);
            cr_assert_eq(answer.answered, (uint32_t)(ALG_HAS_VOLUME | ALG_HAS_VOLUME_BRACKET));
        }
    }
}

/** Tests a ball inside another one: no part of B is outside, and all of B's voxels count. */
Test(proximity, a_body_inside_counts_whole)
{
    SCOPED_MESH a = shape_ball((vec3){0, 0, 0}, 1, 12), b = shape_ball((vec3){0, 0, 0}, 0.3, 8);
    const double volume = geo_mesh_measures(&b).volume_m3;
    for (size_t v = 0; v < VARIANTS; v++) {
        SCOPED_PAIR p = pair_open(variants[v], &a, &b, ALG_WANT_VOLUME);
        const geo_pose in = shape_shift(0.1, 0.2, 0), out = shape_shift(3, 0, 0);
        const alg_answer inside = pair_ask(&p, &in), outside = pair_ask(&p, &out);
        cr_assert(inside.volume_lo_m3 <= volume && volume <= inside.volume_hi_m3,
                  "%s: %g is not in %g to %g", variants[v], volume, inside.volume_lo_m3,
                  inside.volume_hi_m3);
        cr_assert_float_eq(inside.volume_m3, volume, 1e-3 * volume, "%s: %g for %g", variants[v],
                           inside.volume_m3, volume);
        cr_assert(outside.volume_hi_m3 == 0 && outside.volume_m3 == 0 && !outside.colliding);
        cr_assert(inside.colliding);
    }
}

/**
 * Tests cubes that overlap by less than a voxel, or by a few: the patches in the voxels give the
 * thickness of the overlap.
 */
Test(proximity, overlaps_thinner_than_voxels)
{
    /* The faces of B's shorter edges are not in the middle of voxels. */
    static const vec3 half = {0.5, 0.381, 0.424};
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 0.5),
                box = shape_box(vec3_scale(-1, half), half);
    SCOPED_PAIR p = pair_open("imp:fill=solid,probe=voxels,probe-voxels=24,voxels=32", &cube, &box,
                              ALG_WANT_VOLUME);
    static const double depths[] = {0.01, 0.02, 0.04, 0.08};
    for (int axis = 0; axis < 3; axis++) {
        for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
            const double d = depths[i], u = 0.313;
            const geo_pose pose =
                shape_shift(axis == 0 ? 0.5 + half.x - d : u, axis == 1 ? 0.5 + half.y - d : u,
                            axis == 2 ? 0.5 + half.z - d : u);
            const alg_answer x = pair_ask(&p, &pose);
            double volume = d;
            for (int k = 0; k < 3; k++) {
                volume *= k == axis ? 1 : 0.5 + vec3_get(half, k) - u;
            }
            cr_assert_float_eq(x.volume_m3, volume, 0.15 * volume, "axis %d, %g deep: %g of %g",
                               axis, d, x.volume_m3, volume);
        }
    }
}
