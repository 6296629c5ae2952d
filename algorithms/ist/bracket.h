/**
 * Lower and upper bounds for the volume of an overlap, narrower with every cube that is looked at.
 *
 * B is a union of cubes with exact volumes (cells.h), A knows on which side of its surface a cube
 * is (slabs.h). A cube inside A counts whole, one outside does not count. One that A's surface
 * passes through is cut by the two planes of the slab there: what is between them is undecided, and
 * of a cube that is only partly B, which part of it is cut. The cube with the largest undecided
 * volume is opened first. Bounds hold whenever one stops.
 *
 * Source   IST VI names time-critical traversals as future work; the method is this suite's.
 */
#ifndef ALGORITHMS_IST_BRACKET_H
#define ALGORITHMS_IST_BRACKET_H

#include "algorithms/ist/cells.h"
#include "algorithms/ist/slabs.h"
#include "geometry/pose.h"

typedef struct alg_ist_bounds {
    double lower, middle, upper; /* m3; middle: the best guess between them */
} alg_ist_bounds;

/**
 * The slab that speaks for a cube, as the cube sees it: outside of these offsets from its centre a
 * part is decided. In float, with room for its rounding; in edges of the cube.
 */
typedef struct alg_ist_sides {
    float x, y, z; /* the normal along B's axes */
    float lower, upper;
    uint32_t inside; /* as in alg_ist_slab */
} alg_ist_sides;

/** A cube that may be opened. */
typedef struct alg_ist_waiting {
    vec3 centre; /* A's frame */
    double edge;
    alg_ist_bounds bounds;
    alg_ist_sides sides;
    uint32_t cell; /* number, or ALG_IST_CELL_WHOLE */
    int32_t level; /* of slabs that speaks for it; there may be none */
    uint32_t next; /* in its bucket, or the next free place; 0: none */
} alg_ist_waiting;

enum { ALG_IST_BUCKETS = 128, ALG_IST_WAITING_MAX = 1 << 16 };

/** A run of refinements of one pose. The caller sets the first four members. */
typedef struct alg_ist_bracket {
    const alg_ist_slabs *a;
    const alg_ist_cells *b;
    alg_ist_waiting *waiting; /* capacity entries; the first is not used */
    uint32_t capacity;        /* at least 2 */
    bool avx2;
    double most;         /* volume of the smaller body */
    double pad;          /* what rounding may add to an offset, in metres */
    mat3 axes;           /* rows: those of B's frame */
    uint32_t used, free; /* of waiting: places handed out so far; first one given back */
    uint32_t bucket;     /* none before this one holds a cube */
    uint32_t buckets[ALG_IST_BUCKETS]; /* by undecided volume, the largest first */
    alg_ist_bounds sum;                /* of all cubes */
    double lower, upper;               /* the best so far */
    double largest;                    /* of sum.upper so far: its rounding */
    uint64_t tests, opened;            /* of cubes */
} alg_ist_bracket;

/** Starts with the bounds 0 and the smaller body's volume. */
void alg_ist_bracket_begin(alg_ist_bracket *bracket, const geo_pose *pose);

/**
 * Opens the cube with the largest undecided volume and tests its parts, but at most `most` of them;
 * parts that are left out stay undecided for good. Parts that the slab of the whole decides already
 * need no test.
 *
 * Shapes   most >= 1; 8 is all.
 * Returns  whether there was a cube to open; alg_ist_bracket.tests counts.
 * Cost     about 0.3 us.
 */
bool alg_ist_bracket_step(alg_ist_bracket *bracket, uint32_t most);

/**
 * Bounds that hold, also in floating point: the truth is in [lower, upper] but for the rounding of
 * the bodies' own volumes. Both only come nearer to each other with every step.
 */
alg_ist_bounds alg_ist_bracket_bounds(const alg_ist_bracket *bracket);

#endif
