#include "base/elementary.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/tests/support.h"
#include "geometry/pose.h"
#include "suite/results/force.h"
#include "suite/results/cells.h"
#include "suite/results/judge.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 1024 };

#define EXPECT_NEAR(value, expected, slack, ...)                                                   \
    do {                                                                                           \
        const double near_value = (value), near_expected = (expected);                             \
        cr_expect(fabs(near_value - near_expected) <= (slack), __VA_ARGS__);                       \
    } while (0)

/**
 * Makes frames at 1 kHz that are all in contact. The force is 1 along x and the torque 2 along z;
 * both equal their ideals.
 */
static void make_frames(bench_force_frame *frames, size_t count)
{
    const vec3 g = {1, 0, 0}, s = {0, 0, 2};
    for (size_t k = 0; k < count; k++) {
        frames[k] = (bench_force_frame){.t_s = 0.001 * (double)k,
                                        .orientation = geo_quat_identity(),
                                        .force = g,
                                        .torque = s,
                                        .ideal_force = g,
                                        .ideal_torque = s,
                                        .contact = true,
                                        .energy = NAN};
    }
}

static bench_force_report measure(const bench_force_frame *frames, size_t count)
{
    bench_force_report report;
    assert_ok(bench_force_measure(frames, count, &report, ERR));
    return report;
}

static bench_force_metrics metrics_of(const bench_force_frame *frames, size_t count)
{
    bench_force_report report = measure(frames, count);
    const bench_force_metrics metrics = report.metrics;
    bench_force_report_release(&report);
    return metrics;
}

/* --- Magnitude and direction ------------------------------------------------------------------ */

/** A different unit is no error. */
Test(force, a_constant_gain_is_no_error)
{
    bench_force_frame frames[FRAMES];
    base_random random = base_random_seed(1);
    make_frames(frames, FRAMES);
    for (size_t k = 0; k < FRAMES; k++) {
        const double size = base_random_range(&random, 0.1, 2);
        frames[k].ideal_force = vec3_scale(size, geo_random_direction(&random));
        frames[k].ideal_torque = vec3_scale(size, geo_random_direction(&random));
        frames[k].force = vec3_scale(4e-9, frames[k].ideal_force);
        frames[k].torque = vec3_scale(32, frames[k].ideal_torque);
    }
    const bench_force_metrics m = metrics_of(frames, FRAMES);
    cr_expect_eq(m.force.frames, FRAMES);
    EXPECT_NEAR(m.force.gain, 0.25e9, 1e-3, "gain %.17g", m.force.gain);
    EXPECT_NEAR(m.torque.gain, 1 / 32., 1e-12, "gain of the torque %.17g", m.torque.gain);
    cr_expect(m.force.magnitude_max < 1e-14 && m.torque.magnitude_max < 1e-14, "%g and %g",
              m.force.magnitude_max, m.torque.magnitude_max);
    cr_expect(m.force.direction_max_deg < 1e-13 && m.torque.direction_max_deg < 1e-13, "%g and %g",
              m.force.direction_max_deg, m.torque.direction_max_deg);
    cr_expect(m.noise_db < -290, "noise %g", m.noise_db);
    EXPECT_NEAR(m.jerkiness, 1, 1e-12, "jerkiness %.17g", m.jerkiness);
}

Test(force, a_wrong_sign_is_180_degrees)
{
    bench_force_frame frames[FRAMES];
    make_frames(frames, FRAMES);
    for (size_t k = 0; k < FRAMES; k++) {
        frames[k].force = vec3_scale(-3, frames[k].ideal_force);
    }
    SCOPED_FORCE_REPORT report = measure(frames, FRAMES);
    const bench_force_metrics *const m = &report.metrics;
    cr_expect_eq(m->force.direction_mean_deg, 180);
    cr_expect_eq(m->force.direction_median_deg, 180);
    cr_expect_eq(m->force.direction_p95_deg, 180);
    cr_expect_eq(m->force.direction_max_deg, 180);
    cr_expect_eq(m->torque.direction_max_deg, 0, "the torque is right");
    EXPECT_NEAR(m->force.magnitude_max, 0, 1e-15, "a size has no sign");
    EXPECT_NEAR(report.force[7].direction_deg, 180, 0, "frame 7");
}

/**
 * The gain is sum |ideal| |force| / sum |force|^2 = (1 * 1 + 2 * 1) / (1 * 1 + 1 * 1) = 1.5. The
 * third frame has no force, so it does not count.
 */
Test(force, gain_and_magnitude_by_hand)
{
    bench_force_frame frames[3];
    make_frames(frames, 3);
    frames[1].ideal_force = vec3_make(0, 2, 0);
    frames[1].force = vec3_make(0, 1, 0);
    frames[2].force = vec3_make(0, 0, 0);
    SCOPED_FORCE_REPORT report = measure(frames, 3);
    const bench_force_fit *const f = &report.metrics.force;
    cr_expect_eq(f->frames, 2, "%llu frames", (unsigned long long)f->frames);
    cr_expect_eq(f->gain, 1.5, "%.17g", f->gain);
    cr_expect_eq(report.force[0].magnitude, 0.25, "%.17g", report.force[0].magnitude);
    cr_expect_eq(report.force[1].magnitude, -0.25, "%.17g", report.force[1].magnitude);
    cr_expect(isnan(report.force[2].magnitude) && isnan(report.force[2].direction_deg));
    cr_expect_eq(f->magnitude_mean, 0.25);
    cr_expect_eq(f->magnitude_rms, 0.25);
    cr_expect_eq(f->magnitude_max, 0.25);
}

/** 90 frames are correct, 10 frames are off by 1 to 10 degrees. */
Test(force, directions_by_rank)
{
    bench_force_frame frames[100];
    make_frames(frames, 100);
    for (size_t k = 90; k < 100; k++) {
        const double angle = BASE_PI / 180 * (double)(k - 89);
        frames[k].force = vec3_make(base_cos(angle), 0, base_sin(angle));
    }
    const bench_force_fit f = metrics_of(frames, 100).force;
    EXPECT_NEAR(f.direction_mean_deg, 0.55, 1e-12, "mean %.17g", f.direction_mean_deg);
    EXPECT_NEAR(f.direction_median_deg, 0, 0, "median %.17g", f.direction_median_deg);
    EXPECT_NEAR(f.direction_p95_deg, 5, 1e-12, "95 %% %.17g", f.direction_p95_deg);
    EXPECT_NEAR(f.direction_max_deg, 10, 1e-12, "max %.17g", f.direction_max_deg);
}

