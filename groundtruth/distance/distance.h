/** Exact distance, by two trees at once or by all pairs of triangles. */
#ifndef GROUNDTRUTH_DISTANCE_H
#define GROUNDTRUTH_DISTANCE_H

#include "geometry/tree.h"
#include "groundtruth/body/types.h"

typedef struct gt_distance {
    gt_bracket distance_m;     /* between the solids: {0, 0} if they overlap or touch */
    gt_bracket surface_m;      /* between the two surfaces: > 0 also for a body inside the other */
    vec3 witness_a, witness_b; /* nearest points of the surfaces, in A's frame */
    uint64_t triangle_tests;
} gt_distance;

/**
 * Computes the exact distance by BVH. The intersection of triangles is decided exactly for the
 * corners as moved by geo_pose_apply; if triangles intersect, the distance is 0 and both witnesses
 * are a common point. Otherwise the bracket is the computed distance +- the slack of doubles: 1e-12
 * d + 64 eps s, with s the largest coordinate of either body in A's frame. Surfaces that are nearer
 * than the slack and do not intersect have the bracket [0, ...], whether one body is inside the
 * other or not.
 *
 * Memory   no allocation.
 * Cost     0.08 ms for two meshes of 60,000 triangles at 0.5 to 20 % of their size.
 */
void gt_distance_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                       gt_distance *result);

/** A pair of faces of A and B; UINT32_MAX: no face. */
typedef struct gt_distance_hint {
    uint32_t face_a, face_b;
} gt_distance_hint;

#define GT_NO_HINT ((gt_distance_hint){UINT32_MAX, UINT32_MAX})

/**
 * The same, starting from the pair that an earlier query found, from any other pair of faces, or
 * from GT_NO_HINT. *hint becomes the pair of the witnesses. The hint changes the time and
 * triangle_tests, but no other bit of the result: of equally near pairs, the one with the smallest
 * face of A, then of B, has the witnesses.
 * Cost     on a smooth path less than half.
 */
void gt_distance_query_from(const gt_body *a, const gt_body *b, const geo_pose *pose,
                            gt_distance_hint *hint, gt_distance *result);

/**
 * Fills the brackets from the result of a search over all triangles: whether any two intersect,
 * else their squared distance. If the surfaces are nearer than the slack, it is undecidable whether
 * one body is inside the other, and the bracket of the distance of the solids begins at 0.
 */
void gt_distance_finish(const gt_body *a, const gt_body *b, const geo_pose *pose, bool intersect,
                        double distance2, gt_distance *result);

/**
 * Does gt_distance_query by all pairs of triangles in long double, as a reference. The choice of
 * the witnesses among equally near points may differ.
 *
 * Cost     35 ms for two meshes of 60,000 triangles at 2 to 40 % of their size; more if many pairs
 *          are about equally near, such as those of two concentric balls: 40 s.
 */
void gt_distance_brute(const gt_body *a, const gt_body *b, const geo_pose *pose,
                       gt_distance *result);

/* --- The search, compiled once per instruction set -------------------------------------------- */

/** Place that means "no triangle". */
#define GT_NOWHERE UINT32_MAX

typedef struct gt_search_task {
    const geo_tree *tree[2]; /* trees of A and of B */
    const geo_pose *pose;    /* pose of B's corners, as given in the mesh */
    geo_pose to_other[2];    /* from the frame of tree i to that of the other tree */
    double span[2];          /* largest distance of each tree from its own origin */
    double error;            /* error of corners and of numbers computed from them, in double */
    uint32_t start_face[2];  /* a pair to start from; GT_NOWHERE: no pair */
    const geo_mesh *mesh[2];
} gt_search_task;

/**
 * The pair of triangles with the least geo_triangle_distance2; of equally near pairs the one with
 * the smallest faces, first of A, then of B, independent of the start. If triangles intersect, one
 * intersecting pair, which does depend on the start.
 */
typedef struct gt_search_result {
    bool intersect;
    uint32_t face[2];
    uint64_t tests; /* number of tested pairs of triangles */
} gt_search_result;

typedef void gt_search(const gt_search_task *task, gt_search_result *result);

gt_search gt_search_sse2;
gt_search gt_search_avx2; /* only if base_cpu_avx2() */

#endif
