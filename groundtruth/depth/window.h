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

/** The effect of a translation of B along the direction of a window, inside the window. */
typedef struct gt_window_truth {
    /** Volume of the overlap in the column before and after the move; GT_NONE if a body is not a
     * solid. */
    gt_bracket before_m3, after_m3;
    /**
     * The end of the stretch of translations from 0 on over which the surfaces share a point in the
     * column. 0 if they do not meet, also if one body fills the column inside the other.
     */
    gt_bracket needed_m;
} gt_window_truth;

/**
 * Judges a move of B by depth_m along the direction of a window.
 *
 * Volumes are V +- (1e-11 V + 64 eps s (smaller area of the surfaces in the column)), with s as in
 * gt_volume_query, including the place of the window. needed_m holds for either convention, whether
 * merely touching surfaces count as meeting or not, as first_m of gt_separation_query does, and at
 * the sides of the column as well. Errors of the directions in length and angle are corrected,
 * direction before side_u before side_v.
 *
 * depth_m: finite.
 * Errors   BASE_ERR_MEMORY.
 * Memory   scratch.
 * Cost     linear in the triangles of both bodies, and in the pairs of them in the column that lie
 *          on top of each other, seen along the direction: 20 to 80 ms for two meshes of 60,000
 *          triangles.
 */
base_status gt_window_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                            const gt_window *window, double depth_m, gt_window_truth *result,
                            base_error *err) BASE_MUST_CHECK;

#endif
