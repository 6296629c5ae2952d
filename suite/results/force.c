#include "suite/results/force.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "geometry/pose.h"
#include "geometry/vec.h"
#include "suite/output.h"
#include "suite/quantity.h"
#include "suite/results/cells.h"
#include "suite/results/judge.h"
#include "suite/results/run_folder.h"
#include "suite/results/stats.h"

#include <math.h>
#include <string.h>

/* Relative to the largest norm. A vector at or below this limit has no meaningful direction, and
 * its contact is not felt. */
#define SILENT_RELATIVE 1e-6
/* A path is closed if its last pose differs from the first by at most this: the position relative
 * to the path's length, the orientation in radians. */
#define CLOSED_RELATIVE 1e-9
/* sin(1 degree): the largest accepted uncertainty of the ideal's direction. */
#define IDEAL_RELATIVE 0.017452406437283512
/* Range of vibrations in the haptic sense; the upper end is half of a 1 kHz rate. */
#define NOISE_LEAST_HZ    30
#define NOISE_GREATEST_HZ 500
#define DECIBELS_LEAST    (-300)
#define DEGREES           (180 / BASE_PI)

/** Input and buffers of all metrics. */
typedef struct signal {
    const bench_force_frame *frames; /* borrowed */
    size_t count;
    bool *usable;   /* count entries: every number is finite */
    bool *felt;     /* count entries: the force is not negligible; an excluded frame has the value
                       of the frame before it */
    double *values; /* buffer for sorting */
} signal;

static bool is_answered(const bench_force_frame *f)
{
    return vec3_isfinite(f->force) && vec3_isfinite(f->torque);
}

static base_status signal_init(const bench_force_frame *frames, size_t count, signal *s,
                               base_error *err)
{
    *s = (signal){frames, count, base_alloc(count, sizeof *s->usable),
                  base_alloc(count, sizeof *s->felt), base_alloc(count, sizeof *s->values)};
    if (!s->usable || !s->felt || !s->values) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu forces", count);
    }
    double largest = 0;
    for (size_t k = 0; k < count; k++) {
        const bench_force_frame *const f = &frames[k];
        s->usable[k] =
            is_answered(f) && vec3_isfinite(f->ideal_force) && vec3_isfinite(f->ideal_torque);
        largest = s->usable[k] ? fmax(largest, vec3_norm(f->force)) : largest;
    }
    for (size_t k = 0; k < count; k++) {
        s->felt[k] = s->usable[k] ? vec3_norm(frames[k].force) > SILENT_RELATIVE * largest
                                  : k > 0 && s->felt[k - 1];
    }
    return BASE_OK;
}

static void signal_release(signal *s)
{
    base_free(s->usable);
    base_free(s->felt);
    base_free(s->values);
}

/** Sorts the first `count` values and returns a nearest-rank percentile; NaN if count is 0. */
static double percentile(double *values, size_t count, double percent)
{
    bench_stats_sort_numbers(values, count);
    return count > 0 ? bench_stats_percentile_number(values, count, percent) : (double)NAN;
}

/* --- Magnitude and direction ------------------------------------------------------------------ */

/**
 * Selects the force or the torque: the answered vector, the ideal vector and the bound of its
 * error.
 */
typedef struct answered_vector {
    size_t measured, ideal, bound; /* offsets in bench_force_frame */
} answered_vector;

static const answered_vector the_force = {offsetof(bench_force_frame, force),
                                          offsetof(bench_force_frame, ideal_force),
                                          offsetof(bench_force_frame, force_bound)};
static const answered_vector the_torque = {offsetof(bench_force_frame, torque),
                                           offsetof(bench_force_frame, ideal_torque),
                                           offsetof(bench_force_frame, torque_bound)};

static vec3 vector_at(const bench_force_frame *frame, size_t offset)
{
    vec3 v;
    memcpy(&v, (const char *)frame + offset, sizeof v);
    return v;
}

/**
 * True if the bound of the ideal is small relative to this frame's ideal vector or negligible
 * relative to the largest one. (A frame with a negligible ideal vector is not left out: find_gain
 * excludes it by its size.)
 */
