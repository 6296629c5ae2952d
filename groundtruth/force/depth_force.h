/** The force of the depth law: distances to one surface, integrated over the part of the other
 * one inside it. */
#ifndef GROUNDTRUTH_DEPTH_FORCE_H
#define GROUNDTRUTH_DEPTH_FORCE_H

#include "groundtruth/volume/flux.h"

/**
 * The widths of all pieces add up to at most this share of the integral, unless the work limit is
 * reached.
 */
#define GT_DEPTH_FORCE_WIDTH 1e-3

/** Most pieces of a query; a query that would need more stops there, with the bracket so far. */
enum { GT_DEPTH_PIECES_MAX = 1 << 18 };

/** The surface to which depths are measured. */
typedef enum gt_depth_role {
    GT_DEPTH_OF_A, /* distances to A's surface, over B's surface inside A */
    GT_DEPTH_OF_B, /* roles exchanged: distances to B's surface, over A's surface inside B */
} gt_depth_role;

typedef struct gt_depth_force {
    /** Bracket of the integral of the distance over the surface inside; it contains the true
     * value. */
    gt_bracket integral_m3;
    /** Force on B, in A's axes. */
    vec3 force_m3;
    double force_bound_m3; /* bound of the length of the error of force_m3 */
    /** Torque about B's centroid at the pose, in A's axes. */
    vec3 torque_m4;
    double torque_bound_m4; /* bound of the length of the error of torque_m4 */
    uint64_t pieces;        /* number of pieces at the end */
    bool complete;          /* false: the work limit was reached before the widths were small
                             * enough */
    uint64_t flaws;         /* as in gt_flux: if it is above 0, the result is invalid */
} gt_depth_force;

/** The memory in which the queries of one thread work. It grows with the largest overlap. */
typedef struct gt_depth_space gt_depth_space;
gt_depth_space *gt_depth_space_create(void);
void gt_depth_space_destroy(gt_depth_space *space);

/**
 * With d_A(x) the distance from x to the nearest point of A's surface, n_B the outward normal of B
 * and c_B its centroid,
 *
 *   F = - integral of d_A n_B              over B's surface inside A
 *   T = - integral of (x - c_B) x (d_A n_B)
 *
 * F and T are minus the gradients of E = integral of d_A over the overlap, for motions of B. d_A is
 * 0 on A's surface, so only the part of the boundary on B's surface contributes. With the roles
 * exchanged, E' is the integral of d_B, which moves with B. A motion of B is the opposite motion of
 * A, so that
 *
 *   F' = integral of d_B n_A               over A's surface inside B
 *   T' = integral of (x - c_B) x (d_B n_A)
 *
 * Distances are measured to the whole surface, not along a normal. F and T have no jumps where
 * faces coincide, since distances are 0 there: the bounds hold for touching faces as well.
 *
 * The surface inside consists of pieces from gt_flux_surface_query, whose decisions are exact. The
 * pieces with the widest bounds are cut (gt_simplex_cut) until the widths of all add up to
 * GT_DEPTH_FORCE_WIDTH of the integral. The bounds of a piece are those of gt_simplex_bound; half
 * of their difference bounds the error of their mean, everywhere on the piece.
 *
 * Rounding errors: distances 64 eps s, s the largest coordinate of either body; corners
 * gt_flux_surface.point_m, and if B is the field also the error of their transformation into B's
 * frame; the area vector of a sliver 16 u of its square. Sums have 1e-12 of the integral.
 *
 * Both bodies must be solids.
 * Errors   BASE_ERR_MEMORY if a space cannot grow.
 * Memory   no allocation after the spaces have served queries of the same size.
 */
base_status gt_depth_force_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                 gt_depth_role role, gt_flux_space *flux_space,
                                 gt_depth_space *space, gt_depth_force *result,
                                 base_error *err) BASE_MUST_CHECK;

/** Bounds of rounding errors. The frame of the field is A's, or B's with the roles exchanged. */
typedef struct gt_depth_rounding {
    double distance_m; /* bound of the error of computed distances from the field's surface */
    double corner_m;   /* bound of the error of corners transformed into the frame of the field */
    double skew;       /* |R^T R - 1| of the rotation */
} gt_depth_rounding;
gt_depth_rounding gt_depth_roundings(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                     gt_depth_role role);

/* --- The second method: by volume, over the tetrahedra of the overlap ------------------------- */

/** Most tetrahedra of a query; a query that would need more stops there, with the bracket so
 * far. */
enum { GT_DEPTH_CELLS_MAX = 1 << 18 };

typedef struct gt_depth_cells {
    gt_bracket energy_m4; /* integral of the distance over the overlap; contains the true value */
    vec3 force_m3;        /* on B; A's axes */
    double force_bound_m3;
    vec3 torque_m4; /* about B's centroid at the pose; A's axes */
    double torque_bound_m4;
    uint64_t cells; /* number at the end */
} gt_depth_cells;

/** The memory in which the queries of one thread work. */
typedef struct gt_cells_space gt_cells_space;
gt_cells_space *gt_cells_space_create(void);
void gt_cells_space_destroy(gt_cells_space *space);

/**
 * The second method for the forces of gt_depth_force_query. It shares with the first one the
 * distances and their bounds (simplex.h), but not the surface inside. By the divergence theorem, as
 * the distance is 0 on the surface to which it is measured,
 *
 *   F = - integral of grad d_A                 over the overlap
 *   T = - integral of (x - c_B) x grad d_A
 *   E = integral of d_A
 *
 * and with the roles exchanged F' and T' are the integrals of d_B without the minus sign. The
 * overlap consists of the intersections of all pairs of tetrahedra of the two bodies, each cut into
 * tetrahedra. The tetrahedra with the widest bounds are cut first, until the bounds of the gradient
 * are narrow enough.
 *
 * Bounds on a tetrahedron K of volume V, middle m and greatest distance r from m:
 * 1. The gradient is that of the distance to a nearest face. Only faces on the list of K may be
 * nearest.
 * 2. The gradient of the distance to a face is the unit vector of x minus its foot. When x moves, x
 * minus its foot on a convex set moves by no more than x, so within K the gradient is within 2 r /
 * (2 d - r) of that at m, where d is the distance of m.
 * 3. If all corners of K are above the face, in the prism across it, the gradient is constant.
 * 4. So gradients lie in a ball around g of radius rho, and V rho bounds the error of V g. No
 * gradient is longer than 1, so rho = 1 around 0 always holds. Across the medial axis, where the
 * gradient jumps, no better bound is known.
 * 5. An error of the distance of at most t everywhere changes the integral of its gradient by at
 * most t times the area of K. So faces that are nearer by no more than the rounding may be ignored,
 * and corners may be outside of the prism by t: a face enlarged by t is nowhere nearer by more than
 * t.
 *
 * Both bodies must have been tetrahedralised.
 * Errors   BASE_ERR_MEMORY if the space cannot grow.
 * Cost     10 us a tetrahedron.
 */
base_status gt_depth_cells_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                 gt_depth_role role, gt_cells_space *space, gt_depth_cells *result,
                                 base_error *err) BASE_MUST_CHECK;

#endif
