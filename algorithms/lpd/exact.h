/** Exact depth of a region along a direction, without pixels: differences of heights over pairs of
 * triangles. */
#ifndef ALGORITHMS_LPD_EXACT_H
#define ALGORITHMS_LPD_EXACT_H

#include "algorithms/lpd/pixels.h"

/** Work space of queries. */
typedef struct alg_lpd_column alg_lpd_column;

/**
 * Creates the work space of queries.
 *
 * grows: true if windows grow on all sides by the depth that was found in them, until the depth no
 * longer increases (64 times at most). Where a body overhangs, the surfaces that part last may lie
 * beside the curve's own window.
 *
 * Errors: BASE_ERR_MEMORY. Memory: arena.
 */
base_status alg_lpd_column_create(const alg_lpd_pair *pair, bool grows, base_arena *arena,
                                  alg_lpd_column **column, base_error *err) BASE_MUST_CHECK;

/** Depth along one direction. */
typedef struct alg_lpd_height {
    double depth_m; /* infinity if the search stopped because the depth is above the limit */
    /** Unit normal of the face or of the two edges that part last. Its component along the
     * direction is not negative. B is out of A there when B has moved beyond the plane across the
     * normal. If the window ends before they part, it is the normal of one of them. */
    vec3 normal;
    /** True if no pair that parts last has A's face looking along the direction and B's face
     * looking against it. Then contact leaves the window, and beyond the window one body is inside
     * of the other, if both are solids. */
    bool inside;
} alg_lpd_height;

/**
 * Returns how far B has to move along n, the box's third axis, until no triangle of A meets a
 * triangle of B inside the box's rectangle, seen along n. The depth is the end of the stretch of
 * translations, starting at 0, at which some pair of triangles meets. A pair meets while the
 * translation is between the least and the largest difference of the heights of A and B over the
 * part of the window that both cover. Walls, which are seen edge-on, cover all of their heights.
 * Touching counts as meeting.
 *
 * Errors   the depth is exact for triangles that are within 32 eps s of the given ones along each
 *          axis of the window, s the largest coordinate. So its error is at most 64 eps s / (normal
 *          . n), and no gap between adjacent triangles ends the stretch.
 *
 * limit_m: the search may stop as soon as the depth is certainly above it; then depth_m is infinity
 * and inside is true. tests: the number of tested pairs of triangles is added to it; may be NULL.
 *
 * Memory   no allocation.
 * Cost     0.1 to 1.5 ms for two round bodies of 60,000 triangles, increasing with the depth; 5 ms
 *          where 10,000 faces of each lie flush.
 */
alg_lpd_height alg_lpd_depth_along(const alg_lpd_pair *pair, const geo_pose *pose,
                                   const alg_lpd_box *box, double limit_m, alg_lpd_column *column,
                                   uint64_t *tests);

/** Returns true if x is the better way: a way that leads out is better than one that does not, then
 * the smaller depth is better. */
bool alg_lpd_height_less(const alg_lpd_height *x, const alg_lpd_height *y);

/**
 * Returns the largest translation along n at which some pair of triangles meets in the window, also
 * behind gaps. Windows do not grow. So a body whose whole projection is in the window has left
 * everything that is ahead of it, even if it was wholly inside. Everything else is as for
 * alg_lpd_depth_along.
 */
alg_lpd_height alg_lpd_depth_through(const alg_lpd_pair *pair, const geo_pose *pose,
                                     const alg_lpd_box *box, double limit_m, alg_lpd_column *column,
                                     uint64_t *tests);

/** Returns the better of the ways along n and -n; n if they are equal. */
alg_lpd_way alg_lpd_depth_exact(const alg_lpd_pair *pair, const geo_pose *pose,
                                const alg_lpd_box *box, alg_lpd_column *column, uint64_t *tests);

#endif
