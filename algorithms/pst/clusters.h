/**
 * Clusters of points, and clusters of clusters, until few remain: the levels of a point-sphere
 * tree.
 *
 * Source   PST 2, figure 1 (b); balanced clusters are this suite's addition.
 */
#ifndef ALGORITHMS_PST_CLUSTERS_H
#define ALGORITHMS_PST_CLUSTERS_H

#include "algorithms/pst/tree.h"

/** Clusters of items. The items are points on level 0, and the clusters of the level below
 * elsewhere. */
typedef struct alg_pst_level {
    uint32_t count;  /* number of clusters */
    uint32_t *items; /* each once; cluster i has items begin[i] to begin[i + 1] - 1, */
    uint32_t *begin; /* at most ALG_PST_WIDTH; the item with the cluster's head is first */
    uint32_t *heads; /* representative point of each cluster: the item's head nearest to their
                        mean */
} alg_pst_level;

typedef struct alg_pst_levels {
    alg_pst_level level[ALG_PST_DEPTH_MOST];
    uint32_t count; /* number of levels; the last one has at most ALG_PST_WIDTH clusters */
} alg_pst_levels;

/**
 * Builds all levels of clusters.
 *
 * Shapes   points: one or more; any positions, also all equal.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 16 bytes a point; scratch outside of it.
 * Cost     O(n log n): about 2 us a point for neighbours, 0.2 for balanced. The result is the same
 *          for any number of threads.
 */
base_status alg_pst_levels_build(const vec3 *points, uint32_t count, alg_pst_clusters clusters,
                                 base_arena *arena, alg_pst_levels *levels,
                                 base_error *err) BASE_MUST_CHECK;

#endif
