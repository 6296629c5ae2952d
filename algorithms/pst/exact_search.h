/**
 * The exact distance from some triangles of one body to all triangles of another one, within a
 * bound. It decides the candidates of a traversal of points.
 *
 * Triangles are searched in groups of eight, which should be neighbours, in the hierarchy of the
 * other body. A node is left out by the ball around the eight, or by the direction between the
 * nearest points so far: projected on it, the node must reach the end of the eight within the
 * limit. Near the nearest points one surface hardly extends beyond the other one's end, so few
 * nodes are visited. The arithmetic is that of the truth (groundtruth/README.md, Distance).
 *
 * Ties     of equally near pairs of faces, the one with the smallest face of A, then of B, is
 *          found, as by the truth and by all pairs in their order. So a bound does not leave out an
 *          equally near pair. Of pairs that share a point any one is found, and the search stops
 *          there.
 * Frames   A is fixed, B's corners are moved by geo_pose_apply. The tree belongs to either body.
 */
#ifndef ALGORITHMS_PST_EXACT_SEARCH_H
#define ALGORITHMS_PST_EXACT_SEARCH_H

#include "algorithms/pst/parts.h"
#include "geometry/pose.h"
#include "geometry/tree.h"

enum { ALG_PST_EIGHT = 8, ALG_PST_SEEN = 1 << 10 };

/** A pair of faces that was measured in a query. */
typedef struct alg_pst_seen {
    uint32_t face[2];
    uint32_t query;
} alg_pst_seen;

typedef struct alg_pst_exact_search {
    /* The two bodies; set by the caller. */
    const geo_tree *tree;       /* all triangles of one body */
    const alg_pst_parts *parts; /* of the other body */
    const geo_mesh *mesh[2];    /* of the tree's body, and of the parts' body */
    bool moving;                /* true if the tree is B's */
    alg_pst_seen *seen;         /* arena; ALG_PST_SEEN entries, initially zero */

    /* The result, for the tree's body and the parts' body. */
    bool intersect;     /* true if the pair shares a point */
    uint32_t face[2];   /* UINT32_MAX if no pair is within the bound */
    double distance2;   /* geo_triangle_distance2 of the pair; INFINITY without one */
    uint64_t nodes;     /* number of tests of eight nodes */
    uint64_t triangles; /* number of pairs that were computed */

    /* State of a query. */
    geo_pose pose;    /* of B's corners */
    geo_pose to_tree; /* from the parts' frame to the tree's, relative to its origin */
    double reach[2];  /* largest absolute coordinate of each mesh, in its own frame */
    double error;     /* error of corners in the tree's frame, in double, and of values computed
                         from them */
    double bound;     /* only pairs up to this distance are searched */
    vec3 axis;        /* unit; from the tree's body to the other one, in the tree's frame */
    uint32_t query;   /* number of the query, for `seen` */
} alg_pst_exact_search;

/** Allocates the work space of queries. Errors: BASE_ERR_MEMORY. Memory: arena. */
base_status alg_pst_exact_search_bind(alg_pst_exact_search *search, base_arena *arena,
                                      base_error *err) BASE_MUST_CHECK;

/**
 * Begins a query.
 *
 * bound    upper bound of the distance of the surfaces; pairs farther apart are ignored. INFINITY
 *          if there is no bound
 * axis     any unit vector in A's frame, from the tree's body towards the other one
 */
void alg_pst_exact_search_begin(alg_pst_exact_search *search, const geo_pose *pose, double bound,
                                vec3 axis);

/** Measures a pair of faces: `face` of the tree's body and `other` of the other one. */
void alg_pst_exact_search_pair(alg_pst_exact_search *search, uint32_t face, uint32_t other);

/**
 * Measures parts against all triangles of the tree's body that may be within the bound. Returns at
 * once if a pair that shares a point is or was found.
 *
 * parts: 1 to ALG_PST_EIGHT.
 */
void alg_pst_exact_search_parts(alg_pst_exact_search *search, const uint32_t *parts,
                                uint32_t count);

/** Returns the distance below which a pair is better than the best one. */
static inline double alg_pst_exact_search_limit(const alg_pst_exact_search *search)
{
    const double best = sqrt(search->distance2);
    return best < search->bound ? best : search->bound;
}

/* --- Shared by exact_search.c and exact_search_isa.c ------------------------------------------ */

/** Records a pair if it is better than the best one. Returns true if it is. */
bool alg_pst_exact_search_note(alg_pst_exact_search *search, uint32_t face, uint32_t other,
                               double distance2, bool intersect);

/** Sets the axis to the direction of the best pair. */
void alg_pst_exact_search_aim(alg_pst_exact_search *search);

/** Returns a triangle of the tree's body (side 0) or of the other one, with its corners in A's
 * frame as the truth computes them. */
static inline geo_triangle alg_pst_exact_search_moved(const alg_pst_exact_search *search, int side,
                                                      geo_triangle t)
{
    return (side == 0) == search->moving ? geo_pose_apply_triangle(&search->pose, t) : t;
}

typedef void alg_pst_exact_search_run(alg_pst_exact_search *search, const uint32_t *parts,
                                      uint32_t count);
alg_pst_exact_search_run alg_pst_exact_search_sse2;
alg_pst_exact_search_run alg_pst_exact_search_avx2; /* only if base_cpu_avx2() */

#endif
