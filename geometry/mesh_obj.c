#include "geometry/mesh_scan.h"

#include <stdbool.h>
#include <stddef.h>

static base_status read_vertex(geo_scan *scan, geo_fan *fan)
{
    vec3 p;
    const base_status status = geo_scan_point(scan, &p);
    return status == BASE_OK ? geo_mesh_builder_add_vertex(fan->mesh, p, fan->err) : status;
}

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
 * Reads "7", "-1", "7/2", "7//3" or "7/2/3"; indices count from 1, negative ones from the last
 * vertex back.
 */
static base_status read_corner(geo_scan *scan, geo_word word, size_t before, geo_fan *fan)
{
    const char *const slash = memchr(word.at, '/', word.size);
    const size_t size = !slash ? word.size : (size_t)(slash - word.at);
    int64_t index;
    if (!geo_word_integer((geo_word){word.at, size}, &index) ||
        !is_references((geo_word){word.at + size, word.size - size})) {
        return geo_scan_bad(scan, "vertex index", word);
    }
    const int64_t place = index < 0 ? (int64_t)before + index : index - 1;
    if (place < 0 || (uint64_t)place >= fan->mesh->vertex_count) {
        return geo_scan_index_wrong(scan, index, fan->mesh->vertex_count);
    }
    return geo_fan_corner(fan, (uint32_t)place);
}

/** before: number of vertices above this line. */
static base_status read_face(geo_scan *scan, size_t before, geo_fan *fan)
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
base_status geo_mesh_read_obj(const geo_source *source, geo_mesh_builder *mesh, base_error *err)
{
    geo_fan fan = {.mesh = mesh, .err = err};
    base_status status = geo_source_is_text(source, err);
    geo_scan start = geo_scan_begin(source, err);
    start.hash_comments = true;
    start.continuations = true;
    geo_scan scan = start;
    while (status == BASE_OK && geo_scan_line(&scan)) {
        if (geo_word_is(geo_scan_word(&scan), "v")) {
            status = read_vertex(&scan, &fan);
        }
    }
    size_t before = 0;
    scan = start;
    while (status == BASE_OK && geo_scan_line(&scan)) {
        const geo_word keyword = geo_scan_word(&scan);
        before += geo_word_is(keyword, "v");
        if (geo_word_is(keyword, "f")) {
            status = read_face(&scan, before, &fan);
        }
    }
    return status;
}
