#include "suite/run/measure.h"

#include "base/memory.h"
#include "base/random.h"
#include "suite/inputs/plugin.h"
#include "suite/message.h"
#include "suite/results/judge.h"
#include "suite/results/run_folder.h"
#include "suite/results/stats.h"

#include <math.h>
#include <string.h>

/** State of a contestant while its passes are made. */
typedef struct runner {
    const bench_entrant *entrant;
    const bench_contestant *contestant; /* of the entrant */
    bench_measured *measured; /* passes continue if its status is WRONG, because the times of wrong
                                 answers are reported, too */
    bench_worker worker;
    bench_effort effort; /* times so far; the work left is counted on demand (effort_of) */
    bool *done;          /* launches * rounds entries: the pass is in the journal */
    bool has_answers;
    base_hash answers_hash; /* of its first pass */
    bool offers_details;    /* found in its first pass (results/judge.h) */
    bool has_details;
    bool has_voxels; /* the journal contains a build; the voxels were counted at the first one */
    bool batch, batch_known;
} runner;

/** The passes of a scenario, and the current block. */
typedef struct passes {
    const bench_run_options *options;
    const bench_plan *plan;
    const bench_scenario *scenario;
    const bench_clock_cost *clock;
    runner *runners; /* plan->count entries */
    size_t next_block;

    size_t number;   /* of the current block */
    size_t *members; /* indices of runners: baseline, twin (if any), the others */
    size_t count;
    size_t fixed;  /* number of the first members, baseline and twin, which are in every block of
                      the group */
    bool settled;  /* the members that do not fit into memory have been removed */
    size_t *order; /* order of a round, count entries */

    bench_progress progress;
    const runner *working; /* contestant whose worker is preparing or makes a pass */
    uint64_t begun_ns;     /* start time of its pass; 0 if it makes no pass */
    bench_effort *efforts; /* plan->count entries: buffer for an estimate */
    size_t steps_done, steps;
    uint64_t spent_ns[2]; /* [1]: in passes with evicted caches; [0]: in all other passes */
    size_t made[2];       /* number of these passes */
    bool hinted;
} passes;

/* --- Answers and ends ------------------------------------------------------------------------- */

static size_t frame_count(const passes *p)
{
    return p->scenario->trajectory.frame_count;
}

static bool alive(const runner *r)
{
    return r->measured->status == BENCH_CELL_OK || r->measured->status == BENCH_CELL_WRONG;
}

/**
 * Stores the status of a contestant and its reason, also in its journal. A wrong cell can still get
 * a status that ends it. After such a status, further calls are ignored, and an interrupt is always
 * ignored.
 */
static base_status end_runner(runner *r, bench_status status, const char *detail, base_error *err)
{
    bench_measured *const m = r->measured;
    if (!alive(r) || (m->status == BENCH_CELL_WRONG && status == BENCH_CELL_WRONG) ||
        status == BENCH_CELL_INTERRUPTED) {
        return BASE_OK;
    }
    bench_end end = {.status = status};
    snprintf(end.detail, sizeof end.detail, "%s", detail);
    m->status = status;
    snprintf(m->detail, sizeof m->detail, "%s", detail);
    return bench_journal_end(&m->journal, &end, err);
}

/**
 * Stores the hash of the first pass's answers, and whether they offer details. Errors:
 * BASE_ERR_MEMORY.
 */
static base_status note_answers(const passes *p, runner *r, const alg_answer *answers,
                                base_error *err)
{
    r->has_answers = true;
    for (size_t f = 0; f < frame_count(p); f++) {
        r->offers_details |= bench_details_offered(r->contestant->variant.algorithm, &answers[f]);
    }
    return bench_answers_hash(answers, frame_count(p), &r->answers_hash, err);
}

/** Marks the cell as wrong if a pass has an invalid answer. */
static base_status check_answers(const passes *p, runner *r, base_error *err)
{
    for (size_t f = 0; f < frame_count(p); f++) {
        const char *const fault = bench_answer_fault(
            &r->contestant->variant, p->scenario->asked->quantities, &r->worker.outputs.answers[f]);
        if (fault) {
            char detail[96];
            snprintf(detail, sizeof detail, "%s in frame %zu", fault, f);
            return end_runner(r, BENCH_CELL_WRONG, detail, err);
        }
    }
    return BASE_OK;
}

