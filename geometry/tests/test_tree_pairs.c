
#include "base/memory.h"
#include "geometry/random.h"
#include "geometry/tests/shapes.h"
#include "geometry/tree_pairs.h"
#include "geometry/triangle.h"

#include <stdlib.h>

TestSuite(tree_pairs, .timeout = 60);

static geo_tree build(const geo_mesh *mesh, base_arena *arena)
{
    geo_tree tree;
    base_error err = {0};
    const vec3 origin = {0.1, -0.2, 0.3};
    cr_assert_eq(geo_tree_build(mesh, origin, arena, &tree, &err), BASE_OK, "%s", err.text);
    return tree;
}

typedef struct face_pairs {
    uint8_t *found;
    size_t width, count, stop_after;
} face_pairs;

static bool note_faces(void *context, uint32_t a, uint32_t b)
{
    face_pairs *const pairs = context;
    pairs->found[a * pairs->width + b]++;
    return ++pairs->count != pairs->stop_after;
}

static size_t check_intersections(const geo_mesh *a, const geo_mesh *b, const geo_pose *pose,
                                  int number)
{
    base_arena arena = {0};
    const geo_tree tree_a = build(a, &arena), tree_b = build(b, &arena);
    face_pairs pairs = {base_alloc(a->face_count * b->face_count, 1), b->face_count, 0, 0};
    cr_assert_not_null(pairs.found);
    cr_assert(geo_tree_intersections(&tree_a, &tree_b, pose, note_faces, &pairs));
    for (size_t i = 0; i < a->face_count; i++) {
        for (size_t j = 0; j < b->face_count; j++) {
            const geo_triangle t = geo_pose_apply_triangle(pose, geo_mesh_triangle(b, j));
            const bool want = geo_triangle_intersect(geo_mesh_triangle(a, i), t);
            cr_assert_eq(pairs.found[i * pairs.width + j], want, "case %d: faces %zu and %zu",
                         number, i, j);
        }
    }
    base_free(pairs.found);
    base_arena_release(&arena);
    return pairs.count;
}

Test(tree_pairs, intersections_equal_all_pairs)
{
    const uint64_t seed = 70;
    base_random random = base_random_seed(seed);
    geo_mesh torus = shape_torus(14, 1, 0.4), soup = shape_soup(&random, 200, false);
    geo_mesh lattice = shape_soup(&random, 200, true);
    const geo_mesh *const meshes[3] = {&torus, &soup, &lattice};
    size_t some = 0, none = 0;
    for (int i = 0; i < 45; i++) {
        const vec3 offset = vec3_scale(0.12 * i, geo_random_direction(&random));
        const geo_pose pose = geo_pose_make(geo_random_rotation(&random), offset);
        const size_t count = check_intersections(meshes[i % 3], meshes[i / 3 % 3], &pose, i);
        some += count > 0;
        none += count == 0;
    }
    cr_assert(some > 10 && none > 3, "%zu %zu", some, none);
    /* Integer moves keep everything exact: faces that touch in points, edges and planes. */
    geo_mesh cells = shape_cells(&random, 0x0f0f00ff33005512);
    for (int i = 0; i < 8; i++) {
        const geo_pose pose = geo_pose_make(i < 4 ? geo_quat_identity() : (geo_quat){0, 0, 1, 0},
                                            (vec3){i % 4, i % 3, i % 2});
        cr_assert_gt(check_intersections(&cells, &cells, &pose, i), 0);
    }
    geo_mesh_release(&torus);
    geo_mesh_release(&soup);
    geo_mesh_release(&lattice);
    geo_mesh_release(&cells);
}

Test(tree_pairs, visitor_stops_the_search)
{
    geo_mesh torus = shape_torus(14, 1, 0.4);
    base_arena arena = {0};
    const geo_tree tree = build(&torus, &arena);
    face_pairs pairs = {base_alloc(torus.face_count * torus.face_count, 1), torus.face_count, 0, 3};
    cr_assert_not_null(pairs.found);
    const geo_pose pose = geo_pose_make(geo_quat_identity(), (vec3){0.3, 0.2, 0});
    cr_assert_not(geo_tree_intersections(&tree, &tree, &pose, note_faces, &pairs));
    cr_assert_eq(pairs.count, 3);
    base_free(pairs.found);
    base_arena_release(&arena);
    geo_mesh_release(&torus);
}

typedef struct visits {
    uint64_t hash, count;
} visits;

static bool note_visit(void *context, uint32_t first, unsigned hits, uint32_t b)
{
    visits *const v = context;
    v->hash = (v->hash ^ first ^ (uint64_t)hits << 32 ^ (uint64_t)b << 40) * 0x9e3779b97f4a7c15;
    v->count++;
    return true;
}

/** Whatever the instruction set, the same pairs are visited in the same order. */
Test(tree_pairs, the_same_visits_from_every_instruction_set)
{
    geo_mesh torus = shape_torus(40, 1, 0.4);
    base_arena arena = {0};
    const geo_tree tree = build(&torus, &arena);
    base_random random = base_random_seed(71);
    uint64_t all = 0;
    for (int i = 0; i < 30; i++) {
        const geo_pose pose = geo_pose_make(geo_random_rotation(&random), shape_point(&random, 1));
        visits wide = {0}, narrow = {0};
        cr_assert(geo_tree_pairs(&tree, &tree, &pose, note_visit, &wide));
        setenv("PROXBENCH_SIMD", "sse2", 1);
        cr_assert(geo_tree_pairs(&tree, &tree, &pose, note_visit, &narrow));
        unsetenv("PROXBENCH_SIMD");
        cr_assert(wide.hash == narrow.hash && wide.count == narrow.count, "pose %d", i);
        all += wide.count;
    }
    cr_assert_gt(all, 1000);
    base_arena_release(&arena);
    geo_mesh_release(&torus);
}
