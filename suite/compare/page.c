#include "suite/compare/page.h"

#include "suite/results/reference.h"
#include "suite/results/run_folder.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIMULATION_COLUMNS = 6 };

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<style>\n"
    "body { font: 15px/1.45 sans-serif; max-width: 1240px; margin: 1em auto; padding: 0 1em; "
    "color: #222; }\n"
    "table { border-collapse: collapse; margin: 0.6em 0 1em; font-size: 13px; }\n"
    "th, td { padding: 2px 12px 2px 0; text-align: left; white-space: nowrap; "
    "border-bottom: 1px solid #ddd; }\n"
    "th { border-bottom: 1px solid #888; }\n"
    "img { width: 600px; max-width: 100%; vertical-align: top; }\n"
    "p { max-width: 50em; }\n"
    "</style>\n";

/* --- Files ------------------------------------------------------------------------------------ */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/**
 * Lists the names in a folder that `wanted` accepts, sorted and NULL-terminated. The list of a
 * missing folder is empty.
 */
static base_status list_folder(const char *folder, const char *context,
                               bool (*wanted)(const char *folder, const char *name,
                                              const char *context),
                               base_arena *arena, const char ***names, base_error *err)
{
    DIR *const directory = opendir(folder);
    size_t count = 0, capacity = 256;
    *names = base_arena_alloc(arena, capacity + 1, sizeof **names);
    base_status status = *names ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    for (struct dirent *e; status == BASE_OK && directory && (e = readdir(directory));) {
        if (count < capacity && wanted(folder, e->d_name, context)) {
            (*names)[count] = base_arena_text(arena, e->d_name);
            status = (*names)[count++] ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
        }
    }
    if (directory) {
        closedir(directory);
    }
    if (status == BASE_OK) {
        qsort(*names, count, sizeof **names, by_text);
    }
    return status;
}

/** True for an SVG whose name begins with the context. */
static bool is_picture(const char *folder, const char *name, const char *context)
{
    const size_t length = strlen(name), end = strlen(".svg");
    (void)folder;
    return length > end && strcmp(name + length - end, ".svg") == 0 &&
           strncmp(name, context, strlen(context)) == 0;
}

static bool has_simulations(const char *folder, const char *name, const char *context)
{
    char path[BENCH_RUN_PATH_BYTES];
    (void)context;
    return *name != '.' &&
           bench_run_file(folder, path, NULL, "%s/simulations.csv", name) == BASE_OK &&
           access(path, F_OK) == 0;
}

base_status bench_page_find_simulations(const char *run, base_arena *arena, const char ***folders,
                                        base_error *err)
{
    return list_folder(run, "", has_simulations, arena, folders, err);
}

/** Links the SVGs of RUN/UNDER/figures whose names begin with `prefix`. */
static base_status put_pictures(const char *run, const char *under, const char *prefix,
                                base_arena *arena, FILE *file, base_error *err)
{
    char folder[BENCH_RUN_PATH_BYTES];
    const char **names;
    snprintf(folder, sizeof folder, "%s/%sfigures", run, under);
    base_status status = list_folder(folder, prefix, is_picture, arena, &names, err);
    for (size_t i = 0; status == BASE_OK && names[i]; i++) {
        fputs("<img src=\"", file);
        bench_html_put(file, under);
        fputs("figures/", file);
        bench_html_put(file, names[i]);
        fputs("\" alt=\"", file);
        bench_html_put(file, names[i]);
        fputs("\">\n", file);
    }
    return status;
}

/* --- Simulations ------------------------------------------------------------------------------ */

static void put_simulation(const bench_simulation_row *s, bench_rows *rows)
{
    bench_rows_put(rows, "%s", s->scene);
    bench_rows_put(rows, "%s", s->variant);
    bench_rows_put(rows, "%s", s->response);
    if (isnan(s->point_depth_m)) {
        bench_rows_put(rows, "%s", "");
    } else {
        bench_rows_put(rows, "%8.3f mm", 1e3 * s->point_depth_m);
    }
    bench_rows_put(rows, "%s", s->passive == UINT64_MAX ? "" : s->passive ? "no" : "yes");
    bench_rows_put(rows, "%s%s%s", s->status, *s->detail ? ": " : "", s->detail);
}

