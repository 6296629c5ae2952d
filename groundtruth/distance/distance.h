/** Exact distance, by two trees at once or by all pairs of triangles. */
#ifndef GROUNDTRUTH_DISTANCE_H
#define GROUNDTRUTH_DISTANCE_H

#include "geometry/tree.h"
#include "groundtruth/body/types.h"

typedef struct gt_distance {
    gt_bracket distance_m;     /* between the solids; {0, 0} if they certainly overlap or touch */
    gt_bracket surface_m;      /* between the two surfaces; above 0 also if one body is inside the
                                * other */
    vec3 witness_a, witness_b; /* nearest points of the surfaces, in A's frame */
    uint64_t triangle_tests;
} gt_distance;

/**
 * Computes the exact distance by BVH. Exact signs decide whether triangles intersect, for the
 * corners as moved by geo_pose_apply. If two intersect, the distance is 0 and both witnesses are a
 * common point of them. Otherwise the bracket is the computed distance d, +- the slack of doubles:
 * 1e-12 d + 64 eps s. s is the largest coordinate of either body in A's frame. If surfaces are
 * nearer than the slack but do not intersect, the bracket is [0, ...], even if one body is inside
 * the other.
 *
 * Memory   no allocation.
 * Cost     0.08 ms for two meshes of 60,000 triangles whose distance is 0.5 to 20 % of their size.
 */
void gt_distance_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                       gt_distance *result);

/** A pair of faces of A and B; UINT32_MAX: no face. */
typedef struct gt_distance_hint {
    uint32_t face_a, face_b;
} gt_distance_hint;

#define GT_NO_HINT ((gt_distance_hint){UINT32_MAX, UINT32_MAX})

/**
 * Computes the same, starting from a pair of faces: the one that an earlier query found, any other
 * pair, or none (GT_NO_HINT). *hint becomes the pair of the witnesses. The hint changes the time
 * and triangle_tests, but no other bit of the result. If several pairs are equally near, the
 * witnesses are those of the pair with the smallest face of A, then of B.
 *
 * Cost     less than half, on a smooth path.
 */
void gt_distance_query_from(const gt_body *a, const gt_body *b, const geo_pose *pose,
                            gt_distance_hint *hint, gt_distance *result);

/**
 * Fills the brackets from the result of a search over all triangles: whether any two intersect, and
 * otherwise their squared distance. If the surfaces are nearer than the slack, it is not known
 * whether one body is inside the other. The bracket of the distance of the solids then begins at 0.
 */
void gt_distance_finish(const gt_body *a, const gt_body *b, const geo_pose *pose, bool intersect,
                        double distance2, gt_distance *result);

/**
 * Computes the brackets of gt_distance_query by all pairs of triangles in long double, as a
 * reference. If several points are equally near, the witnesses may be others. If triangles
 * intersect, the witnesses are points of two such triangles, but in general not a common point.
 *
 * Cost     35 ms for two meshes of 60,000 triangles whose distance is 2 to 40 % of their size; more
 *          if many pairs are about equally near, as those of two concentric balls: 40 s.
 */
void gt_distance_brute(const gt_body *a, const gt_body *b, const geo_pose *pose,
                       gt_distance *result);

/* --- The search, compiled once per instruction set -------------------------------------------- */

/** The value of a face that means "no triangle". */
#define GT_NOWHERE UINT32_MAX

typedef struct gt_search_task {
    const geo_tree *tree[2]; /* trees of A and of B */
    const geo_pose *pose;    /* pose of B's corners, as given in the mesh */
    geo_pose to_other[2];    /* from the frame of tree i to that of the other tree */
    double span[2];          /* largest distance of the triangles of each tree from its origin */
    double error;            /* error of corners and of numbers computed from them, in double */
    uint32_t start_face[2];  /* the pair from which the search starts; GT_NOWHERE: no pair */
    const geo_mesh *mesh[2];
} gt_search_task;

/**
 * The pair of triangles with the least geo_triangle_distance2. Of equally near pairs it is the one
 * with the smallest face of A, then of B, so it does not depend on the start. If triangles
 * intersect, it is one of the intersecting pairs, and does depend on the start.
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
