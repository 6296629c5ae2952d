/**
 * Findings of the gates, and their output as rows, JUnit XML and Markdown.
 *
 * To add a gate, add a value to bench_gate, a row to the table in findings.c, and its check to
 * gate.c or against.c.
 */
#ifndef SUITE_FINDINGS_H
#define SUITE_FINDINGS_H

#include "base/error.h"
#include "base/memory.h"
#include "suite/output.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/** The gates, in the order in which their findings are printed. */
typedef enum bench_gate {
    BENCH_GATE_ANSWERS,      /* answers are the same; those of an approximation may change, but not
                                get worse */
    BENCH_GATE_CONTRACT,     /* no contract is violated (more often than in the baseline), and none
                                has changed */
    BENCH_GATE_COUNTERS,     /* the work has not grown, nor the memory of the prepared bodies */
    BENCH_GATE_CELLS,        /* no cell is missing; quantity and status are the expected ones */
    BENCH_GATE_ENDING,       /* no cell has crashed, failed, timed out or run out of memory */
    BENCH_GATE_ALLOCATIONS,  /* queries do not allocate memory */
    BENCH_GATE_INSTRUCTIONS, /* old code against new only */
    BENCH_GATE_TIME,         /* old code against new only */
    BENCH_GATE_BUILD,        /* old code against new only: time to build both bodies */
    BENCH_GATE_MEMORY,       /* old code against new only: resident memory */
    BENCH_GATE_NOISE,        /* with --strict: the noise allows a decision about time */
    BENCH_GATE_COUNT
} bench_gate;

/** One finding of a gate. Texts are never NULL. */
typedef struct bench_gate_finding {
    int64_t frame; /* -1: the finding is about the whole cell */
    const char *column, *expected, *got;
    const char *note;
    const char *sentence; /* for a summary: "is 30 % slower"; "": the sentence of the gate is
                             used */
    bool failed;          /* false: a note */
} bench_gate_finding;

/** The result of one gate for one cell. It has `count` findings, from index `first` on. */
typedef struct bench_gate_case {
    const char *scenario, *variant;
    bench_gate gate;
    size_t first, count;
    bool failed, accepted; /* accepted: it has findings that are not failures because the gate is
                              accepted */
    double time_s;         /* time of one pass of the cell; set in one case of each cell, 0 in the
                              others */
} bench_gate_case;

/**
 * All cases and findings. A zeroed report is empty. If memory is exhausted, out_of_memory is set,
 * and the caller reports it at the end.
 */
typedef struct bench_gate_report {
    bool same;         /* any change fails, also an improvement: a smaller counter, a better
                          approximation */
    unsigned accepted; /* mask of 1u << bench_gate: failures of these gates become notes */
    bench_gate_case *cases;
    size_t case_count, case_capacity;
    bench_gate_finding *findings;
    size_t finding_count, finding_capacity;
    base_arena arena;
    bool out_of_memory;
} bench_gate_report;

/** Number of frames that are listed per kind of change in a cell. The others are counted. */
enum { BENCH_FINDINGS_MAX = 5 };

/**
 * Marks gates as accepted ("answers,counters"): their failures become notes. Call it before the
 * first case.
 * Errors: BASE_ERR_ARGUMENT for an unknown gate, with similar names.
 */
base_status bench_gate_accept(const char *gates, bench_gate_report *report,
                              base_error *err) BASE_MUST_CHECK;
/** Starts a new case; the findings that follow belong to it. Texts are copied. */
void bench_gate_ask(bench_gate_report *report, bench_gate gate, const char *scenario,
                    const char *variant);
/**
 * Adds a finding to the newest case. Texts are copied; NULL means "". A failure of an accepted gate
 * becomes a note that begins with "accepted".
 */
void bench_gate_add(bench_gate_report *report, const bench_gate_finding *finding);
/** Adds a finding about the whole cell. It has a note and no column. */
void bench_gate_note(bench_gate_report *report, bool failed, const char *format, ...)
    BASE_PRINTF(3, 4);
/**
 * Returns 1 if the gate of answers, contract, counters, cells or allocations failed; else 5 if that
 * of ending failed; else 4 if that of instructions, time, build or memory failed; else 6 if that of
 * noise failed; else 0.
 */
int bench_gate_exit_status(const bench_gate_report *report);
void bench_gate_report_release(bench_gate_report *report);

/**
 * The number of cases of a gate, of failed ones and of accepted ones. If `gate` is
 * BENCH_GATE_COUNT, the cases of all gates are counted.
 */
typedef struct bench_gate_tally {
    size_t cases, failed, accepted;
} bench_gate_tally;
bench_gate_tally bench_gate_count(const bench_gate_report *report, bench_gate gate);

/**
 * Writes "2 of 28 failed (contract 1, ending 1)" or "30 passed (answers 5, ...)", followed by the
 * accepted cases: "; accepted: counters 12".
 */
void bench_gate_totals(const bench_gate_report *report, char *text, size_t size);

/**
 * Writes a list of what was not compared: "times, ...". job: true for old code against new;
 * instructions, build times and memory are then listed if their gate was asked about no cell. false
 * for a run against its baseline.
 */
void bench_gate_not_compared(const bench_gate_report *report, bool job, char *text, size_t size);

/**
 * Prints one row per finding, gate by gate. In the format for people, nothing is printed if there
 * are no findings.
 */
base_status bench_gate_print_rows(const bench_gate_report *report, bench_format format, FILE *file,
                                  base_error *err) BASE_MUST_CHECK;
/**
 * Prints what a new baseline changes: a line with the first finding of each case that has findings.
 * At most 10 such lines are printed, and the number of the others.
 */
void bench_gate_print_changes(const bench_gate_report *report, FILE *file);
/**
 * Prints JUnit XML: a test suite for each scenario, and in it a test case for each gate and
 * variant.
 */
void bench_gate_print_junit(const bench_gate_report *report, const char *name, FILE *file);
/**
 * Prints a summary for a pull request. It has a sentence for each failed case ("`pst` on
 * `pump/sphere` is 29.7 % slower (29.6 to 30.2)."), at most 10; a table of the failures, except
 * those of time and noise, with at most 40 rows; and a line of totals.
 */
void bench_gate_print_markdown(const bench_gate_report *report, const char *title, FILE *file);

#endif
