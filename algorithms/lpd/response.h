/**
 * What a simulation takes from regions: contacts, a force, and the ways out themselves.
 *
 * A region whose depth is infinite has no way out that is known: it is left out everywhere.
 */
#ifndef ALGORITHMS_LPD_RESPONSE_H
#define ALGORITHMS_LPD_RESPONSE_H

#include "algorithms/algorithms.h"
#include "algorithms/lpd/boxes.h"

/** A group of curves and the way out of it. */
typedef struct alg_lpd_region {
    alg_lpd_way way;
    alg_lpd_box box; /* of the way: its third axis is the direction or against it */
    uint32_t group;  /* number */
} alg_lpd_region;

/** Regions and what they were made from. */
typedef struct alg_lpd_regions {
    const alg_lpd_segments *segments;
    const alg_lpd_curves *curves;
    const alg_lpd_groups *groups;
    const alg_lpd_region *items;
    uint32_t count;
} alg_lpd_regions;

/**
 * Each point of the curves once, in their order, with the region's direction as its normal. Its depth is that of the region,
 * and as much more as the point is ahead of the middle of the box along the direction; at least 0.
 *
 * Returns  how many there are, however many there is room for.
 * Source   LPD 4: the depth "offset by the signed distance of the endpoint to the curve's fitting plane".
 */
uint32_t alg_lpd_contacts(const alg_lpd_regions *regions, alg_contact *contacts, uint32_t capacity);

/** On B, in m3, and in m4 about a point. */
typedef struct alg_lpd_wrench {
    vec3 force, torque;
} alg_lpd_wrench;

/**
 * The sum over regions of depth times area, as it is seen along the direction: in the direction, at the middle of the box.
 * about: B's centroid, moved.
 */
alg_lpd_wrench alg_lpd_force(const alg_lpd_regions *regions, vec3 about);

/**
 * The regions as entries of an answer: the window of each is the rectangle of its box.
 *
 * Returns  how many there are, however many there is room for.
 */
uint32_t alg_lpd_entries(const alg_lpd_regions *regions, alg_region *entries, uint32_t capacity);

#endif
