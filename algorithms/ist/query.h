/**
 * Queries of two inner sphere trees.
 *
 * Source   IST IV.
 */
#ifndef ALGORITHMS_IST_QUERY_H
#define ALGORITHMS_IST_QUERY_H

#include "algorithms/algorithms.h"
#include "algorithms/ist/body.h"
#include "base/error.h"
#include "base/memory.h"
#include "geometry/pose.h"

/**
 * A pair: a node or leaf of A, and a node or leaf of B. A node is stored as its number, and a leaf
 * as ALG_IST_LEAF | its number.
 */
typedef struct alg_ist_node_pair {
    uint32_t a, b;
    float gap; /* gap of their balls, minus alg_ist_traversal.apart. For each pair of leaves below,
                  the gap minus `apart` is at least this value minus alg_ist_traversal.margin. 0 if
                  no distance is sought */
} alg_ist_node_pair;

/**
 * A pair of nodes that the first descent has expanded, and the gaps of all pairs of their children.
 * The first descent follows the nearest pairs of children, level by level. It gives a first upper
 * bound of the distance.
 */
typedef struct alg_ist_expansion {
    uint32_t a, b;
    bool swapped; /* true: rows are the children of b, and lanes those of a; false: the reverse */
    uint32_t row_count;
    uint16_t taken[ALG_IST_BRANCHING_MAX]; /* for each row, bits of the lanes with which the descent
                                              has continued */
    float gaps[ALG_IST_BRANCHING_MAX * ALG_IST_BRANCHING_MAX]; /* [row * width + lane] */
} alg_ist_expansion;

typedef struct alg_ist_traversal alg_ist_traversal;

/**
 * Compares a pair of leaves in a search that does not look for the nearest spheres. The function
 * may lower traversal->nearest. It ends the search by setting traversal->seeking to false.
 */
typedef void alg_ist_decide(alg_ist_traversal *traversal, uint32_t a, uint32_t b);

/** Called for each pair of nodes that is expanded. */
typedef void alg_ist_watch(alg_ist_traversal *traversal, uint32_t a, uint32_t b);

/** Two solids that are bound for queries. */
typedef struct alg_ist_pair {
    const alg_ist_solid *a, *b;
    vec3 centroid_b;    /* centroid of the solid, B's frame */
    bool secondary;     /* use secondary radii for the volume */
    bool cones;         /* mirror forces that point into the bodies: "Cones" at alg_ist_query */
    bool gradient;      /* forces are minus the gradient of the volume: "Gradient" at alg_ist_query;
                           not with cones */
    bool coherent;      /* a distance query starts from the nearest spheres of the previous query */
    bool bounded;       /* compute a lower bound of the distance by outer radii; the distance must
                           be the only wanted quantity */
    uint64_t budget;    /* largest number of ball tests of a distance query; 0: no limit */
    uint64_t budget_ns; /* largest time of a distance query; 0: no limit */
    unsigned wanted;    /* mask ALG_WANT_* */
    alg_ist_node_pair *stack;      /* arena; room for the largest stack of a traversal */
    alg_ist_expansion *expansions; /* arena; room for all pairs of a first descent */
    uint32_t last[2];              /* nearest leaves of A and B in the previous query; ALG_IST_NONE
                                      before the first query of a distance */
    double last_gap;               /* gap between these leaves in the previous query */
    alg_ist_watch *watch;          /* called by traversals; NULL except in tests */
    void *context;                 /* argument for watch */
} alg_ist_pair;

/** Indices into the counters of an answer. */
enum {
    ALG_IST_COUNT_BALLS,
    ALG_IST_COUNT_LEAVES,
    ALG_IST_COUNT_NODES,
    ALG_IST_COUNT_CONTACTS,
};

/**
 * Binds two solids, which are borrowed; the caller sets the other members of the pair.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena.
 */
base_status alg_ist_pair_bind(const alg_ist_solid *a, const alg_ist_solid *b, base_arena *arena,
                              alg_ist_pair *pair, base_error *err) BASE_MUST_CHECK;

/** Discards the nearest leaves of the previous query. */
void alg_ist_pair_reset(alg_ist_pair *pair);

/**
 * Limits of a tree's reach in metres. Squares of floats underflow below the first limit and
 * overflow above the second one.
 */
#define ALG_IST_REACH_LEAST 1e-12
#define ALG_IST_REACH_MOST  1e12

