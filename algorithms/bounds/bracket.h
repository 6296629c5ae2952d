/**
 * Lower and upper bounds for the volume of an overlap, narrower with every cube that is tested.
 *
 * B is a union of cubes with exact volumes (cells.h), A knows on which side of its surface a cube
 * is (slabs.h). B's volume in a cube inside A counts whole, that in one outside A does not count. A
 * cube that A's surface passes through is cut by the two planes of the slab there: the part between
 * them is undecided, and where the cube is only partly B, so is on which side of them B lies. The
 * cube with the largest undecided volume is opened first. Bounds hold whenever one stops.
 *
 * Source   IST VI names time-critical traversals as future work; the method is this suite's.
 */
#ifndef ALGORITHMS_BOUNDS_BRACKET_H
#define ALGORITHMS_BOUNDS_BRACKET_H

#include "algorithms/bounds/cells.h"
#include "algorithms/bounds/slabs.h"
#include "geometry/pose.h"

typedef struct alg_bounds_volume {
    double lower, middle, upper; /* m3; middle: the best guess between them */
} alg_bounds_volume;

/**
 * The slab that a cube is tested with, in the cube's frame and edges: parts of the cube that are
 * beyond these offsets from its centre are decided. In float, widened by its rounding.
 */
typedef struct alg_bounds_sides {
    float x, y, z; /* the normal along B's axes */
    float lower, upper;
    uint32_t inside; /* as in alg_bounds_slab */
} alg_bounds_sides;

/** A cube that may be opened. */
typedef struct alg_bounds_cube {
    vec3 centre; /* A's frame */
    double edge;
    alg_bounds_volume bounds;
    alg_bounds_sides sides;
    uint32_t cell; /* number, or ALG_BOUNDS_CELL_WHOLE */
    int32_t level; /* of the slabs that it is tested with; may be beyond A's levels */
    uint32_t next; /* in its bucket, or the next free place; 0: none */
} alg_bounds_cube;

enum { ALG_BOUNDS_BUCKETS = 128, ALG_BOUNDS_CUBES_MAX = 1 << 16 };

/** A run of refinements of one pose. The caller sets the first four members. */
typedef struct alg_bounds_bracket {
    const alg_bounds_slabs *a;
    const alg_bounds_cells *b;
    alg_bounds_cube *cubes; /* to be opened; capacity, of which the first is not used */
    uint32_t capacity;      /* at least 2 */
    bool avx2;
    double most;         /* volume of the smaller body */
    double pad;          /* what rounding may add to an offset, in metres */
    mat3 axes;           /* rows: those of B's frame */
    uint32_t used, free; /* of cubes: places handed out so far; first one given back */
    uint32_t bucket;     /* no bucket before this one holds a cube */
    uint32_t buckets[ALG_BOUNDS_BUCKETS]; /* by undecided volume, the largest first */
    alg_bounds_volume sum;                /* of all cubes */
    double lower, upper;                  /* the best so far */
    double largest;                       /* of sum.upper so far: bounds the rounding of the sums */
    uint64_t tests, opened;               /* of cubes */
} alg_bounds_bracket;

/** Starts with the bounds 0 and the smaller body's volume. */
void alg_bounds_bracket_begin(alg_bounds_bracket *bracket, const geo_pose *pose);

/**
 * Opens the cube with the largest undecided volume and tests its parts, but at most `most` of them;
 * parts that are left out stay undecided for good. Parts that the slab of the whole decides already
 * need no test.
 *
 * Shapes   most >= 1; 8 is all.
 * Returns  whether there was a cube to open; alg_bounds_bracket.tests counts.
 * Cost     about 0.3 us.
 */
bool alg_bounds_bracket_step(alg_bounds_bracket *bracket, uint32_t most);

/**
 * Bounds that hold, also in floating point: the truth is in [lower, upper] but for the rounding of
 * the bodies' own volumes. From step to step lower never decreases and upper never increases.
 */
alg_bounds_volume alg_bounds_bracket_bounds(const alg_bounds_bracket *bracket);

/* --- Between bracket.c and bracket_isa.c ------------------------------------------------------ */

enum { ALG_BOUNDS_CUTS = 8 };

/** Cubes of one size, all turned alike, each with the slab of its voxel. */
typedef struct alg_bounds_cuts {
    double edge; /* of the cubes, in edges of voxels, as all lengths here */
    double pad;  /* what rounding may add to an offset */
    mat3 axes;   /* rows: the axes of the cubes */
    double x[ALG_BOUNDS_CUTS], y[ALG_BOUNDS_CUTS],
        z[ALG_BOUNDS_CUTS]; /* centre less voxel's centre */
    double nx[ALG_BOUNDS_CUTS], ny[ALG_BOUNDS_CUTS], nz[ALG_BOUNDS_CUTS]; /* the slab's normal */
    double lower[ALG_BOUNDS_CUTS], middle[ALG_BOUNDS_CUTS], upper[ALG_BOUNDS_CUTS];
    /* Filled: the part of each cube that is for certain below the lower plane, the part that may be
     * below the upper one, and the part below the middle; from 0 to 1. */
    double below_lower[ALG_BOUNDS_CUTS], below_upper[ALG_BOUNDS_CUTS],
        below_middle[ALG_BOUNDS_CUTS];
} alg_bounds_cuts;

/** Fills the results of lanes 0 to count - 1 and of those up to the next multiple of 4. */
void alg_bounds_cut_sse2(alg_bounds_cuts *cuts, uint32_t count);
void alg_bounds_cut_avx2(alg_bounds_cuts *cuts, uint32_t count);

#endif
