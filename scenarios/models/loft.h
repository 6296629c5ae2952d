/**
 * Lofts: surfaces from rings around an axis, and outlines from lines and arcs. Lengths in metres.
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
    vec3 from, to; /* end points of a line; z = 0 */
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

/** Returns a circle. angle: its start. */
scn_outline scn_outline_circle(double radius, double angle);
/** Returns a hexagon with a corner on the x axis. radius: distance of the corners from the
 * origin. */
scn_outline scn_outline_hexagon(double radius);
/** Returns a rectangle with sides 2 x and 2 y. */
scn_outline scn_outline_rectangle(double x, double y);

/* --- Lofts ------------------------------------------------------------------------------------ */

/**
 * A surface under construction: rings of vertices around the z axis, each joined to the previous
 * one by a strip of triangles. Rings may differ in their number of vertices; a ring of one vertex
 * is a pole. Rings run counter-clockwise seen from +z, and their first vertices are at about the
 * same angle. A strip between a ring and a higher next ring has its outside away from the z axis.
 *
 * If mesh is NULL, only the counts are computed.
 */
typedef struct scn_loft {
    geo_mesh_builder *mesh;
    size_t vertex_count, face_count; /* current number */
    size_t ring_count, first_count;  /* vertices of the last and of the first ring; 0: no ring */
    size_t ring_max;
    uint32_t *ring, *next; /* vertices of the last and of the next ring; capacity ring_max */
    vec3 offset;           /* added to every vertex */
} scn_loft;

typedef vec3 scn_ring_point(const void *context, size_t i);

/** Adds new vertices as a ring and joins it to the last ring. */
void scn_loft_ring(scn_loft *loft, size_t count, scn_ring_point *point, const void *context);
/** Joins the last ring to the first. */
void scn_loft_close(scn_loft *loft);

/** An outline with the spacing of its samples. */
typedef struct scn_rim {
    const scn_outline *outline;
    double edge;
} scn_rim;

/** Adds the outline as a ring in the plane z. */
void scn_loft_outline(scn_loft *loft, scn_rim rim, double z);
/** Adds the pole and the rings of a flat disc, up to the rim but without it. Triangles are larger
 * towards the centre. */
void scn_loft_begin(scn_loft *loft, scn_rim rim, double z);
/** Adds the same in reverse order, from the last ring, which is the rim, to a pole. */
void scn_loft_end(scn_loft *loft, scn_rim rim, double z);
/**
 * Adds the rings between the last ring, which is `from`, and `to`, which lies around or within it
 * in the same plane. The longer outline must be a convex polygon or a circle about the origin. The
 * spacing changes gradually between the two.
 */
void scn_loft_between(scn_loft *loft, scn_rim from, scn_rim to, double z);
/** Adds a straight wall from the last ring, `rim` at z0, to z1 in steps near `step`. */
void scn_loft_wall(scn_loft *loft, scn_rim rim, double z0, double z1, double step);

/** Returns the whole number of steps near `step` that fill `length`, at least 1. */
size_t scn_steps(double length, double step);

/** Resolution: spacing around the axis and along it. */
typedef struct scn_grid {
    double edge, step;
} scn_grid;

/** Returns the number of triangles at a resolution. */
typedef size_t scn_grid_count(void *context, scn_grid grid);

/** Returns the resolution that gives nearly `triangles`, with cells nearly as long as wide. No
 * spacing exceeds 1.5 edge_max. Calls `count` about 2300 times. */
scn_grid scn_grid_fit(scn_grid_count *count, void *context, double edge_max, size_t triangles);

/** The construction of a body. Calls the functions above in the same order for every grid. */
typedef void scn_loft_design(scn_loft *loft, scn_grid grid);

/** Builds the design with nearly `triangles` triangles, on a grid with edge <= edge_max. */
base_status scn_loft_build(scn_loft_design *design, double edge_max, size_t triangles,
                           geo_mesh_builder *mesh, base_error *err) BASE_MUST_CHECK;

#endif
