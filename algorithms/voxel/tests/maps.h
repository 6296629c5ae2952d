/** Voxmaps with given values, for tests of code that reads voxmaps. */
#ifndef ALGORITHMS_VOXEL_TESTS_MAPS_H
#define ALGORITHMS_VOXEL_TESTS_MAPS_H

#include "algorithms/tests/shapes.h"
#include "algorithms/voxel/map.h"

#include <string.h>

/** Returns the layer of voxel (x, y, z). */
typedef int layer_of(const void *context, uint32_t x, uint32_t y, uint32_t z);

/** Returns a dense map; counts of voxels are 0. */
static inline alg_voxel_map map_dense(const alg_voxel_grid *grid, uint32_t layers, layer_of *layer,
                                      const void *context, base_arena *arena)
{
    alg_voxel_map map = {.grid = *grid, .layers = layers, .storage = ALG_VOXEL_DENSE};
    const uint32_t *const n = grid->size;
    map.values = base_arena_alloc(arena, alg_voxel_grid_count(grid), 1);
    cr_assert_not_null(map.values);
    for (uint32_t i = 0; i < alg_voxel_grid_count(grid); i++) {
        map.values[i] = (int8_t)layer(context, i % n[0], i / n[0] % n[1], i / n[0] / n[1]);
    }
    return map;
}

/** Returns the same voxels in blocks. */
static inline alg_voxel_map map_blocked(const alg_voxel_map *dense, base_arena *arena)
{
    enum { N = ALG_VOXEL_MAP_BLOCK };
    alg_voxel_map map = *dense;
    map.storage = ALG_VOXEL_BLOCKED;
    size_t count = 1;
    for (int axis = 0; axis < 3; axis++) {
        map.block_count[axis] = (map.grid.size[axis] + N - 1) / N;
        count *= map.block_count[axis];
    }
    map.blocks = base_arena_alloc(arena, count, sizeof *map.blocks);
    map.values = base_arena_alloc(arena, count, N * N * N);
    cr_assert(map.blocks && map.values);
    for (size_t b = 0; b < count; b++) {
        int8_t own[N * N * N];
        bool alike = true;
        for (uint32_t i = 0; i < N * N * N; i++) {
            const uint32_t x = (uint32_t)(b % map.block_count[0]) * N + i % N;
            const uint32_t y =
                (uint32_t)(b / map.block_count[0] % map.block_count[1]) * N + i / N % N;
            const uint32_t z =
                (uint32_t)(b / map.block_count[0] / map.block_count[1]) * N + i / N / N;
            const uint32_t *const size = map.grid.size;
            own[i] = x < size[0] && y < size[1] && z < size[2]
                         ? (int8_t)alg_voxel_layer(dense, x, y, z)
                         : (int8_t)-map.layers;
            alike = alike && own[i] == own[0];
        }
        map.blocks[b] = alike ? (uint8_t)own[0] : ALG_VOXEL_MAP_OPEN | map.open_count;
        if (!alike) {
            memcpy(map.values + (size_t)map.open_count++ * N * N * N, own, sizeof own);
        }
    }
    return map;
}

#endif
