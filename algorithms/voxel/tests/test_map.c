#include "algorithms/tests/shapes.h"
#include "algorithms/voxel/map.h"
#include "algorithms/voxel/tests/voxels.h"
#include "base/tests/support.h"
#include "geometry/surface.h"

#include <stdio.h>
#include <stdlib.h>

/** A grid of unit voxels, and bits for its surface voxels. */
typedef struct fixture {
    alg_voxel_grid grid;
    alg_voxel_bits surface;
    base_arena arena;
    alg_voxel_map map;
} fixture;

static fixture set_up(uint32_t x, uint32_t y, uint32_t z)
{
    fixture f = {.grid = {.edge = 1, .padding = 1, .size = {x, y, z}}};
    assert_ok(alg_voxel_bits_create(f.grid.size, &f.surface, ERR));
    return f;
}

static void tear_down(fixture *f)
{
    alg_voxel_bits_release(&f->surface);
    base_arena_release(&f->arena);
}

#define SCOPED_FIXTURE RELEASED_BY(tear_down) fixture

static void build_with(fixture *f, alg_voxel_map_options options)
{
    base_arena_release(&f->arena);
    assert_ok(alg_voxel_map_build(&f->grid, &f->surface, &options, &f->arena, &f->map, ERR));
}

static void build(fixture *f, uint32_t layers, alg_voxel_storage storage)
{
    build_with(f, (alg_voxel_map_options){.layers = layers, .storage = storage});
}

static void set_bit(fixture *f, uint32_t x, uint32_t y, uint32_t z)
{
    alg_voxel_bit_set(&f->surface, x, y, z);
}

/**
 * Sets the sides of the box of voxels from lo to hi, without the voxels of one face if `open` is
 * set.
 */
static void set_shell(fixture *f, const uint32_t lo[3], const uint32_t hi[3], bool open)
{
    for (uint32_t z = lo[2]; z <= hi[2]; z++) {
        for (uint32_t y = lo[1]; y <= hi[1]; y++) {
            for (uint32_t x = lo[0]; x <= hi[0]; x++) {
                const bool side =
                    x == lo[0] || x == hi[0] || y == lo[1] || y == hi[1] || z == lo[2];
                if (side || (z == hi[2] && !open)) {
                    set_bit(f, x, y, z);
                }
            }
        }
    }
}

static int layer(const fixture *f, uint32_t x, uint32_t y, uint32_t z)
{
    return alg_voxel_layer(&f->map, x, y, z);
}

/* --- Known values ----------------------------------------------------------------------------- */

Test(map, an_empty_map_is_outside)
{
    for (int storage = 0; storage < 2; storage++) {
        SCOPED_FIXTURE f = set_up(9, 3, 17);
        build(&f, 4, (alg_voxel_storage)storage);
        cr_assert_eq(f.map.surface_count, 0);
        cr_assert_eq(f.map.inner_count, 0);
        cr_assert_eq(f.map.open_count, 0);
        cr_assert_eq(layer(&f, 8, 2, 16), -4);
    }
}

Test(map, one_voxel_has_layers_by_corners)
{
    SCOPED_FIXTURE f = set_up(11, 11, 11);
    set_bit(&f, 5, 5, 5);
    build(&f, 3, ALG_VOXEL_BLOCKED);
    cr_assert_eq(layer(&f, 5, 5, 5), 0);
    cr_assert_eq(layer(&f, 6, 4, 6), -1);
    cr_assert_eq(layer(&f, 5, 7, 6), -2);
    cr_assert_eq(layer(&f, 3, 3, 7), -2);
    cr_assert_eq(layer(&f, 2, 5, 5), -3);
    cr_assert_eq(layer(&f, 0, 0, 0), -3);
}

