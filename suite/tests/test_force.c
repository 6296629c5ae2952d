#include "base/elementary.h"
#include "base/memory.h"
#include "base/random.h"
#include "geometry/pose.h"
#include "geometry/random.h"
#include "suite/results/forces.h"
#include "suite/results/spectrum.h"

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

/** In contact all the time, at 1 kHz; force and torque are ideal, 1 along x and 2 along z. */
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
    base_error err = {0};
    cr_assert_eq(bench_force_measure(frames, count, &report, &err), BASE_OK, "%s", err.text);
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

/** Only the unit is another one. */
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
    bench_force_report report = measure(frames, FRAMES);
    const bench_force_metrics *const m = &report.metrics;
    cr_expect_eq(m->force.direction_mean_deg, 180);
    cr_expect_eq(m->force.direction_median_deg, 180);
    cr_expect_eq(m->force.direction_p95_deg, 180);
    cr_expect_eq(m->force.direction_max_deg, 180);
    cr_expect_eq(m->torque.direction_max_deg, 0, "the torque is right");
    EXPECT_NEAR(m->force.magnitude_max, 0, 1e-15, "a size has no sign");
    EXPECT_NEAR(report.force[7].direction_deg, 180, 0, "frame 7");
    bench_force_report_release(&report);
}

/** g = (1 * 1 + 2 * 1) / (1 + 1) = 1.5 */
Test(force, gain_and_magnitude_by_hand)
{
    bench_force_frame frames[3];
    make_frames(frames, 3);
    frames[1].ideal_force = vec3_make(0, 2, 0);
    frames[1].force = vec3_make(0, 1, 0);
    frames[2].force = vec3_make(0, 0, 0);
    bench_force_report report = measure(frames, 3);
    const bench_force_fit *const f = &report.metrics.force;
    cr_expect_eq(f->frames, 2, "%llu frames", (unsigned long long)f->frames);
    cr_expect_eq(f->gain, 1.5, "%.17g", f->gain);
    cr_expect_eq(report.force[0].magnitude, 0.25, "%.17g", report.force[0].magnitude);
    cr_expect_eq(report.force[1].magnitude, -0.25, "%.17g", report.force[1].magnitude);
    cr_expect(isnan(report.force[2].magnitude) && isnan(report.force[2].direction_deg));
    cr_expect_eq(f->magnitude_mean, 0.25);
    cr_expect_eq(f->magnitude_rms, 0.25);
    cr_expect_eq(f->magnitude_max, 0.25);
    bench_force_report_release(&report);
}

/** 90 frames are right, 10 off by 1 to 10 degrees. */
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

/** An arc cosine would lose them: cos(1e-9) is 1. */
Test(force, small_angles_and_small_defects_of_180_degrees)
{
    bench_force_frame frames[2];
    for (double angle = 1e-3; angle > 1e-14; angle *= 0.1) {
        make_frames(frames, 2);
        frames[0].force = vec3_make(base_cos(angle), base_sin(angle), 0);
        frames[1].force = vec3_scale(-1, frames[0].force);
        bench_force_report report = measure(frames, 2);
        const double near = report.force[0].direction_deg * (BASE_PI / 180);
        const double far = (180 - report.force[1].direction_deg) * (BASE_PI / 180);
        EXPECT_NEAR(near, angle, 1e-12 * angle, "%g: %.17g", angle, near);
        EXPECT_NEAR(far, angle, 1e-15, "%g from 180 degrees: %.17g", angle, far);
        bench_force_report_release(&report);
    }
}

Test(force, what_is_next_to_nothing_has_no_direction)
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

/* --- Noise ------------------------------------------------------------------------------------ */

/** Two components shake at `f_hz` with the amplitude 1e-3 beside an ideal force of size 2. */
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
    /* Both components together: 1e-6, of 4. */
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

/** The louder one starts half way: it is where it is, at its own frequency. */
Test(force, the_spectrogram_says_when_and_where)
{
    bench_force_frame frames[FRAMES];
    make_frames(frames, FRAMES);
    shake(frames, FRAMES / 2, 125);
    bench_force_report report = measure(frames, FRAMES);
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
    bench_force_report_release(&report);
}

