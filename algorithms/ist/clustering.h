/**
 * How the leaves of a node are divided among its children.
 *
 * Source   IST III-B.
 */
#ifndef ALGORITHMS_IST_CLUSTERING_H
#define ALGORITHMS_IST_CLUSTERING_H

#include "algorithms/ist/gas.h"

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

#endif
