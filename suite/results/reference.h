/** The files of a run, of `simulate` and of `truth`, with all their columns: docs/columns.md. */
#ifndef SUITE_REFERENCE_H
#define SUITE_REFERENCE_H

#include "suite/results/columns.h"

/** In the order of docs/columns.md. */
typedef enum bench_file_id {
    BENCH_FILE_MANIFEST,
    BENCH_FILE_CELLS,
    BENCH_FILE_BUILDS,
    BENCH_FILE_BUILD_LAUNCHES,
    BENCH_FILE_FRAMES,
    BENCH_FILE_REGIONS,
    BENCH_FILE_PASSES,
    BENCH_FILE_LAUNCHES,
    BENCH_FILE_COMPARE,
    BENCH_FILE_BUILD_RATIOS,
    BENCH_FILE_CLAIMS,
    BENCH_FILE_PARETO,
    BENCH_FILE_DEADLINE,
    BENCH_FILE_FORCES,
    BENCH_FILE_SPECTROGRAM,
    BENCH_FILE_TRAJECTORY,
    BENCH_FILE_SIMULATIONS,
    BENCH_FILE_SIMULATION_TIMES,
    BENCH_FILE_STEPS,
    BENCH_FILE_STEP_TIMES,
    BENCH_FILE_TRUTH,
    BENCH_FILE_COUNT
} bench_file_id;

/** Uses of a file (bit mask). */
enum {
    BENCH_FILE_OF_RUN = 1u << 0, /* bench_run opens it in the run's folder */
    BENCH_FILE_DRAWN = 1u << 1,  /* scripts read it: checked with BENCH_RECORD_DRAWN */
};

typedef struct bench_file {
    const char *name;             /* "cells.csv", "SCENARIO/VARIANT.csv" */
    const char *row;              /* "a variant on a scenario" */
    const bench_columns *columns; /* NULL: created on request (cells, frames), or no columns
                                     except `more` */
    bench_columns more;           /* follow the columns above; names that variants define are in
                                     capitals */
    unsigned use;
} bench_file;

extern const bench_file bench_files[BENCH_FILE_COUNT];

/** index: of the column in its file, from 0. */
typedef void bench_reference_put(void *context, const bench_file *file, const bench_column *column,
                                 size_t index);

/**
 * Calls put for each column, file by file, in the order in which they are written. Names that
 * depend on the variants are in capitals: COUNTER, FACT, and UNIT in the name of a force.
 */
void bench_reference_each(bench_reference_put *put, void *context);

#endif
