/**
 * A mesh made ready for queries: its BVH, and its triangles in leaf order.
 *
 * The base of containment, of the mesh checker (self-intersections) and of voxelisation (closest
 * triangle, inside test). Queries allocate nothing and change nothing: any number of threads may
 * share a surface.
 */
#ifndef GEOMETRY_SURFACE_H
#define GEOMETRY_SURFACE_H

#include "geometry/bvh.h"
#include "geometry/cylinder.h"
#include "geometry/mesh.h"

typedef struct geo_surface {
    const geo_mesh *mesh; /* borrowed */
    geo_bvh bvh;
    geo_triangle *triangles;      /* arena; triangles[i] = corners of face bvh.order[i] */
    geo_cylinder_node *cylinders; /* arena; cylinders[i] = those of bvh.nodes[i] */
} geo_surface;

/** The mesh has at least one face. Errors: BASE_ERR_MEMORY. Memory: arena. */
base_status geo_surface_build(const geo_mesh *mesh, base_arena *arena, geo_surface *surface,
                              base_error *err) BASE_MUST_CHECK;

typedef struct geo_closest {
    double distance2;
    vec3 point;
    uint32_t face; /* of equally near faces the one with the smallest number */
} geo_closest;

/**
 * Nearest point of the surface to p: the result is that of geo_triangle_closest for all faces.
 *
 * hint: a face to start from (any face; UINT32_MAX: none); changes the time, never the answer.
 * Cost     O(log n) near the surface; on 70k faces about 1.5 us with a good hint, 3 us without.
 */
geo_closest geo_surface_closest(const geo_surface *surface, vec3 p, uint32_t hint);

/**
 * Is p inside the closed surface? Parity of the crossings of a ray along +z, with exact signs. The
 * ray starts at p moved by (e, e^2, e^3) for an infinitely small e > 0, so it never meets an edge
 * or vertex, and a point exactly on the surface is on the side that it is moved to.
 * Cost     about 0.1 us on 70k faces.
 */
bool geo_surface_contains(const geo_surface *surface, vec3 p);

/**
 * Is p inside the closed surface moved by the pose (corners by geo_pose_apply)? As above, but it is
 * the surface that is moved further by (e, e^2, e^3): for a body B at a pose among A, the two
 * functions answer for corners of either body, and all answers fit together.
 * Cost     about 1 us on 70k faces.
 */
bool geo_surface_contains_moved(const geo_surface *surface, const geo_pose *pose, vec3 p);

/* --- Bodies in one another -------------------------------------------------------------------- */

/** A body for questions of containment: its surface and a vertex of each connected part. */
typedef struct geo_shell {
    geo_mesh mesh;         /* its arrays are borrowed */
    geo_surface surface;   /* arena; points to mesh */
    uint32_t *part_vertex; /* arena */
    uint32_t part_count;
    bool solid; /* only solids contain anything */
} geo_shell;

/**
 * The mesh has at least one face. The shell must stay at its address, since its surface points to
 * its mesh.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: about 200 bytes a triangle.
 */
base_status geo_shell_build(geo_mesh mesh, bool solid, base_arena *arena, geo_shell *shell,
                            base_error *err) BASE_MUST_CHECK;

/**
 * Is a part of `other`, moved by the pose, inside `solid`? The surfaces must not intersect, so one
 * vertex decides for its part. Then *inside is that vertex in the frame of `solid`. False if
 * `solid` is not a solid.
 * Cost     that of geo_surface_contains for each part.
 */
bool geo_shell_holds_part(const geo_shell *solid, const geo_shell *other, const geo_pose *pose,
                          vec3 *inside);

/**
 * Is a part of A or B inside the other body, where B is moved by the pose? The surfaces must not
 * intersect. Exact for corners as moved by geo_pose_apply: B is not moved back, where rounding may
 * be larger than a gap. Then *in_both is a point of both solids in A's frame.
 * Cost     that of geo_shell_holds_part, and of geo_surface_contains_moved for each part of A.
 */
bool geo_shells_nested(const geo_shell *a, const geo_shell *b, const geo_pose *pose, vec3 *in_both);

#endif
