/** Contestants with faults, each in a worker: the supervisor must report how each one ended. */
#include "base/memory.h"
#include "base/tests/support.h"
#include "suite/run/supervisor.h"
#include "suite/run/timing.h"
#include "suite/run/worker.h"

#include <criterion/criterion.h>
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef enum behaviour {
    GOOD,
    CRASHES,
    EXITS,
    HANGS,
    WRITES_BEYOND_ITS_ANSWER,
    WRITES_TO_THE_POSES,
    HANGS_IN_PREPARE,
    FAILS_TO_PREPARE,
    FAILS_WITHOUT_A_WORD,
    LACKS_MEMORY,
    DECLINES_TO_BIND,
    CLOSES_ITS_SOCKET,
    FLUSHES_ALL_STREAMS,
    FLUSHES_TO_ZERO,
    FLUSHES_TO_ZERO_IN_PREPARE,
    LISTS_BEYOND_ITS_BUFFER,
    LISTS_FAR_BEYOND_ITS_BUFFER,
    DRAWS_VOXELS,
    DRAWS_VOXELS_WITHOUT_A_GRID,
    HANGS_IN_DRAW,
    FLUSHES_TO_ZERO_IN_DRAW,
    READS_BEHIND_ITS_POSE,
    WORKS_BESIDE_ITS_QUERIES,
    BEHAVIOUR_COUNT
} behaviour;

static behaviour behaviour_of(const alg_settings *settings)
{
    return (behaviour)settings->values[0];
}

static alg_contract answers_distance(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_DISTANCE ? ALG_APPROXIMATE : ALG_NOT_ANSWERED;
}

static void wait_for_ever(void)
{
    for (;;) {
        pause();
    }
}

/** Without SSE only the rounding mode can be changed. */
static void flush_to_zero(void)
{
#ifdef __SSE__
    const unsigned flush_to_zero = 1u << 15;
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | flush_to_zero);
#else
    fesetround(FE_TOWARDZERO);
#endif
}

/** Returns the number of CPUs that the calling thread may use. */
static int allowed_cpus(void)
{
    cpu_set_t allowed;
    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 0;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    static behaviour drawn;
    (void)mesh;
    drawn = behaviour_of(settings);
    const bool fails = drawn == FAILS_TO_PREPARE || drawn == FAILS_WITHOUT_A_WORD;
    *prepared = fails || drawn == LACKS_MEMORY ? NULL : &drawn;
    info->bytes = 100u + (unsigned)role;
    info->primitives = 7;
    info->facts[0] = 0.5 + (double)role; /* the other facts are not set, except for: */
    info->facts[2] = allowed_cpus();
    strcpy(message->text, drawn == FAILS_WITHOUT_A_WORD ? "" : "as \033told");
    if (behaviour_of(settings) == HANGS_IN_PREPARE) {
        wait_for_ever();
    }
    if (behaviour_of(settings) == FLUSHES_TO_ZERO_IN_PREPARE) {
        flush_to_zero();
    }
    return fails ? ALG_FAILED : drawn == LACKS_MEMORY ? ALG_OUT_OF_MEMORY : ALG_OK;
}

typedef struct faulty {
    behaviour behaviour;
    unsigned queries;
    bool stages;
} faulty;

static alg_status bind_faulty(const alg_settings *settings, const void *fixed, const void *moving,
                              const alg_request *request, void **state, alg_message *message)
{
    (void)fixed, (void)moving;
    faulty *const f = base_alloc(1, sizeof *f);
    f->behaviour = behaviour_of(settings);
    f->stages = request->stages;
    *state = f;
    strcpy(message->text, "not for me");
    return f->behaviour == DECLINES_TO_BIND ? ALG_UNSUPPORTED : ALG_OK;
}

/**
 * CPU time that WORKS_BESIDE_ITS_QUERIES uses in its query, in another thread, in a process, and in
 * its reset.
 */
enum { BURN_NS = 3000000, THREAD_NS = 12000000, CHILD_NS = 8000000, RESET_NS = 5000000 };

static void burn(uint64_t cpu_ns)
{
    const bench_cpu_time start = bench_cpu_read();
    while (bench_cpu_since(start).own_ns < cpu_ns) {
    }
}

static void reset(void *state)
{
    faulty *const f = state;
    f->queries = 0;
    if (f->behaviour == WORKS_BESIDE_ITS_QUERIES) {
        burn(RESET_NS);
    }
}