static bool is_narrow(const bench_force_frame *frame, const answered_vector *v, double largest)
{
    double bound;
    memcpy(&bound, (const char *)frame + v->bound, sizeof bound);
    return bound <= SILENT_RELATIVE * largest ||
           bound <= IDEAL_RELATIVE * vec3_norm(vector_at(frame, v->ideal));
}

/**
 * Returns the gain. Sets *largest_ideal to the largest norm of the ideal, and *left_out to the
 * number of answered frames without an accurate ideal. Sets errors[k].magnitude to 0 in the frames
 * of K and to NaN elsewhere.
 */
static double find_gain(const signal *s, const answered_vector *v, bench_force_error *errors,
                        double *largest_ideal, uint64_t *left_out)
{
    double largest = 0, products = 0, squares = 0;
    *left_out = 0;
    *largest_ideal = 0;
    for (size_t k = 0; k < s->count; k++) {
        if (s->usable[k]) {
            largest = fmax(largest, vec3_norm(vector_at(&s->frames[k], v->measured)));
            *largest_ideal = fmax(*largest_ideal, vec3_norm(vector_at(&s->frames[k], v->ideal)));
        }
    }
    for (size_t k = 0; k < s->count; k++) {
        const double f = vec3_norm(vector_at(&s->frames[k], v->measured));
        const double g = vec3_norm(vector_at(&s->frames[k], v->ideal));
        const bool known = s->usable[k] && is_narrow(&s->frames[k], v, *largest_ideal);
        const bool in_k =
            known && f > SILENT_RELATIVE * largest && g > SILENT_RELATIVE * *largest_ideal;
        *left_out += is_answered(&s->frames[k]) && !known;
        errors[k] = (bench_force_error){in_k ? 0 : (double)NAN, NAN};
        products += in_k ? f * g : 0;
        squares += in_k ? f * f : 0;
    }
    return products / squares;
}

static bench_force_fit fit(const signal *s, const answered_vector *v, bench_force_error *errors)
{
    double largest, sum = 0, squares = 0, greatest = 0, directions = 0;
    bench_force_fit result = {0};
    result.gain = find_gain(s, v, errors, &largest, &result.left_out);
    for (size_t k = 0; k < s->count; k++) {
        if (isnan(errors[k].magnitude)) {
            continue;
        }
        const vec3 f = vector_at(&s->frames[k], v->measured),
                   g = vector_at(&s->frames[k], v->ideal);
        errors[k].magnitude = (result.gain * vec3_norm(f) - vec3_norm(g)) / largest;
        /* atan2 avoids cancellation near 0 and 180 degrees. */
        const vec3 n_f = vec3_normalize(f), n_g = vec3_normalize(g);
        errors[k].direction_deg =
            DEGREES * base_atan2(vec3_norm(vec3_cross(n_f, n_g)), vec3_dot(n_f, n_g));
        const double off = fabs(errors[k].magnitude);
        sum += off;
        squares += off * off;
        greatest = fmax(greatest, off);
        directions += errors[k].direction_deg;
        s->values[result.frames++] = errors[k].direction_deg;
    }
    const double n = (double)result.frames;
    result.magnitude_mean = sum / n;
    result.magnitude_rms = sqrt(squares / n);
    result.magnitude_max = n > 0 ? greatest : (double)NAN;
    result.direction_mean_deg = directions / n;
    result.direction_median_deg = percentile(s->values, result.frames, 50);
    result.direction_p95_deg = percentile(s->values, result.frames, 95);
    result.direction_p99_deg = percentile(s->values, result.frames, 99);
    result.direction_max_deg = percentile(s->values, result.frames, 100);
    return result;
}

/* --- Spectrum --------------------------------------------------------------------------------- */

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

/**
 * Fourier-transforms x in place. The input is in bit-reversed order. Joins pairs of transforms of
 * length 1, 2, 4, ...
 */
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
        /* All bins except the first and the last stand for two frequencies, a positive and a
         * negative one. */
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

size_t bench_spectrum_segments(size_t count)
{
    return count < BENCH_WINDOW ? 0 : (count - BENCH_WINDOW) / BENCH_HOP + 1;
}

/* --- Noise ------------------------------------------------------------------------------------ */

/** Returns 10 log10(power), at least -300. */
static double decibels(double power)
{
    const double db = 10 / base_log(10) * base_log(power);
    return db > DECIBELS_LEAST ? db : DECIBELS_LEAST;
}

