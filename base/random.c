#include "base/random.h"

#include "base/error.h"

#include <math.h>

static uint64_t rotate_left(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

base_random base_random_seed(uint64_t seed)
{
    base_random random;
    for (int i = 0; i < 4; i++) { /* splitmix64 */
        seed += UINT64_C(0x9e3779b97f4a7c15);
        uint64_t z = seed;
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        random.s[i] = z ^ (z >> 31);
    }
    return random;
}

/* xoshiro256** */
uint64_t base_random_u64(base_random *random)
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

uint64_t base_random_below(base_random *random, uint64_t n)
{
    base_assert(n >= 1);
    /* 2^64 mod n values at the low end are surplus; rejecting them leaves a multiple of n. */
    const uint64_t surplus = (UINT64_MAX - n + 1) % n;
    uint64_t x;
    do {
        x = base_random_u64(random);
    } while (x < surplus);
    return x % n;
}

double base_random_unit(base_random *random)
{
    return (double)(base_random_u64(random) >> 11) * 0x1p-53;
}

double base_random_range(base_random *random, double lo, double hi)
{
    const double value = lo + (hi - lo) * base_random_unit(random);
    /* The sum may round up to hi. */
    return value < hi ? value : nextafter(hi, lo);
}
