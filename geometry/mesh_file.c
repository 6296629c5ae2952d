#include "base/file.h"
#include "base/memory.h"
#include "geometry/mesh_scan.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* --- Words and lines -------------------------------------------------------------------------- */

/* Longest part of a word that a message quotes. */
#define QUOTED_MAX 40

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/** Returns the length of a backslash and the end of line after it; 0 if there is none. */
static size_t continuation(const geo_scan *scan, const char *at)
{
    if (!scan->continuations || *at != '\\') {
        return 0;
    }
    return at[1] == '\n' ? 2 : at[1] == '\r' && at[2] == '\n' ? 3 : 0;
}

/** Moves to the next word, or to the end of the line or the file. */
static void skip_blanks(geo_scan *scan)
{
    for (;;) {
        const size_t joined = continuation(scan, scan->at);
        if (joined > 0) {
            scan->at += joined;
            scan->line++;
        } else if (is_blank(*scan->at)) {
            scan->at++;
        } else {
            break;
        }
    }
    if (scan->hash_comments && *scan->at == '#') {
        const char *const end = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
        scan->at = !end ? scan->end : end;
    }
}

/** True at the end of the current line. */
static bool at_end(const geo_scan *scan)
{
    return scan->at == scan->end || *scan->at == '\n';
}

geo_word geo_scan_word(geo_scan *scan)
{
    skip_blanks(scan);
    const char *const from = scan->at;
    while (!at_end(scan) && !is_blank(*scan->at) && continuation(scan, scan->at) == 0 &&
           !(scan->hash_comments && *scan->at == '#')) {
        scan->at++;
    }
    return (geo_word){from, (size_t)(scan->at - from)};
}

bool geo_scan_line(geo_scan *scan)
{
    do {
        if (scan->line > 0) {
            while (geo_scan_word(scan).size > 0) {
                continue;
            }
            if (scan->at == scan->end) {
                return false;
            }
            scan->at++;
        }
        scan->line++;
        skip_blanks(scan);
    } while (at_end(scan));
    return true;
}

geo_scan geo_scan_begin(const geo_source *source, base_error *err)
{
    const bool mark = source->size >= 3 && memcmp(source->bytes, "\xef\xbb\xbf", 3) == 0;
    return (geo_scan){.path = source->path,
                      .at = source->bytes + (mark ? 3 : 0),
                      .end = source->bytes + source->size,
                      .err = err};
}

base_status geo_source_is_text(const geo_source *source, base_error *err)
{
    const char *const nul = memchr(source->bytes, '\0', source->size);
    if (!nul) {
        return BASE_OK;
    }
    size_t line = 1;
    for (const char *c = source->bytes; c < nul; c++) {
        line += *c == '\n';
    }
    return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: NUL byte, not a text file", source->path,
                     line);
}

/**
 * Reads a decimal integer with an optional sign, which must be the whole word; returns false
 * otherwise and beyond 18 digits.
 */
static bool word_integer(geo_word word, int64_t *value)
{
    const bool sign = word.size > 0 && (word.at[0] == '-' || word.at[0] == '+');
    const size_t digits = word.size - sign;
    if (digits == 0 || digits > 18) {
        return false;
    }
    int64_t sum = 0;
    for (size_t i = sign; i < word.size; i++) {
        const char c = word.at[i];
        if (c < '0' || c > '9') {
            return false;
        }
        sum = 10 * sum + (c - '0');
    }
    *value = sign && word.at[0] == '-' ? -sum : sum;
    return true;
}

bool geo_word_number(geo_word word, double *value)
{
    /* strtod would also accept hexadecimal. It stops at the blank or NUL after the word. */
    if (word.size == 0 || memchr(word.at, 'x', word.size) || memchr(word.at, 'X', word.size)) {
        return false;
    }
    char *end;
    *value = strtod(word.at, &end);
    return end == word.at + word.size;
}

