/** Stage 3, as in the paper: depth buffers of both bodies, seen from the plane of the curve in both
 * directions. */
#ifndef ALGORITHMS_LPD_PIXELS_H
#define ALGORITHMS_LPD_PIXELS_H

#include "algorithms/lpd/boxes.h"

enum { ALG_LPD_PIXELS_MAX = 512 };

/** Number of pixels of a region's window along its two sides. */
typedef struct alg_lpd_resolution {
    uint32_t pixels; /* along both sides, 1 to ALG_LPD_PIXELS_MAX; 0: pixel_m decides */
    double pixel_m;  /* used if pixels is 0: size of a pixel, > 0; it is larger if a side would
                        have more than ALG_LPD_PIXELS_MAX pixels */
    bool draws_all;  /* true: all triangles are drawn into all depth buffers, as in the paper. The
                        screen must have been created with draws_all. */
} alg_lpd_resolution;

/** Work space of drawing and culling. */
typedef struct alg_lpd_screen alg_lpd_screen;

/** Creates the work space. Errors: BASE_ERR_MEMORY. Memory: arena, 200 kB at most, and 4 MB more
 * with draws_all. */
base_status alg_lpd_screen_create(const alg_lpd_pair *pair, bool draws_all, base_arena *arena,
                                  alg_lpd_screen **screen, base_error *err) BASE_MUST_CHECK;

/**
 * Returns the translation with the smaller depth of those along n and -n, where n is the box's
 * third axis; that along n if both depths are equal.
 *
 * The window is the box's rectangle across n; pixels are sampled at their centres. Along a
 * direction d, A is seen from the plane in direction d and B in direction -d. A pixel in which one
 * of them is not visible does not count. The depth is the largest sum of the two heights of a
 * pixel; it is infinity if no pixel shows both. A side of the rectangle that is narrower than a
 * pixel of the longer side (or than pixel_m, if `pixels` is 0) is widened to one pixel, so that a
 * straight curve has a window. If `pixels` is 0, each side has at least 4 pixels.
 *
 * Answers do not depend on culling: they are the same as if all triangles were drawn into the depth
 * buffers of their body, one for each direction. triangles: the number of drawn triangles is added
 * to it; may be NULL.
 *
 * Errors   heights have only rounding errors: 64 eps times the largest coordinate, times the slope
 *          of the triangle.
 * Memory   no allocation.
 * Cost     64 x 64 pixels: 0.1 ms, for bodies of 48,000 triangles as well as of 300,000; 1 to 4 ms
 *          if faces parallel to the plane fill the window, so that all pixels have the same depth.
 * Source   LPD 4, figure 2; windows of adaptive size: LPD 5.1.
 */
alg_lpd_translation alg_lpd_depth_by_pixels(const alg_lpd_pair *pair, const geo_pose *pose,
                                            const alg_lpd_box *box,
                                            const alg_lpd_resolution *resolution,
                                            alg_lpd_screen *screen, uint64_t *triangles);

/** Returns the depth along n alone. */
double alg_lpd_pixels_along(const alg_lpd_pair *pair, const geo_pose *pose, const alg_lpd_box *box,
                            const alg_lpd_resolution *resolution, alg_lpd_screen *screen,
                            uint64_t *triangles);

#endif
