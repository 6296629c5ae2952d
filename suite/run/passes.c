#include "suite/run/passes.h"

#include "base/memory.h"
#include "base/random.h"
#include "suite/message.h"
#include "suite/results/stats.h"

#include <string.h>

/** A block while it runs. */
typedef struct block {
    bench_stage *stage;
    size_t number;
    size_t *members; /* indices of entries: baseline, its twin if there is one, the others */
    size_t count;
    size_t fixed;  /* members that every block of the group has */
    bool settled;  /* it is known who has room */
    size_t *order; /* count: of a round */
    bench_progress *progress;
    bench_entry *working;  /* its worker is building, or makes a pass; NULL: none */
    uint64_t begun_ns;     /* when that pass began; 0: there is none */
    bench_effort *efforts; /* of the stage's entries: room for an estimate */
    size_t steps_done, steps;
    uint64_t spent_ns[2]; /* in passes with caches left alone, and with evicted ones */
    size_t made[2];       /* passes */
    bool hinted;
} block;

static bool alive(const bench_entry *entry)
{
    return entry->status == BENCH_CELL_OK || entry->status == BENCH_CELL_WRONG;
}

static bool lacks(const bench_stage *s, const bench_entry *entry, size_t launch, size_t round)
{
    return alive(entry) && launch < entry->launches && bench_stage_makes(s, entry, round) &&
           !entry->done[launch * s->plan.rounds + round];
}

static bool lacks_any(const bench_stage *s, const bench_entry *entry)
{
    bool any = false;
    for (size_t i = 0; i < entry->launches * s->plan.rounds; i++) {
        any |= lacks(s, entry, i / s->plan.rounds, i % s->plan.rounds);
    }
    return any;
}

/** Notes how an entry ended, here and in its journal. The first reason stays. */
static base_status end_entry(bench_entry *entry, bench_status status, const char *detail,
                             base_error *err)
{
    if (!alive(entry) || (entry->status == BENCH_CELL_WRONG && status == BENCH_CELL_WRONG) ||
        status == BENCH_CELL_INTERRUPTED) {
        return BASE_OK;
    }
    bench_end end = {.status = status};
    snprintf(end.detail, sizeof end.detail, "%s", detail);
    entry->status = status;
    snprintf(entry->detail, sizeof entry->detail, "%s", detail);
    return bench_journal_end(&entry->journal, &end, err);
}

/* --- The order of a round --------------------------------------------------------------------- */

/** The first row: 0, 1, n-1, 2, n-2, ... whose neighbouring differences are all distinct. */
static size_t first_row(size_t count, size_t place)
{
    if (place == 0) {
        return 0;
    }
    return place % 2 == 1 ? (place + 1) / 2 : count - place / 2;
}

void bench_schedule_row(size_t count, size_t round, size_t *order)
{
    const size_t rows = count % 2 == 0 ? count : 2 * count;
    const size_t row = count > 1 ? round % rows : 0;
    for (size_t place = 0; place < count; place++) {
        const size_t mirrored = row < count ? place : count - 1 - place;
        order[place] = (first_row(count, mirrored) + row) % count;
    }
}

/* --- One pass --------------------------------------------------------------------------------- */

/** Looks at the answers of a pass: the first that is none makes the cell wrong. */
static base_status look_at_answers(const bench_stage *s, bench_entry *entry, base_error *err)
{
    for (size_t f = 0; f < s->trajectory.frame_count; f++) {
        const char *const fault = bench_answer_fault(
            &entry->contestant.variant, s->scenario->quantities, &entry->worker.outputs.answers[f]);
        if (fault) {
            char detail[96];
            snprintf(detail, sizeof detail, "%s in frame %zu", fault, f);
            return end_entry(entry, BENCH_CELL_WRONG, detail, err);
        }
    }
    return BASE_OK;
}

/** Are these the answers of the first pass? One that reads the clock need not repeat them. */
static bool repeats(const bench_entry *entry, base_hash hash)
{
    const base_hash first = entry->answers_hash;
    return (hash.hi == first.hi && hash.lo == first.lo) ||
           (entry->contestant.variant.algorithm->flags & ALG_READS_CLOCK);
}

