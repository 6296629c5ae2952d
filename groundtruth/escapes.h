/** Truth of the ways out that were reported for a trajectory, cached. */
#ifndef GROUNDTRUTH_ESCAPES_H
#define GROUNDTRUTH_ESCAPES_H

#include "groundtruth/body/types.h"
#include "groundtruth/depth/escape.h"

/** What was reported of a frame: B moved by depth_m along the direction is out of A. */
typedef struct gt_reported_depth {
    vec3 direction; /* its length does not matter; 0: nothing was reported */
    double depth_m; /* NAN: nothing was reported */
} gt_reported_depth;

/**
 * What the ways are worth (gt_escape_query) at poses[count], on the threads of the options, reading
 * what the cache has and adding what it lacks; interrupted and told of as gt_trajectory_truth. Where
 * nothing was reported, or a number of it is not finite, all brackets are GT_NONE.
 * Prepares the hulls of convex bodies, so that what is found does not depend on what was asked
 * earlier.
 *
 * Shapes   ways, escapes: count entries, escapes are filled. options may be NULL.
 * Errors   BASE_ERR_INPUT if a body is not a solid; BASE_ERR_SYSTEM for a cache that cannot be
 *          written, or "interrupted"; BASE_ERR_MEMORY.
 */
base_status gt_escapes(gt_body *a, gt_body *b, const geo_pose *poses, const gt_reported_depth *ways,
                       size_t count, const gt_options *options, gt_escape *escapes,
                       base_error *err) BASE_MUST_CHECK;

#endif