static void *burn_in_thread(void *unused)
{
    burn(THREAD_NS);
    return unused;
}

static void *sleep_in_thread(void *unused)
{
    wait_for_ever();
    return unused;
}

/**
 * Uses CPU time in this thread, in another one and in a process, and leaves a thread that stays.
 */
static void work_beside(void)
{
    pthread_t busy, idle;
    if (pthread_create(&busy, NULL, burn_in_thread, NULL) != 0 || pthread_join(busy, NULL) != 0 ||
        pthread_create(&idle, NULL, sleep_in_thread, NULL) != 0) {
        abort();
    }
    const pid_t child = fork();
    if (child == 0) {
        burn(CHILD_NS);
        _exit(0);
    }
    if (waitpid(child, NULL, 0) != child) {
        abort();
    }
    burn(BURN_NS);
}

/**
 * Answers as many regions as there were queries, 100 times as many contacts, and stages on request.
 */
static void answer_details(const faulty *f, alg_answer *answer)
{
    for (uint32_t i = 0; i < f->queries && i < answer->region_capacity; i++) {
        answer->regions[i] = (alg_region){.direction = {1, 0, 0}, .depth_m = 10.0 * f->queries + i};
    }
    answer->region_count = f->queries;
    answer->contact_count = 100 * f->queries;
    for (uint32_t i = 0; i < answer->contact_count && i < answer->contact_capacity; i++) {
        answer->contacts[i] = (alg_contact){.depth_m = i};
    }
    answer->answered |= ALG_HAS_REGIONS | ALG_HAS_CONTACTS;
    if (f->stages) {
        answer->stage_ends_ns[0] = 1;
        answer->answered |= ALG_HAS_STAGES;
    }
    if (f->behaviour == LISTS_BEYOND_ITS_BUFFER && f->queries == 2 && answer->contact_capacity) {
        answer->contacts[answer->contact_capacity].depth_m = 1;
    }
    if (f->behaviour == LISTS_FAR_BEYOND_ITS_BUFFER && f->queries == 2 && answer->pair_capacity) {
        answer->pairs[answer->pair_capacity + 100].face_a = 1;
    }
}

/** Reports four voxels, 3 + 1 of them on the surface of a body without triangles. */
static void draw(const void *prepared, const alg_sink *sink)
{
    const behaviour b = *(const behaviour *)prepared;
    const vec3 corner = {0, 0, 0};
    const uint32_t count[3] = {4, 1, 1};
    const geo_ball ball = {{0, 0, 0}, 1};
    sink->sphere(sink->context, &ball); /* like an algorithm that knows only spheres */
    if (b == HANGS_IN_DRAW) {
        wait_for_ever();
    }
    if (b == FLUSHES_TO_ZERO_IN_DRAW) {
        flush_to_zero();
    }
    if (b == DRAWS_VOXELS) {
        sink->grid(sink->context, &corner, allowed_cpus(), 0, count);
    }
    if (b == DRAWS_VOXELS || b == DRAWS_VOXELS_WITHOUT_A_GRID) {
        sink->surface_voxels(sink->context, 0, 3, 0, 0);
        sink->surface_voxels(sink->context, 3, 4, 0, 0);
    }
}

static void query(void *state, const geo_pose *pose, alg_answer *answer)
{
    faulty *const f = state;
    f->queries++;
    if (f->queries == 2) {
        switch (f->behaviour) {
        case CRASHES:
            raise(SIGKILL); /* the sanitizers would catch a SIGSEGV */
            break;
        case EXITS:
            _exit(0);
        case HANGS:
            wait_for_ever();
            break;
        case WRITES_BEYOND_ITS_ANSWER:
            memset((char *)answer + sizeof *answer, 1, 1);
            break;
        case WRITES_TO_THE_POSES:
            memset((void *)(uintptr_t)pose, 1, sizeof *pose);
            break;
        case CLOSES_ITS_SOCKET:
            for (int descriptor = 3; descriptor < 1024; descriptor++) {
                close(descriptor);
            }
            wait_for_ever();
            break;
        case FLUSHES_ALL_STREAMS:
            fflush(NULL);
            break;
        case FLUSHES_TO_ZERO:
            flush_to_zero();
            break;
        case READS_BEHIND_ITS_POSE:
            answer->volume_m3 = ((const volatile geo_pose *)pose)[1].translation.x;
            break;
        case WORKS_BESIDE_ITS_QUERIES:
            work_beside();
            break;
        default:
            break;
        }
    }
    answer->answered = ALG_HAS_DISTANCE;
    answer->distance_m = pose->translation.x + f->queries;
    answer->counters[0] = (uint64_t)allowed_cpus();
    answer->counters[1] = (uint64_t)(uintptr_t)pose;
    answer_details(f, answer);
}

