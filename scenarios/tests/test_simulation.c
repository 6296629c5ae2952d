/** The loop of a simulated hand with a floor that answers contacts or forces; and the scenes, whose
 * devices begin without contact and at rest, move smoothly, and enter the other body. */
#include "base/memory.h"
#include "geometry/surface.h"
#include "scenarios/models/models.h"
#include "scenarios/simulation/scenes.h"
#include "scenarios/simulation/simulation.h"
#include "scenarios/tests/simulation.h"

/* --- A floor ---------------------------------------------------------------------------------- */

enum { CORNERS = 8, ASKED_MAX = 4 };

/** A box over the floor z = 0. The floor answers for its corners. */
typedef struct ground_world {
    box_mesh box;
    double stiffness_n_m; /* stiffness of each corner */
    scn_contact contacts[CORNERS];
    uint32_t order[CORNERS];
    vec3 asked[ASKED_MAX]; /* the first positions of queries */
    size_t calls, fail_at; /* fail_at: counted from 1; 0: never */
} ground_world;

static base_status ask_floor(ground_world *ground, vec3 position, geo_quat orientation,
                             size_t *count, base_error *err)
{
    if (ground->calls < ASKED_MAX) {
        ground->asked[ground->calls] = position;
    }
    if (++ground->calls == ground->fail_at) {
        return base_fail(err, BASE_ERR_SYSTEM, "call %zu", ground->calls);
    }
    const geo_pose pose = geo_pose_make(orientation, position);
    *count = 0;
    for (int i = 0; i < CORNERS; i++) {
        const vec3 p = geo_pose_apply(&pose, ground->box.vertices[i]);
        if (p.z < 0) {
            ground->contacts[(*count)++] = (scn_contact){p, {0, 0, 1}, -p.z};
        }
    }
    return BASE_OK;
}

static base_status floor_contacts(void *context, vec3 position, geo_quat orientation,
                                  scn_contacts *contacts, base_error *err)
{
    ground_world *const ground = context;
    *contacts = (scn_contacts){.items = ground->contacts, .order = ground->order};
    return ask_floor(ground, position, orientation, &contacts->count, err);
}

static base_status floor_force(void *context, vec3 position, geo_quat orientation, vec3 *force_n,
                               vec3 *torque_nm, base_error *err)
{
    ground_world *const ground = context;
    size_t count;
    const base_status status = ask_floor(ground, position, orientation, &count, err);
    if (status != BASE_OK) {
        return status;
    }
    const vec3 lo = ground->box.vertices[0], hi = ground->box.vertices[7];
    const geo_pose pose = geo_pose_make(orientation, position);
    const vec3 centroid = geo_pose_apply(&pose, vec3_scale(0.5, vec3_add(lo, hi)));
    *force_n = *torque_nm = vec3_make(0, 0, 0);
    for (size_t i = 0; i < count; i++) {
        const scn_contact *const c = &ground->contacts[i];
        const vec3 pushed = vec3_scale(ground->stiffness_n_m * c->depth_m, c->normal);
        *force_n = vec3_add(*force_n, pushed);
        *torque_nm = vec3_add(*torque_nm, vec3_cross(vec3_sub(c->point, centroid), pushed));
    }
    return BASE_OK;
}

static scn_response contacts_of(ground_world *ground)
{
    return (scn_response){.context = ground, .contacts = floor_contacts};
}

static scn_response force_of(ground_world *ground)
{
    return (scn_response){.context = ground, .force = floor_force};
}

/** Returns a box of 100 x 60 x 40 mm whose origin is on none of its symmetry planes. */
static ground_world make_ground(double stiffness_n_m)
{
    ground_world ground = {.stiffness_n_m = stiffness_n_m};
    box_mesh_make(vec3_make(-0.03, -0.02, -0.01), vec3_make(0.07, 0.04, 0.03), &ground.box);
    return ground;
}

/** Returns the mesh of a ground that has been copied. */
static geo_mesh mesh_of(const ground_world *ground)
{
    return (geo_mesh){ground->box.vertices, 8, ground->box.faces, 12};
}

static const scn_simulation_options usual = {
    .step_s = 0.001,
    .density_kg_m3 = 2000, /* 0.48 kg */
    .coupling = {5000},
    .impulses = {.resolve = 0.2, .slop_m = 0.0002, .limit = 100},
};

/** Returns a device that moves down from `high` above the floor to `deep` below it, leaning, in the
 * first half of the time. Then it moves along x. */
