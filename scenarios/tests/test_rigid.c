/** Mass, centroid and inertia of solids, the motion of a body without forces, and the virtual
 * coupling: critically damped and stable for any stiffness; its work equals the change of
 * energy. */
#include "base/tests/support.h"
#include "scenarios/models/models.h"
#include "scenarios/simulation/simulation.h"
#include "scenarios/tests/simulation.h"

static const double density = 2700;

static mat3 diagonal(double x, double y, double z)
{
    return (mat3){{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
}

/** Returns m (|d|^2 1 - d d^T): the additional inertia about a point at d from the centroid. */
static mat3 steiner(double m, vec3 d)
{
    const double dd = vec3_norm2(d);
    mat3 s = diagonal(m * dd, m * dd, m * dd);
    for (int i = 0; i < 3; i++) {
        s.row[i] = vec3_madd(s.row[i], -m * vec3_get(d, i), d);
    }
    return s;
}

static mat3 sum(mat3 a, mat3 b)
{
    return (mat3){
        {vec3_add(a.row[0], b.row[0]), vec3_add(a.row[1], b.row[1]), vec3_add(a.row[2], b.row[2])}};
}

/* --- Mass ------------------------------------------------------------------------------------- */

static mat3 box_inertia(double m, vec3 e)
{
    return diagonal(m / 12 * (e.y * e.y + e.z * e.z), m / 12 * (e.z * e.z + e.x * e.x),
                    m / 12 * (e.x * e.x + e.y * e.y));
}

Test(rigid, a_box_has_the_mass_of_the_textbook_wherever_it_is)
{
    static const vec3 places[] = {{0, 0, 0}, {0.02, -0.01, 0.05}, {10, 20, -30}, {1e4, -1e4, 2e4}};
    const vec3 edges = {0.1, 0.06, 0.02};
    const double m = density * edges.x * edges.y * edges.z;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        box_mesh box;
        box_mesh_make(vec3_madd(places[i], -0.5, edges), vec3_madd(places[i], 0.5, edges), &box);
        const scn_mass mass = mass_of(&box.mesh, density);
        /* Coordinates are rounded, which moves the faces. */
        const double rounding = 1e-15 * (1 + vec3_norm(places[i]) / 0.02);
        char what[40];
        snprintf(what, sizeof what, "at %g m", places[i].x);
        cr_expect_float_eq(mass.mass_kg, m, 8 * rounding * m, "%s: %.17g kg", what, mass.mass_kg);
        expect_vec3(mass.centroid, places[i], rounding * 0.1, what);
        expect_mat3(mass.inertia_kg_m2, box_inertia(m, edges), 20 * rounding * m * 0.01, what);
    }
}

Test(rigid, the_inverse_inertia_is_one)
{
    SCOPED_MESH mesh;
    cr_assert_eq(scn_mesh_open("quadruped:triangles=5000", &mesh, NULL), BASE_OK);
    const scn_mass mass = mass_of(&mesh, density);
    cr_assert_gt(fabs(mass.inertia_kg_m2.row[2].x), 1e-6, "a body whose axes are the frame's");
    expect_mat3(mat3_mul(mass.inertia_kg_m2, mass.inverse_inertia), diagonal(1, 1, 1), 1e-13,
                "product");
}

Test(rigid, the_mass_of_a_refined_sphere_comes_to_that_of_a_ball)
{
    const double r = 0.05, m = density * ball_volume(r), inertia = 0.4 * m * r * r;
    double before_m = 0, before_inertia = 0;
    for (int n = 4; n <= 64; n *= 2) {
        char reference[40];
        snprintf(reference, sizeof reference, "sphere:triangles=%d", 20 * n * n);
        geo_mesh mesh;
        cr_assert_eq(scn_mesh_open(reference, &mesh, NULL), BASE_OK);
        const scn_mass mass = mass_of(&mesh, density);
        geo_mesh_release(&mesh);
        expect_vec3(mass.centroid, vec3_make(0, 0, 0), 1e-15, reference);
        /* The mesh is inscribed. Its missing volume decreases to a quarter when the edges are
         * halved. */
        const double off_m = 1 - mass.mass_kg / m;
        const double off_inertia = 1 - mass.inertia_kg_m2.row[0].x / inertia;
        cr_expect(off_m > 0 && off_inertia > off_m, "%s: %g, %g", reference, off_m, off_inertia);
        expect_mat3(mass.inertia_kg_m2, diagonal(inertia, inertia, inertia),
                    1.8 * off_inertia * inertia, reference);
        if (n > 4) {
            cr_expect_float_eq(before_m / off_m, 4, 0.4, "%s: %g", reference, before_m / off_m);
            cr_expect_float_eq(before_inertia / off_inertia, 4, 0.4, "%s: %g", reference,
                               before_inertia / off_inertia);
        }
        before_m = off_m;
        before_inertia = off_inertia;
    }
    cr_expect_lt(before_m, 1e-3);
}

Test(rigid, a_moved_mesh_has_the_moved_inertia)
{
    SCOPED_MESH mesh;
    cr_assert_eq(scn_mesh_open("quadruped:triangles=5000", &mesh, NULL), BASE_OK);
    const scn_mass mass = mass_of(&mesh, density);
    const geo_pose pose =
        geo_pose_make(turn_about(vec3_make(1, -2, 0.5), 2.2), vec3_make(0.3, -0.2, 0.1));
    vec3 *const vertices = malloc(mesh.vertex_count * sizeof *vertices);
    cr_assert_not_null(vertices);
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        vertices[i] = geo_pose_apply(&pose, mesh.vertices[i]);
    }
    const geo_mesh moved = {vertices, mesh.vertex_count, mesh.faces, mesh.face_count};
    const scn_mass after = mass_of(&moved, density);
    const mat3 r = pose.rotation;
    const mat3 wanted = mat3_mul(mat3_mul(r, mass.inertia_kg_m2), mat3_transpose(r));
    const double size = vec3_norm(wanted.row[0]);
    cr_expect_float_eq(after.mass_kg, mass.mass_kg, 1e-12 * mass.mass_kg);
    expect_vec3(after.centroid, geo_pose_apply(&pose, mass.centroid), 1e-14, "centroid");
    expect_mat3(after.inertia_kg_m2, wanted, 1e-12 * size, "inertia");
    free(vertices);
}

