/** Surface voxels of every generator and navigation, compared with the exact ones. */
#ifndef SUITE_TESTS_VOXELS_H
#define SUITE_TESTS_VOXELS_H

#include "algorithms/voxel/surface.h"
#include "base/tests/support.h"
#include "groundtruth/voxels.h"

#include <criterion/criterion.h>

/**
 * Generators that must give the exact voxels. The last one queries a hierarchy for every voxel of
 * the grid.
 */
static const struct {
    const char *name;
    alg_voxel_surface_options options;
} voxel_generators[] = {
    {"ours", {ALG_VOXEL_OURS, ALG_VOXEL_AUTO, 0}},
    {"paper, auto", {ALG_VOXEL_PAPER, ALG_VOXEL_AUTO, 0}},
    {"paper, box", {ALG_VOXEL_PAPER, ALG_VOXEL_BOX, 0}},
    {"paper, first", {ALG_VOXEL_PAPER, ALG_VOXEL_FIRST, 0}},
    {"paper, second", {ALG_VOXEL_PAPER, ALG_VOXEL_SECOND, 0}},
    {"old", {ALG_VOXEL_OLD, ALG_VOXEL_AUTO, 0}},
};
enum {
    VOXEL_GENERATORS = sizeof voxel_generators / sizeof *voxel_generators,
    VOXEL_QUICK_GENERATORS = VOXEL_GENERATORS - 1
};

static inline gt_voxels voxels_exact(const geo_mesh *mesh, const alg_voxel_grid *grid)
{
    const gt_voxel_grid same = {
        grid->corner, grid->edge, grid->padding, {grid->size[0], grid->size[1], grid->size[2]}};
    gt_voxels voxels;
    assert_ok(gt_voxels_create(mesh, &same, &voxels, ERR));
    return voxels;
}

/** Adds the voxels that a generator has marked to a list, run by run. */
static inline void voxels_list(const alg_voxel_bits *bits, gt_voxel_list *list)
{
    for (uint32_t z = 0; z < bits->size[2]; z++) {
        for (uint32_t y = 0; y < bits->size[1]; y++) {
            for (uint32_t x = 0, end; x < bits->size[0]; x = end) {
                for (end = x; end < bits->size[0] && alg_voxel_bit(bits, end, y, z); end++) {
                }
                gt_voxel_list_add(list, x, end, y, z);
                end += end == x;
            }
        }
    }
}

/** Checks that the first `generators` mark the exact voxels of a grid. Returns their number. */
static inline uint64_t voxels_check_in(const geo_mesh *mesh, const alg_voxel_grid *grid,
                                       int generators, const char *what)
{
    gt_voxels exact = voxels_exact(mesh, grid);
    const uint64_t count = exact.count;
    for (int g = 0; g < generators; g++) {
        SCOPED_BITS bits;
        gt_voxel_list list;
        uint64_t tests;
        assert_ok(alg_voxel_bits_create(grid->size, &bits, ERR));
        assert_ok(gt_voxel_list_create(&exact, &list, ERR));
        assert_ok(
            alg_voxel_surface_mark(mesh, grid, &voxel_generators[g].options, &bits, &tests, ERR));
        voxels_list(&bits, &list);
        cr_expect(gt_voxel_list_missing(&list) == 0 && list.excess == 0,
                  "%s at %u voxels by %s: %llu missing and %llu too many of %llu", what,
                  grid->size[0], voxel_generators[g].name,
                  (unsigned long long)gt_voxel_list_missing(&list), (unsigned long long)list.excess,
                  (unsigned long long)count);
        gt_voxel_list_release(&list);
    }
    gt_voxels_release(&exact);
    return count;
}

/**
 * Like voxels_check_in, in the grid of the mesh's box.
 */
static inline uint64_t voxels_check(const geo_mesh *mesh, uint32_t resolution, uint32_t padding,
                                    int generators, const char *what)
{
    alg_voxel_grid grid;
    base_error err = {0};
    cr_assert_eq(alg_voxel_grid_place(geo_mesh_box(mesh), resolution, padding, &grid, &err),
                 BASE_OK, "%s: %s", what, err.text);
    return voxels_check_in(mesh, &grid, generators, what);
}

#endif
