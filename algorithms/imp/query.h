/**
 * Answers of implicit sphere trees: contact, contacts, depth and force from the pairs of voxels
 * that meet.
 *
 * Contact  The bodies are in contact if at least one pair of voxels meets. If a search stops above
 *          the voxels, a pair of nodes that meets is enough. With depth=points, they are also in
 *          contact if a voxel of B is completely inside of A.
 * Depth    With depth=points, contacts, depths and forces are computed from the surfaces in the
 *          voxels (see "Contacts of surfaces"), unless a search stops above the voxels. With
 *          depth=balls, and if a search stops, they are computed from all pairs as follows. The
 *          depth of a pair is r_a + r_b - |c_a - c_b|, or 0 if rounding makes this negative. The
 *          answer is the depth of the deepest pair with a normal. If several are equally deep, the
 *          first in the order of (B's cell, A's cell) is taken, so that the order of the search
 *          does not matter.
 * Normal   The normal of a pair is the normal of A's voxel, which points out of A. If A's voxel is
 *          full, it has no normal; the normal of the pair is then minus the normal of B's voxel. If
 *          both voxels are full, the pair has no normal. B moves along the normal to get out of A.
 *          If a search stops above the voxels, the normal of a node is the normal of its first
 *          voxel.
 * Point    The point of a contact is on the line from A's centre to B's centre, at r_a / (r_a +
 *          r_b) of their distance.
 * Force    The force on B is the sum of depth times normal over all pairs, in m. The torque is
 *          about B's centroid. Pairs are added in the order of the search.
 * Bound    If a search has stopped above the voxels and found a contact, the bracket of the
 *          distance is the error bound of the level: from 0 to the sum of both balls' diameters.
 * First    If only contact is wanted, without a buffer, the first pair ends the search. With a
 *          buffer, all pairs are listed.
 *
 * Contacts of surfaces (depth=points). A pair of voxels says that surfaces are near, but not where
 * they are within their voxels. The patches (patches.h) give these positions. B's voxel meets some
 * voxels of A. Of all patches in them, the nearest one to B's patch represents A's surface; the
 * distance of two patches is that of their points. The depth of B's point is its depth behind the
 * plane of A's patch, and negative outside. If A's voxel has several sides that meet in convex
 * edges, A is behind all of them, so the side with the least depth is used.
 *
 * A voxel of B that meets no surface voxel of A is completely outside or completely inside of A.
 * A's descriptors decide this. Inside, A's surface is represented by a small plate at A's nearest
 * patch. The depth is the distance to this plate, and the normal points from B's point to it. So a
 * body that is deep in the other one is still pushed out, even if the bodies have no voxels except
 * surface voxels (fill=surface).
 *
 * Force    The force on a patch of B is its depth times its area, along the negative normal of the
 *          patch. The sum over all patches is the integral of F = - d_A n_B over the part of B's
 *          surface inside A. This is minus the gradient of an energy: the integral of A's depth d_A
 *          over the common volume. The unit of area is a face of B's voxels. So the force is in m,
 *          and about as large as if each surface voxel of B added its depth.
 * Normal   of a contact: the normal of A's surface, the direction in which B moves out.
 * Order    first the patches of B near A's surface, then those deep inside, both in the order of
 *          their indices. The order of the hits does not matter.
 *
 * Source   IMP 3.3.1: two centres, normal and depth of each pair. The paper does not define the
 *          depth of a pair. It responds with impulses and not with forces. The depths between
 *          surfaces and the forces are this suite's own.
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
    alg_imp_pair *pair; /* pair of the search; the query moves it to the pose */
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
    float torque[3][ALG_IMP_PUSHES]; /* about the corner of A's grid */
    uint32_t bare;                   /* bit i: A's voxel of pair i has no normal; its force is 0 */
} alg_imp_pushes;

/** Compute the effects of eight pairs of voxels. */
void alg_imp_push_sse2(const alg_imp_pair *pair, const alg_imp_hit *hits, alg_imp_pushes *pushes);
void alg_imp_push_avx2(const alg_imp_pair *pair, const alg_imp_hit *hits, alg_imp_pushes *pushes);

#endif