/**
 * Compares the answers with those of the first pass. If they differ, marks the cell as wrong with
 * the reason `differing`. The answers of an algorithm that reads the clock may differ.
 */
static base_status compare_answers(const passes *p, runner *r, const char *differing,
                                   base_hash *hash, base_error *err)
{
    const base_hash first = r->answers_hash;
    const base_status status =
        bench_answers_hash(r->worker.outputs.answers, frame_count(p), hash, err);
    const bool same = (hash->hi == first.hi && hash->lo == first.lo) ||
                      alg_variant_reads_clock(&r->contestant->variant);
    return status == BASE_OK && !same ? end_runner(r, BENCH_CELL_WRONG, differing, err) : status;
}

/* --- Passes that are still to be made --------------------------------------------------------- */

static bool lacks(const passes *p, const runner *r, size_t launch, size_t round)
{
    return alive(r) && launch < r->entrant->launches &&
           bench_plan_makes(p->plan, r->entrant, round) &&
           !r->done[launch * p->plan->rounds + round];
}

static bool lacks_any(const passes *p, const runner *r)
{
    bool any = false;
    for (size_t i = 0; i < r->entrant->launches * p->plan->rounds; i++) {
        any |= lacks(p, r, i / p->plan->rounds, i % p->plan->rounds);
    }
    return any;
}

/**
 * Returns the number of passes of a contestant: all planned ones, or those in its journal if
 * `done`.
 */
static size_t count_passes(const passes *p, const runner *r, bool done)
{
    size_t count = 0;
    for (size_t i = 0; i < r->entrant->launches * p->plan->rounds; i++) {
        count +=
            bench_plan_makes(p->plan, r->entrant, i % p->plan->rounds) && (!done || r->done[i]);
    }
    return count;
}

/**
 * True if the details pass is still to be made. It is made after all other passes and in a process
 * of its own, so that it affects no measured time. Copies of a variant and runs that count
 * instructions have no details pass.
 */
static bool lacks_details(const passes *p, const runner *r)
{
    const bool copy = r->entrant->twin || bench_is_against(p->options);
    return r->offers_details && !r->has_details && !copy && !p->options->count_instructions;
}

/* --- Journals --------------------------------------------------------------------------------- */

/** Hashes all data that the passes of a contestant depend on. */
static base_status inputs_hash(const passes *p, const bench_contestant *c, base_hash build,
                               base_hash *hash, base_error *err)
{
    const bench_plugin *const plugin = bench_plugin_of(c->variant.algorithm);
    const bench_scenario *const s = p->scenario;
    base_hasher *const hasher = base_hasher_create();
    if (!hasher) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    const uint64_t words[] = {
        c->variant.settings.seed, s->asked->quantities,     frame_count(p),
        p->plan->launches,        p->plan->warm_up_rounds,  p->plan->warm_rounds,
        p->plan->evicted_rounds,  p->plan->shuffled_rounds, p->options->experiment->timed_builds};
    base_hasher_add_text(hasher, c->name);
    base_hasher_add(hasher, words, sizeof words);
    base_hasher_add(hasher, &build, sizeof build);
    base_hasher_add(hasher, &s->pair.a.hash, sizeof s->pair.a.hash);
    base_hasher_add(hasher, &s->pair.b.hash, sizeof s->pair.b.hash);
    base_hasher_add(hasher, s->poses, frame_count(p) * sizeof *s->poses);
    if (plugin) {
        base_hasher_add(hasher, &plugin->hash, sizeof plugin->hash);
    }
    *hash = base_hasher_finish(hasher);
    return BASE_OK;
}

