/** The vector area and its moment, which a curve tells of any surface that it bounds. */
#ifndef ALGORITHMS_LPD_PATCH_H
#define ALGORITHMS_LPD_PATCH_H

#include "algorithms/lpd/curves.h"

/**
 * The area points to where B gets out. When B moves by dt, the common volume of two solids changes
 * by dt times the vector area of the part of B's surface that is inside of A. By Stokes that area
 * is half the integral of p x dp around its edge, which runs along B's normal times A's: against
 * the segments. So area . n, added over all curves, is what the volume loses for each metre that B
 * moves along n; and moment . n is what it loses for each radian that B turns about n through the
 * point that the moment is about.
 */
typedef struct alg_lpd_patch {
    vec3 area;   /* m2: the integral of the normal */
    vec3 moment; /* m3: integral of (p - about) x normal, -1/2 of that of |p - about|^2 dp */
} alg_lpd_patch;

/**
 * The patch of some curves, by their numbers, about a point, which is near to them for precision.
 * Each segment counts in its own direction, by its share. Where the segments do not add up to
 * closed curves, chords close the gaps of each curve and the way from its end to its begin. In what
 * order closed curves are chained does not matter.
 */
alg_lpd_patch alg_lpd_patch_make(const alg_lpd_segments *segments, const alg_lpd_curves *curves,
                                 const uint32_t *numbers, uint32_t count, vec3 about);

/** The same seen from the other side. */
alg_lpd_patch alg_lpd_patch_turned(const alg_lpd_patch *p);

#endif
