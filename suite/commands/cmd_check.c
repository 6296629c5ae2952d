/** `proxbench check`: the gate. A run against its baseline, or new code against old. */
#include "base/memory.h"
#include "suite/commands/commands.h"
#include "suite/compare/front.h"
#include "suite/gate/against.h"
#include "suite/gate/baseline.h"
#include "suite/gate/gate.h"
#include "suite/inputs/experiment.h"
#include "suite/inputs/pair.h"
#include "suite/inputs/plugin.h"
#include "suite/message.h"
#include "suite/output.h"
#include "suite/results/launches.h"
#include "suite/results/run_folder.h"
#include "suite/run/run.h"
#include "suite/share.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Option values of the command. */
typedef struct check_arguments {
    const char *baseline, *junit, *markdown, *format;
    bool bless, force;
    /* old against new */
    const char *against, *against_plugin, *plugin, *algorithm, *scenario, *mode, *tolerance, *out,
        *cache;
    uint64_t launches, rounds; /* UINT64_MAX: not given */
    double timeout_s;
    bool no_cache, quiet;
} check_arguments;

/** The baseline of the run's experiment, unless another one is given. */
static base_status baseline_path(const check_arguments *args, const bench_gate_cells *run,
                                 char path[BENCH_RUN_FOLDER_BYTES], base_error *err)
{
    const int length = args->baseline
                           ? snprintf(path, BENCH_RUN_FOLDER_BYTES, "%s", args->baseline)
                           : snprintf(path, BENCH_RUN_FOLDER_BYTES,
                                      BENCH_BASELINE_DIRECTORY "/%s.csv", run->experiment);
    if (!args->baseline && !*run->experiment) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "'%s' does not say of which experiment it is: give --baseline",
                         run->folder);
    }
    return length < BENCH_RUN_FOLDER_BYTES
               ? BASE_OK
               : base_fail(err, BASE_ERR_ARGUMENT, "the path of the baseline is too long");
}

static base_status write_junit(const bench_gate_report *report, const char *name, const char *path,
                               base_error *err)
{
    if (!path) {
        return BASE_OK;
    }
    bench_output output;
    const base_status status = bench_output_open(path, &output, err);
    if (status != BASE_OK) {
        return status;
    }
    bench_gate_print_junit(report, name, output.file);
    return bench_output_close(&output, BASE_OK, err);
}

static base_status write_markdown(const bench_gate_report *report, const bench_against_cells *times,
                                  const char *name, const char *path, base_error *err)
{
    if (!path) {
        return BASE_OK;
    }
    char title[BENCH_RUN_FOLDER_BYTES + 32];
    snprintf(title, sizeof title, "proxbench check: %s", name);
    bench_output output;
    const base_status status = bench_output_open(path, &output, err);
    if (status != BASE_OK) {
        return status;
    }
    bench_gate_print_markdown(report, title, output.file);
    if (times) {
        bench_against_print_markdown(times, output.file);
    }
    return bench_output_close(&output, BASE_OK, err);
}

/**
 * Rows on standard output, and the files that are asked for. times: of old against new; or NULL.
 * Errors: those of bench_output_close; BASE_ERR_ARGUMENT for an unknown format.
 */
static base_status write_report(const check_arguments *args, const bench_gate_report *report,
                                const bench_against_cells *times, const char *name, base_error *err)
{
    bench_format format;
    base_status status = bench_format_parse(args->format, &format, err);
    if (status != BASE_OK) {
        return status;
    }
    status = bench_gate_print_rows(report, format, stdout, err);
    if (status != BASE_OK) {
        return status;
    }
    status = write_junit(report, name, args->junit, err);
    return status == BASE_OK ? write_markdown(report, times, name, args->markdown, err) : status;
}

