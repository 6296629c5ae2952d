/** Two tracked bodies, recorded in one world, as a trajectory of B in A's frame. */
#ifndef SCENARIOS_RELATIVE_H
#define SCENARIOS_RELATIVE_H

#include "scenarios/trajectories/trajectory.h"

/** How a body sits on its tracker: the pose of the body's frame in the tracker's. */
typedef struct scn_mounting {
    vec3 position;
    geo_quat orientation; /* unit */
} scn_mounting;

/** The tracker's frame is the body's. */
scn_mounting scn_mounting_none(void);

/**
 * With the poses W_a(t) and W_b(t) of two trackers in the world, and the mountings M_a and M_b of
 * the bodies on them, the pose of B in A's frame is
 *
 *   X(t) = inverse(W_a(t) M_a) W_b(t) M_b
 *
 * at each of a's times that lies within those of b, between whose frames W_b is interpolated
 * (scn_trajectory_at). Without a (NULL) W_a is the identity at b's times: b is the pose of B's
 * tracker in that of A, or in a world in which A stands still.
 *
 * What the frames of a and b say of targets and known answers is dropped.
 *
 * Errors   BASE_ERR_INPUT when the two have no time in common; BASE_ERR_MEMORY. *trajectory is
 *          zeroed then.
 * Memory   scn_trajectory_release.
 */
base_status scn_trajectory_relative(const scn_trajectory *a, const scn_trajectory *b,
                                    const scn_mounting *mount_a, const scn_mounting *mount_b,
                                    scn_trajectory *trajectory, base_error *err) BASE_MUST_CHECK;

#endif
