/**
 * Assemblies: parts as CAD systems hand them out, patches that are tessellated one by one. Patches
 * share no vertices, may be open, overlap and penetrate each other. Lengths in metres.
 */
#ifndef SCENARIOS_MODELS_ASSEMBLY_H
#define SCENARIOS_MODELS_ASSEMBLY_H

#include "geometry/mesh.h"
#include "geometry/vec.h"

#include <stdbool.h>
#include <stddef.h>

/** An assembly in the making. While mesh is NULL nothing is computed but the counts. */
typedef struct scn_assembly {
    geo_mesh_builder *mesh;
    size_t vertex_count, face_count; /* so far */
    size_t patch_count;
    double fineness; /* cells along a patch, against those of the design */
    double scale;    /* of every vertex */
    bool mirror;     /* parts are made at -y, and inside out no more than they were */
} scn_assembly;

/** Cells along a side that has `cells` in the design: their share is rounded up or down by the
 * number of the patch, so that the count of an assembly grows evenly. At least `least`. */
size_t scn_assembly_cells(const scn_assembly *a, double cells, size_t least);

/** A point of a patch, u and v in [0, 1]. */
typedef vec3 scn_patch_point(const void *shape, double u, double v);

/** Sides of the design and the least ones. */
typedef struct scn_cut {
    double u, v;
    size_t u_least, v_least;
    bool u_closed, v_closed; /* the end is the beginning */
} scn_cut;

/** Two triangles to a cell, their outside along du x dv; that of every ninth patch is flipped, as
 * happens in such data. */
void scn_assembly_patch(scn_assembly *a, scn_patch_point *point, const void *shape, scn_cut cut);

/** A ribbon of just so many triangles from one point to another, `across` wide. */
void scn_assembly_ribbon(scn_assembly *a, vec3 from, vec3 to, vec3 across, size_t triangles);

/** Where a part is: its own axes. */
typedef struct scn_frame {
    vec3 origin, x, y, z;
} scn_frame;

/** Axis z along `axis`, x and y across. */
scn_frame scn_frame_along(vec3 origin, vec3 axis);

/** A curve through points (Catmull and Rom), t in [0, 1]; two points: a line. */
vec3 scn_curve_at(const vec3 *points, size_t count, double t);

/** Turned about the frame's z axis: the profile (x: radius, z: height) is a polygon. */
void scn_assembly_turned(scn_assembly *a, scn_frame frame, const vec3 *profile, size_t count,
                         double around, double along);
/** The same with a smooth profile. */
void scn_assembly_turned_smooth(scn_assembly *a, scn_frame frame, const vec3 *profile, size_t count,
                                double around, double along);
/** A pipe without ends along a curve, which never runs along `upright`. */
void scn_assembly_tube(scn_assembly *a, const vec3 *points, size_t count, vec3 upright,
                       double radius, double along, double around);
/** A wire wound about the frame's z axis. */
void scn_assembly_spring(scn_assembly *a, scn_frame frame, double radius, double height,
                         double turns, double wire, double along, double around);
/** A rounded box, open by a little at its poles along the frame's z axis. roundness: 1 an
 * ellipsoid, towards 0 a box. */
void scn_assembly_lump(scn_assembly *a, scn_frame frame, vec3 half, double roundness, double around,
                       double along);

#endif
