/** The last lines of a run: who won, by how much, or that nobody can be said to have. */
#ifndef SUITE_SUMMARY_H
#define SUITE_SUMMARY_H

#include "suite/compare/front.h"
#include "suite/compare/ratio.h"

/** What a winner of a summary may err, at most: as `compare` has it by default. */
#define BENCH_SUMMARY_ERROR 0.01

enum { BENCH_SUMMARY_LINES = 6 }; /* scenarios and quantities that are told one by one */

/** What can be said of one scenario in one quantity. All but `told` is that of the winner. */
typedef struct bench_win {
    const bench_point *point; /* the fastest of those within the tolerance; NULL: nobody is */
    const bench_point *equal; /* one that is as fast within the noise; NULL: none is */
    size_t equals, others;    /* how many are, of how many others within the tolerance */
    bench_comparison against; /* with its baseline, of p99; no variant: it is the baseline itself */
    bench_claim told; /* BENCH_CLAIM_FASTER: than the others, by measurements that A/A allows. Else
                         what stands in the way */
} bench_win;

/**
 * Who wins among the points of one scenario and quantity (bench_front_group_end). Whoever is within
 * the tolerance is held against the winner in the launches that both were in.
 *
 * Errors   BASE_ERR_MEMORY.
 */
base_status bench_win_find(const bench_record *record, const bench_point *points, size_t count,
                           double tolerance, bench_win *win, base_error *err) BASE_MUST_CHECK;

/**
 * A line for each scenario and quantity with a winner, or nobody within the tolerance, up to
 * BENCH_SUMMARY_LINES; how many more there are, and of how many none is told; and what tells more.
 * The record has its launches. Errors: BASE_ERR_MEMORY.
 */
base_status bench_summary_print(const bench_record *record, double tolerance, FILE *file,
                                base_error *err) BASE_MUST_CHECK;

#endif
