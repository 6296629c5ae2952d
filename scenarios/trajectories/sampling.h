/** What one run of a sampler carries, and what all samplers do in the same way. */
#ifndef SCENARIOS_SAMPLING_H
#define SCENARIOS_SAMPLING_H

#include "base/random.h"
#include "scenarios/trajectories/solve.h"

enum { SCN_DRAWS_MAX = 20 }; /* poses tried for a frame */

/** One run of a sampler. */
typedef struct scn_run {
    const scn_sampler *sampler; /* borrowed */
    scn_solver solver;
    base_random random;
    scn_trajectory *trajectory; /* frames are appended as they are found */
    size_t not_monotone;        /* frames whose volume fell somewhere on the way in */
} scn_run;

/** Checks the sampler against the pair and sets up everything but the trajectory's frames. */
base_status scn_run_start(const scn_sampler *sampler, const scn_pair *pair,
                          const scn_oracle *oracle, scn_trajectory *trajectory, scn_run *run,
                          base_error *err) BASE_MUST_CHECK;
/** Appends the next frame, 1 ms after the last. */
base_status scn_run_append(scn_run *run, geo_quat orientation, vec3 centre, double target,
                           double achieved, base_error *err) BASE_MUST_CHECK;
/** Value number i of frames, spread evenly from lo to hi, in m or m3. */
double scn_run_value(const scn_run *run, size_t i);
/** A random direction and orientation. */
scn_line scn_run_line(scn_run *run);
/** Writes the trajectory's source: what made it, and from which values. */
void scn_run_describe(scn_run *run, const char *what);
/** The error when SCN_DRAWS_MAX draws gave no pose. */
base_status scn_run_fail(const scn_run *run, double wanted, base_error *err);

#endif
