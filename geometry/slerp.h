/** Interpolation of orientations and directions. */
#ifndef GEOMETRY_SLERP_H
#define GEOMETRY_SLERP_H

#include "geometry/types.h"

/** Shortest arc from a (share 0) to b (share 1), at constant speed. */
geo_quat geo_slerp(geo_quat a, geo_quat b, double share);
/** The same for directions: along the great circle. */
vec3 geo_slerp_direction(vec3 a, vec3 b, double share);
/** Between unit vectors, without cancellation. */
double geo_direction_angle(vec3 a, vec3 b);
/** |a - b| of the nearer of b and -b: 2 sin(angle / 4), with the angle between two orientations. */
double geo_quat_chord(geo_quat a, geo_quat b);

#endif
