/** Simulates the segments of a less robust intersection test: some are missing, and ends do not
 * coincide. */
#ifndef ALGORITHMS_LPD_NOISE_H
#define ALGORITHMS_LPD_NOISE_H

#include "algorithms/lpd/segments.h"

typedef struct alg_lpd_noise {
    double drop;   /* share of segments that are left out, from 0 to 1 */
    double move_m; /* each coordinate of an end is moved by at most this, uniformly distributed */
    uint64_t seed;
} alg_lpd_noise;

/**
 * Leaves out segments and moves the ends of the others, each independently. The same list and seed
 * give the same result. With drop and move_m of 0 nothing changes.
 *
 * Source   LPD 2: "two adjacent intersection segments on an intersection curve might not have a
 *          common endpoint", and "some missing intersection segments".
 */
void alg_lpd_noise_add(const alg_lpd_noise *noise, alg_lpd_segments *segments);

#endif