/** An arc cosine would lose these angles: cos(1e-9) is 1. */
Test(force, angles_near_0_and_near_180_degrees)
{
    bench_force_frame frames[2];
    for (double angle = 1e-3; angle > 1e-14; angle *= 0.1) {
        make_frames(frames, 2);
        frames[0].force = vec3_make(base_cos(angle), base_sin(angle), 0);
        frames[1].force = vec3_scale(-1, frames[0].force);
        SCOPED_FORCE_REPORT report = measure(frames, 2);
        const double near = report.force[0].direction_deg * (BASE_PI / 180);
        const double far = (180 - report.force[1].direction_deg) * (BASE_PI / 180);
        EXPECT_NEAR(near, angle, 1e-12 * angle, "%g: %.17g", angle, near);
        EXPECT_NEAR(far, angle, 1e-15, "%g from 180 degrees: %.17g", angle, far);
    }
}

Test(force, a_force_or_an_ideal_near_0_has_no_direction)
{
    bench_force_frame frames[4];
    make_frames(frames, 4);
    frames[1].force = vec3_make(0, 0.9e-6, 0);
    frames[2].ideal_force = vec3_make(0, 0, 0.9e-6);
    frames[3].force = vec3_make(1.1e-6, 0, 0);
    const bench_force_fit f = metrics_of(frames, 4).force;
    cr_expect_eq(f.frames, 2, "%llu frames", (unsigned long long)f.frames);
    cr_expect_eq(f.direction_max_deg, 0);
}

/**
 * The angles are 1 to n hundredths of a degree, in another order. The 99th percentile is the value
 * of rank 0.99 n, rounded up: rank 198 of 200 values, and rank 100 of 101 values.
 */
Test(force, the_99th_percentile_is_by_nearest_rank)
{
    bench_force_frame frames[200];
    static const size_t counts[] = {200, 101, 100, 99, 1};
    static const size_t ranks[] = {198, 100, 99, 99, 1};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const size_t n = counts[i];
        make_frames(frames, n);
        for (size_t k = 0; k < n; k++) {
            /* 7 is coprime to each of these numbers. */
            const double angle = BASE_PI / 18000 * (double)(7 * k % n + 1);
            frames[k].force = vec3_make(base_cos(angle), base_sin(angle), 0);
            frames[k].torque = vec3_make(base_sin(0.5 * angle), 0, base_cos(0.5 * angle));
        }
        const bench_force_metrics m = metrics_of(frames, n);
        EXPECT_NEAR(m.force.direction_p99_deg, 0.01 * (double)ranks[i], 1e-12, "%zu frames: %.17g",
                    n, m.force.direction_p99_deg);
        EXPECT_NEAR(m.torque.direction_p99_deg, 0.005 * (double)ranks[i], 1e-12,
                    "%zu frames: %.17g", n, m.torque.direction_p99_deg);
    }
}

/**
 * Frames whose ideal direction is not known within one degree are excluded and counted. An ideal
 * of size 1 is known within one degree if its bound is at most the sine of one degree. 0.0174 is
 * below this sine, 0.0175 above.
 */
Test(force, an_ideal_that_is_not_known_within_one_degree_is_left_out)
{
    bench_force_frame frames[6];
    make_frames(frames, 6);
    for (size_t k = 0; k < 6; k++) {
        frames[k].force = vec3_make(k == 1 || k == 2 ? 0 : 0.5, k == 1 || k == 2 ? 0.5 : 0, 0);
    }
    frames[0].force_bound = 0.0174;
    frames[1].force_bound = 0.0175;
    frames[2].ideal_force = vec3_make(NAN, NAN, NAN);
    frames[2].ideal_torque = vec3_make(NAN, NAN, NAN);
    frames[3].torque_bound = 2 * 0.0175;
    frames[4].ideal_force = vec3_make(0, 0, 0); /* the bodies are apart: the force is known to be
                                                   0 */
    frames[4].force_bound = 1e-9;
    frames[5].force = vec3_make(NAN, NAN, NAN); /* not answered */
    SCOPED_FORCE_REPORT report = measure(frames, 6);
    const bench_force_metrics *const m = &report.metrics;
    cr_expect_eq(m->force.frames, 2, "%llu", (unsigned long long)m->force.frames);
    cr_expect_eq(m->force.left_out, 2, "%llu", (unsigned long long)m->force.left_out);
    cr_expect_eq(m->force.gain, 2);
    cr_expect_eq(m->force.direction_max_deg, 0);
    cr_expect(isnan(report.force[1].direction_deg) && isnan(report.force[2].direction_deg) &&
              isnan(report.force[4].direction_deg));
    cr_expect_eq(m->torque.frames, 3, "%llu", (unsigned long long)m->torque.frames);
    /* Frame 5 has a torque but no force, so it has no answer. */
    cr_expect_eq(m->torque.left_out, 2, "%llu", (unsigned long long)m->torque.left_out);
}

/**
 * If lengths are doubled, forces by the depth law are 8 times as large and torques 16 times: the
 * gains change, the errors do not. Rotated bodies have the same errors.
 */
