#include "suite/run/worker.h"

#include "base/memory.h"
#include "base/random.h"
#include "groundtruth/voxels.h"
#include "suite/inputs/buffers.h"
#include "suite/inputs/own_body.h"
#include "suite/inputs/plugin.h"
#include "suite/message.h"
#include "suite/results/judge.h"
#include "suite/run/exchange.h"
#include "suite/run/timing.h"

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
    bench_own_body bodies[2]; /* by role */
    uint32_t quantities;
    bool details;      /* requests contain lists and stages */
    void *prepared[2]; /* by role */
    void *state;
    alg_answer *answer; /* ends at the end of a page; the next page is inaccessible */
    geo_pose *pose;     /* writable mapping of the pose of the next query */
    /**
     * The same page at another address, which the contestant gets: read-only, and the next page is
     * inaccessible.
     */
    const geo_pose *shown;
    size_t *order;         /* frame_count entries: order of a shuffled pass */
    bench_buffers buffers; /* for the details pass and for single queries */
    size_t listed;         /* number of contacts that the last single query wrote into the buffer */
    unsigned float_modes;  /* floating-point modes at the start of the process */
    void *evict_buffer;
    bench_counters counters;
    char counters_reason[96];
    bench_cpu_time cpu; /* CPU time at the end of the last pass or of the preparation */
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
 * Maps one page with a pose twice: at a writable address for this process's own code, and at a
 * read-only address for the contestant. A pointer into the array of all poses would let the
 * contestant read future poses.
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

/** Checks that the algorithm supports these quantities, and finds the bodies that it gets. */
static alg_status find_bodies(server *s, alg_message *message)
{
    const alg_mesh *const meshes[2] = {&s->inputs.fixed, &s->inputs.moving};
    alg_status status = alg_variant_may_answer(&s->variant, s->quantities, message);
    for (int i = 0; i < 2 && status == ALG_OK; i++) {
        status = bench_own_body_open(&s->variant, meshes[i], i == 0 ? ALG_FIXED : ALG_MOVING,
                                     &s->bodies[i], message);
    }
    return status;
}

/* AddressSanitizer maps shadow memory for the whole address space, which exceeds every limit. */
#ifdef __SANITIZE_ADDRESS__
enum { LIMITABLE = false };
#else
enum { LIMITABLE = true };
#endif

/**
 * Limits the data memory of the process, which includes the memory that it has already. Also
 * reports failed allocations to the supervisor from now on.
 */
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
 * Binds both bodies, with buffers for the lists that this worker requests. Details are requested
 * only in a separate process or for single queries, so that timed passes do no optional work.
 */
static alg_status join_bodies(server *s, alg_message *message)
{
    const bool details = s->details;
    const alg_request request = {
        .size = sizeof(alg_request),
        .wanted = s->quantities,
        .contacts_max = details ? BENCH_CONTACTS_MAX : s->outputs.contacts_max,
        .pairs_max = details ? BENCH_PAIRS_MAX : 0,
        .regions_max = details ? BENCH_REGIONS_MAX : 0,
        .stages = details,
    };
    base_error err = {0};
    if (bench_buffers_open(&request, &s->buffers, &err) != BASE_OK) {
        snprintf(message->text, sizeof message->text, "%.*s", (int)sizeof message->text - 1,
                 err.text);
        return ALG_OUT_OF_MEMORY;
    }
    alg_answer none = {0};
    bench_buffers_lend(&s->buffers, &none); /* fills the buffers with values that are not valid
                                               entries */
    return s->variant.algorithm->bind(&s->variant.settings, s->prepared[0], s->prepared[1],
                                      &request, &s->state, message);
}

static alg_status build(server *s, const bench_task *task, bench_reply *reply)
{
    for (int i = 0; i < 2; i++) {
        const alg_status status = bench_prepare(
            &s->variant, &s->bodies[i].view, i == 0 ? ALG_FIXED : ALG_MOVING, task->cache_directory,
            &s->prepared[i], &reply->build[i], &reply->message);
        reply->build[i].build_ns += s->bodies[i].build_ns;
        if (status != ALG_OK) {
            return status;
        }
    }
    return join_bodies(s, &reply->message);
}

/** Prepares the variant of the task until it can answer queries. */
static alg_status prepare(server *s, const bench_task *task, bench_reply *reply)
{
    bench_clock_set(task->clock);
    s->quantities = task->quantities;
    s->details = task->details;
    alg_status status = find_variant(s, task, &reply->message);
    if (status == ALG_OK) {
        status = find_bodies(s, &reply->message);
    }
    if (status == ALG_OK) {
        limit_memory(s, task->memory_bytes);
        status = build(s, task, reply);
    }
    if (status == ALG_OK) {
        status = check_float_modes(s, "building", &reply->message);
    }
    reply->rss_bytes = bench_rss_bytes();
    return status;
}

