/**
 * A wrapped hierarchy: a tree over balls in which the ball of a node encloses all leaves below it.
 *
 * Source   IST III-B.
 */
#ifndef ALGORITHMS_IST_TREE_H
#define ALGORITHMS_IST_TREE_H

#include "algorithms/ist/clustering.h"
#include "base/error.h"
#include "base/memory.h"
#include "geometry/vec.h"

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
#define ALG_IST_NOBODY UINT32_MAX

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
 * Shapes   balls: 1 <= count < 2^31. places: count entries, filled with the number of each leaf's
 *          ball.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 24 bytes per lane, some 46 bytes per leaf if nodes have 4 children.
 * Cost     O(n log n) on all CPUs, whose number does not change the result.
 * Source   IST III-B.
 */
base_status alg_ist_tree_build(const alg_ist_ball *balls, size_t count,
                               const alg_ist_tree_options *options, base_arena *arena,
                               alg_ist_tree *tree, uint32_t *places,
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