Test(force, scale_and_rotation_change_no_error)
{
    bench_force_frame frames[200], scaled[200], turned[200];
    base_random random = base_random_seed(5);
    make_frames(frames, 200);
    const geo_pose turn = geo_pose_make(geo_random_rotation(&random), vec3_make(0, 0, 0));
    for (size_t k = 0; k < 200; k++) {
        bench_force_frame *const f = &frames[k];
        f->ideal_force =
            vec3_scale(base_random_range(&random, 0.1, 2), geo_random_direction(&random));
        f->ideal_torque = geo_random_direction(&random);
        f->force = vec3_madd(f->ideal_force, 0.1, geo_random_direction(&random));
        f->torque = vec3_madd(f->ideal_torque, 0.1, geo_random_direction(&random));
        f->force_bound = f->torque_bound = k % 10 == 0 ? 0.5 : 1e-3;
        scaled[k] = turned[k] = *f;
        scaled[k].ideal_force = vec3_scale(8, f->ideal_force);
        scaled[k].ideal_torque = vec3_scale(16, f->ideal_torque);
        scaled[k].force_bound *= 8;
        scaled[k].torque_bound *= 16;
        vec3 *const vectors[] = {&turned[k].ideal_force, &turned[k].ideal_torque, &turned[k].force,
                                 &turned[k].torque};
        for (size_t i = 0; i < 4; i++) {
            *vectors[i] = geo_pose_apply(&turn, *vectors[i]);
        }
    }
    const bench_force_metrics m = metrics_of(frames, 200), s = metrics_of(scaled, 200),
                              t = metrics_of(turned, 200);
    cr_expect(m.force.left_out >= 20 && m.force.left_out < 40, "%llu",
              (unsigned long long)m.force.left_out);
    cr_expect(s.force.left_out == m.force.left_out && t.force.left_out == m.force.left_out);
    cr_expect_eq(s.force.gain, 8 * m.force.gain);
    cr_expect_eq(s.torque.gain, 16 * m.torque.gain);
    cr_expect_eq(s.force.magnitude_mean, m.force.magnitude_mean);
    cr_expect_eq(s.force.direction_p99_deg, m.force.direction_p99_deg);
    cr_expect_eq(s.torque.direction_p99_deg, m.torque.direction_p99_deg);
    EXPECT_NEAR(t.force.gain, m.force.gain, 1e-14, "%.17g", t.force.gain);
    EXPECT_NEAR(t.force.direction_p99_deg, m.force.direction_p99_deg, 1e-12, "force");
    EXPECT_NEAR(t.torque.direction_p95_deg, m.torque.direction_p95_deg, 1e-12, "torque");
}

/* --- Noise ------------------------------------------------------------------------------------ */

/**
 * Sets the y and z components of the force to a vibration at `f_hz` with amplitude 1e-3, in all
 * frames from number `from` on. The ideal force is along x.
 */
static void shake(bench_force_frame *frames, size_t from, double f_hz)
{
    for (size_t k = from; k < FRAMES; k++) {
        const double phase = 2 * BASE_PI * f_hz * frames[k].t_s;
        frames[k].force.y = 1e-3 * base_sin(phase);
        frames[k].force.z = 1e-3 * base_cos(phase);
    }
}

static double noise_at(double f_hz)
{
    bench_force_frame frames[FRAMES];
    make_frames(frames, FRAMES);
    for (size_t k = 0; k < FRAMES; k++) {
        frames[k].force.x = frames[k].ideal_force.x = 2;
    }
    shake(frames, 0, f_hz);
    return metrics_of(frames, FRAMES).noise_db;
}

Test(force, noise_of_known_power)
{
    /* The squares of both components add up to 1e-6; the square of the ideal force is 4. */
    const double expected = 10 * log10(1e-6 / 4);
    const double heard[] = {45, 100, 101.5625, 250, 333, 480};
    for (size_t i = 0; i < sizeof heard / sizeof *heard; i++) {
        const double db = noise_at(heard[i]);
        EXPECT_NEAR(db, expected, 0.01, "%g Hz: %.5f dB, not %.5f", heard[i], db, expected);
    }
    const double unheard[] = {1, 5, 10};
    for (size_t i = 0; i < sizeof unheard / sizeof *unheard; i++) {
        const double db = noise_at(unheard[i]);
        cr_expect(db < expected - 50, "%g Hz: %.5f dB", unheard[i], db);
    }
}

/** A vibration of 125 Hz starts in the middle. The spectrogram shows its time and frequency. */
Test(force, the_spectrogram_shows_when_and_at_which_frequency)
{
    bench_force_frame frames[FRAMES];
    make_frames(frames, FRAMES);
    shake(frames, FRAMES / 2, 125);
    SCOPED_FORCE_REPORT report = measure(frames, FRAMES);
    const bench_spectrogram *const s = &report.spectrogram;
    cr_assert_eq(s->count, 13);
    EXPECT_NEAR(s->bin_hz, 3.90625, 1e-9, "%.17g Hz", s->bin_hz);
    for (size_t i = 0; i < s->count; i++) {
        const double *const power = s->power + i * BENCH_BINS;
        const size_t first = i * BENCH_HOP;
        size_t loudest = 0;
        for (size_t bin = 1; bin < BENCH_BINS; bin++) {
            loudest = power[bin] > power[loudest] ? bin : loudest;
        }
        EXPECT_NEAR(s->t_s[i], 0.001 * ((double)first + 127.5), 1e-12, "stretch %zu", i);
        if (first >= FRAMES / 2) {
            cr_expect_eq(loudest, 32, "stretch %zu is loudest in bin %zu", i, loudest);
            EXPECT_NEAR(power[32], 4e-6 / 6, 1e-10, "stretch %zu: %g", i, power[32]);
        } else if (first + BENCH_WINDOW <= FRAMES / 2) {
            cr_expect(power[32] < 1e-20, "stretch %zu: %g", i, power[32]);
        }
    }
}

/** At a rate of 2 kHz the same samples vibrate at 40 Hz instead of 20 Hz. Noise begins at 30 Hz. */
Test(force, the_sampling_rate_follows_from_the_times_of_the_frames)
{
    bench_force_frame frames[FRAMES];
    make_frames(frames, FRAMES);
    shake(frames, 0, 20);
    const double slow = metrics_of(frames, FRAMES).noise_db;
    for (size_t k = 0; k < FRAMES; k++) {
        frames[k].t_s *= 0.5;
    }
    SCOPED_FORCE_REPORT report = measure(frames, FRAMES);
    EXPECT_NEAR(report.spectrogram.bin_hz, 7.8125, 1e-9, "%g", report.spectrogram.bin_hz);
    EXPECT_NEAR(report.metrics.noise_db, -60, 0.1, "%g", report.metrics.noise_db);
    cr_expect(slow < -70, "%g", slow);
}

