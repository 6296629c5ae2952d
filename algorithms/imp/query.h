/**
 * Answers of implicit sphere trees: contact, contacts, depth and force from the pairs of voxels
 * that meet.
 *
 * Contact  is wherever two voxels meet.
 * Depth    depth=points: contacts, depths and forces are those of the surfaces in the voxels, as
 *          below, unless a search stops above the voxels. depth=balls, and a stop: they are those
 *          of all pairs. The depth of a pair is r_a + r_b - |c_a - c_b|, 0 if that is negative by
 *          rounding. The answer is the depth of the deepest pair with a normal; the first pair in
 *          the order of (B's cell, A's cell) wins a tie, so that the order of the search does not
 *          matter.
 * Normal   of a pair: that of A's voxel, which points out of A; minus that of B's voxel if A's is
 *          full and has no normal; missing if both are full. It is the direction in which B moves
 *          to get out. For a node, if a search stops above the voxels: the normal of its first
 *          voxel.
 * Point    of a contact: on the line between the centres, at r_a / (r_a + r_b) of the distance from
 *          A's.
 * Force    on B: the sum of depth times normal, in m; its torque about B's centroid. Sums are in
 *          the order of the search.
 * Bound    If a search has stopped above the voxels and found a contact, the bracket of the
 *          distance is the error bound of the level: from 0 to the sum of both balls' diameters.
 * First    If only contact is wanted, without a buffer, the first pair ends the search. With a
 *          buffer, all pairs are listed.
 *
 * Contacts of surfaces (depth=points). A pair of voxels says that surfaces are near, but not where
 * they are within their voxels. The patches (patches.h) give that: among all patches of A in the
 * voxels that B's voxel meets, the one whose point is nearest to the point of B's patch represents
 * A's surface there. The depth of B's point is its depth behind the plane of A's patch, and
 * negative outside. If A's voxel has several sides that meet in convex edges, A is behind all of
 * them, so the side with the least depth is used.
 *
 * A voxel of B that meets no surface voxel of A is completely outside or completely inside of A;
 * A's descriptors tell which. Inside, the depth is the distance to A's nearest patch, and the
 * normal points there. So a body deep in the other one is still pushed, with surface voxels only
 * (fill=surface).
 *
 * Force    of a patch of B: depth times area, along the negative normal of the patch. The sum over
 *          patches is the integral of F = - d_A n_B over the part of B's surface inside A, which is
 *          the gradient of an energy: the integral of A's depth d_A over the common volume. Areas
 *          are in faces of B's voxels, so the force is in m and as large as a count of voxels
 *          gives.
 * Normal   of a contact: the normal of A's surface, the direction in which B moves out.
 * Order    first the patches of B near A's surface, then those deep inside, both in the order of
 *          their indices. The order of the hits does not matter.
 *
 * Source   IMP 3.3.1: two centres, normal and depth of each pair. The paper does not define the
 *          depth of a pair, and responds with impulses: depths between surfaces and forces are this
 *          suite's.
 */
#ifndef ALGORITHMS_IMP_QUERY_H
#define ALGORITHMS_IMP_QUERY_H

#include "algorithms/imp/search.h"

/** The contacts of surfaces of one query. */
typedef struct alg_imp_nearest alg_imp_nearest;

/** Allocates the contacts. Errors: BASE_ERR_MEMORY. Memory: arena, 40 bytes per patch of B. */
base_status alg_imp_nearest_create(const alg_imp_pair *pair, base_arena *arena,
                                   alg_imp_nearest **nearest, base_error *err) BASE_MUST_CHECK;

typedef struct alg_imp_question {
    alg_imp_pair *pair; /* the search's pair; is placed at the pose */
    alg_imp_search *search;
    const geo_pose *pose;
    unsigned wanted;          /* mask ALG_WANT_* */
    alg_imp_nearest *nearest; /* depth=points; NULL: depth=balls */
} alg_imp_question;

/**
 * Fills contact, depth, force and contacts, whichever are wanted, and the counters.
 *
 * Cost     that of the search, and some 5 ns per pair of voxels.
 */
void alg_imp_answer_contacts(const alg_imp_question *question, alg_answer *answer);

/* --- Shared by query.c and query_isa.c -------------------------------------------------------- */

enum { ALG_IMP_PUSHES = 8 };

/** The effects of pairs of voxels, in A's units and frame. */
typedef struct alg_imp_pushes {
    float depth[ALG_IMP_PUSHES];
    float point[3][ALG_IMP_PUSHES];
    float normal[3][ALG_IMP_PUSHES]; /* normals of A's voxels */
    float force[3][ALG_IMP_PUSHES];
    float torque[3][ALG_IMP_PUSHES]; /* about A's corner */
    uint32_t bare;                   /* bit i: A's voxel of pair i has no normal; its force is 0 */
} alg_imp_pushes;

/** Compute the effects of eight pairs of voxels. */
void alg_imp_push_sse2(const alg_imp_pair *pair, const alg_imp_hit *hits, alg_imp_pushes *pushes);
void alg_imp_push_avx2(const alg_imp_pair *pair, const alg_imp_hit *hits, alg_imp_pushes *pushes);

#endif
