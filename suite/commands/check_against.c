/** Old code against new: selection of the cells, and the gates. */
#include "base/process.h"
#include "suite/commands/check.h"
#include "suite/compare/front.h"
#include "suite/inputs/experiment.h"
#include "suite/inputs/plugin.h"
#include "suite/message.h"
#include "suite/results/run_folder.h"
#include "suite/share.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Selected variants and number of repetitions ---------------------------------------------- */

/** Selects variants of the plug-in: those requested, else those of the experiment, else all. */
static base_status choose_of_plugin(const bench_check_arguments *args, scn_experiment *e,
                                    base_error *err)
{
    bench_names names = {0};
    if (args->algorithm) {
        const base_status status = bench_names_split(args->algorithm, &names, err);
        return status == BASE_OK ? bench_variants_expand(&names, NULL, 0, e, err) : status;
    }
    size_t left = 0;
    for (size_t v = 0; v < e->variant_count; v++) {
        char family[64];
        snprintf(family, sizeof family, "%.*s", (int)strcspn(e->variants[v], ":"), e->variants[v]);
        const alg_algorithm *const algorithm = alg_find(family);
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
    return left == 0 ? bench_variants_expand(&names, NULL, 0, e, err) : BASE_OK;
}

static base_status open_experiment(const bench_check_arguments *args, const char *reference,
                                   scn_experiment *e, base_error *err)
{
    bench_texts plugins = {0};
    if (args->plugin) {
        plugins.items[plugins.count++] = args->plugin;
    }
    base_status status = bench_plugins_load(&plugins, err);
    if (status != BASE_OK) {
        return status;
    }
    status = bench_experiment_open(reference, e, err);
    return status == BASE_OK && args->plugin ? choose_of_plugin(args, e, err) : status;
}

static size_t most(size_t a, size_t b)
{
    return a > b ? a : b;
}

/** Sets the number of repetitions: enough launches for an interval, and no evicted passes. */
static base_status choose_mode(const bench_check_arguments *args, const scn_experiment *e,
                               bench_mode *mode, base_error *err)
{
    const size_t warm_rounds = 5;
    const base_status status = bench_mode_parse(args->mode ? args->mode : e->mode, mode, err);
    if (status != BASE_OK) {
        return status;
    }
    mode->name = "against";
    mode->timed = true;
    mode->evicted_rounds = 0;
    mode->shuffled_rounds = 0;
    mode->warm_up_rounds = 1;
    mode->warm_rounds = most(most(mode->warm_rounds, e->rounds), warm_rounds);
    mode->launches = most(most(mode->launches, e->launches), BENCH_AGAINST_LAUNCHES);
    return BASE_OK;
}

/* --- Gates ------------------------------------------------------------------------------------ */

/** Asks the gates and writes the reports. The experiment must be prepared. */
static base_status ask_against(const bench_check_arguments *args, const bench_run_options *run,
                               double tolerance, int *exit_status, base_error *err)
{
    const char *const old = args->against ? args->against : args->against_plugin;
    const bench_check_job job = {.run = run,
                                 .tolerance = tolerance,
                                 .time_limit_s = args->time_limit_s,
                                 .strict = args->strict,
                                 .instructions = args->instructions};
    bench_gate_report report = {.same = args->same};
    bench_against_cells cells = {0};
    bool interrupted = false;
    if (!args->quiet) {
        bench_note(
            "each variant and its old copy make %zu launches of %zu rounds, and more until the "
            "intervals are narrow; --launches, --rounds and --time-limit make it shorter",
            run->launches, run->warm_rounds);
    }
    base_status status = args->accept ? bench_gate_accept(args->accept, &report, err) : BASE_OK;
    if (status == BASE_OK) {
        status = bench_check_run_jobs(&job, &report, &cells, &interrupted, err);
    }
    if (status == BASE_OK && interrupted) {
        bench_warn("interrupted: no gate was asked");
        *exit_status = BENCH_INTERRUPTED;
    } else if (status == BASE_OK) {
        status = bench_check_write(args, &report, &cells, run->experiment->name, err);
        bench_check_tell_totals(&report, true, run->directory, old);
        *exit_status = bench_gate_exit_status(&report);
    }
    bench_against_release(&cells);
    bench_gate_report_release(&report);
    return status;
}

static base_status run_against(const bench_check_arguments *args, scn_experiment *e,
                               int *exit_status, base_error *err)
{
    double tolerance;
    bench_mode mode;
    bench_choice choice;
    char name[256], folder[BENCH_RUN_FOLDER_BYTES];
    base_status status = bench_percent_parse("--tolerance", args->tolerance, &tolerance, err);
    if (status != BASE_OK) {
        return status;
    }
    status = choose_mode(args, e, &mode, err);
    if (status != BASE_OK) {
        return status;
    }
    status = bench_experiment_choose(e, args->plugin ? NULL : args->algorithm, args->scenario,
                                     &choice, err);
    if (status != BASE_OK) {
        return status;
    }
    snprintf(name, sizeof name, "against-%s", e->name);
    status = bench_run_folder(args->out, name, folder, err);
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
        .cache_directory = args->no_cache ? NULL : bench_cache_directory(args->cache),
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

base_status bench_check_against(const bench_check_arguments *args, const char *reference,
                                int *exit_status, base_error *err)
{
    const char *const old = args->against ? args->against : args->against_plugin;
    if (access(old, args->against ? X_OK : R_OK) != 0) {
        return base_fail(err, BASE_ERR_INPUT, "'%s': %s", old, strerror(errno));
    }
    char valgrind[PATH_MAX];
    if (args->instructions && !base_process_find("valgrind", valgrind)) {
        return base_fail(err, BASE_ERR_INPUT,
                         "--instructions needs valgrind, which is not here: apt-get install "
                         "valgrind");
    }
    bench_catch_interrupts();
    bench_output_outlive_reader();
    bench_format format;
    scn_experiment experiment = {0};
    base_status status = bench_format_parse(args->format, &format, err);
    if (status != BASE_OK) {
        return status;
    }
    status = open_experiment(args, reference, &experiment, err);
    if (status == BASE_OK) {
        status = run_against(args, &experiment, exit_status, err);
    }
    scn_experiment_release(&experiment);
    return status;
}
