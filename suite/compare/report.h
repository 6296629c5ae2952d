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
 * Prints pareto.csv: all points except those whose truth is 0 in every frame. The record must have
 * its launches.
 */
base_status bench_report_front(const bench_record *record, const bench_front *front, FILE *file,
                               base_error *err) BASE_MUST_CHECK;

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

/** Prints the contestants that fit a need, and by how much the nearest one misses it. */
base_status bench_report_fits(const bench_record *record, const bench_fits *fits,
                              bench_format format, FILE *file, base_error *err) BASE_MUST_CHECK;

/** Prints two runs side by side. */
base_status bench_report_answers(const bench_answers *answers, bench_format format, FILE *file,
                                 base_error *err) BASE_MUST_CHECK;

#endif
