/**
 * Inner sphere trees: disjoint spheres that fill a solid from inside, and a hierarchy over them.
 *
 * packing.c places the spheres, shares.c gives each its part of the body's volume, clustering.c
 * and tree.c build the hierarchy, query.c answers, ist.c is the entry for the registry.
 * Source   IST.
 */
#ifndef ALGORITHMS_IST_IST_H
#define ALGORITHMS_IST_IST_H

#include "algorithms/algorithms.h"
#include "algorithms/voxel/voxel.h"

/* --- Packing ------------------------------------------------------------------------------- */

/** Disjoint spheres inside a solid, in the order in which they were placed. */
typedef struct alg_ist_packing {
    vec3 *centres;     /* owned, as all of these */
    double *radii;     /* primary, all positive; never increasing */
    double *secondary; /* of a ball with the volume that belongs to the sphere; see below */
    uint32_t *shares;  /* voxels that belong to the sphere */
    size_t count, capacity;
} alg_ist_packing;

/** When packing ends before no free voxel is left. */
typedef struct alg_ist_limits {
    double radius_least; /* in voxel edges */
    size_t count_most;   /* 0: no limit */
} alg_ist_limits;

/**
 * Greedy packing: the free voxel of largest radius (of equal ones that with the smallest number)
 * becomes the centre of a sphere, voxels whose centres it contains are taken, and the radius of
 * the others is lowered to their distance from it. Fills centres, radii and shares; the voxels that
 * are left free belong to no sphere yet.
 *
 * The field is measured as far as the order of spheres depends on it, so that the result is that
 * of a field measured everywhere; its radii are used up.
 * Errors   GEO_ERR_MEMORY; *packing is for alg_ist_packing_release either way.
 * Source   IST III-A, Figure 2.
 */
geo_status alg_ist_pack(alg_voxel_field *field, const alg_ist_limits *limits,
                        alg_ist_packing *packing, geo_error *err) GEO_MUST_CHECK;
void alg_ist_packing_release(alg_ist_packing *packing);

/** A voxel that belongs to a sphere has this radius in the field; free voxels are not negative. */
#define ALG_IST_TAKEN (-1.0f)

/**
 * Gives every voxel that packing has left free to the sphere with the smallest |x - c| - r (of
 * equal ones the first) and adds it to its share.
 * Errors   GEO_ERR_MEMORY.
 */
geo_status alg_ist_share_rest(const alg_voxel_field *field, alg_ist_packing *packing,
                              geo_error *err) GEO_MUST_CHECK;

/**
 * Secondary radii: the balls' volumes are to each other as the shares, and sum up to volume_m3.
 * Source   IST IV-B.1; the sum is the exact volume of the mesh, not that of its voxels.
 */
void alg_ist_fill_gaps(alg_ist_packing *packing, double volume_m3);

/* --- Clustering ---------------------------------------------------------------------------- */

enum { ALG_IST_BRANCHING = 4 };

/** Points with weights, to be clustered by the centres of the balls. */
typedef struct alg_ist_points {
    const geo_ball *balls;
    const double *weights; /* positive */
    size_t count;
} alg_ist_points;

/**
 * One step of batch neural gas: ranks the prototypes for each point, then moves each to the mean
 * of all points, weighted by h_lambda(rank) * weight. Returns the largest movement.
 * Source   IST III-B, equations 1 and 3.
 */
double alg_ist_gas_step(const alg_ist_points *points, double lambda,
                        vec3 prototypes[ALG_IST_BRANCHING]);

/**
 * Splits count > 4 points into ALG_IST_BRANCHING clusters, none of them empty: batch neural gas
 * with magnification control from prototypes drawn by the seed, or, where that leaves a cluster
 * empty (coincident centres) or `even` asks for it, by medians into quarters.
 *
 * Shapes   cluster: count entries, filled with 0 to 3.
 * Source   IST III-B.
 */
void alg_ist_cluster(const alg_ist_points *points, bool even, uint64_t seed, uint8_t *cluster);

/* --- Tree ---------------------------------------------------------------------------------- */

