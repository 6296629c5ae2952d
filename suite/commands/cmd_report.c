/** `proxbench report`: a summary of a run, on the screen and as a page. */
#include "suite/commands/commands.h"
#include "suite/compare/report.h"
#include "suite/compare/digest.h"
#include "suite/inputs/experiment.h"
#include "suite/message.h"
#include "suite/output.h"
#include "suite/results/run_folder.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/**
 * Prints the path of the page. If the run is of an experiment of the suite, first prints the
 * commands for a pair of the user's own meshes.
 */
static void print_end(const bench_record *record)
{
    const char *const experiment = bench_record_fact(record, "run", "experiment");
    puts("");
    if (experiment && bench_experiment_exists(experiment)) {
        puts("Next, a pair of meshes of your own (README.md has more):\n"
             "  proxbench trajectory press --a A.off --b B.off --target volume --hi 0.05 --frames "
             "200 "
             "--out t.csv\n"
             "  proxbench run --a A.off --b B.off --trajectory t.csv --quantity "
             "distance,volume,depth,force");
    }
    char figures[BENCH_RUN_PATH_BYTES];
    snprintf(figures, sizeof figures, "%s/figures", record->folder);
    if (access(figures, F_OK) == 0) {
        printf("All tables and figures: %s/index.html\n", record->folder);
    } else {
        printf("Figures: 'proxbench plot %s', then this command again\n"
               "All tables: %s/index.html\n",
               record->folder, record->folder);
    }
}

static base_status report(const char *name, base_error *err)
{
    char run[BENCH_RUN_FOLDER_BYTES];
    bench_record record;
    bench_comparisons list = {0};
    bench_front front = {0};
    bench_digest digest = {0};
    base_status status = bench_run_find(name, run, err);
    if (status == BASE_OK) {
        status = bench_record_open(run, BENCH_RECORD_FACTS | BENCH_RECORD_LAUNCHES, &record, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    status = bench_comparisons_make(&record, NULL, &list, err);
    if (status == BASE_OK) {
        status = bench_comparison_keep(run, &record, BENCH_OWN_TOLERANCE, &list, err);
    }
    if (status == BASE_OK) {
        status = bench_front_make(&record, BENCH_OWN_TOLERANCE, &front, err);
    }
    if (status == BASE_OK) {
        status = bench_digest_make(&record, &front, &digest, err);
    }
    if (status == BASE_OK) {
        status = bench_digest_write_page(&record, &list, &front, &digest, err);
    }
    if (status == BASE_OK) {
        status = bench_digest_print(&record, &list, &digest, err);
    }
    if (status == BASE_OK) {
        print_end(&record);
    }
    bench_digest_release(&digest);
    bench_front_release(&front);
    bench_comparisons_release(&list);
    bench_record_release(&record);
    return status;
}

int bench_cmd_report(int argc, char **argv)
{
    static const bench_usage usage = {
        .usage = "report RUN",
        .summary =
            "Summarizes a run. For each scenario and quantity it prints the exact method, the "
            "fastest variant within the tolerance of the scenario, the fastest variant of all, "
            "and other libraries. Writes RUN/index.html, a plain page with the same, the ratios "
            "and errors of all variants, and the SVGs of RUN/figures ('proxbench plot' draws "
            "them). Folders of 'simulate' in RUN are on the page, too. RUN is a folder, or the "
            "name of a folder in results/. Nothing is measured.",
        .notes = "Example:\n"
                 "  proxbench report results/bench\n"
                 "\n"
                 "Exit status: 0 good, 2 usage, 3 input or system.",
    };
    const bench_option options[] = {BENCH_OPTION_END};
    int operands;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    if (operands != 1) {
        return bench_usage_error("report needs one RUN");
    }
    base_error err = {0};
    return report(argv[1], &err) == BASE_OK ? BENCH_GOOD : bench_error(&err);
}
