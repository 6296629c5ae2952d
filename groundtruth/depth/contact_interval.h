/** When a triangle that moves along a line is in contact with another one. */
#ifndef GROUNDTRUTH_CONTACT_INTERVAL_H
#define GROUNDTRUTH_CONTACT_INTERVAL_H

#include "geometry/vec.h"

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
