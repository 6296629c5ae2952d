/** Two runs side by side. */
#include "suite/compare/report.h"

#include "suite/results/format.h"

#include <math.h>

static void put_match(bench_rows *rows, const bench_answer_pair *p)
{
    static const char *const texts[] = {
        [BENCH_ANSWER_SAME] = "same",
        [BENCH_ANSWER_DIFFERS] = "differs",
        [BENCH_ANSWER_MISSING_1] = "missing in 1",
        [BENCH_ANSWER_MISSING_2] = "missing in 2",
    };
    if (p->match == BENCH_ANSWER_STATUS) {
        bench_rows_put(rows, "%s -> %s", p->cells[0]->status, p->cells[1]->status);
    } else {
        bench_rows_put(rows, "%s", texts[p->match]);
    }
}

static double error_of(const bench_record_cell *cell, int kind, bool largest)
{
    return !cell ? (double)NAN : largest ? cell->error_max[kind] : cell->error_mean[kind];
}

static double p99_of(const bench_record_cell *cell, bool shown)
{
    return cell && shown ? cell->time_p99_ns : (double)NAN;
}

/** Does the cell have errors of this kind in either run? */
static bool has_kind(const bench_answer_pair *p, int kind)
{
    return !isnan(error_of(p->cells[0], kind, false)) || !isnan(error_of(p->cells[1], kind, false));
}

static void put_error(bench_rows *rows, double error)
{
    bench_rows_put(rows, "%9s",
                   error <= BENCH_EXACT_ERROR ? "exact" : bench_percent_text(error).text);
}

static void put_for_people(bench_rows *rows, const bench_answer_pair *p, int kind, bool times)
{
    for (int side = 0; side < 2; side++) {
        put_error(rows, error_of(p->cells[side], kind, true));
    }
    for (int side = 0; times && side < 2; side++) {
        bench_rows_put(rows, "%8s", bench_time_text(p99_of(p->cells[side], times)).text);
    }
}

static void put_for_scripts(bench_rows *rows, const bench_answer_pair *p, int kind, bool times)
{
    for (int largest = 0; largest < 2; largest++) {
        for (int side = 0; side < 2; side++) {
            bench_report_number(rows, error_of(p->cells[side], kind, largest));
        }
    }
    for (int side = 0; side < 2; side++) {
        bench_report_number(rows, p99_of(p->cells[side], times));
    }
}

/** A row for each kind of error; one without where there is none. */
static void put_pair(bench_rows *rows, const bench_answer_pair *p, bool csv, bool times)
{
    const bench_record_cell *const cell = p->cells[0] ? p->cells[0] : p->cells[1];
    bool any = false;
    for (int kind = 0; kind < BENCH_ERROR_KINDS; kind++) {
        if (!has_kind(p, kind) && (any || kind + 1 < BENCH_ERROR_KINDS)) {
            continue;
        }
        any = true;
        bench_rows_put(rows, "%s", cell->scenario);
        bench_rows_put(rows, "%s", cell->variant);
        bench_rows_put(rows, "%s",
                       has_kind(p, kind) ? bench_error_kind_name((bench_error_kind)kind)
                                         : (csv ? "" : "-"));
        put_match(rows, p);
        csv ? put_for_scripts(rows, p, kind, times) : put_for_people(rows, p, kind, times);
    }
}

base_status bench_report_answers(const bench_answers *answers, bench_report_format format,
                                 FILE *file, base_error *err)
{
    static const char *const for_scripts[] = {
        "scenario",     "variant",     "quantity",    "answers",       "error_mean_1",
        "error_mean_2", "error_max_1", "error_max_2", "time_p99_1_ns", "time_p99_2_ns"};
    static const char *const for_people[] = {"scenario",  "variant",   "error of", "answers",
                                             "  error 1", "  error 2", "   p99 1", "   p99 2"};
    const bool csv = format == BENCH_REPORT_CSV;
    bench_rows rows = {.columns = csv ? 10 : answers->times ? 8 : 6};
    bench_report_header(&rows, csv ? for_scripts : for_people);
    for (size_t i = 0; i < answers->count; i++) {
        put_pair(&rows, &answers->pairs[i], csv, answers->times);
    }
    return bench_report_print(&rows, format, file, err);
}
