#include "base/memory.h"
#include "geometry/pose.h"
#include "suite/inputs/truth_entries.h"
#include "suite/simulate/drive.h"
#include "suite/tests/simulate.h"

#include <criterion/redirect.h>
#include <math.h>
#include <signal.h>
#include <string.h>

enum { TOLD = 101 }; /* descriptor */

static void enter(void);
static void leave(void);
TestSuite(responder, .init = enter, .fini = leave);

/* --- An algorithm with answers given by the test ---------------------------------------------- */

/** Contents of the next answers. */
typedef struct told {
    uint32_t count;   /* number of contacts */
    alg_contact each; /* the contact, except for its point, which is (number, 0, 0) */
    bool silent;      /* contacts are found but not returned */
    bool lazy;        /* contacts are counted but not written */
    bool dies;
    vec3 force;
    unsigned resets;
} told;

static told *says; /* shared with workers */

/* The open pair and the open responder of a test; `leave` closes both. */
static bench_pair pair;
static bench_responder r;
static bool is_open;
static base_error err; /* the last error */

static void enter(void)
{
    enter_folder();
    says = make_told(TOLD, sizeof *says);
}

static void close_responder(void)
{
    if (is_open) {
        bench_responder_close(&r);
    }
    is_open = false;
}

static void leave(void)
{
    close_responder();
    bench_pair_close(&pair);
    leave_folder();
}

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_CONTACT || quantity == ALG_FORCE ? ALG_APPROXIMATE : ALG_NOT_ANSWERED;
}

static alg_contract contract_of_contacts(const alg_settings *settings, alg_quantity quantity)
{
    return quantity == ALG_FORCE ? ALG_NOT_ANSWERED : contract(settings, quantity);
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    (void)settings, (void)role, (void)message, (void)mesh, (void)info;
    *prepared = base_alloc(1, 1);
    return ALG_OK;
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, void **state, alg_message *message)
{
    (void)settings, (void)fixed, (void)moving, (void)message;
    unsigned *const wanted = base_alloc(1, sizeof *wanted);
    *wanted = request->wanted;
    *state = wanted;
    return ALG_OK;
}

static void reset(void *state)
{
    (void)state;
    says->resets++;
}

static void query(void *state, const geo_pose *pose, alg_answer *answer)
{
    const unsigned wanted = *(unsigned *)state;
    (void)pose;
    if (says->dies) {
        raise(SIGKILL);
    }
    answer->outcome = ALG_CONVERGED;
    if (wanted & ALG_WANT_FORCE) {
        answer->answered |= ALG_HAS_FORCE;
        answer->force = says->force;
        answer->torque = vec3_scale(2, says->force);
    }
    if (!(wanted & ALG_WANT_CONTACT)) {
        return;
    }
    answer->colliding = says->count > 0;
    answer->answered |= ALG_HAS_CONTACT | (says->silent ? 0u : ALG_HAS_CONTACTS);
    answer->contact_count = says->count;
    for (uint32_t i = 0; !says->lazy && i < says->count && i < answer->contact_capacity; i++) {
        answer->contacts[i] = says->each;
        answer->contacts[i].point = vec3_make(i, 0, 0);
    }
}

#define ALGORITHM(identifier, text, contract_function, unit, more_flags)                           \
    static const alg_algorithm identifier = {.abi_version = ALG_ABI_VERSION,                       \
                                             .name = text,                                         \
                                             .summary = "for tests",                               \
                                             .source = "",                                         \
                                             .flags = ALG_KEEPS_STATE | (more_flags),              \
                                             .force_unit = unit,                                   \
                                             .contract = contract_function,                        \
                                             .prepare = prepare,                                   \
                                             .dispose = base_free,                                 \
                                             .bind = bind,                                         \
                                             .release = base_free,                                 \
                                             .reset = reset,                                       \
                                             .query = query}
