/** What the families share: messages, and the mesh of a body in the form that geometry/ takes. */
#ifndef ALGORITHMS_SUPPORT_H
#define ALGORITHMS_SUPPORT_H

#include "algorithms/algorithms.h"
#include "base/error.h"
#include "geometry/mesh.h"
#include "geometry/vec.h"

/** Fills message (which may be NULL) and returns status, so that a function fails in one line. */
alg_status alg_fail(alg_message *message, alg_status status, const char *format, ...)
    BASE_PRINTF(3, 4);

/** The same for an error of geometry/: out of memory keeps its kind, all else is ALG_FAILED. */
alg_status alg_fail_geo(alg_message *message, const base_error *err);

/** The mesh of a body, borrowed: valid as long as that of the contract, until dispose. */
geo_mesh alg_mesh_view(const alg_mesh *mesh);

/** A point of two triangles that are known to intersect, up to rounding. */
vec3 alg_common_point(geo_triangle s, geo_triangle t);

#endif
