/**
 * A queue for pairs of triangles that may cross. The pairs wait while their triangles are
 * prefetched. Then they are decided, four at a time by a kernel or, if double arithmetic cannot
 * tell, by gt_flux_facets_cross.
 */
#ifndef GROUNDTRUTH_FLUX_QUEUE_H
#define GROUNDTRUTH_FLUX_QUEUE_H

#include "geometry/tree.h"
#include "groundtruth/volume/flux_pair.h"

enum {
    GT_FLUX_BATCH = 4,
    GT_QUEUE_MAX = 4 * GT_FLUX_BATCH, /* long enough for triangles to arrive from memory */
};

/** Pairs of triangles: corner[side][k][axis][pair]; forward[side]: masks as in gt_flux_facet. */
typedef struct gt_pair_batch {
    double corner[2][3][3][GT_FLUX_BATCH];
    unsigned forward[2][GT_FLUX_BATCH];
} gt_pair_batch;

/** Called for two triangles that cross: their places, and their corners in the frame of the
 * first body. Returns false to stop. */
typedef bool gt_crossing_visitor(void *context, const uint32_t places[2],
                                 const geo_triangle corners[2], const gt_segment *segment);

typedef struct gt_queue {
    const geo_tree *tree[2];
    const uint8_t *forward[2]; /* for each place: as in gt_flux_facet */
    const geo_pose *pose;      /* moves the corners of the second body */
    gt_crossing_visitor *visit;
    void *context;
    uint64_t exact; /* number of signs that double arithmetic could not decide */
    gt_kinks kinks; /* sum of the kinks found */
    bool go;        /* true at first; false after the visitor has stopped the search */

    unsigned count;
    uint32_t places[GT_QUEUE_MAX][2];
    gt_pair_batch batch;
} gt_queue;

/** Visitors of geo_tree_pairs, context: the queue. */
bool gt_queue_add_sse2(void *queue, uint32_t first, unsigned hits, uint32_t b);
bool gt_queue_add_avx2(void *queue, uint32_t first, unsigned hits, uint32_t b);

/** Decides the remaining pairs in the queue. */
void gt_queue_end_sse2(gt_queue *queue);
void gt_queue_end_avx2(gt_queue *queue);

#endif
