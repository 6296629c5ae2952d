/** Random poses for the soak test, half of them degenerate or nearly so. */
#ifndef SUITE_TESTS_SOAK_POSES_H
#define SUITE_TESTS_SOAK_POSES_H

#include "base/random.h"
#include "suite/inputs/pair.h"

typedef struct soak_spot {
    vec3 position; /* of B, as in trajectories */
    geo_quat orientation;
    bool snapped; /* true if made degenerate: the volume's gradient may be discontinuous there */
} soak_spot;

/**
 * Makes pose number `index` of a pair. Of each eight poses in sequence:
 *
 *   three   overlap, by up to half the smaller body's extent
 *   one     is random within the reach of the bodies
 *   one     is in contact, exactly or with a relative deviation of at most 1e-6
 *   two     have parallel axes, with sides or centres of boxes in planes of a lattice
 *   one     has a vertex of B on a vertex of A
 */
soak_spot soak_spot_make(const bench_pair *pair, size_t index, base_random *random);

#endif
