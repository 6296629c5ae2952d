#include "base/memory.h"
#include "geometry/mesh_scan.h"

#include <stdbool.h>
#include <stdio.h>
#include <strings.h>

/* Binary format: 80 arbitrary bytes, the number of triangles, then each triangle as twelve
 * floats (the normal, the corners) and two more bytes; all little endian. */
#define HEADER_SIZE   ((size_t)84)
#define COUNT_AT      ((size_t)80)
#define TRIANGLE_SIZE ((size_t)50)
#define NORMAL_SIZE   ((size_t)12)

/* --- Welding ---------------------------------------------------------------------------------- */

/** Finds vertices by their coordinates: a hash table with open addressing, at most half full. */
typedef struct weld {
    uint32_t *slots; /* vertex + 1, or 0 */
    size_t size;     /* a power of two */
    geo_fan fan;
} weld;

static uint64_t mix(uint64_t hash, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 32);
}

static size_t home(const weld *w, vec3 p)
{
    return (size_t)mix(mix(mix(0x2545f4914f6cdd1du, p.x), p.y), p.z) & (w->size - 1);
}

static bool same(vec3 a, vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static base_status grow_slots(weld *w)
{
    const size_t size = w->size == 0 ? 1024 : 2 * w->size;
    uint32_t *const slots = base_alloc(size, sizeof *slots);
    if (!slots) {
        return base_fail(w->fan.err, BASE_ERR_MEMORY, "out of memory for welding");
    }
    base_free(w->slots);
    w->slots = slots;
    w->size = size;
    for (size_t v = 0; v < w->fan.mesh->vertex_count; v++) {
        size_t i = home(w, w->fan.mesh->vertices[v]);
        while (slots[i] != 0) {
            i = (i + 1) & (size - 1);
        }
        slots[i] = (uint32_t)(v + 1);
    }
    return BASE_OK;
}

/** Adds a corner at p: an existing vertex of these coordinates, or a new one. */
static base_status weld_corner(weld *w, vec3 p)
{
    const vec3 q = {p.x + 0.0, p.y + 0.0, p.z + 0.0}; /* -0 becomes 0 */
    geo_mesh_builder *const mesh = w->fan.mesh;
    base_status status = BASE_OK;
    if (w->size < 2 * (mesh->vertex_count + 1)) {
        status = grow_slots(w);
        if (status != BASE_OK) {
            return status;
        }
    }
    size_t i = home(w, q);
    while (w->slots[i] != 0 && !same(mesh->vertices[w->slots[i] - 1], q)) {
        i = (i + 1) & (w->size - 1);
    }
    if (w->slots[i] == 0) {
        status = geo_mesh_builder_add_vertex(mesh, q, w->fan.err);
        w->slots[i] = (uint32_t)mesh->vertex_count;
    }
    return status == BASE_OK ? geo_fan_corner(&w->fan, w->slots[i] - 1) : status;
}

/* --- Ascii ------------------------------------------------------------------------------------ */

static bool word_is(geo_word word, const char *keyword)
{
    return word.size == strlen(keyword) && strncasecmp(word.at, keyword, word.size) == 0;
}

/**
 * Moves to the next line, which must begin with `keyword` or with `other` (NULL: no alternative).
 * Sets *is_other if it begins with `other`.
 */
static base_status expect(geo_scan *scan, const char *keyword, const char *other, bool *is_other)
{
    const bool line = geo_scan_line(scan);
    const geo_word word = line ? geo_scan_word(scan) : (geo_word){"", 0};
    *is_other = other && word_is(word, other);
    if (*is_other || word_is(word, keyword)) {
        return BASE_OK;
    }
    char wanted[64];
    snprintf(wanted, sizeof wanted, "'%s'%s%s%s", keyword, !other ? "" : " or '",
             !other ? "" : other, !other ? "" : "'");
    const int size = word.size < 40 ? (int)word.size : 40;
    return line ? base_fail(scan->err, BASE_ERR_INPUT, "'%s' line %zu: %s expected, not '%.*s'",
                            scan->path, scan->line, wanted, size, word.at)
                : base_fail(scan->err, BASE_ERR_INPUT,
                            "'%s' line %zu: file ends where %s is expected", scan->path, scan->line,
                            wanted);
}

/** Reads "vertex 0 0 1". */
static base_status read_corner(geo_scan *scan, weld *w)
{
    bool other;
    base_status status = expect(scan, "vertex", NULL, &other);
    if (status != BASE_OK) {
        return status;
    }
    vec3 p;
    status = geo_scan_point(scan, &p);
    if (status != BASE_OK) {
        return status;
    }
    status = geo_scan_line_ends(scan, "three coordinates");
    return status == BASE_OK ? weld_corner(w, p) : status;
}

/**
 * Reads the text after "facet" up to "endfacet"; the normal is ignored, since many files have no
 * valid one.
 */
static base_status read_facet(geo_scan *scan, weld *w)
{
    bool other;
    base_status status = expect(scan, "outer", NULL, &other);
    geo_fan_begin(&w->fan);
    for (int i = 0; status == BASE_OK && i < 3; i++) {
        status = read_corner(scan, w);
    }
    if (status == BASE_OK) {
        status = expect(scan, "endloop", NULL, &other);
    }
    return status == BASE_OK ? expect(scan, "endfacet", NULL, &other) : status;
}

/** Reads one solid or several, one after the other. */
static base_status read_ascii(const geo_source *source, weld *w, base_error *err)
{
    base_status status = BASE_OK;
    geo_scan scan = geo_scan_begin(source, err);
    bool more = true;
    while (status == BASE_OK && more) {
        bool ended = false;
        status = expect(&scan, "solid", NULL, &ended);
        while (status == BASE_OK && !ended) {
            status = expect(&scan, "facet", "endsolid", &ended);
            if (status == BASE_OK && !ended) {
                status = read_facet(&scan, w);
            }
        }
        geo_scan ahead = scan;
        more = status == BASE_OK && geo_scan_line(&ahead);
    }
    return status;
}

/* --- Binary ----------------------------------------------------------------------------------- */

static uint32_t read_u32(const char *at)
{
    const unsigned char *const b = (const unsigned char *)at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static bool is_binary(const geo_source *source)
{
    return source->size >= HEADER_SIZE &&
           source->size - HEADER_SIZE == TRIANGLE_SIZE * read_u32(source->bytes + COUNT_AT);
}

static bool is_ascii(const geo_source *source)
{
    const char *const b = source->bytes;
    size_t i = 0;
    while (i < source->size && strchr(" \t\r\n", b[i]) && b[i] != '\0') {
        i++;
    }
    return source->size - i > 5 && strncasecmp(b + i, "solid", 5) == 0 &&
           strchr(" \t\r\n", b[i + 5]) && !memchr(b, '\0', source->size);
}

bool geo_source_is_stl(const geo_source *source)
{
    return is_binary(source) || is_ascii(source);
}

static base_status binary_size_wrong(const geo_source *source, base_error *err)
{
    if (source->size < HEADER_SIZE) {
        return base_fail(err, BASE_ERR_INPUT,
                         "'%s' byte %zu: file ends inside the header of a binary STL", source->path,
                         source->size);
    }
    const size_t count = read_u32(source->bytes + COUNT_AT);
    return base_fail(
        err, BASE_ERR_INPUT, "'%s' byte %zu: %zu triangles need %zu bytes, but the file has %zu",
        source->path, COUNT_AT, count, HEADER_SIZE + TRIANGLE_SIZE * count, source->size);
}

static base_status read_binary(const geo_source *source, weld *w, base_error *err)
{
    const size_t count = (source->size - HEADER_SIZE) / TRIANGLE_SIZE;
    base_status status = geo_mesh_builder_reserve(w->fan.mesh, 0, count, err);
    for (size_t f = 0; status == BASE_OK && f < count; f++) {
        size_t at = HEADER_SIZE + TRIANGLE_SIZE * f + NORMAL_SIZE;
        geo_fan_begin(&w->fan);
        for (int i = 0; status == BASE_OK && i < 3; i++) {
            double x[3];
            for (int k = 0; k < 3; k++, at += 4) {
                x[k] = geo_source_float(read_u32(source->bytes + at));
                if (!geo_coordinate_valid(x[k])) {
                    return base_fail(err, BASE_ERR_INPUT, "'%s' byte %zu: coordinate %s",
                                     source->path, at, geo_coordinate_fault(x[k]));
                }
            }
            status = weld_corner(w, (vec3){x[0], x[1], x[2]});
        }
    }
    return status;
}

base_status geo_mesh_read_stl(const geo_source *source, geo_mesh_builder *mesh, base_error *err)
{
    weld w = {.fan = {.mesh = mesh, .err = err}};
    /* The length is tested first, because many binary files begin with "solid", too. */
    const bool text = !memchr(source->bytes, '\0', source->size);
    const base_status status = is_binary(source) ? read_binary(source, &w, err)
                               : text            ? read_ascii(source, &w, err)
                                                 : binary_size_wrong(source, err);
    base_free(w.slots);
    return status;
}
