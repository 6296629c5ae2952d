/**
 * What the gates have found, and how it is told: as rows, JUnit XML and Markdown.
 *
 * To add a gate: a value in bench_gate, a row in the table of findings.c, its check in gate.c.
 */
#ifndef SUITE_FINDINGS_H
#define SUITE_FINDINGS_H

#include "base/arena.h"
#include "base/error.h"
#include "suite/output.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/** In the order in which they are asked. */
typedef enum bench_gate {
    BENCH_GATE_ANSWERS,      /* the same answers, or of an approximation no worse ones */
    BENCH_GATE_CONTRACT,     /* no contract is violated, and none has changed */
    BENCH_GATE_COUNTERS,     /* no more work */
    BENCH_GATE_CELLS,        /* nothing is missing */
    BENCH_GATE_ENDING,       /* nothing has crashed, failed or timed out */
    BENCH_GATE_ALLOCATIONS,  /* no allocation in queries */
    BENCH_GATE_INSTRUCTIONS, /* old against new only */
    BENCH_GATE_TIME,         /* old against new only */
    BENCH_GATE_BUILD,        /* old against new only: time to build both bodies */
    BENCH_GATE_MEMORY,       /* old against new only: resident memory */
    BENCH_GATE_NOISE,        /* with --strict: it could be told whether it is slower */
    BENCH_GATE_COUNT
} bench_gate;

/** One thing that a gate has to say. Texts are never NULL. */
typedef struct bench_gate_finding {
    int64_t frame; /* -1: of the whole cell */
    const char *column, *expected, *got;
    const char *note;
    const char *sentence; /* what the variant does, for a report of CI: "is 30 % slower"; "": the
                             gate has one for all its findings */
    bool failed;          /* false: told, and no failure */
} bench_gate_finding;

/** One gate asked about one cell. Its findings are `count` from `first` on. */
typedef struct bench_gate_case {
    const char *scenario, *variant;
    bench_gate gate;
    size_t first, count;
    bool failed, accepted; /* accepted: has findings that would have been failures */
    double time_s;         /* what the cell's queries took; for one case of each cell, else 0 */
} bench_gate_case;

/** All that was asked and found. A zeroed one is empty; out of memory is told at the end. */
typedef struct bench_gate_report {
    bool same;         /* what got better fails as well: fewer counts, a better approximation */
    unsigned accepted; /* mask 1u << bench_gate: what these find is told, and fails nothing */
    bench_gate_case *cases;
    size_t case_count, case_capacity;
    bench_gate_finding *findings;
    size_t finding_count, finding_capacity;
    base_arena arena;
    bool out_of_memory;
} bench_gate_report;

enum { BENCH_FINDINGS_MAX = 5 }; /* told of one gate and one cell; the others are counted */

/**
 * What these gates find is to fail nothing: "answers,counters". Before the first case.
 * Errors: BASE_ERR_ARGUMENT for a gate that there is not, with the near names.
 */
base_status bench_gate_accept(const char *gates, bench_gate_report *report,
                              base_error *err) BASE_MUST_CHECK;
/** A new case; findings that follow belong to it. Texts are copied. */
void bench_gate_ask(bench_gate_report *report, bench_gate gate, const char *scenario,
                    const char *variant);
/** Adds a finding to the newest case; texts are copied, NULL is "". A failure of an accepted gate
 * becomes a note that says so. */
void bench_gate_add(bench_gate_report *report, const bench_gate_finding *finding);
/** The same for one of a whole cell, with a note alone. */
void bench_gate_note(bench_gate_report *report, bool failed, const char *format, ...)
    BASE_PRINTF(3, 4);
/** 1 for answers, contract, counters, missing cells and allocations, else 5 for cells that died,
 * else 4 for times and instructions, else 6 for noise, else 0. */
int bench_gate_exit_status(const bench_gate_report *report);
/** Errors: BASE_ERR_MEMORY when anything could not be kept. */
base_status bench_gate_report_check(const bench_gate_report *report,
                                    base_error *err) BASE_MUST_CHECK;
void bench_gate_report_release(bench_gate_report *report);

/** Cases, failures, and what was accepted; by gate when `gate` is not BENCH_GATE_COUNT. */
typedef struct bench_gate_tally {
    size_t cases, failed, accepted;
} bench_gate_tally;
bench_gate_tally bench_gate_count(const bench_gate_report *report, bench_gate gate);

/** "2 of 28 failed (contract 1, ending 1)" or "30 passed (answers 5, ...)"; behind it what was
 * accepted: "; accepted: counters 12". */
void bench_gate_totals(const bench_gate_report *report, char *text, size_t size);

/**
 * Writes the names of what was not compared: "times, ...". Gates that were not asked about any cell
 * are among them. job: old code against new; else a run with its baseline.
 */
void bench_gate_not_compared(const bench_gate_report *report, bool job, char *text, size_t size);

/** One row a finding. Nothing at all for people when nothing was found. */
base_status bench_gate_print_rows(const bench_gate_report *report, bench_format format, FILE *file,
                                  base_error *err) BASE_MUST_CHECK;
/** What a new baseline changes: a line for each cell and gate with something to say. */
void bench_gate_print_changes(const bench_gate_report *report, FILE *file);
/** JUnit XML: a test suite a scenario, a test case a gate and variant. */
void bench_gate_print_junit(const bench_gate_report *report, const char *name, FILE *file);
/**
 * For a pull request: a sentence for each variant that failed ("`pst` on `pump/sphere` is 29.7 %
 * slower (29.6 to 30.2)."), a table of the findings, and a line of totals.
 */
void bench_gate_print_markdown(const bench_gate_report *report, const char *title, FILE *file);

#endif
