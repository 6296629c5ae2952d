/** compare.csv and pareto.csv: what `compare` adds to a run's folder. */
#ifndef SUITE_COMPARED_H
#define SUITE_COMPARED_H

#include "suite/results/columns.h"

/** A row of compare.csv: the time of a variant / that of its baseline. NaN where there is none. */
typedef struct bench_compare_row {
    const char *scenario, *variant, *baseline, *metric, *protocol, *verdict, *file;
    double ratio, lo, hi, level, aa_lo, aa_hi;
    uint64_t launches;
} bench_compare_row;

extern const bench_columns bench_compare_columns;

/** A row of pareto.csv: a point of error against time. */
typedef struct bench_pareto_row {
    const char *scenario, *quantity, *variant, *file;
    double time_p99_ns, error_mean, error_max;
    bool on_front, fastest_within, fastest_exact, below_resolution;
} bench_pareto_row;

extern const bench_columns bench_pareto_columns;

#endif
