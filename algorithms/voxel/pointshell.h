/**
 * A pointshell: points on the surface of a body, with normals that point into it.
 *
 * Source   VPS 4.
 */
#ifndef ALGORITHMS_VOXEL_POINTSHELL_H
#define ALGORITHMS_VOXEL_POINTSHELL_H

#include "algorithms/voxel/map.h"
#include "algorithms/voxel/surface.h"
#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh.h"

typedef enum alg_pointshell_kind {
    /**
     * VPS 4. The first phase gives a point for each pair of a triangle and one of its surface
     * voxels if the projection of the voxel's middle is inside the triangle. The second phase gives
     * a point on the boundary of a triangle for each surface voxel that has no point yet.
     */
    ALG_POINTSHELL_TWO_PHASE,
    /**
     * A point for each pair of a triangle and one of its surface voxels. As in all kinds, equal
     * points are merged.
     */
    ALG_POINTSHELL_ALL,
    /**
     * Evenly distributed points, usually as many as two phases give within 1 %:
     * alg_blue_noise_choose. Candidates are random points of the surface, which are tried first,
     * and the points of two phases on voxels of a quarter of the edge. If this grid were too large
     * (more than 2^33 voxels, or more than ALG_VOXEL_SIZE_MAX along an axis), voxels of half of the
     * edge or of the whole edge are used. The seed determines the random points and the order of
     * the candidates.
     */
    ALG_POINTSHELL_BLUE_NOISE,
    /**
     * The old generator (VPS 2): for each surface voxel, a hierarchy over the mesh finds the
     * triangles that meet the voxel. Each of them gives a point, which is projected by Voronoi
     * regions.
     */
    ALG_POINTSHELL_OLD,
} alg_pointshell_kind;

typedef enum alg_pointshell_projection {
    ALG_POINTSHELL_KKT,
    ALG_POINTSHELL_VORONOI,
} alg_pointshell_projection;

typedef struct alg_pointshell_options {
    alg_pointshell_kind kind;
    alg_pointshell_projection projection; /* not used by the old generator */
    alg_voxel_navigation navigation;      /* not used by the old generator */
    uint64_t seed;                        /* blue noise */
    bool solid;                           /* the mesh is closed and its faces are oriented
                                             outwards */
    bool shares;                          /* fill `shares` of the shell */
    /**
     * Number of threads for points, normals and shares; 0: one per CPU. The old generator finds its
     * points with one thread. Sorting and spacing use all CPUs.
     */
    unsigned threads;
} alg_pointshell_options;

typedef struct alg_pointshell {
    uint32_t count;
    vec3 *points;  /* arena; distinct, in Morton order, so that near points are near in the array */
    vec3 *normals; /* arena; unit normals that point into the body */
    uint32_t *faces; /* arena; face of the mesh that the point was taken from */
    /**
     * Arena, or NULL. The share of a point is the integral of the inward normal over the part of
     * the surface that belongs to the point, divided by the area of the whole surface. The surface
     * is divided into pieces with edges of at most half a voxel edge, and each piece belongs to the
     * nearest point. Before points and pieces are compared, both are moved outwards by one voxel
     * edge along the normals of their faces. So the two sides of a thin plate keep their own
     * points. The share of a point without a piece is 0.
     */
    vec3 *shares;
    /**
     * Every point of the surface has a point of the shell within this distance. pointshell.c proves
     * this for each kind.
     */
    double reach;
    /**
     * Share of the projections on boundaries of triangles that the second phase has accepted; 0 if
     * there are no such projections. NaN for all kinds other than ALG_POINTSHELL_TWO_PHASE.
     */
    double recovered_share;
    /**
     * Number of points that the second phase has accepted: the surface voxels that have no point
     * after the first phase. NaN as recovered_share.
     */
    double recovered_count;
    /**
     * Share of all projections that are on boundaries of triangles; 0 if there are no projections.
     * NaN for ALG_POINTSHELL_BLUE_NOISE.
     */
    double boundary_share;
    /**
     * Statistics of the distances from each point to the nearest other point: mean, minimum,
     * standard deviation / mean.
     */
    double spacing_mean, spacing_least, spacing_deviation;
    /**
     * Largest distance between a projection and its refinement, divided by the longest edge of the
     * triangle.
     */
    double projection_error;
    double collect_ns; /* time to find all pairs and to project them, with the refinement */
    double project_ns; /* time of the projections without the refinement; summed over threads */
    double spacing_ns; /* time of the spacing, which the shell itself does not need */
} alg_pointshell;

/**
 * Builds a pointshell. Its points are projections of the middles of surface voxels onto triangles,
 * after a step of refinement (alg_project_refine). Blue noise also has random points.
 *
 * The normal of a point is the direction of a sum over the 5 x 5 x 5 voxels around the point's
 * voxel: each term is the layer of a voxel times the direction to it from the point's voxel. Layers
 * grow inwards, so the sum points into the body.
 *
 * In a plate that is one or two voxels thick, the terms cancel each other. If the sum is nearly 0,
 * or points clearly out of the point's triangle, the normal of a point of a solid is minus the
 * normal of the triangle. If the sum is 0 and the body is not a solid, the normal is perpendicular
 * to the triangle, on the side with inner voxels, or minus the normal of the triangle if no side
 * has them. If the triangle has no plane and the sum is 0, the normal is any direction
 * perpendicular to its longest edge.
 *
 * Shapes   map: of the mesh, with at least 2 layers and 3 voxels of padding, for the normals. Any
 *          mesh: open, self-intersecting, with degenerate triangles.
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT for more than 2^31 points, or 2^31 corners of pieces.
 * Memory   arena: 52 bytes per point, 76 with shares; scratch outside of it.
 * Cost     shares take about 1 us per piece; a face of a voxel has about the area of 10 pieces. The
 *          result is bit-identical for any number of threads.
 */
base_status alg_pointshell_build(const geo_mesh *mesh, const alg_voxel_map *map,
                                 const alg_pointshell_options *options, base_arena *arena,
                                 alg_pointshell *shell, base_error *err) BASE_MUST_CHECK;

/**
 * Statistics of the angles between the normals of a shell and the inward normals of their faces, in
 * degrees. The inward normal of a face is that of the mesh's orientation, which the mesh may have
 * wrong. Faces without a plane are left out; NaN if no point remains.
 */
typedef struct alg_pointshell_angles {
    double median, p95, largest; /* by rank: the smallest angle that the share does not exceed */
    double turned_share;         /* share of the angles above 90 degrees */
} alg_pointshell_angles;

/**
 * Measures the normals of a shell of the mesh.
 *
 * Errors   BASE_ERR_MEMORY.
 * Cost     about 0.3 us per point.
 */
base_status alg_pointshell_angles_measure(const geo_mesh *mesh, const alg_pointshell *shell,
                                          alg_pointshell_angles *angles,
                                          base_error *err) BASE_MUST_CHECK;

#endif
