/** Truth of a trajectory, and of the depths that a method reported along it; cached. */
#ifndef GROUNDTRUTH_TRAJECTORY_H
#define GROUNDTRUTH_TRAJECTORY_H

#include "groundtruth/body/types.h"
#include "groundtruth/certificate.h"
#include "groundtruth/depth/window.h"
#include "groundtruth/distance/distance.h"
#include "groundtruth/volume/flux.h"

/**
 * Truth for poses[count], reading what the cache has and adding what it lacks. The key of a record
 * is the hash of both meshes, the pose and the method's version, so a changed input never meets
 * an old answer, and frames are shared between trajectories. What is computed is written every few
 * seconds; several processes may use one cache at a time.
 *
 * want: mask of GT_WANT_*. A quantity that none of the methods answers is not asked; with a force
 * the volume is, too. What one query finds is kept as one record, so a force costs no more than the
 * volume. The checks of a method alone: brackets are finite and in range, flux meets no
 * contradiction, the tetrahedra fill the bodies, B is out where the depth says so; gt_certify has
 * those of several quantities. A frame whose check fails is uncertified, and the others go on.
 *
 * Bodies that are not convex have their depth by places alone, if that is asked too. Convex ones
 * are spared places where hull and edges are both asked, since it brackets too widely to confirm
 * either. When TetGen
 * refuses a body and flux is asked too, the volume is by flux alone, certificate 1, and
 * gt_body_refusal tells why.
 *
 * Shapes   truths: count entries, filled. options may be NULL.
 * Errors   BASE_ERR_INPUT if volume, depth or a force is wanted and a body is not a solid, or depth
 *          by hull alone and one is not convex; those of gt_body_tetrahedralise without flux;
 *          BASE_ERR_SYSTEM for a cache that cannot be written, or "interrupted" when progress or
 *          `interrupted` says so; BASE_ERR_MEMORY. A damaged cache file is recomputed, not trusted.
 */
base_status gt_trajectory_truth(gt_body *a, gt_body *b, const geo_pose *poses, size_t count,
                                unsigned want, const gt_options *options, gt_truth *truths,
                                base_error *err) BASE_MUST_CHECK;

/* --- Reported depths -------------------------------------------------------------------------- */

/** A translation of B by depth_m along a direction, reported as the way out of A. */
typedef struct gt_escape {
    /** Along the direction: first_m and clear_m of gt_separation_query. */
    gt_bracket needed_m, clear_m;
    /** Of the overlap. after / before is the share of it that is left. */
    gt_bracket before_m3, after_m3;
    gt_bracket gap_m; /* distance after it: 0 where it is not enough */
} gt_escape;

/**
 * Judges the answer (direction, depth_m), for any two solids. Nothing can be said of bodies that
 * are apart before: all brackets are GT_NONE then.
 *
 * direction: not 0; its length does not matter. depth_m: finite, and may be 0 or below.
 * space: of the calling thread.
 * Errors   those of gt_flux_query.
 * Cost     that of gt_separation_query: 15 ms for two meshes of 60,000 triangles, of which all else
 *          takes 2 ms.
 */
base_status gt_escape_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                            vec3 direction, double depth_m, gt_flux_space *space, gt_escape *result,
                            base_error *err) BASE_MUST_CHECK;

/** A reported depth of a frame: B moved by depth_m along the direction is out of A. */
typedef struct gt_reported_depth {
    vec3 direction; /* its length does not matter; 0: no depth was reported */
    double depth_m; /* NAN: no depth was reported */
} gt_reported_depth;

/**
 * Judges one reported depth per frame (gt_escape_query) at poses[count], on the threads of the
 * options. Answers come from the cache; missing ones are computed and added to it. Interruption and
 * progress work as in gt_trajectory_truth. All brackets are GT_NONE where no depth was reported, or
 * where a number of it is not finite.
 * The hulls of convex bodies are prepared first, so that the result does not depend on earlier
 * queries.
 *
 * Shapes   ways, escapes: count entries, escapes are filled. options may be NULL.
 * Errors   BASE_ERR_INPUT if a body is not a solid; BASE_ERR_SYSTEM for a cache that cannot be
 *          written, or "interrupted"; BASE_ERR_MEMORY.
 */
base_status gt_escapes(gt_body *a, gt_body *b, const geo_pose *poses, const gt_reported_depth *ways,
                       size_t count, const gt_options *options, gt_escape *escapes,
                       base_error *err) BASE_MUST_CHECK;

/** A reported depth of a window: B moved by depth_m is out of A in the window. A frame may have
 * many. */
typedef struct gt_reported_window {
    size_t frame;
    gt_window window;
    double depth_m;
} gt_reported_window;

/**
 * Judges reported windows (gt_window_query), each at the pose of its frame, as gt_escapes does. All
 * brackets are GT_NONE where a window is invalid (not finite, without area, or with directions that
 * miss unit length or right angles by more than 1e-6), or where the depth is not finite.
 *
 * Shapes   windows, truths: count entries, truths are filled; poses: by frame. options may be NULL.
 * Errors   BASE_ERR_SYSTEM for a cache that cannot be written, or "interrupted"; BASE_ERR_MEMORY.
 */
base_status gt_windows(const gt_body *a, const gt_body *b, const geo_pose *poses,
                       const gt_reported_window *windows, size_t count, const gt_options *options,
                       gt_window_truth *truths, base_error *err) BASE_MUST_CHECK;

#endif
