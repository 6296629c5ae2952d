/**
 * Queries of two inner sphere trees.
 *
 * Source   IST IV.
 */
#ifndef ALGORITHMS_IST_QUERY_H
#define ALGORITHMS_IST_QUERY_H

#include "algorithms/algorithms.h"
#include "algorithms/ist/tree.h"
#include "base/arena.h"
#include "base/error.h"
#include "geometry/pose.h"

/** A node of A and one of B; each is a node's number, or ALG_IST_LEAF | leaf. */
typedef struct alg_ist_node_pair {
    uint32_t a, b;
    float gap; /* of their balls: a lower bound for all leaves below, up to the walk's margin */
} alg_ist_node_pair;

/** A pair of nodes that a first descent has opened, and the gaps of all pairs of their children. */
typedef struct alg_ist_opened {
    uint32_t a, b;
    bool swapped; /* rows are b's children, and lanes a's */
    uint32_t row_count;
    uint16_t taken[ALG_IST_BRANCHING_MAX]; /* lanes of each row that the descent went on with */
    float gaps[ALG_IST_BRANCHING_MAX * ALG_IST_BRANCHING_MAX]; /* [row * width + lane] */
} alg_ist_opened;

typedef struct alg_ist_walk alg_ist_walk;

/**
 * Decides about a pair of leaves in the place of the walk, for a search of something else than the
 * nearest spheres: it may lower walk->nearest, and end the search by walk->seeking.
 */
typedef void alg_ist_decide(alg_ist_walk *walk, uint32_t a, uint32_t b);

/** Is told of a pair of nodes when it is opened. */
typedef void alg_ist_watch(alg_ist_walk *walk, uint32_t a, uint32_t b);

/** Two solids, bound for queries. */
typedef struct alg_ist_pair {
    const alg_ist_solid *a, *b;
    vec3 centroid_b;    /* of the solid, B's frame */
    bool secondary;     /* radii of the volume */
    bool cones;         /* forces that point into the bodies are mirrored: see below */
    bool gradient;      /* forces are minus the gradient of the volume: see below; not with cones */
    bool coherent;      /* a distance starts from the nearest spheres of the query before */
    bool bounded;       /* the distance, which is wanted alone, has a lower bound, by outer radii */
    uint64_t budget;    /* ball tests of a distance; 0: as many as it takes */
    uint64_t budget_ns; /* time of a distance; 0: as long as it takes */
    unsigned wanted;    /* mask ALG_WANT_* */
    alg_ist_node_pair *stack; /* arena; as many as a traversal can have */
    alg_ist_opened *opened;   /* arena; as many as a first descent can open */
    uint32_t last[2];         /* nearest leaves of A and B; ALG_IST_NOBODY: no query before */
    double last_gap;          /* between them, at the query before */
    alg_ist_watch *watch;     /* of the walks; NULL but in tests */
    void *context;            /* of watch */
} alg_ist_pair;

/** Places in the counters of an answer. */
enum {
    ALG_IST_COUNT_BALLS,
    ALG_IST_COUNT_LEAVES,
    ALG_IST_COUNT_NODES,
    ALG_IST_COUNT_CONTACTS,
};

/**
 * Joins two solids, which are borrowed; the other members of the pair are the caller's to set.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena.
 */
base_status alg_ist_pair_bind(const alg_ist_solid *a, const alg_ist_solid *b, base_arena *arena,
                              alg_ist_pair *pair, base_error *err) BASE_MUST_CHECK;

/** Forgets the query before. */
void alg_ist_pair_reset(alg_ist_pair *pair);

/** Limits of a tree's reach in metres: beyond them squares of floats underflow or overflow. */
#define ALG_IST_REACH_LEAST 1e-12
#define ALG_IST_REACH_MOST  1e12

