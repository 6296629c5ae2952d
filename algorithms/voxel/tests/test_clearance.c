/** Tests clearances of given and random maps against plain loops. */
#include "algorithms/voxel/clearance.h"

#include "algorithms/voxel/tests/maps.h"
#include "base/memory.h"
#include "base/random.h"

#include <criterion/criterion.h>

enum { CELL = ALG_VOXEL_CELL };

/** Only the voxel `context` has layer 0. */
static int one_voxel(const void *context, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t *const v = context;
    return x == v[0] && y == v[1] && z == v[2] ? 0 : -1;
}

/** Returns random layers: a few voxels of layers -1 to 2, except in the outermost voxels. */
static int sparse(const void *context, uint32_t x, uint32_t y, uint32_t z)
{
    const alg_voxel_grid *const grid = context;
    const uint32_t *const n = grid->size;
    base_random random = base_random_seed((z * n[1] + y) * n[0] + x + 1000 * n[0]);
    const bool inside = x > 0 && y > 0 && z > 0 && x + 1 < n[0] && y + 1 < n[1] && z + 1 < n[2];
    return inside && base_random_below(&random, 600) == 0 ? (int)base_random_below(&random, 4) - 1
                                                          : -3;
}

static alg_voxel_clearance build(const alg_voxel_map *map, int32_t least, base_arena *arena)
{
    alg_voxel_clearance c;
    base_error err;
    cr_assert_eq(alg_voxel_clearance_build(map, least, arena, &c, &err), BASE_OK);
    return c;
}

static int at(const alg_voxel_clearance *c, uint32_t x, uint32_t y, uint32_t z)
{
    return c->cells[((size_t)z * c->count[1] + y) * c->count[0] + x];
}

Test(clearance, of_one_voxel_by_hand)
{
    const alg_voxel_grid grid = {.edge = 1, .padding = 1, .size = {30, 9, 12}};
    base_arena arena = {0};
    const uint32_t voxel[3] = {5, 1, 6};
    const alg_voxel_map map = map_dense(&grid, 1, one_voxel, voxel, &arena);
    const alg_voxel_clearance c = build(&map, 0, &arena);
    cr_assert(c.count[0] == 8 && c.count[1] == 3 && c.count[2] == 3);
    cr_assert_eq(at(&c, 1, 0, 1), 0, "its own cell");
    cr_assert_eq(at(&c, 0, 0, 1), 1 + 16 * 1, "voxel 4 is between");
    cr_assert_eq(at(&c, 2, 0, 1), 1 + 16 * 2, "voxels 6 and 7 are between");
    cr_assert_eq(at(&c, 1, 0, 0), 1 + 16 * 2, "along z");
    cr_assert_eq(at(&c, 1, 2, 1), 1 + 16 * 6, "along y");
    cr_assert_eq(at(&c, 2, 0, 0), 1 + 45, "16 sqrt(8), rounded down");
    cr_assert_eq(at(&c, 5, 0, 1), 1 + 16 * 14);
    cr_assert_eq(at(&c, 6, 0, 1), 1 + 16 * 16, "18 voxels, cut");
    base_arena_release(&arena);
}

/**
 * Tests voxels beyond the slabs of a thread: threads take 16 slabs of cells at a time, 64 voxels
 * along z.
 */
Test(clearance, of_voxels_beyond_the_slabs_of_a_thread)
{
    const alg_voxel_grid grid = {.edge = 1, .padding = 1, .size = {9, 9, 80}};
    base_arena arena = {0};
    const uint32_t behind[3] = {4, 4, 66}, before[3] = {4, 4, 61};
    const alg_voxel_map maps[] = {map_dense(&grid, 1, one_voxel, behind, &arena),
                                  map_dense(&grid, 1, one_voxel, before, &arena)};
    const alg_voxel_clearance a = build(&maps[0], 0, &arena), b = build(&maps[1], 0, &arena);
    cr_assert(at(&a, 1, 1, 16) == 0 && at(&a, 1, 1, 15) == 1 + 16 * 2 &&
              at(&a, 1, 1, 14) == 1 + 16 * 6);
    cr_assert(at(&b, 1, 1, 15) == 0 && at(&b, 1, 1, 16) == 1 + 16 * 2 &&
              at(&b, 1, 1, 17) == 1 + 16 * 6);
    base_arena_release(&arena);
}

