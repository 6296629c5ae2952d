/** Every column of every file of a run, and of `proxbench truth`: docs/columns.md is made of it. */
#ifndef SUITE_REFERENCE_H
#define SUITE_REFERENCE_H

#include "suite/results/columns.h"

/** A file, and what a row of it is. */
typedef struct bench_reference_file {
    const char *name; /* "cells.csv", "SCENARIO/VARIANT.csv" */
    const char *row;  /* "a variant on a scenario" */
} bench_reference_file;

/** index: of the column in its file, from 0. */
typedef void bench_reference_put(void *context, const bench_reference_file *file,
                                 const bench_column *column, size_t index);

/**
 * Calls put for each column, file by file, in the order in which they are written. What depends on
 * the variants has a name in capitals: COUNTER, FACT, and UNIT in that of a force.
 */
void bench_reference_each(bench_reference_put *put, void *context);

#endif
