/**
 * The figures of a run: decides which figures are drawn, and for which scenarios and quantities.
 *
 * A script plots/SCRIPT.gp declares the figures that it draws. A declaration is a line `# figure:`
 * and the lines with `#` that follow it:
 *   # figure: ist-a1 ist-a2                     one or more figures with the same declaration
 *   # quantities: distance volume contact
 *   # variants: ist*, at least 2                a glob, also with *(...), +(...), @(a|b)
 *   # needs: pareto.csv                         a file of the run
 *   # each: spectrogram.csv                    SCENARIO/VARIANT.spectrogram.csv of each variant
 *   # beside: exact-volume                      a variant that the scenario must also contain
 *   # siblings: distance volume unified         for NAME/distance, if the others exist, too
 *   # over: scenarios                         once for the run, with variants that show something
 *   # draws: work                               also if the truth is 0 in all frames
 *   # draws: unjudged                           also exact methods that no second method judged
 *   # elsewhere: drawn                          also variants that were measured elsewhere, which
 *                                               have no times and no rows in `needs`
 *   # shows: fraction_within_1pct               a column of `needs`
 *   # paper: ist-f8 ist-t5                      experiments whose papers' numbers it draws: `paper`
 *                                               of their claims; the script reads them by paper(ID)
 * A figure is drawn once for each scenario with enough such variants that are judged in the
 * quantity, if the run has the files it needs. It is not drawn if the column that it shows is 0 in
 * all rows of the scenario and quantity, because the picture would be empty. A script without
 * declarations is a part of other scripts.
 *
 * In a folder of `simulate`, simulations count as cells with the quantity force: scripts that need
 * simulations.csv are drawn for each of its scenes.
 */
#ifndef SUITE_FIGURES_H
#define SUITE_FIGURES_H

#include "base/csv.h"
#include "suite/figures/looks.h"
#include "suite/results/record.h"

#include <stdbool.h>

/**
 * One picture to be drawn. The texts are valid as long as the figures and the name that was asked
 * for.
 */
typedef struct bench_drawing {
    const char *figure;
    const char *scenario; /* name of one scenario; "all" if over_all */
    bool over_all;        /* it shows all scenarios of the run */
    const char
        *quantity; /* one of alg_quantity_names; a unified scenario has "distance" and "volume" */
    const char **variants; /* `count` names as in cells.csv */
    const char **files;    /* `count` names as in file names */
    bool *judged;          /* false: an exact method that no second method judged */
    size_t count, judged_count;
    const char *empty; /* NULL, or the column that is 0 in all rows, so that the picture would be
                          empty */
} bench_drawing;

/** The figures of a run, and the files that they are drawn from. */
typedef struct bench_figures {
    const char *run;    /* folder; borrowed */
    const char **names; /* NULL-terminated: those of the experiment. If it names neither figures
                           nor pictures: pareto, deadline, frames; for simulations
                           simulation-depths and -forces */
    bench_record record;
    base_arena arena;
} bench_figures;

/**
 * Reads manifest.csv and cells.csv of a run, and checks the other files that scripts may read.
 *
 * Errors   those of bench_record_open; BASE_ERR_INPUT for an invalid name of a figure. Call
 *          bench_figures_close also after an error.
 */
base_status bench_figures_open(const char *run, bench_figures *figures,
                               base_error *err) BASE_MUST_CHECK;
void bench_figures_close(bench_figures *figures);

/**
 * True if some variant of the run is judged by the truth or, for simulations, if some simulation
 * made a step. Otherwise there is nothing to draw.
 */
bool bench_figures_any(const bench_figures *figures);

/**
 * Finds the drawings of one figure, ordered by scenario, then by quantity. A variant takes part if
 * it has an error, or for contact a verdict, in at least one frame. An exact variant without an
 * error takes part only in scripts with "# draws: unjudged". Twins do not take part.
 *
 * If the figure does not fit the run, *count is 0 and `reason` says what is missing.
 *
 * Errors   BASE_ERR_ARGUMENT if no script declares the figure (similar names are listed);
 *          BASE_ERR_INPUT for an invalid declaration; BASE_ERR_SYSTEM if a script cannot be
 *          opened; BASE_ERR_MEMORY.
 */
base_status bench_figures_find(bench_figures *figures, const char *name, bench_drawing **drawings,
                               size_t *count, base_error *reason, base_error *err) BASE_MUST_CHECK;

/**
 * Makes labels and looks of some variants of a scenario, in the arena. They depend on all variants
 * of the scenario except twins, so that each figure and each table has the same label for a
 * variant. scenario: NULL means that they depend on these variants alone.
 * Errors: BASE_ERR_MEMORY.
 */
base_status bench_figures_looks(const bench_record *record, const char *scenario,
                                const char *const *variants, size_t count, base_arena *arena,
                                bench_looks *looks, base_error *err) BASE_MUST_CHECK;

