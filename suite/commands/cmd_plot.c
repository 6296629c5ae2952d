#include "base/file.h"
#include "suite/commands/commands.h"
#include "suite/message.h"
#include "suite/output.h"
#include "suite/options.h"
#include "suite/results/figures.h"
#include "suite/results/run_folder.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FOLDER_BYTES = 2048, PATH_BYTES = 4096, FORMATS = 2 };

static const char *const formats[FORMATS] = {"png", "svg"};

/** Where a drawing goes: FOLDER/RUN-SCENARIO-QUANTITY-FIGURE and an ending. */
typedef struct picture {
    char path[PATH_BYTES]; /* without the ending */
    char parts[FORMATS][PATH_BYTES + 16];
} picture;

/** A scenario's '/' becomes '_', which no scenario has: two names never become one. */
static picture name_picture(const char *folder, const char *run, const bench_drawing *d)
{
    picture p;
    size_t end = strlen(run);
    while (end > 0 && run[end - 1] == '/') {
        end--;
    }
    size_t start = end;
    while (start > 0 && run[start - 1] != '/') {
        start--;
    }
    int used = snprintf(p.path, PATH_BYTES, "%s/%.*s-", folder, (int)(end - start), run + start);
    snprintf(p.path + used, PATH_BYTES - (size_t)used, "%s-%s-%s", d->scenario, d->quantity,
             d->figure);
    for (char *c = p.path + used; *c; c++) {
        *c = *c == '/' ? '_' : *c;
    }
    for (size_t i = 0; i < FORMATS; i++) {
        snprintf(p.parts[i], sizeof p.parts[i], "%s.%s.part", p.path, formats[i]);
    }
    return p;
}

/** Gives the parts their names, once all of them are complete. */
static base_status finish(const picture *p, base_error *err)
{
    for (size_t i = 0; i < FORMATS; i++) {
        char path[PATH_BYTES + 16];
        snprintf(path, sizeof path, "%s.%s", p->path, formats[i]);
        if (rename(p->parts[i], path) != 0) {
            return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", path, strerror(errno));
        }
    }
    return BASE_OK;
}

static base_status draw(const char *run, const bench_drawing *d, const picture *p, base_error *err)
{
    char script[PATH_BYTES];
    snprintf(script, sizeof script, "plots/%s.gp", d->figure);
    base_status status = BASE_OK;
    for (size_t i = 0; i < FORMATS && status == BASE_OK; i++) {
        unlink(p->parts[i]); /* gnuplot would follow a link */
        const char *const arguments[] = {run,      d->scenario, d->quantity, d->variants,
                                         d->files, p->parts[i], formats[i],  NULL};
        status = bench_gnuplot_run(script, arguments, err);
    }
    if (status == BASE_OK) {
        status = finish(p, err);
    }
    for (size_t i = 0; i < FORMATS; i++) {
        unlink(p->parts[i]);
    }
    return status;
}

/** Draws one figure on all scenarios that it suits, also behind a failure. */
static base_status draw_figure(const char *name, bool asked, bench_figures *figures,
                               const char *folder, int *exit_status, base_error *err)
{
    bench_drawing *drawings;
    size_t count;
    base_error reason = {0};
    const base_status status = bench_figures_find(figures, name, &drawings, &count, &reason, err);
    if (status != BASE_OK) {
        return status;
    }
    if (count == 0 && asked) {
        return base_fail(err, BASE_ERR_INPUT, "figure '%s': %s", name, reason.text);
    }
    if (count == 0) {
        bench_warn("figure '%s' is left out: %s", name, reason.text);
    }
    for (size_t i = 0; i < count; i++) {
        const picture p = name_picture(folder, figures->run, &drawings[i]);
        base_error failure = {0};
        const bool drawn = draw(figures->run, &drawings[i], &p, &failure) == BASE_OK;
        printf("%s.png,%s\n", p.path, drawn ? "drawn" : "failed");
        fflush(stdout);
        if (!drawn) {
            *exit_status = bench_error(&failure);
        }
    }
    return BASE_OK;
}

