/** The sphere of a packing that is nearest to a point. */
#ifndef ALGORITHMS_IST_FINDER_H
#define ALGORITHMS_IST_FINDER_H

#include "algorithms/ist/packing.h"
#include "base/arena.h"
#include "base/error.h"
#include "geometry/bvh.h"

typedef struct alg_ist_finder {
    const alg_ist_packing *packing; /* borrowed; its centres and radii */
    geo_bvh bvh;
} alg_ist_finder;

/** No sphere: a search without a hint. */
#define ALG_IST_NO_SPHERE UINT32_MAX

/** Shapes: one sphere or more. Errors: BASE_ERR_MEMORY. Memory: arena. */
base_status alg_ist_finder_build(const alg_ist_packing *packing, base_arena *arena,
                                 alg_ist_finder *finder, base_error *err) BASE_MUST_CHECK;

/**
 * The sphere with the smallest |p - c| - r, of equal ones the first, and that value in *gap.
 *
 * hint: any sphere, or ALG_IST_NO_SPHERE; it changes the time alone.
 * Cost     O(log n): about 1 us.
 */
uint32_t alg_ist_find_sphere(const alg_ist_finder *finder, vec3 p, uint32_t hint, double *gap);

#endif
