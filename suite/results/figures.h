/**
 * Which figures can be drawn of a run: scripts in plots/ times scenarios in cells.csv.
 *
 * A script says in its first lines what it is for:
 *   # quantities: distance
 *   # variants: ist*, at least 2
 *   # needs: pareto.csv
 * A script without the first two is a part of others. One that needs a file which not every run has
 * is left out where it is missing.
 */
#ifndef SUITE_FIGURES_H
#define SUITE_FIGURES_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>

/** One picture to be drawn. Texts live in the arena of the list. */
typedef struct bench_drawing {
    const char *figure;              /* plots/FIGURE.gp */
    const char *scenario, *quantity; /* "distance" or "volume"; a unified scenario has both */
    const char *variants;            /* names as in cells.csv, blanks between them */
    const char *files;               /* the same as files are called */
} bench_drawing;

typedef struct bench_drawings {
    bench_drawing *items;
    size_t count, capacity;
    const char **figures; /* NULL-terminated: names of all scripts that draw one */
    base_arena arena;
} bench_drawings;

/**
 * All drawings of a run, or of those whose figure is `only` (NULL: all), in the order of scripts,
 * then of scenarios, then of quantities. A variant takes part where it has an error relative to the
 * truth in at least one frame; twins do not.
 *
 * Errors   BASE_ERR_INPUT for a cells.csv that cannot be understood, a script whose lines cannot, or
 *          a file that `only` needs and the run lacks; BASE_ERR_ARGUMENT if there is no script
 *          `only` (near names are listed).
 *          bench_drawings_release is due either way.
 */
base_status bench_drawings_find(const char *run, const char *only, bench_drawings *drawings,
                                base_error *err) BASE_MUST_CHECK;
void bench_drawings_release(bench_drawings *drawings);

/** A variant's name as part of a file name: ':' and ',' become '_'. */
void bench_variant_file(const char *variant, char *file, size_t size);

/** Is it the second copy of a baseline, "VARIANT@twin"? It shows the noise and is no variant. */
bool bench_variant_is_twin(const char *variant);

#endif
