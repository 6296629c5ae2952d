/**
 * Tests blocks of voxels: a ball that is reported as a miss meets no voxel, and balls far away are
 * reported as misses.
 */
#include "algorithms/imp/coarse.h"

#include "algorithms/imp/tests/voxel_sets.h"
#include "algorithms/imp/tree.h"
#include "base/random.h"

#include <criterion/criterion.h>
#include <math.h>

enum { SIZE = 70 };

/** Returns the distance from a point to the nearest voxel's cube, in half edges. */
static double gap_of(const alg_imp_cell *cells, size_t count, const float at[3])
{
    double best = INFINITY;
    for (size_t i = 0; i < count; i++) {
        const uint32_t cell[3] = {cells[i].x, cells[i].y, cells[i].z};
        double d2 = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double beside = fabs((double)at[axis] - (2.0 * cell[axis] + 1)) - 1;
            d2 += beside > 0 ? beside * beside : 0;
        }
        best = fmin(best, d2);
    }
    return sqrt(best);
}

Test(coarse, a_ball_that_misses_meets_no_voxel)
{
    base_random random = base_random_seed(2);
    int misses = 0, far = 0, told = 0;
    for (int k = 0; k < 20; k++) {
        voxel_set set = make_set(SIZE, SIZE - 13, SIZE / 2);
        alg_imp_cell cells[12];
        const size_t count = k % 2 ? 12 : 2;
        for (size_t i = 0; i < count; i++) {
            cells[i] = (alg_imp_cell){(uint32_t)base_random_range(&random, 0, SIZE),
                                      (uint32_t)base_random_range(&random, 0, SIZE - 13),
                                      (uint32_t)base_random_range(&random, 0, SIZE / 2)};
            set_voxel(i % 2 ? &set.full : &set.surface, cells[i].x, cells[i].y, cells[i].z);
        }
        base_arena arena = {0};
        base_error err;
        alg_voxel_map map;
        cr_assert_eq(alg_imp_coarse_build(&set.surface, &set.full, &arena, &map, &err), BASE_OK);
        for (int i = 0; i < 2000; i++) {
            const float at[3] = {(float)base_random_range(&random, -60, 2 * SIZE + 60),
                                 (float)base_random_range(&random, -60, 2 * SIZE + 60),
                                 (float)base_random_range(&random, -60, SIZE + 60)};
            const float radius = (float)base_random_range(&random, 0, 60);
            const double gap = gap_of(cells, count, at);
            const bool miss = alg_imp_coarse_misses(&map, at, radius);
            cr_assert(!miss || gap > (double)radius, "%d, %d: %g within %g", k, i, gap,
                      (double)radius);
            /* Layers count along the axis of the largest distance, and lose two blocks of 16. */
            const bool within = at[0] >= 0 && at[1] >= 0 && at[2] >= 0 && at[0] < 2 * SIZE &&
                                at[1] < 2 * (SIZE - 13) && at[2] < SIZE;
            const bool clear = within && gap > sqrt(3) * ((double)radius + 32);
            cr_assert(!clear || miss, "%d, %d: %g is not within %g", k, i, gap, (double)radius);
            misses += miss;
            far += clear;
            told += miss && gap < (double)radius + 40;
        }
        base_arena_release(&arena);
        release_set(&set);
    }
    cr_assert(misses > 1000 && far > 100 && told > 100, "%d, %d, %d", misses, far, told);
}
