#include "algorithms/imp/coarse.h"

#include <math.h>

/* Blocks of padding around the grid, and the number of layers. Balls that are larger than the last
 * layer's are opened. */
enum { PADDING = 1, LAYERS = 16 };

static void mark_blocks(const alg_voxel_bits *voxels, alg_voxel_bits *blocks)
{
    for (uint32_t z = 0; z < voxels->size[2]; z++) {
        for (uint32_t y = 0; y < voxels->size[1]; y++) {
            const uint64_t *const row = alg_voxel_bits_row(voxels, y, z);
            uint64_t *const to = alg_voxel_bits_row(blocks, y / ALG_IMP_COARSE_BLOCK + PADDING,
                                                    z / ALG_IMP_COARSE_BLOCK + PADDING);
            /* Each byte of a word is one block along x. */
            for (uint32_t x = 0; x < voxels->size[0]; x += ALG_IMP_COARSE_BLOCK) {
                const uint32_t block = x / ALG_IMP_COARSE_BLOCK + PADDING;
                to[block / 64] |= (uint64_t)((row[x / 64] >> x % 64 & 0xff) != 0) << block % 64;
            }
        }
    }
}

base_status alg_imp_coarse_build(const alg_voxel_bits *surface, const alg_voxel_bits *full,
                                 base_arena *arena, alg_voxel_map *map, base_error *err)
{
    alg_voxel_grid grid = {.edge = 2 * ALG_IMP_COARSE_BLOCK, .padding = PADDING};
    alg_voxel_bits blocks = {0};
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t size = surface->size[axis] + ALG_IMP_COARSE_BLOCK - 1;
        grid.size[axis] = size / ALG_IMP_COARSE_BLOCK + 2 * PADDING;
    }
    base_status status = alg_voxel_bits_create(grid.size, &blocks, err);
    if (status == BASE_OK) {
        mark_blocks(surface, &blocks);
        mark_blocks(full, &blocks);
        status = alg_voxel_map_build(&grid, &blocks, LAYERS, ALG_VOXEL_DENSE, arena, map, err);
    }
    alg_voxel_bits_release(&blocks);
    return status;
}

bool alg_imp_coarse_misses(const alg_voxel_map *map, const float centre[3], float radius)
{
    uint32_t at[3];
    bool within = true;
    for (int axis = 0; axis < 3; axis++) {
        const float end = (float)((map->grid.size[axis] - 2 * PADDING) * 2 * ALG_IMP_COARSE_BLOCK);
        if (!(centre[axis] >= -radius && centre[axis] <= end + radius)) {
            return true;
        }
        within = within && centre[axis] >= 0 && centre[axis] < end;
        at[axis] = within ? (uint32_t)centre[axis] / (2 * ALG_IMP_COARSE_BLOCK) + PADDING : 0;
    }
    const int layer = within ? alg_voxel_layer(map, at[0], at[1], at[2]) : 0;
    return radius < (float)((-layer - 1) * 2 * ALG_IMP_COARSE_BLOCK);
}
