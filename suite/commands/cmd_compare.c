/** `proxbench compare`: ratios, fronts and winners of a run; or the answers of two runs. */
#include "suite/commands/commands.h"
#include "suite/compare/builds.h"
#include "suite/compare/elsewhere.h"
#include "suite/compare/report.h"
#include "suite/message.h"
#include "suite/output.h"
#include "suite/results/reference.h"
#include "suite/results/run_folder.h"

#include <string.h>

/** Option values of the command. */
typedef struct compare_arguments {
    const char *baseline, *scenario, *algorithm, *error, *need, *format, *out;
    bool cells;
} compare_arguments;

typedef struct request {
    bench_format format;
    double tolerance; /* tolerance of winners */
    bench_need need;
    bench_names scenarios, algorithms;
    const char *baseline, *out;
    bool has_need, cells;
} request;

static base_status parse_request(const compare_arguments *args, request *r, base_error *err)
{
    *r = (request){
        .baseline = args->baseline, .out = args->out, .has_need = args->need, .cells = args->cells};
    r->tolerance = BENCH_OWN_TOLERANCE;
    base_status status = bench_format_parse(args->format, &r->format, err);
    if (status == BASE_OK && args->error) {
        status = bench_percent_parse("--error", args->error, &r->tolerance, err);
    }
    if (status == BASE_OK && args->need) {
        status = bench_need_parse(args->need, &r->need, err);
    }
    if (status == BASE_OK && args->scenario) {
        status = bench_names_split(args->scenario, &r->scenarios, err);
    }
    if (status == BASE_OK && args->algorithm) {
        status = bench_names_split(args->algorithm, &r->algorithms, err);
    }
    return status;
}

/* --- One run ---------------------------------------------------------------------------------- */

static base_status print_run(const bench_record *record, const bench_comparisons *list,
                             const request *r, FILE *file, base_error *err)
{
    if (bench_format_is_for_scripts(r->format)) {
        return bench_report_ratios(list, false, r->format, file, err);
    }
    bench_front front;
    base_status status = bench_front_make(record, r->tolerance, &front, err);
    if (status == BASE_OK) {
        status = bench_report_run(record, list, &front, r->format, file, err);
        bench_front_release(&front);
    }
    if (status == BASE_OK && bench_builds_are_timed(record->folder)) {
        bench_build_ratios builds;
        status = bench_build_ratios_make(record->folder, &builds, err);
        if (status == BASE_OK) {
            status = bench_build_ratios_print(&builds, record, r->format, file, err);
        }
        bench_build_ratios_release(&builds);
    }
    return status == BASE_OK ? bench_elsewhere_print(record, r->format, file, err) : status;
}

/**
 * Writes the files and prints the report. The files hold the whole run, whatever is selected for
 * printing. *exit_status: BENCH_WRONG if no variant fits the need in some scenario.
 */
