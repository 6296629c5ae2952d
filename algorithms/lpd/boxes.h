/** Stage 2: boxes around curves by principal components; curves whose boxes are near become one region. */
#ifndef ALGORITHMS_LPD_BOXES_H
#define ALGORITHMS_LPD_BOXES_H

#include "algorithms/lpd/curves.h"

/** An oriented box. */
typedef struct alg_lpd_box {
    vec3 centre;
    vec3 axis
        [3]; /* unit, right-handed: eigenvectors of the covariance, the largest eigenvalue first */
    double half[3]; /* >= 0 */
} alg_lpd_box;

/** Curves that are one region. */
typedef struct alg_lpd_group {
    uint32_t first, count; /* of alg_lpd_groups.curves */
    alg_lpd_box box;
    vec3
        area; /* the vector area of its curves, whatever surface they bound; towards where B gets out */
    bool closed; /* all of its curves are */
    bool longer; /* the eigenvector of the least eigenvalue is not the shortest side of the box */
} alg_lpd_group;

typedef struct alg_lpd_groups {
    alg_lpd_group *items;
    uint32_t count;
    uint32_t *curves; /* numbers of curves, those of a group behind each other in rising order */
    uint64_t merge_count; /* two that have become one */
    uint64_t tests;       /* of distances of boxes */
    struct alg_lpd_groups_space *space;
} alg_lpd_groups;

/** For as many segments at most. Errors: BASE_ERR_MEMORY. Memory: arena. */
base_status alg_lpd_groups_create(uint32_t segments_max, base_arena *arena, alg_lpd_groups *groups,
                                  base_error *err) BASE_MUST_CHECK;

/**
 * Merges any two whose boxes are nearer than eps_m, and fits a new box to both, until none are left. Groups are in the
 * order of the least curve in each. eps_m <= 0: no two are merged.
 *
 * Source   LPD 3; the box as in Gottschalk1996, from the covariance of the endpoints.
 * Memory   no allocation.
 */
void alg_lpd_groups_merge(const alg_lpd_segments *segments, const alg_lpd_curves *curves,
                          double eps_m, alg_lpd_groups *groups);

/** The mean length of all segments; 0 without one. */
double alg_lpd_mean_length(const alg_lpd_segments *segments);

/**
 * The box around a group's endpoints whose third axis is n (unit): its first two are the principal components of
 * the endpoints as they are seen along n.
 */
alg_lpd_box alg_lpd_box_along(const alg_lpd_segments *segments, const alg_lpd_curves *curves,
                              const alg_lpd_groups *groups, const alg_lpd_group *group, vec3 n);

/** Of two boxes, which are closed: 0 where they share a point. */
double alg_lpd_box_distance(const alg_lpd_box *a, const alg_lpd_box *b);

#endif
