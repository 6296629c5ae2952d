/**
 * Queries of two inner sphere trees.
 *
 * Source   IST IV.
 */
#ifndef ALGORITHMS_IST_QUERY_H
#define ALGORITHMS_IST_QUERY_H

#include "algorithms/algorithms.h"
#include "algorithms/ist/tree.h"

typedef struct alg_ist_entry {
    uint32_t a, b; /* children of nodes: see alg_ist_node.child */
    double gap;    /* lower bound for the distance of what is below them */
} alg_ist_entry;

/** What queries of a pair work on. */
typedef struct alg_ist_pair {
    const alg_ist_tree *a, *b;
    vec3 centroid_b;      /* of the solid, B's frame */
    bool secondary;       /* radii of the volume */
    unsigned wanted;      /* mask ALG_WANT_* */
    alg_ist_entry *stack; /* alg_ist_stack_size(a, b) entries */
} alg_ist_pair;

enum {
    ALG_IST_COUNT_BALLS,
    ALG_IST_COUNT_LEAVES,
    ALG_IST_COUNT_NODES,
    ALG_IST_COUNT_CONTACTS,
};

/** Entries that a traversal may need at most. */
size_t alg_ist_stack_size(const alg_ist_tree *a, const alg_ist_tree *b);

/**
 * Distance, volume or both of one pose.
 *
 * Distance  the smallest distance between primary spheres, 0 when two overlap: an upper bound.
 *           Witnesses are on the two spheres, or a point of both.
 * Volume    sum of the lenses of all pairs of spheres with the chosen radii. The force on B has
 *           that magnitude and the direction of the sum of lens volume times (c_b - c_a); the
 *           torque is about B's centroid, each lens pulling at its middle.
 * Both      one traversal. It starts as a distance query whose leaf tests also add overlapping
 *           lenses; when two primary spheres overlap, the distance is known to be 0 and the rest
 *           is a volume query. A pair of nodes that was passed over before had a positive gap, so
 *           it holds no lens: the volume is that of the volume query but for summation order.
 * Source   IST IV, Algorithm 1.
 */
void alg_ist_query(const alg_ist_pair *pair, const geo_pose *pose, alg_answer *answer);

#endif
