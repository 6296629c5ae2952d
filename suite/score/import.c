#include "suite/score/import.h"

#include "base/csv.h"
#include "base/file.h"
#include "base/memory.h"
#include "suite/results/run_folder.h"
#include "suite/results/truth.h"
#include "suite/run/scenario.h"
#include "suite/score/export.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- Hashes ----------------------------------------------------------------------------------- */

/** True for a path that stays inside of a folder. */
static bool is_inside(const char *path)
{
    bool inside = *path && *path != '/';
    for (const char *at = path; inside && at; at = strchr(at, '/')) {
        at += *at == '/';
        inside = strncmp(at, "..", 2) != 0 || (at[2] && at[2] != '/');
    }
    return inside;
}

static base_status check_file(const char *folder, const base_csv *list, size_t row, base_error *err)
{
    const char *const hash = base_csv_text(list, row, 0), *const name = base_csv_text(list, row, 1);
    if (!hash || !name || !is_inside(name)) {
        return base_fail(err, BASE_ERR_INPUT,
                         "'%s' line %zu: not a hash and a path inside of the set", list->path,
                         list->lines[row + 1]);
    }
    char path[BENCH_RUN_PATH_BYTES];
    base_hash found;
    base_status status = bench_run_file(folder, path, err, "%s", name);
    if (status == BASE_OK) {
        status = base_file_hash(path, &found, err);
    }
    return status == BASE_OK && strcmp(base_hash_format(found).hex, hash) != 0
               ? base_fail(err, BASE_ERR_INPUT,
                           "'%s' has changed since it was exported ('%s' line %zu)", path,
                           list->path, list->lines[row + 1])
               : status;
}

