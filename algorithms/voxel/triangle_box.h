/**
 * Tests whether a closed triangle shares a point with a closed box. Exact.
 *
 * Separating axes are used: the three coordinate axes, the normal of the triangle, and the nine
 * axes perpendicular to an edge of each. Triangle and box are apart if one axis separates them
 * strictly. The nine axes are represented by half planes that contain the triangle's shadow
 * (projection) on a coordinate plane. Degenerate triangles are treated as the segments or points
 * that they are.
 *
 * An axis is evaluated in double with an error bound; results within the bound are decided by
 * geometry/predicates.h, whose range of coordinates applies here.
 *
 * Source   VPS 3.2 (which inverts the condition: it calls two bodies apart if no axis separates
 *          them); half planes of shadows: SchwarzSeidel2010. Own implementation.
 */
#ifndef ALGORITHMS_VOXEL_TRIANGLE_BOX_H
#define ALGORITHMS_VOXEL_TRIANGLE_BOX_H

#include "geometry/vec.h"

#include <stdint.h>

/**
 * The points q of a coordinate plane with u (q_u - from_u) + v (q_v - from_v) >= 0 contain the
 * shadow of the triangle; u and v are rounded differences of two corners. With u = v = 0 no point
 * is outside.
 */
typedef struct alg_half_plane {
    double u, v, from_u, from_v;
    double bound; /* bound on the error, at corners of boxes that meet the triangle's box */
    uint8_t at_u,
        at_v; /* the corner of a box that is farthest inside, as indices into lo x, y, z, hi x,
                 y, z */
    uint8_t from, to; /* corners of the triangle: the line from one to the other */
} alg_half_plane;

/** A triangle that is prepared for tests with many boxes. */
typedef struct alg_triangle_box {
    geo_triangle triangle;
    geo_box box;
    /**
     * component: (p1 - p0) x (p2 - p0). sign: exact sign of each component, which is the
     * orientation of its shadow. size: |left| + |right| of the two products whose difference is the
     * component, 0 if the component is 0.
     */
    double component[3];
    int sign[3];
    double size[3];
    double normal[3]; /* equal to component; 0 for planes perpendicular to an axis, which the
                         coordinates already test */
    double bound;     /* bound on the error of distances from the plane, times the length of the
                         normal */
    uint8_t upper[3]; /* the corner of a box that is farthest along the normal */
    uint8_t lower[3]; /* the corner that is least far along the normal */
    alg_half_plane edges[3][3]; /* [w]: in the plane of axes w + 1 and w + 2 */
} alg_triangle_box;

/**
 * Prepares a triangle for boxes whose edges, as differences of doubles, are at most `size` long.
 * Cost     about 100 ns.
 */
void alg_triangle_box_prepare(geo_triangle t, double size, alg_triangle_box *p);

/**
 * Returns true if triangle and box share a point; false for an empty box. Cost: 2 to 20 ns; about 1
 * us for each axis that doubles leave undecided.
 */
bool alg_triangle_box_meets(const alg_triangle_box *p, geo_box box);

/** Does the same for a box that meets the triangle's box, given as lo x, y, z, hi x, y, z. */
bool alg_triangle_box_crosses(const alg_triangle_box *p, const double box[6]);

/** Tests a triangle that is not prepared, for one box. Cost: 5 to 120 ns. */
bool alg_triangle_box_once(geo_triangle t, geo_box box);

#endif
