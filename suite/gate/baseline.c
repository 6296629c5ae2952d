#include "suite/gate/baseline.h"

#include "base/memory.h"
#include "suite/output.h"
#include "suite/results/frames.h"
#include "suite/results/run_folder.h"

#include <stdlib.h>
#include <string.h>

/* --- Runs ------------------------------------------------------------------------------------- */

bool bench_gate_died(const char *status)
{
    static const bench_status died[] = {BENCH_CELL_CRASH, BENCH_CELL_TIMEOUT, BENCH_CELL_OOM,
                                        BENCH_CELL_FAILED};
    for (size_t i = 0; i < sizeof died / sizeof *died; i++) {
        if (strcmp(status, bench_status_name(died[i])) == 0) {
            return true;
        }
    }
    return false;
}

/** True if the run's manifest names a plug-in as the source of the variant. */
static bool is_of_plugin(const bench_record *record, const char *variant)
{
    char section[BENCH_CONTESTANT_NAME_BYTES + 8];
    snprintf(section, sizeof section, "plugin %s", variant);
    return bench_record_fact(record, section, NULL);
}

/**
 * True if the contestant has this label (NULL: no label). Sets *length to the length of its name
 * without the label.
 */
static bool has_label(const char *variant, const char *label, size_t *length)
{
    const char *const at = strchr(variant, '@');
    *length = at ? (size_t)(at - variant) : strlen(variant);
    return label && at ? strcmp(at + 1, label) == 0 : !label && !at;
}

static base_status add_cell(bench_gate_cells *cells, const bench_cell_row *row, size_t length,
                            base_error *err)
{
    char name[BENCH_CONTESTANT_NAME_BYTES];
    alg_variant variant;
    bench_gate_cell *const cell = &cells->items[cells->count++];
    snprintf(name, sizeof name, "%.*s", (int)length, row->variant);
    const bool reads_clock =
        alg_variant_parse(name, 1, &variant, NULL) == ALG_OK && alg_variant_reads_clock(&variant);
    *cell = (bench_gate_cell){.row = *row,
                              .own = !is_of_plugin(&cells->record, name),
                              .answers_gated = !reads_clock,
                              .recorded = row};
    if (row->tolerance_ulp == UINT64_MAX) {
        cell->row.tolerance_ulp = 0; /* a run of an older version, which lacks this column */
    }
    cell->row.variant = base_arena_text(&cells->arena, name);
    return cell->row.variant ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
}

base_status bench_gate_read_run(const char *folder, const char *label, bench_gate_cells *cells,
                                base_error *err)
{
    *cells = (bench_gate_cells){.folder = folder, .experiment = ""};
    bench_record *const record = &cells->record;
    base_status status =
        bench_record_open(folder, BENCH_RECORD_FACTS | BENCH_RECORD_CELLS, record, err);
    if (status != BASE_OK) {
        return status;
    }
    cells->items = base_arena_alloc(&cells->arena, record->cell_count, sizeof *cells->items);
    if (!cells->items) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < record->cell_count && status == BASE_OK; i++) {
        size_t length;
        if (has_label(record->cells[i].variant, label, &length)) {
            status = add_cell(cells, &record->cells[i], length, err);
        }
    }
    const char *const experiment = bench_record_fact(record, "run", "experiment");
    const char *const ending = bench_record_fact(record, "run", "exit_status");
    cells->experiment = experiment ? experiment : "";
    cells->interrupted = !ending || strcmp(ending, "130") == 0;
    return status;
}

/* --- Runs and baselines ----------------------------------------------------------------------- */

void bench_gate_cells_release(bench_gate_cells *cells)
{
    bench_record_release(&cells->record);
    base_csv_release(&cells->baseline);
    base_arena_release(&cells->arena);
    *cells = (bench_gate_cells){0};
}

const bench_gate_cell *bench_gate_cell_find(const bench_gate_cells *cells, const char *scenario,
                                            const char *variant)
{
    for (size_t i = 0; i < cells->count; i++) {
        if (strcmp(cells->items[i].row.scenario, scenario) == 0 &&
            strcmp(cells->items[i].row.variant, variant) == 0) {
            return &cells->items[i];
        }
    }
    return NULL;
}

