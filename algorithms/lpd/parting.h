/**
 * When two triangles meet, one of which moves along z, inside of a column along z: all translations
 * at which they do are one interval, as both are convex in the column.
 *
 * Frame    a window's: x and y across the column, z along the motion; the rectangle's centre is 0.
 */
#ifndef ALGORITHMS_LPD_PARTING_H
#define ALGORITHMS_LPD_PARTING_H

#include "geometry/vec.h"

enum { ALG_LPD_PIECE_CORNERS = 7 }; /* three, and one more for each side of a rectangle */

/** A triangle inside of a column. */
typedef struct alg_lpd_piece {
    vec3 corner[ALG_LPD_PIECE_CORNERS];
    uint32_t count; /* of corners; 0: the triangle is outside */
    bool flat;      /* may be seen as a segment or a point: it is steep, or has been clipped */
    vec3 normal;    /* of the triangle, twice its area long */
    geo_box box;    /* of the corners */
} alg_lpd_piece;

/** The part of a triangle inside of |x| <= half[0], |y| <= half[1]. Neighbours have the same
 * corners on their common edge. */
alg_lpd_piece alg_lpd_piece_make(geo_triangle t, const double half[2]);

/** The translations [from, to] along z at which b, moved, shares a point with a; none if from > to.
 */
typedef struct alg_lpd_meeting {
    double from, to;
    vec3 normal; /* of the plane across which they part at `to`: z > 0, of any length */
} alg_lpd_meeting;

/**
 * The line of translations meets the Minkowski difference of the two, a convex body: each of its
 * facets, which are among the axes tried, cuts the line. Every axis cuts off nothing but
 * translations at which they are apart by more than margin along an axis of the frame, so that what
 * is not tried makes the interval longer, and never opens a gap between neighbours.
 *
 * enough: it may stop as soon as `to` is less; then from > to.
 * Cost     0.2 us for two whole triangles.
 */
alg_lpd_meeting alg_lpd_meeting_make(const alg_lpd_piece *a, const alg_lpd_piece *b, double margin,
                                     double enough);

#endif
