#include "algorithms/imp/balls.h"

#include "base/error.h"
#include "geometry/sphere.h"
#include "geometry/vec.h"

enum { CHILDREN = 8, CORNERS = 8 };

/**
 * Returns the corner with coordinate +extent along x, y, z where bit 0, 1, 2 is set, else -extent.
 */
static vec3 corner_of(unsigned bits, vec3 extent)
{
    return (vec3){bits & 1 ? extent.x : -extent.x, bits & 2 ? extent.y : -extent.y,
                  bits & 4 ? extent.z : -extent.z};
}

/**
 * Returns the ball around the cubes of a pattern. `extent`: half extents of each cube; their
 * centres are the corners of the box with half extents `centre`.
 */
static geo_ball enclose(unsigned pattern, vec3 centre, vec3 extent)
{
    geo_ball points[CHILDREN * CORNERS];
    size_t count = 0;
    for (unsigned child = 0; child < CHILDREN; child++) {
        for (unsigned corner = 0; corner < CORNERS && pattern >> child & 1; corner++) {
            points[count++] =
                (geo_ball){vec3_add(corner_of(child, centre), corner_of(corner, extent)), 0};
        }
    }
    return geo_ball_enclose(points, count);
}

geo_ball alg_imp_ball_of_cubes(unsigned pattern)
{
    base_assert(pattern >= 1 && pattern <= 255);
    return enclose(pattern, (vec3){1, 1, 1}, (vec3){1, 1, 1});
}

geo_ball alg_imp_ball_of_voxels(unsigned pattern, double halves)
{
    base_assert(pattern >= 1 && pattern <= 255 && halves >= 1);
    const double inner = halves - 1;
    geo_ball ball = enclose(pattern, (vec3){halves, halves, halves}, (vec3){inner, inner, inner});
    ball.radius += sqrt(3);
    return ball;
}

geo_ball alg_imp_ball_of_squares(unsigned pattern)
{
    base_assert(pattern >= 1 && pattern <= 15);
    return enclose(pattern, (vec3){1, 1, 0}, (vec3){1, 1, 0});
}
