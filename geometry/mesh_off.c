#include "geometry/mesh_scan.h"

#include <stdbool.h>
#include <stdio.h>

/* The shortest possible lines, "0 0 0" and "3 0 0 0", with an end of line (which the last line
 * may lack). */
#define VERTEX_LINE_LEAST ((size_t)6)
#define FACE_LINE_LEAST   ((size_t)8)

/* Bytes of a binary face: three corners with the number of corners and the number of colours. */
#define BINARY_FACE_LEAST ((size_t)20)

typedef struct off_header {
    size_t vertices, faces;
    size_t extras; /* numbers after the coordinates: normals, colours, texture */
} off_header;

/** Skips `text` at the front of the word; returns false if the word does not begin with it. */
static bool skip_prefix(geo_word *word, const char *text)
{
    const size_t size = strlen(text);
    if (word->size < size || memcmp(word->at, text, size) != 0) {
        return false;
    }
    word->at += size;
    word->size -= size;
    return true;
}

/**
 * Reads [ST][C][N]OFF. Puts the rest of the word back, because some files begin with "OFF8 6 0".
 */
static base_status read_keyword(geo_scan *scan, off_header *header)
{
    if (!geo_scan_line(scan)) {
        return base_fail(scan->err, BASE_ERR_INPUT, "'%s' line %zu: no OFF header", scan->path,
                         scan->line);
    }
    const geo_word keyword = geo_scan_word(scan);
    geo_word word = keyword;
    const bool texture = skip_prefix(&word, "ST");
    const bool colour = skip_prefix(&word, "C");
    const bool normal = skip_prefix(&word, "N");
    header->extras = (size_t)(2 * texture + 4 * colour + 3 * normal);
    const bool four = skip_prefix(&word, "4"), any = skip_prefix(&word, "n");
    if (!skip_prefix(&word, "OFF")) {
        return geo_scan_bad(scan, "header, not OFF:", keyword);
    }
    if (four || any) {
        return base_fail(scan->err, BASE_ERR_INPUT,
                         "'%s' line %zu: OFF of another dimension than 3", scan->path, scan->line);
    }
    scan->at = word.at;
    return BASE_OK;
}

/** Checks that the file is long enough for the counts, before memory is allocated for them. */
static base_status check_counts(const geo_scan *scan, const off_header *header)
{
    const size_t left = geo_scan_left(scan);
    const bool fits = header->vertices <= left / VERTEX_LINE_LEAST + 1 &&
                      header->faces <= left / FACE_LINE_LEAST + 1;
    return fits ? BASE_OK
                : base_fail(scan->err, BASE_ERR_INPUT,
                            "'%s' line %zu: %zu vertices and %zu faces do not fit into the %zu "
                            "bytes that follow",
                            scan->path, scan->line, header->vertices, header->faces, left);
}

/** Reads "8 6 12", or the same without the number of edges. */
static base_status read_counts(geo_scan *scan, off_header *header)
{
    base_status status = geo_scan_count(scan, "number of vertices", &header->vertices);
    if (status != BASE_OK) {
        return status;
    }
    status = geo_scan_count(scan, "number of faces", &header->faces);
    geo_scan ahead = *scan;
    if (status == BASE_OK && geo_scan_word(&ahead).size > 0) {
        size_t edges;
        status = geo_scan_count(scan, "number of edges", &edges);
    }
    return status;
}

/** Reads keyword and counts, on one line or two; the number of edges may be missing. */
static base_status read_header(geo_scan *scan, off_header *header)
{
    base_status status = read_keyword(scan, header);
    if (status != BASE_OK) {
        return status;
    }
    geo_scan ahead = *scan;
    const geo_word next = geo_scan_word(&ahead);
    if (next.size == 0) {
        geo_scan_line(scan);
    }
    status = read_counts(scan, header);
    if (status != BASE_OK) {
        return status;
    }
    status = geo_scan_line_ends(scan, "the counts");
    return status == BASE_OK ? check_counts(scan, header) : status;
}

/** Skips the rest of the line: colours, normals. */
static base_status skip_numbers(geo_scan *scan)
{
    double skipped;
    for (geo_word word; (word = geo_scan_word(scan)).size > 0;) {
        if (!geo_word_number(word, &skipped)) {
            return geo_scan_bad(scan, "number", word);
        }
    }
    return BASE_OK;
}

static base_status next_line(geo_scan *scan, const char *what, size_t done, size_t count)
{
    return geo_scan_line(scan) ? BASE_OK
                               : base_fail(scan->err, BASE_ERR_INPUT,
                                           "'%s' line %zu: file ends after %zu of %zu %s",
                                           scan->path, scan->line, done, count, what);
}

