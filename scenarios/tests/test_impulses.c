/** Impulses at contacts: cases computed by hand, and properties of any list of contacts. */
#include "scenarios/simulation/simulation.h"

#include "geometry/pose.h"
#include "scenarios/tests/simulation.h"

static const double h = 0.001; /* step of push */
/* A step resolves 0.2 of the depth beyond 0.2 mm: 0.16 m/s at 1 mm. */
static const scn_impulse_options usual = {.resolve = 0.2, .slop_m = 0.0002, .limit = 100};

static scn_mass mass_with(double m, double x, double y, double z)
{
    return (scn_mass){
        .mass_kg = m,
        .inertia_kg_m2 = {{{x, 0, 0}, {0, y, 0}, {0, 0, z}}},
        .inverse_inertia = {{{1 / x, 0, 0}, {0, 1 / y, 0}, {0, 0, 1 / z}}},
    };
}

/** Returns the mass of a ball of 0.5 kg and 50 mm about the origin. */
static scn_mass ball_mass(void)
{
    return mass_with(0.5, 5e-4, 5e-4, 5e-4);
}

static scn_state moving(vec3 velocity)
{
    return (scn_state){.orientation = geo_quat_identity(), .velocity = velocity};
}

/** Returns a contact on a floor below the ball. */
static scn_contact on_floor(double x, double y, double depth)
{
    return (scn_contact){{x, y, -0.05}, {0, 0, 1}, depth};
}

static const vec3 none = {0, 0, 0};

Test(impulses, a_central_hit_sets_the_velocity_along_the_normal)
{
    const scn_mass mass = ball_mass();
    scn_state state = moving(vec3_make(0.3, 0, -2));
    const scn_contact contact = on_floor(0, 0, 0.001);
    const scn_impulse_result r = push(&contact, 1, &mass, &usual, &state);
    cr_expect_eq(r.count, 1);
    cr_expect_not(r.cut);
    expect_vec3(state.velocity, vec3_make(0.3, 0, 0.16), 1e-15, "velocity");
    expect_vec3(state.spin, none, 0, "spin");
    expect_vec3(r.impulse_ns, vec3_make(0, 0, 0.5 * 2.16), 1e-15, "impulse");
    expect_vec3(r.angular_nms, none, 0, "angular impulse");
}

/** A rod of 2 kg and 1.2 m is hit at its end: j = v / (1 / m + r^2 / I) = 1 / (1 / 2 + 0.36 /
 * 0.24). */
Test(impulses, the_end_of_a_rod_is_stopped_and_the_rod_turns_on)
{
    const scn_mass mass = mass_with(2, 0.01, 0.24, 0.24);
    scn_state state = moving(vec3_make(0, 0, -1));
    state.position = vec3_make(3, 1, 1);
    const scn_contact contact = {{3.6, 1, 1}, {0, 0, 1}, usual.slop_m};
    const scn_impulse_result r = push(&contact, 1, &mass, &usual, &state);
    cr_expect_eq(r.count, 1);
    expect_vec3(r.impulse_ns, vec3_make(0, 0, 0.5), 1e-15, "impulse");
    expect_vec3(r.angular_nms, vec3_make(0, -0.3, 0), 1e-15, "angular impulse");
    expect_vec3(state.velocity, vec3_make(0, 0, -0.75), 1e-15, "velocity");
    expect_vec3(state.spin, vec3_make(0, -1.25, 0), 1e-14, "spin");
}

/** The same rod along y, because of its orientation. */
Test(impulses, inertia_turns_with_the_body)
{
    const scn_mass mass = mass_with(2, 0.01, 0.24, 0.24);
    scn_state state = moving(vec3_make(0, 0, -1));
    state.orientation = turn_about(vec3_make(0, 0, 1), BASE_PI / 2);
    const scn_contact contact = {{0, 0.6, 0}, {0, 0, 1}, usual.slop_m};
    const scn_impulse_result r = push(&contact, 1, &mass, &usual, &state);
    expect_vec3(r.impulse_ns, vec3_make(0, 0, 0.5), 1e-15, "impulse");
    expect_vec3(state.spin, vec3_make(1.25, 0, 0), 1e-14, "spin");
}

