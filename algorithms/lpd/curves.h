/** Stage 1: segments are chained into curves. */
#ifndef ALGORITHMS_LPD_CURVES_H
#define ALGORITHMS_LPD_CURVES_H

#include "algorithms/lpd/segments.h"

/** How the segment that follows is found; in the order of the parameter's words. */
typedef enum alg_lpd_search {
    ALG_LPD_ADJACENCY, /* over the edge that it ends at, to the neighbour of a triangle: exact,
                          without a distance */
    ALG_LPD_GRID,      /* the nearest free end in the same cell of a hashed grid, as in the paper */
    ALG_LPD_NAIVE,     /* the nearest free end of all, as far as a cell's longest side: quadratic */
} alg_lpd_search;

typedef struct alg_lpd_chaining {
    alg_lpd_search search;
    /** With the grid: ends are sought in the 27 cells around, no farther than a cell's longest
     * side. */
    bool neighbours;
    bool both_ends; /* a curve that ends is grown at its begin */
    /** A curve that is back where it begins ends there. In the paper it goes on while a free end is
     * near. */
    bool closing;
    bool ends_equal; /* of the grid: an end at the very point is the next one, without a distance */
    double k;        /* segments for each cell along a side: n_g = max(1, round(n_s / k)); > 0 */
} alg_lpd_chaining;

typedef struct alg_lpd_curve {
    uint32_t first, count; /* of links */
    bool closed;           /* more than one, and the two ends are the same point, to the last bit */
} alg_lpd_curve;

typedef struct alg_lpd_curves {
    uint32_t
        *links; /* 2 s for segment s, and 1 more where the curve passes it from end[1] to end[0] */
    alg_lpd_curve *curves;
    uint32_t count;
    uint32_t open_count;   /* curves that are not closed */
    uint64_t branch_count; /* times that more than one free end was at the very point where a curve
                              went on */
    uint64_t tests;        /* of distances */
    struct alg_lpd_curves_space *space; /* what chaining writes to */
} alg_lpd_curves;

/** For as many segments at most. Errors: BASE_ERR_MEMORY. Memory: arena, 300 bytes a segment. */
base_status alg_lpd_curves_create(uint32_t segments_max, base_arena *arena, alg_lpd_curves *curves,
                                  base_error *err) BASE_MUST_CHECK;

/**
 * Each segment is in one curve. The free segment with the least number begins a curve, as it runs.
 * If several ends are equally near, or if several edges lead to ends, it goes on at the end with
 * the least number: 2 s + k for end k of segment s.
 *
 * pair: whose faces the segments are of; ALG_LPD_ADJACENCY alone looks at it.
 *
 * Source   LPD 2 and 5.1.
 * Memory   no allocation.
 * Cost     linear in the segments but for ALG_LPD_NAIVE: 50 to 100 ns each through the grid, half
 *          of it over edges. 2 s for 65,536 loose segments in one cell.
 */
void alg_lpd_curves_chain(const alg_lpd_chaining *chaining, const alg_lpd_pair *pair,
                          const alg_lpd_segments *segments, alg_lpd_curves *curves);

/** The point at which link i begins (end 0) or ends (end 1). */
static inline vec3 alg_lpd_link_end(const alg_lpd_segments *segments, uint32_t link, unsigned end)
{
    return segments->items[link / 2].end[(link & 1) ^ end];
}

#endif
