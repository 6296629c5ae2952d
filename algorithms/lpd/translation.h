/** One translation that takes B out of several regions at once. */
#ifndef ALGORITHMS_LPD_TRANSLATION_H
#define ALGORITHMS_LPD_TRANSLATION_H

#include "algorithms/lpd/response.h"

/**
 * Finds the shortest t with direction . t >= depth for all regions: a quadratic program with three
 * unknowns. Regions are added one after the other. If the best t so far does not satisfy the new
 * region, the new t satisfies it with equality. It is then searched in that plane among the regions
 * before, and in the same way on a line.
 *
 * Regions of infinite depth are ignored.
 *
 * Returns  false if no such t is at most limit_m long, because some regions are opposed. *t is not
 *          changed then.
 * Errors   each region is satisfied to 1e-12 limit_m, and t is the shortest up to rounding.
 * Memory   no allocation.
 * Cost     microseconds for a few regions; O(count^3) at worst.
 */
bool alg_lpd_translation(const alg_lpd_region *regions, uint32_t count, double limit_m, vec3 *t);

#endif
