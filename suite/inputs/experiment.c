#include "suite/inputs/experiment.h"

#include "base/memory.h"
#include "base/text.h"
#include "scenarios/models/models.h"
#include "suite/message.h"
#include "suite/quantity.h"
#include "suite/share.h"
#include "suite/tolerance.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

/* --- Experiments and scenarios by name -------------------------------------------------------- */

static const char suffix[] = ".cfg";

base_status bench_experiment_names(base_arena *arena, const char ***names, base_error *err)
{
    return bench_share_names("experiments", suffix, arena, names, err);
}

/**
 * Normalises a name: "IST figure 6", "ist_fig6" and "ist-f6" become "istf6" (lower-case letters and
 * digits, "figure" and "table" shortened).
 */
static void normalise(const char *name, char *text, size_t size)
{
    static const struct {
        const char *word, *letter;
    } words[] = {
        {"figure", "f"},
        {"fig", "f"},
        {"table", "t"},
    };
    size_t length = 0;
    for (; *name && length + 1 < size; name++) {
        if (isalnum((unsigned char)*name)) {
            text[length++] = (char)tolower((unsigned char)*name);
        }
    }
    text[length] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char *const at = strstr(text, words[i].word);
        if (at) {
            const size_t word = strlen(words[i].word);
            *at = *words[i].letter;
            memmove(at + 1, at + word, strlen(at + word) + 1);
        }
    }
}

void bench_experiment_suggest(const char *word, const char *const *names, char *text, size_t size)
{
    enum { MOST = 6 };
    const char *found[MOST];
    char wanted[256], name[256];
    size_t count = 0;
    normalise(word, wanted, sizeof wanted);
    const size_t length = strlen(wanted);
    for (size_t i = 0; length > 1 && names[i] && count < MOST; i++) {
        normalise(names[i], name, sizeof name);
        const size_t own = strlen(name);
        bool again = false;
        for (size_t f = 0; f < count; f++) {
            again = again || strcmp(found[f], names[i]) == 0;
        }
        if (own >= length && strcmp(name + own - length, wanted) == 0 && !again) {
            found[count++] = names[i];
        }
    }
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "%s'%s'%s",
                 i == 0          ? "; did you mean "
                 : i + 1 < count ? ", "
                                 : " or ",
                 found[i], i + 1 == count ? "?" : "");
    }
    if (count == 0) {
        snprintf(wanted, sizeof wanted, "%s", word);
        for (char *at = wanted; *at; at++) {
            *at = (char)tolower((unsigned char)*at);
        }
        base_text_near(wanted, names, text, size);
    }
    if (!*text) {
        snprintf(text, size, " (proxbench list experiments)");
    }
}

/** Returns the error for an unknown experiment, with similar names. */
static base_status unknown_experiment(const char *name, base_error *err)
{
    base_arena arena = {0};
    const char **names;
    base_status status = bench_experiment_names(&arena, &names, err);
    if (status == BASE_OK) {
        char near[512];
        bench_experiment_suggest(name, names, near, sizeof near);
        status = base_fail(err, BASE_ERR_ARGUMENT, "unknown experiment '%s'%s", name, near);
    }
    base_arena_release(&arena);
    return status;
}

bool bench_experiment_exists(const char *name)
{
    char file[1024], path[BENCH_SHARE_BYTES];
    const int length = snprintf(file, sizeof file, "experiments/%s%s", name, suffix);
    return length < (int)sizeof file && !strpbrk(name, "./") &&
           bench_share_path(file, path, NULL) == BASE_OK;
}