static base_status compare_run(const char *name, const request *r, int *exit_status,
                               base_error *err)
{
    char run[BENCH_RUN_FOLDER_BYTES];
    bench_record record = {0};
    bench_comparisons list = {0};
    bench_output output;
    base_status status = bench_run_find(name, run, err);
    if (status == BASE_OK) {
        status = bench_record_open(run, BENCH_RECORD_LAUNCHES, &record, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    status = bench_comparisons_make(&record, r->baseline, &list, err);
    if (status == BASE_OK) {
        status = bench_comparison_keep(run, &record, r->tolerance, &list, err);
    }
    if (status == BASE_OK) {
        status = bench_record_select(&record, &r->algorithms, &r->scenarios, err);
    }
    if (status == BASE_OK) {
        status = bench_output_open(r->out, &output, err);
    }
    if (status == BASE_OK) {
        if (r->has_need) {
            bench_fits fits;
            status = bench_fits_make(&record, &r->need, &fits, err);
            if (status == BASE_OK) {
                status = bench_fits_print(&record, &fits, r->format, output.file, err);
                *exit_status = fits.everywhere ? BENCH_GOOD : BENCH_WRONG;
                bench_fits_release(&fits);
            }
        } else {
            status = r->cells ? bench_report_cells(&record, r->format, output.file, err)
                              : print_run(&record, &list, r, output.file, err);
        }
        status = bench_output_close(&output, status, err);
    }
    bench_comparisons_release(&list);
    bench_record_release(&record);
    return status;
}

/* --- Two runs --------------------------------------------------------------------------------- */

static void print_notes(const bench_answers *a)
{
    if (a->times) {
        fprintf(stderr, "proxbench: times are shown without a verdict: the two runs were not "
                        "interleaved\n");
    } else {
        fprintf(stderr,
                "proxbench: times are not compared, the runs are of different machines: %s\n",
                a->differing);
    }
    if (a->unlike > 0) {
        fprintf(stderr, "proxbench: %zu of %zu cells do not have the same answers\n", a->unlike,
                a->count);
    }
}

/** Opens a run for its answers, and selects cells as requested. */
static base_status open_answers(const char *name, const request *r, bench_record *record,
                                base_error *err)
{
    char run[BENCH_RUN_FOLDER_BYTES];
    base_status status = bench_run_find(name, run, err);
    if (status != BASE_OK) {
        return status;
    }
    status = bench_record_open(run, BENCH_RECORD_FACTS | BENCH_RECORD_CELLS, record, err);
    return status == BASE_OK ? bench_record_select(record, &r->algorithms, &r->scenarios, err)
                             : status;
}

static base_status compare_runs(char **names, const request *r, int *exit_status, base_error *err)
{
    bench_record records[2] = {0};
    bench_answers answers = {0};
    bench_output output;
    base_status status = open_answers(names[0], r, &records[0], err);
    if (status == BASE_OK) {
        status = open_answers(names[1], r, &records[1], err);
    }
    if (status == BASE_OK) {
        status = bench_answers_make(records, &answers, err);
    }
    if (status == BASE_OK) {
        status = bench_output_open(r->out, &output, err);
    }
    if (status == BASE_OK) {
        status = bench_answers_print(&answers, r->format, output.file, err);
        status = bench_output_close(&output, status, err);
    }
    if (status == BASE_OK) {
        print_notes(&answers);
        *exit_status = answers.unlike > 0 ? BENCH_WRONG : BENCH_GOOD;
    }
    bench_answers_release(&answers);
    bench_record_release(&records[0]);
    bench_record_release(&records[1]);
    return status;
}

/* --- The command ------------------------------------------------------------------------------ */

static const bench_usage usage = {
    .usage = "compare RUN [options]\n"
             "compare RUN --for deadline=TIME,error=PERCENT [options]\n"
             "compare RUN RUN [options]",
    .summary =
        "Compares the variants of a run with its baseline: ratios of times with intervals, "
        "the front of error against time, and the fastest variant within the tolerance. RUN "
        "is a folder, or the name of a folder in results/. Nothing is measured.\n"
        "\n"
        "A ratio is time of variant / time of baseline; below 1 the variant is faster. It "
        "compares the two in one launch, whose rounds are interleaved. Each frame counts "
        "with its median over the rounds, so that interruptions do not count. Each launch "
        "gives one value, and the interval is that of the exact sign test on launches, at 95 "
        "% for all variants of a scenario together. The column A/A is the ratio of a second "
        "copy of the baseline. A variant is called faster or slower if its interval excludes "
        "1 and its ratio is outside of the interval of A/A. Without A/A (modes smoke and ci) "
        "there is no verdict. The verdict of a variant that answers nothing is \"floor\". "
        "The verdict of a cell that is not ok is its status.\n"
        "\n"
        "Errors are relative to the size (distance) or to the truth (volume), or the share "
        "of wrong verdicts (contact). Up to 1e-9 an answer is exact. The front is that of "
        "the mean error and the 99th percentile of the frames' times. The errors of a winner "
        "are within the tolerance of its scenario in every frame. Modes smoke and ci ask "
        "only one method for the truth; this method itself is not judged there. A quantity "
        "whose truth is 0 in every frame is left out.\n"
        "\n"
        "With --for, prints the variants whose slowest frame (max: each frame at its fastest "
        "pass) and largest error are within the need, the best variant first. If no variant "
        "fits, prints the nearest variant and by how much it misses the need.\n"
        "\n"
        "Of two runs only the answers are compared, because their times were not "
        "interleaved. Times are shown if both runs are from the same machine.\n"
        "\n"
        "For an experiment with builds = \"timed\", the ratios of build times follow, for "
        "each pair of variants that differ in one parameter. Each of their intervals has 95 "
        "% by itself.",
    .notes = "compare RUN also writes RUN/compare.csv, RUN/pareto.csv and RUN/build_ratios.csv. "
             "They always contain the whole run.\n"
             "\n"
             "Examples:\n"
             "  proxbench compare bench\n"
             "  proxbench compare results/bench --baseline brute --scenario 'small/*'\n"
             "  proxbench compare bench --for deadline=1ms,error=1% --scenario 'small/*'\n"
             "  proxbench compare bench --format markdown --out comparison.md\n"
             "  proxbench compare results/before results/after\n"
             "\n"
             "Exit status: 0 good, 1 the answers of two runs differ, or with --for no variant "
             "fits in one of the shown scenarios, 2 usage, 3 input or system.",
};

int bench_cmd_compare(int argc, char **argv)
{
    compare_arguments args = {.format = "table"};
    const bench_option options[] = {
        BENCH_OPTION("baseline", "VARIANT", &args.baseline,
                     "compare with this variant (default: the run's baseline)"),
        BENCH_OPTION("scenario", "LIST", &args.scenario, "show only these scenarios (globs)"),
        BENCH_OPTION("algorithm", "LIST", &args.algorithm, "show only these variants (globs)"),
        BENCH_OPTION("error", "PERCENT", &args.error,
                     "largest error of a winner, in place of the tolerances of the run"),
        BENCH_OPTION("for", "NEED", &args.need,
                     "print the variants that fit: 'deadline=1ms,error=1%', or one of both"),
        BENCH_OPTION("cells", NULL, &args.cells, "print the table of the run instead of ratios"),
        BENCH_OPTION("format", "FORMAT", &args.format, BENCH_FORMAT_HELP),
        BENCH_OPTION("out", "FILE", &args.out, "write to FILE instead of standard output"),
        BENCH_OPTION_END,
    };
    int operands = 0;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    if (operands != 1 && operands != 2) {
        return bench_usage_error("compare needs one RUN, or two");
    }
    if (operands == 2 && (args.need || args.baseline || args.cells)) {
        return bench_usage_error("--%s is for one run: of two only answers are compared",
                                 args.need       ? "for"
                                 : args.baseline ? "baseline"
                                                 : "cells");
    }
    if (args.need && args.cells) {
        return bench_usage_error("--for and --cells exclude each other");
    }
    base_error err = {0};
    request r;
    int exit_status = BENCH_GOOD;
    base_status status = parse_request(&args, &r, &err);
    if (status == BASE_OK) {
        status = operands == 1 ? compare_run(argv[1], &r, &exit_status, &err)
                               : compare_runs(argv + 1, &r, &exit_status, &err);
    }
    return status == BASE_OK ? exit_status : bench_error(&err);
}
