/**
 * Cells and frames of a run or of a baseline, which is a run's answers and counters as later runs
 * are held against them.
 */
#ifndef SUITE_BASELINE_H
#define SUITE_BASELINE_H

#include "suite/results/record.h"

/** One variant on one scenario. */
typedef struct bench_gate_cell {
    bench_cell_row row; /* of a baseline: what it holds of it. variant: without a label */
    bool own;           /* of this program, not of a plug-in */
    bool answers_gated; /* false for one that reads a clock: judged by its contract alone */
    size_t first_frame, frame_count; /* of a baseline: rows of the table */
    const bench_cell_row *recorded;  /* of a run: the row with its label */
} bench_gate_cell;

/** A run, or a baseline. */
typedef struct bench_gate_cells {
    bench_record record; /* the run; empty for a baseline */
    base_csv baseline;   /* the baseline; empty for a run */
    bench_gate_cell *items;
    size_t count;
    const char *folder;     /* of the run; NULL: a baseline */
    const char *experiment; /* name; "" in a baseline */
    bool interrupted;       /* the run, or it never came to its end */
    base_arena arena;
} bench_gate_cells;

/**
 * Reads a run's folder (borrowed). label NULL: without the copies of a contestant that take part
 * for the sake of time (VARIANT@LABEL); else the copies of that label alone, as VARIANT.
 *
 * Errors   those of bench_record_open. bench_gate_cells_release is due either way.
 */
base_status bench_gate_read_run(const char *folder, const char *label, bench_gate_cells *cells,
                                base_error *err) BASE_MUST_CHECK;
void bench_gate_cells_release(bench_gate_cells *cells);

/** By scenario and variant, or NULL. */
const bench_gate_cell *bench_gate_cell_find(const bench_gate_cells *cells, const char *scenario,
                                            const char *variant);

/** Cells that ended without all of their answers through a fault of their own. */
bool bench_gate_died(const char *status);

/** Are there answers to be compared: did it end with some, and do they not depend on a clock? */
bool bench_gate_has_frames(const bench_gate_cells *cells, const bench_gate_cell *cell);

/** The frames of a cell: rows [first, first + count) of a table. */
typedef struct bench_gate_frames {
    const base_csv *table;
    size_t first, count;
    base_csv own; /* read for this cell alone; empty when the table is the baseline's */
} bench_gate_frames;

/**
 * Opens a cell's frames; *frames is empty if the cell has no frames.
 * Errors: those of bench_record_frames; BASE_ERR_INPUT for values in a column that this version
 * does not know.
 */
base_status bench_gate_frames_open(const bench_gate_cells *cells, const bench_gate_cell *cell,
                                   bench_gate_frames *frames, base_error *err) BASE_MUST_CHECK;
void bench_gate_frames_close(bench_gate_frames *frames);

/* --- A baseline ------------------------------------------------------------------------------- */

#define BENCH_BASELINE_DIRECTORY "results/reference"

/**
 * Reads a baseline. bench_gate_cells_release is due either way.
 * Errors: those of base_csv_read; BASE_ERR_INPUT for a missing column, a field that could not have
 * been written, or values in a column that this version does not know.
 */
base_status bench_gate_read_baseline(const char *path, bench_gate_cells *cells,
                                     base_error *err) BASE_MUST_CHECK;

/** Does a column of a baseline speak of the cell? The others are the frame's. */
bool bench_baseline_is_of_cell(const char *column);

/**
 * Writes a run as a baseline: for each cell one row without a frame (status, quantity, contract,
 * ...), then one for each of its frames (answers and counters). No time is in it. The file gets its
 * name only when it is complete.
 *
 * Errors   BASE_ERR_INPUT for a run that was interrupted; for cells that have died or are wrong
 *          unless `force`: then that is what the next run has to do.
 */
base_status bench_gate_bless(const bench_gate_cells *run, const char *path, bool force,
                             base_error *err) BASE_MUST_CHECK;

#endif