Test(map, of_nested_shells)
{
    /* A shell in a shell: the two rooms are not connected, and both are inside. */
    SCOPED_FIXTURE f = set_up(30, 29, 28);
    set_shell(&f, (uint32_t[]){1, 1, 1}, (uint32_t[]){28, 27, 26}, false);
    set_shell(&f, (uint32_t[]){8, 8, 8}, (uint32_t[]){20, 19, 18}, false);
    build(&f, 3, ALG_VOXEL_BLOCKED);
    const uint64_t outer = 28 * 27 * 26, outer_room = 26 * 25 * 24;
    const uint64_t inner = 13 * 12 * 11, inner_room = 11 * 10 * 9;
    cr_assert_eq(f.map.surface_count, outer - outer_room + inner - inner_room);
    cr_assert_eq(f.map.inner_count, outer_room - inner + inner_room);
    cr_assert_eq(layer(&f, 0, 14, 14), -1);
    cr_assert_eq(layer(&f, 1, 14, 14), 0);
    cr_assert_eq(layer(&f, 2, 14, 14), 1);
    cr_assert_eq(layer(&f, 3, 14, 14), 2);
    cr_assert_eq(layer(&f, 5, 14, 14), 3);
    cr_assert_eq(layer(&f, 7, 14, 14), 1);
    cr_assert_eq(layer(&f, 9, 14, 14), 1);
    cr_assert_eq(layer(&f, 14, 14, 13), 3);
}

Test(map, the_inside_of_a_cup_is_outside)
{
    SCOPED_FIXTURE f = set_up(70, 20, 20);
    set_shell(&f, (uint32_t[]){1, 1, 1}, (uint32_t[]){68, 18, 15}, true);
    build(&f, 4, ALG_VOXEL_DENSE);
    cr_assert_eq(f.map.inner_count, 0);
    cr_assert_eq(layer(&f, 30, 9, 2), -1);
    cr_assert_eq(layer(&f, 66, 16, 14), -2);
    /* The same with a lid that lacks one voxel. If this voxel is set, the whole cup is inside. */
    for (uint32_t y = 1; y <= 18; y++) {
        for (uint32_t x = 1; x <= 68; x++) {
            if (x != 64 || y != 7) {
                set_bit(&f, x, y, 15);
            }
        }
    }
    build(&f, 4, ALG_VOXEL_DENSE);
    cr_assert_eq(f.map.inner_count, 0);
    set_bit(&f, 64, 7, 15);
    build(&f, 4, ALG_VOXEL_DENSE);
    cr_assert_eq(f.map.inner_count, 66 * 16 * 13);
    cr_assert_eq(layer(&f, 66, 16, 14), 1);
}

Test(map, a_tunnel_is_outside)
{
    /* A tunnel through a full block, one voxel wide, along each axis in both directions. */
    static const uint32_t corners[][3] = {{150, 9, 1}, {150, 9, 7}, {3, 9, 7},   {3, 3, 7},
                                          {3, 3, 3},   {140, 3, 3}, {140, 6, 3}, {70, 6, 3}};
    SCOPED_FIXTURE f = set_up(160, 14, 12);
    for (uint32_t i = 0; i < 160 * 14 * 12; i++) {
        const uint32_t x = i % 160, y = i / 160 % 14, z = i / 2240;
        if (x > 0 && x < 159 && y > 0 && y < 13 && z > 0 && z < 11) {
            set_bit(&f, x, y, z);
        }
    }
    uint64_t length = 0;
    for (int i = 0; i + 1 < 8; i++) {
        uint32_t at[3] = {corners[i][0], corners[i][1], corners[i][2]};
        for (bool there = false; !there; length++) {
            alg_voxel_bits_row(&f.surface, at[1], at[2])[at[0] / 64] &=
                ~(UINT64_C(1) << at[0] % 64);
            there = memcmp(at, corners[i + 1], sizeof at) == 0;
            for (int axis = 0; axis < 3; axis++) {
                at[axis] += (uint32_t)((at[axis] < corners[i + 1][axis]) -
                                       (at[axis] > corners[i + 1][axis]));
            }
        }
    }
    build(&f, 2, ALG_VOXEL_BLOCKED);
    cr_assert_eq(f.map.inner_count, 0, "%lu of %lu voxels are not reached", f.map.inner_count,
                 length);
    cr_assert_eq(layer(&f, 70, 6, 3), -1);
}

