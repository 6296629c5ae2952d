#include "suite/run/stage.h"

#include "base/memory.h"
#include "suite/inputs/experiment.h"
#include "suite/inputs/plugin.h"
#include "suite/message.h"
#include "suite/results/details.h"
#include "suite/results/judge.h"
#include "suite/results/run_folder.h"
#include "suite/results/stats.h"
#include "suite/results/ideal.h"
#include "suite/results/truth.h"

#include <string.h>
#include <unistd.h>

/* --- Frames and their truth ------------------------------------------------------------------- */

bool bench_stage_progress(void *context, size_t done, size_t ready, size_t total)
{
    (void)ready;
    bench_progress_update(context, done, total);
    return !bench_interrupted();
}

void bench_stage_label(const bench_stage *s, const char *what, char *text, size_t size)
{
    const scn_experiment *const e = s->options->experiment;
    size_t number = 0, count = 0;
    for (size_t i = 0; i < e->scenario_count; i++) {
        count += bench_selected(s->options->scenarios, e->scenarios[i].name);
        number = &e->scenarios[i] == s->scenario ? count : number;
    }
    if (count > 1) {
        snprintf(text, size, "%zu/%zu %s: %s", number, count, s->scenario->name, what);
    } else {
        snprintf(text, size, "%s: %s", s->scenario->name, what);
    }
}

/** Frames in which nobody is judged by the truth of a quantity. */
static void warn_uncertified(const bench_stage *s, alg_quantity quantity)
{
    const uint64_t least = (uint64_t)s->options->mode->certificate;
    size_t below = 0;
    for (size_t f = 0; f < s->trajectory.frame_count; f++) {
        below += bench_truth_certificate(&s->truths[f], quantity) < least;
    }
    if (below > 0) {
        bench_warn("%s: %s is not judged in %zu of %zu frames: their certificate is below %d",
                   s->scenario->name, alg_quantity_names[quantity], below,
                   s->trajectory.frame_count, s->options->mode->certificate);
    }
}

/** Warns of frames whose force by a law that the truth was asked for is not judged. */
static void warn_ideals(const bench_stage *s, unsigned want)
{
    const size_t n = s->trajectory.frame_count;
    for (int law = ALG_LAW_DEPTH; law < ALG_LAW_COUNT; law++) {
        const gt_quantity quantity = bench_ideal_quantity((alg_law)law);
        size_t below = 0;
        for (size_t f = 0; f < n && (want & 1u << quantity); f++) {
            below += gt_certificate(&s->truths[f], quantity) < s->options->mode->certificate;
        }
        if (below > 0) {
            bench_warn("%s: force by the law '%s' is not judged in %zu of %zu frames: their "
                       "certificate is below %d",
                       s->scenario->name, alg_law_names[law], below, n,
                       s->options->mode->certificate);
        }
    }
}

static base_status find_truth_of(bench_stage *s, unsigned want, base_error *err)
{
    char label[256];
    bench_stage_label(s, "truth", label, sizeof label);
    bench_progress progress = bench_progress_start(label, s->options->quiet);
    const gt_options options = {.cache_directory = s->options->cache_directory,
                                .methods = s->options->mode->truth_methods,
                                .interrupted = bench_interrupted,
                                .progress = bench_stage_progress,
                                .progress_context = &progress};
    const base_status status =
        gt_trajectory_truth(s->pair.a.truth, s->pair.b.truth, s->poses, s->trajectory.frame_count,
                            want, &options, s->truths, err);
    bench_progress_end(&progress);
    for (size_t f = 0; status == BASE_OK && f < s->trajectory.frame_count; f++) {
        (void)bench_known_check(&s->pair, s->scenario->name, &s->trajectory, f, &s->poses[f],
                                &s->truths[f]);
    }
    if (status == BASE_OK && !s->options->launches_of) { /* else the job before has said so */
        bench_pair_warn_refusals(&s->pair);
        bench_truth_warn_doubts(s->scenario->name, s->truths, s->trajectory.frame_count);
        for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
            if (q == ALG_DISTANCE || (s->scenario->quantities & 1u << q)) {
                warn_uncertified(s, (alg_quantity)q);
            }
        }
        warn_ideals(s, want);
    }
    return status;
}

