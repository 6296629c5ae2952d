
#include "base/memory.h"
#include "geometry/pose.h"
#include "geometry/tests/shapes.h"
#include "geometry/tree.h"

#include <stdlib.h>

static geo_tree build(const geo_mesh *mesh, base_arena *arena)
{
    geo_tree tree;
    base_error err = {0};
    const vec3 origin = {0.1, -0.2, 0.3};
    cr_assert_eq(geo_tree_build(mesh, origin, arena, &tree, &err), BASE_OK, "%s", err.text);
    return tree;
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

/** All instruction sets visit the same pairs in the same order. */
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
