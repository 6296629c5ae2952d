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
 * Clustering divides the leaves of a node among its children. The method of the paper is batch
 * neural gas with magnification control, which distributes prototypes over weighted points. The
 * other methods are those that it is compared with.
 *
 * Source   IST III-B, equations 1 to 3.
 */

enum {
    ALG_IST_BRANCHING_MAX = 16, /* largest number of children of a node, which is that of
                                   prototypes */
    ALG_IST_GAS_STEPS = 50,     /* largest number of batches */
};

/** Weighted points to be clustered. */
typedef struct alg_ist_points {
    const double *x, *y, *z;
    /** Positive weights: the volumes of the spheres, up to a common factor. NULL: equal weights. */
    const double *weights;
    size_t count;
} alg_ist_points;

static inline vec3 alg_ist_point(const alg_ist_points *points, size_t i)
{
    return (vec3){points->x[i], points->y[i], points->z[i]};
}

/** Constants of neural gas that all nodes of a tree share. */
typedef struct alg_ist_gas {
    uint32_t branching; /* number of prototypes: 2, 4, 8 or 16 */
    bool fixed;         /* true: run all steps; false: end when the prototypes stop moving */
    bool avx2;          /* result of base_cpu_avx2() */
    double influence[ALG_IST_GAS_STEPS]; /* h(1) at each step */
} alg_ist_gas;

alg_ist_gas alg_ist_gas_make(uint32_t branching, bool fixed);

/**
 * Runs one step of batch neural gas. For each point it ranks the prototypes by distance. Then it
 * moves each prototype to the mean of all points, where a point counts with h(rank of the
 * prototype) * weight. Returns the largest movement.
 *
 * Shapes   prototypes: gas->branching; influence: h(1), below 1. A value below 2^-60 counts as 0.
 * Threads  0: all CPUs. The number of threads does not change the result.
 * Source   IST III-B, equations 1 and 3.
 */
double alg_ist_gas_step(const alg_ist_gas *gas, const alg_ist_points *points, double influence,
                        unsigned threads, vec3 *prototypes);

typedef enum alg_ist_clustering {
    ALG_IST_GAS,       /* batch neural gas with magnification control (equation 3) */
    ALG_IST_GAS_PLAIN, /* without magnification control: all spheres have equal weights (equation
                          2) */
    /**
     * Seeds are the largest spheres, at most one at each position. Each point joins the nearest
     * seed.
     */
    ALG_IST_BIGGEST,
    /**
     * Seeds are the spheres with the most neighbours. As long as possible, no seed is a neighbour
     * of another seed. Two spheres are neighbours if their centres are in the same cell of a grid,
     * or in two cells that share a corner. The grid is a cube of n x n x n cells over the box of
     * the node's centres. n is the smallest number for which there are at least as many cells as
     * spheres, but at most 16.
     */
    ALG_IST_NEIGHBOURS,
    ALG_IST_CLUSTERINGS
} alg_ist_clustering;

/**
 * Splits points into gas->branching clusters, none of which is empty. A method may leave clusters
 * empty, for example if centres coincide. For each of these, the largest cluster is halved at its
 * median.
 *
 * Shapes   points: more than gas->branching. cluster: one entry for each point, filled with its
 *          cluster, 0 to gas->branching - 1.
 * Cost     linear in the points.
 * Source   IST III-B; the seeded methods are those that neural gas is compared with there.
 */
void alg_ist_cluster(const alg_ist_gas *gas, alg_ist_clustering kind, const alg_ist_points *points,
                     uint64_t seed, unsigned threads, uint8_t *cluster);

/** Splits points by medians only. No cluster has more than count / branching points, rounded up. */
void alg_ist_cluster_evenly(const alg_ist_points *points, uint32_t branching, uint8_t *cluster);

/* --- Between clustering.c and neural_gas_isa.c ------------------------------------------------ */

/** Sums over the points, for each prototype: of h(rank) * weight, and of this times the point. */
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
    alg_ist_gas_sums *sums; /* one entry for each chunk */
    size_t chunk;           /* points per chunk */
} alg_ist_gas_batch;

/** Fills the sums of one chunk, points [begin, end). */
void alg_ist_gas_sum_sse2(const alg_ist_gas_batch *batch, size_t begin, size_t end);
void alg_ist_gas_sum_avx2(const alg_ist_gas_batch *batch, size_t begin, size_t end);

/* --- Hierarchy -------------------------------------------------------------------------------- */

/**
 * Criteria by which a node chooses among clusterings. With a criterion it tries all methods, neural
 * gas with two other random seeds, and medians.
 */
typedef enum alg_ist_criterion {
    ALG_IST_ALONE,   /* no choice: the clustering of the options */
    ALG_IST_VOLUME,  /* the clustering whose children's balls have the smallest sum of volumes */
    ALG_IST_OUTSIDE, /* the same, but without the parts of the balls that the node's own leaves
                        fill */
} alg_ist_criterion;

