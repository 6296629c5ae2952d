/**
 * Work that the times of queries do not contain: answers that are remembered from pass to pass, work
 * in `reset`, and work in other threads or processes. docs/timing.md describes each of them.
 *
 * The limits below are for ratios of one launch. Honest ratios were measured over all variants of the
 * experiments ci, bench, peers, degenerate and the promises, with two busy processes beside them as well.
 */
#ifndef SUITE_HIDDEN_WORK_H
#define SUITE_HIDDEN_WORK_H

#include "suite/results/cells.h"

/** What a launch tells; times in nanoseconds. NaN: the launch has no such pass. */
typedef struct bench_launch_work {
    /** All frames of the first pass, and of a later warm pass (median over these passes); each the
     * smaller of the sum of the frames' times and the CPU time of the pass, so that a pass that
     * was interrupted does not look long. */
    double first_ns, later_ns;
    double first_p50_ns, later_p50_ns; /* the same, of the median frame */
    /** Medians over warm and evicted passes: the reset, and the frames of its pass. */
    double reset_ns, reset_ratio;
    /** Of the warm or evicted pass where it is largest: CPU time of other threads and of child
     * processes, and its ratio to the frames' times and the number of other threads. */
    double other_ns, other_ratio;
} bench_launch_work;

typedef enum bench_hidden {
    BENCH_HIDDEN_NOTHING,
    BENCH_HIDDEN_NOTE,  /* more than any honest contestant was found to have */
    BENCH_HIDDEN_WRONG, /* more than ten times as much, in every launch: the times are wrong */
} bench_hidden;

enum { BENCH_HIDDEN_BYTES = 160 };

/** Of a cell. Ratios are the smallest over launches, NaN without any. */
typedef struct bench_hidden_work {
    double first_ratio; /* first pass / later passes: the smaller of the ratios of sums and medians */
    double reset_ns, reset_ratio, other_ratio;
    uint64_t threads; /* the most of any pass; UINT64_MAX: not known */
    bench_hidden verdict;
    char text[BENCH_HIDDEN_BYTES]; /* one sentence; "": nothing is found */
} bench_hidden_work;

/**
 * Honest ratios, the largest in any launch with at least these times. A ratio is noted beyond them,
 * and makes a cell wrong beyond BENCH_HIDDEN_FACTOR times as much.
 *
 *   first pass / later   1.9 (pst in bench). A pass below the limit has more: 22 at 0.3 ms, from
 *                        cold caches and page faults alone
 *   reset / frames       0.04 where the first pass takes 0.5 ms. No reset takes more than 4 us
 *   other threads        1 for each of them, if they work during queries and sleep between them:
 *                        imp:order=threads has 0.94
 */
#define BENCH_FIRST_RATIO  2.0
#define BENCH_FIRST_NS     1e6
#define BENCH_RESET_RATIO  0.05
#define BENCH_RESET_NS     2e5
#define BENCH_OTHER_RATIO  1.0
#define BENCH_OTHER_NS     1e6
#define BENCH_HIDDEN_FACTOR 10.0

/** From here on it is noted that threads take part: their CPU time is in no time of a query. */
#define BENCH_OTHER_NOTED 0.1

/** The rule. threads: the most of any pass. */
bench_hidden_work bench_hidden_work_judge(const bench_launch_work *launches, size_t count,
                                          uint64_t threads);

/** The same of a cell's passes. Errors: BASE_ERR_MEMORY. */
base_status bench_hidden_work_of(const bench_cell *cell, bench_hidden_work *work,
                                 base_error *err) BASE_MUST_CHECK;

#endif
