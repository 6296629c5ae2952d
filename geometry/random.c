#include "geometry/random.h"

#include "base/elementary.h"

#include <math.h>

/* Marsaglia 1972: a point in the unit disc, projected to the sphere with one square root. */
vec3 geo_random_direction(base_random *random)
{
    double u, v, s;
    do {
        u = base_random_range(random, -1, 1);
        v = base_random_range(random, -1, 1);
        s = u * u + v * v;
    } while (s >= 1);
    const double lift = 2 * sqrt(1 - s);
    return (vec3){u * lift, v * lift, 1 - 2 * s};
}

/* Shoemake 1992. */
geo_quat geo_random_rotation(base_random *random)
{
    const double split = base_random_unit(random);
    const double first = 2 * BASE_PI * base_random_unit(random);
    const double second = 2 * BASE_PI * base_random_unit(random);
    const double r1 = sqrt(1 - split), r2 = sqrt(split);
    return (geo_quat){r1 * base_sin(first), r1 * base_cos(first), r2 * base_sin(second),
                      r2 * base_cos(second)};
}
