/** Measures how evenly points are distributed. */
#ifndef ALGORITHMS_VOXEL_SPACING_H
#define ALGORITHMS_VOXEL_SPACING_H

#include "base/error.h"
#include "geometry/vec.h"

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
