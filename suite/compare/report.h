/** Output of `compare`: tables and files. */
#ifndef SUITE_REPORT_H
#define SUITE_REPORT_H

#include "suite/compare/answers.h"
#include "suite/compare/front.h"
#include "suite/compare/ratio.h"
#include "suite/output.h"

/* Errors of all functions: BASE_ERR_MEMORY. */

/** Prints the columns of compare.csv. With `all`, cells that are left out are included. */
base_status bench_report_ratios(const bench_comparisons *list, bool all, bench_format format,
                                FILE *file, base_error *err) BASE_MUST_CHECK;

/**
 * Prints the selected cells: for people the table that the run printed (there is no Markdown form),
 * for scripts cells.csv with all its columns.
 */
base_status bench_report_cells(const bench_record *record, bench_format format, FILE *file,
                               base_error *err) BASE_MUST_CHECK;

/**
 * Prints a report for people, as a table or Markdown: for each scenario the ratios, the front and
 * the winners within the tolerance.
 */
base_status bench_report_run(const bench_record *record, const bench_comparisons *list,
                             const bench_front *front, bench_format format, FILE *file,
                             base_error *err) BASE_MUST_CHECK;

/* --- Files that a comparison adds to the folder of a run -------------------------------------- */

/**
 * Writes RUN/compare.csv, RUN/pareto.csv and, if there is a build_launches.csv,
 * RUN/build_ratios.csv, always for the whole run. If a file cannot be written, a warning is
 * printed. tolerance: as in bench_front_make. Errors: BASE_ERR_MEMORY.
 */
base_status bench_comparison_keep(const char *run, const bench_record *record, double tolerance,
                                  const bench_comparisons *list, base_error *err) BASE_MUST_CHECK;

/* --- The last lines of a run ------------------------------------------------------------------ */

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
