/**
 * The point of a triangle nearest to a given one, by the two methods of VPS 4.
 *
 * Both are plain doubles, as the paper has them, and lose digits on slivers: an error of about
 * 1e-16 times the square of the aspect ratio, of the longest edge. One step of refinement, the same
 * for both, takes it below 1e-12.
 */
#ifndef ALGORITHMS_VOXEL_PROJECTION_H
#define ALGORITHMS_VOXEL_PROJECTION_H

#include "geometry/vec.h"

#include <stdbool.h>

typedef struct alg_projection {
    vec3 point;
    double s, t;   /* point = v0 + s (v1 - v0) + t (v2 - v0) */
    bool interior; /* inside the triangle, not on its boundary */
} alg_projection;

/** Onto the plane, then by the Voronoi region of the triangle. VPS 4, first method. */
alg_projection alg_project_voronoi(geo_triangle t, vec3 p);

/** Minimises the squared distance under the three constraints: seven cases. VPS 4, equations 1-3. */
alg_projection alg_project_kkt(geo_triangle t, vec3 p);

/** One step of refinement of either: the same part of the triangle (inside, edge, corner), solved
 * again from the point that was found. */
alg_projection alg_project_refine(geo_triangle t, vec3 p, alg_projection found);

#endif
