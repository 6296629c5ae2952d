/** Output of claims as claims.csv and as tables. */
#include "suite/claims/claims.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

base_status bench_claims_write(const bench_claims *list, const char *experiment, FILE *file,
                               base_error *err)
{
    base_csv_writer w = {.file = file};
    bench_columns_put_names(bench_claims_columns, &w);
    base_csv_end(&w);
    for (size_t i = 0; i < list->count; i++) {
        const bench_claims_row *const row = &list->items[i].row;
        if (strcmp(row->experiment, experiment) == 0) {
            bench_columns_put(bench_claims_columns, row, &w);
            base_csv_end(&w);
        }
    }
    return base_csv_check(&w, "claims.csv", err);
}

/* --- Printed tables --------------------------------------------------------------------------- */

bench_number_text bench_unit_text(double x, bench_unit unit)
{
    bench_number_text t = {"-"};
    if (isnan(x)) {
        return t;
    }
    switch (unit) {
    case BENCH_UNIT_TIME:
        return bench_time_text(x);
    case BENCH_UNIT_SHARE:
        if (fabs(x) >= 0.01) {
            /* Rounded down, so that only a share of 1 prints 100 %. */
            snprintf(t.text, sizeof t.text, "%.2f %%", floor(1e4 * x) / 100);
        } else {
            /* Rounding errors are printed with an exponent. */
            snprintf(t.text, sizeof t.text, fabs(x) >= 5e-7 || x == 0 ? "%.4f %%" : "%.1e %%",
                     100 * x);
        }
        return t;
    case BENCH_UNIT_BYTES:
        if (fabs(x) < 999.5e3) {
            snprintf(t.text, sizeof t.text, "%.3g %s", fabs(x) < 999.5 ? x : x / 1e3,
                     fabs(x) < 999.5 ? "B" : "kB");
        } else {
            snprintf(t.text, sizeof t.text, "%.2f MB", x / 1e6);
        }
        return t;
    default:
        x = x == 0 ? 0 : x; /* avoids -0 */
        snprintf(t.text, sizeof t.text, x == floor(x) && fabs(x) < 1e15 ? "%.0f" : "%.3g", x);
        if (fabs(x) >= 999.5) {
            snprintf(t.text, sizeof t.text, "%.0f", x);
        }
        return t;
    }
}

static void put_measured(bench_rows *rows, const bench_claims_row *r, bench_unit unit)
{
    if (isnan(r->lo) || r->lo == r->hi) {
        bench_rows_put(rows, "%s", bench_unit_text(r->ours, unit).text);
    } else {
        bench_rows_put(rows, "%s (%s to %s)", bench_unit_text(r->ours, unit).text,
                       bench_unit_text(r->lo, unit).text, bench_unit_text(r->hi, unit).text);
    }
}

static void put_limit(bench_rows *rows, const bench_claims_row *r, bench_unit unit)
{
    const bench_number_text least = bench_unit_text(r->at_least, unit);
    const bench_number_text most = bench_unit_text(r->at_most, unit);
    if (isnan(r->at_least)) {
        bench_rows_put(rows, "<= %s", most.text);
    } else if (isnan(r->at_most)) {
        bench_rows_put(rows, ">= %s", least.text);
    } else if (r->at_least == r->at_most) {
        bench_rows_put(rows, "= %s", least.text);
    } else {
        bench_rows_put(rows, "%s to %s", least.text, most.text);
    }
}

/**
 * Prints the claims of the paper or of this suite; the latter have no column of the paper's
 * numbers.
 */
static base_status print_table(const bench_claims *list, const char *whose, const char *title,
                               bench_format format, FILE *file, base_error *err)
{
    const bool of_paper = strcmp(whose, "paper") == 0;
    bench_rows rows = {.columns = of_paper ? 7 : 6};
    rows.width = format == BENCH_FORMAT_TABLE ? bench_output_width(file) : 0;
    bench_rows_put(&rows, "id");
    bench_rows_put(&rows, "claim");
    if (of_paper) {
        bench_rows_put(&rows, "paper");
    }
    bench_rows_put(&rows, "limit");
    bench_rows_put(&rows, "verdict");
    bench_rows_put(&rows, "measured");
    bench_rows_put(&rows, "of");
    const size_t header = rows.count;
    for (size_t i = 0; i < list->count; i++) {
        const bench_claims_row *const r = &list->items[i].row;
        const bench_unit unit = list->items[i].unit;
        if (strcmp(r->whose, whose) == 0) {
            bench_rows_put(&rows, "%s", r->id);
            bench_rows_put(&rows, "%s", r->claim);
            if (of_paper) {
                bench_rows_put(&rows, "%s", bench_unit_text(r->paper, unit).text);
            }
            put_limit(&rows, r, unit);
            bench_rows_put(&rows, "%s", r->verdict);
            put_measured(&rows, r, unit);
            bench_rows_put(&rows, "%s", r->reason);
        }
    }
    base_status status = BASE_OK;
    if (rows.count > header) {
        fprintf(file, format == BENCH_FORMAT_MARKDOWN ? "### %s\n\n" : "%s\n", title);
        status = bench_rows_print(&rows, format, file, err);
        fputc('\n', file);
    }
    bench_rows_release(&rows);
    return status;
}

base_status bench_claims_print(const bench_claims *list, bench_format format, FILE *file,
                               base_error *err)
{
    if (!bench_format_is_for_scripts(format)) {
        const base_status status =
            print_table(list, "paper", "Claims of the paper", format, file, err);
        return status == BASE_OK
                   ? print_table(list, "ours", "Claims of this suite", format, file, err)
                   : status;
    }
    bench_rows rows = {.columns = bench_claims_columns.count};
    bench_columns_begin(bench_claims_columns, &rows);
    for (size_t i = 0; i < list->count; i++) {
        bench_columns_add(bench_claims_columns, &list->items[i].row, &rows);
    }
    const base_status status = bench_rows_print(&rows, format, file, err);
    bench_rows_release(&rows);
    return status;
}