/* --- Pictures --------------------------------------------------------------------------------- */

/**
 * Checks that gnuplot and a font are installed; without fonts gnuplot draws no text.
 * Errors: BASE_ERR_SYSTEM if gnuplot is missing or there is no font.
 */
base_status bench_gnuplot_check(base_error *err) BASE_MUST_CHECK;

typedef enum bench_picture_format {
    BENCH_PICTURE_PNG,
    BENCH_PICTURE_SVG,
    BENCH_PICTURE_PDF,
    BENCH_PICTURE_FORMATS
} bench_picture_format;

/** "png", "svg", "pdf": names of gnuplot's terminals, and file extensions. */
extern const char *const bench_picture_format_names[BENCH_PICTURE_FORMATS];

/** The bytes of a file; owned: base_free(bytes). */
typedef struct bench_picture {
    char *bytes;
    size_t size, capacity;
} bench_picture;

/**
 * Sets the width of an SVG of gnuplot in mm, and the height in proportion. gnuplot writes sizes
 * without a unit.
 *
 * Errors   BASE_ERR_INPUT for bytes without a viewBox, BASE_ERR_MEMORY. The caller still owns the
 *          picture.
 */
base_status bench_picture_set_width(bench_picture *picture, double width_mm,
                                    base_error *err) BASE_MUST_CHECK;

/** Format and size of pictures. */
typedef struct bench_picture_style {
    bench_picture_format format;
    unsigned width_mm; /* width of a column or a page; 0: for a screen */
    bool titled;
} bench_picture_style;

enum { BENCH_WARNING_BYTES = 512 };

/**
 * Draws a picture by plots/style.gp, which loads the figure's script last (the head of style.gp
 * lists its arguments). The lines of a paper's numbers are drawn if the run's experiment has the
 * name of the figure. The picture of a run in mode smoke states the mode. warnings: the text that
 * gnuplot prints, as one line, or "". If gnuplot omits a curve, it prints a warning and does not
 * fail.
 *
 * Errors   BASE_ERR_INPUT if gnuplot fails or draws nothing, and for too many variants or claims;
 *          BASE_ERR_ARGUMENT for a missing script and for a path that is too long; BASE_ERR_SYSTEM
 *          if gnuplot does not start; BASE_ERR_MEMORY; those of bench_experiment_open.
 */
base_status bench_figures_draw(bench_figures *figures, const bench_drawing *drawing,
                               const bench_picture_style *style, bench_picture *picture,
                               char warnings[BENCH_WARNING_BYTES], base_error *err) BASE_MUST_CHECK;

/* --- The index, which gives the origin of each picture ---------------------------------------- */

/** The columns of index.csv after the first one, which is the picture's file name. */
enum {
    BENCH_INDEX_SCENARIO,
    BENCH_INDEX_QUANTITY,
    BENCH_INDEX_FIGURE,
    BENCH_INDEX_VARIANTS,
    BENCH_INDEX_EXPERIMENT,
    BENCH_INDEX_MODE,
    BENCH_INDEX_START_UTC,
    BENCH_INDEX_VERSION,
    BENCH_INDEX_COMMIT,
    BENCH_INDEX_CPU,
    BENCH_INDEX_CPUS,
    BENCH_INDEX_COLUMNS
};

typedef struct bench_index_row {
    const char *picture;                     /* file name in the folder */
    const char *fields[BENCH_INDEX_COLUMNS]; /* NULL: not known, an empty field */
} bench_index_row;

/** FOLDER/index.csv. Zeroed before bench_index_open. */
typedef struct bench_index {
    char *path;
    bench_index_row *rows;
    size_t count, capacity;
    base_csv old;
    base_arena arena;
} bench_index;

/**
 * Reads the index of a folder of pictures. Rows of missing pictures are dropped. If there is no
 * index, or if it cannot be read, the index is empty; in the second case *damage gives the reason.
 *
 * Errors   BASE_ERR_MEMORY. Call bench_index_close also after an error.
 */
base_status bench_index_open(const char *folder, bench_index *index, base_error *damage,
                             base_error *err) BASE_MUST_CHECK;

/** Adds a row, or replaces that of the same picture. Texts are copied. Errors: BASE_ERR_MEMORY. */
base_status bench_index_put(bench_index *index, const bench_index_row *row,
                            base_error *err) BASE_MUST_CHECK;

/** Removes the row of a picture, if there is one. */
void bench_index_remove(bench_index *index, const char *picture);

/** Writes the rows, sorted by picture. Errors: those of base_output. */
base_status bench_index_write(bench_index *index, base_error *err) BASE_MUST_CHECK;

void bench_index_close(bench_index *index);

/** Adds the origin of a drawing's picture to the index. Errors: BASE_ERR_MEMORY. */
base_status bench_figures_note(const bench_figures *figures, const bench_drawing *drawing,
                               const char *picture, bench_index *index,
                               base_error *err) BASE_MUST_CHECK;

#endif
