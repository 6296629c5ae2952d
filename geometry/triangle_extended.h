/** Distance of triangles in extended precision: the oracle of tests and of brute force. */
#ifndef GEOMETRY_TRIANGLE_EXTENDED_H
#define GEOMETRY_TRIANGLE_EXTENDED_H

#include "geometry/vec.h"

/** Squared distance of two closed triangles by the plain formulas, 0 if they intersect. */
long double geo_triangle_distance2_extended(geo_triangle s, geo_triangle t);

#endif
