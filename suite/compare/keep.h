/** Files that a comparison adds to the folder of a run. */
#ifndef SUITE_KEEP_H
#define SUITE_KEEP_H

#include "suite/compare/ratio.h"

/**
 * Writes RUN/compare.csv, RUN/pareto.csv and, if there is a build_launches.csv,
 * RUN/build_ratios.csv, always for the whole run. If a file cannot be written, a warning is
 * printed. tolerance: as in bench_front_make. Errors: BASE_ERR_MEMORY.
 */
base_status bench_comparison_keep(const char *run, const bench_record *record, double tolerance,
                                  const bench_comparisons *list, base_error *err) BASE_MUST_CHECK;

#endif
