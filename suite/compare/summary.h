/** The last lines of a run: who won, by how much, or that nobody can be said to have. */
#ifndef SUITE_SUMMARY_H
#define SUITE_SUMMARY_H

#include "suite/compare/front.h"
#include "suite/compare/ratio.h"

enum { BENCH_SUMMARY_LINES = 6 }; /* scenarios and quantities that are told one by one */

/**
 * A line for each scenario and quantity that was asked and has a winner, or no variant within the
 * tolerance, up to BENCH_SUMMARY_LINES; how many more there are, and of how many none is told; and
 * what tells more. The record has its launches. Errors: BASE_ERR_MEMORY.
 */
base_status bench_summary_print(const bench_record *record, double tolerance, FILE *file,
                                base_error *err) BASE_MUST_CHECK;

#endif