static const alg_parameter parameters[] = {
    {"behaviour", ALG_INTEGER, GOOD, GOOD, BEHAVIOUR_COUNT - 1, NULL, "what it does wrong"},
};

static void do_nothing(void *what)
{
    (void)what;
}

static const alg_algorithm algorithm = {
    .abi_version = ALG_ABI_VERSION,
    .name = "unruly",
    .summary = "misbehaves as told",
    .source = "",
    .flags = ALG_KEEPS_STATE,
    .parameters = parameters,
    .parameter_count = 1,
    .contract = answers_distance,
    .prepare = prepare,
    .dispose = do_nothing,
    .bind = bind_faulty,
    .release = do_nothing,
    .reset = reset,
    .query = query,
    .draw = draw,
};

/** The same algorithm, but it needs solids. */
static alg_algorithm picky;

static void register_both(void)
{
    alg_message message = {""};
    picky = algorithm;
    picky.name = "picky";
    picky.flags |= ALG_NEEDS_SOLIDS;
    if (alg_register(&algorithm, &message) != ALG_OK || alg_register(&picky, &message) != ALG_OK) {
        fprintf(stderr, "%s\n", message.text);
        abort();
    }
}

/**
 * Workers are processes of this program, started as `test_worker worker`. They never return from
 * here.
 */
__attribute__((constructor)) static void serve(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "worker") == 0) {
        register_both();
        _exit(bench_worker_main());
    }
}

enum { FRAMES = 3 };

typedef struct setting {
    bench_contestant contestant;
    bench_task task;
    bench_worker worker;
} setting;

/** Starts a worker of the variant on two empty bodies. */
static void start_variant(const char *variant, bool solid, setting *s)
{
    static bool registered;
    if (!registered) {
        register_both();
        registered = true;
    }
    const alg_mesh mesh = {.size = sizeof mesh, .solid = solid};
    geo_pose poses[FRAMES] = {0};
    for (int i = 0; i < FRAMES; i++) {
        poses[i].translation.x = 10.0 * i;
    }
    int inputs = -1;
    alg_message message;
    *s = (setting){.task = {.quantities = ALG_WANT_DISTANCE, .clock = bench_clock_id}};
    cr_assert_eq(alg_variant_parse(variant, 1, &s->contestant.variant, &message), ALG_OK, "%s",
                 message.text);
    snprintf(s->task.variant, sizeof s->task.variant, "%s", variant);
    assert_ok(bench_inputs_create(&mesh, &mesh, poses, FRAMES, &inputs, ERR));
    assert_ok(bench_worker_start(&s->contestant, inputs, FRAMES, 100, &s->worker, ERR));
    close(inputs);
}

static void start(behaviour b, setting *s)
{
    char variant[32];
    snprintf(variant, sizeof variant, "unruly:behaviour=%d", b);
    start_variant(variant, true, s);
}

