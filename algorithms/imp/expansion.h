/**
 * Opens pairs of nodes: tests the balls of the children of one or both nodes, eight at a time, and
 * lists the pairs that meet.
 *
 * A step says whether A's node, B's node or both are opened; it is the same for all pairs of a
 * level. Pairs that have the same node of B are opened together. First the children of A's nodes
 * are tested against the ball of B's node. Those that meet it are stored contiguously, so that
 * tests against the children of B's node use all lanes. If a node of B has several packets of
 * children, the ball around each packet is tested before its children.
 */
#ifndef ALGORITHMS_IMP_EXPANSION_H
#define ALGORITHMS_IMP_EXPANSION_H

#include "algorithms/imp/search.h"

enum { ALG_IMP_LANES = 8, ALG_IMP_PACKETS_MAX = 64 };

/**
 * A packet: eight children of a node, one per SIMD lane. A cell is stored in two words: `xy` has x
 * in its low half and y in its high half.
 */
typedef struct alg_imp_packet {
    float at[3][ALG_IMP_LANES]; /* centres of the children's balls, A's units */
    float radius[ALG_IMP_LANES];
    uint32_t number[ALG_IMP_LANES];
    uint32_t xy[ALG_IMP_LANES], z[ALG_IMP_LANES];
} alg_imp_packet;

/**
 * The children of a node, without empty packets. For a node that is not opened, the list has one
 * packet, whose lane 0 is the node itself.
 */
typedef struct alg_imp_child_list {
    alg_imp_packet *packets; /* arena; room for all packets */
    uint32_t count;
    uint32_t children;
    uint8_t there[ALG_IMP_PACKETS_MAX]; /* [packet]; bit i: lane i is a child; other lanes have
                                           no child */
} alg_imp_child_list;

/**
 * Number of nodes of A whose children the cache holds: one for each node of a block of 4 x 4 x 4.
 */
enum { ALG_IMP_CACHE_SIZE = 64 };

/**
 * A contiguous list of A's nodes. When it has ALG_IMP_NODES_MANY nodes or more, the children of B's
 * node are tested against them. Beyond these, it has room for the children of one more node, and
 * for the unused lanes of the last register that is stored.
 */
enum {
    ALG_IMP_NODES_MANY = 512,
    ALG_IMP_NODES_ROOM = ALG_IMP_NODES_MANY + ALG_IMP_LANES * (ALG_IMP_PACKETS_MAX + 1),
};
typedef struct alg_imp_nodes {
    float at[3][ALG_IMP_NODES_ROOM], radius[ALG_IMP_NODES_ROOM];
    uint32_t number[ALG_IMP_NODES_ROOM], xy[ALG_IMP_NODES_ROOM], z[ALG_IMP_NODES_ROOM];
    uint32_t count;
} alg_imp_nodes;

/** A node of B, with its ball if `known` is true. */
typedef struct alg_imp_node_b {
    uint32_t number;
    uint16_t cell[3];
    bool known;
    float at[3], radius; /* A's units */
} alg_imp_node_b;

/** The rule by which all pairs of two levels are opened. */
typedef struct alg_imp_step {
    uint32_t level[2]; /* of A's node, of B's node */
    bool open[2];
    bool last;    /* the pairs that meet are the contacts */
    bool exact;   /* the resulting pairs are voxels: the last test uses `reach` (search.h) */
    float margin; /* added to the sum of the radii in all other tests */
} alg_imp_step;

/** Data that all expansions of one pair of bodies share. */
typedef struct alg_imp_view {
    const alg_imp_pair *pair;
    const alg_imp_tree *trees[2];
    bool one_child;
    uint16_t query; /* number of the query; entries of the cache from other queries are not used; 0:
                       no query */
    float cube_radius[2][ALG_IMP_LEVELS_MAX + 1]; /* [side][level]: radius of the ball around a
                                                     node's cube, in the units of its body */
    /* Tables with an entry for each byte. ranks[byte][i]: number of set bits below bit i.
     * orders[byte]: positions of the set bits, followed by arbitrary values. counts[byte]: number
     * of set bits. */
    uint16_t ranks[256][ALG_IMP_LANES], orders[256][ALG_IMP_LANES];
    uint8_t counts[256];
} alg_imp_view;

/**
 * The expansion of pairs that have the same node of B. It is used again for other pairs of the same
 * step.
 */
typedef struct alg_imp_expansion {
    const alg_imp_view *view;
    const alg_imp_step *step;
    uint64_t *counters; /* incremented: ALG_IMP_COUNT_TESTS and ALG_IMP_COUNT_NODES */
    /** Arena; children of ALG_IMP_CACHE_SIZE nodes of A, for later pairs with these nodes. */
    alg_imp_child_list *cache;
    uint64_t *cache_keys; /* arena; keys of the cache entries: the node's cell and the number of
                             the query; 0: unused */
    alg_imp_node_b b;
    alg_imp_child_list children_b;
    alg_imp_nodes *nodes; /* arena; children of A's nodes that meet B's node */
    alg_imp_nodes *near;  /* arena; those of `nodes` that meet the ball around a packet of B's
                             children; their `number` is an index into `nodes` */

    /* Input, set by the caller: `count` nodes of A. They are those of `pairs`. If `pairs` is NULL,
     * they are the nodes of another expansion's list, `from`, that have these `indices`. */
    const alg_imp_hit *pairs;
    const alg_imp_nodes *from;
    const uint32_t *indices;
    uint32_t count;
    uint32_t next; /* index of the next one of these nodes */

    /* Children of B's node that have not been tested yet. */
    uint32_t packet;
    uint32_t bits;

    /* Result of alg_imp_expansion_next: a child of B's node, and the indices of the nodes that meet
     * it. */
    alg_imp_node_b met_b;
    uint32_t met_count;
    uint32_t *met; /* arena; same capacity as the nodes */
} alg_imp_expansion;

/** Starts to open pairs with node `b` of B. Its level is step->level[1]. */
void alg_imp_expansion_begin_sse2(alg_imp_expansion *o, const alg_imp_node_b *b);
void alg_imp_expansion_begin_avx2(alg_imp_expansion *o, const alg_imp_node_b *b);

/**
 * Finds the next child of B's node that meets children of A's nodes, and sets the result. Returns
 * false if there is no further one. A child may be returned several times, each time with other
 * nodes of A.
 */
bool alg_imp_expansion_next_sse2(alg_imp_expansion *o);
bool alg_imp_expansion_next_avx2(alg_imp_expansion *o);

#endif
