/**
 * A wrapped hierarchy: a tree over balls in which the ball of a node encloses all leaves below it.
 *
 * Source   IST III-B.
 */
#ifndef ALGORITHMS_IST_TREE_H
#define ALGORITHMS_IST_TREE_H

#include "base/error.h"
#include "base/memory.h"
#include "geometry/vec.h"

#include <stddef.h>

/* --- Clustering ------------------------------------------------------------------------------- */

/*
 * Divides the leaves of a node among its children: batch neural gas with magnification control,
 * which distributes prototypes over weighted points, and the methods that it is compared with.
 *
 * Source   IST III-B, equations 1 to 3.
 */

enum {
    ALG_IST_BRANCHING_MAX = 16, /* largest number of children of a node, and so of prototypes */
    ALG_IST_GAS_STEPS = 50,     /* largest number of batches */
};

/** Weighted points to be clustered. */
typedef struct alg_ist_points {
    const double *x, *y, *z;
    /** Positive: the volumes of the spheres, up to a common factor. NULL: equal weights. */
    const double *weights;
    size_t count;
} alg_ist_points;

static inline vec3 alg_ist_point(const alg_ist_points *points, size_t i)
{
    return (vec3){points->x[i], points->y[i], points->z[i]};
}

/** Constants that the runs for all nodes of a tree share. */
typedef struct alg_ist_gas {
    uint32_t branching; /* number of prototypes: 2, 4, 8 or 16 */
    bool fixed;         /* run all steps; otherwise stop when the prototypes stop moving */
    bool avx2;          /* result of base_cpu_avx2() */
    double influence[ALG_IST_GAS_STEPS]; /* h(1) at each step */
} alg_ist_gas;

alg_ist_gas alg_ist_gas_make(uint32_t branching, bool fixed);

/**
 * Runs one step of batch neural gas: ranks the prototypes for each point, then moves each to the
 * mean of all points, weighted by h(rank) * weight. Returns the largest movement.
 *
 * Shapes   prototypes: gas->branching; influence: h(1), below 1. A value below 2^-60 counts as 0.
 * Threads  0 for all CPUs; their number does not change the result.
 * Source   IST III-B, equations 1 and 3.
 */
double alg_ist_gas_step(const alg_ist_gas *gas, const alg_ist_points *points, double influence,
                        unsigned threads, vec3 *prototypes);

typedef enum alg_ist_clustering {
    ALG_IST_GAS,       /* batch neural gas with magnification control (equation 3) */
    ALG_IST_GAS_PLAIN, /* without magnification control: all spheres have equal weights (equation
                          2) */
    /**
     * Seeds are the largest spheres, at most one at a position; each point joins the nearest seed.
     */
    ALG_IST_BIGGEST,
    /**
     * Seeds are the spheres with the most neighbours. As long as possible, no seed is a neighbour
     * of another seed. Neighbours have their centres in the same cell of a grid over the node, or
     * in one of the 26 cells around it. Along the longest side of the box of centres, the grid has
     * so many cells that there is one for each sphere, but at most 16.
     */
    ALG_IST_NEIGHBOURS,
    ALG_IST_CLUSTERINGS
} alg_ist_clustering;

/**
 * Splits points into gas->branching clusters without empty ones: for each cluster that the
 * clustering leaves empty (coincident centres), the largest cluster is halved at its median.
 *
 * Shapes   more points than branching; cluster: count entries, filled with 0 to branching - 1.
 * Cost     linear in the points.
 * Source   IST III-B; the seeded methods are those that neural gas is compared with there.
 */
void alg_ist_cluster(const alg_ist_gas *gas, alg_ist_clustering kind, const alg_ist_points *points,
                     uint64_t seed, unsigned threads, uint8_t *cluster);

/** Splits points by medians only: no cluster has more than its share, rounded up. */
void alg_ist_cluster_evenly(const alg_ist_points *points, uint32_t branching, uint8_t *cluster);

/* --- Between clustering.c and neural_gas_isa.c ------------------------------------------------ */

/** Sums over points of h(rank), and of h(rank) times the point, for each prototype. */
typedef struct alg_ist_gas_sums {
    double h[ALG_IST_BRANCHING_MAX];
    double x[ALG_IST_BRANCHING_MAX], y[ALG_IST_BRANCHING_MAX], z[ALG_IST_BRANCHING_MAX];
} alg_ist_gas_sums;

typedef struct alg_ist_gas_batch {
    const alg_ist_points *points;
    const vec3 *prototypes;
    uint32_t branching;
    bool avx2;
    double influence;       /* h(1); h(k) is its kth power */
    alg_ist_gas_sums *sums; /* of each chunk */
    size_t chunk;           /* points per chunk */
} alg_ist_gas_batch;

/** Fills the sums of one chunk, points [begin, end). */
void alg_ist_gas_sum_sse2(const alg_ist_gas_batch *batch, size_t begin, size_t end);
void alg_ist_gas_sum_avx2(const alg_ist_gas_batch *batch, size_t begin, size_t end);

/* --- Hierarchy -------------------------------------------------------------------------------- */

/**
 * Criteria by which a node chooses among clusterings: all methods, neural gas with two more seeds,
 * medians.
 */
typedef enum alg_ist_criterion {
    ALG_IST_ALONE,   /* no choice: the clustering of the options */
    ALG_IST_VOLUME,  /* the clustering whose children's balls have the smallest sum of volumes */
    ALG_IST_OUTSIDE, /* the same for the part of the balls that the node's own leaves do not fill */
} alg_ist_criterion;

typedef struct alg_ist_tree_options {
    uint32_t branching; /* 2, 4, 8 or 16 children per node */
    alg_ist_clustering clustering;
    alg_ist_criterion criterion;
    bool fixed;   /* neural gas runs all steps; otherwise until the prototypes stop moving */
    bool layered; /* a node's ball encloses its children's balls; otherwise (wrapped) its leaves */
    uint64_t seed;
} alg_ist_tree_options;

