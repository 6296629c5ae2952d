/** Stage 1: chains segments into curves, and computes the vector areas of curves. */
#ifndef ALGORITHMS_LPD_CURVES_H
#define ALGORITHMS_LPD_CURVES_H

#include "algorithms/lpd/segments.h"

/** Search for the next segment, in the order of the parameter's words. */
typedef enum alg_lpd_search {
    ALG_LPD_ADJACENCY, /* the segment of the triangle across the edge on which the end lies:
                          exact, without a distance */
    ALG_LPD_GRID,      /* the nearest free end in the same cell of a hashed grid, as in the paper */
    ALG_LPD_NAIVE,     /* the nearest free end of all, within a cell's longest side: quadratic */
} alg_lpd_search;

typedef struct alg_lpd_chaining {
    alg_lpd_search search;
    /**
     * With the grid. True: ends are searched in the cell and its 26 neighbours, no farther away
     * than a cell's longest side. False: in the cell only.
     */
    bool neighbours;
    bool both_ends; /* true: an open curve is also extended at its begin */
    /** If true, a curve ends when it returns to its begin. In the paper it continues while a free
     * end is near. */
    bool closing;
    bool ends_equal; /* with the grid; true: an end at the same point is the next one, without
                        computing a distance */
    double k;        /* > 0; n_s segments have a grid of n_g = max(1, round(n_s / k)) cells along
                        each side */
} alg_lpd_chaining;

typedef struct alg_lpd_curve {
    uint32_t first, count; /* indices of links */
    bool closed;           /* true if it has several links and both ends are the same point, bit for
                              bit */
} alg_lpd_curve;

typedef struct alg_lpd_curves {
    uint32_t *links; /* 2 s for segment s, plus 1 if the curve passes it from end[1] to end[0] */
    alg_lpd_curve *curves;
    uint32_t count;
    uint32_t open_count;   /* curves that are not closed */
    uint64_t branch_count; /* number of times that several free ends were at exactly the point where
                              a curve continued */
    uint64_t tests;        /* number of computed distances */
    struct alg_lpd_curves_space *space; /* work space of chaining */
} alg_lpd_curves;

/**
 * Allocates room for segments_max segments. Errors: BASE_ERR_MEMORY. Memory: arena, 300 bytes per
 * segment.
 */
base_status alg_lpd_curves_create(uint32_t segments_max, base_arena *arena, alg_lpd_curves *curves,
                                  base_error *err) BASE_MUST_CHECK;

/**
 * Chains the segments into curves. Each segment is in one curve. The free segment with the least
 * number starts the next curve, in its own direction. If several ends are equally near, or lie
 * across several edges, the curve continues at the end with the least number. The number of end k
 * of segment s is 2 s + k.
 *
 * pair: the bodies whose faces the segments belong to. Only ALG_LPD_ADJACENCY uses it.
 *
 * Source   LPD 2 and 5.1.
 * Memory   no allocation.
 * Cost     linear in the number of segments, except for ALG_LPD_NAIVE: 50 to 100 ns per segment
 *          with the grid, and half of that across edges. ALG_LPD_NAIVE takes 2 s for 65,536 loose
 *          segments in one cell.
 */
void alg_lpd_curves_chain(const alg_lpd_chaining *chaining, const alg_lpd_pair *pair,
                          const alg_lpd_segments *segments, alg_lpd_curves *curves);

/** Returns n_g, the number of cells of the grid along a side, for n_s segments; at most 2^20. */
uint32_t alg_lpd_grid_side(uint32_t n_s, double k);

/** Returns the point at which a link begins (end 0) or ends (end 1). */
static inline vec3 alg_lpd_link_end(const alg_lpd_segments *segments, uint32_t link, unsigned end)
{
    return segments->items[link / 2].end[(link & 1) ^ end];
}

/**
 * Vector area and its moment, which are the same for all surfaces that a curve bounds.
 *
 * The area points in the direction in which B gets out of A. When B moves by dt, the common volume
 * of two solids changes by dt times the vector area of the part of B's surface that is inside of A.
 * By Stokes' theorem, this vector area is half the integral of p x dp along the edge of this part.
 * The edge runs along B's normal x A's normal, which is opposite to the segments. So the integral
 * along the segments has the opposite sign: area . n, summed over all curves, is the common volume
 * that is lost for each metre that B moves along n. moment . n is the volume that is lost for each
 * radian that B turns about the axis n through the point of the moment.
 */
typedef struct alg_lpd_patch {
    vec3 area;   /* m2: integral of the normal */
    vec3 moment; /* m3: integral of (p - about) x normal, which is -1/2 times the integral of |p
                    - about|^2 dp along the curve */
} alg_lpd_patch;

/**
 * Returns the patch of some curves, which are given by their numbers. The moment is about the point
 * `about`, which should be near the curves for precision. Each segment counts in its own direction,
 * weighted by its share. If the segments do not add up to closed curves, chords close the gaps of
 * each curve and join its end with its begin. The order in which closed curves are chained does not
 * matter.
 */
alg_lpd_patch alg_lpd_patch_make(const alg_lpd_segments *segments, const alg_lpd_curves *curves,
                                 const uint32_t *numbers, uint32_t count, vec3 about);

/** Returns the patch seen from the other side. */
static inline alg_lpd_patch alg_lpd_patch_turned(const alg_lpd_patch *p)
{
    return (alg_lpd_patch){vec3_scale(-1, p->area), vec3_scale(-1, p->moment)};
}

#endif
