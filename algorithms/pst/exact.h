/**
 * The exact distance from some triangles of one body to all triangles of another body, as far as it
 * is not greater than a distance that is already known. Shared by exact.c and exact_isa.c.
 *
 * A packet of eight triangles, which should be neighbours, is searched for in the hierarchy of the
 * other body. Two tests leave out nodes. The first one uses a ball around the packet. The second
 * one uses an axis, the direction between the nearest points so far: if the node and the packet are
 * farther apart along the axis than the limit, the node is left out. Near the nearest points, few
 * nodes pass the second test. The arithmetic is that of the truth (groundtruth/README.md,
 * Distance).
 *
 * Ties     of equally near pairs of faces, the pair with the smallest face of A, then of B, is
 *          found, as by the truth and by a loop over all pairs. Therefore nodes and pairs that may
 *          be equally near are not left out. Of the pairs that share a point, any one is found, and
 *          the search stops there.
 * Frames   A is fixed. B's corners are moved by geo_pose_apply. The tree may belong to either body.
 */
#ifndef ALGORITHMS_PST_EXACT_H
#define ALGORITHMS_PST_EXACT_H

#include "algorithms/pst/tree.h"
#include "geometry/pose.h"
#include "geometry/tree.h"

/* --- Parts of a mesh -------------------------------------------------------------------------- */

/** A triangle of the mesh as alg_pst_points_build divides it for points of kind ALG_PST_MESH. */
typedef struct alg_pst_part {
    uint32_t corner[3]; /* indices of points, in the order of the tree */
    uint32_t face;      /* face of the mesh that contains the part */
} alg_pst_part;

/** All parts of a mesh, and the parts that each point represents. */
typedef struct alg_pst_parts {
    uint32_t count;
    alg_pst_part *parts; /* arena; sorted by corners, so parts of near points are near each other */
    uint32_t *first;     /* arena; point i represents the parts members[first[i]] to
                            members[first[i + 1] - 1] */
    uint32_t *members;   /* arena; indices of parts */
    uint8_t *of_face;    /* arena; for each face, the number of its parts; 2 means 2 or more */
    const vec3 *points;  /* borrowed from the tree */
} alg_pst_parts;

/* --- The search ------------------------------------------------------------------------------- */

enum { ALG_PST_SEEN = 1 << 10 };

/** A pair of faces that was measured in a query. */
typedef struct alg_pst_seen {
    uint32_t face[2];
    uint32_t query;
} alg_pst_seen;

typedef struct alg_pst_exact_search {
    const geo_tree *tree;       /* all triangles of one body */
    const alg_pst_parts *parts; /* of the other body */
    const geo_mesh *mesh[2];    /* of the tree's body, and of the parts' body */
    bool moving;                /* true if the tree is B's */
    alg_pst_seen *seen;         /* arena; ALG_PST_SEEN entries of a hash table, initially zero */
    double reach[2];            /* largest absolute coordinate of each mesh, in its own frame */

    /* The result: the best pair of faces. */
    bool intersect;     /* true if the pair shares a point */
    uint32_t face[2];   /* of the tree's body, of the parts' body; UINT32_MAX if there is no pair */
    double distance2;   /* geo_triangle_distance2 of the pair; INFINITY if there is no pair */
    uint64_t nodes;     /* number of opened nodes, each a test of eight children */
    uint64_t triangles; /* number of pairs of triangles that were computed */

    /* State of a query. */
    geo_pose pose;    /* of B's corners */
    geo_pose to_tree; /* from the parts' frame to the tree's, relative to its origin */
    double error;     /* bound of the rounding error of corners moved to the tree's frame, and of
                         values computed from them in double */
    vec3 axis;        /* unit; from the tree's body to the other one, in the tree's frame */
    uint32_t query;   /* number of the query, for `seen` */
} alg_pst_exact_search;

/** Records a pair if it is better than the best one so far. Returns true if it is. face: of the
 * tree's body; other: face of the parts' body. */
bool alg_pst_exact_note(alg_pst_exact_search *search, uint32_t face, uint32_t other,
                        double distance2, bool intersect);

/** Sets the axis to the direction between the nearest points of the best pair. */
void alg_pst_exact_aim(alg_pst_exact_search *search);

/** Moves a triangle of the tree's body (side 0) or of the parts' body (side 1) to A's frame, with
 * the arithmetic of the truth. */
static inline geo_triangle alg_pst_exact_moved(const alg_pst_exact_search *search, int side,
                                               geo_triangle t)
{
    return (side == 0) == search->moving ? geo_pose_apply_triangle(&search->pose, t) : t;
}

/**
 * Measure parts against all triangles of the tree's body that may be nearer than the best pair, or
 * equally near. Stop at a pair that shares a point.
 *
 * Shapes   parts: 1 to ALG_PST_WIDTH.
 */
typedef void alg_pst_exact_run(alg_pst_exact_search *search, const uint32_t *parts, uint32_t count);
alg_pst_exact_run alg_pst_exact_sse2;
alg_pst_exact_run alg_pst_exact_avx2; /* only if base_cpu_avx2() */

#endif