/* --- Surface voxels --------------------------------------------------------------------------- */

/** The state while a body is drawn. */
typedef struct drawing {
    const alg_mesh *mesh;
    const alg_mesh *exact_mesh; /* mesh of `exact`; NULL if there are no exact voxels yet */
    gt_voxels exact;
    gt_voxel_list list;
    bool has_grid;
    base_status status;
    base_error err;
} drawing;

static bool same_mesh(const alg_mesh *a, const alg_mesh *b)
{
    return a->vertex_count == b->vertex_count && a->face_count == b->face_count &&
           memcmp(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices) == 0 &&
           memcmp(a->faces, b->faces, a->face_count * sizeof *a->faces) == 0;
}

static bool same_grid(const gt_voxel_grid *a, const gt_voxel_grid *b)
{
    return vec3_equal(a->corner, b->corner) && a->edge == b->edge && a->padding == b->padding &&
           memcmp(a->count, b->count, sizeof a->count) == 0;
}

/**
 * Computes the exact voxels of the body on the grid; reuses those of the previous body if mesh and
 * grid are the same.
 */
static base_status find_exact(drawing *d, const gt_voxel_grid *grid)
{
    if (d->exact_mesh && same_grid(&d->exact.grid, grid) && same_mesh(d->exact_mesh, d->mesh)) {
        return BASE_OK;
    }
    const geo_mesh view = {.vertices = d->mesh->vertices,
                           .vertex_count = d->mesh->vertex_count,
                           .faces = d->mesh->faces,
                           .face_count = d->mesh->face_count};
    gt_voxels_release(&d->exact);
    d->exact_mesh = NULL;
    const base_status status = gt_voxels_create(&view, grid, &d->exact, &d->err);
    d->exact_mesh = status == BASE_OK ? d->mesh : NULL;
    return status;
}

static void ignore_sphere(void *context, const geo_ball *ball)
{
    (void)context, (void)ball; /* plug-ins that are older than the voxel callbacks require this
                                  callback */
}

static void take_grid(void *context, const geo_vec3 *corner, double edge, uint32_t padding,
                      const uint32_t count[3])
{
    drawing *const d = context;
    if (d->status != BASE_OK) {
        return;
    }
    if (d->has_grid) {
        d->status = base_fail(&d->err, BASE_ERR_INPUT, "it hands out two grids of one body");
        return;
    }
    const gt_voxel_grid grid = {*corner, edge, padding, {count[0], count[1], count[2]}};
    d->has_grid = true;
    d->status = find_exact(d, &grid);
    if (d->status == BASE_OK) {
        d->status = gt_voxel_list_create(&d->exact, &d->list, &d->err);
    }
}

static void take_voxels(void *context, uint32_t x0, uint32_t x1, uint32_t y, uint32_t z)
{
    drawing *const d = context;
    if (d->status == BASE_OK && !d->has_grid) {
        d->status = base_fail(&d->err, BASE_ERR_INPUT, "it hands out voxels before their grid");
    }
    if (d->status == BASE_OK) {
        gt_voxel_list_add(&d->list, x0, x1, y, z);
    }
}

/** Draws the body and sets its voxel counts. */
static base_status judge_body(const alg_algorithm *algorithm, const void *prepared, drawing *d,
                              bench_built *built)
{
    const alg_sink sink = {.size = sizeof sink,
                           .context = d,
                           .sphere = ignore_sphere,
                           .grid = take_grid,
                           .surface_voxels = take_voxels};
    d->has_grid = false;
    algorithm->draw(prepared, &sink);
    if (d->status == BASE_OK && d->has_grid) {
        built->missing_voxels = gt_voxel_list_missing(&d->list);
        built->excess_voxels = d->list.excess;
    }
    gt_voxel_list_release(&d->list);
    return d->status;
}

alg_status bench_voxels_judge(const alg_algorithm *algorithm, void *const prepared[2],
                              const alg_mesh *const meshes[2], bench_built built[2],
                              alg_message *message)
{
    drawing d = {.status = BASE_OK};
    for (int i = 0; i < 2 && algorithm->draw && d.status == BASE_OK; i++) {
        d.mesh = meshes[i];
        d.status = judge_body(algorithm, prepared[i], &d, &built[i]);
    }
    gt_voxels_release(&d.exact);
    if (d.status == BASE_ERR_MEMORY) {
        bench_warn("the surface voxels of '%s' are not counted: %s", algorithm->name, d.err.text);
    } else if (d.status != BASE_OK) {
        snprintf(message->text, sizeof message->text, "its surface voxels: %.400s", d.err.text);
        return ALG_FAILED;
    }
    return ALG_OK;
}

