/** A run: scenario after scenario, and its files. */
#include "suite/run/run.h"

#include "base/csv.h"
#include "base/file.h"
#include "suite/inputs/choice.h"
#include "suite/inputs/plugin.h"
#include "suite/message.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const bench_mode modes[] = {
    {"smoke", 1,  0, 1, 0, false, GT_BY_BVH | GT_BY_FLUX,        1},
    {"ci",    1,  1, 2, 0, false, GT_BY_BVH | GT_BY_FLUX,        1},
    {"bench", 12, 1, 2, 1, true,  GT_BY_DISTANCE | GT_BY_VOLUME, 1},
    {"paper", 18, 1, 3, 2, true,  GT_BY_DISTANCE | GT_BY_VOLUME, 2},
};

const bench_mode *bench_mode_find(const char *name)
{
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (strcmp(modes[i].name, name) == 0) {
            return &modes[i];
        }
    }
    return NULL;
}

/** What scenarios of a run have in common. */
typedef struct ledger {
    bench_manifest *manifest;
    FILE *cells, *passes, *launches, *deadline; /* one row per cell, pass, launch and step */
    bench_builds *builds;
    base_hash build; /* of the programs that take part */
    bench_clock_cost clock;
    int exit_status;
    bool first_row, begun, measured, described;
} ledger;

static bool died(bench_status status)
{
    return status == BENCH_CELL_CRASH || status == BENCH_CELL_TIMEOUT || status == BENCH_CELL_OOM ||
           status == BENCH_CELL_FAILED;
}

/** The exit status becomes the gravest of the run so far. */
static void count_cell(ledger *l, const bench_cell *cell)
{
    l->measured |= cell->pass_count > 0 || cell->status != BENCH_CELL_UNSUPPORTED;
    if (cell->status == BENCH_CELL_WRONG) {
        l->exit_status = BENCH_WRONG;
    } else if (l->exit_status == BENCH_GOOD && died(cell->status)) {
        l->exit_status = BENCH_CELL_DIED;
    }
}

