#include "suite/score/merge.h"

#include "base/csv.h"
#include "base/memory.h"
#include "suite/output.h"
#include "suite/results/force.h"
#include "suite/results/frames.h"
#include "suite/results/judge.h"
#include "suite/results/reference.h"
#include "suite/results/run_folder.h"

#include <stdio.h>
#include <string.h>

base_status bench_merge_check(const bench_record *run, const bench_score *score, base_error *err)
{
    const bench_scenario *const s = &score->scenario;
    const char *const name = score->asked->name;
    base_hash poses;
    const base_status status = bench_poses_hash(s->poses, s->trajectory.frame_count, &poses, err);
    if (status != BASE_OK) {
        return status;
    }
    const struct {
        const char *key, *what;
        base_hash hash;
    } facts[] = {{"a_hash", "mesh A", s->pair.a.hash},
                 {"b_hash", "mesh B", s->pair.b.hash},
                 {"poses_hash", "the poses", poses}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const char *const value = bench_record_fact(run, name, facts[i].key);
        if (!value) {
            return base_fail(err, BASE_ERR_INPUT, "the run '%s' has no scenario '%s'", run->folder,
                             name);
        }
        if (strcmp(value, base_hash_format(facts[i].hash).hex) != 0) {
            return base_fail(err, BASE_ERR_INPUT,
                             "the run '%s' has another scenario '%s': %s of '%s' differ from its "
                             "own",
                             run->folder, name, facts[i].what, score->cell.name);
        }
    }
    const bench_cell_row *const cell = bench_record_find(run, name, score->cell.name);
    return cell && !*cell->elsewhere
               ? base_fail(err, BASE_ERR_INPUT,
                           "the run '%s' has measured a variant '%s' itself: choose another --name",
                           run->folder, score->cell.name)
               : BASE_OK;
}

/* --- Tables ----------------------------------------------------------------------------------- */

/** Writes the new rows of one file. */
typedef base_status row_writer(const bench_score *score, const base_csv *old, FILE *file,
                               base_error *err);

/** Refuses a file whose first columns are not those that this program writes. */
static base_status check_columns(const base_csv *table, bench_columns columns, base_error *err)
{
    for (size_t i = 0; i < columns.count; i++) {
        if (i >= table->columns || strcmp(table->cells[i], columns.items[i].name) != 0) {
            return base_fail(err, BASE_ERR_INPUT,
                             "'%s' is of another version of proxbench (column '%s'): run it again",
                             table->path, columns.items[i].name);
        }
    }
    return BASE_OK;
}

static bool is_text(const base_csv *table, size_t row, int column, const char *text)
{
    const char *const cell = base_csv_text(table, row, column);
    return cell && strcmp(cell, text) == 0;
}

static void copy_row(const base_csv *table, size_t record, base_csv_writer *w)
{
    for (size_t c = 0; c < table->columns; c++) {
        const char *const cell = table->cells[record * table->columns + c];
        if (cell) {
            base_csv_put_text(w, cell);
        } else {
            base_csv_put_empty(w);
        }
    }
    base_csv_end(w);
}

/**
 * Writes a table anew: without the variant's old rows, and with the new ones after the last row of
 * their scenario.
 */
static base_status rewrite(const bench_score *score, const base_csv *old, row_writer *put,
                           FILE *file, base_error *err)
{
    const int scenario = base_csv_find(old, "scenario"), variant = base_csv_find(old, "variant");
    base_csv_writer w = {.file = file};
    size_t last = old->rows; /* the record after which the new rows are written */
    for (size_t row = 0; row < old->rows; row++) {
        last = is_text(old, row, scenario, score->cell.scenario) ? row + 1 : last;
    }
    base_status status = BASE_OK;
    copy_row(old, 0, &w);
    for (size_t record = 0; record <= old->rows && status == BASE_OK; record++) {
        const bool replaced = record > 0 &&
                              is_text(old, record - 1, scenario, score->cell.scenario) &&
                              is_text(old, record - 1, variant, score->cell.name);
        if (record > 0 && !replaced) {
            copy_row(old, record, &w);
        }
        status = record == last ? put(score, old, file, err) : BASE_OK;
    }
    return status == BASE_OK ? base_csv_check(&w, old->path, err) : status;
}

static base_status merge_table(const char *folder, bench_file_id id, const bench_score *score,
                               row_writer *put, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    base_csv old;
    bench_output output;
    const bench_columns columns =
        id == BENCH_FILE_CELLS ? bench_cells_columns() : *bench_files[id].columns;
    base_status status = bench_run_file(folder, path, err, "%s", bench_files[id].name);
    if (status == BASE_OK) {
        status = base_csv_read(path, NULL, &old, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    status = check_columns(&old, columns, err);
    if (status == BASE_OK) {
        status = bench_output_open(path, &output, err);
    }
    if (status == BASE_OK) {
        status = rewrite(score, &old, put, output.file, err);
        status = bench_output_close(&output, status, err);
    }
    base_csv_release(&old);
    return status;
}

static base_status put_forces(const bench_score *score, const base_csv *old, FILE *file,
                              base_error *err)
{
    (void)old, (void)err;
    bench_forces_put(file, &score->cell);
    return BASE_OK;
}

/** Puts the row of cells.csv. The counters of other variants are columns after the known ones. */
static base_status put_cell(const bench_score *score, const base_csv *old, FILE *file,
                            base_error *err)
{
    bench_cell_row row;
    base_arena arena = {0};
    base_csv_writer w = {.file = file};
    const bench_columns columns = bench_cells_columns();
    const base_status status = bench_summarize(&score->cell, &arena, &row, err);
    if (status == BASE_OK) {
        bench_columns_put(columns, &row, &w);
        for (size_t c = columns.count; c < old->columns; c++) {
            base_csv_put_empty(&w);
        }
        base_csv_end(&w);
    }
    base_arena_release(&arena);
    return status;
}

/* --- The variant's own files ------------------------------------------------------------------ */

static base_status write_frames(const char *folder, const bench_score *score, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    const bench_scenario *const s = &score->scenario;
    const bench_cell *const cell = &score->cell;
    const bench_spectrogram *const spectrogram =
        &cell->forces[bench_ideal_own(&cell->variant)].spectrogram;
    base_status status = bench_run_file(folder, path, err, "%s/%s.csv", cell->scenario, cell->name);
    if (status == BASE_OK) {
        status = bench_frames_write(path, cell, &s->pair, s->poses, s->truths, err);
    }
    if (status == BASE_OK && spectrogram->count > 0) {
        status =
            bench_run_file(folder, path, err, "%s/%s.spectrogram.csv", cell->scenario, cell->name);
        if (status == BASE_OK) {
            status = bench_spectrogram_write(path, spectrogram, err);
        }
    }
    return status;
}

base_status bench_merge(const char *folder, const bench_score *score, base_error *err)
{
    /* cells.csv is last, so that everything that its rows refer to is already on disk. */
    base_status status = write_frames(folder, score, err);
    if (status == BASE_OK) {
        status = merge_table(folder, BENCH_FILE_FORCES, score, put_forces, err);
    }
    return status == BASE_OK ? merge_table(folder, BENCH_FILE_CELLS, score, put_cell, err) : status;
}
