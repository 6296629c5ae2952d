/**
 * Opening pairs of nodes: the balls of children of one or both, eight at a time, and which of them
 * meet.
 *
 * A step says which of two nodes is opened; it is the same for all pairs of a level. Pairs with one
 * node of B are opened together: children of A's nodes are tested against the ball of B's node, and
 * those that are left are put side by side, so that the children of B's node have full lanes to be
 * tested against. Of nodes with several octets, each is tested as one before.
 */
#ifndef ALGORITHMS_IMP_OPENING_H
#define ALGORITHMS_IMP_OPENING_H

#include "algorithms/imp/contacts.h"

enum { ALG_IMP_LANES = 8, ALG_IMP_OCTETS_MAX = 64 };

/** An octet: children of a node. A cell is its x and y in one word, x first, and its z. */
typedef struct alg_imp_eight {
    float at[3][ALG_IMP_LANES]; /* centres of their balls, A's units */
    float radius[ALG_IMP_LANES];
    uint32_t number[ALG_IMP_LANES];
    uint32_t xy[ALG_IMP_LANES], z[ALG_IMP_LANES];
} alg_imp_eight;

/** A node and its children: octets that are not empty. Of a node that is not opened, itself in lane
 * 0. */
typedef struct alg_imp_fan {
    alg_imp_eight *eights; /* arena; room for all octets */
    uint32_t count;
    uint32_t children;
    uint8_t there[ALG_IMP_OCTETS_MAX]; /* bit i: lane i is a child; other lanes hold anything */
} alg_imp_fan;

/** Fans of A that are kept, those of a block of 4 x 4 x 4 nodes. */
enum { ALG_IMP_KEPT = 64 };

/**
 * Nodes of A, side by side. With ALG_IMP_NODES_MANY the children of B's node get their turn; behind
 * these there is room for the children of one more node, and for what is written with a register
 * and does not count.
 */
enum {
    ALG_IMP_NODES_MANY = 512,
    ALG_IMP_NODES_ROOM = ALG_IMP_NODES_MANY + ALG_IMP_LANES * (ALG_IMP_OCTETS_MAX + 1),
};
typedef struct alg_imp_nodes {
    float at[3][ALG_IMP_NODES_ROOM], radius[ALG_IMP_NODES_ROOM];
    uint32_t number[ALG_IMP_NODES_ROOM], xy[ALG_IMP_NODES_ROOM], z[ALG_IMP_NODES_ROOM];
    uint32_t count;
} alg_imp_nodes;

/** A node of B, with its ball where that is known. */
typedef struct alg_imp_node_b {
    uint32_t number;
    uint16_t cell[3];
    bool known;
    float at[3], radius; /* A's units */
} alg_imp_node_b;

/** What is done with all pairs of two levels. */
typedef struct alg_imp_step {
    uint32_t level[2]; /* of A's node, of B's */
    bool open[2];
    bool last;    /* what meets then are the contacts */
    bool exact;   /* these are voxels: the test is that of pair.h */
    float margin; /* of all other tests */
} alg_imp_step;

/** What openings of one pair of bodies have in common. */
typedef struct alg_imp_view {
    const alg_imp_pair *pair;
    const alg_imp_tree *trees[2];
    bool one_child;
    uint16_t
        query; /* a number of its own, so that no query takes less for the one before; 0 is none */
    float cube_radius[2][ALG_IMP_LEVELS_MAX + 1]; /* of a whole node, own units */
    /* Of a byte: how many bits are set below bit i; which bits are set, then anything; how many. */
    uint16_t ranks[256][ALG_IMP_LANES], orders[256][ALG_IMP_LANES];
    uint8_t counts[256];
} alg_imp_view;

/** Pairs of one node of B that are open. It may be used again for others of the same step. */
typedef struct alg_imp_opening {
    const alg_imp_view *view;
    const alg_imp_step *step;
    uint64_t *counters;  /* added to: ALG_IMP_COUNT_TESTS and ALG_IMP_COUNT_NODES */
    alg_imp_fan *kept;   /* arena; ALG_IMP_KEPT fans of A, for the next pairs with these nodes */
    uint64_t *kept_keys; /* arena; of which nodes: their cells, and the query; 0: none */
    alg_imp_node_b b;
    alg_imp_fan fan_b;
    alg_imp_nodes *nodes; /* arena; children of A's nodes that meet B's */
    alg_imp_nodes *near; /* arena; of these, what meets an octet of B's children; numbers are places
                            in nodes */

    /* A's nodes, set by the caller: those of pairs, or of another opening, by their places there.
     */
    const alg_imp_hit *pairs;
    const alg_imp_nodes *from;
    const uint32_t *places;
    uint32_t count;
    uint32_t next; /* of these */

    /* Children of B's node whose turn is to come. */
    uint32_t eight;
    uint32_t bits;

    /* Result of alg_imp_opening_next: a child of B's node, and the places of the nodes that meet
     * it. */
    alg_imp_node_b met_b;
    uint32_t met_count;
    uint32_t *met; /* arena; as much room as the nodes have */
} alg_imp_opening;

/** Opens pairs of a node of B, of the level of the step. */
void alg_imp_opening_begin_sse2(alg_imp_opening *o, const alg_imp_node_b *b);
void alg_imp_opening_begin_avx2(alg_imp_opening *o, const alg_imp_node_b *b);

/** Finds the next child of B's node that meets something; false when there is none left. A child
 * may come several times. */
bool alg_imp_opening_next_sse2(alg_imp_opening *o);
bool alg_imp_opening_next_avx2(alg_imp_opening *o);

#endif