static base_status read_vertex(geo_scan *scan, const off_header *header, geo_fan *fan)
{
    base_status status = next_line(scan, "vertices", fan->mesh->vertex_count, header->vertices);
    vec3 p;
    if (status != BASE_OK) {
        return status;
    }
    status = geo_scan_point(scan, &p);
    if (status != BASE_OK) {
        return status;
    }
    status =
        header->extras > 0 ? skip_numbers(scan) : geo_scan_line_ends(scan, "three coordinates");
    return status == BASE_OK ? geo_mesh_builder_add_vertex(fan->mesh, p, fan->err) : status;
}

/** Reads "3 0 1 2", possibly followed by a colour. */
static base_status read_face(geo_scan *scan, size_t vertices, geo_fan *fan)
{
    size_t corners;
    base_status status = geo_scan_count(scan, "number of corners", &corners);
    if (status == BASE_OK && corners < 3) {
        status = base_fail(scan->err, BASE_ERR_INPUT, "'%s' line %zu: polygon of %zu vertices",
                           scan->path, scan->line, corners);
    }
    geo_fan_begin(fan);
    for (size_t i = 0; status == BASE_OK && i < corners; i++) {
        const geo_word word = geo_scan_word(scan);
        int64_t index;
        if (!geo_word_integer(word, &index)) {
            return geo_scan_bad(scan, "vertex index", word);
        }
        if (index < 0 || (uint64_t)index >= vertices) {
            return geo_scan_index_wrong(scan, index, vertices);
        }
        status = geo_fan_corner(fan, (uint32_t)index);
    }
    return status == BASE_OK ? skip_numbers(scan) : status;
}

/* --- Binary ----------------------------------------------------------------------------------- */

/*
 * Geomview's format: after the line "OFF BINARY" the same data as in a text file, as whole numbers
 * and floats of four bytes, highest byte first. The number of edges is present, and after the
 * corners of a face comes the number of colours that follow.
 */

typedef struct off_bytes {
    const geo_source *source;
    size_t at;
    base_error *err;
} off_bytes;

/**
 * True if the file begins with "OFF BINARY" or a variant, and the end of the line. *at: where the
 * data begin.
 */
static bool is_binary(const geo_source *source, size_t *at)
{
    geo_scan scan = geo_scan_begin(source, NULL);
    scan.hash_comments = true;
    if (!geo_scan_line(&scan)) {
        return false;
    }
    (void)geo_scan_word(&scan);
    if (!geo_word_is(geo_scan_word(&scan), "BINARY")) {
        return false;
    }
    const char *const rest = scan.at + strspn(scan.at, " \t\r");
    *at = (size_t)(rest - source->bytes) + (rest < scan.end);
    return rest == scan.end || *rest == '\n';
}

static base_status bytes_fail(const off_bytes *b, size_t at, const char *what)
{
    return base_fail(b->err, BASE_ERR_INPUT, "'%s' byte %zu: %s", b->source->path, at, what);
}

