/**
 * Two triangles, one of a solid A and one of a solid B that has been moved by a further
 * (e, e^2, e^3) for an infinitely small e > 0: where they cross, and which way.
 *
 * That move leaves nothing to chance. A corner is never in the plane of a triangle of the other
 * body, and two edges whose lines meet or coincide pass on one side or the other: where a
 * determinant is 0, the sign is that of its first derivative along x, then y, then z that is not.
 * (Edges that are parallel have none, and never cross a triangle with the other one as its edge.)
 */
#ifndef GROUNDTRUTH_FLUX_PAIR_H
#define GROUNDTRUTH_FLUX_PAIR_H

#include "geometry/box.h"

/** Bound of the error of a determinant of differences of doubles, relative to the sum of the
 * absolute values of its terms: eight roundings of 2^-53 each, and what their products add. */
#define GT_DETERMINANT_ERROR (10 * 0x1p-53)

/** A triangle with its plane. */
typedef struct gt_flux_facet {
    geo_triangle t;
    vec3 normal;      /* (p1 - p0) x (p2 - p0) */
    vec3 terms;       /* the same with the absolute values of all products added */
    unsigned forward; /* mask: edge k runs from the lower to the higher vertex index */
} gt_flux_facet;

gt_flux_facet gt_flux_facet_make(const geo_triangle *t, unsigned forward);

/** An edge goes through a triangle of the other body. */
typedef struct gt_crossing {
    vec3 point; /* the same bits from both triangles at the edge */
    int edge;   /* of its triangle */
    bool of_b;  /* whose edge */
} gt_crossing;

/**
 * The common segment, along (normal of a) x (normal of b). At its start an edge of a comes out of
 * b, or one of b goes into a; at its end one of a goes in or one of b comes out. (Into a body: from
 * the front of its triangle to behind it.)
 */
typedef struct gt_segment {
    gt_crossing start, end;
    /**
     * What the rounding of distances does to the ends, at most: how far along their edges they are
     * from where those cross, and how far that takes them from the plane that they cross. (Not the
     * rounding of the points themselves.)
     *
     * A distance times the length of the normal is off by e, GT_DETERMINANT_ERROR times its terms,
     * two roundings of the end's place on its edge included. So is a mean of two: at the end the
     * distance is not 0, but e at most. With s the sum of the two, that place is off by
     * e / (s - 2 e) <= 4 e / s of the edge, or by all of it.
     */
    double along, height;
} gt_segment;

/**
 * Where triangles of A and of B lie in one plane, as far as doubles can tell: the area vector of
 * B's surface inside A jumps by what they have in common when B goes through that plane.
 */
typedef struct gt_kinks {
    vec3 jump_m2;   /* the absolute values of the components of all jumps, added; or more */
    double area_m2; /* that of all common parts, or more */
    geo_box box;    /* holds them all; empty without any */
} gt_kinks;

/** Adds what two triangles have in common, if they lie in one plane. */
void gt_flux_add_kink(const gt_flux_facet *a, const gt_flux_facet *b, gt_kinks *kinks);

/**
 * Do they cross, and where? exact counts the signs that doubles could not tell.
 *
 * A point is computed from distances to a plane that have the same bits for both triangles at an
 * edge, so that the pieces of surface that the segments bound fit together to the last bit.
 */
bool gt_flux_facets_cross(const gt_flux_facet *a, const gt_flux_facet *b, gt_segment *segment,
                          uint64_t *exact);

#endif
