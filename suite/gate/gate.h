/**
 * The gate: what a run answered, against what a committed baseline says it has to answer.
 *
 * cells.c reads a run or a baseline; gate.c holds one against the other, frames.c frame by frame;
 * report.c keeps what was found, rows.c, junit.c and markdown.c print it; baseline.c writes a
 * baseline. slowdown.c decides about times, against.c gets them.
 *
 * To add a gate: a value in bench_gate, a row in report.c's table, its check in gate.c.
 */
#ifndef SUITE_GATE_H
#define SUITE_GATE_H

#include "base/csv.h"

/** In the order in which they are asked. */
typedef enum bench_gate {
    BENCH_GATE_ANSWERS,      /* the same answers */
    BENCH_GATE_CONTRACT,     /* no contract is violated, and none has changed */
    BENCH_GATE_COUNTERS,     /* the same work */
    BENCH_GATE_CELLS,        /* nothing is missing */
    BENCH_GATE_ENDING,       /* nothing has crashed, failed or timed out */
    BENCH_GATE_ALLOCATIONS,  /* no allocation in queries */
    BENCH_GATE_INSTRUCTIONS, /* old against new only */
    BENCH_GATE_TIME,         /* old against new only */
    BENCH_GATE_COUNT
} bench_gate;

/** "answers", ... */
const char *bench_gate_name(bench_gate gate);

/* --- What is compared (cells.c) --------------------------------------------------------------- */

/** One variant on one scenario. Texts are never NULL. */
typedef struct bench_gate_cell {
    const char *scenario, *variant, *quantity, *status, *contract, *detail;
    const char *file; /* of a run: its frames are in FOLDER/SCENARIO/FILE.csv */
    uint64_t frames_count, violations_count, tolerance_ulp;
    uint64_t alloc_count; /* in queries; 0 also where nobody counted */
    double time_ns;       /* of one pass; 0 when there is none */
    double instructions;  /* of a frame, mean; 0 where nobody counted */
    bool own;             /* of this program, not of a plug-in */
    bool answers_gated;   /* false for one that reads a clock: judged by its contract alone */
    size_t first_row, row_count; /* of a baseline: its frames in the table */
} bench_gate_cell;

/** A run, or a baseline. */
typedef struct bench_gate_cells {
    base_csv table; /* cells.csv, or the baseline */
    bench_gate_cell *items;
    size_t count;
    const char *folder;     /* of the run; NULL: a baseline */
    const char *experiment; /* name; "" in a baseline */
    bool interrupted;       /* the run, or it never came to its end */
    base_arena arena;
} bench_gate_cells;

/**
 * Reads cells.csv and manifest.csv of a run's folder (borrowed). label NULL: without the copies of
 * a contestant that take part for the sake of time (VARIANT@LABEL); else the copies of that label
 * alone, as VARIANT.
 *
 * Errors   those of base_csv_read; BASE_ERR_INPUT for a missing column or a bad number.
 *          bench_gate_cells_release is due either way.
 */
base_status bench_gate_read_run(const char *folder, const char *label, bench_gate_cells *cells,
                                base_error *err) BASE_MUST_CHECK;
/** Reads a baseline (baseline.c says what is in it). Errors and release as above. */
base_status bench_gate_read_baseline(const char *path, bench_gate_cells *cells,
                                     base_error *err) BASE_MUST_CHECK;
void bench_gate_cells_release(bench_gate_cells *cells);

/** By scenario and variant, or NULL. */
const bench_gate_cell *bench_gate_cell_find(const bench_gate_cells *cells, const char *scenario,
                                            const char *variant);

/** Are there answers to be compared: did it end with some, and do they not depend on a clock? */
bool bench_gate_has_frames(const bench_gate_cells *cells, const bench_gate_cell *cell);

/** The frames of a cell: rows [first, first + count) of a table. */
typedef struct bench_gate_frames {
    const base_csv *table;
    size_t first, count;
    base_csv own; /* read for this cell alone; empty when the table is the baseline's */
} bench_gate_frames;

/** Opens a cell's frames; none when it has none. Errors: those of base_csv_read. */
base_status bench_gate_frames_open(const bench_gate_cells *cells, const bench_gate_cell *cell,
                                   bench_gate_frames *frames, base_error *err) BASE_MUST_CHECK;
void bench_gate_frames_close(bench_gate_frames *frames);

/** What a column of a frames' file is to the gate. */
typedef enum bench_gate_column {
    BENCH_COLUMN_OTHER, /* truth, errors, times */
    BENCH_COLUMN_ANSWER,
    BENCH_COLUMN_COUNTER,
} bench_gate_column;

/** By its name; one that nobody foresaw is an answer. */
bench_gate_column bench_gate_column_kind(const char *name);

/** Cells that ended without all of their answers through a fault of their own. */
bool bench_gate_died(const char *status);

/* --- What is found (report.c) ----------------------------------------------------------------- */

