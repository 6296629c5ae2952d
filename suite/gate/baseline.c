/** A run's answers and counters as the baseline of later ones. */
#include "base/memory.h"
#include "suite/gate/gate.h"
#include "suite/output.h"

#include <string.h>

/** Columns of frames that are answers or counters, in the order in which cells bring them. */
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

static base_status add_columns(union_columns *c, const bench_gate_frames *frames,
                               bench_gate_column kind, base_error *err)
{
    base_status status = BASE_OK;
    for (size_t i = 0; status == BASE_OK && frames->count > 0 && i < frames->table->columns; i++) {
        const char *const name = frames->table->cells[i];
        if (bench_gate_column_kind(name) != kind || strcmp(name, "frame") == 0 ||
            is_there(c, name)) {
            continue;
        }
        void *names = c->names;
        status = base_grow(&names, &c->capacity, c->count + 1, sizeof *c->names, err);
        c->names = names;
        if (status == BASE_OK) {
            c->names[c->count] = base_arena_text(&c->arena, name);
            status =
                c->names[c->count++] ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
        }
    }
    return status;
}

static base_status collect_columns(const bench_gate_cells *run, union_columns *c, base_error *err)
{
    static const bench_gate_column kinds[] = {BENCH_COLUMN_ANSWER, BENCH_COLUMN_COUNTER};
    base_status status = BASE_OK;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        for (size_t i = 0; status == BASE_OK && i < run->count; i++) {
            bench_gate_frames frames;
            status = bench_gate_frames_open(run, &run->items[i], &frames, err);
            if (status == BASE_OK) {
                status = add_columns(c, &frames, kinds[k], err);
            }
            bench_gate_frames_close(&frames);
        }
    }
    return status;
}

/* --- Rows: the key, the cell's own columns or a frame's number, then the union. --------------- */

static void write_header(base_csv_writer *w, const union_columns *c)
{
    static const char *const names[] = {"scenario",   "variant",      "frame",
                                        "status",     "quantity",     "contract",
                                        "violations", "frames_count", "tolerance_ulp"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        base_csv_put_text(w, names[i]);
    }
    for (size_t i = 0; i < c->count; i++) {
        base_csv_put_text(w, c->names[i]);
    }
    base_csv_end(w);
}

static void put_empty(base_csv_writer *w, size_t count)
{
    while (count-- > 0) {
        base_csv_put_empty(w);
    }
}

static void write_cell(base_csv_writer *w, const bench_gate_cell *cell, const union_columns *c)
{
    base_csv_put_text(w, cell->scenario);
    base_csv_put_text(w, cell->variant);
    base_csv_put_empty(w);
    base_csv_put_text(w, cell->status);
    base_csv_put_text(w, cell->quantity);
    base_csv_put_text(w, cell->contract);
    base_csv_put_count(w, cell->violations_count);
    base_csv_put_count(w, cell->frames_count);
    base_csv_put_count(w, cell->tolerance_ulp);
    put_empty(w, c->count);
    base_csv_end(w);
}

static void write_frames(base_csv_writer *w, const bench_gate_cell *cell,
                         const bench_gate_frames *frames, const union_columns *c)
{
    const int frame = base_csv_find(frames->table, "frame");
    for (size_t row = 0; row < frames->count; row++) {
        base_csv_put_text(w, cell->scenario);
        base_csv_put_text(w, cell->variant);
        const char *const number = frame >= 0 ? base_csv_text(frames->table, row, frame) : NULL;
        base_csv_put_text(w, number ? number : "");
        put_empty(w, 6);
        for (size_t i = 0; i < c->count; i++) {
            const int index = base_csv_find(frames->table, c->names[i]);
            const char *const text = index >= 0 ? base_csv_text(frames->table, row, index) : NULL;
            text ? base_csv_put_text(w, text) : base_csv_put_empty(w);
        }
        base_csv_end(w);
    }
}

static base_status write_all(const bench_gate_cells *run, const union_columns *c, FILE *file,
                             base_error *err)
{
    base_csv_writer w = {.file = file};
    write_header(&w, c);
    base_status status = BASE_OK;
    for (size_t i = 0; status == BASE_OK && i < run->count; i++) {
        bench_gate_frames frames;
        status = bench_gate_frames_open(run, &run->items[i], &frames, err);
        if (status == BASE_OK) {
            write_cell(&w, &run->items[i], c);
            write_frames(&w, &run->items[i], &frames, c);
        }
        bench_gate_frames_close(&frames);
    }
    return status;
}

/** A baseline says what is right: a run that isn't needs somebody who says so. */
static base_status check_blessable(const bench_gate_cells *run, bool force, base_error *err)
{
    for (size_t i = 0; i < run->count; i++) {
        const bench_gate_cell *const cell = &run->items[i];
        if (strcmp(cell->status, "interrupted") == 0) {
            return base_fail(err, BASE_ERR_INPUT, "'%s' was interrupted: finish the run first",
                             run->folder);
        }
        if (!force && (strcmp(cell->status, "wrong") == 0 || cell->violations_count > 0 ||
                       bench_gate_died(cell->status))) {
            return base_fail(err, BASE_ERR_INPUT,
                             "%s on %s is '%s' with %llu violations: not blessed without --force",
                             cell->variant, cell->scenario, cell->status,
                             (unsigned long long)cell->violations_count);
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
    union_columns columns = {0};
    if (status == BASE_OK) {
        status = collect_columns(run, &columns, err);
    }
    bench_output output;
    if (status == BASE_OK) {
        status = bench_output_open(path, &output, err);
        if (status == BASE_OK) {
            status = bench_output_close(&output, write_all(run, &columns, output.file, err), err);
        }
    }
    base_free(columns.names);
    base_arena_release(&columns.arena);
    return status;
}
