#include "suite/inputs/experiment.h"

#include "base/memory.h"
#include "base/text.h"
#include "suite/message.h"
#include "suite/quantity.h"
#include "suite/share.h"
#include "suite/tolerance.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

/* --- Experiments and scenarios by name -------------------------------------------------------- */

static const char suffix[] = ".cfg";

base_status bench_experiment_names(base_arena *arena, const char ***names, base_error *err)
{
    return bench_share_names("experiments", suffix, arena, names, err);
}

/** The error for a name that is none, with the near ones. */
static base_status unknown_experiment(const char *name, base_error *err)
{
    base_arena arena = {0};
    const char **names;
    base_status status = bench_experiment_names(&arena, &names, err);
    if (status == BASE_OK) {
        char near[512];
        base_text_near(name, names, near, sizeof near);
        status = base_fail(err, BASE_ERR_ARGUMENT, "unknown experiment '%s'%s", name, near);
    }
    base_arena_release(&arena);
    return status;
}

/** What its scenarios ask, by the table of quantities. */
static base_status resolve_quantities(scn_experiment *experiment, base_error *err)
{
    for (size_t i = 0; i < experiment->scenario_count; i++) {
        scn_scenario *const scenario = &experiment->scenarios[i];
        base_error reason;
        if (bench_quantities_parse(scenario->quantity, &scenario->quantities, &reason) != BASE_OK) {
            const base_status status =
                base_fail(err, BASE_ERR_INPUT, "'%s' line %u: %s", experiment->path,
                          scenario->quantity_line, reason.text);
            scn_experiment_release(experiment);
            return status;
        }
    }
    return BASE_OK;
}

static base_status read_experiment(const char *path, scn_experiment *experiment, base_error *err)
{
    const base_status status = scn_experiment_read(path, experiment, err);
    return status == BASE_OK ? resolve_quantities(experiment, err) : status;
}

base_status bench_experiment_open(const char *reference, scn_experiment *experiment,
                                  base_error *err)
{
    if (strpbrk(reference, "./")) {
        return read_experiment(reference, experiment, err);
    }
    char name[1024], path[BENCH_SHARE_BYTES];
    base_error missing = {0};
    const int length = snprintf(name, sizeof name, "experiments/%s%s", reference, suffix);
    if (length >= (int)sizeof name || bench_share_path(name, path, &missing) != BASE_OK) {
        *experiment = (scn_experiment){0};
        return unknown_experiment(reference, err);
    }
    return read_experiment(path, experiment, err);
}

/** Length of the experiment's part of "EXPERIMENT/SCENARIO" or "PATH.cfg/SCENARIO". */
static size_t experiment_length(const char *reference)
{
    const char *const in_path = strstr(reference, ".cfg/");
    return in_path ? (size_t)(in_path - reference) + strlen(suffix) : strcspn(reference, "/");
}

static base_status find_scenario(const scn_experiment *experiment, const char *name,
                                 const scn_scenario **scenario, base_error *err)
{
    const char **const names = base_alloc(experiment->scenario_count + 1, sizeof *names);
    if (!names) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    base_status status = BASE_OK;
    *scenario = NULL;
    for (size_t i = 0; i < experiment->scenario_count; i++) {
        names[i] = experiment->scenarios[i].name;
        if (strcmp(names[i], name) == 0) {
            *scenario = &experiment->scenarios[i];
        }
    }
    if (!*scenario) {
        char near[512];
        base_text_near(name, names, near, sizeof near);
        status = base_fail(err, BASE_ERR_ARGUMENT, "experiment '%s' has no scenario '%s'%s",
                           experiment->name, name, near);
    }
    base_free(names);
    return status;
}

base_status bench_scenario_open(const char *reference, scn_experiment *experiment,
                                const scn_scenario **scenario, base_error *err)
{
    *experiment = (scn_experiment){0};
    const size_t length = experiment_length(reference);
    char name[1024];
    if (length >= sizeof name || reference[length] != '/') {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "'%s' is not a scenario: expected EXPERIMENT/SCENARIO", reference);
    }
    memcpy(name, reference, length);
    name[length] = '\0';
    base_status status = bench_experiment_open(name, experiment, err);
    if (status != BASE_OK) {
        return status;
    }
    status = find_scenario(experiment, reference + length + 1, scenario, err);
    if (status != BASE_OK) {
        scn_experiment_release(experiment);
    }
    return status;
}

/* --- Variants by name or glob ----------------------------------------------------------------- */

bool bench_selected(const char *const *globs, const char *name)
{
    bool found = !globs;
    for (size_t i = 0; globs && globs[i] && !found; i++) {
        found = fnmatch(globs[i], name, 0) == 0;
    }
    return found;
}

static base_status add_variant(scn_experiment *e, const char *text, base_error *err)
{
    char *const copy = base_arena_text(&e->arena, text);
    if (!copy) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    e->variants[e->variant_count++] = copy;
    return BASE_OK;
}