/** Fails with "'x.off' line 3: <before> 'abc'<after>"; a long word is truncated. */
static base_status fail_word(const geo_scan *scan, const char *before, geo_word word,
                             const char *after)
{
    const bool cut = word.size > QUOTED_MAX;
    return base_fail(scan->err, BASE_ERR_INPUT, "'%s' line %zu: %s '%.*s%s'%s", scan->path,
                     scan->line, before, cut ? QUOTED_MAX : (int)word.size, word.at,
                     cut ? "..." : "", after);
}

base_status geo_scan_bad(const geo_scan *scan, const char *what, geo_word word)
{
    if (word.size == 0) {
        return base_fail(scan->err, BASE_ERR_INPUT, "'%s' line %zu: missing %s", scan->path,
                         scan->line, what);
    }
    char before[64];
    snprintf(before, sizeof before, "bad %s", what);
    return fail_word(scan, before, word, "");
}

base_status geo_scan_line_ends(geo_scan *scan, const char *what)
{
    const geo_word word = geo_scan_word(scan);
    if (word.size == 0) {
        return BASE_OK;
    }
    char after[64];
    snprintf(after, sizeof after, " after %s", what);
    return fail_word(scan, "extra text", word, after);
}

base_status geo_scan_point(geo_scan *scan, vec3 *p)
{
    double *const coordinates[3] = {&p->x, &p->y, &p->z};
    for (int k = 0; k < 3; k++) {
        const geo_word word = geo_scan_word(scan);
        if (!geo_word_number(word, coordinates[k])) {
            return geo_scan_bad(scan, "coordinate", word);
        }
        if (!geo_coordinate_valid(*coordinates[k])) {
            char after[64];
            snprintf(after, sizeof after, " %s", geo_coordinate_fault(*coordinates[k]));
            return fail_word(scan, "coordinate", word, after);
        }
    }
    return BASE_OK;
}

base_status geo_scan_count(geo_scan *scan, const char *what, size_t *value)
{
    const geo_word word = geo_scan_word(scan);
    int64_t count;
    if (!word_integer(word, &count) || count < 0) {
        return geo_scan_bad(scan, what, word);
    }
    *value = (size_t)count;
    return BASE_OK;
}

static base_status index_wrong(const geo_scan *scan, int64_t index, size_t vertices)
{
    return base_fail(scan->err, BASE_ERR_INPUT,
                     "'%s' line %zu: vertex index %lld out of range (%zu vertices)", scan->path,
                     scan->line, (long long)index, vertices);
}

/* --- Numbers in binary files ------------------------------------------------------------------ */

double geo_source_float(uint64_t raw)
{
    const uint32_t bits = (uint32_t)raw;
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* --- Polygons --------------------------------------------------------------------------------- */

base_status geo_fan_corner(geo_fan *fan, uint32_t vertex)
{
    base_status status = BASE_OK;
    fan->corners++;
    if (fan->corners == 1) {
        fan->first = vertex;
    } else if (fan->corners > 2) {
        const geo_face face = {{fan->first, fan->previous, vertex}};
        status = geo_mesh_builder_add_face(fan->mesh, face, fan->err);
    }
    fan->previous = vertex;
    return status;
}

/* --- OFF -------------------------------------------------------------------------------------- */

/* Bytes of the shortest possible lines, "0 0 0" and "3 0 0 0", with their end of line. The last
 * line of a file may lack its end. */
#define VERTEX_LINE_LEAST ((size_t)6)
#define FACE_LINE_LEAST   ((size_t)8)

/* Bytes of the shortest binary face: number of corners, three corners, number of colours. */
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
    if (status != BASE_OK) {
        return status;
    }
    /* The file must be long enough for the counts, before memory is allocated for them. */
    const size_t left = geo_scan_left(scan);
    const bool fits = header->vertices <= left / VERTEX_LINE_LEAST + 1 &&
                      header->faces <= left / FACE_LINE_LEAST + 1;
    return fits ? BASE_OK
                : base_fail(scan->err, BASE_ERR_INPUT,
                            "'%s' line %zu: %zu vertices and %zu faces do not fit into the %zu "
                            "bytes that follow",
                            scan->path, scan->line, header->vertices, header->faces, left);
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
        if (!word_integer(word, &index)) {
            return geo_scan_bad(scan, "vertex index", word);
        }
        if (index < 0 || (uint64_t)index >= vertices) {
            return index_wrong(scan, index, vertices);
        }
        status = geo_fan_corner(fan, (uint32_t)index);
    }
    return status == BASE_OK ? skip_numbers(scan) : status;
}

