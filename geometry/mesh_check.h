/**
 * The defects of a mesh, and where they are.
 *
 * A mesh is *closed* if every edge has exactly two faces, one in each direction, and no face is
 * degenerate or duplicate. It is a *solid* if it is closed, no two faces intersect beyond the
 * vertices and edges they share, every shell has the right orientation, and its volume is positive.
 * Only solids have volume truth.
 *
 * Sharing is decided by vertex index. Faces with different indices intersect if they touch, even at
 * vertices of equal coordinates. A vertex of several fans is listed, but does not prevent a mesh
 * from being closed or a solid.
 *
 * A *shell* is a set of faces that are connected across edges. In a solid, a shell that is inside
 * an even number of other shells (or none) is oriented outward. A shell inside an odd number is the
 * surface of a cavity and is oriented inward. Shells are tested if the mesh is closed and no two
 * faces intersect. If the total volume is negative, the whole mesh counts as inside out, and the
 * shells that are oriented as in a solid are listed. A shell that shares every vertex with others
 * is accepted.
 */
#ifndef GEOMETRY_MESH_CHECK_H
#define GEOMETRY_MESH_CHECK_H

#include "geometry/mesh.h"

#include <stdbool.h>

typedef enum geo_defect_kind {
    GEO_DEFECT_OPEN_EDGE,          /* vertices a, b: only one face */
    GEO_DEFECT_NONMANIFOLD_EDGE,   /* vertices a, b: three or more faces */
    GEO_DEFECT_INCONSISTENT_EDGE,  /* vertices a, b: two faces in the same direction */
    GEO_DEFECT_NONMANIFOLD_VERTEX, /* vertex a: its faces form more than one fan */
    GEO_DEFECT_DEGENERATE_FACE,    /* face a: repeated index or exactly collinear corners */
    GEO_DEFECT_DUPLICATE_FACE,     /* faces a < b: the same three vertices, a the first of them */
    GEO_DEFECT_SELF_INTERSECTION,  /* faces a < b, not degenerate, not on the same vertices */
    GEO_DEFECT_MISORIENTED_SHELL,  /* face a: the first of a shell */
    GEO_DEFECT_KIND_COUNT
} geo_defect_kind;

typedef struct geo_defect {
    geo_defect_kind kind;
    uint32_t a, b;
} geo_defect;

enum { GEO_DEFECTS_LISTED_MAX = 1000 }; /* per kind; counting continues beyond it */

typedef struct geo_mesh_report {
    uint64_t counts[GEO_DEFECT_KIND_COUNT];
    geo_defect *defects; /* owned; by kind, then a, then b; at most GEO_DEFECTS_LISTED_MAX a kind */
    size_t defect_count;
    uint32_t component_count;
    size_t unused_vertices;
    geo_box box;
    geo_mesh_measure measure;
    bool closed;     /* as defined above */
    bool inside_out; /* closed with volume < 0 */
    bool solid;      /* as defined above */
} geo_mesh_report;

void geo_mesh_report_release(geo_mesh_report *report);

/** Returns "open edge", ...; for tables and messages. */
const char *geo_defect_name(geo_defect_kind kind);

/**
 * Writes one line: the first reason why the mesh is not a solid, with the first faces or vertices
 * that show it, such as "2 self-intersecting pairs (faces 33054 and 33055, 40271 and 40290)".
 * Writes "" for a solid. size >= 1; longer text is truncated.
 */
void geo_mesh_report_reason(const geo_mesh_report *report, char *text, size_t size);

/**
 * Finds all defects defined above. Every decision on a face or a pair of faces is made by exact
 * predicates on the given doubles (see predicates.h for their range). Only the sign of the volume
 * is computed in floating point.
 *
 * Two faces that share an edge intersect if one folds onto the other in their plane. Two faces that
 * share a vertex intersect if they also meet elsewhere. Faces with a repeated index are ignored in
 * the tests of edges, fans and duplicates. Degenerate faces are not tested for intersection.
 *
 * Errors   BASE_ERR_MEMORY, also for more than 2^32 / 3 faces; *report is then zeroed. A bad mesh
 *          is not an error; it is reported.
 * Memory   geo_mesh_report_release.
 * Cost     O(n log n + pairs): about 1.5 us per face of a smooth surface. k faces around one vertex
 *          are k^2 / 2 pairs, because all of them meet there.
 */
base_status geo_mesh_check(const geo_mesh *mesh, geo_mesh_report *report,
                           base_error *err) BASE_MUST_CHECK;

#endif
