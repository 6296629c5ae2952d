/**
 * Reads a run back from its folder: the only reader of manifest.csv, cells.csv, launches.csv and
 * frames.
 */
#ifndef SUITE_RECORD_H
#define SUITE_RECORD_H

#include "scenarios/trajectories/trajectory.h"
#include "suite/options.h"
#include "suite/results/cells.h"
#include "suite/results/launches.h"
#include "suite/results/manifest.h"
#include "suite/results/run_folder.h"

/** Parts of a run to be read. */
enum {
    BENCH_RECORD_FACTS = 1u << 0,     /* manifest.csv */
    BENCH_RECORD_CELLS = 1u << 1,     /* cells.csv */
    BENCH_RECORD_LAUNCHES = 1u << 2,  /* launches.csv; includes the cells */
    BENCH_RECORD_DRAWN = 1u << 3,     /* checks the files that scripts draw (BENCH_FILE_DRAWN, such
                                         as compare.csv and passes.csv), if they exist; adds
                                         nothing to the record */
    BENCH_RECORD_SIMULATED = 1u << 4, /* simulations.csv instead of cells.csv, with one cell for
                                         each simulation */
};

typedef struct bench_record {
    char folder[BENCH_RUN_FOLDER_BYTES];
    bench_fact *facts; /* as in manifest.csv */
    size_t fact_count;
    bench_cell_row *cells; /* as in cells.csv: scenario by scenario */
    size_t cell_count;
    bench_launch_row *launches; /* sorted by cell, protocol, block, launch */
    size_t launch_count;
    base_csv fact_table, cell_table, launch_table; /* own all texts */
    bool simulated; /* cells are simulations; their texts and the number of frames are set, all
                       other members are 0 */
} bench_record;

/**
 * Reads the files of a run's folder that are selected by `parts`. If launches are not selected,
 * cells.csv may lack the columns that only launches need (baseline, below_resolution). So the
 * answers of runs of older versions can be read.
 *
 * Errors   BASE_ERR_SYSTEM, BASE_ERR_MEMORY; BASE_ERR_ARGUMENT for a path that is too long; those
 *          of bench_run_file; BASE_ERR_INPUT with file and line for a file that is not a table, a
 *          missing column, a field that this program would not write (columns.h), a launch whose
 *          contestant is not in cells.csv, or a repeated launch. After an error *record needs no
 *          release.
 */
base_status bench_record_open(const char *folder, unsigned parts, bench_record *record,
                              base_error *err) BASE_MUST_CHECK;
void bench_record_release(bench_record *record);

/**
 * Returns the value of the next row of manifest.csv with this section and key, starting at row *at,
 * and sets *at to the row after it. NULL if there is no further such row.
 */
const char *bench_record_next_fact(const bench_record *record, const char *section, const char *key,
                                   size_t *at);
/** Returns the value of the first row with this section and key; key NULL: any key. */
const char *bench_record_fact(const bench_record *record, const char *section, const char *key);

/** Returns the cell of a variant on a scenario, or NULL if there is no such cell. */
const bench_cell_row *bench_record_find(const bench_record *record, const char *scenario,
                                        const char *variant);
/** Returns the index after the last cell of the scenario whose first cell is `first`. */
size_t bench_record_scenario_end(const bench_record *record, size_t first);
/**
 * Marks a cell as left out unless its variant matches a glob of `algorithms` and its scenario one
 * of `scenarios`. An empty list matches all.
 * Errors: BASE_ERR_ARGUMENT for a glob without a match.
 */
base_status bench_record_select(bench_record *record, const bench_names *algorithms,
                                const bench_names *scenarios, base_error *err) BASE_MUST_CHECK;

/**
 * Reads the frames of a cell: SCENARIO/FILE.csv. If the file does not exist, because the cell ended
 * too early, *frames has no columns.
 * Errors: those of base_csv_read and bench_run_file; an invalid column name.
 */
base_status bench_record_frames(const bench_record *record, const bench_cell_row *cell,
                                base_csv *frames, base_error *err) BASE_MUST_CHECK;
/** Reads the poses of a scenario. Errors: those of scn_trajectory_read, bench_run_file. */
base_status bench_record_trajectory(const bench_record *record, const char *scenario,
                                    scn_trajectory *trajectory, base_error *err) BASE_MUST_CHECK;

#endif
