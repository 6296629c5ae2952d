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
     * VPS 4: a point for each triangle and surface voxel of it whose projection is inside the
     * triangle, then one on a boundary for each voxel that has no point yet.
     */
    ALG_POINTSHELL_TWO_PHASE,
    /**
     * A point for each triangle and surface voxel of it. Equal points are merged, as in all kinds.
     */
    ALG_POINTSHELL_ALL,
    /**
     * As many points as two phases give (within 1 %, or one point), evenly distributed: the points
     * of two phases on voxels of a quarter of the edge (a half, or the whole edge, if there would
     * be more than 2^33 voxels) are tried in a random order from the seed, and no point is nearer
     * than a radius to an earlier one.
     */
    ALG_POINTSHELL_BLUE_NOISE,
    /**
     * The old generator (VPS 2): for each surface voxel, the triangles that a box query of a
     * hierarchy over the mesh finds give a point each, by Voronoi regions.
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
    unsigned threads;                     /* 0: one per CPU; the old generator uses one */
} alg_pointshell_options;

typedef struct alg_pointshell {
    uint32_t count;
    vec3 *points;  /* arena; distinct, in Morton order, so that near points are near in the array */
    vec3 *normals; /* arena; unit, into the body: VPS 4, from 5 x 5 x 5 voxels around the point */
    uint32_t *faces; /* arena; face of the mesh that the point was taken from */
    /**
     * Arena, or NULL. The integral of the inward normal over the part of the surface that belongs
     * to a point, divided by the area of the whole surface. Pieces of the surface, of at most half
     * a voxel, belong to the nearest point. Points and pieces are compared at a height of one voxel
     * above their faces, so that both sides of a thin plate keep their own points. A point without
     * a piece has 0.
     */
    vec3 *shares;
    /**
     * No point of the surface is farther than this from all points of the shell. This is proved for
     * each kind.
     */
    double reach;
    /**
     * Share of the projections on boundaries of triangles that the second phase has accepted; 0 if
     * there are no such projections, NaN for a kind without a second phase.
     */
    double recovered_share;
    /**
     * The distance from each point to its nearest one: mean, minimum, standard deviation / mean.
     */
    double spacing_mean, spacing_least, spacing_deviation;
    /**
     * Largest distance between a projection and its refinement, divided by the longest edge of the
     * triangle.
     */
    double projection_error;
    double project_ns; /* time of the projections without the refinement; summed over threads */
    double spacing_ns; /* time of the spacing, which the shell itself does not need */
} alg_pointshell;

/**
 * Builds a pointshell. Points are projections of the middles of surface voxels, refined.
 *
 * The normal is the sum, over the 5 x 5 x 5 voxels around that of the point, of layer times
 * direction from the point's voxel: layers grow inwards. The terms of a plate of one or two voxels
 * cancel. If the rest is nearly 0, or is that of the other side of the plate, the normal of a point
 * of a solid points into the back of its triangle. If the sum is 0 and the body is not a solid, the
 * normal is that of the triangle, turned to the side with inner voxels, or into its back if there
 * are no inner voxels. A triangle without a plane has any direction across it.
 *
 * Shapes   map: of the mesh, with at least 2 layers and 3 voxels of padding, for the normals. Any
 *          mesh: open, self-intersecting, with degenerate triangles.
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT for more than 2^31 points.
 * Memory   arena: 52 bytes per point, 76 with shares; scratch outside of it.
 * Cost     shares take about 1 us per piece; an area of one squared voxel has about 10 pieces. The
 *          result is bit-identical for any number of threads.
 */
base_status alg_pointshell_build(const geo_mesh *mesh, const alg_voxel_map *map,
                                 const alg_pointshell_options *options, base_arena *arena,
                                 alg_pointshell *shell, base_error *err) BASE_MUST_CHECK;

#endif
