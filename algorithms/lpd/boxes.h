/** Stage 2: boxes around curves by principal components. Curves whose boxes are near each other are
 * merged into one region. */
#ifndef ALGORITHMS_LPD_BOXES_H
#define ALGORITHMS_LPD_BOXES_H

#include "algorithms/lpd/curves.h"

/** An oriented box. */
typedef struct alg_lpd_box {
    vec3 centre;
    /**
     * Unit vectors, right-handed. In the box of a group they are the eigenvectors of the
     * covariance, in descending order of the eigenvalues; in the first and the third axis, the
     * component with the largest absolute value is positive. alg_lpd_box_along and
     * alg_lpd_box_turned return other axes.
     */
    vec3 axis[3];
    double half[3]; /* >= 0 */
} alg_lpd_box;

/** Direction and length of a translation out of a region. */
typedef struct alg_lpd_translation {
    vec3 direction; /* unit: the direction in which B moves */
    double depth_m; /* >= 0; infinity if no surface is known that B has to pass */
} alg_lpd_translation;

/** A region: curves that were merged. */
typedef struct alg_lpd_group {
    uint32_t first, count; /* indices of alg_lpd_groups.curves */
    alg_lpd_box box;
    alg_lpd_patch patch; /* of all curves, about the box's centre */
    bool closed;         /* true if all of its curves are closed */
    bool longer; /* true if the axis of the least eigenvalue is not the shortest side of the box */
} alg_lpd_group;

typedef struct alg_lpd_groups {
    alg_lpd_group *items;
    uint32_t count;
    uint32_t *curves;     /* curve numbers, grouped, ascending within a group */
    uint64_t merge_count; /* number of merges of two groups */
    uint64_t tests;       /* number of computed distances of two boxes */
    struct alg_lpd_groups_space *space;
} alg_lpd_groups;

/**
 * Allocates room for segments_max segments. Errors: BASE_ERR_MEMORY. Memory: arena, some 400 bytes
 * per segment.
 */
base_status alg_lpd_groups_create(uint32_t segments_max, base_arena *arena, alg_lpd_groups *groups,
                                  base_error *err) BASE_MUST_CHECK;

/**
 * Merges groups of curves whose boxes are nearer to each other than eps_m, and fits a new box to
 * the merged curves, until no two boxes are that near. Groups are listed in the order of their
 * least curve numbers. eps_m is finite. If eps_m <= 0, no groups are merged.
 *
 * Curves are added one after the other. Each new curve starts as the current group. The current
 * group is merged with the first near group, in the order of their least curve numbers, and gets a
 * new box. This is repeated until no group is near; then the next curve is added. So at any time
 * only the current group can be near another one. The new box does not always contain the two old
 * ones, so another order of curves may result in other groups.
 *
 * Source   LPD 3; the box as in Gottschalk1996, from the covariance of the endpoints.
 * Memory   no allocation.
 * Cost     n curves take n fits of about 2 us. Axis-aligned bounds are tested n^2 / 64 times if
 *          curves with near numbers are near each other, and n^2 / 2 times at worst. Each merge
 *          visits the curves of both groups, and the endpoints of those curves whose ball is not
 *          inside the new box. 1,000 curves take 2 ms if no groups merge and 6 to 8 ms if all merge
 *          into one; 20,000 take 0.04 to 0.8 s.
 */
void alg_lpd_groups_merge(const alg_lpd_segments *segments, const alg_lpd_curves *curves,
                          double eps_m, alg_lpd_groups *groups);

/** Returns the mean length of all segments, 0 if there are no segments. */
double alg_lpd_mean_length(const alg_lpd_segments *segments);

/**
 * Returns the box around a group's endpoints whose third axis is n (unit). Its first two axes are
 * the principal components of the endpoints projected along n.
 */
alg_lpd_box alg_lpd_box_along(const alg_lpd_segments *segments, const alg_lpd_curves *curves,
                              const alg_lpd_groups *groups, const alg_lpd_group *group, vec3 n);

/** Returns the box with a window that is larger by by_m on all four sides. */
static inline alg_lpd_box alg_lpd_box_grown(const alg_lpd_box *box, double by_m)
{
    alg_lpd_box grown = *box;
    grown.half[0] += by_m;
    grown.half[1] += by_m;
    return grown;
}

/** Returns the same box with its second and third axes reversed. */
static inline alg_lpd_box alg_lpd_box_turned(const alg_lpd_box *box)
{
    alg_lpd_box turned = *box;
    turned.axis[1] = vec3_scale(-1, box->axis[1]);
    turned.axis[2] = vec3_scale(-1, box->axis[2]);
    return turned;
}

/**
 * Returns the distance of two closed boxes, 0 if they share a point. The error, also for flat
 * boxes, is a few eps of their sizes and of their distance. Swapping a and b does not change any
 * bit of the result.
 */
double alg_lpd_box_distance(const alg_lpd_box *a, const alg_lpd_box *b);

#endif