/** Two boxes in one mesh: the inertia follows from those of the boxes by the parallel axis
 * theorem. */
Test(rigid, parts_add_up_by_the_parallel_axis_theorem)
{
    box_mesh parts[2];
    box_mesh_make(vec3_make(0, 0, 0), vec3_make(0.1, 0.02, 0.03), &parts[0]);
    box_mesh_make(vec3_make(0.05, 0.1, -0.2), vec3_make(0.07, 0.2, -0.1), &parts[1]);
    vec3 vertices[16];
    geo_face faces[24];
    for (int p = 0; p < 2; p++) {
        memcpy(&vertices[8 * p], parts[p].vertices, sizeof parts[p].vertices);
        for (int f = 0; f < 12; f++) {
            for (int k = 0; k < 3; k++) {
                faces[12 * p + f].v[k] = parts[p].faces[f].v[k] + 8 * (uint32_t)p;
            }
        }
    }
    const geo_mesh both = {vertices, 16, faces, 24};
    const scn_mass a = mass_of(&parts[0].mesh, density), b = mass_of(&parts[1].mesh, density);
    const scn_mass whole = mass_of(&both, density);
    const double m = a.mass_kg + b.mass_kg;
    const vec3 centroid =
        vec3_madd(vec3_scale(a.mass_kg / m, a.centroid), b.mass_kg / m, b.centroid);
    cr_expect_float_eq(whole.mass_kg, m, 1e-14 * m);
    expect_vec3(whole.centroid, centroid, 1e-15, "centroid");
    const mat3 wanted =
        sum(sum(a.inertia_kg_m2, steiner(a.mass_kg, vec3_sub(a.centroid, centroid))),
            sum(b.inertia_kg_m2, steiner(b.mass_kg, vec3_sub(b.centroid, centroid))));
    expect_mat3(whole.inertia_kg_m2, wanted, 1e-14 * vec3_norm(wanted.row[0]), "inertia");
}

