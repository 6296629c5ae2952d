#include "base/file.h"
#include "base/memory.h"
#include "geometry/pose.h"
#include "suite/inputs/truth_entries.h"
#include "suite/simulate/drive.h"
#include "suite/tests/simulate.h"

#include <criterion/redirect.h>
#include <fenv.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { TOLD = 102 }; /* descriptor */

/** The behaviour of a query of the algorithm below, in addition to its answer. */
typedef enum deed {
    GOOD,
    SAYS_NOTHING,
    DIES,
    EXITS,
    HANGS,
    ROUNDS_UPWARDS,
    WRITES_TO_THE_POSE,
    WRITES_TO_A_MESH,
    LEAVES_THE_FOLDER,
    FORBIDS_FILES,
    CLAIMS_CONTACTS,
    WRITES_BEYOND_ITS_LIST,
    DEED_COUNT
} deed;

/** Shared with workers. */
static struct {
    deed deed;
    uint64_t at; /* number of the query since the last reset, from 1 */
} * told;

static void enter(void);
static void leave(void);
TestSuite(drive, .init = enter, .fini = leave);

/* --- An algorithm whose counters depend on all previous queries ------------------------------- */

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_FORCE ? ALG_APPROXIMATE : ALG_NOT_ANSWERED;
}

typedef struct counter {
    uint64_t asked;
    const alg_mesh *mesh;
} counter;

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    (void)settings, (void)role, (void)message, (void)info;
    const alg_mesh **const kept = base_alloc(1, sizeof *kept);
    *kept = mesh;
    *prepared = (void *)kept;
    return ALG_OK;
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, void **state, alg_message *message)
{
    (void)settings, (void)moving, (void)message, (void)request;
    counter *const c = base_alloc(1, sizeof *c);
    *c = (counter){.mesh = *(const alg_mesh *const *)fixed};
    *state = c;
    return ALG_OK;
}

static void reset(void *state)
{
    ((counter *)state)->asked = 0;
}

/** Makes a page writable, as a process may try with a read-only page. */
static void allow_writing(const void *where)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t begin = (uintptr_t)where / page * page;
    mprotect((void *)begin, page, PROT_READ | PROT_WRITE);
}

static void do_harm(const counter *c, const geo_pose *pose)
{
    const struct rlimit none = {0, 0};
    switch (told->deed) {
    case DIES:
        raise(SIGKILL); /* the sanitizers would catch a SIGSEGV */
        break;
    case EXITS:
        exit(0);
    case HANGS:
        for (;;) {
            pause();
        }
    case ROUNDS_UPWARDS:
        fesetround(FE_UPWARD);
        break;
    case WRITES_TO_THE_POSE:
        memset((void *)(uintptr_t)pose, 1, sizeof *pose);
        break;
    case WRITES_TO_A_MESH:
        allow_writing(c->mesh->vertices);
        memset((void *)(uintptr_t)c->mesh->vertices, 1, sizeof(vec3));
        break;
    case LEAVES_THE_FOLDER:
        cr_assert_eq(chdir("/"), 0);
        break;
    case FORBIDS_FILES:
        setrlimit(RLIMIT_FSIZE, &none);
        break;
    case GOOD:
    case SAYS_NOTHING:
    case CLAIMS_CONTACTS:
    case WRITES_BEYOND_ITS_LIST:
    case DEED_COUNT:
        break;
    }
}

/** Writes faulty lists that do not drive the body. */
static void list_wrongly(alg_answer *answer)
{
    if (told->deed == CLAIMS_CONTACTS) {
        answer->answered |= ALG_HAS_CONTACTS;
        answer->contact_count = 1000000000;
    }
    if (told->deed == WRITES_BEYOND_ITS_LIST && answer->contact_capacity > 0) {
        answer->contacts[answer->contact_capacity].depth_m = 1;
    }
}

/** Pushes B out by a force that grows with the depth below z = 2. */
static void query(void *state, const geo_pose *pose, alg_answer *answer)
{
    counter *const c = state;
    c->asked += 1;
    const bool due = c->asked == told->at;
    answer->counters[0] = c->asked;
    answer->outcome = ALG_CONVERGED;
    answer->answered = due && told->deed == SAYS_NOTHING ? 0 : ALG_HAS_FORCE;
    list_wrongly(answer);
    if (due) {
        do_harm(c, pose);
    }
    answer->force.z = fmax(0, 2 - 1.5 - pose->translation.z);
}