/** All registered algorithms that a glob stands for. */
static base_status add_matches(scn_experiment *e, const char *glob, base_error *err)
{
    const size_t before = e->variant_count;
    for (size_t r = 0; alg_registry[r]; r++) {
        const bool meant = !(alg_registry[r]->flags & ALG_KNOWN_BAD);
        if (meant && fnmatch(glob, alg_registry[r]->name, 0) == 0) {
            const base_status status = add_variant(e, alg_registry[r]->name, err);
            if (status != BASE_OK) {
                return status;
            }
        }
    }
    return e->variant_count > before
               ? BASE_OK
               : base_fail(err, BASE_ERR_ARGUMENT,
                           "no algorithm matches '%s' (proxbench list algorithms)", glob);
}

base_status bench_variants_expand(const bench_names *list, scn_experiment *e, base_error *err)
{
    const size_t most = list->count * (ALG_REGISTRY_MAX + 1);
    e->variants = base_arena_alloc(&e->arena, most, sizeof *e->variants);
    e->triangle_limits = base_arena_alloc(&e->arena, most, sizeof *e->triangle_limits);
    e->optional = base_arena_alloc(&e->arena, most, sizeof *e->optional);
    e->lines = NULL; /* these stand in no file */
    e->variant_count = 0;
    if (!e->variants || !e->triangle_limits || !e->optional) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < list->count; i++) {
        const char *const item = list->items[i];
        const bool glob = strpbrk(item, "*?[");
        const base_status status = glob ? add_matches(e, item, err) : add_variant(e, item, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

/* --- Lists of globs --------------------------------------------------------------------------- */

/**
 * Every glob must match something: a misspelt one would silently measure less.
 *
 * names    NULL-terminated; the first `count` can be matched, those behind them are suggestions.
 */
static base_status check_globs(const bench_names *list, const char *what, const char *const *names,
                               size_t count, const scn_experiment *e, base_error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *const glob[] = {list->items[i], NULL};
        size_t n = 0;
        while (n < count && !bench_selected(glob, names[n])) {
            n++;
        }
        if (n == count) {
            char near[512];
            base_text_near(list->items[i], names, near, sizeof near);
            return base_fail(err, BASE_ERR_ARGUMENT, "no %s of experiment '%s' matches '%s'%s",
                             what, e->name, list->items[i], near);
        }
    }
    return BASE_OK;
}

/** "ist*" behind the variants, for algorithms of which there are other variants than the plain one;
 * NULL-terminated, in the arena; NULL when out of memory. */
static const char **variant_names(scn_experiment *e)
{
    const char **const names = base_arena_alloc(&e->arena, 2 * e->variant_count + 1, sizeof *names);
    size_t count = e->variant_count, last = 0;
    for (size_t v = 0; names && v < e->variant_count; v++) {
        const char *const name = names[v] = e->variants[v];
        const size_t length = strcspn(name, ":");
        char family[140];
        snprintf(family, sizeof family, "%.*s*", (int)length, name);
        if (name[length] && (last == 0 || strcmp(names[last], family) != 0)) {
            last = count++;
            names[last] = base_arena_text(&e->arena, family);
            if (!names[last]) {
                return NULL;
            }
        }
    }
    return names;
}

static base_status check_algorithms(const bench_names *list, scn_experiment *e, base_error *err)
{
    const char **const names = variant_names(e);
    return names ? check_globs(list, "variant", names, e->variant_count, e, err)
                 : base_fail(err, BASE_ERR_MEMORY, "out of memory");
}

static base_status check_scenarios(const bench_names *list, scn_experiment *e, base_error *err)
{
    const char **const names = base_arena_alloc(&e->arena, e->scenario_count + 1, sizeof *names);
    if (!names) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < e->scenario_count; i++) {
        names[i] = e->scenarios[i].name;
    }
    return check_globs(list, "scenario", names, e->scenario_count, e, err);
}

/* --- Parsed variants -------------------------------------------------------------------------- */

/** The error of a variant, with its line where it stands in a file. */
static base_status fail_variant(const scn_experiment *e, size_t v, const char *reason,
                                base_error *err)
{
    return e->path && e->lines
               ? base_fail(err, BASE_ERR_INPUT, "'%s' line %u: %s", e->path, e->lines[v], reason)
               : base_fail(err, BASE_ERR_ARGUMENT, "%s", reason);
}

/** Is it optional, and its algorithm not there? Then a warning says so, and a baseline of that
 * algorithm is dropped, too. */