/** One change in fifty is three times as large as that of the ideal. */
Test(force, jerkiness_by_hand)
{
    bench_force_frame frames[FRAMES];
    make_frames(frames, FRAMES);
    for (size_t k = 1; k < FRAMES; k++) {
        frames[k].ideal_force = vec3_make(100 + 0.01 * (double)(k % 2), 0, 0);
        frames[k].force = vec3_make(100 + (k % 100 == 1 ? 0.03 : 0.01) * (double)(k % 2), 0, 0);
    }
    frames[0].force = frames[0].ideal_force = vec3_make(100, 0, 0);
    double j = metrics_of(frames, FRAMES).jerkiness;
    EXPECT_NEAR(j, 3, 1e-4, "%.17g", j);
    for (size_t k = 0; k < FRAMES; k++) {
        frames[k].ideal_force = vec3_make(100, 0, 0);
    }
    j = metrics_of(frames, FRAMES).jerkiness;
    cr_expect(isnan(j), "the ideal force does not change: %g", j);
}

/* --- Contact ---------------------------------------------------------------------------------- */

/**
 * The bodies touch in frames 100 to 199 and 300 to 399. Each time the force begins `onset` frames
 * after the contact begins, and ends `release` frames after it ends. Negative: before.
 */
static void make_contacts(bench_force_frame *frames, int onset, int release)
{
    make_frames(frames, 500);
    for (int k = 0; k < 500; k++) {
        const vec3 none = {0, 0, 0};
        const int start = 100 + onset, end = 200 + release;
        frames[k].contact = (k >= 100 && k < 200) || (k >= 300 && k < 400);
        if (!frames[k].contact) {
            frames[k].ideal_force = none;
        }
        if (!((k >= start && k < end) || (k >= start + 200 && k < end + 200))) {
            frames[k].force = none;
        }
    }
}

Test(force, lags_in_frames)
{
    bench_force_frame frames[500];
    for (int onset = -9; onset <= 9; onset += 3) {
        for (int release = -8; release <= 8; release += 4) {
            make_contacts(frames, onset, release);
            const bench_force_metrics m = metrics_of(frames, 500);
            cr_expect_eq(m.onset_lag_frames, onset, "%d and %d: %g", onset, release,
                         m.onset_lag_frames);
            cr_expect_eq(m.release_lag_frames, release, "%d and %d: %g", onset, release,
                         m.release_lag_frames);
            cr_expect_eq(m.chatter, 0, "%d and %d: %g", onset, release, m.chatter);
            const unsigned missed = 2 * (unsigned)(fmax(0, onset) + fmax(0, -release));
            cr_expect_eq(m.misses, missed, "%d and %d: %llu", onset, release,
                         (unsigned long long)m.misses);
        }
    }
}

/** A contact is felt if a force acts. A lag is the mean over the felt contacts. */
Test(force, lags_are_means_over_felt_contacts)
{
    bench_force_frame frames[500];
    make_contacts(frames, 4, 0);
    for (size_t k = 300; k < 310; k++) {
        frames[k].force = vec3_make(0, 0, 0);
    }
    cr_expect_eq(metrics_of(frames, 500).onset_lag_frames, 7);
    for (size_t k = 300; k < 400; k++) {
        frames[k].force = vec3_make(0, 0, 0);
    }
    bench_force_metrics m = metrics_of(frames, 500);
    cr_expect_eq(m.onset_lag_frames, 4, "only the first contact is felt: %g", m.onset_lag_frames);
    cr_expect_eq(m.chatter, -2, "%g", m.chatter);
    cr_expect_eq(m.misses, 104);
    make_frames(frames, 500);
    for (size_t k = 0; k < 500; k++) {
        frames[k].contact = k >= 100 && k < 200;
    }
    m = metrics_of(frames, 500);
    cr_expect(isnan(m.onset_lag_frames) && isnan(m.release_lag_frames),
              "a force that is always there: %g and %g", m.onset_lag_frames, m.release_lag_frames);
}

Test(force, chatter_is_counted)
{
    bench_force_frame frames[500];
    make_contacts(frames, 0, 0);
    for (size_t k = 120; k < 140; k += 2) {
        frames[k].force = vec3_make(0, 0, 0);
    }
    const bench_force_metrics m = metrics_of(frames, 500);
    cr_expect_eq(m.chatter, 20, "%g", m.chatter);
    cr_expect_eq(m.misses, 10, "%llu", (unsigned long long)m.misses);
    cr_expect_eq(m.onset_lag_frames, 0);
}

/* --- Work ------------------------------------------------------------------------------------- */

/** A path once around an ellipse, while B turns once about z. */
static void make_loop(bench_force_frame *frames)
{
    make_frames(frames, FRAMES);
    for (size_t k = 0; k < FRAMES; k++) {
        const double angle = 2 * BASE_PI * ((double)(k % (FRAMES - 1)) / (FRAMES - 1));
        const double s = base_sin(0.5 * angle), c = base_cos(0.5 * angle);
        frames[k].centroid = vec3_make(2 * base_cos(angle), base_sin(angle), 0.5);
        /* q and -q are the same orientation. */
        frames[k].orientation = k % 3 == 0 ? (geo_quat){0, 0, s, c} : (geo_quat){-0., -0., -s, -c};
        frames[k].force = frames[k].torque = vec3_make(0, 0, 0);
    }
}

Test(force, a_conservative_law_does_no_work)
{
    bench_force_frame frames[FRAMES];
    make_loop(frames);
    for (size_t k = 0; k < FRAMES; k++) {
        const vec3 p = frames[k].centroid;
        frames[k].force = vec3_make(-3 * p.x, -5 * p.y, -p.z);
        frames[k].energy = 0.5 * (3 * p.x * p.x + 5 * p.y * p.y + p.z * p.z);
    }
    bench_force_metrics m = metrics_of(frames, FRAMES);
    EXPECT_NEAR(m.loop_work, 0, 1e-13, "loop %g", m.loop_work);
    EXPECT_NEAR(m.energy_error, 0, 1e-4, "energy %g", m.energy_error);
    for (size_t k = 0; k < FRAMES; k++) {
        frames[k].force = vec3_scale(1.25, frames[k].force);
    }
    m = metrics_of(frames, FRAMES);
    EXPECT_NEAR(m.energy_error, 0.25, 1e-4, "energy %g", m.energy_error);
}