/** Reads an experiment and parses the quantities of all scenarios. */
static base_status read_experiment(const char *path, scn_experiment *experiment, base_error *err)
{
    base_status status = scn_experiment_read(path, experiment, err);
    for (size_t i = 0; status == BASE_OK && i < experiment->scenario_count; i++) {
        scn_scenario *const scenario = &experiment->scenarios[i];
        base_error reason;
        if (bench_quantities_parse(scenario->quantity, &scenario->quantities, &reason) != BASE_OK) {
            status = base_fail(err, BASE_ERR_INPUT, "'%s' line %u: %s", experiment->path,
                               scenario->quantity_line, reason.text);
            scn_experiment_release(experiment);
        }
    }
    return status;
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
    const char *const in_path = strstr(reference, ".cfg/");
    const size_t length =
        in_path ? (size_t)(in_path - reference) + strlen(suffix) : strcspn(reference, "/");
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

/**
 * Queries for which variants are chosen: masks of ALG_WANT_*, one per query. With count 0, all
 * variants are chosen.
 */
typedef struct queries {
    const unsigned *masks;
    size_t count;
} queries;

static bool answers_any(const queries *asked, unsigned answered)
{
    bool found = asked->count == 0;
    for (size_t i = 0; i < asked->count; i++) {
        found = found || !(asked->masks[i] & ~answered);
    }
    return found;
}

/** Writes the queries, for example "distance", "volume+force or depth". */
static void format_queries(const queries *asked, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < asked->count; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s",
                 i == 0                 ? ""
                 : i + 1 < asked->count ? ", "
                                        : " or ",
                 bench_quantities_name(asked->masks[i]).text);
    }
}

/** Returns advice on the syntax if a query asks for several quantities at once. */
static const char *advice(const queries *asked)
{
    for (size_t i = 0; i < asked->count; i++) {
        if (asked->masks[i] & (asked->masks[i] - 1)) {
            return "; quantities with '+' between them are one query, with ',' one each";
        }
    }
    return "";
}

/**
 * Returns the largest number of triangles of both bodies together up to which a glob includes the
 * algorithm, because beyond that it takes seconds per frame. Returns 0 for no limit. A variant that
 * is given by name has no limit.
 */
static size_t glob_limit(const char *name)
{
    static const struct {
        const char *name;
        size_t triangles;
    } limits[] = {
        {"brute", 1000}, /* tests all pairs of triangles; a million pairs take a second */
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (strcmp(limits[i].name, name) == 0) {
            return limits[i].triangles;
        }
    }
    return 0;
}

static base_status add_variant(scn_experiment *e, const char *text, size_t limit, base_error *err)
{
    char *const copy = base_arena_text(&e->arena, text);
    if (!copy) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    e->triangle_limits[e->variant_count] = limit;
    e->variants[e->variant_count++] = copy;
    return BASE_OK;
}

static base_status parse(const scn_experiment *e, const char *text, alg_variant *variant,
                         base_error *err)
{
    alg_message message;
    return alg_variant_parse(text, e->seed, variant, &message) == ALG_OK
               ? BASE_OK
               : base_fail(err, BASE_ERR_ARGUMENT, "%s", message.text);
}

/** Adds all registered algorithms that match a glob. */
static base_status add_matches(scn_experiment *e, const char *glob, const queries *asked,
                               base_error *err)
{
    const size_t before = e->variant_count;
    bool matched = false;
    for (size_t r = 0; alg_registry[r]; r++) {
        const char *const name = alg_registry[r]->name;
        if (alg_registry[r]->flags & (ALG_KNOWN_BAD | ALG_BY_NAME) || fnmatch(glob, name, 0) != 0) {
            continue;
        }
        alg_variant variant;
        base_status status = parse(e, name, &variant, err);
        matched = true;
        if (status == BASE_OK && answers_any(asked, alg_variant_answers(&variant))) {
            status = add_variant(e, name, asked->count > 0 ? glob_limit(name) : 0, err);
        }
        if (status != BASE_OK) {
            return status;
        }
    }
    if (e->variant_count > before) {
        return BASE_OK;
    }
    char text[512];
    format_queries(asked, text, sizeof text);
    return matched ? base_fail(err, BASE_ERR_ARGUMENT,
                               "no algorithm that matches '%s' answers %s (proxbench list "
                               "algorithms)%s",
                               glob, text, advice(asked))
                   : base_fail(err, BASE_ERR_ARGUMENT,
                               "no algorithm matches '%s' (proxbench list algorithms)", glob);
}

/**
 * Adds a variant by name. A variant that answers nothing (floor) is always accepted, because it
 * shows the cost of a query.
 */
