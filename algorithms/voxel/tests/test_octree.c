#include "algorithms/voxel/octree.h"
#include "base/memory.h"
#include "base/random.h"

#include <criterion/criterion.h>

enum { LEVELS = 5, SIDE = 1 << LEVELS };

/**
 * Visits a node: counts its voxels, and checks that they are in its cube and that nodes are depth
 * first.
 */
static size_t visit(const alg_voxel_octree *o, const alg_voxel_at *voxels, uint32_t node,
                    alg_voxel_at corner, uint32_t level, uint32_t *next)
{
    cr_assert_eq(node, (*next)++, "nodes are numbered depth first");
    const uint32_t half = 1u << (level - 1);
    size_t found = 0;
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t child = o->nodes[node].child[i];
        const alg_voxel_at at = {corner.x + (i & 1 ? half : 0), corner.y + (i & 2 ? half : 0),
                                 corner.z + (i & 4 ? half : 0)};
        if (child == ALG_VOXEL_EMPTY) {
            continue;
        }
        if (child & ALG_VOXEL_LEAF) {
            const alg_voxel_at v = voxels[child & ~ALG_VOXEL_LEAF];
            cr_assert_eq(level, 1);
            cr_assert(v.x == at.x && v.y == at.y && v.z == at.z);
            found++;
            continue;
        }
        const size_t below = visit(o, voxels, child, at, level - 1, next);
        cr_assert_gt(below, 0, "a cube without voxels is empty");
        found += below;
    }
    return found;
}

Test(octree, holds_every_voxel_once_where_it_is)
{
    base_random random = base_random_seed(1);
    for (int sparse = 1; sparse <= 64; sparse *= 4) {
        static alg_voxel_at voxels[SIDE * SIDE * SIDE];
        size_t count = 0;
        for (uint32_t i = 0; i < SIDE * SIDE * SIDE; i++) {
            if (base_random_below(&random, (uint64_t)sparse) == 0) {
                voxels[count++] = (alg_voxel_at){i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
            }
        }
        base_arena arena = {0};
        base_error err = {0};
        alg_voxel_octree o;
        cr_assert_eq(alg_voxel_octree_build(voxels, count, LEVELS, &arena, &o, &err), BASE_OK);
        uint32_t next = 0;
        cr_assert_eq(visit(&o, voxels, 0, (alg_voxel_at){0, 0, 0}, LEVELS, &next), count);
        cr_assert_eq(next, o.node_count);
        base_arena_release(&arena);
    }
}

Test(octree, of_no_voxel_is_an_empty_root)
{
    base_arena arena = {0};
    base_error err = {0};
    alg_voxel_octree o;
    cr_assert_eq(alg_voxel_octree_build(NULL, 0, 3, &arena, &o, &err), BASE_OK);
    cr_assert_eq(o.node_count, 1);
    for (int i = 0; i < 8; i++) {
        cr_assert_eq(o.nodes[0].child[i], ALG_VOXEL_EMPTY);
    }
    base_arena_release(&arena);
}

Test(octree, out_of_memory_is_an_error)
{
    const alg_voxel_at voxels[] = {{0, 0, 0}, {7, 7, 7}};
    for (size_t n = 0; n < 3; n++) {
        base_arena arena = {0};
        base_error err = {0};
        alg_voxel_octree o;
        base_memory_fail_after(n);
        const base_status status = alg_voxel_octree_build(voxels, 2, 3, &arena, &o, &err);
        base_memory_fail_after(SIZE_MAX);
        cr_assert_eq(status, BASE_ERR_MEMORY, "after %zu", n);
        base_arena_release(&arena);
    }
}
