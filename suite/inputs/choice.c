/** Which variants and scenarios of an experiment take part. */
#include "suite/inputs/choice.h"

#include "algorithms/algorithms.h"
#include "base/text.h"
#include "suite/message.h"

#include <fnmatch.h>
#include <string.h>

bool bench_selected(const char *const *globs, const char *name)
{
    bool found = !globs;
    for (size_t i = 0; globs && globs[i] && !found; i++) {
        found = fnmatch(globs[i], name, 0) == 0;
    }
    return found;
}

base_status bench_variants_expand(const bench_names *list, scn_experiment *e, base_error *err)
{
    size_t registered = 0;
    while (alg_registry[registered]) {
        registered++;
    }
    const size_t most = list->count * (registered + 1);
    e->variants = base_arena_alloc(&e->arena, most, sizeof *e->variants);
    e->triangle_limits = base_arena_alloc(&e->arena, most, sizeof *e->triangle_limits);
    e->optional = base_arena_alloc(&e->arena, most, sizeof *e->optional);
    if (!e->variants || !e->triangle_limits || !e->optional) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < list->count; i++) {
        const char *const item = list->items[i];
        const bool glob = strpbrk(item, "*?[");
        size_t matches = 0;
        for (size_t r = 0; r < (glob ? registered : 1); r++) {
            const char *const text = glob ? alg_registry[r]->name : item;
            if (glob && (alg_registry[r]->flags & ALG_KNOWN_BAD || fnmatch(item, text, 0) != 0)) {
                continue;
            }
            alg_variant variant;
            alg_message message;
            if (alg_variant_parse(text, e->seed, &variant, &message) != ALG_OK) {
                return base_fail(err, BASE_ERR_ARGUMENT, "%s", message.text);
            }
            e->variants[e->variant_count] = base_arena_text(&e->arena, variant.name);
            if (!e->variants[e->variant_count++]) {
                return base_fail(err, BASE_ERR_MEMORY, "out of memory");
            }
            matches++;
        }
        if (matches == 0) {
            return base_fail(err, BASE_ERR_ARGUMENT,
                             "no algorithm matches '%s' (proxbench list algorithms)", item);
        }
    }
    return BASE_OK;
}

/* --- Lists of globs --------------------------------------------------------------------------- */

/** Every glob must mean something: a misspelt one would silently measure less. count: names that
 * can be meant; more names behind them are suggestions alone. */
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

/* --- Canonical names -------------------------------------------------------------------------- */

/** The error of a variant, with its line where it stands in a file. */
static base_status fail_variant(const scn_experiment *e, size_t v, const char *reason,
                                base_error *err)
{
    return e->path && e->lines
               ? base_fail(err, BASE_ERR_INPUT, "'%s' line %u: %s", e->path, e->lines[v], reason)
               : base_fail(err, BASE_ERR_ARGUMENT, "experiment '%s': %s", e->name, reason);
}

/** Is it marked optional, and nobody here goes by that name? Then a note says so. */
static bool is_left_out(const scn_experiment *e, size_t v)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(e->variants[v], ":"), e->variants[v]);
    if (!e->optional[v] || alg_find(name)) {
        return false;
    }
    bench_warn("experiment '%s': '%s' is left out: there is no algorithm '%s' here", e->name,
               e->variants[v], name);
    return true;
}

/**
 * Writes every variant in its canonical form, so that globs and files meet one spelling. One that
 * comes up again ('ist*,ist', or a default spelt out) is dropped: both would be one file.
 */
static base_status canonical_variants(scn_experiment *e, base_error *err)
{
    size_t count = 0;
    for (size_t v = 0; v < e->variant_count; v++) {
        if (is_left_out(e, v)) {
            const size_t length = strcspn(e->variants[v], ":");
            if (e->baseline && strcspn(e->baseline, ":") == length &&
                strncmp(e->baseline, e->variants[v], length) == 0) {
                bench_warn("experiment '%s': the baseline is another, since '%s' is left out",
                           e->name, e->baseline);
                e->baseline = NULL;
            }
            continue;
        }
        alg_variant variant;
        alg_message message;
        if (alg_variant_parse(e->variants[v], e->seed, &variant, &message) != ALG_OK) {
            return fail_variant(e, v, message.text, err);
        }
        size_t same = 0;
        while (same < count && strcmp(e->variants[same], variant.name) != 0) {
            same++;
        }
        if (same < count) {
            continue;
        }
        e->triangle_limits[count] = e->triangle_limits[v];
        e->variants[count] = base_arena_text(&e->arena, variant.name);
        if (!e->variants[count++]) {
            return base_fail(err, BASE_ERR_MEMORY, "out of memory");
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
static base_status canonical_baseline(scn_experiment *e, base_error *err)
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

base_status bench_experiment_choose(scn_experiment *e, const char *algorithm, const char *scenario,
                                    bench_choice *choice, base_error *err)
{
    *choice = (bench_choice){0};
    base_status status = canonical_variants(e, err);
    if (status == BASE_OK) {
        status = canonical_baseline(e, err);
    }
    if (status == BASE_OK && algorithm) {
        status = bench_names_split(algorithm, &choice->algorithms, err);
        status = status == BASE_OK ? check_algorithms(&choice->algorithms, e, err) : status;
    }
    if (status == BASE_OK && scenario) {
        status = bench_names_split(scenario, &choice->scenarios, err);
        status = status == BASE_OK ? check_scenarios(&choice->scenarios, e, err) : status;
    }
    return status;
}