Test(force, a_force_along_the_way_does_work)
{
    bench_force_frame frames[FRAMES];
    make_loop(frames);
    for (size_t k = 0; k < FRAMES; k++) {
        const vec3 p = frames[k].centroid;
        frames[k].force = vec3_make(-p.y, p.x, 0);
    }
    double w = metrics_of(frames, FRAMES).loop_work;
    EXPECT_NEAR(w, 1, 1e-13, "pushed on: %.17g", w);
    for (size_t k = 0; k < FRAMES; k++) {
        frames[k].force = vec3_scale(-1, frames[k].force);
    }
    w = metrics_of(frames, FRAMES).loop_work;
    EXPECT_NEAR(w, -1, 1e-13, "held back: %.17g", w);
}

/**
 * B turns once about z. A constant torque does work. A torque T = -sin(angle), which has the energy
 * E = 1 - cos(angle), does no work over the whole turn.
 */
Test(force, torques_do_work)
{
    bench_force_frame frames[FRAMES];
    make_loop(frames);
    for (size_t k = 0; k < FRAMES; k++) {
        frames[k].torque = vec3_make(0, 0, 0.5);
    }
    const double driven = metrics_of(frames, FRAMES).loop_work;
    EXPECT_NEAR(driven, 1, 1e-13, "driven: %.17g", driven);
    for (size_t k = 0; k < FRAMES; k++) {
        const double angle = 2 * BASE_PI * ((double)(k % (FRAMES - 1)) / (FRAMES - 1));
        frames[k].torque.z = -base_sin(angle);
        frames[k].energy = 1 - base_cos(angle);
    }
    const bench_force_metrics m = metrics_of(frames, FRAMES);
    EXPECT_NEAR(m.loop_work, 0, 1e-13, "%g", m.loop_work);
    EXPECT_NEAR(m.energy_error, 0, 1e-4, "%g", m.energy_error);
}

Test(force, an_open_path_has_no_loop)
{
    bench_force_frame frames[FRAMES];
    for (int open = 0; open < 3; open++) {
        make_loop(frames);
        for (size_t k = 0; k < FRAMES; k++) {
            frames[k].force = vec3_make(1, 0, 0);
        }
        if (open == 1) {
            frames[FRAMES - 1].centroid.x += 1e-6;
        } else if (open == 2) {
            frames[FRAMES - 1].orientation = (geo_quat){0, 0, 1e-6, 1};
        }
        const double w = metrics_of(frames, FRAMES).loop_work;
        cr_expect_eq(isnan(w), open != 0, "case %d: %g", open, w);
    }
}

/* --- Edge cases ------------------------------------------------------------------------------- */

Test(force, few_frames)
{
    bench_force_frame frames[BENCH_WINDOW];
    make_frames(frames, BENCH_WINDOW);
    for (size_t count = 0; count < 3; count++) {
        const bench_force_metrics m = metrics_of(frames, count);
        cr_expect_eq(m.force.frames, count);
        cr_expect(count > 0 ? m.force.gain == 1 : isnan(m.force.gain), "%zu frames", count);
        cr_expect(count > 0 ? m.force.direction_max_deg == 0 : isnan(m.force.direction_max_deg),
                  "%zu frames", count);
        cr_expect(isnan(m.noise_db) && isnan(m.jerkiness) && isnan(m.onset_lag_frames) &&
                      isnan(m.energy_error),
                  "%zu frames", count);
        cr_expect_eq(m.chatter, 0, "%zu frames", count);
    }
    cr_expect(isnan(metrics_of(frames, BENCH_WINDOW - 1).noise_db));
    const double rounding_db = metrics_of(frames, BENCH_WINDOW).noise_db;
    cr_expect(rounding_db >= -300 && rounding_db <= -290, "%g", rounding_db);
}

Test(force, no_contact_at_all)
{
    bench_force_frame frames[FRAMES];
    make_frames(frames, FRAMES);
    for (size_t k = 0; k < FRAMES; k++) {
        frames[k].contact = false;
        frames[k].force = frames[k].torque = vec3_make(0, 0, 0);
        frames[k].ideal_force = frames[k].ideal_torque = vec3_make(0, 0, 0);
    }
    SCOPED_FORCE_REPORT report = measure(frames, FRAMES);
    const bench_force_metrics *const m = &report.metrics;
    cr_expect_eq(m->force.frames, 0);
    cr_expect(isnan(m->force.gain) && isnan(m->force.magnitude_mean) &&
              isnan(m->force.magnitude_rms) && isnan(m->force.magnitude_max) &&
              isnan(m->force.direction_mean_deg) && isnan(m->force.direction_p95_deg) &&
              isnan(m->noise_db) && isnan(m->jerkiness) && isnan(m->loop_work));
    cr_expect(m->misses == 0 && m->chatter == 0 && report.spectrogram.count == 0);
}

/** A frame with NaN or infinity is excluded, and so are all segments that contain it. */
Test(force, frames_with_nan_or_infinity_are_left_out)
{
    bench_force_frame frames[FRAMES];
    const double bad[] = {(double)NAN, (double)INFINITY};
    for (size_t i = 0; i < 2; i++) {
        make_frames(frames, FRAMES);
        frames[500].force = vec3_make(0, bad[i], 0);
        frames[501].ideal_torque = vec3_make(bad[i], 0, 0);
        SCOPED_FORCE_REPORT report = measure(frames, FRAMES);
        const bench_force_metrics *const m = &report.metrics;
        cr_expect_eq(m->force.frames, FRAMES - 2);
        cr_expect_eq(m->torque.frames, FRAMES - 2);
        cr_expect(m->force.gain == 1 && m->force.magnitude_max == 0 && m->torque.gain == 1);
        cr_expect(isnan(report.force[500].direction_deg) && isnan(report.torque[500].magnitude) &&
                  isnan(report.force[501].magnitude));
        /* The segments that begin at 256, 320, 384 and 448 contain such a frame. */
        cr_expect_eq(report.spectrogram.count, 13 - 4, "%zu", report.spectrogram.count);
        cr_expect(m->noise_db <= -290, "%g", m->noise_db);
        cr_expect(m->chatter == 0 && m->misses == 0);
    }
    for (size_t k = 0; k < FRAMES; k++) {
        frames[k].force.x = NAN;
    }
    const bench_force_metrics m = metrics_of(frames, FRAMES);
    cr_expect(m.force.frames == 0 && isnan(m.force.gain) && isnan(m.noise_db) && m.misses == 0);
}

