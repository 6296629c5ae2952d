/** `proxbench check`: the gate. Compares a run with its baseline, or new code with old code. */
#include "base/memory.h"
#include "suite/commands/check.h"
#include "suite/commands/command_line.h"
#include "suite/commands/commands.h"
#include "suite/gate/baseline.h"
#include "suite/gate/gate.h"
#include "suite/message.h"
#include "suite/output.h"
#include "suite/results/run_folder.h"
#include "suite/share.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/**
 * Sets the path of the baseline: that of --baseline, or that of the run's experiment. The latter is
 * searched in the current folder, where --bless writes it, and then among the files of the program.
 */
static base_status baseline_path(const bench_check_arguments *args, const bench_gate_cells *run,
                                 char path[BENCH_SHARE_BYTES], base_error *err)
{
    if (!args->baseline && !*run->experiment) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "'%s' does not say of which experiment it is: give --baseline",
                         run->folder);
    }
    char name[BENCH_SHARE_BYTES], shared[BENCH_SHARE_BYTES];
    snprintf(name, sizeof name, "reference/%s.csv", run->experiment);
    const int length = args->baseline
                           ? snprintf(path, BENCH_SHARE_BYTES, "%s", args->baseline)
                           : snprintf(path, BENCH_SHARE_BYTES, BENCH_BASELINE_DIRECTORY "/%s.csv",
                                      run->experiment);
    if (length >= BENCH_SHARE_BYTES) {
        return base_fail(err, BASE_ERR_ARGUMENT, "the path of the baseline is too long");
    }
    const bool own = access(path, F_OK) == 0 && !bench_share_data;
    if (!args->baseline && !args->bless && !own &&
        bench_share_path(name, shared, NULL) == BASE_OK) {
        memcpy(path, shared, sizeof shared);
    }
    return BASE_OK;
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
    char not_compared[256];
    bench_gate_not_compared(report, times, not_compared, sizeof not_compared);
    fprintf(output.file, "\nNot compared: %s.\n", not_compared);
    if (times) {
        bench_against_print_markdown(times, output.file);
    }
    return bench_output_close(&output, BASE_OK, err);
}