/** Adds the power of the residual in one segment. Returns the power of the ideal force. */
static double add_segment(const bench_spectrum *spectrum, const bench_force_frame *frames,
                          double gain, double power[BENCH_BINS])
{
    double residual[3][BENCH_WINDOW], squares[BENCH_WINDOW];
    for (size_t i = 0; i < BENCH_WINDOW; i++) {
        const vec3 g = frames[i].ideal_force, off = vec3_sub(vec3_scale(gain, frames[i].force), g);
        for (int axis = 0; axis < 3; axis++) {
            residual[axis][i] = vec3_get(off, axis);
        }
        squares[i] = vec3_norm2(g);
    }
    for (int axis = 0; axis < 3; axis++) {
        bench_spectrum_add(spectrum, residual[axis], power);
    }
    return bench_spectrum_mean(spectrum, squares);
}

static bool all_usable(const bool *usable)
{
    bool all = true;
    for (size_t i = 0; i < BENCH_WINDOW; i++) {
        all = all && usable[i];
    }
    return all;
}

static void spectrogram_release(bench_spectrogram *spectrogram)
{
    base_free(spectrogram->t_s);
    base_free(spectrogram->power);
    *spectrogram = (bench_spectrogram){0};
}

static base_status make_spectrogram(const signal *s, double gain, bench_spectrogram *spectrogram,
                                    base_error *err)
{
    const size_t most = bench_spectrum_segments(s->count);
    const double duration_s = most > 0 ? s->frames[s->count - 1].t_s - s->frames[0].t_s : 0;
    if (!isfinite(gain) || !(duration_s > 0)) {
        return BASE_OK;
    }
    spectrogram->t_s = base_alloc(most, sizeof *spectrogram->t_s);
    spectrogram->power = base_alloc(most, BENCH_BINS * sizeof *spectrogram->power);
    if (!spectrogram->t_s || !spectrogram->power) {
        spectrogram_release(spectrogram);
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a spectrogram of %zu frames",
                         s->count);
    }
    spectrogram->bin_hz = (double)(s->count - 1) / duration_s / BENCH_WINDOW;
    bench_spectrum spectrum;
    bench_spectrum_init(&spectrum);
    double ideal = 0;
    for (size_t i = 0; i < most; i++) {
        const size_t first = i * BENCH_HOP;
        if (all_usable(s->usable + first)) {
            const size_t row = spectrogram->count++;
            const bench_force_frame *const frames = s->frames + first;
            spectrogram->t_s[row] = 0.5 * (frames[0].t_s + frames[BENCH_WINDOW - 1].t_s);
            ideal += add_segment(&spectrum, frames, gain, spectrogram->power + row * BENCH_BINS);
        }
    }
    if (!(ideal > 0)) {
        spectrogram_release(spectrogram);
        return BASE_OK;
    }
    const double mean = ideal / (double)spectrogram->count;
    for (size_t i = 0; i < spectrogram->count * BENCH_BINS; i++) {
        spectrogram->power[i] /= mean;
    }
    return BASE_OK;
}

static double noise_db(const bench_spectrogram *spectrogram)
{
    double sum = 0;
    for (size_t i = 0; i < spectrogram->count; i++) {
        for (size_t bin = 0; bin < BENCH_BINS; bin++) {
            const double f_hz = (double)bin * spectrogram->bin_hz;
            if (f_hz >= NOISE_LEAST_HZ && f_hz <= NOISE_GREATEST_HZ) {
                sum += spectrogram->power[i * BENCH_BINS + bin];
            }
        }
    }
    return spectrogram->count > 0 ? decibels(sum / (double)spectrogram->count) : (double)NAN;
}

/** Returns the 99th percentile of the changes of a force between successive frames. */
static double change_p99(const signal *s, size_t force)
{
    size_t n = 0;
    for (size_t k = 1; k < s->count; k++) {
        if (s->usable[k - 1] && s->usable[k]) {
            s->values[n++] =
                vec3_distance(vector_at(&s->frames[k], force), vector_at(&s->frames[k - 1], force));
        }
    }
    return percentile(s->values, n, 99);
}

