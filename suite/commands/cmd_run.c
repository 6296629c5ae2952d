/** `proxbench run`: an experiment, or a pair of the user's own bodies. */
#include "base/text.h"
#include "suite/commands/command_line.h"
#include "suite/commands/commands.h"
#include "suite/compare/digest.h"
#include "suite/compare/report.h"
#include "suite/figures/items.h"
#include "suite/inputs/experiment.h"
#include "suite/inputs/plugin.h"
#include "suite/message.h"
#include "suite/output.h"
#include "suite/quantity.h"
#include "suite/results/record.h"
#include "suite/run/plan.h"
#include "suite/share.h"

#include <string.h>
#include <unistd.h>

/** Option values of the command. */
typedef struct run_arguments {
    const char *a, *b, *trajectory, *quantity, *algorithm, *scenario, *out, *mode, *cache;
    const char *baseline, *tolerance, *resume, *format;
    const char *experiment; /* the operand, or NULL */
    bench_format rows;      /* parsed value of `format` */
    bench_texts plugins;
    uint64_t seed, launches, rounds; /* UINT64_MAX: not given */
    double timeout_s, memory_gb, scale_a, scale_b;
    bool warm_only, no_cache, quiet;
} run_arguments;

/* --- Output of a run -------------------------------------------------------------------------- */

/**
 * Prints which variants are the fastest within the tolerance. Prints nothing for a run without
 * times, because it has no launches.
 */
static base_status print_summary(const char *folder, base_error *err)
{
    bench_record record;
    base_status status = bench_record_open(folder, BENCH_RECORD_LAUNCHES, &record, err);
    if (status == BASE_OK) {
        char apart[BENCH_DIGEST_LINE_BYTES];
        bench_digest_apart_text(&record, apart);
        if (*apart) {
            bench_warn("%s", apart);
        }
        status = bench_summary_print(&record, BENCH_OWN_TOLERANCE, stderr, err);
        bench_record_release(&record);
    }
    return status == BASE_ERR_INPUT ? BASE_OK : status;
}

/** Prints the results of a finished run: its rows, if they are for scripts, and the winners. */
static base_status print_end(const char *folder, const run_arguments *args, base_error *err)
{
    if (args->rows != BENCH_FORMAT_TABLE) {
        bench_record record;
        bench_output output;
        base_status status = bench_record_open(folder, BENCH_RECORD_CELLS, &record, err);
        if (status != BASE_OK) {
            return status;
        }
        status = bench_output_open(NULL, &output, err);
        if (status == BASE_OK) {
            status = bench_report_cells(&record, args->rows, output.file, err);
            status = bench_output_close(&output, status, err);
        }
        bench_record_release(&record);
        if (status != BASE_OK) {
            return status;
        }
    }
    if (args->quiet) {
        return BASE_OK;
    }
    if (args->rows == BENCH_FORMAT_TABLE) {
        bench_note("percentages are of the truth, n/j: not judged; max fastest: slowest frame, "
                   "each at its fastest pass; max any: slowest of all passes");
    }
    return print_summary(folder, err);
}