base_status bench_check_write(const bench_check_arguments *args, const bench_gate_report *report,
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

void bench_check_tell_totals(const bench_gate_report *report, bool job, const char *run,
                             const char *baseline)
{
    char totals[512], not_compared[256];
    bench_gate_totals(report, totals, sizeof totals);
    bench_gate_not_compared(report, job, not_compared, sizeof not_compared);
    fflush(stdout);
    fprintf(stderr, "proxbench: not compared: %s\n", not_compared);
    fprintf(stderr, "proxbench: check of '%s' against '%s': %s\n", run, baseline, totals);
}

static base_status check(const bench_check_arguments *args, const bench_gate_cells *run,
                         const char *baseline_file, int *exit_status, base_error *err)
{
    bench_gate_cells baseline = {0};
    bench_gate_report report = {.same = args->same};
    const char *const name = *run->experiment ? run->experiment : run->folder;
    struct stat file;
    if (stat(baseline_file, &file) != 0 && errno == ENOENT) {
        return base_fail(err, BASE_ERR_INPUT,
                         "there is no baseline '%s'; 'proxbench check --bless %s%s%s' makes it",
                         baseline_file, run->folder, args->baseline ? " --baseline " : "",
                         args->baseline ? args->baseline : "");
    }
    base_status status = args->accept ? bench_gate_accept(args->accept, &report, err) : BASE_OK;
    if (status != BASE_OK) {
        return status;
    }
    status = bench_gate_read_baseline(baseline_file, &baseline, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = bench_gate_check(&baseline, run, &report, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = bench_check_write(args, &report, NULL, name, err);
    if (status != BASE_OK) {
        goto done;
    }
    bench_check_tell_totals(&report, false, run->folder, baseline_file);
    *exit_status = bench_gate_exit_status(&report);
done:
    bench_gate_report_release(&report);
    bench_gate_cells_release(&baseline);
    return status;
}

/* --- Blessing --------------------------------------------------------------------------------- */

/** Finds the differences to the old baseline, if it exists. *there: the old baseline exists. */
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

static base_status bless(const bench_check_arguments *args, const bench_gate_cells *run,
                         const char *path, base_error *err)
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

/* --- The command ------------------------------------------------------------------------------ */

static base_status start(const bench_check_arguments *args, const char *name, int *exit_status,
                         base_error *err)
{
    char folder[BENCH_RUN_FOLDER_BYTES], path[BENCH_SHARE_BYTES];
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
    .usage = "check RUN [--baseline FILE] [--accept GATES] [--junit FILE] [--markdown FILE]\n"
             "check --bless RUN [--baseline FILE] [--force]\n"
             "check EXPERIMENT --against PROGRAM [options]\n"
             "check EXPERIMENT --plugin NEW.so --against-plugin OLD.so [options]",
    .summary =
        "The gate: holds a run against a baseline. In this order: answers are the same, to the "
        "last bit or within the tolerance that a variant declares, and those of an approximate "
        "method no farther from the truth; no contract is violated; counters are no higher; "
        "nothing is missing; nothing has crashed or timed out; no algorithm of this program "
        "allocates in a query. Prints a row for each finding. RUN is a folder, or the name of one "
        "in results/.\n\n"
        "--bless makes the run the baseline, and says what that changes. An interrupted run is "
        "never blessed; one with cells that died or are wrong only with --force: then that is "
        "what the next run has to do.\n\n"
        "--against runs an experiment with old and new code interleaved, holds the new answers "
        "against the old ones, and then the times: a variant is slower when the lower bound of "
        "new / old is beyond the tolerance and beyond what the old one shows against itself, and "
        "a second job agrees. Launches are added until both intervals are as narrow as the "
        "tolerance, or the time limit is reached.",
    .notes = "Examples:\n"
             "  proxbench run ci --out results/change && proxbench check results/change\n"
             "  proxbench check --bless results/change\n"
             "  proxbench check ci --against ../old/build/release/proxbench --algorithm 'ist*'\n"
             "  proxbench check ci --plugin ./libmine.so --against-plugin ../old/libmine.so\n\n"
             "Gates: answers, contract, counters, cells, ending, allocations, instructions, time,\n"
             "build, memory; with --strict also noise.\n\n"
             "Exit status: 0 good, 1 answers, contract, counters, missing cells or allocations,\n"
             "2 usage, 3 input or system, 4 slower or more memory, 5 a cell crashed, failed or "
             "timed out,\n"
             "6 cannot tell whether it is slower (--strict), 130 interrupted.",
};

/** Checks that the options of the two forms are not mixed. Returns -1 if they are valid. */
static int arguments_fit(const bench_check_arguments *args, int operands)
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
                        args->strict || args->instructions || args->launches != UINT64_MAX ||
                        args->rounds != UINT64_MAX;
    if (!against && chosen) {
        return bench_usage_error("--algorithm, --scenario, --mode, --launches, --rounds, --out, "
                                 "--strict and --instructions go with --against or "
                                 "--against-plugin");
    }
    if (args->bless && (args->accept || args->same)) {
        return bench_usage_error("--bless takes the run as it is: no --accept, no --same");
    }
    if (!(args->time_limit_s >= 0)) {
        return bench_usage_error("--time-limit is 0 or more seconds");
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

static int parse(int argc, char **argv, bench_check_arguments *args)
{
    const bench_option options[] = {
        BENCH_OPTION("baseline", "FILE", &args->baseline,
                     "what to hold against (default: results/reference/EXPERIMENT.csv)"),
        BENCH_OPTION("accept", "GATES", &args->accept,
                     "what these gates find is told and fails nothing: \"answers,counters\""),
        BENCH_OPTION("same", NULL, &args->same,
                     "fail also what got better: fewer counts, a better approximation"),
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
        BENCH_OPTION("strict", NULL, &args->strict,
                     "fail also when the machine is too noisy to tell (exit status 6)"),
        BENCH_OPTION("instructions", NULL, &args->instructions,
                     "count them under valgrind where the kernel does not: one pass of each, exact "
                     "on any machine"),
        BENCH_OPTION("time-limit", "S", &args->time_limit_s,
                     "of the launches that are added until the times are sure; 0: add none"),
        BENCH_OPTION("mode", "MODE", &args->mode, "how truth is found (default: the experiment's)"),
        BENCH_OPTION(
            "launches", "N", &args->launches,
            "processes of each to begin with, at least 6 (default: 12, or more if the mode "
            "says so)"),
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
    return ended >= 0 ? ended : arguments_fit(args, operands);
}

int bench_cmd_check(int argc, char **argv)
{
    bench_check_arguments args = {.format = "table",
                                  .tolerance = "5%",
                                  .launches = UINT64_MAX,
                                  .rounds = UINT64_MAX,
                                  .timeout_s = BENCH_TIMEOUT_DEFAULT_S,
                                  .time_limit_s = 120};
    const int ended = parse(argc, argv, &args);
    if (ended >= 0) {
        return ended;
    }
    int exit_status = BENCH_GOOD;
    base_error err = {0};
    const base_status status = args.against || args.against_plugin
                                   ? bench_check_against(&args, argv[1], &exit_status, &err)
                                   : start(&args, argv[1], &exit_status, &err);
    return status == BASE_OK ? exit_status : bench_error(&err);
}