/**
 * Answers the wanted quantities at one pose: any of distance, contact, volume and force.
 *
 * Distance  The smallest distance between primary spheres, or 0 if two of them overlap. It is an
 *           upper bound of the distance of the bodies. Witnesses are points of the two spheres, or
 *           a common point if they overlap. If several pairs of spheres have the smallest
 *           distance, the answer is the pair with the smallest numbers. So it does not depend on
 *           the start of the search. This does not hold for spheres that overlap: the search ends
 *           at the first such pair that it finds.
 * Bounded   The outer balls of a body contain its surface (alg_ist_solid.outer). So the distance of
 *           the surfaces is at least the distance of the nearest outer balls. Each pair of leaves
 *           has been compared, or is below a pair of nodes on the stack, or was pruned because its
 *           gap exceeds the upper bound. So there is a bracket of the distance of the surfaces at
 *           any moment. If the budget is used up, the outcome is ALG_BUDGET_REACHED.
 *           The number of tests never exceeds the budget. The clock is read once for every
 *           ALG_IST_CLOCK_INTERVAL pairs of nodes.
 * Contact   True if two primary spheres touch. Then the bodies touch.
 * Volume    V is the sum of the volumes V_ij of the lenses of all pairs of spheres. Primary or
 *           secondary radii are used. The contacts of the answer are the lenses, with their depths
 *           along the lines of centres.
 * Force     The force on B is V sum(V_ij n_ij) / sum(V_ij |n_ij|), where n_ij = c_b - c_a is the
 *           vector between two centres. If all n_ij have the same direction, the magnitude of the
 *           force is V. It is smaller if they cancel each other. The torque about B's centroid is
 *           V sum(V_ij l_ij x n_ij) / sum(V_ij |n_ij|), where l_ij is the lever from the centroid
 *           to the middle of the lens. So the torque never exceeds V times the longest lever. Force
 *           and torque are continuous in the pose. The paper gives the direction of the force. It
 *           gives no magnitudes, neither of the force nor of the torque.
 * Cones     If bodies are deep inside each other, two centres may have passed each other, so that
 *           c_b - c_a points further inwards. Let o_a and o_b be the outward directions of A and B
 *           near the two spheres (alg_ist_solid.outward). B leaves A along e = o_a - o_b. A
 *           direction p with p e < 0 is mirrored to p - 2 (p e) e / e^2, so that the force remains
 *           continuous. IST IV-B.2 does not say how to do this.
 * Gradient  The force is minus the gradient of V with respect to a translation of B, in m2. This is
 *           the sum of pi a_ij^2 n_ij / |n_ij|, where a_ij is the radius of the circle in which the
 *           two spheres intersect, or 0 if one sphere contains the other. The torque is minus the
 *           gradient of V with respect to a rotation of B about its centroid, in m3. This is not in
 *           the paper.
 * Unified   Distance and volume come from one traversal, which expands each pair of nodes at most
 *           once. It starts as a distance query whose leaf tests also add lenses. As soon as two
 *           primary spheres overlap, the distance is 0, and the rest is a volume query. Until then
 *           a pair of nodes is kept if primary spheres below it may be nearer than the nearest
 *           spheres so far. With secondary radii, it is also kept if the far balls of the two nodes
 *           overlap: a far ball (ALG_IST_FAR, tree.h) contains all secondary balls below its node.
 *           So no pair with a lens below it is pruned. The volume is that of the volume query,
 *           except for the order of summation.
 * Source    IST IV, Algorithm 1.
 */
void alg_ist_query(alg_ist_pair *pair, const geo_pose *pose, alg_answer *answer);

/* --- Traversal, query_isa.c ------------------------------------------------------------------- */

enum { ALG_IST_LENSES_AT_ONCE = 4, ALG_IST_LENSES_WAITING = 16, ALG_IST_CLOCK_INTERVAL = 16 };
enum { ALG_IST_BEAM = 4 }; /* largest number of pairs of a level that the first descent expands */

/** One traversal of two trees. */
struct alg_ist_traversal {
    const alg_ist_solid *a, *b;
    const geo_pose *pose;
    uint32_t radius; /* ALG_IST_NEAR or ALG_IST_FAR: pairs are pruned by the gaps of the balls with
                        this radius */
    bool lenses;     /* keep pairs of nodes whose balls with far radii overlap, even if the gap of
                        their balls with near radii exceeds the bound */

    /* If bodies are far from each other (`far`), their gaps are large and differ by little. A float
     * has too few digits to tell such gaps apart. So gaps in float are stored minus `apart`, which
     * is the distance of the origins of the two trees. `motion` is then the rotation alone. For
     * other bodies `apart` is 0, and `motion` is the complete motion. */
    geo_motion motion;
    bool far;
    float toward[2][3]; /* unit vectors from the origin of A's tree to that of B's tree, and from
                           B's to A's */
    float per_apart;    /* 1 / apart */
    double apart;
    double margin; /* bound on the rounding of floats in a gap */
    float bound;   /* pairs whose gap exceeds it are pruned */
    float overlap; /* bound on the rounding of a gap in float: two balls with far radii do not
                      overlap if their gap is larger */

    /* Distance. */
    bool seeking;   /* the distance is wanted and not known yet */
    double nearest; /* smallest gap of primary spheres so far */
    uint32_t nearest_a, nearest_b;

