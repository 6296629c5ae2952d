#include "suite/run/run.h"

#include "base/file.h"
#include "suite/inputs/experiment.h"
#include "suite/message.h"
#include "suite/output.h"
#include "suite/results/force.h"
#include "suite/results/frames.h"
#include "suite/results/judge.h"
#include "suite/results/launches.h"
#include "suite/results/record.h"
#include "suite/results/reference.h"
#include "suite/results/run_folder.h"
#include "suite/run/cell.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* --- Manifest: the run ------------------------------------------------------------------------ */

static void describe_clock(const bench_clock_cost *cost, bench_manifest *m)
{
    bench_manifest_add(m, "clock", "name", "%s", bench_clock_name(bench_clock_id));
    const struct {
        const char *key;
        uint64_t ns;
    } facts[] = {
        {"cost_min_ns", cost->min_ns}, {"cost_median_ns", cost->median_ns},
        {"cost_p99_ns", cost->p99_ns}, {"cost_p9999_ns", cost->p9999_ns},
        {"step_ns", cost->step_ns},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        bench_manifest_add(m, "clock", facts[i].key, "%llu", (unsigned long long)facts[i].ns);
    }
}

static void describe_command(const bench_run_options *options, bench_manifest *m)
{
    const scn_experiment *const e = options->experiment;
    bench_manifest_add_command(m, options->directory, options->command);
    bench_manifest_add(m, "run", "experiment", "%s", e->name);
    if (e->title) {
        bench_manifest_add(m, "run", "title", "%s", e->title);
    }
    for (size_t i = 0; i < e->figure_count; i++) {
        bench_manifest_add(m, "run", "figure", "%s", e->figures[i]);
    }
    for (size_t i = 0; i < e->picture_count; i++) {
        bench_manifest_add(m, "run", "picture", "%s", e->pictures[i].name);
    }
    bench_manifest_add(m, "run", "mode", "%s", options->mode->name);
    if (e->timed_builds) {
        bench_manifest_add(m, "run", "builds", "timed");
    }
    bench_manifest_add(m, "run", "seed", "%llu", (unsigned long long)e->seed);
    bench_manifest_add(m, "run", "timeout_s", "%.17g", options->timeout_s);
}

/**
 * Adds the start time of the run. A resumed run keeps the time in its old manifest, if there is
 * one, and adds the time at which it was resumed.
 */
static void describe_start(const bench_run_options *options, bench_manifest *m)
{
    bench_record before = {0};
    const char *begun = NULL;
    if (options->resume &&
        bench_record_open(options->directory, BENCH_RECORD_FACTS, &before, NULL) == BASE_OK) {
        begun = bench_record_fact(&before, "run", "start_utc");
    }
    if (begun) {
        bench_manifest_add(m, "run", "start_utc", "%s", begun);
        bench_manifest_add_time(m, "resumed_utc");
    } else {
        bench_manifest_add_time(m, "start_utc");
    }
    bench_record_release(&before);
}

/** Adds the plug-ins of the selected variants, and the laws of their forces if a force is asked. */
static void describe_variants(const bench_run_options *options, bench_manifest *manifest)
{
    const scn_experiment *const e = options->experiment;
    unsigned quantities = 0; /* of all scenarios */
    for (size_t i = 0; i < e->scenario_count; i++) {
        quantities |= e->scenarios[i].quantities;
    }
    for (size_t v = 0; v < e->variant_count; v++) {
        alg_variant variant;
        if (bench_selected(options->algorithms, e->variants[v]) &&
            alg_variant_parse(e->variants[v], e->seed, &variant, NULL) == ALG_OK) {
            bench_manifest_add_plugin(manifest, &variant);
            if (quantities & alg_variant_answers(&variant) & ALG_WANT_FORCE) {
                char section[sizeof variant.name + 16];
                snprintf(section, sizeof section, "variant %s", variant.name);
                bench_manifest_add(manifest, section, "force_law", "%s",
                                   alg_law_names[alg_variant_law(&variant)]);
            }
        }
    }
}

/**
 * Writes the first part of the manifest: all facts that are known before the first scenario.
 * Errors: those of bench_manifest_create and bench_manifest_publish.
 */