/** Keeps the answers of the first pass, and holds those of all others against them. */
static base_status collect_answers(const bench_stage *s, bench_entry *entry,
                                   bench_protocol protocol, base_hash *hash, base_error *err)
{
    const alg_answer *const answers = entry->worker.outputs.answers;
    const size_t n = s->trajectory.frame_count;
    base_status status = look_at_answers(s, entry, err);
    if (status == BASE_OK && !entry->has_answers) {
        status = bench_entry_note_answers(entry, answers, n, err);
        *hash = entry->answers_hash;
        return status == BASE_OK ? bench_journal_answers(&entry->journal, answers, err) : status;
    }
    if (status == BASE_OK) {
        status = bench_answers_hash(answers, n, hash, err);
    }
    if (status == BASE_OK && !repeats(entry, *hash)) {
        status = end_entry(entry, BENCH_CELL_WRONG,
                           protocol == BENCH_SHUFFLED
                               ? "answers depend on the order of the frames although it declares "
                                 "to keep no state"
                               : "answers differ from those of its first pass",
                           err);
    }
    return status;
}

/** After its first pass it is known whether single frames can be timed. */
static base_status decide_batch(const bench_stage *s, bench_entry *entry, base_error *err)
{
    const size_t n = s->trajectory.frame_count;
    uint64_t *const sorted = base_alloc(n, sizeof *sorted);
    if (!sorted) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    memcpy(sorted, entry->worker.outputs.times_ns, n * sizeof *sorted);
    bench_stats_sort(sorted, n);
    entry->batch = bench_below_resolution(bench_stats_percentile(sorted, n, 50), &s->clock);
    entry->batch_known = true;
    base_free(sorted);
    return BASE_OK;
}

/* What is said of passes with evicted caches: when they take longer than this. */
static const double long_eviction_s = 60;

/** Counts a pass; says once when emptying the caches is what a long run will spend its time with.
 */
static void count_pass(block *b, bool evicted, uint64_t spent_ns)
{
    const bench_plan *const plan = &b->stage->plan;
    b->spent_ns[evicted] += spent_ns;
    b->made[evicted]++;
    if (b->hinted || !evicted || b->stage->options->quiet || b->made[0] == 0) {
        return;
    }
    const double rounds = (double)plan->rounds, evictions = (double)plan->evicted_rounds;
    double whole_s[2];
    for (int i = 0; i < 2; i++) {
        const double share = (i ? evictions : rounds - evictions) / rounds;
        whole_s[i] = 1e-9 * (double)b->spent_ns[i] / (double)b->made[i] * (double)b->steps * share;
    }
    if (whole_s[1] > long_eviction_s && whole_s[1] > whole_s[0]) {
        char some[48], all[48];
        bench_duration_format(whole_s[1], some, sizeof some);
        bench_duration_format(whole_s[0] + whole_s[1], all, sizeof all);
        bench_note("%s: of %s for all passes, %s go into those with evicted caches, which are "
                   "emptied before every frame; --warm-only leaves these passes out",
                   b->stage->scenario->name, all, some);
        b->hinted = true;
    }
}

/** Passes of an entry: those that it is to make, or those that its journal has. */
static size_t count_passes(const bench_stage *s, const bench_entry *entry, bool done)
{
    size_t count = 0;
    for (size_t i = 0; i < entry->launches * s->plan.rounds; i++) {
        count += bench_stage_makes(s, entry, i % s->plan.rounds) && (!done || entry->done[i]);
    }
    return count;
}

/** What an entry has spent and what is left of it. */
static bench_effort effort_of(const block *b, const bench_entry *entry)
{
    const bench_stage *const s = b->stage;
    bench_effort e = entry->effort;
    for (size_t l = 0; l < entry->launches && alive(entry); l++) {
        bool begun = false;
        for (size_t r = 0; r < s->plan.rounds; r++) {
            const bool evicted = bench_plan_protocol(&s->plan, r) == BENCH_EVICTED;
            e.left[evicted] += lacks(s, entry, l, r);
            begun |= entry->done[l * s->plan.rounds + r];
        }
        e.launches_left += !begun;
    }
    if (entry == b->working && b->begun_ns > 0 && entry->worker.outputs.frame) {
        e.begun_s = 1e-9 * (double)(bench_now_ns() - b->begun_ns);
        e.begun_share = (double)*entry->worker.outputs.frame / (double)s->trajectory.frame_count;
    }
    return e;
}

/** Shows the variant in work, its pass and frame, and the time that is left. */
static void show_work(void *context)
{
    block *const b = context;
    const bench_stage *const s = b->stage;
    char text[sizeof(bench_contestant) + 64];
    const bench_entry *const entry = b->working;
    if (!entry) {
        return;
    }
    for (size_t i = 0; i < s->count; i++) {
        b->efforts[i] = effort_of(b, &s->entries[i]);
    }
    if (b->begun_ns > 0 && entry->worker.outputs.frame) {
        snprintf(text, sizeof text, "pass %zu of %zu, frame %llu of %zu of %s",
                 count_passes(s, entry, true) + 1, count_passes(s, entry, false),
                 (unsigned long long)*entry->worker.outputs.frame, s->trajectory.frame_count,
                 entry->contestant.name);
    } else {
        snprintf(text, sizeof text, "preparing %s", entry->contestant.name);
    }
    b->progress->left_s = bench_estimate_left(b->efforts, s->count);
    bench_progress_work(b->progress, text);
    bench_progress_update(b->progress, b->steps_done, b->steps);
}

