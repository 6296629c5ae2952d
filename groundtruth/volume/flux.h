/** Exact intersection volume and its gradients by boundary flux. */
#ifndef GROUNDTRUTH_FLUX_H
#define GROUNDTRUTH_FLUX_H

#include "groundtruth/body/types.h"
#include "groundtruth/volume/flux_pair.h"

typedef struct gt_flux {
    /** V +- (1e-11 V + a bound of the rounding error of V). The bound is proved below. The first
     * part is not needed for the proof. It is added because all other methods that sum in double
     * have it, too. */
    gt_bracket volume_m3;
    double value_m3; /* V itself, >= 0 */
    double area_m2;  /* surface area of the overlap: the parts of both surfaces inside the other
                      * body */
    /**
     * dV / d(translation of B): the area vector of B's surface inside A. Water displacement pushes
     * B in the opposite direction. Where faces coincide, V has no derivative. The gradient and the
     * moment are then the limits for B moved by (e, e^2, e^3), e > 0. Other motions have other
     * limits. Any two limits of the gradient differ by at most gt_flux_jump.
     */
    vec3 gradient_m2;
    double gradient_bound_m2; /* bound of the length of its error, as the error of that limit;
                               * proved below */
    /** dV / d(rotation of B about `point`): the integral of (x - point) cross n over B's surface
     * inside A. `point` is near the overlap. For other points, see gt_flux_torque. */
    vec3 moment_m3;
    double moment_bound_m3; /* bound of the length of its error */
    vec3 point;
    gt_kinks kinks; /* places where faces coincide, as far as double precision can tell */
    vec3 centroid;  /* centroid of the overlap, in A's frame; meaningless if the volume is 0 */
    uint64_t pairs; /* number of pairs of triangles that intersect */
    uint64_t exact; /* number of signs that a filter in double could not decide */
    uint64_t inside_tests;
    /** Number of contradictions found; 0 for solids. If it is not 0, the volume is invalid. */
    uint64_t flaws;
} gt_flux;

/**
 * Returns a bound of the length of the gradient's jump where faces coincide. It is 0 if V has a
 * derivative.
 */
double gt_flux_jump(const gt_flux *flux);

/**
 * Returns dV / d(rotation of B about a point of A's frame), and a bound of the length of its error.
 * The bound covers the limits of all sides. No term that cancels has a longer lever than the
 * distance from the overlap to the point.
 */
vec3 gt_flux_torque(const gt_flux *flux, vec3 about, double *bound_m3);

/** Memory of the queries of one thread. It grows with the largest bodies. */
typedef struct gt_flux_space gt_flux_space;
gt_flux_space *gt_flux_space_create(void);
void gt_flux_space_destroy(gt_flux_space *space);

/**
 * Computes the exact intersection volume by flux. By the divergence theorem, the volume, its
 * gradients and its centroid are sums over the parts of each surface inside the other body. The
 * method shares only the moved corners with gt_volume_query. Every decision is that of exact
 * arithmetic for B moved by a further (e, e^2, e^3) with an infinitely small e > 0. So coplanar
 * faces, shared corners and identical bodies are not special cases. Both bodies must be solids.
 *
 * Errors   BASE_ERR_MEMORY if the space cannot grow.
 * Memory   a few hundred bytes per triangle. A space that has served bodies with as many triangles
 *          does not grow.
 * Cost     0.6 ms for two meshes of 60,000 triangles that cross in 1,000 pairs.
 */
base_status gt_flux_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                          gt_flux_space *space, gt_flux *result, base_error *err) BASE_MUST_CHECK;

/* The surface of the overlap. */

/** The vertex index of a corner that is not a vertex of the mesh, because the surfaces cross
 * there. */
#define GT_FLUX_CROSSING UINT32_MAX

/** A signed triangle. The part of a face inside the other body is a sum of such triangles. Some of
 * them may extend beyond the part, or cancel each other. */
typedef struct gt_flux_piece {
    geo_triangle t;     /* A's frame */
    double sign;        /* 1: it is added; it is counter-clockwise as seen from outside. -1: it is
                         * subtracted */
    uint32_t vertex[3]; /* index in the mesh, or GT_FLUX_CROSSING */
} gt_flux_piece;

/** Zero-initialised is valid. Grows with the largest overlap. */
typedef struct gt_flux_surface {
    gt_flux_piece *pieces[2]; /* owned; of A's surface inside B, of B's surface inside A */
    size_t count[2], capacity[2];
    double point_m; /* bound of the error of the corners where the surfaces cross */
    /**
     * gap_m3[i] is for the distance to the surface of body i and the pieces of the other body.
     * Crossings are rounded along their edges, so the pieces cover too much of the surface in some
     * places and too little in others. gap_m3[i] bounds the integral of the distance over these
     * places.
     *
     * Source   In the plane of a face, the exact segment of the loop and the rounded one bound a
     *          strip. It is no wider than the error of the ends. The exact segment is on a triangle
     *          c of body i, and the distance to c is convex. So on the strip it is nowhere larger
     *          than at the rounded ends.
     */
    double gap_m3[2];
    uint64_t flaws;      /* as in gt_flux */
    int32_t *net;        /* owned; used by the query: for each number, how many stretches begin
                          * there minus how many end there */
    size_t net_capacity; /* net is all 0 between queries */
} gt_flux_surface;

