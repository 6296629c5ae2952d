#include "scenarios/simulation/simulation.h"

#include <math.h>

/* Tolerance of the number of steps in the device's duration, as a share of a step. Rounding of
 * times does not lose a step. */
#define STEP_SLACK 1e-6

/* --- Virtual coupling ------------------------------------------------------------------------- */

static double frequency(const scn_coupling *coupling, const scn_mass *mass)
{
    return sqrt(coupling->stiffness_n_m / mass->mass_kg);
}

/** Returns the change of a velocity by the coupling in a step. apart: position or angle of the
 * device relative to the body. */
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

/* --- Begin ------------------------------------------------------------------------------------ */

static bool is_share(double x)
{
    return x >= 0 && x <= 1;
}

static bool is_positive(double x)
{
    return x > 0 && isfinite(x);
}

static base_status check_options(const scn_simulation_options *o, base_error *err)
{
    if (!is_positive(o->step_s)) {
        return base_fail(err, BASE_ERR_ARGUMENT, "a step of %.6g s is not above 0", o->step_s);
    }
    if (!is_positive(o->density_kg_m3)) {
        return base_fail(err, BASE_ERR_ARGUMENT, "a density of %.6g kg/m3 is not above 0",
                         o->density_kg_m3);
    }
    if (!is_positive(o->coupling.stiffness_n_m)) {
        return base_fail(err, BASE_ERR_ARGUMENT, "a coupling of %.6g N/m is not above 0",
                         o->coupling.stiffness_n_m);
    }
    if (!is_share(o->impulses.resolve)) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "the share of depth that impulses resolve is %.6g, not in 0 to 1",
                         o->impulses.resolve);
    }
    if (!(o->impulses.slop_m >= 0 && isfinite(o->impulses.slop_m))) {
        return base_fail(err, BASE_ERR_ARGUMENT, "a slop of %.6g m is below 0", o->impulses.slop_m);
    }
    return BASE_OK;
}

/** Returns the device's pose at a time, with velocities 0. */
static scn_device device_at(scn_simulation *simulation, double t_s)
{
    const scn_frame frame = scn_trajectory_at(simulation->device, t_s, &simulation->at);
    const scn_state state = scn_state_at(&simulation->mass, frame.position, frame.orientation);
    return (scn_device){.position = state.position, .orientation = state.orientation};
}

