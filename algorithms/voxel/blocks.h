/**
 * A sparse grid: a number for each voxel, stored in blocks of 8 x 8 x 8. A block whose voxels all
 * have the same number has no voxels of its own.
 *
 * It is filled in two passes: `open` every voxel whose block needs voxels of its own, `allocate`,
 * then `fill` ranges with their numbers. All voxels are initially 0.
 */
#ifndef ALGORITHMS_VOXEL_BLOCKS_H
#define ALGORITHMS_VOXEL_BLOCKS_H

#include "base/error.h"
#include "base/memory.h"

#include <stdint.h>

enum { ALG_VOXEL_BLOCK = 8 }; /* edge of a block, in voxels */

/**
 * Flag in `blocks`: this bit and the number of the block's own voxels. Numbers of voxels do not
 * have this bit.
 */
#define ALG_VOXEL_OPEN 0x80000000u

typedef struct alg_voxel_blocks {
    uint32_t size[3];  /* voxels */
    uint32_t count[3]; /* blocks */
    uint32_t *blocks;  /* arena; x fastest: the number of all voxels of the block, or
                          ALG_VOXEL_OPEN | block */
    uint32_t *voxels;  /* arena; voxels of the open blocks, x fastest */
    uint32_t open_count;
} alg_voxel_blocks;

/** The voxels [lo, hi) along each axis. */
typedef struct alg_voxel_range {
    uint32_t lo[3], hi[3];
} alg_voxel_range;

/**
 * Creates a grid of `size` voxels, all 0.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 4 bytes per block.
 */
base_status alg_voxel_blocks_create(const uint32_t size[3], base_arena *arena,
                                    alg_voxel_blocks *grid, base_error *err) BASE_MUST_CHECK;

/**
 * Marks the block of voxel (x, y, z), which is in the grid, as one that needs voxels of its own.
 */
void alg_voxel_blocks_open(alg_voxel_blocks *grid, uint32_t x, uint32_t y, uint32_t z);

/**
 * Allocates the voxels of the open blocks.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 2 KiB per open block.
 */
base_status alg_voxel_blocks_allocate(alg_voxel_blocks *grid, base_arena *arena,
                                      base_error *err) BASE_MUST_CHECK;

/**
 * Sets the number of the voxels of a range. A block that is not open takes the number as a whole,
 * even if the range contains only a part of it: all voxels of such a block must have the same
 * number.
 *
 * Shapes   the range is in the grid, and may be empty; number < ALG_VOXEL_OPEN.
 */
void alg_voxel_blocks_fill(alg_voxel_blocks *grid, const alg_voxel_range *range, uint32_t number);

/** Returns the entry of `blocks` for the block of a voxel in the grid. */
static inline uint32_t alg_voxel_block_of(const alg_voxel_blocks *grid, uint32_t x, uint32_t y,
                                          uint32_t z)
{
    const uint32_t n = ALG_VOXEL_BLOCK;
    return grid->blocks[((size_t)(z / n) * grid->count[1] + y / n) * grid->count[0] + x / n];
}

/** Returns the index of a voxel in its block. */
static inline uint32_t alg_voxel_in_block(uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t n = ALG_VOXEL_BLOCK;
    return ((z % n) * n + y % n) * n + x % n;
}

/** Returns the voxels of an open block, from its entry. */
static inline uint32_t *alg_voxel_block_voxels(const alg_voxel_blocks *grid, uint32_t entry)
{
    return grid->voxels +
           (size_t)(entry & ~ALG_VOXEL_OPEN) * ALG_VOXEL_BLOCK * ALG_VOXEL_BLOCK * ALG_VOXEL_BLOCK;
}

/** Returns the number of a voxel in the grid. */
static inline uint32_t alg_voxel_number(const alg_voxel_blocks *grid, uint32_t x, uint32_t y,
                                        uint32_t z)
{
    const uint32_t entry = alg_voxel_block_of(grid, x, y, z);
    return entry & ALG_VOXEL_OPEN ? alg_voxel_block_voxels(grid, entry)[alg_voxel_in_block(x, y, z)]
                                  : entry;
}

#endif
