/**
 * A simulated hand: a rigid body on a virtual coupling follows a device, and a method that answers
 * contacts or forces keeps it out of the other body.
 *
 * A step of h = 1 ms, from the state at its begin:
 *   1. the response is computed at the body's pose: contacts or a force;
 *   2. the coupling to the device's position at the end of the step changes the velocities; then
 *      the force (penalty) or impulses change them, which see the velocities of the coupling;
 *   3. the body moves with its new velocities (semi-implicit).
 *
 * Energy   Work is an impulse times the mean of the body's velocities at the begin and at the end
 *          of the step. The work of coupling and contact equals the body's kinetic energy, except
 *          for rounding. The total work of a passive contact, from the beginning to any step, is
 *          never above 0. Its largest value is the energy that the contact has created.
 *
 * All computations use plain doubles in a fixed order. The same input gives the same bits on any
 * machine, for any number of threads. A simulation that is continued from the written state of any
 * step gives the same bits, if the response at a pose does not depend on earlier queries.
 *
 * Source   IMP 3.3, 4.
 */
#ifndef SCENARIOS_SIMULATION_H
#define SCENARIOS_SIMULATION_H

#include "scenarios/simulation/impulses.h"
#include "scenarios/trajectories/trajectory.h"

/* --- Virtual coupling ------------------------------------------------------------------------- */

/*
 * A spring and damper between the device's pose and the body's.
 *
 * Translation and rotation have the same frequency w = sqrt(k / m) and are critically damped: the
 * force is m (w^2 (x_d - x) + 2 w (v_d - v)), the torque I (w^2 theta + 2 w (s_d - s)), with theta
 * the rotation vector from the body to the device. A step is implicit in the body's own velocity,
 *
 *     v' = (v + h (w^2 (x_d' - x) + 2 w v_d')) / (1 + 2 w h + w^2 h^2),
 *
 * with the device at the end of the step, so that it is stable for any stiffness. Spins are
 * computed in the same way, axis by axis. A body that a contact holds is pulled with
 * k / (1 + w h)^2 times its distance from the device. For any k, this stiffness is less than
 * m / h^2.
 *
 * Source   IMP 2.2.2, 3.3.1; Colgate1995.
 */

typedef struct scn_coupling {
    double stiffness_n_m; /* k */
} scn_coupling;

/** The device at the end of a step: the pose of B's centroid if B were rigidly attached to it. */
typedef struct scn_device {
    vec3 position;
    geo_quat orientation;
    vec3 velocity, spin;
} scn_device;

/** The effect of the coupling in a step. */
typedef struct scn_coupling_step {
    vec3 force_n, torque_nm; /* acting on the body, mean over the step */
} scn_coupling_step;

/** Changes velocity and spin by a step of h. */
scn_coupling_step scn_coupling_pull(const scn_coupling *coupling, const scn_mass *mass,
                                    const scn_device *device, double h, scn_state *state);

/** Returns the energy of the springs in J: k d^2 / 2, and the corresponding energy of the angle. */
double scn_coupling_energy(const scn_coupling *coupling, const scn_mass *mass,
                           const scn_device *device, const scn_state *state);

/* --- The hand --------------------------------------------------------------------------------- */

/** The method, which answers at a pose of B in A's frame, as in trajectories. */
typedef struct scn_response {
    void *context;
    /** Returns contacts, for impulses; NULL: the method answers forces. The contacts stay valid
     * until the next call. */
    base_status (*contacts)(void *context, vec3 position, geo_quat orientation,
                            scn_contacts *contacts, base_error *err);
    /** Returns a force on B and its torque about B's centroid, in N and N m; NULL: the method
     * answers contacts. */
    base_status (*force)(void *context, vec3 position, geo_quat orientation, vec3 *force_n,
                         vec3 *torque_nm, base_error *err);
} scn_response;

typedef struct scn_simulation_options {
    double step_s; /* 0.001 */
    double density_kg_m3;
    scn_coupling coupling;
    scn_impulse_options impulses;
} scn_simulation_options;

/** One step, as it is written to a file. */
typedef struct scn_step {
    uint64_t number; /* 0: the initial state; nothing has moved */
    double t_s;      /* at the end */
    scn_device device;
    scn_state state;                           /* at the end */
    uint64_t contact_count, impulse_count;     /* at the begin; 0 if the method answers forces */
    double deepest_m;                          /* deepest contact at the begin; 0 if the method
                                                  answers forces */
    bool touching;                             /* there is a contact, or the force is not 0 */
    vec3 coupling_force_n, coupling_torque_nm; /* acting on the body; the hand feels the opposite */
    vec3 contact_force_n,
        contact_torque_nm; /* acting on the body: force, or impulses / h; about the centroid */
    double kinetic_j, spring_j;
    double coupling_work_j, contact_work_j; /* sums from the begin on */
    bool cut;                               /* impulses were stopped by their limit */
} scn_step;

/** State of a simulation between two steps. */
typedef struct scn_simulation {
    scn_mass mass;
    scn_simulation_options options;
    const scn_trajectory *device; /* borrowed; poses of B's origin if B were rigidly attached */
    size_t at;                    /* index for scn_trajectory_at */
    scn_step last;
} scn_simulation;

/**
 * Begins with the body at rest on the device's first pose, or after the step `from` if that is not
 * NULL. Errors: those of scn_mass_of; BASE_ERR_ARGUMENT for options out of range, and for a device
 * without frames.
 */
base_status scn_simulation_begin(const geo_mesh *b, const scn_trajectory *device,
                                 const scn_simulation_options *options, const scn_step *from,
                                 scn_simulation *simulation, base_error *err) BASE_MUST_CHECK;

/** Returns the number of the last step, at which the device ends. It counts from the begin,
 * whatever the current step is. */
uint64_t scn_simulation_steps(const scn_simulation *simulation);

/** Computes the next step into simulation->last, which is unchanged on an error. Errors: those of
 * the response; BASE_ERR_INPUT if the body's state or energy is not finite. */
base_status scn_simulation_step(scn_simulation *simulation, const scn_response *response,
                                base_error *err) BASE_MUST_CHECK;

#endif