base_status bench_page_simulations(const char *folder, bench_rows *rows, base_error *err)
{
    static const char *const header[SIMULATION_COLUMNS] = {
        "scene", "variant", "driven by", "deepest point", "creates energy", "ended"};
    char path[BENCH_RUN_PATH_BYTES];
    base_csv table;
    base_status status = bench_run_file(folder, path, err, "simulations.csv");
    if (status == BASE_OK) {
        status = base_csv_read(path, NULL, &table, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    rows->columns = SIMULATION_COLUMNS;
    for (size_t i = 0; i < SIMULATION_COLUMNS; i++) {
        bench_rows_put(rows, "%s", header[i]);
    }
    for (size_t i = 0; i < table.rows && status == BASE_OK; i++) {
        bench_simulation_row row;
        status = bench_columns_read(bench_simulation_columns, &table, i, &row, err);
        if (status == BASE_OK) {
            put_simulation(&row, rows);
        }
    }
    base_csv_release(&table);
    return status;
}

static base_status put_simulations(const char *run, base_arena *arena, FILE *file, base_error *err)
{
    const char **folders;
    base_status status = bench_page_find_simulations(run, arena, &folders, err);
    for (size_t i = 0; status == BASE_OK && folders[i]; i++) {
        char folder[BENCH_RUN_PATH_BYTES], under[BENCH_RUN_PATH_BYTES];
        bench_rows rows = {0};
        snprintf(under, sizeof under, "%s/", folders[i]);
        snprintf(folder, sizeof folder, "%s/%s", run, folders[i]);
        status = bench_page_simulations(folder, &rows, err);
        if (status == BASE_OK) {
            fputs("<h2>A simulated hand: ", file);
            bench_html_put(file, folders[i]);
            fputs(
                "</h2>\n<p>A hand moves B against A. Each variant alone keeps B out of A, once a "
                "millisecond. The deepest point of B in A should be small, and the contact should "
                "create no energy. Ended ok says only that the simulation ran to its "
                "end.</p>\n",
                file);
            status = bench_rows_print(&rows, BENCH_FORMAT_HTML, file, err);
        }
        bench_rows_release(&rows);
        if (status == BASE_OK) {
            status = put_pictures(run, under, "", arena, file, err);
        }
    }
    return status;
}

/* --- Scenarios -------------------------------------------------------------------------------- */

static const bench_comparison *find_comparison(const bench_comparisons *list,
                                               const bench_cell_row *cell)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].variant == cell && !list->items[i].evicted &&
            list->items[i].metric == BENCH_METRIC_QUERY) {
            return &list->items[i];
        }
    }
    return NULL;
}

/** Puts the ratio and its interval, or "1" for the baseline itself. */
static void put_ratio(const bench_comparison *c, bench_rows *rows)
{
    char claim[64] = "baseline";
    if (c) {
        bench_claim_text(c, claim, sizeof claim);
    }
    bench_rows_put(rows, "%s", c ? bench_ratio_text(c->ratio.ratio).text : "1");
    if (c && !isnan(c->ratio.lo)) {
        bench_rows_put(rows, "%s..%s", bench_ratio_text(c->ratio.lo).text,
                       bench_ratio_text(c->ratio.hi).text);
    } else {
        bench_rows_put(rows, "%s", "");
    }
    bench_rows_put(rows, "%s", claim);
}

static void put_point(const bench_point *p, const char *label, const bench_comparisons *list,
                      bench_rows *rows)
{
    const bench_error_kind error = p->tolerance.limits[0].error;
    const double share = p->cell->within[p->quantity];
    bench_rows_put(rows, "%s", label);
    put_ratio(find_comparison(list, p->cell), rows);
    bench_rows_put(rows, "%s", bench_time_text(p->cell->time_p50_ns).text);
    bench_rows_put(rows, "%s", bench_time_text(p->time_ns).text);
    bench_rows_put(rows, "%s", bench_limit_text(error, p->error_mean).text);
    bench_rows_put(rows, "%s", bench_limit_text(error, p->error_max).text);
    if (isnan(share)) {
        bench_rows_put(rows, "%s", "");
    } else {
        bench_rows_put(rows, "%.3g %%", 100 * share);
    }
    bench_rows_put(rows, "%s%s%s", p->on_front ? "on the front" : "",
                   p->fastest_within ? ", fastest within" : "",
                   p->fastest_exact ? ", fastest exact" : "");
}

/** Puts the points of one scenario and quantity, fastest first. */
static base_status put_points(const bench_record *record, const bench_point *points, size_t count,
                              const bench_comparisons *list, FILE *file, base_error *err)
{
    static const char *const header[] = {
        "variant", "time / baseline", "interval",      "verdict", "median",
        "p99",     "mean error",      "largest error", "within",  "front"};
    char tolerance[BENCH_TOLERANCE_BYTES];
    bench_rows rows = {.columns = sizeof header / sizeof *header};
    bench_looks looks;
    base_status status = bench_front_looks(record, points, count, &rows.arena, &looks, err);
    if (status != BASE_OK) {
        bench_rows_release(&rows);
        return status;
    }
    bench_tolerance_describe(&points[0].tolerance, tolerance);
    fprintf(file, "<p>Question: %s. Tolerance: ", alg_quantity_names[points[0].quantity]);
    bench_html_put(file, tolerance);
    fputs(*looks.shared ? ". Settings: " : ".", file);
    bench_html_put(file, looks.shared);
    fputs("</p>\n", file);
    for (size_t i = 0; i < rows.columns; i++) {
        bench_rows_put(&rows, "%s", header[i]);
    }
    for (size_t i = 0; i < count; i++) {
        put_point(&points[i], looks.items[i].label, list, &rows);
    }
    status = bench_rows_print(&rows, BENCH_FORMAT_HTML, file, err);
    bench_rows_release(&rows);
    return status;
}