/** Reads four bytes, the highest first. */
static base_status read_raw(off_bytes *b, uint32_t *raw)
{
    if (b->source->size - b->at < 4) {
        return bytes_fail(b, b->at, "file ends inside a number");
    }
    const unsigned char *const from = (const unsigned char *)b->source->bytes + b->at;
    *raw = (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
    b->at += 4;
    return BASE_OK;
}

/** Reads a whole number, 0 or greater. */
static base_status read_whole(off_bytes *b, const char *what, size_t *value)
{
    uint32_t raw = 0;
    const base_status status = read_raw(b, &raw);
    *value = raw;
    if (status == BASE_OK && raw > INT32_MAX) {
        char bad[64];
        snprintf(bad, sizeof bad, "bad %s %d", what, (int)(int32_t)raw);
        return bytes_fail(b, b->at - 4, bad);
    }
    return status;
}

static base_status skip_bytes(off_bytes *b, size_t numbers)
{
    if (numbers > (b->source->size - b->at) / 4) {
        return bytes_fail(b, b->at, "file ends inside a row of numbers");
    }
    b->at += 4 * numbers;
    return BASE_OK;
}

/** Reads the counts, which must fit into the remaining bytes. */
static base_status read_binary_counts(off_bytes *b, off_header *header)
{
    size_t edges;
    base_status status = read_whole(b, "number of vertices", &header->vertices);
    if (status == BASE_OK) {
        status = read_whole(b, "number of faces", &header->faces);
    }
    if (status == BASE_OK) {
        status = read_whole(b, "number of edges", &edges);
    }
    const size_t left = b->source->size - b->at, row = 4 * (3 + header->extras);
    if (status == BASE_OK &&
        (header->vertices > left / row || header->faces > left / BINARY_FACE_LEAST)) {
        char what[120];
        snprintf(what, sizeof what,
                 "%zu vertices and %zu faces do not fit into the %zu bytes that follow",
                 header->vertices, header->faces, left);
        return bytes_fail(b, b->at, what);
    }
    return status;
}

static base_status read_binary_vertex(off_bytes *b, const off_header *header, geo_fan *fan)
{
    double x[3];
    for (int k = 0; k < 3; k++) {
        uint32_t raw = 0;
        const base_status status = read_raw(b, &raw);
        if (status != BASE_OK) {
            return status;
        }
        x[k] = geo_source_float(raw);
        if (!geo_coordinate_valid(x[k])) {
            char what[80];
            snprintf(what, sizeof what, "coordinate %s", geo_coordinate_fault(x[k]));
            return bytes_fail(b, b->at - 4, what);
        }
    }
    const base_status status = skip_bytes(b, header->extras);
    return status == BASE_OK
               ? geo_mesh_builder_add_vertex(fan->mesh, (vec3){x[0], x[1], x[2]}, fan->err)
               : status;
}

static base_status read_binary_face(off_bytes *b, size_t vertices, geo_fan *fan)
{
    char what[80];
    size_t corners, colours;
    base_status status = read_whole(b, "number of corners", &corners);
    if (status == BASE_OK && corners < 3) {
        snprintf(what, sizeof what, "polygon of %zu vertices", corners);
        return bytes_fail(b, b->at - 4, what);
    }
    geo_fan_begin(fan);
    for (size_t i = 0; status == BASE_OK && i < corners; i++) {
        size_t index;
        status = read_whole(b, "vertex index", &index);
        if (status == BASE_OK && index >= vertices) {
            snprintf(what, sizeof what, "vertex index %zu out of range (%zu vertices)", index,
                     vertices);
            return bytes_fail(b, b->at - 4, what);
        }
        if (status == BASE_OK) {
            status = geo_fan_corner(fan, (uint32_t)index);
        }
    }
    if (status == BASE_OK) {
        status = read_whole(b, "number of colours", &colours);
    }
    return status == BASE_OK ? skip_bytes(b, colours) : status;
}

/** Reads the data from `at` on. */
static base_status read_binary(const geo_source *source, size_t at, geo_mesh_builder *mesh,
                               base_error *err)
{
    off_header header = {0};
    geo_fan fan = {.mesh = mesh, .err = err};
    off_bytes b = {source, at, err};
    geo_scan scan = geo_scan_begin(source, err);
    scan.hash_comments = true;
    base_status status = read_keyword(&scan, &header);
    if (status == BASE_OK) {
        status = read_binary_counts(&b, &header);
    }
    if (status == BASE_OK) {
        status = geo_mesh_builder_reserve(mesh, header.vertices, header.faces, err);
    }
    for (size_t i = 0; status == BASE_OK && i < header.vertices; i++) {
        status = read_binary_vertex(&b, &header, &fan);
    }
    for (size_t i = 0; status == BASE_OK && i < header.faces; i++) {
        status = read_binary_face(&b, header.vertices, &fan);
    }
    return status == BASE_OK && b.at < source->size
               ? bytes_fail(&b, b.at, "extra bytes after the last face")
               : status;
}

/* --- Both formats ----------------------------------------------------------------------------- */

base_status geo_mesh_read_off(const geo_source *source, geo_mesh_builder *mesh, base_error *err)
{
    size_t at;
    off_header header;
    geo_fan fan = {.mesh = mesh, .err = err};
    if (is_binary(source, &at)) {
        return read_binary(source, at, mesh, err);
    }
    base_status status = geo_source_is_text(source, err);
    if (status != BASE_OK) {
        return status;
    }
    geo_scan scan = geo_scan_begin(source, err);
    scan.hash_comments = true;
    status = read_header(&scan, &header);
    if (status != BASE_OK) {
        return status;
    }
    status = geo_mesh_builder_reserve(mesh, header.vertices, header.faces, err);
    for (size_t i = 0; status == BASE_OK && i < header.vertices; i++) {
        status = read_vertex(&scan, &header, &fan);
    }
    for (size_t i = 0; status == BASE_OK && i < header.faces; i++) {
        status = next_line(&scan, "faces", i, header.faces);
        if (status == BASE_OK) {
            status = read_face(&scan, header.vertices, &fan);
        }
    }
    if (status == BASE_OK && geo_scan_line(&scan)) {
        status = geo_scan_line_ends(&scan, "the last face");
    }
    return status;
}