/** A path that gnuplot takes for nothing but one: '<' and '|' would begin a command, '~' a home. */
static base_status plain_path(const char *path, char plain[FOLDER_BYTES], base_error *err)
{
    const bool is_plain = isalnum((unsigned char)*path) || *path == '/' || *path == '.';
    return snprintf(plain, FOLDER_BYTES, "%s%s", is_plain ? "" : "./", path) < FOLDER_BYTES
               ? BASE_OK
               : base_fail(err, BASE_ERR_ARGUMENT, "path of %zu bytes is too long", strlen(path));
}

/** Draws the figure `only`, or, when that is NULL, those of the run's experiment. */
static base_status draw_figures(bench_figures *figures, const char *only, const char *folder,
                                int *exit_status, base_error *err)
{
    base_status status = bench_gnuplot_check(err);
    if (status != BASE_OK) {
        return status;
    }
    char inside[FOLDER_BYTES + 1];
    snprintf(inside, sizeof inside, "%s/", folder);
    status = base_folder_make_parents(inside, err);
    if (status != BASE_OK) {
        return status;
    }
    puts("picture,status");
    if (only) {
        return draw_figure(only, true, figures, folder, exit_status, err);
    }
    for (const char **name = figures->names; *name; name++) {
        base_error failure = {0};
        if (draw_figure(*name, false, figures, folder, exit_status, &failure) != BASE_OK) {
            bench_error(&failure);
            *exit_status = BENCH_INPUT;
        }
    }
    return BASE_OK;
}

static base_status plot(const char *name, const char *only, const char *out, int *exit_status,
                        base_error *err)
{
    char found[BENCH_RUN_FOLDER_BYTES], run[FOLDER_BYTES], folder[FOLDER_BYTES];
    base_status status = bench_run_find(name, found, err);
    if (status == BASE_OK) {
        status = plain_path(found, run, err);
    }
    if (status == BASE_OK) {
        status = plain_path(out, folder, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    bench_figures figures;
    status = bench_figures_open(run, &figures, err);
    if (status == BASE_OK) {
        status = draw_figures(&figures, only, folder, exit_status, err);
    }
    bench_figures_close(&figures);
    return status;
}

int bench_cmd_plot(int argc, char **argv)
{
    const char *only = NULL, *out = "plots/out";
    const bench_option options[] = {
        BENCH_OPTION("figure", "NAME", &only, "only this one: the script plots/NAME.gp"),
        BENCH_OPTION("out", "DIR", &out, "folder of the pictures"),
        BENCH_OPTION_END,
    };
    const bench_usage usage = {
        .usage = "plot RUN [--figure NAME] [--out DIR]",
        .summary = "Draws the figures of a run with gnuplot, from the run's files, as PNG and "
                   "SVG: those that its experiment names (without any: pareto, deadline and "
                   "frames), each on every scenario and quantity that it suits.\n"
                   "RUN is a folder, or the name of one in results/. Nothing is measured.",
        .notes = "Examples:\n"
                 "  proxbench plot results/bench\n"
                 "  proxbench plot results/bench --figure deadline --out figures\n"
                 "\n"
                 "Exit status: 0 good, 2 usage, 3 input or system. A figure that does not suit the "
                 "run, or lacks a file that compare writes, is left out with a warning, and is an "
                 "error only when --figure asks for it. One whose script fails leaves no picture; "
                 "the others are drawn all the same, and the status is 3.",
    };
    int operands;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    if (operands != 1) {
        return bench_usage_error("plot needs one RUN");
    }
    bench_output_outlive_reader();
    int exit_status = BENCH_GOOD;
    base_error err = {0};
    if (plot(argv[1], only, out, &exit_status, &err) != BASE_OK) {
        return bench_error(&err);
    }
    return exit_status;
}
