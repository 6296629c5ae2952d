#include "suite/report/tables.h"

#include "base/memory.h"
#include "base/text.h"
#include "suite/figures/figures.h"
#include "suite/results/launches.h"
#include "suite/results/reference.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* --- Facts ------------------------------------------------------------------------------------ */

static void put_facts(const bench_record *record, bench_json *json)
{
    static const struct {
        const char *section, *key;
    } facts[] = {
        {"run", "experiment"},      {"run", "mode"},
        {"run", "start_utc"},       {"run", "end_utc"},
        {"run", "command"},         {"suite", "version"},
        {"suite", "commit"},        {"suite", "compiler"},
        {"suite", "flags"},         {"machine", "cpu"},
        {"machine", "cpus_online"}, {"machine", "kernel"},
        {"machine", "governor"},
    };
    bench_json_open(json, "facts", '{');
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const char *const value = bench_record_fact(record, facts[i].section, facts[i].key);
        if (value) {
            bench_json_text(json, facts[i].key, value);
        }
    }
    bench_json_close(json, '}');
}

static void put_notes(const bench_page_run *run, bench_json *json)
{
    const bench_record *const record = run->record;
    char line[BENCH_DIGEST_LINE_BYTES];
    size_t bad = 0;
    bench_json_open(json, "notes", '[');
    if (!bench_record_fact(record, "run", "end_utc")) {
        bench_json_text(json, NULL,
                        "This run is not finished: 'proxbench run --resume' continues it. What "
                        "follows is of the cells that it has so far.");
    }
    if (record->cell_count == 0) {
        bench_json_text(json, NULL, "This run has no cell yet.");
    }
    for (size_t i = 0; i < record->cell_count; i++) {
        bad += !bench_cell_row_is_ok(&record->cells[i]);
    }
    if (bad > 0) {
        snprintf(line, sizeof line,
                 "%zu of %zu cells %s not ok: their reasons are in the table of "
                 "cells.",
                 bad, record->cell_count, bad == 1 ? "is" : "are");
        bench_json_text(json, NULL, line);
    }
    bench_digest_noise_text(run->digest, record, run->comparisons, line);
    if (*line) {
        bench_json_text(json, NULL, line);
    }
    bench_digest_apart_text(record, line);
    if (*line) {
        bench_json_text(json, NULL, line);
    }
    bench_json_close(json, ']');
}

/* --- Results ---------------------------------------------------------------------------------- */

/** Puts what the ranking and the table of variants have in common. */
static void put_point(const bench_point *p, const char *label, bench_json *json)
{
    const bench_error_kind error = p->tolerance.limits[0].error;
    char tolerance[BENCH_TOLERANCE_BYTES];
    bench_tolerance_describe(&p->tolerance, tolerance);
    bench_json_text(json, "scenario", p->cell->scenario);
    bench_json_text(json, "quantity", alg_quantity_names[p->quantity]);
    bench_json_text(json, "tolerance", tolerance);
    bench_json_text(json, "label", label);
    bench_json_text(json, "variant", p->cell->variant);
    bench_json_number(json, "p50_ns", p->cell->time_p50_ns);
    bench_json_number(json, "p99_ns", p->time_ns);
    bench_json_number(json, "error", p->error_mean);
    bench_json_text(json, "error_text", bench_limit_text(error, p->error_mean).text);
    bench_json_number(json, "error_max", p->error_max);
    bench_json_text(json, "error_max_text", bench_limit_text(error, p->error_max).text);
    bench_json_number(json, "within", p->cell->within[p->quantity]);
}

static void put_ranking(bench_digest *digest, bench_json *json)
{
    bench_json_open(json, "ranking", '[');
    for (size_t i = 0; i < digest->count; i++) {
        const bench_digest_row *const row = &digest->rows[i];
        bench_json_open(json, NULL, '{');
        put_point(row->point, row->look->label, json);
        bench_json_text(json, "role", row->role);
        bench_json_number(json, "ratio", isnan(row->ratio) ? 1 : row->ratio);
        bench_json_number(json, "lo", row->lo);
        bench_json_number(json, "hi", row->hi);
        bench_json_flag(json, "disturbed", row->disturbed);
        bench_json_close(json, '}');
    }
    bench_json_close(json, ']');
    bench_json_text(json, "settings", bench_digest_settings(digest));
}

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

