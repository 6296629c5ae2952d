/** `proxbench check`: the gate. */
#include "suite/gate/gate.h"
#include "suite/run/run.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/** Option values of the command. */
typedef struct check_arguments {
    const char *baseline, *junit, *markdown, *format;
    bool bless, force;
} check_arguments;

/** The baseline of the run's experiment, unless another one is given. */
static geo_status baseline_path(const check_arguments *args, const bench_gate_cells *run,
                                char path[BENCH_RUN_FOLDER_BYTES], geo_error *err)
{
    const int length = args->baseline
                           ? snprintf(path, BENCH_RUN_FOLDER_BYTES, "%s", args->baseline)
                           : snprintf(path, BENCH_RUN_FOLDER_BYTES,
                                      BENCH_BASELINE_DIRECTORY "/%s.csv", run->experiment);
    if (!args->baseline && !*run->experiment) {
        return geo_fail(err, GEO_ERR_ARGUMENT,
                        "'%s' does not say of which experiment it is: give --baseline",
                        run->folder);
    }
    return length < BENCH_RUN_FOLDER_BYTES
               ? GEO_OK
               : geo_fail(err, GEO_ERR_ARGUMENT, "the path of the baseline is too long");
}

typedef void print_function(const bench_gate_report *report, const char *name, FILE *file);

/** One of the report's files, when it is asked for; whole or not at all. */
static geo_status write_report(const bench_gate_report *report, const char *path,
                               print_function *print, const char *name, geo_error *err)
{
    if (!path) {
        return GEO_OK;
    }
    bench_output output;
    const geo_status status = bench_output_open(path, &output, err);
    if (status != GEO_OK) {
        return status;
    }
    print(report, name, output.file);
    return bench_output_close(&output, GEO_OK, err);
}

static geo_status write_reports(const check_arguments *args, const bench_gate_report *report,
                                const char *name, geo_error *err)
{
    char title[BENCH_RUN_FOLDER_BYTES + 32];
    snprintf(title, sizeof title, "proxbench check: %s", name);
    bool csv = false;
    geo_status status = bench_format_parse(args->format, &csv, err);
    if (status == GEO_OK) {
        status = bench_gate_print_rows(report, csv, stdout, err);
    }
    if (status == GEO_OK) {
        status = write_report(report, args->junit, bench_gate_print_junit, name, err);
    }
    if (status == GEO_OK) {
        status = write_report(report, args->markdown, bench_gate_print_markdown, title, err);
    }
    return status;
}

/** The last line for people: what was held against what, and how it went. */
static void print_totals(const bench_gate_report *report, const char *run, const char *baseline)
{
    char totals[512];
    bench_gate_totals(report, totals, sizeof totals);
    fflush(stdout);
    fprintf(stderr, "proxbench: check of '%s' against '%s': %s\n", run, baseline, totals);
}

static geo_status check(const check_arguments *args, const bench_gate_cells *run,
                        const char *baseline_file, int *exit_status, geo_error *err)
{
    bench_gate_cells baseline = {0};
    bench_gate_report report = {0};
    struct stat file;
    if (stat(baseline_file, &file) != 0 && errno == ENOENT) {
        return geo_fail(err, GEO_ERR_INPUT,
                        "there is no baseline '%s'; 'proxbench check --bless %s' makes it",
                        baseline_file, run->folder);
    }
    geo_status status = bench_gate_read_baseline(baseline_file, &baseline, err);
    if (status == GEO_OK) {
        status = bench_gate_check(&baseline, run, &report, err);
    }
    if (status == GEO_OK) {
        const char *const name = *run->experiment ? run->experiment : run->folder;
        status = write_reports(args, &report, name, err);
    }
    if (status == GEO_OK) {
        print_totals(&report, run->folder, baseline_file);
        *exit_status = bench_gate_exit_status(&report);
    }
    bench_gate_report_release(&report);
    bench_gate_cells_release(&baseline);
    return status;
}

/* --- Blessing ----------------------------------------------------------------------------------
 */

enum { CHANGES_MAX = 10 }; /* told one by one */

/** What a new baseline changes: a line for each cell and gate with something to say. */
static void print_changes(const bench_gate_report *report)
{
    size_t told = 0, hidden = 0;
    for (size_t i = 0; i < report->case_count; i++) {
        const bench_gate_case *const c = &report->cases[i];
        if (c->count == 0) {
            continue;
        }
        if (told == CHANGES_MAX) {
            hidden++;
            continue;
        }
        told++;
        const bench_gate_finding *const f = &report->findings[c->first];
        printf("changed: %s on %s: %s: ", c->variant, c->scenario, bench_gate_name(c->gate));
        if (f->frame >= 0) {
            printf("from frame %lld on: ", (long long)f->frame);
        }
        if (*f->column && (*f->expected || *f->got)) {
            printf("%s was %s, is %s%s", f->column, *f->expected ? f->expected : "empty",
                   *f->got ? f->got : "empty", *f->note ? ", " : "");
        } else if (*f->column) {
            printf("%s: ", f->column);
        }
        puts(f->note);
    }
    if (hidden > 0) {
        printf("... and %zu more changes\n", hidden);
    }
    if (told == 0) {
        puts("nothing changed");
    }
}