static scn_trajectory press(double seconds, double high, double deep, double begin_s)
{
    scn_trajectory t = {0};
    const int frames = (int)(100 * seconds + 0.5);
    for (int i = 0; i <= frames; i++) {
        const double share = (double)i / frames, down = fmin(1, 2 * share);
        const scn_frame frame = {
            .t_s = begin_s + 0.01 * i,
            .position = {0.05 * fmax(0, share - 0.5), 0, 0.01 + high - (high + deep) * down},
            .orientation = turn_about(vec3_make(1, 0.5, 0), 0.3 * (1 - down)),
        };
        cr_assert_eq(scn_trajectory_append(&t, &frame, NULL), BASE_OK);
    }
    return t;
}

static scn_simulation begin(const ground_world *ground, const scn_trajectory *device,
                            const scn_simulation_options *options, const scn_step *from)
{
    const geo_mesh mesh = mesh_of(ground);
    scn_simulation simulation;
    assert_ok(scn_simulation_begin(&mesh, device, options, from, &simulation, ERR));
    return simulation;
}

static void step(scn_simulation *simulation, const scn_response *response)
{
    assert_ok(scn_simulation_step(simulation, response, ERR));
}

/* --- A step ----------------------------------------------------------------------------------- */

Test(simulation, a_body_begins_at_rest_where_the_device_is)
{
    ground_world ground = make_ground(0);
    SCOPED_TRAJECTORY device = press(0.2, 0.05, 0.005, 3.5);
    const scn_simulation s = begin(&ground, &device, &usual, NULL);
    cr_expect_eq(s.last.number, 0);
    cr_expect_eq(s.last.t_s, 3.5);
    cr_expect_eq(scn_simulation_steps(&s), 200);
    cr_expect_float_eq(s.mass.mass_kg, 0.48, 1e-15);
    const geo_pose pose = geo_pose_make(device.frames[0].orientation, device.frames[0].position);
    expect_vec3(s.last.state.position, geo_pose_apply(&pose, vec3_make(0.02, 0.01, 0.01)), 1e-15,
                "centroid");
    cr_expect_leq(geo_quat_chord(s.last.state.orientation, device.frames[0].orientation), 1e-15);
    expect_vec3(s.last.device.position, s.last.state.position, 0, "device");
    cr_expect_eq(s.last.kinetic_j, 0);
    cr_expect_eq(s.last.spring_j, 0);
}

/**
 * Computes a step by hand: the response is queried at the body's pose, the coupling pulls to the
 * device's next position, impulses see the velocities of the coupling, and the body moves with the
 * result.
 */
Test(simulation, a_step_has_the_documented_order)
{
    ground_world ground = make_ground(0);
    SCOPED_TRAJECTORY device = {0};
    for (int i = 0; i < 3; i++) {
        /* Half a millimetre deep. The device moves down by 1 mm per step and sideways by 0.5 mm. */
        const scn_frame frame = {
            .t_s = 0.001 * i,
            .position = {0.0005 * i, 0, 0.0095 - 0.001 * i},
            .orientation = geo_quat_identity(),
        };
        cr_assert_eq(scn_trajectory_append(&device, &frame, NULL), BASE_OK);
    }
    scn_simulation s = begin(&ground, &device, &usual, NULL);
    const scn_state was = s.last.state;
    scn_state state = was;
    const scn_response response = contacts_of(&ground);
    step(&s, &response);
    cr_expect_eq(ground.calls, 1);
    expect_vec3(ground.asked[0], device.frames[0].position, 1e-17, "asked");
    cr_expect_eq(s.last.number, 1);
    cr_expect_eq(s.last.t_s, 0.001);
    expect_vec3(s.last.device.position, vec3_make(0.0205, 0.01, 0.0185), 1e-16, "device");
    expect_vec3(s.last.device.velocity, vec3_make(0.5, 0, -1), 1e-13, "device's velocity");

    const double h = 0.001;
    const scn_coupling_step pulled =
        scn_coupling_pull(&usual.coupling, &s.mass, &s.last.device, h, &state);
    const scn_impulse_result pushed = push(ground.contacts, 4, &s.mass, &usual.impulses, &state);
    cr_expect_gt(pushed.count, 1);
    cr_expect_float_eq(s.last.coupling_work_j,
                       h * scn_state_work(&was, &state, pulled.force_n, pulled.torque_nm), 1e-17);
    cr_expect_float_eq(s.last.contact_work_j,
                       scn_state_work(&was, &state, pushed.impulse_ns, pushed.angular_nms), 1e-17);
    scn_state_move(&state, &s.mass, h);
    expect_vec3(s.last.coupling_force_n, pulled.force_n, 0, "coupling's force");
    expect_vec3(s.last.coupling_torque_nm, pulled.torque_nm, 0, "coupling's torque");
    expect_vec3(s.last.contact_force_n, vec3_scale(1 / h, pushed.impulse_ns), 0, "contact's force");
    expect_vec3(s.last.contact_torque_nm, vec3_scale(1 / h, pushed.angular_nms), 0,
                "contact's torque");
    expect_vec3(s.last.state.position, state.position, 0, "position");
    expect_vec3(s.last.state.velocity, state.velocity, 0, "velocity");
    expect_vec3(s.last.state.spin, state.spin, 0, "spin");
    cr_expect_eq(s.last.kinetic_j, scn_state_energy(&state, &s.mass));
    cr_expect_eq(s.last.spring_j,
                 scn_coupling_energy(&usual.coupling, &s.mass, &s.last.device, &state));
    cr_expect_eq(s.last.contact_count, 4);
    cr_expect_eq(s.last.impulse_count, pushed.count);
    cr_expect_float_eq(s.last.deepest_m, 0.0005, 1e-15);
    cr_expect(s.last.touching);

    vec3 now;
    geo_quat orientation;
    scn_state_pose(&s.last.state, &s.mass, &now, &orientation);
    step(&s, &response);
    expect_vec3(ground.asked[1], now, 0, "asked for the second step");
}

