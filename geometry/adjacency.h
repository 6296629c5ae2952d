/**
 * Which faces of a mesh lie beside each other, and a descent over them to a near point.
 *
 * Half-edge k of a face runs from its corner k to corner k + 1.
 */
#ifndef GEOMETRY_ADJACENCY_H
#define GEOMETRY_ADJACENCY_H

#include "base/arena.h"
#include "geometry/mesh.h"
#include "geometry/surface.h"

/** A half-edge without a face beyond, with more than one, or with one that looks the other way. */
#define GEO_NO_TWIN UINT32_MAX

/** All that a descent reads of a face. */
typedef struct geo_adjacent {
    geo_triangle corners;
    uint32_t twins[3]; /* 3 g + j: the half-edge j of face g that runs back along half-edge k */
} geo_adjacent;

typedef struct geo_adjacency {
    geo_adjacent *faces; /* arena; of the mesh, by number */
    size_t count;
} geo_adjacency;

/**
 * Shapes   fewer than 2^32 / 3 faces.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 88 bytes a face; scratch outside of it.
 * Cost     about 0.3 us a face.
 */
base_status geo_adjacency_build(const geo_mesh *mesh, base_arena *arena, geo_adjacency *adjacency,
                                base_error *err) BASE_MUST_CHECK;

/**
 * A point of the surface that is near to p: from the face on, over edges and around corners, to the
 * nearest of the neighbours as long as they are nearer. It is the nearest one of the surface around
 * it, which may not be that of all of the surface. From a face without an area it may be one of
 * that face.
 *
 * face: to start from.
 * Cost     some 50 ns and as much for each face on the way.
 */
geo_closest geo_adjacency_descend(const geo_adjacency *adjacency, vec3 p, uint32_t face);

#endif