bool bench_gate_has_frames(const bench_gate_cells *cells, const bench_gate_cell *cell)
{
    const char *const status = cell->row.status;
    return !cells->folder
               ? cell->frame_count > 0
               : cell->answers_gated && (bench_cell_row_is_ok(&cell->row) ||
                                         strcmp(status, bench_status_name(BENCH_CELL_WRONG)) == 0);
}

static bool has_values(const base_csv *table, size_t column)
{
    bool found = false;
    for (size_t row = 0; row < table->rows && !found; row++) {
        found = base_csv_text(table, row, (int)column);
    }
    return found;
}

/**
 * Rejects values in a column that this version does not know, because they may be answers. An
 * unknown column without values is ignored: older versions wrote empty columns of forces ("fx").
 */
static base_status check_known(const base_csv *table, base_error *err)
{
    bench_frame_columns any;
    bench_frame_columns_list_any(&any);
    for (size_t i = 0; i < table->columns; i++) {
        const char *const name = table->cells[i];
        if (!bench_frame_columns_find(&any, name) && !bench_baseline_is_of_cell(name) &&
            has_values(table, i)) {
            return base_fail(err, BASE_ERR_INPUT,
                             "'%s' has answers in a column '%s', which this version does not know: "
                             "another version wrote it, and it has to be made again",
                             table->path, name);
        }
    }
    return BASE_OK;
}

base_status bench_gate_frames_open(const bench_gate_cells *cells, const bench_gate_cell *cell,
                                   bench_gate_frames *frames, base_error *err)
{
    *frames = (bench_gate_frames){
        .table = &cells->baseline, .first = cell->first_frame, .count = cell->frame_count};
    if (!cells->folder || !bench_gate_has_frames(cells, cell)) {
        return BASE_OK;
    }
    const base_status status =
        bench_record_frames(&cells->record, cell->recorded, &frames->own, err);
    frames->table = &frames->own;
    frames->count = frames->own.rows;
    if (status == BASE_OK && frames->own.columns == 0) {
        return base_fail(err, BASE_ERR_INPUT, "'%s/%s/%s.csv' does not exist", cells->folder,
                         cell->row.scenario, cell->row.file);
    }
    return status == BASE_OK ? check_known(&frames->own, err) : status;
}

void bench_gate_frames_close(bench_gate_frames *frames)
{
    base_csv_release(&frames->own);
    *frames = (bench_gate_frames){0};
}

/* --- Baselines -------------------------------------------------------------------------------- */

/** A row of a baseline: a cell, or one of its frames. */
typedef struct baseline_row {
    bench_cell_row cell;
    uint64_t frame; /* UINT64_MAX: the row describes the cell */
} baseline_row;

/** The meanings of the columns are in docs/gate.md. */
#define COLUMN(name, kind, member)                                                                 \
    BENCH_COLUMN(name, kind, "", FACT, baseline_row, member, 1, NULL, NULL)

/** Columns of both kinds of rows. The columns of cells follow them. */
static const bench_column key_columns[] = {
    COLUMN("scenario", SCENARIO, cell.scenario),
    COLUMN("variant", CONTESTANT, cell.variant),
    COLUMN("frame", COUNT_IF, frame),
};
static const bench_column cell_columns[] = {
    COLUMN("status", STATUS, cell.status),
    COLUMN("quantity", QUANTITY, cell.quantity),
    COLUMN("contract", TEXT, cell.contract),
    COLUMN("violations", COUNT, cell.violations),
    COLUMN("frames_count", COUNT, cell.frames),
    COLUMN("tolerance_ulp", COUNT, cell.tolerance_ulp),
    /* Baselines of older versions lack this column. */
    BENCH_COLUMN("build_bytes", COUNT_IF, "bytes", COUNTER, baseline_row, cell.build_bytes, 0, NULL,
                 NULL),
};

bool bench_baseline_is_of_cell(const char *column)
{
    bool found = strcmp(column, "scenario") == 0 || strcmp(column, "variant") == 0;
    for (size_t i = 0; i < sizeof cell_columns / sizeof *cell_columns; i++) {
        found = found || strcmp(column, cell_columns[i].name) == 0;
    }
    return found;
}