Test(impulses, contacts_that_inertia_resolves_get_no_impulse)
{
    const scn_mass mass = ball_mass();
    static const struct {
        double depth, before, after; /* m, m/s */
    } cases[] = {
        {0.001, 0.17, 0.17},                    /* separates fast enough */
        {0.001, 0.15, 0.16},                    /* separates too slowly */
        {0.001, 5, 5},                          /* no velocity is reduced */
        {0.0002, 0, 0},                         /* at the slop, at rest */
        {0.0001, 0, 0},      {0, -0.03, -0.03}, /* approaches, but stays within the slop */
        {0, -0.05, -0.04},   {0.0001, -0.05, -0.02}, {0, -3, -0.04},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scn_state state = moving(vec3_make(0, 0, cases[i].before));
        const scn_contact contact = on_floor(0, 0, cases[i].depth);
        const scn_impulse_result r = push(&contact, 1, &mass, &usual, &state);
        const bool pushed = cases[i].after > cases[i].before;
        cr_expect_float_eq(state.velocity.z, cases[i].after, 1e-15, "case %zu: %.17g m/s", i,
                           state.velocity.z);
        cr_expect_eq(r.count, pushed ? 1 : 0, "case %zu", i);
        cr_expect_not(r.cut);
    }
}

Test(impulses, a_contact_without_a_normal_is_passed)
{
    const scn_mass mass = ball_mass();
    scn_state state = moving(vec3_make(0, 0, -1));
    scn_contact contacts[3] = {on_floor(0, 0, 0.003), on_floor(0, 0, 0.001), on_floor(0, 0, 0.002)};
    contacts[0].normal = contacts[2].normal = none;
    const scn_impulse_result r = push(contacts, 3, &mass, &usual, &state);
    cr_expect_eq(r.count, 1);
    cr_expect_not(r.cut);
    cr_expect_float_eq(state.velocity.z, 0.16, 1e-15, "%.17g", state.velocity.z);
    cr_expect_eq(push(contacts, 1, &mass, &usual, &state).count, 0);
    cr_expect_eq(push(NULL, 0, &mass, &usual, &state).count, 0);
}

/** Hundreds of contacts under a falling ball, the deepest in the middle: one impulse, and inertia
 * resolves the others. */
Test(impulses, one_impulse_resolves_near_contacts)
{
    enum { SIDE = 21 };
    static scn_contact contacts[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        const double x = 0.0002 * (i % SIDE - SIDE / 2), y = 0.0002 * (i / SIDE - SIDE / 2);
        contacts[i] = on_floor(x, y, 0.001 - 10 * (x * x + y * y));
    }
    const scn_mass mass = ball_mass();
    scn_state state = moving(vec3_make(0, 0, -0.5));
    const scn_impulse_result r = push(contacts, SIDE * SIDE, &mass, &usual, &state);
    cr_expect_eq(r.count, 1, "%zu impulses", r.count);
    expect_vec3(state.velocity, vec3_make(0, 0, 0.16), 1e-15, "velocity");
}

/** With a limit of one impulse, the direction of the body's rotation shows which contact got it. */
Test(impulses, the_deepest_is_first_and_of_equals_the_first)
{
    static const struct {
        double left, right; /* depths */
        int turn;           /* sign of the rotation about y: the contact on the left gives +1 */
    } cases[] = {
        {0.002, 0.001, 1},
        {0.001, 0.002, -1},
        {0.001, 0.001, 1},
    };
    const scn_mass mass = ball_mass();
    scn_impulse_options one = usual;
    one.limit = 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const scn_contact contacts[2] = {on_floor(-0.02, 0, cases[i].left),
                                         on_floor(0.02, 0, cases[i].right)};
        scn_state state = moving(vec3_make(0, 0, -1));
        const scn_impulse_result r = push(contacts, 2, &mass, &one, &state);
        cr_expect_eq(r.count, 1);
        cr_expect(r.cut, "case %zu: the other contact is left", i);
        cr_expect_gt(state.spin.y * cases[i].turn, 0, "case %zu: %g", i, state.spin.y);
    }
}

