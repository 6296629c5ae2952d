/** What `compare` prints and writes. */
#ifndef SUITE_REPORT_H
#define SUITE_REPORT_H

#include "suite/compare/answers.h"
#include "suite/compare/front.h"
#include "suite/compare/ratio.h"
#include "suite/output.h"

/* Errors of all of them: BASE_ERR_MEMORY. */

/** The columns of compare.csv; with all, also of cells that are left out. */
base_status bench_report_ratios(const bench_comparisons *list, bool all, bench_format format,
                                FILE *file, base_error *err) BASE_MUST_CHECK;
/** pareto.csv: all points but those whose truth is 0 in every frame. The record has its launches.
 */
base_status bench_report_front(const bench_record *record, const bench_front *front, FILE *file,
                               base_error *err) BASE_MUST_CHECK;

/**
 * The cells that are selected: for people the table that the run printed, which Markdown has not;
 * for scripts cells.csv with all its columns.
 */
base_status bench_report_cells(const bench_record *record, bench_format format, FILE *file,
                               base_error *err) BASE_MUST_CHECK;

/** For people, as a table or Markdown: of each scenario the ratios, the front and the winners
 * within the tolerance. */
base_status bench_report_run(const bench_record *record, const bench_comparisons *list,
                             const bench_front *front, bench_format format, FILE *file,
                             base_error *err) BASE_MUST_CHECK;

/** What fits a need, and by how much what comes nearest does not. */
base_status bench_report_fits(const bench_record *record, const bench_fits *fits,
                              bench_format format, FILE *file, base_error *err) BASE_MUST_CHECK;

/** Two runs side by side. */
base_status bench_report_answers(const bench_answers *answers, bench_format format, FILE *file,
                                 base_error *err) BASE_MUST_CHECK;

#endif
