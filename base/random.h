/** Random numbers, xoshiro256** seeded by splitmix64: the same bits everywhere. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

typedef struct base_random {
    uint64_t s[4];
} base_random;

base_random base_random_seed(uint64_t seed);
uint64_t base_random_u64(base_random *random);
/** Returns a uniform number in [0, n), unbiased; n >= 1. */
uint64_t base_random_below(base_random *random, uint64_t n);
/** Returns a uniform number in [0, 1), 53 bits. */
double base_random_unit(base_random *random);
/** Returns a uniform number in [lo, hi); lo if the two are equal. */
double base_random_range(base_random *random, double lo, double hi);

#endif
