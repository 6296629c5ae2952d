/**
 * What is wrong with a mesh, and where.
 *
 * A mesh is *closed* when every edge has exactly two faces, once in each direction, and no face is
 * degenerate or doubled. It is a *solid* when it is closed, no two faces intersect beyond the
 * vertices and edges they share, every shell looks the right way, and it has positive volume. Only
 * solids have volume truth.
 *
 * What faces share is decided by vertex index: faces that touch in equal coordinates under
 * different indices intersect. A vertex of several fans is listed, but hinders neither.
 *
 * A *shell* is what faces connect across edges. In a solid a shell inside no other one, or inside
 * an even number of them, looks outward, and one inside an odd number inward: a cavity. Shells are
 * looked at where the mesh is closed and no two faces intersect; when the total volume is negative
 * the whole mesh counts as inside out, and what is listed are shells unlike that. A shell that
 * shares every vertex with others is let pass.
 */
#ifndef GEOMETRY_MESH_CHECK_H
#define GEOMETRY_MESH_CHECK_H

#include "geometry/mesh_report.h"

/**
 * Finds everything above. Exact: every decision on a face or a pair of faces is taken by exact
 * predicates on the given doubles (see predicates.h for their range); only the sign of the volume
 * is computed. Two faces that share an edge intersect when one folds onto the other in their plane;
 * faces that share a vertex, when they meet elsewhere. Faces with a repeated index count as absent
 * for edges and fans; degenerate faces are not intersected.
 *
 * Errors   BASE_ERR_MEMORY; a bad mesh is not an error but a report. *report is zeroed then.
 * Memory   geo_mesh_report_release.
 * Cost     O(n log n + pairs): about 1.5 us a face of a smooth surface. Faces in a fan around
 *          one vertex all meet there: k of them are k^2 / 2 pairs.
 */
base_status geo_mesh_check(const geo_mesh *mesh, geo_mesh_report *report,
                           base_error *err) BASE_MUST_CHECK;

#endif
