#include "suite/gate/gate.h"

#include "suite/gate/answers.h"
#include "suite/gate/work.h"

#include <string.h>

/* --- The gates of one cell, in their order ---------------------------------------------------- */

/**
 * True if the baseline was blessed by force with the same fault, and the run has no more
 * violations.
 */
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
        if (got->row.allocations > 0) { /* 0 if allocations were not counted */
            char count[24];
            snprintf(count, sizeof count, "%.17g", got->row.allocations);
            add_change(report, "alloc_count", "0", count, "allocations in queries");
        }
    }
}

/**
 * Checks that the run has the cell, that it answered the same quantity, and that its status is the
 * expected one.
 */
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
    /* Other gates report a cell that is wrong or died. */
    if (strcmp(expected->row.status, got->row.status) != 0 &&
        strcmp(got->row.status, "wrong") != 0 && !bench_gate_died(got->row.status)) {
        add_change(report, "status", expected->row.status, got->row.status, got->row.detail);
    }
}

/** Returns the mean time of one pass in seconds, or 0 if there is no time. */
static double pass_time_s(const bench_cell_row *row)
{
    return row->time_mean_ns > 0 ? row->time_mean_ns * (double)row->frames * 1e-9 : 0;
}

/** Compares answers and counters if both sides have all of them. */
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
        bench_gate_compare_answers(expected, &wanted, &there, report);
        bench_gate_compare_work(expected, &wanted, got, &there, report);
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
