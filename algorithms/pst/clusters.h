/**
 * Clusters of points, and clusters of those, up to a few: the levels of a point-sphere tree.
 *
 * Source   PST 2, figure 1 (b); balanced: this suite's.
 */
#ifndef ALGORITHMS_PST_CLUSTERS_H
#define ALGORITHMS_PST_CLUSTERS_H

#include "algorithms/pst/tree.h"

/** Clusters of items: of points on level 0, of the clusters of the level below on the others. */
typedef struct alg_pst_level {
    uint32_t count;  /* of clusters */
    uint32_t *items; /* each once; those of cluster i from begin[i] to begin[i + 1] - 1, */
    uint32_t *begin; /* at most ALG_PST_WIDTH of them, the one that has its head first */
    uint32_t *heads; /* the point that stands for it: of its items' the nearest to their mean */
} alg_pst_level;

typedef struct alg_pst_levels {
    alg_pst_level level[ALG_PST_DEPTH_MOST];
    uint32_t count; /* of levels; the last one has at most ALG_PST_WIDTH clusters */
} alg_pst_levels;

/**
 * Shapes   points: one or more; any, also all at the same place.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 16 bytes a point; scratch outside of it.
 * Cost     O(n log n), of neighbours about 2 us a point, balanced 0.2; the same for any number of
 *          threads.
 */
base_status alg_pst_levels_build(const vec3 *points, uint32_t count, alg_pst_clusters clusters,
                                 base_arena *arena, alg_pst_levels *levels,
                                 base_error *err) BASE_MUST_CHECK;

#endif