static base_status describe_run(const bench_run_options *options, const bench_clock_cost *clock,
                                bench_manifest **manifest, base_error *err)
{
    const base_status status = bench_manifest_create(options->directory, manifest, err);
    if (status != BASE_OK) {
        return status;
    }
    bench_manifest *const m = *manifest;
    describe_command(options, m);
    bench_manifest_add_arguments(m, options->arguments, options->argument_count);
    describe_start(options, m);
    bench_manifest_add_machine(m);
    describe_clock(clock, m);
    describe_variants(options, m);
    /* A resumed run keeps its old manifest until it ends without an error. */
    return options->resume ? BASE_OK : bench_manifest_publish(m, err);
}

/* --- Manifest: a scenario --------------------------------------------------------------------- */

static void describe_inputs(const bench_scenario *s, bench_manifest *manifest)
{
    const char *const name = s->asked->name;
    bench_manifest_add(manifest, name, "a", "%s", s->asked->a);
    bench_manifest_add(manifest, name, "a_hash", "%s", base_hash_format(s->pair.a.hash).hex);
    bench_manifest_add(manifest, name, "a_triangles", "%zu", s->pair.a.mesh.face_count);
    bench_manifest_add(manifest, name, "b", "%s", s->asked->b);
    bench_manifest_add(manifest, name, "b_hash", "%s", base_hash_format(s->pair.b.hash).hex);
    bench_manifest_add(manifest, name, "b_triangles", "%zu", s->pair.b.mesh.face_count);
    bench_manifest_add(manifest, name, "trajectory", "%s", s->trajectory.source);
    bench_manifest_add(manifest, name, "frames", "%zu", s->trajectory.frame_count);
    base_hash poses;
    if (bench_poses_hash(s->poses, s->trajectory.frame_count, &poses, NULL) == BASE_OK) {
        bench_manifest_add(manifest, name, "poses_hash", "%s", base_hash_format(poses).hex);
    }
}

/** Adds the methods that computed the truth, and the number of frames with each certificate. */
static void describe_truth(const bench_scenario *s, bench_manifest *manifest)
{
    const char *const name = s->asked->name;
    unsigned methods = 0, asked = 0;
    for (size_t f = 0; f < s->trajectory.frame_count; f++) {
        methods |= s->truths[f].methods;
        asked |= s->truths[f].asked;
    }
    bench_manifest_add(manifest, name, "truth_methods", "%s", gt_methods_format(methods).text);
    for (int q = 0; q < GT_QUANTITY_COUNT; q++) {
        size_t frames[3] = {0};
        for (size_t f = 0; f < s->trajectory.frame_count; f++) {
            frames[gt_certificate(&s->truths[f], (gt_quantity)q)]++;
        }
        for (int c = 0; c < 3 && (asked & 1u << q); c++) {
            char key[64];
            snprintf(key, sizeof key, "%s_certified_%d_frames", gt_quantities[q].name, c);
            for (char *dash = strchr(key, '-'); dash; dash = strchr(dash, '-')) {
                *dash = '_'; /* keys of the manifest contain no dashes */
            }
            bench_manifest_add(manifest, name, key, "%zu", frames[c]);
        }
    }
}

static void describe_plan(const bench_plan *plan, const scn_scenario *scenario,
                          bench_manifest *manifest)
{
    size_t launches = plan->launches;
    for (size_t i = 0; i < plan->count; i++) {
        launches = plan->entrants[i].launches > launches ? plan->entrants[i].launches : launches;
    }
    bench_manifest_add(manifest, scenario->name, "launches", "%zu", launches);
    bench_manifest_add(manifest, scenario->name, "rounds_per_launch",
                       "%zu warm-up, %zu warm, %zu evicted, %zu shuffled", plan->warm_up_rounds,
                       plan->warm_rounds, plan->evicted_rounds, plan->shuffled_rounds);
    bench_manifest_add(manifest, scenario->name, "quantities", "%s",
                       bench_quantities_name(scenario->quantities).text);
}

/**
 * Adds the isolation of the first contestant's worker; it is the same for all workers. Returns
 * false if no worker was isolated.
 */
static bool describe_workers(const bench_measured *measured, size_t count, bench_manifest *manifest)
{
    for (size_t i = 0; i < count; i++) {
        const bench_isolation *const isolation = &measured[i].isolation;
        if (*measured[i].counters) {
            bench_manifest_add(manifest, "workers", "cpu", "%d", isolation->cpu);
            bench_manifest_add(manifest, "workers", "affinity", "%s", isolation->affinity);
            bench_manifest_add(manifest, "workers", "memory_lock", "%s", isolation->memory_lock);
            bench_manifest_add(manifest, "workers", "scheduler", "%s", isolation->scheduler);
            bench_manifest_add(manifest, "workers", "aslr", "%s", isolation->aslr);
            bench_manifest_add(manifest, "workers", "counters", "%s", measured[i].counters);
            return true;
        }
    }
    return false;
}

