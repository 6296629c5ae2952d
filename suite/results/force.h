/**
 * The quality of a force: a run's forces and torques against those of one ideal (ideal.h).
 *
 * Per frame k, in A's axes: F and T are what a contestant answers for the force on B and the torque
 * about B's centroid, G and S are the ideal's force and torque, each with a bound on its own error.
 * The contestant may use another unit, so F and T are multiplied by one gain each before they are
 * compared with G and S:
 *
 *   K      frames in which |F| and |G| are above 1e-6 of their own largest, and the direction of G
 *          is known within one degree: its bound is at most sin(1 degree) |G|
 *   gain   g = sum |G| |F| / sum |F|^2 over K; of the torque likewise, over its own K
 *
 * A frame in which a number is not finite is left out of everything. A frame with an answer whose
 * ideal is missing, or not known within one degree, is counted as left out. Nothing here knows how
 * to get forces or the truth; all results are the same to the last bit on every machine.
 */
#ifndef SUITE_FORCE_H
#define SUITE_FORCE_H

#include "base/error.h"
#include "geometry/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A frame as it was asked, answered and ought to be. */
typedef struct bench_force_frame {
    double t_s;
    geo_vec3 centroid; /* of B, m */
    geo_quat orientation;
    geo_vec3 force, torque;             /* F and T, in any unit; NaN: not answered */
    geo_vec3 ideal_force, ideal_torque; /* G and S in the units of the ideal; NaN: not known */
    double force_bound, torque_bound;   /* lengths of what G and S may be off by */
    bool contact;                       /* do the solids touch? */
    double energy; /* whose gradient F claims to be, in its unit times m; NaN: none */
} bench_force_frame;

/** Errors of one frame; NaN outside of K. */
typedef struct bench_force_error {
    double magnitude;     /* (g |F| - |G|) / largest |G| */
    double direction_deg; /* angle between F and G */
} bench_force_error;

/** Errors of a vector, the force or the torque, over the frames of a run. NaN if K is empty. */
typedef struct bench_force_fit {
    uint64_t frames;   /* in K */
    uint64_t left_out; /* answered frames whose ideal is missing or not known within one degree */
    double gain;
    double magnitude_mean, magnitude_rms, magnitude_max; /* of absolute values */
    double direction_mean_deg, direction_median_deg, direction_p95_deg, direction_p99_deg,
        direction_max_deg;
} bench_force_fit;

/** A run's metrics; NaN, and of counts UINT64_MAX, where there is nothing to measure.
 * bench_force_columns (forces.h) says more of each. */
typedef struct bench_force_metrics {
    bench_force_fit force, torque;
    double noise_db;
    double jerkiness;
    double onset_lag_frames, release_lag_frames;
    double chatter;
    uint64_t misses;
    double loop_work;
    double energy_error;
} bench_force_metrics;

/**
 * Power of the residual g F - G over time and frequency: stretches of BENCH_WINDOW frames under
 * Hann's window, one every BENCH_HOP frames. All three components together, in shares of the ideal
 * force's power (the mean of |G|^2 under the same windows). Frames are taken as evenly spaced.
 */
typedef struct bench_spectrogram {
    size_t count; /* of stretches without a frame that is left out; 0: no gain, or too few frames */
    double *t_s;  /* owned: the middles of the stretches */
    double *power; /* owned: count rows of BENCH_BINS */
    double bin_hz; /* from one bin to the next; the first is 0 Hz */
} bench_spectrogram;

/** What is found of a run; zeroed: nothing. */
typedef struct bench_force_report {
    bench_force_metrics metrics;
    bench_force_error *force, *torque; /* owned: one per frame */
    bench_spectrogram spectrogram;
} bench_force_report;

/**
 * Errors   BASE_ERR_MEMORY; *report is zeroed then.
 * Memory   bench_force_report_release.
 * Cost     1 us a frame, beside what sorting takes.
 */
base_status bench_force_measure(const bench_force_frame *frames, size_t count,
                                bench_force_report *report, base_error *err) BASE_MUST_CHECK;
void bench_force_report_release(bench_force_report *report);

/** 10 log10 of a power, not below -300. */
double bench_decibels(double power);

#endif
