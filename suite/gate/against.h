/**
 * Compares old code with new code. Both are measured interleaved, in one job on one machine. The
 * gate judges times only in such jobs. `check --against` runs the job (cmd_check.c); this module
 * reads the job's folder.
 */
#ifndef SUITE_AGAINST_H
#define SUITE_AGAINST_H

#include "suite/compare/ratio.h"
#include "suite/gate/findings.h"

/**
 * The number of launches of each side that a job starts with, and the smallest number that gives an
 * interval.
 */
enum { BENCH_AGAINST_LAUNCHES = 12, BENCH_AGAINST_LAUNCHES_MIN = 6 };

/**
 * The result for a variant's time. `head` is the interval of new / old, `twin` that of old / old
 * (A/A). T is 1 + tolerance. N is max(1, twin.hi, 1 / twin.lo): two sides with equal code may
 * differ by this factor in this job. The first line that applies is the result:
 *
 *   not known             there is no interval: too few launches, or nothing was measured
 *   slower                head.lo > max(T, N)    and a second job confirms it
 *   slower, not confirmed head.lo > max(T, N)    and the second job does not confirm it
 *   faster                head.hi < 1 / N        there is no tolerance for faster code
 *   cannot tell           head.hi > T or N > T   the slowdown may exceed the tolerance
 *   within the tolerance  head.lo > N            slower, but by less than the tolerance
 *   the same              otherwise
 *
 * A value that equals a bound does not satisfy its line.
 */
typedef enum bench_pace {
    BENCH_PACE_UNKNOWN,
    BENCH_PACE_SAME,
    BENCH_PACE_WITHIN,
    BENCH_PACE_CANNOT_TELL,
    BENCH_PACE_SLOWER,
    BENCH_PACE_FASTER,
    BENCH_PACE_NOT_CONFIRMED,
} bench_pace;

/** Returns the result of the table above for one job. Never BENCH_PACE_NOT_CONFIRMED. */
bench_pace bench_pace_of(const bench_ratio *head, const bench_ratio *twin, double tolerance);

/**
 * Returns the noise as a fraction (0.21 is 21 %): max(N, sqrt(head.hi / head.lo)) - 1. The square
 * root is half the width of the head's interval on a logarithmic scale. NaN if there is no
 * interval.
 */
double bench_pace_noise(const bench_ratio *head, const bench_ratio *twin);

/**
 * Returns the number of launches at which both intervals of a cell become no wider than the
 * tolerance (hi / lo <= 1 + tolerance), if widths shrink with the square root of the launches.
 * Returns the present number if they are narrow enough already. Without intervals, returns the
 * present number or BENCH_AGAINST_LAUNCHES_MIN, whichever is larger. Only the widths are used and
 * not the positions of the intervals: a job that went on until it saw a difference would eventually
 * see one in equal code.
 */
size_t bench_against_launches(const bench_ratio *head, const bench_ratio *twin, double tolerance);

/** A cost other than the time of queries. Its pace follows from the table at bench_pace, too. */
typedef struct bench_against_cost {
    bench_ratio head, twin;
    bench_pace pace;
} bench_against_cost;

/** New code against old code for one cell. */
typedef struct bench_against_cell {
    const char *scenario, *variant; /* the variant without "@head" or "@base" */
    bench_ratio head, twin;         /* time of all queries */
    bench_ratio p99;                /* 99th percentile of the frames: reported, not judged */
    bench_ratio again, again_twin;  /* ratios of the second job; only set if `repeated` */
    bool repeated;
    bench_pace pace;
    bench_against_cost build;  /* time to build both bodies; unknown if both sides take less than 1
                                  ms */
    bench_against_cost memory; /* largest resident memory after a pass. BENCH_PACE_SLOWER becomes
                                  BENCH_PACE_SAME if new code needs less than 256 KiB more */
} bench_against_cell;

typedef struct bench_against_cells {
    bench_against_cell *items;
    size_t count, capacity;
    base_arena arena;
} bench_against_cells;

/**
 * Reads the costs of a job from its folder. A cell is left out unless both sides have a status that
 * bench_cell_row_is_ok accepts. Call bench_against_release also after an error.
 * Errors: those of bench_record_open; BASE_ERR_MEMORY.
 */
base_status bench_against_read(const char *folder, double tolerance, bench_against_cells *cells,
                               base_error *err) BASE_MUST_CHECK;
void bench_against_release(bench_against_cells *cells);

/** True if a cell is worse in time, build time or memory, so that a second job must confirm it. */
bool bench_against_is_suspect(const bench_against_cell *cell);

/**
 * Combines the results with those of a second job. BENCH_PACE_SLOWER stays only if the second job
 * finds it, too. Otherwise, or if the second job lacks the cell, it becomes
 * BENCH_PACE_NOT_CONFIRMED. All other paces stay.
 */
void bench_against_confirm(bench_against_cells *cells, const bench_against_cells *again);

/** Parameters of the judgement of times. */
typedef struct bench_against_question {
    double tolerance;  /* accepted slowdown: 0.05 is 5 % */
    bool strict;       /* undecided and unconfirmed cells fail the gate of noise */
    const char *limit; /* why there are fewer launches than the tolerance requires, in words for the
                          report of undecided cells; NULL if there are enough */
} bench_against_question;

/**
 * Asks the gates of time, build time and memory about each cell. With `strict`, also asks the gate
 * of noise. A gate of build time or memory is asked only if the pace of this cost is known. It
 * reports the cost only if the result is "slower", "slower, not confirmed" or "cannot tell".
 */
void bench_against_ask(const bench_against_cells *cells, const bench_against_question *question,
                       bench_gate_report *report);

/** Prints a table of ratios with intervals. */
void bench_against_print_markdown(const bench_against_cells *cells, FILE *file);

/**
 * Asks the gates of bench_gate_check about a job: the cells NAME@head against the cells NAME@base.
 * A cell whose old code died is reported as a note.
 * Errors: those of bench_gate_read_run and bench_gate_check; BASE_ERR_INPUT if all cells of the old
 * code died.
 */
base_status bench_against_answers(const char *folder, bench_gate_report *report,
                                  base_error *err) BASE_MUST_CHECK;

/**
 * Sets *counted to true if instructions were counted in any cell of a job.
 * Errors: those of bench_record_open.
 */
base_status bench_against_counted(const char *folder, bool *counted,
                                  base_error *err) BASE_MUST_CHECK;
/**
 * Asks the gate of instructions about each cell of a job in which both sides were counted. The gate
 * fails if the new code executes more than 1 % and also more than 50 instructions more per frame.
 * by_valgrind: valgrind counted one pass of each side. Then the gate reports all counts. It also
 * notes each cell whose instructions valgrind could not count, if neither side died.
 * Errors: those of bench_gate_read_run.
 */
base_status bench_against_instructions(const char *folder, bool by_valgrind,
                                       bench_gate_report *report, base_error *err) BASE_MUST_CHECK;

#endif
