/** claims.csv: the claims of a run's experiment and their verdicts, written by `claims`. */
#ifndef SUITE_RESULTS_CLAIMS_H
#define SUITE_RESULTS_CLAIMS_H

#include "suite/results/columns.h"

/** A row of claims.csv. Numbers are NaN if the field is empty; texts are never NULL. */
typedef struct bench_claims_row {
    const char *experiment, *id, *claim, *whose, *measure, *verdict, *reason, *command;
    double paper, at_least, at_most, ours, lo, hi;
} bench_claims_row;

extern const bench_columns bench_claims_columns;

#endif