/** One thing that a gate has to say. Texts are never NULL. */
typedef struct bench_gate_finding {
    int64_t frame; /* -1: of the whole cell */
    const char *column, *expected, *got;
    const char *note;
    bool failed; /* false: told, and no failure */
} bench_gate_finding;

/** One gate asked about one cell. Its findings are `count` from `first` on. */
typedef struct bench_gate_case {
    const char *scenario, *variant;
    bench_gate gate;
    size_t first, count;
    bool failed;
    double time_s; /* what the cell's queries took; for one case of each cell, else 0 */
} bench_gate_case;

/** All that was asked and found. A zeroed one is empty; out of memory is told at the end. */
typedef struct bench_gate_report {
    bench_gate_case *cases;
    size_t case_count, case_capacity;
    bench_gate_finding *findings;
    size_t finding_count, finding_capacity;
    base_arena arena;
    bool out_of_memory;
} bench_gate_report;

enum { BENCH_FINDINGS_MAX = 5 }; /* told of one gate and one cell; the others are counted */

/** A new case; findings that follow belong to it. Texts are copied. */
void bench_gate_ask(bench_gate_report *report, bench_gate gate, const char *scenario,
                    const char *variant);
/** Adds a finding to the newest case; texts are copied, NULL is "". */
void bench_gate_add(bench_gate_report *report, const bench_gate_finding *finding);
/** The same for one of a whole cell, with a note alone. */
void bench_gate_note(bench_gate_report *report, bool failed, const char *format, ...)
    BASE_PRINTF(3, 4);
/** 1 for answers, contract, counters, missing cells and allocations, else 5 for cells that died,
 * else 4 for times and instructions, else 0. */
int bench_gate_exit_status(const bench_gate_report *report);
/** Errors: BASE_ERR_MEMORY when anything could not be kept. */
base_status bench_gate_report_check(const bench_gate_report *report,
                                    base_error *err) BASE_MUST_CHECK;
void bench_gate_report_release(bench_gate_report *report);

/** Cases and failures; by gate when `gate` is not BENCH_GATE_COUNT. */
typedef struct bench_gate_tally {
    size_t cases, failed;
} bench_gate_tally;
bench_gate_tally bench_gate_count(const bench_gate_report *report, bench_gate gate);

/** "2 of 28 failed (contract 1, ending 1)" or "30 passed (answers 5, ...)". */
void bench_gate_totals(const bench_gate_report *report, char *text, size_t size);

/** One row a finding, for people or as CSV. Nothing at all for people when nothing was found. */
base_status bench_gate_print_rows(const bench_gate_report *report, bool csv, FILE *file,
                                  base_error *err) BASE_MUST_CHECK;
/** What a new baseline changes: a line for each cell and gate with something to say. */
void bench_gate_print_changes(const bench_gate_report *report, FILE *file);
/** JUnit XML: a test suite a scenario, a test case a gate and variant. */
void bench_gate_print_junit(const bench_gate_report *report, const char *name, FILE *file);
/** A table of what failed, and one line of totals, for a pull request. */
void bench_gate_print_markdown(const bench_gate_report *report, const char *title, FILE *file);

/* --- Asking ----------------------------------------------------------------------------------- */

/**
 * How many doubles lie between two numbers, plus one: 0 for the same number, 1 for neighbours. Both
 * zeros are the same number. UINT64_MAX when one is a NaN and the other is not.
 */
uint64_t bench_ulps_apart(double a, double b);

/**
 * Asks the gates about the frames of one cell (frames.c): answers agree to the last bit, or within
 * tolerance_ulp; then counters. Frames that one side lacks are findings of the answers. A column
 * that is expected nowhere is told, and no failure.
 */
void bench_gate_compare_frames(const bench_gate_frames *expected, const bench_gate_frames *got,
                               const bench_gate_cell *cell, uint64_t tolerance_ulp,
                               bench_gate_report *report);

/**
 * Asks all gates but those of time (gate.c) about each cell of the baseline, then about what the
 * run has beyond it.
 *
 * Errors   files of the run that cannot be read; BASE_ERR_MEMORY.
 */
base_status bench_gate_check(const bench_gate_cells *baseline, const bench_gate_cells *run,
                             bench_gate_report *report, base_error *err) BASE_MUST_CHECK;

/* --- A baseline (baseline.c) ------------------------------------------------------------------ */

#define BENCH_BASELINE_DIRECTORY "results/reference"

/**
 * Writes a run as a baseline: for each cell one row without a frame (status, quantity, contract,
 * ...), then one for each of its frames (answers and counters). No time is in it. The file gets its
 * name only when it is complete.
 *
 * Errors   BASE_ERR_INPUT for a run that was interrupted; for cells that have died or are wrong
 *          unless `force`: then that is what the next run has to do.
 */
base_status bench_gate_bless(const bench_gate_cells *run, const char *path, bool force,
                             base_error *err) BASE_MUST_CHECK;

#endif
