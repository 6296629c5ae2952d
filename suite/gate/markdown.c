/** Findings as Markdown that fits a pull request. */
#include "suite/gate/gate.h"

enum { ROWS_MAX = 40 }; /* a comment that nobody reads to its end helps nobody */

/** A cell of a table: a bar would end it, and a line break the row. */
static void put_cell(FILE *file, const char *text)
{
    fputs(" ", file);
    for (; *text; text++) {
        if (*text == '|') {
            fputs("\\|", file);
        } else {
            fputc(*text == '\n' ? ' ' : *text, file);
        }
    }
    fputs(" |", file);
}

static void put_finding(FILE *file, const bench_gate_case *c, const bench_gate_finding *f)
{
    char frame[24] = "";
    if (f->frame >= 0) {
        snprintf(frame, sizeof frame, "%lld", (long long)f->frame);
    }
    const char *const cells[] = {bench_gate_name(c->gate),
                                 c->scenario,
                                 c->variant,
                                 frame,
                                 f->column,
                                 f->expected,
                                 f->got,
                                 f->note};
    fputs("|", file);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        put_cell(file, cells[i]);
    }
    fputs("\n", file);
}

/** Failures of all gates but that of time, which has a table of its own (slowdown.c), the gravest
 * first; returns how many did not fit. */
static size_t put_failures(FILE *file, const bench_gate_report *report)
{
    size_t told = 0, hidden = 0;
    for (int gate = 0; gate < BENCH_GATE_TIME; gate++) {
        for (size_t i = 0; i < report->case_count; i++) {
            const bench_gate_case *const c = &report->cases[i];
            for (size_t f = 0; c->gate == (bench_gate)gate && f < c->count; f++) {
                const bench_gate_finding *const finding = &report->findings[c->first + f];
                if (!finding->failed) {
                    continue;
                }
                if (told == ROWS_MAX) {
                    hidden++;
                    continue;
                }
                if (told++ == 0) {
                    fputs("| gate | scenario | variant | frame | column | expected | got | note "
                          "|\n|---|---|---|--:|---|---|---|---|\n",
                          file);
                }
                put_finding(file, c, finding);
            }
        }
    }
    if (told > 0) {
        fputs("\n", file);
    }
    return hidden;
}

void bench_gate_print_markdown(const bench_gate_report *report, const char *title, FILE *file)
{
    const bench_gate_tally all = bench_gate_count(report, BENCH_GATE_COUNT);
    fprintf(file, "### %s: %s\n\n", title, all.failed > 0 ? "failed" : "passed");
    const size_t hidden = put_failures(file, report);
    if (hidden > 0) {
        fprintf(file, "... and %zu more rows.\n\n", hidden);
    }
    size_t notes = 0;
    for (size_t i = 0; i < report->finding_count; i++) {
        notes += !report->findings[i].failed;
    }
    char totals[512];
    bench_gate_totals(report, totals, sizeof totals);
    fprintf(file, "%s", totals);
    if (notes > 0) {
        fprintf(file, "; %zu note%s", notes, notes > 1 ? "s" : "");
    }
    fputs(".\n", file);
}
