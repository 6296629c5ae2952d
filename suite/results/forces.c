#include "suite/results/forces.h"

#include "base/memory.h"
#include "geometry/pose.h"
#include "suite/output.h"
#include "suite/quantity.h"
#include "suite/results/judge.h"
#include "suite/results/run_folder.h"
#include "suite/results/spectrum.h"

#include <math.h>
#include <string.h>

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
 * True if the solids touch. A force known in closed form decides first, because it belongs to the
 * smooth bodies and not to their meshes.
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
    /* The volume is the energy only if the force is its gradient, in m2. */
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

static const bench_column columns[] = {
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
           "the same of the torque"),
    METRIC("force_left_out_count", COUNT_IF, "", ERROR, force.left_out, NO_FORCE,
           "frames with a force whose ideal one has no certificate that the mode asks for, or is "
           "not known within 1 degree: their errors are in no column"),
    METRIC("torque_left_out_count", COUNT_IF, "", ERROR, torque.left_out, NO_FORCE,
           "the same of the torque"),
    METRIC(
        "force_gain", NUMBER, "1", ERROR, force.gain, NO_FIT,
        "factor that makes the force comparable with the ideal one, which is in m2 by area and in "
        "m3 by depth: sum of products of their sizes / sum of its squares"),
    METRIC("torque_gain", NUMBER, "1", ERROR, torque.gain, NO_FIT,
           "the same of the torque, which is in m3 by area and in m4 by depth"),
    METRIC("force_noise_db", NUMBER, "dB", ERROR, noise_db, "fewer than 256 frames, or no gain",
           "power of (gain * force - ideal force) from 30 to 500 Hz / power of the ideal force, in "
           "stretches of 256 frames under Hann's window; -300 stands for less, too"),
    METRIC("force_jerkiness", NUMBER, "1", ERROR, jerkiness,
           "no gain, or the ideal force does not change",
           "99th percentile over frames of the change of gain * force / that of the ideal force"),
    METRIC("force_onset_lag_frames", NUMBER, "frames", ERROR, onset_lag_frames,
           "no contact is felt to begin",
           "frames from where the solids touch to where a force is felt, mean over contacts; "
           "negative: it is felt ahead"),
    METRIC("force_release_lag_frames", NUMBER, "frames", ERROR, release_lag_frames,
           "no contact is felt to end",
           "frames from where the solids part to where no force is felt, likewise"),
    METRIC("force_chatter", NUMBER, "1", ERROR, chatter, NO_FORCE,
           "how often a force sets in or ends, less how often contact does"),
    METRIC("force_misses_count", COUNT_IF, "", ERROR, misses, NO_FORCE,
           "frames of contact without a force"),
    METRIC("force_loop_work", NUMBER, "1", ERROR, loop_work, "the path does not end where it began",
           "work along the path / sum of the sizes of its parts: 0 of a force with a potential"),
    METRIC("force_energy_error", NUMBER, "1", ERROR, energy_error,
           "the force is no gradient of a volume",
           "root mean square of (work over two frames - what the variant's own volume loses) / "
           "that of the loss"),
};
enum { COUNT = sizeof columns / sizeof *columns };

const bench_columns bench_forces_columns = {columns, COUNT};
const bench_columns bench_force_columns = {columns + NAMES, COUNT - NAMES};
const bench_columns bench_force_run_columns = {columns + NAMES + ERRORS, COUNT - NAMES - ERRORS};

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
                 "power there of (gain * force - ideal force) / power of the ideal force in the "
                 "whole run; -300 stands for less, too"),
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
                             bench_decibels(spectrogram->power[i])};
        bench_columns_put(bench_spectrogram_columns, &row, &w);
        base_csv_end(&w);
    }
    return bench_output_close(&output, base_csv_check(&w, path, err), err);
}
