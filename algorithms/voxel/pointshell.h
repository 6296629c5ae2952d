/**
 * A pointshell: points on the surface of a body, with normals that point into it.
 *
 * Source   VPS 4.
 */
#ifndef ALGORITHMS_VOXEL_POINTSHELL_H
#define ALGORITHMS_VOXEL_POINTSHELL_H

#include "algorithms/voxel/map.h"
#include "algorithms/voxel/surface.h"
#include "base/arena.h"
#include "base/error.h"
#include "geometry/mesh.h"

typedef enum alg_pointshell_kind {
    /** VPS 4: a point for each triangle and surface voxel of it whose projection is inside the
     * triangle, then one on a boundary for each voxel that has none yet. */
    ALG_POINTSHELL_TWO_PHASE,
    /** A point for each triangle and surface voxel of it. Equal points are one, as in all kinds. */
    ALG_POINTSHELL_ALL,
    /** As many points as two phases give (within 1 %, or one point), evenly spread: points of two
     * phases on voxels of a quarter of the edge (a half, or one, where these would be more than
     * 2^33), in a random order from the seed, none nearer than a radius to one taken before. */
    ALG_POINTSHELL_BLUE_NOISE,
    /** The old generator (VPS 2): for each surface voxel the triangles that a box query of a
     * hierarchy over the mesh finds, each with a point, by Voronoi regions. */
    ALG_POINTSHELL_OLD,
} alg_pointshell_kind;

typedef enum alg_pointshell_projection {
    ALG_POINTSHELL_KKT,
    ALG_POINTSHELL_VORONOI,
} alg_pointshell_projection;

typedef struct alg_pointshell_options {
    alg_pointshell_kind kind;
    alg_pointshell_projection projection; /* not of the old generator */
    alg_voxel_navigation navigation;      /* not of the old generator */
    uint64_t seed;                        /* blue noise */
    bool solid;                           /* the mesh is closed and its faces look outwards */
    bool shares;                          /* fills `shares` of the shell */
    unsigned threads;                     /* 0: one per CPU; the old generator has one */
} alg_pointshell_options;

typedef struct alg_pointshell {
    uint32_t count;
    vec3 *points; /* arena; distinct, in an order in which near ones follow each other (Morton's) */
    vec3 *normals;   /* arena; unit, into the body: VPS 4, from 5 x 5 x 5 voxels around the point */
    uint32_t *faces; /* arena; of the mesh: the triangle that the point was taken from */
    /** Arena, or NULL. The integral of the inward normal over the part of the surface that belongs
     * to a point, divided by the area of the whole surface. Pieces of the surface, half a voxel at
     * most, belong to the nearest point. Points and pieces are compared a voxel above their faces,
     * so that both sides of a thin plate keep their own points. A point without a piece has 0. */
    vec3 *shares;
    /** No point of the surface is farther from all points of the shell: proved, by the kind. */
    double reach;
    /** Of the projections on boundaries of triangles the share that the second phase has taken; 0
     * where there are none, NaN for a kind that has no second phase. */
    double recovered_share;
    /** The distance from each point to its nearest one: mean, least, standard deviation / mean. */
    double spacing_mean, spacing_least, spacing_deviation;
    /** Largest distance of a projection from itself refined / longest edge of the triangle. */
    double projection_error;
    double
        project_ns; /* time of the projections alone, without the refinement; summed over threads */
    double spacing_ns; /* time of the spacing alone, which no shell needs */
} alg_pointshell;

/**
 * Points are projections of the middles of surface voxels, refined.
 *
 * The normal is the sum, over the 5 x 5 x 5 voxels around that of the point, of layer times
 * direction from there: layers grow inwards. The terms of a plate of one or two voxels cancel.
 * Where they leave next to nothing, or the other side of the plate, the normal of a point of a
 * solid points into the back of its triangle. Where the sum is 0 and the body is no solid, the
 * normal is that of the triangle, turned to where voxels are inside, or into its back where no
 * voxels are inside. A triangle without a plane has any direction across it.
 *
 * Shapes   map: of the mesh, with at least 2 layers and 3 voxels of padding, for the normals. Any
 *          mesh: open, self-intersecting, with degenerate triangles.
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT beyond 2^31 points.
 * Memory   arena: 52 bytes a point, 76 with shares; scratch outside of it.
 * Cost     shares take about 1 us a piece, of which an area of a squared voxel has about 10. The
 *          result has the same bits for any number of threads.
 */
base_status alg_pointshell_build(const geo_mesh *mesh, const alg_voxel_map *map,
                                 const alg_pointshell_options *options, base_arena *arena,
                                 alg_pointshell *shell, base_error *err) BASE_MUST_CHECK;

#endif
