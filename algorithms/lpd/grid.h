/**
 * The free ends of segments in a hashed grid, for the one that is nearest to a given end.
 *
 * The box of all ends is cut into equally many cells along each side; a side of length 0 is in one
 * layer of cells. Ends that are the same point, to the last bit, are kept as one point: a curve
 * that goes on there needs no distance. The points of a cell are in the order of their heights
 * along a slanted direction, so that few of them are looked at even where a cell is crowded.
 */
#ifndef ALGORITHMS_LPD_GRID_H
#define ALGORITHMS_LPD_GRID_H

#include "algorithms/lpd/segments.h"
#include "algorithms/lpd/table.h"

/** End k of segment s is number 2 s + k. */
#define ALG_LPD_NO_END ALG_LPD_EMPTY

typedef struct alg_lpd_grid {
    struct alg_lpd_point *points; /* arena, as all that follows */
    struct alg_lpd_free_end *ends;
    struct alg_lpd_cell *cells;
    struct alg_lpd_ranked *sorted, *scratch; /* points by height; in the end by cell and height */
    alg_lpd_table table;                     /* of points, then of cells */
    uint32_t point_count, cell_count;
    uint32_t side;       /* cells along each side */
    vec3 lo, scale;      /* cells a metre */
    double cell_m;       /* the longest side of a cell */
    double height_error; /* bound of the error of a difference of heights */
    uint64_t tests;      /* of distances, since the grid was filled */
} alg_lpd_grid;

/** What is nearest to an end. */
typedef struct alg_lpd_nearest {
    uint32_t end; /* ALG_LPD_NO_END: none */
    bool branch;  /* more than one free end is at the very point */
} alg_lpd_nearest;

/** For as many segments at most. Errors: BASE_ERR_MEMORY. Memory: arena, 250 bytes a segment. */
base_status alg_lpd_grid_create(uint32_t segments_max, base_arena *arena, alg_lpd_grid *grid,
                                base_error *err) BASE_MUST_CHECK;

/**
 * All ends are free and in n_g = max(1, round(n_s / k)) cells a side, 2^20 at most.
 *
 * Cost     some 40 to 90 ns a segment, whatever there was before.
 * Source   LPD 2 and 5.1.
 */
void alg_lpd_grid_fill(alg_lpd_grid *grid, const alg_lpd_segments *segments, double k);

/** n_g for n_s segments. */
uint32_t alg_lpd_grid_side(uint32_t n_s, double k);

/** Both ends of a segment are free no longer. */
void alg_lpd_grid_take(alg_lpd_grid *grid, uint32_t segment);

/**
 * The free end that is nearest to an end that is not free, in the same cell. With `neighbours` it
 * may be in one of the 27 cells around, no farther away than a cell's longest side. Of equally near
 * ends the one with the least number is taken.
 *
 * equal: a free end at the very point is taken at once, without a distance. Otherwise distances
 * decide, as in the paper; the answer is the same.
 */
alg_lpd_nearest alg_lpd_grid_nearest(alg_lpd_grid *grid, uint32_t end, bool neighbours, bool equal);

#endif
