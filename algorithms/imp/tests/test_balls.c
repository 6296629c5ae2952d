/** Tests the balls around children: all patterns, against radii that are known analytically. */
#include "algorithms/imp/balls.h"

#include "geometry/vec.h"

#include <criterion/criterion.h>

enum { PATTERNS = 256, CLASSES = 5 };

static vec3 place_of(unsigned child)
{
    return (vec3){child & 1 ? 1 : -1, child & 2 ? 1 : -1, child & 4 ? 1 : -1};
}

/**
 * Returns the class of a pattern, by the size of its ball: one child, two along an edge, others in
 * a face, three across faces with or without the child between them, and the rest, which have the
 * ball of the whole node.
 */
static int class_of(unsigned pattern)
{
    int faces = 0;
    for (int axis = 0; axis < 3; axis++) {
        bool sides[2] = {false, false};
        for (unsigned child = 0; child < 8; child++) {
            sides[child >> axis & 1] |= pattern >> child & 1;
        }
        faces += !(sides[0] && sides[1]);
    }
    if (faces > 0) {
        return 3 - faces;
    }
    for (unsigned corner = 0; corner < 8; corner++) {
        const unsigned three = 1u << (corner ^ 1) | 1u << (corner ^ 2) | 1u << (corner ^ 4);
        if ((pattern | 1u << corner) == (three | 1u << corner)) {
            return 3;
        }
    }
    return 4;
}

Test(imp_balls, radii_are_those_known_by_hand)
{
    /* Boxes have their half diagonals. For three children across faces the centre is at -2/3 (1, 1,
     * 1): the squared distance of (2, -2, -2) from -t (1, 1, 1) is 12 - 4 t + 3 t^2, which is
     * smallest for t = 2/3. */
    const double radii[CLASSES] = {sqrt(3), sqrt(6), 3, sqrt(32.0 / 3), 2 * sqrt(3)};
    const int wanted[CLASSES] = {8, 12, 42, 16, 177};
    int counts[CLASSES] = {0}, smaller = 0;
    for (unsigned pattern = 1; pattern < PATTERNS; pattern++) {
        const geo_ball ball = alg_imp_ball_of_cubes(pattern);
        const int class = class_of(pattern);
        cr_assert(fabs(ball.radius - radii[class]) < 1e-12, "pattern %u: %.17g, not %.17g", pattern,
                  ball.radius, radii[class]);
        counts[class]++;
        smaller += ball.radius < 2 * sqrt(3) - 1e-9;
    }
    for (int i = 0; i < CLASSES; i++) {
        cr_assert_eq(counts[i], wanted[i], "%d patterns of class %d", counts[i], i);
    }
    cr_assert_eq(smaller, 78);
    const geo_ball three = alg_imp_ball_of_cubes(1u << 1 | 1u << 2 | 1u << 4);
    cr_assert(vec3_distance(three.centre, (vec3){-2.0 / 3, -2.0 / 3, -2.0 / 3}) < 1e-12);
}

Test(imp_balls, squares_have_eight_smaller_circles)
{
    int counts[3] = {0};
    for (unsigned pattern = 1; pattern < 16; pattern++) {
        const geo_ball ball = alg_imp_ball_of_squares(pattern);
        const bool one = (pattern & (pattern - 1)) == 0;
        const bool edge = pattern == 3 || pattern == 5 || pattern == 10 || pattern == 12;
        const double wanted = one ? sqrt(2) : edge ? sqrt(5) : 2 * sqrt(2);
        cr_assert(fabs(ball.radius - wanted) < 1e-12, "pattern %u: %.17g", pattern, ball.radius);
        cr_assert(fabs(ball.centre.z) < 1e-15);
        counts[one ? 0 : edge ? 1 : 2]++;
    }
    cr_assert(counts[0] == 4 && counts[1] == 4 && counts[2] == 7);
}

