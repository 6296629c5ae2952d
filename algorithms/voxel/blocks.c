#include "algorithms/voxel/blocks.h"

#include <stddef.h>
#include <stdint.h>

static uint32_t *entry_at(const alg_voxel_blocks *grid, uint32_t x, uint32_t y, uint32_t z)
{
    return &grid->blocks[((size_t)z * grid->count[1] + y) * grid->count[0] + x];
}

base_status alg_voxel_blocks_create(const uint32_t size[3], base_arena *arena,
                                    alg_voxel_blocks *grid, base_error *err)
{
    *grid = (alg_voxel_blocks){0};
    for (int axis = 0; axis < 3; axis++) {
        grid->size[axis] = size[axis];
        grid->count[axis] = (size[axis] + ALG_VOXEL_BLOCK - 1) / ALG_VOXEL_BLOCK;
    }
    const size_t blocks = (size_t)grid->count[0] * grid->count[1] * grid->count[2];
    grid->blocks = base_arena_alloc(arena, blocks, sizeof *grid->blocks);
    if (!grid->blocks) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu blocks of voxels", blocks);
    }
    return BASE_OK;
}

void alg_voxel_blocks_open(alg_voxel_blocks *grid, uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t *const entry =
        entry_at(grid, x / ALG_VOXEL_BLOCK, y / ALG_VOXEL_BLOCK, z / ALG_VOXEL_BLOCK);
    if (!(*entry & ALG_VOXEL_OPEN)) {
        *entry = ALG_VOXEL_OPEN | grid->open_count++;
    }
}

base_status alg_voxel_blocks_allocate(alg_voxel_blocks *grid, base_arena *arena, base_error *err)
{
    const size_t block = ALG_VOXEL_BLOCK * ALG_VOXEL_BLOCK * ALG_VOXEL_BLOCK;
    grid->voxels = base_arena_alloc(arena, block * grid->open_count, sizeof *grid->voxels);
    if (!grid->voxels) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %u blocks of voxels",
                         grid->open_count);
    }
    return BASE_OK;
}

/** Sets the number of the voxels of block `at` that are in the range. */
static void fill_block(alg_voxel_blocks *grid, const uint32_t at[3], const alg_voxel_range *range,
                       uint32_t number)
{
    const uint32_t n = ALG_VOXEL_BLOCK;
    uint32_t *const entry = entry_at(grid, at[0], at[1], at[2]);
    if (!(*entry & ALG_VOXEL_OPEN)) {
        *entry = number;
        return;
    }
    alg_voxel_range in = *range; /* relative to the block's corner */
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t lo = at[axis] * n;
        in.lo[axis] = range->lo[axis] > lo ? range->lo[axis] - lo : 0;
        in.hi[axis] = range->hi[axis] - lo < n ? range->hi[axis] - lo : n;
    }
    uint32_t *const voxels = alg_voxel_block_voxels(grid, *entry);
    for (uint32_t z = in.lo[2]; z < in.hi[2]; z++) {
        for (uint32_t y = in.lo[1]; y < in.hi[1]; y++) {
            for (uint32_t x = in.lo[0]; x < in.hi[0]; x++) {
                voxels[(z * n + y) * n + x] = number;
            }
        }
    }
}

void alg_voxel_blocks_fill(alg_voxel_blocks *grid, const alg_voxel_range *range, uint32_t number)
{
    const uint32_t n = ALG_VOXEL_BLOCK;
    base_assert(!(number & ALG_VOXEL_OPEN));
    uint32_t at[3];
    for (at[2] = range->lo[2] / n; at[2] * n < range->hi[2]; at[2]++) {
        for (at[1] = range->lo[1] / n; at[1] * n < range->hi[1]; at[1]++) {
            for (at[0] = range->lo[0] / n; at[0] * n < range->hi[0]; at[0]++) {
                fill_block(grid, at, range, number);
            }
        }
    }
}