/** A device at rest, and a body whose corners are at four depths. */
Test(simulation, the_deepest_contact_is_the_deepest_of_all)
{
    ground_world ground = make_ground(0);
    SCOPED_TRAJECTORY device = {0};
    for (int i = 0; i < 2; i++) {
        const scn_frame frame = {
            .t_s = 0.001 * i,
            .position = {0, 0, 0.0095},
            .orientation = turn_about(vec3_make(1, 0.3, 0), 0.005),
        };
        cr_assert_eq(scn_trajectory_append(&device, &frame, NULL), BASE_OK);
    }
    scn_simulation s = begin(&ground, &device, &usual, NULL);
    const scn_response response = contacts_of(&ground);
    step(&s, &response);
    cr_assert_eq(s.last.contact_count, 4);
    double deepest = 0;
    for (int i = 0; i < 4; i++) {
        deepest = fmax(deepest, ground.contacts[i].depth_m);
    }
    cr_expect_eq(s.last.deepest_m, deepest);
    cr_expect_lt(ground.contacts[3].depth_m, deepest);
}

/** Steps are 1 ms, however their times are rounded, and each ends at its own time. */
Test(simulation, a_device_that_begins_at_any_time_has_all_of_its_steps)
{
    for (int begin_s = 0; begin_s < 50; begin_s++) {
        ground_world ground = make_ground(0);
        SCOPED_TRAJECTORY device = press(0.2, 0.05, -0.02, 0.1 * begin_s);
        scn_simulation s = begin(&ground, &device, &usual, NULL);
        cr_expect_eq(scn_simulation_steps(&s), 200, "from %g s: %zu", 0.1 * begin_s,
                     (size_t)scn_simulation_steps(&s));
        const scn_response response = contacts_of(&ground);
        for (int n = 1; n <= 10; n++) {
            step(&s, &response);
        }
        cr_expect_float_eq(s.last.t_s, 0.1 * begin_s + 0.01, 1e-15);
        const scn_state wanted =
            scn_state_at(&s.mass, device.frames[1].position, device.frames[1].orientation);
        expect_vec3(s.last.device.position, wanted.position, 1e-13, "device");
        /* The device leaned by 0.3 rad in half of the time and turns back. */
        expect_vec3(s.last.device.spin, vec3_scale(-3, vec3_normalize(vec3_make(1, 0.5, 0))), 1e-9,
                    "spin");
    }
}

Test(simulation, a_body_alone_follows_its_device)
{
    ground_world ground = make_ground(0);
    SCOPED_TRAJECTORY device = press(1, 0.5, -0.2, 0);
    scn_simulation s = begin(&ground, &device, &usual, NULL);
    const scn_response response = contacts_of(&ground);
    for (uint64_t n = 1; n <= scn_simulation_steps(&s); n++) {
        step(&s, &response);
        cr_assert_not(s.last.touching, "step %zu", (size_t)n);
        cr_assert_eq(s.last.contact_work_j, 0);
        cr_assert_leq(vec3_distance(s.last.state.position, s.last.device.position), 0.006,
                      "step %zu", (size_t)n);
    }
    cr_expect_eq(s.last.number, 1000);
    cr_expect_float_eq(s.last.t_s, 1, 1e-12);
    expect_vec3(s.last.device.position, vec3_make(0.045, 0.01, 0.22), 1e-12, "device at its end");
    cr_expect_leq(vec3_distance(s.last.state.position, s.last.device.position), 1e-9);
}

/* --- Contact ---------------------------------------------------------------------------------- */

/** Sums and extremes of a run. */
typedef struct run {
    scn_step last;
    double deepest_late;                /* deepest contact in the last quarter of the run */
    double contact_most, contact_least; /* extremes of the work of the contact, J */
    double balance_off;                 /* largest difference of kinetic energy and work */
    size_t impulses;
    bool cut;
} run;

