#include "suite/run/plan.h"

#include "base/memory.h"
#include "base/text.h"
#include "suite/inputs/experiment.h"
#include "suite/inputs/pair.h"
#include "suite/inputs/plugin.h"
#include "suite/message.h"
#include "suite/results/run_folder.h"
#include "suite/results/stats.h"

#include <string.h>

/* --- Modes ------------------------------------------------------------------------------------ */

static const bench_mode modes[SCN_MODE_COUNT] = {
    [SCN_SMOKE] = {.launches = 1, .warm_rounds = 1, .certificate = 1},
    [SCN_CI] =
        {
            .launches = 1,
            .warm_up_rounds = 1,
            .warm_rounds = 2,
            .shuffled_rounds = 1,
            .certificate = 1,
        },
    [SCN_BENCH] =
        {
            .launches = 12,
            .warm_up_rounds = 1,
            .warm_rounds = 2,
            .evicted_rounds = 1,
            .shuffled_rounds = 1,
            .timed = true,
            .truth_methods = GT_BY_ALL,
            .certificate = 1,
        },
    [SCN_PAPER] =
        {
            .launches = 18,
            .warm_up_rounds = 1,
            .warm_rounds = 3,
            .evicted_rounds = 2,
            .shuffled_rounds = 1,
            .timed = true,
            .truth_methods = GT_BY_ALL,
            .certificate = 2,
        },
};

base_status bench_mode_parse(const char *name, bench_mode *mode, base_error *err)
{
    const scn_mode found = scn_mode_find(name);
    if (found == SCN_MODE_COUNT) {
        char near[256], choices[64];
        base_text_near(name, scn_mode_names, near, sizeof near);
        base_text_choices(scn_mode_names, choices, sizeof choices);
        return base_fail(err, BASE_ERR_ARGUMENT, "unknown mode '%s'; it is %s%s", name, choices,
                         near);
    }
    *mode = modes[found];
    mode->name = scn_mode_names[found];
    return BASE_OK;
}

/* --- Contestants ------------------------------------------------------------------------------ */

bool bench_is_against(const bench_run_options *options)
{
    return options->against_program || options->against_plugin;
}

/**
 * True if a variant is left out of the scenario because it does not answer all quantities asked. It
 * is left out only if it answers all quantities of another scenario of the experiment. Otherwise it
 * takes part, and its row states what it cannot answer. A variant that answers nothing (`floor`)
 * takes part everywhere.
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

/** True if the scenario's own list selects the variant. */
static bool is_wanted(const scn_scenario *scenario, const char *variant)
{
    bench_names globs;
    return !scenario->variants || (bench_names_split(scenario->variants, &globs, NULL) == BASE_OK &&
                                   bench_selected(globs.items, variant));
}

/**
 * True if variant v takes part in a scenario whose two bodies have `triangles` triangles in total.
 */
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

/** Counts the triangles of both bodies; 0 if no variant of the scenario has a triangle limit. */
static base_status count_triangles(const bench_run_options *options, const scn_scenario *scenario,
                                   size_t *triangles, base_error *err)
{
    const scn_experiment *const e = options->experiment;
    bool limited = false;
    for (size_t v = 0; v < e->variant_count; v++) {
        limited = limited || (e->triangle_limits[v] && is_chosen(options, scenario, 0, v));
    }
    *triangles = 0;
    return limited ? bench_triangles_count(scenario->a, scenario->b, triangles, err) : BASE_OK;
}

/** Appends a contestant, which is its own baseline at first. label: "" if it is not a copy. */
static bench_entrant *add_entrant(const bench_run_options *options, const alg_variant *variant,
                                  const char *label, bench_plan *plan)
{
    const bench_plugin *const plugin = bench_plugin_of(variant->algorithm);
    bench_entrant *const entrant = &plan->entrants[plan->count];
    *entrant = (bench_entrant){
        .contestant = {.variant = *variant,
                       .plugin = plugin ? plugin->argument : NULL,
                       .counted = options->count_instructions},
        .baseline = plan->count++,
    };
    snprintf(entrant->contestant.name, sizeof entrant->contestant.name, "%s%s%s", variant->name,
             *label ? "@" : "", label);
    return entrant;
}

/**
 * Adds the old code, the new code and, unless instructions are counted, the old code again as twin.
 */
static void add_rivals(const bench_run_options *options, const alg_variant *variant,
                       bench_plan *plan)
{
    const size_t base = plan->count;
    static const char *const labels[] = {"base", "head", "twin"};
    const size_t rivals = options->count_instructions ? 2 : 3; /* counts need no twin */
    for (size_t i = 0; i < rivals; i++) {
        bench_entrant *const entrant = add_entrant(options, variant, labels[i], plan);
        const bool old = i != 1;
        entrant->baseline = base;
        entrant->twin = i == 2;
        if (old && options->against_program) {
            entrant->contestant.program = options->against_program;
        }
        if (old && options->against_plugin && entrant->contestant.plugin) {
            entrant->contestant.plugin = options->against_plugin;
        }
    }
}

