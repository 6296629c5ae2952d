#include "suite/results/record.h"

#include "base/memory.h"
#include "suite/results/launches.h"
#include "suite/results/reference.h"
#include "suite/results/run_folder.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Reads a file of the run and checks that it has the columns required by `needs`. */
static base_status read_table(const char *folder, const char *name, bench_columns columns,
                              unsigned needs, base_csv *table, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    base_status status = bench_run_file(folder, path, err, "%s", name);
    if (status == BASE_OK) {
        status = base_csv_read(path, NULL, table, err);
    }
    return status == BASE_OK ? bench_columns_check(columns, table, needs, err) : status;
}

/** Reads all rows of a table into an array of structures of `size` bytes. */
static base_status read_rows(const base_csv *table, bench_columns columns, size_t size, void **rows,
                             size_t *count, base_error *err)
{
    char *const items = base_alloc(table->rows, size);
    *rows = items;
    if (!items) {
        return base_fail(err, BASE_ERR_MEMORY, "'%s': out of memory", table->path);
    }
    memset(items, 0, table->rows * size);
    for (size_t row = 0; row < table->rows; row++) {
        const base_status status = bench_columns_read(columns, table, row, items + row * size, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    *count = table->rows;
    return BASE_OK;
}

/* --- manifest.csv ----------------------------------------------------------------------------- */

static base_status read_facts(bench_record *r, base_error *err)
{
    void *rows = NULL;
    base_status status =
        read_table(r->folder, bench_files[BENCH_FILE_MANIFEST].name, bench_manifest_columns,
                   BENCH_RECORD_FACTS, &r->fact_table, err);
    if (status == BASE_OK) {
        status = read_rows(&r->fact_table, bench_manifest_columns, sizeof *r->facts, &rows,
                           &r->fact_count, err);
    }
    r->facts = rows;
    if (status != BASE_OK) {
        return status;
    }
    const char *const experiment = bench_record_fact(r, "run", "experiment");
    const char *const fault =
        experiment ? bench_name_fault(BENCH_NAME_EXPERIMENT, experiment) : NULL;
    return fault ? base_fail(err, BASE_ERR_INPUT, "'%s': the experiment is %s", r->fact_table.path,
                             fault)
                 : BASE_OK;
}

const char *bench_record_next_fact(const bench_record *record, const char *section, const char *key,
                                   size_t *at)
{
    while (*at < record->fact_count) {
        const bench_fact *const fact = &record->facts[(*at)++];
        if (strcmp(fact->section, section) == 0 && (!key || strcmp(fact->key, key) == 0)) {
            return fact->value;
        }
    }
    return NULL;
}

const char *bench_record_fact(const bench_record *record, const char *section, const char *key)
{
    size_t at = 0;
    return bench_record_next_fact(record, section, key, &at);
}

/* --- cells.csv -------------------------------------------------------------------------------- */

static base_status read_cells(bench_record *r, unsigned parts, base_error *err)
{
    void *rows = NULL;
    base_status status = read_table(r->folder, bench_files[BENCH_FILE_CELLS].name,
                                    bench_cells_columns(), parts, &r->cell_table, err);
    if (status == BASE_OK) {
        status = read_rows(&r->cell_table, bench_cells_columns(), sizeof *r->cells, &rows,
                           &r->cell_count, err);
    }
    r->cells = rows;
    for (size_t i = 0; i < r->cell_count; i++) {
        r->cells[i].twin = bench_variant_is_twin(r->cells[i].variant);
    }
    return status;
}

const bench_cell_row *bench_record_find(const bench_record *record, const char *scenario,
                                        const char *variant)
{
    for (size_t i = 0; i < record->cell_count; i++) {
        const bench_cell_row *const c = &record->cells[i];
        if (strcmp(c->variant, variant) == 0 && strcmp(c->scenario, scenario) == 0) {
            return c;
        }
    }
    return NULL;
}

size_t bench_record_scenario_end(const bench_record *record, size_t first)
{
    size_t end = first;
    while (end < record->cell_count &&
           strcmp(record->cells[end].scenario, record->cells[first].scenario) == 0) {
        end++;
    }
    return end;
}

/* --- simulations.csv -------------------------------------------------------------------------- */

/**
 * Reads simulations as cells. Their quantity is "force": a force drives each body, even if a
 * variant answers other quantities from which the force is computed.
 */
static base_status read_simulated(bench_record *r, base_error *err)
{
    r->simulated = true;
    base_status status =
        read_table(r->folder, bench_files[BENCH_FILE_SIMULATIONS].name, bench_simulation_columns,
                   BENCH_RECORD_SIMULATED, &r->cell_table, err);
    if (status != BASE_OK) {
        return status;
    }
    r->cells = base_alloc(r->cell_table.rows, sizeof *r->cells);
    if (!r->cells) {
        return base_fail(err, BASE_ERR_MEMORY, "'%s': out of memory", r->cell_table.path);
    }
    for (size_t i = 0; i < r->cell_table.rows && status == BASE_OK; i++) {
        bench_simulation_row row;
        status = bench_columns_read(bench_simulation_columns, &r->cell_table, i, &row, err);
        if (status == BASE_OK) {
            r->cells[r->cell_count++] = (bench_cell_row){.scenario = row.scene,
                                                         .variant = row.variant,
                                                         .quantity = "force",
                                                         .status = row.status,
                                                         .detail = row.detail,
                                                         .baseline = "",
                                                         .file = row.file,
                                                         .contract = "",
                                                         .answers_hash = "",
                                                         .elsewhere = "",
                                                         .frames = row.steps};
        }
    }
    return status;
}

/* --- launches.csv ----------------------------------------------------------------------------- */

/** Finds the cell of a launch. */
static base_status find_launch_cell(const bench_record *r, size_t row, bench_launch_row *launch,
                                    base_error *err)
{
    launch->line = r->launch_table.lines[row + 1];
    launch->evicted = strcmp(launch->protocol, bench_protocol_name(BENCH_EVICTED)) == 0;
    if (!launch->evicted && strcmp(launch->protocol, bench_protocol_name(BENCH_WARM)) != 0) {
        return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: protocol '%s' is not warm or evicted",
                         r->launch_table.path, launch->line, launch->protocol);
    }
    launch->cell = bench_record_find(r, launch->scenario, launch->variant);
    return launch->cell
               ? BASE_OK
               : base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: '%s' has no row for '%s' on '%s'",
                           r->launch_table.path, launch->line, r->cell_table.path, launch->variant,
                           launch->scenario);
}