Test(rigid, a_body_without_mass_is_refused)
{
    box_mesh box;
    base_error err = {0};
    scn_mass mass;
    box_mesh_make(vec3_make(1, 1, 1), vec3_make(0, 0, 0), &box);
    cr_expect_eq(scn_mass_of(&box.mesh, density, &mass, &err), BASE_ERR_ARGUMENT);
    cr_expect_str_eq(err.text,
                     "a body needs a volume above 0 to have a mass; that of its mesh is -1 m3");
    box_mesh_make(vec3_make(0, 0, 0), vec3_make(1, 1, 0), &box);
    cr_expect_eq(scn_mass_of(&box.mesh, density, &mass, &err), BASE_ERR_ARGUMENT);
    cr_expect_str_eq(err.text,
                     "a body needs a volume above 0 to have a mass; that of its mesh is 0 m3");
    /* The box is so small that the inverse of the inertia overflows. */
    box_mesh_make(vec3_make(0, 0, 0), vec3_make(1e-70, 1e-70, 1e-70), &box);
    cr_expect_eq(scn_mass_of(&box.mesh, density, &mass, &err), BASE_ERR_ARGUMENT);
    cr_expect_str_eq(err.text,
                     "a body of 1e-210 m3 at 2700 kg/m3 has no inertia that can be inverted");
}

/* --- State ------------------------------------------------------------------------------------ */

Test(rigid, a_state_is_at_the_centroid_of_its_pose)
{
    box_mesh box;
    box_mesh_make(vec3_make(0.1, 0, 0), vec3_make(0.3, 0.2, 0.4), &box);
    const scn_mass mass = mass_of(&box.mesh, density);
    /* A quarter turn about z maps the centroid (0.2, 0.1, 0.2) to (-0.1, 0.2, 0.2). */
    const geo_quat quarter = turn_about(vec3_make(0, 0, 1), BASE_PI / 2);
    const scn_state state = scn_state_at(&mass, vec3_make(1, 2, 3), quarter);
    expect_vec3(state.position, vec3_make(0.9, 2.2, 3.2), 1e-15, "centroid");
    expect_vec3(state.velocity, vec3_make(0, 0, 0), 0, "velocity");
    expect_vec3(state.spin, vec3_make(0, 0, 0), 0, "spin");
    vec3 position;
    geo_quat orientation;
    scn_state_pose(&state, &mass, &position, &orientation);
    expect_vec3(position, vec3_make(1, 2, 3), 1e-15, "origin");
    cr_expect_leq(geo_quat_chord(orientation, quarter), 1e-16);
}

