/** Runs gnuplot as a child process to draw pictures. It prints nothing unless there is a fault. */
#ifndef SUITE_GNUPLOT_H
#define SUITE_GNUPLOT_H

#include "suite/figures/picture.h"

enum { BENCH_GNUPLOT_ARGUMENTS = 9, BENCH_GNUPLOT_SAID_BYTES = 512 };

/**
 * Checks that gnuplot and a font are installed; without fonts gnuplot draws no text.
 * Errors: BASE_ERR_SYSTEM if gnuplot is missing or there is no font.
 */
base_status bench_gnuplot_check(base_error *err) BASE_MUST_CHECK;

enum { BENCH_GNUPLOT_PATH_BYTES = 4096 + 8 };

/**
 * Converts a path to a form that gnuplot can only read as a path: '<' and '|' would begin a
 * command, '~' a home folder.
 * Errors: BASE_ERR_ARGUMENT if it is too long.
 */
base_status bench_gnuplot_path(const char *path, char plain[BENCH_GNUPLOT_PATH_BYTES],
                               base_error *err) BASE_MUST_CHECK;

/**
 * Runs a script and reads the picture from its standard output. The script gets the arguments as
 * texts in ARG1 to ARG9; they are never executed as gnuplot or shell code. Arguments that are
 * paths, and `path`, must come from bench_gnuplot_path. said: its other output as one line, or "".
 * gnuplot only warns if it omits a curve.
 *
 * Errors   BASE_ERR_INPUT for an exit status other than 0, and if nothing is drawn; BASE_ERR_SYSTEM
 *          if it cannot be started; BASE_ERR_MEMORY. *picture is then empty, otherwise owned by the
 *          caller.
 */
base_status bench_gnuplot_draw(const char *path,
                               const char *const arguments[BENCH_GNUPLOT_ARGUMENTS],
                               bench_picture *picture, char said[BENCH_GNUPLOT_SAID_BYTES],
                               base_error *err) BASE_MUST_CHECK;

#endif
