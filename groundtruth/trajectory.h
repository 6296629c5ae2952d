/** Truth of a trajectory, cached. */
#ifndef GROUNDTRUTH_TRAJECTORY_H
#define GROUNDTRUTH_TRAJECTORY_H

#include "groundtruth/body/types.h"
#include "groundtruth/certificate.h"

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

#endif
