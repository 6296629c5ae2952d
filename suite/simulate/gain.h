/**
 * The scale of a variant's force, so that penalties are compared at equal stiffness.
 *
 *   newtons = stiffness g F,   g = sum |G| |F| / sum |F|^2
 *
 * The sums are over poses of B on the device's path, as if B were attached rigidly to the device,
 * at the times of steps. F is the variant's force, G is minus the gradient of the exact volume.
 * Poses at which F or G is 0 are left out. The gain of a run is defined in the same way
 * (suite/results/force.h).
 */
#ifndef SUITE_GAIN_H
#define SUITE_GAIN_H

#include "suite/simulate/overlap.h"
#include "suite/simulate/responder.h"

/**
 * The largest number of steps at which the force is asked. They are evenly spread over the path.
 */
enum { BENCH_GAIN_POSES_MAX = 256 };

/** Returns false for forces in N, which need no gain. */
bool bench_gain_needed(const alg_variant *variant);

/**
 * Finds the gain of a responder that is driven by a force that needs a gain. The gain is 1, without
 * any query, if the force is exact (m2). It is NaN if no gain can be found: a body is not a solid,
 * or F and G are never both nonzero at a pose.
 *
 * overlap  NULL if a body is not a solid
 * step_s   time between poses; the path has scn_simulation_steps of them
 * Errors   those of the responder and of bench_overlap_gradient. The responder is reset.
 */
base_status bench_gain_find(bench_responder *responder, bench_overlap *overlap,
                            const scn_trajectory *device, double step_s, double *gain,
                            base_error *err) BASE_MUST_CHECK;

#endif
