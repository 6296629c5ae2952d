/** A run read back from its folder: the one reader of manifest.csv, cells.csv, launches.csv and
 * frames. */
#ifndef SUITE_RECORD_H
#define SUITE_RECORD_H

#include "scenarios/trajectories/trajectory.h"
#include "suite/options.h"
#include "suite/results/cells.h"
#include "suite/results/launches.h"
#include "suite/results/manifest.h"
#include "suite/results/run_folder.h"

/** What of a run is read. */
enum {
    BENCH_RECORD_FACTS = 1u << 0,    /* manifest.csv */
    BENCH_RECORD_CELLS = 1u << 1,    /* cells.csv */
    BENCH_RECORD_LAUNCHES = 1u << 2, /* launches.csv; with the cells */
    BENCH_RECORD_DRAWN = 1u << 3, /* whichever of compare.csv, pareto.csv, passes.csv, deadline.csv
                                     builds.csv and others are there are checked, for scripts that
                                     read them */
    BENCH_RECORD_SIMULATED = 1u << 4, /* simulations.csv, in place of cells.csv: a cell each */
};

typedef struct bench_record {
    char folder[BENCH_RUN_FOLDER_BYTES];
    bench_fact *facts; /* as in manifest.csv */
    size_t fact_count;
    bench_cell_row *cells; /* as in cells.csv: scenario by scenario */
    size_t cell_count;
    bench_launch_row *launches; /* by cell, protocol, block, launch */
    size_t launch_count;
    base_csv fact_table, cell_table, launch_table; /* hold all texts */
    bool simulated; /* cells are simulations: names, status, file and number of frames are all they
                       have */
} bench_record;

/**
 * Reads the files of a run's folder that `parts` names. Without launches, what only they are judged
 * by (baseline, below_resolution) may be missing: runs of older versions can be read for their
 * answers.
 *
 * Errors   BASE_ERR_SYSTEM, BASE_ERR_MEMORY; BASE_ERR_INPUT with file and line: a file that is no
 *          table, a missing column, a field that could not have been written (columns.h), a launch
 *          of a contestant that cells.csv does not have, or the same one twice; a link (those of
 *          bench_run_file). *record needs no release then.
 */
base_status bench_record_open(const char *folder, unsigned parts, bench_record *record,
                              base_error *err) BASE_MUST_CHECK;
void bench_record_release(bench_record *record);

/** The value of the first such row of manifest.csv from row *at on; *at moves behind it. NULL: none
 * is left. */
const char *bench_record_next_fact(const bench_record *record, const char *section, const char *key,
                                   size_t *at);
/** The first of all; key NULL: any. */
const char *bench_record_fact(const bench_record *record, const char *section, const char *key);

/** NULL when there is none. */
const bench_cell_row *bench_record_find(const bench_record *record, const char *scenario,
                                        const char *variant);
/** Index of the first cell behind those of the scenario that begins at `first`. */
size_t bench_record_scenario_end(const bench_record *record, size_t first);
/**
 * Leaves out what none of the globs matches; an empty list matches all.
 * Errors: BASE_ERR_ARGUMENT for a glob that matches nothing.
 */
base_status bench_record_select(bench_record *record, const bench_names *algorithms,
                                const bench_names *scenarios, base_error *err) BASE_MUST_CHECK;

/**
 * The frames of a cell: SCENARIO/FILE.csv. One that died early has none: *frames without columns.
 * Errors: those of base_csv_read and bench_run_file; a column whose name is none.
 */
base_status bench_record_frames(const bench_record *record, const bench_cell_row *cell,
                                base_csv *frames, base_error *err) BASE_MUST_CHECK;
/** The poses that a scenario was run on. Errors: those of scn_trajectory_read, bench_run_file. */
base_status bench_record_trajectory(const bench_record *record, const char *scenario,
                                    scn_trajectory *trajectory, base_error *err) BASE_MUST_CHECK;

/* --- compare.csv, pareto.csv and build_ratios.csv --------------------------------------------- */

/* What `compare` adds to the folder, for scripts. */

/**
 * A row of compare.csv: the time of a variant / that of its baseline. NaN where there is none.
 * verdict: as bench_claim_text says it.
 */
typedef struct bench_compare_row {
    const char *scenario, *variant, *baseline, *metric, *protocol, *verdict, *file;
    double ratio, lo, hi, level, aa_lo, aa_hi;
    uint64_t launches;
} bench_compare_row;

extern const bench_columns bench_compare_columns;

/**
 * A row of pareto.csv: a point of error against time. Errors are NaN, and all flags but
 * below_resolution false, where it is not judged: it promises exact answers, and no second method
 * judged it. unjudged_faster: of a winner; such a point is faster, so that it wins among those
 * judged only.
 */
typedef struct bench_pareto_row {
    const char *scenario, *quantity, *variant, *file;
    const char *error, *tolerance; /* column of the error; the tolerance for people */
    double time_p99_ns, time_p99_lo_ns, time_p99_hi_ns, error_mean, error_max, within_share;
    bool on_front, fastest_within, fastest_exact, below_resolution, unjudged_faster, judged, within;
} bench_pareto_row;

extern const bench_columns bench_pareto_columns;

/**
 * A row of build_ratios.csv: a time of a variant's build / that of another's in the same launch.
 * triangles: UINT64_MAX where it is not known.
 */
typedef struct bench_build_ratio_row {
    const char *variant, *other, *parameter, *body, *role, *measure, *file, *other_file;
    double ratio, lo, hi;
    uint64_t launches, triangles;
} bench_build_ratio_row;

/** Those of every build_ratios.csv; a column for each fact of builds.csv follows. */
extern const bench_columns bench_build_ratios_columns;

#endif
