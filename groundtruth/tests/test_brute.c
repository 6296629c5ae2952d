#include "base/tests/sweep.h"
#include "geometry/mesh.h"
#include "geometry/pose.h"
#include "geometry/triangle.h"
#include "groundtruth/distance/distance.h"

#include "shapes.h"

#include <math.h>

/** Computes the distance by every pair of triangles, without rejection. */
static double all_pairs(const shape *a, const shape *b, const geo_pose *pose, bool *intersect)
{
    long double least2 = (long double)INFINITY;
    *intersect = false;
    for (size_t j = 0; j < b->mesh.face_count; j++) {
        const geo_triangle t = geo_pose_apply_triangle(pose, geo_mesh_triangle(&b->mesh, j));
        for (size_t i = 0; i < a->mesh.face_count; i++) {
            const geo_triangle u = geo_mesh_triangle(&a->mesh, i);
            const long double d2 = geo_triangle_distance2_extended(u, t);
            *intersect = *intersect || geo_triangle_intersect(u, t);
            least2 = d2 < least2 ? d2 : least2;
        }
    }
    return *intersect ? 0 : sqrt((double)least2);
}

static bool compare(const shape *a, const shape *b, const geo_pose *pose, const char *what, int i)
{
    bool intersect;
    gt_distance found;
    const double d = all_pairs(a, b, pose, &intersect);
    gt_distance_brute(a->body, b->body, pose, &found);
    cr_assert_eq(intersect, found.surface_m.hi == 0, "%s %d", what, i);
    cr_assert(within(found.surface_m, d), "%s %d: %.17g not in %.17g to %.17g", what, i, d,
              found.surface_m.lo, found.surface_m.hi);
    const double value = middle(found.surface_m);
    cr_assert(fabs(value - d) <= 4e-16 * d + 1e-300, "%s %d: %.17g, not %.17g", what, i, value, d);
    return intersect;
}

Test(brute, rejects_nothing_that_counts)
{
    shape torus = {0}, ball = {0};
    shape_add_torus(&torus, 14, 9, 1, 0.4); /* 252 triangles, 8 blocks, the last one short */
    shape_add_ball(&ball, 10, 7, 0.5);
    shape_finish(&torus);
    shape_finish(&ball);
    base_random random = base_random_seed(70);
    const int part = (int)sweep_step(3);
    int apart = 0, over = 0;
    for (int i = 0; i < 12 / part; i++) {
        const geo_pose pose = random_pose(&random, 3.5 * base_random_unit(&random));
        const bool intersect = compare(&torus, &ball, &pose, "frame", i);
        apart += !intersect;
        over += intersect;
    }
    cr_assert(apart >= 4 / part && over >= 4 / part, "%d apart, %d over", apart, over);
    shape_release(&torus);
    shape_release(&ball);
}

/** Balls of blocks are moved with a large rounding error if the body is far from its origin. */
Test(brute, far_from_the_origin)
{
    shape torus = {0}, ball = {0};
    shape_add_torus(&torus, 12, 8, 1, 0.4);
    shape_add_ball(&ball, 8, 6, 0.3);
    const geo_pose away = shift(1e6, -2e6, 5e5);
    shape_move(&ball, &away);
    shape_finish(&torus);
    shape_finish(&ball);
    base_random random = base_random_seed(71);
    for (int i = 0; i < 6; i++) {
        const geo_quat q = geo_random_rotation(&random);
        const geo_pose turn = geo_pose_make(q, (vec3){0, 0, 0});
        const vec3 there = vec3_scale(-1, geo_pose_apply(&turn, (vec3){1e6, -2e6, 5e5}));
        const vec3 at = vec3_scale(2 * base_random_unit(&random), geo_random_direction(&random));
        const geo_pose pose = geo_pose_make(q, vec3_add(there, at));
        compare(&torus, &ball, &pose, "frame", i);
    }
    shape_release(&torus);
    shape_release(&ball);
}

Test(brute, fewer_triangles_than_a_block)
{
    shape a = shape_cube(1), b = shape_cube(0.5);
    const geo_pose poses[] = {shift(2, 0, 0), shift(1, 1, 0.25), shift(0, 0, 0), shift(0.75, 0, 0)};
    for (int i = 0; i < 4; i++) {
        compare(&a, &b, &poses[i], "cubes", i);
    }
    shape_release(&a);
    shape_release(&b);
}
