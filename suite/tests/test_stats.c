#include "base/random.h"
#include "suite/results/stats.h"

#include <criterion/criterion.h>
#include <math.h>

Test(stats, nearest_rank_by_hand)
{
    const uint64_t five[] = {15, 20, 35, 40, 50};
    const struct {
        double percent;
        uint64_t expected;
    } cases[] = {{5, 15},  {20, 15}, {20.001, 20}, {30, 20},
                 {40, 20}, {50, 35}, {99, 50},     {100, 50}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_assert_eq(bench_stats_percentile(five, 5, cases[i].percent), cases[i].expected,
                     "percentile %g", cases[i].percent);
    }
    const uint64_t two[] = {1, 9};
    cr_assert_eq(bench_stats_percentile(two, 2, 50), 1, "an even count's median was measured");
}

/**
 * Checks the definition: at least p per cent of the values do not exceed it, and for smaller values
 * fewer do.
 */
Test(stats, percentile_meets_its_definition)
{
    base_random random = base_random_seed(5);
    for (size_t n = 1; n < 60; n++) {
        uint64_t values[60];
        for (size_t i = 0; i < n; i++) {
            values[i] = base_random_below(&random, 20);
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

Test(stats, median_of_numbers)
{
    double values[] = {4, -1, 2.5, 9};
    bench_stats_sort_numbers(values, 4);
    cr_assert_eq(bench_stats_median(values, 1), -1.0);
    cr_assert_eq(bench_stats_median(values, 3), 2.5);
    cr_assert_eq(bench_stats_median(values, 4), 3.25);
}

/** Tails by hand (Pascal's triangle); for large n from exact fractions. */
Test(stats, binomial_tails)
{
    const struct {
        size_t n, k;
        double expected;
    } cases[] = {
        {0, 0, 1},
        {1, 0, 0.5},
        {6, 0, 1 / 64.0},
        {4, 1, 5 / 16.0},
        {11, 1, 3 / 512.0},
        {20, 5, 21700 / 1048576.0},
        {9, 4, 0.5},
        {9, 9, 1},
        {9, 50, 1},
        {52, 18, 0.018241700004179906},
        {2000, 956, 0.025851105410910725},
        {2000, 1000, 0.5089195055729272},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double tail = bench_stats_binomial_tail(cases[i].n, cases[i].k);
        cr_assert(fabs(tail - cases[i].expected) <= 1e-12 * cases[i].expected,
                  "n = %zu, k = %zu: %.17g", cases[i].n, cases[i].k, tail);
    }
}

Test(stats, sign_intervals)
{
    const struct {
        size_t n;
        double alpha;
        size_t rank;
        double level;
    } cases[] = {
        {0, 0.05, 0, 0},
        {1, 0.05, 0, 0},
        {5, 0.05, 0, 0.9375},
        {6, 0.05, 1, 0.96875},
        {6, 0.05 / 2, 0, 0.96875}, /* two variants need more than six values */
        {7, 0.05 / 2, 1, 0.984375},
        {10, 22 / 1024.0, 2, 1 - 22 / 1024.0}, /* a level of exactly alpha is sufficient */
        {10, 21 / 1024.0, 1, 1 - 2 / 1024.0},
        {11, 0.05, 2, 0.98828125},
        {12, 0.05, 3, 0.96142578125},
        {12, 0.05 / 20, 1, 0.99951171875},
        {52, 0.05, 19, 0.9635165999916402}, /* the 19th to the 34th */
        {2000, 0.05, 956, 0.9534471795082162},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bench_sign_interval s = bench_stats_sign_interval(cases[i].n, cases[i].alpha);
        cr_assert_eq(s.rank, cases[i].rank, "n = %zu, alpha = %g: rank %zu", cases[i].n,
                     cases[i].alpha, s.rank);
        cr_assert(fabs(s.level - cases[i].level) <= 1e-12, "n = %zu, alpha = %g: level %.17g",
                  cases[i].n, cases[i].alpha, s.level);
    }
}

/** With one value fewer there is no interval, for any number of comparisons. */
Test(stats, launches_needed)
{
    const struct {
        size_t comparisons, launches;
    } cases[] = {
        {1, 6}, {2, 7}, {4, 8}, {5, 8}, {20, 10}, {50, 11},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double alpha = BENCH_JOINT_ALPHA / (double)cases[i].comparisons;
        const size_t launches = bench_stats_launches_needed(alpha);
        cr_assert_eq(launches, cases[i].launches, "%zu: %zu", cases[i].comparisons, launches);
        cr_assert_eq(bench_stats_sign_interval(launches - 1, alpha).rank, 0);
    }
}
