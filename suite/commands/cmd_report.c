/** `proxbench report`: a summary of a run, on the screen and as a page. */
#include "suite/commands/commands.h"
#include "suite/compare/report.h"
#include "suite/compare/digest.h"
#include "suite/inputs/experiment.h"
#include "suite/message.h"
#include "suite/output.h"
#include "suite/report/page.h"
#include "suite/report/three.h"
#include "suite/results/run_folder.h"
#include "suite/share.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { RUNS_MAX = 8 };

/**
 * Prints the path of the page. If the first run is of an experiment of the suite, first prints the
 * commands for a pair of the user's own meshes.
 */
static void print_end(const bench_record *record, const char *page)
{
    const char *const experiment = bench_record_fact(record, "run", "experiment");
    puts("");
    if (experiment && bench_experiment_exists(experiment)) {
        puts("Next, a pair of meshes of your own (README.md has more):\n"
             "  proxbench trajectory press --a A.off --b B.off --target volume --hi 0.05 --out "
             "t.csv\n"
             "  proxbench run --a A.off --b B.off --trajectory t.csv --quantity "
             "distance,volume,depth,force");
    }
    char figures[BENCH_RUN_PATH_BYTES];
    snprintf(figures, sizeof figures, "%s/figures", record->folder);
    if (access(figures, F_OK) != 0) {
        printf("Figures: 'proxbench plot %s', then this command again\n", record->folder);
    }
    printf("All tables, figures and frames: %s\n", page);
}

/** A run that is reported. */
typedef struct reported {
    bench_record record;
    bench_comparisons list;
    bench_front front;
    bench_digest digest;
} reported;

/** Says in an error of a run's file that the run is not finished, if that is so. */
static base_status explain(const char *run, base_status status, base_error *err)
{
    bench_record facts;
    base_error unknown = {0};
    const base_error found = *err;
    if (status != BASE_ERR_INPUT ||
        bench_record_open(run, BENCH_RECORD_FACTS, &facts, &unknown) != BASE_OK) {
        return status;
    }
    if (!bench_record_fact(&facts, "run", "end_utc")) {
        status = base_fail(err, status,
                           "%s; the run is not finished: 'proxbench run --resume %s' "
                           "continues it",
                           found.text, run);
    }
    bench_record_release(&facts);
    return status;
}

/** Opens a run and compares its variants. Call close_run also after an error. */
static base_status open_run(const char *name, reported *r, base_error *err)
{
    char run[BENCH_RUN_FOLDER_BYTES];
    base_status status = bench_run_find(name, run, err);
    if (status == BASE_OK) {
        status =
            bench_record_open(run, BENCH_RECORD_FACTS | BENCH_RECORD_LAUNCHES, &r->record, err);
        status = explain(run, status, err);
    }
    if (status == BASE_OK) {
        status = bench_comparisons_make(&r->record, NULL, &r->list, err);
    }
    if (status == BASE_OK) {
        status = bench_comparison_keep(run, &r->record, BENCH_OWN_TOLERANCE, &r->list, err);
    }
    if (status == BASE_OK) {
        status = bench_front_make(&r->record, BENCH_OWN_TOLERANCE, &r->front, err);
    }
    return status == BASE_OK ? bench_digest_make(&r->record, &r->front, &r->digest, err) : status;
}

static void close_run(reported *r)
{
    bench_digest_release(&r->digest);
    bench_front_release(&r->front);
    bench_comparisons_release(&r->list);
    bench_record_release(&r->record);
}

static base_status write_page(reported *runs, size_t count, const char *out, const char *cache,
                              base_error *err)
{
    char own[BENCH_RUN_PATH_BYTES];
    bench_page_run shown[RUNS_MAX];
    base_status status = BASE_OK;
    for (size_t i = 0; i < count; i++) {
        reported *const r = &runs[i];
        shown[i] = (bench_page_run){&r->record, &r->list, &r->front, &r->digest};
    }
    if (!out) {
        status = bench_run_file(runs[0].record.folder, own, err, "report.html");
    }
    if (status == BASE_OK) {
        status = bench_page_write(out ? out : own, shown, count, cache, err);
    }
    if (status == BASE_OK) {
        print_end(&runs[0].record, out ? out : own);
    }
    return status;
}

static base_status report(char **names, size_t count, const char *out, const char *cache,
                          base_error *err)
{
    reported runs[RUNS_MAX] = {0};
    base_status status = BASE_OK;
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        status = open_run(names[i], &runs[i], err);
    }
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        if (count > 1) {
            printf("%s%s\n", i > 0 ? "\n" : "", runs[i].record.folder);
        }
        status = bench_digest_print(&runs[i].record, &runs[i].list, &runs[i].digest, err);
    }
    if (status == BASE_OK) {
        status = write_page(runs, count, out, cache, err);
    }
    for (size_t i = 0; i < count; i++) {
        close_run(&runs[i]);
    }
    return status;
}

int bench_cmd_report(int argc, char **argv)
{
    const char *out = NULL, *cache = NULL;
    bool no_cache = false;
    static const bench_usage usage = {
        .usage = "report RUN... [options]",
        .summary =
            "Summarizes runs. For each scenario and quantity it prints the exact method, the "
            "fastest variant within the tolerance of the scenario, the fastest variant of all, "
            "and other libraries. Writes RUN/report.html of the first RUN: one file for a browser, "
            "without a network, with all tables, the SVGs of RUN/figures ('proxbench plot' draws "
            "them), claims, time and error of every frame, and each frame in 3D. Several runs are "
            "shown side by side. Folders of 'simulate' in RUN are on the page, too. RUN is a "
            "folder, or the name of a folder in results/. Nothing is measured.\n"
            "\n"
            "3D needs the Debian package " BENCH_THREE_PACKAGE ", which is copied into the file, "
            "and the meshes of the run; without them the page has the rest. Contacts are answered "
            "again for it, except those of plug-ins.",
        .notes = "Examples:\n"
                 "  proxbench report results/bench\n"
                 "  proxbench report old new --out both.html\n"
                 "\n"
                 "Exit status: 0 good, 2 usage, 3 input or system.",
    };
    const bench_option options[] = {
        BENCH_OPTION("out", "FILE.html", &out, "write the page to FILE.html"),
        BENCH_OPTION("cache", "DIR", &cache, "folder of built bodies"),
        BENCH_DATA_OPTION,
        BENCH_OPTION("no-cache", NULL, &no_cache, "neither read nor write the cache"),
        BENCH_OPTION_END,
    };
    int operands;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    if (operands < 1 || operands > RUNS_MAX) {
        return bench_usage_error("report needs one RUN, or up to %d", RUNS_MAX);
    }
    base_error err = {0};
    const char *const bodies = no_cache ? NULL : bench_cache_directory(cache);
    return report(argv + 1, (size_t)operands, out, bodies, &err) == BASE_OK ? BENCH_GOOD
                                                                            : bench_error(&err);
}
