/**
 * Divides the leaves of a node among its children: batch neural gas with magnification control,
 * which distributes prototypes over weighted points, and the methods that it is compared with.
 *
 * Source   IST III-B, equations 1 to 3.
 */
#ifndef ALGORITHMS_IST_CLUSTERING_H
#define ALGORITHMS_IST_CLUSTERING_H

#include "geometry/vec.h"

#include <stddef.h>

/* --- Batch neural gas ------------------------------------------------------------------------- */

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

/* --- Clusters --------------------------------------------------------------------------------- */

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

/* --- Shared by clustering.c and neural_gas_isa.c ---------------------------------------------- */

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

#endif
