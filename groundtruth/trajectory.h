/** The truth of a trajectory, and that of depths that a method reported along it. Both use the
 * cache. */
#ifndef GROUNDTRUTH_TRAJECTORY_H
#define GROUNDTRUTH_TRAJECTORY_H

#include "groundtruth/body/types.h"
#include "groundtruth/certificate.h"
#include "groundtruth/depth/window.h"
#include "groundtruth/distance/distance.h"
#include "groundtruth/volume/flux.h"

/**
 * Finds the truth for poses[count]. Reads the records that the cache has, and computes and adds the
 * missing ones. The key of a record is the hash of both meshes, the pose, and the method with its
 * version. So an old answer is never used for a changed input, and trajectories share the records
 * of equal frames. New answers are written every few seconds. Several processes may use one cache
 * at a time.
 *
 * want: mask of GT_WANT_*. A quantity that none of the methods answers is not asked. A wanted force
 * implies the volume. The results of one query are one record, so a force costs no more than the
 * volume.
 *
 * Each answer is checked by itself: brackets are finite and in range, flux finds no contradiction,
 * the tetrahedra fill the bodies, and B is out of A after a move by the depth. gt_certify then
 * compares methods and quantities. A frame whose check fails is not certified; other frames are not
 * affected.
 *
 * If a body is not convex, the depth is that of places alone, if this method is asked. For convex
 * bodies, places is left out unless methods were chosen and hull and edges are not both among them:
 * its brackets are too wide to confirm either. If TetGen refuses a body, the methods that need
 * tetrahedra are left out, as long as each quantity has another method. The volume is then that of
 * flux alone, with certificate 1, and gt_body_refusal returns the reason. Frames whose answers are
 * in the cache keep them.
 *
 * Shapes   truths: count entries, filled. options may be NULL.
 * Errors   BASE_ERR_INPUT if a volume, a depth or a force is wanted and a body is not a solid, or
 *          if a depth is wanted, a body is not convex and places is not asked; those of
 *          gt_bodies_tetrahedralise if a quantity has no other method; BASE_ERR_SYSTEM if the cache
 *          cannot be written, or "interrupted" if progress or `interrupted` requests it;
 *          BASE_ERR_MEMORY. A damaged cache file is not an error: its records are computed again.
 */
base_status gt_trajectory_truth(gt_body *a, gt_body *b, const geo_pose *poses, size_t count,
                                unsigned want, const gt_options *options, gt_truth *truths,
                                base_error *err) BASE_MUST_CHECK;

/* --- Reported depths -------------------------------------------------------------------------- */

/** A report that B is out of A after a move by depth_m along a direction, and its judgement. */
typedef struct gt_escape {
    /** first_m and clear_m of gt_separation_query along the direction. */
    gt_bracket needed_m, clear_m;
    /** Volume of the overlap before and after the move. after / before is the share that
     * remains. */
    gt_bracket before_m3, after_m3;
    gt_bracket gap_m; /* distance after the move; 0 if the move is too short */
} gt_escape;

/**
 * Judges a reported escape: a direction and depth_m. Works for any two solids. If the bodies are
 * apart before the move, all brackets are GT_NONE.
 *
 * direction: not 0; its length is ignored.
 * depth_m: finite; may be 0 or negative.
 * space: belongs to the calling thread.
 * Errors   those of gt_flux_query.
 * Cost     that of gt_separation_query, 15 ms for two meshes of 60,000 triangles; the rest takes
 *          only 2 ms of this.
 */
base_status gt_escape_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                            vec3 direction, double depth_m, gt_flux_space *space, gt_escape *result,
                            base_error *err) BASE_MUST_CHECK;

/** A reported depth of a frame: B is out of A after a move by depth_m along the direction. */
typedef struct gt_reported_depth {
    vec3 direction; /* length is ignored; 0: no depth was reported */
    double depth_m; /* NAN: no depth was reported */
} gt_reported_depth;

/**
 * Judges one reported depth per frame (gt_escape_query) at poses[count], with the threads of the
 * options. Answers are read from the cache; missing ones are computed and added to it. Interrupts
 * and progress work as in gt_trajectory_truth. If no depth was reported, or if one of its numbers
 * is not finite, all brackets are GT_NONE. The hulls of convex bodies are made first, so that the
 * result does not depend on earlier queries.
 *
 * Shapes   ways, escapes: count entries; escapes are filled. options may be NULL.
 * Errors   BASE_ERR_INPUT if a body is not a solid; BASE_ERR_SYSTEM if the cache cannot be written,
 *          or "interrupted"; BASE_ERR_MEMORY.
 */
base_status gt_escapes(gt_body *a, gt_body *b, const geo_pose *poses, const gt_reported_depth *ways,
                       size_t count, const gt_options *options, gt_escape *escapes,
                       base_error *err) BASE_MUST_CHECK;

/** A reported depth of a window: inside the window, B is out of A after a move by depth_m. A frame
 * may have many windows. */
typedef struct gt_reported_window {
    size_t frame;
    gt_window window;
    double depth_m;
} gt_reported_window;

/**
 * Judges reported windows (gt_window_query), each at the pose of its frame, in the same way as
 * gt_escapes. All brackets are GT_NONE if the depth is not finite or the window is invalid: not
 * finite, without area, or with directions whose length differs from 1, or whose cosines differ
 * from 0, by more than 1e-6.
 *
 * Shapes   windows, truths: count entries; truths are filled. poses: one per frame. options may be
 *          NULL.
 * Errors   BASE_ERR_SYSTEM if the cache cannot be written, or "interrupted"; BASE_ERR_MEMORY.
 */
base_status gt_windows(const gt_body *a, const gt_body *b, const geo_pose *poses,
                       const gt_reported_window *windows, size_t count, const gt_options *options,
                       gt_window_truth *truths, base_error *err) BASE_MUST_CHECK;

#endif
