/** Segments as a worse intersection test would find them: some are missing, and ends do not
 * coincide. */
#ifndef ALGORITHMS_LPD_NOISE_H
#define ALGORITHMS_LPD_NOISE_H

#include "algorithms/lpd/segments.h"

typedef struct alg_lpd_noise {
    double drop;   /* the share of segments that are left out, from 0 to 1 */
    double move_m; /* each coordinate of an end is moved by at most that, evenly spread */
    uint64_t seed;
} alg_lpd_noise;

/**
 * Leaves out segments and moves the ends of the others, each by itself. The same list and seed have
 * the same answer. With drop and move_m of 0 nothing changes.
 *
 * Source   LPD 2: "two adjacent intersection segments on an intersection curve might not have a
 *          common endpoint", and "some missing intersection segments".
 */
void alg_lpd_noise_add(const alg_lpd_noise *noise, alg_lpd_segments *segments);

#endif