/** Restores the state of a contestant from a record of its journal. */
static base_status recall_record(passes *p, runner *r, const bench_journal_record *record,
                                 base_error *err)
{
    if (record->build) {
        r->measured->isolation = record->build->isolation;
        memcpy(r->measured->counters, record->build->counters, sizeof r->measured->counters);
        r->has_voxels = true;
        p->next_block =
            record->build->block >= p->next_block ? record->build->block + 1u : p->next_block;
    } else if (record->answers) {
        return note_answers(p, r, record->answers, err);
    } else if (record->pass) {
        const bench_pass *const pass = record->pass;
        r->batch_known = true;
        r->batch |= pass->batch != 0;
        if (pass->launch < r->entrant->launches && pass->round < p->plan->rounds) {
            r->done[pass->launch * p->plan->rounds + pass->round] = true;
        }
    } else if (record->details) {
        r->has_details = true;
    } else {
        const bench_end *const end = record->end;
        /* A timeout, lack of memory or a crash may be a matter of chance, so a resumed run tries
         * once more. A run that only adds launches does not. */
        const bool died = end->status == BENCH_CELL_TIMEOUT || end->status == BENCH_CELL_OOM ||
                          end->status == BENCH_CELL_CRASH;
        const bool again = died && !p->options->launches_of;
        if (!again && end->status < BENCH_CELL_STATUS_COUNT) {
            r->measured->status = (bench_status)end->status;
            snprintf(r->measured->detail, sizeof r->measured->detail, "%.*s",
                     (int)sizeof end->detail - 1, end->detail);
        }
    }
    return BASE_OK;
}