/** The entry is in work from now on: in a pass, or preparing its bodies. */
static void begin_work(block *b, bench_entry *entry, bool pass)
{
    b->working = entry;
    b->begun_ns = pass ? bench_now_ns() : 0;
    entry->worker.watch = show_work;
    entry->worker.watch_context = b;
    show_work(b);
}

static base_status make_pass(block *b, size_t position, size_t launch, size_t round,
                             base_error *err)
{
    bench_stage *const s = b->stage;
    bench_entry *const entry = &s->entries[b->members[b->order[position]]];
    const bench_protocol protocol = bench_plan_protocol(&s->plan, round);
    if (!alive(entry) || entry->worker.pid == 0) {
        return BASE_OK;
    }
    begin_work(b, entry, true);
    const uint64_t start_ns = b->begun_ns;
    const bool batch = entry->batch && protocol != BENCH_SHUFFLED;
    if (!bench_worker_pass(&entry->worker, protocol, batch, s->options->timeout_s)) {
        return end_entry(entry, entry->worker.status, entry->worker.detail, err);
    }
    const bool evicted = protocol == BENCH_EVICTED;
    const uint64_t spent_ns = bench_now_ns() - start_ns;
    b->begun_ns = 0;
    count_pass(b, evicted, spent_ns);
    entry->effort.spent_s[evicted] += 1e-9 * (double)spent_ns;
    entry->effort.made[evicted]++;
    bench_pass pass = {.block = (uint32_t)b->number,
                       .launch = (uint32_t)launch,
                       .round = (uint32_t)round,
                       .position = (uint32_t)position,
                       .protocol = protocol,
                       .batch = batch,
                       .cost = entry->worker.cost};
    base_status status = collect_answers(s, entry, protocol, &pass.answers_hash, err);
    if (status == BASE_OK) {
        status = bench_journal_pass(&entry->journal, &pass, entry->worker.outputs.times_ns, err);
    }
    if (status == BASE_OK && !entry->batch_known) {
        status = decide_batch(s, entry, err);
    }
    entry->done[launch * s->plan.rounds + round] = true;
    bench_outputs_forget(&entry->worker.outputs);
    return status;
}

/* --- One launch ------------------------------------------------------------------------------- */

static uint64_t memory_budget(const bench_stage *s)
{
    return s->options->memory_bytes ? s->options->memory_bytes : bench_memory_budget();
}

/** By how much the environment of a process grows: another length for each, the same every time. */
static size_t padding(const bench_stage *s, size_t launch, size_t member)
{
    enum { MOST = 4096 };
    base_random random =
        base_random_seed(s->options->experiment->seed ^ (launch << 32) ^ (member << 48));
    return (size_t)base_random_below(&random, MOST);
}

/**
 * Where the worker finds prepared bodies. Old code against new has none, nor has an experiment on
 * builds: each is to be measured by what it builds itself.
 */
static const char *cache_directory(const bench_run_options *o)
{
    const bool none = o->against_program || o->against_plugin || o->experiment->timed_builds;
    return none ? NULL : o->cache_directory;
}

/** Once for each variant: the same settings make the same voxels in every launch. */
static bool judge_voxels(const bench_stage *s, const bench_entry *entry)
{
    return !entry->has_voxels && !entry->twin && !s->options->count_instructions;
}

/**
 * Starts a process and has it build its bodies and bind them; details: for the pass for details.
 * What fails there is the entry's end.
 */
static base_status start_process(bench_stage *s, bench_entry *entry, size_t padding_bytes,
                                 bool details, base_error *err)
{
    const bench_run_options *const o = s->options;
    bench_task task = {.quantities = s->scenario->quantities,
                       .details = details,
                       .judge_voxels = !details && judge_voxels(s, entry),
                       .clock = bench_clock_id,
                       .memory_bytes = memory_budget(s),
                       .lock_memory = o->mode->timed};
    bench_task_name(&entry->contestant.variant, entry->contestant.plugin, cache_directory(o),
                    &task);
    base_status status =
        bench_worker_start(&entry->contestant, s->inputs, s->trajectory.frame_count, padding_bytes,
                           &entry->worker, err);
    if (status == BASE_OK && !bench_worker_prepare(&entry->worker, &task, o->timeout_s)) {
        status = end_entry(entry, entry->worker.status, entry->worker.detail, err);
    }
    return status;
}

