#include "base/elementary.h"
#include "base/tests/sweep.h"
#include "geometry/pose.h"
#include "geometry/triangle.h"
#include "groundtruth/body/body.h"
#include "groundtruth/distance/distance.h"

#include "shapes.h"

/** Compares all members except the counter. */
static bool same_answer(const gt_distance *a, const gt_distance *b)
{
    gt_distance x = *a, y = *b;
    x.triangle_tests = y.triangle_tests = 0;
    return memcmp(&x, &y, sizeof x) == 0;
}

/** Tests all pairs in double: returns the first of the nearest in the order of faces. */
static double all_pairs(const shape *a, const shape *b, const geo_pose *pose, uint32_t face[2])
{
    double best2 = INFINITY;
    for (uint32_t i = 0; i < a->mesh.face_count; i++) {
        const geo_triangle s = geo_mesh_triangle(&a->mesh, i);
        for (uint32_t j = 0; j < b->mesh.face_count; j++) {
            const geo_triangle t = geo_pose_apply_triangle(pose, geo_mesh_triangle(&b->mesh, j));
            if (geo_triangle_intersect(s, t)) {
                return 0;
            }
            const double d2 = geo_triangle_distance2(s, t, NULL, NULL);
            if (d2 < best2) {
                best2 = d2;
                face[0] = i;
                face[1] = j;
            }
        }
    }
    return best2;
}

static uint32_t any_face(base_random *random, const shape *s)
{
    return (uint32_t)base_random_below(random, s->mesh.face_count + 2); /* some give no hint */
}

typedef struct counts {
    int apart, crossing;
} counts;

static void check_pose(const shape *a, const shape *b, const geo_pose *pose, base_random *random,
                       const char *what, counts *n)
{
    gt_distance cold, hinted;
    gt_distance_hint hint = GT_NO_HINT;
    gt_distance_query_from(a->body, b->body, pose, &hint, &cold);
    const gt_distance_hint found = hint;
    uint32_t face[2] = {0, 0};
    const double d2 = all_pairs(a, b, pose, face);
    if (d2 > 0) {
        gt_distance expected;
        gt_distance_finish(a->body, b->body, pose, false, d2, &expected);
        cr_assert(memcmp(&cold.surface_m, &expected.surface_m, sizeof cold.surface_m) == 0,
                  "%s: %.17g, all pairs say %.17g", what, middle(cold.surface_m), sqrt(d2));
        cr_assert(found.face_a == face[0] && found.face_b == face[1],
                  "%s: faces %u and %u, not %u and %u", what, found.face_a, found.face_b, face[0],
                  face[1]);
    } else {
        cr_assert(cold.surface_m.lo == 0, "%s", what);
    }
    n->apart += d2 > 0;
    n->crossing += d2 == 0;
    for (int k = 0; k < 8; k++) {
        hint = k == 0 ? found : (gt_distance_hint){any_face(random, a), any_face(random, b)};
        const gt_distance_hint from = hint;
        gt_distance_query_from(a->body, b->body, pose, &hint, &hinted);
        cr_assert(same_answer(&cold, &hinted) && hint.face_a == found.face_a &&
                      hint.face_b == found.face_b,
                  "%s: from faces %u and %u: %.17g, not %.17g", what, from.face_a, from.face_b,
                  middle(hinted.surface_m), middle(cold.surface_m));
    }
    setenv("PROXBENCH_SIMD", "sse2", 1);
    hint = GT_NO_HINT;
    gt_distance_query_from(a->body, b->body, pose, &hint, &hinted);
    unsetenv("PROXBENCH_SIMD");
    cr_assert(same_answer(&cold, &hinted) && cold.triangle_tests == hinted.triangle_tests &&
                  hint.face_a == found.face_a && hint.face_b == found.face_b,
              "%s: other bits without AVX2", what);
}

static void sweep(const shape *a, const shape *b, double reach, uint64_t seed, const char *what,
                  counts *n)
{
    base_random random = base_random_seed(seed);
    for (size_t frame = 0; frame < 60 / sweep_step(4); frame++) {
        const geo_pose pose = random_pose(&random, reach * base_random_unit(&random));
        check_pose(a, b, &pose, &random, what, n);
    }
}

Test(distance_hint, changes_nothing_and_is_all_pairs_to_the_last_bit)
{
    shape torus = {0}, ball = {0}, bead = {0}, splinter = {0},
          box = shape_box((vec3){-1, -0.3, -0.2}, (vec3){1, 0.3, 0.2});
    shape_add_torus(&torus, 16, 10, 1, 0.4);
    shape_add_ball(&ball, 14, 9, 1);
    shape_add_ball(&bead, 9, 6, 0.15);
    shape_add_box(&splinter, (vec3){-1, -0.01, -1e-4}, (vec3){1, 0.01, 1e-4}, false);
    shape_finish(&torus);
    shape_finish(&ball);
    shape_finish(&bead);
    shape_finish(&splinter);
    counts n = {0};
    sweep(&torus, &torus, 5, 21, "torus and torus", &n);
    sweep(&torus, &ball, 5, 22, "torus and ball", &n);
    sweep(&bead, &ball, 2, 23, "bead and ball", &n);
    sweep(&box, &torus, 3, 24, "box and torus", &n);
    sweep(&splinter, &torus, 2, 25, "splinter and torus", &n);
    sweep(&splinter, &box, 2, 26, "splinter and box", &n);
    sweep(&box, &box, 3, 27, "box and box", &n);
    const int part = (int)sweep_step(4);
    cr_assert(n.apart > 150 / part && n.crossing > 60 / part, "%d apart, %d crossing", n.apart,
              n.crossing);
    shape_release(&torus);
    shape_release(&ball);
    shape_release(&bead);
    shape_release(&splinter);
    shape_release(&box);
}

