#include "algorithms/algorithms.h"
#include "base/text.h"
#include "scenarios/models/models.h"
#include "scenarios/simulation/scenes.h"
#include "suite/commands/commands.h"
#include "suite/inputs/experiment.h"
#include "suite/inputs/facts.h"
#include "suite/inputs/plugin.h"
#include "suite/message.h"
#include "suite/output.h"
#include "suite/quantity.h"
#include "suite/results/reference.h"
#include "suite/share.h"

#include <fnmatch.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- Requests --------------------------------------------------------------------------------- */

/** A request for the rows of a section that match a pattern, or for their number. */
typedef struct request {
    const char *section;
    bench_format format;
    const char *pattern; /* a name or a glob; NULL: all */
    size_t *count; /* gets the number of rows, and nothing is printed; NULL: the rows are printed */
    bool details;  /* of scenarios: facts that need their bodies and poses */
    const char *cache, *pictures; /* --cache, --pictures; NULL: not given */
} request;

/**
 * True if the pattern is the name, a glob that matches it, or its beginning up to a '/': "bench"
 * matches all scenarios of bench. NULL matches all.
 */
static bool matches(const char *pattern, const char *name)
{
    const size_t length = pattern ? strlen(pattern) : 0;
    return !pattern || fnmatch(pattern, name, 0) == 0 ||
           (strncmp(pattern, name, length) == 0 && name[length] == '/');
}

static base_status no_match(const request *asked, const char *const *names, base_error *err)
{
    char near[256];
    base_text_near(asked->pattern, names, near, sizeof near);
    return base_fail(err, BASE_ERR_ARGUMENT, "list %s: nothing matches '%s'%s", asked->section,
                     asked->pattern, near);
}

/**
 * Drops the rows in which none of the first `keys` fields matches. Errors: BASE_ERR_ARGUMENT with
 * similar names if no row is left; BASE_ERR_MEMORY.
 */
static base_status keep_matches(bench_rows *rows, const request *asked, size_t keys,
                                base_error *err)
{
    size_t kept = rows->columns, names_count = 0;
    const char **const names =
        base_arena_alloc(&rows->arena, rows->count / rows->columns + 1, sizeof *names);
    if (!names || rows->failed) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t i = rows->columns; i < rows->count; i += rows->columns) {
        bool found = false;
        for (size_t k = 0; k < keys; k++) {
            found = found || matches(asked->pattern, rows->fields[i + k].text);
        }
        names[names_count++] = rows->fields[i].text;
        for (size_t c = 0; found && c < rows->columns; c++) {
            rows->fields[kept++] = rows->fields[i + c];
        }
    }
    names[names_count] = NULL;
    rows->count = kept;
    return kept > rows->columns || !asked->pattern ? BASE_OK : no_match(asked, names, err);
}

/** Prints or counts the rows that match, and releases all rows. */
static base_status print_matches(bench_rows *rows, const request *asked, size_t keys,
                                 base_error *err)
{
    base_status status = keep_matches(rows, asked, keys, err);
    if (status == BASE_OK && asked->count) {
        *asked->count = rows->count / rows->columns - 1;
    } else if (status == BASE_OK) {
        status = bench_rows_print(rows, asked->format, stdout, err);
    }
    bench_rows_release(rows);
    return status;
}

/* --- Algorithms ------------------------------------------------------------------------------- */

/** The largest number of words of a choice that is listed. More words would not fit on a screen. */
enum { FEW_CHOICES = 6 };

enum { WORDS_BYTES = 1024, PARAMETER_BYTES = WORDS_BYTES + 256 };

/** Returns the name of a contract, or "" if the quantity is not answered. */
static const char *contract_name(alg_contract contract)
{
    return contract == ALG_NOT_ANSWERED ? "" : bench_contract_names[contract];
}

static alg_settings default_settings(const alg_algorithm *algorithm)
{
    alg_settings settings = {.seed = 1};
    for (size_t i = 0; i < algorithm->parameter_count; i++) {
        settings.values[i] = algorithm->parameters[i].fallback;
    }
    return settings;
}

static size_t choice_count(const alg_choice *choices)
{
    size_t count = 0;
    while (choices[count].word) {
        count++;
    }
    return count;
}

/**
 * Writes "voxels=128 (8 to 1024)" or "radius=primary (primary|secondary)". For a choice with many
 * words, only their number is written unless `many`.
 */
static void format_parameter(const alg_parameter *parameter, bool many, char *text, size_t size)
{
    if (parameter->type == ALG_CHOICE) {
        const alg_choice *const choices = parameter->choices;
        const size_t count = choice_count(choices);
        const char *const word = choices[(size_t)parameter->fallback].word;
        if (many || count <= FEW_CHOICES) {
            char words[WORDS_BYTES];
            alg_choice_words(choices, words, sizeof words);
            snprintf(text, size, "%s=%s (%s)", parameter->name, word, words);
        } else {
            snprintf(text, size, "%s=%s (one of %zu)", parameter->name, word, count);
        }
    } else {
        const char *const word = alg_parameter_word(parameter, parameter->fallback);
        char fallback[32];
        snprintf(fallback, sizeof fallback, "%g", parameter->fallback);
        snprintf(text, size, "%s=%s (%g to %g%s%s)", parameter->name, word ? word : fallback,
                 parameter->lowest, parameter->highest, parameter->choices ? ", or " : "",
                 parameter->choices ? parameter->choices[0].word : "");
    }
}

static void put_contract(bench_rows *rows, const alg_algorithm *algorithm, alg_quantity quantity)
{
    const alg_settings settings = default_settings(algorithm);
    bench_rows_put(rows, "%s", contract_name(algorithm->contract(&settings, quantity)));
}

/**
 * Writes "area", "depth, depth-exchanged with voxmap=moving", "none": the law of the default
 * settings, and each word of a choice that changes it by itself. Writes "" for an algorithm that
 * does not answer a force.
 */