ALGORITHM(said, "said", contract, "m", 0);
ALGORITHM(said_in_newtons, "said-n", contract, "N", 0);
ALGORITHM(said_by_contacts, "said-c", contract_of_contacts, NULL, 0);
ALGORITHM(flagged, "flagged", contract, "m", ALG_BY_CONTACTS);
ALGORITHM(named_imp, "imp", contract, "m", 0);

BEFORE_WORKERS_SERVE static void get_ready(int argc, char **argv)
{
    static const alg_algorithm *const served[] = {&said, &said_in_newtons, &said_by_contacts};
    alg_message message;
    if (!is_worker(argc, argv)) {
        return;
    }
    says = map_told(TOLD, sizeof *says);
    bench_truth_entries_register();
    for (size_t i = 0; i < sizeof served / sizeof *served; i++) {
        if (alg_register(served[i], &message) != ALG_OK) {
            fprintf(stderr, "%s\n", message.text);
        }
    }
}

/** Ends tests that would hang. */
static const double LIMIT_S = 100;

static alg_variant variant_of(const alg_algorithm *algorithm)
{
    alg_variant variant = {.algorithm = algorithm};
    snprintf(variant.name, sizeof variant.name, "%s", algorithm->name);
    return variant;
}

/* --- Contestants ------------------------------------------------------------------------------ */

static void open_responder(const alg_algorithm *algorithm, bench_response response)
{
    const alg_variant variant = variant_of(algorithm);
    close_responder();
    is_open = true;
    cr_assert_eq(bench_responder_open(&variant, &pair, response, NULL, LIMIT_S, &r, &err), BASE_OK,
                 "%s", err.text);
}

/** Opens cubes that touch at a corner, and a variant that answers the contacts of `says`. */
static void open_by_contacts(void)
{
    open_cubes(vec3_make(1, 1, 1), &pair);
    open_responder(&said_by_contacts, BENCH_BY_IMPULSES);
}

Test(responder, force_where_there_is_one_unless_contacts_drive)
{
    static const struct {
        const alg_algorithm *algorithm;
        const char *asked;
        bench_response response;
    } cases[] = {
        {&said, "auto", BENCH_BY_FORCE},       {&said_by_contacts, "auto", BENCH_BY_IMPULSES},
        {&flagged, "auto", BENCH_BY_IMPULSES}, {&named_imp, "auto", BENCH_BY_FORCE},
        {&flagged, "force", BENCH_BY_FORCE},   {&said, "impulses", BENCH_BY_IMPULSES},
    };
    bench_response response;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const alg_variant variant = variant_of(cases[i].algorithm);
        cr_assert_eq(bench_response_choose(cases[i].asked, &variant, &response, &err), BASE_OK);
        cr_expect_eq(response, cases[i].response, "%s of '%s'", cases[i].asked, variant.name);
    }
    const alg_variant variant = variant_of(&said);
    cr_expect_eq(bench_response_choose("forces", &variant, &response, &err), BASE_ERR_ARGUMENT);
}

/* --- Answers ---------------------------------------------------------------------------------- */

/* The contacts of the last answer. */
static const scn_contact *contacts;
static size_t count;

/** Asks for the contacts of the pair as a simulation does. A's centre is at (1.5, 1.5, 1.5). */
static base_status ask(void)
{
    const scn_response response = bench_responder_response(&r);
    cr_assert(response.contacts && !response.force);
    err = (base_error){0};
    scn_contacts list = {0};
    const base_status status =
        response.contacts(response.context, vec3_make(0, 0, 0), geo_quat_identity(), &list, &err);
    contacts = list.items;
    count = list.count;
    if (status == BASE_OK) { /* the solver's buffer is as large as the list */
        memset(list.order, 0xff, list.count * sizeof *list.order);
    }
    return status;
}