Test(imp_balls, corners_of_all_cubes_are_held)
{
    for (unsigned pattern = 1; pattern < PATTERNS; pattern++) {
        const geo_ball ball = alg_imp_ball_of_cubes(pattern);
        for (unsigned i = 0; i < 64; i++) {
            const vec3 corner = vec3_add(place_of(i / 8), place_of(i % 8));
            cr_assert(!(pattern >> i / 8 & 1) ||
                          vec3_distance(corner, ball.centre) <= ball.radius * (1 + 1e-15),
                      "pattern %u, corner %u", pattern, i);
        }
    }
}

Test(imp_balls, balls_of_voxels_are_held_at_all_sizes)
{
    for (double halves = 1; halves <= 64; halves *= 2) {
        const double half = halves - 1, longer = 2 * halves - 1;
        /* Boxes of children have the half diagonals of their voxels' centres. Three children across
         * faces are as above, with (m, -m, -m), m = 2 h - 1: 3 m^2 - 2 m t + 3 t^2 is smallest for
         * t = m / 3. */
        const double across = longer * sqrt(8.0 / 3);
        const double radii[CLASSES] = {half * sqrt(3), sqrt(longer * longer + 2 * half * half),
                                       sqrt(2 * longer * longer + half * half), across,
                                       longer * sqrt(3)};
        for (unsigned pattern = 1; pattern < PATTERNS; pattern++) {
            const geo_ball ball = alg_imp_ball_of_voxels(pattern, halves);
            const double wanted = radii[class_of(pattern)] + sqrt(3);
            cr_assert(fabs(ball.radius - wanted) < 1e-12 * wanted,
                      "pattern %u at %g: %.17g, not %.17g", pattern, halves, ball.radius, wanted);
            for (unsigned i = 0; i < 64; i++) {
                const vec3 voxel =
                    vec3_madd(vec3_scale(halves, place_of(i / 8)), half, place_of(i % 8));
                const double reach = vec3_distance(voxel, ball.centre) + sqrt(3);
                cr_assert(!(pattern >> i / 8 & 1) || reach <= ball.radius * (1 + 1e-15),
                          "pattern %u at %g, voxel %u", pattern, halves, i);
            }
        }
    }
}

/** Applies one of the 48 symmetries of a cube: a permutation of the axes and reflections. */
static vec3 transform(int symmetry, vec3 v)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const int *const order = orders[symmetry / 8];
    return (vec3){vec3_get(v, order[0]) * (symmetry & 1 ? -1 : 1),
                  vec3_get(v, order[1]) * (symmetry & 2 ? -1 : 1),
                  vec3_get(v, order[2]) * (symmetry & 4 ? -1 : 1)};
}

static unsigned transform_pattern(int symmetry, unsigned pattern)
{
    unsigned turned = 0;
    for (unsigned child = 0; child < 8; child++) {
        const vec3 at = transform(symmetry, place_of(child));
        const unsigned to = (at.x > 0 ? 1u : 0u) | (at.y > 0 ? 2u : 0u) | (at.z > 0 ? 4u : 0u);
        turned |= (pattern >> child & 1) << to;
    }
    return turned;
}

Test(imp_balls, symmetric_patterns_have_symmetric_balls)
{
    for (unsigned pattern = 1; pattern < PATTERNS; pattern++) {
        const geo_ball cubes = alg_imp_ball_of_cubes(pattern);
        const geo_ball voxels = alg_imp_ball_of_voxels(pattern, 2);
        for (int s = 0; s < 48; s++) {
            const unsigned turned = transform_pattern(s, pattern);
            const geo_ball a = alg_imp_ball_of_cubes(turned);
            const geo_ball b = alg_imp_ball_of_voxels(turned, 2);
            cr_assert(vec3_distance(a.centre, transform(s, cubes.centre)) < 1e-12 &&
                          vec3_distance(b.centre, transform(s, voxels.centre)) < 1e-12,
                      "pattern %u, symmetry %d", pattern, s);
        }
    }
}
