/**
 * The hierarchy over the spheres of a body, and the clustering that builds it.
 *
 * Source   IST III-B.
 */
#ifndef ALGORITHMS_IST_TREE_H
#define ALGORITHMS_IST_TREE_H

#include "algorithms/ist/packing.h"
#include "base/arena.h"

enum { ALG_IST_BRANCHING_MAX = 16 };

/* --- Clustering ------------------------------------------------------------------------------- */

/** How the leaves of a node are divided among its children. */
typedef enum alg_ist_clustering {
    ALG_IST_GAS,       /* batch neural gas with magnification control (equation 3) */
    ALG_IST_GAS_PLAIN, /* without: every sphere weighs the same (equation 2) */
    /** Seeds are the biggest spheres, at most one at a position; each point joins the nearest. */
    ALG_IST_BIGGEST,
    /**
     * Around the spheres with most neighbours, of which none is another's neighbour as long as
     * there are such. Neighbours have their centres in the same cell of a grid over the node, or in
     * one of the 26 around it; the grid's cubes are as many along the longest side of the box of
     * centres as give a cell for each sphere, but at most 16.
     */
    ALG_IST_NEIGHBOURS,
    ALG_IST_CLUSTERINGS
} alg_ist_clustering;

/** Which of several clusterings a node takes: all kinds, gas from two more seeds, and medians. */
typedef enum alg_ist_criterion {
    ALG_IST_ALONE,   /* the one that is asked for */
    ALG_IST_VOLUME,  /* the one whose children's balls have the smallest sum of volumes */
    ALG_IST_OUTSIDE, /* the same for the part of the balls that the node's own inner spheres leave
                        empty: it counts what is outside of the body, and gaps */
} alg_ist_criterion;

typedef struct alg_ist_tree_options {
    uint32_t branching; /* 2, 4, 8 or 16 children a node */
    alg_ist_clustering clustering;
    alg_ist_criterion criterion;
    bool fixed;   /* the gas runs for all its steps; otherwise until prototypes rest */
    bool layered; /* a node's ball encloses its children's balls; otherwise (wrapped) its leaves */
    uint64_t seed;
} alg_ist_tree_options;

/** Batches of neural gas at most. */
enum { ALG_IST_GAS_STEPS = 50 };

/** What clustering has in common for all nodes of a tree. */
typedef struct alg_ist_clusterer {
    alg_ist_tree_options options;
    double influence[ALG_IST_GAS_STEPS]; /* h(1) = exp(-1 / lambda(t)) at each step t */
    bool avx2;                           /* base_cpu_avx2() */
} alg_ist_clusterer;

alg_ist_clusterer alg_ist_clusterer_make(const alg_ist_tree_options *options);

/**
 * h(1) = exp(-1 / lambda) at a step t, with lambda(t) = lambda_0 (0.01 / lambda_0)^(t / t_max),
 * lambda_0 = branching / 2 and t_max = ALG_IST_GAS_STEPS. h(k) = exp(-k / lambda) is its kth power.
 *
 * Source   IST III-B.
 */
double alg_ist_gas_influence(uint32_t branching, uint32_t step);

/** Points with weights, to be clustered. */
typedef struct alg_ist_points {
    const double *x, *y, *z;
    /** Positive: the volumes of the spheres, but for a factor. NULL for the gas: all the same. */
    const double *weights;
    size_t count;
} alg_ist_points;

static inline vec3 alg_ist_point(const alg_ist_points *points, size_t i)
{
    return (vec3){points->x[i], points->y[i], points->z[i]};
}

/**
 * One step of batch neural gas: ranks the prototypes for each point, then moves each to the mean
 * of all points, weighted by h(rank) * weight. Returns the largest movement.
 *
 * Shapes   prototypes: options.branching entries; influence: h(1), below 1. One below 2^-60 counts
 *          as 0.
 * Threads  0 for all CPUs; their number does not change the result.
 * Source   IST III-B, equations 1 and 3.
 */
double alg_ist_gas_step(const alg_ist_clusterer *clusterer, const alg_ist_points *points,
                        double influence, unsigned threads, vec3 *prototypes);

/**
 * Splits points into options.branching clusters, none of them empty: where the clustering leaves
 * one empty (coincident centres), the largest is halved at its median.
 *
 * Shapes   more points than branching; cluster: count entries, filled with 0 to branching - 1.
 * Cost     linear in the points.
 * Source   IST III-B.
 */
void alg_ist_cluster(const alg_ist_clusterer *clusterer, alg_ist_clustering kind,
                     const alg_ist_points *points, uint64_t seed, unsigned threads,
                     uint8_t *cluster);

