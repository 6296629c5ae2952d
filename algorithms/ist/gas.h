/**
 * Batch neural gas with magnification control: prototypes that spread over weighted points.
 *
 * Source   IST III-B, equations 1 to 3.
 */
#ifndef ALGORITHMS_IST_GAS_H
#define ALGORITHMS_IST_GAS_H

#include "geometry/vec.h"

#include <stddef.h>

enum {
    ALG_IST_BRANCHING_MAX = 16, /* children of a node, and so prototypes, at most */
    ALG_IST_GAS_STEPS = 50,     /* batches at most */
};

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

/** What the runs for all nodes of a tree have in common. */
typedef struct alg_ist_gas {
    uint32_t branching; /* prototypes: 2, 4, 8 or 16 */
    bool fixed;         /* run for all steps; otherwise until the prototypes rest */
    bool avx2;          /* base_cpu_avx2() */
    double influence[ALG_IST_GAS_STEPS]; /* alg_ist_gas_influence at each step */
} alg_ist_gas;

alg_ist_gas alg_ist_gas_make(uint32_t branching, bool fixed);

/**
 * h(1) = exp(-1 / lambda) at a step t, with lambda(t) = lambda_0 (0.01 / lambda_0)^(t / t_max),
 * lambda_0 = branching / 2 and t_max = ALG_IST_GAS_STEPS. h(k) = exp(-k / lambda) is its kth power.
 *
 * Source   IST III-B.
 */
double alg_ist_gas_influence(uint32_t branching, uint32_t step);

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

/** Places the prototypes: draws them from the points, then batches until they rest. */
void alg_ist_gas_run(const alg_ist_gas *gas, const alg_ist_points *points, uint64_t seed,
                     unsigned threads, vec3 *prototypes);

/* --- Between gas.c and gas_isa.c -------------------------------------------------------------- */

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
