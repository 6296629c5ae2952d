/**
 * A hashed grid of the free ends of segments, for the search of the one that is nearest to a given
 * end.
 *
 * The box of all ends is cut into equally many cells along each side; a side of length 0 has one
 * layer of cells. Ends at the same point, bit for bit, are stored as one point: a curve that
 * continues there needs no distance. The points of a cell are sorted by their heights along a
 * slanted direction, so that a search tests few of them even where a cell is crowded.
 */
#ifndef ALGORITHMS_LPD_GRID_H
#define ALGORITHMS_LPD_GRID_H

#include "algorithms/lpd/segments.h"
#include "algorithms/lpd/table.h"

/** No end. End k of segment s has the number 2 s + k. */
#define ALG_LPD_NO_END ALG_LPD_EMPTY

typedef struct alg_lpd_grid {
    struct alg_lpd_point *points; /* arena, as all pointers that follow */
    struct alg_lpd_free_end *ends;
    struct alg_lpd_cell *cells;
    struct alg_lpd_ranked *sorted, *scratch; /* points by height; after filling by cell and
                                                height */
    alg_lpd_table table;                     /* of points, then of cells */
    uint32_t point_count, cell_count;
    uint32_t side;       /* cells along each side */
    vec3 lo, scale;      /* lower corner of the box; cells per metre */
    double cell_m;       /* the longest side of a cell */
    double height_error; /* bound on the error of a difference of heights */
    uint64_t tests;      /* number of distances since the grid was filled */
} alg_lpd_grid;

/** Result of a search. */
typedef struct alg_lpd_nearest {
    uint32_t end; /* ALG_LPD_NO_END if no free end was found */
    bool branch;  /* true if several free ends are at the same point as the given end */
} alg_lpd_nearest;

/** Allocates room for segments_max segments. Errors: BASE_ERR_MEMORY. Memory: arena, 250 bytes a
 * segment. */
base_status alg_lpd_grid_create(uint32_t segments_max, base_arena *arena, alg_lpd_grid *grid,
                                base_error *err) BASE_MUST_CHECK;

/**
 * Fills the grid with all ends, which become free. The grid has n_g = max(1, round(n_s / k)) cells
 * a side, 2^20 at most.
 *
 * Cost     some 40 to 90 ns a segment, independent of the previous contents.
 * Source   LPD 2 and 5.1.
 */
void alg_lpd_grid_fill(alg_lpd_grid *grid, const alg_lpd_segments *segments, double k);

/** Returns n_g for n_s segments. */
uint32_t alg_lpd_grid_side(uint32_t n_s, double k);

/** Removes both ends of a segment from the free ends. */
void alg_lpd_grid_take(alg_lpd_grid *grid, uint32_t segment);

/**
 * Returns the free end in the same cell that is nearest to an end that is not free. With
 * `neighbours` it may be in any of the 27 cells around, no farther away than a cell's longest side.
 * If several ends are equally near, the one with the least number is returned.
 *
 * equal: a free end at the same point is returned at once, without a distance. Otherwise distances
 * decide, as in the paper; the answer is the same.
 */
alg_lpd_nearest alg_lpd_grid_nearest(alg_lpd_grid *grid, uint32_t end, bool neighbours, bool equal);

#endif