/** Suitability of an entrant as the baseline of a scenario. */
typedef enum baseline_rank {
    RANK_UNFIT,
    RANK_ANSWERS,
    RANK_EXACT, /* an exact method, if the pair is from the command line: the order of its variants
                   has no meaning */
    RANK_NAMED,
} baseline_rank;

static baseline_rank rank_of(const scn_experiment *e, const scn_scenario *scenario,
                             const bench_entrant *entrant)
{
    const alg_variant *const variant = &entrant->contestant.variant;
    if (e->baseline && strcmp(e->baseline, entrant->contestant.name) == 0) {
        return RANK_NAMED;
    }
    if (scenario->quantities & ~alg_variant_answers(variant)) {
        return RANK_UNFIT;
    }
    const bool exact = strncmp(variant->name, "exact-", strlen("exact-")) == 0;
    return !e->path && exact && !(variant->simplify > 0) ? RANK_EXACT : RANK_ANSWERS;
}

/**
 * Sets the baseline of all entrants: the variant that the experiment names, otherwise the first
 * variant that answers all quantities of the scenario. For a pair from the command line an exact
 * method is preferred. In timed modes, adds a twin of the baseline.
 */
static void choose_baseline(const bench_run_options *options, const scn_scenario *scenario,
                            bench_plan *plan)
{
    const scn_experiment *const e = options->experiment;
    size_t baseline = plan->count;
    baseline_rank best = RANK_UNFIT;
    for (size_t i = 0; i < plan->count; i++) {
        const baseline_rank rank = rank_of(e, scenario, &plan->entrants[i]);
        baseline = rank > best ? i : baseline;
        best = rank > best ? rank : best;
    }
    if (baseline == plan->count) {
        return; /* no variant answers, so there is no comparison */
    }
    for (size_t i = 0; i < plan->count; i++) {
        plan->entrants[i].baseline = baseline;
    }
    if (options->mode->timed) {
        const bench_contestant *const chosen = &plan->entrants[baseline].contestant;
        if (best == RANK_ANSWERS && !e->path && plan->count > 1) {
            bench_note("%s: the baseline is '%s', the first variant that answers (--baseline NAME "
                       "chooses another)",
                       scenario->name, chosen->name);
        }
        bench_entrant *const twin = add_entrant(options, &chosen->variant, "twin", plan);
        twin->baseline = baseline;
        twin->twin = true;
    }
}

static base_status choose_entrants(const bench_run_options *options, const scn_scenario *scenario,
                                   bench_plan *plan, base_error *err)
{
    const scn_experiment *const e = options->experiment;
    size_t triangles;
    plan->entrants = base_alloc(3 * e->variant_count + 1, sizeof *plan->entrants);
    if (!plan->entrants) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu variants", e->variant_count);
    }
    const base_status status = count_triangles(options, scenario, &triangles, err);
    for (size_t v = 0; v < e->variant_count && status == BASE_OK; v++) {
        const alg_variant *const variant = &options->variants[v];
        if (!is_chosen(options, scenario, triangles, v)) {
            continue;
        }
        const char *const fault = bench_name_fault(BENCH_NAME_CONTESTANT, variant->name);
        if (fault) {
            return base_fail(err, BASE_ERR_ARGUMENT, "'%s' is %s", variant->name, fault);
        }
        if (bench_is_against(options)) {
            add_rivals(options, variant, plan);
        } else {
            add_entrant(options, variant, "", plan);
        }
    }
    if (!bench_is_against(options) && plan->count > 0) {
        choose_baseline(options, scenario, plan);
    }
    return status;
}

/* --- Launches and rounds ---------------------------------------------------------------------- */

/**
 * Returns the smallest number of launches that gives each comparison an interval. All intervals
 * together have the level 1 - BENCH_JOINT_ALPHA.
 */
static size_t launches_needed(size_t comparisons)
{
    return comparisons > 0 ? bench_stats_launches_needed(BENCH_JOINT_ALPHA / (double)comparisons)
                           : 1;
}

/**
 * Returns the number of launches from --launches or else from the experiment; 0 if neither gives
 * it.
 */
static size_t launches_asked(const bench_run_options *o)
{
    const size_t own = o->mode_asked ? 0 : o->experiment->launches;
    return o->launches ? o->launches : own;
}