/* --- Binary OFF ------------------------------------------------------------------------------- */

/*
 * Geomview's format. The line "OFF BINARY" is followed by the same data as in a text file, as whole
 * numbers and floats of four bytes, highest byte first. There are two differences. The number of
 * edges is always present. After the corners of a face there is the number of its colour values,
 * which follow.
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

/* --- Text and binary OFF ---------------------------------------------------------------------- */

static base_status read_off(const geo_source *source, geo_mesh_builder *mesh, base_error *err)
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

/* --- OBJ -------------------------------------------------------------------------------------- */

/** True if the text after a vertex index is "/2", "//3", "/2/3" or empty. */
static bool is_references(geo_word rest)
{
    size_t slashes = 0;
    for (size_t i = 0; i < rest.size; i++) {
        const char c = rest.at[i];
        slashes += c == '/';
        const bool sign = c == '-' && rest.at[i - 1] == '/';
        if (c != '/' && !sign && (c < '0' || c > '9')) {
            return false;
        }
    }
    return slashes <= 2;
}

/**
 * Reads "7", "-1", "7/2", "7//3" or "7/2/3". Indices count from 1; negative ones count back from
 * the last vertex above this line. before: number of vertices above this line.
 */
static base_status read_corner(geo_scan *scan, geo_word word, size_t before, geo_fan *fan)
{
    const char *const slash = memchr(word.at, '/', word.size);
    const size_t size = !slash ? word.size : (size_t)(slash - word.at);
    int64_t index;
    if (!word_integer((geo_word){word.at, size}, &index) ||
        !is_references((geo_word){word.at + size, word.size - size})) {
        return geo_scan_bad(scan, "vertex index", word);
    }
    const int64_t vertex = index < 0 ? (int64_t)before + index : index - 1;
    if (vertex < 0 || (uint64_t)vertex >= fan->mesh->vertex_count) {
        return index_wrong(scan, index, fan->mesh->vertex_count);
    }
    return geo_fan_corner(fan, (uint32_t)vertex);
}

/** Reads the corners after "f". before: number of vertices above this line. */
static base_status read_obj_face(geo_scan *scan, size_t before, geo_fan *fan)
{
    geo_fan_begin(fan);
    for (geo_word word; (word = geo_scan_word(scan)).size > 0;) {
        const base_status status = read_corner(scan, word, before, fan);
        if (status != BASE_OK) {
            return status;
        }
    }
    return fan->corners >= 3
               ? BASE_OK
               : base_fail(scan->err, BASE_ERR_INPUT, "'%s' line %zu: polygon of %zu vertices",
                           scan->path, scan->line, fan->corners);
}

/**
 * Reads all vertices first and then all faces, because a face may use a vertex that comes below it.
 */
static base_status read_obj(const geo_source *source, geo_mesh_builder *mesh, base_error *err)
{
    geo_fan fan = {.mesh = mesh, .err = err};
    base_status status = geo_source_is_text(source, err);
    geo_scan start = geo_scan_begin(source, err);
    start.hash_comments = true;
    start.continuations = true;
    geo_scan scan = start;
    while (status == BASE_OK && geo_scan_line(&scan)) {
        if (geo_word_is(geo_scan_word(&scan), "v")) {
            vec3 p;
            status = geo_scan_point(&scan, &p);
            status = status == BASE_OK ? geo_mesh_builder_add_vertex(mesh, p, err) : status;
        }
    }
    size_t before = 0;
    scan = start;
    while (status == BASE_OK && geo_scan_line(&scan)) {
        const geo_word keyword = geo_scan_word(&scan);
        before += geo_word_is(keyword, "v");
        if (geo_word_is(keyword, "f")) {
            status = read_obj_face(&scan, before, &fan);
        }
    }
    return status;
}

