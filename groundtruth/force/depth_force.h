/** The force of the depth law: the distances to one surface, integrated over the part of the other
 * surface that is inside. */
#ifndef GROUNDTRUTH_DEPTH_FORCE_H
#define GROUNDTRUTH_DEPTH_FORCE_H

#include "groundtruth/volume/flux.h"

/**
 * The widths of all pieces add up to at most this share of the integral, unless the work limit is
 * reached or the widths are as small as the rounding errors.
 */
#define GT_DEPTH_FORCE_WIDTH 1e-3

/** Pieces are cut only up to this number. A query that needs more returns the bracket that it has
 * then. */
enum { GT_DEPTH_PIECES_MAX = 1 << 18 };

/** The surface to which depths are measured. */
typedef enum gt_depth_role {
    GT_DEPTH_OF_A, /* distances to A's surface, integrated over B's surface inside A */
    GT_DEPTH_OF_B, /* roles exchanged: distances to B's surface, integrated over A's surface inside
                    * B */
} gt_depth_role;

typedef struct gt_depth_force {
    /** Bracket of the integral of the distance over the surface inside the other body. */
    gt_bracket integral_m3;
    /** Force on B, in A's axes. */
    vec3 force_m3;
    double force_bound_m3; /* bound of the length of the error of force_m3 */
    /** Torque about B's centroid at the pose, in A's axes. */
    vec3 torque_m4;
    double torque_bound_m4; /* bound of the length of the error of torque_m4 */
    uint64_t pieces;        /* number of pieces at the end */
    bool complete;          /* false if the work limit was reached before the widths were small
                             * enough */
    uint64_t flaws;         /* as in gt_flux; if it is not 0, the result is invalid */
} gt_depth_force;

/** The memory in which the queries of one thread work. It grows to the size of the largest
 * overlap. */
typedef struct gt_depth_space gt_depth_space;
gt_depth_space *gt_depth_space_create(void);
void gt_depth_space_destroy(gt_depth_space *space);

/**
 * Computes the force of the depth law and its torque. Let d_A(x) be the distance from x to the
 * nearest point of A's surface, n_B the outward normal of B, and c_B its centroid. Then
 *
 *   F = - integral of d_A n_B              over B's surface inside A
 *   T = - integral of (x - c_B) x (d_A n_B)
 *
 * F and T are minus the gradients of E, the integral of d_A over the overlap, for motions of B. d_A
 * is 0 on A's surface, so only B's surface contributes to them. With the roles exchanged, E' is the
 * integral of d_B, which moves with B. A motion of B is the opposite motion of A. So
 *
 *   F' = integral of d_B n_A               over A's surface inside B
 *   T' = integral of (x - c_B) x (d_B n_A)
 *
 * Distances are measured to the whole surface, not along a normal. Where faces coincide, distances
 * are 0. So F and T have no jumps there, and the bounds hold for touching faces as well.
 *
 * The surface inside consists of pieces from gt_flux_surface_query, whose decisions are exact. The
 * widest pieces are cut (gt_simplex_cut) until the widths of all add up to GT_DEPTH_FORCE_WIDTH of
 * the integral. The bounds of a piece are those of gt_simplex_bound. The estimate of the distance
 * is the mean of both bounds. Half of their difference bounds its error everywhere on the piece.
 *
 * Rounding errors are covered by gt_depth_roundings (distances and corners), by
 * gt_flux_surface.point_m, and for the area vectors of slivers by 32 u of the square of a piece's
 * perimeter. Sums have 1e-12 of the integral, plus 8 times the skew of the rotation.
 *
 * Both bodies must be solids.
 * Errors   BASE_ERR_MEMORY if a space cannot grow.
 * Memory   no allocation if the spaces have already served queries of the same size.
 */
base_status gt_depth_force_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                 gt_depth_role role, gt_flux_space *flux_space,
                                 gt_depth_space *space, gt_depth_force *result,
                                 base_error *err) BASE_MUST_CHECK;

/**
 * Bounds of rounding errors. The frame of the field is A's frame, or B's frame if the roles are
 * exchanged. Let s be the largest coordinate of either body in A's frame, plus that of B in its own
 * frame, plus the length of the translation. distance_m is 64 eps s. If the roles are exchanged, it
 * also has the error of corners.
 */
typedef struct gt_depth_rounding {
    double distance_m; /* bound of the error of computed distances from the field's surface */
    double corner_m;   /* bound of the error of corners transformed into the frame of the field */
    double skew;       /* how far R^T R is from 1, for the rotation R */
} gt_depth_rounding;
gt_depth_rounding gt_depth_roundings(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                     gt_depth_role role);

/* --- The second method: by volume, over the tetrahedra of the overlap ------------------------- */

/** Tetrahedra are cut only up to this number. A query that needs more returns the bracket that it
 * has then. */
enum { GT_DEPTH_CELLS_MAX = 1 << 18 };

typedef struct gt_depth_cells {
    gt_bracket energy_m4; /* bracket of the integral of the distance over the overlap */
    vec3 force_m3;        /* force on B, in A's axes */
    double force_bound_m3;
    vec3 torque_m4; /* about B's centroid at the pose; A's axes */
    double torque_bound_m4;
    uint64_t cells; /* number of tetrahedra at the end */
} gt_depth_cells;

/** The memory in which the queries of one thread work. */
typedef struct gt_cells_space gt_cells_space;
gt_cells_space *gt_cells_space_create(void);
void gt_cells_space_destroy(gt_cells_space *space);

/**
 * Computes the forces of gt_depth_force_query by a second method. The two methods share the
 * distances and their bounds (simplex.h), but not the surface inside. The distance is 0 on the
 * surface to which it is measured. So by the divergence theorem
 *
 *   F = - integral of grad d_A                 over the overlap
 *   T = - integral of (x - c_B) x grad d_A
 *   E = integral of d_A
 *
 * With the roles exchanged, F' and T' are the integrals of d_B without the minus sign. The overlap
 * consists of the intersections of all pairs of tetrahedra of the two bodies. Each intersection is
 * cut into tetrahedra. The tetrahedra with the widest bounds are then cut, until the bounds of the
 * gradient are narrow enough.
 *
 * Bounds on a tetrahedron K of volume V, with the middle m and the greatest distance r of a corner
 * from m:
 * 1. The gradient is that of the distance to a nearest face. Only faces on the list of K may be
 * nearest.
 * 2. The gradient of the distance to a face is the unit vector along x minus its foot. When x
 * moves, x minus its foot on a convex set moves by no more than x. So within K the gradient differs
 * from that at m by at most 2 r / (2 d - r), where d is the distance of m.
 * 3. If all corners of K are above the face, in the prism across it, the gradient is constant.
 * 4. So all gradients are in a ball around g with a radius rho, and V rho bounds the error of V g.
 * No gradient is longer than 1, so g = 0 with rho = 1 always holds. Across the medial axis, where
 * the gradient jumps, no better bound is known.
 * 5. If a distance is wrong by at most t everywhere, the integral of its gradient changes by at
 * most t times the area of K. So a face may be ignored if it is nearer than the others by no more
 * than rounding. Corners may also be outside of the prism by t, because a face that is enlarged by
 * t is nowhere nearer by more than t.
 *
 * Both bodies must have been cut into tetrahedra (gt_body_tetrahedralise).
 * Errors   BASE_ERR_MEMORY if the space cannot grow.
 * Cost     10 us a tetrahedron.
 */
base_status gt_depth_cells_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                 gt_depth_role role, gt_cells_space *space, gt_depth_cells *result,
                                 base_error *err) BASE_MUST_CHECK;

#endif
