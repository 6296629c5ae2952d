/**
 * What a unit of a variant's force means: penalties are compared at equal stiffness.
 *
 *   newtons = stiffness g,   g = sum |G| |F| / sum |F|^2
 *
 * over poses of all of the device's own path, B hanging on the device rigidly: G minus the gradient of the exact
 * volume, F the variant's force, poses left out where one of them is 0. As suite/results/force.h has the
 * gain of a run.
 */
#ifndef SUITE_GAIN_H
#define SUITE_GAIN_H

#include "suite/simulate/overlap.h"
#include "suite/simulate/responder.h"

/** Poses of the path that are asked, at most. */
enum { BENCH_GAIN_POSES_MAX = 256 };

/**
 * The gain of a responder that is driven by force. 1 without asking where the force is exact (m2); NaN for
 * a force in N, which is taken as it is; 1 with a warning where there is nothing to hold it against.
 *
 * overlap  NULL where a body is no solid
 * Errors   those of the responder and of bench_overlap_gradient. The responder is reset.
 */
base_status bench_gain_find(bench_responder *responder, bench_overlap *overlap,
                            const scn_trajectory *device, double *gain,
                            base_error *err) BASE_MUST_CHECK;

#endif
