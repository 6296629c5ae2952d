/**
 * The point of a triangle nearest to a given point, by the two methods of VPS 4.
 *
 * Both methods use plain doubles, as in the paper, and lose digits on slivers. The error of the
 * distance, relative to the longest edge, is about 1e-16 times the aspect ratio (Voronoi) or times
 * its square (KKT). One step of refinement, which is the same for both methods, reduces the error
 * below 1e-12 at any aspect ratio.
 *
 * Degenerate triangles are treated as the segments or points that they are. Before the refinement,
 * slivers whose area is lost in rounding (with aspect ratios above 1e6) are treated as segments,
 * too.
 */
#ifndef ALGORITHMS_VOXEL_PROJECTION_H
#define ALGORITHMS_VOXEL_PROJECTION_H

#include "geometry/vec.h"

#include <stdbool.h>

typedef struct alg_projection {
    vec3 point;
    double s, t;   /* point = B + s E0 + t E1, with B = v0, E0 = v1 - v0, E1 = v2 - v0 */
    bool interior; /* inside the triangle, not on its boundary */
} alg_projection;

/**
 * Projects p onto the plane of the triangle, and then selects the Voronoi region of the triangle
 * that contains the projection. The regions of p and of its projection are the same. The step is
 * kept because it is a part of the method and of its cost; the other method avoids it.
 * Source   VPS 4, first method; regions as in Ericson2005 5.1.5.
 */
alg_projection alg_project_voronoi(geo_triangle triangle, vec3 p);

/**
 * Minimises the squared distance under three constraints. There are seven cases of active
 * constraints. Selects the case whose s and t are in the triangle and whose multipliers are not
 * negative.
 * Source   VPS 4, equations 1-3.
 */
alg_projection alg_project_kkt(geo_triangle triangle, vec3 p);

/**
 * Refines a result of either method by one step. The step computes corrections of s and t from the
 * vector between the found point and p, by cross products. Their error is 1e-16 times the aspect
 * ratio instead of its square. If the corrected point is not inside the triangle, the result is the
 * nearest point on the edges. This is also the result if the found point is on the boundary of a
 * triangle that is no sliver.
 */
alg_projection alg_project_refine(geo_triangle triangle, vec3 p, alg_projection found);

#endif
