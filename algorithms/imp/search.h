/**
 * A search after its creation: its steps, and all memory that its queries write to. contacts.c runs
 * it.
 */
#ifndef ALGORITHMS_IMP_SEARCH_H
#define ALGORITHMS_IMP_SEARCH_H

#include "algorithms/imp/opening.h"
#include "algorithms/imp/team.h"

enum {
    ALG_IMP_LIST_ROOM = 1 << 16, /* pairs of a level; further pairs are descended depth first */
    ALG_IMP_BATCH_ROOM = 4096,   /* hits that are passed on at a time; more than a child of B can
                                    meet */
    ALG_IMP_STEPS_MAX = 2 * ALG_IMP_LEVELS_MAX,
    /* For threads. */
    ALG_IMP_SLOTS = 32, /* stretches of a level that are distributed at a time */
    ALG_IMP_SLOT_ROOM =
        8192, /* resulting pairs of a stretch; if there are more, the calling thread computes
                 them */
};

/** Data of one thread. */
typedef struct alg_imp_walker {
    alg_imp_opening *openings; /* arena; one per step */
    uint64_t counters[ALG_IMP_COUNTERS];
} alg_imp_walker;

/** A stretch of a level, and its resulting pairs. */
typedef struct alg_imp_slot {
    alg_imp_hit *items; /* arena */
    uint32_t count;
    bool done; /* the result is complete */
    uint64_t counters[ALG_IMP_COUNTERS];
} alg_imp_slot;

struct alg_imp_search {
    alg_imp_search_options options;
    alg_imp_view view;
    alg_imp_step steps[ALG_IMP_STEPS_MAX];
    uint32_t step_count;
    uint32_t levels[2]; /* levels of the contacts */
    void (*begin)(alg_imp_opening *o, const alg_imp_node_b *b);
    bool (*next)(alg_imp_opening *o);
    alg_imp_walker *walkers; /* arena; one per thread of the pool */
    alg_imp_hit *lists[2];   /* arena; lists of breadth first */
    alg_imp_hit *batch;      /* arena */
    alg_imp_team *team;      /* NULL without threads */
    alg_imp_slot *slots;     /* arena; for threads */
    uint32_t stretch;        /* number of pairs in a slot's stretch */
};

/**
 * Returns the margin that tests add to the radii of nodes of these levels, A's and B's: 2 slack for
 * the rounding of voxel positions (pair.c), and the same relative share of the nodes' size, since
 * nodes may reach out of the grid by that much.
 */
float alg_imp_margin(const alg_imp_search *search, const uint32_t level[2]);

#endif
