#include "base/memory.h"
#include "geometry/mesh_scan.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <strings.h>

enum { PLY_ELEMENTS_MAX = 64, PLY_PROPERTIES_MAX = 256 };

typedef enum ply_type {
    PLY_INT8,
    PLY_UINT8,
    PLY_INT16,
    PLY_UINT16,
    PLY_INT32,
    PLY_UINT32,
    PLY_FLOAT32,
    PLY_FLOAT64
} ply_type;

/** The role of a property. */
typedef enum ply_role { PLY_NONE, PLY_X, PLY_Y, PLY_Z, PLY_CORNERS } ply_role;

typedef struct ply_property {
    geo_word name;
    ply_type type;
    bool list;
    ply_type length_type; /* for lists */
    ply_role role;
} ply_property;

typedef struct ply_element {
    geo_word name;
    size_t count;
    size_t first, property_count;
} ply_element;

typedef enum ply_format { PLY_ASCII, PLY_BINARY_LITTLE, PLY_BINARY_BIG } ply_format;

typedef struct ply {
    const geo_source *source;
    geo_scan scan;  /* the header, and the rows of an ascii file */
    const char *at; /* the rows of a binary file */
    ply_format format;
    ply_element elements[PLY_ELEMENTS_MAX];
    size_t element_count;
    ply_property properties[PLY_PROPERTIES_MAX]; /* properties of all elements, one after the
                                                  * other */
    size_t property_count;
    size_t vertex_count;
    geo_fan fan;
    base_error *err;
} ply;

/* --- Header of PLY ---------------------------------------------------------------------------- */

static const struct {
    const char *name;
    ply_type type;
} type_names[] = {
    {"char", PLY_INT8},       {"uchar", PLY_UINT8},    {"short", PLY_INT16},
    {"ushort", PLY_UINT16},   {"int", PLY_INT32},      {"uint", PLY_UINT32},
    {"float", PLY_FLOAT32},   {"double", PLY_FLOAT64}, {"int8", PLY_INT8},
    {"uint8", PLY_UINT8},     {"int16", PLY_INT16},    {"uint16", PLY_UINT16},
    {"int32", PLY_INT32},     {"uint32", PLY_UINT32},  {"float32", PLY_FLOAT32},
    {"float64", PLY_FLOAT64},
};

static base_status ply_line_fail(const ply *p, const char *what)
{
    return base_fail(p->err, BASE_ERR_INPUT, "'%s' line %zu: %s", p->source->path, p->scan.line,
                     what);
}

static base_status read_format(ply *p)
{
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    const geo_word name = geo_scan_word(&p->scan);
    const geo_word version = geo_scan_word(&p->scan);
    for (size_t i = 0; i < 3; i++) {
        if (geo_word_is(name, names[i])) {
            p->format = (ply_format)i;
            return geo_word_is(version, "1.0") ? geo_scan_line_ends(&p->scan, "the version")
                                               : geo_scan_bad(&p->scan, "version", version);
        }
    }
    return geo_scan_bad(&p->scan, "format", name);
}

static bool same_word(geo_word a, geo_word b)
{
    return a.size == b.size && memcmp(a.at, b.at, a.size) == 0;
}

static base_status read_element(ply *p)
{
    if (p->element_count == PLY_ELEMENTS_MAX) {
        return ply_line_fail(p, "more than 64 elements");
    }
    const geo_word name = geo_scan_word(&p->scan);
    ply_element *const element = &p->elements[p->element_count++];
    *element = (ply_element){.name = name, .first = p->property_count};
    if (name.size == 0) {
        return geo_scan_bad(&p->scan, "name of the element", name);
    }
    for (const ply_element *e = p->elements; e < element; e++) {
        if (same_word(e->name, name)) {
            return geo_scan_bad(&p->scan, "element, the second of its name:", name);
        }
    }
    const base_status status = geo_scan_count(&p->scan, "number of rows", &element->count);
    return status == BASE_OK ? geo_scan_line_ends(&p->scan, "the number of rows") : status;
}

static base_status read_type(ply *p, geo_word word, ply_type *type)
{
    for (size_t i = 0; i < sizeof type_names / sizeof *type_names; i++) {
        if (geo_word_is(word, type_names[i].name)) {
            *type = type_names[i].type;
            return BASE_OK;
        }
    }
    return geo_scan_bad(&p->scan, "type", word);
}