static base_status start_worker(block *b, size_t member, size_t launch, base_error *err)
{
    bench_stage *const s = b->stage;
    bench_entry *const entry = &s->entries[b->members[member]];
    const base_status status =
        start_process(s, entry, padding(s, launch, b->members[member]), false, err);
    if (status != BASE_OK || entry->worker.status != BENCH_CELL_OK) {
        return status;
    }
    entry->has_voxels = true;
    bench_build build = {.block = (uint32_t)b->number,
                         .launch = (uint32_t)launch,
                         .rss_bytes = entry->worker.rss_bytes,
                         .isolation = entry->worker.isolation};
    memcpy(build.build, entry->worker.build, sizeof build.build);
    memcpy(build.counters, entry->worker.counters, sizeof build.counters);
    return bench_journal_build(&entry->journal, &build, err);
}

/**
 * Builds the block's bodies, one contestant after the other: a build may use every CPU. In the
 * block's first launch the members that memory has no room for leave it for a later one.
 */
static base_status start_workers(block *b, size_t launch, base_error *err)
{
    const uint64_t budget = memory_budget(b->stage);
    uint64_t used = 0;
    for (size_t m = 0; m < b->count && !bench_interrupted(); m++) {
        bench_entry *const entry = &b->stage->entries[b->members[m]];
        if (!alive(entry)) {
            continue;
        }
        begin_work(b, entry, false);
        const uint64_t start_ns = bench_now_ns();
        const base_status status = start_worker(b, m, launch, err);
        entry->effort.prepare_s += 1e-9 * (double)(bench_now_ns() - start_ns);
        entry->effort.prepared++;
        if (status != BASE_OK) {
            return status;
        }
        used += entry->worker.rss_bytes;
        if (!b->settled && used > budget && m > b->fixed) {
            bench_worker_stop(&entry->worker);
            b->count = m;
        }
    }
    b->settled = true;
    return BASE_OK;
}

static void stop_workers(block *b)
{
    for (size_t m = 0; m < b->count; m++) {
        bench_worker_stop(&b->stage->entries[b->members[m]].worker);
    }
}

/** Does anyone lack a pass of this launch? Warm-up alone is no reason for it. */
static bool round_needed(const block *b, size_t launch, size_t round)
{
    bool needed = false;
    for (size_t m = 0; m < b->count; m++) {
        needed |= lacks(b->stage, &b->stage->entries[b->members[m]], launch, round);
    }
    return needed;
}

static base_status run_round(block *b, size_t launch, size_t round, base_error *err)
{
    base_status status = BASE_OK;
    const bench_stage *const s = b->stage;
    const size_t timed_rounds = s->plan.rounds - s->plan.shuffled_rounds;
    bench_schedule_row(b->count, launch * timed_rounds + round, b->order);
    for (size_t k = 0; k < b->count && status == BASE_OK && !bench_interrupted(); k++) {
        if (bench_stage_makes(s, &s->entries[b->members[b->order[k]]], round)) {
            status = make_pass(b, k, launch, round, err);
            bench_progress_update(b->progress, ++b->steps_done, b->steps);
        }
    }
    return status;
}

static base_status run_launch(block *b, size_t launch, base_error *err)
{
    const bench_plan *const plan = &b->stage->plan;
    size_t needed = 0;
    for (size_t r = 0; r < plan->rounds; r++) {
        needed += round_needed(b, launch, r);
    }
    if (needed == 0) {
        return BASE_OK;
    }
    base_status status = start_workers(b, launch, err);
    for (size_t r = 0; r < plan->rounds && status == BASE_OK; r++) {
        if (r < plan->warm_up_rounds || round_needed(b, launch, r)) {
            status = run_round(b, launch, r, err);
        }
    }
    stop_workers(b);
    return status;
}

/* --- Blocks ----------------------------------------------------------------------------------- */

/** The members of a group that lack passes, behind its baseline and twin. */
static void gather(block *b, size_t baseline)
{
    bench_stage *const s = b->stage;
    b->count = 0;
    b->members[b->count++] = baseline;
    for (size_t i = 0; i < s->count; i++) {
        if (s->entries[i].baseline == baseline && s->entries[i].twin) {
            b->members[b->count++] = i;
        }
    }
    b->fixed = b->count;
    for (size_t i = 0; i < s->count; i++) {
        if (s->entries[i].baseline == baseline && i != baseline && !s->entries[i].twin &&
            lacks_any(s, &s->entries[i])) {
            b->members[b->count++] = i;
        }
    }
}

