/** Sets of voxels for tests of trees. */
#ifndef ALGORITHMS_IMP_TESTS_VOXEL_SETS_H
#define ALGORITHMS_IMP_TESTS_VOXEL_SETS_H

#include "algorithms/voxel/grid.h"
#include "base/random.h"

#include <criterion/criterion.h>

typedef struct voxel_set {
    alg_voxel_bits surface, full;
} voxel_set;

static inline voxel_set make_set(uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t size[3] = {x, y, z};
    voxel_set s;
    base_error err;
    cr_assert_eq(alg_voxel_bits_create(size, &s.surface, &err), BASE_OK);
    cr_assert_eq(alg_voxel_bits_create(size, &s.full, &err), BASE_OK);
    return s;
}

static inline void release_set(voxel_set *s)
{
    alg_voxel_bits_release(&s->surface);
    alg_voxel_bits_release(&s->full);
}

static inline void set_voxel(alg_voxel_bits *bits, uint32_t x, uint32_t y, uint32_t z)
{
    alg_voxel_bits_row(bits, y, z)[x / 64] |= (uint64_t)1 << x % 64;
}

/** Returns surface voxels for a share of the grid, and half as many full voxels. */
static inline voxel_set random_set(uint32_t x, uint32_t y, uint32_t z, double share, uint64_t seed)
{
    voxel_set s = make_set(x, y, z);
    base_random random = base_random_seed(seed);
    for (uint32_t i = 0; i < x * y * z; i++) {
        const double drawn = base_random_unit(&random);
        if (drawn < 1.5 * share || i + 1 == x * y * z) {
            set_voxel(drawn < share || i + 1 == x * y * z ? &s.surface : &s.full, i % x, i / x % y,
                      i / x / y);
        }
    }
    return s;
}

/** Returns a ball of full voxels inside a shell of surface voxels; parts of both are missing. */
static inline voxel_set ball_set(uint32_t x, uint32_t y, uint32_t z, double missing, uint64_t seed)
{
    voxel_set s = make_set(x, y, z);
    base_random random = base_random_seed(seed);
    for (uint32_t i = 0; i < x * y * z; i++) {
        const uint32_t at[3] = {i % x, i / x % y, i / x / y};
        double r2 = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double d = (2.0 * at[axis] + 1) / s.full.size[axis] - 1;
            r2 += d * d;
        }
        const bool there = base_random_unit(&random) >= missing;
        if (r2 < 0.9 && (there || r2 < 0.3)) {
            set_voxel(r2 < 0.7 ? &s.full : &s.surface, at[0], at[1], at[2]);
        }
    }
    return s;
}

/**
 * Returns a set in which all voxels with x + y + z <= most are full, except one surface voxel in a
 * corner.
 */
static inline voxel_set wedge_set(uint32_t x, uint32_t y, uint32_t z, uint32_t most)
{
    voxel_set s = make_set(x, y, z);
    set_voxel(&s.surface, 0, 0, 0);
    for (uint32_t i = 1; i < x * y * z; i++) {
        if (i % x + i / x % y + i / x / y <= most) {
            set_voxel(&s.full, i % x, i / x % y, i / x / y);
        }
    }
    return s;
}

#endif