static ply_role choose_role(const ply_element *element, const ply_property *property)
{
    if (geo_word_is(element->name, "face") && property->list &&
        (geo_word_is(property->name, "vertex_indices") ||
         geo_word_is(property->name, "vertex_index"))) {
        return PLY_CORNERS;
    }
    if (geo_word_is(element->name, "vertex") && !property->list && property->name.size == 1) {
        const char c = property->name.at[0];
        return c == 'x' ? PLY_X : c == 'y' ? PLY_Y : c == 'z' ? PLY_Z : PLY_NONE;
    }
    return PLY_NONE;
}

/** Reads "float x" or "list uchar int vertex_indices". */
static base_status read_property(ply *p)
{
    if (p->element_count == 0) {
        return ply_line_fail(p, "property before the first element");
    }
    if (p->property_count == PLY_PROPERTIES_MAX) {
        return ply_line_fail(p, "more than 256 properties");
    }
    ply_element *const element = &p->elements[p->element_count - 1];
    ply_property property = {0};
    base_status status = BASE_OK;
    geo_word word = geo_scan_word(&p->scan);
    property.list = geo_word_is(word, "list");
    if (property.list) {
        status = read_type(p, geo_scan_word(&p->scan), &property.length_type);
        word = geo_scan_word(&p->scan);
    }
    if (status == BASE_OK) {
        status = read_type(p, word, &property.type);
    }
    if (status != BASE_OK) {
        return status;
    }
    property.name = geo_scan_word(&p->scan);
    if (property.name.size == 0) {
        return geo_scan_bad(&p->scan, "name of the property", property.name);
    }
    property.role = choose_role(element, &property);
    for (size_t i = element->first; i < p->property_count; i++) {
        const ply_property *const q = &p->properties[i];
        if (same_word(q->name, property.name) ||
            (q->role == PLY_CORNERS && property.role == PLY_CORNERS)) {
            return geo_scan_bad(&p->scan, "property, the second of its kind:", property.name);
        }
    }
    p->properties[p->property_count++] = property;
    element->property_count++;
    return geo_scan_line_ends(&p->scan, "the name of the property");
}

static bool ply_has_role(const ply *p, const ply_element *element, ply_role role)
{
    for (size_t i = 0; i < element->property_count; i++) {
        if (p->properties[element->first + i].role == role) {
            return true;
        }
    }
    return false;
}

/** Checks that vertices and faces are declared. Stores the number of vertices. */
static base_status check_header(ply *p)
{
    bool vertices = false, faces = false;
    for (const ply_element *e = p->elements; e < p->elements + p->element_count; e++) {
        if (ply_has_role(p, e, PLY_X) && ply_has_role(p, e, PLY_Y) && ply_has_role(p, e, PLY_Z)) {
            vertices = true;
            p->vertex_count = e->count;
        }
        faces = faces || ply_has_role(p, e, PLY_CORNERS);
    }
    if (!vertices) {
        return ply_line_fail(p, "no element 'vertex' with x, y and z");
    }
    return faces ? BASE_OK : ply_line_fail(p, "no element 'face' with a list vertex_indices");
}

static base_status ply_read_header(ply *p)
{
    bool ended = false;
    base_status status = BASE_OK;
    geo_scan_line(&p->scan);
    const geo_word magic = geo_scan_word(&p->scan);
    if (!geo_word_is(magic, "ply")) {
        return geo_scan_bad(&p->scan, magic.size == 0 ? "header" : "header, not ply:", magic);
    }
    status = geo_scan_line_ends(&p->scan, "'ply'");
    bool format = false;
    while (status == BASE_OK && !ended) {
        if (!geo_scan_line(&p->scan)) {
            return ply_line_fail(p, "file ends inside the header");
        }
        const geo_word word = geo_scan_word(&p->scan);
        if (geo_word_is(word, "format")) {
            status = read_format(p);
            format = true;
        } else if (geo_word_is(word, "element")) {
            status = read_element(p);
        } else if (geo_word_is(word, "property")) {
            status = read_property(p);
        } else if (geo_word_is(word, "end_header")) {
            ended = true;
            status = geo_scan_line_ends(&p->scan, "'end_header'");
        } else if (!geo_word_is(word, "comment") && !geo_word_is(word, "obj_info")) {
            status = geo_scan_bad(&p->scan, "keyword", word);
        }
    }
    if (status == BASE_OK && !format) {
        return ply_line_fail(p, "no format");
    }
    return status == BASE_OK ? check_header(p) : status;
}

/* --- Rows of PLY ------------------------------------------------------------------------------ */

static const size_t type_sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};

/**
 * Fails with "'x.ply' byte 84: ..." for the value that begins at `at`. For an ascii file, fails
 * with the line instead.
 */
