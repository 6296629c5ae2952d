/** The last lines of a run: the winner and by how much it wins, or that no winner can be named. */
#ifndef SUITE_SUMMARY_H
#define SUITE_SUMMARY_H

#include "suite/compare/front.h"
#include "suite/compare/ratio.h"

enum { BENCH_SUMMARY_LINES = 6 }; /* scenarios and quantities that are listed */

/**
 * Prints a line for each scenario and quantity that was asked and has a winner or no variant within
 * the tolerance, up to BENCH_SUMMARY_LINES. Then it prints the number of further lines, the number
 * of groups without a named winner, and the command that shows more. The record must have its
 * launches. Errors: BASE_ERR_MEMORY.
 */
base_status bench_summary_print(const bench_record *record, double tolerance, FILE *file,
                                base_error *err) BASE_MUST_CHECK;

#endif
