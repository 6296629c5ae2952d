/** The depth of a region along a direction without pixels: differences of heights over pairs of
 * triangles. */
#ifndef ALGORITHMS_LPD_EXACT_H
#define ALGORITHMS_LPD_EXACT_H

#include "algorithms/lpd/pixels.h"

/** What queries write to. */
typedef struct alg_lpd_column alg_lpd_column;

/**
 * grows: do windows grow with the depth that is found in them, by that on all sides, until it grows
 * no more (64 times at most)? What parts last may be beside the curve's own window, where a body
 * overhangs.
 *
 * Errors: BASE_ERR_MEMORY. Memory: arena.
 */
base_status alg_lpd_column_create(const alg_lpd_pair *pair, bool grows, base_arena *arena,
                                  alg_lpd_column **column, base_error *err) BASE_MUST_CHECK;

/** What it takes along one direction. */
typedef struct alg_lpd_height {
    double depth_m; /* infinity: it was left, as it is above the limit */
    /** Unit normal of the face or of the two edges that part last. Its part along the direction is
     * not negative, and B is out of A there when it has moved beyond the plane across it. If the
     * window ends before they part, it is that of one of them. */
    vec3 normal;
    /** True if no face of A that parts last looks along the direction while B's looks against it.
     * Then contact leaves the window, and beyond the window one body is inside of the other, if
     * they have an inside. */
    bool inside;
} alg_lpd_height;

/**
 * How far B has to move along n, the box's third axis, until no triangle of A meets one of B inside
 * of the box's rectangle, seen along n: the end of the stretch of translations from 0 on over which
 * some pair of triangles meets. A pair meets while the translation is between the least and the
 * largest difference of the heights of A and B over what of the window both cover; walls, which are
 * seen edge-on, have all of their heights. Touching counts.
 *
 * Errors   the depth is that of triangles that are within 32 eps s of these along each axis of the
 *          window, s the largest coordinate: so it is exact to 64 eps s / (normal . n), and no gap
 *          between neighbours ends it.
 *
 * limit_m: it may stop as soon as the depth is certainly above it; depth_m is infinity and inside
 * true then. tests: gets how many pairs of triangles were looked at, added; may be NULL.
 *
 * Memory   no allocation.
 * Cost     0.1 to 1.5 ms for two round bodies of 60,000 triangles, the more the deeper they are; 5
 *          ms where 10,000 faces of each lie flush.
 */
alg_lpd_height alg_lpd_depth_along(const alg_lpd_pair *pair, const geo_pose *pose,
                                   const alg_lpd_box *box, double limit_m, alg_lpd_column *column,
                                   uint64_t *tests);

/** Is x the better way? One that leads out is, then the smaller depth. */
bool alg_lpd_height_less(const alg_lpd_height *x, const alg_lpd_height *y);

/**
 * The end of all translations along n at which some pair of triangles meets in the window, gaps
 * between them included. Windows do not grow. So a body whose whole projection is in the window has
 * left what is ahead of it, also where it was wholly inside. The rest is as for
 * alg_lpd_depth_along.
 */
alg_lpd_height alg_lpd_depth_through(const alg_lpd_pair *pair, const geo_pose *pose,
                                     const alg_lpd_box *box, double limit_m, alg_lpd_column *column,
                                     uint64_t *tests);

/** The better way of those along n and -n; n where they are equal. */
alg_lpd_way alg_lpd_depth_exact(const alg_lpd_pair *pair, const geo_pose *pose,
                                const alg_lpd_box *box, alg_lpd_column *column, uint64_t *tests);

#endif