static run run_all(ground_world *ground, const scn_trajectory *device,
                   const scn_simulation_options *options, const scn_response *response)
{
    scn_simulation s = begin(ground, device, options, NULL);
    run r = {.contact_most = -INFINITY};
    const uint64_t steps = scn_simulation_steps(&s);
    while (s.last.number < steps) {
        step(&s, response);
        r.contact_most = fmax(r.contact_most, s.last.contact_work_j);
        r.contact_least = fmin(r.contact_least, s.last.contact_work_j);
        const double work = s.last.coupling_work_j + s.last.contact_work_j;
        r.balance_off = fmax(r.balance_off, fabs(s.last.kinetic_j - work));
        r.impulses += s.last.impulse_count;
        r.cut = r.cut || s.last.cut;
        if (4 * s.last.number > 3 * steps) {
            vec3 position;
            geo_quat orientation;
            scn_state_pose(&s.last.state, &s.mass, &position, &orientation);
            const geo_pose pose = geo_pose_make(orientation, position);
            for (int i = 0; i < CORNERS; i++) {
                const double z = geo_pose_apply(&pose, ground->box.vertices[i]).z;
                r.deepest_late = fmax(r.deepest_late, -z);
            }
        }
    }
    r.last = s.last;
    return r;
}

Test(simulation, impulses_hold_a_box_that_is_pressed_on_the_floor)
{
    static const double stiffness[] = {1e3, 5e3, 2e4};
    for (size_t i = 0; i < sizeof stiffness / sizeof *stiffness; i++) {
        ground_world ground = make_ground(0);
        SCOPED_TRAJECTORY device = press(2, 0.02, 0.005, 0);
        scn_simulation_options options = usual;
        options.coupling.stiffness_n_m = stiffness[i];
        const scn_response response = contacts_of(&ground);
        const run r = run_all(&ground, &device, &options, &response);
        /* The depth returns to the slop and is not larger. */
        cr_expect(r.deepest_late <= 1.05 * options.impulses.slop_m && r.deepest_late > 0.9e-4,
                  "%g N/m: %g m", stiffness[i], r.deepest_late);
        cr_expect_not(r.cut, "%g N/m", stiffness[i]);
        cr_expect_gt(r.impulses, 1000);
        /* The contact creates little energy relative to that of the springs: corners enter the
         * floor within a step. */
        cr_expect_leq(r.contact_most, 0.02 * r.last.spring_j, "%g N/m: contact has given %g J",
                      stiffness[i], r.contact_most);
        cr_expect_lt(r.contact_least, -1e-4, "%g N/m: it has taken %g J", stiffness[i],
                     -r.contact_least);
        cr_expect_leq(r.balance_off, 1e-13, "%g N/m: %g J", stiffness[i], r.balance_off);
        /* At rest on the floor, over which it slides with the device. */
        cr_expect_leq(fabs(r.last.state.velocity.z), 1e-3, "%g N/m: %g m/s", stiffness[i],
                      r.last.state.velocity.z);
        const double wh = 0.001 * sqrt(stiffness[i] / 0.48);
        const double held = stiffness[i] / ((1 + wh) * (1 + wh)) * (0.005 - 0.0002);
        cr_expect_float_eq(r.last.coupling_force_n.z, -held, 0.05 * held, "%g N/m: %g N, not %g",
                           stiffness[i], r.last.coupling_force_n.z, -held);
    }
}

Test(simulation, penalties_hold_a_box_where_forces_are_equal)
{
    ground_world ground = make_ground(20000);
    SCOPED_TRAJECTORY device = press(2, 0.02, 0.005, 0);
    const scn_response response = force_of(&ground);
    const run r = run_all(&ground, &device, &usual, &response);
    expect_vec3(vec3_add(r.last.contact_force_n, r.last.coupling_force_n), vec3_make(0, 0, 0), 0.02,
                "forces");
    const double wh = 0.001 * sqrt(5000 / 0.48), pull = 5000 / ((1 + wh) * (1 + wh));
    const double depth = 0.005 * pull / (pull + 4 * 20000);
    cr_expect_float_eq(r.deepest_late, depth, 0.05 * depth, "%g m, not %g", r.deepest_late, depth);
    cr_expect(r.last.touching);
    cr_expect_eq(r.last.contact_count, 0);
    cr_expect_eq(r.last.deepest_m, 0);
    cr_expect_leq(r.contact_most, 1e-6, "contact has given %g J", r.contact_most);
    cr_expect_leq(r.balance_off, 1e-13, "%g J", r.balance_off);
}

/** A spring whose frequency is that of the steps gives more energy at every bounce than it took.
 * The columns of work show it. */
