#include "suite/results/stats.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>

static int by_count(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void bench_stats_sort(uint64_t *values, size_t count)
{
    qsort(values, count, sizeof *values, by_count);
}

/** Returns the index of the nearest rank, from 0. */
static size_t nearest_rank(size_t count, double percent)
{
    base_assert(count > 0 && percent > 0 && percent <= 100);
    /* For example 56 % of 25 is 14. A rounding error of the product must not raise it to 15. */
    const double rounding = 1e-9;
    const size_t rank = (size_t)ceil(percent * (double)count / 100 - rounding);
    return rank > 0 ? rank - 1 : 0;
}

uint64_t bench_stats_percentile(const uint64_t *sorted, size_t count, double percent)
{
    return sorted[nearest_rank(count, percent)];
}

double bench_stats_percentile_number(const double *sorted, size_t count, double percent)
{
    return sorted[nearest_rank(count, percent)];
}

static int by_number(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void bench_stats_sort_numbers(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_number);
}

double bench_stats_median(const double *sorted, size_t count)
{
    base_assert(count > 0);
    return 0.5 * (sorted[(count - 1) / 2] + sorted[count / 2]);
}

double bench_stats_binomial_tail(size_t n, size_t k)
{
    if (k >= n) {
        return 1;
    }
    /* C(n, i) is an integer and exact while it fits; larger values are scaled before they
     * overflow. */
    const double large = 0x1p500;
    double coefficient = 1, sum = 1;
    int exponent = 0;
    for (size_t i = 1; i <= k; i++) {
        coefficient = coefficient * (double)(n - i + 1) / (double)i;
        sum += coefficient;
        if (sum > large) {
            coefficient /= large;
            sum /= large;
            exponent += 500;
        }
    }
    return ldexp(sum, exponent - (int)n);
}

bench_sign_interval bench_stats_sign_interval(size_t n, double alpha)
{
    bench_sign_interval interval = {.level = n > 0 ? 1 - 2 * bench_stats_binomial_tail(n, 0) : 0};
    for (size_t k = 1; 2 * k <= n && 2 * bench_stats_binomial_tail(n, k - 1) <= alpha; k++) {
        interval = (bench_sign_interval){k, 1 - 2 * bench_stats_binomial_tail(n, k - 1)};
    }
    return interval;
}

size_t bench_stats_launches_needed(double alpha)
{
    base_assert(alpha > 0);
    size_t launches = 1;
    while (bench_stats_sign_interval(launches, alpha).rank == 0) {
        launches++;
    }
    return launches;
}
