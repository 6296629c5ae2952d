/**
 * Distance and volume from the same trees, each with a bracket.
 *
 * Distance  Each surface lies in its surface voxels, whose balls enclose them. So no pair of points
 *           is nearer than the nearest pair of balls, |c_a - c_b| - r_a - r_b, which is the lower
 *           end. Each surface voxel has a point of the surface: the nearest pair of points found is
 *           the upper end, the answer, and its witness. Solids that overlap (fill=solid) have full
 *           or surface voxels that meet: then the lower end is 0, and the answer is 0 if a full
 *           voxel of one body holds a point of the other. If the lower end is 0, an upper end of
 *           half a voxel's edge is accepted. A pair of nodes is skipped if the gap of its balls is
 *           not below (1 - tolerance) times the upper end; pairs skipped only because of the
 *           tolerance bound the lower end.
 * Volume    A node of B whose ball meets no surface voxel of A is completely inside or outside of
 *           A, which one lookup of A's descriptors tells. Inside, all of its full voxels count for
 *           the lower end, and its surface voxels also for the upper end. Voxels of B whose balls
 *           meet a surface voxel of A count for the upper end only. The answer weights each of
 *           these voxels by the share behind the planes of A's patch and of B's own patch. Without
 *           a patch of A, and for nodes at a level stop, A's share is 1 if the centre is in a full
 *           voxel of A, 1/2 if it is in a surface voxel, and 0 otherwise; without a patch of B, B's
 *           share is alg_imp_body.fill_share. Both ends are clipped to the range that the volumes
 *           of both bodies allow.
 *
 * A level stop ends both descents at that level: brackets become wider and remain valid.
 *
 * Source   this suite; IMP computes contacts only.
 */
#ifndef ALGORITHMS_IMP_PROXIMITY_H
#define ALGORITHMS_IMP_PROXIMITY_H

#include "algorithms/imp/search.h"

typedef struct alg_imp_measure_options {
    uint32_t level;   /* level to stop at; 0: voxels */
    double tolerance; /* relative tolerance of distances */
} alg_imp_measure_options;

typedef struct alg_imp_measure alg_imp_measure;

/** Creates a measure. Errors: BASE_ERR_MEMORY. Memory: arena. */
base_status alg_imp_measure_create(const alg_imp_pair *pair, const alg_imp_measure_options *options,
                                   base_arena *arena, alg_imp_measure **measure,
                                   base_error *err) BASE_MUST_CHECK;

/** Fills distance, witness and bracket; adds to counters[ALG_IMP_COUNT_TESTS] and [.._NODES]. */
void alg_imp_measure_distance(alg_imp_measure *measure, const geo_pose *pose, alg_answer *answer);

/** Fills volume and bracket; both bodies have fill=solid. Adds to counters as above. */
void alg_imp_measure_volume(alg_imp_measure *measure, const geo_pose *pose, alg_answer *answer);

#endif
