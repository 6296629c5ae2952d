/** What the families share: messages, and the mesh of a body in the form that geometry/ takes. */
#ifndef ALGORITHMS_SUPPORT_H
#define ALGORITHMS_SUPPORT_H

#include "algorithms/algorithms.h"
#include "base/arena.h"
#include "base/error.h"
#include "geometry/mesh.h"
#include "geometry/vec.h"

/** Fills message (which may be NULL) and returns status, so that a function fails in one line. */
alg_status alg_fail(alg_message *message, alg_status status, const char *format, ...)
    BASE_PRINTF(3, 4);

/** The same for an error of geometry/: out of memory keeps its kind, all else is ALG_FAILED. */
alg_status alg_fail_geo(alg_message *message, const base_error *err);

/**
 * Copies a body's mesh.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena; *copy must not be released by geo_mesh_release.
 */
base_status alg_mesh_copy(const alg_mesh *mesh, base_arena *arena, geo_mesh *copy,
                          base_error *err) BASE_MUST_CHECK;

/** A point of two triangles that are known to intersect, up to rounding. */
vec3 alg_common_point(geo_triangle s, geo_triangle t);

#endif
