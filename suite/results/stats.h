/** Order statistics of times, and what they are worth: exact intervals without a model of noise. */
#ifndef SUITE_STATS_H
#define SUITE_STATS_H

#include <stddef.h>
#include <stdint.h>

/** Sorts in place, ascending. */
void bench_stats_sort(uint64_t *values, size_t count);

/**
 * Nearest-rank percentile of sorted values: the smallest value that at least `percent` per cent of
 * all values do not exceed. 0 < percent <= 100, count >= 1. The median of an even count is the
 * lower one: a value that was measured, never a mean.
 */
uint64_t bench_stats_percentile(const uint64_t *sorted, size_t count, double percent);

/** The same of numbers. */
double bench_stats_percentile_number(const double *sorted, size_t count, double percent);

/** count >= 1. */
double bench_stats_mean(const uint64_t *values, size_t count);

/** Sorts in place, ascending; none is NaN. */
void bench_stats_sort_numbers(double *values, size_t count);

/**
 * Of sorted values, count >= 1; of an even count the mean of the two in the middle, so that the
 * median of logarithms changes its sign when the two sides of a ratio change places.
 */
double bench_stats_median(const double *sorted, size_t count);

/** P(X <= k) of X binomial with n trials and p = 1/2; to the last bits for any n. */
double bench_stats_binomial_tail(size_t n, size_t k);

/** An interval between order statistics: from the rank-th smallest value to the rank-th largest. */
typedef struct bench_sign_interval {
    size_t rank;  /* from 1; 0: no interval is as sure as asked */
    double level; /* its own, at least the one asked for; for rank 0 that of the widest: least to
                     largest value */
} bench_sign_interval;

/**
 * The narrowest two-sided interval for the median of a continuous distribution that holds it with
 * probability 1 - alpha or more, from n independent values: the exact sign test turned round. 6
 * values reach 95 % with least and largest (96.875 %), 11 with the 2nd and the 10th.
 */
bench_sign_interval bench_stats_sign_interval(size_t n, double alpha);

/** The probability that any of the intervals of one scenario misses its ratio. */
#define BENCH_JOINT_ALPHA 0.05

/** The fewest values for which bench_stats_sign_interval has an interval; 0 < alpha < 1. */
size_t bench_stats_launches_needed(double alpha);

#endif
