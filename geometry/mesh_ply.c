#include "geometry/mesh_ply.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static const size_t type_sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};

/** "'x.ply' byte 84: ..." for the value that began at `at`, or with the line of an ascii file. */
static base_status row_fail(const geo_ply *p, const char *at, const char *what)
{
    return p->format == GEO_PLY_ASCII
               ? geo_ply_line_fail(p, what)
               : base_fail(p->err, BASE_ERR_INPUT, "'%s' byte %zu: %s", p->source->path,
                           (size_t)(at - p->source->bytes), what);
}

static double decode(uint64_t raw, geo_ply_type type)
{
    switch (type) {
    case GEO_PLY_INT8:
        return (int8_t)raw;
    case GEO_PLY_UINT8:
        return (uint8_t)raw;
    case GEO_PLY_INT16:
        return (int16_t)raw;
    case GEO_PLY_UINT16:
        return (uint16_t)raw;
    case GEO_PLY_INT32:
        return (int32_t)raw;
    case GEO_PLY_UINT32:
        return (uint32_t)raw;
    case GEO_PLY_FLOAT32:
        return geo_source_float(raw);
    default:
        return geo_source_double(raw);
    }
}

static base_status read_value(geo_ply *p, geo_ply_type type, const char *what, double *value)
{
    if (p->format == GEO_PLY_ASCII) {
        const geo_word word = geo_scan_word(&p->scan);
        return geo_word_number(word, value) ? BASE_OK : geo_scan_bad(&p->scan, what, word);
    }
    const size_t size = type_sizes[type];
    if ((size_t)(p->scan.end - p->at) < size) {
        return row_fail(p, p->at, "file ends inside a row");
    }
    uint64_t raw = 0;
    for (size_t i = 0; i < size; i++) {
        const size_t shift = p->format == GEO_PLY_BINARY_LITTLE ? i : size - 1 - i;
        raw |= (uint64_t)(unsigned char)p->at[i] << (8 * shift);
    }
    p->at += size;
    *value = decode(raw, type);
    return BASE_OK;
}

static base_status read_coordinate(geo_ply *p, const geo_ply_property *property, vec3 *v)
{
    double x;
    const char *const from = p->at;
    const base_status status = read_value(p, property->type, "coordinate", &x);
    if (status == BASE_OK && !geo_coordinate_valid(x)) {
        char what[80];
        snprintf(what, sizeof what, "coordinate %s", geo_coordinate_fault(x));
        return row_fail(p, from, what);
    }
    *(property->role == GEO_PLY_X ? &v->x : property->role == GEO_PLY_Y ? &v->y : &v->z) = x;
    return status;
}

static base_status read_corner(geo_ply *p, const geo_ply_property *property)
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

static base_status read_list(geo_ply *p, const geo_ply_property *property)
{
    double length, skipped;
    const char *const from = p->at;
    base_status status = read_value(p, property->length_type, "length of a list", &length);
    if (status == BASE_OK && !(length >= 0 && length < 0x1p32 && length == floor(length))) {
        return row_fail(p, from, "bad length of a list");
    }
    geo_fan_begin(&p->fan);
    for (size_t i = 0; status == BASE_OK && i < (size_t)length; i++) {
        status = property->role == GEO_PLY_CORNERS
                     ? read_corner(p, property)
                     : read_value(p, property->type, "value", &skipped);
    }
    if (status == BASE_OK && property->role == GEO_PLY_CORNERS && length < 3) {
        char what[64];
        snprintf(what, sizeof what, "polygon of %d vertices", (int)length);
        return row_fail(p, from, what);
    }
    return status;
}

