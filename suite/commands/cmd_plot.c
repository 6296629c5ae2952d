/** `proxbench plot`: the figures of a run. */
#include "base/file.h"
#include "base/memory.h"
#include "suite/commands/commands.h"
#include "suite/compare/front.h"
#include "suite/compare/report.h"
#include "suite/inputs/experiment.h"
#include "suite/message.h"
#include "suite/output.h"
#include "suite/options.h"
#include "suite/figures/figures.h"
#include "suite/replay/picture.h"
#include "suite/results/run_folder.h"
#include "suite/share.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FOLDER_BYTES = 2048, PATH_BYTES = 4096, ASKED_FORMATS_MAX = 8 };

/** Option values of the command. */
typedef struct plot_arguments {
    const char *figure, *out, *format, *cache;
    uint64_t width_mm;
    bool untitled;
} plot_arguments;

typedef struct request {
    const char *only;  /* name of a figure; NULL: the figures of the run's experiment */
    const char *cache; /* folder of built bodies */
    char folder[FOLDER_BYTES];
    bench_picture_style styles[ASKED_FORMATS_MAX];
    size_t style_count;
} request;

/* --- Request ---------------------------------------------------------------------------------- */

static base_status parse_request(const plot_arguments *args, request *r, base_error *err)
{
    *r = (request){.only = args->figure, .cache = bench_cache_directory(args->cache)};
    const bool has_width = args->width_mm != UINT64_MAX;
    if (has_width && (args->width_mm < 60 || args->width_mm > 400)) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "--width is 60 to 400 mm (a column of a paper 84, "
                         "a page 174), not '%llu'",
                         (unsigned long long)args->width_mm);
    }
    bench_names formats;
    base_status status = bench_names_split(args->format, &formats, err);
    if (status == BASE_OK && formats.count > ASKED_FORMATS_MAX) {
        status = base_fail(err, BASE_ERR_ARGUMENT, "--format names %zu formats", formats.count);
    }
    for (size_t i = 0; status == BASE_OK && i < formats.count; i++) {
        bench_picture_style *const style = &r->styles[r->style_count++];
        *style = (bench_picture_style){.width_mm = has_width ? (unsigned)args->width_mm : 0,
                                       .titled = !args->untitled};
        int f = 0;
        while (f < BENCH_PICTURE_FORMATS &&
               strcmp(formats.items[i], bench_picture_format_names[f]) != 0) {
            f++;
        }
        style->format = (bench_picture_format)f;
        if (f == BENCH_PICTURE_FORMATS) {
            status = base_fail(err, BASE_ERR_ARGUMENT, "unknown format '%s': png, svg or pdf",
                               formats.items[i]);
        }
    }
    return status;
}

