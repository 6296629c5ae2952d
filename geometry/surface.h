/**
 * A mesh made ready for queries: its BVH, and its triangles in leaf order.
 *
 * The base of the truth (distance, containment), of the mesh checker (self-intersections) and of
 * voxelisation (closest triangle, inside test). All answers are exact or say their bound.
 */
#ifndef GEOMETRY_SURFACE_H
#define GEOMETRY_SURFACE_H

#include "geometry/bvh.h"
#include "geometry/mesh.h"

typedef struct geo_surface {
    const geo_mesh *mesh; /* borrowed */
    geo_bvh bvh;
    geo_triangle *triangles; /* arena; triangles[i] = corners of face bvh.order[i] */
} geo_surface;

/** Errors: GEO_ERR_MEMORY. Memory: arena. */
geo_status geo_surface_build(const geo_mesh *mesh, geo_arena *arena, geo_surface *surface,
                             geo_error *err) GEO_MUST_CHECK;

typedef struct geo_closest {
    double distance2;
    vec3 point;
    uint32_t face; /* of equally near faces the one with the smallest number */
} geo_closest;

/**
 * Nearest point of the surface to p.
 *
 * hint: a face to start from (any face; UINT32_MAX: none); changes the time, never the answer.
 */
geo_closest geo_surface_closest(const geo_surface *surface, vec3 p, uint32_t hint);

/**
 * Is p inside the closed surface? Parity of the crossings of a ray along +z, with exact signs and
 * a symbolic rule for rays that graze edges or vertices. A point exactly on the surface counts
 * as one side or the other, always the same.
 */
bool geo_surface_contains(const geo_surface *surface, vec3 p);

/** Two faces that may be compared: faces of a and b by number. Returns false to stop. */
typedef bool geo_face_pair_visitor(void *context, uint32_t face_a, uint32_t face_b);

/**
 * All pairs of intersecting triangles of a and of b moved by pose, each once, exactly decided
 * (touching counts). Returns false if the visitor stopped it.
 */
bool geo_surface_intersections(const geo_surface *a, const geo_surface *b, const geo_pose *pose,
                               geo_face_pair_visitor *visit, void *context);

#endif
