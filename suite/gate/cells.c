/** Cells and frames of a run or of a baseline, as the gate sees them. */
#include "suite/gate/gate.h"

#include "suite/run/run.h"

#include <string.h>

enum { PATH_BYTES = 4096 };

/* --- Columns ---------------------------------------------------------------------------------- */

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), least = strlen(end);
    return length >= least && strcmp(text + length - least, end) == 0;
}

bench_gate_column bench_gate_column_kind(const char *name)
{
    if (starts_with(name, "truth_") || starts_with(name, "time_") || ends_with(name, "_ns") ||
        strstr(name, "_error_") || strcmp(name, "certified") == 0 || strcmp(name, "verdict") == 0) {
        return BENCH_COLUMN_OTHER;
    }
    return ends_with(name, "_count") ? BENCH_COLUMN_COUNTER : BENCH_COLUMN_ANSWER;
}

/** A cell of a table; "" when it is empty or there is no such column. */
static const char *text_at(const base_csv *table, size_t row, const char *column)
{
    const int index = base_csv_find(table, column);
    const char *const text = index >= 0 ? base_csv_text(table, row, index) : NULL;
    return text ? text : "";
}

/** The same as a number; 0 when there is none. */
static base_status number_at(const base_csv *table, size_t row, const char *column, double *value,
                             base_error *err)
{
    const int index = base_csv_find(table, column);
    *value = 0;
    return index >= 0 && base_csv_text(table, row, index)
               ? base_csv_number(table, row, index, value, err)
               : BASE_OK;
}

static base_status count_at(const base_csv *table, size_t row, const char *column, uint64_t *count,
                            base_error *err)
{
    double value;
    const base_status status = number_at(table, row, column, &value, err);
    *count = value > 0 && value < 0x1p63 ? (uint64_t)value : 0;
    return status;
}

static base_status require(const base_csv *table, const char *const *columns, base_error *err)
{
    for (; *columns; columns++) {
        int index;
        const base_status status = base_csv_column(table, *columns, &index, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

/* --- A run ------------------------------------------------------------------------------------ */

bool bench_gate_died(const char *status)
{
    static const char *const statuses[] = {"crash", "timeout", "oom", "failed"};
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        if (strcmp(status, statuses[i]) == 0) {
            return true;
        }
    }
    return false;
}

/** What manifest.csv says: which experiment, its end, and which variants come from plug-ins. */
static base_status read_manifest(bench_gate_cells *cells, base_error *err)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/manifest.csv", cells->folder);
    base_csv table;
    static const char *const needed[] = {"section", "key", "value", NULL};
    base_status status = base_csv_read(path, NULL, &table, err);
    if (status != BASE_OK) {
        return status;
    }
    status = require(&table, needed, err);
    cells->interrupted = true; /* until the exit status says that there was an end */
    for (size_t i = 0; status == BASE_OK && i < table.rows; i++) {
        const char *const section = text_at(&table, i, "section");
        const char *const key = text_at(&table, i, "key");
        const char *const value = text_at(&table, i, "value");
        if (strcmp(section, "run") == 0 && strcmp(key, "experiment") == 0) {
            cells->experiment = base_arena_text(&cells->arena, value);
            if (!cells->experiment) {
                status = base_fail(err, BASE_ERR_MEMORY, "out of memory");
            }
        } else if (strcmp(section, "run") == 0 && strcmp(key, "exit_status") == 0) {
            cells->interrupted = strcmp(value, "130") == 0;
        } else if (starts_with(section, "plugin ")) {
            for (size_t c = 0; c < cells->count; c++) {
                cells->items[c].own &=
                    strcmp(cells->items[c].variant, section + strlen("plugin ")) != 0;
            }
        }
    }
    base_csv_release(&table);
    return status;
}

static bool reads_clock(const char *variant)
{
    alg_variant parsed;
    alg_message message;
    return alg_variant_parse(variant, 1, &parsed, &message) == ALG_OK &&
           (parsed.algorithm->flags & ALG_READS_CLOCK);
}

static base_status read_cell(const base_csv *table, size_t row, bench_gate_cell *cell,
                             base_error *err)
{
    *cell = (bench_gate_cell){
        .scenario = text_at(table, row, "scenario"),
        .variant = text_at(table, row, "variant"),
        .quantity = text_at(table, row, "quantity"),
        .status = text_at(table, row, "status"),
        .contract = text_at(table, row, "contract"),
        .detail = text_at(table, row, "detail"),
        .file = text_at(table, row, "file"),
        .own = true,
    };
    base_status status = count_at(table, row, "frames_count", &cell->frames_count, err);
    const struct {
        const char *column;
        uint64_t *count;
    } counts[] = {
        {"violations_count", &cell->violations_count},
        {"tolerance_ulp",    &cell->tolerance_ulp   },
        {"alloc_count",      &cell->alloc_count     },
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts && status == BASE_OK; i++) {
        status = count_at(table, row, counts[i].column, counts[i].count, err);
    }
    double mean_ns = 0;
    if (status == BASE_OK) {
        status = number_at(table, row, "time_mean_ns", &mean_ns, err);
    }
    if (status == BASE_OK) {
        status = number_at(table, row, "instructions_mean_count", &cell->instructions, err);
    }
    cell->time_ns = mean_ns * (double)cell->frames_count;
    cell->answers_gated = !reads_clock(cell->variant);
    return status;
}

/** Does a contestant belong to what is read? Then its name loses the label. */
static bool take_label(bench_gate_cells *cells, bench_gate_cell *cell, const char *label)
{
    const char *const at = strchr(cell->variant, '@');
    if (!label || !at) {
        return !label && !at;
    }
    if (strcmp(at + 1, label) != 0) {
        return false;
    }
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)(at - cell->variant), cell->variant);
    cell->variant = base_arena_text(&cells->arena, name);
    cell->answers_gated = cell->variant && !reads_clock(cell->variant);
    return true;
}

