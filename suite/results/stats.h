/** Order statistics of times. */
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

/** count >= 1. */
double bench_stats_mean(const uint64_t *values, size_t count);

#endif