static const char *const counters[] = {"asked_count", NULL};
#define COUNTING(text, unit)                                                                       \
    {                                                                                              \
        .abi_version = ALG_ABI_VERSION, .name = text, .summary = "for tests", .source = "",        \
        .flags = ALG_KEEPS_STATE, .force_unit = unit, .counters = counters, .contract = contract,  \
        .prepare = prepare, .dispose = base_free, .bind = bind, .release = base_free,              \
        .reset = reset, .query = query                                                             \
    }
static const alg_algorithm counting = COUNTING("counting", "m");
static const alg_algorithm counting_newtons = COUNTING("counting-n", "N");
static const alg_variant in_metres = {.algorithm = &counting, .name = "counting"};
static const alg_variant in_newtons = {.algorithm = &counting_newtons, .name = "counting-n"};

BEFORE_WORKERS_SERVE static void get_ready(int argc, char **argv)
{
    alg_message message;
    if (is_worker(argc, argv)) {
        told = map_told(TOLD, sizeof *told);
        if (alg_register(&counting, &message) != ALG_OK ||
            alg_register(&counting_newtons, &message) != ALG_OK) {
            fprintf(stderr, "%s\n", message.text);
        }
    }
}

/* --- Drives ----------------------------------------------------------------------------------- */

enum { STEPS = 250 };

static bench_pair pair;
static bench_overlap *overlap;
static scn_trajectory device;
static uint64_t seen; /* progress calls */

static void enter(void)
{
    enter_folder();
    told = make_told(TOLD, sizeof *told);
    cr_redirect_stderr();
    open_cubes(vec3_make(0.5, 0.5, 0.5), &pair);
    assert_ok(bench_overlap_create(&pair, &overlap, ERR));
    for (int i = 0; i <= STEPS; i++) {
        const scn_frame frame = {.t_s = 0.001 * i,
                                 .position = {1.125, 1.125, i < 100 ? 2.2 - 0.003 * i : 1.9},
                                 .orientation = geo_quat_identity(),
                                 .target = NAN,
                                 .achieved = NAN};
        assert_ok(scn_trajectory_append(&device, &frame, ERR));
    }
    snprintf(device.source, sizeof device.source, "a test");
}

/**
 * Replaces the device by one that moves down at a constant speed until it is 0.1 inside A, at 0.1
 * s, and stays there. It has a key frame every `every` steps.
 */
static void set_device(double speed_m_s, int every)
{
    device.frame_count = 0;
    for (int i = 0; i <= STEPS; i += every) {
        const scn_frame frame = {
            .t_s = 0.001 * i,
            .position = {1.125, 1.125, 1.9 + speed_m_s * 0.001 * fmax(0, 100 - i)},
            .orientation = geo_quat_identity(),
            .target = NAN,
            .achieved = NAN};
        assert_ok(scn_trajectory_append(&device, &frame, ERR));
    }
}

static void leave(void)
{
    scn_trajectory_release(&device);
    bench_overlap_destroy(overlap);
    bench_pair_close(&pair);
    leave_folder();
}

static void show_progress(void *context, uint64_t steps)
{
    *(uint64_t *)context = steps;
}

/**
 * Makes all steps, in a folder that may already contain some. limit_s: of the build and of a query.
 */
static bench_driven drive_within(double limit_s, const char *name, const alg_variant *variant)
{
    static char path[128];
    const bench_simulated scene = {
        .name = "pair",
        .device = &device,
        .options = {.step_s = 1e-3,
                    .density_kg_m3 = 1000,
                    .coupling = {1e5},
                    .impulses = {0.2, 0, 1000}},
        .stiffness_n_m2 = 1e6,
        .steps = STEPS,
    };
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const bench_drive d = {.scene = &scene,
                           .pair = &pair,
                           .overlap = overlap,
                           .variant = variant,
                           .response = BENCH_BY_FORCE,
                           .judge_every = 7,
                           .timeout_s = limit_s,
                           .folder = path,
                           .progress = show_progress,
                           .progress_context = &seen};
    bench_driven driven;
    assert_ok(bench_drive_run(&d, &driven, ERR));
    return driven;
}

