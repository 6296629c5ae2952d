/** Contestant vps-volume: overlaps by hand, and brackets against exact ones. */
#include "algorithms/tests/pair.h"
#include "base/random.h"
#include "base/tests/support.h"
#include "geometry/pose.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/** Two cubes of edge 2, shifted by whole voxels. Half of each surface voxel is inside, which is 32
 * of 63 parts. Surface voxels of both bodies meet only at the edges of the overlap. */
Test(volume, of_boxes_in_whole_voxels)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1);
    SCOPED_PAIR p = pair_open("vps-volume:layers=8,voxels=16", &cube, &cube, ALG_WANT_VOLUME);
    for (int i = 1; i <= 17; i += i == 15 ? 2 : 1) {
        const double x = 0.125 * i, y = 0.25, z = -0.5;
        const geo_pose pose = shape_shift(x, y, z);
        const alg_answer a = pair_ask(&p, &pose);
        const double truth = i < 16 ? (2 - x) * (2 - y) * (2 + z) : 0;
        cr_assert_float_eq(a.volume_m3, truth, 0.03, "%g: %g, not %g", x, a.volume_m3, truth);
        cr_assert(a.volume_lo_m3 <= truth && truth <= a.volume_hi_m3 && a.volume_hi_m3 <= 8);
        /* At most three layers of voxels on either side of the faces are undecided. */
        cr_assert(a.volume_hi_m3 - a.volume_lo_m3 < 0.125 * 6 * 16, "%g", a.volume_hi_m3);
        cr_assert_eq(a.colliding, a.volume_lo_m3 > 0);
        cr_assert_eq(a.answered, (uint32_t)(ALG_HAS_VOLUME | ALG_HAS_VOLUME_BRACKET));
    }
}

/** Nearly all of B is deep in A, including most of its surface. */
Test(volume, of_a_box_that_sticks_out_a_little)
{
    SCOPED_MESH a = shape_cube((vec3){0, 0, 0}, 1.5), b = shape_cube((vec3){0, 0, 0}, 1);
    SCOPED_PAIR p = pair_open("vps-volume:layers=8,voxels=16", &a, &b, ALG_WANT_VOLUME);
    const geo_pose pose = shape_shift(0.75, 0, 0);
    const alg_answer answer = pair_ask(&p, &pose);
    cr_assert(answer.volume_lo_m3 <= 7 && answer.volume_hi_m3 >= 7, "%g to %g", answer.volume_lo_m3,
              answer.volume_hi_m3);
    cr_assert_float_eq(answer.volume_m3, 7, 0.25);
}

/** Faces inside voxels: the error is at most half of a layer of B's voxels. */
Test(volume, of_boxes_off_the_planes)
{
    SCOPED_MESH a = shape_box((vec3){-1, -1, -1}, (vec3){1, 1, 0.0625});
    const double half = 24.0 / 47; /* 6 voxels of B, with the sides in the middle of voxels */
    SCOPED_MESH b = shape_box((vec3){-half, -half, -2}, (vec3){half, half, 2});
    SCOPED_PAIR p = pair_open("vps-volume:voxels=47", &a, &b, ALG_WANT_VOLUME);
    const geo_pose here = shape_shift(0, 0, 0.125);
    const alg_answer answer = pair_ask(&p, &here);
    cr_assert_float_eq(answer.volume_m3, 1.0625 * 4 * half * half, 2.2 / 47, "%g",
                       answer.volume_m3);
}

Test(volume, deep_inside_and_far_apart)
{
    SCOPED_MESH a = shape_ball((vec3){0, 0, 0}, 1, 5), b = shape_ball((vec3){0, 0, 0}, 0.05, 3);
    SCOPED_PAIR p = pair_open("vps-volume:layers=32,voxels=32", &a, &b, ALG_WANT_VOLUME);
    const geo_pose here = shape_shift(0.1, 0, 0.1), there = shape_shift(0, 3, 0);
    const alg_answer in = pair_ask(&p, &here), out = pair_ask(&p, &there);
    /* B's own volume is known, so the width of the bracket is only rounding. */
    cr_assert_float_eq(in.volume_m3, p.b.volume_m3, 1e-11);
    cr_assert(in.volume_hi_m3 - in.volume_lo_m3 < 1e-11, "%g", in.volume_hi_m3 - in.volume_lo_m3);
    cr_assert(in.counters[0] == 1, "one cube is enough, not %zu", (size_t)in.counters[0]);
    cr_assert(out.volume_m3 == 0 && out.volume_lo_m3 == 0 && out.volume_hi_m3 < 1e-11);
    cr_assert(out.counters[0] == 1 && !out.colliding && in.colliding);
}

