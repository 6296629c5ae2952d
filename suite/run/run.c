#include "suite/run/run.h"

#include "base/file.h"
#include "suite/inputs/experiment.h"
#include "suite/inputs/file_hash.h"
#include "suite/message.h"
#include "suite/results/builds.h"
#include "suite/results/cells.h"
#include "suite/results/deadline.h"
#include "suite/results/frames.h"
#include "suite/results/launch.h"
#include "suite/results/names.h"
#include "suite/results/passes.h"
#include "suite/results/run_folder.h"
#include "suite/results/table.h"
#include "suite/run/collect.h"
#include "suite/run/describe.h"
#include "suite/run/passes.h"
#include "suite/run/stage.h"

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

/** The files that grow by rows, cell after cell. */
enum { CELLS, PASSES, LAUNCHES, DEADLINE, FILE_COUNT };

static const struct {
    const char *name;
    const bench_columns *columns;
} row_files[FILE_COUNT] = {
    [CELLS] = {"cells.csv",    &bench_cells_columns   },
    [PASSES] = {"passes.csv",   &bench_passes_columns  },
    [LAUNCHES] = {"launches.csv", &bench_launches_columns},
    [DEADLINE] = {"deadline.csv", &bench_deadline_columns},
};

/** What scenarios of a run have in common. */
typedef struct ledger {
    bench_manifest *manifest;
    FILE *files[FILE_COUNT];
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

static base_status write_frames(const bench_stage *s, const bench_cell *cell, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES], file[BENCH_CONTESTANT_NAME_BYTES];
    bench_variant_file(cell->name, file, sizeof file);
    const base_status status =
        bench_run_file(s->options->directory, path, err, "%s/%s.csv", cell->scenario, file);
    return status == BASE_OK ? bench_frames_write(path, cell, &s->pair, s->truths, err) : status;
}

static base_status write_rows(const bench_stage *s, const bench_cell *cell,
                              const bench_cell_row *row, ledger *l, base_error *err)
{
    if (cell->warm_count > 0) {
        const base_status status = write_frames(s, cell, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    base_csv_writer w = {.file = l->files[CELLS]};
    bench_columns_put(bench_cells_columns, row, &w);
    base_csv_end(&w);
    bench_passes_put(l->files[PASSES], cell);
    const base_status status = bench_launches_put(l->files[LAUNCHES], cell, err);
    return status == BASE_OK ? bench_deadline_put(l->files[DEADLINE], cell, err) : status;
}

static base_status write_cell(const bench_stage *s, const bench_cell *cell, ledger *l,
                              base_error *err)
{
    bench_cell_row row;
    base_arena arena = {0};
    base_status status = bench_summarize(cell, &arena, &row, err);
    if (status == BASE_OK) {
        status = write_rows(s, cell, &row, l, err);
    }
    if (status == BASE_OK && !s->options->no_table) {
        bench_table_print(stdout, cell->quantities, &row, l->first_row);
    }
    base_arena_release(&arena);
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

/** The cells last: what they name is there. */
static base_status settle_files(const ledger *l, base_error *err)
{
    for (int i = FILE_COUNT; i-- > 0;) {
        base_status status = i == CELLS ? bench_builds_write(l->builds, err) : BASE_OK;
        if (status == BASE_OK) {
            status = settle(l->files[i], row_files[i].name, err);
        }
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
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
    return settle_files(l, err);
}

/** DIRECTORY/trajectories/SCENARIO.csv: the poses, so that a run's folder tells its whole story. */
static base_status write_trajectory(const bench_stage *s, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    base_status status =
        bench_run_file(s->options->directory, path, err, "trajectories/%s.csv", s->scenario->name);
    if (status == BASE_OK) {
        status = base_folder_make_parents(path, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    FILE *const file = fopen(path, "w");
    if (!file) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", path, strerror(errno));
    }
    status = scn_trajectory_write(&s->trajectory, file, path, err);
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
        bench_describe_stage(&s, l->manifest);
        status = write_trajectory(&s, err);
    }
    if (status == BASE_OK) {
        status = bench_stage_measure(&s, err);
    }
    if (status == BASE_OK) {
        l->described = l->described || bench_describe_workers(&s, l->manifest);
        status = write_cells(&s, l, err);
    }
    bench_stage_close(&s);
    return status;
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
        char path[BENCH_RUN_PATH_BYTES];
        if (bench_run_file(directory, path, NULL, "%s", names[i]) == BASE_OK) {
            unlink(path);
        }
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

static base_status open_files(const char *directory, ledger *l, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    for (int i = 0; i < FILE_COUNT; i++) {
        const base_status status = bench_run_file(directory, path, err, "%s", row_files[i].name);
        if (status != BASE_OK) {
            return status;
        }
        l->files[i] = fopen(path, "w");
        if (!l->files[i]) {
            return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", path, strerror(errno));
        }
        base_csv_writer w = {.file = l->files[i]};
        bench_columns_put_names(*row_files[i].columns, &w);
        base_csv_end(&w);
    }
    const base_status status = bench_run_file(directory, path, err, "builds.csv");
    return status == BASE_OK ? bench_builds_create(path, &l->builds, err) : status;
}

static void close_files(ledger *l)
{
    bench_builds_destroy(l->builds);
    for (int i = 0; i < FILE_COUNT; i++) {
        if (l->files[i]) {
            fclose(l->files[i]);
        }
    }
}

base_status bench_run(const bench_run_options *options, int *exit_status, base_error *err)
{
    ledger l = {.exit_status = BENCH_GOOD, .first_row = true};
    bench_clock_choose(&l.clock);
    base_status status = hash_programs(options, &l.build, err);
    if (status == BASE_OK) {
        status = bench_describe_run(options, &l.clock, &l.manifest, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    status = open_files(options->directory, &l, err);
    if (status == BASE_OK) {
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
