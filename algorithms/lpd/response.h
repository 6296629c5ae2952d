/**
 * Output of regions for a simulation: contacts, a force, and the translations out of regions.
 *
 * A region of infinite depth has no known translation. It is left out of all outputs.
 */
#ifndef ALGORITHMS_LPD_RESPONSE_H
#define ALGORITHMS_LPD_RESPONSE_H

#include "algorithms/algorithms.h"
#include "algorithms/lpd/boxes.h"

/** A group of curves, and the translation of B out of it. */
typedef struct alg_lpd_region {
    alg_lpd_translation translation;
    alg_lpd_box box;     /* box of the translation; its third axis is the direction or the
                            opposite of it */
    alg_lpd_patch patch; /* of the group, about the centre of the group's box */
    uint32_t group;      /* index */
} alg_lpd_region;

/** Regions and their inputs. */
typedef struct alg_lpd_regions {
    const alg_lpd_segments *segments;
    const alg_lpd_curves *curves;
    const alg_lpd_groups *groups;
    const alg_lpd_region *items;
    uint32_t count;
} alg_lpd_regions;

/**
 * Lists each point of the curves once, in the order of the curves. The normal of a contact is the
 * region's direction. Its depth is the region's depth plus the distance of the point from the box's
 * centre along the direction (negative behind it), but at least 0.
 *
 * Returns  the number of contacts, which may exceed capacity.
 * Source   LPD 4: the depth "offset by the signed distance of the endpoint to the curve's fitting
 *          plane".
 */
uint32_t alg_lpd_contacts(const alg_lpd_regions *regions, alg_contact *contacts, uint32_t capacity);

/** Force on B in m3, and torque about a point in m4. */
typedef struct alg_lpd_wrench {
    vec3 force, torque;
} alg_lpd_wrench;

/** Direction of a region's force, in the order of the parameter's words. */
typedef enum alg_lpd_pushing {
    ALG_LPD_ALONG_AREA,  /* along the vector area */
    ALG_LPD_ALONG_DEPTH, /* along the direction of the depth */
} alg_lpd_pushing;

/**
 * Returns the sum over regions of depth times area. With ALG_LPD_ALONG_AREA, the force of a region
 * is its depth times its vector area, and the torque is its depth times the moment of this area:
 * for solids, minus the gradient of the region's common volume, times the depth. With
 * ALG_LPD_ALONG_DEPTH, the force is the depth times the area projected along the direction of the
 * depth. It has this direction and acts at the centre of the box.
 *
 * about: B's centroid, moved by the pose.
 */
alg_lpd_wrench alg_lpd_force(const alg_lpd_regions *regions, alg_lpd_pushing along, vec3 about);

/**
 * Lists the regions as entries of an answer. The window of each is the rectangle of its box.
 *
 * Returns  the number of entries, which may exceed capacity.
 */
uint32_t alg_lpd_entries(const alg_lpd_regions *regions, alg_region *entries, uint32_t capacity);

/* --- One translation out of several regions --------------------------------------------------- */

/**
 * Finds the shortest t with direction . t >= depth for all regions: a quadratic program with three
 * unknowns. Regions are added one after the other. If the best t so far does not satisfy a new
 * region, the new t satisfies it with equality, so it is in a plane. It is searched in this plane
 * in the same way, with the regions before, and then on a line.
 *
 * Regions of infinite depth are ignored.
 *
 * Returns  false if no such t is at most limit_m long, because some regions are opposed. *t is not
 *          changed then.
 * Errors   each region is satisfied to 1e-12 limit_m, and t is the shortest up to rounding.
 * Memory   no allocation.
 * Cost     microseconds for a few regions; O(count^3) at worst.
 */
bool alg_lpd_translation_of_all(const alg_lpd_region *regions, uint32_t count, double limit_m,
                                vec3 *t);

/* --- Coherence of frames ---------------------------------------------------------------------- */

/*
 * A region keeps the direction of the previous frame as long as the depth along it is nearly as
 * small as along its own direction.
 *
 * Source   LPD 6, "Locality": information of previous time steps prevents jumps of directions.
 */

/** A region's depth along the previous direction may be larger than its own depth by this share. */
#define ALG_LPD_KEEPS 0.1

enum { ALG_LPD_PAST_MAX = 64 };

/** The first ALG_LPD_PAST_MAX regions of the previous frame that have a finite depth. */
typedef struct alg_lpd_past {
    vec3 point[ALG_LPD_PAST_MAX], direction[ALG_LPD_PAST_MAX];
    uint32_t count;
} alg_lpd_past;

/**
 * Finds the direction of the region of the previous frame whose box centre is nearest to that of
 * `box`. Their distance must not exceed the diagonal of `box`. Returns false if there is no such
 * region.
 */
bool alg_lpd_past_direction(const alg_lpd_past *past, const alg_lpd_box *box, vec3 *direction);

/** Replaces the stored regions by those of this frame that have a finite depth. */
void alg_lpd_past_keep(alg_lpd_past *past, const alg_lpd_region *regions, uint32_t count);

#endif
