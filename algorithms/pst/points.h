/**
 * Points of a body's surface, and what of the surface each of them stands for.
 *
 * Source   PST 2 ("point-soup"), VPS 4; points of the mesh are this suite's, for distances.
 */
#ifndef ALGORITHMS_PST_POINTS_H
#define ALGORITHMS_PST_POINTS_H

#include "algorithms/life.h"
#include "algorithms/voxel/division.h"
#include "algorithms/voxel/pointshell.h"

/** Points that are looked at together, at most. */
enum { ALG_PST_WIDTH = 8 };

/** In the order of the words of the parameter `shell`. */
typedef enum alg_pst_shell {
    /** Vertices of the mesh, with edges halved until none is longer than the spacing. */
    ALG_PST_MESH,
    ALG_PST_TWO_PHASE,  /* VPS 4: algorithms/voxel/pointshell.h */
    ALG_PST_BLUE_NOISE, /* the same count, evenly spread */
} alg_pst_shell;

/**
 * What a point stands for: every point x of the surface belongs to one point y of these, and for
 * the distance d to any other surface
 *
 *   mesh       d^2(x) >= d^2(y) - patch^2, where y is the nearest corner of x's (divided) triangle:
 *              d^2(x) - |x|^2 is concave. patch^2 is the greatest |x - c|^2 of any triangle of y's,
 *              c the centre of the triangle's smallest enclosing circle
 *   others     d(x) >= d(y) - reach, for any y within reach of x
 */
typedef struct alg_pst_points {
    alg_pst_shell kind;
    uint32_t count;
    vec3 *points;    /* arena; body's frame */
    vec3 *normals;   /* arena; unit, into the body */
    float *patch2;   /* arena; mesh: patch^2, rounded up; others: 0 */
    uint32_t *faces; /* arena; of the mesh, one that the point is on */
    /**
     * Arena; NULL without options.weigh. The integral of the inward normal over the part of the
     * surface that belongs to a point, divided by the area of the whole surface. A point of a mesh
     * has a third of each of its (divided) triangles. Other points have the shares of the shell
     * (algorithms/voxel/pointshell.h).
     */
    vec3 *shares;
    double reach; /* others; 0 for a mesh */
    double slack; /* no point is farther from the surface: rounding, errors of projections */
    /** The distance from each point to its nearest one: mean, least, standard deviation / mean. */
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
 * Each vertex of the mesh that faces use comes once; a normal is minus the mean of those of its
 * triangles, by angles.
 *
 * Shapes   surface: of the mesh.
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT beyond 2^31 points.
 * Memory   arena: 56 bytes a point, 80 with shares; scratch outside of it.
 * Cost     shares of a mesh cost nothing; those of a shell as in algorithms/voxel/pointshell.h.
 */
base_status alg_pst_points_build(const geo_surface *surface, const alg_pst_points_options *options,
                                 base_arena *arena, alg_pst_points *points,
                                 base_error *err) BASE_MUST_CHECK;

/**
 * Divides a mesh as for points of kind ALG_PST_MESH, which are the vertices in this order.
 *
 * Errors   as alg_division_build.
 * Memory   owned, for alg_division_release.
 */
base_status alg_pst_points_divide(const geo_mesh *mesh, uint32_t voxels, alg_division *division,
                                  base_error *err) BASE_MUST_CHECK;

#endif
