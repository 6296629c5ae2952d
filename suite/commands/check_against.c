/** `proxbench check EXPERIMENT --against ...`: what takes part, and how often. */
#include "base/memory.h"
#include "suite/commands/check.h"
#include "suite/compare/need.h"
#include "suite/inputs/choice.h"
#include "suite/inputs/experiment.h"
#include "suite/inputs/plugin.h"
#include "suite/message.h"
#include "suite/results/run_folder.h"
#include "suite/run/run.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/** The variants of the plug-in: those that are asked for, that the experiment has, or all. */
static base_status choose_of_plugin(const check_arguments *args, scn_experiment *e, base_error *err)
{
    bench_names names = {0};
    if (args->algorithm) {
        const base_status status = bench_names_split(args->algorithm, &names, err);
        return status == BASE_OK ? bench_variants_expand(&names, e, err) : status;
    }
    size_t left = 0;
    for (size_t v = 0; v < e->variant_count; v++) {
        char family[64];
        snprintf(family, sizeof family, "%.*s", (int)strcspn(e->variants[v], ":"), e->variants[v]);
        const alg *const algorithm = alg_find(family);
        if (algorithm && bench_plugin_of(algorithm)) {
            e->variants[left] = e->variants[v];
            e->triangle_limits[left] = e->triangle_limits[v];
            e->optional[left++] = e->optional[v];
        }
    }
    e->variant_count = left;
    for (size_t r = 0; alg_registry[r] && left == 0; r++) {
        const bench_plugin *const plugin = bench_plugin_of(alg_registry[r]);
        if (plugin && strcmp(plugin->argument, args->plugin) == 0 &&
            names.count < BENCH_NAMES_MAX) {
            names.items[names.count++] = alg_registry[r]->name;
        }
    }
    return left == 0 ? bench_variants_expand(&names, e, err) : BASE_OK;
}

static base_status open_experiment(const check_arguments *args, const char *reference,
                                   scn_experiment *e, base_error *err)
{
    bench_texts plugins = {0};
    if (args->plugin) {
        plugins.items[plugins.count++] = args->plugin;
    }
    base_status status = bench_plugins_load(&plugins, err);
    if (status == BASE_OK) {
        status = bench_experiment_open(reference, e, err);
    }
    if (status == BASE_OK && args->plugin) {
        status = choose_of_plugin(args, e, err);
    }
    return status;
}

static size_t most(size_t a, size_t b)
{
    return a > b ? a : b;
}

/** How often everything is repeated: launches for an interval, and no evicted passes. */
static base_status choose_mode(const check_arguments *args, const scn_experiment *e,
                               bench_mode *mode, base_error *err)
{
    const char *const name = args->mode ? args->mode : e->mode;
    const bench_mode *const named = bench_mode_find(name);
    if (!named) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "unknown mode '%s'; it is smoke, ci, bench or paper", name);
    }
    const size_t warm_rounds = 5;
    *mode = *named;
    mode->name = "against";
    mode->timed = true;
    mode->evicted_rounds = 0;
    mode->warm_up_rounds = 1;
    mode->warm_rounds = most(most(mode->warm_rounds, e->rounds), warm_rounds);
    mode->launches = most(most(mode->launches, e->launches), BENCH_AGAINST_LAUNCHES);
    return BASE_OK;
}

/* --- The jobs --------------------------------------------------------------------------------- */

/** Names of what looks slower, each once, NULL-terminated. */
typedef struct suspects {
    const char **variants, **scenarios;
    size_t variant_count, scenario_count;
} suspects;

static void add_name(const char **names, size_t *count, const char *name)
{
    for (size_t i = 0; i < *count; i++) {
        if (strcmp(names[i], name) == 0) {
            return;
        }
    }
    names[(*count)++] = name;
}

static base_status find_suspects(const bench_against_cells *cells, suspects *s, base_error *err)
{
    *s = (suspects){.variants = base_alloc(cells->count + 1, sizeof *s->variants),
                    .scenarios = base_alloc(cells->count + 1, sizeof *s->scenarios)};
    if (!s->variants || !s->scenarios) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < cells->count; i++) {
        if (cells->items[i].pace == BENCH_PACE_SLOWER) {
            add_name(s->variants, &s->variant_count, cells->items[i].variant);
            add_name(s->scenarios, &s->scenario_count, cells->items[i].scenario);
        }
    }
    return BASE_OK;
}

static base_status repeat(const bench_run_options *run, const suspects *s, double tolerance,
                          bench_against_cells *cells, bool *interrupted, base_error *err)
{
    char out[BENCH_RUN_FOLDER_BYTES], folder[BENCH_RUN_FOLDER_BYTES];
    if ((size_t)snprintf(out, sizeof out, "%s/again", run->directory) >= sizeof out) {
        return base_fail(err, BASE_ERR_ARGUMENT, "the path of the folder is too long");
    }
    base_status status = bench_run_folder(out, "", folder, err);
    if (status != BASE_OK) {
        return status;
    }
    bench_run_options second = *run;
    second.directory = folder;
    second.algorithms = s->variants;
    second.scenarios = s->scenarios;
    int exit_status = BENCH_GOOD;
    status = bench_run(&second, &exit_status, err);
    *interrupted = exit_status == BENCH_INTERRUPTED;
    bench_against_cells again = {0};
    if (status == BASE_OK && !*interrupted) {
        status = bench_against_read(folder, tolerance, &again, err);
    }
    if (status == BASE_OK && !*interrupted) {
        bench_against_confirm(cells, &again);
    }
    bench_against_release(&again);
    return status;
}

