/** The effect of a reported escape in a part of space: a column along its direction. */
#ifndef GROUNDTRUTH_WINDOW_H
#define GROUNDTRUTH_WINDOW_H

#include "groundtruth/body/types.h"

/** A closed rectangle, swept infinitely in both senses of a direction; in A's frame. */
typedef struct gt_window {
    vec3 point;          /* the middle of the rectangle */
    vec3 side_u, side_v; /* unit, at right angles to each other */
    double half_u_m, half_v_m;
    vec3 direction; /* unit, at right angles to both: the direction in which B moves */
} gt_window;

/** The effect of a translation of B along the direction of a window, in the column of the
 * window. */
typedef struct gt_window_truth {
    /** Volume of the overlap in the column before and after the translation. GT_NONE if one of the
     * bodies is not a solid. */
    gt_bracket before_m3, after_m3;
    /**
     * The end of the first stretch of translations, from 0 on, over which the surfaces share a
     * point in the column. It is 0 if they share none at first, even if one body is inside the
     * other there.
     */
    gt_bracket needed_m;
} gt_window_truth;

/**
 * Judges a translation of B by depth_m along the direction of a window.
 *
 * Volumes are V +- (1e-11 V + 64 eps s A). A is the area of A's surface in the column or that of
 * B's, whichever is smaller. s is that of gt_volume_query, plus the distance of the window from the
 * origin of A's frame, plus |depth_m|. needed_m holds whether or not surfaces that merely touch
 * count as meeting (as first_m of gt_separation_query does), and whether or not the sides of the
 * column belong to it.
 *
 * The vectors of the window need not be exact. The query normalises direction, takes the part of
 * side_u that is perpendicular to it, and computes the other side from these two.
 *
 * depth_m: finite.
 * Errors   BASE_ERR_MEMORY.
 * Memory   scratch.
 * Cost     linear in the number of triangles of both bodies, and in the number of pairs of them
 *          that lie above each other in the column, seen along the direction: 20 to 80 ms for two
 *          meshes of 60,000 triangles.
 */
base_status gt_window_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                            const gt_window *window, double depth_m, gt_window_truth *result,
                            base_error *err) BASE_MUST_CHECK;

#endif