/** Puts one scenario and quantity. */
static base_status put_group(const bench_page_run *run, const bench_point *points, size_t count,
                             bench_json *json, base_error *err)
{
    base_arena arena = {0};
    bench_looks looks;
    const char **const names = base_arena_alloc(&arena, count, sizeof *names);
    base_status status = names ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < count && names; i++) {
        names[i] = points[i].cell->variant;
    }
    if (status == BASE_OK) {
        status = bench_figures_looks(run->record, points->cell->scenario, names, count, &arena,
                                     &looks, err);
    }
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        const bench_point *const p = &points[i];
        const bench_comparison *const c = find_comparison(run->comparisons, p->cell);
        char claim[64] = "baseline";
        if (c) {
            bench_claim_text(c, claim, sizeof claim);
        }
        bench_json_open(json, NULL, '{');
        put_point(p, looks.items[i].label, json);
        bench_json_number(json, "ratio", c ? c->ratio.ratio : 1);
        bench_json_number(json, "lo", c ? c->ratio.lo : (double)NAN);
        bench_json_number(json, "hi", c ? c->ratio.hi : (double)NAN);
        bench_json_text(json, "verdict", claim);
        bench_json_flag(json, "front", p->on_front);
        bench_json_flag(json, "fastest", p->fastest_within);
        bench_json_close(json, '}');
    }
    base_arena_release(&arena);
    return status;
}

static base_status put_points(const bench_page_run *run, bench_json *json, base_error *err)
{
    const bench_front *const front = run->front;
    base_status status = BASE_OK;
    bench_json_open(json, "points", '[');
    for (size_t i = 0, end; i < front->count && status == BASE_OK; i = end) {
        end = bench_front_group_end(front, i);
        if (bench_point_is_asked(&front->points[i])) {
            status = put_group(run, &front->points[i], end - i, json, err);
        }
    }
    bench_json_close(json, ']');
    return status;
}

/* --- Tables of files -------------------------------------------------------------------------- */

static const bench_column *find_column(bench_columns columns, const char *name)
{
    for (size_t i = 0; i < columns.count; i++) {
        if (strcmp(columns.items[i].name, name) == 0) {
            return &columns.items[i];
        }
    }
    return NULL;
}

/** True if some record of the column has a value. */
static bool has_values(const base_csv *table, size_t column)
{
    for (size_t r = 0; r < table->rows; r++) {
        if (base_csv_text(table, r, (int)column)) {
            return true;
        }
    }
    return false;
}

/** Puts a field: a number, a text, or null. A hash is a text even if all its digits are decimal. */
static void put_field(const base_csv *table, size_t row, size_t c, const bench_column *column,
                      bench_json *json)
{
    double value;
    const char *const text = base_csv_text(table, row, (int)c);
    const bool number = !column || column->kind >= BENCH_KIND_FLAG;
    if (text && number && base_text_number(text, &value)) {
        bench_json_number(json, NULL, value);
    } else {
        bench_json_text(json, NULL, text);
    }
}

static void put_table(const base_csv *table, const char *key, bench_columns columns,
                      bench_json *json)
{
    bench_json_open(json, key, '{');
    bench_json_open(json, "columns", '[');
    for (size_t c = 0; c < table->columns; c++) {
        const bench_column *const column = find_column(columns, table->cells[c]);
        if (has_values(table, c)) {
            bench_json_open(json, NULL, '[');
            bench_json_text(json, NULL, table->cells[c]);
            bench_json_text(json, NULL, column ? column->unit : "");
            bench_json_text(json, NULL, column ? column->meaning : "");
            bench_json_close(json, ']');
        }
    }
    bench_json_close(json, ']');
    bench_json_open(json, "rows", '[');
    for (size_t r = 0; r < table->rows; r++) {
        bench_json_open(json, NULL, '[');
        for (size_t c = 0; c < table->columns; c++) {
            if (has_values(table, c)) {
                put_field(table, r, c, find_column(columns, table->cells[c]), json);
            }
        }
        bench_json_close(json, ']');
    }
    bench_json_close(json, ']');
    bench_json_close(json, '}');
}

/** Puts a file of the run if it is there. */
static base_status put_file(const bench_record *record, const char *name, const char *key,
                            bench_columns columns, bench_json *json, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    base_csv table;
    base_status status = bench_run_file(record->folder, path, err, "%s", name);
    if (status != BASE_OK || access(path, F_OK) != 0) {
        return status;
    }
    status = base_csv_read(path, NULL, &table, err);
    if (status == BASE_OK) {
        put_table(&table, key, columns, json);
        base_csv_release(&table);
    }
    return status;
}

