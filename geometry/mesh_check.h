/**
 * What is wrong with a mesh, and where.
 *
 * A mesh is *closed* when every edge has exactly two faces, once in each direction, and no face is
 * degenerate or doubled. It is a *solid* when it is closed, no two faces intersect beyond the
 * vertices and edges they share, every shell looks the right way, and it has positive volume. Only
 * solids have volume truth.
 *
 * What faces share is decided by vertex index: faces that touch in equal coordinates under
 * different indices intersect. A vertex of several fans is listed, but hinders neither.
 *
 * A *shell* is what faces connect across edges. In a solid a shell inside no other one, or inside
 * an even number of them, looks outward, and one inside an odd number inward: a cavity. Shells are
 * looked at where the mesh is closed and no two faces intersect; when the total volume is negative
 * the whole mesh counts as inside out, and what is listed are shells unlike that. A shell that
 * shares every vertex with others is let pass.
 */
#ifndef GEOMETRY_MESH_CHECK_H
#define GEOMETRY_MESH_CHECK_H

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
    GEO_DEFECT_MISORIENTED_SHELL,  /* face a: the first of a shell */
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
    bool closed;     /* as above */
    bool inside_out; /* closed with volume < 0 */
    bool solid;      /* as above */
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

/**
 * Finds everything above. Exact: every decision on a face or a pair of faces is taken by exact
 * predicates on the given doubles (see predicates.h for their range); only the sign of the volume
 * is computed. Two faces that share an edge intersect when one folds onto the other in their plane;
 * faces that share a vertex, when they meet elsewhere. Faces with a repeated index count as absent
 * for edges and fans; degenerate faces are not intersected.
 *
 * Errors   BASE_ERR_MEMORY; a bad mesh is not an error but a report. *report is zeroed then.
 * Memory   geo_mesh_report_release.
 * Cost     O(n log n + pairs): about 1.5 us a face of a smooth surface. Faces in a fan around
 *          one vertex all meet there: k of them are k^2 / 2 pairs.
 */
base_status geo_mesh_check(const geo_mesh *mesh, geo_mesh_report *report,
                           base_error *err) BASE_MUST_CHECK;

#endif
