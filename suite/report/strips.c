#include "suite/report/strips.h"

#include "base/memory.h"
#include "base/text.h"
#include "suite/results/frames.h"
#include "suite/tolerance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** The importance of a column: those with smaller numbers are put first. */
enum { ALWAYS, ANSWERS, OTHERS, LEVELS };

static const char *const verdicts[] = {"", "tp", "tn", "fp", "fn", "ambiguous"};
enum { VERDICTS = sizeof verdicts / sizeof *verdicts };

/** True for an error that the scenario limits, or that figures of an asked quantity show. */
static bool is_shown_error(const bench_cell_row *cell, const char *name)
{
    unsigned asked = 0;
    bench_tolerances tolerances;
    bool shown = false;
    if (bench_quantities_parse(cell->quantity, &asked, NULL) != BASE_OK ||
        bench_tolerances_parse(cell->tolerance, &tolerances, NULL) != BASE_OK) {
        return false;
    }
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        const bench_tolerance *const t = &tolerances.of[q];
        const bench_error_kind usual = bench_quantities[q].error;
        for (size_t i = 0; i <= t->count && (asked & 1u << q); i++) {
            const bench_error_kind kind = i < t->count ? t->limits[i].error : usual;
            shown |= kind != BENCH_NO_ERROR && strcmp(bench_errors[kind].name, name) == 0;
        }
    }
    return shown;
}

static int level_of(const bench_cell_row *cell, const bench_column *column, const char *name)
{
    if (strcmp(name, "time_median_ns") == 0 || strcmp(name, "verdict") == 0 ||
        strcmp(name, "time_elsewhere_ns") == 0 || is_shown_error(cell, name)) {
        return ALWAYS;
    }
    return column && (column->role == BENCH_ROLE_ANSWER || column->role == BENCH_ROLE_TRUTH)
               ? ANSWERS
               : OTHERS;
}

/** Returns a field as a number: NaN if it is empty or a text, and a code for a verdict. */
static double value_of(const base_csv *frames, size_t row, int column, bool verdict)
{
    const char *const text = base_csv_text(frames, row, column);
    double value = NAN;
    if (!text) {
        return verdict ? 0 : value;
    }
    for (size_t i = 0; verdict && i < VERDICTS; i++) {
        if (strcmp(verdicts[i], text) == 0) {
            return (double)i;
        }
    }
    return base_text_number(text, &value) ? value : (double)NAN;
}

/** The output of one cell. The lists "columns", "constants" and "left_out" grow side by side. */
typedef struct strips {
    const bench_cell_row *cell;
    const base_csv *frames;
    double *values; /* of one column */
    bench_arrays *arrays;
    bench_json columns, constants, left_out;
    size_t bytes_left;
} strips;

static void put_column(strips *s, int column, const char *name, bool always)
{
    const size_t rows = s->frames->rows;
    const bool exact = always && is_shown_error(s->cell, name);
    const size_t bytes = exact ? sizeof(double) : sizeof(float);
    bool any = false, constant = true;
    for (size_t r = 0; r < rows; r++) {
        s->values[r] = value_of(s->frames, r, column, strcmp(name, "verdict") == 0);
        any = any || !isnan(s->values[r]);
        constant = constant && s->values[r] == s->values[0]; /* false for NaN */
    }
    if (!any) {
        return;
    }
    if (constant) {
        bench_json_number(&s->constants, name, s->values[0]);
    } else if (always || s->bytes_left >= bytes) {
        const size_t index = bench_arrays_add_numbers(s->arrays, s->values, rows, exact);
        bench_json_number(&s->columns, name, (double)index);
        s->bytes_left -= s->bytes_left >= bytes ? bytes : s->bytes_left;
    } else {
        bench_json_text(&s->left_out, NULL, name);
    }
}

base_status bench_strips_put(const bench_cell_row *cell, const base_csv *frames, size_t bytes_most,
                             bench_arrays *arrays, bench_json *json, base_error *err)
{
    static const char *const keys[] = {"columns", "constants", "left_out"};
    static const char kinds[][2] = {"{}", "{}", "[]"};
    enum { LISTS = 3 };
    bench_frame_columns any;
    char *texts[LISTS] = {NULL};
    size_t sizes[LISTS];
    strips s = {.cell = cell,
                .frames = frames,
                .values = base_alloc(frames->rows + 1, sizeof(double)),
                .arrays = arrays,
                .bytes_left = bytes_most};
    bench_json *const lists[LISTS] = {&s.columns, &s.constants, &s.left_out};
    bool good = s.values;
    for (size_t i = 0; i < LISTS; i++) {
        lists[i]->file = open_memstream(&texts[i], &sizes[i]);
        good = good && lists[i]->file;
    }
    bench_frame_columns_list_any(&any);
    for (int level = ALWAYS; level < LEVELS && good; level++) {
        for (size_t c = 0; c < frames->columns; c++) {
            const char *const name = frames->cells[c];
            if (strcmp(name, "frame") != 0 &&
                level_of(cell, bench_frame_columns_find(&any, name), name) == level) {
                put_column(&s, (int)c, name, level == ALWAYS);
            }
        }
    }
    for (size_t i = 0; i < LISTS; i++) {
        good = (!lists[i]->file || fclose(lists[i]->file) == 0) && good;
    }
    for (size_t i = 0; i < LISTS && good; i++) {
        bench_json_open(json, keys[i], kinds[i][0]);
        fputs(texts[i], json->file);
        bench_json_close(json, kinds[i][1]);
    }
    for (size_t i = 0; i < LISTS; i++) {
        free(texts[i]);
    }
    base_free(s.values);
    return good ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
}

/* --- Regions ---------------------------------------------------------------------------------- */

base_status bench_strips_put_regions(const bench_record *record, const bench_cell_row *cell,
                                     bench_arrays *arrays, bench_json *json, base_error *err)
{
    static const char *const names[] = {"frame", "nx",  "ny",       "nz",      "depth_m", "x_m",
                                        "y_m",   "z_m", "ux",       "uy",      "uz",      "vx",
                                        "vy",    "vz",  "half_u_m", "half_v_m"};
    enum { NAMES = sizeof names / sizeof *names, ROWS_MAX = 20000 };
    char path[BENCH_RUN_PATH_BYTES];
    base_csv table;
    base_status status =
        bench_run_file(record->folder, path, err, "%s/%s.regions.csv", cell->scenario, cell->file);
    if (status != BASE_OK || access(path, F_OK) != 0) {
        return status;
    }
    status = base_csv_read(path, NULL, &table, err);
    if (status != BASE_OK) {
        return status;
    }
    const size_t rows = table.rows < ROWS_MAX ? table.rows : ROWS_MAX;
    double *const values = base_alloc(rows * NAMES + 1, sizeof *values);
    status = values ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    for (size_t c = 0; c < NAMES && status == BASE_OK; c++) {
        const int column = base_csv_find(&table, names[c]);
        for (size_t r = 0; r < rows; r++) {
            values[r * NAMES + c] = column < 0 ? (double)NAN : value_of(&table, r, column, false);
        }
    }
    if (status == BASE_OK && rows > 0) {
        const size_t index = bench_arrays_add_numbers(arrays, values, rows * NAMES, false);
        bench_json_number(json, "regions", (double)index);
    }
    base_free(values);
    base_csv_release(&table);
    return status;
}
