/**
 * Assemblies: parts as CAD systems export them, in patches that are tessellated separately. Patches
 * share no vertices, and may be open, overlap and penetrate each other. Lengths in metres.
 */
#ifndef SCENARIOS_MODELS_ASSEMBLY_H
#define SCENARIOS_MODELS_ASSEMBLY_H

#include "geometry/mesh.h"
#include "geometry/vec.h"

#include <stdbool.h>
#include <stddef.h>

/** An assembly under construction. If mesh is NULL, only the counts are computed. */
typedef struct scn_assembly {
    geo_mesh_builder *mesh;
    size_t vertex_count, face_count; /* current number */
    size_t patch_count;
    double fineness; /* cells along a patch, relative to the design */
    double scale;    /* factor of every vertex */
    bool mirror;     /* parts are made at -y; their orientation is kept */
} scn_assembly;

/**
 * Returns the number of cells along a side that has `cells` in the design, at least `least`. The
 * scaled number is rounded up or down depending on the patch's index, so that the total count grows
 * evenly with fineness.
 */
size_t scn_assembly_cells(const scn_assembly *a, double cells, size_t least);

/** Returns a point of a patch, u and v in [0, 1]. */
typedef vec3 scn_patch_point(const void *shape, double u, double v);

/** Numbers of cells in the design, and the minimum numbers. */
typedef struct scn_cut {
    double u, v;
    size_t u_least, v_least;
    bool u_closed, v_closed; /* the end coincides with the begin */
} scn_cut;

/** Adds a patch with two triangles per cell. Their outside is along du x dv. Every ninth patch is
 * flipped, as it happens in CAD data. */
void scn_assembly_patch(scn_assembly *a, scn_patch_point *point, const void *shape, scn_cut cut);

/** Adds a ribbon of exactly `triangles` triangles from one point to another, with the width
 * `across`. */
void scn_assembly_ribbon(scn_assembly *a, vec3 from, vec3 to, vec3 across, size_t triangles);

/** A part's frame: origin and axes. */
typedef struct scn_frame {
    vec3 origin, x, y, z;
} scn_frame;

/** Returns a frame with its z axis along `axis`, and x and y orthogonal to it. */
scn_frame scn_frame_along(vec3 origin, vec3 axis);

/** Returns a point of a Catmull-Rom spline through the points, t in [0, 1]. Two points give a
 * line. */
vec3 scn_curve_at(const vec3 *points, size_t count, double t);

/** Adds a surface of revolution about the frame's z axis. The profile (x: radius, z: height) is a
 * polygon. */
void scn_assembly_turned(scn_assembly *a, scn_frame frame, const vec3 *profile, size_t count,
                         double around, double along);
/** The same with a smooth profile. */
void scn_assembly_turned_smooth(scn_assembly *a, scn_frame frame, const vec3 *profile, size_t count,
                                double around, double along);
/** Adds a pipe with open ends along a curve, which must never be parallel to `upright`. */
void scn_assembly_tube(scn_assembly *a, const vec3 *points, size_t count, vec3 upright,
                       double radius, double along, double around);
/** Adds a helical wire about the frame's z axis. */
void scn_assembly_spring(scn_assembly *a, scn_frame frame, double radius, double height,
                         double turns, double wire, double along, double around);
/** Adds a rounded box with small openings at its poles on the frame's z axis. roundness: 1 for an
 * ellipsoid, towards 0 for a box. */
void scn_assembly_lump(scn_assembly *a, scn_frame frame, vec3 half, double roundness, double around,
                       double along);

#endif