    /* Bracket and budget. */
    bool bounded;
    double lower;    /* lower bound of the gaps of the outer balls that have been compared */
    double rounding; /* bound on the rounding of a gap in double */
    uint64_t tests_most;
    uint64_t begin_ns, most_ns; /* most_ns 0: the clock is not read */
    bool stopped;               /* the budget is used up, and pairs are left */

    /* Volume, force and torque. */
    bool adding; /* volume, force or torque are wanted */
    bool secondary, cones, gradient;
    vec3 centroid_b;
    uint32_t waiting_a[ALG_IST_LENSES_WAITING], waiting_b[ALG_IST_LENSES_WAITING]; /* leaves */
    uint32_t waiting;
    /* Sums over lenses, one sum for each lane. v: volume of a lens; n = c_b - c_a. */
    double volume[ALG_IST_LENSES_AT_ONCE];    /* of v */
    double length[ALG_IST_LENSES_AT_ONCE];    /* of v |n| */
    double force[3][ALG_IST_LENSES_AT_ONCE];  /* of v n; with `gradient`, of -dv/dn */
    double torque[3][ALG_IST_LENSES_AT_ONCE]; /* of lever x force */
    alg_answer *answer;                       /* receives the contacts */

    alg_ist_decide *decide; /* NULL: compare the gaps of primary spheres */
    alg_ist_watch *watch;   /* may be NULL */
    void *context;          /* argument for decide and watch */

    alg_ist_node_pair *stack;
    size_t top;
    alg_ist_expansion *expansions;
    uint32_t expansion_count;
    uint64_t counters[ALG_COUNTERS_MAX];
};

/**
 * Searches two trees. The caller sets a, b, pose, radius, seeking, nearest, tests_most and stack.
 * It also sets `expansions` if `nearest` is INFINITY, and the members for brackets, volumes or
 * `decide` if it needs them. All other members are zero. The search compares every pair of leaves
 * whose balls have a gap of at most the final value of `nearest`, unless it ends early: at the
 * first pair of spheres that overlap, by `decide`, or because the budget is used up.
 */
void alg_ist_traverse(alg_ist_traversal *traversal);

void alg_ist_traverse_sse2(alg_ist_traversal *traversal);
void alg_ist_traverse_avx2(alg_ist_traversal *traversal);

/**
 * Finds the largest depth by which two spheres of a solid overlap; 0 if all spheres are disjoint.
 *
 * Errors   BASE_ERR_MEMORY.
 * Cost     a traversal of all pairs of spheres that touch, some 1 us each.
 */
base_status alg_ist_measure_overlap(const alg_ist_solid *solid, double *most_m,
                                    base_error *err) BASE_MUST_CHECK;

/* --- Pairs of triangles, triangles.c ---------------------------------------------------------- */

/*
 * Lists pairs of triangles that intersect.
 *
 * A sphere of A and a sphere of B give triangles to be tested if the balls of alg_ist_sphere_reach
 * overlap. A pair of triangles is listed if the two triangles share a point.
 *
 * If both bodies keep their surface (alg_ist_skin), a sphere gives all triangles of which it owns a
 * piece. Its ball contains these pieces, so the list is complete. Otherwise a sphere gives the
 * triangle nearest to its centre. Then the list is incomplete: it lacks triangles that no sphere
 * gives, and triangles whose spheres do not overlap.
 *
 * Source   IST IV.
 */

/** Two bodies that are bound for lists of pairs. */
typedef struct alg_ist_pairs {
    const alg_ist_body *a, *b;
    uint64_t *found; /* arena; hash table of pairs of faces; NULL: no list is wanted */
    uint32_t most;   /* largest number of pairs of one answer: half the size of the table */

    /* State of one query. */
    alg_answer *answer;
    const geo_pose *pose;
} alg_ist_pairs;

/**
 * Binds two bodies, which are borrowed. A list is wanted if the request wants contact and has room
 * for pairs.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 16 bytes per pair, for the request's number of pairs or ALG_IST_PAIRS_COUNTED,
 *          whichever is larger.
 */
base_status alg_ist_pairs_bind(const alg_ist_body *a, const alg_ist_body *b,
                               const alg_request *request, base_arena *arena, alg_ist_pairs *pairs,
                               base_error *err) BASE_MUST_CHECK;

/**
 * Fills the pairs of the answer, if they are wanted. Each pair is listed once. The order is that of
 * the search, which is the same in every run. The search ends when pairs->most pairs are found.
 *
 * stack    has the size of alg_ist_pair.stack for these bodies; its contents are overwritten
 */
void alg_ist_list_pairs(alg_ist_pairs *pairs, alg_ist_node_pair *stack, const geo_pose *pose,
                        alg_answer *answer);

/** Number of pairs that are counted even if the caller's buffer is smaller. */
enum { ALG_IST_PAIRS_COUNTED = 1 << 16 };

#endif