/** Runs a prepared experiment. Sets directory to its folder, or to "" if it has no folder. */
static base_status start(const run_arguments *args, const bench_command_line *line,
                         scn_experiment *e, char directory[BENCH_RUN_FOLDER_BYTES],
                         int *exit_status, base_error *err)
{
    bench_mode mode;
    bench_choice choice;
    base_status status = bench_mode_parse(args->mode ? args->mode : e->mode, &mode, err);
    if (status != BASE_OK) {
        return status;
    }
    status =
        bench_experiment_choose(e, args->a ? NULL : args->algorithm, args->scenario, &choice, err);
    if (status != BASE_OK) {
        return status;
    }
    const bench_run_options options = {
        .experiment = e,
        .variants = choice.variants,
        .mode = &mode,
        .mode_asked = args->mode,
        .launches = args->launches != UINT64_MAX ? args->launches : 0,
        .warm_rounds = args->rounds != UINT64_MAX ? args->rounds : 0,
        .directory = directory,
        .cache_directory = args->no_cache ? NULL : bench_cache_directory(args->cache),
        .command = line->text,
        .arguments = (const char *const *)line->words,
        .argument_count = (size_t)line->count,
        .algorithms = choice.algorithms.count ? choice.algorithms.items : NULL,
        .scenarios = choice.scenarios.count ? choice.scenarios.items : NULL,
        .warm_only = args->warm_only,
        .timeout_s = args->timeout_s,
        .memory_bytes = (uint64_t)(args->memory_gb * 1e9),
        .resume = args->resume,
        .quiet = args->quiet,
        .no_table = args->rows != BENCH_FORMAT_TABLE,
    };
    if (!args->resume) {
        status = bench_plan_check_launches(&options, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    if (args->resume) {
        snprintf(directory, BENCH_RUN_FOLDER_BYTES, "%s", args->resume);
    } else {
        status = bench_run_folder(args->out, e->name, directory, err);
        if (status == BASE_OK) {
            status = bench_run_claim(directory, err);
        }
    }
    if (status != BASE_OK) {
        directory[0] = '\0'; /* this run has no folder */
        return status;
    }
    return bench_run(&options, exit_status, err);
}

static const bench_usage usage = {
    .usage = "run EXPERIMENT [options]\n"
             "run --a MESH --b MESH --trajectory FILE --quantity Q,... [options]\n"
             "run --resume DIR",
    .summary = "Runs all variants of an experiment on all of its scenarios, or on a pair of the "
               "user's own bodies. Compares each frame with the truth and prints a table. At the "
               "end, prints which variant was the fastest within the tolerance, if the times are "
               "certain enough.",
    .notes = "Examples:\n"
             "  proxbench run bench\n"
             "  proxbench run --a A.off --b B.off --trajectory T.csv --quantity "
             "distance,volume,force\n"
             "  proxbench run --a A.off --b B.off --trajectory T.csv --quantity distance \\\n"
             "      --algorithm 'ist*,brute' --out results/mine\n"
             "  proxbench run --resume results/mine\n"
             "\n"
             "A run is stored on disk after every pass. --resume continues a run that was ended "
             "by Ctrl-C, a crash or a full disk. It runs in the folder in which the run was "
             "started, from any current folder. Cells that crashed, timed out or ran out of "
             "memory are tried once more.\n"
             "\n"
             "Exit status: 0 good, 1 a wrong answer, 2 usage, 3 input or system, 5 a cell "
             "crashed, failed or timed out, 130 interrupted.",
};

/**
 * Checks that options that belong together are all given or all missing. Returns -1 if they are
 * valid.
 */
static int check_arguments(const run_arguments *args, bool own, int operands)
{
    const char *const missing = !args->a            ? "--a"
                                : !args->b          ? "--b"
                                : !args->trajectory ? "--trajectory"
                                : !args->quantity   ? "--quantity"
                                                    : NULL;
    if (own && missing) {
        return bench_usage_error("a pair of your own needs --a, --b, --trajectory and --quantity: "
                                 "%s is missing",
                                 missing);
    }
    if (own && operands > 0) {
        return bench_usage_error("run takes an experiment or a pair of your own, not both");
    }
    if (!own && operands != 1) {
        return bench_usage_error("run needs one experiment, or a pair of your own (--a, --b, ...)");
    }
    if (!own && args->tolerance) {
        return bench_usage_error("--tolerance is for a pair of your own: the scenarios of an "
                                 "experiment have their own tolerances");
    }
    if (own ? args->scenario : args->quantity) {
        return bench_usage_error(own ? "--scenario selects from an experiment: a pair of your own "
                                       "is one scenario"
                                     : "--quantity is for a pair of your own: the scenarios of an "
                                       "experiment have their own quantities");
    }
    const double most_gb = 1e6;
    const int status = bench_timeout_check(args->timeout_s);
    if (status < 0 && !(args->memory_gb >= 0 && args->memory_gb <= most_gb)) {
        return bench_usage_error("--memory %g is not between 0 and %g GB", args->memory_gb,
                                 most_gb);
    }
    return status;
}

static run_arguments default_arguments(void)
{
    return (run_arguments){.format = "table",
                           .timeout_s = BENCH_TIMEOUT_DEFAULT_S,
                           .scale_a = 1,
                           .scale_b = 1,
                           .seed = UINT64_MAX,
                           .launches = UINT64_MAX,
                           .rounds = UINT64_MAX};
}

/**
 * Checks the options of --resume, which must not change the run. Returns -1, or the exit status of
 * a usage error.
 */
static int check_resume(const run_arguments *args)
{
    const char *const texts[] = {args->a,         args->b,         args->trajectory, args->quantity,
                                 args->algorithm, args->scenario,  args->out,        args->mode,
                                 args->baseline,  args->tolerance, args->experiment};
    const run_arguments none = default_arguments();
    bool others = args->warm_only || args->no_cache || args->plugins.count > 0 ||
                  args->seed != none.seed || args->launches != none.launches ||
                  args->rounds != none.rounds || args->timeout_s != none.timeout_s ||
                  args->memory_gb != none.memory_gb || args->scale_a != 1 || args->scale_b != 1 ||
                  args->cache || bench_share_data;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        others = others || texts[i];
    }
    return others ? bench_usage_error("--resume continues the run with its own command: it takes "
                                      "no experiment, and no option but --format and --quiet")
                  : -1;
}

/**
 * Parses the arguments. argv[0] is "run"; words are moved. Returns -1, or the exit status that ends
 * the command.
 */
static int parse(int argc, char **argv, run_arguments *args)
{
    char quantity_help[512];
    snprintf(
        quantity_help, sizeof quantity_help,
        "quantities of a pair of your own: some of %s. Each is a scenario with the variants that "
        "answer it; with '+' (volume+force) one query asks for both; unified is distance+volume",
        bench_quantities_join(BENCH_ALL_QUANTITIES, ", ").text);
    char modes[64], mode_help[256];
    base_text_choices(scn_mode_names, modes, sizeof modes);
    snprintf(mode_help, sizeof mode_help,
             "%s: number of repetitions, instead of the experiment's mode, launches "
             "and rounds (default: the experiment's; %s); %s also takes its sizes of quick runs",
             modes, scn_mode_names[SCN_BENCH], scn_mode_names[SCN_SMOKE]);
    const bench_option options[] = {
        BENCH_BODIES_OPTIONS(*args),
        BENCH_OPTION("trajectory", "FILE", &args->trajectory,
                     "poses of B in A's frame (CSV), in metres"),
        BENCH_OPTION("quantity", "Q", &args->quantity, quantity_help),
        BENCH_OPTION("algorithm", "LIST", &args->algorithm,
                     "variants, by name or glob: 'ist*,brute'; of an experiment: only these "
                     "(default for a pair of your own: all algorithms that answer)"),
        BENCH_OPTION("plugin", "[LABEL=]FILE", &args->plugins, BENCH_PLUGIN_HELP),
        BENCH_OPTION("scenario", "LIST", &args->scenario,
                     "only these scenarios of an experiment (globs)"),
        BENCH_OPTION("baseline", "VARIANT", &args->baseline,
                     "the variant that others are compared with (default: the experiment's, or "
                     "the first that answers; for a pair of your own the first exact-* that "
                     "answers, or else the first)"),
        BENCH_OPTION("tolerance", "LIMITS", &args->tolerance,
                     "tolerance of a pair of your own: largest errors of a frame, by column: "
                     "'force_direction_deg=5 depth_left_rel=0.1'; other quantities have the "
                     "default (" BENCH_OWN_PAIR_TOLERANCE ")"),
        BENCH_OPTION("out", "DIR", &args->out,
                     "new folder for results (default: results/NAME-TIME)"),
        BENCH_OPTION("resume", "DIR", &args->resume, "continue the run in this folder"),
        BENCH_OPTION("mode", "MODE", &args->mode, mode_help),
        BENCH_OPTION_WITHIN(
            "launches", "N", &args->launches, 1, SCN_LAUNCHES_MAX,
            "processes of each variant, in every mode; modes bench and paper refuse too few for an "
            "interval (default: the experiment's or the mode's, and as many as the intervals of "
            "all variants need)"),
        BENCH_OPTION_WITHIN(
            "rounds", "N", &args->rounds, 1, SCN_ROUNDS_MAX,
            "warm passes in each launch, in every mode (default: the experiment's or the mode's)"),
        BENCH_OPTION("warm-only", NULL, &args->warm_only, "no passes with evicted caches"),
        BENCH_OPTION("seed", "N", &args->seed,
                     "seed of the algorithms' random numbers (default: the experiment's; 1)"),
        BENCH_OPTION("timeout", "S", &args->timeout_s, "limit of one build or one pass, seconds"),
        BENCH_OPTION("memory", "GB", &args->memory_gb,
                     "memory limit of one variant, and of all interleaved variants (0: three "
                     "quarters of the machine's memory)"),
        BENCH_OPTION("cache", "DIR", &args->cache,
                     "folder of truth, sampled trajectories and built bodies (default: "
                     "groundtruth/cache in the source tree, elsewhere $XDG_CACHE_HOME/proxbench)"),
        BENCH_OPTION("no-cache", NULL, &args->no_cache, "neither read nor write the cache"),
        BENCH_DATA_OPTION,
        BENCH_OPTION(
            "format", "FORMAT", &args->format,
            "format of the rows on standard output: table, or csv or json with all columns "
            "of cells.csv"),
        BENCH_OPTION("quiet", NULL, &args->quiet,
                     "no progress and no summary on stderr, only the folder of the results"),
        BENCH_OPTION_END,
    };
    int operands = 0;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    const bool own =
        args->a || args->b || args->trajectory || args->scale_a != 1 || args->scale_b != 1;
    args->experiment = operands > 0 ? argv[1] : NULL;
    if (ended >= 0) {
        return ended;
    }
    base_error err = {0};
    if (bench_format_parse(args->format, &args->rows, &err) != BASE_OK) {
        return bench_error(&err);
    }
    if (args->rows == BENCH_FORMAT_MARKDOWN) {
        return bench_usage_error(
            "run prints no Markdown: 'proxbench compare RUN --format markdown' does");
    }
    return args->resume ? check_resume(args) : check_arguments(args, own, operands);
}

/**
 * Replaces the arguments by those of the run that is resumed. Returns -1, or the exit status that
 * ends the command.
 */
static int parse_resumed(run_arguments *args, bench_command_line *line, base_error *err)
{
    const bench_format rows = args->rows;
    const bool quiet = args->quiet;
    const char *folder;
    char **words;
    if (bench_command_line_resume(args->resume, line, &folder, &words, err) != BASE_OK) {
        return bench_error(err);
    }
    *args = default_arguments();
    const int ended = parse(line->count, words, args);
    args->resume = folder;
    args->rows = rows;
    args->quiet = quiet;
    return ended;
}

static base_status open_experiment(const run_arguments *args, scn_experiment *e, base_error *err)
{
    base_status status = bench_plugins_load(&args->plugins, err);
    if (status != BASE_OK) {
        return status;
    }
    const bench_own own = {
        .bodies = {args->a, args->b, args->scale_a, args->scale_b},
        .trajectory = args->trajectory,
        .quantities = args->quantity,
        .algorithms = args->algorithm,
        .tolerance = args->tolerance,
        .mode = args->mode,
    };
    status = args->a ? bench_own_experiment(&own, e, err)
                     : bench_experiment_open(args->experiment, e, err);
    if (status == BASE_ERR_ARGUMENT && !args->a) {
        bench_items_hint(args->experiment, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    e->seed = args->seed != UINT64_MAX ? args->seed : e->seed;
    if (strcmp(args->mode ? args->mode : e->mode, scn_mode_names[SCN_SMOKE]) == 0) {
        status = scn_experiment_reduce(e, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    if (args->baseline) {
        e->baseline = base_arena_text(&e->arena, args->baseline);
        e->baseline_line = 0;
        return e->baseline ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    return BASE_OK;
}

int bench_cmd_run(int argc, char **argv)
{
    base_error err = {0};
    bench_command_line line = {0};
    scn_experiment experiment = {0};
    run_arguments args = default_arguments();
    if (bench_command_line_keep(argc, argv, &line, &err) != BASE_OK) {
        return bench_error(&err);
    }
    int ended = parse(argc, argv, &args);
    if (ended < 0 && args.resume) {
        ended = parse_resumed(&args, &line, &err);
    }
    if (ended >= 0) {
        base_arena_release(&line.arena);
        return ended;
    }
    bench_command_line_join(line.count, line.words, line.text, sizeof line.text);
    bench_catch_interrupts();
    bench_output_outlive_reader();
    char directory[BENCH_RUN_FOLDER_BYTES] = "";
    int exit_status = BENCH_GOOD;
    base_status status = open_experiment(&args, &experiment, &err);
    if (status == BASE_OK) {
        status = start(&args, &line, &experiment, directory, &exit_status, &err);
    }
    if (status != BASE_OK) {
        exit_status = bench_error(&err);
    }
    if (*directory) {
        /* If a resumed run fails for another reason than an error of the system, resuming it again
         * would fail in the same way. */
        const bool resumable = status == BASE_OK ? exit_status == BENCH_INTERRUPTED
                                                 : status == BASE_ERR_SYSTEM || !args.resume;
        bench_command_line_print_results("run", directory, status, resumable);
    }
    const bool ended_well = exit_status != BENCH_INTERRUPTED && exit_status != BENCH_INPUT;
    if (status == BASE_OK && ended_well && print_end(directory, &args, &err) != BASE_OK) {
        exit_status = bench_error(&err);
    }
    scn_experiment_release(&experiment);
    base_arena_release(&line.arena);
    return exit_status;
}
