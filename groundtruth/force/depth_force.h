/** The force of the depth law: the distances to one surface, summed over the other one inside
 * it. */
#ifndef GROUNDTRUTH_DEPTH_FORCE_H
#define GROUNDTRUTH_DEPTH_FORCE_H

#include "groundtruth/volume/flux.h"

/** The widths of all pieces add up to this share of the integral at most, unless work runs out. */
#define GT_DEPTH_FORCE_WIDTH 1e-3

/** Pieces of a query; a query that would need more stops there, with the bracket that it has. */
enum { GT_DEPTH_PIECES_MAX = 1 << 18 };

/** Whose surface the depths are measured to. */
typedef enum gt_depth_role {
    GT_DEPTH_OF_A, /* distances to A's surface, over B's surface inside A */
    GT_DEPTH_OF_B, /* distances to B's surface, over A's surface inside B: roles exchanged */
} gt_depth_role;

typedef struct gt_depth_force {
    /** The integral of the distance over the surface inside. Holds the true value. */
    gt_bracket integral_m3;
    /** On B; A's axes. */
    vec3 force_m3;
    double force_bound_m3; /* of the length of its error */
    /** About B's centroid at the pose; A's axes. */
    vec3 torque_m4;
    double torque_bound_m4; /* of the length of its error */
    uint64_t pieces;        /* at the end */
    bool complete;          /* false: work ran out before the widths were small enough */
    uint64_t flaws;         /* as in gt_flux: above 0 nothing is to be trusted */
} gt_depth_force;

/** The memory in which queries of one thread work. It grows with the largest overlap. */
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
 * which are minus the gradients of E = integral of d_A over the overlap, for motions of B: d_A is 0
 * on A's surface, so that B's surface is all of the boundary that counts. With the roles exchanged,
 * E' is the integral of d_B, which moves with B. A motion of B is the opposite motion of A, so that
 *
 *   F' = integral of d_B n_A               over A's surface inside B
 *   T' = integral of (x - c_B) x (d_B n_A)
 *
 * Distances are to the whole surface, not along a normal. F and T have no jumps where faces
 * coincide, since distances are 0 there: the bounds hold for touching faces as for others.
 *
 * The surface inside comes in pieces from gt_flux_surface_query, whose decisions are exact. Those
 * with the widest bounds are cut (gt_simplex_cut) until the widths of all add up to
 * GT_DEPTH_FORCE_WIDTH of the integral. The bounds of a piece are those of gt_simplex_bound; half
 * of their difference bounds the error of the middle of both, everywhere on the piece.
 *
 * Rounding: distances are off by 64 eps s, s the largest coordinate of either body; corners by
 * gt_flux_surface.point_m, and for B as the field by what turns them into B's frame; the area
 * vector of a sliver by 16 u of its square. Sums have 1e-12 of the integral.
 *
 * Both bodies must be solids.
 * Errors   BASE_ERR_MEMORY, when a space cannot grow.
 * Memory   no allocation once the spaces have met queries as large.
 */
base_status gt_depth_force_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                 gt_depth_role role, gt_flux_space *flux_space,
                                 gt_depth_space *space, gt_depth_force *result,
                                 base_error *err) BASE_MUST_CHECK;

/** Bounds of what rounding does. The frame of the field is A's, or B's with the roles exchanged. */
typedef struct gt_depth_rounding {
    double distance_m; /* to computed distances from the field's surface */
    double corner_m;   /* to corners that are moved into the frame of the field */
    double skew;       /* |R^T R - 1| of the rotation */
} gt_depth_rounding;
gt_depth_rounding gt_depth_roundings(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                     gt_depth_role role);

/* --- By volume: over the tetrahedra of the overlap -------------------------------------------- */

/** Tetrahedra of a query; a query that would need more stops there, with the bracket that it
 * has. */
enum { GT_DEPTH_CELLS_MAX = 1 << 18 };

typedef struct gt_depth_cells {
    gt_bracket energy_m4; /* integral of the distance over the overlap. Holds the true value. */
    vec3 force_m3;        /* on B; A's axes */
    double force_bound_m3;
    vec3 torque_m4; /* about B's centroid at the pose; A's axes */
    double torque_bound_m4;
    uint64_t cells; /* at the end */
} gt_depth_cells;

/** The memory in which queries of one thread work. */
typedef struct gt_cells_space gt_cells_space;
gt_cells_space *gt_cells_space_create(void);
void gt_cells_space_destroy(gt_cells_space *space);

/**
 * The second way to the forces of gt_depth_force_query, which shares with it the distances and
 * their bounds (simplex.h), but not the surface inside. By the divergence theorem, as the distance
 * is 0 on the surface that it is measured to,
 *
 *   F = - integral of grad d_A                 over the overlap
 *   T = - integral of (x - c_B) x grad d_A
 *   E = integral of d_A
 *
 * and with the roles exchanged F' and T' are the integrals of d_B without the minus. The overlap is
 * what the tetrahedra of the two bodies have in common, each pair cut into tetrahedra. These are
 * cut until the bounds of the gradient are narrow enough, those with the widest first.
 *
 * Bounds on a tetrahedron K of volume V, middle m and greatest distance r from it:
 * 1. The gradient is that of the distance to a face that is nearest. Only faces on the list of K
 * may be. 2. The gradient of the distance to a face is the unit vector of x less its foot. Feet on
 *    a convex set move so that x less its foot moves by no more than x, so within K the gradient is
 *    within 2 r / (2 d - r) of that at m, d the distance of m.
 * 3. Where all corners of K are above the face, in the prism across it, the gradient is constant.
 * 4. So gradients lie in a ball around g of radius rho: V rho bounds the error of V g. No gradient
 *    is longer than 1: rho = 1 around 0 always holds. Across the medial axis, where the gradient
 *    jumps, nothing better is known.
 * 5. A distance that is nowhere off by more than t changes the integral of its gradient by t times
 *    the area of K at most. So faces may be left out that are nearer by no more than the rounding.
 *    And corners may be outside of the prism by t: a face that is larger by t is nowhere nearer by
 *    more.
 *
 * Both bodies must have been tetrahedralised.
 * Errors   BASE_ERR_MEMORY, when the space cannot grow.
 * Cost     10 us a tetrahedron.
 */
base_status gt_depth_cells_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                 gt_depth_role role, gt_cells_space *space, gt_depth_cells *result,
                                 base_error *err) BASE_MUST_CHECK;

#endif