/** Returns the gap between a cell and a voxel along an axis. */
static double gap_along(uint32_t cell, uint32_t i)
{
    const double first = (double)cell * CELL, end = first + CELL;
    return fmax(0, fmax(first - (i + 1.0), i - end));
}

/** Returns the expected value, by all voxels of the map. */
static int expected(const alg_voxel_map *map, int32_t least, const uint32_t cell[3])
{
    double best = 16 * 16;
    bool holds = false;
    for (uint32_t z = 0; z < map->grid.size[2]; z++) {
        for (uint32_t y = 0; y < map->grid.size[1]; y++) {
            for (uint32_t x = 0; x < map->grid.size[0]; x++) {
                if (alg_voxel_layer(map, x, y, z) >= least) {
                    const double a = gap_along(cell[0], x), b = gap_along(cell[1], y),
                                 c = gap_along(cell[2], z);
                    best = fmin(best, a * a + b * b + c * c);
                    holds = holds ||
                            (x / CELL == cell[0] && y / CELL == cell[1] && z / CELL == cell[2]);
                }
            }
        }
    }
    return holds ? 0 : 1 + (int)(16 * sqrt(best));
}

Test(clearance, equals_a_plain_loop)
{
    size_t holding = 0, cut = 0, between = 0;
    for (uint32_t seed = 0; seed < 6; seed++) {
        const alg_voxel_grid grid = {
            .edge = 1, .padding = 1, .size = {21 + seed, 11 + 7 * (seed % 3), 70 - 9 * seed}};
        base_arena arena = {0};
        const alg_voxel_map dense = map_dense(&grid, 3, sparse, &grid, &arena);
        const alg_voxel_map blocked = map_blocked(&dense, &arena);
        const int32_t least = seed % 2 ? 0 : -1;
        const alg_voxel_clearance c = build(&dense, least, &arena);
        const alg_voxel_clearance same = build(&blocked, least, &arena);
        const size_t count = (size_t)c.count[0] * c.count[1] * c.count[2];
        cr_assert_eq(memcmp(c.cells, same.cells, count * sizeof *c.cells), 0);
        for (size_t i = 0; i < count; i++) {
            const uint32_t cell[3] = {(uint32_t)(i % c.count[0]),
                                      (uint32_t)(i / c.count[0] % c.count[1]),
                                      (uint32_t)(i / c.count[0] / c.count[1])};
            const int want = expected(&dense, least, cell);
            cr_assert_eq(c.cells[i], want, "seed %u, cell %zu: %d, not %d", seed, i, c.cells[i],
                         want);
            holding += want == 0;
            cut += want == 257;
            between += want > 0 && want < 257;
        }
        base_arena_release(&arena);
    }
    cr_assert(holding > 20 && between > 1000, "%zu %zu %zu", holding, between, cut);
}

static int full(const void *context, uint32_t x, uint32_t y, uint32_t z)
{
    (void)context;
    (void)x;
    (void)y;
    (void)z;
    return 1;
}

Test(clearance, of_a_full_and_an_empty_map)
{
    const alg_voxel_grid grid = {.edge = 1, .padding = 1, .size = {6, 5, 5}};
    base_arena arena = {0};
    const alg_voxel_map map = map_dense(&grid, 1, full, NULL, &arena);
    const alg_voxel_clearance all = build(&map, 1, &arena), none = build(&map, 2, &arena);
    for (int i = 0; i < 8; i++) {
        cr_assert(all.cells[i] == 0 && none.cells[i] == 257, "cell %d", i);
    }
    base_arena_release(&arena);
}