/* --- Formats ---------------------------------------------------------------------------------- */

static bool has_extension(const char *path, const char *extension)
{
    const size_t size = strlen(path), tail = strlen(extension);
    return size > tail && strcasecmp(path + size - tail, extension) == 0;
}

static geo_mesh_reader *choose_reader(const geo_source *source)
{
    const char *const path = source->path, *const b = source->bytes;
    const bool ply = source->size > 3 && memcmp(b, "ply", 3) == 0 && (b[3] == '\n' || b[3] == '\r');
    return ply || has_extension(path, ".ply")                         ? geo_mesh_read_ply
           : geo_source_is_stl(source) || has_extension(path, ".stl") ? geo_mesh_read_stl
           : has_extension(path, ".off")                              ? read_off
           : has_extension(path, ".obj")                              ? read_obj
                                                                      : NULL;
}

static base_status read_mesh(const geo_source *source, geo_mesh_builder *mesh, base_error *err)
{
    if (source->size == 0) {
        return base_fail(err, BASE_ERR_INPUT, "'%s': empty file", source->path);
    }
    geo_mesh_reader *const reader = choose_reader(source);
    if (!reader) {
        return base_fail(err, BASE_ERR_INPUT, "'%s': unknown format, not .off, .obj, .stl or .ply",
                         source->path);
    }
    const base_status status = reader(source, mesh, err);
    if (status == BASE_OK && mesh->face_count == 0) {
        return base_fail(err, BASE_ERR_INPUT, "'%s': no faces", source->path);
    }
    return status;
}

base_status geo_mesh_load(const char *path, geo_mesh *mesh, base_error *err)
{
    geo_mesh_builder builder = {0};
    geo_source source = {.path = path};
    /* strtod must accept a decimal point, whatever the locale of the program is. */
    const locale_t neutral = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = uselocale(neutral);
    base_status status = neutral == (locale_t)0
                             ? BASE_ERR_MEMORY
                             : base_file_read(source.path, &source.bytes, &source.size, err);
    if (status == BASE_OK) {
        status = read_mesh(&source, &builder, err);
    }
    if (neutral != (locale_t)0) {
        uselocale(before);
        freelocale(neutral);
    }
    base_free(source.bytes);
    if (status != BASE_OK) {
        geo_mesh_builder_release(&builder);
    }
    *mesh = geo_mesh_builder_finish(&builder);
    return status == BASE_ERR_MEMORY ? base_fail(err, status, "'%s': out of memory", path) : status;
}

/* --- Writing OFF ------------------------------------------------------------------------------ */

static bool write_all(const geo_mesh *mesh, FILE *file)
{
    bool good = fprintf(file, "OFF\n%zu %zu 0\n", mesh->vertex_count, mesh->face_count) >= 0;
    for (size_t i = 0; good && i < mesh->vertex_count; i++) {
        const vec3 v = mesh->vertices[i];
        good = fprintf(file, "%.17g %.17g %.17g\n", v.x, v.y, v.z) >= 0;
    }
    for (size_t i = 0; good && i < mesh->face_count; i++) {
        const uint32_t *const v = mesh->faces[i].v;
        good = fprintf(file, "3 %u %u %u\n", v[0], v[1], v[2]) >= 0;
    }
    return good && fflush(file) == 0;
}

base_status geo_mesh_write_off(const geo_mesh *mesh, FILE *file, base_error *err)
{
    /* The output must have decimal points, whatever the locale of the program is. */
    const locale_t neutral = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (neutral == (locale_t)0) {
        return base_fail(err, BASE_ERR_MEMORY, "cannot write a mesh: out of memory");
    }
    const locale_t before = uselocale(neutral);
    errno = 0;
    const bool good = write_all(mesh, file);
    const int reason = errno;
    uselocale(before);
    freelocale(neutral);
    return good ? BASE_OK
                : base_fail(err, BASE_ERR_SYSTEM, "cannot write a mesh: %s", strerror(reason));
}
