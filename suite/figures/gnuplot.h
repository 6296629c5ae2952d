/** gnuplot as a child process: it draws, and says nothing unless something is wrong. */
#ifndef SUITE_GNUPLOT_H
#define SUITE_GNUPLOT_H

#include "suite/figures/picture.h"

enum { BENCH_GNUPLOT_ARGUMENTS = 9, BENCH_GNUPLOT_SAID_BYTES = 512 };

/** Errors: BASE_ERR_SYSTEM when gnuplot or every font is missing: without one it draws no text. */
base_status bench_gnuplot_check(base_error *err) BASE_MUST_CHECK;

enum { BENCH_GNUPLOT_PATH_BYTES = 4096 + 8 };

/**
 * A path that gnuplot takes for nothing but one: '<' and '|' would begin a command, '~' a home.
 * Errors: BASE_ERR_ARGUMENT when it is too long.
 */
base_status bench_gnuplot_path(const char *path, char plain[BENCH_GNUPLOT_PATH_BYTES],
                               base_error *err) BASE_MUST_CHECK;

/**
 * Runs a script and takes what it draws to its standard output, whatever it draws there. The script
 * finds the arguments in ARG1 to ARG9, all as texts: whatever they hold, they are never a part of
 * gnuplot's code nor of a shell's. Those that are paths, and `path`, come from
 * bench_gnuplot_path. said: what it prints beside, as one line; "" for
 * nothing. To gnuplot a curve left out is only a warning.
 *
 * Errors   BASE_ERR_INPUT for an exit status other than 0, and where nothing is drawn;
 *          BASE_ERR_SYSTEM when it cannot be started; BASE_ERR_MEMORY. *picture is empty then, else
 *          owned by the caller.
 */
base_status bench_gnuplot_draw(const char *path,
                               const char *const arguments[BENCH_GNUPLOT_ARGUMENTS],
                               bench_picture *picture, char said[BENCH_GNUPLOT_SAID_BYTES],
                               base_error *err) BASE_MUST_CHECK;

#endif
