/** The facets of the Minkowski difference of two convex bodies, searched for more than one goal. */
#ifndef GROUNDTRUTH_DEPTH_H
#define GROUNDTRUTH_DEPTH_H

#include "groundtruth/body.h"

/**
 * What is to be least over all facets, with unit normals n and width w >= 0 (how far B has to go
 * along n): w itself, or (w + slack) / (n . along) where that is positive.
 */
typedef struct gt_goal {
    bool directed;
    vec3 along; /* unit */
    double slack;
} gt_goal;

/** The least value and the normal that has it. Both bodies have their hulls; adds to the counts. */
double gt_depth_search(const gt_body *a, const gt_body *b, const geo_pose *pose,
                       const gt_goal *goal, vec3 *normal, gt_depth *counts);

/** What rounding may add to a width, or take from it. */
double gt_depth_slack(const gt_body *a, const gt_body *b, const geo_pose *pose);

#endif
