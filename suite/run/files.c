#include "suite/run/files.h"

#include "base/file.h"
#include "suite/inputs/experiment.h"
#include "suite/output.h"
#include "suite/results/deadline.h"
#include "suite/results/forces.h"
#include "suite/results/frames.h"
#include "suite/results/ideal.h"
#include "suite/results/launches.h"
#include "suite/results/reference.h"
#include "suite/results/regions.h"
#include "suite/results/run_folder.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/** The files with rows for each cell. cells.csv is last because it must be synced last. */
static const bench_file_id row_files[BENCH_ROW_FILES] = {
    BENCH_FILE_PASSES, BENCH_FILE_LAUNCHES,       BENCH_FILE_DEADLINE,
    BENCH_FILE_FORCES, BENCH_FILE_BUILD_LAUNCHES, BENCH_FILE_CELLS,
};

static void put_names(const bench_run_files *files, bench_file_id id, base_csv_writer *w)
{
    switch (id) {
    case BENCH_FILE_CELLS:
        bench_cells_put_names(&files->counters, w);
        break;
    case BENCH_FILE_BUILD_LAUNCHES:
        bench_build_launches_put_names(&files->times, w);
        break;
    default:
        bench_columns_put_names(*bench_files[id].columns, w);
        base_csv_end(w);
    }
}

static base_status put_rows(const bench_run_files *files, bench_file_id id, FILE *file,
                            const bench_scenario *scenario, const bench_cell *cell,
                            const bench_cell_row *row, base_error *err)
{
    base_csv_writer w = {.file = file};
    switch (id) {
    case BENCH_FILE_CELLS:
        bench_cells_put(row, &files->counters, &w);
        return BASE_OK;
    case BENCH_FILE_PASSES:
        bench_passes_put(file, cell);
        return BASE_OK;
    case BENCH_FILE_LAUNCHES:
        return bench_launches_put(file, cell, err);
    case BENCH_FILE_DEADLINE:
        return bench_deadline_put(file, cell, err);
    case BENCH_FILE_FORCES:
        bench_forces_put(file, cell);
        return BASE_OK;
    default: /* BENCH_FILE_BUILD_LAUNCHES; a twin has the bodies of its baseline, so no rows */
        if (!bench_variant_is_twin(cell->name)) {
            bench_build_launches_put(file, &files->times, cell, &scenario->pair);
        }
        return BASE_OK;
    }
}

/* --- Opening and closing ---------------------------------------------------------------------- */

/**
 * Lists the counters and time facts of all variants that may take part, because the header of a
 * file is written before its rows.
 */
static base_status list_extras(bench_run_files *files, base_error *err)
{
    const bench_run_options *const options = files->options;
    base_status status = BASE_OK;
    for (size_t v = 0; v < options->experiment->variant_count && status == BASE_OK; v++) {
        const alg_variant *const variant = &options->variants[v];
        if (bench_selected(options->algorithms, variant->name)) {
            status = bench_extras_add(&files->counters, variant->algorithm->counters,
                                      ALG_COUNTERS_MAX, err);
            if (status == BASE_OK) {
                status = bench_build_times_add(&files->times, variant->algorithm->facts, err);
            }
        }
    }
    return status;
}

/** The path of a file while it is written; in a resumed run a new file beside the old one. */
static base_status part_path(const bench_run_options *options, const char *name,
                             char path[BENCH_RUN_PATH_BYTES], base_error *err)
{
    /* Checks also that the file to be replaced belongs to the run. */
    const base_status status = bench_run_file(options->directory, path, err, "%s", name);
    return status == BASE_OK && options->resume
               ? bench_run_file(options->directory, path, err, "%s.part", name)
               : status;
}

base_status bench_run_files_open(const bench_run_options *options, bench_run_files *files,
                                 base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    *files = (bench_run_files){.options = options};
    base_status status = list_extras(files, err);
    for (int i = 0; i < BENCH_ROW_FILES && status == BASE_OK; i++) {
        status = part_path(options, bench_files[row_files[i]].name, path, err);
        if (status != BASE_OK) {
            return status;
        }
        files->rows[i] = fopen(path, "w");
        if (!files->rows[i]) {
            return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", path, strerror(errno));
        }
        put_names(files, row_files[i], &(base_csv_writer){.file = files->rows[i]});
    }
    if (status == BASE_OK) {
        status = part_path(options, bench_files[BENCH_FILE_BUILDS].name, path, err);
    }
    return status == BASE_OK ? bench_builds_create(path, &files->builds, err) : status;
}

