/** Between distance.c and the search, which is compiled once per instruction set. */
#ifndef GROUNDTRUTH_DISTANCE_SEARCH_H
#define GROUNDTRUTH_DISTANCE_SEARCH_H

#include "geometry/tree.h"

/** Place of no triangle. */
#define GT_NOWHERE UINT32_MAX

typedef struct gt_search_task {
    const geo_tree *tree[2]; /* of A, of B */
    const geo_pose *pose;    /* of B's corners, as they are in the mesh */
    geo_pose to_other[2];    /* from the frame of tree i into that of the other */
    double span[2];          /* of each tree: reach from its own origin */
    double error;            /* of corners and what is computed from them, in double */
    uint32_t start_face[2];  /* a pair to start from; GT_NOWHERE: none */
    const geo_mesh *mesh[2];
} gt_search_task;

/**
 * The pair of triangles with the least geo_triangle_distance2, and of equally near pairs the one
 * with the smallest faces, first of A, then of B: independent of the start. If triangles
 * intersect, one such pair, which does depend on it.
 */
typedef struct gt_search_result {
    bool intersect;
    uint32_t face[2];
    uint64_t tests; /* pairs of triangles */
} gt_search_result;

typedef void gt_search(const gt_search_task *task, gt_search_result *result);

gt_search gt_search_sse2;
gt_search gt_search_avx2; /* only where base_cpu_avx2() */

#endif