/* --- Figures ---------------------------------------------------------------------------------- */

enum { FIGURE_BYTES_MAX = 400 << 10 }; /* larger pictures are named, but not shown */

static base_status put_figure(const char *folder, const bench_index_row *row, bench_json *json,
                              base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES], *svg;
    size_t size;
    const size_t length = strlen(row->picture), end = strlen(".svg");
    if (length <= end || strcmp(row->picture + length - end, ".svg") != 0 ||
        strchr(row->picture, '/')) {
        return BASE_OK;
    }
    base_status status = bench_run_file(folder, path, err, "figures/%s", row->picture);
    if (status == BASE_OK) {
        status = base_file_read(path, &svg, &size, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    bench_json_open(json, NULL, '{');
    bench_json_text(json, "file", row->picture);
    bench_json_text(json, "scenario", row->fields[BENCH_INDEX_SCENARIO]);
    bench_json_text(json, "quantity", row->fields[BENCH_INDEX_QUANTITY]);
    bench_json_text(json, "figure", row->fields[BENCH_INDEX_FIGURE]);
    bench_json_text(json, "svg", size <= FIGURE_BYTES_MAX ? svg : NULL);
    bench_json_close(json, '}');
    base_free(svg);
    return BASE_OK;
}

/** Puts the SVGs of FOLDER/figures, which `plot` lists in its index. */
static base_status put_figures(const char *folder, bench_json *json, base_error *err)
{
    char figures[BENCH_RUN_PATH_BYTES];
    bench_index index = {0};
    base_error damage = {0};
    snprintf(figures, sizeof figures, "%s/figures", folder);
    base_status status = bench_index_open(figures, &index, &damage, err);
    bench_json_open(json, "figures", '[');
    for (size_t i = 0; i < index.count && status == BASE_OK; i++) {
        status = put_figure(folder, &index.rows[i], json, err);
    }
    bench_json_close(json, ']');
    bench_index_close(&index);
    return status;
}

/* --- Simulations ------------------------------------------------------------------------------ */

static base_status put_simulation(const char *run, const char *name, bench_json *json,
                                  base_error *err)
{
    char folder[BENCH_RUN_PATH_BYTES];
    bench_rows rows = {0};
    snprintf(folder, sizeof folder, "%s/%s", run, name);
    base_status status = bench_digest_simulation_rows(folder, &rows, err);
    bench_json_open(json, NULL, '{');
    bench_json_text(json, "folder", name);
    if (status == BASE_OK) {
        bench_json_key(json, "rows");
        status = bench_rows_print(&rows, BENCH_FORMAT_JSON, json->file, err);
    }
    bench_rows_release(&rows);
    if (status == BASE_OK) {
        status = put_figures(folder, json, err);
    }
    bench_json_close(json, '}');
    return status;
}

static base_status put_simulations(const char *run, bench_json *json, base_error *err)
{
    base_arena arena = {0};
    const char **folders;
    base_status status = bench_digest_simulations(run, &arena, &folders, err);
    bench_json_open(json, "simulations", '[');
    for (size_t i = 0; status == BASE_OK && folders[i]; i++) {
        status = put_simulation(run, folders[i], json, err);
    }
    bench_json_close(json, ']');
    base_arena_release(&arena);
    return status;
}

/* --- The run ---------------------------------------------------------------------------------- */

base_status bench_tables_put(const bench_page_run *run, bench_json *json, base_error *err)
{
    const bench_record *const record = run->record;
    const char *const title = bench_record_fact(record, "run", "title");
    bench_json_text(json, "folder", record->folder);
    bench_json_text(json, "title", title ? title : record->folder);
    put_facts(record, json);
    put_notes(run, json);
    put_ranking(run->digest, json);
    base_status status = put_points(run, json, err);
    if (status == BASE_OK) {
        status = put_file(record, "claims.csv", "claims", bench_claims_columns, json, err);
    }
    put_table(&record->cell_table, "cells", bench_cells_columns(), json);
    if (status == BASE_OK) {
        status = put_file(record, "builds.csv", "builds", bench_builds_columns, json, err);
    }
    if (status == BASE_OK) {
        status = put_simulations(record->folder, json, err);
    }
    return status == BASE_OK ? put_figures(record->folder, json, err) : status;
}