static int by_position(const void *a, const void *b)
{
    const bench_launch_row *const x = a, *const y = b;
    if (x->cell != y->cell) {
        return x->cell < y->cell ? -1 : 1;
    }
    const uint64_t of_x[] = {x->evicted, x->block, x->launch};
    const uint64_t of_y[] = {y->evicted, y->block, y->launch};
    for (size_t i = 0; i < sizeof of_x / sizeof *of_x; i++) {
        if (of_x[i] != of_y[i]) {
            return of_x[i] < of_y[i] ? -1 : 1;
        }
    }
    return 0;
}

/** Sorts the launches and sets the launch ranges of all cells. */
static base_status order_launches(bench_record *r, base_error *err)
{
    qsort(r->launches, r->launch_count, sizeof *r->launches, by_position);
    for (size_t i = 0; i < r->launch_count; i++) {
        const bench_launch_row *const p = &r->launches[i];
        if (i > 0 && by_position(p - 1, p) == 0) {
            const size_t second = p->line > p[-1].line ? p->line : p[-1].line;
            return base_fail(err, BASE_ERR_INPUT,
                             "'%s' line %zu: '%s' on '%s' has launch %llu of block %llu twice, %s",
                             r->launch_table.path, second, p->variant, p->scenario,
                             (unsigned long long)p->launch, (unsigned long long)p->block,
                             p->protocol);
        }
        bench_cell_row *const cell = &r->cells[p->cell - r->cells];
        if (cell->launch_count[p->evicted]++ == 0) {
            cell->first_launch[p->evicted] = i;
        }
    }
    return BASE_OK;
}

static base_status read_launches(bench_record *r, base_error *err)
{
    void *rows = NULL;
    base_status status =
        read_table(r->folder, bench_files[BENCH_FILE_LAUNCHES].name, bench_launches_columns,
                   BENCH_RECORD_LAUNCHES, &r->launch_table, err);
    if (status == BASE_OK) {
        status = read_rows(&r->launch_table, bench_launches_columns, sizeof *r->launches, &rows,
                           &r->launch_count, err);
    }
    r->launches = rows;
    for (size_t i = 0; status == BASE_OK && i < r->launch_count; i++) {
        status = find_launch_cell(r, i, &r->launches[i], err);
    }
    return status == BASE_OK ? order_launches(r, err) : status;
}

/* --- Files for scripts ------------------------------------------------------------------------ */

/**
 * Checks that each field of a file is one that this program would write. A missing file is valid.
 */
static base_status check_file(const char *folder, const char *name, bench_columns columns,
                              base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    base_status status = bench_run_file(folder, path, err, "%s", name);
    if (status != BASE_OK || access(path, F_OK) != 0) {
        return status;
    }
    union {
        char bytes[1024]; /* larger than the structure of any of these files */
        double aligned;
    } row;
    base_csv table;
    status = base_csv_read(path, NULL, &table, err);
    for (size_t i = 0; status == BASE_OK && i < table.rows; i++) {
        status = bench_columns_read(columns, &table, i, row.bytes, err);
    }
    base_csv_release(&table);
    return status;
}