static void format_laws(const alg_algorithm *algorithm, char *text, size_t size)
{
    alg_variant variant = {.algorithm = algorithm, .settings = default_settings(algorithm)};
    const alg_law law = alg_variant_law(&variant);
    snprintf(text, size, "%s", algorithm->force_unit ? alg_law_names[law] : "");
    for (size_t i = 0; algorithm->law && i < algorithm->parameter_count; i++) {
        const alg_parameter *const p = &algorithm->parameters[i];
        const size_t count = p->type == ALG_CHOICE ? choice_count(p->choices) : 0;
        for (size_t c = 0; c < count; c++) {
            variant.settings = default_settings(algorithm);
            variant.settings.values[i] = (double)c;
            const unsigned other = (unsigned)alg_variant_law(&variant);
            if (other != law && other < ALG_LAW_COUNT) {
                const size_t used = strlen(text);
                snprintf(text + used, size - used, ", %s with %s=%s", alg_law_names[other], p->name,
                         p->choices[c].word);
            }
        }
    }
}

/** Quantities from this one on have their columns behind the first eleven columns for scripts. */
enum { LISTED = ALG_CONTACT + 1 };

/** Puts the row of an algorithm, for scripts. */
static void put_for_scripts(bench_rows *rows, const alg_algorithm *algorithm)
{
    const alg_variant variant = {.algorithm = algorithm, .settings = default_settings(algorithm)};
    bench_rows_put(rows, "%s", algorithm->name);
    put_contract(rows, algorithm, ALG_DISTANCE);
    put_contract(rows, algorithm, ALG_VOLUME);
    bench_rows_put(rows, "%s", algorithm->flags & ALG_SURFACE ? "surface" : "solid");
    bench_rows_put(rows, "%s%s%s%s%s", algorithm->flags & ALG_NEEDS_SOLIDS ? "solids" : "any",
                   algorithm->flags & ALG_KEEPS_STATE ? ", keeps state" : "",
                   alg_variant_reads_clock(&variant) ? ", reads clock" : "",
                   algorithm->flags & ALG_KNOWN_BAD ? ", known bad" : "",
                   algorithm->flags & ALG_BY_NAME ? ", only by name" : "");
    bench_rows_put(rows, "%s", algorithm->force_unit ? algorithm->force_unit : "");
    bench_rows_put(rows, "%s", algorithm->source ? algorithm->source : "");
    bench_rows_put(rows, "%s", algorithm->summary);
    char parameters[2048] = "";
    for (size_t i = 0; i < algorithm->parameter_count; i++) {
        const size_t used = strlen(parameters);
        char one[PARAMETER_BYTES];
        format_parameter(&algorithm->parameters[i], true, one, sizeof one);
        snprintf(parameters + used, sizeof parameters - used, "%s%s", i > 0 ? "; " : "", one);
    }
    bench_rows_put(rows, "%s", parameters);
    put_contract(rows, algorithm, ALG_CONTACT);
    bench_rows_put_count(rows, algorithm->tolerance_ulp);
    for (int q = LISTED; q < ALG_QUANTITY_COUNT; q++) {
        put_contract(rows, algorithm, (alg_quantity)q);
    }
    char laws[512];
    format_laws(algorithm, laws, sizeof laws);
    bench_rows_put(rows, "%s", laws);
}

typedef struct answers_text {
    char text[256];
} answers_text;

/**
 * Returns "distance, volume"; with contracts "distance: exact within 8.9e-16, volume: approximate".
 */
static answers_text answers_of(const alg_algorithm *algorithm, bool contracts)
{
    const alg_settings settings = default_settings(algorithm);
    answers_text answers = {""};
    char within[32] = "";
    if (algorithm->tolerance_ulp > 0) {
        snprintf(within, sizeof within, " within %.1e", algorithm->tolerance_ulp * DBL_EPSILON);
    }
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        const size_t used = strlen(answers.text);
        const alg_contract contract = algorithm->contract(&settings, (alg_quantity)q);
        if (contract != ALG_NOT_ANSWERED) {
            snprintf(answers.text + used, sizeof answers.text - used, "%s%s%s%s%s",
                     used ? ", " : "", alg_quantity_names[q], contracts ? ": " : "",
                     contracts ? contract_name(contract) : "",
                     contracts && contract == ALG_EXACT ? within : "");
        }
    }
    return answers;
}

/** Puts the summary, followed by the special properties of an algorithm. */
static void put_summary_and_notes(bench_rows *rows, const alg_algorithm *algorithm)
{
    const alg_variant variant = {.algorithm = algorithm, .settings = default_settings(algorithm)};
    const char *const unit = algorithm->force_unit, *const source = algorithm->source;
    char laws[512];
    format_laws(algorithm, laws, sizeof laws);
    const struct {
        bool said;
        const char *before, *text;
    } notes[] = {
        {algorithm->flags & ALG_SURFACE, "answers for surfaces", ""},
        {algorithm->flags & ALG_NEEDS_SOLIDS, "needs solids", ""},
        {algorithm->flags & ALG_KEEPS_STATE, "keeps state", ""},
        {alg_variant_reads_clock(&variant), "reads the clock", ""},
        {algorithm->flags & ALG_KNOWN_BAD, "known bad", ""},
        {algorithm->flags & ALG_BY_NAME, "only by name", ""},
        {unit && *unit, "force in ", unit},
        {*laws, "law of the force: ", laws},
        {source && *source, "source: ", source},
    };
    char text[1024];
    snprintf(text, sizeof text, "%s", algorithm->summary);
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        const size_t used = strlen(text);
        if (notes[i].said) {
            snprintf(text + used, sizeof text - used, "; %s%s", notes[i].before, notes[i].text);
        }
    }
    bench_rows_put(rows, "%s", text);
}

/**
 * True if the algorithm is listed. An algorithm that is faulty on purpose is listed if the pattern
 * begins with its name, and in lists for scripts without a pattern.
 */