static base_status find_truth(bench_stage *s, base_error *err)
{
    const size_t n = s->trajectory.frame_count;
    s->truths = base_alloc(n, sizeof *s->truths);
    if (!s->truths) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu frames", n);
    }
    const base_status status = bench_pair_poses(&s->pair, &s->trajectory, &s->poses, err);
    if (status != BASE_OK) {
        return status;
    }
    /* Distance always: it also tells who collides. */
    unsigned want = GT_WANT_DISTANCE;
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        if ((s->scenario->quantities & 1u << q) &&
            (s->pair.has_volume || !bench_quantities[q].needs_solids)) {
            want |= bench_quantities[q].truth;
        }
    }
    if (want & GT_WANT_FORCE) {
        for (size_t i = 0; i < s->count; i++) {
            want |= bench_ideals_truth(&s->entries[i].contestant.variant, &s->trajectory);
        }
    }
    return find_truth_of(s, want, err);
}

/* --- Which variants take part --------------------------------------------------------------------
 */

/**
 * A variant stays out of a scenario that asks for more than it answers when the experiment has
 * another one for it; otherwise a row says what it cannot do. `floor` takes part everywhere.
 */
static bool stays_out(const scn_experiment *e, const scn_scenario *scenario,
                      const alg_variant *variant)
{
    const unsigned answered = alg_variant_answers(variant);
    bool elsewhere = false;
    for (size_t i = 0; i < e->scenario_count; i++) {
        elsewhere |= !(e->scenarios[i].quantities & ~answered);
    }
    return answered && elsewhere && (scenario->quantities & ~answered);
}

/** Is the variant one of those that the scenario names? */
static bool is_wanted(const scn_scenario *scenario, const char *variant)
{
    bench_names globs;
    return !scenario->variants || (bench_names_split(scenario->variants, &globs, NULL) == BASE_OK &&
                                   bench_selected(globs.items, variant));
}

/** Whether variant v takes part in a scenario whose bodies have so many triangles together. */
static bool is_chosen(const bench_run_options *options, const scn_scenario *scenario,
                      size_t triangles, size_t v)
{
    const scn_experiment *const e = options->experiment;
    const alg_variant *const variant = &options->variants[v];
    return bench_selected(options->algorithms, variant->name) &&
           is_wanted(scenario, variant->name) &&
           !(e->triangle_limits[v] && triangles > e->triangle_limits[v]) &&
           !stays_out(e, scenario, variant);
}

/** Appends a contestant; label "": none. */
static bench_entry *add_entry(bench_stage *s, const alg_variant *variant, const char *label)
{
    const bench_plugin *const plugin = bench_plugin_of(variant->algorithm);
    bench_entry *const entry = &s->entries[s->count];
    *entry = (bench_entry){
        .contestant = {.variant = *variant,
                       .plugin = plugin ? plugin->argument : NULL,
                       .counted = s->options->count_instructions},
        .baseline = s->count,
        .journal.descriptor = -1,
        .worker.socket = -1,
    };
    snprintf(entry->contestant.name, sizeof entry->contestant.name, "%s%s%s", variant->name,
             *label ? "@" : "", label);
    s->count++;
    return entry;
}

