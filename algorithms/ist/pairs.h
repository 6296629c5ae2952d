/**
 * Pairs of triangles that intersect, found by spheres that overlap.
 *
 * Every sphere carries the triangle that is nearest to its centre. Where spheres of both bodies
 * overlap, their triangles are tested; those that share a point are the list. It is a partial one:
 * triangles that no sphere carries are not in it, nor those whose spheres are apart. Where both
 * bodies keep their surface (alg_ist_skin) spheres offer all the triangles that they own; outer
 * balls hold what they own, so that none is missed.
 *
 * Source   IST IV.
 */
#ifndef ALGORITHMS_IST_PAIRS_H
#define ALGORITHMS_IST_PAIRS_H

#include "algorithms/ist/body.h"
#include "algorithms/ist/query.h"

/** Two bodies, bound for lists. */
typedef struct alg_ist_pairs {
    const alg_ist_body *a, *b;
    uint64_t *found; /* arena; a hash table of pairs of faces; NULL: no list is asked for */
    uint32_t most;   /* pairs of one answer: half of the table */

    /* Of one query. */
    alg_answer *answer;
    const geo_pose *pose;
} alg_ist_pairs;

/**
 * Binds two bodies, which are borrowed. Lists are asked for where the request wants contact and has
 * room for pairs.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 16 bytes a pair, for the request's or ALG_IST_PAIRS_COUNTED if those are more.
 */
base_status alg_ist_pairs_bind(const alg_ist_body *a, const alg_ist_body *b,
                               const alg_request *request, base_arena *arena, alg_ist_pairs *pairs,
                               base_error *err) BASE_MUST_CHECK;

/**
 * Fills the pairs of the answer, where they are asked for: each once, in the order in which the
 * search finds them, which is the same in every run. It ends when as many are found as the table
 * has room for.
 *
 * stack    as that of alg_ist_pair for these bodies; used up
 */
void alg_ist_list_pairs(alg_ist_pairs *pairs, alg_ist_node_pair *stack, const geo_pose *pose,
                        alg_answer *answer);

/** So many are counted, though the buffer be smaller. */
enum { ALG_IST_PAIRS_COUNTED = 1 << 16 };

#endif