/** Another rate: 2 kHz put the same samples at twice the frequency. */
Test(force, the_rate_is_that_of_the_frames)
{
    bench_force_frame frames[FRAMES];
    make_frames(frames, FRAMES);
    shake(frames, 0, 20);
    const double slow = metrics_of(frames, FRAMES).noise_db;
    for (size_t k = 0; k < FRAMES; k++) {
        frames[k].t_s *= 0.5;
    }
    bench_force_report report = measure(frames, FRAMES);
    EXPECT_NEAR(report.spectrogram.bin_hz, 7.8125, 1e-9, "%g", report.spectrogram.bin_hz);
    EXPECT_NEAR(report.metrics.noise_db, -60, 0.1, "%g", report.metrics.noise_db);
    cr_expect(slow < -70, "%g", slow);
    bench_force_report_release(&report);
}

/** One change in fifty is three times as large as it ought to be. */
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

/** Contact from 100 to 200 and from 300 to 400, with a force `onset` and `release` frames later. */
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

/** A mean over both contacts, of those that are felt. */
Test(force, lags_are_means_of_what_is_felt)
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
    cr_expect_eq(m.onset_lag_frames, 4, "the second is not felt: %g", m.onset_lag_frames);
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

/** Once around an ellipse, while B turns once about z. */
static void make_loop(bench_force_frame *frames)
{
    make_frames(frames, FRAMES);
    for (size_t k = 0; k < FRAMES; k++) {
        const double angle = 2 * BASE_PI * ((double)(k % (FRAMES - 1)) / (FRAMES - 1));
        const double s = base_sin(0.5 * angle), c = base_cos(0.5 * angle);
        frames[k].centroid = vec3_make(2 * base_cos(angle), base_sin(angle), 0.5);
        /* q and -q are one orientation. */
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

/** A spring between the turn about z and its half turn: T = -sin(angle), E = 1 - cos(angle). */
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
    cr_expect(metrics_of(frames, BENCH_WINDOW).noise_db <= -290);
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
    bench_force_report report = measure(frames, FRAMES);
    const bench_force_metrics *const m = &report.metrics;
    cr_expect_eq(m->force.frames, 0);
    cr_expect(isnan(m->force.gain) && isnan(m->force.magnitude_mean) &&
              isnan(m->force.magnitude_rms) && isnan(m->force.magnitude_max) &&
              isnan(m->force.direction_mean_deg) && isnan(m->force.direction_p95_deg) &&
              isnan(m->noise_db) && isnan(m->jerkiness) && isnan(m->loop_work));
    cr_expect(m->misses == 0 && m->chatter == 0 && report.spectrogram.count == 0);
    bench_force_report_release(&report);
}

/** A frame that is no number is as if it were not there; stretches that hold it are not heard. */
Test(force, frames_that_are_no_numbers_are_left_out)
{
    bench_force_frame frames[FRAMES];
    const double bad[] = {(double)NAN, (double)INFINITY};
    for (size_t i = 0; i < 2; i++) {
        make_frames(frames, FRAMES);
        frames[500].force = vec3_make(0, bad[i], 0);
        frames[501].ideal_torque = vec3_make(bad[i], 0, 0);
        bench_force_report report = measure(frames, FRAMES);
        const bench_force_metrics *const m = &report.metrics;
        cr_expect_eq(m->force.frames, FRAMES - 2);
        cr_expect_eq(m->torque.frames, FRAMES - 2);
        cr_expect(m->force.gain == 1 && m->force.magnitude_max == 0 && m->torque.gain == 1);
        cr_expect(isnan(report.force[500].direction_deg) && isnan(report.torque[500].magnitude) &&
                  isnan(report.force[501].magnitude));
        /* Those that begin from 256 (246 + 10) to 500 hold one of them. */
        cr_expect_eq(report.spectrogram.count, 13 - 4, "%zu", report.spectrogram.count);
        cr_expect(m->noise_db <= -290, "%g", m->noise_db);
        cr_expect(m->chatter == 0 && m->misses == 0);
        bench_force_report_release(&report);
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
    base_error err = {0};
    size_t failures = 0;
    for (size_t n = 0;; n++) {
        base_memory_fail_after(n);
        const base_status status = bench_force_measure(frames, FRAMES, &report, &err);
        base_memory_fail_after(SIZE_MAX);
        if (status == BASE_OK) {
            break;
        }
        failures++;
        cr_expect_eq(status, BASE_ERR_MEMORY, "after %zu", n);
        cr_expect(!report.force && !report.torque && !report.spectrogram.power, "after %zu", n);
    }
    cr_expect_eq(failures, 7, "%zu", failures);
    bench_force_report_release(&report);
}

/* --- Files ------------------------------------------------------------------------------------ */

Test(force, decibels)
{
    EXPECT_NEAR(bench_decibels(1), 0, 0, "1");
    EXPECT_NEAR(bench_decibels(1000), 30, 1e-12, "1000");
    EXPECT_NEAR(bench_decibels(0.5), -3.0102999566398121, 1e-14, "0.5");
    cr_expect_eq(bench_decibels(0), -300);
    cr_expect_eq(bench_decibels(1e-40), -300);
}

/** Each metric has its own place and its own name. */
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
    /* Those of frames first, of which cells.csv has statistics anyway. */
    const size_t errors = bench_force_columns.count - bench_force_run_columns.count;
    for (size_t i = 0; i < bench_force_columns.count; i++) {
        const char *const name = bench_force_columns.items[i].name;
        const bool of_frames = strstr(name, "_rel_") || strstr(name, "_deg_");
        cr_expect_eq(of_frames, i < errors, "%s", name);
    }
}

Test(force, none_is_empty)
{
    const bench_force_metrics none = bench_force_none();
    char room[BENCH_FIELD_BYTES];
    for (size_t i = 0; i < bench_force_columns.count; i++) {
        const bench_column *const c = &bench_force_columns.items[i];
        cr_expect_str_eq(bench_column_text(c, &none, room), "", "%s", c->name);
    }
}

/** What a cell's row says is read back; a cell without forces has none. */
Test(force, a_row_of_the_file)
{
    bench_force_frame frames[FRAMES];
    make_loop(frames);
    for (size_t k = 0; k < FRAMES; k++) {
        frames[k].force = vec3_make(0, 2, 0);
    }
    bench_cell cell = {
        .name = "ist:voxels=16", .scenario = "s/t", .force = measure(frames, FRAMES)};
    const bench_cell silent = {.name = "floor", .scenario = "s/t"};
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
    base_error err = {0};
    base_csv table;
    bench_force_metrics back;
    cr_assert_eq(base_csv_read(path, NULL, &table, &err), BASE_OK, "%s", err.text);
    unlink(path);
    cr_assert_eq(table.rows, 1);
    cr_expect_str_eq(base_csv_text(&table, 0, base_csv_find(&table, "variant")), "ist:voxels=16");
    cr_expect_str_eq(base_csv_text(&table, 0, base_csv_find(&table, "quantity")), "force");
    cr_expect_str_eq(base_csv_text(&table, 0, base_csv_find(&table, "file")), "ist_voxels=16");
    cr_assert_eq(bench_columns_read(bench_force_columns, &table, 0, &back, &err), BASE_OK, "%s",
                 err.text);
    char room[2][BENCH_FIELD_BYTES];
    for (size_t i = 0; i < bench_force_columns.count; i++) {
        const bench_column *const c = &bench_force_columns.items[i];
        cr_expect_str_eq(bench_column_text(c, &back, room[0]),
                         bench_column_text(c, &cell.force.metrics, room[1]), "%s", c->name);
    }
    cr_expect_eq(back.force.gain, 0.5);
    base_csv_release(&table);
    bench_force_report_release(&cell.force);
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
    base_error err = {0};
    cr_assert_eq(bench_spectrogram_write(path, &report.spectrogram, &err), BASE_OK, "%s", err.text);
    base_csv table;
    cr_assert_eq(base_csv_read(path, NULL, &table, &err), BASE_OK, "%s", err.text);
    cr_expect_eq(table.rows, 2 * BENCH_BINS);
    double t_s, f_hz, power_db;
    const size_t row = BENCH_BINS + 2;
    cr_assert_eq(base_csv_number(&table, row, base_csv_find(&table, "t_s"), &t_s, &err), BASE_OK);
    cr_assert_eq(base_csv_number(&table, row, base_csv_find(&table, "f_hz"), &f_hz, &err), BASE_OK);
    cr_assert_eq(base_csv_number(&table, row, base_csv_find(&table, "power_db"), &power_db, &err),
                 BASE_OK);
    EXPECT_NEAR(t_s, 0.1915, 1e-12, "%.17g", t_s);
    EXPECT_NEAR(f_hz, 7.8125, 1e-9, "%.17g", f_hz);
    EXPECT_NEAR(power_db, -20, 1e-12, "%.17g", power_db);
    base_csv_release(&table);
    bench_force_report_release(&report);
    unlink(path);
}