static bool is_listed(const request *asked, const alg_algorithm *algorithm)
{
    const bool named =
        asked->pattern && strncmp(asked->pattern, algorithm->name, strlen(algorithm->name)) == 0;
    const bool everything = !asked->pattern && bench_format_is_for_scripts(asked->format);
    return matches(asked->pattern, algorithm->name) &&
           (named || everything || !(algorithm->flags & ALG_KNOWN_BAD));
}

/** Prints rows, if there are any, after an empty line, and releases them. */
static base_status print_below(bench_rows *rows, const request *asked, base_error *err)
{
    const bool any = rows->count > rows->columns;
    if (any) {
        putchar('\n');
    }
    const base_status status = any ? bench_rows_print(rows, asked->format, stdout, err) : BASE_OK;
    bench_rows_release(rows);
    return status;
}

/** Prints one line per parameter. */
static base_status list_parameters(const request *asked, base_error *err)
{
    static const char *const header[] = {"algorithm", "parameter", "help", NULL};
    bench_rows rows = {.columns = 3, .width = bench_output_width(stdout)};
    bench_rows_put_names(&rows, header);
    for (const alg_algorithm *const *entry = alg_registry; *entry; entry++) {
        for (size_t i = 0; is_listed(asked, *entry) && i < (*entry)->parameter_count; i++) {
            char text[PARAMETER_BYTES];
            format_parameter(&(*entry)->parameters[i], false, text, sizeof text);
            bench_rows_put(&rows, "%s", (*entry)->name);
            bench_rows_put(&rows, "%s", text);
            bench_rows_put(&rows, "%s", (*entry)->parameters[i].help);
        }
    }
    bench_rows_put(&rows, "all");
    bench_rows_put(&rows, "%s=1 (above 0)", ALG_SIMPLIFY);
    bench_rows_put(&rows, "share of the triangles of both bodies that remain for the algorithm");
    return print_below(&rows, asked, err);
}

/** Prints one line for each word of a choice that has a help text. */
static base_status list_choices(const request *asked, base_error *err)
{
    static const char *const header[] = {"choice", "help", NULL};
    bench_rows rows = {.columns = 2, .width = bench_output_width(stdout)};
    bench_rows_put_names(&rows, header);
    for (const alg_algorithm *const *entry = alg_registry; *entry; entry++) {
        for (size_t i = 0; is_listed(asked, *entry) && i < (*entry)->parameter_count; i++) {
            const alg_parameter *const p = &(*entry)->parameters[i];
            for (size_t c = 0; p->choices && p->choices[c].word; c++) {
                if (p->choices[c].help) {
                    bench_rows_put(&rows, "%s:%s=%s", (*entry)->name, p->name, p->choices[c].word);
                    bench_rows_put(&rows, "%s", p->choices[c].help);
                }
            }
        }
    }
    return print_below(&rows, asked, err);
}

static base_status list_for_scripts(const request *asked, base_error *err)
{
    /* New columns are only appended, as quantities are: scripts may use column numbers. */
    static const char *const header[] = {"algorithm",  "distance",   "volume",        "answers_for",
                                         "needs",      "force_unit", "source",        "summary",
                                         "parameters", "contact",    "tolerance_ulp", NULL};
    bench_rows rows = {.columns = 12 + ALG_QUANTITY_COUNT - LISTED};
    bench_rows_put_names(&rows, header);
    for (int q = LISTED; q < ALG_QUANTITY_COUNT; q++) {
        bench_rows_put(&rows, "%s", alg_quantity_names[q]);
    }
    bench_rows_put(&rows, "force_law");
    for (const alg_algorithm *const *entry = alg_registry; *entry; entry++) {
        if (is_listed(asked, *entry)) {
            put_for_scripts(&rows, *entry);
        }
    }
    return bench_rows_finish(&rows, asked->format, stdout, err);
}

/** Prints one line per algorithm. */
static base_status list_briefly(const request *asked, base_error *err)
{
    static const char *const header[] = {"algorithm", "answers", "summary", NULL};
    bench_rows rows = {.columns = 3, .width = bench_output_width(stdout)};
    size_t name_width = 0, answers_width = 0;
    bench_rows_put_names(&rows, header);
    for (const alg_algorithm *const *entry = alg_registry; *entry; entry++) {
        if (is_listed(asked, *entry)) {
            const size_t name = strlen((*entry)->name);
            const size_t answers = strlen(answers_of(*entry, false).text);
            name_width = name > name_width ? name : name_width;
            answers_width = answers > answers_width ? answers : answers_width;
        }
    }
    const size_t before = name_width + answers_width + 4;
    const size_t room = rows.width > before + 20 ? rows.width - before : 20;
    for (const alg_algorithm *const *entry = alg_registry; *entry; entry++) {
        if (is_listed(asked, *entry)) {
            bench_rows_put(&rows, "%s", (*entry)->name);
            bench_rows_put(&rows, "%s", answers_of(*entry, false).text);
            /* The summary is cut so that the row fits on one line. */
            const char *const summary = (*entry)->summary;
            const bool fits = strlen(summary) <= room;
            bench_rows_put(&rows, "%.*s%s", (int)(fits ? room : room - 3), summary,
                           fits ? "" : "...");
        }
    }
    const base_status status = bench_rows_finish(&rows, asked->format, stdout, err);
    puts("\n'proxbench list algorithms NAME' prints contracts, parameters and the whole summary.");
    return status;
}

/** Prints the algorithms that match a pattern, with contracts and parameters. */
static base_status list_fully(const request *asked, base_error *err)
{
    static const char *const header[] = {"algorithm", "answers", "summary", NULL};
    bench_rows rows = {.columns = 3, .width = bench_output_width(stdout)};
    bench_rows_put_names(&rows, header);
    for (const alg_algorithm *const *entry = alg_registry; *entry; entry++) {
        if (is_listed(asked, *entry)) {
            bench_rows_put(&rows, "%s", (*entry)->name);
            bench_rows_put(&rows, "%s", answers_of(*entry, true).text);
            put_summary_and_notes(&rows, *entry);
        }
    }
    base_status status = bench_rows_finish(&rows, asked->format, stdout, err);
    if (status == BASE_OK) {
        status = list_parameters(asked, err);
    }
    return status == BASE_OK ? list_choices(asked, err) : status;
}

