/** What flesh.c and flesh_contour.c share. */
#ifndef SCENARIOS_MODELS_FLESH_H
#define SCENARIOS_MODELS_FLESH_H

#include "scenarios/models/models.h"

/**
 * Every bone adds the bump (1 - q^2)^3, where q is the distance from its segment in units of its
 * reach, and 0 beyond. The skin is where the sum is SCN_FLESH_LEVEL: a bone alone has it at its
 * radius.
 */
typedef struct scn_flesh {
    const scn_bone *bones;
    size_t bone_count;
} scn_flesh;

#define SCN_FLESH_REACH (1 / 0.6) /* in radii */
#define SCN_FLESH_LEVEL 0.262144  /* (1 - 0.6^2)^3 */

/** Adds the bone's bump at p to *value and, unless NULL, its gradient to *gradient. */
void scn_flesh_bump(const scn_bone *bone, vec3 p, double *value, vec3 *gradient);

/**
 * The skin on a lattice of spacing h, not yet smooth; of mesh NULL only the number of faces.
 *
 * Errors   BASE_ERR_MEMORY.
 */
base_status scn_flesh_contour(const scn_flesh *flesh, double h, size_t *face_count,
                              geo_mesh_builder *mesh, base_error *err) BASE_MUST_CHECK;

#endif
