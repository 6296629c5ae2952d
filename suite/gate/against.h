/**
 * Old code against new, interleaved in one job on one machine: the only way in which the gate looks
 * at times. `check --against` makes the job (check_against.c); here its folder is read.
 */
#ifndef SUITE_AGAINST_H
#define SUITE_AGAINST_H

#include "suite/compare/ratio.h"
#include "suite/gate/findings.h"

/** Launches of each that a job makes, and the least that have an interval. */
enum { BENCH_AGAINST_LAUNCHES = 12, BENCH_AGAINST_LAUNCHES_MIN = 6 };

typedef enum bench_pace {
    BENCH_PACE_UNKNOWN, /* too few launches, or nothing was measured */
    BENCH_PACE_SAME,    /* within the tolerance, or within what the twin shows */
    BENCH_PACE_SLOWER,
    BENCH_PACE_FASTER,
    BENCH_PACE_NOT_CONFIRMED, /* slower, and the second job does not agree */
} bench_pace;

/** "slower", ... */
const char *bench_pace_name(bench_pace pace);

/** New against old for one cell. */
typedef struct bench_against_cell {
    const char *scenario, *variant; /* without a label */
    bench_ratio head, twin;         /* time of all queries */
    bench_ratio p99;                /* 99th percentile of its frames: told, not judged */
    bench_ratio again, again_twin;  /* of the second job */
    bool repeated;
    bench_pace pace;
} bench_against_cell;

typedef struct bench_against_cells {
    bench_against_cell *items;
    size_t count, capacity;
    base_arena arena;
} bench_against_cells;

/** Reads the times of a job from its folder. Errors: those of bench_record_open; BASE_ERR_MEMORY. */
base_status bench_against_read(const char *folder, double tolerance, bench_against_cells *cells,
                               base_error *err) BASE_MUST_CHECK;
void bench_against_release(bench_against_cells *cells);

/** Adds the times of a second job to those that looked slower in the first. */
void bench_against_confirm(bench_against_cells *cells, const bench_against_cells *again);

/** Asks the gate of time about each cell. */
void bench_against_ask(const bench_against_cells *cells, double tolerance,
                       bench_gate_report *report);

/** Table of ratios with intervals. */
void bench_against_print_markdown(const bench_against_cells *cells, FILE *file);

/**
 * Asks all gates but that of time about the answers of a job: NAME@head against NAME@base.
 * Errors: those of bench_gate_check; BASE_ERR_INPUT when nothing of the old code came to an end.
 */
base_status bench_against_answers(const char *folder, bench_gate_report *report,
                                  base_error *err) BASE_MUST_CHECK;

#endif
