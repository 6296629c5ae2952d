/** Simplification: a mesh of about the same shape with fewer triangles. */
#ifndef GEOMETRY_SIMPLIFY_H
#define GEOMETRY_SIMPLIFY_H

#include "geometry/mesh.h"

#include <stdbool.h>

/**
 * Leaves out vertices until about share * face_count triangles remain, at least 4, by meshoptimizer
 * (edge collapses in the order of their quadric errors). The remaining vertices keep all their bits
 * and their order. Afterwards, pairs of opposite equal faces are left out: a part of a body that
 * has become flat leaves them behind, and their edges would have more than two faces.
 *
 * A simplified solid may intersect itself. So for a solid, the targets are share * face_count and
 * nine numbers below it, each 1 % lower. The first result that is a solid counts. If there is no
 * solid among them, the result is that of the first target, and the caller tells the reader.
 *
 * Shapes   share: above 0, at most 1; with 1 the mesh is copied. solid: the mesh is a solid
 *          (mesh_check.h). simplified: a new mesh without unused vertices.
 * Errors   BASE_ERR_INPUT if more than 5/4 of the triangles of the target remain, as in a mesh
 *          whose triangles share no vertices, or if no triangle remains; BASE_ERR_MEMORY.
 *          *simplified is zeroed then. The process ends if meshoptimizer itself gets no memory.
 * Memory   geo_mesh_builder_finish, or geo_mesh_builder_release.
 * Cost     O(n log n): about 1 us per face, and up to ten times as much for a solid.
 * Source   Garland1997 by meshoptimizer (Debian's libmeshoptimizer-dev); the result has the same
 *          bits for the same version of it.
 */
base_status geo_mesh_simplify(const geo_mesh *mesh, double share, bool solid,
                              geo_mesh_builder *simplified, base_error *err) BASE_MUST_CHECK;

#endif
