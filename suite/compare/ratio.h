/**
 * Ratios of times within one run, with exact intervals.
 *
 * A ratio compares two contestants of one launch, whose rounds were interleaved: both ran on the
 * same machine in the same minute. Each frame counts with its median over the launch's rounds. A
 * sum over a pass would be distorted by a single preemption, which takes longer than a thousand
 * queries and hits some pass of every run; a median per frame excludes it. The rounds of a launch
 * share their address layout, so a launch gives one value. Launches are independent, and the
 * interval is that of the sign test on them.
 */
#ifndef SUITE_RATIO_H
#define SUITE_RATIO_H

#include "suite/results/record.h"

/** The values of a launch that are compared. */
typedef enum bench_metric {
    BENCH_METRIC_QUERY, /* time of all queries of a pass: sum of the frames' medians */
    BENCH_METRIC_P99,   /* 99th percentile of the frames' medians */
    BENCH_METRICS,      /* number of metrics in compare.csv */
    BENCH_METRIC_BUILD = BENCH_METRICS, /* time to build both bodies */
    BENCH_METRIC_MEMORY,                /* largest resident memory after a pass */
} bench_metric;

/** Returns the name in compare.csv: "query_ns", "p99_ns". */
const char *bench_metric_name(bench_metric metric);

/** Time of a variant / time of its baseline: below 1 is faster. NaN if unknown. */
typedef struct bench_ratio {
    double ratio;          /* median over launches */
    double lo, hi;         /* interval; NaN if no interval reaches the requested level */
    double level;          /* of the interval, or of the widest one that the launches allow */
    size_t launches_count; /* launches (of a block) that have both */
} bench_ratio;

typedef enum bench_claim {
    BENCH_CLAIM_EQUAL, /* the interval contains 1, or the ratio is within the twin's interval */
    BENCH_CLAIM_FASTER,
    BENCH_CLAIM_SLOWER,
    BENCH_CLAIM_NO_AA,            /* the noise is unknown: no launch has a twin as well */
    BENCH_CLAIM_TOO_FEW,          /* too few launches for the interval, or for that of A/A */
    BENCH_CLAIM_FLOOR,            /* the variant promises no answer to anything that was asked, and
                                     the baseline does: its time is the cost of asking */
    BENCH_CLAIM_BELOW_RESOLUTION, /* single frames are below the clock's resolution */
    BENCH_CLAIM_NOT_INTERLEAVED,  /* no launch has both */
    BENCH_CLAIM_NOT_OK,           /* the variant's status is not ok: it never wins */
    BENCH_CLAIM_BASELINE_NOT_OK,
} bench_claim;

typedef struct bench_comparison {
    const bench_cell_row *variant, *baseline;
    bench_metric metric;
    bool evicted;
    double alpha;      /* probability of a miss: 5 % over all variants of the scenario */
    bench_ratio ratio; /* ratio of the variant */
    bench_ratio twin;  /* A/A: ratio of the baseline's twin in the same launches */
    bench_claim claim;
} bench_comparison;

/** Returns the ratio with about three digits, whatever its size; "-" for NaN. */
bench_number_text bench_ratio_text(double ratio);

/**
 * Writes the verdict in words: "faster", "slower", "within noise", "not told (no A/A)", "too few
 * launches", "floor", "below resolution", "not interleaved"; the status of a cell that is not ok;
 * "baseline STATUS".
 */
void bench_claim_text(const bench_comparison *comparison, char *text, size_t size);

/**
 * Measures comparison->variant against ->baseline in ->metric and ->evicted at ->alpha, which the
 * caller has set. Sets the other members.
 *
 * If single frames take less than the clock's resolution, percentiles are not judged, nor are
 * totals with evicted caches. Only warm totals are judged, because all frames are timed as one
 * loop.
 *
 * Errors   BASE_ERR_MEMORY.
 */
base_status bench_comparison_measure(const bench_record *record, bench_comparison *comparison,
                                     base_error *err) BASE_MUST_CHECK;

typedef struct bench_comparisons {
    bench_comparison *items; /* by scenario, then variant, then warm before evicted, then metric */
    size_t count, capacity;
} bench_comparisons;

/**
 * Compares every contestant, twins too, with its baseline or, if a name is given, with that
 * contestant. Protocols that a scenario was not run with are left out.
 *
 * Errors   BASE_ERR_ARGUMENT for a baseline that no scenario has, with similar names;
 *          BASE_ERR_MEMORY. Then *list needs no release.
 */
base_status bench_comparisons_make(const bench_record *record, const char *baseline,
                                   bench_comparisons *list, base_error *err) BASE_MUST_CHECK;
void bench_comparisons_release(bench_comparisons *list);

#endif
