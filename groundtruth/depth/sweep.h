/** Questions about all pairs of triangles of two bodies, one of which moves along a line. */
#ifndef GROUNDTRUTH_SWEEP_H
#define GROUNDTRUTH_SWEEP_H

#include "groundtruth/body.h"

enum {
    GT_SWEEP_STACK = GEO_BVH_WIDTH * GEO_BVH_WIDTH + 2 * GEO_BVH_DEPTH_MAX * (GEO_BVH_WIDTH - 1),
};

typedef enum gt_question {
    GT_SWEEP_REACH, /* of the pairs in contact at a translation, how far the last one goes */
    GT_SWEEP_NEXT,  /* where a contact begins behind it */
    GT_SWEEP_LAST,  /* where the last contact of all ends */
} gt_question;

/** Children of nodes (node * GEO_BVH_WIDTH + lane) of A and of B, and when their boxes may meet. */
typedef struct gt_sweep_pair {
    float from, to;
    uint32_t of[2];
} gt_sweep_pair;

/** From the frame of one hierarchy into that of the other; size: absolute values of r. */
typedef struct gt_frame_change {
    float r[3][3], size[3][3], t[3];
} gt_frame_change;

typedef struct gt_sweep {
    const gt_body *body[2];
    const geo_pose *pose;
    vec3 along;   /* unit; A's frame */
    double widen; /* as gt_contact_interval has it; set by the caller */
    gt_frame_change to_other[2];
    float step[2][3];    /* along, in the frames of A and of B */
    float margin, drift; /* rounding of boxes; what a standstill may add up to */

    gt_question asked;
    double at, best;
    uint64_t tests; /* of pairs of triangles, over all questions */

    gt_sweep_pair stack[GT_SWEEP_STACK];
    size_t depth;
} gt_sweep;

void gt_sweep_start(gt_sweep *s, const gt_body *a, const gt_body *b, const geo_pose *pose,
                    vec3 along);

/** At the translation `at` (not for GT_SWEEP_LAST). `start` is the answer if no pair betters it. */
double gt_sweep_ask(gt_sweep *s, gt_question asked, double at, double start);

#endif