base_status scn_simulation_begin(const geo_mesh *b, const scn_trajectory *device,
                                 const scn_simulation_options *options, const scn_step *from,
                                 scn_simulation *simulation, base_error *err)
{
    *simulation = (scn_simulation){.options = *options, .device = device};
    if (device->frame_count == 0) {
        return base_fail(err, BASE_ERR_ARGUMENT, "a device needs at least one frame");
    }
    base_status status = check_options(options, err);
    if (status == BASE_OK) {
        status = scn_mass_of(b, options->density_kg_m3, &simulation->mass, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    if (from) {
        simulation->last = *from;
        return BASE_OK;
    }
    const double t_s = device->frames[0].t_s;
    const scn_device first = device_at(simulation, t_s);
    simulation->last = (scn_step){
        .t_s = t_s,
        .device = first,
        .state = {.position = first.position, .orientation = first.orientation},
    };
    return BASE_OK;
}

uint64_t scn_simulation_steps(const scn_simulation *simulation)
{
    const scn_trajectory *const device = simulation->device;
    const double first = device->frames[0].t_s, last = device->frames[device->frame_count - 1].t_s;
    return (uint64_t)((last - first) / simulation->options.step_s + STEP_SLACK);
}

/* --- A step ----------------------------------------------------------------------------------- */

/** Returns the time at the end of a step. It is not a sum, so it does not depend on the step at
 * which a simulation began. */
static double time_of(const scn_simulation *simulation, uint64_t number)
{
    return simulation->device->frames[0].t_s + simulation->options.step_s * (double)number;
}

/** Returns the device at the end of the next step, with its mean velocities during the step. */
static scn_device next_device(scn_simulation *simulation, double t_s)
{
    const scn_device *const before = &simulation->last.device;
    const double rate = 1 / simulation->options.step_s;
    scn_device device = device_at(simulation, t_s);
    device.velocity = vec3_scale(rate, vec3_sub(device.position, before->position));
    device.spin = vec3_scale(rate, scn_turn_between(before->orientation, device.orientation));
    return device;
}

/** The response at the begin of a step. */
typedef struct answer {
    scn_contacts contacts;
    vec3 force_n, torque_nm;
} answer;

static base_status ask(const scn_simulation *simulation, const scn_response *response, answer *said,
                       base_error *err)
{
    vec3 position;
    geo_quat orientation;
    scn_state_pose(&simulation->last.state, &simulation->mass, &position, &orientation);
    *said = (answer){0};
    return response->contacts
               ? response->contacts(response->context, position, orientation, &said->contacts, err)
               : response->force(response->context, position, orientation, &said->force_n,
                                 &said->torque_nm, err);
}

static void apply_impulses(const scn_simulation *simulation, const answer *said, scn_step *step)
{
    const double h = simulation->options.step_s;
    const scn_contacts *const contacts = &said->contacts;
    const scn_impulse_result done =
        scn_impulses(contacts, &simulation->mass, &simulation->options.impulses, h, &step->state);
    step->contact_count = contacts->count;
    step->impulse_count = done.count;
    for (size_t i = 0; i < contacts->count; i++) {
        step->deepest_m = fmax(step->deepest_m, contacts->items[i].depth_m);
    }
    step->touching = contacts->count > 0;
    step->contact_force_n = vec3_scale(1 / h, done.impulse_ns);
    step->contact_torque_nm = vec3_scale(1 / h, done.angular_nms);
    step->cut = done.cut;
}

static void apply_force(const scn_simulation *simulation, const answer *said, scn_step *step)
{
    const double h = simulation->options.step_s;
    step->touching = vec3_norm2(said->force_n) > 0 || vec3_norm2(said->torque_nm) > 0;
    step->contact_force_n = said->force_n;
    step->contact_torque_nm = said->torque_nm;
    scn_state_push(&step->state, &simulation->mass, vec3_scale(h, said->force_n),
                   step->state.position, vec3_scale(h, said->torque_nm));
}

/**
 * Adds the works of coupling and contact before the body moves. Both use the velocities at the
 * begin and at the end of the step, so that a body that is held between device and contact gets no
 * energy from either.
 */
static void count_work(const scn_simulation *simulation, scn_step *step)
{
    const scn_step *const last = &simulation->last;
    const double h = simulation->options.step_s;
    step->coupling_work_j = last->coupling_work_j + h * scn_state_work(&last->state, &step->state,
                                                                       step->coupling_force_n,
                                                                       step->coupling_torque_nm);
    step->contact_work_j =
        last->contact_work_j + h * scn_state_work(&last->state, &step->state, step->contact_force_n,
                                                  step->contact_torque_nm);
}

/** False if a velocity is not finite or its square overflows, because then the energies are not
 * finite. */
static bool is_finite(const scn_step *step)
{
    return vec3_isfinite(step->state.position) && isfinite(step->kinetic_j) &&
           isfinite(step->spring_j) && isfinite(step->coupling_work_j) &&
           isfinite(step->contact_work_j);
}

base_status scn_simulation_step(scn_simulation *simulation, const scn_response *response,
                                base_error *err)
{
    const scn_simulation_options *const options = &simulation->options;
    const scn_step *const last = &simulation->last;
    answer said;
    const base_status status = ask(simulation, response, &said, err);
    if (status != BASE_OK) {
        return status;
    }
    scn_step step = {
        .number = last->number + 1,
        .t_s = time_of(simulation, last->number + 1),
        .state = last->state,
    };
    step.device = next_device(simulation, step.t_s);
    const scn_coupling_step pulled = scn_coupling_pull(&options->coupling, &simulation->mass,
                                                       &step.device, options->step_s, &step.state);
    step.coupling_force_n = pulled.force_n;
    step.coupling_torque_nm = pulled.torque_nm;
    if (response->contacts) {
        apply_impulses(simulation, &said, &step);
    } else {
        apply_force(simulation, &said, &step);
    }
    count_work(simulation, &step);
    scn_state_move(&step.state, &simulation->mass, options->step_s);
    step.kinetic_j = scn_state_energy(&step.state, &simulation->mass);
    step.spring_j =
        scn_coupling_energy(&options->coupling, &simulation->mass, &step.device, &step.state);
    if (!is_finite(&step)) {
        return base_fail(err, BASE_ERR_INPUT,
                         "the body's motion is not finite at %.6g s: forces are too stiff for "
                         "steps of %.6g s",
                         step.t_s, options->step_s);
    }
    simulation->last = step;
    return BASE_OK;
}