static base_status row_fail(const ply *p, const char *at, const char *what)
{
    return p->format == PLY_ASCII
               ? ply_line_fail(p, what)
               : base_fail(p->err, BASE_ERR_INPUT, "'%s' byte %zu: %s", p->source->path,
                           (size_t)(at - p->source->bytes), what);
}

static double decode(uint64_t raw, ply_type type)
{
    switch (type) {
    case PLY_INT8:
        return (int8_t)raw;
    case PLY_UINT8:
        return (uint8_t)raw;
    case PLY_INT16:
        return (int16_t)raw;
    case PLY_UINT16:
        return (uint16_t)raw;
    case PLY_INT32:
        return (int32_t)raw;
    case PLY_UINT32:
        return (uint32_t)raw;
    case PLY_FLOAT32:
        return geo_source_float(raw);
    default: {
        double value;
        memcpy(&value, &raw, sizeof value);
        return value;
    }
    }
}

static base_status read_value(ply *p, ply_type type, const char *what, double *value)
{
    if (p->format == PLY_ASCII) {
        const geo_word word = geo_scan_word(&p->scan);
        return geo_word_number(word, value) ? BASE_OK : geo_scan_bad(&p->scan, what, word);
    }
    const size_t size = type_sizes[type];
    if ((size_t)(p->scan.end - p->at) < size) {
        return row_fail(p, p->at, "file ends inside a row");
    }
    uint64_t raw = 0;
    for (size_t i = 0; i < size; i++) {
        const size_t shift = p->format == PLY_BINARY_LITTLE ? i : size - 1 - i;
        raw |= (uint64_t)(unsigned char)p->at[i] << (8 * shift);
    }
    p->at += size;
    *value = decode(raw, type);
    return BASE_OK;
}

static base_status read_coordinate(ply *p, const ply_property *property, vec3 *v)
{
    double x;
    const char *const from = p->at;
    const base_status status = read_value(p, property->type, "coordinate", &x);
    if (status == BASE_OK && !geo_coordinate_valid(x)) {
        char what[80];
        snprintf(what, sizeof what, "coordinate %s", geo_coordinate_fault(x));
        return row_fail(p, from, what);
    }
    *(property->role == PLY_X ? &v->x : property->role == PLY_Y ? &v->y : &v->z) = x;
    return status;
}

static base_status read_corner(ply *p, const ply_property *property)
{
    double index;
    const char *const from = p->at;
    const base_status status = read_value(p, property->type, "vertex index", &index);
    if (status != BASE_OK) {
        return status;
    }
    if (!(index >= 0 && index < (double)p->vertex_count && index == floor(index))) {
        char what[120];
        snprintf(what, sizeof what, "vertex index %.17g out of range (%zu vertices)", index,
                 p->vertex_count);
        return row_fail(p, from, what);
    }
    return geo_fan_corner(&p->fan, (uint32_t)index);
}

static base_status read_list(ply *p, const ply_property *property)
{
    double length, skipped;
    const char *const from = p->at;
    base_status status = read_value(p, property->length_type, "length of a list", &length);
    if (status == BASE_OK && !(length >= 0 && length < 0x1p32 && length == floor(length))) {
        return row_fail(p, from, "bad length of a list");
    }
    geo_fan_begin(&p->fan);
    for (size_t i = 0; status == BASE_OK && i < (size_t)length; i++) {
        status = property->role == PLY_CORNERS ? read_corner(p, property)
                                               : read_value(p, property->type, "value", &skipped);
    }
    if (status == BASE_OK && property->role == PLY_CORNERS && length < 3) {
        char what[64];
        snprintf(what, sizeof what, "polygon of %d vertices", (int)length);
        return row_fail(p, from, what);
    }
    return status;
}

static base_status read_row(ply *p, const ply_element *element)
{
    if (p->format == PLY_ASCII && !geo_scan_line(&p->scan)) {
        return ply_line_fail(p, "file ends before the last row");
    }
    vec3 v = {0, 0, 0};
    bool vertex = false;
    double skipped;
    base_status status = BASE_OK;
    for (size_t i = 0; status == BASE_OK && i < element->property_count; i++) {
        const ply_property *const property = &p->properties[element->first + i];
        if (property->list) {
            status = read_list(p, property);
        } else if (property->role != PLY_NONE) {
            status = read_coordinate(p, property, &v);
            vertex = true;
        } else {
            status = read_value(p, property->type, "value", &skipped);
        }
    }
    if (status == BASE_OK && p->format == PLY_ASCII) {
        status = geo_scan_line_ends(&p->scan, "the last property");
    }
    return status == BASE_OK && vertex ? geo_mesh_builder_add_vertex(p->fan.mesh, v, p->fan.err)
                                       : status;
}

