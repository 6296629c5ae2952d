/**
 * builds.csv: the body that each variant has built, once for all scenarios of a run; and
 * build_launches.csv: the builds of each launch, from which ratios of build times are computed.
 */
#ifndef SUITE_BUILDS_H
#define SUITE_BUILDS_H

#include "suite/inputs/pair.h"
#include "suite/results/cells.h"
#include "suite/results/columns.h"

/** The columns of every builds.csv. A column for each fact of any algorithm follows. */
extern const bench_columns bench_builds_columns;

/** The rows: one for each contestant, body and role, independent of the number of scenarios. */
typedef struct bench_builds bench_builds;

/**
 * path: the path of the file. Call bench_builds_destroy also after an error. Errors:
 * BASE_ERR_MEMORY.
 */
base_status bench_builds_create(const char *path, bench_builds **builds,
                                base_error *err) BASE_MUST_CHECK;
/** Adds the builds of a cell that have no row yet. Errors: BASE_ERR_MEMORY. */
base_status bench_builds_add(bench_builds *builds, const bench_cell *cell, const bench_pair *pair,
                             base_error *err) BASE_MUST_CHECK;
/** Writes the complete file or leaves it unchanged. Errors: BASE_ERR_SYSTEM, BASE_ERR_MEMORY. */
base_status bench_builds_write(const bench_builds *builds, base_error *err) BASE_MUST_CHECK;
void bench_builds_destroy(bench_builds *builds);

/* --- build_launches.csv ----------------------------------------------------------------------- */

/** A row: a body that a launch has built. Loaded bodies have no row. */
typedef struct bench_build_launch_row {
    const char *variant, *body, *role, *scenario, *parameters;
    uint64_t launch, block, build_ns;
} bench_build_launch_row;

/** The columns of every build_launches.csv. A column for each fact that is a time follows. */
extern const bench_columns bench_build_launches_columns;

/** True if the name of a fact is that of a time: "stage_fill_ns". */
bool bench_is_build_time(const char *name);
/** Adds the facts that are times. facts: may be NULL. Errors: BASE_ERR_MEMORY. */
base_status bench_build_times_add(bench_extras *times, const char *const *facts,
                                  base_error *err) BASE_MUST_CHECK;
/** Writes the header. times: of all variants of the run. */
void bench_build_launches_put_names(const bench_extras *times, base_csv_writer *writer);
/** Writes a row for each launch and each body of the cell that the launch has built. */
void bench_build_launches_put(FILE *file, const bench_extras *times, const bench_cell *cell,
                              const bench_pair *pair);

#endif