/** Makes separate needles, each with a small angle at its first corner. */
static shape needles(base_random *random)
{
    shape s = {0};
    for (int i = 0; i < 60; i++) {
        const vec3 p = vec3_scale(base_random_unit(random), geo_random_direction(random));
        const vec3 d = geo_random_direction(random);
        const double thin = base_exp(base_random_range(random, -3, -2.4));
        const vec3 q = vec3_madd(p, 0.5 * base_random_unit(random) + 0.25, d);
        const vec3 corners[3] = {p, vec3_add(p, d),
                                 vec3_madd(q, thin, geo_random_direction(random))};
        shape_add(&s, corners, 3, &(geo_face){{0, 1, 2}}, 1, false);
    }
    shape_finish(&s);
    return s;
}

Test(distance_hint, needles)
{
    base_random random = base_random_seed(31);
    shape a = needles(&random), b = needles(&random);
    counts n = {0};
    for (int frame = 0; frame < 300; frame++) {
        const geo_pose pose = random_pose(&random, 1 + 2 * base_random_unit(&random));
        check_pose(&a, &b, &pose, &random, "needles", &n);
    }
    cr_assert(n.apart > 100, "%d apart, %d crossing", n.apart, n.crossing);
    shape_release(&a);
    shape_release(&b);
}

/** Faces, edges and corners opposite each other: many pairs are equally near. */
Test(distance_hint, ties_have_one_answer)
{
    shape a = shape_cube(1), ball = {0};
    shape_add_ball(&ball, 16, 8, 0.5);
    shape_finish(&ball);
    base_random random = base_random_seed(28);
    counts n = {0};
    static const vec3 shifts[] = {
        {1.5, 0, 0}, {1.5, 1.5, 0}, {1.5, 1.5, 1.5}, {0, 0, -2}, {1.5, 0.25, 0.125}, {1, 0, 0},
    };
    for (size_t i = 0; i < sizeof shifts / sizeof shifts[0]; i++) {
        const geo_pose pose = shift(shifts[i].x, shifts[i].y, shifts[i].z);
        check_pose(&a, &a, &pose, &random, "cubes", &n);
        check_pose(&a, &ball, &pose, &random, "cube and ball", &n);
        check_pose(&ball, &ball, &pose, &random, "balls", &n);
    }
    cr_assert(n.apart > 12 && n.crossing > 1, "%d apart, %d crossing", n.apart, n.crossing);
    shape_release(&a);
    shape_release(&ball);
}

Test(distance_hint, a_body_inside_another_one)
{
    shape big = shape_cube(4), small = shape_cube(0.25);
    base_random random = base_random_seed(29);
    counts n = {0};
    for (int frame = 0; frame < 40; frame++) {
        const geo_pose pose = random_pose(&random, 1.5 * base_random_unit(&random));
        check_pose(&big, &small, &pose, &random, "inside", &n);
        gt_distance d;
        gt_distance_query(big.body, small.body, &pose, &d);
        cr_assert(d.distance_m.hi == 0 && d.surface_m.lo > 0);
    }
    shape_release(&big);
    shape_release(&small);
}

Test(distance_hint, real_meshes)
{
    if (!shared_is_there()) {
        cr_skip_test("no ../shared");
    }
    shape spot = shape_load("../shared/models/c3d-spot.off");
    shape rocker = shape_load("../shared/models/c3d-rocker-arm.off");
    reference r = reference_read("spot-rocker-distance");
    base_random random = base_random_seed(30);
    gt_distance_hint last = GT_NO_HINT;
    for (size_t row = 0; row < r.expected.rows; row++) {
        const geo_pose pose = reference_pose(&r, row);
        gt_distance cold, hinted;
        gt_distance_query(spot.body, rocker.body, &pose, &cold);
        gt_distance_query_from(spot.body, rocker.body, &pose, &last, &hinted);
        cr_assert(same_answer(&cold, &hinted), "frame %zu, from the frame before", row);
        for (int k = 0; k < 4; k++) {
            gt_distance_hint hint = {any_face(&random, &spot), any_face(&random, &rocker)};
            gt_distance_query_from(spot.body, rocker.body, &pose, &hint, &hinted);
            cr_assert(same_answer(&cold, &hinted), "frame %zu, hint %d", row, k);
        }
        setenv("PROXBENCH_SIMD", "sse2", 1);
        gt_distance_query(spot.body, rocker.body, &pose, &hinted);
        unsetenv("PROXBENCH_SIMD");
        cr_assert(memcmp(&cold, &hinted, sizeof cold) == 0, "frame %zu, without AVX2", row);
    }
    reference_release(&r);
    shape_release(&spot);
    shape_release(&rocker);
}
