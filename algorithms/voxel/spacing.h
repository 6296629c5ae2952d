/** Selects evenly distributed points, and measures how evenly points are distributed. */
#ifndef ALGORITHMS_VOXEL_SPACING_H
#define ALGORITHMS_VOXEL_SPACING_H

#include "base/error.h"
#include "geometry/vec.h"

/**
 * Selects a maximal Poisson-disk subset: points are tried in a random order, the first
 * `first_count` of them before the others, and a point is accepted unless an accepted one is nearer
 * than a radius. So no two accepted points are nearer than the radius, and each rejected point is
 * nearer than the radius to an accepted one. The radius is searched for such that the number of
 * accepted points is `target` within 1 %. If that fails, the nearest number that occurred is used:
 * with a handful of points it may be off by one, and it never exceeds the number of different
 * points.
 *
 * Shapes   points[count], count < 2^32. guess > 0: a radius to start from, which affects only the
 *          time. chosen: room for `count` entries; filled with indices into `points`, in the order
 *          in which the points were accepted.
 * Errors   BASE_ERR_MEMORY.
 * Cost     about 0.2 us per point, five to ten times.
 * Source   dart throwing: Cook1986.
 */
base_status alg_blue_noise_choose(const vec3 *points, size_t first_count, size_t count,
                                  size_t target, double guess, uint64_t seed, uint32_t *chosen,
                                  size_t *chosen_count, double *radius,
                                  base_error *err) BASE_MUST_CHECK;

/**
 * Statistics of the distances from each point to the nearest other one; all 0 for fewer than two
 * points.
 */
typedef struct alg_spacing {
    double mean, least;
    double deviation; /* standard deviation / mean; 0 if all points are the same */
} alg_spacing;

/**
 * Measures the spacing.
 *
 * Shapes   points: in any order; faster if near points are near in the array.
 * Errors   BASE_ERR_MEMORY.
 * Cost     about 2 us per point, the search on all CPUs; the result does not depend on their
 *          number.
 */
base_status alg_spacing_measure(const vec3 *points, size_t count, alg_spacing *spacing,
                                base_error *err) BASE_MUST_CHECK;

#endif