Test(force, out_of_memory_is_an_error)
{
    bench_force_frame frames[FRAMES];
    make_frames(frames, FRAMES);
    bench_force_report report;
    const size_t failures = COUNT_FAILURES(bench_force_measure(frames, FRAMES, &report, ERR), {
        cr_expect(!failed || (!report.force && !report.torque && !report.spectrogram.power));
        bench_force_report_release(&report);
    });
    cr_expect_eq(failures, 7, "%zu", failures);
}

/* --- Forces of a cell ------------------------------------------------------------------------- */

static alg_contract approximate(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_FORCE ? ALG_APPROXIMATE : ALG_NOT_ANSWERED;
}

static alg_contract nothing(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings, (void)quantity;
    return ALG_NOT_ANSWERED;
}

static alg_law planted_law(const alg_settings *settings)
{
    return (alg_law)(int)settings->values[0];
}

static const alg_algorithm planted = {
    .name = "planted", .force_unit = "N", .contract = approximate, .law = planted_law};

static alg_variant planted_by(alg_law law)
{
    return (alg_variant){.algorithm = &planted, .settings.values = {(double)law}};
}

enum { PLANTED = 20 };

/**
 * Frames with invented ideals. The ideal by area is along x, that by depth along y, and that by the
 * exchanged law along z. Frame f has forces of size 1 + f and torques of size 2 (1 + f).
 */
typedef struct plant {
    scn_frame frames[PLANTED];
    geo_pose poses[PLANTED];
    gt_truth truths[PLANTED];
    alg_answer answers[PLANTED];
    bench_judgement judgements[PLANTED];
    bench_force_scene scene;
} plant;

static vec3 along(int axis, double size)
{
    return vec3_make(axis == 0 ? size : 0, axis == 1 ? size : 0, axis == 2 ? size : 0);
}

static void make_plant(plant *p)
{
    *p = (plant){.scene = {p->frames, p->poses, p->truths, {0, 0, 0}, 1}};
    for (size_t f = 0; f < PLANTED; f++) {
        gt_truth *const t = &p->truths[f];
        const double size = 1 + (double)f;
        gt_depth_law *const laws[2] = {&t->depth_force, &t->depth_force_exchanged};
        p->frames[f] = (scn_frame){.t_s = 0.001 * (double)f, .orientation = geo_quat_identity()};
        p->poses[f] = geo_pose_make(geo_quat_identity(), vec3_make(0, 0, 0));
        t->distance_m = (gt_bracket){0, 0};
        t->distance_certified = t->force_certified = 1;
        t->force_m2 = along(0, size);
        t->torque_m3 = along(0, 2 * size);
        for (int role = 0; role < 2; role++) {
            laws[role]->force_m3 = along(1 + role, size);
            laws[role]->torque_m4 = along(1 + role, 2 * size);
            laws[role]->certified = 1;
        }
        p->judgements[f] = bench_judgement_none();
    }
}

/**
 * Sets the answers. The force is the ideal force along `axis`, divided by `gain` and rotated by the
 * angle. The torque has the same size and is rotated by the same angle, about another axis.
 */
static void answer_along(plant *p, int axis, double gain, double angle_deg)
{
    const double c = base_cos(BASE_PI / 180 * angle_deg), s = base_sin(BASE_PI / 180 * angle_deg);
    for (size_t f = 0; f < PLANTED; f++) {
        const double size = (1 + (double)f) / gain;
        p->answers[f] = (alg_answer){
            .answered = ALG_HAS_FORCE,
            .force = vec3_add(along(axis, c * size), along((axis + 1) % 3, s * size)),
            .torque = vec3_add(along(axis, c * size), along((axis + 2) % 3, -s * size))};
    }
}

static bench_cell measure_plant(plant *p, alg_law law)
{
    bench_cell cell = {.name = "planted",
                       .scenario = "s",
                       .variant = planted_by(law),
                       .frame_count = PLANTED,
                       .answers = p->answers,
                       .truths = p->truths, /* bench_truth_for changes no force, because
                                               `planted` is not a method of the truth */
                       .judgements = p->judgements};
    assert_ok(bench_forces_measure(&p->scene, &cell, ERR));
    return cell;
}

static void release_reports(bench_cell *cell)
{
    for (int law = 0; law < ALG_LAW_COUNT; law++) {
        bench_force_report_release(&cell->forces[law]);
    }
}

/**
 * A variant with a law is compared with the ideal of this law and with the ideal by area. A variant
 * without a law is compared with the ideals by area and by depth.
 */
Test(forces, planted_gains_and_errors_by_each_ideal)
{
    static plant p;
    static const double gains[] = {0.25, 4, 32}, angles[] = {0, 3, 10};
    for (int law = ALG_LAW_AREA; law < ALG_LAW_COUNT; law++) {
        const int axis = law - ALG_LAW_AREA;
        make_plant(&p);
        answer_along(&p, axis, gains[axis], angles[axis]);
        bench_cell cell = measure_plant(&p, (alg_law)law);
        for (int ideal = 0; ideal < ALG_LAW_COUNT; ideal++) {
            const bench_force_report *const r = &cell.forces[ideal];
            const bool held = ideal == law || ideal == ALG_LAW_AREA;
            cr_expect_eq(r->force != NULL, held, "law %d, ideal %d", law, ideal);
            if (ideal == law) {
                const bench_force_fit *const fits[2] = {&r->metrics.force, &r->metrics.torque};
                for (int i = 0; i < 2; i++) {
                    const double gain = (1 + i) * gains[axis];
                    cr_expect(fits[i]->frames == PLANTED && fits[i]->left_out == 0);
                    EXPECT_NEAR(fits[i]->gain, gain, 1e-12 * gain, "%.17g", fits[i]->gain);
                    EXPECT_NEAR(fits[i]->magnitude_max, 0, 1e-14, "%g", fits[i]->magnitude_max);
                    EXPECT_NEAR(fits[i]->direction_median_deg, angles[axis], 1e-11, "law %d", law);
                    EXPECT_NEAR(fits[i]->direction_p99_deg, angles[axis], 1e-11, "law %d", law);
                }
            } else if (held) {
                cr_expect_gt(r->metrics.force.direction_median_deg, 79, "law %d, ideal %d", law,
                             ideal);
            }
        }
        for (size_t f = 0; f < PLANTED; f++) {
            const double *const errors = p.judgements[f].errors;
            EXPECT_NEAR(errors[BENCH_FORCE_DIRECTION_DEG], angles[axis], 1e-11, "frame %zu", f);
            EXPECT_NEAR(errors[BENCH_TORQUE_DIRECTION_DEG], angles[axis], 1e-11, "frame %zu", f);
            EXPECT_NEAR(errors[BENCH_FORCE_ERROR_REL], 2 * base_sin(BASE_PI / 360 * angles[axis]),
                        1e-12, "frame %zu", f);
        }
        release_reports(&cell);
    }
    make_plant(&p);
    answer_along(&p, 1, 2, 0);
    bench_cell cell = measure_plant(&p, ALG_LAW_NONE);
    EXPECT_NEAR(cell.forces[ALG_LAW_AREA].metrics.force.direction_median_deg, 90, 1e-12, "area");
    EXPECT_NEAR(cell.forces[ALG_LAW_DEPTH].metrics.force.direction_median_deg, 0, 0, "depth");
    cr_expect_null(cell.forces[ALG_LAW_DEPTH_EXCHANGED].force);
    EXPECT_NEAR(p.judgements[3].errors[BENCH_FORCE_DIRECTION_DEG], 90, 1e-12,
                "frames are judged by area");
    release_reports(&cell);
}

