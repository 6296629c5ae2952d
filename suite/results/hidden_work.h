/**
 * Detects work that is not in the times of queries: answers that are remembered from pass to pass,
 * work in `reset`, and work in other threads or processes. docs/timing.md describes each kind.
 */
#ifndef SUITE_HIDDEN_WORK_H
#define SUITE_HIDDEN_WORK_H

#include "suite/results/cells.h"

/** The measurements of a launch; times in nanoseconds. NaN if the launch has no such pass. */
typedef struct bench_launch_work {
    /**
     * Time of all frames of the first pass, and of a later warm pass (median over these passes).
     * Each is the smaller of the sum of the frames' times and the CPU time of the pass, so that an
     * interrupted pass does not look long.
     */
    double first_ns, later_ns;
    double first_p50_ns, later_p50_ns; /* likewise, for the median frame */
    /**
     * Medians over warm and evicted passes: time of the reset, and its ratio to the frames of its
     * pass.
     */
    double reset_ns, reset_ratio;
    /**
     * CPU time of other threads and of child processes, and its ratio to (time of the frames *
     * number of other threads), in the warm or evicted pass with the smallest ratio.
     */
    double other_ns, other_ratio;
    size_t timed_passes; /* number of warm and evicted passes; a single one is not sufficient
                            evidence */
} bench_launch_work;

typedef enum bench_hidden {
    BENCH_HIDDEN_NOTHING,
    BENCH_HIDDEN_NOTE,  /* every launch has enough of it for a note */
    BENCH_HIDDEN_WRONG, /* every launch has ten times as much as honest contestants: the times
                           are wrong */
} bench_hidden;

enum { BENCH_HIDDEN_BYTES = 160 };

/** The result for a cell. Ratios are the smallest over the launches; NaN without launches. */
typedef struct bench_hidden_work {
    double
        first_ratio; /* first pass / later passes: the smaller of the ratios of sums and medians */
    double reset_ns, reset_ratio, other_ratio;
    uint64_t threads; /* maximum over the passes; UINT64_MAX: not known */
    bench_hidden verdict;
    char text[BENCH_HIDDEN_BYTES]; /* one sentence; "" if nothing was found */
} bench_hidden_work;

/**
 * The largest honest ratios in a launch, of 3877 cells of the experiments ci, bench, peers,
 * degenerate, imp-x1, ist-speed, and the promises of imp, pst, vps and lpd, in mode ci on two busy
 * CPUs:
 *
 *   first pass / later   6.0 (pst:deadline-us=5 in pst-promises; others 2.0) for at least 10 frames
 *                        and 1 ms. A shorter first pass is long because of cold caches and page
 *                        faults: 30 times with one frame, 27 times with two
 *   reset / frames       0.04. The longest reset takes 0.12 ms
 *   other threads        1 for each thread that works during queries and sleeps between them:
 *                        imp:order=threads has 0.94. With one thread, threads that have built the
 *                        bodies use up to 0.1 ms
 *
 * A cell is wrong if its ratio exceeds the honest one by more than the factor BENCH_HIDDEN_FACTOR.
 */
#define BENCH_HIDDEN_FACTOR 10.0
#define BENCH_FIRST_RATIO   6.0
#define BENCH_RESET_RATIO   0.05
#define BENCH_OTHER_RATIO   1.0

/** A larger ratio gives a note. */
#define BENCH_FIRST_NOTED 3.0
#define BENCH_RESET_NOTED 0.05
#define BENCH_OTHER_NOTED 0.1

/** Shorter times and fewer frames are no evidence. */
#define BENCH_FIRST_NS 1e6
#define BENCH_RESET_NS 2e5
#define BENCH_OTHER_NS 1e6
enum { BENCH_FIRST_FRAMES = 10 };

/** Judges the launches. frames: number of frames of a pass. threads: maximum over the passes. */
bench_hidden_work bench_hidden_work_judge(const bench_launch_work *launches, size_t count,
                                          size_t frames, uint64_t threads);

/** Measures and judges the passes of a cell. Errors: BASE_ERR_MEMORY. */
base_status bench_hidden_work_of(const bench_cell *cell, bench_hidden_work *work,
                                 base_error *err) BASE_MUST_CHECK;

#endif
