/**
 * The point-sphere tree. Points are divided into clusters of neighbours. The point that is nearest
 * to the mean of a cluster's points represents the cluster on the level above. The representatives
 * of a level are clustered in the same way. A sphere around each cluster contains all points below
 * it.
 *
 * The points are sorted such that the points of each cluster form a contiguous range, which begins
 * with the representative. A cluster and its first child begin at the same index, because they have
 * the same representative. So a traversal that has tested the cluster's representative does not
 * test the child's again.
 *
 * Source   PST 2, figure 1 (a) to (c); balanced clusters are this suite's addition.
 */
#ifndef ALGORITHMS_PST_TREE_H
#define ALGORITHMS_PST_TREE_H

#include "algorithms/life.h"
#include "algorithms/voxel/division.h"
#include "algorithms/voxel/map.h"
#include "algorithms/voxel/pointshell.h"

/* --- Points of a surface ---------------------------------------------------------------------- */

/** Number of points or spheres that are processed together, and greatest size of a cluster. */
enum { ALG_PST_WIDTH = 8 };

/** Kind of points, in the order of the parameter's words. */
typedef enum alg_pst_shell {
    /** Vertices of the mesh, with edges halved until none is longer than the spacing. */
    ALG_PST_MESH,
    ALG_PST_TWO_PHASE,  /* VPS 4: algorithms/voxel/pointshell.h */
    ALG_PST_BLUE_NOISE, /* as many points as ALG_PST_TWO_PHASE, evenly distributed */
} alg_pst_shell;

/**
 * Points of a surface. Every point x of the surface is represented by one of these points, y. The
 * distance d to any other surface satisfies:
 *
 *   mesh       d^2(x) >= d^2(y) - patch^2, where y is a corner of the (divided) triangle that
 *              contains x, the one with the least d. This holds because d^2(x) - |x|^2 is concave.
 *              patch^2 is the greatest squared radius of the smallest enclosing circles of the
 *              triangles with the corner y.
 *   others     d(x) >= d(y) - reach, for any y within the distance `reach` of x.
 */
typedef struct alg_pst_points {
    alg_pst_shell kind;
    uint32_t count;
    vec3 *points;    /* arena; in the body's frame */
    vec3 *normals;   /* arena; unit, pointing into the body */
    float *patch2;   /* arena; for a mesh patch^2, rounded up; for others 0 */
    uint32_t *faces; /* arena; for each point a face of the mesh that contains it, up to `slack` */
    /**
     * Arena; NULL without options.weigh. The share of a point is the integral of the inward normal
     * over the part of the surface that belongs to the point, divided by the area of the whole
     * surface. A third of each (divided) triangle of a mesh belongs to each of its corners. Other
     * points have the shares of the shell (algorithms/voxel/pointshell.h).
     */
    vec3 *shares;
    double reach; /* 0 for a mesh */
    double slack; /* greatest distance of a point from the surface: rounding, errors of
                     projections */
    /** Distance from a point to its nearest neighbour: mean, least, standard deviation / mean. */
    double spacing_mean, spacing_least, spacing_deviation;
} alg_pst_points;

typedef struct alg_pst_points_options {
    alg_pst_shell kind;
    uint32_t
        voxels; /* on the longest edge of the body's box; a mesh has edges of at most one voxel;
                 * 0: ALG_PST_SHELL_VOXELS, or fewer for points of a mesh, so that they are not more
                 * than its vertices or 4096 + 16 per face */
    uint64_t seed;
    bool weigh; /* fills shares */
} alg_pst_points_options;

/**
 * Builds the points of a surface. For a mesh, each vertex that a face uses becomes one point, and
 * so does each vertex of the division. Its normal is minus the mean of the normals of its
 * triangles, weighted by their angles.
 *
 * Shapes   surface: its mesh is still valid.
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT for more than 2^31 points.
 * Memory   arena: 56 bytes a point, 80 with shares; scratch outside of it.
 * Cost     shares of a mesh take hardly any time. For the time of a shell and its shares see
 *          algorithms/voxel/pointshell.h.
 */
base_status alg_pst_points_build(const geo_surface *surface, const alg_pst_points_options *options,
                                 base_arena *arena, alg_pst_points *points,
                                 base_error *err) BASE_MUST_CHECK;

/** Voxels of points by default. */
enum { ALG_PST_SHELL_VOXELS = 64 };

/**
 * Builds the voxmap of a mesh. voxels: on the longest edge of the mesh's box; layers: on each side
 * of the surface.
 *
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT if no grid fits the box.
 * Memory   arena; scratch outside of it.
 */
base_status alg_pst_map_build(const geo_mesh *mesh, uint32_t voxels, uint32_t layers,
                              base_arena *arena, alg_voxel_map *map,
                              base_error *err) BASE_MUST_CHECK;

