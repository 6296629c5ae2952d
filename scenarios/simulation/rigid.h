/**
 * Motion of a rigid body: state, mass, steps.
 *
 * Frame    A's frame, as in trajectories. The state is that of B's centroid.
 * Units    m, s, kg, N.
 */
#ifndef SCENARIOS_RIGID_H
#define SCENARIOS_RIGID_H

#include "base/error.h"
#include "geometry/mesh.h"
#include "geometry/pose.h"

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

#endif