static double jerkiness(const signal *s, double gain)
{
    const double ideal = change_p99(s, the_force.ideal);
    return ideal > 0 ? gain * change_p99(s, the_force.measured) / ideal : (double)NAN;
}

/* --- Felt contact ----------------------------------------------------------------------------- */

/**
 * Returns the number of frames from the true begin of contact at frame `at` (or the true end, if
 * `begins` is false) to the felt one; negative if the felt one is earlier. The search covers the
 * frames from `before`, where the previous true state began, to `after`, where the new one ends.
 * NaN if the felt state does not change in this range.
 */
static double lag(const signal *s, bool begins, size_t before, size_t at, size_t after)
{
    size_t k = at;
    if (s->felt[at] == begins) {
        while (k > before && s->felt[k - 1] == begins) {
            k--;
        }
        return k > before ? -(double)(at - k) : (double)NAN;
    }
    while (k < after && s->felt[k] != begins) {
        k++;
    }
    return k < after ? (double)(k - at) : (double)NAN;
}

/** Returns the first frame after `k` whose true contact state differs from that of frame k. */
static size_t next_toggle(const signal *s, size_t k)
{
    const bool contact = s->frames[k].contact;
    while (k < s->count && s->frames[k].contact == contact) {
        k++;
    }
    return k;
}

/** Returns the mean lag over all begins of contact, or over all ends. */
static double mean_lag(const signal *s, bool begins)
{
    double sum = 0, found = 0;
    size_t before = 0, at = s->count > 0 ? next_toggle(s, 0) : 0;
    while (at < s->count) {
        const size_t after = next_toggle(s, at);
        const double behind =
            s->frames[at].contact == begins ? lag(s, begins, before, at, after) : (double)NAN;
        if (!isnan(behind)) {
            sum += behind;
            found += 1;
        }
        before = at;
        at = after;
    }
    return sum / found;
}

static void measure_contact(const signal *s, bench_force_metrics *metrics)
{
    metrics->onset_lag_frames = mean_lag(s, true);
    metrics->release_lag_frames = mean_lag(s, false);
    metrics->chatter = 0;
    for (size_t k = 1; k < s->count; k++) {
        metrics->chatter += s->felt[k] != s->felt[k - 1];
        metrics->chatter -= s->frames[k].contact != s->frames[k - 1].contact;
    }
    for (size_t k = 0; k < s->count; k++) {
        metrics->misses += s->usable[k] && s->frames[k].contact && !s->felt[k];
    }
}

/* --- Work ------------------------------------------------------------------------------------- */

/** Returns the rotation from one orientation to another as axis times angle. */
static vec3 rotation_between(geo_quat from, geo_quat to)
{
    const geo_quat back = {-from.x, -from.y, -from.z, from.w};
    const geo_quat turn = geo_quat_mul(to, back);
    const vec3 axis = vec3_make(turn.x, turn.y, turn.z);
    const double sine = vec3_norm(axis), sign = turn.w < 0 ? -1 : 1;
    return vec3_scale(sign * 2 * base_atan2(sine, fabs(turn.w)), vec3_normalize(axis));
}

/** Returns the work of a constant force and torque along the motion between two frames. */
static double work(const bench_force_frame *from, const bench_force_frame *to, vec3 force,
                   vec3 torque)
{
    return vec3_dot(force, vec3_sub(to->centroid, from->centroid)) +
           vec3_dot(torque, rotation_between(from->orientation, to->orientation));
}

static bool is_closed(const signal *s)
{
    double way = 0;
    for (size_t k = 1; k < s->count; k++) {
        way += vec3_distance(s->frames[k].centroid, s->frames[k - 1].centroid);
    }
    const bench_force_frame *const first = &s->frames[0], *const last = &s->frames[s->count - 1];
    return vec3_distance(first->centroid, last->centroid) <= CLOSED_RELATIVE * way &&
           vec3_norm(rotation_between(first->orientation, last->orientation)) <= CLOSED_RELATIVE;
}

/**
 * Returns the work along the path, relative to the sum of its absolute values; NaN if the path is
 * not closed. Each step uses the mean of the forces at its ends, which is accurate to second order
 * in the step.
 */
