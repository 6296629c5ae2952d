/**
 * Coherence of frames: a region keeps the direction of the previous frame as long as that is nearly
 * as good as its own.
 *
 * Source   LPD 6, "Locality": information of previous time steps, against directions that jump.
 */
#ifndef ALGORITHMS_LPD_COHERENCE_H
#define ALGORITHMS_LPD_COHERENCE_H

#include "algorithms/lpd/response.h"

/** Share of its own depth by which a region's depth along the previous direction may be greater. */
#define ALG_LPD_KEEPS 0.1

enum { ALG_LPD_PAST_MAX = 64 };

/** The first regions of the previous frame, ALG_LPD_PAST_MAX at most. */
typedef struct alg_lpd_past {
    vec3 point[ALG_LPD_PAST_MAX], direction[ALG_LPD_PAST_MAX];
    uint32_t count;
} alg_lpd_past;

/**
 * Finds the direction of the nearest region of the previous frame: the distance between the two box
 * centres must not exceed the diagonal of `box`. Returns false if there is no such region.
 */
bool alg_lpd_past_direction(const alg_lpd_past *past, const alg_lpd_box *box, vec3 *direction);

/** Replaces the stored regions by those of this frame that have a finite depth. */
void alg_lpd_past_keep(alg_lpd_past *past, const alg_lpd_region *regions, uint32_t count);

#endif