static base_status add_named(scn_experiment *e, const char *text, const queries *asked,
                             base_error *err)
{
    alg_variant variant;
    base_status status = asked->count > 0 ? parse(e, text, &variant, err) : BASE_OK;
    if (status == BASE_OK && asked->count > 0) {
        const unsigned answered = alg_variant_answers(&variant);
        if (answered && !answers_any(asked, answered)) {
            char list[512];
            format_queries(asked, list, sizeof list);
            return base_fail(err, BASE_ERR_ARGUMENT, "'%s' does not answer %s: it answers %s%s",
                             variant.name, list, bench_quantities_join(answered, ", ").text,
                             advice(asked));
        }
    }
    return status == BASE_OK ? add_variant(e, text, 0, err) : status;
}

base_status bench_variants_expand(const bench_names *list, const unsigned *asked,
                                  size_t asked_count, scn_experiment *e, base_error *err)
{
    const size_t most = list->count * (ALG_REGISTRY_MAX + 1);
    const queries queried = {asked, asked_count};
    e->variants = base_arena_alloc(&e->arena, most, sizeof *e->variants);
    e->triangle_limits = base_arena_alloc(&e->arena, most, sizeof *e->triangle_limits);
    e->optional = base_arena_alloc(&e->arena, most, sizeof *e->optional);
    e->lines = NULL; /* these variants are not from a file */
    e->variant_count = 0;
    if (!e->variants || !e->triangle_limits || !e->optional) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < list->count; i++) {
        const char *const item = list->items[i];
        const base_status status = strpbrk(item, "*?[") ? add_matches(e, item, &queried, err)
                                                        : add_named(e, item, &queried, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

/* --- Lists of globs --------------------------------------------------------------------------- */

/**
 * Checks that every glob matches something: a misspelt glob would silently measure less.
 *
 * names    NULL-terminated; the first `count` can be matched, the others are only suggestions.
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

/**
 * Returns the names of the variants as in results, followed by globs such as "ist*" for algorithms
 * with variants other than the default one. NULL-terminated, in the arena; NULL if memory is
 * exhausted.
 */
static const char **variant_names(scn_experiment *e)
{
    const char **const names = base_arena_alloc(&e->arena, 2 * e->variant_count + 1, sizeof *names);
    size_t count = e->variant_count, last = 0;
    for (size_t v = 0; names && v < e->variant_count; v++) {
        alg_variant variant; /* a text that is not a variant keeps its spelling */
        const bool parsed = alg_variant_parse(e->variants[v], e->seed, &variant, NULL) == ALG_OK;
        const char *const name = parsed ? base_arena_text(&e->arena, variant.name) : e->variants[v];
        names[v] = name;
        if (!name) {
            return NULL;
        }
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

/**
 * True if the variant is optional and its algorithm is missing. Then a warning is printed, and a
 * baseline of that algorithm is removed, too.
 */
static bool is_left_out(scn_experiment *e, size_t v)
{
    char name[64];
    const size_t length = strcspn(e->variants[v], ":");
    snprintf(name, sizeof name, "%.*s", (int)length, e->variants[v]);
    if (!e->optional[v] || alg_find(name)) {
        return false;
    }
    bench_warn("experiment '%s': '%s' is left out: there is no algorithm '%s'", e->name,
               e->variants[v], name);
    if (e->baseline && strcspn(e->baseline, ":") == length &&
        strncmp(e->baseline, e->variants[v], length) == 0) {
        bench_warn("experiment '%s': another baseline is used, because '%s' is left out", e->name,
                   e->baseline);
        e->baseline = NULL;
    }
    return true;
}

/**
 * Parses every variant and stores its canonical form, so that globs and files use one spelling.
 * Duplicates ('ist*,ist', or a default that is written out) are dropped, because both would have
 * the same file.
 */
static base_status parse_variants(scn_experiment *e, alg_variant *parsed, base_error *err)
{
    size_t count = 0;
    bench_names skipped = {0};
    bool matched[BENCH_NAMES_MAX] = {false};
    if (e->reduced && e->quick.skip) {
        const base_status status = bench_names_split(e->quick.skip, &skipped, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    for (size_t v = 0; v < e->variant_count; v++) {
        if (is_left_out(e, v)) {
            continue;
        }
        alg_variant *const variant = &parsed[count];
        alg_message message;
        if (alg_variant_parse(e->variants[v], e->seed, variant, &message) != ALG_OK) {
            return e->path && e->lines ? base_fail(err, BASE_ERR_INPUT, "'%s' line %u: %s", e->path,
                                                   e->lines[v], message.text)
                                       : base_fail(err, BASE_ERR_ARGUMENT, "%s", message.text);
        }
        size_t same = 0;
        while (same < count && strcmp(parsed[same].name, variant->name) != 0) {
            same++;
        }
        bool kept = true;
        for (size_t i = 0; i < skipped.count; i++) {
            const char *const glob[] = {skipped.items[i], NULL};
            const bool match = bench_selected(glob, variant->name);
            matched[i] = matched[i] || match;
            kept = kept && !match;
        }
        if (same == count && kept) {
            e->triangle_limits[count] = e->triangle_limits[v];
            e->variants[count++] = variant->name;
        }
    }
    e->variant_count = count;
    for (size_t i = 0; i < skipped.count; i++) {
        if (!matched[i]) {
            return base_fail(err, BASE_ERR_INPUT, "'%s': quick: skip '%s' matches no variant",
                             e->path, skipped.items[i]);
        }
    }
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

/** Replaces the baseline by its canonical form; it must be one of the variants. */
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
        return fail_baseline(e, "it is not one of the variants", near, err);
    }
    e->baseline = e->variants[same];
    return BASE_OK;
}

/**
 * Checks the variants and the tolerance that a scenario names. Optional variants that are missing
 * count as variants here.
 */
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

/** Removes the optional scenarios whose meshes are missing, each with a warning. */
static void leave_out_scenarios(scn_experiment *e)
{
    size_t count = 0;
    for (size_t i = 0; i < e->scenario_count; i++) {
        const scn_scenario *const s = &e->scenarios[i];
        const char *const missing = scn_mesh_is_missing(s->a) ? s->a : s->b;
        if (s->optional && scn_mesh_is_missing(missing)) {
            bench_warn("experiment '%s': scenario '%s' is left out: there is no mesh file '%s'",
                       e->name, s->name, missing);
        } else {
            e->scenarios[count++] = *s;
        }
    }
    e->scenario_count = count;
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
    leave_out_scenarios(e);
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

/* --- A pair of the user's own bodies ---------------------------------------------------------- */

enum { QUERIES_MAX = 16 };

/** Splits "distance,volume+force" into a mask for each query. */
static base_status split_quantities(const char *text, unsigned masks[QUERIES_MAX], size_t *count,
                                    base_error *err)
{
    *count = 0;
    for (const char *at = text;; at++) {
        char piece[128];
        const size_t length = strcspn(at, ",");
        snprintf(piece, sizeof piece, "%.*s", (int)length, at);
        if (*count == QUERIES_MAX) {
            return base_fail(err, BASE_ERR_ARGUMENT, "over %d quantities in '%.40s...'",
                             QUERIES_MAX, text);
        }
        const base_status status = bench_quantities_parse(piece, &masks[*count], err);
        if (status != BASE_OK) {
            return status;
        }
        for (size_t i = 0; i < *count; i++) {
            if (masks[i] == masks[*count]) {
                return base_fail(err, BASE_ERR_ARGUMENT, "quantity '%s' is given twice", piece);
            }
        }
        ++*count;
        at += length;
        if (*at == '\0') {
            return BASE_OK;
        }
    }
}

static base_status name_scenario(scn_experiment *e, bool single, unsigned quantities, char **name,
                                 base_error *err)
{
    char text[128] = "pair";
    if (!single) {
        snprintf(text, sizeof text, "pair/%s", bench_quantities_name(quantities).text);
    }
    for (char *plus = strchr(text, '+'); plus; plus = strchr(plus, '+')) {
        *plus = '-'; /* names of scenarios must not contain '+' */
    }
    *name = base_arena_text(&e->arena, text);
    return *name ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
}

static base_status make_scenarios(const bench_own *own, const unsigned *masks, size_t count,
                                  scn_experiment *e, base_error *err)
{
    const char *a, *b;
    char tolerance[BENCH_TOLERANCE_BYTES];
    bench_tolerances tolerances;
    base_status status = bench_tolerances_parse(BENCH_OWN_PAIR_TOLERANCE, &tolerances, err);
    if (status == BASE_OK && own->tolerance) {
        status = bench_tolerances_change(own->tolerance, &tolerances, err);
    }
    if (status == BASE_OK) {
        status = bench_bodies_scale(&own->bodies, &e->arena, &a, &b, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    e->scenarios = base_arena_alloc(&e->arena, count, sizeof *e->scenarios);
    if (!e->scenarios) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    e->scenario_count = count;
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        scn_scenario *const s = &e->scenarios[i];
        bench_tolerances_format(&tolerances, masks[i], tolerance);
        *s = (scn_scenario){.tolerance = base_arena_text(&e->arena, tolerance),
                            .a = base_arena_text(&e->arena, a),
                            .b = base_arena_text(&e->arena, b),
                            .motion.path = base_arena_text(&e->arena, own->trajectory),
                            .quantities = masks[i]};
        if (!s->a || !s->b || !s->motion.path || !s->tolerance) {
            return base_fail(err, BASE_ERR_MEMORY, "out of memory");
        }
        status = name_scenario(e, count == 1, masks[i], &s->name, err);
    }
    return status;
}

/** Drops the variants whose triangle limit the pair exceeds, with one note. */
static base_status drop_slow(scn_experiment *e, base_error *err)
{
    bool limited = false;
    for (size_t v = 0; v < e->variant_count; v++) {
        limited = limited || e->triangle_limits[v] > 0;
    }
    if (!limited) {
        return BASE_OK;
    }
    size_t triangles, kept = 0;
    const base_status status =
        bench_triangles_count(e->scenarios[0].a, e->scenarios[0].b, &triangles, err);
    if (status != BASE_OK) {
        return status;
    }
    char dropped[512] = "";
    for (size_t v = 0; v < e->variant_count; v++) {
        if (e->triangle_limits[v] > 0 && triangles > e->triangle_limits[v]) {
            const size_t used = strlen(dropped);
            snprintf(dropped + used, sizeof dropped - used, "%s'%s' (limit %zu)", used ? ", " : "",
                     e->variants[v], e->triangle_limits[v]);
        } else {
            e->triangle_limits[kept] = e->triangle_limits[v];
            e->variants[kept++] = e->variants[v];
        }
    }
    e->variant_count = kept;
    if (*dropped) {
        bench_note("left out, too slow for %zu triangles unless named: %s", triangles, dropped);
    }
    return BASE_OK;
}

/**
 * Checks that a variant answers each quantity. A variant that answers nothing (floor) is enough: it
 * shows the cost of a call.
 */
static base_status check_answered(const scn_experiment *e, base_error *err)
{
    for (size_t i = 0; i < e->scenario_count; i++) {
        const unsigned asked = e->scenarios[i].quantities;
        bool answered = false;
        for (size_t v = 0; v < e->variant_count && !answered; v++) {
            alg_variant variant;
            alg_message message;
            if (alg_variant_parse(e->variants[v], e->seed, &variant, &message) != ALG_OK) {
                return base_fail(err, BASE_ERR_ARGUMENT, "%s", message.text);
            }
            const unsigned answers = alg_variant_answers(&variant);
            answered = answers == 0 || !(asked & ~answers);
        }
        if (!answered) {
            return base_fail(err, BASE_ERR_ARGUMENT,
                             "no variant here answers %s: leave it out of --quantity, or add an "
                             "algorithm that answers it (proxbench list algorithms)",
                             bench_quantities_name(asked).text);
        }
    }
    return BASE_OK;
}

base_status bench_own_experiment(const bench_own *own, scn_experiment *e, base_error *err)
{
    unsigned masks[QUERIES_MAX];
    size_t count;
    bench_names list;
    e->seed = 1;
    e->name = base_arena_text(&e->arena, BENCH_OWN_PAIR_NAME);
    e->mode = base_arena_text(&e->arena, own->mode ? own->mode : scn_mode_names[SCN_BENCH]);
    if (!e->name || !e->mode) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    base_status status = split_quantities(own->quantities, masks, &count, err);
    if (status == BASE_OK) {
        status = make_scenarios(own, masks, count, e, err);
    }
    if (status == BASE_OK) {
        status = bench_names_split(own->algorithms ? own->algorithms : "*", &list, err);
    }
    if (status == BASE_OK) {
        status = bench_variants_expand(&list, masks, count, e, err);
    }
    if (status == BASE_OK) {
        status = drop_slow(e, err);
    }
    return status == BASE_OK ? check_answered(e, err) : status;
}
