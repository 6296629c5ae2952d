/**
 * Lower and upper bounds for the volume of an overlap, which become narrower with every tested
 * cube.
 *
 * B is a union of cubes. The volume of B in each cube is exact (cells.h). A's slabs (slabs.h)
 * determine on which side of A's surface a cube is. If the cube is inside A, its volume counts as a
 * whole. If it is outside A, it does not count. If A's surface may cross the cube, the two planes
 * of a slab cut it, and the part between the planes is undecided. If B fills only a part of such a
 * cube, it is also unknown where in the cube this part is. Cubes with large undecided volumes are
 * opened first. The bounds hold after every step.
 *
 * Source   IST VI names time-critical traversals as future work; the method is this suite's own.
 */
#ifndef ALGORITHMS_BOUNDS_BRACKET_H
#define ALGORITHMS_BOUNDS_BRACKET_H

#include "algorithms/bounds/cells.h"
#include "algorithms/bounds/slabs.h"
#include "geometry/pose.h"

typedef struct alg_bounds_volume {
    double lower, middle, upper; /* in m3; middle: best guess between the bounds */
} alg_bounds_volume;

/**
 * The slab with which a cube was tested, in B's axes and in units of the cube's edge. Offsets are
 * measured from the cube's centre. Parts of the cube beyond them are decided. The offsets are
 * widened by the rounding to float.
 */
typedef struct alg_bounds_sides {
    float x, y, z; /* components of the normal along B's axes */
    float lower, upper;
    uint32_t inside; /* as in alg_bounds_slab */
} alg_bounds_sides;

/** A cube that may be opened. */
typedef struct alg_bounds_cube {
    vec3 centre; /* in A's frame */
    double edge;
    alg_bounds_volume bounds;
    alg_bounds_sides sides;
    uint32_t cell; /* index in B's cells, or ALG_BOUNDS_CELL_WHOLE */
    int32_t level; /* level of slabs for its size: beyond A's coarsest level, the cube is undecided;
                      below 0, level 0 is used */
    uint32_t next; /* next in its bucket, or next free index; 0 at the end */
} alg_bounds_cube;

enum { ALG_BOUNDS_BUCKETS = 128, ALG_BOUNDS_CUBES_MAX = 1 << 16 };

/** Refinement of the bounds for one pose. The caller sets the first four members. */
typedef struct alg_bounds_bracket {
    const alg_bounds_slabs *a;
    const alg_bounds_cells *b;
    alg_bounds_cube *cubes; /* queue; capacity items, of which the first is not used */
    uint32_t capacity;      /* at least 2 */
    bool avx2;
    double most;         /* volume of the smaller body: the greatest possible overlap */
    double pad;          /* bound of the rounding error of an offset, in metres */
    mat3 axes;           /* rows: the axes of B's frame */
    uint32_t used, free; /* greatest index used so far; first item of the list of freed indices */
    uint32_t bucket;     /* all buckets before this one are empty */
    uint32_t buckets[ALG_BOUNDS_BUCKETS]; /* first cube of each bucket, 0 if it is empty; bucket 0
                                             has the largest undecided volumes */
    alg_bounds_volume sum;                /* sum of the bounds of all cubes */
    double lower, upper;                  /* best bounds so far */
    double largest;                       /* greatest sum.upper so far, from which the rounding of
                                             the sums is bounded */
    uint64_t tests, opened;               /* numbers of tested and opened cubes */
} alg_bounds_bracket;

/** Starts with the bounds 0 and the smaller body's volume. */
void alg_bounds_bracket_begin(alg_bounds_bracket *bracket, const geo_pose *pose);

/**
 * Opens a cube with the largest undecided volume, up to a factor of 1.5, and tests at most `most`
 * of its parts. Parts that are not tested are never opened later. Parts that are empty, or that the
 * slab of the whole cube decides, need no test.
 *
 * Shapes   most >= 1; 8 is enough for all parts.
 * Returns  false if there was no cube to open. alg_bounds_bracket.tests counts the tests.
 * Cost     about 0.3 us.
 */
bool alg_bounds_bracket_step(alg_bounds_bracket *bracket, uint32_t most);

/**
 * Returns the bounds, with room for the rounding of all sums: the truth is in [lower, upper], up to
 * the rounding of the bodies' own volumes. Apart from this room, which grows with the number of
 * steps, lower never decreases and upper never increases.
 */
alg_bounds_volume alg_bounds_bracket_bounds(const alg_bounds_bracket *bracket);

/* --- Shared by bracket.c and bracket_isa.c ---------------------------------------------------- */

enum { ALG_BOUNDS_CUTS = 8 };

/** Cubes of equal size and orientation, each with the slab of the voxel around its centre. */
typedef struct alg_bounds_cuts {
    double edge; /* edge of the cubes; the unit of all lengths here is the voxels' edge */
    double pad;  /* bound of the rounding error of an offset */
    mat3 axes;   /* rows: the axes of the cubes */
    double x[ALG_BOUNDS_CUTS], y[ALG_BOUNDS_CUTS],
        z[ALG_BOUNDS_CUTS]; /* the cube's centre relative to the voxel's */
    double nx[ALG_BOUNDS_CUTS], ny[ALG_BOUNDS_CUTS], nz[ALG_BOUNDS_CUTS]; /* normal of the slab */
    double lower[ALG_BOUNDS_CUTS], middle[ALG_BOUNDS_CUTS], upper[ALG_BOUNDS_CUTS];
    /* Results from 0 to 1: the share of each cube that is certainly below the lower plane, the
     * share that may be below the upper plane, and the share below the middle. */
    double below_lower[ALG_BOUNDS_CUTS], below_upper[ALG_BOUNDS_CUTS],
        below_middle[ALG_BOUNDS_CUTS];
} alg_bounds_cuts;

/** Compute the results of lanes 0 to count - 1. Further lanes up to a multiple of 4 are
 * overwritten. */
void alg_bounds_cut_sse2(alg_bounds_cuts *cuts, uint32_t count);
void alg_bounds_cut_avx2(alg_bounds_cuts *cuts, uint32_t count);

#endif
