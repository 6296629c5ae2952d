/** Error against time: the contestants on the Pareto front, and those that fit the user's need. */
#ifndef SUITE_FRONT_H
#define SUITE_FRONT_H

#include "suite/output.h"
#include "suite/results/record.h"

#include <math.h>

/** State of knowledge about a point's error. */
typedef enum bench_point_state {
    BENCH_POINT_JUDGED,
    BENCH_POINT_NOT_JUDGED, /* it promises exact answers, but its error is unknown: no frame is
                               certified, or the run asks only one method for the truth, which is
                               its own (modes smoke and ci) */
    BENCH_POINT_TRUTH_ZERO, /* the truth is 0 in every frame, so an answer of 0 is exact */
} bench_point_state;

/** Used instead of a share: each scenario has its own tolerance. */
#define BENCH_OWN_TOLERANCE ((double)NAN)

/** A contestant on a scenario, in one quantity. Only cells with status ok have points. */
typedef struct bench_point {
    const bench_cell_row *cell;
    alg_quantity quantity; /* quantity of the error */
    bench_point_state state;
    bench_tolerance tolerance;    /* of the quantity; the errors below belong to its first limit */
    double time_ns;               /* 99th percentile of its frames */
    double error_mean, error_max; /* errors up to BENCH_EXACT_ERROR are set to 0; NaN: not judged */
    bool within; /* it is judged, and its largest errors are within all limits of the tolerance */

    /* The following hold for judged points, compared with judged points only. */
    bool on_front;       /* no other point is better in time or mean error without being worse in
                            the other; equal points are all on the front */
    bool fastest_within; /* no point within the tolerance is faster; ties are kept */
    bool fastest_exact;
    bool unjudged_faster; /* it is one of the fastest, but a point that is not judged is faster */

    /**
     * Performance profile (Dolan2002) over the scenarios of the run. best_ratio: its time
     * / that of the fastest point within the tolerance in its scenario; NaN if it is not within.
     * best_share: the share of scenarios in which its contestant has at most this ratio, among
     * those that ask it for the quantity and in which some point is within.
     */
    double best_ratio, best_share;
} bench_point;

typedef struct bench_front {
    bench_point *points; /* by scenario, then quantity, then time */
    size_t count, capacity;
} bench_front;

/**
 * Makes the points, fronts and winners. tolerance: the largest error of a winner, as a share of
 * what bench_quantity.error is relative to, or BENCH_OWN_TOLERANCE. Twins, cells that are left out
 * and cells without a time have no points. A cell without a known error in a quantity has a point
 * there only if it promises exact answers, and if the reason is not that the truth is too small for
 * an error: another cell of the scenario has an error, or no frame of this cell was judged.
 *
 * Errors   BASE_ERR_MEMORY. Then *front needs no release.
 */
base_status bench_front_make(const bench_record *record, double tolerance, bench_front *front,
                             base_error *err) BASE_MUST_CHECK;
void bench_front_release(bench_front *front);
/** True if the quantity was asked. A query for forces may answer a volume, too. */
bool bench_point_is_asked(const bench_point *point);
/** Returns an error of that kind for people: "0.689 %", "6.5 deg", "exact"; "n/j" for NaN. An angle
 * of 0 is "0 deg", because the size of the same vector may be wrong. */
bench_number_text bench_limit_text(bench_error_kind error, double value);
/** Returns the index after the last point of the scenario and quantity of `first`. */
size_t bench_front_group_end(const bench_front *front, size_t first);

/* --- The user's need -------------------------------------------------------------------------- */

/** Limits of a need. INFINITY: no limit. */
typedef struct bench_need {
    double deadline_ns, error;
} bench_need;

/**
 * Parses "deadline=1ms,error=1%", or only one of the two. Units: ns, us, ms, s, and %.
 * Errors: BASE_ERR_ARGUMENT, one line that names the value.
 */
base_status bench_need_parse(const char *text, bench_need *need, base_error *err) BASE_MUST_CHECK;
/** Parses "1%" as a share. The name is that of the option, for messages. */
base_status bench_percent_parse(const char *name, const char *text, double *share,
                                base_error *err) BASE_MUST_CHECK;

/** A contestant compared with a need. */
typedef struct bench_fit {
    const bench_cell_row *cell;
    double error;                     /* the largest of its quantities; NaN if unknown */
    double deadline_part, error_part; /* fraction of the limit: up to 1 is within */
    bool fits;
} bench_fit;

typedef struct bench_fits {
    bench_fit *items; /* by scenario: those that fit, fastest p99 first; else only the nearest */
    size_t count;
    bool everywhere; /* a contestant fits in each scenario that is not left out */
} bench_fits;

/**
 * Finds the contestants that fit in each scenario. A deadline is met if the algorithm's own worst
 * frame is within it. An error limit is met if the largest error is within it. The nearest
 * contestant has the smallest maximum of deadline_part and error_part. A scenario without a
 * measurable contestant has no item.
 *
 * Errors   BASE_ERR_MEMORY. Otherwise the caller must call bench_fits_release.
 */
base_status bench_fits_make(const bench_record *record, const bench_need *need, bench_fits *fits,
                            base_error *err) BASE_MUST_CHECK;
void bench_fits_release(bench_fits *fits);

/**
 * Prints the contestants that fit, and by how much the nearest one misses the need.
 * Errors: BASE_ERR_MEMORY.
 */
base_status bench_fits_print(const bench_record *record, const bench_fits *fits,
                             bench_format format, FILE *file, base_error *err) BASE_MUST_CHECK;

#endif
