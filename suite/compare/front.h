/** Error against time: which contestants nothing else beats, and which suit a need. */
#ifndef SUITE_FRONT_H
#define SUITE_FRONT_H

#include "suite/results/record.h"

/**
 * Errors up to this are rounding: such answers are exact, and none of them is better than another
 * for its last digits.
 */
#define BENCH_EXACT_ERROR 1e-9

/** A contestant on a scenario, in one quantity. Only those that are ok have points. */
typedef struct bench_point {
    const bench_cell_row *cell;
    alg_quantity quantity;        /* whose error it is */
    double time_ns;               /* 99th percentile of its frames */
    double error_mean, error_max; /* up to BENCH_EXACT_ERROR: 0 */
    bool on_front;                /* none has less of one of time and mean error, and not more of
                                     the other; equals are all on it */
    bool fastest_within;          /* none within the tolerance is faster; ties are kept */
    bool fastest_exact;
} bench_point;

typedef struct bench_front {
    bench_point *points; /* by scenario, then quantity, then time */
    size_t count, capacity;
} bench_front;

/** Points, fronts and winners; within the tolerance is whose largest error is. Errors:
 * BASE_ERR_MEMORY. */
base_status bench_front_make(const bench_record *record, double tolerance, bench_front *front,
                             base_error *err) BASE_MUST_CHECK;
void bench_front_release(bench_front *front);
/** Index of the first point behind those of the scenario and quantity of `first`. */
size_t bench_front_group_end(const bench_front *front, size_t first);

#endif
