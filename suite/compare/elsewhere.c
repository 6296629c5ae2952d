#include "suite/compare/elsewhere.h"

#include <math.h>
#include <stdio.h>

/** Puts a row for each quantity that the cell was asked for. */
static void put_cell(const bench_cell_row *cell, bench_rows *rows)
{
    unsigned asked = 0;
    (void)!bench_quantities_parse(cell->quantity, &asked, NULL);
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        if (!(asked & 1u << q)) {
            continue;
        }
        bench_rows_put(rows, "%s: %s", cell->scenario, alg_quantity_names[q]);
        bench_rows_put(rows, "%s", cell->variant);
        for (int largest = 0; largest < 2; largest++) {
            const double error = bench_cell_row_error(cell, (alg_quantity)q, largest);
            bench_rows_put(rows, "%10s",
                           bench_cell_row_error_text(cell, (alg_quantity)q, error).text);
        }
        if (isnan(cell->within[q])) {
            bench_rows_put(rows, "n/j");
        } else {
            bench_rows_put(rows, "%.3g %%", 100 * cell->within[q]);
        }
        bench_rows_put(rows, "%s", cell->status);
        bench_rows_put(rows, "%8s", bench_time_text(cell->elsewhere_p99_ns).text);
        bench_rows_put(rows, "%s", cell->elsewhere);
    }
}

base_status bench_elsewhere_print(const bench_record *record, bench_format format, FILE *file,
                                  base_error *err)
{
    static const char *const names[] = {"scenario", "variant", "error mean", "error max",
                                        "within",   "status",  "p99 there",  "measured on"};
    bench_rows rows = {.columns = sizeof names / sizeof *names};
    bench_rows_put_names(&rows, names);
    const size_t header = rows.count;
    for (size_t i = 0; i < record->cell_count; i++) {
        const bench_cell_row *const cell = &record->cells[i];
        if (*cell->elsewhere && !cell->left_out) {
            put_cell(cell, &rows);
        }
    }
    if (rows.count == header) {
        bench_rows_release(&rows);
        return BASE_OK;
    }
    fputs("\nAnswers from elsewhere. Their times are not compared with those above:\n\n", file);
    return bench_rows_finish(&rows, format, file, err);
}
