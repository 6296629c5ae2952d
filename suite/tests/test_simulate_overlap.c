#include "geometry/pose.h"
#include "geometry/surface.h"
#include "geometry/triangle.h"
#include "suite/simulate/overlap.h"
#include "suite/tests/simulate.h"

#include <math.h>

TestSuite(overlap, .init = enter_folder, .fini = leave_folder);

static bench_overlap *open_overlap(const bench_pair *pair)
{
    bench_overlap *overlap;
    assert_ok(bench_overlap_create(pair, &overlap, ERR));
    return overlap;
}

static bench_overlap_at find(bench_overlap *overlap, geo_pose pose)
{
    bench_overlap_at at = {.pose = pose, .depth = true};
    assert_ok(bench_overlap_find(overlap, &at, 1, ERR));
    return at;
}

static geo_pose at_place(const bench_pair *pair, double x, double y, double z)
{
    return bench_pair_pose(pair, vec3_make(x, y, z), geo_quat_identity());
}

Test(overlap, corners_in_cubes)
{
    static const struct {
        vec3 size, place; /* of B */
        double volume_m3, depth_m;
        const char *what;
    } cases[] = {
        {{1, 1, 1}, {3, 1, 1}, 0, 0, "apart"},
        {{1, 1, 1}, {0.5, 0.625, 0.75}, 0.5 * 0.625 * 0.75, 0.25, "a corner in each other's"},
        {{0.25, 0.25, 0.25}, {1.25, 1.375, 1.5}, 0.015625, 0.375, "B inside"},
        {{3, 3, 3}, {0, 0, 0}, 1, 1, "A inside, 1 from all sides"},
        {{3, 3, 0.5}, {0, 0, 1.25}, 0.5, 0, "a plate across: no corner is inside"},
        {{0.5, 0.5, 3}, {1.25, 1.25, 0}, 0.25, 0, "a bar across"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED_BENCH_PAIR pair;
        open_cubes(cases[i].size, &pair);
        bench_overlap *const overlap = open_overlap(&pair);
        const vec3 p = cases[i].place;
        const bench_overlap_at at = find(overlap, at_place(&pair, p.x, p.y, p.z));
        cr_expect(fabs(at.volume_m3 - cases[i].volume_m3) < 1e-13, "%s: volume %.17g",
                  cases[i].what, at.volume_m3);
        cr_expect_eq(at.point_depth_m, cases[i].depth_m, "%s: depth %.17g", cases[i].what,
                     at.point_depth_m);
        bench_overlap_destroy(overlap);
    }
}

/** The force is the area vector of the common surface, in the direction in which B separates. */
Test(overlap, the_gradient_pushes_b_out)
{
    SCOPED_BENCH_PAIR pair;
    vec3 force;
    open_cubes(vec3_make(1, 1, 1), &pair);
    bench_overlap *const overlap = open_overlap(&pair);
    const geo_pose above = at_place(&pair, 1.5, 1, 1.875), away = at_place(&pair, 4, 4, 4);
    assert_ok(bench_overlap_gradient(overlap, &above, &force, ERR));
    /* [1.5, 2] x [1, 2] x [1.875, 2]: 0.5 upwards, 0.125 along x; along y both faces coincide. */
    cr_expect(fabs(force.z - 0.5) < 1e-13 && fabs(force.x - 0.125) < 1e-13, "%.17g %.17g", force.x,
              force.z);
    assert_ok(bench_overlap_gradient(overlap, &away, &force, ERR));
    cr_expect_eq(vec3_norm(force), 0);
    bench_overlap_destroy(overlap);
}

/* --- Comparison with all corners and all triangles -------------------------------------------- */

static double distance_to(const geo_mesh *mesh, vec3 p)
{
    double least = INFINITY;
    for (size_t f = 0; f < mesh->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        least = fmin(least, vec3_distance2(p, geo_triangle_closest(t, p)));
    }
    return sqrt(least);
}

static double brute_depth(const bench_pair *pair, const geo_pose *pose)
{
    base_arena arena = {0};
    geo_surface a, b;
    const geo_pose back = geo_pose_inverse(pose);
    double deepest = 0;
    assert_ok(geo_surface_build(&pair->a.mesh, &arena, &a, ERR));
    assert_ok(geo_surface_build(&pair->b.mesh, &arena, &b, ERR));
    for (size_t i = 0; i < pair->b.mesh.vertex_count; i++) {
        const vec3 p = geo_pose_apply(pose, pair->b.mesh.vertices[i]);
        if (geo_surface_contains(&a, p)) {
            deepest = fmax(deepest, distance_to(&pair->a.mesh, p));
        }
    }
    for (size_t i = 0; i < pair->a.mesh.vertex_count; i++) {
        const vec3 p = pair->a.mesh.vertices[i];
        if (geo_surface_contains_moved(&b, pose, p)) {
            deepest = fmax(deepest, distance_to(&pair->b.mesh, geo_pose_apply(&back, p)));
        }
    }
    base_arena_release(&arena);
    return deepest;
}

enum { POSES = 60 };

static void draw_poses(bench_overlap_at *at)
{
    base_random random = base_random_seed(7);
    for (size_t i = 0; i < POSES; i++) {
        const vec3 way = vec3_scale(0.03, geo_random_direction(&random));
        at[i] = (bench_overlap_at){.pose = geo_pose_make(geo_random_rotation(&random), way),
                                   .depth = i % 3 != 0};
    }
}

Test(overlap, depths_are_those_of_all_corners_for_any_number_of_threads)
{
    bench_pair pair;
    bench_overlap_at one[POSES], three[POSES];
    open_pair("artificial:triangles=450", "torus:triangles=300", &pair);
    bench_overlap *const overlap = open_overlap(&pair);
    draw_poses(one);
    draw_poses(three);
    setenv("PROXBENCH_THREADS", "1", 1);
    assert_ok(bench_overlap_find(overlap, one, POSES, ERR));
    setenv("PROXBENCH_THREADS", "3", 1);
    assert_ok(bench_overlap_find(overlap, three, POSES, ERR));
    size_t deep = 0;
    for (size_t i = 0; i < POSES; i++) {
        cr_expect_eq(one[i].volume_m3, three[i].volume_m3, "pose %zu", i);
        if (!one[i].depth) {
            cr_expect(isnan(one[i].point_depth_m), "pose %zu", i);
            continue;
        }
        const double expected = one[i].volume_m3 > 0 ? brute_depth(&pair, &one[i].pose) : 0;
        cr_expect_eq(one[i].point_depth_m, three[i].point_depth_m, "pose %zu", i);
        cr_expect(fabs(one[i].point_depth_m - expected) <= 1e-15, "pose %zu: %.17g, not %.17g", i,
                  one[i].point_depth_m, expected);
        deep += expected > 0;
    }
    cr_expect_geq(deep, 10, "only %zu poses are deep", deep);
    bench_overlap_destroy(overlap);
    bench_pair_close(&pair);
}
