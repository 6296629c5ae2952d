/**
 * Old code against new, interleaved in one job on one machine: the only way in which the gate looks
 * at times. `check --against` makes the job (check_against.c); here its folder is read.
 */
#ifndef SUITE_AGAINST_H
#define SUITE_AGAINST_H

#include "suite/compare/ratio.h"
#include "suite/gate/findings.h"

/** Launches of each that a job begins with, and the least that have an interval. */
enum { BENCH_AGAINST_LAUNCHES = 12, BENCH_AGAINST_LAUNCHES_MIN = 6 };

/**
 * The result for a variant's time. Head is the interval of new / old, twin that of old / old (A/A).
 * T is 1 + tolerance. N is max(1, twin.hi, 1 / twin.lo), by which equal code differs on this
 * machine. The first line that applies is the result:
 *
 *   not known             there is no interval: too few launches, or nothing was measured
 *   slower                head.lo > max(T, N)    and a second job says so again
 *   slower, not confirmed head.lo > max(T, N)    and it does not
 *   faster                head.hi < 1 / N        the tolerance is for what is slower
 *   cannot tell           head.hi > T or N > T   slower by more than the tolerance, or not
 *   within the tolerance  head.lo > N            slower, but by less than that
 *   the same              else
 *
 * The ends themselves belong to the line below.
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

/** The line of the table above for one job, which never says "not confirmed". */
bench_pace bench_pace_of(const bench_ratio *head, const bench_ratio *twin, double tolerance);

/** "slower", "cannot tell", ... */
const char *bench_pace_name(bench_pace pace);

/**
 * The noise: the larger of the distance by which the twin's interval reaches from 1, and half the
 * width of head's; 0.21 is 21 %. NaN where there is no interval.
 */
double bench_pace_noise(const bench_ratio *head, const bench_ratio *twin);

/**
 * Launches that a cell needs for both of its intervals to become no wider than the tolerance
 * (hi / lo <= 1 + tolerance), if widths shrink with the square root of the launches; as many as it
 * has when they are. It looks at widths alone, never at where the intervals lie: a job that went on
 * until it saw a difference would see one in equal code sooner or later.
 */
size_t bench_against_launches(const bench_ratio *head, const bench_ratio *twin, double tolerance);

/** Another cost of a launch, judged by the same table as times. */
typedef struct bench_against_cost {
    bench_ratio head, twin;
    bench_pace pace;
} bench_against_cost;

/** New against old for one cell. */
typedef struct bench_against_cell {
    const char *scenario, *variant; /* without a label */
    bench_ratio head, twin;         /* time of all queries */
    bench_ratio p99;                /* 99th percentile of its frames: told, not judged */
    bench_ratio again, again_twin;  /* of the second job */
    bool repeated;
    bench_pace pace;
    bench_against_cost build;  /* time to build both bodies; not known below a millisecond */
    bench_against_cost memory; /* largest resident memory after a pass */
} bench_against_cell;

typedef struct bench_against_cells {
    bench_against_cell *items;
    size_t count, capacity;
    base_arena arena;
} bench_against_cells;

/** Reads the times of a job from its folder. Errors: those of bench_record_open;
 * BASE_ERR_MEMORY. */
base_status bench_against_read(const char *folder, double tolerance, bench_against_cells *cells,
                               base_error *err) BASE_MUST_CHECK;
void bench_against_release(bench_against_cells *cells);

/** Does a cell look worse in time, build time or memory, so that a second job is due? */
bool bench_against_is_suspect(const bench_against_cell *cell);

/** Adds a second job to what looked worse in the first. */
void bench_against_confirm(bench_against_cells *cells, const bench_against_cells *again);

/** What is asked of the times. */
typedef struct bench_against_question {
    double tolerance;  /* slowdown that is let pass: 0.05 is 5 % */
    bool strict;       /* what cannot be told, or was not confirmed, fails the gate of noise */
    const char *limit; /* said of what cannot be told: why no launches were added; or NULL */
} bench_against_question;

/**
 * Asks the gates of time, build time and memory about each cell; with `strict` that of noise, too.
 * Build time and memory are asked where they are known, and told where they are worse.
 */
void bench_against_ask(const bench_against_cells *cells, const bench_against_question *question,
                       bench_gate_report *report);

/** Table of ratios with intervals. */
void bench_against_print_markdown(const bench_against_cells *cells, FILE *file);

/**
 * Asks the gates of answers, work and endings about the answers of a job: NAME@head against
 * NAME@base.
 * Errors: those of bench_gate_check; BASE_ERR_INPUT when nothing of the old code came to an end.
 */
base_status bench_against_answers(const char *folder, bench_gate_report *report,
                                  base_error *err) BASE_MUST_CHECK;

/** Were instructions counted in a job, by the processor's own counters? Errors: those of
 * bench_record_open. */
base_status bench_against_counted(const char *folder, bool *counted,
                                  base_error *err) BASE_MUST_CHECK;
/**
 * Asks the gate of instructions about each cell of a job in which both sides were counted.
 * by_valgrind: valgrind has counted one pass of each; then all counts are told.
 * Errors: those of bench_gate_read_run.
 */
base_status bench_against_instructions(const char *folder, bool by_valgrind,
                                       bench_gate_report *report, base_error *err) BASE_MUST_CHECK;

#endif
