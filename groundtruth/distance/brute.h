/** Distance by all pairs of triangles, in long double. */
#ifndef GROUNDTRUTH_BRUTE_H
#define GROUNDTRUTH_BRUTE_H

#include "groundtruth/distance/distance.h"

/**
 * gt_distance_query by all pairs of triangles in long double, the referee; which of equally near
 * points are the witnesses may differ.
 *
 * Cost     35 ms for two meshes of 60,000 triangles at 2 to 40 % of their size; more by the pairs
 *          that are about equally near, such as those of two balls around one centre: 40 s.
 */
void gt_distance_brute(const gt_body *a, const gt_body *b, const geo_pose *pose,
                       gt_distance *result);

#endif