Test(rigid, a_push_does_the_work_that_the_energy_shows)
{
    base_random random = base_random_seed(3);
    scn_mass mass = box_mass(vec3_make(0.1, 0.05, 0.02));
    scn_state state = scn_state_at(&mass, vec3_make(0.1, 0.2, -0.1), geo_quat_identity());
    for (int i = 0; i < 1000; i++) {
        state.orientation =
            turn_about(geo_random_direction(&random), 6 * base_random_unit(&random));
        const double before = scn_state_energy(&state, &mass);
        const vec3 momentum = scn_state_momentum(&state, &mass, state.spin);
        const vec3 impulse = vec3_scale(0.01, geo_random_direction(&random));
        const vec3 point = vec3_madd(state.position, 0.04, geo_random_direction(&random));
        const vec3 angular = vec3_scale(1e-4, geo_random_direction(&random));
        const scn_state was = state;
        scn_state_push(&state, &mass, impulse, point, angular);
        const vec3 twist = vec3_add(vec3_cross(vec3_sub(point, was.position), impulse), angular);
        const double work = scn_state_work(&was, &state, impulse, twist);
        const double after = scn_state_energy(&state, &mass);
        cr_assert_float_eq(after - before, work, 1e-14 * (after + before), "push %d: %g, not %g", i,
                           work, after - before);
        expect_vec3(state.velocity, vec3_madd(was.velocity, 1 / mass.mass_kg, impulse), 1e-14,
                    "velocity");
        expect_vec3(scn_state_momentum(&state, &mass, state.spin), vec3_add(momentum, twist), 1e-15,
                    "angular momentum");
        const mat3 inverse = scn_state_inverse_inertia(&state, &mass);
        expect_vec3(mat3_mul_vec3(inverse, scn_state_momentum(&state, &mass, impulse)), impulse,
                    1e-15, "inverse inertia");
    }
}

/* --- Motion ----------------------------------------------------------------------------------- */

Test(rigid, a_spin_about_a_principal_axis_stays_and_turns_by_its_angle)
{
    const scn_mass mass = box_mass(vec3_make(0.1, 0.05, 0.02));
    const double h = 0.001, rate = 3;
    scn_state state = scn_state_at(&mass, vec3_make(0, 0, 0), geo_quat_identity());
    state.velocity = vec3_make(0.1, -0.2, 0.3);
    state.spin = vec3_make(0, rate, 0);
    for (int i = 0; i < 1000; i++) {
        scn_state_move(&state, &mass, h);
    }
    expect_vec3(state.position, state.velocity, 1e-14, "position after 1 s");
    expect_vec3(state.spin, vec3_make(0, rate, 0), 1e-12, "spin");
    const vec3 turn = scn_turn_between(turn_about(vec3_make(0, 1, 0), rate), state.orientation);
    /* (h rate)^2 / 12 of the angle is missing. */
    expect_vec3(turn, vec3_make(0, -rate * (h * rate) * (h * rate) / 12, 0), 1e-10, "turn");
}

/** A body tumbles about its middle axis. 10^5 steps neither add nor remove energy and momentum. */
Test(rigid, a_body_that_tumbles_keeps_energy_and_momentum)
{
    static const double rates[] = {1, 30, 300, 10000};
    const scn_mass mass = box_mass(vec3_make(0.1, 0.05, 0.02));
    const double h = 0.001;
    for (size_t k = 0; k < sizeof rates / sizeof *rates; k++) {
        scn_state state =
            scn_state_at(&mass, vec3_make(0, 0, 0), turn_about(vec3_make(1, 2, 3), 1));
        const mat3 axes = geo_quat_matrix(state.orientation);
        state.spin = mat3_mul_vec3(axes, vec3_make(0.01, rates[k], 0.02));
        const double energy = scn_state_energy(&state, &mass);
        const vec3 momentum = scn_state_momentum(&state, &mass, state.spin);
        double least = INFINITY, most = -INFINITY;
        for (int i = 0; i < 100000 / (int)sweep_step(4); i++) {
            scn_state_move(&state, &mass, h);
            const double now = scn_state_energy(&state, &mass) / energy;
            cr_assert_float_eq(now, 1, rates[k] < 1000 ? 1e-9 : 1e-8, "at %g rad/s, step %d: %.17g",
                               rates[k], i, now);
            const mat3 turned = geo_quat_matrix(state.orientation);
            const double along = mat3_tmul_vec3(turned, state.spin).y / rates[k];
            least = fmin(least, along);
            most = fmax(most, along);
        }
        expect_vec3(scn_state_momentum(&state, &mass, state.spin), momentum,
                    1e-8 * vec3_norm(momentum), "angular momentum");
        cr_expect(least < -0.9 && most > 0.9, "at %g rad/s: %g to %g, it does not tumble", rates[k],
                  least, most);
    }
}

