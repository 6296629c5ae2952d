/** forces.csv: how good each contestant's forces are; and SCENARIO/VARIANT.spectrogram.csv, their
 * noise over time and frequency. */
#ifndef SUITE_FORCES_H
#define SUITE_FORCES_H

#include "suite/results/cells.h"
#include "suite/results/columns.h"
#include "suite/results/force.h"

/** Of forces.csv: a row is a contestant and a scenario. */
extern const bench_columns bench_forces_columns;

/** Those of a bench_force_metrics: all, and what is no error of frames, for which cells.csv has
 * statistics of its own. */
extern const bench_columns bench_force_columns, bench_force_run_columns;

/** A cell whose forces are measured gets a row. */
void bench_forces_put(FILE *file, const bench_cell *cell);

/** Of SCENARIO/VARIANT.spectrogram.csv: a row for each stretch and bin, stretch by stretch. */
extern const bench_columns bench_spectrogram_columns;

/** Errors: BASE_ERR_SYSTEM when the file cannot be written. */
base_status bench_spectrogram_write(const char *path, const bench_spectrogram *spectrogram,
                                    base_error *err) BASE_MUST_CHECK;

#endif
