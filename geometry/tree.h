/**
 * A hierarchy over the triangles of a mesh, and the pairs of triangles of two hierarchies: those
 * that may intersect, for volumes and contacts, and those that do intersect.
 *
 * A leaf has eight triangles and a node eight children. All are full except the last one of each
 * level, so that all indices can be computed and no links are stored.
 *
 * The leaves are level 0; leaf l has the triangles 8 l to 8 l + 7 in tree order. Node i of a level
 * k >= 1 has the children 8 i to 8 i + 7 of level k - 1. The highest level has one node. There are
 * two kinds of bounds: cylinders for distances (four cache lines per node), and boxes and slabs for
 * intersections.
 */
#ifndef GEOMETRY_TREE_H
#define GEOMETRY_TREE_H

#include "geometry/bvh.h"
#include "geometry/mesh.h"
#include "geometry/pose.h"
#include "geometry/triangle.h"

enum {
    GEO_TREE_WIDTH = GEO_BVH_WIDTH,
    GEO_TREE_LEVELS_MAX = 11, /* 2^31 triangles */
};

/**
 * Eight triangles relative to the origin, rounded to float. Unused lanes repeat the last triangle.
 * If the computed normal of a sliver does not fit its corners, it is replaced by 0.
 */
typedef struct geo_tree_leaf {
    float corner[3][3][GEO_TREE_WIDTH];                      /* [k][axis] */
    float normal[3][GEO_TREE_WIDTH], offset[GEO_TREE_WIDTH]; /* unit; normal . y = offset */
} geo_tree_leaf;

/**
 * A box and a slab around each of the eight children of a node, relative to the origin, rounded
 * outwards. The slab lies between two planes orthogonal to the mean normal. A child without
 * triangles has lo > hi.
 */
typedef struct geo_slab_node {
    float lo[3][GEO_TREE_WIDTH], hi[3][GEO_TREE_WIDTH];
    float normal[3][GEO_TREE_WIDTH];                     /* length 1 or slightly less */
    float at[GEO_TREE_WIDTH], thickness[GEO_TREE_WIDTH]; /* |normal . y - at| <= thickness */
} geo_slab_node;

typedef struct geo_tree {
    vec3 origin;
    double span;                              /* all corners are within this distance of origin */
    uint32_t count;                           /* number of triangles, or of parts of triangles */
    bool divided;                             /* some triangles are in several parts */
    uint32_t level_count;                     /* including the leaves: at least 2 */
    uint32_t level_size[GEO_TREE_LEVELS_MAX]; /* level_size[0] leaves, then nodes */
    geo_cylinder_node *nodes[GEO_TREE_LEVELS_MAX]; /* arena; [0] is NULL; relative to origin */
    geo_slab_node *slabs[GEO_TREE_LEVELS_MAX];     /* arena; like nodes */
    geo_tree_leaf *leaves;                         /* arena */
    geo_triangle *triangles; /* arena; in tree order, whole, with the coordinates of the mesh */
    uint32_t *faces;         /* arena; in tree order */
} geo_tree;

/**
 * Returns the length from which an edge is long for a mesh: three times the root of the mean area
 * of a face, or more, so that geo_tree_build makes at most eight parts per face in the mean. If no
 * edge is longer, returns infinity. Cost: O(n).
 */
double geo_tree_longest_edge(const geo_mesh *mesh);

/**
 * Builds the tree by repeated halving across the direction of largest spread of the centroids. The
 * first half is rounded to a multiple of the size of a full child. The result is the same for any
 * number of threads.
 *
 * A triangle that is much longer than its neighbours makes bounds loose, because all bounds around
 * it have its length. Such triangles are common in CAD parts. A triangle with an edge above
 * longest_edge_m is therefore halved across its longest edge until no part has such an edge. Each
 * part is an item of the tree. Bounds and leaves have the part's corners; `triangles` and `faces`
 * have the whole triangle. The parts cover the triangle up to rounding: 64 eps times the distance
 * of its corners from 0.
 *
 * Shapes   the mesh must have at least one face. origin must be near the mesh, relative to its
 *          size, so that floats keep enough digits. longest_edge_m: INFINITY for whole triangles;
 *          otherwise not below geo_tree_longest_edge, so that there are not too many parts.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 240 bytes a part. 210 bytes a part of scratch memory are outside of it.
 */
base_status geo_tree_build(const geo_mesh *mesh, vec3 origin, double longest_edge_m,
                           base_arena *arena, geo_tree *tree, base_error *err) BASE_MUST_CHECK;

/* --- Pairs that may intersect ----------------------------------------------------------------- */

/* Frames: b's corners are moved by the pose (geo_pose_apply) into a's frame. The trees must have
 * whole triangles, because a pair of divided ones would be found several times. */

/**
 * Called for triangle `b` of the second tree and several triangles of the first: first + i for each
 * bit i that is set in hits. These are indices in tree order. Returns false to stop.
 */
typedef bool geo_tree_pairs_visitor(void *context, uint32_t first, unsigned hits, uint32_t b);

/**
 * Visits all pairs of triangles whose boxes overlap and that straddle each other's planes, and few
 * other pairs. No pair that shares a point is missing. Visits each pair once, in a deterministic
 * order.
 *
 * Returns  false if the visitor stopped it.
 * Memory   no allocation; less than 50 kB of stack.
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
 * intersection of the two triangles, with the same bits as geo_triangle_common(a, b). Otherwise the
 * visitor gets NULL. tests: receives the number of pairs that were tested; may be NULL.
 *
 * Returns  false if the visitor stopped it.
 * Memory   no allocation; less than 50 kB of stack.
 * Cost     0.3 ms for two meshes of 70,000 triangles that cross along a curve of 900 pairs.
 */
bool geo_tree_intersections(const geo_tree *a, const geo_tree *b, const geo_pose *pose, bool common,
                            geo_face_pair_visitor *visit, void *context, uint64_t *tests);

/* --- Between tree.c and tree_isa.c ------------------------------------------------------------ */

typedef struct geo_tree_pairs_task {
    const geo_tree *tree[2];
    geo_motion to_other[2]; /* from the frame of each tree to that of the other */
    float margin;           /* bound of the error of a gap between the two */
    geo_tree_pairs_visitor *visit;
    void *context;
} geo_tree_pairs_task;

bool geo_tree_pairs_sse2(const geo_tree_pairs_task *task);
bool geo_tree_pairs_avx2(const geo_tree_pairs_task *task);

enum {
    GEO_CROSSING_LANES = 4,
    GEO_CROSSING_QUEUE = 4 * GEO_CROSSING_LANES, /* so long that prefetched triangles have arrived
                                                  * from memory */
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
    uint32_t pairs[GEO_CROSSING_QUEUE][2]; /* indices of triangles of a and b, in tree order */
    /** Corners of the pairs being decided: [side][k][axis][pair]. */
    double corner[2][3][3][GEO_CROSSING_LANES];
} geo_crossing_queue;

/** Visitors of geo_tree_pairs, with the queue as context. */
geo_tree_pairs_visitor geo_crossing_add_sse2, geo_crossing_add_avx2;

/** Decides the remaining pairs in the queue. */
void geo_crossing_end_sse2(geo_crossing_queue *queue);
void geo_crossing_end_avx2(geo_crossing_queue *queue);

#endif