/** In a gap that is too narrow, both walls push without end, until the limit is reached. */
Test(impulses, walls_that_contradict_each_other_meet_the_limit)
{
    const scn_mass mass = ball_mass();
    const scn_contact walls[2] = {
        {{-0.05, 0, 0}, {1, 0, 0}, 0.001},
        {{0.05, 0, 0}, {-1, 0, 0}, 0.001},
    };
    for (size_t limit = 0; limit < 20; limit++) {
        const scn_impulse_options options = {.resolve = 0.2, .slop_m = 0.0002, .limit = limit};
        scn_state state = moving(none);
        const scn_impulse_result r = push(walls, 2, &mass, &options, &state);
        cr_expect_eq(r.count, limit);
        cr_expect(r.cut);
        const double wanted = limit == 0 ? 0 : limit % 2 == 1 ? 0.16 : -0.16;
        cr_expect_float_eq(state.velocity.x, wanted, 1e-14, "%zu: %g", limit, state.velocity.x);
    }
}

Test(impulses, a_limit_that_is_just_enough_cuts_nothing)
{
    const scn_mass mass = ball_mass();
    const scn_impulse_options one = {.resolve = 0.2, .slop_m = 0.0002, .limit = 1};
    scn_state state = moving(vec3_make(0, 0, -1));
    const scn_contact contact = on_floor(0, 0, 0.001);
    const scn_impulse_result r = push(&contact, 1, &mass, &one, &state);
    cr_expect_eq(r.count, 1);
    cr_expect_not(r.cut);
}

/* --- The plain search ------------------------------------------------------------------------- */

/** Returns the difference between wanted and actual speed of a contact, by the formula of the
 * header. */
static double lacks(const scn_contact *c, const scn_impulse_options *options,
                    const scn_state *state)
{
    const vec3 arm = vec3_sub(c->point, state->position);
    const vec3 velocity = vec3_add(state->velocity, vec3_cross(state->spin, arm));
    const double wanted = options->resolve * (c->depth_m - options->slop_m) / h;
    return wanted - vec3_dot(c->normal, velocity);
}

/** Searches all contacts for the deepest eligible one. */
static size_t search_all(const scn_contact *contacts, size_t count,
                         const scn_impulse_options *options, const scn_state *state)
{
    size_t deepest = count;
    for (size_t i = 0; i < count; i++) {
        const bool deeper = deepest == count || contacts[i].depth_m > contacts[deepest].depth_m;
        if (deeper && vec3_norm2(contacts[i].normal) > 0 &&
            lacks(&contacts[i], options, state) > 1e-9) {
            deepest = i;
        }
    }
    return deepest;
}

/** Applies the rule of the header by plain searches. */
static scn_impulse_result push_plainly(const scn_contact *contacts, size_t count,
                                       const scn_mass *mass, const scn_impulse_options *options,
                                       scn_state *state)
{
    const mat3 inverse_inertia = scn_state_inverse_inertia(state, mass);
    scn_impulse_result result = {0};
    size_t next = search_all(contacts, count, options, state);
    while (next < count && result.count < options->limit) {
        const scn_contact *const c = &contacts[next];
        const vec3 arm = vec3_cross(vec3_sub(c->point, state->position), c->normal);
        const double compliance =
            1 / mass->mass_kg + vec3_dot(arm, mat3_mul_vec3(inverse_inertia, arm));
        const vec3 impulse = vec3_scale(lacks(c, options, state) / compliance, c->normal);
        const vec3 angular = vec3_cross(vec3_sub(c->point, state->position), impulse);
        result.impulse_ns = vec3_add(result.impulse_ns, impulse);
        result.angular_nms = vec3_add(result.angular_nms, angular);
        scn_state_push(state, mass, impulse, c->point, none);
        result.count++;
        next = search_all(contacts, count, options, state);
    }
    result.cut = next < count;
    return result;
}

typedef enum layout {
    FLAT,
    CUP,
    PATCHES,
    ANYWHERE,
    STEPS,
    OUTLIER,
    WITHOUT_NORMALS,
    LAYOUTS
} layout;

/**
 * Returns contact i of a patch about a ball: flat and leaning, a cup, eight patches in a ring, or
 * in all directions. All depths are different except in STEPS, which has few values. In OUTLIER one
 * contact is so far from the others that they are in one bucket.
 */
