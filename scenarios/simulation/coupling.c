#include "scenarios/simulation/coupling.h"

#include <math.h>

static double frequency(const scn_coupling *coupling, const scn_mass *mass)
{
    return sqrt(coupling->stiffness_n_m / mass->mass_kg);
}

/** What the change of a velocity is in a step, positions or angles `apart` from the device's. */
static vec3 velocity_change(double w, double h, vec3 apart, vec3 device, vec3 body)
{
    const double wh = w * h, divisor = 1 + 2 * wh + wh * wh;
    const vec3 pull = vec3_madd(vec3_scale(w * wh, apart), 2 * wh, device);
    return vec3_scale(1 / divisor, vec3_madd(pull, -(2 * wh + wh * wh), body));
}

scn_coupling_step scn_coupling_pull(const scn_coupling *coupling, const scn_mass *mass,
                                    const scn_device *device, double h, scn_state *state)
{
    const double w = frequency(coupling, mass);
    const vec3 way = vec3_sub(device->position, state->position);
    const vec3 turn = scn_turn_between(state->orientation, device->orientation);
    const vec3 faster = velocity_change(w, h, way, device->velocity, state->velocity);
    const vec3 spun = velocity_change(w, h, turn, device->spin, state->spin);
    const vec3 impulse = vec3_scale(mass->mass_kg, faster);
    const vec3 angular = scn_state_momentum(state, mass, spun);
    scn_state_push(state, mass, impulse, state->position, angular);
    return (scn_coupling_step){
        .force_n = vec3_scale(1 / h, impulse),
        .torque_nm = vec3_scale(1 / h, angular),
    };
}

double scn_coupling_energy(const scn_coupling *coupling, const scn_mass *mass,
                           const scn_device *device, const scn_state *state)
{
    const double w = frequency(coupling, mass);
    const vec3 turn = scn_turn_between(state->orientation, device->orientation);
    return 0.5 * (coupling->stiffness_n_m * vec3_distance2(device->position, state->position) +
                  w * w * vec3_dot(turn, scn_state_momentum(state, mass, turn)));
}