/**
 * Lists algorithms. Scripts get one table with everything; people get parameters only if there is a
 * pattern.
 */
static base_status list_algorithms(const request *asked, base_error *err)
{
    const char *names[ALG_REGISTRY_MAX + 1];
    size_t listed = 0, count = 0;
    for (; alg_registry[count]; count++) {
        names[count] = alg_registry[count]->name;
        listed += is_listed(asked, alg_registry[count]);
    }
    names[count] = NULL;
    if (listed == 0) {
        return no_match(asked, names, err);
    }
    if (asked->count) {
        *asked->count = listed;
        return BASE_OK;
    }
    return bench_format_is_for_scripts(asked->format) ? list_for_scripts(asked, err)
           : asked->pattern                           ? list_fully(asked, err)
                                                      : list_briefly(asked, err);
}

/* --- Models ----------------------------------------------------------------------------------- */

static base_status list_models(const request *asked, base_error *err)
{
    static const char *const header[] = {"model", "triangles", "triangles_min",
                                         "solid", "summary",   NULL};
    bench_rows rows = {.columns = 5, .width = bench_output_width(stdout)};
    bench_rows_put_names(&rows, header);
    for (const scn_model *model = scn_models; model->name; model++) {
        bench_rows_put(&rows, "%s", model->name);
        bench_rows_put_count(&rows, model->triangles);
        bench_rows_put_count(&rows, model->triangles_min);
        bench_rows_put(&rows, "%s", model->open ? "no" : "yes");
        bench_rows_put(&rows, "%s", model->summary);
    }
    return print_matches(&rows, asked, 1, err);
}

/* --- Scenes ----------------------------------------------------------------------------------- */

/** Lists scenes. The numbers of a scene are printed for scripts only. */
static base_status list_scenes(const request *asked, base_error *err)
{
    static const char *const header[] = {"scene", "a", "b", "duration_s", "summary", NULL};
    static const char *const more[] = {"density_kg_m3", "coupling_n_m", "stiffness_n_m2", NULL};
    const bool scripts = bench_format_is_for_scripts(asked->format);
    bench_rows rows = {.columns = scripts ? 8 : 5, .width = bench_output_width(stdout)};
    bench_rows_put_names(&rows, header);
    for (size_t i = 0; scripts && more[i]; i++) {
        bench_rows_put(&rows, "%s", more[i]);
    }
    for (const scn_scene *scene = scn_scenes; scene->name; scene++) {
        bench_rows_put(&rows, "%s", scene->name);
        bench_rows_put(&rows, "%s", scene->a);
        bench_rows_put(&rows, "%s", scene->b);
        bench_rows_put_number(&rows, scene->duration_s);
        bench_rows_put(&rows, "%s", scene->summary);
        if (scripts) {
            bench_rows_put_number(&rows, scene->options.density_kg_m3);
            bench_rows_put_number(&rows, scene->options.coupling.stiffness_n_m);
            bench_rows_put_number(&rows, scene->stiffness_n_m2);
        }
    }
    return print_matches(&rows, asked, 1, err);
}

/* --- Experiments and scenarios ---------------------------------------------------------------- */

/** Puts the minutes of a full run and of mode smoke; empty if the file does not give them. */
static void put_minutes(bench_rows *rows, const scn_experiment *experiment)
{
    for (int i = 0; i < SCN_COST_COUNT; i++) {
        if (experiment->minutes[i] > 0) {
            bench_rows_put_number(rows, experiment->minutes[i]);
        } else {
            bench_rows_put_digits(rows, "");
        }
    }
}

static const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

static void put_experiment(bench_rows *rows, const char *name, const scn_experiment *experiment)
{
    bench_rows_put(rows, "%s", name);
    put_minutes(rows, experiment);
    bench_rows_put(rows, "%s", text_or_empty(experiment->paper));
    bench_rows_put(rows, "%s", text_or_empty(experiment->item));
    bench_rows_put(rows, "%s", experiment->title);
}

static void put_experiment_for_scripts(bench_rows *rows, const char *name,
                                       const scn_experiment *experiment)
{
    bench_rows_put(rows, "%s", name);
    bench_rows_put(rows, "%s", experiment->mode);
    bench_rows_put_count(rows, experiment->scenario_count);
    bench_rows_put_count(rows, experiment->variant_count);
    char figures[256] = "";
    for (size_t i = 0; i < experiment->figure_count; i++) {
        const size_t used = strlen(figures);
        snprintf(figures + used, sizeof figures - used, "%s%s", i ? " " : "",
                 experiment->figures[i]);
    }
    bench_rows_put(rows, "%s", figures);
    bench_rows_put(rows, "%s", experiment->title);
    bench_rows_put(rows, "%s", text_or_empty(experiment->paper));
    bench_rows_put(rows, "%s", text_or_empty(experiment->item));
    put_minutes(rows, experiment);
}

static void put_scenarios(bench_rows *rows, const char *name, const scn_experiment *experiment)
{
    for (size_t i = 0; i < experiment->scenario_count; i++) {
        const scn_scenario *const scenario = &experiment->scenarios[i];
        const scn_sampler *const sampler = &scenario->motion.sampler;
        bench_rows_put(rows, "%s/%s", name, scenario->name);
        bench_rows_put(rows, "%s", scenario->a);
        bench_rows_put(rows, "%s", scenario->b);
        bench_rows_put(rows, "%s", bench_quantities_name(scenario->quantities).text);
        if (scenario->motion.path) {
            bench_rows_put(rows, "%s", scenario->motion.path);
            bench_rows_put(rows, "%s", "");
        } else if (scenario->motion.frames) {
            bench_rows_put(rows, "poses");
            bench_rows_put_count(rows, scenario->motion.frame_count);
        } else {
            bench_rows_put(rows, "%s, %s %g to %g", scn_sampler_kind_name(sampler->kind),
                           sampler->target == SCN_TARGET_DISTANCE ? "distance" : "volume",
                           sampler->lo, sampler->hi);
            bench_rows_put_count(rows, sampler->frames * scn_sampler_hold(sampler));
        }
    }
}