Test(worker, every_end_is_told_apart)
{
    static const struct {
        behaviour behaviour;
        bench_status status;
        const char *detail;
    } cases[] = {
        {GOOD, BENCH_CELL_OK, ""},
        {CRASHES, BENCH_CELL_CRASH, "killed by signal 9"},
        {EXITS, BENCH_CELL_CRASH, "exited with status 0 during frame 1 of a pass"},
        {HANGS, BENCH_CELL_TIMEOUT, "no reply within 0.3 s during frame 1 of a pass"},
        {WRITES_BEYOND_ITS_ANSWER, BENCH_CELL_CRASH, "during frame 1 of a pass"},
        {WRITES_TO_THE_POSES, BENCH_CELL_CRASH, "during frame 1 of a pass"},
        {HANGS_IN_PREPARE, BENCH_CELL_TIMEOUT, "during building"},
        {FAILS_TO_PREPARE, BENCH_CELL_FAILED, "as ?told"},
        {FAILS_WITHOUT_A_WORD, BENCH_CELL_FAILED, "it gives no reason"},
        {LACKS_MEMORY, BENCH_CELL_OOM, "as ?told"},
        {DECLINES_TO_BIND, BENCH_CELL_UNSUPPORTED, "not for me"},
        {CLOSES_ITS_SOCKET, BENCH_CELL_CRASH, "during frame 1 of a pass"},
        {FLUSHES_ALL_STREAMS, BENCH_CELL_OK, ""},
        {FLUSHES_TO_ZERO, BENCH_CELL_FAILED, "a query leaves another floating-point"},
        {FLUSHES_TO_ZERO_IN_PREPARE, BENCH_CELL_FAILED, "building leaves another floating-point"},
        {LISTS_BEYOND_ITS_BUFFER, BENCH_CELL_OK, ""},
        {LISTS_FAR_BEYOND_ITS_BUFFER, BENCH_CELL_OK, ""},
        {DRAWS_VOXELS, BENCH_CELL_OK, ""},
        {DRAWS_VOXELS_WITHOUT_A_GRID, BENCH_CELL_FAILED,
         "its surface voxels: it hands out voxels before their grid"},
        {HANGS_IN_DRAW, BENCH_CELL_TIMEOUT,
         "no reply within 0.3 s during counting its surface voxels"},
        {FLUSHES_TO_ZERO_IN_DRAW, BENCH_CELL_FAILED,
         "handing out voxels leaves another floating-point"},
        {READS_BEHIND_ITS_POSE, BENCH_CELL_CRASH, "during frame 1 of a pass"},
        {WORKS_BESIDE_ITS_QUERIES, BENCH_CELL_OK, ""},
    };
    _Static_assert(sizeof cases / sizeof *cases == BEHAVIOUR_COUNT, "every behaviour");
    for (size_t i = 0; i < BEHAVIOUR_COUNT; i++) {
        setting s;
        start(cases[i].behaviour, &s);
        bench_worker *const worker = &s.worker;
        const double limit = 0.3;
        s.task.judge_voxels = true;
        const bool alive =
            bench_worker_prepare(worker, &s.task,
                                 cases[i].behaviour == HANGS_IN_PREPARE ||
                                         cases[i].behaviour == HANGS_IN_DRAW
                                     ? limit
                                     : 20) &&
            bench_worker_pass(worker, BENCH_WARM, false, cases[i].behaviour == HANGS ? limit : 20);
        cr_assert_eq(alive, cases[i].status == BENCH_CELL_OK, "behaviour %zu", i);
        cr_assert_eq(worker->status, cases[i].status, "behaviour %zu: %s (%s)", i,
                     bench_status_name(worker->status), worker->detail);
        cr_assert_not_null(strstr(worker->detail, cases[i].detail), "behaviour %zu: '%s'", i,
                           worker->detail);
        bench_worker_stop(worker);
    }
}

Test(worker, answers_times_and_build_come_back_and_a_pass_starts_anew)
{
    setting s;
    start(GOOD, &s);
    bench_worker *const worker = &s.worker;
    cr_assert(bench_worker_prepare(worker, &s.task, 20));
    for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
        const bench_built *const built = &worker->build[role];
        cr_assert_eq(built->info.bytes, 100u + (unsigned)role);
        cr_assert_eq(built->info.facts[0], 0.5 + role);
        cr_assert(isnan(built->info.facts[1]) && isnan(built->info.facts[ALG_FACTS_MAX - 1]));
        cr_assert_eq(built->load_ns, UINT64_MAX);
    }
    for (int pass = 0; pass < 3; pass++) {
        memset(worker->outputs.answers, 0, FRAMES * sizeof *worker->outputs.answers);
        memset(worker->outputs.times_ns, 0, FRAMES * sizeof *worker->outputs.times_ns);
        cr_assert(bench_worker_pass(worker, pass == 2 ? BENCH_EVICTED : BENCH_WARM, pass == 1, 20));
        for (int f = 0; f < FRAMES; f++) {
            cr_assert_eq(worker->outputs.answers[f].distance_m, 10.0 * f + f + 1,
                         "pass %d, frame %d", pass, f);
            cr_assert_gt(worker->outputs.times_ns[f], 0, "pass %d, frame %d", pass, f);
        }
    }
    bench_worker_stop(worker);
}

