/** A search as it is made: its steps, and all that its queries write to. contacts.c runs it. */
#ifndef ALGORITHMS_IMP_SEARCH_H
#define ALGORITHMS_IMP_SEARCH_H

#include "algorithms/imp/opening.h"
#include "algorithms/imp/team.h"

enum {
    ALG_IMP_LIST_ROOM = 1 << 16, /* pairs of a level; what is beyond is descended depth first */
    ALG_IMP_BATCH_ROOM = 4096, /* hits that are handed on at a time; more than a child of B meets */
    ALG_IMP_STEPS_MAX = 2 * ALG_IMP_LEVELS_MAX,
    /* Threads. */
    ALG_IMP_SLOTS = 32, /* stretches of a level that are shared out at a time */
    ALG_IMP_SLOT_ROOM =
        8192, /* pairs that come of one; where there are more, the caller makes them */
};

/** What a thread needs of its own. */
typedef struct alg_imp_walker {
    alg_imp_opening *openings; /* arena; of each step */
    uint64_t counters[ALG_IMP_COUNTERS];
} alg_imp_walker;

/** A stretch of a level, and what came of it. */
typedef struct alg_imp_slot {
    alg_imp_hit *items; /* arena */
    uint32_t count;
    bool done; /* all of it: there was room */
    uint64_t counters[ALG_IMP_COUNTERS];
} alg_imp_slot;

struct alg_imp_search {
    alg_imp_search_options options;
    alg_imp_view view;
    alg_imp_step steps[ALG_IMP_STEPS_MAX];
    uint32_t step_count;
    uint32_t levels[2]; /* of contacts */
    void (*begin)(alg_imp_opening *o, const alg_imp_node_b *b);
    bool (*next)(alg_imp_opening *o);
    alg_imp_walker *walkers; /* arena; of each member of the team */
    alg_imp_hit *lists[2];   /* arena; of breadth first */
    alg_imp_hit *batch;      /* arena */
    alg_imp_team *team;      /* of threads, or NULL */
    alg_imp_slot *slots;     /* arena; of threads */
    uint32_t stretch;        /* pairs of a slot */
};

/**
 * The margin that tests add to the radii of nodes of these levels, A's and B's: 2 slack for the
 * rounding of voxels' places (pair.c), and the same share of the nodes' size, as nodes may reach
 * out of the grid by so much.
 */
float alg_imp_margin(const alg_imp_search *search, const uint32_t level[2]);

#endif