/**
 * Distance, volume, contact or several of them, of one pose.
 *
 * Distance  the smallest distance between primary spheres, 0 when two overlap: an upper bound.
 *           Witnesses are on the two spheres, or a point of both. Of pairs that are equally near
 *           the one with the smallest numbers is the answer, wherever the search started.
 * Bounded   the surfaces are at least as far apart as the nearest outer spheres. A pair of leaves
 *           was compared, or is below a pair of nodes that is still on the stack, or was pruned, as
 *           its gap exceeds the upper bound: so there is a bracket of the surfaces' distance at any
 *           moment. Out of budget (tests are never above it; time is looked at every
 *           ALG_IST_BLOCKS_A_LOOK pairs of nodes), the outcome is ALG_BUDGET_REACHED.
 * Contact   do two primary spheres touch? Then the bodies do.
 * Volume    V, the sum of the lenses V_ij of all pairs of spheres with the chosen radii. They go to
 *           the contacts of the answer, with their depth along the line of centres.
 * Force     on B: V sum(V_ij n_ij) / sum(V_ij |n_ij|), where n_ij = c_b - c_a. So pushes that agree
 *           make a force of magnitude V, and where they cancel it fades. The torque has the same
 *           factor; it is about B's centroid, each lens pulling at its middle, so that it never
 *           exceeds V times the longest lever. Both are continuous. The paper has the direction
 *           of the force, and leaves its magnitude and that of the torque open.
 * Cones     when bodies are deep in each other, centres may have passed each other, and c_b - c_a
 *           points further in. With o_a and o_b the ways out of A and B near the two spheres
 *           (alg_ist_sphere.outward), B gets out along e = o_a - o_b; a direction p with p e < 0
 *           is mirrored, p - 2 (p e) e / e^2, so that the force stays continuous. IST IV-B.2 leaves
 *           open how.
 * Gradient  the force is minus the gradient of V with respect to a translation of B, in m2: the sum
 *           of pi a_ij^2 n_ij / |n_ij|, where a_ij is the radius of the circle in which the two
 *           spheres intersect, and 0 where one sphere contains the other. The torque is minus the
 *           gradient of V with respect to a rotation of B about its centroid, in m3. This is not
 *           the paper's.
 * Unified   distance and volume in one traversal, which opens no pair of nodes twice. It starts as
 *           a distance query whose leaf tests also add overlapping lenses; when two primary spheres
 *           overlap, the distance is known to be 0 and the rest is a volume query. Until then a
 *           pair of nodes is kept when its primary spheres may be nearer than the nearest so far,
 *           or when its far balls overlap: what was pruned holds no lens, and the volume is that
 *           of the volume query but for summation order.
 * Source   IST IV, Algorithm 1.
 */
void alg_ist_query(alg_ist_pair *pair, const geo_pose *pose, alg_answer *answer);

/* --- The walk, query_isa.c -------------------------------------------------------------------- */

enum { ALG_IST_LENSES_AT_ONCE = 4, ALG_IST_LENSES_WAITING = 16, ALG_IST_BLOCKS_A_LOOK = 16 };
enum { ALG_IST_BEAM = 4 }; /* pairs of a level that a first descent opens */

/** One traversal of two trees. */
struct alg_ist_walk {
    const alg_ist_solid *a, *b;
    const geo_pose *pose;
    uint32_t radius; /* whose gaps prune: ALG_IST_NEAR or ALG_IST_FAR */
    bool lenses;     /* pairs of nodes whose far balls overlap are kept, whatever the gap */

    /* Bodies that are far from each other: their trees' origins are `apart` metres from each other
     * in the direction `toward`. Gaps are stored less `apart`, so that floats keep their digits,
     * and `motion` has no translation. */
    geo_motion motion;
    bool far;
    float toward[2][3]; /* from A to B, and back */
    float per_apart;    /* 1 / apart */
    double apart;
    double margin; /* what the rounding of floats may add to a gap */
    float bound;   /* pairs whose gap exceeds it are pruned */
    float overlap; /* far balls with a larger gap do not overlap */

    /* Distance. */
    bool seeking;   /* it is wanted and not yet known */
    double nearest; /* smallest gap of primary spheres so far */
    uint32_t nearest_a, nearest_b;

    /* Bracket and budget. */
    bool bounded;
    double lower;    /* smallest gap of outer spheres so far */
    double rounding; /* of a gap in double */
    uint64_t tests_most;
    uint64_t begin_ns, most_ns; /* most_ns 0: the clock is not read */
    bool stopped;               /* out of budget, with pairs left on the stack */

    /* Volume, force and torque. */
    bool adding; /* they are wanted */
    bool secondary, cones, gradient;
    vec3 centroid_b;
    uint32_t waiting_a[ALG_IST_LENSES_WAITING], waiting_b[ALG_IST_LENSES_WAITING]; /* leaves */
    uint32_t waiting;
    double volume[ALG_IST_LENSES_AT_ONCE];    /* sums of lens volume v, lane by lane, */
    double length[ALG_IST_LENSES_AT_ONCE];    /* of v |n|, where n = c_b - c_a, */
    double force[3][ALG_IST_LENSES_AT_ONCE];  /* of v n, or of the gradient -dv/dn, */
    double torque[3][ALG_IST_LENSES_AT_ONCE]; /* and of lever x force */
    alg_answer *answer;                       /* whose contacts are filled */

    alg_ist_decide *decide; /* NULL: by the gap of primary spheres */
    alg_ist_watch *watch;   /* or NULL */
    void *context;          /* of these two */

    alg_ist_node_pair *stack;
    size_t top;
    alg_ist_opened *opened;
    uint32_t opened_count;
    uint64_t counters[ALG_COUNTERS_MAX];
};

/**
 * Searches two trees: a, b, pose, radius, seeking, nearest, tests_most and stack are set, with
 * decide or what volumes need; all else is zero. At least the pairs of leaves are compared whose
 * balls have a gap of no more than `nearest` in the end.
 */
void alg_ist_walk_run(alg_ist_walk *walk);

void alg_ist_walk_sse2(alg_ist_walk *walk);
void alg_ist_walk_avx2(alg_ist_walk *walk);

#endif
