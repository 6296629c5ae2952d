/**
 * A simulated hand: a rigid body on a virtual coupling follows a device, and a method that answers
 * contacts or forces keeps it out of the other body.
 *
 * A step of h = 1 ms, from the state at its begin:
 *   1. the response is computed at the body's pose: contacts or a force;
 *   2. the coupling to the device's position at the end of the step changes the velocities; then
 *      the force (penalty) or the impulses change them. Impulses are computed from the velocities
 *      that the coupling has made;
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
#ifndef SCENARIOS_SIMULATION_SIMULATION_H
#define SCENARIOS_SIMULATION_SIMULATION_H

#include "base/error.h"
#include "geometry/mesh.h"
#include "geometry/pose.h"
#include "scenarios/trajectories/trajectory.h"

#include <stdint.h>

/* --- Rigid body ------------------------------------------------------------------------------- */

/*
 * State, mass and steps. Frame: A's frame, as in trajectories; the state is that of B's centroid.
 * Units: m, s, kg, N.
 */

/**
 * Mass, centroid and inertia of a solid of constant density. They are sums over the tetrahedra of
 * an interior point and each face, exact except for rounding, independent of the body's position.
 */
typedef struct scn_mass {
    double mass_kg;
    vec3 centroid;          /* B's frame */
    geo_mat3 inertia_kg_m2; /* about the centroid, B's axes */
    geo_mat3 inverse_inertia;
} scn_mass;

/** Computes the mass of a solid. Errors: BASE_ERR_ARGUMENT for a mesh whose volume is not above 0,
 * or whose inertia has no inverse. */
base_status scn_mass_of(const geo_mesh *mesh, double density_kg_m3, scn_mass *mass,
                        base_error *err) BASE_MUST_CHECK;

typedef struct scn_state {
    vec3 position;        /* position of the centroid */
    geo_quat orientation; /* unit */
    vec3 velocity;
    vec3 spin; /* angular velocity, A's axes */
} scn_state;

/** Convert to the position and orientation of B's own origin, as in trajectories; and back, to a
 * state at rest. */
void scn_state_pose(const scn_state *state, const scn_mass *mass, vec3 *position,
                    geo_quat *orientation);
scn_state scn_state_at(const scn_mass *mass, vec3 position, geo_quat orientation);

/** Returns the kinetic energy in J. */
double scn_state_energy(const scn_state *state, const scn_mass *mass);

/** Returns the inverse inertia in A's axes. */
geo_mat3 scn_state_inverse_inertia(const scn_state *state, const scn_mass *mass);

/** Changes velocity and spin by an impulse (N s) at a point, and by an angular impulse (N m s). */
void scn_state_push(scn_state *state, const scn_mass *mass, vec3 impulse, vec3 point, vec3 angular);

/**
 * Returns the work of an impulse through the centroid and of an angular impulse between two states:
 * their products with the mean velocity and the mean spin. If several impulses cause the whole
 * difference between the states, the sum of their works equals the change of the kinetic energy,
 * except for rounding.
 */
double scn_state_work(const scn_state *before, const scn_state *after, vec3 impulse, vec3 angular);

/**
 * Moves the body for h seconds without forces. A spin that is not about a principal axis changes in
 * the body's frame. It is integrated by the implicit midpoint rule, which preserves energy and
 * angular momentum, so both change only by rounding, about 1e-15 per turn. The step is divided into
 * parts of a quarter of a radian at most. For a spin above 16 / h, the number of parts is not
 * sufficient, and only the angular momentum is preserved. The angle of a part is too small by a
 * twelfth of its cube.
 *
 * Source   Austin1993.
 */
void scn_state_move(scn_state *state, const scn_mass *mass, double h);

/** Returns the angular momentum of a spin at the state's orientation: the inertia in A's axes times
 * the spin. */
vec3 scn_state_momentum(const scn_state *state, const scn_mass *mass, vec3 spin);

/** Returns the shortest rotation from one orientation to another as a rotation vector in A's axes,
 * accurate to 1e-15. */
vec3 scn_turn_between(geo_quat from, geo_quat to);

/* --- Impulses --------------------------------------------------------------------------------- */

/*
 * Impulses that keep bodies apart, computed from one list of contacts.
 *
 * The deepest eligible contact gets an impulse along its normal, which changes the velocities of
 * the body. Then the deepest contact that is eligible now gets one, and so on until no contact is
 * eligible or the limit is reached. A contact is eligible if inertia alone would not resolve it: if
 * its depth d, minus `slop`, would not decrease by the share `resolve` in the next step,
 *
 *     n . u h < resolve (d - slop),
 *
 * where u is the velocity of B at the contact. The impulse, which only pushes, makes this an
 * equality: j = (resolve (d - slop) / h - n . u) / (1 / m + n . (I^-1 (r x n)) x r) > 0. The paper
 * has resolve = 1. With smaller values, deep contacts do not throw the body out. A contact whose
 * velocity is too small by less than 1 nm/s is left as it is, because otherwise rounding errors
 * would be corrected for ever.
 *
 * Source   IMP 3.3.1; Guendelman2003.
 */

/** A contact point of the bodies: as alg_contact, in A's frame. */
typedef struct scn_contact {
    vec3 point, normal; /* unit: the direction in which B separates; 0: cannot be resolved */
    double depth_m;
} scn_contact;

/** A list of contacts. `order` has room for `count` numbers, with count < 2^32; the solver uses it
 * as scratch memory. */
typedef struct scn_contacts {
    const scn_contact *items;
    uint32_t *order;
    size_t count;
} scn_contacts;

typedef struct scn_impulse_options {
    double resolve; /* 0 to 1 */
    double slop_m;  /* depth that contacts keep, so that they do not begin and end repeatedly */
    size_t limit;   /* maximum number of impulses in a step */
} scn_impulse_options;

typedef struct scn_impulse_result {
    vec3 impulse_ns, angular_nms; /* sums; the angular impulse is about the centroid */
    size_t count;
    bool cut; /* stopped by the limit */
} scn_impulse_result;

/**
 * Applies impulses to the state. The result is equal, to the bit, to that of a search of all
 * contacts before each impulse. Such searches are avoided: contacts of similar depths form up to
 * 512 blocks, and an upper bound of the shortfalls of each block is updated with the velocities.
 *
 * Memory   no allocation; 100 kB of stack.
 * Cost     O(contacts) once, and a search of few blocks per impulse. 10,000 contacts with 280 to
 *          1000 impulses take 0.4 to 1.1 ms; plain searches take 17 to 47 times as long.
 */
scn_impulse_result scn_impulses(const scn_contacts *contacts, const scn_mass *mass,
                                const scn_impulse_options *options, double h, scn_state *state);

/** Returns the number of contacts that are eligible for an impulse in this state. */
size_t scn_impulses_eligible(const scn_contacts *contacts, const scn_impulse_options *options,
                             double h, const scn_state *state);

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
