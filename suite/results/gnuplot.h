/** gnuplot as a child process: it draws, and says nothing unless something is wrong. */
#ifndef SUITE_GNUPLOT_H
#define SUITE_GNUPLOT_H

#include "geometry/geometry.h"

/** Errors: GEO_ERR_SYSTEM when gnuplot or every font is missing: without one it draws no text. */
geo_status bench_gnuplot_check(geo_error *err) GEO_MUST_CHECK;

/**
 * Runs a script after the given assignments ("run='x'; out='y'").
 *
 * Errors   GEO_ERR_INPUT for an exit status other than 0, and for anything that gnuplot prints: to
 *          it a curve left out is only a warning. GEO_ERR_SYSTEM when it cannot be started.
 */
geo_status bench_gnuplot_run(const char *script, const char *variables,
                             geo_error *err) GEO_MUST_CHECK;

#endif