/** If an ideal is known in closed form, answers are compared with it, not with the truth. */
Test(forces, known_ideals_come_before_the_truth)
{
    static plant p;
    make_plant(&p);
    for (size_t f = 0; f < PLANTED; f++) {
        scn_known *const known = &p.frames[f].known;
        known->mask = SCN_KNOWN_FORCE | SCN_KNOWN_DEPTH_FORCE;
        known->force_m2 = along(1, 1);
        known->torque_m3 = along(1, 2);
        known->depth_force_m3 = along(2, 1);
        known->depth_torque_m4 = along(2, 2);
    }
    static const int axes[ALG_LAW_COUNT] = {0, 1, 2, 2};
    for (int law = ALG_LAW_AREA; law < ALG_LAW_COUNT; law++) {
        answer_along(&p, axes[law], 1, 0);
        bench_cell cell = measure_plant(&p, (alg_law)law);
        const bench_force_metrics *const m = &cell.forces[law].metrics;
        EXPECT_NEAR(m->force.direction_max_deg, 0, 0, "law %d: %g", law,
                    m->force.direction_max_deg);
        EXPECT_NEAR(m->torque.direction_max_deg, 0, 0, "law %d", law);
        /* Answers grow from frame to frame, but known ideals have the same size in all frames. No
         * ideal of the exchanged law is known, so it is taken from the truth, which grows like the
         * answers. */
        cr_expect_eq(m->force.magnitude_max < 1e-14, law == ALG_LAW_DEPTH_EXCHANGED, "law %d", law);
        release_reports(&cell);
    }
}

/**
 * The ideal of frame 0 has no certificate. The bound of the force is too large in frame 1, and that
 * of the torque in frame 2. Frame 3 has no answer.
 */
Test(forces, frames_without_an_ideal_are_counted)
{
    static plant p;
    make_plant(&p);
    answer_along(&p, 1, 1, 0);
    p.truths[0].depth_force.certified = 0;
    p.truths[1].depth_force.force_bound_m3 = 0.1 * 2;
    p.truths[2].depth_force.torque_bound_m4 = 0.1 * 6;
    p.answers[3].answered = 0; /* the force is then not an answer */
    bench_cell cell = measure_plant(&p, ALG_LAW_DEPTH);
    const bench_force_metrics *const m = &cell.forces[ALG_LAW_DEPTH].metrics;
    cr_expect(m->force.frames == PLANTED - 3 && m->force.left_out == 2, "%llu and %llu",
              (unsigned long long)m->force.frames, (unsigned long long)m->force.left_out);
    cr_expect(m->torque.frames == PLANTED - 3 && m->torque.left_out == 2, "%llu and %llu",
              (unsigned long long)m->torque.frames, (unsigned long long)m->torque.left_out);
    cr_expect(isnan(p.judgements[0].errors[BENCH_FORCE_DIRECTION_DEG]) &&
              isnan(p.judgements[1].errors[BENCH_FORCE_DIRECTION_DEG]) &&
              p.judgements[2].errors[BENCH_FORCE_DIRECTION_DEG] == 0 &&
              isnan(p.judgements[2].errors[BENCH_TORQUE_DIRECTION_DEG]) &&
              isnan(p.judgements[3].errors[BENCH_FORCE_DIRECTION_DEG]));
    release_reports(&cell);
    make_plant(&p);
    answer_along(&p, 1, 1, 0);
    p.scene.certificate = 2;
    cell = measure_plant(&p, ALG_LAW_DEPTH);
    cr_expect_null(cell.forces[ALG_LAW_DEPTH].force, "the certificate is 1, and 2 is required");
    release_reports(&cell);
}

/**
 * A variant with a law by depth asks the truth for the ideal of this law, unless the ideal is known
 * in all frames. A variant without a law asks for the ideal by depth, unless one of its two ideals
 * is known in all frames.
 */
Test(forces, a_variant_asks_the_truth_only_for_ideals_that_it_needs)
{
    scn_frame frames[2] = {{.known.mask = SCN_KNOWN_DEPTH_FORCE}, {.known.mask = SCN_KNOWN_FORCE}};
    scn_trajectory some = {.frames = frames, .frame_count = 2};
    scn_trajectory all = {.frames = frames, .frame_count = 1};
    scn_trajectory area = {.frames = frames + 1, .frame_count = 1}; /* the ideal by area is known */
    enum { DEPTH = GT_WANT_DEPTH_FORCE, EXCHANGED = GT_WANT_DEPTH_FORCE_EXCHANGED };
    static const struct {
        unsigned some, all, area;
    } expected[ALG_LAW_COUNT] = {
        [ALG_LAW_NONE] = {DEPTH, 0, 0},
        [ALG_LAW_AREA] = {0, 0, 0},
        [ALG_LAW_DEPTH] = {DEPTH, 0, DEPTH},
        [ALG_LAW_DEPTH_EXCHANGED] = {EXCHANGED, EXCHANGED, EXCHANGED},
    };
    for (int law = 0; law < ALG_LAW_COUNT; law++) {
        const alg_variant variant = planted_by((alg_law)law);
        cr_expect_eq(bench_ideals_truth(&variant, &some), expected[law].some, "law %d", law);
        cr_expect_eq(bench_ideals_truth(&variant, &all), expected[law].all, "law %d", law);
        cr_expect_eq(bench_ideals_truth(&variant, &area), expected[law].area, "law %d", law);
    }
    const alg_algorithm silent = {.name = "silent", .contract = nothing};
    const alg_variant variant = {.algorithm = &silent};
    cr_expect_eq(bench_ideals_truth(&variant, &some), 0);
}

