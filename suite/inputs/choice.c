/** Which variants and scenarios of an experiment take part. */
#include "suite/suite.h"

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

geo_status bench_variants_expand(const bench_names *list, scn_experiment *e, geo_error *err)
{
    size_t registered = 0;
    while (alg_registry[registered]) {
        registered++;
    }
    const size_t most = list->count * (registered + 1);
    e->variants = geo_arena_alloc(&e->arena, most, sizeof *e->variants);
    e->triangle_limits = geo_arena_alloc(&e->arena, most, sizeof *e->triangle_limits);
    e->optional = geo_arena_alloc(&e->arena, most, sizeof *e->optional);
    if (!e->variants || !e->triangle_limits || !e->optional) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < list->count; i++) {
        const char *const item = list->items[i];
        const bool glob = strpbrk(item, "*?[") != NULL;
        size_t matches = 0;
        for (size_t r = 0; r < (glob ? registered : 1); r++) {
            const char *const text = glob ? alg_registry[r]->name : item;
            if (glob && (alg_registry[r]->flags & ALG_KNOWN_BAD || fnmatch(item, text, 0) != 0)) {
                continue;
            }
            alg_variant variant;
            alg_message message;
            if (alg_variant_parse(text, e->seed, &variant, &message) != ALG_OK) {
                return geo_fail(err, GEO_ERR_ARGUMENT, "%s", message.text);
            }
            e->variants[e->variant_count] = geo_arena_text(&e->arena, variant.name);
            if (!e->variants[e->variant_count++]) {
                return geo_fail(err, GEO_ERR_MEMORY, "out of memory");
            }
            matches++;
        }
        if (matches == 0) {
            return geo_fail(err, GEO_ERR_ARGUMENT,
                            "no algorithm matches '%s' (proxbench list algorithms)", item);
        }
    }
    return GEO_OK;
}

/** Every pattern must mean something: a misspelt one would silently measure less. */
static geo_status check_algorithms(const bench_names *list, const scn_experiment *e, geo_error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *const pattern[] = {list->items[i], NULL};
        bool found = false;
        for (size_t v = 0; v < e->variant_count && !found; v++) {
            found = bench_selected(pattern, e->variants[v]);
        }
        if (!found) {
            return geo_fail(err, GEO_ERR_ARGUMENT, "no variant of experiment '%s' matches '%s'",
                            e->name, list->items[i]);
        }
    }
    return GEO_OK;
}

static geo_status check_scenarios(const bench_names *list, const scn_experiment *e, geo_error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *const pattern[] = {list->items[i], NULL};
        bool found = false;
        for (size_t s = 0; s < e->scenario_count && !found; s++) {
            found = bench_selected(pattern, e->scenarios[s].name);
        }
        if (!found) {
            return geo_fail(err, GEO_ERR_ARGUMENT, "no scenario of experiment '%s' matches '%s'",
                            e->name, list->items[i]);
        }
    }
    return GEO_OK;
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
static geo_status canonical_variants(scn_experiment *e, geo_error *err)
{
    size_t count = 0;
    for (size_t v = 0; v < e->variant_count; v++) {
        if (is_left_out(e, v)) {
            continue;
        }
        alg_variant variant;
        alg_message message;
        if (alg_variant_parse(e->variants[v], e->seed, &variant, &message) != ALG_OK) {
            return geo_fail(err, GEO_ERR_ARGUMENT, "experiment '%s': %s", e->name, message.text);
        }
        size_t same = 0;
        while (same < count && strcmp(e->variants[same], variant.name) != 0) {
            same++;
        }
        if (same < count) {
            continue;
        }
        e->triangle_limits[count] = e->triangle_limits[v];
        e->variants[count] = geo_arena_text(&e->arena, variant.name);
        if (!e->variants[count++]) {
            return geo_fail(err, GEO_ERR_MEMORY, "out of memory");
        }
    }
    e->variant_count = count;
    return GEO_OK;
}

/** The baseline in its canonical form; it must be one of the variants. */
static geo_status canonical_baseline(scn_experiment *e, geo_error *err)
{
    alg_variant variant;
    alg_message message;
    if (!e->baseline) {
        return GEO_OK;
    }
    if (alg_variant_parse(e->baseline, e->seed, &variant, &message) != ALG_OK) {
        return geo_fail(err, GEO_ERR_ARGUMENT, "experiment '%s': baseline: %s", e->name,
                        message.text);
    }
    size_t same = 0;
    while (same < e->variant_count && strcmp(e->variants[same], variant.name) != 0) {
        same++;
    }
    if (same == e->variant_count) {
        return geo_fail(err, GEO_ERR_ARGUMENT,
                        "experiment '%s': its baseline '%s' is none of its variants", e->name,
                        variant.name);
    }
    e->baseline = e->variants[same];
    return GEO_OK;
}

geo_status bench_experiment_choose(scn_experiment *e, const char *algorithm, const char *scenario,
                                   bench_choice *choice, geo_error *err)
{
    *choice = (bench_choice){0};
    geo_status status = canonical_variants(e, err);
    if (status == GEO_OK) {
        status = canonical_baseline(e, err);
    }
    if (status == GEO_OK && algorithm) {
        status = bench_names_split(algorithm, &choice->algorithms, err);
        status = status == GEO_OK ? check_algorithms(&choice->algorithms, e, err) : status;
    }
    if (status == GEO_OK && scenario) {
        status = bench_names_split(scenario, &choice->scenarios, err);
        status = status == GEO_OK ? check_scenarios(&choice->scenarios, e, err) : status;
    }
    return status;
}