Test(responder, contacts_are_in_the_frame_of_as_file)
{
    open_by_contacts();
    says->count = 3;
    says->each = (alg_contact){.normal = {0, 0, 1}, .depth_m = 0.25};
    cr_assert_eq(ask(), BASE_OK, "%s", err.text);
    cr_assert_eq(count, 3);
    for (size_t i = 0; i < count; i++) {
        const vec3 point = vec3_make(1.5 + (double)i, 1.5, 1.5);
        cr_expect_eq(vec3_distance(contacts[i].point, point), 0, "contact %zu", i);
        cr_expect_eq(contacts[i].normal.z, 1);
        cr_expect_eq(contacts[i].depth_m, 0.25);
    }
    /* A contact without a normal is no error after one that had a normal. */
    says->each = (alg_contact){.depth_m = 0.25};
    cr_assert_eq(ask(), BASE_OK, "%s", err.text);
    cr_expect(count == 3 && vec3_norm(contacts[0].normal) == 0);
}

/**
 * The first contacts of two bodies that meet may all be of this kind. A depth below 0 is treated
 * likewise.
 */
Test(responder, contacts_without_a_depth_are_where_bodies_just_touch)
{
    open_by_contacts();
    for (int below = 0; below <= 1; below++) {
        says->count = 1;
        says->each = (alg_contact){.normal = {0, 0, 1}, .depth_m = -0.5 * below};
        cr_assert_eq(ask(), BASE_OK, "%s", err.text);
        cr_expect(count == 1 && contacts[0].normal.z == 1 && contacts[0].depth_m == 0);
    }
}

Test(responder, contacts_beyond_the_room_are_counted)
{
    open_by_contacts();
    for (uint32_t more = 0; more <= 2; more++) {
        says->count = BENCH_STEP_CONTACTS_MAX - 1 + more;
        says->each = (alg_contact){.normal = {0, 0, 1}, .depth_m = 0.25};
        cr_assert_eq(ask(), BASE_OK, "%s", err.text);
        cr_expect_eq(count, more == 0 ? BENCH_STEP_CONTACTS_MAX - 1 : BENCH_STEP_CONTACTS_MAX);
        cr_expect_eq(r.beyond, more == 2 ? 1 : 0);
    }
}

Test(responder, answers_of_no_use)
{
    static const struct {
        alg_contact each;
        bool silent;
        bench_status fault;
        const char *text;
    } cases[] = {
        {{.depth_m = 0.25}, false, BENCH_CELL_UNSUPPORTED, "its contacts have no normals"},
        {{.normal = {0, 0, 1}, .depth_m = 0.25},
         true,
         BENCH_CELL_UNSUPPORTED,
         "it returns no contacts"},
        {{.normal = {0, 0, 2}, .depth_m = 0.25},
         false,
         BENCH_CELL_WRONG,
         "contact 0 has a normal that is no unit vector"},
        {{.normal = {0, 0, 1}, .depth_m = (double)NAN},
         false,
         BENCH_CELL_WRONG,
         "contact 0 is not filled in, or NaN or infinity"},
    };
    open_cubes(vec3_make(1, 1, 1), &pair);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        open_responder(&said_by_contacts, BENCH_BY_IMPULSES);
        says->count = 0;
        cr_assert_eq(ask(), BASE_OK, "none is no fault");
        says->count = 2;
        says->each = cases[i].each;
        says->silent = cases[i].silent;
        cr_expect_eq(ask(), BASE_ERR_INPUT, "%s", cases[i].text);
        cr_expect_eq(r.fault, cases[i].fault, "%s", cases[i].text);
        cr_expect_str_eq(err.text, cases[i].text);
        says->silent = false;
    }
}

/** Entries of one answer do not count as entries of the next answer. */
Test(responder, entries_that_are_counted_twice_and_filled_in_once)
{
    open_by_contacts();
    says->count = 2;
    says->each.normal.z = 1;
    cr_assert_eq(ask(), BASE_OK, "%s", err.text);
    says->lazy = true;
    cr_expect_eq(ask(), BASE_ERR_INPUT);
    cr_expect_str_eq(err.text, "contact 0 is not filled in, or NaN or infinity");
}

Test(responder, one_that_has_died_is_not_asked_again)
{
    open_by_contacts();
    says->dies = true;
    for (int i = 0; i < 2; i++) {
        cr_expect_eq(ask(), BASE_ERR_INPUT);
        cr_expect_eq(r.fault, BENCH_CELL_CRASH);
    }
}

