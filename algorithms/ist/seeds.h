/**
 * Seeds: points of a node around which the simple clusterings gather the others. Private to
 * clustering.c and seeds.c.
 *
 * Source   IST III-B, which names them as what neural gas was compared with.
 */
#ifndef ALGORITHMS_IST_SEEDS_H
#define ALGORITHMS_IST_SEEDS_H

#include "algorithms/ist/tree.h"

/**
 * The points of largest weight (of equal ones the first), no two at one place. Returns how many
 * there are, at most k.
 */
uint32_t alg_ist_seeds_biggest(const alg_ist_points *points, uint32_t k, vec3 *seeds);

/** Those with most neighbours, as ALG_IST_NEIGHBOURS says; otherwise the same. */
uint32_t alg_ist_seeds_neighbours(const alg_ist_points *points, uint32_t k, vec3 *seeds);

#endif
