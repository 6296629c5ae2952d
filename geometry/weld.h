/** Welding: merges vertices that are close to each other, such as those of a triangle soup. */
#ifndef GEOMETRY_WELD_H
#define GEOMETRY_WELD_H

#include "geometry/mesh.h"

/** The changes of a mesh by welding. */
typedef struct geo_weld {
    size_t merged_vertices; /* that became equal to another vertex */
    size_t collapsed_faces; /* left out, because two of their corners were merged */
    size_t unused_vertices; /* left out, because no remaining face uses them */
    double move_m;          /* largest distance by which a vertex was moved */
} geo_weld;

/**
 * Merges vertices whose distance is at most `tolerance`, and vertices that a chain of such pairs
 * connects. All vertices of a set get the position of the first one, so the others keep all
 * their bits. Faces that collapse are left out, as are vertices without faces. The order of the
 * others is kept. With tolerance 0, vertices of equal coordinates are merged.
 *
 * Shapes   tolerance: finite, >= 0, in the unit of the mesh. welded: a new mesh.
 * Errors   BASE_ERR_MEMORY; *welded is zeroed then.
 * Memory   geo_mesh_builder_finish, or geo_mesh_builder_release.
 * Cost     O(n log n + pairs of vertices closer than 3 tolerances).
 */
base_status geo_mesh_weld(const geo_mesh *mesh, double tolerance, geo_mesh_builder *welded,
                          geo_weld *changes, base_error *err) BASE_MUST_CHECK;

#endif
