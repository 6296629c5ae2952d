/**
 * Two trees and a pose: computes the positions of both trees' nodes in one frame.
 *
 * Frame    A's units: half the edge of A's voxels, from the corner of A's voxel (0, 0, 0), as in
 *          tree.h. A's centres are integers there and need no rotation; those of B are t + M c,
 *          where the columns of M are the scaled axes of B, rotated once per query (IMP 3.2).
 *          Floats; alg_imp_centre_b is the only formula.
 * Voxels   Voxels of both bodies meet if the balls around them do: |c_a - c_b| <= `reach` = r_a +
 *          r_b + `slack`, with r = sqrt(3) half edges each. The slack covers the rounding of
 *          floats, so that no pair is missed. The depth of a pair is r_a + r_b - |c_a - c_b|.
 * Tests    Tests of nodes add 2 `slack`, so that rounding never excludes a pair of voxels that
 *          meets. All trees and orders find the same pairs, bit for bit: those that a test of all
 *          pairs of voxels finds.
 *
 * Source   IMP 3.1, 3.2; the depth is this suite's (the paper does not define it).
 */
#ifndef ALGORITHMS_IMP_PAIR_H
#define ALGORITHMS_IMP_PAIR_H

#include "algorithms/imp/body.h"
#include "geometry/pose.h"

typedef struct alg_imp_pair {
    const alg_imp_body *a, *b;
    float ratio; /* B's half edge in units of A's */
    float slack;
    float reach;   /* of two voxels */
    double unit_m; /* half the edge of A's voxels */
    /* Depend on the pose. */
    float axes[3][3]; /* [axis of B][component] */
    float origin[3];  /* origin of B's units */
} alg_imp_pair;

/** Returns a pair with all members set that do not depend on the pose. */
alg_imp_pair alg_imp_pair_of(const alg_imp_body *a, const alg_imp_body *b);

/**
 * Sets the pose. Returns false if the bodies are too far apart for the precision of floats; then no
 * voxels meet.
 */
bool alg_imp_pair_place(alg_imp_pair *pair, const geo_pose *pose);

/**
 * Converts a position from B's units to A's: ((x axes[0] + y axes[1]) + z axes[2]) + origin, in
 * this order, component by component. SIMD code computes it in the same order.
 */
static inline void alg_imp_centre_b(const alg_imp_pair *pair, float x, float y, float z, float c[3])
{
    for (int i = 0; i < 3; i++) {
        c[i] = ((x * pair->axes[0][i] + y * pair->axes[1][i]) + z * pair->axes[2][i]) +
               pair->origin[i];
    }
}

/** Returns the squared distance, computed as in all tests: (x x + y y) + z z. */
static inline float alg_imp_distance2(const float a[3], const float b[3])
{
    const float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return (x * x + y * y) + z * z;
}

#endif
