/**
 * The correct depth, force and pairs of triangles that `faulty` answers before its fault, by simple
 * methods.
 *
 * Depth  the shortest translation along one of A's axes that separates the boxes around the bodies:
 *        an upper bound.
 * Force  minus the gradient of the overlap of these boxes, and its torque about B's centroid: exact
 *        for two boxes along A's axes, approximate for all others.
 * Pairs  all of them, by testing each.
 */
#ifndef ALGORITHMS_FAULTY_HONEST_H
#define ALGORITHMS_FAULTY_HONEST_H

#include "algorithms/algorithms.h"

/** Both meshes, and the box of B at the pose. */
typedef struct honest_pair {
    const alg_mesh *a, *b;
    const geo_pose *pose;
    geo_box moved;
} honest_pair;

honest_pair honest_pair_make(const alg_mesh *a, const alg_mesh *b, const geo_pose *pose);

/** Each function adds its quantity to an answer whose `colliding` is exact. */
void honest_depth(const honest_pair *pair, alg_answer *answer);
void honest_force(const honest_pair *pair, alg_answer *answer);
void honest_pairs(const honest_pair *pair, alg_answer *answer);

#endif