/* --- Files ------------------------------------------------------------------------------------ */

enum { ROW_FILES = 6 }; /* number of files with rows for each cell */

/** The open files of a run. */
typedef struct run_files {
    const bench_run_options *options; /* borrowed */
    FILE *rows[ROW_FILES];
    bench_builds *builds;
    bench_extras counters; /* names of the counters of all contestants */
    bench_extras times;    /* names of the facts of all contestants that are times */
} run_files;

/**
 * The files with rows for each cell. cells.csv is last, because it must be synced last
 * (sync_files).
 */
static const bench_file_id row_files[ROW_FILES] = {
    BENCH_FILE_PASSES, BENCH_FILE_LAUNCHES,       BENCH_FILE_DEADLINE,
    BENCH_FILE_FORCES, BENCH_FILE_BUILD_LAUNCHES, BENCH_FILE_CELLS,
};

static base_status put_rows(const run_files *files, bench_file_id id, FILE *file,
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
    default: /* BENCH_FILE_BUILD_LAUNCHES. A twin has no rows: its bodies are those of its
                baseline */
        if (!bench_variant_is_twin(cell->name)) {
            bench_build_launches_put(file, &files->times, cell, &scenario->pair);
        }
        return BASE_OK;
    }
}

/* --- Opening and closing ---------------------------------------------------------------------- */

/**
 * Lists the counters, and the facts that are times, of all variants that may take part. The headers
 * of files need them before the first row.
 */
static base_status list_extras(run_files *files, base_error *err)
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

/**
 * Sets the path of a file while it is written. In a resumed run it is NAME.part, so that the old
 * file stays.
 */
static base_status part_path(const bench_run_options *options, const char *name,
                             char path[BENCH_RUN_PATH_BYTES], base_error *err)
{
    /* This call also checks the file that NAME.part will replace. */
    const base_status status = bench_run_file(options->directory, path, err, "%s", name);
    return status == BASE_OK && options->resume
               ? bench_run_file(options->directory, path, err, "%s.part", name)
               : status;
}

/**
 * Opens the files and writes their headers. A resumed run writes new files beside the old ones, so
 * that the old files stay if the run ends with an error (for example because the build or the
 * meshes differ). The files must be closed also after an error.
 */
