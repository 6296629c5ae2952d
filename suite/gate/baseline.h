/**
 * Cells and frames of a run or of a baseline. A baseline holds the answers and counters of a run,
 * and later runs are compared with it.
 */
#ifndef SUITE_BASELINE_H
#define SUITE_BASELINE_H

#include "suite/results/record.h"

/** One variant on one scenario. */
typedef struct bench_gate_cell {
    bench_cell_row row; /* in a baseline: the stored fields only; variant without label */
    bool own;           /* built into this program, not a plug-in */
    bool answers_gated; /* false if it reads a clock: then only its contract is judged */
    size_t first_frame, frame_count; /* in a baseline: rows of the table */
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
 * Reads a run's folder (borrowed). If `label` is NULL, copies of a contestant that only serve to
 * measure times (VARIANT@LABEL) are left out; else only the copies of that label are read, as
 * VARIANT.
 *
 * Errors   those of bench_record_open. The caller must call bench_gate_cells_release either way.
 */
base_status bench_gate_read_run(const char *folder, const char *label, bench_gate_cells *cells,
                                base_error *err) BASE_MUST_CHECK;
void bench_gate_cells_release(bench_gate_cells *cells);

/** Returns the cell of a scenario and a variant, or NULL. */
const bench_gate_cell *bench_gate_cell_find(const bench_gate_cells *cells, const char *scenario,
                                            const char *variant);

/**
 * True for the status of a cell that ended early through its own fault: crash, timeout, oom or
 * failed.
 */
bool bench_gate_died(const char *status);

/**
 * True if a cell has answers to compare: it ended with answers, and they do not depend on a clock.
 */
bool bench_gate_has_frames(const bench_gate_cells *cells, const bench_gate_cell *cell);

/** The frames of a cell: rows [first, first + count) of a table. */
typedef struct bench_gate_frames {
    const base_csv *table;
    size_t first, count;
    base_csv own; /* read for this cell alone; empty if the table is the baseline's */
} bench_gate_frames;

/**
 * Opens a cell's frames; *frames is empty if the cell has no frames.
 * Errors: those of bench_record_frames; BASE_ERR_INPUT for values in a column that this version
 * does not know.
 */
base_status bench_gate_frames_open(const bench_gate_cells *cells, const bench_gate_cell *cell,
                                   bench_gate_frames *frames, base_error *err) BASE_MUST_CHECK;
void bench_gate_frames_close(bench_gate_frames *frames);

/* --- Baselines -------------------------------------------------------------------------------- */

#define BENCH_BASELINE_DIRECTORY "results/reference"

/**
 * Reads a baseline. The caller must call bench_gate_cells_release either way.
 * Errors: those of base_csv_read; BASE_ERR_INPUT for a missing column, a field that could not have
 * been written, or values in a column that this version does not know.
 */
base_status bench_gate_read_baseline(const char *path, bench_gate_cells *cells,
                                     base_error *err) BASE_MUST_CHECK;

/** True if a column of a baseline describes the cell. The other columns describe a frame. */
bool bench_baseline_is_of_cell(const char *column);

/**
 * Writes a run as a baseline: for each cell one row without a frame (status, quantity, contract,
 * ...), then one row for each of its frames (answers and counters). Times are not written. The file
 * gets its name only when it is complete.
 *
 * Errors   BASE_ERR_INPUT for an interrupted run, and for cells that died or are wrong unless
 *          `force` is set: then the next run has to end in the same way.
 */
base_status bench_gate_bless(const bench_gate_cells *run, const char *path, bool force,
                             base_error *err) BASE_MUST_CHECK;

#endif
