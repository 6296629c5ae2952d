/**
 * The figures of a run: which scripts in plots/ are drawn, for which scenarios and quantities.
 *
 * A script says in its first lines what it is for:
 *   # quantities: distance volume contact
 *   # variants: ist*, at least 2                a glob, also with *(...), +(...), @(a|b)
 *   # needs: pareto.csv                         a file of the run
 *   # each: spectrogram.csv                    SCENARIO/VARIANT.spectrogram.csv of each variant
 *   # beside: exact-volume                      a variant that the scenario must have as well
 *   # siblings: distance volume unified         for NAME/distance, where the others are there too
 *   # draws: work                               also if the truth is 0 in all frames
 *   # draws: unjudged                           also exact methods that no second method judged
 *   # shows: fraction_within_1pct               a column of `needs`
 *   # paper: ist-f8 ist-t5                      experiments whose papers' numbers it draws: `paper`
 *                                               of their claims, which the script gets by paper(ID)
 * It is drawn once for each scenario that has as many such variants judged in the quantity,
 * if the run has what it needs. It is left out if the column that it shows is 0 in all rows of the
 * scenario and quantity, because nothing could be seen. A script without the first two lines is a
 * part of others.
 *
 * A folder of `simulate` has simulations for cells, whose quantity is the force: scripts that need
 * simulations.csv are drawn for each of its scenes.
 */
#ifndef SUITE_FIGURES_H
#define SUITE_FIGURES_H

#include "base/error.h"
#include "suite/figures/looks.h"
#include "suite/figures/picture.h"
#include "suite/results/record.h"

#include <stdbool.h>

/** One picture to be drawn. Texts live as long as the figures and the name that was asked for. */
typedef struct bench_drawing {
    const char *figure; /* plots/FIGURE.gp */
    const char *scenario;
    const char
        *quantity; /* "distance", "volume", "contact"; a unified scenario has the first two */
    const char **variants; /* names as in cells.csv; `count` */
    const char **files;    /* the same as files are called */
    bool *judged;          /* false: an exact method that no second method judged */
    size_t count, judged_count;
    const char *empty; /* NULL, or the column that is 0 in all rows, so that nothing can be seen */
} bench_drawing;

/** What a run's files say about figures. */
typedef struct bench_figures {
    const char *run;    /* folder; borrowed */
    const char **names; /* NULL-terminated: the experiment's, else pareto, deadline, frames; of
                           simulations simulation-depths and -forces */
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

/** Is anything in the run judged against the truth? Where nothing is, there is nothing to draw. */
bool bench_figures_any(const bench_figures *figures);

/**
 * The drawings of one figure, in the order of scenarios, then of quantities. A variant takes part
 * where it has an error, or for contact a verdict, in at least one frame; twins do not.
 *
 * When the figure does not suit the run, *count is 0 and `reason` says what is missing.
 *
 * Errors   BASE_ERR_ARGUMENT if there is no such script (near names are listed); BASE_ERR_INPUT for
 *          a script whose first lines cannot be understood.
 */
base_status bench_figures_find(bench_figures *figures, const char *name, bench_drawing **drawings,
                               size_t *count, base_error *reason, base_error *err) BASE_MUST_CHECK;

/**
 * Labels and looks of some variants of a scenario. They depend on all variants of the scenario but
 * twins, so that each figure and each table has the same label for a variant. In the arena.
 * Errors: BASE_ERR_MEMORY.
 */
base_status bench_figures_looks(const bench_record *record, const char *scenario,
                                const char *const *variants, size_t count, base_arena *arena,
                                bench_looks *looks, base_error *err) BASE_MUST_CHECK;

/** How pictures are made. */
typedef struct bench_picture_style {
    bench_picture_format format;
    unsigned width_mm; /* of a column or a page; 0: for a screen */
    bool titled;
} bench_picture_style;

enum { BENCH_WARNING_BYTES = 512 };

/**
 * Draws by plots/style.gp, which ends with the figure's script (the head of style.gp lists its
 * arguments). The lines of a paper's numbers are drawn where the run is of the experiment that the
 * figure is named after; the picture of a run in mode smoke says so. warnings: as
 * bench_gnuplot_draw's `said`.
 *
 * Errors   those of bench_gnuplot_draw and bench_picture_set_width; *picture is empty then, else
 *          owned by the caller.
 */
base_status bench_figures_draw(bench_figures *figures, const bench_drawing *drawing,
                               const bench_picture_style *style, bench_picture *picture,
                               char warnings[BENCH_WARNING_BYTES], base_error *err) BASE_MUST_CHECK;

/** Writes into the index where a drawing's picture comes from. Errors: BASE_ERR_MEMORY. */
base_status bench_figures_note(const bench_figures *figures, const bench_drawing *drawing,
                               const char *picture, bench_index *index,
                               base_error *err) BASE_MUST_CHECK;

#endif
