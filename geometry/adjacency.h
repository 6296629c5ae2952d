/**
 * The adjacency of the faces of a mesh, and a descent over them to a near point.
 *
 * Half-edge k of a face runs from its corner k to corner k + 1.
 */
#ifndef GEOMETRY_ADJACENCY_H
#define GEOMETRY_ADJACENCY_H

#include "base/arena.h"
#include "geometry/mesh.h"
#include "geometry/surface.h"

/**
 * Value for a half-edge with no face on its other side, with several, or with one of opposite
 * orientation.
 */
#define GEO_NO_TWIN UINT32_MAX

/** The data of a face that a descent reads. */
typedef struct geo_adjacent {
    geo_triangle corners;
    uint32_t twins[3]; /* 3 g + j: half-edge j of face g, which runs back along half-edge k */
} geo_adjacent;

typedef struct geo_adjacency {
    geo_adjacent *faces; /* arena; faces of the mesh, by number */
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
 * Returns a point of the surface that is near to p. From the given face the descent moves over
 * edges and around corners to the nearest neighbour, as long as that is nearer. The result is the
 * nearest point of the surface in its neighbourhood, which may not be the nearest one of the whole
 * surface. If the start face has no area, it may be a point of that face.
 *
 * face: the face to start from.
 * Cost     about 50 ns, plus the same for each face on the way.
 */
geo_closest geo_adjacency_descend(const geo_adjacency *adjacency, vec3 p, uint32_t face);

#endif