Test(responder, forces_are_made_newtons)
{
    vec3 force, torque;
    open_cubes(vec3_make(1, 1, 1), &pair);
    open_responder(&said, BENCH_BY_FORCE);
    r.newtons = 50;
    says->force = vec3_make(1, 2, -3);
    const scn_response response = bench_responder_response(&r);
    cr_assert(response.force && !response.contacts);
    cr_assert_eq(response.force(response.context, vec3_make(0, 0, 0), geo_quat_identity(), &force,
                                &torque, &err),
                 BASE_OK, "%s", err.text);
    cr_expect_eq(vec3_distance(force, vec3_make(50, 100, -150)), 0);
    cr_expect_eq(vec3_distance(torque, vec3_make(100, 200, -300)), 0);
    says->force.x = NAN;
    cr_expect_eq(response.force(response.context, vec3_make(0, 0, 0), geo_quat_identity(), &force,
                                &torque, &err),
                 BASE_ERR_INPUT);
    cr_expect_eq(r.fault, BENCH_CELL_WRONG);
}

/* --- Gains ------------------------------------------------------------------------------------ */

/** B moves down onto A with its whole face, and touches in the last `touching` of 400 frames. */
static void make_device(int touching, scn_trajectory *device)
{
    for (int i = 0; i < 400; i++) {
        const scn_frame frame = {.t_s = 0.001 * i,
                                 .position = {1.125, 1.125, i < 400 - touching ? 3 : 1.75},
                                 .orientation = geo_quat_identity(),
                                 .target = NAN,
                                 .achieved = NAN};
        cr_assert_eq(scn_trajectory_append(device, &frame, &err), BASE_OK);
    }
}

static double gain_of(const alg_algorithm *algorithm, bool judged, int touching)
{
    bench_overlap *overlap = NULL;
    scn_trajectory device = {0};
    double gain = 0;
    close_responder();
    bench_pair_close(&pair);
    open_cubes(vec3_make(0.5, 0.5, 0.5), &pair);
    make_device(touching, &device);
    if (judged) {
        cr_assert_eq(bench_overlap_create(&pair, &overlap, &err), BASE_OK);
    }
    open_responder(algorithm, BENCH_BY_FORCE);
    says->resets = 0;
    cr_assert_eq(bench_gain_find(&r, overlap, &device, 0.001, &gain, &err), BASE_OK, "%s",
                 err.text);
    const geo_pose pose = bench_pair_pose(&pair, vec3_make(3, 3, 3), geo_quat_identity());
    cr_assert_eq(bench_responder_ask(&r, &pose, &err), BASE_OK, "%s", err.text);
    bench_overlap_destroy(overlap);
    scn_trajectory_release(&device);
    return gain;
}

/**
 * The face under pressure has 0.25 m2, so a force of 4 m has the gain 1 / 16. Frames without a
 * common volume are not used, independent of the force in them.
 */
Test(responder, the_gain_is_that_of_the_path)
{
    says->force = vec3_make(0, 0, 4);
    const double gain = gain_of(&said, true, 100);
    cr_expect(fabs(gain - 0.0625) < 1e-14, "%.17g", gain);
    cr_expect_eq(says->resets, 2, "a state that the gain has changed is none to begin with");
}

Test(responder, gains_that_are_known)
{
    bench_truth_entries_register();
    says->force = vec3_make(0, 0, 4);
    cr_expect_eq(gain_of(alg_find("exact-volume"), true, 100), 1);
    cr_expect(isnan(gain_of(&said, false, 100)), "without solids");
    cr_expect(isnan(gain_of(&said, true, 0)), "it never comes so far");
    says->force = vec3_make(0, 0, 0);
    cr_expect(isnan(gain_of(&said, true, 100)), "without a force");
    const alg_variant newtons = variant_of(&said_in_newtons), metres = variant_of(&said);
    cr_expect_not(bench_gain_needed(&newtons));
    cr_expect(bench_gain_needed(&metres));
}
