/**
 * The point of a triangle nearest to a given point, by the two methods of VPS 4.
 *
 * Both use plain doubles, as in the paper, and lose digits on slivers: the error of the distance is
 * about 1e-16 of the longest edge times the aspect ratio (Voronoi) or its square (KKT). One step of
 * refinement, the same for both, reduces the error below 1e-12, at any aspect ratio.
 *
 * Degenerate triangles are treated as the segments or points that they are. Before the refinement,
 * the same applies to slivers whose area is lost in rounding (aspect ratios from 1e6 on).
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
 * Projects p onto the plane, and then selects the Voronoi region of the triangle that contains the
 * projection. The projection onto the plane belongs to the method, though no region depends on it:
 * the other method avoids this step.
 * Source   VPS 4, first method; regions as in Ericson2005 5.1.5.
 */
alg_projection alg_project_voronoi(geo_triangle triangle, vec3 p);

/**
 * Minimises the squared distance under three constraints: selects the one of the seven cases whose
 * s and t are in the triangle and whose multipliers are not negative.
 * Source   VPS 4, equations 1-3.
 */
alg_projection alg_project_kkt(geo_triangle triangle, vec3 p);

/**
 * Refines a result of either method by one step: s and t are solved for the vector from the found
 * point to p, by cross products, whose error is 1e-16 times the aspect ratio, not its square. If
 * that leaves the triangle, the result is the nearest point of its edges.
 */
alg_projection alg_project_refine(geo_triangle triangle, vec3 p, alg_projection found);

#endif
