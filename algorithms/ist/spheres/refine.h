/**
 * Spheres off the voxel grid: a ball that a voxel has found, moved to where it can be largest.
 */
#ifndef ALGORITHMS_IST_SPHERES_REFINE_H
#define ALGORITHMS_IST_SPHERES_REFINE_H

#include "algorithms/ist/spheres/packing.h"

enum { ALG_IST_PLACE_LEVELS = 16 };

/** The spheres placed so far, by size and place: cells of 2^level voxel edges, in a hash table. */
typedef struct alg_ist_places {
    const alg_voxel_field *field;
    const alg_ist_packing *packing;
    uint32_t *heads; /* owned; of each bucket, a sphere or UINT32_MAX */
    uint32_t *next;  /* owned; of each sphere, in its bucket */
    size_t bucket_count, next_capacity;
    size_t counts[ALG_IST_PLACE_LEVELS]; /* spheres of each level */
    uint32_t *near;                      /* owned; those of the last search */
    size_t near_count, near_capacity;
} alg_ist_places;

/** Zeroed but for field and packing is empty. */
void alg_ist_places_release(alg_ist_places *places);

/** Adds the newest sphere of the packing. Errors: BASE_ERR_MEMORY. */
base_status alg_ist_places_add(alg_ist_places *places, base_error *err) BASE_MUST_CHECK;

/**
 * Moves the centre of a free ball, up to 3/4 of a voxel edge and not out of the ball, to a local
 * maximum of the free distance min(distance to the surface, |x - c| - r of all spheres), and grows
 * the ball.
 *
 * A step leads away from all spheres and points of the surface that are nearest to within a step;
 * one that does not gain is halved. The radius is the smallest distance less the rounding of its
 * computation: the ball is inside the solid and meets no other.
 *
 * ball     in: free, by voxels. out: not smaller.
 * Errors   BASE_ERR_MEMORY.
 */
base_status alg_ist_refine(alg_ist_places *places, geo_ball *ball, base_error *err) BASE_MUST_CHECK;

#endif
