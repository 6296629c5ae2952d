/** builds.csv: what each variant makes of each body, once for all scenarios of a run. */
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

#endif