Test(simulation, the_work_of_contact_shows_a_penalty_that_is_too_stiff)
{
    double before = 0;
    for (double stiffness = 1e5; stiffness < 5e6; stiffness *= 4) {
        ground_world ground = make_ground(stiffness);
        SCOPED_TRAJECTORY device = press(2, 0.02, 0.005, 0);
        const scn_response response = force_of(&ground);
        const run r = run_all(&ground, &device, &usual, &response);
        if (stiffness > 3e5) {
            cr_expect_gt(r.contact_most, 1, "%g N/m: %g J", stiffness, r.contact_most);
            cr_expect_gt(r.contact_most, before, "%g N/m: %g J", stiffness, r.contact_most);
        }
        cr_expect_leq(r.balance_off, 1e-9 * (1e-3 + r.contact_most), "%g N/m: %g J", stiffness,
                      r.balance_off);
        before = r.contact_most;
    }
}

/* --- Continuation ----------------------------------------------------------------------------- */

enum { FIELDS = 64 };

/** All numbers of a step, written as text with 17 digits and read back, as in a file. */
typedef struct written {
    char text[FIELDS][32];
    size_t count;
    bool reading;
} written;

static void pass_number(written *w, double *x)
{
    char *const text = w->text[w->count++];
    if (w->reading) {
        *x = strtod(text, NULL);
    } else {
        snprintf(text, sizeof w->text[0], "%.17g", *x);
    }
}

static void pass_vec3(written *w, vec3 *v)
{
    pass_number(w, &v->x);
    pass_number(w, &v->y);
    pass_number(w, &v->z);
}

static void pass_quat(written *w, geo_quat *q)
{
    pass_number(w, &q->x);
    pass_number(w, &q->y);
    pass_number(w, &q->z);
    pass_number(w, &q->w);
}

static void pass_step(written *w, scn_step *s)
{
    double number = (double)s->number;
    pass_number(w, &number);
    s->number = (uint64_t)number;
    pass_number(w, &s->t_s);
    pass_vec3(w, &s->device.position);
    pass_quat(w, &s->device.orientation);
    pass_vec3(w, &s->state.position);
    pass_quat(w, &s->state.orientation);
    pass_vec3(w, &s->state.velocity);
    pass_vec3(w, &s->state.spin);
    pass_number(w, &s->coupling_work_j);
    pass_number(w, &s->contact_work_j);
}

static written write_step(const scn_step *s)
{
    written w = {0};
    scn_step copy = *s;
    pass_step(&w, &copy);
    return w;
}

Test(simulation, a_run_continued_from_a_file_has_the_same_bits)
{
    for (int forces = 0; forces < 2; forces++) {
        static const uint64_t ends[] = {0, 1, 100, 399};
        ground_world ground = make_ground(20000);
        /* The device has a frame every 10 ms, and its first time is not 0. */
        SCOPED_TRAJECTORY device = press(0.4, 0.002, 0.005, 0.123);
        const scn_response response = forces ? force_of(&ground) : contacts_of(&ground);
        scn_simulation whole = begin(&ground, &device, &usual, NULL);
        scn_step at[sizeof ends / sizeof *ends] = {whole.last};
        size_t touched = 0;
        while (whole.last.number < 400) {
            step(&whole, &response);
            touched += whole.last.touching;
            for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
                at[i] = whole.last.number == ends[i] ? whole.last : at[i];
            }
        }
        cr_expect_gt(touched, 100);
        const written wanted = write_step(&whole.last);
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
            written w = write_step(&at[i]);
            scn_step read = {0};
            w.reading = true;
            w.count = 0;
            pass_step(&w, &read);
            scn_simulation rest = begin(&ground, &device, &usual, &read);
            cr_assert_eq(rest.last.number, ends[i]);
            while (rest.last.number < scn_simulation_steps(&rest)) {
                step(&rest, &response);
            }
            const written got = write_step(&rest.last);
            for (size_t k = 0; k < wanted.count; k++) {
                cr_expect_str_eq(got.text[k], wanted.text[k], "%s from step %zu, number %zu",
                                 forces ? "force" : "contacts", (size_t)ends[i], k);
            }
            cr_expect_eq(
                memcmp(&rest.last.coupling_force_n, &whole.last.coupling_force_n, sizeof(vec3)), 0);
            cr_expect_eq(rest.last.spring_j, whole.last.spring_j);
            cr_expect_eq(rest.last.kinetic_j, whole.last.kinetic_j);
        }
    }
}

/* --- Errors ----------------------------------------------------------------------------------- */