/** A query always gets its pose at the same address, so that it sees no other pose. */
Test(worker, every_pose_is_in_the_same_place)
{
    setting s;
    start(GOOD, &s);
    cr_assert(bench_worker_prepare(&s.worker, &s.task, 20));
    for (int p = BENCH_WARM_UP; p < BENCH_PROTOCOL_COUNT; p++) {
        cr_assert(bench_worker_pass(&s.worker, (bench_protocol)p, false, 20));
        for (int f = 1; f < FRAMES; f++) {
            cr_assert_eq(s.worker.outputs.answers[f].counters[1],
                         s.worker.outputs.answers[0].counters[1], "pass %d, frame %d", p, f);
        }
    }
    bench_worker_stop(&s.worker);
}

/** Sets `order` to the number of each frame's query in a shuffled pass. */
static void shuffle(uint64_t seed, int order[FRAMES])
{
    setting s;
    start(GOOD, &s);
    s.task.seed = seed;
    cr_assert(bench_worker_prepare(&s.worker, &s.task, 20));
    cr_assert(bench_worker_pass(&s.worker, BENCH_SHUFFLED, false, 20));
    for (int f = 0; f < FRAMES; f++) {
        order[f] = (int)(s.worker.outputs.answers[f].distance_m - 10.0 * f) - 1;
    }
    bench_worker_stop(&s.worker);
}

/** Each frame occurs once and under its own number, in an order given by the seed. */
Test(worker, a_shuffled_pass_has_all_frames_in_another_order)
{
    enum { SEEDS = 6 };
    int moved = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        int order[FRAMES], again[FRAMES];
        unsigned seen = 0;
        shuffle(seed, order);
        shuffle(seed, again);
        cr_assert_eq(memcmp(order, again, sizeof order), 0, "seed %d", (int)seed);
        for (int f = 0; f < FRAMES; f++) {
            seen |= 1u << order[f];
            moved += order[f] != f;
        }
        cr_assert_eq(seen, (1u << FRAMES) - 1, "seed %d", (int)seed);
    }
    cr_assert_geq(moved, SEEDS, "the order hardly changes");
}

/**
 * Costs beside the queries are checked for lower limits only, because all of them may be larger.
 */
Test(worker, work_beside_the_queries_is_counted)
{
    setting s;
    start(WORKS_BESIDE_ITS_QUERIES, &s);
    cr_assert(bench_worker_prepare(&s.worker, &s.task, 20));
    for (unsigned pass = 1; pass <= 2; pass++) {
        cr_assert(bench_worker_pass(&s.worker, BENCH_WARM, pass == 2, 20), "%s", s.worker.detail);
        const bench_pass_cost *const cost = &s.worker.cost;
        cr_assert_geq(cost->reset_ns, RESET_NS);
        cr_assert_geq(cost->cpu_ns, BURN_NS);
        cr_assert_geq(cost->other_cpu_ns, THREAD_NS + CHILD_NS / 2, "%d",
                      (int)cost->other_cpu_ns); /* CPU time of a process is counted in ticks */
        cr_assert_eq(cost->threads, 1 + pass, "%d", (int)cost->threads);
    }
    bench_worker_stop(&s.worker);
    start(GOOD, &s);
    cr_assert(bench_worker_prepare(&s.worker, &s.task, 20));
    cr_assert(bench_worker_pass(&s.worker, BENCH_WARM, false, 20));
    cr_assert_eq(s.worker.cost.threads, 1);
    cr_assert_lt(s.worker.cost.other_cpu_ns, BURN_NS, "what was used before is no part of a pass");
    bench_worker_stop(&s.worker);
}

/**
 * Building and judging use all CPUs, queries use one; voxels are counted if the task asks for it.
 */
Test(worker, voxels_are_counted_and_then_there_is_one_cpu)
{
    for (int judged = 0; judged < 2; judged++) {
        setting s;
        start(DRAWS_VOXELS, &s);
        s.task.judge_voxels = judged;
        cr_assert(bench_worker_prepare(&s.worker, &s.task, 20), "%s", s.worker.detail);
        for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
            const bench_built *const built = &s.worker.build[role];
            cr_assert_eq(built->info.facts[2], allowed_cpus());
            cr_assert_eq(built->anew, 1);
            cr_assert_eq(built->missing_voxels, judged ? 0 : UINT64_MAX);
            cr_assert_eq(built->excess_voxels, judged ? 4 : UINT64_MAX);
        }
        cr_assert(bench_worker_pass(&s.worker, BENCH_WARM, false, 20), "%s", s.worker.detail);
        cr_assert_eq(s.worker.outputs.answers[0].counters[0], 1);
        cr_assert_geq(s.worker.isolation.cpu, 0);
        cr_assert_str_eq(s.worker.isolation.affinity, "ok");
        bench_worker_stop(&s.worker);
    }
}