/** The last line for people: what was held against what, and how it went. */
static void print_totals(const bench_gate_report *report, const char *run, const char *baseline)
{
    char totals[512];
    bench_gate_totals(report, totals, sizeof totals);
    fflush(stdout);
    fprintf(stderr, "proxbench: check of '%s' against '%s': %s\n", run, baseline, totals);
}

static base_status check(const check_arguments *args, const bench_gate_cells *run,
                         const char *baseline_file, int *exit_status, base_error *err)
{
    bench_gate_cells baseline = {0};
    bench_gate_report report = {0};
    const char *const name = *run->experiment ? run->experiment : run->folder;
    struct stat file;
    if (stat(baseline_file, &file) != 0 && errno == ENOENT) {
        return base_fail(err, BASE_ERR_INPUT,
                         "there is no baseline '%s'; 'proxbench check --bless %s' makes it",
                         baseline_file, run->folder);
    }
    base_status status = bench_gate_read_baseline(baseline_file, &baseline, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = bench_gate_check(&baseline, run, &report, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = write_report(args, &report, NULL, name, err);
    if (status != BASE_OK) {
        goto done;
    }
    print_totals(&report, run->folder, baseline_file);
    *exit_status = bench_gate_exit_status(&report);
done:
    bench_gate_report_release(&report);
    bench_gate_cells_release(&baseline);
    return status;
}

/* --- Blessing --------------------------------------------------------------------------------- */

/** The differences to the baseline that is there; none when there is none. */
static base_status compare_old(const bench_gate_cells *run, const char *path,
                               bench_gate_report *report, bool *there, base_error *err)
{
    struct stat file;
    *there = stat(path, &file) == 0;
    if (!*there) {
        return BASE_OK;
    }
    bench_gate_cells old = {0};
    base_status status = bench_gate_read_baseline(path, &old, err);
    if (status == BASE_OK) {
        status = bench_gate_check(&old, run, report, err);
    }
    bench_gate_cells_release(&old);
    return status;
}

static base_status bless(const check_arguments *args, const bench_gate_cells *run, const char *path,
                         base_error *err)
{
    bench_gate_report changes = {0};
    bool there = false;
    base_error unreadable = {0};
    const base_status compared = compare_old(run, path, &changes, &there, &unreadable);
    base_status status = bench_gate_bless(run, path, args->force, err);
    if (status == BASE_OK && compared != BASE_OK) {
        bench_warn("the old baseline cannot be compared: %s", unreadable.text);
    } else if (status == BASE_OK && there) {
        bench_gate_print_changes(&changes, stdout);
    }
    if (status == BASE_OK) {
        fprintf(stderr, "proxbench: '%s' holds %zu cells of '%s' now\n", path, run->count,
                run->folder);
    }
    bench_gate_report_release(&changes);
    return status;
}

/* --- Old against new: what takes part, and how often ------------------------------------------ */

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

/* --- Old against new: the jobs ---------------------------------------------------------------- */

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
    if (status != BASE_OK || *interrupted) {
        return status;
    }
    bench_against_cells again = {0};
    status = bench_against_read(folder, tolerance, &again, err);
    if (status == BASE_OK) {
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
    if (status != BASE_OK) {
        return status;
    }
    status = bench_against_read(run->directory, tolerance, cells, err);
    if (status != BASE_OK) {
        return status;
    }
    status = repeat_suspects(run, tolerance, cells, interrupted, err);
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
        status = write_report(args, &report, &cells, run->experiment->name, err);
        print_totals(&report, run->directory, old);
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

/** `check EXPERIMENT --against ...`. Errors: those of bench_run, bench_against_answers and
 * bench_against_read, and of bad options; BASE_ERR_INPUT when nobody answers what is asked. */
static base_status check_against(const check_arguments *args, const char *reference,
                                 int *exit_status, base_error *err)
{
    const char *const old = args->against ? args->against : args->against_plugin;
    if (access(old, args->against ? X_OK : R_OK) != 0) {
        return base_fail(err, BASE_ERR_INPUT, "'%s': %s", old, strerror(errno));
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

/* --- The command ------------------------------------------------------------------------------ */

static base_status start(const check_arguments *args, const char *name, int *exit_status,
                         base_error *err)
{
    char folder[BENCH_RUN_FOLDER_BYTES], path[BENCH_RUN_FOLDER_BYTES];
    bench_gate_cells run = {0};
    bench_format format;
    base_status status = bench_format_parse(args->format, &format, err);
    if (status != BASE_OK) {
        return status;
    }
    status = bench_run_find(name, folder, err);
    if (status != BASE_OK) {
        return status;
    }
    status = bench_gate_read_run(folder, NULL, &run, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = baseline_path(args, &run, path, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = args->bless ? bless(args, &run, path, err) : check(args, &run, path, exit_status, err);
done:
    bench_gate_cells_release(&run);
    return status;
}

static const bench_usage usage = {
    .usage = "check RUN [--baseline FILE] [--junit FILE] [--markdown FILE]\n"
             "check --bless RUN [--baseline FILE] [--force]\n"
             "check EXPERIMENT --against PROGRAM [options]\n"
             "check EXPERIMENT --plugin NEW.so --against-plugin OLD.so [options]",
    .summary =
        "The gate: holds a run against a baseline. In this order: answers are the same, to the "
        "last bit or within the tolerance that a variant declares; no contract is violated; "
        "counters are equal; nothing is missing; nothing has crashed or timed out; no "
        "algorithm of this program allocates in a query. Prints a row for each finding. RUN is a "
        "folder, or the name of one in results/.\n"
        "--bless makes the run the baseline, and says what that changes. An interrupted run is "
        "never blessed; one with cells that died or are wrong only with --force: then that is "
        "what the next run has to do.\n"
        "--against runs an experiment with old and new code interleaved, holds the new answers "
        "against the old ones, and then the times: a variant is slower when the lower bound of "
        "new / old is beyond the tolerance and beyond what the old one shows against itself, and "
        "a second job agrees.",
    .notes = "Examples:\n"
             "  proxbench run ci --out results/mine && proxbench check results/mine\n"
             "  proxbench check --bless results/mine\n"
             "  proxbench check ci --against ../old/build/release/proxbench --algorithm 'ist*'\n"
             "  proxbench check ci --plugin libmine.so --against-plugin old/libmine.so\n"
             "Exit status: 0 good, 1 answers, contract, counters, missing cells or allocations,\n"
             "2 usage, 3 input or system, 4 slower, 5 a cell crashed, failed or timed out,\n"
             "130 interrupted.",
};

/** Options of one form that are given to the other. Returns -1 when they fit. */
static int check_arguments_fit(const check_arguments *args, int operands)
{
    const bool against = args->against || args->against_plugin;
    if (operands != 1) {
        return bench_usage_error(against ? "check --against needs one EXPERIMENT"
                                         : "check needs one RUN");
    }
    if (args->force && !args->bless) {
        return bench_usage_error("--force goes with --bless");
    }
    if (args->bless && (args->junit || args->markdown)) {
        return bench_usage_error("--bless writes the baseline alone: no --junit, no --markdown");
    }
    if (against && (args->bless || args->baseline)) {
        return bench_usage_error("old against new needs no baseline");
    }
    if (args->against && args->against_plugin) {
        return bench_usage_error("either --against or --against-plugin");
    }
    if (!args->against_plugin != !args->plugin) {
        return bench_usage_error("--plugin NEW.so and --against-plugin OLD.so go together");
    }
    if (args->plugin && (strchr(args->plugin, '=') || strchr(args->against_plugin, '='))) {
        return bench_usage_error("here plug-ins have no LABEL=");
    }
    const bool chosen = args->algorithm || args->scenario || args->mode || args->out ||
                        args->launches != UINT64_MAX || args->rounds != UINT64_MAX;
    if (!against && chosen) {
        return bench_usage_error("--algorithm, --scenario, --mode, --launches, --rounds and --out "
                                 "go with --against or --against-plugin");
    }
    if (args->launches != UINT64_MAX &&
        (args->launches < BENCH_AGAINST_LAUNCHES_MIN || args->launches > SCN_LAUNCHES_MAX)) {
        return bench_usage_error("--launches is between %d and %d", BENCH_AGAINST_LAUNCHES_MIN,
                                 SCN_LAUNCHES_MAX);
    }
    if (args->rounds != UINT64_MAX && (args->rounds == 0 || args->rounds > SCN_ROUNDS_MAX)) {
        return bench_usage_error("--rounds is between 1 and %d", SCN_ROUNDS_MAX);
    }
    return -1;
}

static int parse(int argc, char **argv, check_arguments *args)
{
    const bench_option options[] = {
        BENCH_OPTION("baseline", "FILE", &args->baseline,
                     "what to hold against (default: results/reference/EXPERIMENT.csv)"),
        BENCH_OPTION("junit", "FILE", &args->junit, "also as JUnit XML ('-': standard output)"),
        BENCH_OPTION("markdown", "FILE", &args->markdown, "also as Markdown, for a pull request"),
        BENCH_OPTION("format", "FORMAT", &args->format, "of the rows: " BENCH_FORMAT_HELP),
        BENCH_OPTION("bless", NULL, &args->bless, "make this run the baseline"),
        BENCH_OPTION("force", NULL, &args->force, "bless also what died or is wrong"),
        BENCH_OPTION("against", "PROGRAM", &args->against, "the old proxbench"),
        BENCH_OPTION("plugin", "FILE", &args->plugin, "the new shared library"),
        BENCH_OPTION("against-plugin", "FILE", &args->against_plugin, "the old one"),
        BENCH_OPTION("algorithm", "LIST", &args->algorithm,
                     "only these variants (globs); of a plug-in: also ones that the experiment "
                     "does not have (default: the experiment's; all)"),
        BENCH_OPTION("scenario", "LIST", &args->scenario, "only these (globs)"),
        BENCH_OPTION("tolerance", "PERCENT", &args->tolerance, "slowdown that is let pass"),
        BENCH_OPTION("mode", "MODE", &args->mode, "how truth is found (default: the experiment's)"),
        BENCH_OPTION("launches", "N", &args->launches,
                     "processes of each, at least 6 (default: 12, or more if the mode says so)"),
        BENCH_OPTION("rounds", "N", &args->rounds,
                     "passes in each launch (default: 5, or more if the mode says so)"),
        BENCH_OPTION("timeout", "S", &args->timeout_s, "limit of one build or one pass, seconds"),
        BENCH_OPTION("out", "DIR", &args->out,
                     "new folder for results (default: results/against-EXPERIMENT-TIME)"),
        BENCH_OPTION("cache", "DIR", &args->cache, "where truth is kept"),
        BENCH_OPTION("no-cache", NULL, &args->no_cache, "neither read nor write the cache"),
        BENCH_DATA_OPTION,
        BENCH_OPTION("quiet", NULL, &args->quiet, "no progress on stderr"),
        BENCH_OPTION_END,
    };
    int operands;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    return ended >= 0 ? ended : check_arguments_fit(args, operands);
}

int bench_cmd_check(int argc, char **argv)
{
    check_arguments args = {.format = "table",
                            .tolerance = "5%",
                            .launches = UINT64_MAX,
                            .rounds = UINT64_MAX,
                            .timeout_s = 600};
    const int ended = parse(argc, argv, &args);
    if (ended >= 0) {
        return ended;
    }
    int exit_status = BENCH_GOOD;
    base_error err = {0};
    const base_status status = args.against || args.against_plugin
                                   ? check_against(&args, argv[1], &exit_status, &err)
                                   : start(&args, argv[1], &exit_status, &err);
    return status == BASE_OK ? exit_status : bench_error(&err);
}
