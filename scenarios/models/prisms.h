/**
 * Mechanical parts from prisms: plates, bores, bosses, ribs. A flat face across an axis is
 * triangulated as a whole, so it has few and long triangles, like the exports of CAD systems.
 * Lengths of a design are in millimetres. Coordinates of the mesh are in metres with six
 * significant digits, so an export with six digits does not change them.
 */
#ifndef SCENARIOS_MODELS_PRISMS_H
#define SCENARIOS_MODELS_PRISMS_H

#include "geometry/mesh.h"

#include <stddef.h>
#include <stdint.h>

typedef enum scn_axis { SCN_X, SCN_Y, SCN_Z } scn_axis;

/**
 * A part under construction: the sum of prisms that are added and cut. For each point, the number
 * of added prisms that contain it minus the number of cut ones must be 1 (in the part) or 0. Prisms
 * may touch in their ends and in flat sides in planes across an axis, also in parts of these. Sides
 * in other planes may touch only if they are equal.
 * The faces of the sum must not touch each other at a single edge or corner.
 *
 * A prism has an axis and a section. The coordinates of the section are (u, v) = (y, z) for the
 * x axis, (z, x) for the y axis and (x, y) for the z axis. A section is a simple polygon,
 * counter-clockwise. Arcs in it get sides so that no side is farther than `tolerance` from its
 * arc.
 *
 * If memory is short, the functions do nothing, and the build reports it.
 */
typedef struct scn_part {
    double tolerance; /* mm */
    struct scn_corner *section;
    size_t section_count, section_capacity;
    vec3 *points; /* corners of the prisms, m; equal ones are joined later */
    size_t point_count, point_capacity;
    struct scn_flat_edge *edges; /* of faces in planes across an axis */
    size_t edge_count, edge_capacity;
    geo_face *faces; /* other faces */
    size_t face_count, face_capacity;
    bool out_of_memory;
} scn_part;

/** Returns the number of sides of an arc: its radius in mm, its angle > 0 in radians. */
size_t scn_part_sides(const scn_part *part, double radius, double angle);

/* --- Sections --------------------------------------------------------------------------------- */

/** Starts a new section. */
void scn_section_begin(scn_part *part);
void scn_section_point(scn_part *part, double u, double v);
/** Adds an arc with both of its ends. Angles in radians; sweep < 0 is clockwise. */
void scn_section_arc(scn_part *part, double u, double v, double radius, double angle, double sweep);

/** These start a new section and complete it. */
void scn_section_circle(scn_part *part, double u, double v, double radius);
void scn_section_rectangle(scn_part *part, double u0, double v0, double u1, double v1);
/** A rectangle with rounded corners. With a radius of half the width it is a slot. */
void scn_section_rounded(scn_part *part, double u0, double v0, double u1, double v1, double radius);

/* --- Prisms ----------------------------------------------------------------------------------- */

typedef enum scn_mode { SCN_ADD = 1, SCN_CUT = -1 } scn_mode;

/** Adds or cuts the prism of the current section, which is kept. lo < hi along the axis. */
void scn_part_prism(scn_part *part, scn_mode mode, scn_axis axis, double lo, double hi);
void scn_part_box(scn_part *part, scn_mode mode, vec3 lo, vec3 hi);
/** The axis of the cylinder is at (u, v) of a section. */
void scn_part_cylinder(scn_part *part, scn_mode mode, scn_axis axis, double u, double v,
                       double radius, double lo, double hi);
/** A truncated cone: countersinks and chamfers. Both radii are positive. */
typedef struct scn_cone {
    double u, v; /* of the axis */
    double lo, radius_lo, hi, radius_hi;
} scn_cone;
void scn_part_cone(scn_part *part, scn_mode mode, scn_axis axis, scn_cone cone);

/* --- Parts ------------------------------------------------------------------------------------ */

/** A design adds the prisms of a part. They are the same for every tolerance, in the same order. */
typedef void scn_part_design(scn_part *part);

/**
 * Builds the part at the tolerance whose number of triangles is nearest to `triangles`. Circles
 * have at least eight sides, and sides of arcs are not shorter than 2 um. This limits the number
 * of triangles.
 *
 * Errors   BASE_ERR_MEMORY; *mesh is zeroed then.
 * Memory   geo_mesh_builder_finish, or geo_mesh_builder_release.
 */
base_status scn_part_build(scn_part_design *design, size_t triangles, geo_mesh_builder *mesh,
                           base_error *err) BASE_MUST_CHECK;

#endif