static double loop_work(const signal *s)
{
    double sum = 0, absolute = 0;
    if (s->count < 2 || !is_closed(s)) {
        return NAN;
    }
    for (size_t k = 1; k < s->count; k++) {
        const bench_force_frame *const from = &s->frames[k - 1], *const to = &s->frames[k];
        if (s->usable[k - 1] && s->usable[k]) {
            const vec3 force = vec3_scale(0.5, vec3_add(from->force, to->force));
            const vec3 torque = vec3_scale(0.5, vec3_add(from->torque, to->torque));
            const double done = work(from, to, force, torque);
            sum += done;
            absolute += fabs(done);
        }
    }
    return absolute > 0 ? sum / absolute : (double)NAN;
}

static double energy_error(const signal *s)
{
    double gaps = 0, losses = 0;
    for (size_t k = 1; k + 1 < s->count; k++) {
        const bench_force_frame *const at = &s->frames[k], *const from = at - 1, *const to = at + 1;
        const double lost = from->energy - to->energy;
        if (s->usable[k] && isfinite(lost)) {
            const double gap = work(from, to, at->force, at->torque) - lost;
            gaps += gap * gap;
            losses += lost * lost;
        }
    }
    return losses > 0 ? sqrt(gaps / losses) : (double)NAN;
}

/* --- Report ----------------------------------------------------------------------------------- */

static base_status measure(const signal *s, bench_force_report *report, base_error *err)
{
    bench_force_metrics *const m = &report->metrics;
    report->force = base_alloc(s->count, sizeof *report->force);
    report->torque = base_alloc(s->count, sizeof *report->torque);
    if (!report->force || !report->torque) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for errors of %zu forces", s->count);
    }
    m->force = fit(s, &the_force, report->force);
    m->torque = fit(s, &the_torque, report->torque);
    const double gain = m->force.gain;
    const base_status status = make_spectrogram(s, gain, &report->spectrogram, err);
    if (status != BASE_OK) {
        return status;
    }
    m->noise_db = noise_db(&report->spectrogram);
    m->jerkiness = jerkiness(s, gain);
    measure_contact(s, m);
    m->loop_work = loop_work(s);
    m->energy_error = energy_error(s);
    return BASE_OK;
}

base_status bench_force_measure(const bench_force_frame *frames, size_t count,
                                bench_force_report *report, base_error *err)
{
    *report = (bench_force_report){0};
    signal s;
    base_status status = signal_init(frames, count, &s, err);
    if (status == BASE_OK) {
        status = measure(&s, report, err);
    }
    signal_release(&s);
    if (status != BASE_OK) {
        bench_force_report_release(report);
    }
    return status;
}

void bench_force_report_release(bench_force_report *report)
{
    base_free(report->force);
    base_free(report->torque);
    spectrogram_release(&report->spectrogram);
    *report = (bench_force_report){0};
}

/* --- Forces of a cell ------------------------------------------------------------------------- */

/** Returns the ideal of a frame: known in closed form, otherwise from the truth. */
static bench_ideal ideal_at(const bench_force_scene *s, const bench_cell *cell, size_t f,
                            alg_law law)
{
    const scn_known *const known = &s->frames[f].known;
    if (law == ALG_LAW_AREA && (known->mask & SCN_KNOWN_FORCE)) {
        return (bench_ideal){known->force_m2, known->torque_m3, 0, 0};
    }
    if (law == ALG_LAW_DEPTH && (known->mask & SCN_KNOWN_DEPTH_FORCE)) {
        return (bench_ideal){known->depth_force_m3, known->depth_torque_m4, 0, 0};
    }
    return bench_ideal_of(&cell->truths[f], law, s->certificate);
}

/**
 * True if the solids touch. If the force is known in closed form, it decides, because it belongs to
 * the smooth bodies and not to their meshes. Otherwise the true distance decides, or if it is not
 * known, the ideal force.
 */
static bool touch_at(const bench_force_scene *s, size_t f, const bench_ideal *ideal)
{
    const scn_known *const known = &s->frames[f].known;
    const gt_bracket distance_m = s->truths[f].distance_m;
    if (known->mask & SCN_KNOWN_FORCE) {
        return vec3_norm(known->force_m2) > 0;
    }
    return gt_known(distance_m) ? distance_m.lo <= 0 : vec3_norm(ideal->force) > 0;
}