/** Returns a cube of edge 4 with a hollow of 2 and a mouth of 1, which is closed for voxels of 1.
 */
static geo_mesh make_bottle(void)
{
    base_random random = base_random_seed(1);
    uint64_t cells = ~(uint64_t)0;
    for (int i = 0; i < 8; i++) {
        cells &= ~((uint64_t)1 << (1 + i % 2 + 4 * (1 + i / 2 % 2) + 16 * (1 + i / 4)));
    }
    cells &= ~((uint64_t)1 << (1 + 4 * 1 + 16 * 3));
    return shape_cells(&random, cells);
}

typedef struct comparison {
    const char *name;
    const geo_mesh *a, *b;
    double reach;      /* of the translations of poses */
    double off, width; /* limits, as shares of the smaller body */
} comparison;

/** The other contestant's bracket is exact and narrow. Two brackets that contain the truth
 * overlap. */
static void compare(const comparison *c)
{
    pair p = pair_open(c->name, c->a, c->b, ALG_WANT_VOLUME);
    SCOPED_PAIR q = pair_open("bounds-budget:cells=12,voxels=6", c->a, c->b, ALG_WANT_VOLUME);
    base_random random = base_random_seed(5);
    const double whole = fmin(p.a.volume_m3, p.b.volume_m3);
    double off = 0, width = 0;
    size_t overlapping = 0;
    for (int k = 0; k < 24; k++) {
        const geo_pose pose = shape_pose(&random, c->reach);
        const alg_answer x = pair_ask(&p, &pose), y = pair_ask(&q, &pose);
        cr_assert(x.volume_lo_m3 <= x.volume_m3 && x.volume_m3 <= x.volume_hi_m3);
        cr_assert(x.volume_lo_m3 <= y.volume_hi_m3 && x.volume_hi_m3 >= y.volume_lo_m3,
                  "%s, pose %d: %.9g to %.9g and %.9g to %.9g", c->name, k, x.volume_lo_m3,
                  x.volume_hi_m3, y.volume_lo_m3, y.volume_hi_m3);
        off = fmax(off, fabs(x.volume_m3 - y.volume_m3));
        width = fmax(width, x.volume_hi_m3 - x.volume_lo_m3);
        overlapping += y.volume_lo_m3 > 0.02 * whole;
    }
    cr_assert_gt(overlapping, 1, "%s: %zu", c->name, overlapping);
    cr_assert(off <= c->off * whole, "%s: off by %g of %g", c->name, off, whole);
    cr_assert(width <= c->width * whole * (1 + 1e-9), "%s: %g of %g", c->name, width, whole);
    pair_close(&p);
}

Test(volume, brackets_hold_the_truth)
{
    geo_mesh ball = shape_ball((vec3){0.1, 0, 0}, 1, 3), torus = shape_torus(8, 1, 0.4);
    geo_mesh bottle = make_bottle(), dot = shape_ball((vec3){0, 0, 0}, 0.6, 2);
    geo_mesh parts =
        shape_join(shape_cube((vec3){-1, 0, 0}, 0.5), shape_ball((vec3){1, 0, 0}, 0.7, 2));
    const comparison rows[] = {
        {"vps-volume:voxels=24", &ball, &torus, 0.8, 0.04, 1},
        {"vps-volume:layers=3,voxels=24", &torus, &ball, 0.8, 0.04, 1},
        {"vps-volume:layers=2,voxels=8", &bottle, &dot, 3.2, 0.2, 1},
        {"vps-volume:voxels=24", &bottle, &bottle, 2, 0.04, 0.95},
        {"vps-volume:layers=4,voxels=8", &dot, &bottle, 3.2, 0.35, 1},
        {"vps-volume:voxels=32", &parts, &ball, 1, 0.04, 0.95},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i += sweep_step(2)) {
        compare(&rows[i]);
    }
    geo_mesh *const used[] = {&ball, &torus, &bottle, &dot, &parts};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++) {
        geo_mesh_release(used[i]);
    }
}

