/**
 * Secondary radii: balls with the volume that belongs to each sphere.
 *
 * Source   IST IV-B.1.
 */
#ifndef ALGORITHMS_IST_SPHERES_SECONDARY_H
#define ALGORITHMS_IST_SPHERES_SECONDARY_H

#include "algorithms/ist/spheres/packing.h"

/**
 * Gives every voxel that packing has left free to the sphere with the smallest |x - c| - r (of
 * equal ones the first) and adds it to its share.
 *
 * Errors   BASE_ERR_MEMORY.
 */
base_status alg_ist_share_rest(const alg_voxel_field *field, alg_ist_packing *packing,
                               base_error *err) BASE_MUST_CHECK;

/**
 * Secondary radii: the balls' volumes are to each other as the shares, and sum up to volume_m3.
 *
 * centroid: a ball lies around the centroid of its share instead of the sphere's centre. The share
 * of a sphere near the surface has most of its volume on that side; with the first moment right as
 * well, volumes of overlaps have a quarter of the error. Where packing goes on until no voxel is
 * free, shares are the voxels around a centre, and nothing moves: it takes a smallest radius of a
 * voxel edge or two.
 *
 * Shapes   packing: all shares are filled, by alg_ist_share_rest; its middles are filled here for
 *          centroids alone.
 * Errors   BASE_ERR_MEMORY.
 * Source   IST IV-B.1; the sum is the exact volume of the mesh, not that of its voxels. Centroids
 *          are this suite's.
 */
base_status alg_ist_secondary_radii(const alg_voxel_runs *grid, double volume_m3, bool centroid,
                                    alg_ist_packing *packing, base_error *err) BASE_MUST_CHECK;

#endif
