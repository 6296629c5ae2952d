/**
 * Two trees and a pose: where the nodes of both are, in one frame.
 *
 * Frame    A's units: half the edge of A's voxels, from the corner of A's voxel (0, 0, 0), as in
 *          tree.h. A's centres are whole numbers there and need no rotation; those of B are t + M
 *          c, with the axes of B, scaled, in the columns of M: rotated once a query (IMP 3.2).
 *          Floats; the one formula is alg_imp_centre_b.
 * Voxels   of both bodies meet where the balls around them do: |c_a - c_b| <= `reach` = r_a + r_b,
 *          r = sqrt(3) half edges each, and `slack` more for the rounding of floats, so that none
 *          is missed. Their depth is r_a + r_b - |c_a - c_b|.
 * Tests    of nodes have 2 `slack` more, so that what they leave out does not meet by any rounding:
 *          what is found is the same for all trees and orders, to the last bit, and that of all
 *          pairs of voxels.
 *
 * Source   IMP 3.1, 3.2; the depth is this suite's (the paper leaves it open).
 */
#ifndef ALGORITHMS_IMP_PAIR_H
#define ALGORITHMS_IMP_PAIR_H

#include "algorithms/imp/body.h"
#include "geometry/pose.h"

typedef struct alg_imp_pair {
    const alg_imp_body *a, *b;
    float ratio; /* of the edges: B's half edges in A's */
    float slack;
    float reach;   /* of two voxels */
    double unit_m; /* half the edge of A's voxels */
    /* Of the pose. */
    float axes[3][3]; /* [axis of B][component] */
    float origin[3];  /* of B's units */
} alg_imp_pair;

/** All but what depends on the pose. */
alg_imp_pair alg_imp_pair_of(const alg_imp_body *a, const alg_imp_body *b);

/** Sets the pose. Returns false where the bodies are so far apart that floats do not tell: nothing
 * meets. */
bool alg_imp_pair_place(alg_imp_pair *pair, const geo_pose *pose);

/**
 * A place of B's units in A's: ((x axes[0] + y axes[1]) + z axes[2]) + origin, in this order,
 * component by component. Code with lanes computes it in this order as well.
 */
static inline void alg_imp_centre_b(const alg_imp_pair *pair, float x, float y, float z, float c[3])
{
    for (int i = 0; i < 3; i++) {
        c[i] = ((x * pair->axes[0][i] + y * pair->axes[1][i]) + z * pair->axes[2][i]) +
               pair->origin[i];
    }
}

/** The squared distance as all tests have it: (x x + y y) + z z. */
static inline float alg_imp_distance2(const float a[3], const float b[3])
{
    const float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return (x * x + y * y) + z * z;
}

#endif
