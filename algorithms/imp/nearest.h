/**
 * Contacts of surfaces from pairs of voxels that meet: for each surface voxel of B the one of A whose point is nearest.
 *
 * A pair of voxels says that surfaces are near, not where they are within their voxels. Each voxel has a point of its surface, and A's a
 * normal there: the plane through A's point is A's surface nearby, and B's point p_b is (p_a - p_b) . n deep behind it. Of all
 * voxels of A that B's meets, the one whose point is nearest to B's tells best. A voxel of B that meets full ones alone is deeper than
 * any plane nearby: its depth is that of the balls, along minus its own normal.
 *
 * Source   this suite; IMP 3.3.1 leaves open what the depth of a pair is.
 */
#ifndef ALGORITHMS_IMP_NEAREST_H
#define ALGORITHMS_IMP_NEAREST_H

#include "algorithms/imp/contacts.h"

typedef struct alg_imp_nearest alg_imp_nearest;

/** Errors: BASE_ERR_MEMORY. Memory: arena, 32 bytes a surface voxel of B. */
base_status alg_imp_nearest_create(const alg_imp_pair *pair, base_arena *arena,
                                   alg_imp_nearest **nearest, base_error *err) BASE_MUST_CHECK;

/** Forgets all hits; the pair is at its pose. */
void alg_imp_nearest_begin(alg_imp_nearest *nearest, const geo_pose *pose);

/** Hits of voxels; those with a full voxel of B say nothing of its surface, and are left out. */
void alg_imp_nearest_add(alg_imp_nearest *nearest, const alg_imp_hits *hits);

/** A contact in A's frame, in metres. */
typedef struct alg_imp_touch {
    vec3 point;  /* on the way from A's point, or A's voxel, to B's point */
    vec3 normal; /* unit, the way B moves out */
    double depth_m;
} alg_imp_touch;

/** Called for each of B's voxels that is behind A's surface, in the order of their numbers, whatever the order of hits was. */
typedef void alg_imp_touch_visitor(void *context, const alg_imp_touch *touch);
void alg_imp_nearest_visit(const alg_imp_nearest *nearest, alg_imp_touch_visitor *visit,
                           void *context);

#endif