/** Returns a frame's force together with the ideal force. */
static bench_force_frame force_frame(const bench_force_scene *s, const bench_cell *cell, size_t f,
                                     alg_law law)
{
    const alg_answer *const a = &cell->answers[f];
    const bench_ideal ideal = ideal_at(s, cell, f, law);
    const bool answered = a->answered & ALG_HAS_FORCE;
    const vec3 none = {NAN, NAN, NAN};
    /* The volume is the energy only if the force is its negative gradient, which has the unit
     * m2. */
    const char *const unit = cell->variant.algorithm->force_unit;
    const bool gradient = unit && strcmp(unit, "m2") == 0;
    return (bench_force_frame){
        .t_s = s->frames[f].t_s,
        .centroid = geo_pose_apply(&s->poses[f], s->centroid_b),
        .orientation = s->frames[f].orientation,
        .force = answered ? a->force : none,
        .torque = answered ? a->torque : none,
        .ideal_force = ideal.force,
        .ideal_torque = ideal.torque,
        .force_bound = ideal.force_bound,
        .torque_bound = ideal.torque_bound,
        .contact = touch_at(s, f, &ideal),
        .energy = gradient && (a->answered & ALG_HAS_VOLUME) ? a->volume_m3 : (double)NAN,
    };
}

static void take_errors(const bench_force_frame *frames, const bench_force_report *report,
                        bench_cell *cell)
{
    for (size_t f = 0; f < cell->frame_count; f++) {
        double *const errors = cell->judgements[f].errors;
        const vec3 scaled = vec3_scale(report->metrics.force.gain, frames[f].force);
        if (!isnan(report->force[f].direction_deg)) {
            errors[BENCH_FORCE_ERROR_REL] =
                vec3_distance(scaled, frames[f].ideal_force) / vec3_norm(frames[f].ideal_force);
        }
        errors[BENCH_FORCE_DIRECTION_DEG] = report->force[f].direction_deg;
        errors[BENCH_FORCE_MAGNITUDE_REL] = report->force[f].magnitude;
        errors[BENCH_TORQUE_DIRECTION_DEG] = report->torque[f].direction_deg;
        errors[BENCH_TORQUE_MAGNITUDE_REL] = report->torque[f].magnitude;
    }
}

base_status bench_forces_measure(const bench_force_scene *scene, bench_cell *cell, base_error *err)
{
    const unsigned ideals = bench_ideals_of(&cell->variant);
    const alg_law own = bench_ideal_own(&cell->variant);
    bench_force_frame *const frames = base_alloc(cell->frame_count, sizeof *frames);
    base_status status = BASE_OK;
    if (!frames) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the forces of '%s'", cell->name);
    }
    for (int law = 0; law < ALG_LAW_COUNT && status == BASE_OK; law++) {
        size_t known = 0;
        for (size_t f = 0; f < cell->frame_count && (ideals & 1u << law); f++) {
            frames[f] = force_frame(scene, cell, f, (alg_law)law);
            known += !isnan(frames[f].force.x) && !isnan(frames[f].ideal_force.x);
        }
        if (known > 0) {
            bench_force_report *const report = &cell->forces[law];
            status = bench_force_measure(frames, cell->frame_count, report, err);
            if (status == BASE_OK && law == (int)own) {
                take_errors(frames, report, cell);
            }
        }
    }
    base_free(frames);
    return status;
}

/* --- forces.csv ------------------------------------------------------------------------------- */

/**
 * A row of forces.csv. The metrics are the first member, so that the columns of metrics are also
 * valid for a bench_force_metrics.
 */
typedef struct forces_row {
    bench_force_metrics metrics;
    const char *scenario, *quantity, *variant, *file, *ideal;
    bool own;
} forces_row;
_Static_assert(offsetof(forces_row, metrics) == 0, "columns of metrics have their offsets");

#define COLUMN(name, kind, unit, role, member, meaning)                                            \
    BENCH_COLUMN(name, kind, unit, role, forces_row, member, 0, "", meaning)
#define METRIC(name, kind, unit, role, member, empty, meaning)                                     \
    BENCH_COLUMN(name, kind, unit, role, forces_row, metrics.member, 0, empty, meaning)
#define NO_FORCE "no force is answered and judged"
#define NO_FIT                                                                                     \
    "in no frame are it and the ideal one above 1e-6 of their largest, and the ideal one known "   \
    "within 1 degree"