/** Details that were not asked are not set, and details that are set belong to their own frame. */
Test(worker, details_are_asked_in_a_pass_of_their_own)
{
    for (int details = 0; details < 2; details++) {
        setting s;
        alg_message fault;
        start(GOOD, &s);
        s.task.details = details;
        cr_assert(bench_worker_prepare(&s.worker, &s.task, 20), "%s", s.worker.detail);
        cr_assert(details ? bench_worker_details(&s.worker, 20, &fault)
                          : bench_worker_pass(&s.worker, BENCH_WARM, false, 20));
        const bench_outputs *const outputs = &s.worker.outputs;
        for (int f = 0; f < FRAMES; f++) {
            const alg_answer *const answer = &outputs->answers[f];
            cr_assert(!answer->regions && answer->region_capacity == 0);
            cr_assert_eq((answer->answered & ALG_HAS_STAGES) != 0, details, "frame %d", f);
            cr_assert_eq(answer->stage_ends_ns[0], details, "frame %d", f);
            const int listed =
                100 * (f + 1) < BENCH_CONTACTS_MAX ? 100 * (f + 1) : BENCH_CONTACTS_MAX;
            for (int i = 0; i < BENCH_CONTACTS_KEPT; i++) {
                const alg_contact *const kept = &outputs->contacts[f * BENCH_CONTACTS_KEPT + i];
                cr_assert_eq(kept->depth_m, details ? i * listed / BENCH_CONTACTS_KEPT : 0,
                             "frame %d, contact %d", f, i);
            }
            for (int i = 0; i < BENCH_REGIONS_MAX; i++) {
                const double depth_m = details && i <= f ? 10.0 * (f + 1) + i : 0;
                cr_assert_eq(outputs->regions[f * BENCH_REGIONS_MAX + i].depth_m, depth_m,
                             "frame %d, region %d", f, i);
            }
        }
        cr_assert(!details || !*fault.text, "%s", fault.text);
        bench_worker_stop(&s.worker);
    }
}

Test(worker, a_contestant_that_writes_beyond_a_buffer_is_named_or_crashes)
{
    setting s;
    alg_message fault;
    start(LISTS_BEYOND_ITS_BUFFER, &s);
    s.task.details = true;
    cr_assert(bench_worker_prepare(&s.worker, &s.task, 20), "%s", s.worker.detail);
    cr_assert(bench_worker_details(&s.worker, 20, &fault), "%s", s.worker.detail);
    cr_assert_str_eq(fault.text, "writes beyond its buffer of contacts in frame 1");
    bench_worker_stop(&s.worker);
    start(LISTS_FAR_BEYOND_ITS_BUFFER, &s);
    s.task.details = true;
    cr_assert(bench_worker_prepare(&s.worker, &s.task, 20), "%s", s.worker.detail);
    cr_assert_not(bench_worker_details(&s.worker, 20, &fault));
    cr_assert_eq(s.worker.status, BENCH_CELL_CRASH);
    cr_assert_not_null(strstr(s.worker.detail, "during frame 1 of the pass for details"), "%s",
                       s.worker.detail);
    bench_worker_stop(&s.worker);
}

Test(worker, a_body_that_is_no_solid_is_declined_without_asking_the_algorithm)
{
    setting s;
    start_variant("picky", false, &s);
    cr_assert_not(bench_worker_prepare(&s.worker, &s.task, 20));
    cr_assert_eq(s.worker.status, BENCH_CELL_UNSUPPORTED, "%s", s.worker.detail);
    cr_assert_str_eq(s.worker.detail, "picky needs solids, and body A is not one");
    bench_worker_stop(&s.worker);
}

/**
 * A worker neither writes the unflushed data of the supervisor's streams nor reacts to SIGTERM,
 * which only the supervisor handles.
 */