Test(simulation, options_out_of_range_are_refused)
{
    static const struct {
        double step, density, stiffness, resolve, slop;
        const char *text;
    } cases[] = {
        {0, 1000, 1e3, 0.2, 0, "a step of 0 s is not above 0"},
        {NAN, 1000, 1e3, 0.2, 0, "a step of nan s is not above 0"},
        {0.001, -1, 1e3, 0.2, 0, "a density of -1 kg/m3 is not above 0"},
        {0.001, 1000, 0, 0.2, 0, "a coupling of 0 N/m is not above 0"},
        {0.001, 1000, INFINITY, 0.2, 0, "a coupling of inf N/m is not above 0"},
        {0.001, 1000, 1e3, 1.5, 0,
         "the share of depth that impulses resolve is 1.5, not in 0 to 1"},
        {0.001, 1000, 1e3, 0.2, -0.1, "a slop of -0.1 m is below 0"},
    };
    const ground_world ground = make_ground(0);
    const geo_mesh mesh = mesh_of(&ground);
    SCOPED_TRAJECTORY device = press(0.1, 0, 0, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const scn_simulation_options options = {
            .step_s = cases[i].step,
            .density_kg_m3 = cases[i].density,
            .coupling = {cases[i].stiffness},
            .impulses = {cases[i].resolve, cases[i].slop, 10},
        };
        scn_simulation s;
        base_error err = {0};
        cr_expect_eq(scn_simulation_begin(&mesh, &device, &options, NULL, &s, &err),
                     BASE_ERR_ARGUMENT);
        cr_expect_str_eq(err.text, cases[i].text);
    }
}

Test(simulation, a_device_without_frames_and_a_body_without_volume_are_refused)
{
    const ground_world ground = make_ground(0);
    geo_mesh mesh = mesh_of(&ground);
    SCOPED_TRAJECTORY device = {0};
    scn_simulation s;
    base_error err = {0};
    cr_expect_eq(scn_simulation_begin(&mesh, &device, &usual, NULL, &s, &err), BASE_ERR_ARGUMENT);
    cr_expect_str_eq(err.text, "a device needs at least one frame");
    device = press(0.1, 0, 0, 0);
    mesh.face_count = 0;
    cr_expect_eq(scn_simulation_begin(&mesh, &device, &usual, NULL, &s, &err), BASE_ERR_ARGUMENT);
}

Test(simulation, an_error_of_the_response_ends_a_step_and_changes_nothing)
{
    for (int forces = 0; forces < 2; forces++) {
        ground_world ground = make_ground(1e4);
        ground.fail_at = 3;
        SCOPED_TRAJECTORY device = press(0.1, 0, 0.005, 0);
        scn_simulation s = begin(&ground, &device, &usual, NULL);
        const scn_response response = forces ? force_of(&ground) : contacts_of(&ground);
        step(&s, &response);
        step(&s, &response);
        const written before = write_step(&s.last);
        base_error err = {0};
        cr_expect_eq(scn_simulation_step(&s, &response, &err), BASE_ERR_SYSTEM);
        cr_expect_str_eq(err.text, "call 3");
        const written after = write_step(&s.last);
        cr_expect_eq(memcmp(&before, &after, sizeof before), 0);
    }
}

Test(simulation, a_motion_that_is_not_finite_is_an_error)
{
    ground_world ground = make_ground(1e300);
    SCOPED_TRAJECTORY device = press(1, 0, 0.005, 0);
    scn_simulation s = begin(&ground, &device, &usual, NULL);
    const scn_response response = force_of(&ground);
    base_error err = {0};
    base_status status = BASE_OK;
    while (status == BASE_OK && s.last.number < scn_simulation_steps(&s)) {
        status = scn_simulation_step(&s, &response, &err);
    }
    cr_expect_eq(status, BASE_ERR_INPUT);
    cr_expect(vec3_isfinite(s.last.state.position), "the last step is a finite one");
    cr_expect_not_null(strstr(err.text, "not finite"), "%s", err.text);
}

/* --- Scenes ----------------------------------------------------------------------------------- */

static scn_trajectory device_of(const scn_scene *scene, double seconds)
{
    scn_trajectory device;
    assert_ok(scn_scene_device(scene, seconds, &device, ERR));
    return device;
}

/* --- Meshes ----------------------------------------------------------------------------------- */

typedef struct scene_bodies {
    geo_mesh a, b;
    geo_surface surface_a, surface_b;
    base_arena arena;
} scene_bodies;

static void open_bodies(const scn_scene *scene, scene_bodies *bodies)
{
    *bodies = (scene_bodies){0};
    assert_ok(scn_mesh_open(scene->a, &bodies->a, ERR));
    assert_ok(scn_mesh_open(scene->b, &bodies->b, ERR));
    assert_ok(geo_surface_build(&bodies->a, &bodies->arena, &bodies->surface_a, ERR));
    assert_ok(geo_surface_build(&bodies->b, &bodies->arena, &bodies->surface_b, ERR));
}

static void close_bodies(scene_bodies *bodies)
{
    base_arena_release(&bodies->arena);
    geo_mesh_release(&bodies->a);
    geo_mesh_release(&bodies->b);
}

