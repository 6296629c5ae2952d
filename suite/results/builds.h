/**
 * builds.csv: what each variant makes of each body, once for all scenarios of a run; and
 * build_launches.csv: what each launch has built, which ratios of build times are taken of.
 */
#ifndef SUITE_BUILDS_H
#define SUITE_BUILDS_H

#include "suite/inputs/pair.h"
#include "suite/results/cells.h"
#include "suite/results/columns.h"

/** Those of every builds.csv; a column for each fact of any algorithm follows. */
extern const bench_columns bench_builds_columns;

/** Rows: one a contestant, body and role, however many scenarios have them. */
typedef struct bench_builds bench_builds;

/** path: of the file. bench_builds_destroy is due either way. Errors: BASE_ERR_MEMORY. */
base_status bench_builds_create(const char *path, bench_builds **builds,
                                base_error *err) BASE_MUST_CHECK;
/** Adds what is new in a cell. Errors: BASE_ERR_MEMORY. */
base_status bench_builds_add(bench_builds *builds, const bench_cell *cell, const bench_pair *pair,
                             base_error *err) BASE_MUST_CHECK;
/** Writes the file, whole or not at all. Errors: BASE_ERR_SYSTEM, BASE_ERR_MEMORY. */
base_status bench_builds_write(const bench_builds *builds, base_error *err) BASE_MUST_CHECK;
void bench_builds_destroy(bench_builds *builds);

/* --- build_launches.csv ----------------------------------------------------------------------- */

/** A row: a body that a launch has built, not one that it has loaded. */
typedef struct bench_build_launch_row {
    const char *variant, *body, *role, *scenario, *parameters;
    uint64_t launch, block, build_ns;
} bench_build_launch_row;

/** Those of every build_launches.csv; a column for each fact that is a time follows. */
extern const bench_columns bench_build_launches_columns;

/** Of a name: is it a time? "stage_fill_ns" */
bool bench_is_build_time(const char *name);
/** Adds those of facts (NULL: none) that are times. Errors: BASE_ERR_MEMORY. */
base_status bench_build_times_add(bench_extras *times, const char *const *facts,
                                  base_error *err) BASE_MUST_CHECK;
/** The header. times: of all variants of the run. */
void bench_build_launches_put_names(const bench_extras *times, base_csv_writer *writer);
/** A row for each launch and body of a cell that was built anew. */
void bench_build_launches_put(FILE *file, const bench_extras *times, const bench_cell *cell,
                              const bench_pair *pair);

#endif
