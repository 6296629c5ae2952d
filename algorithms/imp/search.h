/**
 * Finds the pairs of voxels that meet, by descending both trees.
 *
 * Frame    All positions are floats in the frame of A's grid. The origin is the corner of A's voxel
 *          (0, 0, 0), and the unit is half the edge of A's voxels, as in tree.h. The centres of A's
 *          nodes are integers there. The centre c of a node of B is at t + M c, where the columns
 *          of M are the scaled axes of B, which are rotated once per query (IMP 3.2). All code
 *          computes this with the operations of alg_imp_centre_b, in the same order.
 * Voxels   A voxel of A and a voxel of B meet if their balls do: |c_a - c_b| <= `reach`, where
 *          `reach` = r_a + r_b + `slack`. The radius r of a voxel's ball is sqrt(3) times half the
 *          voxel's edge. The slack is a bound of the rounding errors of floats: with it no pair is
 *          missed. The depth of a pair is r_a + r_b - |c_a - c_b|.
 * Tests    A test of two nodes adds a margin of at least 2 `slack` to the sum of the radii, so that
 *          rounding never excludes a pair of voxels that meet. So all trees and all orders of the
 *          search find exactly the pairs that a test of all pairs of voxels finds.
 * Steps    Pairs that have the same node of B are opened together (expansion.h). First the children
 *          of A's nodes are tested against the ball of B's node. Those that meet it are then tested
 *          against the children of B's node, eight at a time. If the children of the larger node
 *          are at least as large as the other node, only the larger node is opened.
 * Orders   A search breadth first goes level by level. If a list of pairs is full, it descends the
 *          rest of the level depth first, so that no pair is lost. A search with threads divides
 *          the list of a level among the threads and joins their results in the order of the list.
 *          So its result is that of breadth first, bit for bit, for any number of threads. Breadth
 *          first and depth first report the same pairs, but in different sequences.
 * Child    With one_child, the only child of an opened node is passed on without a test, unless the
 *          test decides whether it is a contact.
 *
 * Stops    There are two stops. The first one is `level`: the search ends at nodes of that level
 *          and tests their balls like those of voxels. A contact then means that the bodies are
 *          nearer to each other than the sum of the diameters of the two balls. This sum is the
 *          bound of the error. The second stop is `contacts_max`. Depth first ends when it has
 *          found that many contacts. Breadth first ends with the first level above the last one
 *          that has more pairs. These pairs are the contacts. If a list cannot hold them, the pairs
 *          of the level before are the contacts. If a stop has cut the result, the outcome of the
 *          answer is ALG_BUDGET_REACHED.
 *
 * Source   IMP 3.1, 3.2, 3.3.1. The paper does not have the depth of a pair, the opening of several
 *          pairs together, the bounds of rounding errors and the fixed order of sums: these are
 *          this suite's.
 */
#ifndef ALGORITHMS_IMP_SEARCH_H
#define ALGORITHMS_IMP_SEARCH_H

#include "algorithms/imp/body.h"
#include "geometry/pose.h"

/* --- Positions of both trees in one frame ----------------------------------------------------- */

typedef struct alg_imp_pair {
    const alg_imp_body *a, *b;
    float ratio; /* B's half edge in units of A's */
    float slack;
    float reach;   /* of two voxels */
    double unit_m; /* half the edge of A's voxels */
    /* alg_imp_pair_place sets the members below. */
    float axes[3][3]; /* [axis of B][component] */
    float origin[3];  /* origin of B's units */
} alg_imp_pair;

/** Returns a pair with all members set that do not depend on the pose. */
alg_imp_pair alg_imp_pair_of(const alg_imp_body *a, const alg_imp_body *b);

/**
 * Sets the pose. Returns false if the bodies are so far apart that no voxels can meet, or if the
 * pose is NaN. In all other cases the slack covers the rounding of the coordinates.
 */
bool alg_imp_pair_place(alg_imp_pair *pair, const geo_pose *pose);

/**
 * Converts a position from B's units to A's: ((x axes[0] + y axes[1]) + z axes[2]) + origin, in
 * this order, component by component. SIMD code computes it in the same order.
 */
static inline void alg_imp_centre_b(const alg_imp_pair *pair, float x, float y, float z, float c[3])
{
    for (int i = 0; i < 3; i++) {
        c[i] = ((x * pair->axes[0][i] + y * pair->axes[1][i]) + z * pair->axes[2][i]) +
               pair->origin[i];
    }
}

/** Returns the squared distance, computed as in all tests: (x x + y y) + z z. */
static inline float alg_imp_distance2(const float a[3], const float b[3])
{
    const float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return (x * x + y * y) + z * z;
}

/* --- Searches --------------------------------------------------------------------------------- */

/** Values of the parameter "order", in the order of its choices. */
typedef enum alg_imp_order {
    ALG_IMP_BREADTH,
    ALG_IMP_DEPTH,
    ALG_IMP_THREADS,
} alg_imp_order;

typedef struct alg_imp_search_options {
    alg_imp_order order;
    bool one_child;
    uint32_t level;        /* level to stop at; 0: voxels */
    uint32_t contacts_max; /* number of contacts to stop at, up to ALG_IMP_CONTACTS_MAX; 0: no
                              limit */
    bool first;            /* end with the first pair that meets; implies depth first */
    uint32_t threads;      /* number of threads of ALG_IMP_THREADS; 1 to ALG_IMP_THREADS_MAX */
} alg_imp_search_options;

enum { ALG_IMP_CONTACTS_MAX = 50000, ALG_IMP_THREADS_MAX = 64 };

/** Two voxels that meet (or two nodes, if a level stops the search). */
typedef struct alg_imp_hit {
    uint32_t a, b; /* indices; ALG_IMP_FULL for a full voxel, which is not stored */
    uint16_t cell_a[3], cell_b[3];
} alg_imp_hit;

/** Indices into the counters of an answer. */
enum {
    ALG_IMP_COUNT_CONTACTS,
    ALG_IMP_COUNT_TESTS, /* tests of two balls */
    ALG_IMP_COUNT_NODES, /* opened pairs of nodes */
    ALG_IMP_COUNTERS
};

/** The working memory of searches with one pair of bodies. */
typedef struct alg_imp_search alg_imp_search;

/**
 * Creates a search.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 1 MB (8 and 64 children) or 4 MB (512) per thread; in addition, the lists of
 *          pairs take 3 MB for breadth first and 8 MB with threads.
 */
base_status alg_imp_search_create(const alg_imp_pair *pair, const alg_imp_search_options *options,
                                  base_arena *arena, alg_imp_search **search,
                                  base_error *err) BASE_MUST_CHECK;
/** Ends the threads of a search. NULL is allowed. */
void alg_imp_search_end(alg_imp_search *search);

/** Hits between nodes of these two levels; level 0 is voxels. */
typedef struct alg_imp_hits {
    const alg_imp_hit *items;
    uint32_t count;
    uint32_t level_a, level_b;
} alg_imp_hits;

/** Receives hits as they are found, in the order of the search. Returns false to end the search. */
typedef bool alg_imp_taker(void *context, const alg_imp_hits *hits);

/**
 * Finds all pairs that meet at the current pose of the search's pair. Returns true if no stop has
 * cut the result.
 *
 * Cost     some 40 to 60 ns per pair that meets, with 8 children and bodies that touch along a
 *          surface.
 */
bool alg_imp_search_run(alg_imp_search *search, alg_imp_taker *take, void *context,
                        uint64_t counters[ALG_IMP_COUNTERS]);

#endif
