/** What fits a need, for people and for scripts. */
#include "suite/compare/report.h"

#include "suite/results/format.h"

#include <math.h>
#include <string.h>

/** "32 % over the deadline"; "" within. */
static void over_text(double part, const char *what, char *text, size_t size)
{
    if (part <= 1) {
        text[0] = '\0';
    } else if (part < 2) {
        snprintf(text, size, "%.3g %% over the %s", 100 * (part - 1), what);
    } else {
        snprintf(text, size, "%.3g times the %s", part, what);
    }
}

static void put_verdict(bench_rows *rows, const bench_fit *fit)
{
    char time[64], error[64];
    over_text(fit->deadline_part, "deadline", time, sizeof time);
    over_text(fit->error_part, "error", error, sizeof error);
    if (fit->fits) {
        bench_rows_put(rows, "yes");
    } else {
        bench_rows_put(rows, "no, nearest: %s%s%s", time, *time && *error ? ", " : "", error);
    }
}

static void put_for_scripts(bench_rows *rows, const bench_fit *fit)
{
    bench_rows_put(rows, "%d", fit->fits);
    bench_report_number(rows, fit->cell->time_p99_ns);
    bench_report_number(rows, fit->cell->time_intrinsic_max_ns);
    bench_report_number(rows, fit->error);
    bench_report_number(rows, fit->deadline_part);
    bench_report_number(rows, fit->error_part);
}

static void put_for_people(bench_rows *rows, const bench_fit *fit)
{
    bench_rows_put(rows, "%8s", bench_time_text(fit->cell->time_p99_ns).text);
    bench_rows_put(rows, "%9s", bench_time_text(fit->cell->time_intrinsic_max_ns).text);
    bench_rows_put(rows, "%9s", fit->error <= 0 ? "exact" : bench_percent_text(fit->error).text);
    put_verdict(rows, fit);
}

static const char *scenario_of(const bench_fits *fits, size_t i)
{
    return fits->items[i].cell->scenario;
}

/** Does the variant of item `i` fit in every scenario of the record that is not left out? */
static bool fits_everywhere(const bench_record *r, const bench_fits *fits, size_t i)
{
    for (size_t c = 0; c < r->cell_count; c++) {
        bool found = r->cells[c].left_out;
        for (size_t f = 0; f < fits->count && !found; f++) {
            found = fits->items[f].fits &&
                    strcmp(scenario_of(fits, f), r->cells[c].scenario) == 0 &&
                    strcmp(fits->items[f].cell->variant, fits->items[i].cell->variant) == 0;
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

/** Scenarios of which nothing can be said, and what fits in all of them. */
static void print_summary(const bench_record *r, const bench_fits *fits, FILE *file)
{
    size_t scenarios = 0;
    for (size_t first = 0, end; first < r->cell_count; first = end) {
        end = bench_record_scenario_end(r, first);
        bool known = false, shown = false;
        for (size_t i = 0; i < fits->count; i++) {
            known = known || strcmp(scenario_of(fits, i), r->cells[first].scenario) == 0;
        }
        for (size_t i = first; i < end; i++) {
            shown = shown || !r->cells[i].left_out;
        }
        scenarios += shown;
        if (shown && !known) {
            fprintf(file, "\n%s: no variant is ok with times and errors that are known\n",
                    r->cells[first].scenario);
        }
    }
    const char *separator = "";
    for (size_t i = 0; i < fits->count; i++) {
        if (scenarios > 1 && strcmp(scenario_of(fits, i), scenario_of(fits, 0)) == 0 &&
            fits_everywhere(r, fits, i)) {
            fprintf(file, "%s%s",
                    *separator ? separator : "\nIn all scenarios: ", fits->items[i].cell->variant);
            separator = ", ";
        }
    }
    if (scenarios > 1) {
        fputs(*separator ? "\n" : "\nNo variant fits in all scenarios.\n", file);
    }
}

base_status bench_report_fits(const bench_record *record, const bench_fits *fits,
                              bench_report_format format, FILE *file, base_error *err)
{
    static const char *const for_scripts[] = {
        "scenario",  "variant",       "fits",      "time_p99_ns", "time_intrinsic_max_ns",
        "error_max", "deadline_part", "error_part"};
    static const char *const for_people[] = {"scenario",  "variant",   "     p99",
                                             "      max", "error max", "fits"};
    const bool csv = format == BENCH_REPORT_CSV;
    bench_rows rows = {.columns = csv ? 8 : 6};
    bench_report_header(&rows, csv ? for_scripts : for_people);
    for (size_t i = 0; i < fits->count; i++) {
        bench_rows_put(&rows, "%s", scenario_of(fits, i));
        bench_rows_put(&rows, "%s", fits->items[i].cell->variant);
        csv ? put_for_scripts(&rows, &fits->items[i]) : put_for_people(&rows, &fits->items[i]);
    }
    const base_status status = bench_report_print(&rows, format, file, err);
    if (status == BASE_OK && !csv) {
        print_summary(record, fits, file);
    }
    return status;
}
