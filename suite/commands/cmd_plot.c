#include "base/csv.h"
#include "base/file.h"
#include "suite/commands/commands.h"
#include "suite/message.h"
#include "suite/options.h"
#include "suite/results/figures.h"
#include "suite/results/gnuplot.h"
#include "suite/run/run.h"

#include <stdio.h>
#include <string.h>

enum { PATH_BYTES = 4096 };

static const char pictures[] = "plots/out";

/** The figure that the manifest names, in the arena; NULL when it names none. */
static base_status manifest_figure(const char *run, base_arena *arena, const char **figure,
                                   base_error *err)
{
    char path[PATH_BYTES + 16];
    snprintf(path, sizeof path, "%s/manifest.csv", run);
    *figure = NULL;
    base_csv table;
    base_status status = base_csv_read(path, NULL, &table, err);
    if (status != BASE_OK) {
        return status;
    }
    int key = 0, value = 0;
    status = base_csv_column(&table, "key", &key, err);
    if (status == BASE_OK) {
        status = base_csv_column(&table, "value", &value, err);
    }
    for (size_t i = 0; status == BASE_OK && i < table.rows; i++) {
        const char *const name = base_csv_text(&table, i, key);
        const char *const text = base_csv_text(&table, i, value);
        if (name && text && strcmp(name, "figure") == 0) {
            *figure = base_arena_text(arena, text);
            if (!*figure) {
                status = base_fail(err, BASE_ERR_MEMORY, "out of memory");
            }
        }
    }
    base_csv_release(&table);
    return status;
}

/** plots/out/RUN-SCENARIO-QUANTITY-FIGURE, with '-' for the '/' of a scenario. */
static void picture_path(const char *run, const bench_drawing *d, char path[PATH_BYTES])
{
    size_t length = strlen(run);
    while (length > 0 && run[length - 1] == '/') {
        length--;
    }
    size_t start = length;
    while (start > 0 && run[start - 1] != '/') {
        start--;
    }
    snprintf(path, PATH_BYTES, "%s/%.*s-%s-%s-%s", pictures, (int)(length - start), run + start,
             d->scenario, d->quantity, d->figure);
    for (char *c = path + strlen(pictures) + 1; *c; c++) {
        *c = *c == '/' ? '-' : *c;
    }
}

static base_status draw(const char *run, const bench_drawing *d, const char *path, base_error *err)
{
    static const char *const formats[] = {"png", "svg"};
    char script[PATH_BYTES], variables[4 * PATH_BYTES];
    snprintf(script, sizeof script, "plots/%s.gp", d->figure);
    base_status status = BASE_OK;
    for (size_t i = 0; i < sizeof formats / sizeof *formats && status == BASE_OK; i++) {
        snprintf(variables, sizeof variables,
                 "run='%s'; scenario='%s'; quantity='%s'; variants='%s'; files='%s'; out='%s'; "
                 "format='%s'",
                 run, d->scenario, d->quantity, d->variants, d->files, path, formats[i]);
        status = bench_gnuplot_run(script, variables, err);
    }
    return status;
}

/** Draws all, also behind a failure. */
static base_status draw_all(const char *run, const bench_drawings *drawings, int *exit_status,
                            base_error *err)
{
    base_status status = base_folder_make_parents("plots/out/", err);
    if (status != BASE_OK) {
        return status;
    }
    puts("picture,status");
    for (size_t i = 0; i < drawings->count; i++) {
        base_error failure = {0};
        char path[PATH_BYTES];
        picture_path(run, &drawings->items[i], path);
        const bool drawn = draw(run, &drawings->items[i], path, &failure) == BASE_OK;
        printf("%s.png,%s\n", path, drawn ? "drawn" : "failed");
        fflush(stdout);
        if (!drawn) {
            *exit_status = bench_error(&failure);
        }
    }
    return BASE_OK;
}

static base_status plot(const char *name, const char *figure, int *exit_status, base_error *err)
{
    char run[BENCH_RUN_FOLDER_BYTES];
    base_arena arena = {0};
    bench_drawings drawings = {0};
    base_status status = bench_run_find(name, run, err);
    if (status == BASE_OK && strpbrk(run, "'\n")) {
        status = base_fail(err, BASE_ERR_ARGUMENT, "gnuplot cannot be given a folder with a quote");
    }
    if (status == BASE_OK && !figure) {
        status = manifest_figure(run, &arena, &figure, err);
    }
    if (status == BASE_OK) {
        status = bench_drawings_find(run, figure, &drawings, err);
    }
    if (status == BASE_OK) {
        status = bench_gnuplot_check(err);
    }
    if (status == BASE_OK) {
        status = draw_all(run, &drawings, exit_status, err);
    }
    bench_drawings_release(&drawings);
    base_arena_release(&arena);
    return status;
}

int bench_cmd_plot(int argc, char **argv)
{
    const char *figure = NULL;
    const bench_option options[] = {
        BENCH_OPTION("figure", "NAME", &figure, "only this one: the script plots/NAME.gp"),
        BENCH_OPTION_END,
    };
    const bench_usage usage = {
        .usage = "plot RUN [--figure NAME]",
        .summary = "Draws the figures of a run with gnuplot, from the run's files, into "
                   "plots/out, as PNG\n"
                   "and SVG: the one that its experiment names, or all that suit it; one picture "
                   "a scenario.\n"
                   "RUN is a folder, or the name of one in results/. Nothing is measured.",
        .notes = "Example:\n  proxbench plot results/bench --figure deadline",
    };
    int operands;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    if (operands != 1) {
        return bench_usage_error("plot needs one RUN");
    }
    int exit_status = BENCH_GOOD;
    base_error err = {0};
    if (plot(argv[1], figure, &exit_status, &err) != BASE_OK) {
        return bench_error(&err);
    }
    return exit_status;
}