Test(map, the_flood_does_not_pass_edges_and_corners)
{
    /* The octahedron |x| + |y| + |z| = 3, whose voxels meet only at edges. */
    SCOPED_FIXTURE f = set_up(9, 9, 9);
    uint64_t inner = 0;
    for (uint32_t i = 0; i < 9 * 9 * 9; i++) {
        const uint32_t x = i % 9, y = i / 9 % 9, z = i / 81;
        const int sum = abs((int)x - 4) + abs((int)y - 4) + abs((int)z - 4);
        inner += sum < 3;
        if (sum == 3) {
            set_bit(&f, x, y, z);
        }
    }
    build(&f, 4, ALG_VOXEL_BLOCKED);
    cr_assert_eq(f.map.inner_count, inner);
    cr_assert_eq(layer(&f, 4, 4, 4), 1, "(1, 1, 1) from the middle is on it");
    cr_assert_eq(layer(&f, 4, 4, 8), -1);
}

Test(map, blocks_of_equal_voxels_have_no_voxels)
{
    /* Blocks of surface voxels only, of outer voxels only, of inner voxels only. */
    SCOPED_FIXTURE f = set_up(64, 64, 64);
    set_shell(&f, (uint32_t[]){2, 2, 2}, (uint32_t[]){61, 61, 61}, false);
    for (uint32_t i = 0; i < 512; i++) {
        set_bit(&f, 24 + i % 8, 32 + i / 8 % 8, 16 + i / 64);
    }
    build(&f, 2, ALG_VOXEL_BLOCKED);
    const uint32_t *const entry = f.map.blocks;
    cr_assert_eq(entry[(2 * 8 + 4) * 8 + 3], 0, "the block of surface voxels");
    cr_assert_eq(entry[(2 * 8 + 4) * 8 + 5], 2, "inner ones");
    cr_assert(entry[(2 * 8 + 4) * 8 + 4] & ALG_VOXEL_MAP_OPEN, "beside them");
    /* The outermost blocks, which contain the shell, and the 26 around the block of surface
     * voxels. */
    cr_assert_eq(f.map.open_count, 8 * 8 * 8 - 6 * 6 * 6 + 26);
}

Test(map, voxels_beyond_the_grid_open_no_block)
{
    /* The last blocks along x have one slice in the grid. In the block from y = z = 8 on, the slice
     * is all of layer -2; a further slice would have layers -2 and -3. */
    SCOPED_FIXTURE f = set_up(65, 24, 24);
    for (uint32_t y = 1; y < 23; y++) {
        set_bit(&f, 63, y, 17);
        for (uint32_t z = 1; z < 16; z++) {
            set_bit(&f, 62, y, z);
        }
    }
    build(&f, 4, ALG_VOXEL_BLOCKED);
    cr_assert_eq(f.map.blocks[(1 * 3 + 1) * 9 + 8], (uint8_t)-2);
}

/* --- Comparison with the slow method ---------------------------------------------------------- */

/**
 * Returns the voxel beside voxel v of the grid, by steps of -1, 0 or 1; SIZE_MAX outside of the
 * grid.
 */
static size_t beside(const uint32_t size[3], size_t v, const int step[3])
{
    const long at[3] = {(long)(v % size[0]) + step[0], (long)(v / size[0] % size[1]) + step[1],
                        (long)(v / size[0] / size[1]) + step[2]};
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] < 0 || at[axis] >= (long)size[axis]) {
            return SIZE_MAX;
        }
    }
    return ((size_t)at[2] * size[1] + (size_t)at[1]) * size[0] + (size_t)at[0];
}

/**
 * Computes the number of steps from the voxels of the queue to each voxel with value 255; a step
 * changes at most `most` coordinates.
 */
