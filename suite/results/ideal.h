/**
 * The exact forces that answered forces are held against: one for each law (alg_law).
 *
 * A variant with a law is judged by the ideal of this law, and one without a law by that of area.
 * Its row of cells.csv, its frames and the tables for people have the errors against this ideal,
 * its own one. forces.csv also has those against area for every variant, and those against depth
 * for a variant without a law.
 */
#ifndef SUITE_IDEAL_H
#define SUITE_IDEAL_H

#include "algorithms/registry.h"
#include "groundtruth/groundtruth.h"
#include "scenarios/trajectories/trajectory.h"

/** Force on B and torque about B's centroid, in A's axes, and the lengths of their errors. */
typedef struct bench_ideal {
    vec3 force, torque; /* m2 and m3 by area, m3 and m4 by depth; NaN: not known */
    double force_bound, torque_bound;
} bench_ideal;

/**
 * The ideal that a frame's truth has for a law; NaN if it was not asked, or has certificate 0 or
 * one below `certificate`.
 */
bench_ideal bench_ideal_of(const gt_truth *truth, alg_law law, int certificate);

/** The law whose ideal a variant's errors are measured against: never ALG_LAW_NONE. */
alg_law bench_ideal_own(const alg_variant *variant);

/** All laws whose ideals a variant is held against: mask of 1u << alg_law. */
unsigned bench_ideals_of(const alg_variant *variant);

/**
 * The quantities of the truth (mask of GT_WANT_*) that the ideals by depth of a variant need,
 * beside the force that is asked anyway. These take longer than all else, so that they are not
 * asked for a variant that answers no force, nor for a trajectory that knows the ideal of every
 * frame. A variant without a law is held against the known ideals only, where every frame has one.
 */
unsigned bench_ideals_truth(const alg_variant *variant, const scn_trajectory *trajectory);

/** The quantity of the truth that has the ideal of a law. */
gt_quantity bench_ideal_quantity(alg_law law);

#endif