/* --- Reading a baseline ----------------------------------------------------------------------- */

/** Adds a row of the table to the cells. */
static base_status add_baseline_row(bench_gate_cells *cells, size_t row, base_error *err)
{
    const base_csv *const table = &cells->baseline;
    baseline_row r = {.cell = {.detail = ""}};
    base_status status = bench_columns_read(BENCH_COLUMNS(key_columns), table, row, &r, err);
    if (status != BASE_OK) {
        return status;
    }
    if (r.frame == UINT64_MAX) {
        status = bench_columns_read(BENCH_COLUMNS(cell_columns), table, row, &r, err);
        cells->items[cells->count++] = (bench_gate_cell){
            .row = r.cell, .own = true, .answers_gated = true, .first_frame = row + 1};
        return status;
    }
    bench_gate_cell *const cell = cells->count > 0 ? &cells->items[cells->count - 1] : NULL;
    if (!cell || strcmp(cell->row.scenario, r.cell.scenario) != 0 ||
        strcmp(cell->row.variant, r.cell.variant) != 0) {
        return base_fail(err, BASE_ERR_INPUT,
                         "'%s' line %zu: a frame that does not follow the row of its cell",
                         table->path, table->lines[row + 1]);
    }
    cell->frame_count++;
    return BASE_OK;
}