static scn_contact draw_contact(base_random *random, layout of, size_t i, size_t count)
{
    const double u = base_random_range(random, -0.5, 0.5), v = base_random_range(random, -0.5, 0.5);
    const double noise = base_random_unit(random), turn = BASE_PI / 4 * (double)(8 * i / count);
    const vec3 down = vec3_normalize(vec3_make(1.6 * u, 1.6 * v, -1));
    const vec3 ring = vec3_make(0.05 * base_cos(turn), 0.05 * base_sin(turn), 0.015);
    vec3 normal = geo_random_direction(random);
    switch (of) {
    case FLAT:
    case STEPS:
        return (scn_contact){{0.08 * u, 0.08 * v, -0.05},
                             {0, 0, 1},
                             of == FLAT ? 0.001 + 0.0003 * u : 0.0001 * floor(1 + 9 * noise)};
    case CUP:
        return (scn_contact){vec3_scale(0.05, down), vec3_scale(-1, down), 1e-3 * fabs(down.z)};
    case PATCHES:
        return (scn_contact){vec3_add(ring, vec3_make(0.01 * u, 0.01 * v, 0.01 * u * v)),
                             vec3_normalize(vec3_make(-ring.x, -ring.y, 0.01)), 1e-3 * noise};
    case ANYWHERE:
    case OUTLIER:
    case WITHOUT_NORMALS:
    case LAYOUTS:
        break;
    }
    normal.z = fabs(normal.z) + 0.2;
    normal = vec3_normalize(normal);
    return (scn_contact){vec3_scale(-0.05, normal),
                         of == WITHOUT_NORMALS && noise < 0.5 ? none : normal,
                         of == OUTLIER && i == 0 ? -100 : 0.002 * noise};
}

Test(impulses, blocks_find_the_same_contacts_as_plain_searches)
{
    static const size_t counts[] = {1, 2, 16, 17, 100, 1000, 3000, 8192, 8193, 20000};
    static scn_contact contacts[20000];
    base_random random = base_random_seed(13);
    const scn_mass mass = box_mass(vec3_make(0.1, 0.05, 0.02));
    size_t impulses = 0, cut = 0;
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
        for (layout s = FLAT; s < LAYOUTS; s++) {
            for (size_t i = 0; i < counts[n]; i++) {
                contacts[i] = draw_contact(&random, s, i, counts[n]);
            }
            const scn_impulse_options options = {
                .resolve = s == CUP ? 1 : 0.2, .slop_m = 0.0002, .limit = 120};
            scn_state state = {.orientation = turn_about(geo_random_direction(&random), 3),
                               .velocity = {0.1, 0.02, -0.5},
                               .spin = vec3_scale(5, geo_random_direction(&random))};
            scn_state wanted_state = state;
            const scn_impulse_result wanted =
                push_plainly(contacts, counts[n], &mass, &options, &wanted_state);
            const scn_impulse_result r = push(contacts, counts[n], &mass, &options, &state);
            cr_assert_eq(r.count, wanted.count, "layout %d of %zu: %zu, not %zu", s, counts[n],
                         r.count, wanted.count);
            cr_assert_eq(r.cut, wanted.cut, "layout %d of %zu", s, counts[n]);
            cr_assert(vec3_equal(r.impulse_ns, wanted.impulse_ns) &&
                          vec3_equal(r.angular_nms, wanted.angular_nms) &&
                          vec3_equal(state.velocity, wanted_state.velocity) &&
                          vec3_equal(state.spin, wanted_state.spin),
                      "layout %d of %zu: other bits", s, counts[n]);
            impulses += r.count;
            cut += r.cut;
        }
    }
    cr_expect_gt(impulses, 2000, "%zu impulses", impulses);
    cr_expect(cut > 5 && cut < 50, "%zu lists are cut", cut);
}

/** Depths and speeds of very different sizes, whose differences overflow. */
Test(impulses, depths_of_any_size_are_sorted)
{
    const scn_mass mass = ball_mass();
    const scn_contact contacts[3] = {on_floor(0, 0, -1.7e308), on_floor(0, 0, 1e-3),
                                     on_floor(0.01, 0, 1.7e308)};
    const scn_impulse_options one = {.resolve = 1e-308, .slop_m = 0, .limit = 1};
    scn_state state = moving(none), wanted = moving(none);
    push_plainly(contacts, 3, &mass, &one, &wanted);
    cr_expect_eq(push(contacts, 3, &mass, &one, &state).count, 1);
    cr_expect(vec3_equal(state.velocity, wanted.velocity) && vec3_equal(state.spin, wanted.spin));
    cr_expect_lt(state.spin.y, 0, "the deepest one is beside the middle");
}