/** The columns of the errors of a bench_force_fit. */
#define FIT(what, member)                                                                          \
    METRIC(what "_magnitude_rel_mean", NUMBER, "1", ERROR, member.magnitude_mean, NO_FIT,          \
           "mean over frames of |gain * size of the " what " - ideal size| / largest ideal size"), \
        METRIC(what "_magnitude_rel_rms", NUMBER, "1", ERROR, member.magnitude_rms, NO_FIT,        \
               "root of the mean square of the same"),                                             \
        METRIC(what "_magnitude_rel_max", NUMBER, "1", ERROR, member.magnitude_max, NO_FIT,        \
               "largest of the same"),                                                             \
        METRIC(what "_direction_deg_mean", NUMBER, "deg", ERROR, member.direction_mean_deg,        \
               NO_FIT, "angle to the ideal " what ", mean over frames"),                           \
        METRIC(what "_direction_deg_p50", NUMBER, "deg", ERROR, member.direction_median_deg,       \
               NO_FIT, "the same, median (nearest rank)"),                                         \
        METRIC(what "_direction_deg_p95", NUMBER, "deg", ERROR, member.direction_p95_deg, NO_FIT,  \
               "the same, 95th percentile"),                                                       \
        METRIC(what "_direction_deg_p99", NUMBER, "deg", ERROR, member.direction_p99_deg, NO_FIT,  \
               "the same, 99th percentile"),                                                       \
        METRIC(what "_direction_deg_max", NUMBER, "deg", ERROR, member.direction_max_deg, NO_FIT,  \
               "the same, largest")

enum { NAMES = 6, ERRORS = 16 }; /* columns of names, columns of errors of frames; others follow */

static const bench_column force_columns[] = {
    COLUMN("scenario", SCENARIO, "", FACT, scenario, BENCH_MEANS_SCENARIO),
    COLUMN("quantity", QUANTITY, "", FACT, quantity, "force"),
    COLUMN("variant", CONTESTANT, "", FACT, variant, BENCH_MEANS_VARIANT),
    COLUMN("file", FILE, "", FACT, file, BENCH_MEANS_FILE),
    COLUMN("ideal", TEXT, "", FACT, ideal,
           "exact force that the row is about, by the law that it follows: area, depth, "
           "depth-exchanged"),
    COLUMN("own", FLAG, "", FACT, own,
           "1: it is the law of the variant, or area where the variant has none, and cells.csv has "
           "the same errors; one row of a variant and scenario has it"),
    FIT("force", force),
    FIT("torque", torque),
    METRIC("force_frames_count", COUNT_IF, "", ERROR, force.frames, NO_FORCE,
           "frames in which the force and the ideal one are above 1e-6 of their largest, and the "
           "ideal one is known within 1 degree"),
    METRIC("torque_frames_count", COUNT_IF, "", ERROR, torque.frames, NO_FORCE,
           "the same for the torque"),
    METRIC("force_left_out_count", COUNT_IF, "", ERROR, force.left_out, NO_FORCE,
           "frames with a force whose ideal one has no certificate that the mode requires, or is "
           "not known within 1 degree: their errors are in no column"),
    METRIC("torque_left_out_count", COUNT_IF, "", ERROR, torque.left_out, NO_FORCE,
           "the same for the torque"),
    METRIC(
        "force_gain", NUMBER, "1", ERROR, force.gain, NO_FIT,
        "factor that makes the force comparable with the ideal one, which is in m2 by area and in "
        "m3 by depth: sum of products of their sizes / sum of its squares"),
    METRIC("torque_gain", NUMBER, "1", ERROR, torque.gain, NO_FIT,
           "the same for the torque, which is in m3 by area and in m4 by depth"),
    METRIC("force_noise_db", NUMBER, "dB", ERROR, noise_db, "fewer than 256 frames, or no gain",
           "power of (gain * force - ideal force) from 30 to 500 Hz / power of the ideal force, in "
           "segments of 256 frames with a Hann window; at least -300"),
    METRIC("force_jerkiness", NUMBER, "1", ERROR, jerkiness,
           "no gain, or the ideal force does not change",
           "99th percentile over frames of the change of gain * force / that of the ideal force"),
    METRIC("force_onset_lag_frames", NUMBER, "frames", ERROR, onset_lag_frames,
           "no felt contact begins",
           "frames from the first touch of the solids to the first felt force, mean over contacts; "
           "negative if the force is felt earlier"),
    METRIC("force_release_lag_frames", NUMBER, "frames", ERROR, release_lag_frames,
           "no felt contact ends",
           "frames from the separation of the solids to the end of the felt force, likewise"),
    METRIC("force_chatter", NUMBER, "1", ERROR, chatter, NO_FORCE,
           "number of begins and ends of a force minus that of contact"),
    METRIC("force_misses_count", COUNT_IF, "", ERROR, misses, NO_FORCE,
           "frames of contact without a force"),
    METRIC("force_loop_work", NUMBER, "1", ERROR, loop_work, "the path is not closed",
           "work along the path / sum of the absolute values of its parts; 0 for a force with a "
           "potential"),
    METRIC("force_energy_error", NUMBER, "1", ERROR, energy_error,
           "the force is no gradient of a volume",
           "root mean square of (work over two frames - decrease of the variant's own volume) / "
           "root mean square of the decrease"),
};
enum { FORCE_COLUMN_COUNT = sizeof force_columns / sizeof *force_columns };

