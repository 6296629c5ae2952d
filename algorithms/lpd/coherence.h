/**
 * Coherence of frames: a region keeps the direction of the frame before as long as it is nearly as
 * good as its own.
 *
 * Source   LPD 6, "Locality": information of previous time steps, against directions that jump.
 */
#ifndef ALGORITHMS_LPD_COHERENCE_H
#define ALGORITHMS_LPD_COHERENCE_H

#include "algorithms/lpd/response.h"

/** By which part of its own depth a region may be deeper along the direction of the frame before.
 */
#define ALG_LPD_KEEPS 0.1

enum { ALG_LPD_PAST_MAX = 64 };

/** Regions of the frame before, the first ones. */
typedef struct alg_lpd_past {
    vec3 point[ALG_LPD_PAST_MAX], direction[ALG_LPD_PAST_MAX];
    uint32_t count;
} alg_lpd_past;

/**
 * The direction of that region of the frame before whose middle is nearest to the box's, and no
 * farther from it than the box's diagonal is long. Returns false without one.
 */
bool alg_lpd_past_direction(const alg_lpd_past *past, const alg_lpd_box *box, vec3 *direction);

/** Keeps the regions of a frame that have a way out, instead of those before. */
void alg_lpd_past_keep(alg_lpd_past *past, const alg_lpd_region *regions, uint32_t count);

#endif