/** The limit ends a test that would hang. */
static bench_driven drive(const char *name, const alg_variant *variant)
{
    return drive_within(100, name, variant);
}

static void name_steps(const char *name, char path[256])
{
    snprintf(path, 256, "%s/%s/pair/counting.steps.csv", folder, name);
}

static char *read_steps(const char *name)
{
    char path[256], *bytes;
    size_t size;
    name_steps(name, path);
    cr_assert_eq(base_file_read(path, &bytes, &size, NULL), BASE_OK, "%s", path);
    return bytes;
}

/** Writes the header, the rows up to a step, and half of the next row. */
static void write_begin(const char *name, const char *steps, size_t last)
{
    char path[256];
    const char *end = steps;
    for (size_t line = 0; line < last + 2; line++) {
        end = strchr(end, '\n') + 1;
    }
    name_steps(name, path);
    const size_t more = strcspn(end, "\n") / 2;
    cr_assert_eq(base_folder_make_parents(path, NULL), BASE_OK);
    cr_assert_eq(base_file_replace(path, steps, (size_t)(end - steps) + more, NULL), BASE_OK);
}

/** After a kill, batches of 100 steps begin at other steps, and the counters continue. */
Test(drive, a_killed_drive_has_the_same_steps)
{
    static const size_t kills[] = {0, 1, 37, 99, 100, 101, 233, STEPS - 1, STEPS};
    bench_driven whole = drive("whole", &in_metres);
    cr_expect_str_eq(whole.status, "ok");
    cr_assert_eq(whole.steps.count, STEPS + 1);
    cr_expect_eq(seen, STEPS);
    char *const expected = read_steps("whole");
    for (size_t i = 0; i < sizeof kills / sizeof *kills; i++) {
        char name[32];
        snprintf(name, sizeof name, "killed%zu", i);
        write_begin(name, expected, kills[i]);
        bench_driven again = drive(name, &in_metres);
        cr_expect_str_eq(again.status, "ok");
        char *const got = read_steps(name);
        cr_expect_str_eq(got, expected, "killed behind step %zu", kills[i]);
        cr_expect_eq(again.gain, whole.gain);
        base_free(got);
        bench_steps_close(&again.steps);
    }
    base_free(expected);
    bench_steps_close(&whole.steps);
}

Test(drive, every_step_has_a_volume_and_some_a_depth)
{
    bench_driven driven = drive("judged", &in_metres);
    double deepest = 0;
    for (size_t i = 0; i < driven.steps.count; i++) {
        const bench_step_row *const row = &driven.steps.rows[i];
        /* B's lower side is 0.25 below its centroid, and A's upper side is at 2. */
        const double below = fmax(0, 2 - (row->step.state.position.z - 0.25));
        cr_expect(fabs(row->volume_m3 - 0.25 * below) < 1e-12, "step %zu: %g", i, row->volume_m3);
        cr_expect_eq(isnan(row->point_depth_m), i % 7 != 0, "step %zu", i);
        cr_expect(i % 7 != 0 || fabs(row->point_depth_m - below) < 1e-12, "step %zu", i);
        cr_expect_eq(row->coupling_n, vec3_norm(row->step.coupling_force_n));
        deepest = fmax(deepest, below);
    }
    cr_expect(deepest > 0.001, "%g", deepest);
    /* The force is the depth in m; the face under pressure has 0.25 m2. */
    cr_expect(driven.gain > 0.25 / 0.11 && driven.gain < 0.25 / 0.04, "%g", driven.gain);
    bench_steps_close(&driven.steps);
}

/**
 * The steps before it stay. For a force in m, the query for the gain fails first, and no step is
 * made.
 */
Test(drive, a_missing_answer_ends_it)
{
    told->deed = SAYS_NOTHING;
    told->at = 141;
    bench_driven driven = drive("newtons", &in_newtons);
    cr_expect_str_eq(driven.status, "wrong");
    cr_expect_str_eq(driven.detail, "no answer");
    cr_expect_eq(driven.steps.count, 141, "step 0 and 140 more");
    bench_steps_close(&driven.steps);
    driven = drive("metres", &in_metres);
    cr_expect_str_eq(driven.status, "wrong");
    cr_expect_eq(driven.steps.count, 0);
    bench_steps_close(&driven.steps);
}

