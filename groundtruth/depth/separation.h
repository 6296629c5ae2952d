/** The distance that a body has to move along a direction to be out of another one. */
#ifndef GROUNDTRUTH_SEPARATION_H
#define GROUNDTRUTH_SEPARATION_H

#include "groundtruth/distance/distance.h"

typedef struct gt_separation {
    gt_bracket first_m; /* the smallest translation that separates; {0, 0} when apart */
    gt_bracket clear_m; /* the smallest translation from which on the bodies stay apart */
    uint64_t pair_tests;
} gt_separation;

/**
 * Computes how far B has to move along a direction to be out of A, for any two bodies.
 *
 * first_m is the end of the first stretch of translations, from 0 on, over which the bodies overlap
 * or one contains the other. Just behind this end the bodies are apart, but they may collide again
 * farther on. clear_m is the end of the last contact along the direction. It may be positive for
 * bodies that are apart, if one is in the way of the other.
 *
 * Each bracket holds whether or not merely touching bodies count as separated. Let e = 64 eps s,
 * with s as in gt_distance_query. For the lower end, only triangles that overlap by more than e are
 * in contact. For the upper end, triangles that are apart by at most e are in contact as well. So
 * the bracket is as narrow as rounding allows. But if bodies slide along each other, or faces lie
 * in one plane, it is as wide as that contact is long. For two bodies with hulls
 * (gt_body_make_hull), first_m is computed from the Minkowski difference and is that of the
 * interiors. It is then narrow in these cases, too, but begins at 0 if the depth is no larger than
 * gt_depth_slack.
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
 * Returns the translations t for which a and b + t u share a point; u is a unit vector. If widen >
 * 0, it also returns translations at which a and b + t u are nearer than about widen. It certainly
 * returns those at which their projections on every axis of the test are nearer than widen. If
 * widen < 0, it returns only those at which they overlap by more than -widen.
 *
 * The points t u are a line. The interval is where this line intersects the Minkowski difference of
 * the triangles. This is a convex body whose facet normals are among twenty axes. Each axis
 * restricts the line to a slab.
 */
gt_interval gt_contact_interval(const geo_triangle *a, const geo_triangle *b, vec3 u, double widen);

#endif