/** A child that is a leaf: this bit and the leaf's number. */
#define ALG_IST_LEAF 0x80000000u

/** The value of an unused child. */
#define ALG_IST_NONE UINT32_MAX

/** Below this depth points are split evenly, so that no tree is deeper than ALG_IST_DEPTH_MAX. */
enum { ALG_IST_DEPTH_EVEN = 24, ALG_IST_DEPTH_MAX = ALG_IST_DEPTH_EVEN + 32 };

/**
 * Lanes of a node's child: a ball in float relative to the tree's origin, rounded outwards, with
 * two radii.
 */
enum {
    ALG_IST_X,
    ALG_IST_Y,
    ALG_IST_Z,
    ALG_IST_NEAR, /* radius around all leaves below, with their near radii */
    ALG_IST_FAR,  /* the same with their far radii */
    ALG_IST_LANE_KINDS
};

/** The input of a leaf: a ball with two radii around one centre. */
typedef struct alg_ist_ball {
    vec3 centre;
    double near, far; /* near <= far, both positive */
} alg_ist_ball;

/**
 * Nodes are stored depth first, starting with the root. A node has `width` lanes, one for each
 * child; unused lanes are NaN, so that every test with them fails. Leaves are numbered in the order
 * of the tree; those of a node are consecutive.
 */
typedef struct alg_ist_tree {
    uint32_t branching;
    uint32_t width;     /* branching, but at least 4 */
    float *lanes;       /* arena; ALG_IST_LANE_KINDS * width per node: x[width], y[width], ... */
    uint32_t *children; /* arena; width per node: a node's number, or ALG_IST_LEAF | leaf */
    uint32_t node_count;
    uint32_t leaf_count;
    uint32_t depth; /* number of levels of nodes */
    vec3 origin;    /* of the lanes: in the middle of the leaves, so that floats keep digits */
    double reach;   /* upper bound of the distance of all balls from the origin, along any axis */
} alg_ist_tree;

/**
 * Returns an upper bound of the distance of all balls from the origin of the frame, along any axis.
 */
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
 * Shapes   balls: 1 <= count < 2^31. order: count entries, filled with the number of each leaf's
 *          ball.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 24 bytes per lane, some 46 bytes per leaf if nodes have 4 children.
 * Cost     O(n log n) on all CPUs, whose number does not change the result.
 * Source   IST III-B.
 */
base_status alg_ist_tree_build(const alg_ist_ball *balls, size_t count,
                               const alg_ist_tree_options *options, base_arena *arena,
                               alg_ist_tree *tree, uint32_t *order,
                               base_error *err) BASE_MUST_CHECK;

/* --- A solid ---------------------------------------------------------------------------------- */

/** An inner sphere. */
typedef struct alg_ist_sphere {
    vec3 centre;
    double primary;   /* radius; the ball is inside the solid */
    double secondary; /* radius of the ball around its middle that has the volume of the sphere's
                         share */
} alg_ist_sphere;

/**
 * A tree over spheres. Members of a sphere that all queries read are in one record. The others are
 * in separate columns; those that may be NULL exist only if they are wanted.
 */
typedef struct alg_ist_solid {
    alg_ist_tree tree;       /* NEAR: around primary spheres; FAR: around all balls of a sphere */
    alg_ist_sphere *spheres; /* arena, as are the columns; by leaf of the tree */
    uint32_t *faces;         /* of the body's mesh, nearest to the centre of each sphere */
    vec3 *middles;           /* centres of the secondary balls; NULL: those of the spheres */
    vec3 *outward; /* alg_ist_normal_cones: outward direction near the sphere, or 0; NULL: all 0 */
    double *outer; /* radius around the piece of surface that belongs to the sphere; 0: no
                      surface; NULL: all 0 */
} alg_ist_solid;

static inline vec3 alg_ist_middle(const alg_ist_solid *solid, uint32_t leaf)
{
    return solid->middles ? solid->middles[leaf] : solid->spheres[leaf].centre;
}

static inline vec3 alg_ist_outward(const alg_ist_solid *solid, uint32_t leaf)
{
    return solid->outward ? solid->outward[leaf] : (vec3){0, 0, 0};
}

static inline double alg_ist_outer(const alg_ist_solid *solid, uint32_t leaf)
{
    return solid->outer ? solid->outer[leaf] : 0;
}

/** Returns the radius of the ball around a sphere's centre that contains all of its balls. */
static inline double alg_ist_sphere_reach(const alg_ist_solid *solid, uint32_t leaf)
{
    const alg_ist_sphere *const s = &solid->spheres[leaf];
    const double middle = vec3_distance(s->centre, alg_ist_middle(solid, leaf));
    return fmax(s->primary, fmax(s->secondary + middle, alg_ist_outer(solid, leaf)));
}

/* --- Quality ---------------------------------------------------------------------------------- */

enum { ALG_IST_QUALITY_LEVELS = 4 };

/** Facts about a tree that show how much of it queries have to visit. */
typedef struct alg_ist_quality {
    uint32_t levels; /* number of levels of nodes */
    double children_mean;
    double leaf_depth_mean; /* nodes above a leaf, including the root */
    /**
     * For each level, starting with the root's children: the sum of the volumes of the nodes' balls
     * around all spheres, as a share of the body's volume.
     */
    double node_volume[ALG_IST_QUALITY_LEVELS];
} alg_ist_quality;

/** Returns the facts of a tree. Cost: linear in the tree. */
alg_ist_quality alg_ist_tree_quality(const alg_ist_tree *tree, double volume_m3);

#endif
