#include "algorithms/voxel/grid.h"
#include "base/tests/support.h"

#include "base/memory.h"
#include "base/random.h"

#include <criterion/criterion.h>

static alg_voxel_grid place(vec3 lo, vec3 hi, uint32_t resolution, uint32_t padding)
{
    alg_voxel_grid grid;
    assert_ok(alg_voxel_grid_place((geo_box){lo, hi}, resolution, padding, &grid, ERR));
    return grid;
}

Test(voxel_grid, its_middle_is_that_of_the_box)
{
    /* 8, 6 and 1 edges long: 9, 7 and 2 voxels, which extend half an edge beyond each face. */
    const alg_voxel_grid g = place((vec3){1, -2, 3}, (vec3){5, 1, 3.5}, 8, 2);
    cr_assert_eq(g.edge, 0.5);
    cr_assert(g.size[0] == 9 + 4 && g.size[1] == 7 + 4 && g.size[2] == 2 + 4, "%u %u %u", g.size[0],
              g.size[1], g.size[2]);
    cr_assert_eq(alg_voxel_grid_count(&g), 13 * 11 * 6);
    cr_assert_eq(alg_voxel_plane(&g, 0, 2), 0.75);
    cr_assert_eq(alg_voxel_plane(&g, 1, 2), -2.25);
    cr_assert_eq(alg_voxel_plane(&g, 2, 0), 1.75);
    cr_assert_eq(alg_voxel_plane(&g, 0, 11), 5.25);
    const geo_box box = alg_voxel_box(&g, 3, 0, 2);
    cr_assert(vec3_equal(box.lo, (vec3){1.25, -3.25, 2.75}) &&
              vec3_equal(box.hi, (vec3){1.75, -2.75, 3.25}));
    cr_assert(vec3_equal(alg_voxel_middle(&g, 3, 0, 2), (vec3){1.5, -3, 3}));
}

Test(voxel_grid, an_axis_of_n_edges_has_the_voxels_of_n_and_a_half)
{
    const alg_voxel_grid g = place((vec3){0, 0, 0}, (vec3){4, 2.5, 0}, 4, 1);
    cr_assert(g.size[0] == 5 + 2 && g.size[1] == 3 + 2 && g.size[2] == 1 + 2, "%u %u %u", g.size[0],
              g.size[1], g.size[2]);
    /* 1.625 edges have 3 voxels, which extend 0.6875 edges beyond each face. */
    const alg_voxel_grid h = place((vec3){0, 0, 0}, (vec3){4, 1.5, 1.625}, 4, 1);
    cr_assert(h.size[1] == 2 + 2 && h.size[2] == 3 + 2, "%u %u", h.size[1], h.size[2]);
    cr_assert(vec3_equal(h.corner, (vec3){-0.5, -0.25, -0.6875}));
}

/**
 * Tests that a face of the box is a quarter to three quarters of an edge from the two planes beside
 * it.
 */
Test(voxel_grid, no_face_of_the_box_lies_in_a_plane)
{
    base_random random = base_random_seed(1);
    double least = 1, most = 0;
    for (int i = 0; i < 20000; i++) {
        const double offset = i % 3 == 0 ? 0 : i % 3 == 1 ? 100 : 1e6;
        double p[6];
        for (int k = 0; k < 6; k++) {
            p[k] = offset + base_random_range(&random, 0, 3);
        }
        const vec3 a = {p[0], p[1], p[2]}, b = {p[3], p[4], p[5]};
        const uint32_t resolution = 1 + (uint32_t)base_random_below(&random, 2048);
        const uint32_t padding = 1 + (uint32_t)base_random_below(&random, 4);
        const geo_box box = {vec3_min(a, b), vec3_max(a, b)};
        const alg_voxel_grid g = place(box.lo, box.hi, resolution, padding);
        /* The rounding of coordinates of up to 3e6, in edges. */
        const double rounding = 8 * 0x1p-53 * geo_box_reach(box) / g.edge + 1e-12;
        uint32_t longest = 0;
        for (int axis = 0; axis < 3; axis++) {
            const int64_t last = (int64_t)g.size[axis] - padding;
            const double below =
                (vec3_get(box.lo, axis) - alg_voxel_plane(&g, axis, padding)) / g.edge;
            const double above =
                (alg_voxel_plane(&g, axis, last) - vec3_get(box.hi, axis)) / g.edge;
            cr_assert_float_eq(below, above, rounding, "%d: axis %d is off the middle", i, axis);
            cr_assert(below > 0.25 - rounding && below < 0.75 + rounding, "%d: axis %d, %g edges",
                      i, axis, below);
            least = fmin(least, below);
            most = fmax(most, below);
            longest = g.size[axis] > longest ? g.size[axis] : longest;
        }
        cr_assert_eq(longest - 2 * padding, resolution + 1, "%d: %u voxels, not %u", i,
                     longest - 2 * padding, resolution + 1);
    }
    cr_assert(least < 0.2501 && most > 0.7499, "%g to %g edges", least, most);
}

