/** `proxbench claims`: judges the claims of experiments by their runs. */
#include "suite/claims/claims.h"
#include "suite/commands/commands.h"
#include "suite/message.h"
#include "suite/options.h"
#include "suite/output.h"
#include "suite/results/run_folder.h"

/** Option values of the command. */
typedef struct claims_arguments {
    const char *experiment, *format, *out;
} claims_arguments;

static base_status judge_runs(const bench_claims_run *runs, size_t count,
                              const claims_arguments *args, bench_format format, int *exit_status,
                              base_error *err)
{
    bench_claims list;
    bench_output output;
    base_status status = bench_claims_judge(runs, count, &list, err);
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        char path[BENCH_RUN_PATH_BYTES];
        status = bench_run_file(runs[i].record.folder, path, err, "claims.csv");
        if (status == BASE_OK) {
            status = bench_output_open(path, &output, err);
        }
        if (status == BASE_OK) {
            status = bench_claims_write(&list, runs[i].experiment.name, output.file, err);
            status = bench_output_close(&output, status, err);
        }
    }
    if (status == BASE_OK) {
        status = bench_output_open(args->out, &output, err);
    }
    if (status == BASE_OK) {
        status = bench_claims_print(&list, format, output.file, err);
        status = bench_output_close(&output, status, err);
        *exit_status = bench_claims_disappoint(&list) ? BENCH_WRONG : BENCH_GOOD;
    }
    bench_claims_release(&list);
    return status;
}

static const bench_usage usage = {
    .usage = "claims RUN... [options]",
    .summary =
        "Judges the claims of experiments by their runs: claims of the papers, and claims of "
        "this suite. RUN is a folder, or the name of a folder in results/. Nothing is "
        "measured.\n"
        "\n"
        "A claim compares one number with limits. It holds if it holds for each cell that it "
        "selects; its row shows the worst cell. The verdict is certain only if the whole "
        "interval of the number is on one side of the limits. Otherwise, and if a run, a "
        "cell, a launch or a value is missing, the verdict is \"cannot tell\", with the "
        "reason. Ratios of times have the intervals of `compare`, widened by A/A.\n"
        "\n"
        "Some claims need runs of several experiments; name all of them.",
    .notes = "claims also writes RUN/claims.csv: the claims of the run's own experiment, each "
             "with the command that measures its number again. docs/experiments.md explains how "
             "to write a claim.\n"
             "\n"
             "Examples:\n"
             "  proxbench claims lpd-t\n"
             "  proxbench claims results/lpd-promises results/degenerate --format markdown\n"
             "\n"
             "Exit status: 0 good, 1 a claim that the experiment expects to hold does not hold, 2 "
             "usage, 3 input or system.",
};

int bench_cmd_claims(int argc, char **argv)
{
    claims_arguments args = {.format = "table"};
    const bench_option options[] = {
        BENCH_OPTION("experiment", "FILE", &args.experiment,
                     "take the claims from this file (default: the experiment of the run)"),
        BENCH_OPTION("format", "FORMAT", &args.format, BENCH_FORMAT_HELP),
        BENCH_OPTION("out", "FILE", &args.out, "write to FILE instead of standard output"),
        BENCH_OPTION_END,
    };
    int operands = 0;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    if (operands == 0) {
        return bench_usage_error("claims needs a RUN, or several");
    }
    if (args.experiment && operands > 1) {
        return bench_usage_error("--experiment is for one run");
    }
    base_error err = {0};
    bench_format format;
    int exit_status = BENCH_GOOD;
    bench_claims_run *runs = NULL;
    const size_t count = (size_t)operands;
    base_status status = bench_format_parse(args.format, &format, &err);
    if (status == BASE_OK) {
        status = bench_claims_open_all(argv + 1, count, args.experiment, &runs, &err);
    }
    if (status == BASE_OK) {
        status = judge_runs(runs, count, &args, format, &exit_status, &err);
        bench_claims_close_all(runs, count);
    }
    return status == BASE_OK ? exit_status : bench_error(&err);
}
