#include "algorithms/voxel/blocks.h"
#include "base/random.h"

#include <criterion/criterion.h>

enum { X = 21, Y = 16, Z = 9 }; /* the grid cuts the last blocks along some axes only */

/** Tests random ranges of numbers against an array, with every block open. */
Test(blocks, hold_what_they_are_filled_with)
{
    static uint32_t expected[Z][Y][X];
    const uint32_t size[3] = {X, Y, Z};
    base_arena arena = {0};
    base_error err = {0};
    alg_voxel_blocks grid;
    cr_assert_eq(alg_voxel_blocks_create(size, &arena, &grid, &err), BASE_OK);
    for (uint32_t z = 0; z < Z; z++) {
        for (uint32_t y = 0; y < Y; y++) {
            for (uint32_t x = 0; x < X; x++) {
                alg_voxel_blocks_open(&grid, x, y, z);
            }
        }
    }
    cr_assert_eq(grid.open_count, 3 * 2 * 2);
    cr_assert_eq(alg_voxel_blocks_allocate(&grid, &arena, &err), BASE_OK);
    base_random random = base_random_seed(1);
    for (uint32_t number = 1; number < 200; number++) {
        alg_voxel_range r;
        for (int axis = 0; axis < 3; axis++) {
            r.lo[axis] = (uint32_t)base_random_below(&random, size[axis] + 1);
            r.hi[axis] =
                r.lo[axis] + (uint32_t)base_random_below(&random, size[axis] - r.lo[axis] + 1);
        }
        alg_voxel_blocks_fill(&grid, &r, number);
        for (uint32_t z = r.lo[2]; z < r.hi[2]; z++) {
            for (uint32_t y = r.lo[1]; y < r.hi[1]; y++) {
                for (uint32_t x = r.lo[0]; x < r.hi[0]; x++) {
                    expected[z][y][x] = number;
                }
            }
        }
    }
    for (uint32_t z = 0; z < Z; z++) {
        for (uint32_t y = 0; y < Y; y++) {
            for (uint32_t x = 0; x < X; x++) {
                cr_assert_eq(alg_voxel_number(&grid, x, y, z), expected[z][y][x], "%u %u %u", x, y,
                             z);
            }
        }
    }
    base_arena_release(&arena);
}

/** Tests that a block that is not open has no voxels, and a single number. */
Test(blocks, of_one_number_have_no_voxels)
{
    const uint32_t size[3] = {X, Y, Z};
    base_arena arena = {0};
    base_error err = {0};
    alg_voxel_blocks grid;
    cr_assert_eq(alg_voxel_blocks_create(size, &arena, &grid, &err), BASE_OK);
    alg_voxel_blocks_open(&grid, 3, 3, 3);
    alg_voxel_blocks_open(&grid, 7, 0, 0);
    cr_assert_eq(grid.open_count, 1, "one block holds both");
    cr_assert_eq(alg_voxel_blocks_allocate(&grid, &arena, &err), BASE_OK);
    const alg_voxel_range all = {{0, 0, 0}, {X, Y, Z}};
    const alg_voxel_range one = {{3, 3, 3}, {4, 4, 4}};
    alg_voxel_blocks_fill(&grid, &all, 1);
    alg_voxel_blocks_fill(&grid, &one, 2);
    cr_assert_eq(alg_voxel_number(&grid, 3, 3, 3), 2);
    cr_assert_eq(alg_voxel_number(&grid, 4, 3, 3), 1);
    cr_assert_eq(alg_voxel_number(&grid, 20, 15, 8), 1);
    cr_assert_eq(alg_voxel_block_of(&grid, 20, 15, 8), 1, "the number itself");
    base_arena_release(&arena);
}