static void expect_rows(const bench_driven *whole, const bench_driven *driven, deed what)
{
    for (size_t i = 0; i < driven->steps.count; i++) {
        const bench_step_row *const a = &whole->steps.rows[i], *const b = &driven->steps.rows[i];
        cr_expect(memcmp(&a->step.state, &b->step.state, sizeof a->step.state) == 0 &&
                      a->volume_m3 == b->volume_m3,
                  "deed %d, step %zu", (int)what, i);
    }
}

/**
 * The steps before the fault are those of a good contestant, judged and saved. The next variant is
 * not affected.
 */
Test(drive, a_faulty_variant_ends_alone_and_is_named)
{
    static const struct {
        deed deed;
        const char *status, *detail;
    } cases[] = {
        {GOOD, "ok", ""},
        {SAYS_NOTHING, "wrong", "no answer"},
        {DIES, "crash", "killed by signal 9 (Killed) during a query"},
        {EXITS, "crash", "exited with status 0 during a query"},
        {HANGS, "timeout", "no reply within 3 s during a query"},
        {ROUNDS_UPWARDS, "failed", "a query leaves another floating-point environment behind"},
        {WRITES_TO_THE_POSE, "crash", "during a query"},
        {WRITES_TO_A_MESH, "crash", "during a query"},
        {LEAVES_THE_FOLDER, "ok", ""},
        {FORBIDS_FILES, "ok", ""},
        {CLAIMS_CONTACTS, "wrong", "contact 0 is not filled in"},
        {WRITES_BEYOND_ITS_LIST, "wrong", "writes beyond its buffer of contacts"},
    };
    _Static_assert(sizeof cases / sizeof *cases == DEED_COUNT, "every deed");
    bench_driven whole = drive("whole", &in_newtons);
    for (size_t i = 0; i < DEED_COUNT; i++) {
        char name[32];
        snprintf(name, sizeof name, "deed%zu", i);
        told->deed = cases[i].deed;
        told->at = 141;
        const double limit_s = cases[i].deed == HANGS ? 3 : 100;
        bench_driven driven = drive_within(limit_s, name, &in_newtons);
        cr_expect_str_eq(driven.status, cases[i].status, "deed %zu: %s", i, driven.detail);
        cr_expect_not_null(strstr(driven.detail, cases[i].detail), "deed %zu: '%s'", i,
                           driven.detail);
        const bool ends = cases[i].deed == GOOD || cases[i].deed >= LEAVES_THE_FOLDER;
        cr_expect_eq(driven.steps.count, ends ? STEPS + 1 : 141, "deed %zu", i);
        expect_rows(&whole, &driven, cases[i].deed);
        bench_steps_close(&driven.steps);
    }
    bench_steps_close(&whole.steps);
}

/**
 * It keeps state, so the previous queries are repeated after a resume; then the fault occurs again.
 */
Test(drive, a_resumed_variant_crashes_at_the_same_step)
{
    told->deed = DIES;
    told->at = 141;
    for (int again = 0; again < 2; again++) {
        bench_driven driven = drive("crashed", &in_newtons);
        cr_expect_str_eq(driven.status, "crash");
        cr_expect_eq(driven.steps.count, 141);
        bench_steps_close(&driven.steps);
    }
    /* After an answer that is not reproduced there are no further queries. */
    told->at = 100;
    bench_driven driven = drive("crashed", &in_newtons);
    cr_expect_str_eq(driven.status, "crash");
    cr_expect_eq(driven.steps.count, 141);
    bench_steps_close(&driven.steps);
}

Test(drive, a_crash_while_the_gain_is_found_makes_no_step)
{
    told->deed = DIES;
    told->at = 5;
    bench_driven driven = drive("unit", &in_metres);
    cr_expect_str_eq(driven.status, "crash");
    cr_expect_eq(driven.steps.count, 0);
    bench_steps_close(&driven.steps);
}

