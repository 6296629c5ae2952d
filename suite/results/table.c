#include "suite/results/table.h"

#include <math.h>

bench_number_text bench_time_text(double ns)
{
    static const struct {
        double scale;
        const char *unit;
    } units[] = {
        {1,   "ns"},
        {1e3, "us"},
        {1e6, "ms"},
        {1e9, "s" }
    };
    bench_number_text t = {"-"};
    if (isnan(ns)) {
        return t;
    }
    size_t u = 0;
    while (u + 1 < sizeof units / sizeof *units && ns >= 999.5 * units[u].scale) {
        u++;
    }
    const double value = ns / units[u].scale;
    snprintf(t.text, sizeof t.text, "%.*f %s",
             value < 9.995   ? 2
             : value < 99.95 ? 1
                             : 0,
             value, units[u].unit);
    return t;
}

bench_number_text bench_percent_text(double share)
{
    bench_number_text t = {"-"};
    if (!isnan(share)) {
        snprintf(t.text, sizeof t.text, share != 0 && share < 1e-5 ? "%.1e %%" : "%.3f %%",
                 100 * share);
    }
    return t;
}

/** One line of the table; both errors are relative to the truth. */
static void print_line(FILE *file, const bench_cell_row *s, const char *quantity, double error_mean,
                       double error_max)
{
    fprintf(file, "%-20s %-8s %-28s %8s %8s %8s %10s %10s %10llu  %s%s%s\n", s->scenario, quantity,
            s->variant, bench_time_text(s->time_mean_ns).text,
            bench_time_text(s->time_intrinsic_max_ns).text, bench_time_text(s->time_max_ns).text,
            bench_percent_text(error_mean).text, bench_percent_text(error_max).text,
            (unsigned long long)(s->primitives[0] + s->primitives[1]), s->status,
            *s->detail ? ": " : "", s->detail);
}

void bench_table_print(FILE *file, unsigned quantities, const bench_cell_row *row, bool first)
{
    if (first) {
        fprintf(file, "%-20s %-8s %-28s %8s %8s %8s %10s %10s %10s  %s\n", "scenario", "quantity",
                "variant", "mean", "max", "raw max", "error mean", "error max", "primitives",
                "status");
    }
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        const bench_spread *const error = &row->errors[q][BENCH_ERROR_REL];
        const bool number = bench_quantities[q].is_number;
        if (quantities & 1u << q) {
            print_line(file, row, bench_quantities[q].name,
                       number ? error->mean : bench_cell_row_wrong_share(row),
                       number ? error->max : (double)NAN);
        }
    }
}
