/** `proxbench table`: prints user-defined columns of cells, frames or builds of runs. */
#include "suite/claims/claims.h"
#include "suite/commands/commands.h"
#include "suite/message.h"
#include "suite/options.h"
#include "suite/output.h"

#include <math.h>

/** Option values of the command. */
typedef struct table_arguments {
    const char *columns, *of, *where, *scenario, *bodies, *algorithm, *against, *together;
    const char *experiment, *format, *out;
} table_arguments;

static base_status print_table(const bench_listing *listing, const bench_claims_run *runs,
                               size_t count, const table_arguments *args, base_error *err)
{
    bench_format format;
    bench_output output;
    base_status status = bench_format_parse(args->format, &format, err);
    if (status == BASE_OK) {
        status = bench_output_open(args->out, &output, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    status = bench_listing_print(listing, runs, count, format, output.file, err);
    return bench_output_close(&output, status, err);
}

static const bench_usage usage = {
    .usage = "table RUN... --columns 'NAME: FORMULA; ...' [options]",
    .summary =
        "Prints numbers of runs: a row for each cell (a variant on a scenario), and a column "
        "for each formula. RUN is a folder, or the name of a folder in results/. A folder of "
        "`proxbench simulate` has a row for each simulation. Nothing is measured.\n"
        "\n"
        "Formulas are those of claims (docs/experiments.md): columns of cells.csv, "
        "arithmetic, time(warm) and ratio(warm) with their intervals, and statistics over "
        "frames, regions or builds with --of. `proxbench list columns` lists the columns of "
        "all files. A missing value is \"-\". A column of words, such as 'status', shows the "
        "words.",
    .notes = "Examples:\n"
             "  proxbench table bench --columns 'mean: time(warm); longest: "
             "time_intrinsic_max_ns'\n"
             "  proxbench table lpd-t --of frames --where 'segments_count >= 20' --columns "
             "'frames: sum(1); stage 1: p50(stage_curves_ns)'\n\n"
             "Exit status: 0 good, 2 usage, 3 input or system.",
};

int bench_cmd_table(int argc, char **argv)
{
    table_arguments args = {.format = "table", .against = "baseline"};
    const bench_option options[] = {
        BENCH_OPTION("columns", "LIST", &args.columns,
                     "formulas with ';' between them; 'NAME:' before a formula is optional"),
        BENCH_OPTION("of", "cells|frames|regions|fixed|moving", &args.of,
                     "rows of statistics (default: cells)"),
        BENCH_OPTION("where", "CONDITION", &args.where, "a formula: only rows in which it is true"),
        BENCH_OPTION("scenario", "LIST", &args.scenario, "show only these scenarios (globs)"),
        BENCH_OPTION("bodies", "LIST", &args.bodies, "show only builds of these bodies (globs)"),
        BENCH_OPTION("algorithm", "LIST", &args.algorithm, "show only these variants (globs)"),
        BENCH_OPTION("against", "VARIANT", &args.against,
                     "variant, or settings 'KEY=VALUE', for ratio() and other.COLUMN (default: the "
                     "baseline)"),
        BENCH_OPTION("together", "scenarios|variants|all", &args.together,
                     "one row for all scenarios of a variant, all variants of a scenario, or all"),
        BENCH_OPTION("experiment", "FILE", &args.experiment,
                     "experiment of the run (default: that of the run's manifest)"),
        BENCH_OPTION("format", "FORMAT", &args.format, BENCH_FORMAT_HELP),
        BENCH_OPTION("out", "FILE", &args.out, "write to FILE instead of standard output"),
        BENCH_OPTION_END,
    };
    int operands = 0;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    if (operands == 0 || !args.columns) {
        return bench_usage_error("table needs %s",
                                 args.columns ? "a RUN, or several" : "--columns");
    }
    base_error err = {0};
    bench_listing listing = {.selection = {.of = args.of,
                                           .where = args.where,
                                           .scenarios = args.scenario,
                                           .bodies = args.bodies,
                                           .variants = args.algorithm,
                                           .against = args.against,
                                           .together = args.together,
                                           .paper = NAN}};
    base_status status = bench_listing_parse(args.columns, &listing, &err);
    bench_claims_run *runs = NULL;
    const size_t count = (size_t)operands;
    if (status == BASE_OK) {
        status = bench_claims_open_all(argv + 1, count, args.experiment, &runs, &err);
    }
    if (status == BASE_OK) {
        status = print_table(&listing, runs, count, &args, &err);
        bench_claims_close_all(runs, count);
    }
    return status == BASE_OK ? BENCH_GOOD : bench_error(&err);
}