/** The old code, the new, and the old once more. */
static void add_rivals(bench_stage *s, const alg_variant *variant)
{
    const bench_run_options *const options = s->options;
    const size_t base = s->count;
    static const char *const labels[] = {"base", "head", "twin"};
    const size_t rivals = options->count_instructions ? 2 : 3; /* a count needs no twin */
    for (size_t i = 0; i < rivals; i++) {
        bench_entry *const entry = add_entry(s, variant, labels[i]);
        const bool old = i != 1;
        entry->baseline = base;
        entry->twin = i == 2;
        if (old && options->against_program) {
            entry->contestant.program = options->against_program;
        }
        if (old && options->against_plugin && entry->contestant.plugin) {
            entry->contestant.plugin = options->against_plugin;
        }
    }
}

/** How well an entry suits as the baseline of a scenario. */
typedef enum baseline_rank {
    RANK_UNFIT,
    RANK_ANSWERS,
    RANK_EXACT, /* of a pair of one's own: no file says in which order its variants are meant */
    RANK_NAMED,
} baseline_rank;

static baseline_rank rank_of(const bench_stage *s, const bench_entry *entry)
{
    const scn_experiment *const e = s->options->experiment;
    const alg_variant *const variant = &entry->contestant.variant;
    if (e->baseline && strcmp(e->baseline, entry->contestant.name) == 0) {
        return RANK_NAMED;
    }
    if (s->scenario->quantities & ~alg_variant_answers(variant)) {
        return RANK_UNFIT;
    }
    return !e->path && strncmp(variant->name, "exact-", strlen("exact-")) == 0 ? RANK_EXACT
                                                                               : RANK_ANSWERS;
}

/**
 * All are compared with the baseline: the variant that the experiment names, else the first that
 * answers what the scenario asks; for a pair of one's own an exact method is preferred.
 */
static void choose_baseline(bench_stage *s)
{
    size_t baseline = s->count;
    baseline_rank best = RANK_UNFIT;
    for (size_t i = 0; i < s->count; i++) {
        const baseline_rank rank = rank_of(s, &s->entries[i]);
        baseline = rank > best ? i : baseline;
        best = rank > best ? rank : best;
    }
    if (baseline == s->count) {
        return; /* no variant answers, so none is compared */
    }
    for (size_t i = 0; i < s->count; i++) {
        s->entries[i].baseline = baseline;
    }
    if (s->options->mode->timed) {
        if (best == RANK_ANSWERS && !s->options->experiment->path && s->count > 1) {
            bench_note("%s: the baseline is '%s', the first variant that answers (--baseline NAME "
                       "chooses another)",
                       s->scenario->name, s->entries[baseline].contestant.name);
        }
        bench_entry *const twin = add_entry(s, &s->entries[baseline].contestant.variant, "twin");
        twin->baseline = baseline;
        twin->twin = true;
    }
}

static base_status choose_contestants(bench_stage *s, base_error *err)
{
    const scn_experiment *const e = s->options->experiment;
    const bool against = s->options->against_program || s->options->against_plugin;
    s->entries = base_alloc(3 * e->variant_count + 1, sizeof *s->entries);
    if (!s->entries) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu variants", e->variant_count);
    }
    const size_t triangles = s->pair.a.mesh.face_count + s->pair.b.mesh.face_count;
    for (size_t v = 0; v < e->variant_count; v++) {
        if (!is_chosen(s->options, s->scenario, triangles, v)) {
            continue;
        }
        const char *const fault =
            bench_name_fault(BENCH_NAME_CONTESTANT, s->options->variants[v].name);
        if (fault) {
            return base_fail(err, BASE_ERR_ARGUMENT, "'%s' is %s", s->options->variants[v].name,
                             fault);
        }
        if (against) {
            add_rivals(s, &s->options->variants[v]);
        } else {
            add_entry(s, &s->options->variants[v], "");
        }
    }
    if (!against && s->count > 0) {
        choose_baseline(s);
    }
    return BASE_OK;
}

/* --- Details ---------------------------------------------------------------------------------- */

