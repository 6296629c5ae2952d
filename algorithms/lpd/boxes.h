/** Stage 2: boxes around curves by principal components; curves whose boxes are near become one
 * region. */
#ifndef ALGORITHMS_LPD_BOXES_H
#define ALGORITHMS_LPD_BOXES_H

#include "algorithms/lpd/patch.h"

/** An oriented box. */
typedef struct alg_lpd_box {
    vec3 centre;
    /** Unit, right-handed: eigenvectors of the covariance, the largest eigenvalue first. Of the
     * first and the third the component that is largest in absolute value is positive, unless the
     * third one was given. */
    vec3 axis[3];
    double half[3]; /* >= 0 */
} alg_lpd_box;

/** A way out of a region. */
typedef struct alg_lpd_way {
    vec3 direction; /* unit: that in which B moves */
    double depth_m; /* >= 0; infinity where nothing is seen that B would have to pass */
} alg_lpd_way;

/** Curves that are one region. */
typedef struct alg_lpd_group {
    uint32_t first, count; /* of alg_lpd_groups.curves */
    alg_lpd_box box;
    alg_lpd_patch patch; /* of all curves, about the box's centre */
    bool closed;         /* all of its curves are */
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

/** For as many segments at most. Errors: BASE_ERR_MEMORY. Memory: arena, some 400 bytes a segment.
 */
base_status alg_lpd_groups_create(uint32_t segments_max, base_arena *arena, alg_lpd_groups *groups,
                                  base_error *err) BASE_MUST_CHECK;

/**
 * Merges any two whose boxes are nearer than eps_m, which is finite, and fits a new box to both,
 * until none are left. Groups are in the order of the least curve in each. eps_m <= 0: no two are
 * merged.
 *
 * Curves come in one after the other. The group that is new, or has just got its box, takes in the
 * first group, by its least curve, that is near; when there is none, the next curve comes. So no
 * two are ever near but for the one that looks. A new box need not hold the two old ones: another
 * order may end in other groups.
 *
 * Source   LPD 3; the box as in Gottschalk1996, from the covariance of the endpoints.
 * Memory   no allocation.
 * Cost     n curves: n fits of about 2 us. Looks at enclosing boxes: n^2 / 64 where curves that
 *          follow each other are near, n^2 / 2 at worst. Each merge looks at the curves of both,
 *          and at the endpoints of those that are not deep inside the new box. 1,000 curves take 2
 *          ms apart and 6 to 8 ms where all become one; 20,000 take 0.04 to 0.8 s.
 */
void alg_lpd_groups_merge(const alg_lpd_segments *segments, const alg_lpd_curves *curves,
                          double eps_m, alg_lpd_groups *groups);

/** The mean length of all segments; 0 without one. */
double alg_lpd_mean_length(const alg_lpd_segments *segments);

/**
 * The box around a group's endpoints whose third axis is n (unit): its first two are the principal
 * components of the endpoints as they are seen along n.
 */
alg_lpd_box alg_lpd_box_along(const alg_lpd_segments *segments, const alg_lpd_curves *curves,
                              const alg_lpd_groups *groups, const alg_lpd_group *group, vec3 n);

/** The box with a window that is larger by as much on all sides. */
alg_lpd_box alg_lpd_box_grown(const alg_lpd_box *box, double by_m);

/** The same box, looked at along its third axis reversed. */
alg_lpd_box alg_lpd_box_turned(const alg_lpd_box *box);

/**
 * The distance of two closed boxes; 0 where they share a point. The error, also for flat boxes, is
 * a few eps of their sizes and of their distance. The same bits when a and b are swapped.
 */
double alg_lpd_box_distance(const alg_lpd_box *a, const alg_lpd_box *b);

#endif
