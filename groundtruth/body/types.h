/** What all parts of the truth speak of: brackets, bodies, methods, options. */
#ifndef GROUNDTRUTH_TYPES_H
#define GROUNDTRUTH_TYPES_H

#include "geometry/mesh.h"

#include <stdbool.h>

/** The true value lies in [lo, hi]; lo > hi means "not asked" (see GT_NONE). */
typedef struct gt_bracket {
    double lo, hi;
} gt_bracket;

#define GT_NONE ((gt_bracket){1, 0})

static inline bool gt_known(gt_bracket bracket)
{
    return bracket.lo <= bracket.hi;
}

/** The bracket value +- slack, not below 0. */
static inline gt_bracket gt_bracket_around(double value, double slack)
{
    const double lo = value - slack;
    return (gt_bracket){lo > 0 ? lo : 0, value + slack};
}

/** A body made ready for truth (body.h). Immutable once made; used by many threads at a time. */
typedef struct gt_body gt_body;

/** The ways to a truth, in the order in which they are listed. */
typedef enum gt_method {
    GT_BVH,   /* distance: gt_distance_query */
    GT_BRUTE, /* distance: gt_distance_brute */
    GT_FLUX,  /* volume: gt_flux_query */
    GT_TETRA, /* volume: gt_volume_query */
    GT_METHOD_COUNT
} gt_method;

/** Bits of a mask of methods. */
enum {
    GT_BY_BVH = 1u << GT_BVH,
    GT_BY_BRUTE = 1u << GT_BRUTE,
    GT_BY_FLUX = 1u << GT_FLUX,
    GT_BY_TETRA = 1u << GT_TETRA,
    GT_BY_DISTANCE = GT_BY_BVH | GT_BY_BRUTE,
    GT_BY_VOLUME = GT_BY_FLUX | GT_BY_TETRA,
    GT_BY_DEFAULT = GT_BY_BVH | GT_BY_FLUX,
};

/** Zero-initialised is valid: no cache, a thread per CPU, silent, GT_BY_DEFAULT. */
typedef struct gt_options {
    const char *cache_directory; /* where results are kept, made when missing; NULL: no cache */
    unsigned threads;            /* 0: one per CPU */
    /**
     * Called every second or so from the calling thread; may be NULL. done: frames that are
     * found, anywhere; ready: all frames before this one are final. Returns whether to go on.
     */
    bool (*progress)(void *context, size_t done, size_t ready, size_t total);
    void *progress_context;
    /** Asked from any thread while TetGen runs, whether to end it; NULL: never. */
    bool (*interrupted)(void);
    unsigned tetgen_seconds; /* time limit of one call of TetGen; 0: 600 */
    unsigned methods;        /* mask of GT_BY_*; 0: GT_BY_DEFAULT */
} gt_options;

#endif
