/** The gates, in their order, for each cell. */
#include "suite/gate/gate.h"

#include <string.h>

/** Is this what was blessed by force: the same fault, and no more of it? */
static bool is_blessed_fault(const bench_gate_cell *expected, const bench_gate_cell *got)
{
    return strcmp(expected->status, got->status) == 0 &&
           got->violations_count <= expected->violations_count;
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
    bench_gate_ask(report, BENCH_GATE_CONTRACT, got->scenario, got->variant);
    if (got->violations_count > (expected ? expected->violations_count : 0)) {
        char counts[2][24];
        snprintf(counts[0], sizeof counts[0], "%llu",
                 (unsigned long long)(expected ? expected->violations_count : 0));
        snprintf(counts[1], sizeof counts[1], "%llu", (unsigned long long)got->violations_count);
        add_change(report, "violations_count", counts[0], counts[1], got->detail);
    } else if (strcmp(got->status, "wrong") == 0 &&
               !(expected && is_blessed_fault(expected, got))) {
        add_change(report, "status", expected ? expected->status : "ok", got->status, got->detail);
    }
    if (expected && *expected->contract && strcmp(expected->contract, got->contract) != 0) {
        add_change(report, "contract", expected->contract, got->contract, "");
    }
    if (expected && got->tolerance_ulp > expected->tolerance_ulp) {
        char ulps[2][24];
        snprintf(ulps[0], sizeof ulps[0], "%llu", (unsigned long long)expected->tolerance_ulp);
        snprintf(ulps[1], sizeof ulps[1], "%llu", (unsigned long long)got->tolerance_ulp);
        add_change(report, "tolerance_ulp", ulps[0], ulps[1], "");
    }
}

static void check_ending(const bench_gate_cell *expected, const bench_gate_cell *got,
                         bench_gate_report *report)
{
    bench_gate_ask(report, BENCH_GATE_ENDING, got->scenario, got->variant);
    if (bench_gate_died(got->status) && !(expected && is_blessed_fault(expected, got))) {
        add_change(report, "status", expected ? expected->status : "ok", got->status, got->detail);
    }
}

static void check_allocations(const bench_gate_cell *got, bench_gate_report *report)
{
    if (got->own) {
        bench_gate_ask(report, BENCH_GATE_ALLOCATIONS, got->scenario, got->variant);
        if (got->alloc_count > 0) {
            char count[24];
            snprintf(count, sizeof count, "%llu", (unsigned long long)got->alloc_count);
            add_change(report, "alloc_count", "0", count, "allocations in queries");
        }
    }
}

/** Is the cell there, did it answer the same question, and did it come to an end at all? */
static void check_presence(const bench_gate_cell *expected, const bench_gate_cell *got,
                           bench_gate_report *report)
{
    bench_gate_ask(report, BENCH_GATE_CELLS, expected->scenario, expected->variant);
    if (!got) {
        bench_gate_note(report, true, "missing: the run has no such cell");
        return;
    }
    if (strcmp(expected->quantity, got->quantity) != 0) {
        add_change(report, "quantity", expected->quantity, got->quantity, "");
    }
    /* A cell that is wrong or died is told by other gates. */
    if (strcmp(expected->status, got->status) != 0 && strcmp(got->status, "wrong") != 0 &&
        !bench_gate_died(got->status)) {
        add_change(report, "status", expected->status, got->status, got->detail);
    }
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
        bench_gate_compare_frames(&wanted, &there, got, expected->tolerance_ulp, report);
        if (report->case_count > asked) {
            report->cases[asked].time_s = got->time_ns * 1e-9;
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
            bench_gate_cell_find(run, expected->scenario, expected->variant);
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
        if (!bench_gate_cell_find(baseline, got->scenario, got->variant)) {
            bench_gate_ask(report, BENCH_GATE_CELLS, got->scenario, got->variant);
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
