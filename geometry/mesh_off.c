#include "geometry/mesh_formats.h"

#include <stdbool.h>

/* Shortest possible lines, "0 0 0" and "3 0 0 0", with an end of line but for the last. */
#define VERTEX_LINE_LEAST ((size_t)6)
#define FACE_LINE_LEAST   ((size_t)8)

typedef struct off_header {
    size_t vertices, faces;
    bool extras; /* numbers behind the coordinates: normals, colours, texture */
} off_header;

/** Skips `text` at the front of the word. */
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

/** [ST][C][N]OFF; what follows in the same word goes back: some files say "OFF8 6 0". */
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
    header->extras = texture || colour || normal;
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

/** "are there so many?", before anything is allocated for them. */
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

/** "8 6 12", or without the number of edges. */
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

/** Keyword and counts, on one line or two; the number of edges may be left out. */
static base_status read_header(geo_scan *scan, off_header *header)
{
    base_status status = read_keyword(scan, header);
    if (status != BASE_OK) {
        return status;
    }
    geo_scan ahead = *scan;
    const geo_word next = geo_scan_word(&ahead);
    if (geo_word_is(next, "BINARY")) {
        return base_fail(scan->err, BASE_ERR_INPUT, "'%s' line %zu: binary OFF is not supported",
                         scan->path, scan->line);
    }
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

/** The rest of the line: colours, normals. */
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
    status = header->extras ? skip_numbers(scan) : geo_scan_line_ends(scan, "three coordinates");
    return status == BASE_OK ? geo_mesh_builder_add_vertex(fan->mesh, p, fan->err) : status;
}

/** "3 0 1 2", and a colour perhaps. */
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

base_status geo_mesh_read_off(const geo_source *source, geo_mesh_builder *mesh, base_error *err)
{
    off_header header;
    geo_fan fan = {.mesh = mesh, .err = err};
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