Test(worker, neither_streams_nor_signals_of_the_supervisor_reach_it)
{
    FILE *const file = tmpfile();
    cr_assert_not_null(file);
    cr_assert_eq(fputs("once", file), 1);
    setting s;
    start(FLUSHES_ALL_STREAMS, &s);
    bench_worker *const worker = &s.worker;
    cr_assert(bench_worker_prepare(worker, &s.task, 20), "%s", worker->detail);
    cr_assert_eq(kill(worker->pid, SIGTERM), 0);
    cr_assert_eq(kill(worker->pid, SIGINT), 0);
    cr_assert(bench_worker_pass(worker, BENCH_WARM, false, 20), "%s", worker->detail);
    bench_worker_stop(worker);
    cr_assert_eq(fflush(file), 0);
    cr_assert_eq(ftell(file), 4);
    cr_assert_eq(fseek(file, 0, SEEK_END), 0);
    cr_assert_eq(ftell(file), 4, "a worker wrote what was in the buffer");
    fclose(file);
}

/** A worker that is killed after building, while it waits for its next pass, is a crash. */
Test(worker, one_killed_while_idle_is_a_crash)
{
    setting s;
    start(GOOD, &s);
    bench_worker *const worker = &s.worker;
    cr_assert(bench_worker_prepare(worker, &s.task, 20));
    cr_assert(bench_worker_pass(worker, BENCH_WARM, false, 20));
    kill(worker->pid, SIGKILL);
    cr_assert_not(bench_worker_pass(worker, BENCH_WARM, false, 20));
    cr_assert_eq(worker->status, BENCH_CELL_CRASH);
    cr_assert_str_eq(worker->detail, "killed by signal 9 (Killed) during frame 0 of a pass");
    cr_assert_eq(worker->pid, 0, "still to be reaped");
    bench_worker_stop(worker);
}

/** Planted shared numbers: a number that no honest worker can have makes the end a crash. */
Test(worker, overwritten_numbers_are_a_crash)
{
    enum { KILLED = SIGSEGV, EXITED = 3 << 8 }; /* wait statuses */
    const uint64_t most = UINT64_C(1) << 40;
    const struct {
        bench_phase phase;
        int wait_status;
        uint64_t frame, refused;
        bench_status status;
        const char *detail;
    } cases[] = {
        {BENCH_PHASE_PASS, EXITED, 0, 0, BENCH_CELL_CRASH,
         "exited with status 3 during frame 0 of a pass"},
        {BENCH_PHASE_PASS, KILLED, FRAMES - 1, 0, BENCH_CELL_CRASH,
         "killed by signal 11 (Segmentation fault) during frame 2 of a pass"},
        {BENCH_PHASE_DETAILS, EXITED, 1, 0, BENCH_CELL_CRASH,
         "exited with status 3 during frame 1 of the pass for details"},
        {BENCH_PHASE_BUILD, KILLED, 0, 1, BENCH_CELL_OOM,
         "reached its limit of memory during building"},
        {BENCH_PHASE_PASS, EXITED, FRAMES - 1, most, BENCH_CELL_OOM,
         "reached its limit of memory during frame 2 of a pass"},
        {BENCH_PHASE_PASS, EXITED, FRAMES, 0, BENCH_CELL_CRASH,
         "exited with status 3 during a pass whose shared numbers it has overwritten"},
        {BENCH_PHASE_PASS, EXITED, FRAMES, 1, BENCH_CELL_CRASH,
         "exited with status 3 during a pass whose shared numbers it has overwritten"},
        {BENCH_PHASE_PASS, EXITED, UINT64_MAX, UINT64_MAX, BENCH_CELL_CRASH,
         "exited with status 3 during a pass whose shared numbers it has overwritten"},
        {BENCH_PHASE_PASS, EXITED, 1, most + 1, BENCH_CELL_CRASH,
         "exited with status 3 during a pass whose shared numbers it has overwritten"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t frame = cases[i].frame, refused = cases[i].refused;
        bench_worker worker = {
            .phase = cases[i].phase,
            .outputs = {.frame = &frame, .refused = &refused, .frame_count = FRAMES}};
        bench_worker_explain_end(&worker, cases[i].wait_status);
        cr_assert_eq(worker.status, cases[i].status, "%zu: %s", i,
                     bench_status_name(worker.status));
        cr_assert_str_eq(worker.detail, cases[i].detail, "%zu", i);
    }
}
