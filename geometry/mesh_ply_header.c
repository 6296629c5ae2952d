#include "geometry/mesh_ply.h"

#include <stdbool.h>

static const struct {
    const char *name;
    geo_ply_type type;
} type_names[] = {
    {"char",    GEO_PLY_INT8   },
    {"uchar",   GEO_PLY_UINT8  },
    {"short",   GEO_PLY_INT16  },
    {"ushort",  GEO_PLY_UINT16 },
    {"int",     GEO_PLY_INT32  },
    {"uint",    GEO_PLY_UINT32 },
    {"float",   GEO_PLY_FLOAT32},
    {"double",  GEO_PLY_FLOAT64},
    {"int8",    GEO_PLY_INT8   },
    {"uint8",   GEO_PLY_UINT8  },
    {"int16",   GEO_PLY_INT16  },
    {"uint16",  GEO_PLY_UINT16 },
    {"int32",   GEO_PLY_INT32  },
    {"uint32",  GEO_PLY_UINT32 },
    {"float32", GEO_PLY_FLOAT32},
    {"float64", GEO_PLY_FLOAT64},
};

base_status geo_ply_line_fail(const geo_ply *p, const char *what)
{
    return base_fail(p->err, BASE_ERR_INPUT, "'%s' line %zu: %s", p->source->path, p->scan.line,
                     what);
}

static base_status read_format(geo_ply *p)
{
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    const geo_word name = geo_scan_word(&p->scan);
    const geo_word version = geo_scan_word(&p->scan);
    for (size_t i = 0; i < 3; i++) {
        if (geo_word_is(name, names[i])) {
            p->format = (geo_ply_format)i;
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

static base_status read_element(geo_ply *p)
{
    if (p->element_count == GEO_PLY_ELEMENTS_MAX) {
        return geo_ply_line_fail(p, "more than 64 elements");
    }
    const geo_word name = geo_scan_word(&p->scan);
    geo_ply_element *const element = &p->elements[p->element_count++];
    *element = (geo_ply_element){.name = name, .first = p->property_count};
    if (name.size == 0) {
        return geo_scan_bad(&p->scan, "name of the element", name);
    }
    for (const geo_ply_element *e = p->elements; e < element; e++) {
        if (same_word(e->name, name)) {
            return geo_scan_bad(&p->scan, "element, the second of its name:", name);
        }
    }
    const base_status status = geo_scan_count(&p->scan, "number of rows", &element->count);
    return status == BASE_OK ? geo_scan_line_ends(&p->scan, "the number of rows") : status;
}

static base_status read_type(geo_ply *p, geo_word word, geo_ply_type *type)
{
    for (size_t i = 0; i < sizeof type_names / sizeof *type_names; i++) {
        if (geo_word_is(word, type_names[i].name)) {
            *type = type_names[i].type;
            return BASE_OK;
        }
    }
    return geo_scan_bad(&p->scan, "type", word);
}

static geo_ply_role choose_role(const geo_ply_element *element, const geo_ply_property *property)
{
    if (geo_word_is(element->name, "face") && property->list &&
        (geo_word_is(property->name, "vertex_indices") ||
         geo_word_is(property->name, "vertex_index"))) {
        return GEO_PLY_CORNERS;
    }
    if (geo_word_is(element->name, "vertex") && !property->list && property->name.size == 1) {
        const char c = property->name.at[0];
        return c == 'x' ? GEO_PLY_X : c == 'y' ? GEO_PLY_Y : c == 'z' ? GEO_PLY_Z : GEO_PLY_NONE;
    }
    return GEO_PLY_NONE;
}

/** "float x" or "list uchar int vertex_indices" */
static base_status read_property(geo_ply *p)
{
    if (p->element_count == 0) {
        return geo_ply_line_fail(p, "property before the first element");
    }
    if (p->property_count == GEO_PLY_PROPERTIES_MAX) {
        return geo_ply_line_fail(p, "more than 256 properties");
    }
    geo_ply_element *const element = &p->elements[p->element_count - 1];
    geo_ply_property property = {0};
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
        const geo_ply_property *const q = &p->properties[i];
        if (same_word(q->name, property.name) ||
            (q->role == GEO_PLY_CORNERS && property.role == GEO_PLY_CORNERS)) {
            return geo_scan_bad(&p->scan, "property, the second of its kind:", property.name);
        }
    }
    p->properties[p->property_count++] = property;
    element->property_count++;
    return geo_scan_line_ends(&p->scan, "the name of the property");
}

bool geo_ply_has_role(const geo_ply *p, const geo_ply_element *element, geo_ply_role role)
{
    for (size_t i = 0; i < element->property_count; i++) {
        if (p->properties[element->first + i].role == role) {
            return true;
        }
    }
    return false;
}

/** Are vertices and faces declared? Notes how many vertices. */
static base_status check_header(geo_ply *p)
{
    bool vertices = false, faces = false;
    for (const geo_ply_element *e = p->elements; e < p->elements + p->element_count; e++) {
        if (geo_ply_has_role(p, e, GEO_PLY_X) && geo_ply_has_role(p, e, GEO_PLY_Y) &&
            geo_ply_has_role(p, e, GEO_PLY_Z)) {
            vertices = true;
            p->vertex_count = e->count;
        }
        faces = faces || geo_ply_has_role(p, e, GEO_PLY_CORNERS);
    }
    if (!vertices) {
        return geo_ply_line_fail(p, "no element 'vertex' with x, y and z");
    }
    return faces ? BASE_OK : geo_ply_line_fail(p, "no element 'face' with a list vertex_indices");
}

base_status geo_ply_read_header(geo_ply *p)
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
            return geo_ply_line_fail(p, "file ends inside the header");
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
        return geo_ply_line_fail(p, "no format");
    }
    return status == BASE_OK ? check_header(p) : status;
}
