/** A PLY file between its header (mesh_ply_header.c) and its rows (mesh_ply.c). */
#ifndef GEOMETRY_MESH_PLY_H
#define GEOMETRY_MESH_PLY_H

#include "geometry/mesh_file.h"

#include <stdbool.h>

enum { GEO_PLY_ELEMENTS_MAX = 64, GEO_PLY_PROPERTIES_MAX = 256 };

typedef enum geo_ply_type {
    GEO_PLY_INT8,
    GEO_PLY_UINT8,
    GEO_PLY_INT16,
    GEO_PLY_UINT16,
    GEO_PLY_INT32,
    GEO_PLY_UINT32,
    GEO_PLY_FLOAT32,
    GEO_PLY_FLOAT64
} geo_ply_type;

/** What a property is for. */
typedef enum geo_ply_role {
    GEO_PLY_NONE,
    GEO_PLY_X,
    GEO_PLY_Y,
    GEO_PLY_Z,
    GEO_PLY_CORNERS
} geo_ply_role;

typedef struct geo_ply_property {
    geo_word name;
    geo_ply_type type;
    bool list;
    geo_ply_type length_type; /* of a list */
    geo_ply_role role;
} geo_ply_property;

typedef struct geo_ply_element {
    geo_word name;
    size_t count;
    size_t first, property_count;
} geo_ply_element;

typedef enum geo_ply_format {
    GEO_PLY_ASCII,
    GEO_PLY_BINARY_LITTLE,
    GEO_PLY_BINARY_BIG
} geo_ply_format;

typedef struct geo_ply {
    const geo_source *source;
    geo_scan scan;  /* the header, and the rows of an ascii file */
    const char *at; /* the rows of a binary file */
    geo_ply_format format;
    geo_ply_element elements[GEO_PLY_ELEMENTS_MAX];
    size_t element_count;
    geo_ply_property properties[GEO_PLY_PROPERTIES_MAX]; /* of all elements, one after the other */
    size_t property_count;
    size_t vertex_count;
    geo_fan fan;
    base_error *err;
} geo_ply;

/** Reads up to "end_header"; scan.at is at the end of that line. */
base_status geo_ply_read_header(geo_ply *p) BASE_MUST_CHECK;
/** Has the element a property for this? */
bool geo_ply_has_role(const geo_ply *p, const geo_ply_element *element, geo_ply_role role);
/** "'x.ply' line 3: <what>" */
base_status geo_ply_line_fail(const geo_ply *p, const char *what);

#endif
