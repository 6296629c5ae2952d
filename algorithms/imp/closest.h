/**
 * Finds the patch of a body that is nearest to a point, by the balls of the body's tree.
 *
 * Source   this suite.
 */
#ifndef ALGORITHMS_IMP_CLOSEST_H
#define ALGORITHMS_IMP_CLOSEST_H

#include "algorithms/imp/body.h"

/**
 * Returns the patch whose point is nearest to `point`, which is in the body's frame; the smallest
 * number wins a tie.
 *
 * Shapes   hint: any patch of the body, which has at least one, to start from. A near one saves
 *          time and does not change the result.
 * Cost     about 1 us with a near hint.
 */
uint32_t alg_imp_closest_patch(const alg_imp_body *body, vec3 point, uint32_t hint);

/** Returns the point of a patch, in the body's frame. */
static inline vec3 alg_imp_patch_point(const alg_imp_body *body, uint32_t patch)
{
    const float *const p = body->patches[patch].point;
    return vec3_add(body->grid.corner, (vec3){(double)p[0], (double)p[1], (double)p[2]});
}

/** The side of a body that faces a point. */
typedef struct alg_imp_side {
    vec3 normal;  /* outward, unit */
    double depth; /* depth of the point behind the plane of the side */
} alg_imp_side;

/**
 * Returns the side of a body near a point. `patch` is the patch of the voxel that is nearest to the
 * point.
 *
 * If the voxel has other sides that meet this patch in a convex edge, the body is behind all of
 * them, so the side with the least depth is returned. This matters for a thin plate or a tooth.
 */
alg_imp_side alg_imp_side_of(const alg_imp_body *body, uint32_t voxel, uint32_t patch, vec3 point);

#endif
