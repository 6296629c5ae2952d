/** Frequency subdivision. */
#ifndef SCENARIOS_MODELS_SUBDIVIDE_H
#define SCENARIOS_MODELS_SUBDIVIDE_H

#include "geometry/mesh.h"

#include <stddef.h>

/**
 * Splits every face of a closed mesh into frequency^2 flat ones. The vertices of `coarse` come
 * first, in the same order.
 *
 * Errors   BASE_ERR_MEMORY.
 */
base_status scn_subdivide(const geo_mesh *coarse, size_t frequency, geo_mesh_builder *fine,
                          base_error *err) BASE_MUST_CHECK;

#endif
