/**
 * Types that all parts of the ground truth share: brackets, bodies, quantities, methods, options.
 */
#ifndef GROUNDTRUTH_TYPES_H
#define GROUNDTRUTH_TYPES_H

#include "geometry/mesh.h"

#include <stdbool.h>

/** The true value is in [lo, hi]; lo > hi means that it was not asked or not found (GT_NONE). */
typedef struct gt_bracket {
    double lo, hi;
} gt_bracket;

#define GT_NONE ((gt_bracket){1, 0})

static inline bool gt_known(gt_bracket bracket)
{
    return bracket.lo <= bracket.hi;
}

/** Returns the bracket value +- slack, with its lower end not below 0. */
static inline gt_bracket gt_bracket_around(double value, double slack)
{
    const double lo = value - slack;
    return (gt_bracket){lo > 0 ? lo : 0, value + slack};
}

/**
 * A body prepared for the ground truth (body.h). Immutable after its preparation, so many threads
 * may use it at a time.
 */
typedef struct gt_body gt_body;

/** Quantities of the ground truth, in the order in which they are listed. */
typedef enum gt_quantity {
    GT_DISTANCE,    /* between the solids, and between their surfaces */
    GT_VOLUME,      /* volume of the intersection of the bodies */
    GT_PAIRS,       /* number of pairs of triangles that share a point; for any meshes */
    GT_DEPTH,       /* length of the shortest translation that separates the bodies */
    GT_FORCE,       /* minus the gradients of the volume for motions of B; found together with the
                     * volume */
    GT_DEPTH_FORCE, /* force of the depth law: integral of the depths in A over B's surface */
    GT_DEPTH_FORCE_EXCHANGED, /* the same with the roles exchanged: depths in B over A's surface */
    GT_QUANTITY_COUNT
} gt_quantity;

/** Bits of a mask of quantities. */
enum {
    GT_WANT_DISTANCE = 1u << GT_DISTANCE,
    GT_WANT_VOLUME = 1u << GT_VOLUME,
    GT_WANT_PAIRS = 1u << GT_PAIRS,
    GT_WANT_DEPTH = 1u << GT_DEPTH,
    GT_WANT_FORCE = 1u << GT_FORCE,
    GT_WANT_DEPTH_FORCE = 1u << GT_DEPTH_FORCE,
    GT_WANT_DEPTH_FORCE_EXCHANGED = 1u << GT_DEPTH_FORCE_EXCHANGED,
};

/** Methods of the ground truth, in the order in which they are listed. */
typedef enum gt_method {
    GT_BVH,                     /* distance: gt_distance_query */
    GT_BRUTE,                   /* distance: gt_distance_brute */
    GT_FLUX,                    /* volume and force: gt_flux_query */
    GT_TETRA,                   /* volume: gt_volume_query */
    GT_TREE,                    /* pairs: gt_pairs_query */
    GT_ALL_PAIRS,               /* pairs: gt_pairs_brute */
    GT_HULL,                    /* depth of convex bodies: gt_depth_query */
    GT_EDGES,                   /* depth of convex bodies: gt_depth_edges */
    GT_PLACES,                  /* depth of any solids: gt_penetration_query */
    GT_DEPTH_SURFACE,           /* depth force: gt_depth_force_query */
    GT_DEPTH_SURFACE_EXCHANGED, /* the same with the roles exchanged */
    GT_DEPTH_CELLS,             /* depth force and energy: gt_depth_cells_query */
    GT_DEPTH_CELLS_EXCHANGED,   /* the same with the roles exchanged */
    GT_METHOD_COUNT
} gt_method;

/** Bits of a mask of methods. */
enum {
    GT_BY_BVH = 1u << GT_BVH,
    GT_BY_BRUTE = 1u << GT_BRUTE,
    GT_BY_FLUX = 1u << GT_FLUX,
    GT_BY_TETRA = 1u << GT_TETRA,
    GT_BY_TREE = 1u << GT_TREE,
    GT_BY_ALL_PAIRS = 1u << GT_ALL_PAIRS,
    GT_BY_HULL = 1u << GT_HULL,
    GT_BY_EDGES = 1u << GT_EDGES,
    GT_BY_PLACES = 1u << GT_PLACES,
    GT_BY_DEPTH_SURFACE = 1u << GT_DEPTH_SURFACE,
    GT_BY_DEPTH_SURFACE_EXCHANGED = 1u << GT_DEPTH_SURFACE_EXCHANGED,
    GT_BY_DISTANCE = GT_BY_BVH | GT_BY_BRUTE,
    GT_BY_VOLUME = GT_BY_FLUX | GT_BY_TETRA,
    GT_BY_PAIRS = GT_BY_TREE | GT_BY_ALL_PAIRS,
    GT_BY_DEPTH = GT_BY_HULL | GT_BY_EDGES | GT_BY_PLACES,
    GT_BY_DEPTH_CELLS = 1u << GT_DEPTH_CELLS,
    GT_BY_DEPTH_CELLS_EXCHANGED = 1u << GT_DEPTH_CELLS_EXCHANGED,
    GT_BY_DEPTH_FORCE = GT_BY_DEPTH_SURFACE | GT_BY_DEPTH_SURFACE_EXCHANGED | GT_BY_DEPTH_CELLS |
                        GT_BY_DEPTH_CELLS_EXCHANGED,
    /** The methods that use the tetrahedra of both bodies. */
    GT_BY_TETRAHEDRA = GT_BY_TETRA | GT_BY_DEPTH_CELLS | GT_BY_DEPTH_CELLS_EXCHANGED,
    GT_BY_ALL = (1u << GT_METHOD_COUNT) - 1,
};

enum { GT_VALUES_MAX = 10 };

/** The answer of one method for one frame. The row of its quantity in gt_quantities (certificate.h)
 * tells what its values mean. */
typedef struct gt_answer {
    uint32_t count;               /* number of values; 0: no answer */
    uint32_t sound;               /* 1: the method's own checks passed */
    double values[GT_VALUES_MAX]; /* values from index count on are 0 */
} gt_answer;

#define GT_NO_ANSWER ((gt_answer){0})

/** Zero-initialised is valid: no cache, one thread per CPU, no messages, one method per
 * quantity. */
typedef struct gt_options {
    const char *cache_directory; /* directory of the results, created if missing; NULL: no cache */
    unsigned threads;            /* 0: one per CPU */
    /**
     * Called about every second from the calling thread; may be NULL. done: number of frames whose
     * answers are known, at any index. ready: all frames with a smaller index are final. Returns
     * false to stop.
     */
    bool (*progress)(void *context, size_t done, size_t ready, size_t total);
    void *progress_context;
    /** Called from any thread while TetGen runs; if it returns true, TetGen is stopped. NULL:
     * never. */
    bool (*interrupted)(void);
    unsigned tetgen_seconds; /* time limit of one call of TetGen; 0: 600 */
    /**
     * Mask of GT_BY_*. 0: one method for each quantity: bvh, flux, tree, depth-surface and
     * depth-surface-exchanged; for the depth hull, or places if a body is not convex.
     */
    unsigned methods;
} gt_options;

#endif