static void search(const uint32_t size[3], int most, size_t *queue, size_t last, uint8_t *steps)
{
    for (size_t first = 0; first < last; first++) {
        for (int i = 0; i < 27; i++) {
            const int step[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
            if (abs(step[0]) + abs(step[1]) + abs(step[2]) > most) {
                continue;
            }
            const size_t next = beside(size, queue[first], step);
            if (next != SIZE_MAX && steps[next] == 255) {
                const uint8_t far = steps[queue[first]];
                steps[next] = (uint8_t)(far + (far < 250));
                queue[last++] = next;
            }
        }
    }
}

/**
 * Returns the layers by two searches, voxel by voxel: through faces from a corner of the grid for
 * the side, and through corners from the surface for the distance.
 */
static int8_t *slow_layers(const fixture *f, uint32_t layers)
{
    const uint32_t *const size = f->grid.size;
    const size_t count = (size_t)alg_voxel_grid_count(&f->grid);
    size_t *const queue = base_alloc(count, sizeof *queue);
    uint8_t *const outside = base_alloc(count, 1), *const far = base_alloc(count, 1);
    int8_t *const value = base_alloc(count, 1);
    size_t surface = 0;
    for (size_t v = 0; v < count; v++) {
        const size_t x = v % size[0], y = v / size[0] % size[1], z = v / size[0] / size[1];
        const bool set = alg_voxel_bit(&f->surface, (uint32_t)x, (uint32_t)y, (uint32_t)z);
        outside[v] = far[v] = set ? 0 : 255;
        if (set) {
            queue[surface++] = v;
        }
    }
    search(size, 3, queue, surface, far);
    queue[0] = 0;
    outside[0] = 1;
    search(size, 1, queue, 1, outside);
    for (size_t v = 0; v < count; v++) {
        const int k = far[v] < layers ? far[v] : (int)layers;
        value[v] = (int8_t)(outside[v] == 255 ? k : -k);
    }
    base_free(queue);
    base_free(outside);
    base_free(far);
    return value;
}

/** Compares a map with the slow layers: voxels, counts, and the blocks that have voxels. */
static void compare(const fixture *f, const int8_t *expected, const char *what)
{
    const uint32_t *const size = f->grid.size;
    uint64_t surface = 0, inner = 0;
    for (size_t v = 0; v < alg_voxel_grid_count(&f->grid); v++) {
        const uint32_t x = (uint32_t)(v % size[0]), y = (uint32_t)(v / size[0] % size[1]);
        const uint32_t z = (uint32_t)(v / size[0] / size[1]);
        cr_assert_eq(layer(f, x, y, z), expected[v], "%s: voxel %u %u %u: %d, not %d", what, x, y,
                     z, layer(f, x, y, z), expected[v]);
        surface += expected[v] == 0;
        inner += expected[v] > 0;
    }
    cr_assert_eq(f->map.surface_count, surface, "%s", what);
    cr_assert_eq(f->map.inner_count, inner, "%s", what);
    if (f->map.storage == ALG_VOXEL_DENSE) {
        return;
    }
    const uint32_t *const blocks = f->map.block_count;
    uint32_t open = 0;
    for (uint32_t b = 0; b < blocks[0] * blocks[1] * blocks[2]; b++) {
        const uint32_t at[3] = {b % blocks[0] * 8, b / blocks[0] % blocks[1] * 8,
                                b / blocks[0] / blocks[1] * 8};
        bool alike = true;
        for (uint32_t i = 0; i < 512; i++) {
            const uint32_t x = at[0] + i % 8, y = at[1] + i / 8 % 8, z = at[2] + i / 64;
            alike &= x >= size[0] || y >= size[1] || z >= size[2] ||
                     layer(f, x, y, z) == layer(f, at[0], at[1], at[2]);
        }
        const bool is_open = (f->map.blocks[b] & ALG_VOXEL_MAP_OPEN) != 0;
        cr_assert_eq(is_open, !alike, "%s: block %u", what, b);
        if (is_open) {
            cr_assert_eq(f->map.blocks[b] & ~ALG_VOXEL_MAP_OPEN, open++, "%s: in order", what);
        }
    }
    cr_assert_eq(f->map.open_count, open, "%s", what);
}

/** Sets random isolated voxels, shells, and shells with holes. */
static void set_at_random(fixture *f, base_random *random, uint64_t one_in)
{
    const uint32_t *const size = f->grid.size;
    for (uint32_t z = 1; z + 1 < size[2]; z++) {
        for (uint32_t y = 1; y + 1 < size[1]; y++) {
            for (uint32_t x = 1; x + 1 < size[0]; x++) {
                if (base_random_below(random, one_in) == 0) {
                    set_bit(f, x, y, z);
                }
            }
        }
    }
    for (int shell = 0; shell < 3; shell++) {
        uint32_t lo[3], hi[3];
        for (int axis = 0; axis < 3; axis++) {
            lo[axis] = 1 + (uint32_t)base_random_below(random, size[axis] - 2);
            hi[axis] = lo[axis] + (uint32_t)base_random_below(random, size[axis] - 1 - lo[axis]);
        }
        set_shell(f, lo, hi, base_random_below(random, 3) == 0);
    }
}

Test(map, equals_a_plain_implementation)
{
    static const uint32_t widths[] = {3, 8, 62, 63, 64, 65, 72, 127, 128, 129, 200};
    static const uint32_t layers[] = {1, 2, 3, 4, 7, 8, 127};
    base_random random = base_random_seed(1);
    uint64_t inner = 0;
    for (int round = 0; round < 66; round++) {
        SCOPED_FIXTURE f = set_up(widths[round % 11], 3 + (uint32_t)base_random_below(&random, 12),
                                  3 + (uint32_t)base_random_below(&random, 12));
        /* The density ranges from single voxels to mazes, and to sets that are too dense for a
         * flood. */
        static const uint64_t one_in[] = {1000, 100, 3, 2};
        set_at_random(&f, &random, one_in[round % 4]);
        const uint32_t most = layers[round % 7];
        SCOPED_FREE int8_t *const expected = slow_layers(&f, most);
        for (int storage = 0; storage < 2; storage++) {
            char what[80];
            snprintf(what, sizeof what, "round %d, storage %d, %u x %u x %u, %u layers", round,
                     storage, f.grid.size[0], f.grid.size[1], f.grid.size[2], most);
            build(&f, most, (alg_voxel_storage)storage);
            compare(&f, expected, what);
            inner += f.map.inner_count;
        }
    }
    cr_assert_gt(inner, 1000, "%lu", inner);
}

Test(map, layers_reach_across_tiles)
{
    /* A few surface voxels, far from most others; several tiles. */
    static const uint32_t layers[] = {2, 4, 30, 127};
    for (int i = 0; i < 4; i++) {
        SCOPED_FIXTURE f = set_up(20, 75, 140);
        set_bit(&f, 3, 31, 32);
        set_bit(&f, 17, 64, 2);
        set_shell(&f, (uint32_t[]){4, 20, 90}, (uint32_t[]){15, 34, 110}, false);
        SCOPED_FREE int8_t *const expected = slow_layers(&f, layers[i]);
        for (int storage = 0; storage < 2; storage++) {
            build(&f, layers[i], (alg_voxel_storage)storage);
            compare(&f, expected, storage ? "dense" : "blocked");
        }
    }
}

/**
 * Tests a few isolated voxels in one to nine tiles: layers extend across all sides of a tile's
 * border.
 */
Test(map, random_voxels_of_33_to_100_rows_equal_a_plain_implementation)
{
    base_random random = base_random_seed(33);
    for (int round = 0; round < 9; round++) {
        SCOPED_FIXTURE f =
            set_up(3 + (uint32_t)base_random_below(&random, 60),
                   round % 3 == 0 ? 20 : 33 + (uint32_t)base_random_below(&random, 68),
                   round % 3 == 1 ? 20 : 33 + (uint32_t)base_random_below(&random, 68));
        const uint32_t *const size = f.grid.size;
        for (uint32_t z = 1; z + 1 < size[2]; z++) {
            for (uint32_t y = 1; y + 1 < size[1]; y++) {
                for (uint32_t x = 1; x + 1 < size[0]; x++) {
                    if (base_random_below(&random, 400) == 0) {
                        set_bit(&f, x, y, z);
                    }
                }
            }
        }
        const uint32_t layers = 2 + (uint32_t)base_random_below(&random, 15);
        SCOPED_FREE int8_t *const expected = slow_layers(&f, layers);
        char what[80];
        snprintf(what, sizeof what, "round %d: %u x %u x %u, %u layers", round, size[0], size[1],
                 size[2], layers);
        build(&f, layers, (alg_voxel_storage)(round % 2));
        compare(&f, expected, what);
    }
}

Test(map, exchanged_axes_give_the_same_map)
{
    /* The flood and the growth treat the axes differently: exchanging x and z must not change the
     * result. */
    base_random random = base_random_seed(7);
    SCOPED_FIXTURE f = set_up(40, 37, 66), g = set_up(66, 37, 40);
    set_at_random(&f, &random, 3);
    for (uint32_t i = 0; i < 40 * 37 * 66; i++) {
        if (alg_voxel_bit(&f.surface, i % 40, i / 40 % 37, i / 1480)) {
            set_bit(&g, i / 1480, i / 40 % 37, i % 40);
        }
    }
    build(&f, 5, ALG_VOXEL_BLOCKED);
    build(&g, 5, ALG_VOXEL_BLOCKED);
    cr_assert_eq(f.map.open_count, g.map.open_count);
    for (uint32_t i = 0; i < 40 * 37 * 66; i++) {
        cr_assert_eq(layer(&f, i % 40, i / 40 % 37, i / 1480),
                     layer(&g, i / 1480, i / 40 % 37, i % 40));
    }
}

/** Marks the open voxels of a row that are connected with its outside voxels. */
static void plain_row(const fixture *f, bool *row, uint32_t y, uint32_t z)
{
    const uint32_t n = f->grid.size[0];
    for (uint32_t x = 1; x < n; x++) {
        row[x] = row[x] || (row[x - 1] && !alg_voxel_bit(&f->surface, x, y, z));
    }
    for (uint32_t x = n - 1; x-- > 0;) {
        row[x] = row[x] || (row[x + 1] && !alg_voxel_bit(&f->surface, x, y, z));
    }
}

/** Floods voxel by voxel, and returns the number of visits of rows. */
static uint64_t plain_visits(const fixture *f, bool queue)
{
    static const int steps[4][2] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}};
    const uint32_t *const n = f->grid.size;
    bool *const outside = base_alloc(alg_voxel_grid_count(&f->grid), sizeof *outside);
    bool *const waits = base_alloc(n[1] * n[2], sizeof *waits);
    uint32_t *const rows = base_alloc(n[1] * n[2], sizeof *rows);
    uint64_t visits = 0;
    size_t count = 1; /* row 0 */
    outside[0] = waits[0] = true;
    for (; count > 0; visits++) {
        const uint32_t row = rows[queue ? 0 : count - 1], y = row % n[1], z = row / n[1];
        count--;
        if (queue) {
            memmove(rows, rows + 1, count * sizeof *rows);
        }
        waits[row] = false;
        plain_row(f, outside + (size_t)row * n[0], y, z);
        for (int s = 0; s < 4; s++) {
            const uint32_t v = y + (uint32_t)steps[s][0], w = z + (uint32_t)steps[s][1];
            if (v >= n[1] || w >= n[2]) {
                continue;
            }
            const uint32_t next = w * n[1] + v;
            bool gained = false;
            for (uint32_t x = 0; x < n[0]; x++) {
                bool *const to = &outside[(size_t)next * n[0] + x];
                const bool gain =
                    outside[(size_t)row * n[0] + x] && !*to && !alg_voxel_bit(&f->surface, x, v, w);
                *to = *to || gain;
                gained = gained || gain;
            }
            if (gained && !waits[next]) {
                waits[next] = true;
                rows[count++] = next;
            }
        }
    }
    base_free(outside);
    base_free(waits);
    base_free(rows);
    return visits;
}

