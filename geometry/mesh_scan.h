/**
 * Code that the readers of mesh files share: the bytes of the file, its words and numbers with
 * their line, and polygons.
 *
 * Private to geometry/mesh_*.c.
 */
#ifndef GEOMETRY_MESH_SCAN_H
#define GEOMETRY_MESH_SCAN_H

#include "geometry/mesh.h"

#include <stdbool.h>
#include <string.h>

/** A whole file; bytes[size] is NUL. */
typedef struct geo_source {
    const char *path;
    char *bytes; /* owned, base_alloc */
    size_t size;
} geo_source;

/** Returns the float whose bits are in the low half of `raw`. */
double geo_source_float(uint64_t raw);

/* --- Polygons --------------------------------------------------------------------------------- */

/** Adds polygons to a mesh, each as a fan of triangles around its first corner. */
typedef struct geo_fan {
    geo_mesh_builder *mesh;
    size_t corners; /* number of corners of the current polygon */
    uint32_t first, previous;
    base_error *err;
} geo_fan;

/** Begins a polygon. */
static inline void geo_fan_begin(geo_fan *fan)
{
    fan->corners = 0;
}
/** Adds a corner. From the third corner on, each one adds a face. Errors: BASE_ERR_MEMORY. */
base_status geo_fan_corner(geo_fan *fan, uint32_t vertex) BASE_MUST_CHECK;

/* --- Words and lines -------------------------------------------------------------------------- */

typedef struct geo_scan {
    const char *path;
    const char *at, *end; /* *end is NUL */
    size_t line;          /* line of `at`, from 1; 0 before the first geo_scan_line */
    bool hash_comments;   /* '#' begins a comment */
    bool continuations;   /* '\' at the end of a line joins it with the next one */
    base_error *err;
} geo_scan;

typedef struct geo_word {
    const char *at;
    size_t size;
} geo_word;

/** Returns a scan that is before the first line. A byte order mark is skipped. */
geo_scan geo_scan_begin(const geo_source *source, base_error *err);
/** Fails if the file has a NUL byte, because it is then not a text file. */
base_status geo_source_is_text(const geo_source *source, base_error *err) BASE_MUST_CHECK;

/** Returns the next word of the line; size 0 at its end. */
geo_word geo_scan_word(geo_scan *scan);
/** Moves to the next line that has a word; returns false at the end of the file. */
bool geo_scan_line(geo_scan *scan);

/** Returns the number of bytes after the current line; all of its words must have been read. */
static inline size_t geo_scan_left(const geo_scan *scan)
{
    return (size_t)(scan->end - scan->at) - (scan->at < scan->end);
}

static inline bool geo_word_is(geo_word word, const char *text)
{
    return word.size == strlen(text) && memcmp(word.at, text, word.size) == 0;
}
/**
 * Reads a word as a decimal number, rounded to the nearest double; returns false if it is not one.
 * nan and inf count as numbers.
 */
bool geo_word_number(geo_word word, double *value);

/** Fails with "'x.off' line 3: bad coordinate 'abc'", or "missing coordinate" for an empty word. */
base_status geo_scan_bad(const geo_scan *scan, const char *what, geo_word word);
/** Fails with "'x.off' line 3: extra text 'abc' after <what>" if the line has another word. */
base_status geo_scan_line_ends(geo_scan *scan, const char *what) BASE_MUST_CHECK;
/** Reads three coordinates. Fails if one is missing, bad or not valid (geo_coordinate_valid). */
base_status geo_scan_point(geo_scan *scan, vec3 *p) BASE_MUST_CHECK;
/** Reads a whole number, 0 or greater. */
base_status geo_scan_count(geo_scan *scan, const char *what, size_t *value) BASE_MUST_CHECK;
/* --- The readers ------------------------------------------------------------------------------ */

/*
 * There is one reader per format, in mesh_file.c and mesh_ply_stl.c. mesh_file.c chooses the reader
 * by the content and the name of the file.
 */

/** Reads a mesh. The caller releases *mesh, also after an error. */
typedef base_status geo_mesh_reader(const geo_source *source, geo_mesh_builder *mesh,
                                    base_error *err);

geo_mesh_reader geo_mesh_read_stl, geo_mesh_read_ply; /* mesh_ply_stl.c */

/**
 * Recognises STL by content: binary STL by its length, ascii STL by its first word, "solid", and
 * because it has no NUL byte.
 */
bool geo_source_is_stl(const geo_source *source);

#endif
