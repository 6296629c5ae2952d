/** A recording made into a trajectory for a pair. */
#ifndef SCENARIOS_FOLLOW_H
#define SCENARIOS_FOLLOW_H

#include "scenarios/trajectories/sampler.h"

/**
 * Makes a recording into a trajectory for a pair. The recording is resampled to 1 kHz (slerp) and
 * slowed down until no surface point of B moves more than `sampler->step` a frame: frames are put
 * in, never dropped. B has the recorded orientations and turns about its ball centre, which goes
 * the recorded way, in metres, across the radius from A's ball centre, while the radial coordinate
 * is solved anew, so that distance or volume follows the sampler's profile (as in a glide). The
 * seed draws where it starts; sampler->kind is not used. Stops after sampler->frames frames or at
 * the end of the recording.
 *
 * Errors   as scn_sample; BASE_ERR_ARGUMENT for a recording without frames.
 */
base_status scn_follow(const scn_trajectory *recording, const scn_sampler *sampler,
                       const scn_pair *pair, const scn_oracle *oracle, scn_trajectory *trajectory,
                       base_error *err) BASE_MUST_CHECK;

#endif
