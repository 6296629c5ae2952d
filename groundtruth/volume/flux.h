/** Exact intersection volume and its gradients by boundary flux. */
#ifndef GROUNDTRUTH_FLUX_H
#define GROUNDTRUTH_FLUX_H

#include "groundtruth/body/types.h"
#include "groundtruth/volume/flux_pair.h"

typedef struct gt_flux {
    /** V +- (1e-11 V + the bound of the rounding error of V). The second part is proved below.
     * The first part is not needed for the proof; it is added because every other method that
     * sums in double gets it, too. */
    gt_bracket volume_m3;
    double value_m3; /* V itself, >= 0 */
    double area_m2;  /* surface area of the overlap: of both surfaces inside the other body */
    /**
     * dV / d(translation of B): the area vector of B's surface inside A. Water displacement pushes
     * B along its negative. Where faces coincide, V has no derivative: gradient and moment are the
     * limits for B moved by (e, e^2, e^3), e > 0. Other sides have other limits. Any two limits of
     * the gradient differ by at most gt_flux_jump.
     */
    vec3 gradient_m2;
    double gradient_bound_m2; /* bound of the length of its error as that limit, proved below */
    /** dV / d(rotation of B about `point`), a point near the overlap: integral of (x - point)
     * cross n over B's surface inside A. gt_flux_torque returns it about other points. */
    vec3 moment_m3;
    double moment_bound_m3; /* bound of the length of its error */
    vec3 point;
    gt_kinks kinks; /* places where faces coincide, as far as double precision can tell */
    vec3 centroid;  /* centroid of the overlap, in A's frame; meaningless if the volume is 0 */
    uint64_t pairs; /* number of pairs of triangles that intersect */
    uint64_t exact; /* number of signs that a filter in double could not decide */
    uint64_t inside_tests;
    /** Number of contradictions found: 0 for solids. If it is above 0, the volume is invalid. */
    uint64_t flaws;
} gt_flux;

/**
 * Returns the bound of the length of the gradient's jump where faces coincide; 0 where V has a
 * derivative.
 */
double gt_flux_jump(const gt_flux *flux);

/** Returns dV / d(rotation of B about a point of A's frame), and a bound of the length of its
 * error, which covers the limits of all sides. Cancelling terms are no longer than the distance
 * from the overlap to the point. */
vec3 gt_flux_torque(const gt_flux *flux, vec3 about, double *bound_m3);

/** Memory of the queries of one thread. It grows with the largest bodies. */
typedef struct gt_flux_space gt_flux_space;
gt_flux_space *gt_flux_space_create(void);
void gt_flux_space_destroy(gt_flux_space *space);

/**
 * Computes the exact intersection volume by the second method: by the divergence theorem the
 * volume, its gradients and its centroid are sums over the parts of each surface inside the other
 * body. It shares only the moved corners with gt_volume_query. Every decision is that of exact
 * arithmetic for B moved by a further (e, e^2, e^3) with an infinitely small e > 0, so that
 * coplanar faces, shared corners and identical bodies are not special cases. Both bodies must be
 * solids.
 *
 * Errors   BASE_ERR_MEMORY if the space cannot grow.
 * Memory   no allocation after the space has served bodies with as many triangles; a few hundred
 *          bytes per triangle.
 * Cost     0.6 ms for two meshes of 60,000 triangles that cross in 1,000 pairs.
 */
base_status gt_flux_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                          gt_flux_space *space, gt_flux *result, base_error *err) BASE_MUST_CHECK;

/* The surface of the overlap */

/** Vertex index of a corner of a piece where the surfaces cross. */
#define GT_FLUX_CROSSING UINT32_MAX

/** A signed triangle of the part of a face inside the other body. The parts of a face are sums
 * of such triangles; some of them may extend beyond the part, or cancel. */
typedef struct gt_flux_piece {
    geo_triangle t;     /* A's frame */
    double sign;        /* 1: it is counter-clockwise as seen from outside and is added; -1:
                     * subtracted */
    uint32_t vertex[3]; /* index in the mesh, or GT_FLUX_CROSSING */
} gt_flux_piece;

/** Zero-initialised is valid. Grows with the largest overlap. */
typedef struct gt_flux_surface {
    gt_flux_piece *pieces[2]; /* owned; of A's surface inside B, of B's surface inside A */
    size_t count[2], capacity[2];
    double point_m; /* bound of the error of corners where the surfaces cross */
    /**
     * gap_m3[i]: bounds the integral of the distance to the surface of body i over the excess and
     * the lack of the pieces of the other body, which arise because the crossings are rounded along
     * their edges.
     *
     * Source   In the plane of a face, a segment of the loop and its rounded one bound a strip no
     *          wider than the error of the ends. The exact segment is on the triangle c of body i,
     *          and the distance to c is convex, so on the strip it is nowhere larger than at the
     *          rounded ends.
     */
    double gap_m3[2];
    uint64_t flaws;      /* as in gt_flux */
    int32_t *net;        /* owned; used by the query: for each number, how often it is in a
                          * stretch */
    size_t net_capacity; /* net is all 0 between queries */
} gt_flux_surface;