static base_status repeat_suspects(const bench_run_options *run, double tolerance,
                                   bench_against_cells *cells, bool *interrupted, base_error *err)
{
    suspects s;
    base_status status = find_suspects(cells, &s, err);
    if (status == BASE_OK && s.variant_count > 0) {
        status = repeat(run, &s, tolerance, cells, interrupted, err);
    }
    base_free((void *)s.variants);
    base_free((void *)s.scenarios);
    return status;
}

/**
 * Runs the job into its folder, asks all gates about new against old, and runs what looks slower
 * once more, into the folder "again" in it. *interrupted: an interrupt ended it, nothing was asked.
 */
static base_status run_jobs(const bench_run_options *run, double tolerance,
                            bench_gate_report *report, bench_against_cells *cells,
                            bool *interrupted, base_error *err)
{
    *cells = (bench_against_cells){0};
    int exit_status = BENCH_GOOD;
    base_status status = bench_run(run, &exit_status, err);
    *interrupted = exit_status == BENCH_INTERRUPTED;
    if (status != BASE_OK || *interrupted) {
        return status;
    }
    if (exit_status == BENCH_INPUT) {
        return base_fail(err, BASE_ERR_INPUT, "nothing was compared: nobody answers what is asked");
    }
    status = bench_against_answers(run->directory, report, err);
    if (status == BASE_OK) {
        status = bench_against_read(run->directory, tolerance, cells, err);
    }
    if (status == BASE_OK) {
        status = repeat_suspects(run, tolerance, cells, interrupted, err);
    }
    if (status == BASE_OK && !*interrupted) {
        bench_against_ask(cells, tolerance, report);
    }
    return status;
}

/** Asks the gates and writes the reports; the experiment is ready. */
static base_status ask_against(const check_arguments *args, const bench_run_options *run,
                               double tolerance, int *exit_status, base_error *err)
{
    const char *const old = args->against ? args->against : args->against_plugin;
    bench_gate_report report = {0};
    bench_against_cells cells = {0};
    bool interrupted = false;
    base_status status = run_jobs(run, tolerance, &report, &cells, &interrupted, err);
    if (status == BASE_OK && interrupted) {
        *exit_status = BENCH_INTERRUPTED;
    } else if (status == BASE_OK) {
        status = bench_check_write(args, &report, &cells, run->experiment->name, err);
        bench_check_totals(&report, run->directory, old);
        *exit_status = bench_gate_exit_status(&report);
    }
    bench_against_release(&cells);
    bench_gate_report_release(&report);
    return status;
}

static base_status run_against(const check_arguments *args, scn_experiment *e, int *exit_status,
                               base_error *err)
{
    double tolerance;
    bench_mode mode;
    bench_choice choice;
    char name[256], folder[BENCH_RUN_FOLDER_BYTES];
    base_status status = bench_percent_parse("--tolerance", args->tolerance, &tolerance, err);
    if (status == BASE_OK) {
        status = choose_mode(args, e, &mode, err);
    }
    if (status == BASE_OK) {
        status = bench_experiment_choose(e, args->plugin ? NULL : args->algorithm, args->scenario,
                                         &choice, err);
    }
    snprintf(name, sizeof name, "against-%s", e->name);
    if (status == BASE_OK) {
        status = bench_run_folder(args->out, name, folder, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    const bench_run_options run = {
        .experiment = e,
        .variants = choice.variants,
        .mode = &mode,
        .launches = args->launches != UINT64_MAX ? args->launches : mode.launches,
        .warm_rounds = args->rounds != UINT64_MAX ? args->rounds : mode.warm_rounds,
        .directory = folder,
        .cache_directory = args->cache,
        .command = "proxbench check",
        .algorithms = choice.algorithms.count ? choice.algorithms.items : NULL,
        .scenarios = choice.scenarios.count ? choice.scenarios.items : NULL,
        .against_program = args->against,
        .against_plugin = args->against_plugin,
        .timeout_s = args->timeout_s,
        .quiet = args->quiet,
        .no_table = true,
    };
    return ask_against(args, &run, tolerance, exit_status, err);
}

base_status bench_check_against(const check_arguments *args, const char *reference,
                                int *exit_status, base_error *err)
{
    const char *const old = args->against ? args->against : args->against_plugin;
    if (access(old, args->against ? X_OK : R_OK) != 0) {
        return base_fail(err, BASE_ERR_INPUT, "'%s': %s", old, strerror(errno));
    }
    bench_catch_interrupts();
    bool csv;
    scn_experiment experiment = {0};
    base_status status = bench_format_parse(args->format, &csv, err);
    if (status == BASE_OK) {
        status = open_experiment(args, reference, &experiment, err);
    }
    if (status == BASE_OK) {
        status = run_against(args, &experiment, exit_status, err);
    }
    scn_experiment_release(&experiment);
    return status;
}
