/** Exact intersection volume: the sum over all pairs of cells. */
#ifndef GROUNDTRUTH_VOLUME_TETRA_H
#define GROUNDTRUTH_VOLUME_TETRA_H

#include "groundtruth/body/tetrahedra.h"
#include "groundtruth/body/types.h"

typedef struct gt_volume {
    /** V +- (1e-11 V + 64 eps s A). A is the surface area of A or that of B, whichever is smaller.
     * s is that of gt_distance_query, or B's largest coordinate in its own frame if that is
     * larger. */
    gt_bracket volume_m3;
    double value_m3;            /* V itself, >= 0 */
    uint64_t box_pairs;         /* pairs of tetrahedra whose boxes meet */
    uint64_t tetrahedron_tests; /* pairs of tetrahedra that were clipped */
} gt_volume;

/**
 * Computes the exact intersection volume by tetrahedra: the sum over all pairs of tetrahedra of the
 * volume of their intersection. Both bodies must have been cut into tetrahedra
 * (gt_body_tetrahedralise).
 *
 * Memory   no allocation.
 * Cost     0.01 to 0.08 s for two meshes of 60,000 triangles with AVX2.
 */
void gt_volume_query(const gt_body *a, const gt_body *b, const geo_pose *pose, gt_volume *result);

/* --- The sum, compiled once per instruction set ----------------------------------------------- */

typedef struct gt_cell_sum {
    const gt_cells *a, *b;
    const geo_pose *pose;   /* pose of B in A's frame */
    const geo_pose *origin; /* pose of B's packets in the frame of A's packets */
    vec3 origin_a;
    float margin; /* tolerance of boxes and planes in float */

    uint32_t moved_packet;             /* packet of B whose data follow, moved into A's frame */
    gt_packet moved;                   /* data for rejection */
    gt_tetrahedron corners[GT_PACKET]; /* data for clipping */
    gt_planes planes[GT_PACKET];       /* valid for the lanes in planes_made */
    unsigned planes_made;

    double sum, lost;      /* lost: the part of the sum that rounding removed (Neumaier) */
    uint64_t boxes, tests; /* gt_volume.box_pairs, gt_volume.tetrahedron_tests */
} gt_cell_sum;

/** Visitors of geo_bvh_pairs; context: gt_cell_sum. Both give the same result to the last bit. */
bool gt_cell_sum_visit_sse2(void *context, uint32_t a, uint32_t na, uint32_t b, uint32_t nb);
bool gt_cell_sum_visit_avx2(void *context, uint32_t a, uint32_t na, uint32_t b, uint32_t nb);

#endif
