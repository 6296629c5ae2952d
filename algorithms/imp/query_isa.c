/** Computes depths, points, normals, forces and torques of eight pairs of voxels. */
#include "algorithms/imp/query.h"
#include "base/simd.h"

#include <stddef.h>

static const double ROOT3 = 1.7320508075688772;

_Static_assert(sizeof(alg_imp_hit) == 20 && offsetof(alg_imp_hit, cell_a) == 8,
               "cells are in words 2 to 4 of five");
_Static_assert(sizeof(alg_imp_voxel) == 24, "a voxel has six words");

/** Returns the centre of a voxel along an axis, in the units of its body. */
static inline f32x8 centre(i32x8 cell)
{
    return f32x8_of(i32x8_add(i32x8_add(cell, cell), i32x8_set(1)));
}

static inline i32x8 low(i32x8 word)
{
    return i32x8_and(word, i32x8_set(0xffff));
}

static inline i32x8 high(i32x8 word)
{
    return low(i32x8_right(word, 16));
}

/** Computes component i as alg_imp_centre_b does. */
static inline f32x8 move(const alg_imp_pair *pair, int i, const f32x8 p[3])
{
    const f32x8 x = f32x8_mul(p[0], f32x8_set(pair->axes[0][i]));
    const f32x8 y = f32x8_mul(p[1], f32x8_set(pair->axes[1][i]));
    const f32x8 z = f32x8_mul(p[2], f32x8_set(pair->axes[2][i]));
    return f32x8_add(f32x8_add(f32x8_add(x, y), z), f32x8_set(pair->origin[i]));
}

/**
 * Loads the normals of A's voxels. The normal is 0 if a voxel has none; the bits of these voxels
 * are returned.
 */
static inline uint32_t gather_normals(const alg_imp_pair *pair, i32x8 number, f32x8 normal[3])
{
    const m32x8 full = i32x8_equal(number, i32x8_set(-1));
    /* A full voxel has no index, so its lane reads the normal of voxel 0, which is then replaced by
     * 0. */
    const i32x8 stored = i32x8_add(number, i32x8_and(full, i32x8_set(1)));
    const i32x8 at = i32x8_add(i32x8_left(stored, 2), i32x8_left(stored, 1));
    const f32x8 zero = f32x8_set(0);
    f32x8 norm = zero;
    for (int i = 0; i < 3; i++) {
        normal[i] = f32x8_select(full, zero, f32x8_gather(&pair->a->voxels->normal[i], at));
        norm = f32x8_add(norm, f32x8_abs(normal[i]));
    }
    return m32x8_bits(f32x8_le(norm, zero));
}

static inline f32x8 cross(const f32x8 a[3], const f32x8 b[3], int i)
{
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    return f32x8_sub(f32x8_mul(a[j], b[k]), f32x8_mul(a[k], b[j]));
}

void BASE_ISA(alg_imp_push)(const alg_imp_pair *pair, const alg_imp_hit *hits,
                            alg_imp_pushes *pushes)
{
    static const int32_t words[ALG_IMP_PUSHES] = {0, 5, 10, 15, 20, 25, 30, 35};
    const char *const from = (const char *)hits;
    const i32x8 at = i32x8_load(words);
    const i32x8 number = i32x8_gather(from, at), xy = i32x8_gather(from + 8, at),
                zx = i32x8_gather(from + 12, at), yz = i32x8_gather(from + 16, at);
    const f32x8 a[3] = {centre(low(xy)), centre(high(xy)), centre(low(zx))};
    const f32x8 own[3] = {centre(high(zx)), centre(low(yz)), centre(high(yz))};
    const f32x8 b[3] = {move(pair, 0, own), move(pair, 1, own), move(pair, 2, own)};
    const f32x8 share = f32x8_set((float)(1 / (1 + (double)pair->ratio)));
    const f32x8 radii = f32x8_set((float)(ROOT3 * (1 + (double)pair->ratio)));
    f32x8 between[3], point[3], normal[3], force[3];
    for (int i = 0; i < 3; i++) {
        between[i] = f32x8_sub(b[i], a[i]);
        point[i] = f32x8_add(a[i], f32x8_mul(share, between[i]));
    }
    const f32x8 xx = f32x8_mul(between[0], between[0]), yy = f32x8_mul(between[1], between[1]),
                zz = f32x8_mul(between[2], between[2]);
    const f32x8 distance = f32x8_sqrt(f32x8_add(f32x8_add(xx, yy), zz));
    const f32x8 depth = f32x8_max(f32x8_sub(radii, distance), f32x8_set(0));
    pushes->bare = gather_normals(pair, number, normal);
    f32x8_store(pushes->depth, depth);
    for (int i = 0; i < 3; i++) {
        force[i] = f32x8_mul(depth, normal[i]);
        f32x8_store(pushes->point[i], point[i]);
        f32x8_store(pushes->normal[i], normal[i]);
        f32x8_store(pushes->force[i], force[i]);
    }
    for (int i = 0; i < 3; i++) {
        f32x8_store(pushes->torque[i], cross(point, force, i));
    }
}
