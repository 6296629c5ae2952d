/**
 * The point-sphere tree: points in clusters of neighbours, the point of a cluster that is nearest
 * to its centre of mass stands for it on the level above, which is clustered in turn; a sphere
 * around each cluster holds all points below.
 *
 * Points are put in an order in which each cluster has a range of its own, which begins with the
 * point that stands for it, its representative. So the child that its node's representative belongs
 * to begins at the same place as the node: a walk that has tested the one need not test the other.
 *
 * Source   PST 2, figure 1 (a) to (c).
 */
#ifndef ALGORITHMS_PST_TREE_H
#define ALGORITHMS_PST_TREE_H

#include "algorithms/pst/points.h"

enum { ALG_PST_DEPTH_MOST = 32 };

/** A child that has no node: its points are looked at themselves, and are at most ALG_PST_WIDTH. */
#define ALG_PST_LEAF UINT32_MAX

/** Eight clusters below one. Lanes without one have the radius -INFINITY and count 0. */
typedef struct alg_pst_node {
    float centre[3][ALG_PST_WIDTH]; /* less the origin */
    float radius[ALG_PST_WIDTH];    /* of a sphere around all points below, rounded up */
    float patch2[ALG_PST_WIDTH];    /* the greatest of its points */
    uint32_t first[ALG_PST_WIDTH], count[ALG_PST_WIDTH]; /* of its points */
    uint32_t child[ALG_PST_WIDTH];                       /* the node below it, or ALG_PST_LEAF */
} alg_pst_node;

/**
 * A node in two cache lines and a leaf in one, for walks, which are bound by what they read. A
 * centre is corner + step * centre; spheres hold those of the node. A point of a leaf is its
 * sphere's centre + radius / ALG_PST_LEAF_STEPS * at.
 */
typedef struct alg_pst_packed_node {
    float corner[3], step;
    uint16_t centre[3][ALG_PST_WIDTH];
    uint16_t radius[ALG_PST_WIDTH]; /* steps */
    uint16_t patch2[ALG_PST_WIDTH]; /* base_half_above */
    uint32_t child[ALG_PST_WIDTH]; /* a node; ALG_PST_PACKED_LEAF + a leaf; 0: a lane without one */
} alg_pst_packed_node;

typedef struct alg_pst_packed_leaf {
    int16_t at[3][ALG_PST_WIDTH];   /* INT16_MIN: a lane without a point */
    uint16_t patch2[ALG_PST_WIDTH]; /* base_half_above */
} alg_pst_packed_leaf;

#define ALG_PST_PACKED_LEAF 0x80000000u
#define ALG_PST_LEAF_STEPS  32767

/** In the order of the words of the parameter `clusters`. */
typedef enum alg_pst_clusters {
    /** Bottom up, as in the paper: a cluster grows from a point to those nearest to its mean, up to
     * ALG_PST_WIDTH, and has three at least, of more than twelve. */
    ALG_PST_NEIGHBOURS,
    ALG_PST_BALANCED, /* the same levels, all clusters of a level of the same count, within one */
} alg_pst_clusters;

typedef struct alg_pst_tree {
    alg_pst_points points; /* in the order of the tree */
    float *x, *y,
        *z;      /* arena; points less the origin, rounded; ALG_PST_WIDTH - 1 more, like the last */
    vec3 origin; /* near the middle of the box */
    double extent;  /* no point is farther from the origin */
    float rounding; /* no x, y, z, nor a sphere's centre, is farther from what it stands for */
    geo_ball ball;  /* around all points, body's frame: the paper's uppermost sphere */
    uint32_t node_count, level_count;
    alg_pst_node
        *nodes; /* arena, aligned to 64 bytes; nodes[0] is the root: the uppermost clusters */
    alg_pst_packed_node *packed; /* arena; of each node */
    alg_pst_packed_leaf *leaves; /* arena; of the leaves, in the order of the nodes' lanes */
    uint32_t leaf_count;
    float packed_rounding; /* no packed point is farther from what it stands for */
    /** Clusters of leaves, for uniformity: points of one, mean and standard deviation / mean;
     * radius / spacing. */
    double cluster_mean, cluster_deviation, cluster_radius;
} alg_pst_tree;

/**
 * points: moved into the order of the tree, which takes them over (they are of the same arena).
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 20 bytes a point and 384 a node, about one for 40 points; scratch outside of it.
 * Cost     O(n log n), some us a point; deterministic.
 */
base_status alg_pst_tree_build(const alg_pst_points *points, alg_pst_clusters clusters,
                               base_arena *arena, alg_pst_tree *tree,
                               base_error *err) BASE_MUST_CHECK;

#endif