Test(map, the_flood_visits_rows_in_the_order_of_a_stack_or_a_queue)
{
    base_random random = base_random_seed(11);
    for (int round = 0; round < 5; round++) {
        SCOPED_FIXTURE f = set_up(70, 23, 31);
        set_at_random(&f, &random, 3);
        uint64_t visits[2], inner[2];
        for (int order = 0; order < 2; order++) {
            build_with(&f,
                       (alg_voxel_map_options){.layers = 2,
                                               .flood = order ? ALG_VOXEL_QUEUE : ALG_VOXEL_STACK,
                                               .visits = &visits[order]});
            inner[order] = f.map.inner_count;
            cr_assert_eq(visits[order], plain_visits(&f, order), "round %d", round);
        }
        cr_assert(visits[0] != visits[1] && inner[0] == inner[1] && inner[0] > 0);
    }
}

/* --- Threads and memory ----------------------------------------------------------------------- */

Test(map, failing_allocations_are_reported)
{
    for (int storage = 0; storage < 2; storage++) {
        SCOPED_FIXTURE f = set_up(20, 40, 40);
        const alg_voxel_map_options options = {.layers = 4, .storage = (alg_voxel_storage)storage};
        set_shell(&f, (uint32_t[]){2, 2, 2}, (uint32_t[]){12, 12, 12}, false);
        cr_assert_geq(COUNT_FAILURES(
                          alg_voxel_map_build(&f.grid, &f.surface, &options, &f.arena, &f.map, ERR),
                          base_arena_release(&f.arena)),
                      5);
    }
}

