#include "algorithms/voxel/octree.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/** A voxel and its position in depth-first order. */
typedef struct place {
    uint64_t code;
    uint32_t voxel;
} place;

typedef struct builder {
    place *places;                /* owned; sorted */
    alg_voxel_octree_node *nodes; /* owned */
    size_t node_count, node_capacity;
} builder;

/**
 * Returns the Morton code: bits of x, y and z interleaved. Ascending codes are in depth-first
 * order.
 */
static uint64_t morton_code(alg_voxel_at v)
{
    uint64_t code = 0;
    for (int bit = 0; bit < ALG_VOXEL_OCTREE_LEVELS_MAX; bit++) {
        code |= (uint64_t)(v.x >> bit & 1) << (3 * bit) |
                (uint64_t)(v.y >> bit & 1) << (3 * bit + 1) |
                (uint64_t)(v.z >> bit & 1) << (3 * bit + 2);
    }
    return code;
}

static int compare_places(const void *left, const void *right)
{
    const place *const a = left, *const b = right;
    return (a->code > b->code) - (a->code < b->code);
}

/** Builds the node of a cube of `level`, which contains places [begin, end). */
static base_status build_node(builder *b, uint32_t level, size_t begin, size_t end,
                              uint32_t *number, base_error *err)
{
    const base_status status = base_reserve(b->nodes, b->node_capacity, b->node_count + 1, err);
    if (status != BASE_OK) {
        return status;
    }
    *number = (uint32_t)b->node_count++;
    alg_voxel_octree_node node = {{ALG_VOXEL_EMPTY}};
    for (uint32_t i = 0; i < 8; i++) {
        const size_t first = begin;
        while (begin < end && (b->places[begin].code >> (3 * (level - 1)) & 7) == i) {
            begin++;
        }
        if (first == begin) {
            continue;
        }
        if (level == 1) {
            node.child[i] = ALG_VOXEL_LEAF | b->places[first].voxel;
            continue;
        }
        const base_status below = build_node(b, level - 1, first, begin, &node.child[i], err);
        if (below != BASE_OK) {
            return below;
        }
    }
    b->nodes[*number] = node;
    return BASE_OK;
}

base_status alg_voxel_octree_build(const alg_voxel_at *voxels, size_t count, uint32_t levels,
                                   base_arena *arena, alg_voxel_octree *octree, base_error *err)
{
    base_assert(levels >= 1 && levels <= ALG_VOXEL_OCTREE_LEVELS_MAX && count < ALG_VOXEL_LEAF);
    *octree = (alg_voxel_octree){.levels = levels};
    uint32_t root;
    builder b = {.places = base_alloc(count, sizeof *b.places)};
    base_status status = BASE_OK;
    if (!b.places) {
        status =
            base_fail(err, BASE_ERR_MEMORY, "out of memory for an octree of %zu voxels", count);
        goto done;
    }
    for (size_t i = 0; i < count; i++) {
        b.places[i] = (place){morton_code(voxels[i]), (uint32_t)i};
    }
    qsort(b.places, count, sizeof *b.places, compare_places);
    status = build_node(&b, levels, 0, count, &root, err);
    if (status != BASE_OK) {
        goto done;
    }
    octree->nodes = base_arena_alloc(arena, b.node_count, sizeof *octree->nodes);
    if (!octree->nodes) {
        status =
            base_fail(err, BASE_ERR_MEMORY, "out of memory for an octree of %zu voxels", count);
        goto done;
    }
    memcpy(octree->nodes, b.nodes, b.node_count * sizeof *b.nodes);
    octree->node_count = (uint32_t)b.node_count;
done:
    base_free(b.places);
    base_free(b.nodes);
    return status;
}
