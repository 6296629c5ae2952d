/** What comparing adds to the folder of a run. */
#ifndef SUITE_KEEP_H
#define SUITE_KEEP_H

#include "suite/compare/ratio.h"

/** What a winner may err where nobody says: 1 %, as `compare` has it. */
#define BENCH_KEPT_TOLERANCE 0.01

/**
 * Writes RUN/compare.csv, RUN/pareto.csv and, where there is a
 * build_launches.csv, RUN/build_ratios.csv, always of the whole run. A file that cannot be kept is
 * a warning. tolerance: what a winner may err, as a share. Errors: BASE_ERR_MEMORY.
 */
base_status bench_comparison_keep(const char *run, const bench_record *record, double tolerance,
                                  const bench_comparisons *list, base_error *err) BASE_MUST_CHECK;

#endif