/** True if both texts mean the same variant. */
static bool is_baseline(const scn_experiment *experiment, const char *text)
{
    alg_variant baseline, variant;
    alg_message message;
    if (!experiment->baseline || strcmp(experiment->baseline, text) == 0) {
        return experiment->baseline;
    }
    return alg_variant_parse(experiment->baseline, 1, &baseline, &message) == ALG_OK &&
           alg_variant_parse(text, 1, &variant, &message) == ALG_OK &&
           strcmp(baseline.name, variant.name) == 0;
}

/** Puts the expanded variants; the other columns are empty if the file does not set them. */
static void put_variants(bench_rows *rows, const char *name, const scn_experiment *experiment)
{
    for (size_t i = 0; i < experiment->variant_count; i++) {
        bench_rows_put(rows, "%s", name);
        bench_rows_put(rows, "%s", experiment->variants[i]);
        bench_rows_put(rows, "%s", is_baseline(experiment, experiment->variants[i]) ? "yes" : "");
        if (experiment->triangle_limits[i] > 0) {
            bench_rows_put_count(rows, experiment->triangle_limits[i]);
        } else {
            bench_rows_put(rows, "%s", "");
        }
        bench_rows_put(rows, "%s", experiment->optional[i] ? "yes" : "");
    }
}

typedef void put_rows(bench_rows *rows, const char *name, const scn_experiment *experiment);

/** Lists rows from files of experiments. keys: leading columns that a pattern may match. */
static base_status list_from_files(const char *const *header, put_rows *put, size_t keys,
                                   const request *asked, base_error *err)
{
    bench_rows rows = {.width = bench_output_width(stdout)};
    for (; header[rows.columns]; rows.columns++) {
    }
    bench_rows_put_names(&rows, header);
    base_arena arena = {0};
    const char **names;
    base_status read = bench_experiment_names(&arena, &names, err);
    for (size_t i = 0; names && names[i]; i++) {
        scn_experiment experiment;
        base_error reason;
        const base_status status = bench_experiment_open(names[i], &experiment, &reason);
        if (status == BASE_OK) {
            put(&rows, names[i], &experiment);
            scn_experiment_release(&experiment);
        } else if (read == BASE_OK) {
            read = base_fail(err, status, "%s", reason.text);
        }
    }
    base_arena_release(&arena);
    if (read != BASE_OK && rows.count == rows.columns) {
        bench_rows_release(&rows);
        return read;
    }
    /* Readable experiments are listed. The error is that of the first unreadable one. */
    base_error ignored = {0};
    const base_status printed = print_matches(&rows, asked, keys, read == BASE_OK ? err : &ignored);
    return read != BASE_OK ? read : printed;
}

static base_status list_experiments(const request *asked, base_error *err)
{
    static const char *const people[] = {"experiment", "minutes", "smoke", "paper",
                                         "item",       "title",   NULL};
    static const char *const scripts[] = {"experiment", "mode",          "scenarios", "variants",
                                          "figures",    "title",         "paper",     "item",
                                          "minutes",    "minutes_smoke", NULL};
    const bool for_scripts = bench_format_is_for_scripts(asked->format);
    return list_from_files(for_scripts ? scripts : people,
                           for_scripts ? put_experiment_for_scripts : put_experiment, 1, asked,
                           err);
}

static base_status list_variants(const request *asked, base_error *err)
{
    static const char *const header[] = {"experiment",     "variant",  "baseline",
                                         "triangle_limit", "optional", NULL};
    return list_from_files(header, put_variants, 2, asked, err);
}

/* --- Details of scenarios --------------------------------------------------------------------- */

/** The tables of details: for people bodies, each once, and scenarios; for scripts one table. */
typedef struct details_list {
    const request *asked;
    const char *cache_directory;
    bench_rows bodies, scenarios;
    bool scripts;
    base_status status;
    base_error *err;
} details_list;

static void put_body(details_list *list, const char *name, const bench_body_facts *body)
{
    bench_rows *const rows = list->scripts ? &list->scenarios : &list->bodies;
    for (size_t i = rows->columns; !list->scripts && i < rows->count; i += rows->columns) {
        if (strcmp(rows->fields[i].text, name) == 0) {
            return;
        }
    }
    bench_rows_put(rows, "%s", name);
    bench_rows_put_count(rows, body->triangles);
    bench_rows_put(rows, "%s", body->solid ? "yes" : "no");
    bench_rows_put(rows, "%s", base_hash_format(body->hash).hex);
    bench_rows_put(rows, "%s", text_or_empty(body->licence));
}

/* Percentages below this are shown as 0: samplers reach the distance 0 only nearly. */
#define PERCENT_LEAST 1e-6

static void format_percent(double share, char *text, size_t size)
{
    const double percent = 100 * share < PERCENT_LEAST ? 0 : 100 * share;
    snprintf(text, size, percent < 99.5 ? "%.2g" : "%.0f", percent);
}

/** Puts "0..20": a range in percent of a size. */
static void put_percent(bench_rows *rows, const double range[2], double size)
{
    char lo[32], hi[32];
    format_percent(range[0] / size, lo, sizeof lo);
    format_percent(range[1] / size, hi, sizeof hi);
    if (isnan(range[0] / size)) {
        bench_rows_put(rows, "-");
    } else if (strcmp(lo, hi) == 0) {
        bench_rows_put(rows, "%s", lo);
    } else {
        bench_rows_put(rows, "%s..%s", lo, hi);
    }
}

