#include "suite/run/worker.h"

#include "base/memory.h"
#include "base/random.h"
#include "suite/inputs/buffers.h"
#include "suite/inputs/plugin.h"
#include "suite/message.h"
#include "suite/results/details.h"
#include "suite/run/exchange.h"
#include "suite/run/timing.h"
#include "suite/run/voxels.h"

#include <fcntl.h>
#include <fenv.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/** The worker's state between requests. */
typedef struct bench_server {
    bench_inputs inputs;
    bench_outputs outputs;
    alg_variant variant;
    uint32_t quantities;
    bool details;      /* ask for lists and stages */
    void *prepared[2]; /* by role */
    void *state;
    alg_answer *answer; /* ends at the end of a page; the next page is inaccessible */
    geo_pose *pose;     /* writable mapping of the pose of the next query */
    /** The same memory as the contestant sees it: read-only, and the next page is inaccessible. */
    const geo_pose *shown;
    size_t *order;         /* frame_count entries: order of a shuffled pass */
    bench_buffers buffers; /* for the details pass and for single queries */
    size_t listed;         /* number of contacts that the last single query left in the buffer */
    unsigned float_modes;  /* modes at the start of the process */
    void *evict_buffer;
    bench_counters counters;
    char counters_reason[96];
    bench_cpu_time cpu; /* at the end of the last pass or of the preparation */
} server;

static alg_answer *map_guarded_answer(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t used = (sizeof(alg_answer) + page - 1) / page * page;
    char *const base =
        mmap(NULL, used + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED || mprotect(base + used, page, PROT_NONE) != 0) {
        return NULL;
    }
    return (alg_answer *)(void *)(base + used - sizeof(alg_answer));
}

/**
 * Maps one page with a pose twice: writable for this process, read-only for the contestant. A
 * pointer into the array of all poses would let the contestant read future poses.
 */
