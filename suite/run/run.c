/** A run: scenario after scenario, and its files. */
#include "suite/inputs/plugin.h"
#include "suite/run/run.h"

#include "geometry/csv.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const bench_mode modes[] = {
    {"smoke", 0, 1,  0, GT_BY_BVH | GT_BY_FLUX,        1},
    {"ci",    1, 2,  0, GT_BY_BVH | GT_BY_FLUX,        1},
    {"bench", 1, 5,  3, GT_BY_DISTANCE | GT_BY_VOLUME, 1},
    {"paper", 1, 11, 5, GT_BY_DISTANCE | GT_BY_VOLUME, 2},
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
    FILE *cells, *deadline; /* files of one row per cell and per step */
    int exit_status;
    bool first_row;
} ledger;

static bool died(bench_status status)
{
    return status == BENCH_CELL_CRASH || status == BENCH_CELL_TIMEOUT || status == BENCH_CELL_OOM ||
           status == BENCH_CELL_FAILED;
}

/** Writes what there is of every cell; the exit status becomes the gravest of the run so far. */
static geo_status write_cells(bench_stage *s, ledger *l, geo_error *err)
{
    for (size_t i = 0; i < s->count; i++) {
        bench_cell *const cell = &s->cells[i];
        bench_summary summary;
        geo_status status = bench_summarize(cell, &summary, err);
        if (status == GEO_OK && cell->warm_count > 0) {
            status = bench_frames_write(s->options->directory, cell, &s->pair, s->truths, err);
        }
        if (status != GEO_OK) {
            return status;
        }
        bench_cells_row(l->cells, cell, &summary);
        status = bench_deadline_rows(l->deadline, cell, err);
        if (status != GEO_OK) {
            return status;
        }
        bench_table_print(stdout, cell, &summary, l->first_row);
        l->first_row = false;
        if (cell->status == BENCH_CELL_WRONG) {
            l->exit_status = BENCH_WRONG;
        } else if (l->exit_status == BENCH_GOOD && died(cell->status)) {
            l->exit_status = BENCH_CELL_DIED;
        }
    }
    fflush(stdout);
    geo_csv_writer deadline = {.file = l->deadline}, cells = {.file = l->cells};
    const geo_status status = geo_csv_check(&deadline, "deadline.csv", err);
    return status == GEO_OK ? geo_csv_check(&cells, "cells.csv", err) : status;
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
    bench_manifest_add(manifest, name, "a_hash", "%s", geo_hash_format(s->pair.a.hash).hex);
    bench_manifest_add(manifest, name, "a_triangles", "%zu", s->pair.a.mesh.face_count);
    bench_manifest_add(manifest, name, "b", "%s", s->scenario->b);
    bench_manifest_add(manifest, name, "b_hash", "%s", geo_hash_format(s->pair.b.hash).hex);
    bench_manifest_add(manifest, name, "b_triangles", "%zu", s->pair.b.mesh.face_count);
    bench_manifest_add(manifest, name, "trajectory", "%s", s->trajectory.source);
    bench_manifest_add(manifest, name, "frames", "%zu", s->trajectory.frame_count);
    geo_hasher *const hasher = geo_hasher_create();
    if (hasher) {
        geo_hasher_add(hasher, s->poses, s->poses_bytes);
        bench_manifest_add(manifest, name, "poses_hash", "%s",
                           geo_hash_format(geo_hasher_finish(hasher)).hex);
    }
}

/** DIRECTORY/trajectories/SCENARIO.csv: the poses, so that a run's folder tells its whole story. */
static geo_status write_trajectory(const bench_stage *s, geo_error *err)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/trajectories/%s.csv", s->options->directory, s->scenario->name);
    const geo_status parents = bench_make_parents(path, err);
    if (parents != GEO_OK) {
        return parents;
    }
    FILE *const file = fopen(path, "w");
    if (!file) {
        return geo_fail(err, GEO_ERR_SYSTEM, "cannot write '%s': %s", path, strerror(errno));
    }
    const geo_status status = scn_trajectory_write(&s->trajectory, file, path, err);
    fclose(file);
    return status;
}

