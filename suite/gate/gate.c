#include "suite/gate/gate.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Answers and counters of one cell, frame by frame ----------------------------------------- */

/** Doubles as integers in the same order: neighbours differ by one, both zeros are 0. */
static int64_t ordinal(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >= 0 ? bits : INT64_MIN - bits;
}

uint64_t bench_ulps_apart(double a, double b)
{
    if (isnan(a) || isnan(b)) {
        return isnan(a) && isnan(b) ? 0 : UINT64_MAX;
    }
    const int64_t x = ordinal(a), y = ordinal(b);
    /* Modulo 2^64 the difference is right also where a signed one would overflow. */
    return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}

/** A column of what is expected (or got), and where the other side has it; -1: nowhere. */
typedef struct common_column {
    const char *name;
    int expected, got;
} common_column;

typedef struct common_columns {
    common_column *items;
    size_t count;
} common_columns;

static const char *text_at(const bench_gate_frames *frames, size_t row, int index)
{
    const char *const text =
        index >= 0 ? base_csv_text(frames->table, frames->first + row, index) : NULL;
    return text ? text : "";
}

/** Columns of one kind that both sides, or only what is expected, have. False: out of memory. */
static bool match_columns(const bench_gate_frames *expected, const bench_gate_frames *got,
                          bench_gate_column kind, common_columns *c)
{
    *c = (common_columns){.items = base_alloc(expected->table->columns, sizeof *c->items)};
    for (size_t i = 0; c->items && i < expected->table->columns; i++) {
        const char *const name = expected->table->cells[i];
        if (bench_gate_column_kind(name) == kind && !bench_baseline_is_of_cell(name)) {
            c->items[c->count++] = (common_column){name, (int)i, base_csv_find(got->table, name)};
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
                          const common_columns *c, size_t row, uint64_t tolerance_ulp,
                          bool counters, bool tell, bench_gate_report *report)
{
    const common_column *first = NULL;
    uint64_t first_ulps = 0;
    size_t differing = 0;
    for (size_t i = 0; i < c->count; i++) {
        uint64_t ulps;
        const common_column *const at = &c->items[i];
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
    common_columns c;
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

/**
 * Asks the gates about the frames of one cell: answers agree to the last bit, or within
 * tolerance_ulp; then counters. Frames that one side lacks are findings of the answers. A column
 * that is expected nowhere is told, and no failure.
 */
static void compare_frames(const bench_gate_frames *expected, const bench_gate_frames *got,
                           const bench_gate_cell *cell, uint64_t tolerance_ulp,
                           bench_gate_report *report)
{
    bench_gate_ask(report, BENCH_GATE_ANSWERS, cell->row.scenario, cell->row.variant);
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
    bench_gate_ask(report, BENCH_GATE_COUNTERS, cell->row.scenario, cell->row.variant);
    compare(expected, got, BENCH_COLUMN_COUNTER, 0, report);
    tell_new_columns(expected, got, BENCH_COLUMN_COUNTER, report);
}

/* --- The gates in their order, for each cell -------------------------------------------------- */

/** Is this what was blessed by force: the same fault, and no more of it? */
static bool is_blessed_fault(const bench_gate_cell *expected, const bench_gate_cell *got)
{
    return strcmp(expected->row.status, got->row.status) == 0 &&
           got->row.violations <= expected->row.violations;
}

static void add_change(bench_gate_report *report, const char *column, const char *expected,
                       const char *got, const char *note)
{
    bench_gate_add(report, &(bench_gate_finding){.frame = -1,
                                                 .column = column,
                                                 .expected = expected,
                                                 .got = got,
                                                 .note = note,
                                                 .failed = true});
}

static void check_contract(const bench_gate_cell *expected, const bench_gate_cell *got,
                           bench_gate_report *report)
{
    bench_gate_ask(report, BENCH_GATE_CONTRACT, got->row.scenario, got->row.variant);
    if (got->row.violations > (expected ? expected->row.violations : 0)) {
        char counts[2][24];
        snprintf(counts[0], sizeof counts[0], "%llu",
                 (unsigned long long)(expected ? expected->row.violations : 0));
        snprintf(counts[1], sizeof counts[1], "%llu", (unsigned long long)got->row.violations);
        add_change(report, "violations_count", counts[0], counts[1], got->row.detail);
    } else if (strcmp(got->row.status, "wrong") == 0 &&
               !(expected && is_blessed_fault(expected, got))) {
        add_change(report, "status", expected ? expected->row.status : "ok", got->row.status,
                   got->row.detail);
    }
    if (expected && *expected->row.contract &&
        strcmp(expected->row.contract, got->row.contract) != 0) {
        add_change(report, "contract", expected->row.contract, got->row.contract, "");
    }
    if (expected && got->row.tolerance_ulp > expected->row.tolerance_ulp) {
        char ulps[2][24];
        snprintf(ulps[0], sizeof ulps[0], "%llu", (unsigned long long)expected->row.tolerance_ulp);
        snprintf(ulps[1], sizeof ulps[1], "%llu", (unsigned long long)got->row.tolerance_ulp);
        add_change(report, "tolerance_ulp", ulps[0], ulps[1], "");
    }
}

static void check_ending(const bench_gate_cell *expected, const bench_gate_cell *got,
                         bench_gate_report *report)
{
    bench_gate_ask(report, BENCH_GATE_ENDING, got->row.scenario, got->row.variant);
    if (bench_gate_died(got->row.status) && !(expected && is_blessed_fault(expected, got))) {
        add_change(report, "status", expected ? expected->row.status : "ok", got->row.status,
                   got->row.detail);
    }
}

static void check_allocations(const bench_gate_cell *got, bench_gate_report *report)
{
    if (got->own) {
        bench_gate_ask(report, BENCH_GATE_ALLOCATIONS, got->row.scenario, got->row.variant);
        if (got->row.allocations > 0) { /* not so where nobody counted */
            char count[24];
            snprintf(count, sizeof count, "%.17g", got->row.allocations);
            add_change(report, "alloc_count", "0", count, "allocations in queries");
        }
    }
}

/** Is the cell there, did it answer the same question, and did it come to an end at all? */
static void check_presence(const bench_gate_cell *expected, const bench_gate_cell *got,
                           bench_gate_report *report)
{
    bench_gate_ask(report, BENCH_GATE_CELLS, expected->row.scenario, expected->row.variant);
    if (!got) {
        bench_gate_note(report, true, "missing: the run has no such cell");
        return;
    }
    if (strcmp(expected->row.quantity, got->row.quantity) != 0) {
        add_change(report, "quantity", expected->row.quantity, got->row.quantity, "");
    }
    /* A cell that is wrong or died is told by other gates. */
    if (strcmp(expected->row.status, got->row.status) != 0 &&
        strcmp(got->row.status, "wrong") != 0 && !bench_gate_died(got->row.status)) {
        add_change(report, "status", expected->row.status, got->row.status, got->row.detail);
    }
}

/** Of one pass; 0 when there is none. */
static double pass_time_s(const bench_cell_row *row)
{
    return row->time_mean_ns > 0 ? row->time_mean_ns * (double)row->frames * 1e-9 : 0;
}

/** Answers and counters, where both sides have all of them. */
static base_status check_frames(const bench_gate_cells *baseline, const bench_gate_cell *expected,
                                const bench_gate_cells *run, const bench_gate_cell *got,
                                bench_gate_report *report, base_error *err)
{
    if (!bench_gate_has_frames(baseline, expected) || !bench_gate_has_frames(run, got)) {
        return BASE_OK;
    }
    bench_gate_frames wanted = {0}, there = {0};
    base_status status = bench_gate_frames_open(baseline, expected, &wanted, err);
    if (status == BASE_OK) {
        status = bench_gate_frames_open(run, got, &there, err);
    }
    if (status == BASE_OK) {
        const size_t asked = report->case_count;
        compare_frames(&wanted, &there, got, expected->row.tolerance_ulp, report);
        if (report->case_count > asked) {
            report->cases[asked].time_s = pass_time_s(&got->row);
        }
    }
    bench_gate_frames_close(&wanted);
    bench_gate_frames_close(&there);
    return status;
}

base_status bench_gate_check(const bench_gate_cells *baseline, const bench_gate_cells *run,
                             bench_gate_report *report, base_error *err)
{
    for (size_t i = 0; i < baseline->count; i++) {
        const bench_gate_cell *const expected = &baseline->items[i];
        const bench_gate_cell *const got =
            bench_gate_cell_find(run, expected->row.scenario, expected->row.variant);
        check_presence(expected, got, report);
        if (got) {
            const base_status status = check_frames(baseline, expected, run, got, report, err);
            if (status != BASE_OK) {
                return status;
            }
            check_contract(expected, got, report);
            check_ending(expected, got, report);
            check_allocations(got, report);
        }
    }
    for (size_t i = 0; i < run->count; i++) {
        const bench_gate_cell *const got = &run->items[i];
        if (!bench_gate_cell_find(baseline, got->row.scenario, got->row.variant)) {
            bench_gate_ask(report, BENCH_GATE_CELLS, got->row.scenario, got->row.variant);
            if (!baseline->folder) {
                bench_gate_note(report, false, "not in the baseline: bless to add");
            }
            check_contract(NULL, got, report);
            check_ending(NULL, got, report);
            check_allocations(got, report);
        }
    }
    return bench_gate_report_check(report, err);
}
