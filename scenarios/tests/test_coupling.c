/** The virtual coupling: critically damped and stable for any stiffness; its work equals the change
 * of energy. */
#include "scenarios/simulation/simulation.h"
#include "scenarios/tests/simulation.h"

static const double h = 0.001;

/** Returns a device at rest. */
static scn_device device_at(vec3 position, geo_quat orientation)
{
    return (scn_device){.position = position, .orientation = orientation};
}

static scn_coupling_step pull_and_move(const scn_coupling *coupling, const scn_mass *mass,
                                       const scn_device *device, scn_state *state)
{
    const scn_coupling_step step = scn_coupling_pull(coupling, mass, device, h, state);
    scn_state_move(state, mass, h);
    return step;
}

/**
 * A body is released beside a device at rest. After n steps, the remaining part of its distance d
 * is d (1 + n w h / (1 + w h)) / (1 + w h)^n, as given by the implicit Euler method. This
 * approximates d (1 + w t) exp(-w t) to the first power of h.
 */
Test(coupling, a_body_beside_its_device_comes_to_it_without_passing)
{
    static const double stiffness[] = {1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    const scn_mass mass = box_mass(vec3_make(0.1, 0.05, 0.02));
    const vec3 apart = {0.01, -0.02, 0.005};
    for (size_t k = 0; k < sizeof stiffness / sizeof *stiffness; k++) {
        const scn_coupling coupling = {stiffness[k]};
        const double w = sqrt(stiffness[k] / mass.mass_kg), wh = w * h;
        const scn_device device = device_at(apart, geo_quat_identity());
        scn_state state = scn_state_at(&mass, vec3_make(0, 0, 0), geo_quat_identity());
        double share = 1, last = 1;
        for (int n = 1; n <= 2000; n++) {
            pull_and_move(&coupling, &mass, &device, &state);
            const vec3 left = vec3_sub(apart, state.position);
            share /= 1 + wh;
            const double rule = share * (1 + n * wh / (1 + wh));
            expect_vec3(left, vec3_scale(rule, apart), 1e-16, "the rule's");
            const double now = vec3_dot(left, apart) / vec3_norm2(apart);
            cr_assert(now >= -1e-15 && now <= last + 1e-15, "%g N/m, step %d: %g of it, behind %g",
                      stiffness[k], n, now, last);
            const double t = n * h, exact = (1 + w * t) * base_exp(-w * t);
            cr_assert_leq(fabs(now - exact), 0.5 * wh, "%g N/m, step %d: %g, not %g", stiffness[k],
                          n, now, exact);
            last = now;
        }
    }
}

Test(coupling, its_error_falls_with_the_step)
{
    const scn_mass mass = box_mass(vec3_make(0.1, 0.05, 0.02));
    const scn_coupling coupling = {100};
    const double w = sqrt(100 / mass.mass_kg), t = 2 / w;
    double before = 0;
    for (int steps = 50; steps <= 400; steps *= 2) {
        const scn_device device = device_at(vec3_make(1, 0, 0), geo_quat_identity());
        scn_state state = scn_state_at(&mass, vec3_make(0, 0, 0), geo_quat_identity());
        for (int n = 0; n < steps; n++) {
            scn_coupling_pull(&coupling, &mass, &device, t / steps, &state);
            scn_state_move(&state, &mass, t / steps);
        }
        const double off = fabs(1 - state.position.x - 3 * base_exp(-2));
        if (before > 0) {
            cr_expect_float_eq(before / off, 2, 0.1, "%d steps: %g", steps, before / off);
        }
        before = off;
    }
}

/** About an axis of the body, the angle decreases in the same way as the distance. About any other
 * axis it decreases. */
Test(coupling, a_body_turns_to_its_device_as_it_moves_to_it)
{
    static const double stiffness[] = {1e2, 1e4, 1e6, 1e9};
    const scn_mass mass = box_mass(vec3_make(0.1, 0.05, 0.02));
    for (size_t k = 0; k < sizeof stiffness / sizeof *stiffness; k++) {
        const scn_coupling coupling = {stiffness[k]};
        const double wh = sqrt(stiffness[k] / mass.mass_kg) * h;
        for (int oblique = 0; oblique < 2; oblique++) {
            const vec3 axis = vec3_normalize(vec3_make(oblique, 1, -oblique));
            const scn_device device = device_at(vec3_make(0, 0, 0), turn_about(axis, 2.5));
            scn_state state = scn_state_at(&mass, vec3_make(0, 0, 0), geo_quat_identity());
            double share = 1, last = 2.5;
            for (int n = 1; n <= 3000; n++) {
                pull_and_move(&coupling, &mass, &device, &state);
                const vec3 left = scn_turn_between(state.orientation, device.orientation);
                share /= 1 + wh;
                /* The angle of a step is too small by a twelfth of its square. */
                const double rule = 2.5 * share * (1 + n * wh / (1 + wh));
                const double now = vec3_norm(left);
                cr_assert(now <= last + 1e-15, "%g N/m, step %d: %g, behind %g", stiffness[k], n,
                          now, last);
                if (!oblique && wh < 1) {
                    cr_assert_float_eq(now, rule, 0.02, "%g N/m, step %d: %g, not %g", stiffness[k],
                                       n, now, rule);
                }
                last = now;
            }
            cr_expect_leq(last, 1e-3 * 2.5, "%g N/m: %g left", stiffness[k], last);
        }
    }
}

Test(coupling, a_body_goes_with_a_device_that_moves_evenly)
{
    const scn_mass mass = box_mass(vec3_make(0.1, 0.05, 0.02));
    const scn_coupling coupling = {5000};
    const vec3 velocity = {0.1, 0.2, -0.3}, spin = {0, 0, 2};
    scn_state state = scn_state_at(&mass, vec3_make(0.01, 0, 0), geo_quat_identity());
    for (int n = 1; n <= 1000; n++) {
        const scn_device device = {vec3_scale(n * h, velocity),
                                   turn_about(vec3_make(0, 0, 1), 2 * n * h), velocity, spin};
        pull_and_move(&coupling, &mass, &device, &state);
    }
    expect_vec3(state.position, velocity, 1e-14, "position");
    expect_vec3(state.velocity, velocity, 1e-13, "velocity");
    expect_vec3(scn_turn_between(state.orientation, turn_about(vec3_make(0, 0, 1), 2)),
                vec3_make(0, 0, 0), 1e-6, "turn");
    expect_vec3(state.spin, spin, 1e-6, "spin");
}

/** For a device at any position with any velocity, the work is the gain of kinetic energy, and
 * force times h is the change of momentum. */
Test(coupling, its_work_is_what_the_energy_gains)
{
    static const double stiffness[] = {1e2, 1e4, 1e6, 1e9};
    const scn_mass mass = box_mass(vec3_make(0.1, 0.05, 0.02));
    for (size_t k = 0; k < sizeof stiffness / sizeof *stiffness; k++) {
        const scn_coupling coupling = {stiffness[k]};
        base_random random = base_random_seed(7);
        scn_state state = scn_state_at(&mass, vec3_make(0, 0, 0), geo_quat_identity());
        for (int n = 0; n < 2000; n++) {
            const scn_device device = {
                vec3_scale(0.01, geo_random_direction(&random)),
                turn_about(geo_random_direction(&random), base_random_unit(&random)),
                geo_random_direction(&random), geo_random_direction(&random)};
            const scn_state was = state;
            const double before = scn_state_energy(&state, &mass);
            const scn_coupling_step step = scn_coupling_pull(&coupling, &mass, &device, h, &state);
            const double after = scn_state_energy(&state, &mass);
            const double work = h * scn_state_work(&was, &state, step.force_n, step.torque_nm);
            cr_assert_float_eq(after - before, work, 1e-13 * (before + after),
                               "%g N/m, step %d: %g, not %g", stiffness[k], n, work,
                               after - before);
            expect_vec3(vec3_scale(h, step.force_n),
                        vec3_scale(mass.mass_kg, vec3_sub(state.velocity, was.velocity)), 1e-14,
                        "force");
            expect_vec3(vec3_scale(h, step.torque_nm),
                        vec3_sub(scn_state_momentum(&state, &mass, state.spin),
                                 scn_state_momentum(&was, &mass, was.spin)),
                        1e-14, "torque");
            scn_state_move(&state, &mass, h);
        }
    }
}

/** Damping only takes energy: with a device at rest, the sum of kinetic energy and spring energy
 * never increases. */
Test(coupling, a_standing_device_gives_nothing)
{
    static const double stiffness[] = {1e2, 1e4, 1e6, 1e9};
    const scn_mass mass = box_mass(vec3_make(0.05, 0.05, 0.05));
    for (size_t k = 0; k < sizeof stiffness / sizeof *stiffness; k++) {
        const scn_coupling coupling = {stiffness[k]};
        const scn_device device =
            device_at(vec3_make(0.01, 0, 0), turn_about(vec3_make(1, 2, -1), 1));
        scn_state state = scn_state_at(&mass, vec3_make(0, 0, 0), geo_quat_identity());
        state.velocity = vec3_make(0, 3, -1);
        state.spin = vec3_make(5, -3, 2);
        double last = INFINITY;
        for (int n = 0; n < 500; n++) {
            pull_and_move(&coupling, &mass, &device, &state);
            const double now = scn_state_energy(&state, &mass) +
                               scn_coupling_energy(&coupling, &mass, &device, &state);
            cr_assert_leq(now, last + 1e-25, "%g N/m, step %d: %g, behind %g", stiffness[k], n, now,
                          last);
            last = now;
        }
    }
}

Test(coupling, its_springs_hold_the_energy_of_their_lengths)
{
    const vec3 edges = {0.1, 0.05, 0.02};
    const scn_mass mass = box_mass(edges);
    const scn_coupling coupling = {400};
    const scn_state state = scn_state_at(&mass, vec3_make(0, 0, 0), geo_quat_identity());
    const scn_device device =
        device_at(vec3_make(0.03, 0.04, 0), turn_about(vec3_make(0, 1, 0), 0.5));
    const double inertia = mass.mass_kg / 12 * (edges.x * edges.x + edges.z * edges.z);
    const double wanted = 0.5 * 400 * 0.0025 + 0.5 * 400 / mass.mass_kg * inertia * 0.25;
    cr_expect_float_eq(scn_coupling_energy(&coupling, &mass, &device, &state), wanted, 1e-14);
}
