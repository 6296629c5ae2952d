/** Findings as rows, for people or as CSV, or as lines of what changes. */
#include "suite/gate/gate.h"
#include "suite/output.h"

static void put_finding(bench_rows *rows, const bench_gate_case *c, const bench_gate_finding *f)
{
    bench_rows_put(rows, "%s", f->failed ? "failed" : "note");
    bench_rows_put(rows, "%s", bench_gate_name(c->gate));
    bench_rows_put(rows, "%s", c->scenario);
    bench_rows_put(rows, "%s", c->variant);
    if (f->frame >= 0) {
        bench_rows_put(rows, "%lld", (long long)f->frame);
    } else {
        bench_rows_put(rows, "%s", "");
    }
    bench_rows_put(rows, "%s", f->column);
    bench_rows_put(rows, "%s", f->expected);
    bench_rows_put(rows, "%s", f->got);
    bench_rows_put(rows, "%s", f->note);
}

base_status bench_gate_print_rows(const bench_gate_report *report, bool csv, FILE *file,
                                  base_error *err)
{
    static const char *const header[] = {"result", "gate",     "scenario", "variant", "frame",
                                         "column", "expected", "got",      "note"};
    if (!csv && report->finding_count == 0) {
        return BASE_OK;
    }
    bench_rows rows = {.columns = sizeof header / sizeof *header};
    for (size_t i = 0; i < rows.columns; i++) {
        bench_rows_put(&rows, "%s", header[i]);
    }
    for (int gate = 0; gate < BENCH_GATE_COUNT; gate++) {
        for (size_t i = 0; i < report->case_count; i++) {
            const bench_gate_case *const c = &report->cases[i];
            for (size_t f = 0; c->gate == (bench_gate)gate && f < c->count; f++) {
                put_finding(&rows, c, &report->findings[c->first + f]);
            }
        }
    }
    const base_status status = bench_rows_print(&rows, csv, file, err);
    bench_rows_release(&rows);
    return status;
}

enum { CHANGES_MAX = 10 }; /* told one by one */

void bench_gate_print_changes(const bench_gate_report *report, FILE *file)
{
    size_t told = 0, hidden = 0;
    for (size_t i = 0; i < report->case_count; i++) {
        const bench_gate_case *const c = &report->cases[i];
        if (c->count == 0) {
            continue;
        }
        if (told == CHANGES_MAX) {
            hidden++;
            continue;
        }
        told++;
        const bench_gate_finding *const f = &report->findings[c->first];
        fprintf(file, "changed: %s on %s: %s: ", c->variant, c->scenario, bench_gate_name(c->gate));
        if (f->frame >= 0) {
            fprintf(file, "from frame %lld on: ", (long long)f->frame);
        }
        if (*f->column && (*f->expected || *f->got)) {
            fprintf(file, "%s was %s, is %s%s", f->column, *f->expected ? f->expected : "empty",
                    *f->got ? f->got : "empty", *f->note ? ", " : "");
        } else if (*f->column) {
            fprintf(file, "%s: ", f->column);
        }
        fprintf(file, "%s\n", f->note);
    }
    if (hidden > 0) {
        fprintf(file, "... and %zu more changes\n", hidden);
    }
    if (told == 0) {
        fputs("nothing changed\n", file);
    }
}
