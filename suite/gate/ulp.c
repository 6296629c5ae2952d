#include "suite/gate/gate.h"

#include <math.h>
#include <string.h>

/** Doubles as integers in the same order: neighbours differ by one, both zeros are 0. */
static int64_t ordinal(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >= 0 ? bits : INT64_MIN - bits;
}

uint64_t bench_ulps_apart(double a, double b)
{
    if (isnan(a) || isnan(b)) {
        return isnan(a) && isnan(b) ? 0 : UINT64_MAX;
    }
    const int64_t x = ordinal(a), y = ordinal(b);
    /* Modulo 2^64 the difference is right also where a signed one would overflow. */
    return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}
