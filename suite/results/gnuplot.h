/** gnuplot as a child process: it draws, and says nothing unless something is wrong. */
#ifndef SUITE_GNUPLOT_H
#define SUITE_GNUPLOT_H

#include "base/error.h"

/** Errors: BASE_ERR_SYSTEM when gnuplot or every font is missing: without one it draws no text. */
base_status bench_gnuplot_check(base_error *err) BASE_MUST_CHECK;

/**
 * Runs plots/style.gp, which ends with the script. It finds the script's path in ARG1 and up to
 * eight arguments, NULL-terminated, behind it, all as texts: whatever they hold, they are never a
 * part of gnuplot's code nor of a shell's. But gnuplot takes the name of a file for a command when
 * it begins with '<' or '|': begin paths with '.' or '/'.
 *
 * Errors   BASE_ERR_INPUT for an exit status other than 0, and for anything that gnuplot prints: to
 *          it a curve left out is only a warning. BASE_ERR_SYSTEM when it cannot be started.
 */
base_status bench_gnuplot_run(const char *script, const char *const *arguments,
                              base_error *err) BASE_MUST_CHECK;

#endif