static void plan_passes(const bench_run_options *o, const char *scenario, bench_plan *plan)
{
    const bench_mode *const mode = o->mode;
    const size_t own_rounds = o->mode_asked ? 0 : o->experiment->rounds;
    const size_t asked = launches_asked(o);
    const size_t rounds = o->warm_rounds ? o->warm_rounds : own_rounds;
    size_t comparisons = 0;
    for (size_t i = 0; i < plan->count; i++) {
        comparisons += plan->entrants[i].baseline != i && !plan->entrants[i].twin;
    }
    const size_t needed = mode->timed && !bench_is_against(o) ? launches_needed(comparisons) : 1;
    const size_t least = needed > mode->launches ? needed : mode->launches;
    plan->launches = asked ? asked : least;
    plan->warm_up_rounds = mode->warm_up_rounds;
    plan->warm_rounds = rounds ? rounds : mode->warm_rounds;
    plan->evicted_rounds = o->warm_only ? 0 : mode->evicted_rounds;
    plan->shuffled_rounds = mode->shuffled_rounds;
    plan->rounds =
        plan->warm_up_rounds + plan->warm_rounds + plan->evicted_rounds + plan->shuffled_rounds;
    for (size_t i = 0; i < plan->count; i++) {
        bench_entrant *const entrant = &plan->entrants[i];
        const size_t wanted = o->launches_of ? o->launches_of(o->launches_context, scenario,
                                                              entrant->contestant.variant.name)
                                             : 0;
        entrant->launches = wanted > plan->launches ? wanted : plan->launches;
    }
}

base_status bench_plan_make(const bench_run_options *options, const scn_scenario *scenario,
                            bench_plan *plan, base_error *err)
{
    *plan = (bench_plan){0};
    const base_status status = choose_entrants(options, scenario, plan, err);
    if (status != BASE_OK) {
        return status;
    }
    plan_passes(options, scenario->name, plan);
    if (plan->count == 0) {
        bench_warn("%s: no variant takes part: each is beyond its limit of triangles, or does not "
                   "answer what is asked",
                   scenario->name);
    }
    return BASE_OK;
}

void bench_plan_release(bench_plan *plan)
{
    base_free(plan->entrants);
}

base_status bench_plan_check_launches(const bench_run_options *options, base_error *err)
{
    const scn_experiment *const e = options->experiment;
    const size_t asked = launches_asked(options);
    size_t most = 0;
    if (!options->mode->timed || asked == 0) {
        return BASE_OK;
    }
    for (size_t i = 0; i < e->scenario_count; i++) {
        const scn_scenario *const scenario = &e->scenarios[i];
        size_t triangles, count = 0;
        if (!bench_selected(options->scenarios, scenario->name)) {
            continue;
        }
        const base_status status = count_triangles(options, scenario, &triangles, err);
        if (status != BASE_OK) {
            return status;
        }
        for (size_t v = 0; v < e->variant_count; v++) {
            count += is_chosen(options, scenario, triangles, v);
        }
        most = count > most ? count : most;
    }
    const size_t needed = most > 0 ? launches_needed(most - 1) : 1;
    return asked >= needed
               ? BASE_OK
               : base_fail(err, BASE_ERR_ARGUMENT,
                           "%s %zu gives no interval for %zu variants; it takes %zu",
                           options->launches ? "--launches" : "launches =", asked, most, needed);
}

/* --- Rounds ----------------------------------------------------------------------------------- */

bench_protocol bench_plan_protocol(const bench_plan *plan, size_t round)
{
    const size_t warm = plan->warm_up_rounds + plan->warm_rounds;
    return round < plan->warm_up_rounds          ? BENCH_WARM_UP
           : round < warm                        ? BENCH_WARM
           : round < warm + plan->evicted_rounds ? BENCH_EVICTED
                                                 : BENCH_SHUFFLED;
}

bool bench_plan_makes(const bench_plan *plan, const bench_entrant *entrant, size_t round)
{
    const alg_variant *const variant = &entrant->contestant.variant;
    const bool stateless =
        !(variant->algorithm->flags & ALG_KEEPS_STATE) && !alg_variant_reads_clock(variant);
    return stateless || bench_plan_protocol(plan, round) != BENCH_SHUFFLED;
}

void bench_schedule_row(size_t count, size_t round, size_t *order)
{
    const size_t rows = count % 2 == 0 ? count : 2 * count;
    const size_t row = count > 1 ? round % rows : 0;
    for (size_t position = 0; position < count; position++) {
        const size_t p = row < count ? position : count - 1 - position;
        /* Row 0 is 0, 1, n-1, 2, n-2, ...: all differences of neighbours are distinct. */
        const size_t first = p == 0 ? 0 : p % 2 == 1 ? (p + 1) / 2 : count - p / 2;
        order[position] = (first + row) % count;
    }
}
