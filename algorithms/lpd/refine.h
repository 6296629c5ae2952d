/** The direction of a region is turned to where its exact depth is less. */
#ifndef ALGORITHMS_LPD_REFINE_H
#define ALGORITHMS_LPD_REFINE_H

#include "algorithms/lpd/exact.h"

/** Where the next direction comes from; in the order of the parameter's words. */
typedef enum alg_lpd_objective {
    ALG_LPD_GRADIENT, /* the normal of what parts last: the gradient of the depth */
    ALG_LPD_PATTERN,  /* directions around the best one, in rings that close: the depth alone is
                         looked at */
} alg_lpd_objective;

/**
 * From the box's third axis, forwards and backwards, at most `steps` directions are tried from
 * each; each with a window of its own (alg_lpd_box_along). From a direction that does not lead out
 * none is tried if the reversed one does. *box becomes that of the way.
 *
 * Returns  a way that is no worse (alg_lpd_height_less) than that of alg_lpd_depth_exact: never
 *          longer, but where that one does not lead out and a longer one does.
 * Memory   no allocation.
 * Cost     that of as many alg_lpd_depth_along as directions; those that are worse are left early.
 */
alg_lpd_way alg_lpd_depth_refined(const alg_lpd_pair *pair, const geo_pose *pose,
                                  const alg_lpd_segments *segments, const alg_lpd_curves *curves,
                                  const alg_lpd_groups *groups, const alg_lpd_group *group,
                                  alg_lpd_objective objective, uint32_t steps, alg_lpd_box *box,
                                  alg_lpd_column *column, uint64_t *tests);

#endif
