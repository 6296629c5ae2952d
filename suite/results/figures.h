/**
 * The figures of a run: which scripts in plots/ are drawn, for which scenarios and quantities.
 *
 * A script says in its first lines what it is for:
 *   # quantities: distance volume
 *   # variants: ist*, at least 2
 *   # needs: pareto.csv
 * It is drawn once for each scenario that has as many such variants with errors of the quantity,
 * when the run has the file that it needs. A script without the first two lines is a part of
 * others.
 */
#ifndef SUITE_FIGURES_H
#define SUITE_FIGURES_H

#include "base/error.h"
#include "suite/results/record.h"

/** One picture to be drawn. Texts live as long as the figures and the name that was asked for. */
typedef struct bench_drawing {
    const char *figure;              /* plots/FIGURE.gp */
    const char *scenario, *quantity; /* "distance" or "volume"; a unified scenario has both */
    const char *variants;            /* names as in cells.csv, blanks between them */
    const char *files;               /* the same as files are called */
} bench_drawing;

/** What a run's files say about figures. */
typedef struct bench_figures {
    const char *run;    /* folder; borrowed */
    const char **names; /* NULL-terminated: the experiment's, else pareto, deadline, frames */
    bench_record record;
    base_arena arena;
} bench_figures;

/**
 * Reads manifest.csv and cells.csv of a run, and checks what else scripts may read.
 *
 * Errors   those of bench_record_open; BASE_ERR_INPUT for a name of a figure that is none.
 *          bench_figures_close is due either way.
 */
base_status bench_figures_open(const char *run, bench_figures *figures,
                               base_error *err) BASE_MUST_CHECK;
void bench_figures_close(bench_figures *figures);

/**
 * The drawings of one figure, in the order of scenarios, then of quantities. A variant takes part
 * where it has an error relative to the truth in at least one frame; twins do not.
 *
 * When the figure does not suit the run, *count is 0 and `reason` says what is missing.
 *
 * Errors   BASE_ERR_ARGUMENT if there is no such script (near names are listed); BASE_ERR_INPUT for a
 *          script whose first lines cannot be understood.
 */
base_status bench_figures_find(bench_figures *figures, const char *name, bench_drawing **drawings,
                               size_t *count, base_error *reason, base_error *err) BASE_MUST_CHECK;

/* --- gnuplot ---------------------------------------------------------------------------------- */

/* As a child process: it draws, and says nothing unless something is wrong. */

/** Errors: BASE_ERR_SYSTEM when gnuplot or every font is missing: without one it draws no text. */
base_status bench_gnuplot_check(base_error *err) BASE_MUST_CHECK;

/**
 * Runs plots/style.gp, which ends with the script at `path`. Scripts find it in ARG1 and up to
 * eight arguments, NULL-terminated, behind it, all as texts: whatever they hold, they are never a
 * part of gnuplot's code nor of a shell's. But gnuplot takes the name of a file for a command when
 * it begins with '<' or '|': begin paths with '.' or '/'.
 *
 * Errors   BASE_ERR_INPUT for an exit status other than 0, and for anything that gnuplot prints: to
 *          it a curve left out is only a warning. BASE_ERR_SYSTEM when it cannot be started.
 */
base_status bench_gnuplot_run(const char *path, const char *const *arguments,
                              base_error *err) BASE_MUST_CHECK;

#endif
