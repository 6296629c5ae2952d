/**
 * Does a closed triangle share a point with a closed box? Exact.
 *
 * By separating axes: the three of coordinates, the normal of the triangle, and the nine across an
 * edge of each. The two are apart as soon as one axis separates them strictly. The nine are taken
 * as half planes that hold the triangle's shadow on a coordinate plane. Degenerate triangles are
 * taken as the segments or points that they are.
 *
 * An axis is evaluated in doubles with a bound of the error; what is within it is decided by
 * geometry/predicates.h, whose range of coordinates is this file's.
 *
 * Source   VPS 3.2 (the paper has it the wrong way round: it calls two bodies apart when no axis
 *          separates them); half planes of shadows: SchwarzSeidel2010. Own implementation.
 */
#ifndef ALGORITHMS_VOXEL_TRIANGLE_BOX_H
#define ALGORITHMS_VOXEL_TRIANGLE_BOX_H

#include "geometry/box.h"

#include <stdint.h>

/**
 * The points q of a coordinate plane with u (q_u - from_u) + v (q_v - from_v) >= 0 hold the shadow
 * of the triangle; u and v are rounded differences of two corners. Nothing is outside of u = v = 0.
 */
typedef struct alg_half_plane {
    double u, v, from_u, from_v;
    double bound; /* of the error, at corners of boxes that meet the triangle's */
    uint8_t at_u,
        at_v; /* the corner of a box that is farthest inside, among lo x, y, z, hi x, y, z */
    uint8_t from, to; /* corners of the triangle: the line from one to the other */
} alg_half_plane;

/** A triangle made ready for many boxes. */
typedef struct alg_triangle_box {
    geo_triangle triangle;
    geo_box box;
    /** (p1 - p0) x (p2 - p0); sign: of each component, exact, which is which way its shadow turns;
     * size: |left| + |right| of the two products that it is the difference of, 0 where it is 0. */
    double component[3];
    int sign[3];
    double size[3];
    double normal[3]; /* the same; 0 for planes across an axis, which separate no more than that */
    double bound;     /* of the error of distances from the plane, times the length of the normal */
    uint8_t upper[3]; /* the corner of a box that is farthest along the normal */
    uint8_t lower[3]; /* and the one that is least far */
    alg_half_plane edges[3][3]; /* [w]: on the plane of axes w + 1 and w + 2 */
} alg_triangle_box;

/**
 * For boxes whose edges, as differences of doubles, are at most `size` long.
 * Cost     about 100 ns.
 */
void alg_triangle_box_prepare(geo_triangle t, double size, alg_triangle_box *p);

/** An empty box meets nothing. Cost: 2 to 20 ns; about 1 us for each axis that doubles leave open.
 */
bool alg_triangle_box_meets(const alg_triangle_box *p, geo_box box);

/** The same of a box that meets the triangle's, as lo x, y, z, hi x, y, z. */
bool alg_triangle_box_crosses(const alg_triangle_box *p, const double box[6]);

/** Meets a triangle that is not prepared, for one box. Cost: 5 to 120 ns. */
bool alg_triangle_box_once(geo_triangle t, geo_box box);

#endif