/** Returns the depth of the deepest vertex of a mesh in a surface at a pose; 0 if no vertex is
 * inside. */
static double depth_in(const geo_mesh *mesh, const geo_pose *pose, const geo_surface *surface)
{
    double deepest = 0;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const vec3 p = geo_pose_apply(pose, mesh->vertices[i]);
        if (geo_surface_contains(surface, p)) {
            deepest = fmax(deepest, geo_surface_closest(surface, p, UINT32_MAX).distance2);
        }
    }
    return sqrt(deepest);
}

static double depth_at(const scene_bodies *bodies, const scn_frame *frame)
{
    const geo_pose pose = geo_pose_make(frame->orientation, frame->position);
    const geo_pose back = geo_pose_inverse(&pose);
    return fmax(depth_in(&bodies->b, &pose, &bodies->surface_a),
                depth_in(&bodies->a, &back, &bodies->surface_b));
}

Test(scenes, devices_begin_apart_and_enter_the_other_body)
{
    for (const scn_scene *scene = scn_scenes; scene->name; scene++) {
        scene_bodies bodies;
        open_bodies(scene, &bodies);
        cr_expect_leq(bodies.a.face_count + bodies.b.face_count, 11000, "%s", scene->name);
        scn_trajectory device = device_of(scene, 0);
        cr_expect_eq(depth_at(&bodies, &device.frames[0]), 0, "%s begins in contact", scene->name);
        double deepest = 0;
        for (size_t i = 0; i < device.frame_count; i += 50) {
            deepest = fmax(deepest, depth_at(&bodies, &device.frames[i]));
        }
        /* Bounds: half of a thread's flank, and the thickness of a coral's branch. */
        cr_expect(deepest > 0.0004 && deepest < 0.01, "%s: %g m deep", scene->name, deepest);
        scn_trajectory_release(&device);
        close_bodies(&bodies);
    }
}

Test(scenes, options_are_those_of_a_simulation)
{
    for (const scn_scene *scene = scn_scenes; scene->name; scene++) {
        scene_bodies bodies;
        open_bodies(scene, &bodies);
        scn_trajectory device = device_of(scene, 0);
        scn_simulation s;
        base_error err = {0};
        cr_assert_eq(scn_simulation_begin(&bodies.b, &device, &scene->options, NULL, &s, &err),
                     BASE_OK, "%s: %s", scene->name, err.text);
        cr_expect(s.mass.mass_kg > 0.05 && s.mass.mass_kg < 1, "%s: %g kg", scene->name,
                  s.mass.mass_kg);
        /* A step resolves the coupling. */
        const double wh =
            scene->options.step_s * sqrt(scene->options.coupling.stiffness_n_m / s.mass.mass_kg);
        cr_expect(wh < 0.3, "%s: %g", scene->name, wh);
        cr_expect_gt(scene->stiffness_n_m2, 0);
        cr_expect_eq(scn_simulation_steps(&s), device.frame_count - 1, "%s", scene->name);
        scn_trajectory_release(&device);
        close_bodies(&bodies);
    }
}

/* --- Devices ---------------------------------------------------------------------------------- */

/** Computes the velocity and the spin from a frame to the next. */
static void motion_at(const scn_trajectory *device, size_t i, vec3 *velocity, vec3 *spin)
{
    const scn_frame *const f = &device->frames[i], *const g = f + 1;
    *velocity = vec3_scale(1000, vec3_sub(g->position, f->position));
    *spin = vec3_scale(1000, scn_turn_between(f->orientation, g->orientation));
}

Test(scenes, devices_move_within_the_limits_of_a_hand)
{
    for (const scn_scene *scene = scn_scenes; scene->name; scene++) {
        SCOPED_TRAJECTORY device = device_of(scene, 0);
        const size_t last = device.frame_count - 2;
        vec3 velocity = {0, 0, 0}, spin = {0, 0, 0};
        for (size_t i = 0; i <= last; i++) {
            const scn_frame *const f = &device.frames[i];
            cr_assert_float_eq(f->t_s, 0.001 * (double)i, 1e-12);
            const geo_quat q = f->orientation;
            const double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
            cr_assert_float_eq(length, 1, 1e-15, "%s, frame %zu", scene->name, i);
            vec3 v, w;
            motion_at(&device, i, &v, &w);
            cr_assert_leq(vec3_norm(v), 0.15, "%s, frame %zu: %g m/s", scene->name, i,
                          vec3_norm(v));
            cr_assert_leq(vec3_norm(w), 20, "%s, frame %zu: %g rad/s", scene->name, i,
                          vec3_norm(w));
            /* No jerks: at most 4 m/s^2 and 100 rad/s^2, also at the begin and at the end. */
            cr_assert_leq(vec3_distance(v, velocity), 0.004, "%s, frame %zu: by %g m/s",
                          scene->name, i, vec3_distance(v, velocity));
            cr_assert_leq(vec3_distance(w, spin), 0.1, "%s, frame %zu: by %g rad/s", scene->name, i,
                          vec3_distance(w, spin));
            velocity = v;
            spin = w;
        }
        cr_expect_leq(vec3_norm(velocity), 0.004, "%s", scene->name);
        cr_expect_leq(vec3_norm(spin), 0.1, "%s", scene->name);
    }
}

