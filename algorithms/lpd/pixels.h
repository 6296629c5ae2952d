/** Stage 3, as in the paper: depth buffers of both bodies, from the plane of the curve in both
 * directions. */
#ifndef ALGORITHMS_LPD_PIXELS_H
#define ALGORITHMS_LPD_PIXELS_H

#include "algorithms/lpd/boxes.h"

enum { ALG_LPD_PIXELS_MAX = 512 };

/** How many pixels a region's window has along its two sides. */
typedef struct alg_lpd_resolution {
    uint32_t
        pixels; /* along both sides, 1 to ALG_LPD_PIXELS_MAX; 0: as many as have the size below */
    double pixel_m; /* > 0; more are never made than ALG_LPD_PIXELS_MAX along a side */
} alg_lpd_resolution;

/** What is drawn, and what culling writes to. */
typedef struct alg_lpd_screen alg_lpd_screen;

/** Errors: BASE_ERR_MEMORY. Memory: arena, 200 kB at most. */
base_status alg_lpd_screen_create(const alg_lpd_pair *pair, base_arena *arena,
                                  alg_lpd_screen **screen, base_error *err) BASE_MUST_CHECK;

/**
 * The smaller of the depths along n and -n, n being the box's third axis; n where they are equal.
 * The window is the box's rectangle across n, its pixels are looked at in their centres. Along d, A
 * is seen from the plane in the direction d and B in -d; a pixel in which one of them is not seen
 * does not count; the depth is the largest sum of what two pixels see. A rectangle narrower than a
 * pixel of its other side, or than pixel_m, is widened to that: straight curves have a window.
 * Along a side of adaptive size are 4 pixels at least.
 *
 * Answers do not depend on what is culled: they are those of drawing all triangles of both bodies
 * four times. triangles: gets how many were drawn, added; may be NULL.
 *
 * Errors   heights are exact to rounding: 64 eps of the largest coordinate, times the slope of the
 *          triangle.
 * Memory   no allocation.
 * Cost     64 x 64 pixels: 0.1 ms, of bodies of 48,000 triangles as of 300,000; where faces are
 *          parallel to the plane all over the window, so that all pixels are as deep, 1 to 4 ms.
 * Source   LPD 4, figure 2; windows of adaptive size: LPD 5.1.
 */
alg_lpd_way alg_lpd_depth_by_pixels(const alg_lpd_pair *pair, const geo_pose *pose,
                                    const alg_lpd_box *box, const alg_lpd_resolution *resolution,
                                    alg_lpd_screen *screen, uint64_t *triangles);

/** That along n alone. */
double alg_lpd_pixels_along(const alg_lpd_pair *pair, const geo_pose *pose, const alg_lpd_box *box,
                            const alg_lpd_resolution *resolution, alg_lpd_screen *screen,
                            uint64_t *triangles);

#endif
