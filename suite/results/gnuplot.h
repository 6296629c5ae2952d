/** gnuplot as a child process: it draws, and says nothing unless something is wrong. */
#ifndef SUITE_GNUPLOT_H
#define SUITE_GNUPLOT_H

#include "base/error.h"

/** Errors: BASE_ERR_SYSTEM when gnuplot or every font is missing: without one it draws no text. */
base_status bench_gnuplot_check(base_error *err) BASE_MUST_CHECK;

/**
 * Runs a script after the given assignments ("run='x'; out='y'").
 *
 * Errors   BASE_ERR_INPUT for an exit status other than 0, and for anything that gnuplot prints: to
 *          it a curve left out is only a warning. BASE_ERR_SYSTEM when it cannot be started.
 */
base_status bench_gnuplot_run(const char *script, const char *variables,
                              base_error *err) BASE_MUST_CHECK;

#endif