/** A cube standing on a corner that dips into a face: its cubes of voxels reach the face with their
 * diagonals. */
Test(volume, brackets_hold_a_corner_that_pokes_in)
{
    SCOPED_MESH a = shape_cube((vec3){0, 0, -1}, 1), b = shape_cube((vec3){0, 0, 0}, 1);
    SCOPED_PAIR p = pair_open("vps-volume:layers=60,voxels=128", &a, &b, ALG_WANT_VOLUME);
    const vec3 z = vec3_normalize((vec3){1, 1, 1}), x = vec3_normalize((vec3){1, -1, 0});
    for (int k = 1; k <= 8; k++) {
        const double deep = 0.01 * k;
        /* The corner (-1, -1, -1) is the lowest one, at z = -deep. */
        geo_pose pose = shape_shift(0.1, 0.05, sqrt(3) - deep);
        pose.rotation = (mat3){{x, vec3_cross(z, x), z}};
        const double truth = sqrt(3) / 2 * deep * deep * deep;
        const alg_answer answer = pair_ask(&p, &pose);
        cr_assert(answer.volume_lo_m3 <= truth && truth <= answer.volume_hi_m3,
                  "%g: %g, not from %g to %g", deep, truth, answer.volume_lo_m3,
                  answer.volume_hi_m3);
    }
}

/** Voxels of a hollow do not belong to the solid, whatever the flood fill marked. */
Test(volume, a_hollow_is_empty)
{
    geo_mesh bottle = make_bottle(), dot = shape_ball((vec3){2, 2, 2}, 0.3, 3);
    const geo_pose here = geo_pose_identity(), back = geo_pose_identity();
    pair p = pair_open("vps-volume:layers=4,voxels=4", &bottle, &dot, ALG_WANT_VOLUME);
    pair q = pair_open("vps-volume:layers=4,voxels=4", &dot, &bottle, ALG_WANT_VOLUME);
    const alg_answer x = pair_ask(&p, &here), y = pair_ask(&q, &back);
    cr_assert(x.volume_m3 == 0 && x.volume_lo_m3 == 0, "%g", x.volume_m3);
    cr_assert(y.volume_m3 == 0 && y.volume_lo_m3 == 0, "%g", y.volume_m3);
    pair_close(&p);
    pair_close(&q);
    geo_mesh_release(&bottle);
    geo_mesh_release(&dot);
    /* Along a row, inner voxels of the wall come before those of the hollow. */
    SCOPED_MESH hollow = shape_join(shape_ball((vec3){0, 0, 0}, 1, 3),
                                    shape_reverse(shape_ball((vec3){0, 0, 0}, 0.6, 3)));
    SCOPED_MESH ball = shape_ball((vec3){0, 0, 0}, 0.3, 3);
    p = pair_open("vps-volume:voxels=24", &hollow, &ball, ALG_WANT_VOLUME);
    q = pair_open("vps-volume:voxels=24", &ball, &hollow, ALG_WANT_VOLUME);
    cr_assert_eq(pair_ask(&p, &here).volume_m3, 0);
    cr_assert_eq(pair_ask(&q, &here).volume_m3, 0);
    pair_close(&p);
    pair_close(&q);
}

Test(volume, threads_and_layers_do_not_matter)
{
    static const char *const names[] = {"vps-volume:voxels=20", "vps-volume:voxels=20",
                                        "vps-volume:layers=64,voxels=20"};
    SCOPED_MESH ball = shape_ball((vec3){0.1, 0, 0}, 1, 4), torus = shape_torus(10, 1, 0.4);
    alg_answer answers[3];
    for (int i = 0; i < 3; i++) {
        setenv("PROXBENCH_THREADS", i == 0 ? "1" : "3", 1);
        SCOPED_PAIR p = pair_open(names[i], &ball, &torus, ALG_WANT_VOLUME);
        base_random random = base_random_seed(3);
        const geo_pose pose = shape_pose(&random, 0.5);
        answers[i] = pair_ask(&p, &pose);
    }
    cr_assert_eq(memcmp(&answers[0], &answers[1], sizeof *answers), 0);
    cr_assert_eq(memcmp(&answers[0], &answers[2], sizeof *answers), 0, "layers beyond the body");
}
