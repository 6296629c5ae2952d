#include "suite/results/stats.h"

#include "geometry/geometry.h"

#include <criterion/criterion.h>

TestSuite(stats, .timeout = 10);

Test(stats, nearest_rank_by_hand)
{
    const uint64_t five[] = {15, 20, 35, 40, 50};
    const struct {
        double percent;
        uint64_t expected;
    } cases[] = {
        {5,      15},
        {20,     15},
        {20.001, 20},
        {30,     20},
        {40,     20},
        {50,     35},
        {99,     50},
        {100,    50}
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_assert_eq(bench_stats_percentile(five, 5, cases[i].percent), cases[i].expected,
                     "percentile %g", cases[i].percent);
    }
    const uint64_t two[] = {1, 9};
    cr_assert_eq(bench_stats_percentile(two, 2, 50), 1, "an even count's median was measured");
}

/** By definition: at least p per cent do not exceed it, and of smaller values fewer do. */
Test(stats, percentile_meets_its_definition)
{
    geo_random random = geo_random_seed(5);
    for (size_t n = 1; n < 60; n++) {
        uint64_t values[60];
        for (size_t i = 0; i < n; i++) {
            values[i] = geo_random_below(&random, 20);
        }
        bench_stats_sort(values, n);
        for (int p = 1; p <= 100; p++) {
            const uint64_t q = bench_stats_percentile(values, n, p);
            size_t below = 0, upto = 0;
            for (size_t i = 0; i < n; i++) {
                below += values[i] < q;
                upto += values[i] <= q;
            }
            cr_assert(upto * 100 >= (size_t)p * n, "n = %zu, p = %d", n, p);
            cr_assert(below * 100 < (size_t)p * n, "n = %zu, p = %d", n, p);
        }
    }
}

Test(stats, mean)
{
    const uint64_t values[] = {1, 2, 6};
    cr_assert_eq(bench_stats_mean(values, 3), 3.0);
}