static base_status write_cell(const bench_stage *s, const bench_cell *cell, ledger *l,
                              base_error *err)
{
    bench_summary summary;
    base_status status = bench_summarize(cell, &summary, err);
    if (status == BASE_OK && cell->warm_count > 0) {
        status = bench_frames_write(s->options->directory, cell, &s->pair, s->truths, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    bench_cells_row(l->cells, cell, &summary);
    bench_passes_rows(l->passes, cell);
    status = bench_launches_rows(l->launches, cell, err);
    status = status == BASE_OK ? bench_deadline_rows(l->deadline, cell, err) : status;
    if (!s->options->no_table) {
        bench_table_print(stdout, cell, &summary, l->first_row);
    }
    l->first_row = false;
    count_cell(l, cell);
    return status;
}

/** Flushes and syncs a file of the run, of which nothing may be lost. */
static base_status settle(FILE *file, const char *name, base_error *err)
{
    base_csv_writer w = {.file = file};
    const base_status status = base_csv_check(&w, name, err);
    if (status == BASE_OK && fsync(fileno(file)) != 0) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", name, strerror(errno));
    }
    return status;
}

/** Writes what there is of every cell, one in memory at a time. */
static base_status write_cells(const bench_stage *s, ledger *l, base_error *err)
{
    for (size_t i = 0; i < s->count; i++) {
        bench_cell cell;
        base_status status = bench_stage_cell(s, i, &cell, err);
        if (status == BASE_OK) {
            status = write_cell(s, &cell, l, err);
        }
        if (status == BASE_OK && !s->entries[i].twin) {
            status = bench_builds_add(l->builds, &cell, &s->pair, err);
        }
        bench_cell_release(&cell);
        if (status != BASE_OK) {
            return status;
        }
    }
    fflush(stdout);
    base_status status = settle(l->deadline, "deadline.csv", err);
    status = status == BASE_OK ? settle(l->passes, "passes.csv", err) : status;
    status = status == BASE_OK ? settle(l->launches, "launches.csv", err) : status;
    status = status == BASE_OK ? bench_builds_write(l->builds, err) : status;
    return status == BASE_OK ? settle(l->cells, "cells.csv", err) : status;
}

/** Which methods found the truth, and how many frames have which certificate. */
static void describe_truth(const bench_stage *s, bench_manifest *manifest)
{
    const char *const name = s->scenario->name;
    unsigned methods = 0;
    size_t distance[3] = {0}, volume[3] = {0};
    for (size_t f = 0; f < s->trajectory.frame_count; f++) {
        methods |= s->truths[f].methods;
        distance[s->truths[f].distance_certified]++;
        volume[s->truths[f].volume_certified]++;
    }
    bench_manifest_add(manifest, name, "truth_methods", "%s", gt_methods_format(methods).text);
    for (int c = 0; c < 3; c++) {
        char key[40];
        snprintf(key, sizeof key, "distance_certified_%d_frames", c);
        bench_manifest_add(manifest, name, key, "%zu", distance[c]);
    }
    for (int c = 0; c < 3 && (methods & GT_BY_VOLUME); c++) {
        char key[40];
        snprintf(key, sizeof key, "volume_certified_%d_frames", c);
        bench_manifest_add(manifest, name, key, "%zu", volume[c]);
    }
}

static void describe_inputs(const bench_stage *s, bench_manifest *manifest)
{
    const char *const name = s->scenario->name;
    bench_manifest_add(manifest, name, "a", "%s", s->scenario->a);
    bench_manifest_add(manifest, name, "a_hash", "%s", base_hash_format(s->pair.a.hash).hex);
    bench_manifest_add(manifest, name, "a_triangles", "%zu", s->pair.a.mesh.face_count);
    bench_manifest_add(manifest, name, "b", "%s", s->scenario->b);
    bench_manifest_add(manifest, name, "b_hash", "%s", base_hash_format(s->pair.b.hash).hex);
    bench_manifest_add(manifest, name, "b_triangles", "%zu", s->pair.b.mesh.face_count);
    bench_manifest_add(manifest, name, "trajectory", "%s", s->trajectory.source);
    bench_manifest_add(manifest, name, "frames", "%zu", s->trajectory.frame_count);
    base_hasher *const hasher = base_hasher_create();
    if (hasher) {
        base_hasher_add(hasher, s->poses, s->trajectory.frame_count * sizeof *s->poses);
        bench_manifest_add(manifest, name, "poses_hash", "%s",
                           base_hash_format(base_hasher_finish(hasher)).hex);
    }
}

/** How the run's workers were set apart: the same for all, so told once. */
static void describe_workers(const bench_stage *s, ledger *l)
{
    for (size_t i = 0; i < s->count && !l->described; i++) {
        const bench_worker *const worker = &s->entries[i].worker;
        const bench_isolation *const isolation = &worker->isolation;
        if (!*worker->counters) {
            continue; /* not started */
        }
        bench_manifest_add(l->manifest, "workers", "cpu", "%d", isolation->cpu);
        bench_manifest_add(l->manifest, "workers", "affinity", "%s", isolation->affinity);
        bench_manifest_add(l->manifest, "workers", "memory_lock", "%s", isolation->memory_lock);
        bench_manifest_add(l->manifest, "workers", "scheduler", "%s", isolation->scheduler);
        bench_manifest_add(l->manifest, "workers", "aslr", "%s", isolation->aslr);
        bench_manifest_add(l->manifest, "workers", "counters", "%s", worker->counters);
        l->described = true;
    }
}

static void describe_plan(const bench_stage *s, bench_manifest *manifest)
{
    const char *const name = s->scenario->name;
    bench_manifest_add(manifest, name, "launches", "%zu", s->plan.launches);
    bench_manifest_add(manifest, name, "rounds_per_launch", "%zu warm-up, %zu warm, %zu evicted",
                       s->plan.warm_up_rounds, s->plan.warm_rounds, s->plan.evicted_rounds);
    bench_manifest_add(manifest, name, "quantities", "%s",
                       bench_quantities_name(s->scenario->quantities));
}

/** DIRECTORY/trajectories/SCENARIO.csv: the poses, so that a run's folder tells its whole story. */
static base_status write_trajectory(const bench_stage *s, base_error *err)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/trajectories/%s.csv", s->options->directory, s->scenario->name);
    const base_status parents = base_folder_make_parents(path, err);
    if (parents != BASE_OK) {
        return parents;
    }
    FILE *const file = fopen(path, "w");
    if (!file) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", path, strerror(errno));
    }
    const base_status status = scn_trajectory_write(&s->trajectory, file, path, err);
    fclose(file);
    return status;
}

static base_status run_scenario(const bench_run_options *options, const scn_scenario *scenario,
                                ledger *l, base_error *err)
{
    bench_stage s;
    base_status status = bench_stage_open(options, scenario, l->build, &l->clock, &s, err);
    if (status != BASE_OK && bench_interrupted()) {
        bench_stage_close(&s); /* nothing of it was measured; what ran before stays */
        return BASE_OK;
    }
    if (status == BASE_OK) {
        l->begun = true;
        describe_inputs(&s, l->manifest);
        describe_truth(&s, l->manifest);
        describe_plan(&s, l->manifest);
        status = write_trajectory(&s, err);
    }
    if (status == BASE_OK) {
        status = bench_stage_measure(&s, err);
    }
    if (status == BASE_OK) {
        describe_workers(&s, l);
        status = write_cells(&s, l, err);
    }
    bench_stage_close(&s);
    return status;
}

