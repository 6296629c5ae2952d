/** One translation that takes B out of several regions at once. */
#ifndef ALGORITHMS_LPD_TRANSLATION_H
#define ALGORITHMS_LPD_TRANSLATION_H

#include "algorithms/lpd/response.h"

/**
 * The shortest t with direction . t >= depth for all regions: a quadratic program of three
 * unknowns. Regions come in one after the other. One that the best t so far does not satisfy is
 * satisfied with equality by the new one, which is then sought in that plane among the regions
 * before, and in the same way on a line.
 *
 * Regions whose depth is infinite are left out.
 *
 * Returns  false if there is none that is at most limit_m long: some regions are opposed. *t is not
 * changed then. Errors   each region is satisfied to 1e-12 limit_m, and t is the shortest to
 * rounding. Memory   no allocation.
 * Cost     microseconds for a few regions; O(count^3) at worst.
 */
bool alg_lpd_translation(const alg_lpd_region *regions, uint32_t count, double limit_m, vec3 *t);

#endif
