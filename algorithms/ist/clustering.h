/**
 * How the leaves of a node are divided among its children: batch neural gas with magnification
 * control, which lets prototypes spread over weighted points, and what it was compared with.
 *
 * Source   IST III-B, equations 1 to 3.
 */
#ifndef ALGORITHMS_IST_CLUSTERING_H
#define ALGORITHMS_IST_CLUSTERING_H

#include "geometry/vec.h"

#include <stddef.h>

/* --- Batch neural gas ------------------------------------------------------------------------- */

enum {
    ALG_IST_BRANCHING_MAX = 16, /* children of a node, and so prototypes, at most */
    ALG_IST_GAS_STEPS = 50,     /* batches at most */
};

/** Points with weights, to be clustered. */
typedef struct alg_ist_points {
    const double *x, *y, *z;
    /** Positive: the volumes of the spheres, up to a common factor. NULL: all the same. */
    const double *weights;
    size_t count;
} alg_ist_points;

static inline vec3 alg_ist_point(const alg_ist_points *points, size_t i)
{
    return (vec3){points->x[i], points->y[i], points->z[i]};
}

/** What the runs for all nodes of a tree have in common. */
typedef struct alg_ist_gas {
    uint32_t branching; /* prototypes: 2, 4, 8 or 16 */
    bool fixed;         /* run for all steps; otherwise until the prototypes rest */
    bool avx2;          /* base_cpu_avx2() */
    double influence[ALG_IST_GAS_STEPS]; /* h(1) at each step */
} alg_ist_gas;

alg_ist_gas alg_ist_gas_make(uint32_t branching, bool fixed);

/**
 * One step of batch neural gas: ranks the prototypes for each point, then moves each to the mean
 * of all points, weighted by h(rank) * weight. Returns the largest movement.
 *
 * Shapes   prototypes: gas->branching; influence: h(1), below 1. One below 2^-60 counts as 0.
 * Threads  0 for all CPUs; their number does not change the result.
 * Source   IST III-B, equations 1 and 3.
 */
double alg_ist_gas_step(const alg_ist_gas *gas, const alg_ist_points *points, double influence,
                        unsigned threads, vec3 *prototypes);

/* --- Clusters --------------------------------------------------------------------------------- */

typedef enum alg_ist_clustering {
    ALG_IST_GAS,       /* batch neural gas with magnification control (equation 3) */
    ALG_IST_GAS_PLAIN, /* without: every sphere weighs the same (equation 2) */
    /** Seeds are the biggest spheres, at most one at a position; each point joins the nearest. */
    ALG_IST_BIGGEST,
    /**
     * Seeds are the spheres with most neighbours, none of them another's neighbour as long as there
     * are such. Neighbours have their centres in the same cell of a grid over the node, or in one
     * of the 26 around it; the grid has as many cells along the longest side of the box of centres
     * as give one for each sphere, but at most 16.
     */
    ALG_IST_NEIGHBOURS,
    ALG_IST_CLUSTERINGS
} alg_ist_clustering;

/**
 * Splits points into gas->branching clusters, none of them empty: where the clustering leaves one
 * empty (coincident centres), the largest is halved at its median.
 *
 * Shapes   more points than branching; cluster: count entries, filled with 0 to branching - 1.
 * Cost     linear in the points.
 * Source   IST III-B; the seeded kinds are what neural gas was compared with.
 */
void alg_ist_cluster(const alg_ist_gas *gas, alg_ist_clustering kind, const alg_ist_points *points,
                     uint64_t seed, unsigned threads, uint8_t *cluster);

/** The same by medians alone: no cluster has more than its share, rounded up. */
void alg_ist_cluster_evenly(const alg_ist_points *points, uint32_t branching, uint8_t *cluster);

/* --- Between clustering.c and neural_gas_isa.c ------------------------------------------------ */

/** Sums over points of h(rank), and of h(rank) times the point; for each prototype. */
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
    size_t chunk;           /* points */
} alg_ist_gas_batch;

/** Fills the sums of one chunk, points [begin, end). */
void alg_ist_gas_sum_sse2(const alg_ist_gas_batch *batch, size_t begin, size_t end);
void alg_ist_gas_sum_avx2(const alg_ist_gas_batch *batch, size_t begin, size_t end);

#endif
