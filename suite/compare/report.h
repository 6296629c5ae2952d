/** What `compare` prints and writes. */
#ifndef SUITE_REPORT_H
#define SUITE_REPORT_H

#include "suite/compare/answers.h"
#include "suite/compare/front.h"
#include "suite/compare/ratio.h"
#include "suite/output.h"

typedef enum bench_report_format {
    BENCH_REPORT_TABLE,
    BENCH_REPORT_CSV,
    BENCH_REPORT_MARKDOWN,
} bench_report_format;

/** "table", "csv" or "markdown". Errors: BASE_ERR_ARGUMENT. */
base_status bench_report_format_parse(const char *text, bench_report_format *format,
                                      base_error *err) BASE_MUST_CHECK;

/* --- Parts ------------------------------------------------------------------------------------ */

/** As many names as the rows have columns. */
void bench_report_header(bench_rows *rows, const char *const *names);
/** For scripts: empty for NaN. */
void bench_report_number(bench_rows *rows, double value);
/** Prints and releases. */
base_status bench_report_print(bench_rows *rows, bench_report_format format, FILE *file,
                               base_error *err) BASE_MUST_CHECK;

/* --- Tables ----------------------------------------------------------------------------------- */

/** compare.csv; with all, also of cells that are left out. Errors, here and below: BASE_ERR_MEMORY.
 */
base_status bench_report_ratios(const bench_comparisons *list, bool all, FILE *file,
                                base_error *err) BASE_MUST_CHECK;
/** pareto.csv: all points. */
base_status bench_report_front(const bench_front *front, FILE *file,
                               base_error *err) BASE_MUST_CHECK;

/** For people: of each scenario the ratios, the front and the winners within the tolerance. */
base_status bench_report_run(const bench_record *record, const bench_comparisons *list,
                             const bench_front *front, double tolerance, bool markdown, FILE *file,
                             base_error *err) BASE_MUST_CHECK;

/** What fits a need, and by how much what comes nearest does not. */
base_status bench_report_fits(const bench_record *record, const bench_fits *fits,
                              bench_report_format format, FILE *file,
                              base_error *err) BASE_MUST_CHECK;

/** Two runs side by side. */
base_status bench_report_answers(const bench_answers *answers, bench_report_format format,
                                 FILE *file, base_error *err) BASE_MUST_CHECK;

#endif
