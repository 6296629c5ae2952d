/**
 * Contacts of surfaces from pairs of voxels that meet (depth=points).
 *
 * A pair of voxels says that surfaces are near, not where they are within their voxels. Patches say
 * that (patches.h): of all patches of A in the voxels that B's voxel meets, the one whose point is
 * nearest to the point of B's patch stands for A's surface there. The depth of B's point is its
 * depth behind the plane of A's patch, negative where it is outside. Where A's voxel has several
 * sides that meet in convex edges, A is behind all of them: the side that the point is the least
 * behind tells.
 *
 * A voxel of B that meets no surface voxel of A is outside of A as a whole, or inside, which A's
 * descriptors say. Inside, the depth is the distance to A's nearest patch (closest.h), and the
 * normal points there. So a body that is deep in the other one is still pushed, with surface voxels
 * alone (fill=surface).
 *
 * Force    of a patch of B: depth times area, against B's own normal. The sum over patches is the
 *          integral of F = - d_A n_B over the part of B's surface inside A, which is the gradient
 *          of an energy: the integral of A's depth d_A over the common volume. Areas are in faces
 *          of B's voxels, so that the force is in m and of the size that a count of voxels gives.
 * Normal   of a contact: that of A's surface, the way B moves out.
 *
 * Source   this suite; IMP 3.3.1 leaves open what the depth of a pair is.
 */
#ifndef ALGORITHMS_IMP_NEAREST_H
#define ALGORITHMS_IMP_NEAREST_H

#include "algorithms/imp/contacts.h"

typedef struct alg_imp_nearest alg_imp_nearest;

/** Errors: BASE_ERR_MEMORY. Memory: arena, 40 bytes a patch of B. */
base_status alg_imp_nearest_create(const alg_imp_pair *pair, base_arena *arena,
                                   alg_imp_nearest **nearest, base_error *err) BASE_MUST_CHECK;

/** Forgets all hits; the pair is at its pose. */
void alg_imp_nearest_begin(alg_imp_nearest *nearest, const geo_pose *pose);

/** Hits of voxels; those with a full voxel say nothing of surfaces, and are left out. */
void alg_imp_nearest_add(alg_imp_nearest *nearest, const alg_imp_hits *hits);

/** A contact in A's frame, in metres. */
typedef struct alg_imp_touch {
    vec3 point;  /* half way between B's point and A's surface */
    vec3 normal; /* unit, the way B moves out */
    double depth_m;
    vec3 on_b;  /* the point of B's patch, where the force acts */
    vec3 force; /* on B, m */
} alg_imp_touch;

/**
 * Called for each of B's patches that is behind A's surface, whatever the order of hits was: for
 * those near A's surface in the order of their numbers, then for those deep inside, in that order.
 */
typedef void alg_imp_touch_visitor(void *context, const alg_imp_touch *touch);
void alg_imp_nearest_visit(const alg_imp_nearest *nearest, alg_imp_touch_visitor *visit,
                           void *context);

#endif