void gt_flux_surface_release(gt_flux_surface *surface);

/**
 * Finds the parts of both surfaces inside the other body, in pieces. Decisions are those of
 * gt_flux_query. If an edge lies nearly in the plane of the triangle that it crosses, the crossing
 * is uncertain along the edge; this query chooses a point of the edge near the triangle.
 *
 * Errors   BASE_ERR_MEMORY.
 * Cost     that of gt_flux_query and 50 ns for each triangle inside.
 */
base_status gt_flux_surface_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                  gt_flux_space *space, gt_flux_surface *surface,
                                  base_error *err) BASE_MUST_CHECK;

/* --- Rounding errors ---------------------------------------------------------------------------
 *
 * The exact reference is the volume of A and of B with its corners as geo_pose_apply rounds them.
 * Decisions are exact, so the exact surface of the overlap consists of the same pieces as the one
 * that is summed: of each crossed triangle of either body a fan of k triangles around an apex, and
 * whole stretches of the other triangles. Only the places of points differ, and sums are rounded.
 * Lengths of vectors are |x| + |y| + |z|; u = 2^-53; squares of u are covered by a factor at the
 * end. Points are relative to `point`: no x is longer than the overlap is wide, however far both
 * bodies are from the origin.
 *
 * 1. Crossings along their edges. If an edge crosses a triangle c, its point has an error of
 * `along` on the edge, and of h from the plane of c (gt_segment). Let all points move straight from
 * their computed places to their exact ones, in a time of 1. Then dV/dt is a sixth of the sum of
 * det(d, v, w) over the corners of all triangles of fans: d is the displacement of the corner, v
 * and w the sides there. (The surface is closed, so the origin does not matter.) At the time t no
 * point of c's fan is higher above its plane than t h, and d no more than h; so a determinant is at
 * most 2 h (area) + 4 t h (along) (side), and the fan adds up to no more than 2 h F, where
 *     F = (areas of the fan) + 2 k along (r + along),
 * is more than its areas at any time; r is the longest distance from the apex to a point. An edge
 * that is nearly in a plane has a large `along`, but no large h.
 *
 * 2. Rounding of points. P = p + at (q - p), minus `point`, has an error of
 *     p = u (|P| + 4 |edge| + |P - point|),
 * which is the same for all triangles at that point, and moves a fan by p F. (2 u |P| more, if
 * geo_pose_settled moves corners.) On an edge that is crossed once and m times more, the fans on
 * its two sides are separated by m slivers between rounded points, each of area 2 p r.
 *
 * 3. Stretches. Their sums are about the middle o of the body, over corners y = p - o, and
 * represent corners with an error of
 *     g = (rounding of R p + t) + (rounding of R o + t) + u (|y| + |shift|),
 * where the first two terms are for B alone, each u (4 |R| |p| + |t|). That moves a stretch by g
 * (area). Its rim consists of edges of crossed triangles, at most 6 r for each; there a gap of area
 * 6 r (p + g) separates it from the fans.
 *
 * A gap at x changes V by a third of x times its area, the gradient by its area, and the moment by
 * x times its area.
 *
 * 4. Sums. The cross product of two sides of a fan's triangle has an error of 4 u r^2, its centre
 * one of 6 u x, and a sum of n terms one of n u of all of them. With 2. and 3., the errors at a
 * crossed triangle are
 *     e = (6 + 3 m) r (p + g) + u (2 k r^2 + (3 + n) F)
 * in area: the sum of e in the gradient, that of x e in the moment (x is the length of the apex
 * plus r), and a third of that in V. In stretches a triangle has an error of 2 u of the product of
 * two of its sides, which adds up to at most `thinness` times the area, and to at most terms_m2.
 * Each stretch has an error of a quantum, and all have 24 u of their area from the rotation and the
 * shift. If a matrix is not exactly a rotation, |R^T R - 1| <= d, it changes area vectors by 3 d.
 *
 * 5. Gradient and moment, as integrals over B's surface, are integrals over the loops where the
 * surfaces meet: of x cross dx / 2 and of -x^2 dx / 2. A segment whose ends have an error of
 * b = along + p changes them by b (length + b), and by x times that. So an edge that is nearly in a
 * plane, which does not affect V, increases these bounds.
 *
 * For 10,000 pairs of small polyhedra compared with exact rationals (tests/test_brackets.c), no
 * error was more than a hundredth of these bounds: rounding errors rarely all have the same sign.
 */

#endif