/** The force is the depth d in m, and the gradient 0.25 m2 at any depth above 0. */
Test(drive, the_gain_is_that_of_the_motion_and_not_of_its_key_frames)
{
    static const int every[] = {1, 10, 50};
    double product = 0, square = 0;
    for (int i = 0; i <= STEPS; i++) {
        const double depth = fmax(0, 0.1 - 0.003 * fmax(0, 100 - i));
        product += 0.25 * depth;
        square += depth * depth;
    }
    for (size_t i = 0; i < sizeof every / sizeof *every; i++) {
        char name[32];
        set_device(3, every[i]);
        snprintf(name, sizeof name, "every%zu", i);
        bench_driven driven = drive(name, &in_metres);
        cr_expect_str_eq(driven.status, "ok");
        cr_expect_float_eq(driven.gain, product / square, 1e-12, "a frame in %d steps: %.17g",
                           every[i], driven.gain);
        bench_steps_close(&driven.steps);
    }
}

/** It is driven with a force of 1 m2 for 1 m. */
Test(drive, a_force_whose_scale_is_unknown_says_so)
{
    bench_overlap_destroy(overlap);
    overlap = NULL;
    bench_driven driven = drive("unknown", &in_metres);
    cr_expect_str_eq(driven.status, "unscaled");
    cr_expect_not_null(strstr(driven.detail, "not a solid"), "%s", driven.detail);
    cr_expect(isnan(driven.gain));
    cr_assert_eq(driven.steps.count, STEPS + 1);
    const scn_step *const before = &driven.steps.rows[STEPS - 1].step;
    const double depth = 2 - (before->state.position.z - 0.25);
    cr_expect_float_eq(driven.steps.rows[STEPS].step.contact_force_n.z, 1e6 * depth, 1e-6);
    bench_steps_close(&driven.steps);
    driven = drive("newtons", &in_newtons);
    cr_expect_str_eq(driven.status, "ok", "a force in N needs no scale");
    bench_steps_close(&driven.steps);
}

/* --- Energy of the exact force ---------------------------------------------------------------- */

/**
 * Minus the gradient of the common volume of both cubes: the area of B's face, independent of the
 * depth.
 */
static base_status press(void *context, vec3 position, geo_quat orientation, vec3 *force_n,
                         vec3 *torque_nm, base_error *err)
{
    (void)context, (void)orientation, (void)err;
    *force_n = vec3_make(0, 0, position.z < 2 ? 1e6 * 0.25 : 0);
    *torque_nm = vec3_make(0, 0, 0);
    return BASE_OK;
}

/**
 * The closed form creates as much energy as exact-volume, so this energy is not created by the
 * method. The force jumps to its full size F at the first touch and is evaluated once per step. A
 * step that enters has no resistance along its way inside, and a step that leaves is pushed along
 * its way outside: F times these lengths is the energy that time steps can create.
 */
Test(drive, energy_that_exact_volume_makes_is_that_of_time_steps)
{
    const scn_response closed = {.force = press};
    scn_simulation s;
    const scn_simulation_options options = {
        .step_s = 1e-3, .density_kg_m3 = 1000, .coupling = {1e5}};
    double made = 0, closed_made = 0, bound = 0;
    bench_truth_entries_register();
    const alg_variant exact = {.algorithm = alg_find("exact-volume"), .name = "exact-volume"};
    set_device(1.5, 1);
    bench_driven driven = drive("exact", &exact);
    cr_assert_str_eq(driven.status, "ok");
    assert_ok(scn_simulation_begin(&pair.b.mesh, &device, &options, NULL, &s, ERR));
    for (size_t i = 1; i <= STEPS; i++) {
        const double before = 2.25 - s.last.state.position.z; /* depth of B's lower face */
        assert_ok(scn_simulation_step(&s, &closed, ERR));
        const double depth = 2.25 - s.last.state.position.z;
        const scn_step *const step = &driven.steps.rows[i].step;
        cr_assert_float_eq(step->state.position.z, s.last.state.position.z, 1e-9, "step %zu", i);
        made = fmax(made, step->contact_work_j);
        closed_made = fmax(closed_made, s.last.contact_work_j);
        bound += (before > 0) != (depth > 0) ? 1e6 * 0.25 * fabs(depth) : 0;
    }
    cr_expect_float_eq(made, closed_made, 1e-6 * made, "%g J and %g J", made, closed_made);
    cr_expect(made > 0.1 * bound && made <= bound, "%g J of %g J", made, bound);
    bench_steps_close(&driven.steps);
}
