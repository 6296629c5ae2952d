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
    alg_lpd_box box;     /* of the way: its third axis is the direction or against it */
    alg_lpd_patch patch; /* of the group, about the middle of the group's box */
    uint32_t group;      /* number */
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
 * Each point of the curves once, in their order, with the region's direction as its normal. Its
 * depth is that of the region, and as much more as the point is ahead of the middle of the box
 * along the direction; at least 0.
 *
 * Returns  how many there are, however many there is room for.
 * Source   LPD 4: the depth "offset by the signed distance of the endpoint to the curve's fitting
 * plane".
 */
uint32_t alg_lpd_contacts(const alg_lpd_regions *regions, alg_contact *contacts, uint32_t capacity);

/** On B, in m3, and in m4 about a point. */
typedef struct alg_lpd_wrench {
    vec3 force, torque;
} alg_lpd_wrench;

/** Where the force of a region points to; in the order of the parameter's words. */
typedef enum alg_lpd_pushing {
    ALG_LPD_ALONG_AREA,  /* along the vector area */
    ALG_LPD_ALONG_DEPTH, /* along the direction of the depth */
} alg_lpd_pushing;

/**
 * The sum over regions of depth times area. Along the vector area it is depth times the gradient of
 * the volume that the region has in common, and its torque. Along the direction of the depth it is
 * depth times the area that is seen along that direction, at the middle of the box.
 *
 * about: B's centroid, moved.
 */
alg_lpd_wrench alg_lpd_force(const alg_lpd_regions *regions, alg_lpd_pushing along, vec3 about);

/**
 * The regions as entries of an answer: the window of each is the rectangle of its box.
 *
 * Returns  how many there are, however many there is room for.
 */
uint32_t alg_lpd_entries(const alg_lpd_regions *regions, alg_region *entries, uint32_t capacity);

#endif