base_status bench_import_check(const char *folder, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    base_csv list;
    const base_csv_format format = {.delimiter = ' ', .headerless = true};
    base_status status = bench_run_file(folder, path, err, BENCH_SET_HASHES);
    if (status == BASE_OK) {
        status = base_csv_read(path, &format, &list, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    if (list.columns != 2) {
        status = base_fail(err, BASE_ERR_INPUT, "'%s' is no list of hashes and paths", path);
    }
    for (size_t row = 0; row < list.rows && status == BASE_OK; row++) {
        status = check_file(folder, &list, row, err);
    }
    base_csv_release(&list);
    return status;
}

/* --- A scenario ------------------------------------------------------------------------------- */

static base_status read_table(const char *folder, const scn_scenario *scenario, const char *name,
                              base_csv *table, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    const base_status status = bench_run_file(folder, path, err, "%s/%s", scenario->name, name);
    return status == BASE_OK ? base_csv_read(path, NULL, table, err) : status;
}

/** Compares the hashes of meshes and poses with those of facts.csv. */
static base_status check_facts(const char *folder, const bench_scenario *s, base_error *err)
{
    base_csv table;
    base_hash poses;
    base_status status = bench_poses_hash(s->poses, s->trajectory.frame_count, &poses, err);
    if (status == BASE_OK) {
        status = read_table(folder, s->asked, BENCH_SET_FACTS, &table, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    const struct {
        const char *key, *what;
        base_hash hash;
    } facts[] = {{"a_hash", "a.off", s->pair.a.hash},
                 {"b_hash", "b.off", s->pair.b.hash},
                 {"poses_hash", "trajectory.csv", poses}};
    bool found[sizeof facts / sizeof *facts] = {false};
    status = bench_columns_check(bench_set_fact_columns, &table, 0, err);
    for (size_t row = 0; row < table.rows && status == BASE_OK; row++) {
        bench_set_fact fact;
        status = bench_columns_read(bench_set_fact_columns, &table, row, &fact, err);
        for (size_t i = 0; i < sizeof facts / sizeof *facts && status == BASE_OK; i++) {
            found[i] |= strcmp(fact.key, facts[i].key) == 0 &&
                        strcmp(fact.value, base_hash_format(facts[i].hash).hex) == 0;
        }
    }
    for (size_t i = 0; i < sizeof facts / sizeof *facts && status == BASE_OK; i++) {
        if (!found[i]) {
            status =
                base_fail(err, BASE_ERR_INPUT, "'%s': %s of '%s' is not the one that was exported",
                          table.path, facts[i].what, s->asked->name);
        }
    }
    base_csv_release(&table);
    return status;
}

/** True if two brackets of one number exclude each other. */
static bool excludes(gt_bracket old, gt_bracket now)
{
    return !isnan(old.lo) && gt_known(now) && (old.lo > now.hi || old.hi < now.lo);
}

/** Computes the truth that the rows have again, and counts the frames that contradict it. */
static base_status verify_rows(const bench_run_options *options, bench_scenario *s,
                               const bench_truth_row *rows, bench_imported *imported,
                               base_error *err)
{
    unsigned want = GT_WANT_DISTANCE;
    for (size_t f = 0; f < imported->frames; f++) {
        want |= rows[f].certified[GT_VOLUME] != UINT64_MAX ? GT_WANT_VOLUME : 0u;
        want |= rows[f].certified[GT_PAIRS] != UINT64_MAX ? GT_WANT_PAIRS : 0u;
        want |= rows[f].certified[GT_DEPTH] != UINT64_MAX ? GT_WANT_DEPTH : 0u;
    }
    const base_status status = bench_scenario_load_truth(options, want, s, err);
    for (size_t f = 0; f < imported->frames && status == BASE_OK; f++) {
        const gt_truth *const now = &s->truths[f];
        if (excludes(rows[f].distance_m, now->distance_m) ||
            excludes(rows[f].volume_m3, now->volume_m3) ||
            excludes(rows[f].pairs, now->pairs_count) || excludes(rows[f].depth_m, now->depth_m)) {
            imported->first = imported->contradicted++ == 0 ? f : imported->first;
        }
    }
    imported->verified = status == BASE_OK;
    return status;
}

/** Reads the rows of truth.csv, which borrow texts of the table. */
static base_status read_rows(const base_csv *table, const bench_scenario *s, bench_truth_row *rows,
                             bench_imported *imported, base_error *err)
{
    base_status status = bench_columns_check(bench_truth_columns, table, 0, err);
    for (size_t f = 0; f < table->rows && status == BASE_OK; f++) {
        status = bench_columns_read(bench_truth_columns, table, f, &rows[f], err);
        if (status == BASE_OK && rows[f].frame != f) {
            status = base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: frame %zu is expected here",
                               table->path, table->lines[f + 1], f);
        }
        const uint64_t certificate = rows[f].certified[GT_DISTANCE];
        imported->certified += certificate == 1 || certificate == 2;
    }
    imported->frames = table->rows;
    return status == BASE_OK && table->rows != s->trajectory.frame_count
               ? base_fail(err, BASE_ERR_INPUT, "'%s' has %zu frames, the trajectory has %zu",
                           table->path, table->rows, s->trajectory.frame_count)
               : status;
}

base_status bench_import_scenario(const bench_run_options *options, const char *folder,
                                  const scn_scenario *scenario, bool verify,
                                  bench_imported *imported, base_error *err)
{
    *imported = (bench_imported){0};
    bench_scenario s = {.inputs = -1};
    base_csv table = {0};
    bench_truth_row *rows = NULL;
    base_status status = bench_scenario_load_frames(options, scenario, &s, err);
    if (status == BASE_OK) {
        status = check_facts(folder, &s, err);
    }
    if (status == BASE_OK) {
        status = read_table(folder, scenario, BENCH_SET_TRUTH, &table, err);
    }
    if (status == BASE_OK) {
        rows = base_alloc(table.rows, sizeof *rows);
        status = rows ? read_rows(&table, &s, rows, imported, err)
                      : base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu frames", table.rows);
    }
    if (status == BASE_OK && verify) {
        status = verify_rows(options, &s, rows, imported, err);
    }
    base_free(rows);
    base_csv_release(&table);
    bench_scenario_release(&s);
    return status;
}
