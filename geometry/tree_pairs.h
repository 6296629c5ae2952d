/**
 * Pairs of triangles of two bodies: those that may intersect, for volumes and contacts, and those
 * that do intersect.
 *
 * Frames   b's corners are moved by the pose (geo_pose_apply) into a's frame.
 */
#ifndef GEOMETRY_TREE_PAIRS_H
#define GEOMETRY_TREE_PAIRS_H

#include "geometry/pose.h"
#include "geometry/tree.h"
#include "geometry/triangle_common.h"

/* --- Pairs that may intersect ----------------------------------------------------------------- */

/**
 * Called for triangles of a at places first + i, for the bits i of hits, and the triangle of b at
 * place b. Returns false to stop.
 */
typedef bool geo_tree_pairs_visitor(void *context, uint32_t first, unsigned hits, uint32_t b);

/**
 * Visits all pairs of triangles whose boxes overlap and that straddle each other's planes, and few
 * other pairs. No pair that shares a point is missing. The order is deterministic, each pair once.
 *
 * Returns  false if the visitor stopped it.
 * Memory   no allocation; 50 kB of stack.
 * Cost     0.3 ms for two meshes of 60,000 triangles that cross along a curve.
 */
bool geo_tree_pairs(const geo_tree *a, const geo_tree *b, const geo_pose *pose,
                    geo_tree_pairs_visitor *visit, void *context);

/* --- Pairs that intersect --------------------------------------------------------------------- */

/*
 * Finds all pairs of triangles of two bodies that intersect, by exact decisions; touching counts.
 * Degenerate triangles are treated as segments or points.
 */

/** Called for faces of a and b by number, with their intersection. Returns false to stop. */
typedef bool geo_face_pair_visitor(void *context, uint32_t face_a, uint32_t face_b,
                                   const geo_common *common);

/**
 * Visits each pair once, in a deterministic order. If `common` is true, finds the ends of the
 * intersection of the two triangles, bit by bit as geo_triangle_common(a, b); else the visitor gets
 * NULL. tests: receives the number of pairs decided; may be NULL.
 *
 * Returns  false if the visitor stopped it.
 * Memory   no allocation; 50 kB of stack.
 * Cost     0.3 ms for two meshes of 70,000 triangles that cross along a curve of 900 pairs.
 */
bool geo_tree_intersections(const geo_tree *a, const geo_tree *b, const geo_pose *pose, bool common,
                            geo_face_pair_visitor *visit, void *context, uint64_t *tests);

/* --- Between tree.c and tree_pairs_isa.c ------------------------------------------------------ */

typedef struct geo_tree_pairs_task {
    const geo_tree *tree[2];
    geo_motion to_other[2]; /* from the frame of each tree to that of the other */
    float margin;           /* error of a gap between the two */
    geo_tree_pairs_visitor *visit;
    void *context;
} geo_tree_pairs_task;

bool geo_tree_pairs_sse2(const geo_tree_pairs_task *task);
bool geo_tree_pairs_avx2(const geo_tree_pairs_task *task);

/* --- Between tree.c and tree_intersections_isa.c ---------------------------------------------- */

enum {
    GEO_CROSSING_LANES = 4,
    GEO_CROSSING_QUEUE = 4 * GEO_CROSSING_LANES, /* long enough for triangles to arrive from
                                                  * memory */
};

/** Pairs of triangles that may intersect. */
typedef struct geo_crossing_queue {
    const geo_tree *tree[2];
    const geo_pose *pose;
    bool common;
    geo_face_pair_visitor *visit;
    void *context;
    uint64_t tests;
    bool go; /* true until the visitor stops it */

    uint32_t count;
    uint32_t places[GEO_CROSSING_QUEUE][2];
    /** Corners of the pairs being decided: [side][k][axis][pair]. */
    double corner[2][3][3][GEO_CROSSING_LANES];
} geo_crossing_queue;

/** Visitors of geo_tree_pairs, with the queue as context. */
geo_tree_pairs_visitor geo_crossing_add_sse2, geo_crossing_add_avx2;

/** Decides the remaining pairs in the queue. */
void geo_crossing_end_sse2(geo_crossing_queue *queue);
void geo_crossing_end_avx2(geo_crossing_queue *queue);

#endif