/**
 * Divides a mesh as alg_pst_points_build does for points of kind ALG_PST_MESH. Those points are the
 * vertices of the division, in the same order.
 *
 * Errors   as alg_division_build.
 * Memory   owned; release it by alg_division_release.
 */
base_status alg_pst_points_divide(const geo_mesh *mesh, uint32_t voxels, alg_division *division,
                                  base_error *err) BASE_MUST_CHECK;

/* --- The tree --------------------------------------------------------------------------------- */

/** Value of a child without a node: it has at most ALG_PST_WIDTH points, which are tested
 * directly. */
#define ALG_PST_LEAF UINT32_MAX

/** Up to eight clusters with the same parent. Unused lanes have radius -INFINITY and count 0. */
typedef struct alg_pst_node {
    float centre[3][ALG_PST_WIDTH]; /* relative to the origin */
    float radius[ALG_PST_WIDTH];    /* of a sphere around all points of the child, rounded up */
    float patch2[ALG_PST_WIDTH];    /* greatest patch2 of the child's points */
    uint32_t first[ALG_PST_WIDTH], count[ALG_PST_WIDTH]; /* range of the child's points */
    uint32_t child[ALG_PST_WIDTH];                       /* node of the child, or ALG_PST_LEAF */
} alg_pst_node;

/**
 * A node in two cache lines and a leaf in one, for traversals, whose speed is limited by memory.
 * The centre of a lane is corner + step * centre. Its sphere contains the sphere of the unpacked
 * node. A point of a leaf is at: centre of the leaf's sphere + radius / ALG_PST_LEAF_STEPS * at.
 */
typedef struct alg_pst_packed_node {
    float corner[3], step;
    uint16_t centre[3][ALG_PST_WIDTH];
    uint16_t radius[ALG_PST_WIDTH]; /* in steps */
    uint16_t patch2[ALG_PST_WIDTH]; /* half floats: base_half_above */
    uint32_t child[ALG_PST_WIDTH];  /* a node, ALG_PST_PACKED_LEAF + a leaf, or 0 if unused */
} alg_pst_packed_node;

typedef struct alg_pst_packed_leaf {
    int16_t at[3][ALG_PST_WIDTH];   /* INT16_MIN for an unused lane */
    uint16_t patch2[ALG_PST_WIDTH]; /* half floats: base_half_above */
} alg_pst_packed_leaf;

#define ALG_PST_PACKED_LEAF 0x80000000u
#define ALG_PST_LEAF_STEPS  32767

/** Kind of clustering, in the order of the parameter's words. */
typedef enum alg_pst_clusters {
    /** Bottom up, as in the paper: a cluster begins with one point, and grows by the points nearest
     * to its mean, up to ALG_PST_WIDTH points. If a level has more than twelve points, each cluster
     * has at least three. */
    ALG_PST_NEIGHBOURS,
    /** Each level has the least possible number of clusters. Their sizes differ by at most one. */
    ALG_PST_BALANCED,
} alg_pst_clusters;

typedef struct alg_pst_tree {
    alg_pst_points points; /* in the order of the tree */
    float *x, *y,
        *z; /* arena; points minus origin, rounded; then ALG_PST_WIDTH - 1 copies of the last */
    vec3 origin;   /* centre of the points' box */
    double extent; /* greatest distance of a point from the origin, rounded up */
    float
        rounding;  /* greatest distance of a position in x, y, z from the exact point, rounded up */
    geo_ball ball; /* around all points, in the body's frame: the paper's uppermost sphere */
    uint32_t node_count, level_count;
    alg_pst_node
        *nodes; /* arena, aligned to 64 bytes; nodes[0] is the root, with the uppermost clusters */
    alg_pst_packed_node *packed; /* arena; one for each node */
    alg_pst_packed_leaf *leaves; /* arena; in the order of the nodes' lanes */
    uint32_t leaf_count;
    float packed_rounding; /* greatest distance of a packed point from its exact position */
    /** Statistics of the leaves: mean number of points, its standard deviation / mean, and mean
     * radius / mean spacing of the points. */
    double cluster_mean, cluster_deviation, cluster_radius;
} alg_pst_tree;

/**
 * Builds a tree. points: in the same arena. Their arrays become part of the tree and are sorted
 * into its order.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 20 bytes a point and 384 a node, with about one node for 40 points; scratch
 *          outside of it.
 * Cost     O(n log n), some us a point; deterministic.
 */
base_status alg_pst_tree_build(const alg_pst_points *points, alg_pst_clusters clusters,
                               base_arena *arena, alg_pst_tree *tree,
                               base_error *err) BASE_MUST_CHECK;

#endif
