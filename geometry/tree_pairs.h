/**
 * Pairs of triangles of two bodies: those that may intersect, the base of volumes and contacts, and
 * those that do.
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

/* --- Pairs that intersect --------------------------------------------------------------------- */

/*
 * All pairs of triangles of two bodies that intersect, exactly decided; touching counts. Degenerate
 * triangles are taken as the segments or points that they are.
 */

/** Faces of a and b by number, and what they have in common. Returns false to stop. */
typedef bool geo_face_pair_visitor(void *context, uint32_t face_a, uint32_t face_b,
                                   const geo_common *common);

/**
 * Visits each pair once, in a deterministic order. With `common`, finds the ends of what the two
 * have in common, as geo_triangle_common(a, b) does, to the last bit; else the visitor gets NULL.
 * tests: gets how many pairs were decided; may be NULL.
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
    geo_motion to_other[2]; /* between the frames of the trees */
    float margin;           /* of a gap between the two */
    geo_tree_pairs_visitor *visit;
    void *context;
} geo_tree_pairs_task;

bool geo_tree_pairs_sse2(const geo_tree_pairs_task *task);
bool geo_tree_pairs_avx2(const geo_tree_pairs_task *task);

/* --- Between tree.c and tree_intersections_isa.c ---------------------------------------------- */

enum {
    GEO_CROSSING_LANES = 4,
    GEO_CROSSING_QUEUE = 4 * GEO_CROSSING_LANES, /* so long that triangles arrive from memory */
};

/** Pairs of triangles that may intersect. */
typedef struct geo_crossing_queue {
    const geo_tree *tree[2];
    const geo_pose *pose;
    bool common;
    geo_face_pair_visitor *visit;
    void *context;
    uint64_t tests;
    bool go; /* until the visitor stops it */

    uint32_t count;
    uint32_t places[GEO_CROSSING_QUEUE][2];
    /** Of those that are being decided: [side][k][axis][pair]. */
    double corner[2][3][3][GEO_CROSSING_LANES];
} geo_crossing_queue;

/** Visitors of geo_tree_pairs, with the queue as context. */
geo_tree_pairs_visitor geo_crossing_add_sse2, geo_crossing_add_avx2;

/** Decides those that are still in the queue. */
void geo_crossing_end_sse2(geo_crossing_queue *queue);
void geo_crossing_end_avx2(geo_crossing_queue *queue);

#endif
