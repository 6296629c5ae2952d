/**
 * Lofts: surfaces of rings around an axis, and outlines made of lines and arcs. Lengths in metres.
 */
#ifndef SCENARIOS_MODELS_LOFT_H
#define SCENARIOS_MODELS_LOFT_H

#include "geometry/mesh.h"
#include "geometry/vec.h"

#include <stddef.h>
#include <stdint.h>

/* --- Outlines --------------------------------------------------------------------------------- */

/** A line, or an arc when radius > 0. Angles in radians, sweep > 0. */
typedef struct scn_piece {
    vec3 from, to; /* of a line; z = 0 */
    vec3 centre;
    double radius, angle, sweep;
} scn_piece;

enum { SCN_PIECES_MAX = 64 };

/** A closed curve in the plane z = 0, counter-clockwise and star-shaped about the origin, that
 * starts near the positive x axis. Its corners are vertices at every resolution. */
typedef struct scn_outline {
    scn_piece pieces[SCN_PIECES_MAX];
    size_t piece_count;
    double length;
} scn_outline;

void scn_outline_arc(scn_outline *outline, vec3 centre, double radius, double angle, double sweep);

/** angle: where it starts. */
scn_outline scn_outline_circle(double radius, double angle);
/** A corner on the x axis; radius: of the corners. */
scn_outline scn_outline_hexagon(double radius);
/** Sides 2 x and 2 y. */
scn_outline scn_outline_rectangle(double x, double y);

/** Number of chords of a piece whose length is near `edge`. */
size_t scn_piece_count(const scn_piece *piece, double edge);
/** Number of samples whose spacing is near `edge`: each piece has its own whole number. */
size_t scn_outline_count(const scn_outline *outline, double edge);
vec3 scn_outline_point(const scn_outline *outline, double edge, size_t i);

/* --- Lofts ------------------------------------------------------------------------------------ */

/**
 * A surface in the making: rings of vertices around the z axis, each joined to the one before it
 * by a strip of triangles. Rings may differ in their number of vertices; a ring of one vertex is a
 * pole. Rings run counter-clockwise seen from +z, and first vertices lie at about the same angle.
 * The outside is on the side of +x for rings that rise.
 *
 * While mesh is NULL nothing is computed but the counts.
 */
typedef struct scn_loft {
    geo_mesh_builder *mesh;
    size_t vertex_count, face_count; /* so far */
    size_t ring_count, first_count;  /* of the last and the first ring; 0: none yet */
    size_t ring_max;
    uint32_t *ring, *next; /* vertices of the last ring and of the one to come; ring_max each */
    vec3 offset;           /* added to every vertex */
} scn_loft;

typedef vec3 scn_ring_point(const void *context, size_t i);

/** Adds vertices that belong to no ring yet; returns the first one's index. */
size_t scn_loft_vertices(scn_loft *loft, size_t count, scn_ring_point *point, const void *context);
void scn_loft_face(scn_loft *loft, size_t a, size_t b, size_t c);
/** Adds new vertices as a ring and joins it. */
void scn_loft_ring(scn_loft *loft, size_t count, scn_ring_point *point, const void *context);
/** Puts a run of vertices that are there already into loft->next. */
void scn_loft_fill(scn_loft *loft, size_t first, size_t count);
/** Joins the ring in loft->next, which then is the last one. */
void scn_loft_join(scn_loft *loft, size_t count);
/** Makes the ring in loft->next the last one without joining it. */
void scn_loft_restart(scn_loft *loft, size_t count);
/** Joins the last ring to the first. */
void scn_loft_close(scn_loft *loft);

/** An outline with the spacing of its samples. */
typedef struct scn_rim {
    const scn_outline *outline;
    double edge;
} scn_rim;

/** The outline as a ring in the plane z. */
void scn_loft_outline(scn_loft *loft, scn_rim rim, double z);
/** A flat disc's pole and rings, out to the rim but without it. Triangles grow inwards. */
void scn_loft_begin(scn_loft *loft, scn_rim rim, double z);
/** The same inwards from the last ring, which is the rim, to a pole. */
void scn_loft_end(scn_loft *loft, scn_rim rim, double z);
/** The rings between the last one, which is `from`, and `to` around or within it in the same plane;
 * the longer of the two is convex. Spacing goes over from one to the other. */
void scn_loft_between(scn_loft *loft, scn_rim from, scn_rim to, double z);
/** From the last ring, `rim` at z0, straight to z1 in steps near `step`. */
void scn_loft_wall(scn_loft *loft, scn_rim rim, double z0, double z1, double step);

/** Whole number of steps near `step` that fill `length`, at least 1. */
size_t scn_steps(double length, double step);

/** Resolution: spacing around the axis and along it. */
typedef struct scn_grid {
    double edge, step;
} scn_grid;

/** Number of triangles at a resolution. */
typedef size_t scn_grid_count(void *context, scn_grid grid);

/** The resolution that gives nearly `triangles`, with cells nearly as long as wide: no spacing is
 * above edge_max by more than half. Calls `count` some 2300 times. */
scn_grid scn_grid_fit(scn_grid_count *count, void *context, double edge_max, size_t triangles);

/** How a body is lofted: calls the functions above in the same order for every grid. */
typedef void scn_loft_design(scn_loft *loft, scn_grid grid);

/** Builds the design with nearly `triangles` triangles: no edge is longer than edge_max. */
base_status scn_loft_build(scn_loft_design *design, double edge_max, size_t triangles,
                           geo_mesh_builder *mesh, base_error *err) BASE_MUST_CHECK;

#endif
