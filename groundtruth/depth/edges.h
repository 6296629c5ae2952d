/** Penetration depth of convex bodies once more: all face normals and all pairs of edges. */
#ifndef GROUNDTRUTH_EDGES_H
#define GROUNDTRUTH_EDGES_H

#include "groundtruth/body/types.h"

/**
 * The depth of gt_depth_query, found without its Gauss map, hierarchy and merged facets: each face
 * of either mesh and each pair of an edge of A and one of B gives a direction, in sums of two
 * doubles, and the least width along a direction, over all corners as moved and in long double, is
 * the depth. The two methods share the moved corners, the distance query that tells bodies apart,
 * and gt_depth_slack. Both bodies have their hulls (gt_body_make_hull).
 *
 * *direction: unit, the way of B out; unchanged where the bodies are apart.
 * Returns  false if there is no memory.
 * Memory   a few hundred bytes a face, freed again.
 * Cost     0.1 to 0.2 us a pair of edges, the more the deeper: 0.03 s for two balls of 320 faces,
 *          0.6 s for two of 1,280, nearly around one centre.
 */
bool gt_depth_edges(const gt_body *a, const gt_body *b, const geo_pose *pose, gt_bracket *depth,
                    vec3 *direction);

#endif
