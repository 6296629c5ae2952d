#include "suite/results/forces.h"

#include "suite/output.h"
#include "suite/quantity.h"
#include "suite/results/run_folder.h"
#include "suite/results/spectrum.h"

/* --- forces.csv ------------------------------------------------------------------------------- */

/** A row of the file. It begins with the metrics, so that their columns are those of a
 * bench_force_metrics, too. */
typedef struct forces_row {
    bench_force_metrics metrics;
    const char *scenario, *quantity, *variant, *file;
} forces_row;
_Static_assert(offsetof(forces_row, metrics) == 0, "columns of metrics have their offsets");

#define COLUMN(name, kind, member, meaning)                                                        \
    BENCH_COLUMN(name, kind, forces_row, member, 0, "", meaning)
#define METRIC(name, kind, member, empty, meaning)                                                 \
    BENCH_COLUMN(name, kind, forces_row, metrics.member, 0, empty, meaning)
#define NO_FORCE "no force is answered and judged"
#define NO_FIT   "in no frame are it and the ideal one above 1e-6 of their largest"
/** The errors of a bench_force_fit. */
#define FIT(what, member)                                                                          \
    METRIC(what "_magnitude_rel_mean", NUMBER, member.magnitude_mean, NO_FIT,                      \
           "mean over frames of |gain * size of the " what " - ideal size| / largest ideal size"), \
        METRIC(what "_magnitude_rel_rms", NUMBER, member.magnitude_rms, NO_FIT,                    \
               "root of the mean square of the same"),                                             \
        METRIC(what "_magnitude_rel_max", NUMBER, member.magnitude_max, NO_FIT,                    \
               "largest of the same"),                                                             \
        METRIC(what "_direction_deg_mean", NUMBER, member.direction_mean_deg, NO_FIT,              \
               "angle to the ideal " what ", mean over frames"),                                   \
        METRIC(what "_direction_deg_p50", NUMBER, member.direction_median_deg, NO_FIT,             \
               "the same, median (nearest rank)"),                                                 \
        METRIC(what "_direction_deg_p95", NUMBER, member.direction_p95_deg, NO_FIT,                \
               "the same, 95th percentile"),                                                       \
        METRIC(what "_direction_deg_max", NUMBER, member.direction_max_deg, NO_FIT,                \
               "the same, largest")

enum { NAMES = 4, ERRORS = 14 }; /* columns: of names, then of errors of frames, then the others */

static const bench_column columns[] = {
    COLUMN("scenario", SCENARIO, scenario, BENCH_MEANS_SCENARIO),
    COLUMN("quantity", QUANTITY, quantity, "force"),
    COLUMN("variant", CONTESTANT, variant, BENCH_MEANS_VARIANT),
    COLUMN("file", FILE, file, BENCH_MEANS_FILE),
    FIT("force", force),
    FIT("torque", torque),
    METRIC("force_frames_count", COUNT_IF, force.frames, NO_FORCE,
           "frames in which the force and the ideal one are above 1e-6 of their largest"),
    METRIC("torque_frames_count", COUNT_IF, torque.frames, NO_FORCE, "the same of the torque"),
    METRIC("force_gain", NUMBER, force.gain, NO_FIT,
           "factor that makes the force comparable with the ideal one, which is in m2: sum of "
           "products of their sizes / sum of its squares"),
    METRIC("torque_gain", NUMBER, torque.gain, NO_FIT, "the same of the torque: m3"),
    METRIC("force_noise_db", NUMBER, noise_db, "fewer than 256 frames, or no gain",
           "power of (gain * force - ideal force) from 30 to 500 Hz / power of the ideal force, in "
           "stretches of 256 frames under Hann's window; -300 stands for less, too"),
    METRIC("force_jerkiness", NUMBER, jerkiness, "no gain, or the ideal force does not change",
           "99th percentile over frames of the change of gain * force / that of the ideal force"),
    METRIC("force_onset_lag_frames", NUMBER, onset_lag_frames, "no contact is felt to begin",
           "frames from where the solids touch to where a force is felt, mean over contacts; "
           "negative: it is felt ahead"),
    METRIC("force_release_lag_frames", NUMBER, release_lag_frames, "no contact is felt to end",
           "frames from where the solids part to where no force is felt, likewise"),
    METRIC("force_chatter", NUMBER, chatter, NO_FORCE,
           "how often a force sets in or ends, less how often contact does"),
    METRIC("force_misses_count", COUNT_IF, misses, NO_FORCE, "frames of contact without a force"),
    METRIC("force_loop_work", NUMBER, loop_work, "the path does not end where it began",
           "work along the path / sum of the sizes of its parts: 0 of a force with a potential"),
    METRIC("force_energy_error", NUMBER, energy_error, "the force is no gradient of a volume",
           "root mean square of (work over two frames - what the variant's own volume loses) / "
           "that of the loss"),
};
enum { COUNT = sizeof columns / sizeof *columns };

const bench_columns bench_forces_columns = {columns, COUNT};
const bench_columns bench_force_columns = {columns + NAMES, COUNT - NAMES};
const bench_columns bench_force_run_columns = {columns + NAMES + ERRORS, COUNT - NAMES - ERRORS};

void bench_forces_put(FILE *file, const bench_cell *cell)
{
    if (!cell->force.force) {
        return;
    }
    char name[BENCH_CONTESTANT_NAME_BYTES];
    bench_variant_file(cell->name, name, sizeof name);
    const forces_row row = {cell->force.metrics, cell->scenario, bench_quantities[ALG_FORCE].name,
                            cell->name, name};
    base_csv_writer w = {.file = file};
    bench_columns_put(bench_forces_columns, &row, &w);
    base_csv_end(&w);
}

/* --- Spectrograms ----------------------------------------------------------------------------- */

/** A row of the file. */
typedef struct bin_row {
    double t_s, f_hz, power_db;
} bin_row;

static const bench_column bin_columns[] = {
    BENCH_COLUMN("t_s", NUMBER, bin_row, t_s, 0, "", "time of the middle of 256 frames"),
    BENCH_COLUMN("f_hz", NUMBER, bin_row, f_hz, 0, "", "frequency"),
    BENCH_COLUMN("power_db", NUMBER, bin_row, power_db, 0, "",
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
