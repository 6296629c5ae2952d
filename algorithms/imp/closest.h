/**
 * The patch of a body that is nearest to a point, by the balls of its tree.
 *
 * Source   this suite.
 */
#ifndef ALGORITHMS_IMP_CLOSEST_H
#define ALGORITHMS_IMP_CLOSEST_H

#include "algorithms/imp/body.h"

/**
 * Returns the patch whose point is nearest to `point`, which is in the body's frame; of equally
 * near ones that with the smallest number.
 *
 * Shapes   hint: a patch to start from, of any body that has one. A near one saves time and changes
 *          no result.
 * Cost     about 1 us with a near hint.
 */
uint32_t alg_imp_closest_patch(const alg_imp_body *body, vec3 point, uint32_t hint);

/** The point of a patch, in the body's frame. */
static inline vec3 alg_imp_patch_point(const alg_imp_body *body, uint32_t patch)
{
    const float *const p = body->patches[patch].point;
    return vec3_add(body->grid.corner, (vec3){(double)p[0], (double)p[1], (double)p[2]});
}

/** A side of a body, as a point sees it. */
typedef struct alg_imp_side {
    vec3 normal;  /* outward, unit */
    double depth; /* of the point behind the side's plane */
} alg_imp_side;

/**
 * Returns the side of a body near a point, by the patch of a voxel that is nearest to the point.
 *
 * Where the voxel has other sides that meet that patch in a convex edge, the body is behind all of
 * them, so that the one that the point is the least behind tells: a thin plate, a tooth.
 */
alg_imp_side alg_imp_side_of(const alg_imp_body *body, uint32_t voxel, uint32_t patch, vec3 point);

#endif
