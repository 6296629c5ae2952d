/** Pictures drawn by gnuplot, and the index that gives the origin of each picture. */
#ifndef SUITE_PICTURE_H
#define SUITE_PICTURE_H

#include "base/csv.h"
#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>

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

#endif