/* --- Maps of bodies --------------------------------------------------------------------------- */

/**
 * Checks the distances that map.h guarantees for the points of a voxel by its layer, at the voxel's
 * corners and middle.
 */
static void check_distances(geo_mesh mesh, uint32_t resolution, uint32_t layers)
{
    SCOPED_FIXTURE f = {0};
    voxels_of(&mesh, resolution, layers + 2, &f.grid, &f.surface);
    build(&f, layers, ALG_VOXEL_BLOCKED);
    SCOPED_ARENA arena = {0};
    geo_surface surface;
    assert_ok(geo_surface_build(&mesh, &arena, &surface, ERR));
    uint64_t cut = 0, near = 0;
    for (size_t v = 0; v < alg_voxel_grid_count(&f.grid); v++) {
        const uint32_t x = (uint32_t)(v % f.grid.size[0]);
        const uint32_t y = (uint32_t)(v / f.grid.size[0] % f.grid.size[1]);
        const uint32_t z = (uint32_t)(v / f.grid.size[0] / f.grid.size[1]);
        const int k = layer(&f, x, y, z), far = abs(k);
        const geo_box box = alg_voxel_box(&f.grid, x, y, z);
        const vec3 points[3] = {box.lo, geo_box_centre(box), box.hi};
        for (int i = 0; i < 3; i++) {
            const double distance =
                sqrt(geo_surface_closest(&surface, points[i], UINT32_MAX).distance2) / f.grid.edge;
            cr_assert_geq(distance, far - 1 - 1e-9, "voxel %u %u %u of layer %d: %g edges", x, y, z,
                          k, distance);
            cr_assert(far == (int)layers || distance <= (far + 1) * sqrt(3) + 1e-9,
                      "voxel %u %u %u of layer %d: %g edges", x, y, z, k, distance);
            cr_assert(k == 0 || (k > 0) == geo_surface_contains(&surface, points[1]),
                      "voxel %u %u %u of layer %d is on the wrong side", x, y, z, k);
        }
        cut += far == (int)layers;
        near += far > 0 && far < (int)layers;
    }
    cr_assert(cut > 0 && near > 0);
    geo_mesh_release(&mesh);
}

Test(map, layers_bound_the_distance_to_the_surface)
{
    base_random random = base_random_seed(5);
    check_distances(shape_move(shape_torus(9, 1, 0.45), shape_pose(&random, 3), 1), 25, 3);
    check_distances(shape_ball((vec3){0, 0, 0}, 1, 4), 20, 4);
    check_distances(shape_box((vec3){0, 0, 0}, (vec3){16, 7, 10}), 16, 2);
}
