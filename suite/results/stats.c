#include "suite/results/stats.h"

#include "geometry/geometry.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void bench_stats_sort(uint64_t *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
}

uint64_t bench_stats_percentile(const uint64_t *sorted, size_t count, double percent)
{
    geo_assert(count > 0 && percent > 0 && percent <= 100);
    /* 56 % of 25 is 14, and must not become 15 for the last bit of a product. */
    const double rounding = 1e-9;
    const size_t rank = (size_t)ceil(percent * (double)count / 100 - rounding);
    return sorted[rank > 0 ? rank - 1 : 0];
}

double bench_stats_mean(const uint64_t *values, size_t count)
{
    geo_assert(count > 0);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)values[i];
    }
    return sum / (double)count;
}