/** Compared with the same motion in steps of a hundredth, the error decreases with the square of
 * the step. */
Test(rigid, a_tumbling_body_goes_the_way_that_smaller_steps_show)
{
    const scn_mass mass = box_mass(vec3_make(0.1, 0.05, 0.02));
    geo_quat ends[3];
    for (int k = 0; k < 3; k++) {
        static const int steps[3] = {100, 200, 20000};
        scn_state state = scn_state_at(&mass, vec3_make(0, 0, 0), geo_quat_identity());
        state.spin = vec3_make(3, 10, 5);
        for (int i = 0; i < steps[k]; i++) {
            scn_state_move(&state, &mass, 0.2 / steps[k]);
        }
        ends[k] = state.orientation;
    }
    const double coarse = vec3_norm(scn_turn_between(ends[0], ends[2]));
    const double fine = vec3_norm(scn_turn_between(ends[1], ends[2]));
    cr_expect_lt(coarse, 1e-3, "%g", coarse);
    cr_expect_float_eq(coarse / fine, 4, 0.1, "%g / %g", coarse, fine);
}

/** Forces that are too stiff cause spins that no step resolves. The angular momentum must be
 * preserved even then. */
Test(rigid, a_spin_that_is_too_fast_for_its_steps_keeps_its_momentum)
{
    const scn_mass mass = box_mass(vec3_make(0.1, 0.05, 0.02));
    scn_state state = scn_state_at(&mass, vec3_make(0, 0, 0), geo_quat_identity());
    state.spin = vec3_make(1e4, 1e5, -1e4);
    const vec3 momentum = scn_state_momentum(&state, &mass, state.spin);
    for (int i = 0; i < 1000; i++) {
        scn_state_move(&state, &mass, 0.001);
    }
    expect_vec3(scn_state_momentum(&state, &mass, state.spin), momentum, 1e-9 * vec3_norm(momentum),
                "angular momentum");
}

/* --- Turns ------------------------------------------------------------------------------------ */

Test(rigid, the_turn_between_two_orientations_is_its_axis_times_its_angle)
{
    base_random random = base_random_seed(8);
    for (double angle = 1e-120; angle < 3.1; angle = angle < 1e-20 ? angle * 1e30 : angle * 7) {
        const vec3 axis = geo_random_direction(&random);
        const geo_quat from = turn_about(geo_random_direction(&random), 2);
        /* In the frame of the first orientation, whose rotation loses components that are small
         * relative to 1. */
        expect_vec3(scn_turn_between(geo_quat_identity(), turn_about(axis, angle)),
                    vec3_scale(angle, axis), 1e-15 * angle, "from the identity");
        const geo_quat to = geo_quat_mul(turn_about(axis, angle), from);
        expect_vec3(scn_turn_between(from, to), vec3_scale(angle, axis), 1e-15, "turn");
        const geo_quat other = {-to.x, -to.y, -to.z, -to.w};
        expect_vec3(scn_turn_between(from, other), vec3_scale(angle, axis), 1e-15, "other sign");
    }
    /* The shorter direction of rotation. */
    expect_vec3(scn_turn_between(geo_quat_identity(), turn_about(vec3_make(0, 0, 1), 4)),
                vec3_make(0, 0, 4 - 2 * BASE_PI), 1e-15, "shorter way");
    expect_vec3(
        scn_turn_between(turn_about(vec3_make(0, 0, 1), 4), turn_about(vec3_make(0, 0, 1), 4)),
        vec3_make(0, 0, 0), 0, "none");
}

/* --- Virtual coupling ------------------------------------------------------------------------- */

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
Test(coupling, its_work_equals_the_gain_of_energy)
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
