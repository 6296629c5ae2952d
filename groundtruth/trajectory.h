/** Truth of a trajectory, and of the depths that a method reported along it; cached. */
#ifndef GROUNDTRUTH_TRAJECTORY_H
#define GROUNDTRUTH_TRAJECTORY_H

#include "groundtruth/body/types.h"
#include "groundtruth/certificate.h"
#include "groundtruth/depth/window.h"
#include "groundtruth/distance/distance.h"
#include "groundtruth/volume/flux.h"

/**
 * Finds the truth for poses[count]. Reads the records that the cache has and adds the missing ones.
 * The key of a record is the hash of both meshes, the pose and the method's version, so a changed
 * input never matches an old answer, and trajectories share frames. New answers are written every
 * few seconds; several processes may use one cache at a time.
 *
 * want: mask of GT_WANT_*. A quantity that none of the methods answers is not asked; a force
 * includes the volume. The results of one query are kept as one record, so a force costs no more
 * than the volume. Each method is checked alone: brackets are finite and in range, flux finds no
 * contradiction, the tetrahedra fill the bodies, and B is out after a move by the depth. gt_certify
 * checks several quantities against each other. A frame whose check fails is uncertified; the other
 * frames are not affected.
 *
 * The depth of bodies that are not convex is by places alone, if that method is asked as well. For
 * convex bodies, places is skipped if hull and edges are both asked, since its brackets are too
 * wide to confirm either. If TetGen refuses a body and flux is asked as well, the volume is by flux
 * alone, with certificate 1, and gt_body_refusal returns the reason.
 *
 * Shapes   truths: count entries, filled. options may be NULL.
 * Errors   BASE_ERR_INPUT if volume, depth or a force is wanted and a body is not a solid, or depth
 *          by hull alone and a body is not convex; those of gt_body_tetrahedralise without flux;
 *          BASE_ERR_SYSTEM if the cache cannot be written, or "interrupted" if progress or
 *          `interrupted` requests it; BASE_ERR_MEMORY. A damaged cache file is not an error: its
 *          records are computed again.
 */
base_status gt_trajectory_truth(gt_body *a, gt_body *b, const geo_pose *poses, size_t count,
                                unsigned want, const gt_options *options, gt_truth *truths,
                                base_error *err) BASE_MUST_CHECK;

/* --- Reported depths -------------------------------------------------------------------------- */

/** A translation of B by depth_m along a direction, reported as an escape from A. */
typedef struct gt_escape {
    /** first_m and clear_m of gt_separation_query along the direction. */
    gt_bracket needed_m, clear_m;
    /** Volume of the overlap before and after the move. after / before is the remaining share. */
    gt_bracket before_m3, after_m3;
    gt_bracket gap_m; /* distance after the move; 0 if the move is too short */
} gt_escape;

/**
 * Judges the answer (direction, depth_m), for any two solids. For bodies that are apart before the
 * move all brackets are GT_NONE.
 *
 * direction: not 0; its length is ignored. depth_m: finite, and may be 0 or below.
 * space: belongs to the calling thread.
 * Errors   those of gt_flux_query.
 * Cost     that of gt_separation_query: 15 ms for two meshes of 60,000 triangles; everything else
 *          takes 2 ms of it.
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
 * Judges one reported depth per frame (gt_escape_query) at poses[count], on the threads of the
 * options. Answers come from the cache; missing ones are computed and added to it. Interruption and
 * progress work as in gt_trajectory_truth. All brackets are GT_NONE if no depth was reported or if
 * one of its numbers is not finite. The hulls of convex bodies are prepared first, so that the
 * result does not depend on earlier queries.
 *
 * Shapes   ways, escapes: count entries, escapes are filled. options may be NULL.
 * Errors   BASE_ERR_INPUT if a body is not a solid; BASE_ERR_SYSTEM if the cache cannot be written,
 *          or "interrupted"; BASE_ERR_MEMORY.
 */
base_status gt_escapes(gt_body *a, gt_body *b, const geo_pose *poses, const gt_reported_depth *ways,
                       size_t count, const gt_options *options, gt_escape *escapes,
                       base_error *err) BASE_MUST_CHECK;

/** A reported depth of a window: B is out of A in the window after a move by depth_m. A frame
 * may have many windows. */
typedef struct gt_reported_window {
    size_t frame;
    gt_window window;
    double depth_m;
} gt_reported_window;

/**
 * Judges reported windows (gt_window_query), each at the pose of its frame, in the way of
 * gt_escapes. All brackets are GT_NONE if a window is invalid (not finite, without area, or with
 * directions that differ from unit length or right angles by more than 1e-6) or if the depth is not
 * finite.
 *
 * Shapes   windows, truths: count entries, truths are filled; poses: by frame. options may be NULL.
 * Errors   BASE_ERR_SYSTEM if the cache cannot be written, or "interrupted"; BASE_ERR_MEMORY.
 */
base_status gt_windows(const gt_body *a, const gt_body *b, const geo_pose *poses,
                       const gt_reported_window *windows, size_t count, const gt_options *options,
                       gt_window_truth *truths, base_error *err) BASE_MUST_CHECK;

#endif