static void put_facts(details_list *list, const char *name, const scn_scenario *scenario,
                      const bench_scenario_facts *facts, const char *picture)
{
    bench_rows *const rows = &list->scenarios;
    const bool sampled = !scenario->motion.path && !scenario->motion.frames;
    bench_rows_put(rows, "%s", name);
    put_body(list, scenario->a, &facts->a);
    put_body(list, scenario->b, &facts->b);
    if (sampled) {
        bench_rows_put_count(rows, scenario->motion.sampler.seed);
    } else {
        bench_rows_put_digits(rows, "");
    }
    bench_rows_put_count(rows, facts->frames);
    if (list->scripts) {
        for (int i = 0; i < 2; i++) {
            bench_rows_put_number(rows, facts->distance_m[i]);
        }
        for (int i = 0; i < 2; i++) {
            bench_rows_put_number(rows, facts->volume_m3[i]);
        }
    } else {
        put_percent(rows, facts->distance_m, facts->diagonal_m);
        put_percent(rows, facts->volume_m3, facts->smaller_m3);
    }
    bench_rows_put(rows, "%s", base_hash_format(facts->poses).hex);
    if (list->scripts) {
        bench_rows_put(rows, "%s", text_or_empty(picture));
    }
}

/** Makes the path of a scenario's picture: DIR/pump-sphere.png. */
static base_status picture_path(const details_list *list, const char *scenario, char path[PATH_MAX],
                                base_error *err)
{
    char name[256];
    snprintf(name, sizeof name, "%s", scenario);
    for (char *slash = strchr(name, '/'); slash; slash = strchr(slash, '/')) {
        *slash = '-';
    }
    const base_status status = base_folder_make(list->asked->pictures, err);
    return status == BASE_OK
               ? base_path_join(list->asked->pictures, name, ".png", path, PATH_MAX, err)
               : status;
}

/** Puts the details of the scenarios that match, unless an optional mesh is missing. */
static void put_details(details_list *list, const char *name, const scn_experiment *experiment)
{
    for (size_t i = 0; i < experiment->scenario_count && list->status == BASE_OK; i++) {
        const scn_scenario *const s = &experiment->scenarios[i];
        char whole[512], path[PATH_MAX];
        const char *const picture = list->asked->pictures ? path : NULL;
        bench_scenario_facts facts;
        snprintf(whole, sizeof whole, "%s/%s", name, s->name);
        if (!matches(list->asked->pattern, whole) ||
            (s->optional && (scn_mesh_is_missing(s->a) || scn_mesh_is_missing(s->b)))) {
            continue;
        }
        if (picture) {
            list->status = picture_path(list, s->name, path, list->err);
        }
        if (list->status == BASE_OK) {
            list->status =
                bench_scenario_facts_find(s, list->cache_directory, picture, &facts, list->err);
        }
        if (list->status == BASE_OK) {
            put_facts(list, whole, s, &facts, picture);
        }
    }
}

static base_status list_details(const request *asked, base_error *err)
{
    static const char *const bodies[] = {"body", "triangles", "solid", "hash", "licence"};
    static const char *const people[] = {"scenario",   "seed",     "frames",
                                         "distance_%", "volume_%", "hash"};
    static const char *const scripts[] = {"scenario",
                                          "a",
                                          "a_triangles",
                                          "a_solid",
                                          "a_hash",
                                          "a_licence",
                                          "b",
                                          "b_triangles",
                                          "b_solid",
                                          "b_hash",
                                          "b_licence",
                                          "seed",
                                          "frames",
                                          "distance_min_m",
                                          "distance_max_m",
                                          "volume_min_m3",
                                          "volume_max_m3",
                                          "poses_hash",
                                          "picture"};
    const size_t width = bench_output_width(stdout);
    details_list list = {.asked = asked,
                         .cache_directory = bench_cache_directory(asked->cache),
                         .scripts = bench_format_is_for_scripts(asked->format),
                         .bodies = {.columns = sizeof bodies / sizeof *bodies, .width = width},
                         .err = err};
    list.scenarios.width = width;
    list.scenarios.columns = (list.scripts ? sizeof scripts : sizeof people) / sizeof *people;
    bench_rows_put_names(&list.bodies, bodies);
    bench_rows_put_names(&list.scenarios, list.scripts ? scripts : people);
    bench_catch_interrupts();
    base_arena arena = {0};
    const char **names;
    list.status = bench_experiment_names(&arena, &names, err);
    for (size_t i = 0; list.status == BASE_OK && names[i]; i++) {
        scn_experiment experiment;
        list.status = bench_experiment_open(names[i], &experiment, err);
        if (list.status == BASE_OK) {
            put_details(&list, names[i], &experiment);
            scn_experiment_release(&experiment);
        }
    }
    base_arena_release(&arena);
    if (list.status == BASE_OK && list.scenarios.count == list.scenarios.columns) {
        list.status = base_fail(err, BASE_ERR_ARGUMENT, "list scenarios: nothing matches '%s'",
                                asked->pattern);
    }
    if (list.status == BASE_OK && !list.scripts) {
        list.status = bench_rows_print(&list.bodies, asked->format, stdout, err);
        putchar('\n');
    }
    if (list.status == BASE_OK) {
        list.status = bench_rows_print(&list.scenarios, asked->format, stdout, err);
    }
    bench_rows_release(&list.bodies);
    bench_rows_release(&list.scenarios);
    return list.status;
}

static base_status list_scenarios(const request *asked, base_error *err)
{
    if (asked->details) {
        return list_details(asked, err);
    }
    static const char *const header[] = {"scenario", "a",      "b", "quantity",
                                         "motion",   "frames", NULL};
    return list_from_files(header, put_scenarios, 1, asked, err);
}