/**
 * Checks that there are enough bytes for the declared rows, before memory is allocated for them.
 */
static base_status check_count(const ply *p, const ply_element *element)
{
    size_t least = 0;
    for (size_t i = 0; i < element->property_count; i++) {
        const ply_property *const property = &p->properties[element->first + i];
        /* A value in ascii has at least a digit and a separator. A list has at least its length. */
        least += p->format == PLY_ASCII
                     ? 2
                     : type_sizes[property->list ? property->length_type : property->type];
    }
    const bool ascii = p->format == PLY_ASCII;
    const size_t left = ascii ? geo_scan_left(&p->scan) : (size_t)(p->scan.end - p->at);
    /* The last row of an ascii file may lack its end of line. */
    if (element->count <= (left + ascii) / least) {
        return BASE_OK;
    }
    char what[160];
    snprintf(what, sizeof what, "%zu rows of '%.*s' do not fit into the %zu bytes that follow",
             element->count, element->name.size < 40 ? (int)element->name.size : 40,
             element->name.at, left);
    return row_fail(p, p->at, what);
}

static base_status read_rows(ply *p, const ply_element *element)
{
    if (element->property_count == 0) {
        return BASE_OK;
    }
    base_status status = check_count(p, element);
    if (status == BASE_OK) {
        const bool vertices = ply_has_role(p, element, PLY_X);
        const bool faces = ply_has_role(p, element, PLY_CORNERS);
        status = geo_mesh_builder_reserve(p->fan.mesh, vertices ? element->count : 0,
                                          faces ? element->count : 0, p->err);
    }
    for (size_t i = 0; status == BASE_OK && i < element->count; i++) {
        status = read_row(p, element);
    }
    return status;
}

base_status geo_mesh_read_ply(const geo_source *source, geo_mesh_builder *mesh, base_error *err)
{
    ply *const p = base_alloc(1, sizeof *p);
    if (!p) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    p->source = source;
    p->scan = geo_scan_begin(source, err);
    p->fan = (geo_fan){.mesh = mesh, .err = err};
    p->err = err;
    base_status status = ply_read_header(p);
    if (status == BASE_OK && p->format == PLY_ASCII) {
        status = geo_source_is_text(source, err);
    }
    /* The rows begin after the end of the header's last line. */
    p->at = p->scan.at + (p->scan.at < p->scan.end);
    for (size_t i = 0; status == BASE_OK && i < p->element_count; i++) {
        status = read_rows(p, &p->elements[i]);
    }
    /* Further data are an error; otherwise a count that is too small would not be noticed. */
    if (status == BASE_OK && p->format == PLY_ASCII) {
        status = geo_scan_line(&p->scan) ? geo_scan_line_ends(&p->scan, "the last row") : BASE_OK;
    } else if (status == BASE_OK && p->at != p->scan.end) {
        status = row_fail(p, p->at, "extra bytes after the last row");
    }
    base_free(p);
    return status;
}

/* --- STL -------------------------------------------------------------------------------------- */

/* Binary format: 80 arbitrary bytes, the number of triangles, then each triangle as twelve
 * floats (the normal, the corners) and two more bytes; all little endian. */
#define HEADER_SIZE   ((size_t)84)
#define COUNT_AT      ((size_t)80)
#define TRIANGLE_SIZE ((size_t)50)
#define NORMAL_SIZE   ((size_t)12)

/* --- Welding of STL --------------------------------------------------------------------------- */

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

/** Adds a corner at p. Uses the vertex that has these coordinates, or adds one. */
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
    while (w->slots[i] != 0 && !vec3_equal(mesh->vertices[w->slots[i] - 1], q)) {
        i = (i + 1) & (w->size - 1);
    }
    if (w->slots[i] == 0) {
        status = geo_mesh_builder_add_vertex(mesh, q, w->fan.err);
        w->slots[i] = (uint32_t)mesh->vertex_count;
    }
    return status == BASE_OK ? geo_fan_corner(&w->fan, w->slots[i] - 1) : status;
}

/* --- Ascii STL -------------------------------------------------------------------------------- */

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
static base_status read_stl_corner(geo_scan *scan, weld *w)
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
 * Reads the text after "facet" up to "endfacet". The normal is ignored, since many files have no
 * valid normals.
 */
static base_status read_facet(geo_scan *scan, weld *w)
{
    bool other;
    base_status status = expect(scan, "outer", NULL, &other);
    geo_fan_begin(&w->fan);
    for (int i = 0; status == BASE_OK && i < 3; i++) {
        status = read_stl_corner(scan, w);
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

/* --- Binary STL ------------------------------------------------------------------------------- */

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
