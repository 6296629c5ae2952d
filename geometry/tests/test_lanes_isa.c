#include "base/random.h"
#include "geometry/lanes.h"
#include "geometry/triangle.h"

#include <criterion/criterion.h>

/* Both instruction sets are in one program, each with its own suite. */
#ifdef __AVX2__
#define lanes lanes_avx2
#else
#define lanes lanes_sse2
#endif

static vec3 random_point(base_random *random, double size)
{
    const double x = base_random_range(random, -size, size);
    const double y = base_random_range(random, -size, size);
    return (vec3){x, y, base_random_range(random, -size, size)};
}

/**
 * Makes a plain triangle, a sliver of any thinness with its small angle at any corner, a segment or
 * a point.
 */
static geo_triangle random_triangle(base_random *random, uint32_t kind)
{
    const vec3 p = random_point(random, 1), q = random_point(random, 1);
    if (kind == 0) {
        return (geo_triangle){{p, q, random_point(random, 1)}};
    }
    const double thin = kind == 3 ? 0 : ldexp(1, -(int)base_random_below(random, 50));
    const double along = kind == 1 ? base_random_range(random, -0.2, 1.2) : kind == 2;
    const vec3 on_edge = vec3_madd(p, along, vec3_sub(q, p));
    const vec3 r = vec3_madd(on_edge, thin, random_point(random, 1));
    const vec3 corners[] = {p, q, r};
    const uint32_t first = (uint32_t)base_random_below(random, 3);
    return (geo_triangle){{corners[first], corners[(first + 1) % 3], corners[(first + 2) % 3]}};
}

/** A number in [0, 1), half of the time near 0. */
static double random_coordinate(base_random *random)
{
    const double unit = base_random_unit(random);
    return base_random_below(random, 2) == 0
               ? unit
               : ldexp(unit, -10 - (int)base_random_below(random, 25));
}

/**
 * Moves t so that one of its corners is above the inside of s, by any height or by about the width
 * of s, and often near an edge. Only then can the answer show that the foot of a corner in a very
 * thin triangle was missed.
 */
static void move_near(base_random *random, const geo_triangle *s, geo_triangle *t)
{
    const double u = random_coordinate(random), v = (1 - u) * random_coordinate(random);
    const uint32_t first = (uint32_t)base_random_below(random, 3);
    const vec3 p = s->p[first], along = vec3_sub(s->p[(first + 1) % 3], p),
               aside = vec3_sub(s->p[(first + 2) % 3], p);
    const vec3 inside = vec3_madd(vec3_madd(p, u, along), v, aside);
    const vec3 n = vec3_cross(along, aside);
    const double length = vec3_norm(n), edge = vec3_norm(along);
    const double size = base_random_below(random, 2) == 0 && edge > 0 ? length / edge : 16;
    const double up = ldexp(size, -(int)base_random_below(random, size == 16 ? 40 : 4));
    const vec3 target = length > 0 ? vec3_madd(inside, up / length, n) : inside;
    const vec3 by = vec3_sub(target, t->p[base_random_below(random, 3)]);
    for (int k = 0; k < 3; k++) {
        t->p[k] = vec3_add(t->p[k], by);
    }
}

Test(lanes, distances_have_the_bits_of_single_pairs)
{
    base_random random = base_random_seed(41);
    int slivers = 0;
    for (int round = 0; round < 20000; round++) {
        geo_triangle s[GEO_DISTANCE_LANES], t[GEO_DISTANCE_LANES];
        geo_distance_batch batch;
        const int size = 1 + (int)base_random_below(&random, GEO_DISTANCE_LANES);
        for (int i = 0; i < size; i++) {
            const uint32_t kinds[] = {(uint32_t)base_random_below(&random, 4),
                                      (uint32_t)base_random_below(&random, 4)};
            s[i] = random_triangle(&random, kinds[0]);
            t[i] = random_triangle(&random, kinds[1]);
            slivers += (kinds[0] | kinds[1]) != 0;
            if (base_random_below(&random, 3) != 0) {
                move_near(&random, &s[i], &t[i]);
            }
            geo_distance_batch_put(&batch, i, &s[i], &t[i]);
        }
        geo_distance_answer answer;
        geo_distance_batch_pad(&batch, size);
        geo_distance_batch_measure(&batch, &answer);
        for (int i = 0; i < size; i++) {
            const double single = geo_triangle_distance2(s[i], t[i], NULL, NULL);
            cr_assert(memcmp(&answer.distance2[i], &single, sizeof single) == 0,
                      "round %d, lane %d of %d: %.17g, a single pair has %.17g", round, i, size,
                      answer.distance2[i], single);
        }
    }
    cr_assert(slivers > 20000, "%d", slivers);
}
