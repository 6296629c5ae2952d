/** Truth of the depths that a method reported along a trajectory, cached. */
#ifndef GROUNDTRUTH_REPORTED_H
#define GROUNDTRUTH_REPORTED_H

#include "groundtruth/body/types.h"
#include "groundtruth/depth/escape.h"
#include "groundtruth/depth/window.h"

/** A reported depth of a frame: B moved by depth_m along the direction is out of A. */
typedef struct gt_reported_depth {
    vec3 direction; /* its length does not matter; 0: no depth was reported */
    double depth_m; /* NAN: no depth was reported */
} gt_reported_depth;

/**
 * Judges one reported depth per frame (gt_escape_query) at poses[count], on the threads of the
 * options. Answers come from the cache; missing ones are computed and added to it. Interruption and
 * progress work as in gt_trajectory_truth. All brackets are GT_NONE where no depth was reported, or
 * where a number of it is not finite.
 * The hulls of convex bodies are prepared first, so that the result does not depend on earlier
 * queries.
 *
 * Shapes   ways, escapes: count entries, escapes are filled. options may be NULL.
 * Errors   BASE_ERR_INPUT if a body is not a solid; BASE_ERR_SYSTEM for a cache that cannot be
 *          written, or "interrupted"; BASE_ERR_MEMORY.
 */
base_status gt_escapes(gt_body *a, gt_body *b, const geo_pose *poses, const gt_reported_depth *ways,
                       size_t count, const gt_options *options, gt_escape *escapes,
                       base_error *err) BASE_MUST_CHECK;

/** A reported depth of a window: B moved by depth_m is out of A in the window. A frame may have
 * many. */
typedef struct gt_reported_window {
    size_t frame;
    gt_window window;
    double depth_m;
} gt_reported_window;

/**
 * Judges reported windows (gt_window_query), each at the pose of its frame, as gt_escapes does. All
 * brackets are GT_NONE where a window is invalid (not finite, without area, or with directions that
 * miss unit length or right angles by more than 1e-6), or where the depth is not finite.
 *
 * Shapes   windows, truths: count entries, truths are filled; poses: by frame. options may be NULL.
 * Errors   BASE_ERR_SYSTEM for a cache that cannot be written, or "interrupted"; BASE_ERR_MEMORY.
 */
base_status gt_windows(const gt_body *a, const gt_body *b, const geo_pose *poses,
                       const gt_reported_window *windows, size_t count, const gt_options *options,
                       gt_window_truth *truths, base_error *err) BASE_MUST_CHECK;

#endif
