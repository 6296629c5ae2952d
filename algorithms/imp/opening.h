/**
 * Opening a pair of nodes: the balls of children of one or both, eight at a time, and which of them meet.
 *
 * A step says which of two nodes is opened; it is the same for all pairs of a level. Where both are, the children of
 * either are tested against the ball of the other node first, and those that are left against each other. Where one is,
 * its children are tested against the ball of the other node, which stays.
 */
#ifndef ALGORITHMS_IMP_OPENING_H
#define ALGORITHMS_IMP_OPENING_H

#include "algorithms/imp/contacts.h"

enum { ALG_IMP_LANES = 8 };

/** An octet: children of a node, side by side. Which they are is told of those that meet alone. */
typedef struct alg_imp_eight {
    float at[3][ALG_IMP_LANES]; /* centres of their balls, A's units */
    float radius[ALG_IMP_LANES];
    uint32_t first;     /* number of the first one that is stored */
    uint16_t corner[3]; /* cell of child 0 */
    uint8_t stored;     /* bit i: lane i is a child that is stored; the others are full */
} alg_imp_eight;

enum { ALG_IMP_OCTETS_MAX = 64 };

/** A node and its children: octets that are not empty. Of a node that stays, itself in lane 0. */
typedef struct alg_imp_fan {
    alg_imp_eight *eights;             /* arena; room for all octets */
    uint8_t there[ALG_IMP_OCTETS_MAX]; /* bit i: lane i is a child; other lanes hold anything */
    uint32_t count;
    uint32_t children;
    float at[3], radius; /* the node's own ball */
    uint64_t key;        /* of the node's cell; ALG_IMP_NO_KEY: the fan is not made */
} alg_imp_fan;

#define ALG_IMP_NO_KEY UINT64_MAX

/** Fans are kept for the next pairs with these nodes, a node's in a place by the last bits of its cell. */
enum { ALG_IMP_KEPT_MAX = 64 };

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
    float cube_radius[2][ALG_IMP_LEVELS_MAX + 1]; /* of a whole node, own units */
    uint16_t (*ranks)[ALG_IMP_LANES]; /* arena; of a byte: how many bits are set below bit i */
} alg_imp_view;

/** A pair that is open. It may be used again for another pair of the same step. */
typedef struct alg_imp_opening {
    const alg_imp_view *view;
    const alg_imp_step *step;
    alg_imp_fan *kept[2];       /* arena; A's, B's */
    uint32_t kept_bits[2];      /* of each coordinate */
    const alg_imp_fan *fans[2]; /* of the pair */
    uint8_t left[2]
                [ALG_IMP_OCTETS_MAX]; /* of their children, what the ball of the other node meets */
    uint64_t *counters;               /* added to: ALG_IMP_COUNT_TESTS and ALG_IMP_COUNT_NODES */

    /* What is still to be done: one child of the fan `single` after the other, against all of the other fan. */
    int single;
    bool cross; /* are they tested? */
    bool done;
    uint32_t eight; /* of the fan `single` */
    uint32_t bits;  /* children of that eight */
} alg_imp_opening;

/** Pairs that alg_imp_opening_go needs room for, at least. */
static inline uint32_t alg_imp_opening_room(const alg_imp_opening *o)
{
    return ALG_IMP_LANES * o->fans[1 - o->single]->count;
}

/** Opens a pair, of the step of the opening. */
void alg_imp_opening_begin_sse2(alg_imp_opening *o, const alg_imp_hit *pair);
void alg_imp_opening_begin_avx2(alg_imp_opening *o, const alg_imp_hit *pair);

/**
 * Goes on until it is done, or has no room; returns how many pairs meet, which are written.
 */
uint32_t alg_imp_opening_go_sse2(alg_imp_opening *o, alg_imp_hit *hits, uint32_t room);
uint32_t alg_imp_opening_go_avx2(alg_imp_opening *o, alg_imp_hit *hits, uint32_t room);

#endif
