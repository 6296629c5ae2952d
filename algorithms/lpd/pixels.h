/** Stage 3, as in the paper: depth buffers of both bodies, seen from the plane of the curve in both
 * directions. */
#ifndef ALGORITHMS_LPD_PIXELS_H
#define ALGORITHMS_LPD_PIXELS_H

#include "algorithms/lpd/boxes.h"

enum { ALG_LPD_PIXELS_MAX = 512 };

/** Number of pixels of a region's window along its two sides. */
typedef struct alg_lpd_resolution {
    uint32_t pixels; /* along both sides, 1 to ALG_LPD_PIXELS_MAX; 0: pixel_m decides */
    double pixel_m;  /* side of a pixel, > 0; at most ALG_LPD_PIXELS_MAX pixels along a side */
} alg_lpd_resolution;

/** Work space of drawing and culling. */
typedef struct alg_lpd_screen alg_lpd_screen;

/** Creates the work space. Errors: BASE_ERR_MEMORY. Memory: arena, 200 kB at most. */
base_status alg_lpd_screen_create(const alg_lpd_pair *pair, base_arena *arena,
                                  alg_lpd_screen **screen, base_error *err) BASE_MUST_CHECK;

/**
 * Returns the smaller of the depths along n and -n, n being the box's third axis; n if they are
 * equal.
 *
 * The window is the box's rectangle across n; pixels are sampled at their centres. Along a
 * direction d, A is seen from the plane in direction d and B in direction -d. A pixel in which one
 * of them is not visible does not count. The depth is the largest sum of the two heights of a
 * pixel. A rectangle narrower than a pixel of its other side, or than pixel_m, is widened to that,
 * so that straight curves have a window. A side of adaptive size has at least 4 pixels.
 *
 * Answers do not depend on culling: they are the same as if all triangles of both bodies were drawn
 * into both depth buffers of their body. triangles: the number of drawn triangles is added to it; may be NULL.
 *
 * Errors   heights are exact to rounding: 64 eps of the largest coordinate, times the slope of the
 *          triangle.
 * Memory   no allocation.
 * Cost     64 x 64 pixels: 0.1 ms, for bodies of 48,000 triangles as well as of 300,000; 1 to 4 ms
 *          where faces are parallel to the plane all over the window, so that all pixels have the
 *          same depth.
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
