/** Power over frequency of short stretches of a signal. */
#ifndef SUITE_SPECTRUM_H
#define SUITE_SPECTRUM_H

#include <stddef.h>

enum {
    BENCH_WINDOW = 256,               /* samples of a stretch */
    BENCH_HOP = 64,                   /* from one stretch to the next */
    BENCH_BINS = BENCH_WINDOW / 2 + 1 /* from 0 to half the sampling rate */
};

/** What all stretches need; the same bits on every machine. */
typedef struct bench_spectrum {
    double window[BENCH_WINDOW]; /* Hann's, whose squares add up to 1 */
    double cosine[BENCH_WINDOW / 2], sine[BENCH_WINDOW / 2];
} bench_spectrum;

void bench_spectrum_init(bench_spectrum *spectrum);

/**
 * Adds a stretch's power to power[BENCH_BINS], bin k at k / BENCH_WINDOW of the sampling rate, in
 * squares of the samples' unit. All bins together are the mean of the squares, weighted by those of
 * the window: a sinusoid of amplitude a has a^2 / 2 in its bin and the two beside it.
 *
 * Cost     10 us.
 * Source   the periodogram of Welch; the transform is that of Cooley and Tukey.
 */
void bench_spectrum_add(const bench_spectrum *spectrum, const double samples[BENCH_WINDOW],
                        double power[BENCH_BINS]);

/** The mean of squares (of any kind of norm) with the weights that bench_spectrum_add has. */
double bench_spectrum_mean(const bench_spectrum *spectrum, const double squares[BENCH_WINDOW]);

/** How many stretches `count` samples have. */
size_t bench_spectrum_stretches(size_t count);

#endif