Test(voxel_grid, impossible_grids_are_errors)
{
    const struct {
        geo_box box;
        uint32_t resolution, padding;
        base_status status;
    } cases[] = {
        {{{0, 0, 0}, {1, 1, 1}}, ALG_VOXEL_SIZE_MAX - 3, 1, BASE_OK},
        {{{0, 0, 0}, {1, 1, 1}}, ALG_VOXEL_SIZE_MAX - 2, 1, BASE_ERR_INPUT},
        {{{0, 0, 0}, {1, 1, 1}}, ALG_VOXEL_SIZE_MAX, 1, BASE_ERR_INPUT},
        {{{0, 0, 0}, {1, 1, 1}}, UINT32_MAX, 1, BASE_ERR_INPUT},
        {{{0, 0, 0}, {1, 1, 1}}, 1, UINT32_MAX, BASE_ERR_INPUT},
        {{{0, 0, 0}, {1, 1, 1}}, 1, 0x80000000u, BASE_ERR_INPUT},
        {{{1, 2, 3}, {1, 2, 3}}, 8, 1, BASE_ERR_INPUT},
        {{{0, 0, 0}, {0, 0, 0}}, 8, 1, BASE_ERR_INPUT},
        {{{1e15, 0, 0}, {1e15 + 8, 0, 0}}, 2, 1, BASE_OK},
        {{{1e15, 0, 0}, {1e15 + 8, 0, 0}}, 4, 1, BASE_ERR_INPUT},
        {{{0, 0, 0}, {1e-60, 0, 0}}, 1, 1, BASE_OK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        alg_voxel_grid grid;
        base_error err = {0};
        const base_status status =
            alg_voxel_grid_place(cases[i].box, cases[i].resolution, cases[i].padding, &grid, &err);
        cr_assert_eq(status, cases[i].status, "case %zu: %d, '%s'", i, (int)status, err.text);
    }
}

Test(voxel_bits, one_for_each_voxel)
{
    const uint32_t size[3] = {130, 3, 5};
    SCOPED_BITS bits;
    assert_ok(alg_voxel_bits_create(size, &bits, ERR));
    cr_assert_eq(bits.row_words, 3);
    cr_assert_eq(alg_voxel_bits_words(&bits), 45);
    cr_assert_eq(alg_voxel_bits_count(&bits), 0);
    uint64_t set = 0;
    for (uint32_t z = 0; z < 5; z++) {
        for (uint32_t y = 0; y < 3; y++) {
            for (uint32_t x = (y + z) % 7; x < 130; x += 7) {
                cr_assert_not(alg_voxel_bit(&bits, x, y, z), "%u %u %u", x, y, z);
                alg_voxel_bit_set(&bits, x, y, z);
                cr_assert(alg_voxel_bit(&bits, x, y, z), "%u %u %u", x, y, z);
                set++;
            }
        }
    }
    cr_assert_eq(alg_voxel_bits_count(&bits), set);
    alg_voxel_bits_release(&bits);
    cr_assert_null(bits.words);
}

Test(voxel_bits, out_of_memory_is_an_error)
{
    const uint32_t size[3] = {64, 1, 1};
    alg_voxel_bits bits;
    base_error err = {0};
    base_memory_fail_after(0);
    const base_status status = alg_voxel_bits_create(size, &bits, &err);
    base_memory_fail_after(SIZE_MAX);
    cr_assert_eq(status, BASE_ERR_MEMORY);
    cr_assert_null(bits.words);
}

/* --- Sparse grids ----------------------------------------------------------------------------- */

enum { X = 21, Y = 16, Z = 9 }; /* the grid cuts the last blocks along some axes only */

/** Tests random ranges of numbers against an array, with every block open. */
Test(blocks, keep_the_numbers_of_ranges)
{
    static uint32_t expected[Z][Y][X];
    const uint32_t size[3] = {X, Y, Z};
    SCOPED_ARENA arena = {0};
    alg_voxel_blocks grid;
    assert_ok(alg_voxel_blocks_create(size, &arena, &grid, ERR));
    for (uint32_t z = 0; z < Z; z++) {
        for (uint32_t y = 0; y < Y; y++) {
            for (uint32_t x = 0; x < X; x++) {
                alg_voxel_blocks_open(&grid, x, y, z);
            }
        }
    }
    cr_assert_eq(grid.open_count, 3 * 2 * 2);
    assert_ok(alg_voxel_blocks_allocate(&grid, &arena, ERR));
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
}

/** Tests that a block that is not open has no voxels, and a single number. */
Test(blocks, of_one_number_have_no_voxels)
{
    const uint32_t size[3] = {X, Y, Z};
    SCOPED_ARENA arena = {0};
    alg_voxel_blocks grid;
    assert_ok(alg_voxel_blocks_create(size, &arena, &grid, ERR));
    alg_voxel_blocks_open(&grid, 3, 3, 3);
    alg_voxel_blocks_open(&grid, 7, 0, 0);
    cr_assert_eq(grid.open_count, 1, "one block holds both");
    assert_ok(alg_voxel_blocks_allocate(&grid, &arena, ERR));
    const alg_voxel_range all = {{0, 0, 0}, {X, Y, Z}};
    const alg_voxel_range one = {{3, 3, 3}, {4, 4, 4}};
    alg_voxel_blocks_fill(&grid, &all, 1);
    alg_voxel_blocks_fill(&grid, &one, 2);
    cr_assert_eq(alg_voxel_number(&grid, 3, 3, 3), 2);
    cr_assert_eq(alg_voxel_number(&grid, 4, 3, 3), 1);
    cr_assert_eq(alg_voxel_number(&grid, 20, 15, 8), 1);
    cr_assert_eq(alg_voxel_block_of(&grid, 20, 15, 8), 1, "the number itself");
}

/* --- Octrees ---------------------------------------------------------------------------------- */

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
        SCOPED_ARENA arena = {0};
        alg_voxel_octree o;
        assert_ok(alg_voxel_octree_build(voxels, count, LEVELS, &arena, &o, ERR));
        uint32_t next = 0;
        cr_assert_eq(visit(&o, voxels, 0, (alg_voxel_at){0, 0, 0}, LEVELS, &next), count);
        cr_assert_eq(next, o.node_count);
    }
}

Test(octree, of_no_voxel_is_an_empty_root)
{
    SCOPED_ARENA arena = {0};
    alg_voxel_octree o;
    assert_ok(alg_voxel_octree_build(NULL, 0, 3, &arena, &o, ERR));
    cr_assert_eq(o.node_count, 1);
    for (int i = 0; i < 8; i++) {
        cr_assert_eq(o.nodes[0].child[i], ALG_VOXEL_EMPTY);
    }
}

Test(octree, out_of_memory_is_an_error)
{
    const alg_voxel_at voxels[] = {{0, 0, 0}, {7, 7, 7}};
    base_arena arena = {0};
    alg_voxel_octree o;
    cr_assert_geq(COUNT_FAILURES(alg_voxel_octree_build(voxels, 2, 3, &arena, &o, ERR),
                                 base_arena_release(&arena)),
                  3);
}
