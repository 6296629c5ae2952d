/** Distance by all pairs of triangles, in long double. */
#ifndef GROUNDTRUTH_BRUTE_H
#define GROUNDTRUTH_BRUTE_H

#include "groundtruth/distance/distance.h"

/** Triangles in the order of a curve through space, in blocks for brute force. */
typedef struct gt_blocks {
    uint32_t *order; /* arena; faces */
    geo_ball *balls; /* arena; around the triangles of each block */
    vec3 *corners;   /* arena; one of each block */
    size_t count;    /* of blocks */
} gt_blocks;

/** Errors: BASE_ERR_MEMORY. */
base_status gt_blocks_build(const geo_mesh *mesh, base_arena *arena, gt_blocks *blocks,
                            base_error *err) BASE_MUST_CHECK;

/**
 * gt_distance_query by all pairs of triangles in long double, the referee; which of equally near points are
 * the witnesses may differ.
 *
 * Cost     35 ms for two meshes of 60,000 triangles at 2 to 40 % of their size; more by the pairs
 *          that are about equally near, such as those of two balls around one centre: 40 s.
 */
void gt_distance_brute(const gt_body *a, const gt_body *b, const geo_pose *pose,
                       gt_distance *result);

#endif
