/** `proxbench claims`: judges the claims of experiments by their runs. */
#include "suite/claims/claims.h"
#include "suite/commands/commands.h"
#include "suite/message.h"
#include "suite/options.h"
#include "suite/output.h"
#include "suite/results/run_folder.h"

#include <stdio.h>
#include <string.h>

/** Option values of the command. */
typedef struct claims_arguments {
    const char *experiment, *format, *out, *against;
    bench_claims_choice choice;
} claims_arguments;

/** Prints the rows, or those that differ from the rows of --against. */
static base_status print(const bench_claims *list, const claims_arguments *args,
                         bench_format format, int *exit_status, base_error *err)
{
    bench_claims earlier = {0};
    bench_output output;
    size_t compared = 0, different = 0;
    base_status status = args->against ? bench_claims_read(&earlier, args->against, err) : BASE_OK;
    if (status == BASE_OK) {
        status = bench_output_open(args->out, &output, err);
    }
    if (status == BASE_OK) {
        status = args->against ? bench_claims_compare(list, &earlier, &args->choice, format,
                                                      output.file, &compared, &different, err)
                               : bench_claims_print(list, &args->choice, format, output.file, err);
        status = bench_output_close(&output, status, err);
    }
    if (status == BASE_OK && args->against) {
        bench_note("claims that differ from '%s': %zu of %zu", args->against, different, compared);
    }
    bench_claims_release(&earlier);
    const bool bad = args->against ? different > 0 : bench_claims_disappoint(list);
    *exit_status = bad ? BENCH_WRONG : BENCH_GOOD;
    return status;
}

/** Judges the runs, and writes the claims.csv of each. */
static base_status judge_runs(const bench_claims_run *runs, size_t count, bench_claims *list,
                              base_error *err)
{
    bench_output output;
    base_status status = bench_claims_judge(runs, count, list, err);
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        char path[BENCH_RUN_PATH_BYTES];
        status = bench_run_file(runs[i].record.folder, path, err, "claims.csv");
        if (status == BASE_OK) {
            status = bench_output_open(path, &output, err);
        }
        if (status == BASE_OK) {
            status = bench_claims_write(list, runs[i].experiment.name, output.file, err);
            status = bench_output_close(&output, status, err);
        }
    }
    return status;
}

/** True if the operand is a file of rows, and not a run. */
static bool is_file(const char *operand)
{
    const size_t length = strlen(operand);
    return length > 4 && strcmp(operand + length - 4, ".csv") == 0;
}

/** Reads the operands: files of rows, or runs. */
static base_status collect(char *const *operands, size_t count, const claims_arguments *args,
                           bench_claims *list, base_error *err)
{
    base_status status = BASE_OK;
    *list = (bench_claims){0};
    if (is_file(operands[0])) {
        for (size_t i = 0; i < count && status == BASE_OK; i++) {
            status = bench_claims_read(list, operands[i], err);
        }
        return status;
    }
    bench_claims_run *runs = NULL;
    status = bench_claims_open_all(operands, count, args->experiment, &runs, err);
    if (status == BASE_OK) {
        status = judge_runs(runs, count, list, err);
        bench_claims_close_all(runs, count);
    }
    return status;
}

static const bench_usage usage = {
    .usage = "claims RUN... [options]\n"
             "claims FILE.csv... [options]",
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
        "Some claims need runs of several experiments; name all of them.\n"
        "\n"
        "FILE.csv contains verdicts that were given before: the claims.csv of a run, or the output "
        "of --format csv. The tables of --format markdown are those of docs/papers.md: claims that "
        "do not hold come first, and of several rows of a claim the one with the most repetitions "
        "is shown; \"" BENCH_CLAIMS_REDUCED "\" marks verdicts of reduced runs (mode smoke).",
    .notes = "claims also writes RUN/claims.csv: the claims of the run's own experiment, each "
             "with the command that measures its number again. docs/experiments.md explains how "
             "to write a claim.\n"
             "\n"
             "Examples:\n"
             "  proxbench claims lpd-t\n"
             "  proxbench claims results/lpd-promises results/degenerate --format csv\n"
             "  proxbench claims results/papers/claims.csv --paper IST --whose paper\n"
             "  proxbench claims results/papers/claims.csv --against earlier.csv\n"
             "\n"
             "Exit status: 0 good, 1 a claim that the experiment expects to hold does not hold, or "
             "a claim differs from that of --against, 2 usage, 3 input or system.",
};

int bench_cmd_claims(int argc, char **argv)
{
    claims_arguments args = {.format = "table", .choice = {.combined = 8}};
    char against_help[300];
    snprintf(against_help, sizeof against_help,
             "print only claims that differ from the rows of this file, of the same mode: numbers "
             "without a clock by more than 1e-9 of themselves, ratios of times by more than a "
             "factor of %d beyond their intervals; times are not compared",
             BENCH_CLAIMS_FACTOR);
    const bench_option options[] = {
        BENCH_OPTION("experiment", "FILE", &args.experiment,
                     "take the claims from this file (default: the experiment of the run)"),
        BENCH_OPTION("format", "FORMAT", &args.format, BENCH_FORMAT_HELP),
        BENCH_OPTION("paper", "KEY", &args.choice.paper, "only claims of this paper's experiments"),
        BENCH_OPTION("whose", "WORD", &args.choice.whose,
                     "only claims of the paper, or only ours: claims of this suite"),
        BENCH_OPTION(
            "combine", "N", &args.choice.combined,
            "Markdown: claims of an item (IST-F7) are one row, with all their numbers, if they are "
            "more than N (default: 8); of more than 8 only those with the same words"),
        BENCH_OPTION("against", "FILE", &args.against, against_help),
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
    if (args.experiment && (operands > 1 || is_file(argv[1]))) {
        return bench_usage_error("--experiment is for one run");
    }
    if (args.choice.whose && strcmp(args.choice.whose, "paper") != 0 &&
        strcmp(args.choice.whose, "ours") != 0) {
        return bench_usage_error("--whose is paper or ours, not '%s'", args.choice.whose);
    }
    for (int i = 1; i < operands; i++) {
        if (is_file(argv[1]) != is_file(argv[1 + i])) {
            return bench_usage_error("claims takes runs or files of rows, not both");
        }
    }
    base_error err = {0};
    bench_format format;
    bench_claims list = {0};
    int exit_status = BENCH_GOOD;
    base_status status = bench_format_parse(args.format, &format, &err);
    if (status == BASE_OK) {
        status = collect(argv + 1, (size_t)operands, &args, &list, &err);
    }
    if (status == BASE_OK) {
        status = print(&list, &args, format, &exit_status, &err);
    }
    bench_claims_release(&list);
    return status == BASE_OK ? exit_status : bench_error(&err);
}