/** The differences to the baseline that is there; none when there is none. */
static geo_status compare_old(const bench_gate_cells *run, const char *path,
                              bench_gate_report *report, bool *there, geo_error *err)
{
    struct stat file;
    *there = stat(path, &file) == 0;
    if (!*there) {
        return GEO_OK;
    }
    bench_gate_cells old = {0};
    geo_status status = bench_gate_read_baseline(path, &old, err);
    if (status == GEO_OK) {
        status = bench_gate_check(&old, run, report, err);
    }
    bench_gate_cells_release(&old);
    return status;
}

static geo_status bless(const check_arguments *args, const bench_gate_cells *run, const char *path,
                        geo_error *err)
{
    bench_gate_report changes = {0};
    bool there = false;
    geo_error unreadable = {0};
    const geo_status compared = compare_old(run, path, &changes, &there, &unreadable);
    geo_status status = bench_gate_bless(run, path, args->force, err);
    if (status == GEO_OK && compared != GEO_OK) {
        bench_warn("the old baseline cannot be compared: %s", unreadable.text);
    } else if (status == GEO_OK && there) {
        print_changes(&changes);
    }
    if (status == GEO_OK) {
        fprintf(stderr, "proxbench: '%s' holds %zu cells of '%s' now\n", path, run->count,
                run->folder);
    }
    bench_gate_report_release(&changes);
    return status;
}

/* --- The command -------------------------------------------------------------------------------
 */

static geo_status start(const check_arguments *args, const char *name, int *exit_status,
                        geo_error *err)
{
    char folder[BENCH_RUN_FOLDER_BYTES], path[BENCH_RUN_FOLDER_BYTES];
    bench_gate_cells run = {0};
    bool csv;
    geo_status status = bench_format_parse(args->format, &csv, err);
    if (status == GEO_OK) {
        status = bench_run_find(name, folder, err);
    }
    if (status == GEO_OK) {
        status = bench_gate_read_run(folder, &run, err);
    }
    if (status == GEO_OK) {
        status = baseline_path(args, &run, path, err);
    }
    if (status == GEO_OK) {
        status =
            args->bless ? bless(args, &run, path, err) : check(args, &run, path, exit_status, err);
    }
    bench_gate_cells_release(&run);
    return status;
}

static const bench_usage usage = {
    .usage = "check RUN [--baseline FILE] [--junit FILE] [--markdown FILE]\n"
             "check --bless RUN [--baseline FILE] [--force]",
    .summary =
        "The gate: holds a run against a baseline. In this order: answers are the same, to the "
        "last bit or within the tolerance that a variant declares; no contract is violated; "
        "counters are equal; nothing is missing; nothing has crashed or timed out; no "
        "algorithm of this program allocates in a query. Prints a row for each finding. RUN is a "
        "folder, or the name of one in results/.\n"
        "--bless makes the run the baseline, and says what that changes. An interrupted run is "
        "never blessed; one with cells that died or are wrong only with --force: then that is "
        "what the next run has to do.",
    .notes = "Examples:\n"
             "  proxbench run ci --out results/mine && proxbench check results/mine\n"
             "  proxbench check --bless results/mine\n"
             "Exit status: 0 good, 1 answers, contract, counters, missing cells or allocations,\n"
             "2 usage, 3 input or system, 5 a cell crashed, failed or timed out.",
};

int bench_cmd_check(int argc, char **argv)
{
    check_arguments args = {.format = "table"};
    const bench_option options[] = {
        BENCH_OPTION("baseline", "FILE", &args.baseline,
                     "what to hold against (default: results/reference/EXPERIMENT.csv)"),
        BENCH_OPTION("junit", "FILE", &args.junit, "also as JUnit XML ('-': standard output)"),
        BENCH_OPTION("markdown", "FILE", &args.markdown, "also as Markdown, for a pull request"),
        BENCH_OPTION("format", "F", &args.format, "of the rows: table or csv"),
        BENCH_OPTION("bless", NULL, &args.bless, "make this run the baseline"),
        BENCH_OPTION("force", NULL, &args.force, "bless also what died or is wrong"),
        BENCH_OPTION_END,
    };
    int operands;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    if (operands != 1) {
        return bench_usage_error("check needs one RUN");
    }
    if (args.force && !args.bless) {
        return bench_usage_error("--force goes with --bless");
    }
    if (args.bless && (args.junit || args.markdown)) {
        return bench_usage_error("--bless writes the baseline alone: no --junit, no --markdown");
    }
    int exit_status = BENCH_GOOD;
    geo_error err = {0};
    if (start(&args, argv[1], &exit_status, &err) != GEO_OK) {
        return bench_error(&err);
    }
    return exit_status;
}
