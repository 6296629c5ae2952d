/** A picture as gnuplot has drawn it, and what is written into it about where it comes from. */
#ifndef SUITE_PICTURE_H
#define SUITE_PICTURE_H

#include "base/error.h"

#include <stddef.h>

typedef enum bench_picture_format {
    BENCH_PICTURE_PNG,
    BENCH_PICTURE_SVG,
    BENCH_PICTURE_PDF,
    BENCH_PICTURE_FORMATS
} bench_picture_format;

/** "png", "svg", "pdf": what gnuplot and the ends of file names call them. */
extern const char *const bench_picture_format_names[BENCH_PICTURE_FORMATS];

/** The bytes of a file; owned: base_free(bytes). */
typedef struct bench_picture {
    char *bytes;
    size_t size, capacity;
} bench_picture;

/** What a picture says of itself. Texts never NULL; control characters and what is not ASCII are
 * written as '?'. */
typedef struct bench_origin {
    const char *title;    /* what is drawn */
    const char *about;    /* of which variants */
    const char *software; /* that measured: version and commit */
    const char *run;      /* experiment, mode, date and machine */
} bench_origin;

/**
 * Writes the origin into the picture: PNG as tEXt chunks (Title, Description, Software, Source), SVG
 * as title and desc, PDF as Title, Subject, Creator and Keywords of its document information, which
 * is appended as an update. A width in mm above 0 becomes that of an SVG, whose unit is unknown
 * otherwise; the others have theirs.
 *
 * Errors   BASE_ERR_INPUT for bytes that are no such picture, BASE_ERR_MEMORY. The picture is still
 *          the caller's.
 */
base_status bench_picture_sign(bench_picture *picture, bench_picture_format format,
                               const bench_origin *origin, double width_mm,
                               base_error *err) BASE_MUST_CHECK;

#endif
