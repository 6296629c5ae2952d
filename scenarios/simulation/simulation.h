/**
 * A simulated hand: a rigid body on a virtual coupling follows a device, and whatever answers
 * contacts or forces keeps it out of the other body.
 *
 * A step of h = 1 ms, from the state at its begin:
 *   1. the response is asked at the body's pose: contacts or a force;
 *   2. velocities are changed by the coupling to where the device will be at the end of the step,
 *      then by the force (penalty) or by impulses, which see the velocities of the coupling;
 *   3. the body moves by its new velocities (semi-implicit).
 *
 * Energy   Work is an impulse times the mean of the body's velocities at the begin and at the end
 *          of the step. The work of coupling and contact equals the body's kinetic energy, except
 *          for rounding. The total work of a passive contact, from the beginning to any step, is
 *          never above 0. Its largest value is the energy that the contact has created.
 *
 * Everything is plain doubles in a fixed order: the same input gives the same bits, on any machine,
 * for any number of threads; and a simulation that goes on from the written state of any step goes
 * on as it would have, if the response at a pose does not depend on what was asked before.
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

/* --- The hand --------------------------------------------------------------------------------- */

/** The method that answers at a pose of B in A's frame, as trajectories have it. */
typedef struct scn_response {
    void *context;
    /** Contacts, for impulses; NULL: it answers forces. They stay until the next call. */
    base_status (*contacts)(void *context, vec3 position, geo_quat orientation,
                            scn_contacts *contacts, base_error *err);
    /** A force on B and its torque about B's centroid, in N; NULL: it answers contacts. */
    base_status (*force)(void *context, vec3 position, geo_quat orientation, vec3 *force_n,
                         vec3 *torque_nm, base_error *err);
} scn_response;

typedef struct scn_simulation_options {
    double step_s; /* 0.001 */
    double density_kg_m3;
    scn_coupling coupling;
    scn_impulse_options impulses;
} scn_simulation_options;

/** One step, as it is written. */
typedef struct scn_step {
    uint64_t number; /* 0: the begin; nothing has moved */
    double t_s;      /* at the end */
    scn_device device;
    scn_state state;                           /* at the end */
    uint64_t contact_count, impulse_count;     /* at the begin; 0 of forces */
    double deepest_m;                          /* of the contacts at the begin; 0 of forces */
    bool touching;                             /* any contact, or a force that is not 0 */
    vec3 coupling_force_n, coupling_torque_nm; /* on the body; the hand feels minus that */
    vec3 contact_force_n,
        contact_torque_nm; /* on the body: force, or impulses / h; about the centroid */
    double kinetic_j, spring_j;
    double coupling_work_j, contact_work_j; /* from the begin on */
    bool cut;                               /* impulses met their limit */
} scn_step;

/** A simulation between two steps. */
typedef struct scn_simulation {
    scn_mass mass;
    scn_simulation_options options;
    const scn_trajectory
        *device; /* borrowed; poses of B's origin if it hung on the device rigidly */
    size_t at;   /* of scn_trajectory_at */
    scn_step last;
} scn_simulation;

/**
 * Begins with the body at rest on the device's first pose; or behind the step `from`, if that is
 * not NULL.
 * Errors: those of scn_mass_of; BASE_ERR_ARGUMENT for options out of range, and a device without
 * frames.
 */
base_status scn_simulation_begin(const geo_mesh *b, const scn_trajectory *device,
                                 const scn_simulation_options *options, const scn_step *from,
                                 scn_simulation *simulation, base_error *err) BASE_MUST_CHECK;

/** The number of the last step, where the device ends; from the begin, wherever the simulation
 * is. */
uint64_t scn_simulation_steps(const scn_simulation *simulation);

/** The next step, into simulation->last, which stays as it is on an error. Errors: the
 * response's own; BASE_ERR_INPUT where the body's state or energy is no longer finite. */
base_status scn_simulation_step(scn_simulation *simulation, const scn_response *response,
                                base_error *err) BASE_MUST_CHECK;

#endif