/** Opens DIRECTORY/NAME for writing. */
static FILE *create(const char *directory, const char *name, base_error *err)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *const file = fopen(path, "w");
    if (!file) {
        (void)base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", path, strerror(errno));
    }
    return file;
}

/** The shared libraries whose algorithms take part. */
static void describe_plugins(const bench_run_options *options, bench_manifest *manifest)
{
    const scn_experiment *const e = options->experiment;
    for (size_t v = 0; v < e->variant_count; v++) {
        const alg_variant *const variant = &options->variants[v];
        const bench_plugin *const plugin = bench_plugin_of(variant->algorithm);
        if (plugin && bench_selected(options->algorithms, variant->name)) {
            char section[160];
            snprintf(section, sizeof section, "plugin %s", variant->name);
            bench_manifest_add(manifest, section, "argument", "%s", plugin->argument);
            bench_manifest_add(manifest, section, "file", "%s", plugin->path);
            bench_manifest_add(manifest, section, "hash", "%s", base_hash_format(plugin->hash).hex);
            bench_manifest_add(manifest, section, "version", "%s", plugin->version);
            bench_manifest_add(manifest, section, "build", "%s", plugin->build);
            bench_manifest_add(manifest, section, "tolerance_ulp", "%u",
                               variant->algorithm->tolerance_ulp);
        }
    }
}

static base_status run_scenarios(const bench_run_options *options, ledger *l, base_error *err)
{
    const scn_experiment *const e = options->experiment;
    for (size_t i = 0; i < e->scenario_count && !bench_interrupted(); i++) {
        if (bench_selected(options->scenarios, e->scenarios[i].name)) {
            const base_status status = run_scenario(options, &e->scenarios[i], l, err);
            if (status != BASE_OK) {
                return status;
            }
        }
    }
    return BASE_OK;
}

/** A run that failed before its first journal leaves nothing: the corrected command may use --out.
 */
static void remove_empty_run(const char *directory)
{
    static const char *const names[] = {"manifest.csv", "cells.csv",    "passes.csv",
                                        "launches.csv", "deadline.csv", "builds.csv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        unlink(path);
    }
    rmdir(directory);
}

/** Journals belong to the code that they were measured with. */
static base_status hash_programs(const bench_run_options *options, base_hash *hash, base_error *err)
{
    const char *const files[] = {"/proc/self/exe", options->against_program,
                                 options->against_plugin};
    base_hasher *const hasher = base_hasher_create();
    base_status status = hasher ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < sizeof files / sizeof *files && status == BASE_OK; i++) {
        base_hash file = {0};
        status = files[i] ? bench_file_hash(files[i], &file, err) : BASE_OK;
        base_hasher_add(hasher, &file, sizeof file);
    }
    if (hasher) {
        *hash = base_hasher_finish(hasher);
    }
    return status;
}

static base_status open_files(const bench_run_options *options, ledger *l, base_error *err)
{
    l->cells = create(options->directory, "cells.csv", err);
    l->passes = l->cells ? create(options->directory, "passes.csv", err) : NULL;
    l->launches = l->passes ? create(options->directory, "launches.csv", err) : NULL;
    l->deadline = l->launches ? create(options->directory, "deadline.csv", err) : NULL;
    if (!l->deadline) {
        return BASE_ERR_SYSTEM;
    }
    bench_cells_header(l->cells);
    bench_passes_header(l->passes);
    bench_launches_header(l->launches);
    bench_deadline_header(l->deadline);
    return bench_builds_create(options->directory, &l->builds, err);
}

static void close_files(ledger *l)
{
    bench_builds_destroy(l->builds);
    FILE *const files[] = {l->cells, l->passes, l->launches, l->deadline};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i]) {
            fclose(files[i]);
        }
    }
}

base_status bench_run(const bench_run_options *options, int *exit_status, base_error *err)
{
    ledger l = {.exit_status = BENCH_GOOD, .first_row = true};
    bench_clock_choose(&l.clock);
    base_status status = hash_programs(options, &l.build, err);
    if (status == BASE_OK) {
        status = bench_manifest_create(options, &l.clock, &l.manifest, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    status = open_files(options, &l, err);
    if (status == BASE_OK) {
        describe_plugins(options, l.manifest);
        status = run_scenarios(options, &l, err);
    }
    if (status == BASE_OK && !l.measured && !bench_interrupted()) {
        bench_warn("nobody answered anything: no cell was measured");
        l.exit_status = BENCH_INPUT;
    }
    *exit_status = bench_interrupted() ? BENCH_INTERRUPTED : l.exit_status;
    if (status == BASE_OK) {
        /* A run that was ended by an error has none. */
        bench_manifest_add(l.manifest, "run", "exit_status", "%d", *exit_status);
    }
    close_files(&l);
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
