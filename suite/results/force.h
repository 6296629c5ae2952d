/**
 * Quality of a force: compares a run's forces and torques with those of one ideal (judge.h), and
 * writes forces.csv and SCENARIO/VARIANT.spectrogram.csv (noise over time and frequency).
 *
 * In each frame, in A's axes: F and T are the contestant's force on B and torque about B's
 * centroid. G and S are the force and torque of the ideal, each with a bound of its own error. The
 * contestant may use another unit, so F and T are multiplied by one gain each before the comparison
 * with G and S:
 *
 *   K      frames in which |F| and |G| are above 1e-6 of their own largest, and G is accurate: its
 *          bound is at most sin(1 degree) |G|, so that its direction is known within one degree, or
 *          at most 1e-6 of the largest |G|
 *   gain   g = sum |G| |F| / sum |F|^2 over K; for the torque likewise, over its own K
 *
 * A frame is excluded from all metrics if a component of F, T, G or S is not finite; for lag and
 * chatter it keeps the state (force felt or not) of the frame before it. A frame with an answer is
 * counted as left out if its ideal is missing or not accurate. This module does not compute forces
 * or truth. All results are bit-identical on all machines.
 */
#ifndef SUITE_FORCE_H
#define SUITE_FORCE_H

#include "base/error.h"
#include "geometry/types.h"
#include "groundtruth/groundtruth.h"
#include "scenarios/trajectories/trajectory.h"
#include "suite/results/columns.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** The pose, the answer and the ideal of a frame. */
typedef struct bench_force_frame {
    double t_s;
    geo_vec3 centroid; /* of B, m */
    geo_quat orientation;
    geo_vec3 force, torque;             /* F and T, in any unit; NaN if not answered */
    geo_vec3 ideal_force, ideal_torque; /* G and S, in the units of the ideal; NaN if not known */
    double force_bound, torque_bound;   /* bounds of the lengths of the errors of G and S */
    bool contact;                       /* the solids touch */
    double energy; /* energy whose negative gradient is F, in the unit of F times m; NaN if F has
                      no energy */
} bench_force_frame;

/** Errors of one frame; NaN if the frame is not in K. */
typedef struct bench_force_error {
    double magnitude;     /* (g |F| - |G|) / largest |G| */
    double direction_deg; /* angle between F and G */
} bench_force_error;

/** Errors of the force or the torque over the frames of a run. NaN if K is empty. */
typedef struct bench_force_fit {
    uint64_t frames;   /* number of frames in K */
    uint64_t left_out; /* number of answered frames whose ideal is missing or not accurate */
    double gain;
    double magnitude_mean, magnitude_rms, magnitude_max; /* of absolute values */
    double direction_mean_deg, direction_median_deg, direction_p95_deg, direction_p99_deg,
        direction_max_deg;
} bench_force_fit;

/**
 * Metrics of a run. Numbers are NaN if there is nothing to measure. In a row of cells.csv without a
 * measured force, counts are UINT64_MAX. The columns bench_force_columns below describe each
 * metric.
 */
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
 * Power of the residual g F - G over time and frequency, in segments of BENCH_WINDOW frames with a
 * Hann window, one every BENCH_HOP frames. The power is the sum over the three components, relative
 * to the power of the ideal force (the mean of |G|^2 with the same windows). The frames are assumed
 * to be equidistant in time.
 */
typedef struct bench_spectrogram {
    size_t count;  /* number of segments without an excluded frame; 0 if there is no gain, no ideal
                      force, or there are too few frames */
    double *t_s;   /* owned: times of the centres of the segments */
    double *power; /* owned: count rows of BENCH_BINS */
    double bin_hz; /* width of a bin; the first bin is at 0 Hz */
} bench_spectrogram;

/** Results of a run; all zero if nothing was measured. */
typedef struct bench_force_report {
    bench_force_metrics metrics;
    bench_force_error *force, *torque; /* owned: one entry per frame */
    bench_spectrogram spectrogram;
} bench_force_report;

/**
 * Measures all metrics of a run.
 *
 * Errors   BASE_ERR_MEMORY; *report is zeroed then.
 * Memory   freed by bench_force_report_release.
 * Cost     1 us per frame, plus sorting.
 */
base_status bench_force_measure(const bench_force_frame *frames, size_t count,
                                bench_force_report *report, base_error *err) BASE_MUST_CHECK;
void bench_force_report_release(bench_force_report *report);

/* --- Forces of a cell ------------------------------------------------------------------------- */

/** cells.h includes this header. */
typedef struct bench_cell bench_cell;

/** The frames of a scenario, borrowed. Each array has cell->frame_count entries. */
typedef struct bench_force_scene {
    const scn_frame *frames;
    const geo_pose *poses; /* of B in the frame of the pair */
    const gt_truth *truths;
    vec3 centroid_b; /* in B's frame */
    int certificate; /* smallest certificate that the mode accepts */
} bench_force_scene;

/**
 * Measures the cell's answered forces against each ideal of its variant (judge.h). The ideal of a
 * frame is its force known in closed form, or else that of the truth. Sets cell->forces. Sets the
 * force errors of the cell's judgements, which refer to the variant's own ideal.
 * Errors: BASE_ERR_MEMORY.
 */
base_status bench_forces_measure(const bench_force_scene *scene, bench_cell *cell,
                                 base_error *err) BASE_MUST_CHECK;

/** Columns of forces.csv, which has one row for each contestant, scenario and ideal. */
extern const bench_columns bench_forces_columns;

/**
 * bench_force_columns: all columns of a bench_force_metrics. bench_force_run_columns: those of them
 * that are not errors of single frames; cells.csv has its own statistics of such errors.
 */
extern const bench_columns bench_force_columns, bench_force_run_columns;

/** Writes a row for each ideal that the cell's forces were compared with. */
void bench_forces_put(FILE *file, const bench_cell *cell);

/**
 * Columns of SCENARIO/VARIANT.spectrogram.csv: a row for each segment and bin, segment by segment.
 */
extern const bench_columns bench_spectrogram_columns;

/** Writes the file. Errors: BASE_ERR_SYSTEM if it cannot be written. */
base_status bench_spectrogram_write(const char *path, const bench_spectrogram *spectrogram,
                                    base_error *err) BASE_MUST_CHECK;

/* --- Spectrum --------------------------------------------------------------------------------- */

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
 * Adds the power of a segment to power[BENCH_BINS], in squares of the samples' unit. Bin k is at
 * the frequency k / BENCH_WINDOW times the sampling rate. The sum over all bins is the mean of the
 * squared samples, weighted by the squares of the window. So a sinusoid of amplitude a adds a^2 / 2
 * in its bin and the two neighbours.
 *
 * Cost     10 us.
 * Source   the periodogram of Welch; the transform is that of Cooley and Tukey.
 */
void bench_spectrum_add(const bench_spectrum *spectrum, const double samples[BENCH_WINDOW],
                        double power[BENCH_BINS]);

/** Returns the mean of the given squares with the weights of bench_spectrum_add. */
double bench_spectrum_mean(const bench_spectrum *spectrum, const double squares[BENCH_WINDOW]);

/** Returns the number of segments in `count` samples. */
size_t bench_spectrum_segments(size_t count);

#endif
