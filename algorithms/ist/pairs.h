/**
 * Lists the pairs of triangles that intersect, by means of spheres that overlap.
 *
 * Each sphere stores the triangle nearest to its centre. If spheres of both bodies overlap, their
 * triangles are tested, and pairs that share a point are listed. The list is incomplete: it lacks
 * triangles that no sphere stores, and triangles whose spheres do not overlap. If both bodies keep
 * their surface (alg_ist_skin), all triangles that the spheres own are tested; outer balls enclose
 * the owned pieces, so the list is complete.
 *
 * Source   IST IV.
 */
#ifndef ALGORITHMS_IST_PAIRS_H
#define ALGORITHMS_IST_PAIRS_H

#include "algorithms/ist/body.h"
#include "algorithms/ist/query.h"

/** Two bodies that are bound for lists of pairs. */
typedef struct alg_ist_pairs {
    const alg_ist_body *a, *b;
    uint64_t *found; /* arena; hash table of pairs of faces; NULL: no list is wanted */
    uint32_t most;   /* most pairs of one answer: half the size of the table */

    /* State of one query. */
    alg_answer *answer;
    const geo_pose *pose;
} alg_ist_pairs;

/**
 * Binds two bodies, which are borrowed. Lists are wanted if the request wants contact and has room
 * for pairs.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 16 bytes per pair, for the request's number of pairs or ALG_IST_PAIRS_COUNTED,
 *          whichever is larger.
 */
base_status alg_ist_pairs_bind(const alg_ist_body *a, const alg_ist_body *b,
                               const alg_request *request, base_arena *arena, alg_ist_pairs *pairs,
                               base_error *err) BASE_MUST_CHECK;

/**
 * Fills the pairs of the answer, if they are wanted. Each pair is listed once, in the order in
 * which the search finds them, which is the same in every run. The search ends when the table is
 * full.
 *
 * stack    as that of alg_ist_pair for these bodies; overwritten
 */
void alg_ist_list_pairs(alg_ist_pairs *pairs, alg_ist_node_pair *stack, const geo_pose *pose,
                        alg_answer *answer);

/** Number of pairs that are counted even if the caller's buffer is smaller. */
enum { ALG_IST_PAIRS_COUNTED = 1 << 16 };

#endif
