/** What `compare` prints and writes. */
#ifndef SUITE_REPORT_H
#define SUITE_REPORT_H

#include "suite/compare/answers.h"
#include "suite/compare/front.h"
#include "suite/compare/ratio.h"

typedef enum bench_report_format {
    BENCH_REPORT_TABLE,
    BENCH_REPORT_CSV,
    BENCH_REPORT_MARKDOWN,
} bench_report_format;

/** "table", "csv" or "markdown". Errors: BASE_ERR_ARGUMENT. */
base_status bench_report_format_parse(const char *text, bench_report_format *format,
                                      base_error *err) BASE_MUST_CHECK;

/** compare.csv; with all, also of cells that are left out. */
void bench_report_ratios(const bench_comparisons *list, bool all, FILE *file);
/** pareto.csv: all points. */
void bench_report_front(const bench_front *front, FILE *file);

/** For people: of each scenario the ratios, the front and the winners within the tolerance. Errors,
 * here and below: BASE_ERR_MEMORY. */
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
