/** All pairs of triangles of two bodies that cross. */
#ifndef GROUNDTRUTH_FLUX_PAIRS_H
#define GROUNDTRUTH_FLUX_PAIRS_H

#include "groundtruth/distance_tree.h"
#include "groundtruth/flux.h"
#include "groundtruth/flux_pair.h"

/** Two triangles cross: their places, and their corners in the frame of the first body. Returns
 * false to stop. */
typedef bool gt_pairs_visitor(void *context, const uint32_t places[2],
                              const geo_triangle corners[2], const gt_segment *segment);

typedef struct gt_pairs_task {
    const gt_distance_tree *tree[2];
    const gt_flux_body *flux[2];
    const geo_pose *pose; /* moves the corners of the second body */
    geo_pose to_other[2]; /* between the frames of the trees */
    float margin;         /* of gaps between the trees */
    gt_pairs_visitor *visit;
    void *context;
    uint64_t exact; /* signs that doubles could not tell: counted */
} gt_pairs_task;

void gt_pairs_sse2(gt_pairs_task *task);
void gt_pairs_avx2(gt_pairs_task *task);

#endif