base_status bench_gate_read_run(const char *folder, const char *label, bench_gate_cells *cells,
                                base_error *err)
{
    static const char *const needed[] = {"scenario",     "variant", "quantity",         "status",
                                         "frames_count", "file",    "violations_count", NULL};
    *cells = (bench_gate_cells){.folder = folder, .experiment = ""};
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/cells.csv", folder);
    base_status status = base_csv_read(path, NULL, &cells->table, err);
    if (status == BASE_OK) {
        status = require(&cells->table, needed, err);
    }
    if (status == BASE_OK) {
        cells->items = base_arena_alloc(&cells->arena, cells->table.rows, sizeof *cells->items);
        status = cells->items ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t row = 0; status == BASE_OK && row < cells->table.rows; row++) {
        bench_gate_cell *const cell = &cells->items[cells->count];
        status = read_cell(&cells->table, row, cell, err);
        if (status == BASE_OK && take_label(cells, cell, label)) {
            cells->count++;
            status = cell->variant ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
        }
    }
    return status == BASE_OK ? read_manifest(cells, err) : status;
}

/* --- A baseline ------------------------------------------------------------------------------- */

base_status bench_gate_read_baseline(const char *path, bench_gate_cells *cells, base_error *err)
{
    static const char *const needed[] = {"scenario",      "variant",  "frame",      "status",
                                         "quantity",      "contract", "violations", "frames_count",
                                         "tolerance_ulp", NULL};
    *cells = (bench_gate_cells){.experiment = ""};
    base_csv *const table = &cells->table;
    base_status status = base_csv_read(path, NULL, table, err);
    if (status == BASE_OK) {
        status = require(table, needed, err);
    }
    if (status == BASE_OK) {
        cells->items = base_arena_alloc(&cells->arena, table->rows, sizeof *cells->items);
        status = cells->items ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t row = 0; status == BASE_OK && row < table->rows; row++) {
        const bool frame = *text_at(table, row, "frame") != '\0';
        if (!frame) {
            bench_gate_cell *const cell = &cells->items[cells->count++];
            status = read_cell(table, row, cell, err);
            cell->first_row = row + 1;
            if (status == BASE_OK) {
                status = count_at(table, row, "violations", &cell->violations_count, err);
            }
            continue;
        }
        bench_gate_cell *const cell = cells->count > 0 ? &cells->items[cells->count - 1] : NULL;
        if (!cell || strcmp(cell->scenario, text_at(table, row, "scenario")) != 0 ||
            strcmp(cell->variant, text_at(table, row, "variant")) != 0) {
            return base_fail(err, BASE_ERR_INPUT,
                             "'%s' line %zu: a frame that does not follow the row of its cell",
                             path, table->lines[row + 1]);
        }
        cell->row_count++;
    }
    return status;
}

void bench_gate_cells_release(bench_gate_cells *cells)
{
    base_csv_release(&cells->table);
    base_arena_release(&cells->arena);
    *cells = (bench_gate_cells){0};
}

const bench_gate_cell *bench_gate_cell_find(const bench_gate_cells *cells, const char *scenario,
                                            const char *variant)
{
    for (size_t i = 0; i < cells->count; i++) {
        if (strcmp(cells->items[i].scenario, scenario) == 0 &&
            strcmp(cells->items[i].variant, variant) == 0) {
            return &cells->items[i];
        }
    }
    return NULL;
}

/* --- Frames ----------------------------------------------------------------------------------- */

bool bench_gate_has_frames(const bench_gate_cells *cells, const bench_gate_cell *cell)
{
    static const char *const ended[] = {"ok", "uninformative", "wrong"};
    bool whole = false;
    for (size_t i = 0; i < sizeof ended / sizeof *ended; i++) {
        whole |= strcmp(cell->status, ended[i]) == 0;
    }
    return cells->folder ? cell->answers_gated && whole : cell->row_count > 0;
}

base_status bench_gate_frames_open(const bench_gate_cells *cells, const bench_gate_cell *cell,
                                   bench_gate_frames *frames, base_error *err)
{
    *frames = (bench_gate_frames){.table = &cells->table};
    if (!cells->folder) {
        frames->first = cell->first_row;
        frames->count = cell->row_count;
        return BASE_OK;
    }
    if (!bench_gate_has_frames(cells, cell)) {
        return BASE_OK;
    }
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s/%s.csv", cells->folder, cell->scenario, cell->file);
    const base_status status = base_csv_read(path, NULL, &frames->own, err);
    frames->table = &frames->own;
    frames->count = frames->own.rows;
    return status;
}

void bench_gate_frames_close(bench_gate_frames *frames)
{
    base_csv_release(&frames->own);
    *frames = (bench_gate_frames){0};
}