/* --- Columns ---------------------------------------------------------------------------------- */

/** State of the list of columns, and the file that is being printed. */
typedef struct columns_list {
    bench_rows rows;
    bench_format format;
    const char *pattern;   /* on names of files and of columns; NULL: all */
    bool silent;           /* rows are only counted */
    size_t count;          /* number of rows */
    const char *file_name; /* file of the present rows; NULL: no file yet */
    bool headings;         /* one table per file; otherwise one table of all */
    base_status status;
    base_error *err;
} columns_list;

/** Prints the collected rows and clears them. */
static void flush_columns(columns_list *list)
{
    if (list->rows.count > 0 && list->status == BASE_OK) {
        list->status = bench_rows_print(&list->rows, list->format, stdout, list->err);
    }
    bench_rows_release(&list->rows);
}

static void put_column(void *context, const bench_file *file, const bench_column *column,
                       size_t index)
{
    columns_list *const list = context;
    (void)index;
    if (!matches(list->pattern, file->name) && !matches(list->pattern, column->name)) {
        return;
    }
    list->count++;
    if (list->silent) {
        return;
    }
    if (list->headings && (!list->file_name || strcmp(list->file_name, file->name) != 0)) {
        static const char *const table_header[] = {"column", "unit", "meaning"};
        static const char *const page_header[] = {"column", "unit",  "kind",
                                                  "role",   "empty", "meaning"};
        const bool page = list->format == BENCH_FORMAT_MARKDOWN;
        flush_columns(list);
        if (page) {
            printf("\n## %s\n\nA row is %s.\n\n", file->name, file->row);
        } else {
            printf("%s%s: a row is %s\n", list->file_name ? "\n" : "", file->name, file->row);
        }
        list->rows = (bench_rows){.columns = page ? 6 : 3, .width = bench_output_width(stdout)};
        bench_rows_put_names(&list->rows, page ? page_header : table_header);
        list->file_name = file->name;
    }
    if (!list->headings) {
        bench_rows_put(&list->rows, "%s", file->name);
    }
    bench_rows_put(&list->rows, "%s", column->name);
    bench_rows_put(&list->rows, "%s", column->unit);
    if (list->format == BENCH_FORMAT_TABLE) { /* a screen has room for one text column */
        const bool may = *column->empty;
        bench_rows_put(&list->rows, "%s%s%s%s", column->meaning, may ? " (empty: " : "",
                       column->empty, may ? ")" : "");
        return;
    }
    bench_rows_put(&list->rows, "%s", bench_kind_name(column->kind));
    if (list->headings) {
        bench_rows_put(&list->rows, "%s", bench_role_name(column->role));
    }
    bench_rows_put(&list->rows, "%s", column->empty);
    bench_rows_put(&list->rows, "%s", column->meaning);
    if (!list->headings) { /* in rows for scripts, new columns are only appended */
        bench_rows_put(&list->rows, "%s", bench_role_name(column->role));
    }
}

/** The beginning of docs/columns.md, which --format markdown prints. */
static const char columns_page[] =
    "# Columns\n"
    "\n"
    "The columns of all files of a run, of `proxbench simulate` and of `proxbench truth`. This "
    "page "
    "is the output\n"
    "of `proxbench list columns --format markdown`; `--format csv` and `json` are for scripts.\n"
    "\n"
    "Files are CSV by RFC 4180 with a header, numbers with 17 digits. *empty* gives the reason of "
    "an "
    "empty field;\n"
    "without a reason, the field is never empty. The end of a name is the unit: `_m` and `_m3` "
    "metres "
    "and cubic\n"
    "metres, `_ns` nanoseconds (all measured times), `_s` seconds (times of poses). A unit of 1 is "
    "a "
    "share, a ratio\n"
    "or a component of a unit vector. *role* is the source of the values:\n"
    "\n"
    "- fact: names, settings, poses;\n"
    "- answer: answers of the variant, and values that follow from them alone;\n"
    "- counter: work and memory in counts, which are the same on every machine;\n"
    "- truth: exact answers, their bounds and certificates;\n"
    "- error: answers compared with the truth;\n"
    "- cost: measured on the machine of the run.\n"
    "\n"
    "The [gate](gate.md) compares answers and counters of frames.\n"
    "SCENARIO, SCENE, VARIANT, COUNTER, FACT and UNIT are placeholders for names.\n"
    "`SCENARIO/VARIANT.passes` is binary: all times of a cell, for `run --resume`.\n";

/** Lists the columns as in docs/columns.md, or as one table for scripts. */
static base_status list_columns(const request *asked, base_error *err)
{
    const bench_format format = asked->format;
    static const char *const header[] = {"file",  "column",  "unit", "kind",
                                         "empty", "meaning", "role", NULL};
    columns_list list = {.format = format,
                         .pattern = asked->pattern,
                         .silent = asked->count,
                         .headings = !bench_format_is_for_scripts(format),
                         .rows = {.columns = 7},
                         .err = err};
    if (!list.headings) {
        bench_rows_put_names(&list.rows, header);
    } else if (format == BENCH_FORMAT_MARKDOWN) {
        fputs(columns_page, stdout);
    }
    bench_reference_each(put_column, &list);
    if (asked->count) {
        *asked->count = list.count;
        bench_rows_release(&list.rows);
        return BASE_OK;
    }
    flush_columns(&list);
    const char *const no_names[] = {NULL};
    return list.count > 0 || list.status != BASE_OK ? list.status : no_match(asked, no_names, err);
}

/* --- The command ------------------------------------------------------------------------------ */

static const struct section {
    const char *name;
    base_status (*list)(const request *asked, base_error *err);
    const char *what;
} sections[] = {
    {"algorithms", list_algorithms, "algorithms with contracts, parameters and sources"},
    {"models", list_models, "generated meshes, for --a and --b"},
    {"experiments", list_experiments, "experiments that 'proxbench run' runs by name"},
    {"variants", list_variants, "algorithms with the parameters of each experiment"},
    {"scenarios", list_scenarios, "pairs of bodies with their motions, of each experiment"},
    {"scenes", list_scenes, "pairs of bodies with a device, for 'proxbench simulate'"},
    {"columns", list_columns, "columns of every file of a run, with unit, role and meaning"},
};