base_status bench_entry_note_answers(bench_entry *entry, const alg_answer *answers,
                                     size_t frame_count, base_error *err)
{
    entry->has_answers = true;
    for (size_t f = 0; f < frame_count; f++) {
        entry->offers_details |=
            bench_details_offered(entry->contestant.variant.algorithm, &answers[f]);
    }
    return bench_answers_hash(answers, frame_count, &entry->answers_hash, err);
}

bool bench_stage_lacks_details(const bench_stage *s, const bench_entry *entry)
{
    const bench_run_options *const o = s->options;
    const bool copy = entry->twin || o->against_program || o->against_plugin;
    return entry->offers_details && !entry->has_details && !copy && !o->count_instructions;
}

/* --- What is there already -------------------------------------------------------------------- */

/** The fewest launches that give an interval for each comparison, at the joint level. */
static size_t launches_needed(size_t comparisons)
{
    return comparisons > 0 ? bench_stats_launches_needed(BENCH_JOINT_ALPHA / (double)comparisons)
                           : 1;
}

/** Launches that --launches or else the experiment asks for; 0: neither does. */
static size_t launches_asked(const bench_run_options *o)
{
    const size_t own = o->mode_asked ? 0 : o->experiment->launches;
    return o->launches ? o->launches : own;
}

/** The plan's, or more where somebody wants that. */
static size_t launches_of(const bench_stage *s, const bench_entry *entry)
{
    const bench_run_options *const o = s->options;
    const size_t wanted = o->launches_of ? o->launches_of(o->launches_context, s->scenario->name,
                                                          entry->contestant.variant.name)
                                         : 0;
    return wanted > s->plan.launches ? wanted : s->plan.launches;
}

static void plan_passes(bench_stage *s)
{
    const bench_run_options *const o = s->options;
    const bench_mode *const mode = o->mode;
    const size_t own_rounds = o->mode_asked ? 0 : o->experiment->rounds;
    const size_t asked = launches_asked(o);
    const size_t rounds = o->warm_rounds ? o->warm_rounds : own_rounds;
    size_t comparisons = 0;
    for (size_t i = 0; i < s->count; i++) {
        comparisons += s->entries[i].baseline != i && !s->entries[i].twin;
    }
    const bool against = o->against_program || o->against_plugin;
    const size_t needed = mode->timed && !against ? launches_needed(comparisons) : 1;
    s->plan = (bench_plan){
        .launches = asked                     ? asked
                    : needed > mode->launches ? needed
                                              : mode->launches,
        .warm_up_rounds = mode->warm_up_rounds,
        .warm_rounds = rounds ? rounds : mode->warm_rounds,
        .evicted_rounds = o->warm_only ? 0 : mode->evicted_rounds,
        .shuffled_rounds = mode->shuffled_rounds,
    };
    s->plan.rounds = s->plan.warm_up_rounds + s->plan.warm_rounds + s->plan.evicted_rounds +
                     s->plan.shuffled_rounds;
    for (size_t i = 0; i < s->count; i++) {
        s->entries[i].launches = launches_of(s, &s->entries[i]);
    }
}

bench_protocol bench_plan_protocol(const bench_plan *plan, size_t round)
{
    const size_t warm = plan->warm_up_rounds + plan->warm_rounds;
    return round < plan->warm_up_rounds          ? BENCH_WARM_UP
           : round < warm                        ? BENCH_WARM
           : round < warm + plan->evicted_rounds ? BENCH_EVICTED
                                                 : BENCH_SHUFFLED;
}

bool bench_stage_makes(const bench_stage *s, const bench_entry *entry, size_t round)
{
    const unsigned flags = entry->contestant.variant.algorithm->flags;
    const bool stateless = !(flags & (ALG_KEEPS_STATE | ALG_READS_CLOCK));
    return stateless || bench_plan_protocol(&s->plan, round) != BENCH_SHUFFLED;
}

