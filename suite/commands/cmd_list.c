#include "algorithms/algorithms.h"
#include "base/text.h"
#include "scenarios/models/models.h"
#include "suite/commands/commands.h"
#include "suite/inputs/experiment.h"
#include "suite/inputs/plugin.h"
#include "suite/message.h"
#include "suite/output.h"
#include "suite/results/quantity.h"
#include "suite/share.h"

#include <stdio.h>
#include <string.h>

/* --- Algorithms ------------------------------------------------------------------------------- */

/** A choice of more words would be a column that no screen holds. */
enum { FEW_CHOICES = 6 };

static const char *contract_name(alg_contract contract)
{
    static const char *const names[] = {
        [ALG_NOT_ANSWERED] = "",           [ALG_EXACT] = "exact",
        [ALG_UPPER_BOUND] = "upper bound", [ALG_LOWER_BOUND] = "lower bound",
        [ALG_APPROXIMATE] = "approximate",
    };
    return names[contract];
}

static alg_settings default_settings(const alg_algorithm *algorithm)
{
    alg_settings settings = {.seed = 1};
    for (size_t i = 0; i < algorithm->parameter_count; i++) {
        settings.values[i] = algorithm->parameters[i].fallback;
    }
    return settings;
}

/** The word of a choice by its index. */
static void choice_word(const char *choices, size_t index, char *text, size_t size)
{
    for (; index > 0 && *choices; index--) {
        choices += strcspn(choices, "|");
        choices += *choices == '|';
    }
    snprintf(text, size, "%.*s", (int)strcspn(choices, "|"), choices);
}

static size_t choice_count(const char *choices)
{
    size_t count = 1;
    for (; *choices; choices++) {
        count += *choices == '|';
    }
    return count;
}

/** "voxels=128 (8 to 1024)", "radius=primary (primary|secondary)"; of many words their number. */
static void format_parameter(const alg_parameter *parameter, bool many, char *text, size_t size)
{
    if (parameter->type == ALG_CHOICE) {
        char word[64];
        choice_word(parameter->choices, (size_t)parameter->fallback, word, sizeof word);
        if (many || choice_count(parameter->choices) <= FEW_CHOICES) {
            snprintf(text, size, "%s=%s (%s)", parameter->name, word, parameter->choices);
        } else {
            snprintf(text, size, "%s=%s (one of %zu)", parameter->name, word,
                     choice_count(parameter->choices));
        }
    } else {
        snprintf(text, size, "%s=%g (%g to %g)", parameter->name, parameter->fallback,
                 parameter->lowest, parameter->highest);
    }
}

/** All parameters in one cell. */
static void put_parameters(bench_rows *rows, const alg_algorithm *algorithm)
{
    char text[2048] = "";
    for (size_t i = 0; i < algorithm->parameter_count; i++) {
        const size_t used = strlen(text);
        char one[1024];
        format_parameter(&algorithm->parameters[i], true, one, sizeof one);
        snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? "; " : "", one);
    }
    bench_rows_put(rows, "%s", text);
}

static void put_contract(bench_rows *rows, const alg_algorithm *algorithm, alg_quantity quantity)
{
    const alg_settings settings = default_settings(algorithm);
    bench_rows_put(rows, "%s", contract_name(algorithm->contract(&settings, quantity)));
}

static void put_algorithm(bench_rows *rows, const alg_algorithm *algorithm, bool scripts)
{
    bench_rows_put(rows, "%s", algorithm->name);
    put_contract(rows, algorithm, ALG_DISTANCE);
    put_contract(rows, algorithm, ALG_VOLUME);
    if (!scripts) {
        put_contract(rows, algorithm, ALG_CONTACT);
    }
    bench_rows_put(rows, "%s", algorithm->flags & ALG_SURFACE ? "surface" : "solid");
    bench_rows_put(rows, "%s%s%s%s", algorithm->flags & ALG_NEEDS_SOLIDS ? "solids" : "any",
                   algorithm->flags & ALG_KEEPS_STATE ? ", keeps state" : "",
                   algorithm->flags & ALG_READS_CLOCK ? ", reads clock" : "",
                   algorithm->flags & ALG_KNOWN_BAD ? ", known bad" : "");
    bench_rows_put(rows, "%s", algorithm->force_unit ? algorithm->force_unit : "");
    bench_rows_put(rows, "%s", algorithm->source ? algorithm->source : "");
    bench_rows_put(rows, "%s", algorithm->summary);
}

static void put_header(bench_rows *rows, const char *const *names)
{
    for (; *names; names++) {
        bench_rows_put(rows, "%s", *names);
    }
}

