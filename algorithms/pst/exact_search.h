/**
 * The exact distance of some triangles of one body to all of another, as far as they are within a
 * bound: how what a walk of points has left is decided.
 *
 * Triangles are taken eight at a time, which should be neighbours, down the hierarchy of the other
 * body. A node is left out by the ball around the eight, or along the direction between the nearest
 * points so far, which ends where the eight end: near the nearest points the one surface hardly
 * reaches beyond the other one's end, so that few nodes are left. What is computed is what the
 * truth computes (groundtruth/README.md, Distance).
 *
 * Ties     of equally near pairs of faces the one with the smallest face of A, then of B, is found,
 *          as by the truth and by all pairs in their order: a bound leaves nothing out that is as
 *          near. Of pairs that share a point any is found, and the search ends there.
 * Frames   A is fixed, B's corners are moved by geo_pose_apply. The tree is that of either body.
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
    const geo_tree *tree;       /* of one body, with all of its triangles */
    const alg_pst_parts *parts; /* of the other one */
    const geo_mesh *mesh[2];    /* of the tree's body, of the parts' */
    bool moving;                /* is the tree B's? */
    alg_pst_seen *seen;         /* arena; ALG_PST_SEEN, zeroed */

    /* What is found: of the tree's body, of the parts'. */
    bool intersect;     /* then the pair is one that shares a point */
    uint32_t face[2];   /* UINT32_MAX: no pair is within the bound */
    double distance2;   /* of the pair: geo_triangle_distance2; INFINITY without one */
    uint64_t nodes;     /* tests of eight pieces */
    uint64_t triangles; /* pairs that were computed */

    /* Own, of a query. */
    geo_pose pose;    /* of B's corners */
    geo_pose to_tree; /* from the parts' frame to that of the tree, less its origin */
    double reach[2];  /* no coordinate of either mesh, in its own frame, is larger */
    double error;     /* of corners in that frame, in double, and of what is computed from them */
    double bound;     /* pairs farther apart than that are not looked for */
    vec3 axis;        /* unit, from the tree's body to the other one, in the tree's frame */
    uint32_t query;   /* number, for `seen` */
} alg_pst_exact_search;

/** Allocates what queries need. Errors: BASE_ERR_MEMORY. Memory: arena. */
base_status alg_pst_exact_search_bind(alg_pst_exact_search *search, base_arena *arena,
                                      base_error *err) BASE_MUST_CHECK;

/**
 * Begins a query.
 *
 * bound    of the distance of the surfaces; INFINITY: none. Nothing farther apart is looked for
 * axis     any unit vector of A's frame, from the tree's body towards the other one
 */
void alg_pst_exact_search_begin(alg_pst_exact_search *search, const geo_pose *pose, double bound,
                                vec3 axis);

/** Measures a pair of faces, of the tree's body and of the other one. */
void alg_pst_exact_search_pair(alg_pst_exact_search *search, uint32_t face, uint32_t other);

/**
 * Measures parts against all of the tree's body, as far as they may be within the bound; returns at
 * once where a pair that shares a point is found, or was before.
 *
 * parts: 1 to ALG_PST_EIGHT.
 */
void alg_pst_exact_search_parts(alg_pst_exact_search *search, const uint32_t *parts,
                                uint32_t count);

/** What is not nearer than this cannot be better than what was found. */
static inline double alg_pst_exact_search_limit(const alg_pst_exact_search *search)
{
    const double best = sqrt(search->distance2);
    return best < search->bound ? best : search->bound;
}

/* --- Between exact_search.c and exact_search_isa.c ----------------------------------------------
 */

/** Takes note of a pair, by its distance; does it become the best one? */
bool alg_pst_exact_search_note(alg_pst_exact_search *search, uint32_t face, uint32_t other,
                               double distance2, bool intersect);

/** Turns the axis to the best pair. */
void alg_pst_exact_search_aim(alg_pst_exact_search *search);

/** A triangle of the tree's body (side 0) or of the other one, its corners in A's frame as the
 * truth has them. */
static inline geo_triangle alg_pst_exact_search_moved(const alg_pst_exact_search *search, int side,
                                                      geo_triangle t)
{
    return (side == 0) == search->moving ? geo_pose_apply_triangle(&search->pose, t) : t;
}

typedef void alg_pst_exact_search_run(alg_pst_exact_search *search, const uint32_t *parts,
                                      uint32_t count);
alg_pst_exact_search_run alg_pst_exact_search_sse2;
alg_pst_exact_search_run alg_pst_exact_search_avx2; /* only where base_cpu_avx2() */

#endif
