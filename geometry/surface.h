/**
 * A mesh prepared for queries: its BVH, its triangles in leaf order, and the adjacency of its
 * faces.
 *
 * It is used by the mesh checker (self-intersections), by voxelisation (closest triangle, inside
 * test) and by containment tests. Queries allocate no memory and modify no data, so any number of
 * threads may share a surface.
 */
#ifndef GEOMETRY_SURFACE_H
#define GEOMETRY_SURFACE_H

#include "base/memory.h"
#include "geometry/bvh.h"
#include "geometry/mesh.h"

typedef struct geo_surface {
    const geo_mesh *mesh; /* borrowed */
    geo_bvh bvh;
    geo_triangle *triangles;      /* arena; triangles[i] = corners of face bvh.order[i] */
    geo_cylinder_node *cylinders; /* arena; cylinders[i] belongs to bvh.nodes[i] */
} geo_surface;

/**
 * Builds the surface. The mesh must have at least one face. Errors: BASE_ERR_MEMORY. Memory: arena.
 */
base_status geo_surface_build(const geo_mesh *mesh, base_arena *arena, geo_surface *surface,
                              base_error *err) BASE_MUST_CHECK;

typedef struct geo_closest {
    double distance2;
    vec3 point;
    uint32_t face; /* the face with the point; of several equally near faces the first */
} geo_closest;

/**
 * Returns the point of the surface that is nearest to p: the nearest one of the results of
 * geo_triangle_closest for all faces.
 *
 * hint: a face to start from (any face; UINT32_MAX: no hint); it changes only the time.
 * Cost     O(log n) near the surface; on 70k faces about 1.5 us with a good hint, 3 us without.
 */
geo_closest geo_surface_closest(const geo_surface *surface, vec3 p, uint32_t hint);

/**
 * True if p is inside the closed surface. Counts the crossings of a ray along +z, with exact signs.
 * The ray starts at p moved by (e, e^2, e^3) for an infinitely small e > 0, so it never meets an
 * edge or vertex. A point exactly on the surface is on the side to which it is moved.
 * Cost     about 0.1 us on 70k faces.
 */
bool geo_surface_contains(const geo_surface *surface, vec3 p);

/**
 * True if p is inside the closed surface moved by the pose (corners by geo_pose_apply). The surface
 * is moved by a further (e, e^2, e^3), and p is not. Let A be a body in its frame and B a body at
 * the pose. geo_surface_contains tests corners of B in A, and this function tests corners of A in
 * B. Both move B by (e, e^2, e^3), so all results are consistent.
 * Cost     about 1 us on 70k faces.
 */
bool geo_surface_contains_moved(const geo_surface *surface, const geo_pose *pose, vec3 p);

/**
 * Returns the length of the ray from p along the unit vector d to the first face, of those farther
 * than `skip`; INFINITY if it meets no such face. The length is computed in doubles. A ray through
 * an edge may miss both faces by the rounding, so this is for estimates.
 * Cost     about 1 us on 70k faces.
 */
double geo_surface_ray(const geo_surface *surface, vec3 p, vec3 d, double skip);

/* --- Nested bodies ---------------------------------------------------------------------------- */

/** A body for containment tests: its surface and a vertex of each connected part. */
typedef struct geo_shell {
    geo_mesh mesh;         /* its arrays are borrowed */
    geo_surface surface;   /* arena; points to mesh */
    uint32_t *part_vertex; /* arena */
    uint32_t part_count;
    bool solid; /* only a solid can contain another body */
} geo_shell;

/**
 * Builds the shell. The mesh must have at least one face. The shell must not be moved in memory,
 * since its surface points to its mesh.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: about 200 bytes a triangle.
 */
base_status geo_shell_build(geo_mesh mesh, bool solid, base_arena *arena, geo_shell *shell,
                            base_error *err) BASE_MUST_CHECK;

/**
 * True if a part of `other`, moved by the pose, is inside `solid`. The surfaces must not intersect,
 * so testing one vertex of each part is enough. *inside is then that vertex in the frame of
 * `solid`. Returns false if `solid` is not a solid.
 * Cost     that of geo_surface_contains for each part.
 */
bool geo_shell_holds_part(const geo_shell *solid, const geo_shell *other, const geo_pose *pose,
                          vec3 *inside);

/**
 * True if a part of A or B is inside the other body, where B is moved by the pose. The surfaces
 * must not intersect. The result is exact for the corners of B that geo_pose_apply returns. Corners
 * of A are not transformed to B's frame, because the rounding error of this transformation may be
 * larger than the gap between the bodies. If true, *in_both is a point of both bodies in A's frame.
 * Cost     that of geo_shell_holds_part, and of geo_surface_contains_moved for each part of A.
 */
bool geo_shells_nested(const geo_shell *a, const geo_shell *b, const geo_pose *pose, vec3 *in_both);

/* --- Adjacency of faces ----------------------------------------------------------------------- */

/*
 * geo_adjacency_descend finds a near point of a surface by steps from face to adjacent face.
 * Half-edge k of a face runs from its corner k to corner k + 1, or from corner 2 to corner 0. Its
 * twin is the half-edge of the adjacent face that runs along the same edge in the opposite
 * direction.
 */

/**
 * Value for a half-edge without a twin. There is no other face at its edge, there are several, or
 * the other face has the opposite orientation.
 */
#define GEO_NO_TWIN UINT32_MAX

/** The data of a face that a descent reads. */
typedef struct geo_adjacent {
    geo_triangle corners;
    uint32_t twins[3]; /* [k]: twin of half-edge k: 3 g + j means half-edge j of face g; or
                          GEO_NO_TWIN */
} geo_adjacent;

typedef struct geo_adjacency {
    geo_adjacent *faces; /* arena; faces of the mesh, by number */
    size_t count;
} geo_adjacency;

/**
 * Finds the twins of all half-edges.
 *
 * Shapes   fewer than 2^32 / 3 faces.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 88 bytes a face. Scratch memory is outside of the arena.
 * Cost     about 0.3 us a face.
 */
base_status geo_adjacency_build(const geo_mesh *mesh, base_arena *arena, geo_adjacency *adjacency,
                                base_error *err) BASE_MUST_CHECK;

/**
 * Returns a point of the surface that is near to p. If the point of the current face that is
 * nearest to p is on an edge or at a corner, the descent tests the faces that share this edge or
 * corner. It moves to the nearest of them if this one is nearer than the current face, and
 * otherwise ends. No point in the neighbourhood of the result is nearer, but a distant part of the
 * surface may be. If the start face has no area, the descent may end there.
 *
 * face: the face to start from.
 * Cost     about 50 ns, plus the same for each face on the way.
 */
geo_closest geo_adjacency_descend(const geo_adjacency *adjacency, vec3 p, uint32_t face);

#endif