/* --- Opening ---------------------------------------------------------------------------------- */

static base_status read_parts(bench_record *r, unsigned parts, base_error *err)
{
    base_status status = parts & BENCH_RECORD_FACTS ? read_facts(r, err) : BASE_OK;
    if (status == BASE_OK && (parts & (BENCH_RECORD_CELLS | BENCH_RECORD_LAUNCHES))) {
        status = read_cells(r, parts | BENCH_RECORD_CELLS, err);
    }
    if (status == BASE_OK && (parts & BENCH_RECORD_SIMULATED)) {
        status = read_simulated(r, err);
    }
    if (status == BASE_OK && (parts & BENCH_RECORD_LAUNCHES)) {
        status = read_launches(r, err);
    }
    for (int f = 0; status == BASE_OK && (parts & BENCH_RECORD_DRAWN) && f < BENCH_FILE_COUNT;
         f++) {
        if (bench_files[f].use & BENCH_FILE_DRAWN) {
            status = check_file(r->folder, bench_files[f].name, *bench_files[f].columns, err);
        }
    }
    return status;
}

base_status bench_record_open(const char *folder, unsigned parts, bench_record *record,
                              base_error *err)
{
    *record = (bench_record){0};
    if ((size_t)snprintf(record->folder, sizeof record->folder, "%s", folder) >=
        sizeof record->folder) {
        return base_fail(err, BASE_ERR_ARGUMENT, "the path of the run's folder is too long");
    }
    const base_status status = read_parts(record, parts, err);
    if (status != BASE_OK) {
        bench_record_release(record);
    }
    return status;
}

void bench_record_release(bench_record *record)
{
    base_free(record->facts);
    base_free(record->cells);
    base_free(record->launches);
    base_csv_release(&record->fact_table);
    base_csv_release(&record->cell_table);
    base_csv_release(&record->launch_table);
    *record = (bench_record){0};
}

/* --- Selecting -------------------------------------------------------------------------------- */

static const char *name_of(const bench_cell_row *cell, bool scenario)
{
    return scenario ? cell->scenario : cell->variant;
}

static bool matches(const bench_names *globs, const char *name)
{
    bool found = globs->count == 0;
    for (size_t i = 0; i < globs->count && !found; i++) {
        found = fnmatch(globs->items[i], name, 0) == 0;
    }
    return found;
}

/**
 * Returns an error for a glob without a match, because a misspelt glob would silently hide results.
 */
static base_status check_globs(const bench_record *r, const bench_names *globs, bool scenario,
                               base_error *err)
{
    for (size_t i = 0; i < globs->count; i++) {
        bool found = false;
        for (size_t c = 0; c < r->cell_count && !found; c++) {
            found = fnmatch(globs->items[i], name_of(&r->cells[c], scenario), 0) == 0;
        }
        if (!found) {
            return base_fail(err, BASE_ERR_ARGUMENT, "no %s in '%s' matches '%s'",
                             scenario ? "scenario" : "variant", r->cell_table.path,
                             globs->items[i]);
        }
    }
    return BASE_OK;
}

base_status bench_record_select(bench_record *record, const bench_names *algorithms,
                                const bench_names *scenarios, base_error *err)
{
    base_status status = check_globs(record, algorithms, false, err);
    if (status == BASE_OK) {
        status = check_globs(record, scenarios, true, err);
    }
    for (size_t i = 0; i < record->cell_count && status == BASE_OK; i++) {
        bench_cell_row *const c = &record->cells[i];
        c->left_out =
            !matches(algorithms, name_of(c, false)) || !matches(scenarios, name_of(c, true));
    }
    return status;
}

/* --- Files of one cell ------------------------------------------------------------------------ */

base_status bench_record_frames(const bench_record *record, const bench_cell_row *cell,
                                base_csv *frames, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    *frames = (base_csv){0};
    base_status status =
        bench_run_file(record->folder, path, err, "%s/%s.csv", cell->scenario, cell->file);
    if (status != BASE_OK || access(path, F_OK) != 0) {
        return status;
    }
    status = base_csv_read(path, NULL, frames, err);
    if (status == BASE_OK) {
        status = bench_columns_check_names(frames, err);
    }
    if (status != BASE_OK) {
        base_csv_release(frames);
    }
    return status;
}

base_status bench_record_trajectory(const bench_record *record, const char *scenario,
                                    scn_trajectory *trajectory, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    const base_status status =
        bench_run_file(record->folder, path, err, "trajectories/%s.csv", scenario);
    return status == BASE_OK ? scn_trajectory_read(path, trajectory, err) : status;
}
