#include "geometry/elementary.h"
#include "geometry/geometry.h"

#include <math.h>

static uint64_t rotate_left(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

/** splitmix64: advances *state and mixes it. */
static uint64_t splitmix(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

geo_random geo_random_seed(uint64_t seed)
{
    geo_random random;
    for (int i = 0; i < 4; i++) {
        random.s[i] = splitmix(&seed);
    }
    return random;
}

/* xoshiro256** */
uint64_t geo_random_u64(geo_random *random)
{
    uint64_t *const s = random->s;
    const uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    const uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t geo_random_below(geo_random *random, uint64_t n)
{
    geo_assert(n >= 1);
    /* 2^64 mod n values at the low end are surplus: dropping them leaves a multiple of n. */
    const uint64_t surplus = (UINT64_MAX - n + 1) % n;
    uint64_t x;
    do {
        x = geo_random_u64(random);
    } while (x < surplus);
    return x % n;
}

double geo_random_unit(geo_random *random)
{
    return (double)(geo_random_u64(random) >> 11) * 0x1p-53;
}

double geo_random_range(geo_random *random, double lo, double hi)
{
    const double value = lo + (hi - lo) * geo_random_unit(random);
    /* The sum may round up to hi. */
    return value < hi ? value : nextafter(hi, lo);
}

/* Marsaglia 1972: a point in the unit disc, lifted to the sphere with one square root. */
vec3 geo_random_direction(geo_random *random)
{
    double u, v, s;
    do {
        u = geo_random_range(random, -1, 1);
        v = geo_random_range(random, -1, 1);
        s = u * u + v * v;
    } while (s >= 1);
    const double lift = 2 * sqrt(1 - s);
    return (vec3){u * lift, v * lift, 1 - 2 * s};
}

/* Shoemake 1992 */
geo_quat geo_random_rotation(geo_random *random)
{
    const double split = geo_random_unit(random);
    const double first = 2 * GEO_PI * geo_random_unit(random);
    const double second = 2 * GEO_PI * geo_random_unit(random);
    const double r1 = sqrt(1 - split), r2 = sqrt(split);
    return (geo_quat){r1 * geo_sin(first), r1 * geo_cos(first), r2 * geo_sin(second),
                      r2 * geo_cos(second)};
}
