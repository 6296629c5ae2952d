/**
 * Contacts of surfaces, from pairs of voxels that meet (depth=points).
 *
 * A pair of voxels says that surfaces are near, but not where they are within their voxels. The
 * patches (patches.h) give that: among all patches of A in the voxels that B's voxel meets, the one
 * whose point is nearest to the point of B's patch represents A's surface there. The depth of B's
 * point is its depth behind the plane of A's patch, and negative outside. If A's voxel has several
 * sides that meet in convex edges, A is behind all of them, so the side with the least depth is
 * used.
 *
 * A voxel of B that meets no surface voxel of A is completely outside or completely inside of A;
 * A's descriptors tell which. Inside, the depth is the distance to A's nearest patch (closest.h),
 * and the normal points there. So a body deep in the other one is still pushed, with surface voxels
 * only (fill=surface).
 *
 * Force    of a patch of B: depth times area, along the negative normal of the patch. The sum over
 *          patches is the integral of F = - d_A n_B over the part of B's surface inside A, which is
 *          the gradient of an energy: the integral of A's depth d_A over the common volume. Areas
 *          are in faces of B's voxels, so the force is in m and as large as a count of voxels
 *          gives.
 * Normal   of a contact: the normal of A's surface, the direction in which B moves out.
 *
 * Source   this suite; IMP 3.3.1 does not define the depth of a pair.
 */
#ifndef ALGORITHMS_IMP_NEAREST_H
#define ALGORITHMS_IMP_NEAREST_H

#include "algorithms/imp/contacts.h"

typedef struct alg_imp_nearest alg_imp_nearest;

/** Creates the candidates. Errors: BASE_ERR_MEMORY. Memory: arena, 40 bytes per patch of B. */
base_status alg_imp_nearest_create(const alg_imp_pair *pair, base_arena *arena,
                                   alg_imp_nearest **nearest, base_error *err) BASE_MUST_CHECK;

/** Removes all hits. The pair is already placed at this pose. */
void alg_imp_nearest_begin(alg_imp_nearest *nearest, const geo_pose *pose);

/**
 * Adds hits between voxels. Hits with a full voxel are skipped, because they say nothing about
 * surfaces.
 */
void alg_imp_nearest_add(alg_imp_nearest *nearest, const alg_imp_hits *hits);

/** A contact in A's frame, in metres. */
typedef struct alg_imp_touch {
    vec3 point;  /* midpoint between B's point and A's surface */
    vec3 normal; /* unit, the direction in which B moves out */
    double depth_m;
    vec3 on_b;  /* the point of B's patch, where the force acts */
    vec3 force; /* on B, in m */
} alg_imp_touch;

/**
 * Called for each patch of B that is behind A's surface: first for those near A's surface in the
 * order of their numbers, then for those deep inside, in the same order. The order of the hits does
 * not matter.
 */
typedef void alg_imp_touch_visitor(void *context, const alg_imp_touch *touch);
void alg_imp_nearest_visit(const alg_imp_nearest *nearest, alg_imp_touch_visitor *visit,
                           void *context);

#endif
