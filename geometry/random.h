/** Random directions and rotations, with the same bits everywhere. */
#ifndef GEOMETRY_RANDOM_H
#define GEOMETRY_RANDOM_H

#include "base/random.h"
#include "geometry/vec.h"

/**
 * Returns a direction with uniform distribution on the unit sphere. Marsaglia 1972: a point of the
 * disc, projected to the sphere.
 */
vec3 geo_random_direction(base_random *random);
/**
 * Returns a uniformly distributed rotation. Shoemake 1992: the subgroup method, from three uniform
 * numbers.
 */
geo_quat geo_random_rotation(base_random *random);

#endif