typedef struct alg_ist_tree_options {
    uint32_t branching; /* 2, 4, 8 or 16 children per node */
    alg_ist_clustering clustering;
    alg_ist_criterion criterion;
    bool fixed;   /* true: neural gas runs all steps; false: until the prototypes stop moving */
    bool layered; /* true: a node's ball encloses its children's balls; false (wrapped): it encloses
                     its leaves */
    uint64_t seed;
} alg_ist_tree_options;

/** Flag of a child that is a leaf; the other bits are the leaf's number. */
#define ALG_IST_LEAF 0x80000000u

/** The value of an unused child. */
#define ALG_IST_NONE UINT32_MAX

/**
 * From the level ALG_IST_DEPTH_EVEN on, points are split evenly, so that no tree is deeper than
 * ALG_IST_DEPTH_MAX.
 */
enum { ALG_IST_DEPTH_EVEN = 24, ALG_IST_DEPTH_MAX = ALG_IST_DEPTH_EVEN + 32 };

/**
 * Lanes of a node. A child has a ball with two radii around one centre. It is in float, relative to
 * the tree's origin, and rounded outwards.
 */
enum {
    ALG_IST_X,
    ALG_IST_Y,
    ALG_IST_Z,
    ALG_IST_NEAR, /* radius of the ball around all leaves below with their near radii */
    ALG_IST_FAR,  /* the same with their far radii */
    ALG_IST_LANE_KINDS
};

/** The input of a leaf: a ball with two radii around one centre. */
typedef struct alg_ist_ball {
    vec3 centre;
    double near, far; /* near <= far, both positive */
} alg_ist_ball;

/**
 * Nodes are stored depth first; node 0 is the root. A node has `width` lanes, one for each child.
 * Unused lanes are NaN, so that every test with them fails. Leaves are numbered in the order of the
 * tree, so that those below a node are consecutive.
 */
typedef struct alg_ist_tree {
    uint32_t branching;
    uint32_t width;     /* branching, but at least 4 */
    float *lanes;       /* arena; ALG_IST_LANE_KINDS * width per node: x[width], y[width], ... */
    uint32_t *children; /* arena; width per node: a node's number, or ALG_IST_LEAF | leaf */
    uint32_t node_count;
    uint32_t leaf_count;
    uint32_t depth; /* number of levels of nodes */
    vec3 origin;    /* origin of the lanes, in the middle of the leaves, so that floats keep their
                       digits */
    double reach;   /* no ball of a leaf extends farther than this from `origin` along any axis */
} alg_ist_tree;

/**
 * Returns a bound: no ball of a leaf extends farther than this from the frame's origin along any
 * axis.
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
 * Builds the hierarchy from the root downwards.
 *
 * Shapes   balls: 1 <= count < 2^31. order: count entries, filled: leaf i is balls[order[i]].
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 24 bytes per lane. These are some 46 bytes per leaf if nodes have up to 4
 *          children.
 * Cost     O(n log n), on all CPUs; their number does not change the result.
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
    double secondary; /* radius of the ball around alg_ist_middle whose volume is that of the
                         sphere's share */
} alg_ist_sphere;

/**
 * Spheres, and the tree over them. The members of a sphere that all queries read are in one record.
 * The others are in separate columns. The columns that may be NULL exist only if they are wanted.
 */
typedef struct alg_ist_solid {
    alg_ist_tree tree;       /* near radii: of primary spheres; far radii: alg_ist_sphere_reach */
    alg_ist_sphere *spheres; /* arena, as are the columns; by leaf of the tree */
    uint32_t *faces;         /* face of the body's mesh that is nearest to the centre of each
                                sphere */
    vec3 *middles;           /* centres of the secondary balls; NULL: the centres of the spheres */
    vec3 *outward; /* alg_ist_normal_cones: outward direction near the sphere, or 0; NULL: all 0 */
    double *outer; /* radius around the centre that contains the sphere's pieces of surface; 0: no
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

/** Facts about a tree. They show how much of it queries must visit. */
typedef struct alg_ist_quality {
    uint32_t levels; /* number of levels of nodes */
    double children_mean;
    double leaf_depth_mean;        /* mean number of nodes above a leaf, including the root */
    double leaf_depth_volume_mean; /* the same, weighted by the volumes of the leaves' near balls */
    /**
     * For each level, starting with the root's children: the sum of the volumes of the nodes' balls
     * with far radii, divided by the body's volume.
     */
    double node_volume[ALG_IST_QUALITY_LEVELS];
} alg_ist_quality;

/** Returns the facts of a tree. Cost: linear in the tree. */
alg_ist_quality alg_ist_tree_quality(const alg_ist_tree *tree, double volume_m3);

#endif
