#include "suite/results/spectrum.h"

#include "base/elementary.h"

#include <math.h>

/** A complex number. */
typedef struct phasor {
    double re, im;
} phasor;

void bench_spectrum_init(bench_spectrum *spectrum)
{
    /* The mean of (1 - cos)^2 is 3/2. */
    const double scale = 1 / sqrt(1.5 * BENCH_WINDOW);
    for (size_t i = 0; i < BENCH_WINDOW; i++) {
        const double angle = 2 * BASE_PI * ((double)i / BENCH_WINDOW);
        spectrum->window[i] = scale * (1 - base_cos(angle));
        if (i < BENCH_WINDOW / 2) {
            spectrum->cosine[i] = base_cos(angle);
            spectrum->sine[i] = base_sin(angle);
        }
    }
}

/** Returns the index with its bits in reverse order. */
static size_t reverse(size_t index)
{
    size_t reversed = 0;
    for (size_t bit = 1; bit < BENCH_WINDOW; bit *= 2) {
        reversed = 2 * reversed + (index & 1);
        index /= 2;
    }
    return reversed;
}

/** Transforms x in place. Input: in bit-reversed order. Joins halves of length 1, 2, 4, ... */
static void transform(const bench_spectrum *spectrum, phasor x[BENCH_WINDOW])
{
    for (size_t half = 1; half < BENCH_WINDOW; half *= 2) {
        const size_t stride = BENCH_WINDOW / (2 * half);
        for (size_t first = 0; first < BENCH_WINDOW; first += 2 * half) {
            for (size_t k = 0; k < half; k++) {
                const double c = spectrum->cosine[k * stride], s = -spectrum->sine[k * stride];
                phasor *const even = &x[first + k], *const odd = even + half;
                const phasor turned = {c * odd->re - s * odd->im, c * odd->im + s * odd->re};
                *odd = (phasor){even->re - turned.re, even->im - turned.im};
                *even = (phasor){even->re + turned.re, even->im + turned.im};
            }
        }
    }
}

void bench_spectrum_add(const bench_spectrum *spectrum, const double samples[BENCH_WINDOW],
                        double power[BENCH_BINS])
{
    phasor x[BENCH_WINDOW];
    for (size_t i = 0; i < BENCH_WINDOW; i++) {
        x[reverse(i)] = (phasor){spectrum->window[i] * samples[i], 0};
    }
    transform(spectrum, x);
    for (size_t k = 0; k < BENCH_BINS; k++) {
        /* All bins except the first and the last also represent a negative frequency. */
        const double share = (k == 0 || k == BENCH_WINDOW / 2 ? 1.0 : 2.0) / BENCH_WINDOW;
        power[k] += share * (x[k].re * x[k].re + x[k].im * x[k].im);
    }
}

double bench_spectrum_mean(const bench_spectrum *spectrum, const double squares[BENCH_WINDOW])
{
    double sum = 0;
    for (size_t i = 0; i < BENCH_WINDOW; i++) {
        sum += spectrum->window[i] * spectrum->window[i] * squares[i];
    }
    return sum;
}

size_t bench_spectrum_stretches(size_t count)
{
    return count < BENCH_WINDOW ? 0 : (count - BENCH_WINDOW) / BENCH_HOP + 1;
}