static base_status open_files(const bench_run_options *options, run_files *files, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    *files = (run_files){.options = options};
    base_status status = list_extras(files, err);
    for (int i = 0; i < ROW_FILES && status == BASE_OK; i++) {
        status = part_path(options, bench_files[row_files[i]].name, path, err);
        if (status != BASE_OK) {
            return status;
        }
        files->rows[i] = fopen(path, "w");
        if (!files->rows[i]) {
            return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", path, strerror(errno));
        }
        base_csv_writer w = {.file = files->rows[i]};
        if (row_files[i] == BENCH_FILE_CELLS) {
            bench_cells_put_names(&files->counters, &w);
        } else if (row_files[i] == BENCH_FILE_BUILD_LAUNCHES) {
            bench_build_launches_put_names(&files->times, &w);
        } else {
            bench_columns_put_names(*bench_files[row_files[i]].columns, &w);
            base_csv_end(&w);
        }
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

/**
 * Closes the files. In a resumed run, the new files replace the old ones if status is BASE_OK;
 * otherwise they are removed. Returns status, or the error of replacing if status is BASE_OK.
 */
static base_status close_files(run_files *files, base_status status, base_error *err)
{
    bench_builds_destroy(files->builds);
    bench_extras_release(&files->counters);
    bench_extras_release(&files->times);
    base_error ignored = {0};
    for (int i = 0; i <= ROW_FILES; i++) {
        if (i < ROW_FILES && files->rows[i]) {
            fclose(files->rows[i]);
        }
        if (files->options->resume) {
            const bool keep = status == BASE_OK;
            const bench_file_id id = i < ROW_FILES ? row_files[i] : BENCH_FILE_BUILDS;
            const base_status settled =
                settle_part(files->options, bench_files[id].name, keep, keep ? err : &ignored);
            status = keep ? settled : status;
        }
    }
    return status;
}

/* --- Writing ---------------------------------------------------------------------------------- */

/** Writes trajectories/SCENARIO.csv. */
static base_status put_trajectory(const run_files *files, const bench_scenario *scenario,
                                  base_error *err)
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

/** Sets the path SCENARIO/VARIANT.ENDING in the run's folder. */
static base_status variant_path(const run_files *files, const bench_cell *cell, const char *ending,
                                char path[BENCH_RUN_PATH_BYTES], base_error *err)
{
    char file[BENCH_CONTESTANT_NAME_BYTES];
    bench_variant_file(cell->name, file, sizeof file);
    return bench_run_file(files->options->directory, path, err, "%s/%s.%s", cell->scenario, file,
                          ending);
}

/**
 * Writes the files of one cell: the frames, the regions if it answers any, and the spectrogram of
 * its force if there is one.
 */
static base_status put_variant_files(const run_files *files, const bench_scenario *scenario,
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

/** Writes a cell to all files. row: from bench_summarize. */
static base_status put_files(run_files *files, const bench_scenario *scenario,
                             const bench_cell *cell, const bench_cell_row *row, base_error *err)
{
    base_status status =
        cell->warm_count > 0 ? put_variant_files(files, scenario, cell, err) : BASE_OK;
    for (int i = 0; i < ROW_FILES && status == BASE_OK; i++) {
        status = put_rows(files, row_files[i], files->rows[i], scenario, cell, row, err);
    }
    return status == BASE_OK && !bench_variant_is_twin(cell->name)
               ? bench_builds_add(files->builds, cell, &scenario->pair, err)
               : status;
}

/**
 * Writes builds.csv and syncs the other files. cells.csv is synced last, so that everything that
 * its rows refer to is already on disk.
 */
static base_status sync_files(const run_files *files, base_error *err)
{
    base_status status = bench_builds_write(files->builds, err);
    for (int i = 0; i < ROW_FILES && status == BASE_OK; i++) {
        const char *const name = bench_files[row_files[i]].name;
        status = base_csv_check(&(base_csv_writer){.file = files->rows[i]}, name, err);
        if (status == BASE_OK && fsync(fileno(files->rows[i])) != 0) {
            status =
                base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", name, strerror(errno));
        }
    }
    return status;
}

/* --- Cells ------------------------------------------------------------------------------------ */

/** A contestant that allocates memory in its queries. */
typedef struct allocating {
    const char *name;
    double per_frame; /* maximum over all scenarios */
    struct allocating *next;
} allocating;

/** A note that is printed after the table. */
typedef struct remark {
    const char *text;
    struct remark *next;
} remark;

/** The state of a run across its scenarios. */
typedef struct ledger {
    bench_manifest *manifest;
    run_files files;
    base_hash build; /* hash of the programs that take part */
    bench_clock_cost clock;
    int exit_status;
    bench_table table; /* on stdout */
    bool begun, measured, described;
    base_arena arena;
    allocating *allocators; /* arena; contestants that allocate in queries, in the order of the
                               cells */
    remark *remarks,
        **next_remark; /* arena; remarks on work outside of the timed queries, in the order of
                          the cells */
} ledger;

/** Raises the exit status if this cell is worse than all cells so far. */
static void count_cell(ledger *l, const bench_cell *cell)
{
    const bench_status s = cell->status;
    l->measured |= cell->pass_count > 0 || s != BENCH_CELL_UNSUPPORTED;
    if (s == BENCH_CELL_WRONG) {
        l->exit_status = BENCH_WRONG;
    } else if (l->exit_status == BENCH_GOOD && (s == BENCH_CELL_CRASH || s == BENCH_CELL_TIMEOUT ||
                                                s == BENCH_CELL_OOM || s == BENCH_CELL_FAILED)) {
        l->exit_status = BENCH_CELL_DIED;
    }
}

/**
 * Adds the contestant to the list of allocators if it allocates memory in its queries. allocations:
 * sum over the warm and evicted passes.
 */
static base_status note_allocations(const bench_cell *cell, double allocations, ledger *l,
                                    base_error *err)
{
    const double frames =
        (double)cell->frame_count * (double)(cell->warm_count + cell->evicted_count);
    if (!(allocations > 0 && frames > 0)) {
        return BASE_OK;
    }
    allocating **at = &l->allocators;
    while (*at && strcmp((*at)->name, cell->name) != 0) {
        at = &(*at)->next;
    }
    if (!*at) {
        *at = base_arena_alloc(&l->arena, 1, sizeof **at);
        if (!*at || !((*at)->name = base_arena_text(&l->arena, cell->name))) {
            return base_fail(err, BASE_ERR_MEMORY, "out of memory");
        }
    }
    (*at)->per_frame = fmax((*at)->per_frame, allocations / frames);
    return BASE_OK;
}

/**
 * In modes that compare times: adds a remark on work outside of the timed queries, if there is too
 * little of it to make the cell wrong, because it may have an innocent cause.
 */
static base_status note_hidden_work(const bench_run_options *options, const bench_cell *cell,
                                    ledger *l, base_error *err)
{
    bench_hidden_work work;
    char text[sizeof work.text + 512];
    const base_status status = bench_hidden_work_of(cell, &work, err);
    if (status != BASE_OK || !options->mode->timed || work.verdict != BENCH_HIDDEN_NOTE) {
        return status;
    }
    snprintf(text, sizeof text, "'%s' on %s: %s", cell->name, cell->scenario, work.text);
    remark *const r = base_arena_alloc(&l->arena, 1, sizeof *r);
    if (!r || !(r->text = base_arena_text(&l->arena, text))) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    *l->next_remark = r;
    l->next_remark = &r->next;
    return BASE_OK;
}

/** Prints all notes, after the table. */
static void tell_notes(const ledger *l)
{
    for (const allocating *a = l->allocators; a; a = a->next) {
        bench_note("'%s' allocates memory in its queries, up to %.3g times a frame: its times are "
                   "those of the allocator, too",
                   a->name, a->per_frame);
    }
    for (const remark *r = l->remarks; r; r = r->next) {
        bench_note("%s", r->text);
    }
}

/** Writes a cell to the files and the table, and collects its notes. */
static base_status put_cell(const bench_run_options *options, const bench_scenario *scenario,
                            const bench_cell *cell, ledger *l, base_error *err)
{
    bench_cell_row row;
    base_arena arena = {0};
    base_status status = bench_summarize(cell, &arena, &row, err);
    if (status == BASE_OK) {
        status = put_files(&l->files, scenario, cell, &row, err);
    }
    if (status == BASE_OK && !options->no_table) {
        bench_table_print(stdout, &l->table, cell->quantities, &row);
    }
    if (status == BASE_OK && strcmp(cell->variant.name, cell->name) == 0) { /* not a copy */
        status = note_allocations(cell, row.allocations, l, err);
        if (status == BASE_OK) {
            status = note_hidden_work(options, cell, l, err);
        }
    }
    base_arena_release(&arena);
    count_cell(l, cell);
    return status;
}

/* --- Scenarios -------------------------------------------------------------------------------- */

/** Measures a scenario and writes its cells. One cell is in memory at a time. */
static base_status measure_scenario(const bench_run_options *options, const bench_plan *plan,
                                    const bench_scenario *scenario, ledger *l, base_error *err)
{
    bench_measured *measured;
    base_status status =
        bench_measure(options, plan, scenario, l->build, &l->clock, &measured, err);
    if (status == BASE_OK) {
        l->described = l->described || describe_workers(measured, plan->count, l->manifest);
        status = put_trajectory(&l->files, scenario, err);
    }
    for (size_t i = 0; i < plan->count && status == BASE_OK; i++) {
        bench_cell cell;
        status = bench_cell_make(options, plan, scenario, &measured[i], i, &cell, err);
        if (status == BASE_OK) {
            status = put_cell(options, scenario, &cell, l, err);
        }
        bench_cell_release(&cell);
    }
    bench_measured_release(measured, plan->count);
    fflush(stdout);
    return status == BASE_OK ? sync_files(&l->files, err) : status;
}

static base_status run_scenario(const bench_run_options *options, const scn_scenario *asked,
                                ledger *l, base_error *err)
{
    bench_plan plan;
    bench_scenario scenario = {.inputs = -1};
    base_status status = bench_plan_make(options, asked, &plan, err);
    if (status == BASE_OK) {
        status = bench_scenario_load(options, asked, &plan, &scenario, err);
    }
    if (status == BASE_OK) {
        if (!l->begun) {
            bench_run_link(options->directory, !options->resume);
        }
        l->begun = true;
        describe_inputs(&scenario, l->manifest);
        describe_truth(&scenario, l->manifest);
        describe_plan(&plan, asked, l->manifest);
        status = measure_scenario(options, &plan, &scenario, l, err);
    } else if (bench_interrupted()) {
        status = BASE_OK; /* the scenario was interrupted before its first pass; the results of
                             earlier scenarios are kept */
    }
    bench_scenario_release(&scenario);
    bench_plan_release(&plan);
    return status;
}

/**
 * Removes the files of a run that failed before its first scenario, so that --out can be used
 * again.
 */
static void remove_empty_run(const char *directory)
{
    char path[BENCH_RUN_PATH_BYTES];
    for (int f = 0; f < BENCH_FILE_COUNT; f++) {
        if ((bench_files[f].use & BENCH_FILE_OF_RUN) &&
            bench_run_file(directory, path, NULL, "%s", bench_files[f].name) == BASE_OK) {
            unlink(path);
        }
    }
    if (bench_run_file(directory, path, NULL, BENCH_RUN_LOCK) == BASE_OK) {
        unlink(path);
    }
    rmdir(directory);
}

/**
 * Hashes this program and the old code, if there is any. A journal is valid only for the code that
 * it was measured with.
 */
static base_status hash_programs(const bench_run_options *options, base_hash *hash, base_error *err)
{
    const char *const files[] = {"/proc/self/exe", options->against_program,
                                 options->against_plugin};
    base_hasher *const hasher = base_hasher_create();
    base_status status = hasher ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < sizeof files / sizeof *files && status == BASE_OK; i++) {
        base_hash file = {0};
        status = files[i] ? base_file_hash(files[i], &file, err) : BASE_OK;
        base_hasher_add(hasher, &file, sizeof file);
    }
    if (hasher) {
        *hash = base_hasher_finish(hasher);
    }
    return status;
}

/**
 * Begins the table with the names of all selected scenarios and variants, which determine the
 * widths of its columns.
 */
static void begin_table(const bench_run_options *options, bench_table *table)
{
    const scn_experiment *const e = options->experiment;
    const bool copies = options->mode->timed || bench_is_against(options);
    bench_table_begin(table);
    for (size_t i = 0; i < e->scenario_count; i++) {
        if (bench_selected(options->scenarios, e->scenarios[i].name)) {
            bench_table_scenario(table, e->scenarios[i].name);
        }
    }
    for (size_t v = 0; v < e->variant_count; v++) {
        if (bench_selected(options->algorithms, options->variants[v].name)) {
            bench_table_variant(table, options->variants[v].name, copies);
        }
    }
}

/** Opens the files, measures all scenarios and closes the files. */
static base_status measure_all(const bench_run_options *options, ledger *l, int *exit_status,
                               base_error *err)
{
    const scn_experiment *const e = options->experiment;
    begin_table(options, &l->table);
    base_status status = open_files(options, &l->files, err);
    for (size_t i = 0; i < e->scenario_count && status == BASE_OK && !bench_interrupted(); i++) {
        if (bench_selected(options->scenarios, e->scenarios[i].name)) {
            status = run_scenario(options, &e->scenarios[i], l, err);
            if (status == BASE_OK) {
                status = bench_run_check_claim(err);
            }
        }
    }
    if (status == BASE_OK && !l->measured && !bench_interrupted()) {
        bench_warn("no cell was measured: the last column of the table says why");
        l->exit_status = BENCH_INPUT;
    }
    *exit_status = bench_interrupted() ? BENCH_INTERRUPTED : l->exit_status;
    if (status == BASE_OK) { /* a run that was stopped by an error has no exit status */
        bench_manifest_add(l->manifest, "run", "exit_status", "%d", *exit_status);
    }
    return close_files(&l->files, status, err);
}

base_status bench_run(const bench_run_options *options, int *exit_status, base_error *err)
{
    ledger l = {.exit_status = BENCH_GOOD};
    l.next_remark = &l.remarks;
    bench_clock_choose(&l.clock);
    base_status status = hash_programs(options, &l.build, err);
    if (status != BASE_OK) {
        return status;
    }
    bench_orphans_adopt();
    status = describe_run(options, &l.clock, &l.manifest, err);
    if (status != BASE_OK) {
        return status;
    }
    status = measure_all(options, &l, exit_status, err);
    if (!options->no_table) {
        tell_notes(&l);
    }
    base_arena_release(&l.arena);
    if (options->resume && status != BASE_OK) {
        bench_manifest_discard(l.manifest);
        return status;
    }
    if (options->resume) {
        status = bench_manifest_publish(l.manifest, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    base_error closing = {0};
    const base_status closed = bench_manifest_close(l.manifest, &closing);
    if (status == BASE_OK && closed != BASE_OK) {
        *err = closing;
        status = closed;
    }
    if (status != BASE_OK && !l.begun && !options->resume) {
        remove_empty_run(options->directory);
    }
    return status;
}