/** A nut of a right-handed thread moves down by a pitch per turn, in the direction of its turn. */
Test(scenes, the_nut_turns_as_its_thread_winds)
{
    const scn_scene *nut;
    cr_assert_eq(scn_scene_find("nut", &nut, NULL), BASE_OK);
    SCOPED_TRAJECTORY device = device_of(nut, 0);
    double turned = 0;
    for (size_t i = 0; i + 1 < device.frame_count; i++) {
        vec3 velocity, spin;
        motion_at(&device, i, &velocity, &spin);
        turned += 0.001 * spin.z / (2 * BASE_PI);
    }
    const double way =
        device.frames[device.frame_count - 1].position.z - device.frames[0].position.z;
    cr_expect_lt(way, -0.012, "%g m", way);
    /* The tolerance contains half of the play between the flanks. */
    cr_expect_float_eq(turned, way / 0.004, 0.1, "%g turns over %g m", turned, way);
}

/** Recordings of these devices stay comparable only if the devices have the same bits on every
 * machine. */
Test(scenes, devices_are_the_same_to_the_bit)
{
    static const struct {
        const char *name, *hash;
    } scenes[] = {
        {"peg", "ff525a6225cddb302013b8508df3f732"},
        {"scrape", "18ee4a6551a05253ecbfc7cb62437fa4"},
        {"nut", "1c730d6390327a412dc4f87c4e4b0bd1"},
        {"press", "adfc6e8f4df483139af6bc672e9e7703"},
        {"stir", "0fbeaf8f11e43dc54b357901c05530c2"},
    };
    size_t count = 0;
    while (scn_scenes[count].name) {
        count++;
    }
    cr_expect_eq(count, sizeof scenes / sizeof *scenes);
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        const scn_scene *scene;
        assert_ok(scn_scene_find(scenes[i].name, &scene, ERR));
        SCOPED_TRAJECTORY device = device_of(scene, 0);
        cr_expect_str_eq(trajectory_hash(&device).hex, scenes[i].hash, "%s: %s", scene->name,
                         trajectory_hash(&device).hex);
    }
}

Test(scenes, a_device_has_the_requested_duration)
{
    const scn_scene *peg;
    cr_assert_eq(scn_scene_find("peg", &peg, NULL), BASE_OK);
    scn_trajectory whole = device_of(peg, 0), begin = device_of(peg, 0.25),
                   more = device_of(peg, 2);
    cr_expect_eq(whole.frame_count, 1801);
    cr_expect_str_eq(whole.source, "device of the scene peg, 1.8 s");
    cr_expect_eq(begin.frame_count, 251);
    cr_expect_str_eq(begin.source, "device of the scene peg, 0.25 s");
    for (size_t i = 0; i < begin.frame_count; i++) {
        cr_assert(vec3_equal(begin.frames[i].position, whole.frames[i].position), "frame %zu", i);
    }
    /* The device stays at its end. */
    cr_expect_eq(more.frame_count, 2001);
    expect_vec3(more.frames[2000].position, whole.frames[1800].position, 0, "end");
    scn_trajectory_release(&whole);
    scn_trajectory_release(&begin);
    scn_trajectory_release(&more);
    no_leak();
}

/* --- Errors ----------------------------------------------------------------------------------- */

Test(scenes, an_unknown_scene_is_an_error_that_names_near_ones)
{
    const scn_scene *scene = NULL;
    base_error err = {0};
    cr_expect_eq(scn_scene_find("scrap", &scene, &err), BASE_ERR_ARGUMENT);
    cr_expect_str_eq(err.text, "unknown scene 'scrap'; did you mean 'scrape'?");
    cr_expect_eq(scn_scene_find("banana", &scene, &err), BASE_ERR_ARGUMENT);
    cr_expect_str_eq(err.text, "unknown scene 'banana'");
    cr_expect_null(scene);
}

Test(scenes, a_device_that_does_not_fit_into_memory_is_an_error)
{
    scn_trajectory device;
    const size_t failures = COUNT_FAILURES(scn_scene_device(&scn_scenes[0], 0, &device, ERR), {
        cr_assert(!failed || !device.frames);
        scn_trajectory_release(&device);
    });
    cr_expect_gt(failures, 3);
    no_leak();
}
