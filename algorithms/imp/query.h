/**
 * Answers of implicit sphere trees: contact, contacts, depth and force from the pairs of voxels
 * that meet.
 *
 * Contact  is wherever two voxels meet. With depth=points contacts, depths and forces are those of
 *          the surfaces in the voxels (nearest.h), unless a search stops above the voxels. With
 *          depth=balls they are those of all pairs, as follows.
 * Depth    of a pair: r_a + r_b - |c_a - c_b|, 0 where that is negative by rounding. The answer's
 *          is that of the deepest pair with a normal; of equally deep ones of the first in the
 *          order of (B's cell, A's cell), so that no order of search matters.
 * Normal   of a pair: that of A's voxel, which points out of A; minus that of B's where A's is full
 *          and has none; none where both are full. It is the way B moves to get out. Of a node,
 *          where a search stops above the voxels: its first voxel's.
 * Point    of a contact: between the centres, at r_a / (r_a + r_b) of the way from A's.
 * Force    on B: the sum of depth times normal, in m; its torque about B's centroid. Sums are in
 *          the order of the search.
 * Bound    Where a search has stopped above the voxels and found a contact, the bracket of the
 *          distance says what that means: from 0 to what both balls are wide, the error bound of
 *          the level.
 * First    Where contact alone is asked, without a buffer, the first pair ends the search. With a
 *          buffer all are listed.
 *
 * Source   IMP 3.3.1: two centres, normal and depth of each pair. The force is this suite's: the
 *          paper answers by impulses.
 */
#ifndef ALGORITHMS_IMP_QUERY_H
#define ALGORITHMS_IMP_QUERY_H

#include "algorithms/imp/contacts.h"
#include "algorithms/imp/nearest.h"

typedef struct alg_imp_question {
    alg_imp_pair *pair; /* of the search; is placed */
    alg_imp_search *search;
    const geo_pose *pose;
    unsigned wanted;          /* mask ALG_WANT_* */
    alg_imp_nearest *nearest; /* depth=points; NULL: depth=balls */
} alg_imp_question;

/**
 * Fills contact, depth, force and contacts, whichever are wanted, and the counters.
 *
 * Cost     that of the search, and some 5 ns a pair of voxels.
 */
void alg_imp_answer_contacts(const alg_imp_question *question, alg_answer *answer);

/* --- Between query.c and query_isa.c ---------------------------------------------------------- */

enum { ALG_IMP_PUSHES = 8 };

/** What pairs of voxels do, in A's units and frame. */
typedef struct alg_imp_pushes {
    float depth[ALG_IMP_PUSHES];
    float point[3][ALG_IMP_PUSHES];
    float normal[3][ALG_IMP_PUSHES]; /* of A's voxels */
    float force[3][ALG_IMP_PUSHES];
    float torque[3][ALG_IMP_PUSHES]; /* about A's corner */
    uint32_t bare;                   /* bit i: A's voxel of pair i has no normal; its force is 0 */
} alg_imp_pushes;

/** Of eight pairs of voxels. */
void alg_imp_push_sse2(const alg_imp_pair *pair, const alg_imp_hit *hits, alg_imp_pushes *pushes);
void alg_imp_push_avx2(const alg_imp_pair *pair, const alg_imp_hit *hits, alg_imp_pushes *pushes);

#endif
