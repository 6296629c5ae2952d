#include "suite/gate/cells.h"

#include "suite/results/names.h"

#include <string.h>

/* --- A run ------------------------------------------------------------------------------------ */

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

static bool reads_clock(const char *variant)
{
    alg_variant parsed;
    alg_message message;
    return alg_variant_parse(variant, 1, &parsed, &message) == ALG_OK &&
           (parsed.algorithm->flags & ALG_READS_CLOCK);
}

/** Does the run's manifest name a plug-in that it came from? */
static bool is_of_plugin(const bench_record *record, const char *variant)
{
    char section[BENCH_CONTESTANT_NAME_BYTES + 8];
    snprintf(section, sizeof section, "plugin %s", variant);
    return bench_record_fact(record, section, NULL);
}

/** Does a contestant belong to what is read? *length: of its name without the label. */
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
    bench_gate_cell *const cell = &cells->items[cells->count++];
    snprintf(name, sizeof name, "%.*s", (int)length, row->variant);
    *cell = (bench_gate_cell){.row = *row,
                              .own = !is_of_plugin(&cells->record, name),
                              .answers_gated = !reads_clock(name),
                              .recorded = row};
    if (row->tolerance_ulp == UINT64_MAX) {
        cell->row.tolerance_ulp = 0; /* a run of an older version */
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

/* --- Both ------------------------------------------------------------------------------------- */

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
    return status == BASE_OK && frames->own.columns == 0
               ? base_fail(err, BASE_ERR_INPUT, "'%s/%s/%s.csv' is not there", cells->folder,
                           cell->row.scenario, cell->row.file)
               : status;
}

void bench_gate_frames_close(bench_gate_frames *frames)
{
    base_csv_release(&frames->own);
    *frames = (bench_gate_frames){0};
}