static geo_status run_scenario(const bench_run_options *options, const scn_scenario *scenario,
                               ledger *l, geo_error *err)
{
    bench_stage s;
    geo_status status = bench_stage_open(options, scenario, &s, err);
    if (status != GEO_OK && bench_interrupted()) {
        bench_stage_close(&s); /* nothing of it was measured; what ran before stays */
        return GEO_OK;
    }
    if (status == GEO_OK) {
        describe_inputs(&s, l->manifest);
        describe_truth(&s, l->manifest);
        status = write_trajectory(&s, err);
    }
    if (status == GEO_OK) {
        status = bench_stage_measure(&s, err);
    }
    if (status == GEO_OK) {
        status = write_cells(&s, l, err);
    }
    bench_stage_close(&s);
    return status;
}

/** Opens DIRECTORY/NAME for writing. */
static FILE *create(const char *directory, const char *name, geo_error *err)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *const file = fopen(path, "w");
    if (!file) {
        (void)geo_fail(err, GEO_ERR_SYSTEM, "cannot write '%s': %s", path, strerror(errno));
    }
    return file;
}

/** The shared libraries whose algorithms take part. */
static void describe_plugins(const bench_run_options *options, bench_manifest *manifest)
{
    const scn_experiment *const e = options->experiment;
    for (size_t v = 0; v < e->variant_count; v++) {
        alg_variant variant;
        const bench_plugin *plugin = NULL;
        if (bench_selected(options->algorithms, e->variants[v]) &&
            alg_variant_parse(e->variants[v], e->seed, &variant, NULL) == ALG_OK) {
            plugin = bench_plugin_of(variant.algorithm);
        }
        if (plugin) {
            char section[160];
            snprintf(section, sizeof section, "plugin %s", variant.name);
            bench_manifest_add(manifest, section, "file", "%s", plugin->path);
            bench_manifest_add(manifest, section, "hash", "%s", geo_hash_format(plugin->hash).hex);
            bench_manifest_add(manifest, section, "version", "%s", plugin->version);
            bench_manifest_add(manifest, section, "build", "%s", plugin->build);
            bench_manifest_add(manifest, section, "tolerance_ulp", "%u",
                               variant.algorithm->tolerance_ulp);
        }
    }
}

static geo_status run_scenarios(const bench_run_options *options, ledger *l, geo_error *err)
{
    const scn_experiment *const e = options->experiment;
    for (size_t i = 0; i < e->scenario_count && !bench_interrupted(); i++) {
        if (bench_selected(options->scenarios, e->scenarios[i].name)) {
            const geo_status status = run_scenario(options, &e->scenarios[i], l, err);
            if (status != GEO_OK) {
                return status;
            }
        }
    }
    return GEO_OK;
}

/** A run that failed before its first row leaves nothing: the corrected command may use --out. */
static void remove_empty_run(const char *directory)
{
    static const char *const names[] = {"manifest.csv", "cells.csv", "deadline.csv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        unlink(path);
    }
    rmdir(directory);
}

geo_status bench_run(const bench_run_options *options, int *exit_status, geo_error *err)
{
    ledger l = {.exit_status = BENCH_GOOD, .first_row = true};
    geo_status status = bench_manifest_create(options, &l.manifest, err);
    if (status != GEO_OK) {
        return status;
    }
    l.cells = create(options->directory, "cells.csv", err);
    l.deadline = l.cells ? create(options->directory, "deadline.csv", err) : NULL;
    status = l.deadline ? GEO_OK : GEO_ERR_SYSTEM;
    if (status == GEO_OK) {
        bench_cells_header(l.cells);
        bench_deadline_header(l.deadline);
        describe_plugins(options, l.manifest);
        status = run_scenarios(options, &l, err);
    }
    *exit_status = bench_interrupted() ? BENCH_INTERRUPTED : l.exit_status;
    if (status == GEO_OK) {
        /* A run that was ended by an error has none. */
        bench_manifest_add(l.manifest, "run", "exit_status", "%d", *exit_status);
    }
    if (l.deadline) {
        fclose(l.deadline);
    }
    if (l.cells) {
        fclose(l.cells);
    }
    geo_error closing = {0};
    const geo_status closed = bench_manifest_close(l.manifest, &closing);
    if (status == GEO_OK && closed != GEO_OK) {
        *err = closing;
        status = closed;
    }
    if (status != GEO_OK && l.first_row) {
        remove_empty_run(options->directory);
    }
    return status;
}
