/**
 * Distance and volume from the same trees, each with a bracket.
 *
 * Distance  Each surface lies in its surface voxels, and the ball of a voxel encloses the voxel. So
 *           no two points of the surfaces are nearer to each other than the nearest pair of balls.
 *           The gap of this pair, |c_a - c_b| - r_a - r_b, is the lower end of the bracket. Each
 *           surface voxel has a point of the surface, and a full voxel has its centre. The nearest
 *           pair of these points that is found is the witness; its distance is the upper end and
 *           the answer. If solids overlap (fill=solid), the balls of some of their voxels meet, so
 *           the lower end is 0. If a full voxel of one body holds a point of the other, the answer
 *           is 0. If the lower end is 0, the search ends when the upper end is at most half a
 *           voxel's edge, of the body with the smaller voxels. A pair of nodes is skipped if the
 *           gap of its balls is at least (1 - tolerance) times the upper end. The lower end is
 *           never above the gap of a skipped pair.
 * Volume    A node of B whose ball meets no ball of A's surface voxels is completely inside or
 *           completely outside of A. One lookup of A's descriptors decides this. If it is inside,
 *           its full voxels count for both ends, and its surface voxels for the upper end only. The
 *           answer counts each of these surface voxels with alg_imp_body.fill_share. Voxels of B
 *           whose balls meet those of A's surface voxels count for the upper end only. The answer
 *           counts each of them with the share of the voxel that is behind the planes of A's patch
 *           and of B's own patch. Without a patch of A, and for nodes at a level stop, A's share is
 *           1 if the centre is in a full voxel of A, 1/2 if it is in a surface voxel, and 0
 *           otherwise. Without a patch of B, B's share is fill_share. Both ends are clipped to the
 *           range that the volumes of both bodies allow.
 *
 * If a level stop is set, the descents of both trees end at that level: brackets become wider and
 * remain valid.
 *
 * Source   this suite; IMP computes contacts only.
 */
#ifndef ALGORITHMS_IMP_PROXIMITY_H
#define ALGORITHMS_IMP_PROXIMITY_H

#include "algorithms/imp/search.h"

typedef struct alg_imp_measure_options {
    uint32_t level;   /* level to stop at; 0: voxels */
    double tolerance; /* relative width of a distance's bracket that is accepted */
} alg_imp_measure_options;

typedef struct alg_imp_measure alg_imp_measure;

/** Creates a measure. Errors: BASE_ERR_MEMORY. Memory: arena, 4 MB and 8 bytes per node of B. */
base_status alg_imp_measure_create(const alg_imp_pair *pair, const alg_imp_measure_options *options,
                                   base_arena *arena, alg_imp_measure **measure,
                                   base_error *err) BASE_MUST_CHECK;

/**
 * Fills distance, witness (in A's frame) and bracket, and sets `colliding` if the distance is 0.
 * Adds to counters[ALG_IMP_COUNT_TESTS] and counters[ALG_IMP_COUNT_NODES].
 */
void alg_imp_measure_distance(alg_imp_measure *measure, const geo_pose *pose, alg_answer *answer);

/**
 * Fills volume and bracket, and sets `colliding` if the lower end is above 0. Both bodies have
 * fill=solid. Adds to the same counters.
 */
void alg_imp_measure_volume(alg_imp_measure *measure, const geo_pose *pose, alg_answer *answer);

#endif
