/** The tables of a run in a report, and its figures. */
#ifndef SUITE_REPORT_TABLES_H
#define SUITE_REPORT_TABLES_H

#include "suite/compare/digest.h"
#include "suite/report/json.h"

/** A run and what was found in it; borrowed. The record has its facts and launches. */
typedef struct bench_page_run {
    const bench_record *record;
    const bench_comparisons *comparisons; /* with the baselines */
    const bench_front *front;
    bench_digest *digest;
} bench_page_run;

/**
 * Puts the members of a run's object:
 *
 *   folder, title, facts   "facts" are selected rows of manifest.csv
 *   notes                  sentences that a reader needs before the tables
 *   ranking, settings      the digest
 *   points                 the errors and ratios of all variants
 *   claims                 claims.csv, if it is there
 *   cells, builds          cells.csv and builds.csv without empty columns
 *   simulations            of each folder of `simulate` in the run
 *   figures                the SVGs of `plot`, as texts
 *
 * Tables have "columns", each with name, unit and meaning, and "rows". Errors: BASE_ERR_MEMORY, and
 * those of files that cannot be read.
 */
base_status bench_tables_put(const bench_page_run *run, bench_json *json,
                             base_error *err) BASE_MUST_CHECK;

#endif