/* --- Settle ----------------------------------------------------------------------------------- */

/**
 * Judges the voxels without the memory limit, because the limit is for the contestant's own memory.
 * Failed allocations are not reported in this time.
 */
static alg_status judge_voxels(const server *s, bench_reply *reply)
{
    const alg_mesh *const meshes[2] = {&s->bodies[0].view, &s->bodies[1].view};
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

/** Sets the order of a shuffled pass: a permutation that depends only on the seed of the run. */
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
 * Judges the voxels if the task asks for it, and sets the shuffled order. After this the process is
 * bound to one CPU for the passes.
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

/**
 * Resets the state. Returns the CPU time in ns that this thread has used for it; unlike the elapsed
 * time, it excludes interruptions.
 */
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
 * Makes the same queries without clock reads between the frames. If `evicted`, the caches are
 * overwritten once, before the first frame. Returns the total duration in ns, without the reset.
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
            allocations != UINT64_MAX ? bench_allocations_count() - allocations : UINT64_MAX,
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
    struct stat printed; /* stdout is an anonymous file (divert_stdout), so its size is the number
                            of printed bytes */
    fflush(stdout);
    cost->output_bytes = fstat(STDOUT_FILENO, &printed) == 0 ? (uint64_t)printed.st_size : 0;
    cost->rss_bytes = bench_rss_bytes();
    return check_float_modes(s, "a query", message);
}

/* --- Details ---------------------------------------------------------------------------------- */

static bool has_fault(const server *s, uint64_t took_ns, char fault[BENCH_FAULT_BYTES])
{
    const size_t face_counts[2] = {s->bodies[0].view.face_count, s->bodies[1].view.face_count};
    return bench_details_fault(s->variant.algorithm, &s->buffers, s->answer, face_counts, took_ns,
                               fault);
}

/**
 * Copies the lists of a frame for the supervisor: all regions in the buffer and a sample of the
 * contacts.
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

/**
 * Makes a pass with buffers for all lists and with the end times of stages. message: the first
 * fault.
 */
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
        char fault[BENCH_FAULT_BYTES];
        if (!*message->text && has_fault(s, took, fault)) {
            snprintf(message->text, sizeof message->text, "%s in frame %zu", fault, f);
        }
        keep_lists(s, f);
        bench_buffers_take_back(s->answer);
        bench_answer_settle(s->answer);
        s->outputs.answers[f] = *s->answer;
    }
    return check_float_modes(s, "a query", message);
}

/* --- One query -------------------------------------------------------------------------------- */

/**
 * Lends the contact buffer. Resets only the entries that the last query has written to invalid
 * values. The buffer has megabytes: a reset of all entries would evict the variant's data from the
 * caches.
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

/** Binds the same bodies again, with buffers for all lists and with stages. */
static alg_status bind_for_details(server *s, alg_message *message)
{
    s->variant.algorithm->release(s->state);
    bench_buffers_close(&s->buffers);
    s->state = NULL;
    s->details = true;
    return join_bodies(s, message);
}

/** Queries the first pose. The measured time contains the query only. */
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
 * Limits the size of all files to 1 GiB.
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
    signal(SIGINT, SIG_IGN);          /* these signals may also reach this process; the supervisor
                                         decides what they end */
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

int bench_worker_main(void)
{
    struct stat file;
    if (fstat(BENCH_WORKER_SOCKET, &file) != 0 || !S_ISSOCK(file.st_mode)) {
        return bench_usage_error(
            "'worker' is not for users: 'run' and 'simulate' start it for each contestant");
    }
    /* Programs that the algorithm starts must not inherit the descriptors. */
    for (int descriptor = BENCH_WORKER_SOCKET; descriptor <= BENCH_WORKER_OUTPUTS; descriptor++) {
        fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    }
    const bench_hello hello = {BENCH_WORKER_VERSION, sizeof(bench_request), sizeof(bench_reply),
                               sizeof(alg_answer),   sizeof(alg_region),    sizeof(alg_contact)};
    server s = {0};
    bench_request request;
    if (!set_up(&s) ||
        send(BENCH_WORKER_SOCKET, &hello, sizeof hello, MSG_NOSIGNAL) != (ssize_t)sizeof hello) {
        return BENCH_INPUT;
    }
    while (recv(BENCH_WORKER_SOCKET, &request, sizeof request, 0) == (ssize_t)sizeof request) {
        bench_reply reply = {.status = ALG_OK};
        bool isolate = false;
        switch (request.kind) {
        case BENCH_REQUEST_PREPARE:
            reply.status = prepare(&s, &request.task, &reply);
            isolate = reply.status != ALG_OK; /* no settle request follows, so the isolation is
                                                 reported now */
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