/** Opens the journal SCENARIO/VARIANT.passes and reads it. */
static base_status open_journal(passes *p, runner *r, base_hash build, base_error *err)
{
    char file[sizeof r->contestant->name], path[BENCH_RUN_PATH_BYTES];
    bench_journal *const journal = &r->measured->journal;
    base_hash inputs;
    r->done = base_alloc(r->entrant->launches * p->plan->rounds, sizeof *r->done);
    if (!r->done) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    bench_variant_file(r->contestant->name, file, sizeof file);
    base_status status = bench_run_file(p->options->directory, path, err, "%s/%s.passes",
                                        p->scenario->asked->name, file);
    if (status == BASE_OK) {
        status = inputs_hash(p, r->contestant, build, &inputs, err);
    }
    if (status == BASE_OK) {
        status = bench_journal_open(path, inputs, frame_count(p), journal, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    bench_journal_reader reader = {.journal = journal};
    bench_journal_record record;
    while (status == BASE_OK && bench_journal_next(&reader, &record)) {
        status = recall_record(p, r, &record, err);
    }
    return bench_journal_stop(&reader, status, err);
}

/* --- Remaining time --------------------------------------------------------------------------- */

/**
 * Returns the time in s of a pass of this kind, from the contestant's own passes; NaN if it has no
 * pass.
 */
static double own_pass(const bench_effort *e, int kind)
{
    if (e->made[kind] > 0) {
        return e->spent_s[kind] / (double)e->made[kind];
    }
    if (e->made[!kind] > 0) {
        return e->spent_s[!kind] / (double)e->made[!kind];
    }
    return e->begun_share > 0 ? e->begun_s / e->begun_share : (double)NAN;
}

/**
 * Returns the mean of own_pass over the contestants that have passes; NaN if no contestant has a
 * pass.
 */
static double mean_pass(const bench_effort *efforts, size_t count, int kind)
{
    double sum = 0, known = 0;
    for (size_t i = 0; i < count; i++) {
        const double pass = own_pass(&efforts[i], kind);
        sum += isnan(pass) ? 0 : pass;
        known += isnan(pass) ? 0 : 1;
    }
    return sum / known;
}

double bench_estimate_left(const bench_effort *efforts, size_t count)
{
    double left_s = 0;
    for (size_t i = 0; i < count; i++) {
        const bench_effort *const e = &efforts[i];
        for (int kind = 0; kind < 2; kind++) {
            const double own = own_pass(e, kind);
            const double pass = isnan(own) ? mean_pass(efforts, count, kind) : own;
            left_s += e->left[kind] > 0 ? pass * (double)e->left[kind] : 0;
        }
        if (e->prepared > 0) {
            left_s += e->prepare_s / (double)e->prepared * (double)e->launches_left;
        }
        left_s -= e->begun_s;
    }
    return left_s < 0 ? 0 : left_s;
}

/* --- Progress --------------------------------------------------------------------------------- */

/* A note is printed only if passes with evicted caches will take longer than this. */
static const double long_eviction_s = 60;

/**
 * Counts a pass. Prints a note, at most once, if the passes with evicted caches will take long and
 * more time than all other passes.
 */
static void count_pass(passes *p, bool evicted, uint64_t spent_ns)
{
    const bench_plan *const plan = p->plan;
    p->spent_ns[evicted] += spent_ns;
    p->made[evicted]++;
    if (p->hinted || !evicted || p->options->quiet || p->made[0] == 0) {
        return;
    }
    const double rounds = (double)plan->rounds, evictions = (double)plan->evicted_rounds;
    double whole_s[2];
    for (int i = 0; i < 2; i++) {
        const double share = (i ? evictions : rounds - evictions) / rounds;
        whole_s[i] = 1e-9 * (double)p->spent_ns[i] / (double)p->made[i] * (double)p->steps * share;
    }
    if (whole_s[1] > long_eviction_s && whole_s[1] > whole_s[0]) {
        char some[48], all[48];
        bench_duration_format(whole_s[1], some, sizeof some);
        bench_duration_format(whole_s[0] + whole_s[1], all, sizeof all);
        bench_note("%s: of %s for all passes, %s go into those with evicted caches, which are "
                   "emptied before every frame; --warm-only leaves these passes out",
                   p->scenario->asked->name, all, some);
        p->hinted = true;
    }
}

/**
 * Returns the time that a contestant has spent, and counts the passes and launches that it still
 * lacks.
 */
static bench_effort effort_of(const passes *p, const runner *r)
{
    bench_effort e = r->effort;
    for (size_t l = 0; l < r->entrant->launches && alive(r); l++) {
        bool begun = false;
        for (size_t round = 0; round < p->plan->rounds; round++) {
            const bool evicted = bench_plan_protocol(p->plan, round) == BENCH_EVICTED;
            e.left[evicted] += lacks(p, r, l, round);
            begun |= r->done[l * p->plan->rounds + round];
        }
        e.launches_left += !begun;
    }
    if (r == p->working && p->begun_ns > 0 && r->worker.outputs.frame) {
        e.begun_s = 1e-9 * (double)(bench_now_ns() - p->begun_ns);
        e.begun_share = (double)*r->worker.outputs.frame / (double)frame_count(p);
    }
    return e;
}

/** Shows the current variant, its pass and frame, and the remaining time. */
static void show_work(void *context)
{
    passes *const p = context;
    char text[sizeof(bench_contestant) + 64];
    const runner *const r = p->working;
    for (size_t i = 0; i < p->plan->count; i++) {
        p->efforts[i] = effort_of(p, &p->runners[i]);
    }
    if (p->begun_ns > 0 && r->worker.outputs.frame) {
        snprintf(text, sizeof text, "pass %zu of %zu, frame %llu of %zu of %s",
                 count_passes(p, r, true) + 1, count_passes(p, r, false),
                 (unsigned long long)*r->worker.outputs.frame, frame_count(p), r->contestant->name);
    } else {
        snprintf(text, sizeof text, "preparing %s", r->contestant->name);
    }
    p->progress.left_s = bench_estimate_left(p->efforts, p->plan->count);
    bench_progress_work(&p->progress, text);
    bench_progress_update(&p->progress, p->steps_done, p->steps);
}

/** Marks the contestant as working: in a pass, or preparing its bodies. */
static void begin_work(passes *p, runner *r, bool pass)
{
    p->working = r;
    p->begun_ns = pass ? bench_now_ns() : 0;
    r->worker.watch = show_work;
    r->worker.watch_context = p;
    show_work(p);
}

/* --- One pass --------------------------------------------------------------------------------- */

/**
 * Checks the answers of a pass. Stores those of the first pass, and compares those of all later
 * passes with them.
 */
static base_status collect_answers(const passes *p, runner *r, bench_protocol protocol,
                                   base_hash *hash, base_error *err)
{
    base_status status = check_answers(p, r, err);
    if (status == BASE_OK && r->has_answers) {
        return compare_answers(p, r,
                               protocol == BENCH_SHUFFLED
                                   ? "answers depend on the order of the frames although it "
                                     "declares to keep no state"
                                   : "answers differ from those of its first pass",
                               hash, err);
    }
    if (status == BASE_OK) {
        status = note_answers(p, r, r->worker.outputs.answers, err);
        *hash = r->answers_hash;
    }
    return status == BASE_OK
               ? bench_journal_answers(&r->measured->journal, r->worker.outputs.answers, err)
               : status;
}

/**
 * Decides from the first pass whether later passes need a batch, because single frames are too
 * short to be timed.
 */
static base_status decide_batch(const passes *p, runner *r, base_error *err)
{
    const size_t n = frame_count(p);
    uint64_t *const sorted = base_alloc(n, sizeof *sorted);
    if (!sorted) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    memcpy(sorted, r->worker.outputs.times_ns, n * sizeof *sorted);
    bench_stats_sort(sorted, n);
    r->batch = bench_below_resolution(bench_stats_percentile(sorted, n, 50), p->clock);
    r->batch_known = true;
    base_free(sorted);
    return BASE_OK;
}

static base_status make_pass(passes *p, size_t position, size_t launch, size_t round,
                             base_error *err)
{
    runner *const r = &p->runners[p->members[p->order[position]]];
    const bench_protocol protocol = bench_plan_protocol(p->plan, round);
    if (!alive(r) || r->worker.pid == 0) {
        return BASE_OK;
    }
    begin_work(p, r, true);
    const uint64_t start_ns = p->begun_ns;
    const bool batch = r->batch && protocol != BENCH_SHUFFLED;
    if (!bench_worker_pass(&r->worker, protocol, batch, p->options->timeout_s)) {
        return end_runner(r, r->worker.status, r->worker.detail, err);
    }
    const bool evicted = protocol == BENCH_EVICTED;
    const uint64_t spent_ns = bench_now_ns() - start_ns;
    p->begun_ns = 0;
    count_pass(p, evicted, spent_ns);
    r->effort.spent_s[evicted] += 1e-9 * (double)spent_ns;
    r->effort.made[evicted]++;
    bench_pass pass = {.block = (uint32_t)p->number,
                       .launch = (uint32_t)launch,
                       .round = (uint32_t)round,
                       .position = (uint32_t)position,
                       .protocol = protocol,
                       .batch = batch,
                       .cost = r->worker.cost};
    base_status status = collect_answers(p, r, protocol, &pass.answers_hash, err);
    if (status == BASE_OK) {
        status = bench_journal_pass(&r->measured->journal, &pass, r->worker.outputs.times_ns, err);
    }
    if (status == BASE_OK && !r->batch_known) {
        status = decide_batch(p, r, err);
    }
    r->done[launch * p->plan->rounds + round] = true;
    bench_outputs_forget(&r->worker.outputs);
    return status;
}

/* --- One launch ------------------------------------------------------------------------------- */

static uint64_t memory_budget(const passes *p)
{
    return p->options->memory_bytes ? p->options->memory_bytes : bench_memory_budget();
}

/**
 * Starts a process that builds and binds the bodies. details: for the details pass. padding: as in
 * bench_worker_start. A failure ends the contestant.
 */
static base_status start_process(const passes *p, runner *r, size_t padding, bool details,
                                 base_error *err)
{
    const bench_run_options *const o = p->options;
    /* In a comparison of old and new code, and in an experiment on builds, each contestant must
     * build its bodies itself, so the cache is not used. */
    const bool builds = bench_is_against(o) || o->experiment->timed_builds;
    bench_task task = {.quantities = p->scenario->asked->quantities,
                       .details = details,
                       /* Only in the first launch of a variant, because every launch makes the same
                        * voxels. */
                       .judge_voxels = !details && !r->has_voxels && !r->entrant->twin &&
                                       !o->count_instructions,
                       .clock = bench_clock_id,
                       .memory_bytes = memory_budget(p),
                       .lock_memory = o->mode->timed};
    bench_task_name(&r->contestant->variant, r->contestant->plugin,
                    builds ? NULL : o->cache_directory, &task);
    base_status status = bench_worker_start(r->contestant, p->scenario->inputs, frame_count(p),
                                            padding, &r->worker, err);
    if (status == BASE_OK && !bench_worker_prepare(&r->worker, &task, o->timeout_s)) {
        status = end_runner(r, r->worker.status, r->worker.detail, err);
    }
    if (*r->worker.counters) {
        r->measured->isolation = r->worker.isolation;
        memcpy(r->measured->counters, r->worker.counters, sizeof r->measured->counters);
    }
    return status;
}

/**
 * Prints a note for each body that is thinner than its voxels, by the fact of that name. This is
 * done for the first build of a contestant on a scenario.
 */
static void note_thin_bodies(const passes *p, const runner *r)
{
    const char *const *const facts = r->contestant->variant.algorithm->facts;
    const bench_body *const bodies[] = {&p->scenario->pair.a, &p->scenario->pair.b};
    for (size_t k = 0; facts && k < ALG_FACTS_MAX && facts[k]; k++) {
        for (int i = 0; i < 2 && strcmp(facts[k], ALG_FACT_THIN) == 0; i++) {
            const double share = r->worker.build[i].info.facts[k];
            if (share >= ALG_THIN_LEAST) {
                bench_note("'%s' on %s: %s ('%s') is thinner than its voxels: %.2g %% of its "
                           "volume has no inner voxel",
                           r->contestant->name, p->scenario->title, i == 0 ? "A" : "B",
                           bodies[i]->reference, 100 * share);
            }
        }
    }
}

static base_status start_worker(passes *p, size_t member, size_t launch, base_error *err)
{
    enum { PADDING_MAX = 4096 };
    const uint64_t index = p->members[member];
    runner *const r = &p->runners[index];
    /* The padding differs between processes but is the same in every run. */
    base_random random =
        base_random_seed(p->options->experiment->seed ^ ((uint64_t)launch << 32) ^ (index << 48));
    const size_t padding = (size_t)base_random_below(&random, PADDING_MAX);
    const base_status status = start_process(p, r, padding, false, err);
    if (status != BASE_OK || r->worker.status != BENCH_CELL_OK) {
        return status;
    }
    if (!r->has_voxels) {
        note_thin_bodies(p, r);
    }
    r->has_voxels = true;
    bench_build build = {.block = (uint32_t)p->number,
                         .launch = (uint32_t)launch,
                         .rss_bytes = r->worker.rss_bytes,
                         .isolation = r->worker.isolation};
    memcpy(build.build, r->worker.build, sizeof build.build);
    memcpy(build.counters, r->worker.counters, sizeof build.counters);
    return bench_journal_build(&r->measured->journal, &build, err);
}

/**
 * Starts the workers of the block and builds their bodies, one contestant after the other, because
 * a build may use every CPU. In the first launch of the block, a member that does not fit into
 * memory is removed with all members after it; they are left to a later block.
 */
static base_status start_workers(passes *p, size_t launch, base_error *err)
{
    const uint64_t budget = memory_budget(p);
    uint64_t used = 0;
    for (size_t m = 0; m < p->count && !bench_interrupted(); m++) {
        runner *const r = &p->runners[p->members[m]];
        if (!alive(r)) {
            continue;
        }
        begin_work(p, r, false);
        const uint64_t start_ns = bench_now_ns();
        const base_status status = start_worker(p, m, launch, err);
        r->effort.prepare_s += 1e-9 * (double)(bench_now_ns() - start_ns);
        r->effort.prepared++;
        if (status != BASE_OK) {
            return status;
        }
        used += r->worker.rss_bytes;
        if (!p->settled && used > budget && m > p->fixed) {
            bench_worker_stop(&r->worker);
            p->count = m;
        }
    }
    p->settled = true;
    return BASE_OK;
}

/** True if a member of the block lacks this pass. */
static bool round_needed(const passes *p, size_t launch, size_t round)
{
    bool needed = false;
    for (size_t m = 0; m < p->count; m++) {
        needed |= lacks(p, &p->runners[p->members[m]], launch, round);
    }
    return needed;
}

static base_status run_round(passes *p, size_t launch, size_t round, base_error *err)
{
    base_status status = BASE_OK;
    const size_t timed_rounds = p->plan->rounds - p->plan->shuffled_rounds;
    bench_schedule_row(p->count, launch * timed_rounds + round, p->order);
    for (size_t k = 0; k < p->count && status == BASE_OK && !bench_interrupted(); k++) {
        if (bench_plan_makes(p->plan, &p->plan->entrants[p->members[p->order[k]]], round)) {
            status = make_pass(p, k, launch, round, err);
            bench_progress_update(&p->progress, ++p->steps_done, p->steps);
        }
    }
    return status;
}

static base_status run_launch(passes *p, size_t launch, base_error *err)
{
    const bench_plan *const plan = p->plan;
    size_t needed = 0;
    for (size_t r = 0; r < plan->rounds; r++) {
        needed += round_needed(p, launch, r);
    }
    if (needed == 0) {
        return BASE_OK;
    }
    base_status status = start_workers(p, launch, err);
    for (size_t r = 0; r < plan->rounds && status == BASE_OK; r++) {
        if (r < plan->warm_up_rounds || round_needed(p, launch, r)) {
            status = run_round(p, launch, r, err);
        }
    }
    for (size_t m = 0; m < p->count; m++) {
        bench_worker_stop(&p->runners[p->members[m]].worker);
    }
    return status;
}

/* --- Blocks ----------------------------------------------------------------------------------- */

/**
 * Sets the members of the next block: the baseline, its twin, and those of the group that lack
 * passes. Returns true if any member lacks a pass.
 */
static bool gather(passes *p, size_t baseline)
{
    bool any = lacks_any(p, &p->runners[baseline]);
    p->count = 0;
    p->members[p->count++] = baseline;
    for (size_t i = 0; i < p->plan->count; i++) {
        const bench_entrant *const entrant = &p->plan->entrants[i];
        if (entrant->baseline == baseline && entrant->twin) {
            p->members[p->count++] = i;
            any |= lacks_any(p, &p->runners[i]);
        }
    }
    p->fixed = p->count;
    for (size_t i = 0; i < p->plan->count; i++) {
        const bench_entrant *const entrant = &p->plan->entrants[i];
        if (entrant->baseline == baseline && i != baseline && !entrant->twin &&
            lacks_any(p, &p->runners[i])) {
            p->members[p->count++] = i;
            any = true;
        }
    }
    return any;
}

/** Returns the largest number of launches of a member. */
static size_t block_launches(const passes *p)
{
    size_t most = 0;
    for (size_t m = 0; m < p->count; m++) {
        const size_t launches = p->plan->entrants[p->members[m]].launches;
        most = launches > most ? launches : most;
    }
    return most;
}

static base_status run_group(passes *p, size_t baseline, base_error *err)
{
    base_status status = BASE_OK;
    while (status == BASE_OK && gather(p, baseline) && !bench_interrupted()) {
        p->number = p->next_block++;
        p->settled = false;
        /* block_launches is computed again after each launch, because members may be removed in the
         * first one. */
        for (size_t l = 0; l < block_launches(p) && status == BASE_OK && !bench_interrupted();
             l++) {
            status = run_launch(p, l, err);
        }
    }
    return status;
}

/* --- Details ---------------------------------------------------------------------------------- */

/**
 * Makes the details pass and stores it. A fault is stored before the details: if the run is killed
 * in between, a resumed run repeats the pass.
 */
static base_status make_details(const passes *p, runner *r, base_error *err)
{
    alg_message fault;
    base_hash hash;
    if (!bench_worker_details(&r->worker, p->options->timeout_s, &fault)) {
        return end_runner(r, r->worker.status, r->worker.detail, err);
    }
    const bench_outputs *const outputs = &r->worker.outputs;
    base_status status = check_answers(p, r, err);
    if (status == BASE_OK && *fault.text) {
        status = end_runner(r, BENCH_CELL_WRONG, fault.text, err);
    }
    if (status == BASE_OK) {
        status = compare_answers(
            p, r, "answers differ where details are asked: buffers, or ends of stages", &hash, err);
    }
    if (status == BASE_OK) {
        status = bench_journal_details(&r->measured->journal, outputs->answers, outputs->regions,
                                       outputs->contacts, err);
    }
    r->has_details = status == BASE_OK;
    return status;
}

/**
 * Makes the details passes of the contestants that have made all other passes, one after the other.
 */
static base_status ask_details(passes *p, base_error *err)
{
    base_status status = BASE_OK;
    for (size_t i = 0; i < p->plan->count && status == BASE_OK && !bench_interrupted(); i++) {
        runner *const r = &p->runners[i];
        if (!alive(r) || lacks_any(p, r) || !lacks_details(p, r)) {
            continue;
        }
        begin_work(p, r, false);
        status = start_process(p, r, 0, true, err);
        if (status == BASE_OK && r->worker.status == BENCH_CELL_OK) {
            status = make_details(p, r, err);
        }
        bench_worker_stop(&r->worker);
    }
    return status;
}

/* --- All passes ------------------------------------------------------------------------------- */

static base_status open_passes(passes *p, base_hash build, bench_measured **measured,
                               base_error *err)
{
    const size_t n = p->plan->count;
    *measured = base_alloc(n + 1, sizeof **measured);
    p->runners = base_alloc(n + 1, sizeof *p->runners);
    p->members = base_alloc(n + 1, sizeof *p->members);
    p->order = base_alloc(n + 1, sizeof *p->order);
    p->efforts = base_alloc(n + 1, sizeof *p->efforts);
    for (size_t i = 0; *measured && p->runners && i < n; i++) {
        (*measured)[i].journal.descriptor = -1;
        p->runners[i] = (runner){.entrant = &p->plan->entrants[i],
                                 .contestant = &p->plan->entrants[i].contestant,
                                 .measured = &(*measured)[i],
                                 .worker.socket = -1};
    }
    if (!*measured || !p->runners || !p->members || !p->order || !p->efforts) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    base_status status = BASE_OK;
    for (size_t i = 0; i < n && status == BASE_OK; i++) {
        status = open_journal(p, &p->runners[i], build, err);
        if (status == BASE_OK) {
            p->steps += count_passes(p, &p->runners[i], false);
            p->steps_done += count_passes(p, &p->runners[i], true);
        }
    }
    return status;
}

/**
 * Frees everything. Stops the workers of the block first, because they still run after an error.
 */
static void close_passes(passes *p)
{
    for (size_t i = 0; p->runners && i < p->plan->count && p->runners[i].measured; i++) {
        bench_worker_stop(&p->runners[i].worker);
        base_free(p->runners[i].done);
    }
    base_free(p->runners);
    base_free(p->members);
    base_free(p->order);
    base_free(p->efforts);
}

base_status bench_measure(const bench_run_options *options, const bench_plan *plan,
                          const bench_scenario *scenario, base_hash build,
                          const bench_clock_cost *clock, bench_measured **measured, base_error *err)
{
    char label[sizeof scenario->title + 16];
    passes p = {.options = options, .plan = plan, .scenario = scenario, .clock = clock};
    base_status status = open_passes(&p, build, measured, err);
    snprintf(label, sizeof label, "%s: passes", scenario->title);
    p.progress = bench_progress_start(label, options->quiet);
    for (size_t i = 0; i < plan->count && status == BASE_OK; i++) {
        if (plan->entrants[i].baseline == i) {
            status = run_group(&p, i, err);
        }
    }
    if (status == BASE_OK) {
        status = ask_details(&p, err);
    }
    bench_progress_end(&p.progress);
    for (size_t i = 0; i < plan->count && status == BASE_OK; i++) {
        const runner *const r = &p.runners[i];
        r->measured->complete =
            count_passes(&p, r, true) == count_passes(&p, r, false) && !lacks_details(&p, r);
    }
    close_passes(&p);
    return status;
}

void bench_measured_release(bench_measured *measured, size_t count)
{
    for (size_t i = 0; measured && i < count; i++) {
        bench_journal_close(&measured[i].journal);
    }
    base_free(measured);
}
