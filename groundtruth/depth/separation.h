/** How far a body has to move along a direction to be out of another one. */
#ifndef GROUNDTRUTH_SEPARATION_H
#define GROUNDTRUTH_SEPARATION_H

#include "groundtruth/distance/distance.h"

typedef struct gt_separation {
    gt_bracket first_m; /* the smallest translation that separates; {0, 0} when apart */
    gt_bracket clear_m; /* the smallest after which the bodies stay apart for ever */
    uint64_t pair_tests;
} gt_separation;

/**
 * How far B has to move along a direction to be out of A, for any two bodies. first_m is the end of
 * the stretch of translations from 0 on over which the bodies overlap, contained ones included:
 * with clearance behind, they may collide again farther on. clear_m is the end of the last contact
 * along the direction, which bodies that are apart have too when one is on the other's way.
 *
 * Each bracket holds the answer whether bodies that merely touch count as separated or not: lo is
 * from contacts deeper than 64 eps s, hi from those shallower than minus that, s as
 * gt_distance_query has it. So it is as narrow as rounding allows, but wide where bodies slide
 * along each other or stand flush, as long as that lasts. For two bodies that have hulls
 * (gt_body_make_hull) first_m is that of the interiors, from the Minkowski difference, and narrow
 * there too, down to a depth of the slack.
 *
 * direction: not 0; its length does not matter.
 * Memory   no allocation.
 * Cost     10 to 50 ms for two meshes of 60,000 triangles.
 */
void gt_separation_query(const gt_body *a, const gt_body *b, const geo_pose *pose, vec3 direction,
                         gt_separation *result);

/* --- The part, for tests ---------------------------------------------------------------------- */

/** Lengths of translation [from, to]; empty when from > to. */
typedef struct gt_interval {
    double from, to;
} gt_interval;

/**
 * The translations t such that a and b + t u share a point. widen > 0: or are nearer than about
 * that, for sure when nearer along every axis; widen < 0: only when they share more than that.
 * u: unit. The line meets the Minkowski difference of the triangles, a convex body, whose facets
 * are among some twenty axes: each cuts the line to a slab.
 */
gt_interval gt_contact_interval(const geo_triangle *a, const geo_triangle *b, vec3 u, double widen);

#endif
