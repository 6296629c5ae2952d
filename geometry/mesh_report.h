/** What is known of a mesh once it is checked (mesh_check.h says what the words mean). */
#ifndef GEOMETRY_MESH_REPORT_H
#define GEOMETRY_MESH_REPORT_H

#include "geometry/mesh.h"

#include <stdbool.h>

typedef enum geo_defect_kind {
    GEO_DEFECT_OPEN_EDGE,          /* vertices a, b: one face only */
    GEO_DEFECT_NONMANIFOLD_EDGE,   /* vertices a, b: three or more faces */
    GEO_DEFECT_INCONSISTENT_EDGE,  /* vertices a, b: two faces in the same direction */
    GEO_DEFECT_NONMANIFOLD_VERTEX, /* vertex a: its faces form more than one fan */
    GEO_DEFECT_DEGENERATE_FACE,    /* face a: repeated index or exactly collinear corners */
    GEO_DEFECT_DUPLICATE_FACE,     /* faces a < b: the same three vertices, a the first of them */
    GEO_DEFECT_SELF_INTERSECTION,  /* faces a < b, neither degenerate nor doubled */
    GEO_DEFECT_MISORIENTED_SHELL,  /* face a: the first of a shell, mesh_check.h */
    GEO_DEFECT_KIND_COUNT
} geo_defect_kind;

typedef struct geo_defect {
    geo_defect_kind kind;
    uint32_t a, b;
} geo_defect;

enum { GEO_DEFECTS_LISTED_MAX = 1000 }; /* per kind; counts go on */

typedef struct geo_mesh_report {
    uint64_t counts[GEO_DEFECT_KIND_COUNT];
    geo_defect *defects; /* owned; by kind, then a, then b; at most GEO_DEFECTS_LISTED_MAX a kind */
    size_t defect_count;
    uint32_t component_count;
    size_t unused_vertices;
    geo_box box;
    geo_mesh_measure measure;
    bool closed;     /* mesh_check.h */
    bool inside_out; /* closed with volume < 0 */
    bool solid;      /* mesh_check.h */
} geo_mesh_report;

void geo_mesh_report_release(geo_mesh_report *report);

/** "open edge", ...; for tables and messages. */
const char *geo_defect_name(geo_defect_kind kind);

/**
 * One line: the first reason why the mesh is not a solid, with the first faces or vertices that
 * show it, such as "2 self-intersecting pairs (faces 33054 and 33055, 40271 and 40290)". Writes
 * "" for a solid. size >= 1; what does not fit is cut.
 */
void geo_mesh_report_reason(const geo_mesh_report *report, char *text, size_t size);

#endif
