/** Random directions and rotations, with the same bits everywhere. */
#ifndef GEOMETRY_RANDOM_H
#define GEOMETRY_RANDOM_H

#include "base/random.h"
#include "geometry/vec.h"

/** Uniform on the unit sphere. Marsaglia 1972: a point of the disc, lifted. */
vec3 geo_random_direction(base_random *random);
/** Uniform rotation. Shoemake 1992: the subgroup method, from three uniforms. */
geo_quat geo_random_rotation(base_random *random);

#endif