const bench_columns bench_forces_columns = {force_columns, FORCE_COLUMN_COUNT};
const bench_columns bench_force_columns = {force_columns + NAMES, FORCE_COLUMN_COUNT - NAMES};
const bench_columns bench_force_run_columns = {force_columns + NAMES + ERRORS,
                                               FORCE_COLUMN_COUNT - NAMES - ERRORS};

void bench_forces_put(FILE *file, const bench_cell *cell)
{
    const alg_law own = bench_ideal_own(&cell->variant);
    char name[BENCH_CONTESTANT_NAME_BYTES];
    bench_variant_file(cell->name, name, sizeof name);
    for (int ideal = 0; ideal < ALG_LAW_COUNT; ideal++) {
        if (cell->forces[ideal].force) {
            const forces_row row = {.metrics = cell->forces[ideal].metrics,
                                    .scenario = cell->scenario,
                                    .quantity = alg_quantity_names[ALG_FORCE],
                                    .variant = cell->name,
                                    .file = name,
                                    .ideal = alg_law_names[ideal],
                                    .own = ideal == (int)own};
            base_csv_writer w = {.file = file};
            bench_columns_put(bench_forces_columns, &row, &w);
            base_csv_end(&w);
        }
    }
}

/* --- Spectrograms ----------------------------------------------------------------------------- */

/** A row of the spectrogram's file. */
typedef struct bin_row {
    double t_s, f_hz, power_db;
} bin_row;

static const bench_column bin_columns[] = {
    BENCH_COLUMN("t_s", NUMBER, "s", FACT, bin_row, t_s, 0, "", "time of the middle of 256 frames"),
    BENCH_COLUMN("f_hz", NUMBER, "Hz", FACT, bin_row, f_hz, 0, "", "frequency"),
    BENCH_COLUMN("power_db", NUMBER, "dB", ERROR, bin_row, power_db, 0, "",
                 "power at this time and frequency of (gain * force - ideal force) / power of the "
                 "ideal force in the whole run; at least -300"),
};
const bench_columns bench_spectrogram_columns = {bin_columns,
                                                 sizeof bin_columns / sizeof *bin_columns};

base_status bench_spectrogram_write(const char *path, const bench_spectrogram *spectrogram,
                                    base_error *err)
{
    bench_output output;
    const base_status status = bench_output_open(path, &output, err);
    if (status != BASE_OK) {
        return status;
    }
    base_csv_writer w = {.file = output.file};
    bench_columns_put_names(bench_spectrogram_columns, &w);
    base_csv_end(&w);
    for (size_t i = 0; i < spectrogram->count * BENCH_BINS; i++) {
        const bin_row row = {spectrogram->t_s[i / BENCH_BINS],
                             (double)(i % BENCH_BINS) * spectrogram->bin_hz,
                             decibels(spectrogram->power[i])};
        bench_columns_put(bench_spectrogram_columns, &row, &w);
        base_csv_end(&w);
    }
    return bench_output_close(&output, base_csv_check(&w, path, err), err);
}