/** Variants that take part in a scenario. */
static base_status count_variants(const bench_run_options *o, const scn_scenario *scenario,
                                  size_t *count, base_error *err)
{
    const scn_experiment *const e = o->experiment;
    bool limited = false;
    size_t triangles = 0;
    for (size_t v = 0; v < e->variant_count; v++) {
        limited = limited || (e->triangle_limits[v] && is_chosen(o, scenario, 0, v));
    }
    const base_status status =
        limited ? bench_triangles_count(scenario->a, scenario->b, &triangles, err) : BASE_OK;
    *count = 0;
    for (size_t v = 0; status == BASE_OK && v < e->variant_count; v++) {
        *count += is_chosen(o, scenario, triangles, v);
    }
    return status;
}

base_status bench_stage_check_launches(const bench_run_options *options, base_error *err)
{
    const scn_experiment *const e = options->experiment;
    const size_t asked = launches_asked(options);
    size_t most = 0;
    if (!options->mode->timed || asked == 0) {
        return BASE_OK;
    }
    for (size_t i = 0; i < e->scenario_count; i++) {
        if (bench_selected(options->scenarios, e->scenarios[i].name)) {
            size_t count;
            const base_status status = count_variants(options, &e->scenarios[i], &count, err);
            if (status != BASE_OK) {
                return status;
            }
            most = count > most ? count : most;
        }
    }
    const size_t needed = most > 0 ? launches_needed(most - 1) : 1;
    return asked >= needed
               ? BASE_OK
               : base_fail(err, BASE_ERR_ARGUMENT,
                           "%s %zu gives no interval for %zu variants; it takes %zu",
                           options->launches ? "--launches" : "launches =", asked, most, needed);
}

/** Hash of all that the passes of a contestant depend on. */
static base_status inputs_hash(const bench_stage *s, const bench_contestant *c, base_hash build,
                               base_hash *hash, base_error *err)
{
    const bench_plugin *const plugin = bench_plugin_of(c->variant.algorithm);
    base_hasher *const hasher = base_hasher_create();
    if (!hasher) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    const uint64_t words[] = {
        c->variant.settings.seed, s->scenario->quantities, s->trajectory.frame_count,
        s->plan.launches,         s->plan.warm_up_rounds,  s->plan.warm_rounds,
        s->plan.evicted_rounds,   s->plan.shuffled_rounds, s->options->experiment->timed_builds};
    base_hasher_add_text(hasher, c->name);
    base_hasher_add(hasher, words, sizeof words);
    base_hasher_add(hasher, &build, sizeof build);
    base_hasher_add(hasher, &s->pair.a.hash, sizeof s->pair.a.hash);
    base_hasher_add(hasher, &s->pair.b.hash, sizeof s->pair.b.hash);
    base_hasher_add(hasher, s->poses, s->trajectory.frame_count * sizeof *s->poses);
    if (plugin) {
        base_hasher_add(hasher, &plugin->hash, sizeof plugin->hash);
    }
    *hash = base_hasher_finish(hasher);
    return BASE_OK;
}

/** Notes what a record of an entry's journal says of what is still to be made. */
static base_status recall_record(bench_stage *s, bench_entry *entry,
                                 const bench_journal_record *record, base_error *err)
{
    if (record->build) {
        entry->worker.isolation = record->build->isolation;
        memcpy(entry->worker.counters, record->build->counters, sizeof entry->worker.counters);
        entry->has_voxels = true;
        s->next_block =
            record->build->block >= s->next_block ? record->build->block + 1u : s->next_block;
    } else if (record->answers) {
        return bench_entry_note_answers(entry, record->answers, s->trajectory.frame_count, err);
    } else if (record->pass) {
        const bench_pass *const pass = record->pass;
        entry->batch_known = true;
        entry->batch |= pass->batch != 0;
        if (pass->launch < entry->launches && pass->round < s->plan.rounds) {
            entry->done[pass->launch * s->plan.rounds + pass->round] = true;
        }
    } else if (record->details) {
        entry->has_details = true;
    } else {
        const bench_end *const end = record->end;
        /* Bad luck is tried once more, but not by each job that adds launches. */
        const bool died = end->status == BENCH_CELL_TIMEOUT || end->status == BENCH_CELL_OOM ||
                          end->status == BENCH_CELL_CRASH;
        const bool again = died && !s->options->launches_of;
        if (!again && end->status < BENCH_CELL_STATUS_COUNT) {
            entry->status = (bench_status)end->status;
            snprintf(entry->detail, sizeof entry->detail, "%.*s", (int)sizeof end->detail - 1,
                     end->detail);
        }
    }
    return BASE_OK;
}

