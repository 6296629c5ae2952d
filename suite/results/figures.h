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

#include "base/csv.h"

/** One picture to be drawn. Texts live as long as the figures and the name that was asked for. */
typedef struct bench_drawing {
    const char *figure;              /* plots/FIGURE.gp */
    const char *scenario, *quantity; /* "distance" or "volume"; a unified scenario has both */
    const char *variants;            /* names as in cells.csv, blanks between them */
    const char *files;               /* the same as files are called */
} bench_drawing;

enum { BENCH_FIGURE_QUANTITIES = 2 }; /* distance and volume have errors to be drawn */

/** What a run's files say about figures. */
typedef struct bench_figures {
    const char *run; /* folder; borrowed */
    const char *
        *names; /* NULL-terminated: the experiment's figures, else pareto, deadline, frames */
    base_csv manifest, cells;
    int scenario, variant, errors[BENCH_FIGURE_QUANTITIES]; /* columns of cells */
    base_arena arena;
} bench_figures;

/**
 * Reads manifest.csv and cells.csv of a run.
 *
 * Errors   BASE_ERR_INPUT with file and line for what cannot be understood, and for the name of a
 *          figure, a scenario or a variant that no run writes: names become parts of paths.
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

/** A variant's name as part of a file name: ':', ',' and '@' become '_'. */
void bench_variant_file(const char *variant, char *file, size_t size);

/** Is it the second copy of a baseline, "VARIANT@twin"? It shows the noise and is no variant. */
bool bench_variant_is_twin(const char *variant);

#endif
