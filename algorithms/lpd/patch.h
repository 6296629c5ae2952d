/** Vector area and its moment, which are the same for all surfaces that a curve bounds. */
#ifndef ALGORITHMS_LPD_PATCH_H
#define ALGORITHMS_LPD_PATCH_H

#include "algorithms/lpd/curves.h"

/**
 * The area points in the direction in which B gets out. When B moves by dt, the common volume of
 * two solids changes by dt times the vector area of the part of B's surface that is inside of A. By
 * Stokes' theorem that area is half the integral of p x dp around its edge, which runs along B's
 * normal times A's: against the segments. So area . n, summed over all curves, is the volume lost
 * per metre that B moves along n. moment . n is the volume lost per radian that B turns about n
 * through the point that the moment is about.
 */
typedef struct alg_lpd_patch {
    vec3 area;   /* m2: integral of the normal */
    vec3 moment; /* m3: integral of (p - about) x normal, -1/2 of that of |p - about|^2 dp */
} alg_lpd_patch;

/**
 * Returns the patch of some curves, given by number, about a point, which should be near the curves
 * for precision. Each segment counts in its own direction, weighted by its share. If the segments
 * do not add up to closed curves, chords close the gaps of each curve and join its end with its
 * begin. The order in which closed curves are chained does not matter.
 */
alg_lpd_patch alg_lpd_patch_make(const alg_lpd_segments *segments, const alg_lpd_curves *curves,
                                 const uint32_t *numbers, uint32_t count, vec3 about);

/** Returns the patch seen from the other side. */
alg_lpd_patch alg_lpd_patch_turned(const alg_lpd_patch *p);

#endif
