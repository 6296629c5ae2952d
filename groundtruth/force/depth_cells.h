/** The force and the energy of the depth law by volume: over the tetrahedra of the overlap. */
#ifndef GROUNDTRUTH_DEPTH_CELLS_H
#define GROUNDTRUTH_DEPTH_CELLS_H

#include "groundtruth/force/depth_force.h"

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