/* --- Files ------------------------------------------------------------------------------------ */

/** Each metric has its own offset and its own name. */
Test(force, every_metric_is_a_column)
{
    cr_expect_eq(bench_force_columns.count * sizeof(double), sizeof(bench_force_metrics));
    for (size_t i = 0; i < bench_force_columns.count; i++) {
        const bench_column *const c = &bench_force_columns.items[i];
        for (size_t k = 0; k < i; k++) {
            cr_expect_str_neq(c->name, bench_force_columns.items[k].name);
            cr_expect_neq(c->offset, bench_force_columns.items[k].offset, "%s and %s", c->name,
                          bench_force_columns.items[k].name);
        }
    }
    /* The errors of frames come first; cells.csv has its own statistics of them. */
    const size_t errors = bench_force_columns.count - bench_force_run_columns.count;
    for (size_t i = 0; i < bench_force_columns.count; i++) {
        const char *const name = bench_force_columns.items[i].name;
        const bool of_frames = strstr(name, "_rel_") || strstr(name, "_deg_");
        cr_expect_eq(of_frames, i < errors, "%s", name);
    }
}

static void expect_text(const base_csv *table, size_t row, const char *column, const char *text)
{
    cr_expect_str_eq(base_csv_text(table, row, base_csv_find(table, column)), text, "%s", column);
}

/** The rows of a cell are read back; a cell without forces has no row. */
Test(force, a_row_of_the_file)
{
    bench_force_frame frames[FRAMES];
    make_loop(frames);
    for (size_t k = 0; k < FRAMES; k++) {
        frames[k].force = vec3_make(0, 2, 0);
    }
    alg_variant variant = {.algorithm = &alg_ist};
    bench_cell cell = {.name = "ist:voxels=16",
                       .scenario = "s/t",
                       .variant = variant,
                       .forces[ALG_LAW_AREA] = measure(frames, FRAMES)};
    for (size_t k = 0; k < FRAMES; k++) {
        frames[k].force = vec3_make(0, 4, 0);
    }
    cell.forces[ALG_LAW_DEPTH] = measure(frames, FRAMES);
    const bench_cell silent = {.name = "floor", .scenario = "s/t", .variant = variant};
    char path[] = "/tmp/proxbench-force-XXXXXX";
    const int descriptor = mkstemp(path);
    cr_assert(descriptor >= 0);
    FILE *const file = fdopen(descriptor, "w");
    base_csv_writer w = {.file = file};
    bench_columns_put_names(bench_forces_columns, &w);
    base_csv_end(&w);
    bench_forces_put(file, &silent);
    bench_forces_put(file, &cell);
    fclose(file);
    SCOPED_CSV table;
    bench_force_metrics back;
    assert_ok(base_csv_read(path, NULL, &table, ERR));
    unlink(path);
    /* This variant has no law. So it has a row for each of the two ideals, and the row for area is
     * marked as its own. */
    cr_assert_eq(table.rows, 2);
    for (size_t row = 0; row < 2; row++) {
        const bench_force_report *const report =
            &cell.forces[row == 0 ? ALG_LAW_AREA : ALG_LAW_DEPTH];
        expect_text(&table, row, "variant", "ist:voxels=16");
        expect_text(&table, row, "quantity", "force");
        expect_text(&table, row, "file", "ist_voxels=16");
        expect_text(&table, row, "ideal", row == 0 ? "area" : "depth");
        expect_text(&table, row, "own", row == 0 ? "1" : "0");
        assert_ok(bench_columns_read(bench_force_columns, &table, row, &back, ERR));
        char room[2][BENCH_FIELD_BYTES];
        for (size_t i = 0; i < bench_force_columns.count; i++) {
            const bench_column *const c = &bench_force_columns.items[i];
            cr_expect_str_eq(bench_column_text(c, &back, room[0]),
                             bench_column_text(c, &report->metrics, room[1]), "%s", c->name);
        }
        cr_expect_eq(back.force.gain, row == 0 ? 0.5 : 0.25);
    }
    bench_cell_release(&cell);
}

Test(force, a_spectrogram_as_a_file)
{
    bench_force_frame frames[BENCH_WINDOW + BENCH_HOP];
    make_frames(frames, BENCH_WINDOW + BENCH_HOP);
    bench_force_report report = measure(frames, BENCH_WINDOW + BENCH_HOP);
    report.spectrogram.power[BENCH_BINS + 2] = 0.01;
    char path[] = "/tmp/proxbench-force-XXXXXX";
    const int file = mkstemp(path);
    cr_assert(file >= 0);
    close(file);
    assert_ok(bench_spectrogram_write(path, &report.spectrogram, ERR));
    base_csv table;
    assert_ok(base_csv_read(path, NULL, &table, ERR));
    cr_expect_eq(table.rows, 2 * BENCH_BINS);
    double t_s, f_hz, power_db;
    const size_t row = BENCH_BINS + 2;
    assert_ok(base_csv_number(&table, row, base_csv_find(&table, "t_s"), &t_s, ERR));
    assert_ok(base_csv_number(&table, row, base_csv_find(&table, "f_hz"), &f_hz, ERR));
    assert_ok(base_csv_number(&table, row, base_csv_find(&table, "power_db"), &power_db, ERR));
    EXPECT_NEAR(t_s, 0.1915, 1e-12, "%.17g", t_s);
    EXPECT_NEAR(f_hz, 7.8125, 1e-9, "%.17g", f_hz);
    EXPECT_NEAR(power_db, -20, 1e-12, "%.17g", power_db);
    base_csv_release(&table);
    bench_force_report_release(&report);
    unlink(path);
}
