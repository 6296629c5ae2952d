/** A finished run, read back from its files. */
#ifndef SUITE_RECORD_H
#define SUITE_RECORD_H

#include "base/csv.h"
#include "suite/options.h"

/** What an error can be of: cells.csv's columns, in this order. */
typedef enum bench_error_kind {
    BENCH_ERROR_DISTANCE, /* of the size */
    BENCH_ERROR_VOLUME,   /* of the truth */
    BENCH_ERROR_CONTACT,  /* share of frames whose verdict is wrong; its maximum is its mean */
    BENCH_ERROR_KINDS
} bench_error_kind;

/** "distance", "volume", "contact". */
const char *bench_error_kind_name(bench_error_kind kind);

/** A contestant on a scenario: one row of cells.csv. Texts are "" and numbers NaN where empty. */
typedef struct bench_record_cell {
    const char *scenario, *variant, *status, *hash, *file;
    const char *baseline;  /* its name; "" for the baseline itself */
    bool twin;             /* the baseline under a second name */
    bool below_resolution; /* single frames are too fast for the clock */
    bool left_out;         /* not selected: no part of fronts, fits and tables */
    double time_p99_ns, time_intrinsic_max_ns;
    double error_mean[BENCH_ERROR_KINDS], error_max[BENCH_ERROR_KINDS];
    size_t first_launch[2], launch_count[2]; /* in bench_record.launches: warm, evicted */
} bench_record_cell;

/** What a launch measured: one row of launches.csv. Times are NaN where empty. */
typedef struct bench_record_launch {
    const bench_record_cell *cell;
    bool evicted;
    uint64_t block, launch; /* what was interleaved with it has the same two */
    double query_ns, p99_ns;
    size_t row; /* of the file, for messages */
} bench_record_launch;

typedef struct bench_record {
    bench_record_cell *cells; /* as in cells.csv: scenario by scenario */
    size_t cell_count;
    bench_record_launch *launches; /* by cell, protocol, block, launch */
    size_t launch_count;
    base_csv cell_table, launch_table; /* hold all texts */
} bench_record;

/**
 * Reads `run`/cells.csv and, if asked, `run`/launches.csv. Without launches, what only they are
 * judged by (baseline, below_resolution) may be missing: runs of older versions can be read for
 * their answers.
 *
 * Errors   BASE_ERR_SYSTEM, BASE_ERR_MEMORY; BASE_ERR_INPUT with file and line: a file that is no
 *          table, a missing column, a launch of a contestant that cells.csv does not have, or the
 *          same one twice. *record needs no release then.
 */
base_status bench_record_open(const char *run, bool with_launches, bench_record *record,
                              base_error *err) BASE_MUST_CHECK;
void bench_record_release(bench_record *record);

/**
 * Leaves out what none of the globs matches; an empty list matches all.
 * Errors: BASE_ERR_ARGUMENT for a glob that matches nothing.
 */
base_status bench_record_select(bench_record *record, const bench_names *algorithms,
                                const bench_names *scenarios, base_error *err) BASE_MUST_CHECK;

/** NULL when there is none. */
const bench_record_cell *bench_record_find(const bench_record *record, const char *scenario,
                                           const char *variant);

/** Did it end well, with answers that are right? */
bool bench_record_is_ok(const bench_record_cell *cell);
/** Index of the first cell behind those of the scenario that begins at `first`. */
size_t bench_record_scenario_end(const bench_record *record, size_t first);

#endif