base_status bench_gate_read_baseline(const char *path, bench_gate_cells *cells, base_error *err)
{
    *cells = (bench_gate_cells){.experiment = ""};
    base_csv *const table = &cells->baseline;
    base_status status = base_csv_read(path, NULL, table, err);
    if (status == BASE_OK) {
        status = bench_columns_check(BENCH_COLUMNS(key_columns), table, 1, err);
    }
    if (status == BASE_OK) {
        status = bench_columns_check(BENCH_COLUMNS(cell_columns), table, 1, err);
    }
    if (status == BASE_OK) {
        status = bench_columns_check_names(table, err);
    }
    if (status == BASE_OK) {
        status = check_known(table, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    cells->items = base_arena_alloc(&cells->arena, table->rows, sizeof *cells->items);
    if (!cells->items) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t row = 0; row < table->rows && status == BASE_OK; row++) {
        status = add_baseline_row(cells, row, err);
    }
    return status;
}

/* --- Columns of the frames of a baseline ------------------------------------------------------ */

/**
 * The columns of answers and counters in the frames of all cells, each once. The answers come
 * first.
 */
typedef struct union_columns {
    const char **names;
    size_t count, capacity;
    base_arena arena;
} union_columns;

static bool is_there(const union_columns *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++) {
        if (strcmp(c->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static base_status add_columns(union_columns *c, const bench_gate_frames *frames, bench_role role,
                               base_error *err)
{
    bench_frame_columns any;
    bench_frame_columns_list_any(&any);
    for (size_t i = 0; frames->count > 0 && i < frames->table->columns; i++) {
        const char *const name = frames->table->cells[i];
        const bench_column *const column = bench_frame_columns_find(&any, name);
        if (!column || column->role != role || is_there(c, name)) {
            continue;
        }
        const base_status status = base_reserve(c->names, c->capacity, c->count + 1, err);
        if (status != BASE_OK) {
            return status;
        }
        c->names[c->count] = base_arena_text(&c->arena, name);
        if (!c->names[c->count++]) {
            return base_fail(err, BASE_ERR_MEMORY, "out of memory");
        }
    }
    return BASE_OK;
}

static base_status collect_columns(const bench_gate_cells *run, union_columns *c, base_error *err)
{
    static const bench_role roles[] = {BENCH_ROLE_ANSWER, BENCH_ROLE_COUNTER};
    base_status status = BASE_OK;
    for (size_t k = 0; k < sizeof roles / sizeof *roles; k++) {
        for (size_t i = 0; status == BASE_OK && i < run->count; i++) {
            bench_gate_frames frames;
            status = bench_gate_frames_open(run, &run->items[i], &frames, err);
            if (status == BASE_OK) {
                status = add_columns(c, &frames, roles[k], err);
            }
            bench_gate_frames_close(&frames);
        }
    }
    return status;
}

/* --- Rows: the key, the cell's own columns or a frame's number, then the union ---------------- */

static void put_empty(base_csv_writer *w, size_t count)
{
    while (count-- > 0) {
        base_csv_put_empty(w);
    }
}

static const char *text_of(const base_csv *table, size_t row, const char *column)
{
    const int index = base_csv_find(table, column);
    const char *const text = index >= 0 ? base_csv_text(table, row, index) : NULL;
    return text ? text : "";
}

/** Writes the row of a cell and the rows of its frames. */
static void write_cell(base_csv_writer *w, const bench_gate_cell *cell,
                       const bench_gate_frames *frames, const union_columns *c)
{
    const baseline_row head = {.cell = cell->row, .frame = UINT64_MAX};
    bench_columns_put(BENCH_COLUMNS(key_columns), &head, w);
    bench_columns_put(BENCH_COLUMNS(cell_columns), &head, w);
    put_empty(w, c->count);
    base_csv_end(w);
    for (size_t f = 0; f < frames->count; f++) {
        const uint64_t number = strtoull(text_of(frames->table, f, "frame"), NULL, 10);
        const baseline_row row = {.cell = cell->row, .frame = number};
        bench_columns_put(BENCH_COLUMNS(key_columns), &row, w);
        put_empty(w, sizeof cell_columns / sizeof *cell_columns);
        for (size_t i = 0; i < c->count; i++) {
            base_csv_put_text(w, text_of(frames->table, f, c->names[i]));
        }
        base_csv_end(w);
    }
}

static base_status write_all(const bench_gate_cells *run, const union_columns *c, FILE *file,
                             base_error *err)
{
    base_csv_writer w = {.file = file};
    base_status status = BASE_OK;
    bench_columns_put_names(BENCH_COLUMNS(key_columns), &w);
    bench_columns_put_names(BENCH_COLUMNS(cell_columns), &w);
    for (size_t i = 0; i < c->count; i++) {
        base_csv_put_text(&w, c->names[i]);
    }
    base_csv_end(&w);
    for (size_t i = 0; status == BASE_OK && i < run->count; i++) {
        bench_gate_frames frames;
        status = bench_gate_frames_open(run, &run->items[i], &frames, err);
        if (status == BASE_OK) {
            write_cell(&w, &run->items[i], &frames, c);
        }
        bench_gate_frames_close(&frames);
    }
    return status;
}

/**
 * Rejects an interrupted run. Without `force` also rejects a run with a cell that is wrong, has
 * violations or died.
 */
static base_status check_blessable(const bench_gate_cells *run, bool force, base_error *err)
{
    for (size_t i = 0; i < run->count; i++) {
        const bench_gate_cell *const cell = &run->items[i];
        if (strcmp(cell->row.status, "interrupted") == 0) {
            return base_fail(err, BASE_ERR_INPUT, "'%s' was interrupted: finish the run first",
                             run->folder);
        }
        if (!force && (strcmp(cell->row.status, "wrong") == 0 || cell->row.violations > 0 ||
                       bench_gate_died(cell->row.status))) {
            return base_fail(err, BASE_ERR_INPUT,
                             "%s on %s is '%s' with %llu violations: not blessed without --force",
                             cell->row.variant, cell->row.scenario, cell->row.status,
                             (unsigned long long)cell->row.violations);
        }
    }
    return run->interrupted ? base_fail(err, BASE_ERR_INPUT,
                                        "'%s' was interrupted: finish the run first", run->folder)
                            : BASE_OK;
}

base_status bench_gate_bless(const bench_gate_cells *run, const char *path, bool force,
                             base_error *err)
{
    base_status status = check_blessable(run, force, err);
    if (status != BASE_OK) {
        return status;
    }
    union_columns columns = {0};
    bench_output output;
    status = collect_columns(run, &columns, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = bench_output_open(path, &output, err);
    if (status == BASE_OK) {
        status = bench_output_close(&output, write_all(run, &columns, output.file, err), err);
    }
done:
    base_free(columns.names);
    base_arena_release(&columns.arena);
    return status;
}
