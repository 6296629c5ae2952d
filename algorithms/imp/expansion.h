/**
 * Opens pairs of nodes: tests the balls of the children of one or both nodes, eight at a time, and
 * lists those that meet.
 *
 * A step says which of the two nodes is opened; it is the same for all pairs of a level. Pairs with
 * one node of B are opened together: children of A's nodes are tested against the ball of B's node,
 * and the remaining ones are stored contiguously, so that tests against the children of B's node
 * use full lanes. If a node of B has several packets of children, each packet is first tested like
 * a single node.
 */
#ifndef ALGORITHMS_IMP_EXPANSION_H
#define ALGORITHMS_IMP_EXPANSION_H

#include "algorithms/imp/search.h"

enum { ALG_IMP_LANES = 8, ALG_IMP_PACKETS_MAX = 64 };

/**
 * A packet: eight children of a node, one per SIMD lane. A cell is stored as one word with x (low
 * half) and y, and one word with z.
 */
typedef struct alg_imp_packet {
    float at[3][ALG_IMP_LANES]; /* centres of the children's balls, A's units */
    float radius[ALG_IMP_LANES];
    uint32_t number[ALG_IMP_LANES];
    uint32_t xy[ALG_IMP_LANES], z[ALG_IMP_LANES];
} alg_imp_packet;

/**
 * The children of a node, without empty packets. If the node is not opened, lane 0 is the node
 * itself.
 */
typedef struct alg_imp_child_list {
    alg_imp_packet *packets; /* arena; room for all packets */
    uint32_t count;
    uint32_t children;
    uint8_t there[ALG_IMP_PACKETS_MAX]; /* bit i: lane i is a child; other lanes are undefined */
} alg_imp_child_list;

/** Nodes of A whose children are in the cache: one per node of a block of 4 x 4 x 4 nodes. */
enum { ALG_IMP_CACHE_SIZE = 64 };

/**
 * A contiguous list of A's nodes. When it has ALG_IMP_NODES_MANY nodes, the children of B's node
 * are tested. It has further room for the children of one more node, and for the unused lanes of
 * the last register that is stored.
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

/** A node of B, with its ball if that has been computed. */
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
    bool exact;   /* the pairs are voxels: use the test of search.h */
    float margin; /* added to the radii in all other tests */
} alg_imp_step;

/** Data that all expansions of one pair of bodies share. */
typedef struct alg_imp_view {
    const alg_imp_pair *pair;
    const alg_imp_tree *trees[2];
    bool one_child;
    uint16_t
        query; /* number of the query, which invalidates the cache entries of earlier queries; 0 is
                  not used */
    float cube_radius[2][ALG_IMP_LEVELS_MAX + 1]; /* radius of a whole node, in the units of the
                                                     node's body */
    /* Tables by byte. ranks: the number of set bits below bit i. orders: the positions of the set
     * bits, followed by arbitrary values. counts: the number of set bits. */
    uint16_t ranks[256][ALG_IMP_LANES], orders[256][ALG_IMP_LANES];
    uint8_t counts[256];
} alg_imp_view;

/** The expansion of pairs with one node of B. It is reused for other pairs of the same step. */
typedef struct alg_imp_expansion {
    const alg_imp_view *view;
    const alg_imp_step *step;
    uint64_t *counters; /* incremented: ALG_IMP_COUNT_TESTS and ALG_IMP_COUNT_NODES */
    alg_imp_child_list
        *cache; /* arena; children of ALG_IMP_CACHE_SIZE nodes of A, for later pairs with these
                            nodes */
    uint64_t *cache_keys; /* arena; keys of the cache entries: the node's cell, and the query; 0:
                            unused */
    alg_imp_node_b b;
    alg_imp_child_list children_b;
    alg_imp_nodes *nodes; /* arena; children of A's nodes that meet B's node */
    alg_imp_nodes *near;  /* arena; those of `nodes` that meet a packet of B's children; `number`
                             holds indices into `nodes` */

    /* Input, set by the caller: A's nodes, from `pairs`, or from the nodes `from` of
     * another expansion, by `indices`. */
    const alg_imp_hit *pairs;
    const alg_imp_nodes *from;
    const uint32_t *indices;
    uint32_t count;
    uint32_t next; /* the next of these nodes */

    /* Children of B's node that have not been tested yet. */
    uint32_t packet;
    uint32_t bits;

    /* Result of alg_imp_expansion_next: a child of B's node, and the indices of the nodes that meet
     * it. */
    alg_imp_node_b met_b;
    uint32_t met_count;
    uint32_t *met; /* arena; same capacity as the nodes */
} alg_imp_expansion;

/** Starts opening pairs with node `b` of B, which is of the level of the step. */
void alg_imp_expansion_begin_sse2(alg_imp_expansion *o, const alg_imp_node_b *b);
void alg_imp_expansion_begin_avx2(alg_imp_expansion *o, const alg_imp_node_b *b);

/**
 * Finds the next child of B's node that meets a node of A. Returns false if there is no further
 * one. The same child may be returned several times.
 */
bool alg_imp_expansion_next_sse2(alg_imp_expansion *o);
bool alg_imp_expansion_next_avx2(alg_imp_expansion *o);

#endif
