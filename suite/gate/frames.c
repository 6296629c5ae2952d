/** Answers and counters of one cell, frame by frame. */
#include "base/memory.h"
#include "base/text.h"
#include "suite/gate/gate.h"

#include <stdlib.h>
#include <string.h>

/** Columns of a baseline that speak of the cell. */
static bool is_of_cell(const char *name)
{
    static const char *const names[] = {"scenario",     "variant",  "status",     "quantity",
                                        "frames_count", "contract", "violations", "tolerance_ulp"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/** A column of what is expected (or got), and where the other side has it; -1: nowhere. */
typedef struct column {
    const char *name;
    int expected, got;
} column;

typedef struct columns {
    column *items;
    size_t count;
} columns;

static const char *text_at(const bench_gate_frames *frames, size_t row, int index)
{
    const char *const text =
        index >= 0 ? base_csv_text(frames->table, frames->first + row, index) : NULL;
    return text ? text : "";
}

/** Columns of one kind that both sides, or only what is expected, have. False: out of memory. */
static bool match_columns(const bench_gate_frames *expected, const bench_gate_frames *got,
                          bench_gate_column kind, columns *c)
{
    *c = (columns){.items = base_alloc(expected->table->columns, sizeof *c->items)};
    for (size_t i = 0; c->items && i < expected->table->columns; i++) {
        const char *const name = expected->table->cells[i];
        if (bench_gate_column_kind(name) == kind && !is_of_cell(name)) {
            c->items[c->count++] = (column){name, (int)i, base_csv_find(got->table, name)};
        }
    }
    return c->items;
}

/** Are two texts of numbers, or words, the same within the tolerance? */
static bool agree(const char *expected, const char *got, uint64_t tolerance_ulp, uint64_t *ulps)
{
    *ulps = 0;
    if (strcmp(expected, got) == 0) {
        return true;
    }
    double a, b;
    if (!base_text_number(expected, &a) || !base_text_number(got, &b)) {
        *ulps = UINT64_MAX;
        return false;
    }
    *ulps = bench_ulps_apart(a, b);
    /* Without a tolerance also the sign of a zero is a bit. */
    return tolerance_ulp > 0 && *ulps <= tolerance_ulp;
}

/** "1 ulp off; 4 more columns". Beyond what rounding explains the values speak for themselves. */
static void format_note(uint64_t ulps, bool ulps_matter, size_t more, char *text, size_t size)
{
    static const uint64_t rounding_ulps = UINT64_C(1) << 32;
    text[0] = '\0';
    if (ulps_matter && ulps == 0) {
        snprintf(text, size, "a zero of the other sign");
    } else if (ulps_matter && ulps < rounding_ulps) {
        snprintf(text, size, "%llu ulp%s off", (unsigned long long)ulps, ulps > 1 ? "s" : "");
    }
    if (more > 0) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%zu more column%s", used ? "; " : "", more,
                 more > 1 ? "s" : "");
    }
}

/** Compares one frame; adds its first difference unless enough has been told. */
static bool compare_frame(const bench_gate_frames *expected, const bench_gate_frames *got,
                          const columns *c, size_t row, uint64_t tolerance_ulp, bool counters,
                          bool tell, bench_gate_report *report)
{
    const column *first = NULL;
    uint64_t first_ulps = 0;
    size_t differing = 0;
    for (size_t i = 0; i < c->count; i++) {
        uint64_t ulps;
        const column *const at = &c->items[i];
        if (!agree(text_at(expected, row, at->expected), text_at(got, row, at->got), tolerance_ulp,
                   &ulps)) {
            first_ulps = first ? first_ulps : ulps;
            first = first ? first : at;
            differing++;
        }
    }
    if (first && tell) {
        char note[128];
        format_note(first_ulps, !counters, differing - 1, note, sizeof note);
        const char *const frame = text_at(expected, row, base_csv_find(expected->table, "frame"));
        bench_gate_add(report,
                       &(bench_gate_finding){.frame = strtoll(frame, NULL, 10),
                                             .column = first->name,
                                             .expected = text_at(expected, row, first->expected),
                                             .got = text_at(got, row, first->got),
                                             .note = note,
                                             .failed = true});
    }
    return !first;
}

static void compare(const bench_gate_frames *expected, const bench_gate_frames *got,
                    bench_gate_column kind, uint64_t tolerance_ulp, bench_gate_report *report)
{
    columns c;
    report->out_of_memory |= !match_columns(expected, got, kind, &c);
    const size_t common = expected->count < got->count ? expected->count : got->count;
    size_t differing = 0;
    for (size_t row = 0; row < common; row++) {
        differing +=
            !compare_frame(expected, got, &c, row, tolerance_ulp, kind == BENCH_COLUMN_COUNTER,
                           differing < BENCH_FINDINGS_MAX, report);
    }
    if (differing > BENCH_FINDINGS_MAX) {
        const size_t more = differing - BENCH_FINDINGS_MAX;
        bench_gate_note(report, true, "... and %zu more frame%s", more, more > 1 ? "s" : "");
    }
    base_free(c.items);
}

/** Columns with something in them that is expected nowhere. */
static void tell_new_columns(const bench_gate_frames *expected, const bench_gate_frames *got,
                             bench_gate_column kind, bench_gate_report *report)
{
    for (size_t i = 0; i < got->table->columns; i++) {
        const char *const name = got->table->cells[i];
        if (bench_gate_column_kind(name) != kind || base_csv_find(expected->table, name) >= 0) {
            continue;
        }
        for (size_t row = 0; row < got->count; row++) {
            if (*text_at(got, row, (int)i)) {
                bench_gate_add(report, &(bench_gate_finding){
                                           .frame = -1,
                                           .column = name,
                                           .note = "a column beyond the baseline: bless to add"});
                break;
            }
        }
    }
}

void bench_gate_compare_frames(const bench_gate_frames *expected, const bench_gate_frames *got,
                               const bench_gate_cell *cell, uint64_t tolerance_ulp,
                               bench_gate_report *report)
{
    bench_gate_ask(report, BENCH_GATE_ANSWERS, cell->scenario, cell->variant);
    if (expected->count != got->count) {
        char counts[2][24];
        snprintf(counts[0], sizeof counts[0], "%zu", expected->count);
        snprintf(counts[1], sizeof counts[1], "%zu", got->count);
        bench_gate_add(report, &(bench_gate_finding){.frame = -1,
                                                     .column = "frames",
                                                     .expected = counts[0],
                                                     .got = counts[1],
                                                     .failed = true});
    }
    compare(expected, got, BENCH_COLUMN_ANSWER, tolerance_ulp, report);
    tell_new_columns(expected, got, BENCH_COLUMN_ANSWER, report);
    bench_gate_ask(report, BENCH_GATE_COUNTERS, cell->scenario, cell->variant);
    compare(expected, got, BENCH_COLUMN_COUNTER, 0, report);
    tell_new_columns(expected, got, BENCH_COLUMN_COUNTER, report);
}