/** Puts the scenario whose points begin at *at, and moves *at past them. */
static base_status put_scenario(const bench_record *record, const char *scenario,
                                const bench_front *front, const bench_comparisons *list, size_t *at,
                                FILE *file, base_error *err)
{
    base_arena arena = {0};
    base_status status = BASE_OK;
    char prefix[BENCH_RUN_PATH_BYTES];
    fputs("<h2>", file);
    bench_html_put(file, scenario);
    fputs("</h2>\n", file);
    while (status == BASE_OK && *at < front->count &&
           strcmp(front->points[*at].cell->scenario, scenario) == 0) {
        const size_t first = *at;
        *at = bench_front_group_end(front, first);
        if (bench_point_is_asked(&front->points[first])) {
            status = put_points(record, front->points + first, *at - first, list, file, err);
        }
    }
    snprintf(prefix, sizeof prefix, "%s-", scenario);
    for (char *c = prefix; *c; c++) {
        *c = *c == '/' ? '_' : *c;
    }
    if (status == BASE_OK) {
        status = put_pictures(record->folder, "", prefix, &arena, file, err);
    }
    base_arena_release(&arena);
    return status;
}

/* --- The page --------------------------------------------------------------------------------- */

static void put_fact(const bench_record *record, const char *section, const char *key,
                     const char *before, FILE *file)
{
    const char *const value = bench_record_fact(record, section, key);
    if (value) {
        fputs(before, file);
        bench_html_put(file, value);
    }
}

static void put_head(const bench_record *record, FILE *file)
{
    const char *const title = bench_record_fact(record, "run", "title");
    fputs(head, file);
    fputs("<title>", file);
    bench_html_put(file, title ? title : record->folder);
    fputs("</title>\n</head>\n<body>\n<h1>", file);
    bench_html_put(file, title ? title : record->folder);
    fputs("</h1>\n<p>", file);
    put_fact(record, "run", "experiment", "Experiment ", file);
    put_fact(record, "run", "mode", ", mode ", file);
    put_fact(record, "suite", "version", ", proxbench ", file);
    put_fact(record, "suite", "commit", ", commit ", file);
    put_fact(record, "machine", "cpu", ", on ", file);
    put_fact(record, "run", "start_utc", ", begun ", file);
    fputs(".</p>\n<p>p99 is the 99th percentile over frames of each frame's median time, pose in, "
          "answer out. In the first table a ratio is p99 of the variant / p99 of the exact method; "
          "in "
          "the tables of scenarios it is the time of all frames, in the same launch. Below 1 is "
          "faster. The intervals of a scenario hold together with 95 %; those of the first table "
          "are of launches, and ! marks one that had to be widened by more than a tenth to contain "
          "the ratio, as the machine was disturbed. The column <em>within</em> is the "
          "share of judged frames whose error is within the tolerance of the scenario; the role "
          "<em>within</em> is the fastest variant with every frame there. n/j: not judged, since "
          "no second method knows the truth.</p>\n",
          file);
}

/** Writes the warnings that the reader needs before the first table. */
static void put_warnings(const bench_record *record, const bench_comparisons *list,
                         const bench_digest *digest, FILE *file)
{
    char lines[2][BENCH_DIGEST_LINE_BYTES];
    bench_digest_tell_noise(digest, record, list, lines[0]);
    bench_digest_tell_apart(record, lines[1]);
    for (size_t i = 0; i < 2; i++) {
        if (*lines[i]) {
            fputs("<p><strong>", file);
            bench_html_put(file, lines[i]);
            fputs("</strong></p>\n", file);
        }
    }
}

static base_status put_body(const bench_record *record, const bench_comparisons *list,
                            const bench_front *front, bench_digest *digest, FILE *file,
                            base_error *err)
{
    bench_rows rows = {0};
    base_arena arena = {0};
    size_t at = 0;
    put_head(record, file);
    put_warnings(record, list, digest, file);
    bench_digest_put(digest, &rows);
    base_status status = bench_rows_print(&rows, BENCH_FORMAT_HTML, file, err);
    bench_rows_release(&rows);
    const char *const settings = bench_digest_settings(digest);
    fputs("<p>Settings: ", file);
    bench_html_put(file, settings ? settings : "");
    fputs("</p>\n", file);
    for (size_t first = 0; first < record->cell_count && status == BASE_OK;
         first = bench_record_scenario_end(record, first)) {
        status = put_scenario(record, record->cells[first].scenario, front, list, &at, file, err);
    }
    if (status == BASE_OK) {
        status = put_simulations(record->folder, &arena, file, err);
    }
    fputs("</body>\n</html>\n", file);
    base_arena_release(&arena);
    return status;
}

base_status bench_page_write(const bench_record *record, const bench_comparisons *list,
                             const bench_front *front, bench_digest *digest, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    bench_output output;
    base_status status = bench_run_file(record->folder, path, err, "index.html");
    if (status == BASE_OK) {
        status = bench_output_open(path, &output, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    status = put_body(record, list, front, digest, output.file, err);
    return bench_output_close(&output, status, err);
}