static bool is_left_out(scn_experiment *e, size_t v)
{
    char name[64];
    const size_t length = strcspn(e->variants[v], ":");
    snprintf(name, sizeof name, "%.*s", (int)length, e->variants[v]);
    if (!e->optional[v] || alg_find(name)) {
        return false;
    }
    bench_warn("experiment '%s': '%s' is left out: there is no algorithm '%s' here", e->name,
               e->variants[v], name);
    if (e->baseline && strcspn(e->baseline, ":") == length &&
        strncmp(e->baseline, e->variants[v], length) == 0) {
        bench_warn("experiment '%s': the baseline is another, since '%s' is left out", e->name,
                   e->baseline);
        e->baseline = NULL;
    }
    return true;
}

/**
 * Parses every variant, and writes it back in its canonical form, so that globs and files meet one
 * spelling. One that comes up again ('ist*,ist', or a default spelt out) is dropped: both would be
 * one file.
 */
static base_status parse_variants(scn_experiment *e, alg_variant *parsed, base_error *err)
{
    size_t count = 0;
    for (size_t v = 0; v < e->variant_count; v++) {
        if (is_left_out(e, v)) {
            continue;
        }
        alg_variant *const variant = &parsed[count];
        alg_message message;
        if (alg_variant_parse(e->variants[v], e->seed, variant, &message) != ALG_OK) {
            return fail_variant(e, v, message.text, err);
        }
        size_t same = 0;
        while (same < count && strcmp(parsed[same].name, variant->name) != 0) {
            same++;
        }
        if (same == count) {
            e->triangle_limits[count] = e->triangle_limits[v];
            e->variants[count++] = variant->name;
        }
    }
    e->variant_count = count;
    return BASE_OK;
}

static base_status fail_baseline(const scn_experiment *e, const char *reason, const char *near,
                                 base_error *err)
{
    return e->path && e->baseline_line > 0
               ? base_fail(err, BASE_ERR_INPUT, "'%s' line %u: the baseline '%s': %s%s", e->path,
                           e->baseline_line, e->baseline, reason, near)
               : base_fail(err, BASE_ERR_ARGUMENT, "experiment '%s': the baseline '%s': %s%s",
                           e->name, e->baseline, reason, near);
}

/** The baseline in its canonical form; it must be one of the variants. */
static base_status find_baseline(scn_experiment *e, base_error *err)
{
    alg_variant variant;
    alg_message message;
    if (!e->baseline) {
        return BASE_OK;
    }
    if (alg_variant_parse(e->baseline, e->seed, &variant, &message) != ALG_OK) {
        return fail_baseline(e, message.text, "", err);
    }
    size_t same = 0;
    while (same < e->variant_count && strcmp(e->variants[same], variant.name) != 0) {
        same++;
    }
    if (same == e->variant_count) {
        char near[512] = "";
        const char **const names = variant_names(e);
        if (names) {
            names[e->variant_count] = NULL;
            base_text_near(variant.name, names, near, sizeof near);
        }
        return fail_baseline(e, "it is none of the variants", near, err);
    }
    e->baseline = e->variants[same];
    return BASE_OK;
}

/** Are the variants and the tolerance that a scenario names possible? Optional variants that are not
 * there count as variants here. */
static base_status check_scenario(scn_experiment *e, const scn_scenario *s, base_error *err)
{
    bench_tolerances tolerances;
    bench_names globs;
    base_error reason = {0};
    base_status status =
        bench_tolerances_parse(s->tolerance ? s->tolerance : "", &tolerances, &reason);
    if (status == BASE_OK && s->variants) {
        status = bench_names_split(s->variants, &globs, &reason);
        status = status == BASE_OK ? check_algorithms(&globs, e, &reason) : status;
    }
    return status == BASE_OK ? BASE_OK
                             : base_fail(err, BASE_ERR_INPUT, "'%s': scenario '%s': %s",
                                         e->path ? e->path : e->name, s->name, reason.text);
}

base_status bench_experiment_choose(scn_experiment *e, const char *algorithm, const char *scenario,
                                    bench_choice *choice, base_error *err)
{
    *choice = (bench_choice){0};
    choice->variants = base_arena_alloc(&e->arena, e->variant_count + 1, sizeof *choice->variants);
    if (!choice->variants) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    base_status status = BASE_OK;
    for (size_t i = 0; i < e->scenario_count && status == BASE_OK; i++) {
        status = check_scenario(e, &e->scenarios[i], err);
    }
    if (status == BASE_OK) {
        status = parse_variants(e, choice->variants, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    status = find_baseline(e, err);
    if (status != BASE_OK) {
        return status;
    }
    if (algorithm) {
        status = bench_names_split(algorithm, &choice->algorithms, err);
        if (status != BASE_OK) {
            return status;
        }
        status = check_algorithms(&choice->algorithms, e, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    if (scenario) {
        status = bench_names_split(scenario, &choice->scenarios, err);
        if (status != BASE_OK) {
            return status;
        }
        return check_scenarios(&choice->scenarios, e, err);
    }
    return BASE_OK;
}
