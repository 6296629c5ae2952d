/**
 * Cells and frames of a run or of a baseline. A baseline is a file with the answers and counters of
 * a run. Later runs are compared with it.
 */
#ifndef SUITE_BASELINE_H
#define SUITE_BASELINE_H

#include "suite/results/record.h"

/** One variant on one scenario. */
typedef struct bench_gate_cell {
    bench_cell_row row; /* the variant has no label; in a baseline, only the stored fields are
                           set */
    bool own;           /* not from a plug-in; always true in a baseline */
    bool answers_gated; /* false if it reads a clock: its answers and counters are then not
                           compared */
    size_t first_frame, frame_count; /* in a baseline: rows of its table */
    const bench_cell_row *recorded;  /* in a run: the row with its label */
} bench_gate_cell;

/** Cells of a run or of a baseline. */
typedef struct bench_gate_cells {
    bench_record record; /* the run; empty for a baseline */
    base_csv baseline;   /* the baseline; empty for a run */
    bench_gate_cell *items;
    size_t count;
    const char *folder;     /* folder of the run; NULL for a baseline */
    const char *experiment; /* name of the experiment; "" for a baseline */
    bool interrupted;       /* the run was interrupted or never finished */
    base_arena arena;
} bench_gate_cells;

/**
 * Reads the cells of a run's folder; the text `folder` is borrowed. If `label` is NULL, all copies
 * of contestants (VARIANT@LABEL) are left out. Otherwise only the copies with this label are read,
 * and their variant is named VARIANT.
 *
 * Errors   those of bench_record_open. Call bench_gate_cells_release also after an error.
 */
base_status bench_gate_read_run(const char *folder, const char *label, bench_gate_cells *cells,
                                base_error *err) BASE_MUST_CHECK;
void bench_gate_cells_release(bench_gate_cells *cells);

/** Returns the cell of a scenario and a variant, or NULL. */
const bench_gate_cell *bench_gate_cell_find(const bench_gate_cells *cells, const char *scenario,
                                            const char *variant);

/**
 * True for the statuses of cells that ended early by their own fault: crash, timeout, oom and
 * failed.
 */
bool bench_gate_died(const char *status);

/**
 * True if a cell has answers to compare. In a run: its status is ok, uninformative or wrong, and it
 * does not read a clock. In a baseline: it has rows of frames.
 */
bool bench_gate_has_frames(const bench_gate_cells *cells, const bench_gate_cell *cell);

/** The frames of a cell: rows [first, first + count) of a table. */
typedef struct bench_gate_frames {
    const base_csv *table;
    size_t first, count;
    base_csv own; /* file that was read for this cell; empty if the table is the baseline's */
} bench_gate_frames;

/**
 * Opens a cell's frames; *frames is empty if the cell has no frames.
 * Errors: those of bench_record_frames; BASE_ERR_INPUT if the file does not exist, or has values in
 * a column that this version does not know.
 */
base_status bench_gate_frames_open(const bench_gate_cells *cells, const bench_gate_cell *cell,
                                   bench_gate_frames *frames, base_error *err) BASE_MUST_CHECK;
void bench_gate_frames_close(bench_gate_frames *frames);

/* --- Baselines -------------------------------------------------------------------------------- */

#define BENCH_BASELINE_DIRECTORY "results/reference"

/**
 * Reads a baseline. Call bench_gate_cells_release also after an error.
 * Errors: those of base_csv_read; BASE_ERR_INPUT for a missing column, a field that this program
 * would not write, a frame without the row of its cell, or values in a column that this version
 * does not know.
 */
base_status bench_gate_read_baseline(const char *path, bench_gate_cells *cells,
                                     base_error *err) BASE_MUST_CHECK;

/** True if a column of a baseline describes the cell. The other columns describe a frame. */
bool bench_baseline_is_of_cell(const char *column);

/**
 * Writes a run as a baseline. Each cell has one row for itself (status, quantity, contract, ...; no
 * frame number), followed by one row for each of its frames (answers and counters). Times are not
 * written. The file gets its name only when it is complete.
 *
 * Errors   BASE_ERR_INPUT for an interrupted run. BASE_ERR_INPUT for a cell that died, is wrong or
 *          has violations, unless `force` is set; later runs are then expected to end in the same
 *          way.
 */
base_status bench_gate_bless(const bench_gate_cells *run, const char *path, bool force,
                             base_error *err) BASE_MUST_CHECK;

#endif
