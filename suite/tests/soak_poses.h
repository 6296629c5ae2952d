/** Random poses for the soak test, half of them degenerate or nearly so. */
#ifndef SUITE_TESTS_SOAK_POSES_H
#define SUITE_TESTS_SOAK_POSES_H

#include "base/random.h"
#include "suite/inputs/pair.h"

typedef struct soak_spot {
    vec3 position; /* of B, as in trajectories */
    geo_quat orientation;
    bool snapped; /* made to be degenerate: the gradient may be discontinuous there */
} soak_spot;

/**
 * Makes pose number `index` of a pair. The kinds alternate: three overlaps of up to half the
 * smaller body's extent, one anywhere, one in contact up to the last digits, two with box sides in
 * planes of a lattice and with axes that agree, one with a vertex on a vertex.
 */
soak_spot soak_spot_make(const bench_pair *pair, size_t index, base_random *random);

#endif
