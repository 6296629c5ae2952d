#include "base/elementary.h"
#include "base/random.h"
#include "suite/results/force.h"

#include <criterion/criterion.h>
#include <math.h>

static double sum(const double power[BENCH_BINS])
{
    double total = 0;
    for (size_t k = 0; k < BENCH_BINS; k++) {
        total += power[k];
    }
    return total;
}

#define EXPECT_NEAR(value, expected, slack, ...)                                                   \
    do {                                                                                           \
        const double near_value = (value), near_expected = (expected);                             \
        cr_expect(fabs(near_value - near_expected) <= (slack), __VA_ARGS__);                       \
    } while (0)

/** A Hann window spreads a line over three bins, 1 : 4 : 1. */
Test(spectrum, a_sinusoid_by_hand)
{
    bench_spectrum spectrum;
    bench_spectrum_init(&spectrum);
    for (size_t bin = 2; bin < BENCH_BINS - 2; bin++) {
        const double amplitude = 3, expected = amplitude * amplitude / 2;
        double samples[BENCH_WINDOW], power[BENCH_BINS] = {0};
        for (size_t i = 0; i < BENCH_WINDOW; i++) {
            samples[i] = amplitude * sin(2 * BASE_PI * (double)(bin * i) / BENCH_WINDOW + 0.3);
        }
        bench_spectrum_add(&spectrum, samples, power);
        EXPECT_NEAR(sum(power), expected, 1e-12, "bin %zu: %.17g in all", bin, sum(power));
        EXPECT_NEAR(power[bin], expected * 4 / 6, 1e-12, "bin %zu", bin);
        EXPECT_NEAR(power[bin - 1], expected / 6, 1e-12, "below bin %zu", bin);
        EXPECT_NEAR(power[bin + 1], expected / 6, 1e-12, "above bin %zu", bin);
    }
}

Test(spectrum, a_constant_and_its_counterpart_are_at_the_ends)
{
    bench_spectrum spectrum;
    bench_spectrum_init(&spectrum);
    double constant[BENCH_WINDOW], alternating[BENCH_WINDOW];
    double low[BENCH_BINS] = {0}, high[BENCH_BINS] = {0};
    for (size_t i = 0; i < BENCH_WINDOW; i++) {
        constant[i] = 2;
        alternating[i] = i % 2 == 0 ? 2 : -2;
    }
    bench_spectrum_add(&spectrum, constant, low);
    bench_spectrum_add(&spectrum, alternating, high);
    EXPECT_NEAR(low[0] + low[1], 4, 1e-12, "%.17g and %.17g", low[0], low[1]);
    EXPECT_NEAR(high[BENCH_BINS - 1] + high[BENCH_BINS - 2], 4, 1e-12, "of the highest bins");
    EXPECT_NEAR(bench_spectrum_mean(&spectrum, constant), 2, 1e-12, "the weights add up to 1");
}

/** Compares with sums by the definition, with libm's functions in long double. */
Test(spectrum, agrees_with_the_definition)
{
    bench_spectrum spectrum;
    bench_spectrum_init(&spectrum);
    base_random random = base_random_seed(11);
    const long double turn = 2 * acosl(-1) / BENCH_WINDOW;
    double power[BENCH_BINS] = {0}, samples[2][BENCH_WINDOW], squares[BENCH_WINDOW];
    for (int stretch = 0; stretch < 2; stretch++) {
        for (size_t i = 0; i < BENCH_WINDOW; i++) {
            samples[stretch][i] = base_random_range(&random, -1, 1);
            squares[i] = samples[stretch][i] * samples[stretch][i];
        }
        bench_spectrum_add(&spectrum, samples[stretch], power);
    }
    double last = 0;
    for (size_t k = 0; k < BENCH_BINS; k++) {
        long double expected = 0;
        for (int stretch = 0; stretch < 2; stretch++) {
            long double re = 0, im = 0;
            for (size_t i = 0; i < BENCH_WINDOW; i++) {
                const long double w = (1 - cosl(turn * (long double)i)) / sqrtl(384);
                re += w * (long double)samples[stretch][i] * cosl(turn * (long double)(k * i));
                im += w * (long double)samples[stretch][i] * sinl(turn * (long double)(k * i));
            }
            const long double one = (re * re + im * im) / BENCH_WINDOW;
            expected += k == 0 || k == BENCH_BINS - 1 ? one : 2 * one;
            last += stretch == 1 ? (double)(k == 0 || k == BENCH_BINS - 1 ? one : 2 * one) : 0;
        }
        EXPECT_NEAR(power[k], (double)expected, 1e-15, "bin %zu: %.17g", k, power[k]);
    }
    EXPECT_NEAR(bench_spectrum_mean(&spectrum, squares), last, 1e-12, "all bins together");
}

Test(spectrum, stretches_are_counted)
{
    const struct {
        size_t samples, stretches;
    } cases[] = {{0, 0}, {255, 0}, {256, 1}, {319, 1}, {320, 2}, {2000, 28}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_expect_eq(bench_spectrum_segments(cases[i].samples), cases[i].stretches, "%zu samples",
                     cases[i].samples);
    }
}
