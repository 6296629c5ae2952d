/** An evenly spread choice of points. */
#ifndef ALGORITHMS_VOXEL_BLUE_NOISE_H
#define ALGORITHMS_VOXEL_BLUE_NOISE_H

#include "base/error.h"
#include "geometry/vec.h"

/**
 * A maximal Poisson-disk subset: points are tried in a random order, the first `first_count` of
 * them before the others, and each is taken unless one nearer than a radius has been taken before.
 * So no two are nearer than the radius, and each point that is not taken is nearer than it to one
 * that is. The radius is searched for such that `target` points are taken, or within 1 % of it;
 * where that does not succeed, as near to it as was seen: a handful of points may be one off, and
 * there are no more than there are different points.
 *
 * Shapes   points[count], count < 2^32. guess > 0: a radius to begin with, which changes the time
 *          alone. chosen: room for `count`; filled with
 *          places in `points`, in the order in which they were taken.
 * Errors   BASE_ERR_MEMORY.
 * Cost     about 0.2 us a point, five to ten times.
 * Source   dart throwing: Cook1986.
 */
base_status alg_blue_noise_choose(const vec3 *points, size_t first_count, size_t count,
                                  size_t target, double guess, uint64_t seed, uint32_t *chosen,
                                  size_t *chosen_count, double *radius,
                                  base_error *err) BASE_MUST_CHECK;

#endif