/** The same by medians alone: no cluster has more than its share, rounded up. */
void alg_ist_cluster_evenly(const alg_ist_points *points, uint32_t branching, uint8_t *cluster);

/* --- Tree ------------------------------------------------------------------------------------- */

/** A child that is a leaf: this bit and the number of its sphere. */
#define ALG_IST_LEAF 0x80000000u

/** In the place of a child that is not there. */
#define ALG_IST_NOBODY UINT32_MAX

/** Below this depth points are split evenly, so that no tree is deeper than ALG_IST_DEPTH_MAX. */
enum { ALG_IST_DEPTH_EVEN = 24, ALG_IST_DEPTH_MAX = ALG_IST_DEPTH_EVEN + 32 };

/** What a node knows of each child: a ball in float less the tree's origin, rounded outwards, with
 * two radii. */
enum {
    ALG_IST_X,
    ALG_IST_Y,
    ALG_IST_Z,
    ALG_IST_NEAR, /* radius around the primary spheres of all leaves below: distance */
    ALG_IST_FAR,  /* radius around all spheres of these leaves: primary, secondary and outer */
    ALG_IST_LANE_KINDS
};

/** A leaf: an inner sphere, with exact radii. */
typedef struct alg_ist_sphere {
    vec3 centre;
    double primary;   /* inside the body */
    double secondary; /* of the ball around `middle` that has the volume of the sphere's share */
    vec3 middle;
    vec3 outward; /* alg_ist_normal_cones: the way out near the sphere; or 0 */
    double outer; /* around the piece of surface that belongs to the sphere; 0: none does */
} alg_ist_sphere;

/**
 * Nodes lie depth first, the root first. A node has `width` lanes, one for each child; lanes
 * beyond its children are NaN, so that every test with them fails. All children of a node that are
 * leaves are consecutive spheres only within a cluster: read `children`.
 */
typedef struct alg_ist_tree {
    uint32_t branching;
    uint32_t width;     /* branching, but at least 4 */
    float *lanes;       /* arena; ALG_IST_LANE_KINDS * width a node: x[width], y[width], ... */
    uint32_t *children; /* arena; width a node: a node's number, or ALG_IST_LEAF | sphere */
    uint32_t node_count;
    alg_ist_sphere *spheres; /* arena; in the order of the leaves */
    uint32_t *places;        /* arena; the number of each sphere in the packing */
    uint32_t sphere_count;
    uint32_t depth; /* levels of nodes */
    vec3 origin;    /* of the lanes: amid the spheres, so that floats keep digits */
    double reach;   /* largest absolute coordinate of any ball's far side, less the origin */
} alg_ist_tree;

/** How far from the frame's origin a tree has anything, along any axis, or more. */
static inline double alg_ist_extent(const alg_ist_tree *tree)
{
    const vec3 o = vec3_abs(tree->origin);
    return tree->reach + fmax(o.x, fmax(o.y, o.z));
}

static inline const float *alg_ist_lanes(const alg_ist_tree *tree, uint32_t node, uint32_t kind)
{
    return tree->lanes + ((size_t)node * ALG_IST_LANE_KINDS + kind) * tree->width;
}

static inline const uint32_t *alg_ist_children(const alg_ist_tree *tree, uint32_t node)
{
    return tree->children + (size_t)node * tree->width;
}

/**
 * Builds the hierarchy top-down.
 *
 * Shapes   packing: count >= 1, secondary radii filled.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: about 90 bytes a sphere.
 * Cost     O(n log n) on all CPUs, whose number does not change the result.
 * Source   IST III-B.
 */
base_status alg_ist_tree_build(const alg_ist_packing *packing, const alg_ist_tree_options *options,
                               base_arena *arena, alg_ist_tree *tree,
                               base_error *err) BASE_MUST_CHECK;

/* --- Quality ---------------------------------------------------------------------------------- */

enum { ALG_IST_QUALITY_LEVELS = 4 };

/** Facts on a tree: those that tell how much of it queries have to visit. */
typedef struct alg_ist_quality {
    uint32_t levels; /* of nodes */
    double children_mean;
    double leaf_depth_mean; /* nodes above a leaf, the root included */
    /** Sums over the nodes of a level, from the root's children on, of the volumes of their balls
     * around all spheres; as parts of the body's volume. */
    double node_volume[ALG_IST_QUALITY_LEVELS];
} alg_ist_quality;

/** Cost: linear in the tree. */
alg_ist_quality alg_ist_tree_quality(const alg_ist_tree *tree, double volume_m3);

#endif