void gt_flux_surface_release(gt_flux_surface *surface);

/**
 * Finds the parts of both surfaces inside the other body, as pieces. Decisions are those of
 * gt_flux_query. If an edge is nearly in the plane of the triangle that it crosses, the place of
 * the crossing on the edge is uncertain. This query then takes a point of the edge near the
 * triangle.
 *
 * Errors   BASE_ERR_MEMORY.
 * Cost     that of gt_flux_query, and 50 ns for each triangle inside.
 */
base_status gt_flux_surface_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                  gt_flux_space *space, gt_flux_surface *surface,
                                  base_error *err) BASE_MUST_CHECK;

/* --- Rounding errors ---------------------------------------------------------------------------
 *
 * The exact reference is the volume of A and of B with B's corners as geo_pose_apply rounds them.
 * Decisions are exact, so the exact surface of the overlap consists of the same pieces as the one
 * that is summed. A crossed triangle of either body contributes a fan of k triangles around an
 * apex. The other triangles contribute whole stretches. Only the places of points differ, and sums
 * are rounded. Lengths of vectors are |x| + |y| + |z|; u = 2^-53; a factor at the end covers
 * squares of u. Points are relative to `point`, so no x is longer than the overlap is wide, even if
 * both bodies are far from the origin.
 *
 * 1. Crossings along their edges. If an edge crosses a triangle c, its point has an error of
 * `along` on the edge, and of h from the plane of c (gt_segment). Let all points move straight from
 * their computed places to their exact ones in a time of 1. Then dV/dt is a sixth of the sum of
 * det(d, v, w) over the corners of all triangles of fans. d is the displacement of the corner, v
 * and w are the sides there. (The surface is closed, so the origin does not matter.) At the time t,
 * no point of c's fan is higher above c's plane than t h, and no d has a height above h. So a
 * determinant is at most 2 h (area) + 4 t h (along) (side), and the fan adds up to no more than 2 h
 * F with
 *     F = (areas of the fan) + 2 k along (r + along).
 * F is more than the fan's areas at any time. r is the longest distance from the apex to a point.
 * An edge that is nearly in a plane has a large `along`, but no large h.
 *
 * 2. Rounding of points. The point P = p + at (q - p), minus `point`, has an error of
 *     p = u (|P| + 4 |edge| + |P - point|).
 * It is the same for all triangles at that point, and moves a fan by p F. (If geo_pose_settled
 * moves corners, there are 2 u |P| more.) If an edge is crossed once and m times more, the fans on
 * its two sides are separated by m slivers between rounded points, each of area 2 p r.
 *
 * 3. Stretches. Their sums are about the middle o of the body, over corners y = p - o. The corners
 * that they represent have an error of
 *     g = (rounding of R p + t) + (rounding of R o + t) + u (|y| + |shift|).
 * The first two terms are for B alone, and each is u (4 |R| |p| + |t|). So a stretch moves by g
 * (area). Its rim consists of edges of crossed triangles, at most 6 r for each triangle. At the
 * rim, a gap of area 6 r (p + g) separates it from the fans.
 *
 * A gap at x changes V by a third of x times the area of the gap, the gradient by this area, and
 * the moment by x times this area.
 *
 * 4. Sums. The cross product of two sides of a fan's triangle has an error of 4 u r^2, its centre
 * one of 6 u x, and a sum of n terms one of n u of the sum of all of them. With 2. and 3., the
 * errors at a crossed triangle are
 *     e = (6 + 3 m) r (p + g) + u (2 k r^2 + (3 + n) F)
 * in area. The gradient has the sum of e as its error, the moment the sum of x e (x is the length
 * of the apex plus r), and V a third of that. In stretches, a triangle has an error of 2 u times
 * the product of two of its sides. These add up to at most `thinness` times the area, and to at
 * most terms_m2. Each stretch has an error of a quantum. The rotation and the shift add 24 u of the
 * area along each axis. If a matrix is not exactly a rotation, with |R^T R - 1| <= d, it changes
 * area vectors by 3 d.
 *
 * 5. Gradient and moment. As integrals over B's surface they are integrals over the loops where the
 * surfaces meet: of x cross dx / 2 and of -x^2 dx / 2. If the ends of a segment have an error of b
 * = along + p, it changes them by b (length + b), and by x times that. So an edge that is nearly in
 * a plane makes these bounds larger, although it does not affect V.
 *
 * 10,000 pairs of small polyhedra were compared with exact rationals (tests/test_brackets.c). No
 * error was larger than a hundredth of these bounds, because rounding errors rarely all have the
 * same sign.
 */

#endif
