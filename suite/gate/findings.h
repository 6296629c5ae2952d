/**
 * Findings of the gates, and their output as rows, JUnit XML and Markdown.
 *
 * To add a gate: a value in bench_gate, a row in the table of findings.c, its check in gate.c.
 */
#ifndef SUITE_FINDINGS_H
#define SUITE_FINDINGS_H

#include "base/error.h"
#include "base/memory.h"
#include "suite/output.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/** The gates, in the order in which they are asked. */
typedef enum bench_gate {
    BENCH_GATE_ANSWERS,      /* the same answers; an approximation may not get worse */
    BENCH_GATE_CONTRACT,     /* no contract is violated, and none has changed */
    BENCH_GATE_COUNTERS,     /* the work has not grown */
    BENCH_GATE_CELLS,        /* no cell is missing */
    BENCH_GATE_ENDING,       /* no cell has crashed, failed or timed out */
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
    const char *sentence; /* for a report of CI: "is 30 % slower"; "": that of the gate */
    bool failed;          /* false: a note */
} bench_gate_finding;

/** One gate asked about one cell. Its findings are `count` from `first` on. */
typedef struct bench_gate_case {
    const char *scenario, *variant;
    bench_gate gate;
    size_t first, count;
    bool failed, accepted; /* accepted: it has findings that would have been failures */
    double time_s;         /* time of the cell's queries, set for one case of each cell, else 0 */
} bench_gate_case;

/** All cases and findings. A zeroed report is empty; lack of memory is reported at the end. */
typedef struct bench_gate_report {
    bool same;         /* improvements fail as well: fewer counts, a better approximation */
    unsigned accepted; /* mask of 1u << bench_gate: findings of these gates are notes */
    bench_gate_case *cases;
    size_t case_count, case_capacity;
    bench_gate_finding *findings;
    size_t finding_count, finding_capacity;
    base_arena arena;
    bool out_of_memory;
} bench_gate_report;

enum { BENCH_FINDINGS_MAX = 5 }; /* listed per gate and cell; the others are counted */

/**
 * Marks gates as accepted ("answers,counters"): their findings become notes. Call it before the
 * first case.
 * Errors: BASE_ERR_ARGUMENT for an unknown gate, with similar names.
 */
base_status bench_gate_accept(const char *gates, bench_gate_report *report,
                              base_error *err) BASE_MUST_CHECK;
/** Starts a new case; the findings that follow belong to it. Texts are copied. */
void bench_gate_ask(bench_gate_report *report, bench_gate gate, const char *scenario,
                    const char *variant);
/**
 * Adds a finding to the newest case; texts are copied, NULL means "". A failure of an accepted gate
 * becomes a note that says so.
 */
void bench_gate_add(bench_gate_report *report, const bench_gate_finding *finding);
/** Adds a finding about a whole cell that consists of a note alone. */
void bench_gate_note(bench_gate_report *report, bool failed, const char *format, ...)
    BASE_PRINTF(3, 4);
/**
 * Returns 1 if answers, contract, counters, missing cells or allocations failed, else 5 if cells
 * died, else 4 if times, instructions, build times or memory failed, else 6 if noise failed, else
 * 0.
 */
int bench_gate_exit_status(const bench_gate_report *report);
void bench_gate_report_release(bench_gate_report *report);

/**
 * The number of cases, of failed cases and of accepted cases; of all gates if `gate` is
 * BENCH_GATE_COUNT.
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
 * Writes the names of the quantities that were not compared: "times, ...". Gates that were not
 * asked about any cell are among them. job: true for old code against new, false for a run against
 * its baseline.
 */
void bench_gate_not_compared(const bench_gate_report *report, bool job, char *text, size_t size);

/** Prints one row per finding. Prints nothing in the format for people if there are no findings. */
base_status bench_gate_print_rows(const bench_gate_report *report, bench_format format, FILE *file,
                                  base_error *err) BASE_MUST_CHECK;
/** Prints what a new baseline changes: one line for each cell and gate that has findings. */
void bench_gate_print_changes(const bench_gate_report *report, FILE *file);
/** Prints JUnit XML: a test suite for each scenario, a test case for each gate and variant. */
void bench_gate_print_junit(const bench_gate_report *report, const char *name, FILE *file);
/**
 * Prints a summary for a pull request: a sentence for each variant that failed ("`pst` on
 * `pump/sphere` is 29.7 % slower (29.6 to 30.2)."), a table of the findings, and a line of totals.
 */
void bench_gate_print_markdown(const bench_gate_report *report, const char *title, FILE *file);

#endif
