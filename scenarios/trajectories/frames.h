/** What all readers of trajectories share. Private to trajectories/. */
#ifndef SCENARIOS_TRAJECTORIES_FRAMES_H
#define SCENARIOS_TRAJECTORIES_FRAMES_H

#include "scenarios/scenarios.h"

/**
 * Appends a frame as read from a line of a file: renormalises its quaternion.
 * Errors: BASE_ERR_INPUT for a quaternion that is none, and for time that does not increase.
 */
base_status scn_frame_add(scn_trajectory *trajectory, const char *path, size_t line,
                          const scn_frame *frame, base_error *err) BASE_MUST_CHECK;

/** Ends a reading: no frames are an error, and on an error the trajectory is released. */
base_status scn_frames_end(scn_trajectory *trajectory, const char *path, base_status status,
                           base_error *err) BASE_MUST_CHECK;

#endif
