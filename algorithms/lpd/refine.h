/** Turns the direction of a region to reduce its exact depth. */
#ifndef ALGORITHMS_LPD_REFINE_H
#define ALGORITHMS_LPD_REFINE_H

#include "algorithms/lpd/exact.h"

/** Choice of the next direction, in the order of the parameter's words. */
typedef enum alg_lpd_objective {
    ALG_LPD_GRADIENT, /* the normal of the surfaces that part last: the gradient of the depth */
    ALG_LPD_PATTERN,  /* rings of directions around the best one, with decreasing radius; uses only
                         the depth */
} alg_lpd_objective;

/**
 * Refines the direction of a region. From the box's third axis and from its reverse, at most
 * `steps` directions are tried each. Each direction has its own window (alg_lpd_box_along). A
 * direction that does not lead out is not refined if its reverse leads out. *box becomes the box of
 * the result.
 *
 * Returns  a way that is not worse (alg_lpd_height_less) than that of alg_lpd_depth_exact: never
 *          longer, unless that one does not lead out and a longer one does.
 * Memory   no allocation.
 * Cost     one alg_lpd_depth_along per direction; searches of worse directions stop early.
 */
alg_lpd_way alg_lpd_depth_refined(const alg_lpd_pair *pair, const geo_pose *pose,
                                  const alg_lpd_segments *segments, const alg_lpd_curves *curves,
                                  const alg_lpd_groups *groups, const alg_lpd_group *group,
                                  alg_lpd_objective objective, uint32_t steps, alg_lpd_box *box,
                                  alg_lpd_column *column, uint64_t *tests);

#endif
