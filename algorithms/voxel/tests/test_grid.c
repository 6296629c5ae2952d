#include "algorithms/voxel/grid.h"

#include "algorithms/voxel/bits.h"
#include "base/memory.h"
#include "base/random.h"

#include <criterion/criterion.h>

static alg_voxel_grid place(vec3 lo, vec3 hi, uint32_t resolution, uint32_t padding)
{
    alg_voxel_grid grid;
    base_error err = {0};
    cr_assert_eq(alg_voxel_grid_place((geo_box){lo, hi}, resolution, padding, &grid, &err), BASE_OK,
                 "%s", err.text);
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

Test(voxel_grid, what_cannot_be_is_an_error)
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
    alg_voxel_bits bits;
    base_error err = {0};
    cr_assert_eq(alg_voxel_bits_create(size, &bits, &err), BASE_OK, "%s", err.text);
    cr_assert_eq(bits.row_words, 3);
    cr_assert_eq(alg_voxel_bits_words(&bits), 45);
    cr_assert_eq(alg_voxel_bits_count(&bits), 0);
    uint64_t set = 0;
    for (uint32_t z = 0; z < 5; z++) {
        for (uint32_t y = 0; y < 3; y++) {
            for (uint32_t x = (y + z) % 7; x < 130; x += 7) {
                cr_assert_not(alg_voxel_bit(&bits, x, y, z), "%u %u %u", x, y, z);
                alg_voxel_bits_row(&bits, y, z)[x / 64] |= (uint64_t)1 << x % 64;
                cr_assert(alg_voxel_bit(&bits, x, y, z), "%u %u %u", x, y, z);
                set++;
            }
        }
    }
    cr_assert_eq(alg_voxel_bits_count(&bits), set);
    alg_voxel_bits_release(&bits);
    cr_assert_null(bits.words);
    alg_voxel_bits_release(&bits);
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
