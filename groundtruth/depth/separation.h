/** The distance that a body has to move along a direction to be out of another one. */
#ifndef GROUNDTRUTH_SEPARATION_H
#define GROUNDTRUTH_SEPARATION_H

#include "groundtruth/distance/distance.h"

typedef struct gt_separation {
    gt_bracket first_m; /* the smallest translation that separates; {0, 0} when apart */
    gt_bracket clear_m; /* the smallest one after which the bodies stay apart for ever */
    uint64_t pair_tests;
} gt_separation;

/**
 * Computes how far B has to move along a direction to be out of A, for any two bodies. first_m is
 * the end of the stretch of translations from 0 on over which the bodies overlap or contain one
 * another. Behind it there is clearance, but the bodies may collide again farther on. clear_m is
 * the end of the last contact along the direction. It may be positive for bodies that are apart, if
 * one is in the way of the other.
 *
 * Each bracket holds for either convention, whether merely touching bodies count as separated or
 * not: lo is from contacts deeper than 64 eps s, hi from those shallower than minus that, with s as
 * in gt_distance_query. The bracket is therefore as narrow as rounding allows, but wide where
 * bodies slide along each other or stand flush, by the length of that contact. For two bodies with
 * hulls (gt_body_make_hull) first_m is that of the interiors, from the Minkowski difference, and is
 * narrow there as well, down to a depth of the slack.
 *
 * direction: not 0; its length is ignored.
 * Memory   no allocation.
 * Cost     10 to 50 ms for two meshes of 60,000 triangles.
 */
void gt_separation_query(const gt_body *a, const gt_body *b, const geo_pose *pose, vec3 direction,
                         gt_separation *result);

/* --- The part, for tests ---------------------------------------------------------------------- */

/** An interval [from, to] of translation lengths; empty if from > to. */
typedef struct gt_interval {
    double from, to;
} gt_interval;

/**
 * Returns the translations t for which a and b + t u share a point. widen > 0: or are nearer than
 * about widen; certainly if they are nearer along every axis. widen < 0: only if they overlap by
 * more than -widen. u: unit. The line t u intersects the Minkowski difference of the triangles, a
 * convex body whose facet normals are among some twenty axes; each axis restricts the line to a
 * slab.
 */
gt_interval gt_contact_interval(const geo_triangle *a, const geo_triangle *b, vec3 u, double widen);

#endif
