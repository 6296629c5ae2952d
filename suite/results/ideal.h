/**
 * The exact forces that answered forces are compared with: one for each law (alg_law).
 *
 * A variant with a law is judged by the ideal of this law, and a variant without a law by the ideal
 * of area. The variant's row of cells.csv, its frames and the printed tables give the errors
 * against this own ideal. forces.csv also gives the errors against area for every variant, and
 * those against depth for a variant without a law.
 */
#ifndef SUITE_IDEAL_H
#define SUITE_IDEAL_H

#include "algorithms/registry.h"
#include "groundtruth/groundtruth.h"
#include "scenarios/trajectories/trajectory.h"

/** Force on B and torque about B's centroid, in A's axes, and the bounds of their errors. */
typedef struct bench_ideal {
    vec3 force, torque; /* m2 and m3 by area, m3 and m4 by depth; NaN if not known */
    double force_bound, torque_bound;
} bench_ideal;

/**
 * Returns the ideal of a law from a frame's truth. NaN if it was not asked, or if its certificate
 * is 0 or below `certificate`.
 */
bench_ideal bench_ideal_of(const gt_truth *truth, alg_law law, int certificate);

/** Returns the law of the ideal that a variant is judged by: never ALG_LAW_NONE. */
alg_law bench_ideal_own(const alg_variant *variant);

/** Returns the laws of all ideals that a variant is compared with: mask of 1u << alg_law. */
unsigned bench_ideals_of(const alg_variant *variant);

/**
 * Returns the quantities of the truth (mask of GT_WANT_*) needed for the variant's ideals by depth,
 * in addition to the force, which is asked anyway. They take longer than all other quantities. So
 * they are not asked for a variant that answers no force, nor for a trajectory with a known ideal
 * in every frame. If every frame has a known ideal, a variant without a law is compared with known
 * ideals only.
 */
unsigned bench_ideals_truth(const alg_variant *variant, const scn_trajectory *trajectory);

/** Returns the quantity of the truth that contains the ideal of a law. */
gt_quantity bench_ideal_quantity(alg_law law);

#endif
