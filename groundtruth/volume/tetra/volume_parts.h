/** The sum over all pairs of cells, between the files that make it. */
#ifndef GROUNDTRUTH_VOLUME_PARTS_H
#define GROUNDTRUTH_VOLUME_PARTS_H

#include "groundtruth/volume/tetra/cells.h"

typedef struct gt_cell_sum {
    const gt_cells *a, *b;
    const geo_pose *pose;   /* between the bodies */
    const geo_pose *origin; /* between the frames of the packets */
    vec3 origin_a;
    float margin; /* what boxes and planes in float give away */

    uint32_t moved_packet;             /* of B, in A's frame: */
    gt_packet moved;                   /* as it rejects, */
    gt_tetrahedron corners[GT_PACKET]; /* and as it is cut */
    gt_planes planes[GT_PACKET];       /* those of planes_made */
    unsigned planes_made;

    double sum, lost; /* lost: what rounding took from the sum (Neumaier) */
    uint64_t tests;
} gt_cell_sum;

/** Visitors of geo_bvh_pairs, context: gt_cell_sum. Both have the same results to the last bit. */
bool gt_cell_sum_visit_sse2(void *context, uint32_t a, uint32_t na, uint32_t b, uint32_t nb);
bool gt_cell_sum_visit_avx2(void *context, uint32_t a, uint32_t na, uint32_t b, uint32_t nb);

#endif