/** Makes the folder of the pictures: `out`, or RUN/figures, where links must not lead elsewhere. */
static base_status make_folder(const char *run, const char *out, char folder[FOLDER_BYTES],
                               base_error *err)
{
    char inside[PATH_BYTES];
    base_status status = BASE_OK;
    if (out) {
        snprintf(inside, sizeof inside, "%s/", out);
        if (strlen(out) >= FOLDER_BYTES - 1) {
            return base_fail(err, BASE_ERR_ARGUMENT, "path of %zu bytes is too long", strlen(out));
        }
    } else {
        status = bench_run_file(run, inside, err, "figures/x");
        *(strrchr(inside, '/') + 1) = '\0';
    }
    if (status == BASE_OK) {
        status = base_folder_make_parents(inside, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    snprintf(folder, FOLDER_BYTES, "%.*s", (int)strlen(inside) - 1, inside);
    return access(inside, W_OK | X_OK) == 0
               ? BASE_OK
               : base_fail(err, BASE_ERR_SYSTEM, "cannot write into '%s': %s", folder,
                           strerror(errno));
}

/* --- Drawing ---------------------------------------------------------------------------------- */

/**
 * Draws a picture and writes its file. The picture is written even if gnuplot warns. The warnings
 * are printed if `warn` is set.
 */
static base_status draw(bench_figures *figures, const bench_drawing *d,
                        const bench_picture_style *style, const char *path, bool warn,
                        base_error *err)
{
    bench_picture picture;
    char warnings[BENCH_WARNING_BYTES];
    base_status status = bench_figures_draw(figures, d, style, &picture, warnings, err);
    if (status != BASE_OK) {
        return status;
    }
    if (*warnings && warn) {
        bench_warn("'%s': gnuplot prints: %s", path, warnings);
    }
    status = base_file_replace(path, picture.bytes, picture.size, err);
    base_free(picture.bytes);
    return status;
}

/**
 * Draws FOLDER/SCENARIO-QUANTITY-FIGURE.FORMAT in all formats. After a failure, which is reported
 * once, there is no picture in this format and in those that follow it.
 */
static base_status draw_formats(bench_figures *figures, const bench_drawing *d, const request *r,
                                bench_index *index, int *exit_status, base_error *err)
{
    bool drawn = true;
    base_status status = BASE_OK;
    for (size_t i = 0; i < r->style_count && status == BASE_OK; i++) {
        char path[PATH_BYTES];
        base_error failure = {0};
        /* A '/' in a scenario becomes '_', which names of scenarios cannot contain, so different
         * names stay different. */
        const int used = snprintf(path, PATH_BYTES, "%s/", r->folder);
        snprintf(path + used, PATH_BYTES - (size_t)used, "%s-%s-%s.%s", d->scenario, d->quantity,
                 d->figure, bench_picture_format_names[r->styles[i].format]);
        for (char *c = path + used; *c; c++) {
            *c = *c == '/' ? '_' : *c;
        }
        if (drawn && draw(figures, d, &r->styles[i], path, i == 0, &failure) != BASE_OK) {
            base_error named = {0};
            base_fail(&named, failure.status, "figure '%s' of '%s': %.900s", d->figure, d->scenario,
                      failure.text);
            *exit_status = bench_error(&named);
            drawn = false;
        }
        const char *const name = strrchr(path, '/') + 1;
        if (drawn) {
            status = bench_figures_note(figures, d, name, index, err);
        } else {
            unlink(path); /* otherwise an older picture would be mistaken for this one */
            bench_index_remove(index, name);
        }
        printf("%s,%s\n", path, drawn ? "drawn" : "failed");
        fflush(stdout);
    }
    return status;
}

/**
 * Draws one figure on all scenarios that suit it. A failure of one drawing does not stop the
 * others.
 */
static base_status draw_figure(const char *name, bench_figures *figures, const request *r,
                               bench_index *index, int *exit_status, base_error *err)
{
    bench_drawing *drawings;
    size_t count;
    base_error reason = {0};
    base_status status = bench_figures_find(figures, name, &drawings, &count, &reason, err);
    if (status != BASE_OK) {
        return status;
    }
    if (count == 0 && r->only) {
        return base_fail(err, BASE_ERR_INPUT, "figure '%s': %s", name, reason.text);
    }
    if (count == 0) {
        bench_warn("figure '%s' is left out: %s", name, reason.text);
    }
    size_t empty = 0;
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        const bench_drawing *const d = &drawings[i];
        if (d->empty) {
            empty++;
            bench_warn("figure '%s' of '%s' (%s) is left out: %s is 0 for all variants", d->figure,
                       d->scenario, d->quantity, d->empty);
        } else {
            status = draw_formats(figures, d, r, index, exit_status, err);
        }
    }
    if (status == BASE_OK && r->only && empty == count) {
        return base_fail(err, BASE_ERR_INPUT, "figure '%s': the picture would be empty", name);
    }
    return status;
}

/* --- Pictures of bodies ----------------------------------------------------------------------- */

/** Returns the width of a picture in pixels: 300 per inch, for a column or a page of a paper. */
static unsigned picture_width(const scn_picture *picture, const request *r)
{
    enum { COLUMN_MM = 84, PAGE_MM = 174 };
    const unsigned asked = r->styles[0].width_mm;
    const unsigned mm = asked > 0 ? asked : picture->columns > 2 ? PAGE_MM : COLUMN_MM;
    const unsigned pixels = mm * 3000 / 254;
    return pixels < BENCH_CANVAS_MAX ? pixels : BENCH_CANVAS_MAX;
}

/** Adds the origin of a picture to the index. */
static base_status note_picture(const bench_figures *figures, const scn_picture *picture,
                                const char *file, bench_index *index, base_error *err)
{
    const char *variants[32];
    const scn_panel *const first = &picture->panels[0];
    bench_drawing d = {.figure = picture->name, .variants = variants, .quantity = ""};
    for (size_t i = 0; i < picture->panel_count; i++) {
        bool known = d.count == sizeof variants / sizeof *variants;
        for (size_t k = 0; k < d.count && !known; k++) {
            known = strcmp(variants[k], picture->panels[i].variant) == 0;
        }
        if (!known) {
            variants[d.count++] = picture->panels[i].variant;
        }
    }
    const bench_record *const record = &figures->record;
    d.scenario =
        first->scenario || record->cell_count == 0 ? first->scenario : record->cells[0].scenario;
    const bench_cell_row *const cell =
        d.scenario ? bench_record_find(record, d.scenario, first->variant) : NULL;
    d.quantity = cell ? cell->quantity : "";
    return bench_figures_note(figures, &d, file, index, err);
}

/** Draws FOLDER/NAME.png. A failure is reported; it does not stop the other pictures. */
static base_status draw_picture(const bench_figures *figures, const scn_picture *picture,
                                const request *r, bench_index *index, int *exit_status,
                                base_error *err)
{
    char path[PATH_BYTES];
    bench_canvas canvas;
    base_error failure = {0};
    snprintf(path, sizeof path, "%s/%s.png", r->folder, picture->name);
    const char *const file = strrchr(path, '/') + 1;
    base_status status = bench_picture_draw(figures->run, picture, picture_width(picture, r),
                                            r->cache, &canvas, &failure);
    if (status == BASE_OK) {
        status = bench_canvas_save(&canvas, path, &failure);
    }
    bench_canvas_close(&canvas);
    printf("%s,%s\n", path, status == BASE_OK ? "drawn" : "failed");
    fflush(stdout);
    if (status == BASE_OK) {
        return note_picture(figures, picture, file, index, err);
    }
    base_error named = {0};
    base_fail(&named, failure.status, "picture '%s': %.900s", picture->name, failure.text);
    bench_error(&named);
    *exit_status = BENCH_INPUT;
    unlink(path);
    bench_index_remove(index, file);
    return BASE_OK;
}

/**
 * Draws the pictures of bodies that the run's experiment names, or the one that is asked for.
 * *found: true if there was one.
 */
static base_status draw_pictures(const bench_figures *figures, const request *r, bench_index *index,
                                 bool *found, int *exit_status, base_error *err)
{
    const bench_record *const record = &figures->record;
    scn_experiment experiment;
    base_error reason = {0};
    *found = false;
    size_t at = 0;
    for (const char *name; (name = bench_record_next_fact(record, "run", "picture", &at));) {
        *found = *found || !r->only || strcmp(name, r->only) == 0;
    }
    const char *const name = bench_record_fact(record, "run", "experiment");
    if (!*found || !name) {
        return BASE_OK;
    }
    if (bench_experiment_open(name, &experiment, &reason) != BASE_OK) {
        if (r->only) {
            return base_fail(err, reason.status, "%s", reason.text);
        }
        bench_warn("pictures of bodies are left out: %s", reason.text);
        return BASE_OK;
    }
    base_status status = BASE_OK;
    for (size_t i = 0; i < experiment.picture_count && status == BASE_OK; i++) {
        const scn_picture *const picture = &experiment.pictures[i];
        if (!r->only || strcmp(picture->name, r->only) == 0) {
            status = draw_picture(figures, picture, r, index, exit_status, err);
        }
    }
    scn_experiment_release(&experiment);
    return status;
}

static base_status draw_figures(bench_figures *figures, const request *r, bench_index *index,
                                int *exit_status, base_error *err)
{
    bool found;
    puts("picture,status");
    const base_status status = draw_pictures(figures, r, index, &found, exit_status, err);
    if (status != BASE_OK || (r->only && found)) {
        return status;
    }
    if (r->only) {
        return draw_figure(r->only, figures, r, index, exit_status, err);
    }
    if (*figures->names && !bench_figures_any(figures)) {
        bench_warn("nothing is drawn: %s",
                   figures->record.simulated
                       ? "no simulation has made a step"
                       : "no variant of this run was judged against the truth (modes smoke and ci "
                         "do not judge the method that computes the truth; 'floor' is never "
                         "judged)");
        return BASE_OK;
    }
    for (const char **name = figures->names; *name; name++) {
        base_error failure = {0};
        if (draw_figure(*name, figures, r, index, exit_status, &failure) != BASE_OK) {
            bench_error(&failure);
            *exit_status = BENCH_INPUT;
        }
    }
    return BASE_OK;
}

/**
 * Draws the figures and writes the index. The index is written even after a failure, because it
 * gives the origin of the existing pictures.
 */
static base_status draw_all(bench_figures *figures, const request *r, int *exit_status,
                            base_error *err)
{
    bench_index index = {0};
    base_error damage, unwritten;
    base_status status = bench_index_open(r->folder, &index, &damage, err);
    if (status == BASE_OK) {
        if (*damage.text) {
            bench_warn("the index of the pictures is replaced: %s", damage.text);
        }
        status = draw_figures(figures, r, &index, exit_status, err);
        const base_status written = bench_index_write(&index, &unwritten);
        if (status == BASE_OK && written != BASE_OK) {
            status = base_fail(err, written, "%s", unwritten.text);
        }
    }
    bench_index_close(&index);
    return status;
}

/**
 * Makes compare.csv and pareto.csv as `compare` does, if one of them is missing and the run has
 * launches.csv.
 */
static base_status make_comparison(const char *run, base_error *err)
{
    static const char *const made[] = {"compare.csv", "pareto.csv"};
    char path[BENCH_RUN_PATH_BYTES];
    bool missing = false;
    base_status status = BASE_OK;
    for (size_t i = 0; i < sizeof made / sizeof *made && status == BASE_OK; i++) {
        status = bench_run_file(run, path, err, "%s", made[i]);
        missing = missing || access(path, F_OK) != 0;
    }
    if (status == BASE_OK) {
        status = bench_run_file(run, path, err, "launches.csv");
    }
    if (status != BASE_OK || !missing || access(path, F_OK) != 0) {
        return status;
    }
    bench_record record;
    bench_comparisons list;
    status = bench_record_open(run, BENCH_RECORD_LAUNCHES, &record, err);
    if (status != BASE_OK) {
        return status;
    }
    status = bench_comparisons_make(&record, NULL, &list, err);
    if (status == BASE_OK) {
        status = bench_comparison_keep(run, &record, BENCH_OWN_TOLERANCE, &list, err);
        bench_comparisons_release(&list);
    }
    bench_record_release(&record);
    return status;
}

static base_status plot(const char *name, const plot_arguments *args, int *exit_status,
                        base_error *err)
{
    request r;
    char run[BENCH_RUN_FOLDER_BYTES];
    base_status status = parse_request(args, &r, err);
    if (status == BASE_OK) {
        status = bench_run_find(name, run, err);
    }
    if (status == BASE_OK) {
        status = make_comparison(run, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    bench_figures figures;
    status = bench_figures_open(run, &figures, err);
    if (status == BASE_OK && *figures.names) {
        status = bench_gnuplot_check(err);
    }
    if (status == BASE_OK) {
        status = make_folder(run, args->out, r.folder, err);
    }
    if (status == BASE_OK) {
        status = draw_all(&figures, &r, exit_status, err);
    }
    bench_figures_close(&figures);
    return status;
}

/* --- The command ------------------------------------------------------------------------------ */

int bench_cmd_plot(int argc, char **argv)
{
    plot_arguments args = {.format = "png,svg", .width_mm = UINT64_MAX};
    const bench_option options[] = {
        BENCH_OPTION("figure", "NAME", &args.figure, "only this figure"),
        BENCH_OPTION("out", "DIR", &args.out, "folder of the pictures (default: RUN/figures)"),
        BENCH_OPTION("format", "LIST", &args.format, "any of png, svg and pdf"),
        BENCH_OPTION(
            "width", "MM", &args.width_mm,
            "width for print: 84 for a column, 174 for a page, with letters of 7 points and "
            "300 dots per inch (default: for a screen)"),
        BENCH_OPTION("no-title", NULL, &args.untitled,
                     "without the title and the line of shared settings"),
        BENCH_OPTION("cache", "DIR", &args.cache,
                     "folder of built bodies, for pictures of bodies (default: that of 'run')"),
        BENCH_DATA_OPTION,
        BENCH_OPTION_END,
    };
    const bench_usage usage = {
        .usage = "plot RUN [options]",
        .summary =
            "Draws the figures of a run with gnuplot, from the run's files. The figures are "
            "those that the experiment names, or else pareto, deadline and frames. Each figure "
            "is drawn for every scenario and quantity that it fits, as "
            "SCENARIO-QUANTITY-FIGURE.png and .svg. For a folder of 'simulate', depths and "
            "forces over time are drawn, for each scene. RUN is a folder, or the name of a "
            "folder in results/. Pictures of bodies that the experiment names are drawn without "
            "gnuplot, as NAME.png. Nothing is measured. pareto.csv and compare.csv are made if "
            "they are missing.\n"
            "\n"
            "Labels contain the differences between variants; the line below the title contains "
            "what they share. index.csv in the folder of the pictures gives the origin of each "
            "picture: scenario, quantity, figure, experiment, mode, day, commit and machine.",
        .notes =
            "Examples:\n"
            "  proxbench plot results/bench\n"
            "  proxbench plot results/bench --figure deadline --out figures\n"
            "  proxbench plot results/bench --width 84 --no-title --format pdf\n"
            "\n"
            "Exit status: 0 good, 2 usage, 3 input or system. A figure that does not fit the "
            "run, or that would be empty, is left out with a warning; with --figure this is an "
            "error. A figure whose script fails has no picture; the other figures are drawn, and "
            "the status is 3.",
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
    if (plot(argv[1], &args, &exit_status, &err) != BASE_OK) {
        return bench_error(&err);
    }
    return exit_status;
}