enum { SECTION_COUNT = sizeof sections / sizeof *sections };

const char *bench_list_section(size_t index)
{
    return index < SECTION_COUNT ? sections[index].name : NULL;
}

static void section_names(const char *names[SECTION_COUNT + 1])
{
    for (size_t i = 0; i <= SECTION_COUNT; i++) {
        names[i] = bench_list_section(i);
    }
}

/**
 * Prints one line per section, with its number of rows. If an experiment cannot be read, all lines
 * are printed before the error is returned.
 */
static base_status list_sections(base_error *err)
{
    static const char *const header[] = {"section", "rows", "what", NULL};
    bench_rows rows = {.columns = 3, .width = bench_output_width(stdout)};
    base_status read = BASE_OK;
    bench_rows_put_names(&rows, header);
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        size_t count = 0;
        const request all = {
            .section = sections[i].name, .format = BENCH_FORMAT_CSV, .count = &count};
        const base_status status = sections[i].list(&all, read == BASE_OK ? err : NULL);
        read = read == BASE_OK ? status : read;
        bench_rows_put(&rows, "%s", sections[i].name);
        bench_rows_put_count(&rows, count);
        bench_rows_put(&rows, "%s", sections[i].what);
    }
    const base_status printed =
        bench_rows_finish(&rows, BENCH_FORMAT_TABLE, stdout, read == BASE_OK ? err : NULL);
    puts("\n'proxbench list SECTION [PATTERN]' prints the rows of a section.");
    return read != BASE_OK ? read : printed;
}

static base_status list(const request *asked, base_error *err)
{
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        if (strcmp(asked->section, sections[i].name) == 0) {
            return sections[i].list(asked, err);
        }
    }
    const char *names[SECTION_COUNT + 1];
    char near[256], choices[256];
    section_names(names);
    base_text_near(asked->section, names, near, sizeof near);
    base_text_choices(names, choices, sizeof choices);
    return base_fail(err, BASE_ERR_ARGUMENT, "cannot list '%s': %s%s", asked->section, choices,
                     near);
}

/** Lists a section. If asked->section is NULL, lists the sections. */
static base_status load_and_list(const bench_texts *plugins, request *asked,
                                 const char *format_name, base_error *err)
{
    base_status status = bench_format_parse(format_name, &asked->format, err);
    if (status != BASE_OK) {
        return status;
    }
    status = bench_plugins_load(plugins, err);
    if (status != BASE_OK) {
        return status;
    }
    if (!asked->section && asked->format != BENCH_FORMAT_TABLE) {
        const char *names[SECTION_COUNT + 1];
        char choices[256];
        section_names(names);
        base_text_choices(names, choices, sizeof choices);
        return base_fail(err, BASE_ERR_ARGUMENT, "--format %s needs a section: %s", format_name,
                         choices);
    }
    return asked->section ? list(asked, err) : list_sections(err);
}

int bench_cmd_list(int argc, char **argv)
{
    const char *format = "table";
    request asked = {0};
    bench_texts plugins = {0};
    const bench_option options[] = {
        BENCH_OPTION("details", NULL, &asked.details,
                     "of scenarios: bodies, frames, and the distances and volumes that are "
                     "reached"),
        BENCH_OPTION("pictures", "DIR", &asked.pictures,
                     "with --details: draw each scenario into this folder, in its deepest or "
                     "nearest frame"),
        BENCH_OPTION("cache", "DIR", &asked.cache,
                     "folder of the cache of trajectories and truth, for --details"),
        BENCH_OPTION("plugin", "[LABEL=]FILE", &plugins, BENCH_PLUGIN_HELP),
        BENCH_DATA_OPTION,
        BENCH_OPTION("format", "FORMAT", &format, "format of the rows: " BENCH_FORMAT_HELP),
        BENCH_OPTION_END,
    };
    const bench_usage usage = {
        .usage = "list [SECTION [PATTERN]] [--format FORMAT]\n"
                 "list scenarios PATTERN --details [options]",
        .summary =
            "Lists the rows of a section. Without SECTION, lists all sections with their numbers "
            "of rows. PATTERN is a name or a glob. With a PATTERN, algorithms are listed with "
            "contracts, sources and parameters. Algorithms that are faulty on purpose are listed "
            "only if PATTERN begins with their name.\n"
            "\n"
            "--details prepares the bodies of scenarios, samples their poses and computes the "
            "exact "
            "distances and volumes, unless the cache has them. Distances are in percent of the "
            "diagonal of A's box, volumes in percent of the smaller body; values below 1e-6 are "
            "shown as 0. Hashes are those of the "
            "manifest of a run.",
        .notes = "Examples:\n"
                 "  proxbench list algorithms 'ist*'\n"
                 "  proxbench list experiments 'vps-*'\n"
                 "  proxbench list scenarios 'catalogue/combs/*' --details\n"
                 "  proxbench list algorithms --format csv",
    };
    int operands;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    if (operands > 2) {
        return bench_usage_error("list: unexpected operand '%s'", argv[3]);
    }
    asked.section = operands > 0 ? argv[1] : NULL;
    asked.pattern = operands > 1 ? argv[2] : NULL;
    if (asked.details && (operands < 2 || strcmp(asked.section, "scenarios") != 0)) {
        return bench_usage_error("list: --details needs 'scenarios PATTERN'");
    }
    if (asked.pictures && !asked.details) {
        return bench_usage_error("list: --pictures needs --details");
    }
    base_error err = {0};
    return load_and_list(&plugins, &asked, format, &err) == BASE_OK ? BENCH_GOOD
                                                                    : bench_error(&err);
}
