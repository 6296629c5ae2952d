/**
 * Pairs of voxels that meet, by descending both trees.
 *
 * Pairs with one node of B are opened together: children of A's nodes are tested against the ball
 * of B's node, and those that are left against its children, eight at a time. Of two nodes that
 * differ in size by a child or more only the larger one is opened.
 *
 * Orders   Breadth first goes level by level; where a list of pairs is full, what is left of it is
 *          descended depth first, so that nothing is lost. Threads share a level's list, in
 *          stretches whose results are put together in their order: they give what breadth first
 *          gives, to the last bit, for any number of them. All orders find the same pairs, each in
 *          its own order.
 * One child  A node with one child that is opened hands its child on without a test of its own.
 *
 * Stops    level: nodes of that level count as voxels, with their balls; a contact then says that
 *          surfaces are nearer to each other than the diameters of both balls, which is the error
 *          bound. contacts: breadth first ends with the level on which there are more pairs than
 *          the limit (and these are the contacts; or, where they are too many for a list, those of
 *          the level before); depth first with the limit. An answer that a stop has cut is
 *          ALG_BUDGET_REACHED.
 *
 * Source   IMP 3.2, 3.3.1. Batches, bounds and sums are this suite's.
 */
#ifndef ALGORITHMS_IMP_CONTACTS_H
#define ALGORITHMS_IMP_CONTACTS_H

#include "algorithms/imp/pair.h"

/** In the order of the words of the parameter. */
typedef enum alg_imp_order {
    ALG_IMP_BREADTH,
    ALG_IMP_DEPTH,
    ALG_IMP_THREADS,
} alg_imp_order;

typedef struct alg_imp_search_options {
    alg_imp_order order;
    bool one_child;
    uint32_t level;        /* at which to stop; 0: voxels */
    uint32_t contacts_max; /* at which to stop, up to ALG_IMP_CONTACTS_MAX; 0: no limit */
    bool first;       /* ends with the first pair that meets: depth first, whatever the order is */
    uint32_t threads; /* of ALG_IMP_THREADS; 1 to ALG_IMP_TEAM_MAX */
} alg_imp_search_options;

enum { ALG_IMP_CONTACTS_MAX = 50000 };

/** Two voxels that meet (or two nodes, where a level stops). */
typedef struct alg_imp_hit {
    uint32_t a, b; /* numbers; ALG_IMP_FULL for what is not stored */
    uint16_t cell_a[3], cell_b[3];
} alg_imp_hit;

/** Places in the counters of an answer. */
enum {
    ALG_IMP_COUNT_CONTACTS,
    ALG_IMP_COUNT_TESTS, /* of two balls */
    ALG_IMP_COUNT_NODES, /* pairs of nodes that were opened */
    ALG_IMP_COUNTERS
};

/** What searches of one pair need. */
typedef struct alg_imp_search alg_imp_search;

/**
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 1 MB (8 and 64 children) or 4 MB (512) for each thread; breadth first 3 MB for
 *          lists of pairs, with threads 8 MB.
 */
base_status alg_imp_search_create(const alg_imp_pair *pair, const alg_imp_search_options *options,
                                  base_arena *arena, alg_imp_search **search,
                                  base_error *err) BASE_MUST_CHECK;
/** Ends its threads. NULL is none. */
void alg_imp_search_end(alg_imp_search *search);

/** Hits of one kind: of nodes of these levels, which are voxels where the levels are 0. */
typedef struct alg_imp_hits {
    const alg_imp_hit *items;
    uint32_t count;
    uint32_t level_a, level_b;
} alg_imp_hits;

/** Takes hits as they are found, in the order of the search. Returns false to end it. */
typedef bool alg_imp_taker(void *context, const alg_imp_hits *hits);

/**
 * Finds all pairs that meet, at the pose of the pair that the search was made for. Returns whether
 * nothing was cut by a stop.
 *
 * Cost     some 40 to 60 ns a pair that meets, of 8 children and bodies that touch along a surface.
 */
bool alg_imp_search_run(alg_imp_search *search, alg_imp_taker *take, void *context,
                        uint64_t counters[ALG_IMP_COUNTERS]);

#endif