/** The most that a member is to have. */
static size_t block_launches(const block *b)
{
    size_t most = 0;
    for (size_t m = 0; m < b->count; m++) {
        const size_t launches = b->stage->entries[b->members[m]].launches;
        most = launches > most ? launches : most;
    }
    return most;
}

static bool anyone_lacks(const block *b)
{
    bool any = false;
    for (size_t m = 0; m < b->count; m++) {
        any |= lacks_any(b->stage, &b->stage->entries[b->members[m]]);
    }
    return any;
}

static base_status run_group(block *b, size_t baseline, base_error *err)
{
    bench_stage *const s = b->stage;
    base_status status = BASE_OK;
    for (;;) {
        gather(b, baseline);
        if (status != BASE_OK || bench_interrupted() || !anyone_lacks(b)) {
            return status;
        }
        b->number = s->next_block++;
        b->settled = false;
        for (size_t l = 0; l < block_launches(b) && status == BASE_OK; l++) {
            if (bench_interrupted()) {
                break;
            }
            status = run_launch(b, l, err);
        }
    }
}

/* --- Details ---------------------------------------------------------------------------------- */

/** What is wrong with them themselves, or that the answers are others than without them. */
static base_status judge_details(const bench_stage *s, bench_entry *entry, const char *fault,
                                 base_error *err)
{
    base_hash hash;
    base_status status = look_at_answers(s, entry, err);
    if (status == BASE_OK && *fault) {
        status = end_entry(entry, BENCH_CELL_WRONG, fault, err);
    }
    if (status == BASE_OK) {
        status = bench_answers_hash(entry->worker.outputs.answers, s->trajectory.frame_count, &hash,
                                    err);
    }
    if (status == BASE_OK && !repeats(entry, hash)) {
        status =
            end_entry(entry, BENCH_CELL_WRONG,
                      "answers differ where details are asked: buffers, or ends of stages", err);
    }
    return status;
}

/** The fault is recorded before the details: who is killed in between makes the pass again. */
static base_status make_details(bench_stage *s, bench_entry *entry, base_error *err)
{
    alg_message fault;
    if (!bench_worker_details(&entry->worker, s->options->timeout_s, &fault)) {
        return end_entry(entry, entry->worker.status, entry->worker.detail, err);
    }
    const bench_outputs *const outputs = &entry->worker.outputs;
    base_status status = judge_details(s, entry, fault.text, err);
    if (status == BASE_OK) {
        status = bench_journal_details(&entry->journal, outputs->answers, outputs->regions,
                                       outputs->contacts, err);
    }
    entry->has_details = status == BASE_OK;
    return status;
}

/** One contestant after the other, of those that have made all their passes. */
static base_status ask_details(block *b, base_error *err)
{
    bench_stage *const s = b->stage;
    base_status status = BASE_OK;
    for (size_t i = 0; i < s->count && status == BASE_OK && !bench_interrupted(); i++) {
        bench_entry *const entry = &s->entries[i];
        if (!alive(entry) || lacks_any(s, entry) || !bench_stage_lacks_details(s, entry)) {
            continue;
        }
        begin_work(b, entry, false);
        status = start_process(s, entry, 0, true, err);
        if (status == BASE_OK && entry->worker.status == BENCH_CELL_OK) {
            status = make_details(s, entry, err);
        }
        bench_worker_stop(&entry->worker);
    }
    return status;
}

static size_t count_all_passes(const bench_stage *s, bool done)
{
    size_t count = 0;
    for (size_t e = 0; e < s->count; e++) {
        count += count_passes(s, &s->entries[e], done);
    }
    return count;
}

base_status bench_stage_measure(bench_stage *s, base_error *err)
{
    char label[256];
    bench_stage_label(s, "passes", label, sizeof label);
    bench_progress progress = bench_progress_start(label, s->options->quiet);
    block b = {.stage = s,
               .members = base_alloc(s->count + 1, sizeof *b.members),
               .order = base_alloc(s->count + 1, sizeof *b.order),
               .efforts = base_alloc(s->count + 1, sizeof *b.efforts),
               .progress = &progress,
               .steps = count_all_passes(s, false),
               .steps_done = count_all_passes(s, true)};
    base_status status = b.members && b.order && b.efforts
                             ? BASE_OK
                             : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < s->count && status == BASE_OK; i++) {
        if (s->entries[i].baseline == i) {
            status = run_group(&b, i, err);
        }
    }
    if (status == BASE_OK) {
        status = ask_details(&b, err);
    }
    bench_progress_end(&progress);
    base_free(b.members);
    base_free(b.order);
    base_free(b.efforts);
    return status;
}