static bool map_pose(server *s)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const int file = memfd_create("proxbench-pose", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, (off_t)page) != 0) {
        return false;
    }
    char *const own = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    char *const base = mmap(NULL, 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const bool mapped = own != MAP_FAILED && base != MAP_FAILED &&
                        mmap(base, page, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED;
    close(file);
    s->pose = (geo_pose *)(void *)(own + page - sizeof *s->pose);
    s->shown = (const geo_pose *)(const void *)(base + page - sizeof *s->shown);
    return mapped;
}

/** Returns the rounding mode and, on x86, the flush-to-zero modes and exception masks. */
static unsigned float_modes(void)
{
    unsigned modes = (unsigned)fegetround();
#ifdef __SSE__
    const unsigned sticky_flags = 0x3f; /* status flags of MXCSR, which are not modes */
    modes |= (__builtin_ia32_stmxcsr() & ~sticky_flags) << 16;
#endif
    return modes;
}

/** Checks the contract: an algorithm must leave the floating-point environment unchanged. */
static alg_status check_float_modes(const server *s, const char *step, alg_message *message)
{
    if (float_modes() == s->float_modes) {
        return ALG_OK;
    }
    snprintf(message->text, sizeof message->text,
             "%s leaves another floating-point environment behind (rounding, flush to zero, traps)",
             step);
    return ALG_FAILED;
}

/* --- Prepare ---------------------------------------------------------------------------------- */

/** Finds the variant of the task, after loading its plug-in if it has one. */
static alg_status find_variant(server *s, const bench_task *task, alg_message *message)
{
    base_error err = {0};
    if (*task->plugin && bench_plugin_load(task->plugin, &err) != BASE_OK) {
        snprintf(message->text, sizeof message->text, "%.*s", (int)sizeof message->text - 1,
                 err.text);
        return ALG_FAILED;
    }
    return alg_variant_parse(task->variant, task->seed, &s->variant, message);
}

/** Checks that the algorithm supports these bodies and these quantities. */
static alg_status check_task(const server *s, alg_message *message)
{
    const alg_algorithm *const a = s->variant.algorithm;
    const alg_mesh *const meshes[2] = {&s->inputs.fixed, &s->inputs.moving};
    for (int i = 0; i < 2; i++) {
        if ((a->flags & ALG_NEEDS_SOLIDS) && !meshes[i]->solid) {
            snprintf(message->text, sizeof message->text, "%s needs solids, and body %s is not one",
                     a->name, i == 0 ? "A" : "B");
            return ALG_UNSUPPORTED;
        }
    }
    return alg_variant_may_answer(&s->variant, s->quantities, message);
}

/* AddressSanitizer maps shadow memory for the whole address space, which exceeds every limit. */
#ifdef __SANITIZE_ADDRESS__
enum { LIMITABLE = false };
#else
enum { LIMITABLE = true };
#endif

/** Limits the memory of all later allocations. */
static void limit_memory(const server *s, uint64_t bytes)
{
    bench_allocations_report_failures(s->outputs.refused);
    if (bytes > 0 && LIMITABLE) {
        struct rlimit limit;
        getrlimit(RLIMIT_DATA, &limit); /* the hard limit is unchanged, so that judging can raise
                                           the soft limit */
        limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
        setrlimit(RLIMIT_DATA, &limit);
    }
}

/**
 * Returns the request for bind. Details are requested only in a separate process, so that timed
 * queries do no optional work.
 */
static alg_request request_of(const server *s)
{
    const bool details = s->details;
    return (alg_request){.size = sizeof(alg_request),
                         .wanted = s->quantities,
                         .contacts_max = details ? BENCH_CONTACTS_MAX : s->outputs.contacts_max,
                         .pairs_max = details ? BENCH_PAIRS_MAX : 0,
                         .regions_max = details ? BENCH_REGIONS_MAX : 0,
                         .stages = details};
}

static alg_status open_buffers(server *s, const alg_request *request, alg_message *message)
{
    base_error err = {0};
    if (bench_buffers_open(request, &s->buffers, &err) == BASE_OK) {
        alg_answer none = {0};
        bench_buffers_lend(&s->buffers, &none); /* fills them with values that are not valid
                                                   entries */
        return ALG_OK;
    }
    snprintf(message->text, sizeof message->text, "%.*s", (int)sizeof message->text - 1, err.text);
    return ALG_OUT_OF_MEMORY;
}

/** Binds both bodies, with buffers for the lists of this worker's request. */
static alg_status join_bodies(server *s, alg_message *message)
{
    const alg_request request = request_of(s);
    const alg_status status = open_buffers(s, &request, message);
    return status == ALG_OK
               ? s->variant.algorithm->bind(&s->variant.settings, s->prepared[0], s->prepared[1],
                                            &request, &s->state, message)
               : status;
}

static alg_status build(server *s, const bench_task *task, bench_reply *reply)
{
    const alg_mesh *const meshes[2] = {&s->inputs.fixed, &s->inputs.moving};
    for (int i = 0; i < 2; i++) {
        const alg_status status = bench_prepare(
            &s->variant, meshes[i], i == 0 ? ALG_FIXED : ALG_MOVING, task->cache_directory,
            &s->prepared[i], &reply->build[i], &reply->message);
        if (status != ALG_OK) {
            return status;
        }
    }
    return join_bodies(s, &reply->message);
}

/** Prepares the variant of the task until it can answer queries. */
static alg_status set_up_variant(server *s, const bench_task *task, bench_reply *reply)
{
    alg_status status = find_variant(s, task, &reply->message);
    if (status != ALG_OK) {
        return status;
    }
    status = check_task(s, &reply->message);
    if (status != ALG_OK) {
        return status;
    }
    limit_memory(s, task->memory_bytes);
    status = build(s, task, reply);
    return status == ALG_OK ? check_float_modes(s, "building", &reply->message) : status;
}

static alg_status prepare(server *s, const bench_task *task, bench_reply *reply)
{
    bench_clock_set(task->clock);
    s->quantities = task->quantities;
    s->details = task->details;
    const alg_status status = set_up_variant(s, task, reply);
    reply->rss_bytes = bench_rss_bytes();
    return status;
}

/* --- Settle ----------------------------------------------------------------------------------- */

/**
 * Judges the voxels without the memory limit. Memory for judging does not count against the limit,
 * and its failed allocations are not reported as the contestant's.
 */
static alg_status judge_voxels(const server *s, bench_reply *reply)
{
    const alg_mesh *const meshes[2] = {&s->inputs.fixed, &s->inputs.moving};
    struct rlimit limit, none;
    getrlimit(RLIMIT_DATA, &limit);
    none = limit;
    none.rlim_cur = none.rlim_max;
    setrlimit(RLIMIT_DATA, &none);
    bench_allocations_report_failures(NULL);
    const alg_status status = bench_voxels_judge(s->variant.algorithm, s->prepared, meshes,
                                                 reply->build, &reply->message);
    bench_allocations_report_failures(s->outputs.refused);
    setrlimit(RLIMIT_DATA, &limit);
    return status;
}

/** Sets the order of a shuffled pass: a permutation determined by the seed of the run. */
static void shuffle(const server *s)
{
    base_random random = base_random_seed(s->variant.settings.seed);
    for (size_t i = 0; i < s->inputs.frame_count; i++) {
        const size_t j = (size_t)base_random_below(&random, i + 1);
        s->order[i] = s->order[j];
        s->order[j] = i;
    }
}

/**
 * Judges the voxels and sets the shuffled order, before the process is bound to one CPU for the
 * passes.
 */
static alg_status settle(const server *s, const bench_task *task, bench_reply *reply)
{
    for (int i = 0; i < 2; i++) {
        reply->build[i].missing_voxels = reply->build[i].excess_voxels = UINT64_MAX;
    }
    const alg_status status = task->judge_voxels ? judge_voxels(s, reply) : ALG_OK;
    shuffle(s);
    return status == ALG_OK ? check_float_modes(s, "handing out voxels", &reply->message) : status;
}

/* --- Passes ----------------------------------------------------------------------------------- */

/** Resets the state. Returns the CPU time of this thread, which excludes interruptions. */
static uint64_t reset(const server *s)
{
    if (!s->variant.algorithm->reset) {
        return 0;
    }
    const bench_cpu_time start = bench_cpu_read();
    s->variant.algorithm->reset(s->state);
    return bench_cpu_since(start).own_ns;
}

uint64_t bench_worker_queries(const server *s, bench_protocol protocol)
{
    const alg_algorithm *const a = s->variant.algorithm;
    const size_t *const order = protocol == BENCH_SHUFFLED ? s->order : NULL;
    const uint64_t reset_ns = reset(s);
    for (size_t i = 0; i < s->inputs.frame_count; i++) {
        const size_t f = order ? order[i] : i;
        *s->outputs.frame = f;
        bench_answer_clear(s->answer);
        if (protocol == BENCH_EVICTED) {
            bench_evict_caches(s->evict_buffer);
        }
        *s->pose = s->inputs.poses[f];
        const uint64_t start = bench_clock_ns();
        a->query(s->state, s->shown, s->answer);
        s->outputs.times_ns[f] = bench_clock_ns() - start;
        bench_answer_settle(s->answer);
        s->outputs.answers[f] = *s->answer;
    }
    return reset_ns;
}

/**
 * Makes the same queries without clock reads between the frames. Returns the total duration in ns.
 */
static uint64_t batch(server *s, bool evicted)
{
    const alg_algorithm *const a = s->variant.algorithm;
    if (evicted) {
        bench_evict_caches(s->evict_buffer);
    }
    (void)reset(s);
    const uint64_t start = bench_clock_ns();
    for (size_t f = 0; f < s->inputs.frame_count; f++) {
        bench_answer_clear(s->answer);
        *s->pose = s->inputs.poses[f];
        a->query(s->state, s->shown, s->answer);
    }
    return bench_clock_ns() - start;
}

static uint64_t sum_of_frames(const server *s)
{
    uint64_t sum = 0;
    for (size_t f = s->inputs.frame_count > 1 ? 1 : 0; f < s->inputs.frame_count; f++) {
        sum += s->outputs.times_ns[f];
    }
    return sum;
}

/** Returns the number of bytes printed to stdout, which is a file that is not read. */
static uint64_t printed_bytes(void)
{
    struct stat file;
    fflush(stdout);
    return fstat(STDOUT_FILENO, &file) == 0 ? (uint64_t)file.st_size : 0;
}

static alg_status measured_pass(server *s, const bench_request *request, bench_pass_cost *cost,
                                alg_message *message)
{
    const uint64_t threads_before = bench_threads_count();
    const bench_cpu_time begin = bench_cpu_read();
    const uint64_t allocations = bench_allocations_count();
    const bench_usage_counts before = bench_usage_read();
    bench_counter_values counted;
    bench_counters_start(&s->counters);
    const uint64_t reset_ns = bench_worker_queries(s, request->protocol);
    bench_counters_stop(&s->counters, &counted);
    const bench_usage_counts used = bench_usage_since(before);
    const bench_cpu_time spent = bench_cpu_since(begin);
    const uint64_t threads_after = bench_threads_count();
    *cost = (bench_pass_cost){
        .query_ns = sum_of_frames(s),
        .involuntary_switches = used.involuntary_switches,
        .major_faults = used.major_faults,
        .minor_faults = used.minor_faults,
        .allocations =
            bench_allocations_counted() ? bench_allocations_count() - allocations : UINT64_MAX,
        .instructions = counted.values[BENCH_INSTRUCTIONS],
        .cycles = counted.values[BENCH_CYCLES],
        .cache_misses = counted.values[BENCH_CACHE_MISSES],
        .reset_ns = reset_ns,
        .cpu_ns = spent.own_ns,
        .threads = threads_after > threads_before ? threads_after : threads_before,
    };
    if (request->batch) {
        cost->query_ns = batch(s, request->protocol == BENCH_EVICTED);
    }
    cost->other_cpu_ns = bench_cpu_since(s->cpu).others_ns;
    s->cpu = bench_cpu_read();
    cost->output_bytes = printed_bytes();
    cost->rss_bytes = bench_rss_bytes();
    return check_float_modes(s, "a query", message);
}

/* --- Details ---------------------------------------------------------------------------------- */

static bool has_fault(const server *s, uint64_t took_ns, char fault[BENCH_FAULT_BYTES])
{
    const size_t face_counts[2] = {s->inputs.fixed.face_count, s->inputs.moving.face_count};
    return bench_details_fault(s->variant.algorithm, &s->buffers, s->answer, face_counts, took_ns,
                               fault);
}

/** Notes a fault of the details of a frame, if no fault was noted before. */
static void look_at_details(const server *s, size_t frame, uint64_t took_ns, alg_message *message)
{
    char fault[BENCH_FAULT_BYTES];
    if (!*message->text && has_fault(s, took_ns, fault)) {
        snprintf(message->text, sizeof message->text, "%s in frame %zu", fault, frame);
    }
}

/**
 * Copies the lists of a frame that the supervisor judges: all regions and a sample of the contacts.
 */
static void keep_lists(const server *s, size_t frame)
{
    const alg_region *const regions = bench_buffer_regions(&s->buffers);
    const alg_contact *const contacts = bench_buffer_contacts(&s->buffers);
    const size_t listed = bench_buffer_count(&s->buffers, BENCH_LIST_CONTACTS, s->answer);
    const size_t kept = bench_contacts_kept(s->answer);
    memcpy(s->outputs.regions + frame * BENCH_REGIONS_MAX, regions,
           bench_buffer_count(&s->buffers, BENCH_LIST_REGIONS, s->answer) * sizeof *regions);
    for (size_t i = 0; i < kept; i++) {
        s->outputs.contacts[frame * BENCH_CONTACTS_KEPT + i] = contacts[i * listed / kept];
    }
}

/** Makes a pass with buffers for all lists and with results of stages. */
static alg_status details_pass(server *s, alg_message *message)
{
    const alg_algorithm *const a = s->variant.algorithm;
    (void)reset(s);
    for (size_t f = 0; f < s->inputs.frame_count; f++) {
        *s->outputs.frame = f;
        bench_answer_clear(s->answer);
        bench_buffers_lend(&s->buffers, s->answer);
        *s->pose = s->inputs.poses[f];
        const uint64_t start = bench_clock_ns();
        a->query(s->state, s->shown, s->answer);
        const uint64_t took = bench_clock_ns() - start;
        look_at_details(s, f, took, message);
        keep_lists(s, f);
        bench_buffers_take_back(s->answer);
        bench_answer_settle(s->answer);
        s->outputs.answers[f] = *s->answer;
    }
    return check_float_modes(s, "a query", message);
}

/* --- One query -------------------------------------------------------------------------------- */

/**
 * Lends the contact buffer. Only the entries written by the last query are reset to invalid values.
 * A reset of the whole buffer, which has megabytes, would evict the variant's data from the caches.
 */
static void lend_contacts(server *s)
{
    const bench_buffer *const list = &s->buffers.lists[BENCH_LIST_CONTACTS];
    if (s->listed > 0) {
        memset(list->items, 0xff, s->listed * sizeof(alg_contact));
    }
    s->answer->contacts = (alg_contact *)(void *)list->items;
    s->answer->contact_capacity = list->capacity;
}

/** Binds the same bodies again, with room for lists and details. */
static alg_status bind_for_details(server *s, alg_message *message)
{
    s->variant.algorithm->release(s->state);
    bench_buffers_close(&s->buffers);
    s->state = NULL;
    s->details = true;
    return join_bodies(s, message);
}

/** Queries the first pose. Only the query is inside of the measured time. */
static alg_status single_query(server *s, unsigned how, alg_message *message)
{
    char fault[BENCH_FAULT_BYTES];
    if ((how & BENCH_QUERY_DETAILS) && !s->details) {
        const alg_status status = bind_for_details(s, message);
        if (status != ALG_OK) {
            return status;
        }
    }
    if (how & BENCH_QUERY_ANEW) {
        (void)reset(s);
    }
    bench_answer_clear(s->answer);
    if (s->details) {
        bench_buffers_lend(&s->buffers, s->answer);
    } else {
        lend_contacts(s);
    }
    *s->pose = s->inputs.poses[0];
    const uint64_t start = bench_clock_ns();
    s->variant.algorithm->query(s->state, s->shown, s->answer);
    const uint64_t took = bench_clock_ns() - start;
    bench_buffers_take_back(s->answer);
    bench_answer_settle(s->answer);
    s->listed = bench_buffer_count(&s->buffers, BENCH_LIST_CONTACTS, s->answer);
    if (has_fault(s, took, fault)) {
        snprintf(message->text, sizeof message->text, "%s", fault);
    }
    if (s->listed > 0 && !s->details) {
        memcpy(s->outputs.step_contacts, bench_buffer_contacts(&s->buffers),
               s->listed * sizeof(alg_contact));
    }
    s->outputs.answers[0] = *s->answer;
    s->outputs.times_ns[0] = took;
    return check_float_modes(s, "a query", message);
}

/* --- Process ---------------------------------------------------------------------------------- */

/**
 * Redirects stdout to an anonymous file, so that a contestant's output is counted and not shown.
 */
static void divert_stdout(void)
{
    const int printed = memfd_create("proxbench-stdout", MFD_CLOEXEC);
    const struct rlimit limit = {1 << 30, 1 << 30}; /* stops a program that prints without end */
    dup2(printed >= 0 ? printed : STDERR_FILENO, STDOUT_FILENO);
    setrlimit(RLIMIT_FSIZE, &limit);
}

static bool set_up(server *s)
{
    base_error err = {0};
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* the kernel kills this process when the supervisor dies */
    signal(SIGINT, SIG_IGN);          /* these signals may reach the whole group, and the
                                         supervisor decides */
    signal(SIGTERM, SIG_IGN);
    divert_stdout();
    s->float_modes = float_modes();
    s->answer = map_guarded_answer();
    s->evict_buffer = base_alloc(BENCH_EVICT_BYTES, 1);
    bench_counters_open(&s->counters, bench_hardware_events, s->counters_reason,
                        sizeof s->counters_reason);
    if (!s->answer || !s->evict_buffer || !map_pose(s) ||
        bench_inputs_map(BENCH_WORKER_INPUTS, &s->inputs, &err) != BASE_OK ||
        bench_outputs_map(BENCH_WORKER_OUTPUTS, s->inputs.frame_count, &s->outputs, &err) !=
            BASE_OK) {
        return false;
    }
    s->order = base_alloc(s->inputs.frame_count, sizeof *s->order);
    return s->order;
}

static bool say_hello(void)
{
    const bench_hello hello = {BENCH_WORKER_VERSION, sizeof(bench_request), sizeof(bench_reply),
                               sizeof(alg_answer),   sizeof(alg_region),    sizeof(alg_contact)};
    return send(BENCH_WORKER_SOCKET, &hello, sizeof hello, MSG_NOSIGNAL) == (ssize_t)sizeof hello;
}

int bench_worker_main(void)
{
    struct stat file;
    if (fstat(BENCH_WORKER_SOCKET, &file) != 0 || !S_ISSOCK(file.st_mode)) {
        return bench_usage_error("'worker' is what 'run' and 'simulate' start for each contestant; "
                                 "it is not for people");
    }
    /* Programs that the algorithm starts must not inherit the descriptors. */
    for (int descriptor = BENCH_WORKER_SOCKET; descriptor <= BENCH_WORKER_OUTPUTS; descriptor++) {
        fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    }
    server s = {0};
    bench_request request;
    if (!set_up(&s) || !say_hello()) {
        return BENCH_INPUT;
    }
    while (recv(BENCH_WORKER_SOCKET, &request, sizeof request, 0) == (ssize_t)sizeof request) {
        bench_reply reply = {.status = ALG_OK};
        bool isolate = false;
        switch (request.kind) {
        case BENCH_REQUEST_PREPARE:
            reply.status = prepare(&s, &request.task, &reply);
            isolate = reply.status != ALG_OK; /* no request follows, so the isolation is reported
                                                 now */
            break;
        case BENCH_REQUEST_SETTLE:
            reply.status = settle(&s, &request.task, &reply);
            isolate = true;
            s.cpu = bench_cpu_read();
            break;
        case BENCH_REQUEST_PASS:
            reply.status = measured_pass(&s, &request, &reply.cost, &reply.message);
            break;
        case BENCH_REQUEST_DETAILS:
            reply.status = details_pass(&s, &reply.message);
            break;
        case BENCH_REQUEST_QUERY:
            reply.status = single_query(&s, request.how, &reply.message);
            break;
        }
        if (isolate) {
            bench_isolation_apply(request.task.lock_memory, &reply.isolation);
            memcpy(reply.counters, s.counters_reason, sizeof reply.counters);
        }
        if (send(BENCH_WORKER_SOCKET, &reply, sizeof reply, MSG_NOSIGNAL) !=
            (ssize_t)sizeof reply) {
            break;
        }
    }
    _exit(BENCH_INPUT);
}
