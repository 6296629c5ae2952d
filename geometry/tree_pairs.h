/**
 * Which triangles of two bodies may intersect: the base of volumes and contacts.
 *
 * Frames   b's corners are moved by the pose (geo_pose_apply) into a's frame.
 */
#ifndef GEOMETRY_TREE_PAIRS_H
#define GEOMETRY_TREE_PAIRS_H

#include "geometry/pose.h"
#include "geometry/tree.h"

/**
 * Triangles of a at places first + i, for the bits i of hits, and of b at place b. Returns false to
 * stop.
 */
typedef bool geo_tree_pairs_visitor(void *context, uint32_t first, unsigned hits, uint32_t b);

/**
 * Visits all pairs of triangles whose boxes overlap and that straddle each other's planes, and few
 * others; none that share a point is missing. Deterministic order, each pair once.
 *
 * Returns  false if the visitor stopped it.
 * Memory   no allocation; 50 kB of stack.
 * Cost     0.3 ms for two meshes of 60,000 triangles that cross along a curve.
 */
bool geo_tree_pairs(const geo_tree *a, const geo_tree *b, const geo_pose *pose,
                    geo_tree_pairs_visitor *visit, void *context);

/* --- Between tree_pairs.c and tree_pairs_isa.c ------------------------------------------------ */

typedef struct geo_tree_pairs_task {
    const geo_tree *tree[2];
    geo_motion to_other[2]; /* between the frames of the trees */
    float margin;           /* of a gap between the two */
    geo_tree_pairs_visitor *visit;
    void *context;
} geo_tree_pairs_task;

bool geo_tree_pairs_sse2(const geo_tree_pairs_task *task);
bool geo_tree_pairs_avx2(const geo_tree_pairs_task *task);

#endif
