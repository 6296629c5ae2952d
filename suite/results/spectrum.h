/** Power spectrum of short segments of a signal. */
#ifndef SUITE_SPECTRUM_H
#define SUITE_SPECTRUM_H

#include <stddef.h>

enum {
    BENCH_WINDOW = 256,               /* number of samples of a segment */
    BENCH_HOP = 64,                   /* number of samples between the starts of successive
                                         segments */
    BENCH_BINS = BENCH_WINDOW / 2 + 1 /* number of bins, from 0 to half the sampling rate */
};

/** Tables shared by all segments; bit-identical on all machines. */
typedef struct bench_spectrum {
    double window[BENCH_WINDOW]; /* Hann window, normalized: its squares sum to 1 */
    double cosine[BENCH_WINDOW / 2], sine[BENCH_WINDOW / 2];
} bench_spectrum;

void bench_spectrum_init(bench_spectrum *spectrum);

/**
 * Adds the power of a segment to power[BENCH_BINS], in squares of the samples' unit. Bin k is at k
 * / BENCH_WINDOW of the sampling rate. The sum over all bins is the mean of the squares, weighted
 * by the squares of the window: a sinusoid of amplitude a has a^2 / 2 in its bin and the two
 * neighbours.
 *
 * Cost     10 us.
 * Source   the periodogram of Welch; the transform is that of Cooley and Tukey.
 */
void bench_spectrum_add(const bench_spectrum *spectrum, const double samples[BENCH_WINDOW],
                        double power[BENCH_BINS]);

/** Returns the mean of squares (of any norm) with the weights of bench_spectrum_add. */
double bench_spectrum_mean(const bench_spectrum *spectrum, const double squares[BENCH_WINDOW]);

/** Returns the number of segments in `count` samples. */
size_t bench_spectrum_stretches(size_t count);

#endif
