#include "suite/compare/report.h"

#include "base/text.h"
#include "suite/results/format.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

base_status bench_report_format_parse(const char *text, bench_report_format *format,
                                      base_error *err)
{
    static const char *const names[] = {"table", "csv", "markdown", NULL};
    for (size_t i = 0; names[i]; i++) {
        if (strcmp(text, names[i]) == 0) {
            *format = (bench_report_format)i;
            return BASE_OK;
        }
    }
    char near[64];
    base_text_near(text, names, near, sizeof near);
    return base_fail(err, BASE_ERR_ARGUMENT, "unknown format '%s': table, csv or markdown%s", text,
                     near);
}

void bench_report_header(bench_rows *rows, const char *const *names)
{
    for (size_t i = 0; i < rows->columns; i++) {
        bench_rows_put(rows, "%s", names[i]);
    }
}

void bench_report_number(bench_rows *rows, double value)
{
    if (isnan(value)) {
        bench_rows_put(rows, "%s", "");
    } else {
        bench_rows_put(rows, "%.17g", value);
    }
}

base_status bench_report_print(bench_rows *rows, bench_report_format format, FILE *file,
                               base_error *err)
{
    const base_status status = format == BENCH_REPORT_MARKDOWN
                                   ? bench_rows_print_markdown(rows, file, err)
                                   : bench_rows_print(rows, format == BENCH_REPORT_CSV, file, err);
    bench_rows_release(rows);
    return status;
}

/* --- Files ------------------------------------------------------------------------------------ */

base_status bench_report_ratios(const bench_comparisons *list, bool all, FILE *file,
                                base_error *err)
{
    static const char *const header[] = {
        "scenario", "variant", "baseline",       "metric", "protocol", "ratio",   "lo",
        "hi",       "level",   "launches_count", "aa_lo",  "aa_hi",    "verdict", "file"};
    bench_rows rows = {.columns = sizeof header / sizeof *header};
    bench_report_header(&rows, header);
    for (size_t i = 0; i < list->count; i++) {
        const bench_comparison *const c = &list->items[i];
        if (c->variant->left_out && !all) {
            continue;
        }
        char claim[64];
        bench_claim_text(c, claim, sizeof claim);
        bench_rows_put(&rows, "%s", c->variant->scenario);
        bench_rows_put(&rows, "%s", c->variant->variant);
        bench_rows_put(&rows, "%s", c->baseline->variant);
        bench_rows_put(&rows, "%s", bench_metric_name(c->metric));
        bench_rows_put(&rows, "%s", c->evicted ? "evicted" : "warm");
        bench_report_number(&rows, c->ratio.ratio);
        bench_report_number(&rows, c->ratio.lo);
        bench_report_number(&rows, c->ratio.hi);
        bench_report_number(&rows, c->ratio.level);
        bench_rows_put(&rows, "%zu", c->ratio.launches_count);
        bench_report_number(&rows, c->twin.lo);
        bench_report_number(&rows, c->twin.hi);
        bench_rows_put(&rows, "%s", claim);
        bench_rows_put(&rows, "%s", c->variant->file);
    }
    return bench_report_print(&rows, BENCH_REPORT_CSV, file, err);
}

base_status bench_report_front(const bench_front *front, FILE *file, base_error *err)
{
    static const char *const header[] = {
        "scenario",      "quantity",         "variant",  "time_p99_ns",
        "error_mean",    "error_max",        "on_front", "fastest_within",
        "fastest_exact", "below_resolution", "file"};
    bench_rows rows = {.columns = sizeof header / sizeof *header};
    bench_report_header(&rows, header);
    for (size_t i = 0; i < front->count; i++) {
        const bench_point *const p = &front->points[i];
        bench_rows_put(&rows, "%s", p->cell->scenario);
        bench_rows_put(&rows, "%s", bench_error_kind_name(p->kind));
        bench_rows_put(&rows, "%s", p->cell->variant);
        bench_report_number(&rows, p->time_ns);
        bench_report_number(&rows, p->cell->error_mean[p->kind]);
        bench_report_number(&rows, p->cell->error_max[p->kind]);
        bench_rows_put(&rows, "%d", p->on_front);
        bench_rows_put(&rows, "%d", p->fastest_within);
        bench_rows_put(&rows, "%d", p->fastest_exact);
        bench_rows_put(&rows, "%d", p->cell->below_resolution);
        bench_rows_put(&rows, "%s", p->cell->file);
    }
    return bench_report_print(&rows, BENCH_REPORT_CSV, file, err);
}
