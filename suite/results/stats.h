/** Order statistics of times, and exact confidence intervals that need no model of the noise. */
#ifndef SUITE_STATS_H
#define SUITE_STATS_H

#include <stddef.h>
#include <stdint.h>

/** Sorts in place, ascending. */
void bench_stats_sort(uint64_t *values, size_t count);

/**
 * Returns the nearest-rank percentile of sorted values: the smallest value that at least `percent`
 * per cent of all values do not exceed. 0 < percent <= 100, count >= 1. For an even count, the
 * median is the lower of the two middle values, so the result is always a measured value.
 */
uint64_t bench_stats_percentile(const uint64_t *sorted, size_t count, double percent);

/** Like bench_stats_percentile, for numbers. */
double bench_stats_percentile_number(const double *sorted, size_t count, double percent);

/** Sorts in place, ascending. Values must not be NaN. */
void bench_stats_sort_numbers(double *values, size_t count);

/**
 * Returns the median of sorted values, count >= 1. For an even count it is the mean of the two
 * middle values, so that the median of logarithms changes its sign when numerator and denominator
 * of a ratio are exchanged.
 */
double bench_stats_median(const double *sorted, size_t count);

/**
 * Returns P(X <= k) for X binomial with n trials and p = 1/2; accurate to the last bits for any n.
 */
double bench_stats_binomial_tail(size_t n, size_t k);

/** An interval between order statistics: from the rank-th smallest value to the rank-th largest. */
typedef struct bench_sign_interval {
    size_t rank;  /* from 1; 0 if no interval reaches the level */
    double level; /* actual level, at least the requested one; for rank 0 the level of the widest
                     interval, from the smallest to the largest value */
} bench_sign_interval;

/**
 * Returns the narrowest two-sided interval that contains the median of a continuous distribution
 * with probability 1 - alpha or more, from n independent values: the inversion of the exact sign
 * test. 6 values reach 95 % with the smallest and the largest (96.875 %), 11 values with the 2nd
 * and the 10th.
 */
bench_sign_interval bench_stats_sign_interval(size_t n, double alpha);

/**
 * Upper bound of the probability that any interval of a scenario does not contain its true ratio.
 */
#define BENCH_JOINT_ALPHA 0.05

/**
 * Returns the smallest number of values for which bench_stats_sign_interval has an interval; 0 <
 * alpha < 1.
 */
size_t bench_stats_launches_needed(double alpha);

#endif