/** Second part of the table: one line a parameter. */
static base_status list_parameters(bench_format format, base_error *err)
{
    static const char *const header[] = {"algorithm", "parameter", "help", NULL};
    bench_rows rows = {.columns = 3};
    put_header(&rows, header);
    for (const alg_algorithm *const *entry = alg_registry; *entry; entry++) {
        for (size_t i = 0; i < (*entry)->parameter_count; i++) {
            char text[256];
            format_parameter(&(*entry)->parameters[i], false, text, sizeof text);
            bench_rows_put(&rows, "%s", (*entry)->name);
            bench_rows_put(&rows, "%s", text);
            bench_rows_put(&rows, "%s", (*entry)->parameters[i].help);
        }
    }
    const base_status status = bench_rows_print(&rows, format, stdout, err);
    bench_rows_release(&rows);
    return status;
}

/** Third part: the words of a choice that are explained. */
static base_status list_choices(bench_format format, base_error *err)
{
    static const char *const header[] = {"choice", "help", NULL};
    bench_rows rows = {.columns = 2};
    put_header(&rows, header);
    for (const alg_algorithm *const *entry = alg_registry; *entry; entry++) {
        for (size_t i = 0; (*entry)->explain && i < (*entry)->parameter_count; i++) {
            const alg_parameter *const p = &(*entry)->parameters[i];
            const size_t count = p->type == ALG_CHOICE ? choice_count(p->choices) : 0;
            for (size_t c = 0; c < count; c++) {
                const char *const help = (*entry)->explain(i, c);
                char word[64];
                choice_word(p->choices, c, word, sizeof word);
                bench_rows_put(&rows, "%s:%s=%s", (*entry)->name, p->name, word);
                bench_rows_put(&rows, "%s", help ? help : "");
            }
        }
    }
    const base_status status = bench_rows_print(&rows, format, stdout, err);
    bench_rows_release(&rows);
    return status;
}

/** For people there is a part with one line a parameter, and one for choices; scripts have all in
 * a column. */
static base_status list_algorithms(bench_format format, base_error *err)
{
    static const char *const table_header[] = {"algorithm",   "distance", "volume",     "contact",
                                               "answers_for", "needs",    "force_unit", "source",
                                               "summary",     NULL};
    /* Only appended to: scripts may count. */
    static const char *const scripts_header[] = {
        "algorithm", "distance", "volume",     "answers_for", "needs",         "force_unit",
        "source",    "summary",  "parameters", "contact",     "tolerance_ulp", NULL};
    const bool scripts = bench_format_is_for_scripts(format);
    bench_rows rows = {.columns = scripts ? 11 : 9};
    put_header(&rows, scripts ? scripts_header : table_header);
    for (const alg_algorithm *const *entry = alg_registry; *entry; entry++) {
        put_algorithm(&rows, *entry, scripts);
        if (scripts) {
            put_parameters(&rows, *entry);
            put_contract(&rows, *entry, ALG_CONTACT);
            bench_rows_put_count(&rows, (*entry)->tolerance_ulp);
        }
    }
    base_status status = bench_rows_print(&rows, format, stdout, err);
    bench_rows_release(&rows);
    if (status != BASE_OK || scripts) {
        return status;
    }
    putchar('\n');
    status = list_parameters(format, err);
    if (status != BASE_OK) {
        return status;
    }
    putchar('\n');
    return list_choices(format, err);
}

/* --- Models ----------------------------------------------------------------------------------- */

static base_status list_models(bench_format format, base_error *err)
{
    static const char *const header[] = {"model", "triangles", "triangles_min", "summary", NULL};
    bench_rows rows = {.columns = 4};
    put_header(&rows, header);
    for (const scn_model *model = scn_models; model->name; model++) {
        bench_rows_put(&rows, "%s", model->name);
        bench_rows_put_count(&rows, model->triangles);
        bench_rows_put_count(&rows, model->triangles_min);
        bench_rows_put(&rows, "%s", model->summary);
    }
    const base_status status = bench_rows_print(&rows, format, stdout, err);
    bench_rows_release(&rows);
    return status;
}

/* --- Experiments and scenarios ---------------------------------------------------------------- */

static void put_experiment(bench_rows *rows, const char *name, const scn_experiment *experiment)
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
}

static void put_scenarios(bench_rows *rows, const char *name, const scn_experiment *experiment)
{
    for (size_t i = 0; i < experiment->scenario_count; i++) {
        const scn_scenario *const scenario = &experiment->scenarios[i];
        const scn_sampler *const sampler = &scenario->motion.sampler;
        bench_rows_put(rows, "%s/%s", name, scenario->name);
        bench_rows_put(rows, "%s", scenario->a);
        bench_rows_put(rows, "%s", scenario->b);
        bench_rows_put(rows, "%s", bench_quantities_name(scenario->quantities));
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
            bench_rows_put_count(rows, sampler->frames);
        }
    }
}

/** Do both texts mean one variant? */
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

/** Expanded variants; the other columns are empty where the file says nothing. */
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

