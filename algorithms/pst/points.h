/**
 * Points of a body's surface, and the part of the surface that each of them represents.
 *
 * Source   PST 2 ("point-soup"), VPS 4; points of the mesh are this suite's addition, for
 *          distances.
 */
#ifndef ALGORITHMS_PST_POINTS_H
#define ALGORITHMS_PST_POINTS_H

#include "algorithms/life.h"
#include "algorithms/voxel/division.h"
#include "algorithms/voxel/pointshell.h"

/** Greatest number of points that are processed together. */
enum { ALG_PST_WIDTH = 8 };

/** Kind of points, in the order of the parameter's words. */
typedef enum alg_pst_shell {
    /** Vertices of the mesh, with edges halved until none is longer than the spacing. */
    ALG_PST_MESH,
    ALG_PST_TWO_PHASE,  /* VPS 4: algorithms/voxel/pointshell.h */
    ALG_PST_BLUE_NOISE, /* the same count, uniformly distributed */
} alg_pst_shell;

/**
 * Points of a surface. Every point x of the surface belongs to one of these points, y, and the
 * distance d to any other surface satisfies
 *
 *   mesh       d^2(x) >= d^2(y) - patch^2, where y is the nearest corner of x's (divided) triangle:
 *              d^2(x) - |x|^2 is concave. patch^2 is the greatest |x - c|^2 over the triangles of
 *              y, with c the centre of the triangle's smallest enclosing circle
 *   others     d(x) >= d(y) - reach, for any y within reach of x
 */
typedef struct alg_pst_points {
    alg_pst_shell kind;
    uint32_t count;
    vec3 *points;    /* arena; in the body's frame */
    vec3 *normals;   /* arena; unit, pointing into the body */
    float *patch2;   /* arena; for a mesh patch^2, rounded up; for others 0 */
    uint32_t *faces; /* arena; for each point a face of the mesh that contains it */
    /**
     * Arena; NULL without options.weigh. The integral of the inward normal over the part of the
     * surface that belongs to a point, divided by the area of the whole surface. A point of a mesh
     * has a third of each of its (divided) triangles. Other points have the shares of the shell
     * (algorithms/voxel/pointshell.h).
     */
    vec3 *shares;
    double reach; /* 0 for a mesh */
    double slack; /* greatest distance of a point from the surface: rounding, errors of
                     projections */
    /** Distance from each point to its nearest neighbour: mean, least, standard deviation / mean.
 */
    double spacing_mean, spacing_least, spacing_deviation;
} alg_pst_points;

typedef struct alg_pst_points_options {
    alg_pst_shell kind;
    uint32_t
        voxels; /* on the longest edge of the body's box: spacing of a mesh, voxels of others */
    uint64_t seed;
    bool weigh; /* fills shares */
} alg_pst_points_options;

/**
 * Builds the points of a surface. For a mesh, each vertex that faces use comes once; its normal is
 * minus the mean of the normals of its triangles, weighted by angles.
 *
 * Shapes   surface: with its mesh.
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT for more than 2^31 points.
 * Memory   arena: 56 bytes a point, 80 with shares; scratch outside of it.
 * Cost     shares of a mesh take no time; those of a shell as in algorithms/voxel/pointshell.h.
 */
base_status alg_pst_points_build(const geo_surface *surface, const alg_pst_points_options *options,
                                 base_arena *arena, alg_pst_points *points,
                                 base_error *err) BASE_MUST_CHECK;

/**
 * Divides a mesh as for points of kind ALG_PST_MESH, which are the vertices in this order.
 *
 * Errors   as alg_division_build.
 * Memory   owned; release it by alg_division_release.
 */
base_status alg_pst_points_divide(const geo_mesh *mesh, uint32_t voxels, alg_division *division,
                                  base_error *err) BASE_MUST_CHECK;

#endif
