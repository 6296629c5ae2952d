/**
 * Ratios of times within one run, with exact intervals.
 *
 * A ratio is taken between two contestants of one launch, whose rounds were interleaved: they stood
 * next to each other on the same machine in the same minute. Each frame counts with its median over
 * the launch's rounds. A sum over a pass is at the mercy of one preemption, which takes longer than
 * a thousand queries and hits some pass of every run; a median frame by frame leaves it out. The
 * rounds of a launch share their address layout, so a launch gives one value; launches are
 * independent, and the interval is that of the sign test on them.
 */
#ifndef SUITE_RATIO_H
#define SUITE_RATIO_H

#include "suite/results/record.h"

/** The numbers of a launch that are compared. */
typedef enum bench_metric {
    BENCH_METRIC_QUERY, /* time of all queries of a pass: sum of the frames' medians */
    BENCH_METRIC_P99,   /* 99th percentile of the frames' medians */
    BENCH_METRICS,      /* of compare.csv */
    BENCH_METRIC_BUILD = BENCH_METRICS, /* time to build both bodies */
    BENCH_METRIC_MEMORY,                /* largest resident memory after a pass */
} bench_metric;

/** "query_ns", "p99_ns": of compare.csv. */
const char *bench_metric_name(bench_metric metric);

/** Time of a variant / time of its baseline: below 1 is faster. NaN where there is none. */
typedef struct bench_ratio {
    double ratio;          /* median over launches */
    double lo, hi;         /* interval; NaN when no interval is as sure as asked */
    double level;          /* of the interval, or of the widest that the launches give */
    size_t launches_count; /* launches (of a block) that have both */
} bench_ratio;

typedef enum bench_claim {
    BENCH_CLAIM_EQUAL, /* the interval holds 1, or the twin shows that much as well */
    BENCH_CLAIM_FASTER,
    BENCH_CLAIM_SLOWER,
    BENCH_CLAIM_NO_AA,            /* nothing shows the noise: no launch has a twin as well */
    BENCH_CLAIM_TOO_FEW,          /* launches for an interval of that level, or for one of A/A */
    BENCH_CLAIM_FLOOR,            /* the variant promises no answer to anything that was asked, and
                                     the baseline does: its time is what asking costs */
    BENCH_CLAIM_BELOW_RESOLUTION, /* of the clock, in single frames */
    BENCH_CLAIM_NOT_INTERLEAVED,  /* no launch has both */
    BENCH_CLAIM_NOT_OK,           /* the variant's status is not ok: it never wins */
    BENCH_CLAIM_BASELINE_NOT_OK,
} bench_claim;

typedef struct bench_comparison {
    const bench_cell_row *variant, *baseline;
    bench_metric metric;
    bool evicted;
    double alpha;      /* that the interval may miss: 5 % over the variants of the scenario */
    bench_ratio ratio; /* of the variant */
    bench_ratio twin;  /* A/A: of the baseline's twin in the same launches */
    bench_claim claim;
} bench_comparison;

/** A ratio with three digits or so, whatever its size; "-" for NaN. */
bench_number_text bench_ratio_text(double ratio);

/** The verdict, in words: "faster", "slower", "within noise", "not told (no A/A)", "too few
 * launches", "floor", "below resolution", "not interleaved"; the status of a cell that is not ok;
 * "baseline STATUS". */
void bench_claim_text(const bench_comparison *comparison, char *text, size_t size);

/**
 * Measures comparison->variant against ->baseline in ->metric and ->evicted at ->alpha, which the
 * caller has set; fills in the rest.
 *
 * A single frame below the clock's resolution has no percentile, and between evictions no total
 * either: only warm totals, which are timed as one loop, are judged then.
 *
 * Errors   BASE_ERR_MEMORY.
 */
base_status bench_comparison_measure(const bench_record *record, bench_comparison *comparison,
                                     base_error *err) BASE_MUST_CHECK;

typedef struct bench_comparisons {
    bench_comparison *items; /* scenario by scenario, variant by variant, then warm before evicted,
                                then by metric */
    size_t count, capacity;
} bench_comparisons;

/**
 * Every contestant against its baseline or, where a name is given, against that contestant; twins
 * too. Protocols that a scenario was not run with are left out.
 *
 * Errors   BASE_ERR_ARGUMENT for a baseline that no scenario has, with the near names;
 *          BASE_ERR_MEMORY. *list needs no release then.
 */
base_status bench_comparisons_make(const bench_record *record, const char *baseline,
                                   bench_comparisons *list, base_error *err) BASE_MUST_CHECK;
void bench_comparisons_release(bench_comparisons *list);

#endif