static base_status read_row(geo_ply *p, const geo_ply_element *element)
{
    if (p->format == GEO_PLY_ASCII && !geo_scan_line(&p->scan)) {
        return geo_ply_line_fail(p, "file ends before the last row");
    }
    vec3 v = {0, 0, 0};
    bool vertex = false;
    double skipped;
    base_status status = BASE_OK;
    for (size_t i = 0; status == BASE_OK && i < element->property_count; i++) {
        const geo_ply_property *const property = &p->properties[element->first + i];
        if (property->list) {
            status = read_list(p, property);
        } else if (property->role != GEO_PLY_NONE) {
            status = read_coordinate(p, property, &v);
            vertex = true;
        } else {
            status = read_value(p, property->type, "value", &skipped);
        }
    }
    if (status == BASE_OK && p->format == GEO_PLY_ASCII) {
        status = geo_scan_line_ends(&p->scan, "the last property");
    }
    return status == BASE_OK && vertex ? geo_mesh_builder_add_vertex(p->fan.mesh, v, p->fan.err)
                                       : status;
}

/** Are there bytes for so many rows? Then memory for them is not wasted. */
static base_status check_count(const geo_ply *p, const geo_ply_element *element)
{
    size_t least = 0;
    for (size_t i = 0; i < element->property_count; i++) {
        const geo_ply_property *const property = &p->properties[element->first + i];
        /* A digit and what parts it from the next one; a list may be empty. */
        least += p->format == GEO_PLY_ASCII
                     ? 2
                     : type_sizes[property->list ? property->length_type : property->type];
    }
    const bool ascii = p->format == GEO_PLY_ASCII;
    const size_t left = ascii ? geo_scan_left(&p->scan) : (size_t)(p->scan.end - p->at);
    /* The last row of an ascii file may lack the end of its line. */
    if (element->count <= (left + ascii) / least) {
        return BASE_OK;
    }
    char what[160];
    snprintf(what, sizeof what, "%zu rows of '%.*s' do not fit into the %zu bytes that follow",
             element->count, element->name.size < 40 ? (int)element->name.size : 40,
             element->name.at, left);
    return row_fail(p, p->at, what);
}

static base_status read_rows(geo_ply *p, const geo_ply_element *element)
{
    if (element->property_count == 0) {
        return BASE_OK;
    }
    base_status status = check_count(p, element);
    if (status == BASE_OK) {
        const bool vertices = geo_ply_has_role(p, element, GEO_PLY_X);
        const bool faces = geo_ply_has_role(p, element, GEO_PLY_CORNERS);
        status = geo_mesh_builder_reserve(p->fan.mesh, vertices ? element->count : 0,
                                          faces ? element->count : 0, p->err);
    }
    for (size_t i = 0; status == BASE_OK && i < element->count; i++) {
        status = read_row(p, element);
    }
    return status;
}

/** Nothing may follow: a count that is too small would go unseen. */
static base_status check_end(geo_ply *p)
{
    if (p->format == GEO_PLY_ASCII) {
        return geo_scan_line(&p->scan) ? geo_scan_line_ends(&p->scan, "the last row") : BASE_OK;
    }
    return p->at == p->scan.end ? BASE_OK : row_fail(p, p->at, "extra bytes after the last row");
}

base_status geo_mesh_read_ply(const geo_source *source, geo_mesh_builder *mesh, base_error *err)
{
    geo_ply *const p = base_alloc(1, sizeof *p);
    if (!p) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    p->source = source;
    p->scan = geo_scan_begin(source, err);
    p->fan = (geo_fan){.mesh = mesh, .err = err};
    p->err = err;
    base_status status = geo_ply_read_header(p);
    if (status == BASE_OK && p->format == GEO_PLY_ASCII) {
        status = geo_source_is_text(source, err);
    }
    /* The rows begin behind the end of the header's last line. */
    p->at = p->scan.at + (p->scan.at < p->scan.end);
    for (size_t i = 0; status == BASE_OK && i < p->element_count; i++) {
        status = read_rows(p, &p->elements[i]);
    }
    if (status == BASE_OK) {
        status = check_end(p);
    }
    base_free(p);
    return status;
}
