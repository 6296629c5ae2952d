/** Selects evenly distributed points, and measures how evenly points are distributed. */
#ifndef ALGORITHMS_VOXEL_SPACING_H
#define ALGORITHMS_VOXEL_SPACING_H

#include "base/error.h"
#include "geometry/vec.h"

/**
 * Selects a maximal Poisson-disk subset. Points are tried in a random order, but the first
 * `first_count` points before all others. A point is accepted unless it is nearer than a radius to
 * an accepted point. So the distance of two accepted points is at least the radius, and each
 * rejected point is nearer than the radius to an accepted one.
 *
 * A search finds a radius for which the number of accepted points is `target` within 1 %. If it
 * finds none, the radius with the number nearest to the target is used. With a handful of points
 * the number may be off by one. The number never exceeds that of different points.
 *
 * Shapes   points[count], count < 2^32. guess > 0: radius at which the search starts, in metres.
 *          chosen: room for `count` entries; the first *chosen_count entries are filled with
 *          indices into `points`, in the order in which the points were accepted. *radius: filled
 *          with the radius, in metres.
 * Errors   BASE_ERR_MEMORY.
 * Cost     about 0.2 us per point for each radius that is tried; the search tries five to ten.
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
 * Shapes   points: in any order; the search is faster if near points are near in the array.
 * Errors   BASE_ERR_MEMORY.
 * Cost     about 2 us per point; the search runs on all CPUs. The result does not depend on their
 *          number.
 */
base_status alg_spacing_measure(const vec3 *points, size_t count, alg_spacing *spacing,
                                base_error *err) BASE_MUST_CHECK;

#endif