static base_status open_journal(bench_stage *s, bench_entry *entry, base_hash build,
                                base_error *err)
{
    char file[sizeof entry->contestant.name], path[BENCH_RUN_PATH_BYTES];
    bench_variant_file(entry->contestant.name, file, sizeof file);
    base_status status =
        bench_run_file(s->options->directory, path, err, "%s/%s.passes", s->scenario->name, file);
    if (status != BASE_OK) {
        return status;
    }
    entry->done = base_alloc(entry->launches * s->plan.rounds, sizeof *entry->done);
    if (!entry->done) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    base_hash inputs;
    status = inputs_hash(s, &entry->contestant, build, &inputs, err);
    if (status == BASE_OK) {
        status = bench_journal_open(path, inputs, s->trajectory.frame_count, &entry->journal, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    bench_journal_reader reader = {.journal = &entry->journal};
    bench_journal_record record;
    while (status == BASE_OK && bench_journal_next(&reader, &record)) {
        status = recall_record(s, entry, &record, err);
    }
    return bench_journal_stop(&reader, status, err);
}

static base_status open_journals(bench_stage *s, base_hash build, base_error *err)
{
    base_status status = BASE_OK;
    for (size_t i = 0; i < s->count && status == BASE_OK; i++) {
        status = open_journal(s, &s->entries[i], build, err);
    }
    return status;
}

/* --- Open and close --------------------------------------------------------------------------- */

base_status bench_stage_open(const bench_run_options *options, const scn_scenario *scenario,
                             base_hash build, const bench_clock_cost *clock, bench_stage *stage,
                             base_error *err)
{
    *stage = (bench_stage){.options = options, .scenario = scenario, .inputs = -1, .clock = *clock};
    base_status status = bench_pair_open(scenario->a, scenario->b, &stage->pair, err);
    if (status != BASE_OK) {
        return status;
    }
    status = bench_pair_trajectory(&stage->pair, &scenario->motion, options->cache_directory,
                                   options->quiet, &stage->trajectory, err);
    if (status != BASE_OK) {
        return status;
    }
    status = choose_contestants(stage, err);
    if (status != BASE_OK) {
        return status;
    }
    status = find_truth(stage, err);
    if (status != BASE_OK) {
        return status;
    }
    plan_passes(stage);
    status = open_journals(stage, build, err);
    if (status != BASE_OK) {
        return status;
    }
    if (stage->count == 0) {
        bench_warn("%s: no variant takes part: each is beyond its limit of triangles, or does not "
                   "answer what is asked",
                   scenario->name);
    }
    return bench_inputs_create(&stage->pair.a.view, &stage->pair.b.view, stage->poses,
                               stage->trajectory.frame_count, &stage->inputs, err);
}

void bench_stage_close(bench_stage *s)
{
    for (size_t i = 0; i < s->count; i++) {
        bench_worker_stop(&s->entries[i].worker);
        bench_journal_close(&s->entries[i].journal);
        base_free(s->entries[i].done);
    }
    if (s->inputs >= 0) {
        close(s->inputs);
    }
    base_free(s->entries);
    base_free(s->truths);
    base_free(s->poses);
    scn_trajectory_release(&s->trajectory);
    bench_pair_close(&s->pair);
}