/** In a resumed run: renames a file to its final name if `keep`, otherwise removes it. */
static base_status settle_part(const bench_run_options *options, const char *name, bool keep,
                               base_error *err)
{
    char part[BENCH_RUN_PATH_BYTES], path[BENCH_RUN_PATH_BYTES];
    base_status status = part_path(options, name, part, err);
    if (status == BASE_OK) {
        status = bench_run_file(options->directory, path, err, "%s", name);
    }
    if (status != BASE_OK) {
        return status;
    }
    if (!keep) {
        unlink(part);
        return BASE_OK;
    }
    return rename(part, path) == 0 || errno == ENOENT /* no body was built */
               ? BASE_OK
               : base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", path, strerror(errno));
}

base_status bench_run_files_close(bench_run_files *files, base_status status, base_error *err)
{
    bench_builds_destroy(files->builds);
    bench_extras_release(&files->counters);
    bench_extras_release(&files->times);
    base_error ignored = {0};
    for (int i = 0; i <= BENCH_ROW_FILES; i++) {
        if (i < BENCH_ROW_FILES && files->rows[i]) {
            fclose(files->rows[i]);
        }
        if (files->options->resume) {
            const bool keep = status == BASE_OK;
            const bench_file_id id = i < BENCH_ROW_FILES ? row_files[i] : BENCH_FILE_BUILDS;
            const base_status settled =
                settle_part(files->options, bench_files[id].name, keep, keep ? err : &ignored);
            status = keep ? settled : status;
        }
    }
    return status;
}

/* --- Writing ---------------------------------------------------------------------------------- */

base_status bench_run_files_put_trajectory(const bench_run_files *files,
                                           const bench_scenario *scenario, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    bench_output output;
    base_status status = bench_run_file(files->options->directory, path, err, "trajectories/%s.csv",
                                        scenario->asked->name);
    if (status == BASE_OK) {
        status = bench_output_open(path, &output, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    status = scn_trajectory_write(&scenario->trajectory, output.file, path, err);
    return bench_output_close(&output, status, err);
}

/** SCENARIO/VARIANT.ENDING in the run's folder. */
static base_status variant_path(const bench_run_files *files, const bench_cell *cell,
                                const char *ending, char path[BENCH_RUN_PATH_BYTES],
                                base_error *err)
{
    char file[BENCH_CONTESTANT_NAME_BYTES];
    bench_variant_file(cell->name, file, sizeof file);
    return bench_run_file(files->options->directory, path, err, "%s/%s.%s", cell->scenario, file,
                          ending);
}

/**
 * Writes the files of one cell: frames, regions (if it answers any), and the spectrogram of the
 * noise.
 */
static base_status put_variant_files(const bench_run_files *files, const bench_scenario *scenario,
                                     const bench_cell *cell, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    const bench_spectrogram *const spectrogram =
        &cell->forces[bench_ideal_own(&cell->variant)].spectrogram;
    base_status status = variant_path(files, cell, "csv", path, err);
    if (status == BASE_OK) {
        status =
            bench_frames_write(path, cell, &scenario->pair, scenario->poses, scenario->truths, err);
    }
    if (status == BASE_OK && bench_cell_has_regions(cell)) {
        status = variant_path(files, cell, "regions.csv", path, err);
        if (status == BASE_OK) {
            status = bench_regions_write(path, cell, scenario->pair.centre_a, err);
        }
    }
    if (status == BASE_OK && spectrogram->count > 0) {
        status = variant_path(files, cell, "spectrogram.csv", path, err);
        if (status == BASE_OK) {
            status = bench_spectrogram_write(path, spectrogram, err);
        }
    }
    return status;
}

base_status bench_run_files_put(bench_run_files *files, const bench_scenario *scenario,
                                const bench_cell *cell, const bench_cell_row *row, base_error *err)
{
    base_status status =
        cell->warm_count > 0 ? put_variant_files(files, scenario, cell, err) : BASE_OK;
    for (int i = 0; i < BENCH_ROW_FILES && status == BASE_OK; i++) {
        status = put_rows(files, row_files[i], files->rows[i], scenario, cell, row, err);
    }
    return status == BASE_OK && !bench_variant_is_twin(cell->name)
               ? bench_builds_add(files->builds, cell, &scenario->pair, err)
               : status;
}

base_status bench_run_files_sync(const bench_run_files *files, base_error *err)
{
    base_status status = bench_builds_write(files->builds, err);
    for (int i = 0; i < BENCH_ROW_FILES && status == BASE_OK; i++) {
        const char *const name = bench_files[row_files[i]].name;
        status = base_csv_check(&(base_csv_writer){.file = files->rows[i]}, name, err);
        if (status == BASE_OK && fsync(fileno(files->rows[i])) != 0) {
            status =
                base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", name, strerror(errno));
        }
    }
    return status;
}