/* --- Any list --------------------------------------------------------------------------------- */

/** Returns the speed at which a contact separates, in m/s. */
static double outward(const scn_contact *c, const scn_state *state)
{
    const vec3 arm = vec3_sub(c->point, state->position);
    return vec3_dot(c->normal, vec3_add(state->velocity, vec3_cross(state->spin, arm)));
}

enum { CONTACTS = 60 };

/** Draws contacts all around a box. Their normals are in one half of all directions, so the box can
 * leave. */
static void draw_contacts(base_random *random, vec3 centre, scn_contact *contacts)
{
    for (int i = 0; i < CONTACTS; i++) {
        vec3 normal = geo_random_direction(random);
        normal.z = fabs(normal.z) + 0.2;
        contacts[i] = (scn_contact){
            vec3_madd(centre, 0.05, geo_random_direction(random)),
            vec3_normalize(normal),
            base_random_range(random, 0, 0.002),
        };
    }
}

Test(impulses, all_contacts_are_resolved_and_work_is_energy)
{
    base_random random = base_random_seed(11);
    const scn_mass mass = box_mass(vec3_make(0.1, 0.05, 0.02));
    scn_impulse_options options = {.slop_m = 0.0002, .limit = 100000};
    size_t most = 0;
    for (int draw = 0; draw < 300; draw++) {
        scn_contact contacts[CONTACTS];
        scn_state state = {
            .position = vec3_scale(0.2, geo_random_direction(&random)),
            .orientation = turn_about(geo_random_direction(&random), 3),
            .velocity = geo_random_direction(&random),
            .spin = vec3_scale(10, geo_random_direction(&random)),
        };
        draw_contacts(&random, state.position, contacts);
        options.resolve = base_random_unit(&random);
        const scn_state was = state;
        const scn_impulse_result r = push(contacts, CONTACTS, &mass, &options, &state);
        cr_assert_not(r.cut, "draw %d: %zu impulses", draw, r.count);
        most = r.count > most ? r.count : most;
        for (int i = 0; i < CONTACTS; i++) {
            const double wanted = options.resolve * (contacts[i].depth_m - options.slop_m) / h;
            const double speed = outward(&contacts[i], &state);
            cr_assert_geq(speed, wanted - 1.1e-9, "draw %d, contact %d: %g m/s, not %g", draw, i,
                          speed, wanted);
        }
        const double gain = scn_state_energy(&state, &mass) - scn_state_energy(&was, &mass);
        const double work = scn_state_work(&was, &state, r.impulse_ns, r.angular_nms);
        cr_assert_float_eq(work, gain, 1e-12, "draw %d: %g J, not %g", draw, work, gain);
        expect_vec3(r.impulse_ns, vec3_scale(mass.mass_kg, vec3_sub(state.velocity, was.velocity)),
                    1e-13, "impulse");
        expect_vec3(r.angular_nms,
                    vec3_sub(scn_state_momentum(&state, &mass, state.spin),
                             scn_state_momentum(&was, &mass, was.spin)),
                    1e-13, "angular impulse");
    }
    cr_expect_gt(most, 5, "%zu impulses at most: contacts do not disturb each other", most);
}

/** Contacts that only stop a body take energy from it, whatever the contacts are. */
Test(impulses, contacts_that_only_stop_take_energy)
{
    base_random random = base_random_seed(12);
    const scn_mass mass = box_mass(vec3_make(0.1, 0.05, 0.02));
    const scn_impulse_options options = {.resolve = 0, .slop_m = 0, .limit = 1000};
    size_t taken = 0;
    for (int draw = 0; draw < 300; draw++) {
        scn_contact contacts[CONTACTS];
        scn_state state = moving(geo_random_direction(&random));
        state.spin = vec3_scale(10, geo_random_direction(&random));
        draw_contacts(&random, state.position, contacts);
        const double before = scn_state_energy(&state, &mass);
        const size_t pushed = push(contacts, CONTACTS, &mass, &options, &state).count;
        const double gain = scn_state_energy(&state, &mass) - before;
        cr_assert_leq(gain, pushed > 0 ? -1e-18 : 0, "draw %d: %g J", draw, gain);
        taken += pushed > 0;
    }
    cr_expect_gt(taken, 200, "only %zu draws had an impulse", taken);
}
