/**
 * Batch neural gas, the part of clustering that takes the time: private to gas*.c and clustering.c.
 *
 * Source   IST III-B, equations 1 to 3.
 */
#ifndef ALGORITHMS_IST_GAS_H
#define ALGORITHMS_IST_GAS_H

#include "algorithms/ist/tree.h"

/** Places the prototypes: draws them from the points, then batches until they rest. */
void alg_ist_gas_run(const alg_ist_clusterer *clusterer, const alg_ist_points *points,
                     uint64_t seed, unsigned threads, vec3 *prototypes);

/* --- Between gas.c and the sums over points, once per instruction set ------------------------- */

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

void alg_ist_gas_sum_sse2(const alg_ist_gas_batch *batch, size_t begin, size_t end);
void alg_ist_gas_sum_avx2(const alg_ist_gas_batch *batch, size_t begin, size_t end);

#endif
