/** Truth of the ways out that were reported for parts of the space along a trajectory, cached. */
#ifndef GROUNDTRUTH_WINDOWS_H
#define GROUNDTRUTH_WINDOWS_H

#include "groundtruth/depth/window.h"

/** What was reported of a frame, which may have many: B moved by depth_m is out of A in the window. */
typedef struct gt_reported_window {
    size_t frame;
    gt_window window;
    double depth_m;
} gt_reported_window;

/**
 * What the ways are worth (gt_window_query), each at its frame's pose, on the threads of the options,
 * reading what the cache has and adding what it lacks; interrupted and told of as
 * gt_trajectory_truth. Where a window is none (not finite, without an area, its directions off
 * length or right angles by more than 1e-6), or the depth is not finite, all brackets are GT_NONE.
 *
 * Shapes   windows, truths: count entries, truths are filled; poses: by frame. options may be NULL.
 * Errors   BASE_ERR_SYSTEM for a cache that cannot be written, or "interrupted"; BASE_ERR_MEMORY.
 */
base_status gt_windows(const gt_body *a, const gt_body *b, const geo_pose *poses,
                       const gt_reported_window *windows, size_t count, const gt_options *options,
                       gt_window_truth *truths, base_error *err) BASE_MUST_CHECK;

#endif
