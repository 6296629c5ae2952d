/**
 * Distance and volume from the same trees, each with a bracket.
 *
 * Distance  Every surface lies in its surface voxels, whose balls hold them: no pair of points is
 *           nearer than the nearest pair of balls, |c_a - c_b| - r_a - r_b: the lower end. Each
 *           surface voxel has a point of the surface: the nearest pair of points that was seen is
 *           the upper end, the answer, and its witness. Solids that overlap (fill=solid) have full
 *           or surface voxels that meet: the lower end is 0, and so is the answer where a full
 *           voxel of one holds a point of the other. Where the lower end is 0, half an edge of a
 *           voxel is near enough for the upper one. A pair of nodes is left out where the gap of
 *           its balls is not below (1 - tolerance) times the upper end; what was left out for
 *           tolerance alone bounds the lower end.
 * Volume    A node of B whose ball meets no surface voxel of A's is inside of A or outside as a
 *           whole, which one lookup of A's descriptors tells. Inside, all of its full voxels count
 *           below, and its surface voxels above as well; voxels of B whose balls meet a surface
 *           voxel of A count above alone. The answer counts a voxel of B of the last kind by its
 *           place: wholly where its centre is in a full voxel of A, by half in a surface voxel; and
 *           a surface voxel of B by the share of them that is inside (alg_imp_body.fill_share).
 *           Neither end leaves what the volumes of both bodies allow.
 *
 * A level stop ends both descents there: brackets get wider, and hold.
 *
 * Source   this suite; IMP has contacts alone.
 */
#ifndef ALGORITHMS_IMP_PROXIMITY_H
#define ALGORITHMS_IMP_PROXIMITY_H

#include "algorithms/imp/pair.h"

typedef struct alg_imp_measure_options {
    uint32_t level;   /* at which to stop; 0: voxels */
    double tolerance; /* of distances */
} alg_imp_measure_options;

typedef struct alg_imp_measure alg_imp_measure;

/** Errors: BASE_ERR_MEMORY. Memory: arena. */
base_status alg_imp_measure_create(const alg_imp_pair *pair, const alg_imp_measure_options *options,
                                   base_arena *arena, alg_imp_measure **measure,
                                   base_error *err) BASE_MUST_CHECK;

/** Fills distance, witness and bracket; adds to counters[ALG_IMP_COUNT_TESTS] and [.._NODES]. */
void alg_imp_measure_distance(alg_imp_measure *measure, const geo_pose *pose, alg_answer *answer);

/** Fills volume and bracket; both bodies have fill=solid. Adds to counters as above. */
void alg_imp_measure_volume(alg_imp_measure *measure, const geo_pose *pose, alg_answer *answer);

#endif
