/**
 * Number of pairs of triangles of two bodies that share a point: for solids, open meshes and soups.
 */
#ifndef GROUNDTRUTH_PAIRS_H
#define GROUNDTRUTH_PAIRS_H

#include "groundtruth/body/types.h"

/**
 * Returns the number of pairs of closed triangles of A and B that share a point. Touching counts. B
 * is moved by the settled pose (geometry/pose.h), as for distances. The number is exact: signs
 * decide every pair (geo_triangle_intersect).
 *
 * Memory   no allocation.
 * Cost     0.7 times that of gt_flux_query, for two meshes of 60,000 triangles that cross in 1,000
 *          pairs.
 */
uint64_t gt_pairs_query(const gt_body *a, const gt_body *b, const geo_pose *pose);

/**
 * Computes the same without a tree, by all pairs of blocks of 32 neighbouring triangles. It is the
 * reference.
 *
 * Memory   no allocation.
 * Cost     40 times that of gt_pairs_query, for the same bodies.
 */
uint64_t gt_pairs_brute(const gt_body *a, const gt_body *b, const geo_pose *pose);

#endif
