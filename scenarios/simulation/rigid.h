/**
 * A rigid body that moves: state, mass, steps.
 *
 * Frame    A's, as trajectories have it. The state is that of B's centroid.
 * Units    m, s, kg, N.
 */
#ifndef SCENARIOS_RIGID_H
#define SCENARIOS_RIGID_H

#include "base/error.h"
#include "geometry/mesh.h"
#include "geometry/pose.h"

/** Mass, centroid and inertia of a solid of one density: sums over the tetrahedra of a point within
 * and each of its faces, exact but for rounding, wherever the body is. */
typedef struct scn_mass {
    double mass_kg;
    vec3 centroid;          /* B's frame */
    geo_mat3 inertia_kg_m2; /* about the centroid, B's axes */
    geo_mat3 inverse_inertia;
} scn_mass;

/** Errors: BASE_ERR_ARGUMENT for a mesh whose volume is not above 0, or whose inertia has no
 * inverse. */
base_status scn_mass_of(const geo_mesh *mesh, double density_kg_m3, scn_mass *mass,
                        base_error *err) BASE_MUST_CHECK;

typedef struct scn_state {
    vec3 position;        /* of the centroid */
    geo_quat orientation; /* unit */
    vec3 velocity;
    vec3 spin; /* angular velocity, A's axes */
} scn_state;

/** Position and orientation of B's own origin, as trajectories have them; and back (at rest). */
void scn_state_pose(const scn_state *state, const scn_mass *mass, vec3 *position,
                    geo_quat *orientation);
scn_state scn_state_at(const scn_mass *mass, vec3 position, geo_quat orientation);

/** Kinetic energy, J. */
double scn_state_energy(const scn_state *state, const scn_mass *mass);

/** The inverse inertia in A's axes. */
geo_mat3 scn_state_inverse_inertia(const scn_state *state, const scn_mass *mass);

/** Changes velocity and spin by an impulse (N s) at a point, and by an angular impulse (N m s). */
void scn_state_push(scn_state *state, const scn_mass *mass, vec3 impulse, vec3 point, vec3 angular);

/**
 * The work of an impulse through the centroid and an angular one between two states: times the
 * means of velocities and spins. If several make all the difference between the states, their works
 * add up to that of the kinetic energies, to rounding.
 */
double scn_state_work(const scn_state *before, const scn_state *after, vec3 impulse, vec3 angular);

/**
 * Moves for h seconds without forces. A spin that is not about a principal axis turns in the body
 * while the body turns: by the implicit midpoint rule, of which energy and angular momentum are
 * invariants, so that both stay but for roundings, some 1e-15 a turn. It is taken in parts of a
 * quarter of a radian at most; of a spin above 16 / h, for which they are too few, only
 * the angular momentum stays. A part that turns by an angle is short by a twelfth of its cube.
 *
 * Source   Austin1993.
 */
void scn_state_move(scn_state *state, const scn_mass *mass, double h);

/** The angular momentum of a spin at the state's orientation: the inertia in A's axes times it. */
vec3 scn_state_momentum(const scn_state *state, const scn_mass *mass, vec3 spin);

/** The shortest turn from one orientation to another: its axis (A's) times its angle, to 1e-15. */
vec3 scn_turn_between(geo_quat from, geo_quat to);

#endif