/** Puts the rows of every experiment; of those that cannot be read, err has the first. */
static base_status put_all(bench_rows *rows, put_rows *put, base_error *err)
{
    base_arena arena = {0};
    const char **names;
    base_status status = bench_experiment_names(&arena, &names, err);
    for (size_t i = 0; names && names[i]; i++) {
        scn_experiment experiment;
        base_error reason;
        const base_status read = bench_experiment_open(names[i], &experiment, &reason);
        if (read == BASE_OK) {
            put(rows, names[i], &experiment);
            scn_experiment_release(&experiment);
        } else if (status == BASE_OK) {
            status = read;
            *err = reason;
        }
    }
    base_arena_release(&arena);
    return status;
}

static base_status list_from_files(const char *const *header, put_rows *put, bench_format format,
                                   base_error *err)
{
    bench_rows rows = {0};
    for (; header[rows.columns]; rows.columns++) {
    }
    put_header(&rows, header);
    const base_status read = put_all(&rows, put, err);
    base_status printed = BASE_OK;
    if (read == BASE_OK || rows.count > rows.columns) { /* those that can be read are listed */
        printed = bench_rows_print(&rows, format, stdout, read == BASE_OK ? err : NULL);
    }
    bench_rows_release(&rows);
    return read != BASE_OK ? read : printed;
}

static base_status list_experiments(bench_format format, base_error *err)
{
    static const char *const header[] = {"experiment", "mode",  "scenarios", "variants",
                                         "figures",    "title", NULL};
    return list_from_files(header, put_experiment, format, err);
}

static base_status list_variants(bench_format format, base_error *err)
{
    static const char *const header[] = {"experiment",     "variant",  "baseline",
                                         "triangle_limit", "optional", NULL};
    return list_from_files(header, put_variants, format, err);
}

static base_status list_scenarios(bench_format format, base_error *err)
{
    static const char *const header[] = {"scenario", "a",      "b", "quantity",
                                         "motion",   "frames", NULL};
    return list_from_files(header, put_scenarios, format, err);
}

/* --- The command ------------------------------------------------------------------------------ */

static const struct section {
    const char *name;
    base_status (*list)(bench_format format, base_error *err);
} sections[] = {
    {"algorithms",  list_algorithms },
    {"models",      list_models     },
    {"experiments", list_experiments},
    {"variants",    list_variants   },
    {"scenarios",   list_scenarios  },
};

enum { SECTION_COUNT = sizeof sections / sizeof *sections };

static base_status list_all(base_error *err)
{
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        if (i > 0) {
            putchar('\n');
        }
        const base_status status = sections[i].list(BENCH_FORMAT_TABLE, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

static base_status list(const char *name, bench_format format, base_error *err)
{
    const char *names[SECTION_COUNT + 1] = {0};
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        names[i] = sections[i].name;
        if (strcmp(name, names[i]) == 0) {
            return sections[i].list(format, err);
        }
    }
    char near[256];
    base_text_near(name, names, near, sizeof near);
    return base_fail(err, BASE_ERR_ARGUMENT,
                     "cannot list '%s': algorithms, models, experiments, variants or scenarios%s",
                     name, near);
}

/** name NULL: everything, as tables. */
static base_status load_and_list(const bench_texts *plugins, const char *name,
                                 const char *format_name, base_error *err)
{
    bench_format format;
    base_status status = bench_format_parse(format_name, &format, err);
    if (status != BASE_OK) {
        return status;
    }
    status = bench_plugins_load(plugins, err);
    if (status != BASE_OK) {
        return status;
    }
    if (!name && format != BENCH_FORMAT_TABLE) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "--format %s needs one of algorithms, models, experiments, variants, "
                         "scenarios",
                         format_name);
    }
    return name ? list(name, format, err) : list_all(err);
}

int bench_cmd_list(int argc, char **argv)
{
    const char *format = "table";
    bench_texts plugins = {0};
    const bench_option options[] = {
        BENCH_OPTION("plugin", "[LABEL=]FILE", &plugins, BENCH_PLUGIN_HELP),
        BENCH_DATA_OPTION,
        BENCH_OPTION("format", "FORMAT", &format, "of the rows: " BENCH_FORMAT_HELP),
        BENCH_OPTION_END,
    };
    const bench_usage usage = {
        .usage = "list [algorithms|models|experiments|variants|scenarios] [--format FORMAT]",
        .summary =
            "Lists what there is: algorithms with their contracts, sources and parameters (by\n"
            "default settings), models with their triangles, the experiments, and\n"
            "the variants and scenarios that they come to.",
        .notes = "Example:\n  proxbench list algorithms --format csv",
    };
    int operands;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    if (operands > 1) {
        return bench_usage_error("list: '%s' is one too many", argv[2]);
    }
    base_error err = {0};
    const char *const name = operands > 0 ? argv[1] : NULL;
    return load_and_list(&plugins, name, format, &err) == BASE_OK ? BENCH_GOOD : bench_error(&err);
}
