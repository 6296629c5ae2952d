/**
 * Virtual coupling: a spring and damper between the device's pose and the body's.
 *
 * Ways and turns have one frequency w = sqrt(k / m) and are critically damped: the force is
 * m (w^2 (x_d - x) + 2 w (v_d - v)), the torque I (w^2 theta + 2 w (s_d - s)), theta the rotation
 * vector from the body to the device. A step is implicit in the body's own velocity,
 *
 *     v' = (v + h (w^2 (x_d' - x) + 2 w v_d')) / (1 + 2 w h + w^2 h^2),
 *
 * with the device at the end of the step, so that it is stable for any stiffness; spins likewise,
 * axis by axis. A body that something else holds is pulled with k / (1 + w h)^2 times its distance
 * from the device: whatever k is, less than m / h^2.
 *
 * Source   IMP 2.2.2, 3.3.1; Colgate1995.
 */
#ifndef SCENARIOS_COUPLING_H
#define SCENARIOS_COUPLING_H

#include "scenarios/simulation/rigid.h"

typedef struct scn_coupling {
    double stiffness_n_m; /* k */
} scn_coupling;

/** The device at the end of a step: where B's centroid would be if it hung on it rigidly. */
typedef struct scn_device {
    vec3 position;
    geo_quat orientation;
    vec3 velocity, spin;
} scn_device;

/** What the coupling did in a step. */
typedef struct scn_coupling_step {
    vec3 force_n, torque_nm; /* on the body, mean of the step */
} scn_coupling_step;

/** Changes velocity and spin by a step of h. */
scn_coupling_step scn_coupling_pull(const scn_coupling *coupling, const scn_mass *mass,
                                    const scn_device *device, double h, scn_state *state);

/** Energy of its springs, J: k d^2 / 2, and likewise of the angle. */
double scn_coupling_energy(const scn_coupling *coupling, const scn_mass *mass,
                           const scn_device *device, const scn_state *state);

#endif