/** A child that is a leaf: this bit and the number of its sphere. */
#define ALG_IST_LEAF 0x80000000u

/** Below this depth points are split evenly, so that no tree is deeper than ALG_IST_DEPTH_MAX. */
enum { ALG_IST_DEPTH_EVEN = 24, ALG_IST_DEPTH_MAX = ALG_IST_DEPTH_EVEN + 16 };

/**
 * The balls of up to four children. Each contains all leaves below the child (wrapped hierarchy).
 * Unused lanes are NaN: every test with them fails.
 */
typedef struct alg_ist_node {
    double x[ALG_IST_BRANCHING], y[ALG_IST_BRANCHING], z[ALG_IST_BRANCHING];
    double radius[ALG_IST_BRANCHING];
    uint32_t child[ALG_IST_BRANCHING]; /* node, or ALG_IST_LEAF | sphere */
    uint32_t count;                    /* children */
} alg_ist_node;

/** A leaf: an inner sphere. Its ball in the tree has the larger of the two radii. */
typedef struct alg_ist_sphere {
    vec3 centre;
    double primary, secondary;
} alg_ist_sphere;

typedef struct alg_ist_tree {
    alg_ist_node *nodes; /* arena; nodes[0] is the root, depth first */
    uint32_t node_count;
    alg_ist_sphere *spheres; /* arena; in the order of the leaves */
    uint32_t sphere_count;
    uint32_t depth; /* levels of nodes */
    double reach;   /* largest absolute coordinate of any ball's far side */
} alg_ist_tree;

/**
 * Builds the hierarchy top-down.
 *
 * Shapes   packing: count >= 1, secondary radii filled.
 * Errors   GEO_ERR_MEMORY.
 * Memory   arena: about 110 bytes a sphere.
 * Cost     O(n log n) on all CPUs, whose number does not change the result.
 * Source   IST III-B.
 */
geo_status alg_ist_tree_build(const alg_ist_packing *packing, uint64_t seed, geo_arena *arena,
                              alg_ist_tree *tree, geo_error *err) GEO_MUST_CHECK;

/* --- Queries ------------------------------------------------------------------------------- */

typedef struct alg_ist_entry {
    uint32_t a, b; /* children of nodes: see alg_ist_node.child */
    double gap;    /* lower bound for the distance of what is below them */
} alg_ist_entry;

/** What queries of a pair work on. */
typedef struct alg_ist_pair {
    const alg_ist_tree *a, *b;
    vec3 centroid_b;      /* of the solid, B's frame */
    bool secondary;       /* radii of the volume */
    unsigned wanted;      /* mask ALG_WANT_* */
    alg_ist_entry *stack; /* alg_ist_stack_size(a, b) entries */
} alg_ist_pair;

enum {
    ALG_IST_COUNT_BALLS,
    ALG_IST_COUNT_LEAVES,
    ALG_IST_COUNT_NODES,
    ALG_IST_COUNT_CONTACTS,
};

/** Entries that a traversal may need at most. */
size_t alg_ist_stack_size(const alg_ist_tree *a, const alg_ist_tree *b);

/**
 * Distance, volume or both of one pose.
 *
 * Distance  the smallest distance between primary spheres, 0 when two overlap: an upper bound.
 *           Witnesses are on the two spheres, or a point of both.
 * Volume    sum of the lenses of all pairs of spheres with the chosen radii. The force on B has
 *           that magnitude and the direction of the sum of lens volume times (c_b - c_a); the
 *           torque is about B's centroid, each lens pulling at its middle.
 * Both      one traversal. It starts as a distance query whose leaf tests also add overlapping
 *           lenses; when two primary spheres overlap, the distance is known to be 0 and the rest
 *           is a volume query. A pair of nodes that was passed over before had a positive gap, so
 *           it holds no lens: the volume is that of the volume query but for summation order.
 * Source   IST IV, Algorithm 1.
 */
void alg_ist_query(const alg_ist_pair *pair, const geo_pose *pose, alg_answer *answer);

#endif
