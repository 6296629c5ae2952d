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
 * Shares of finer voxels of the same solid, in the place of those that packing has made: each
 * belongs to the sphere of the field's voxel that it lies in; where that one is not interior, to
 * the sphere with the smallest |x - c| - r.
 *
 * They know better where the surface is. A face of voxels of edge h is off the true one by some d,
 * |d| <= h / 2. Where the face is parallel to the grid, d is the same all along it, and an overlap
 * of depth s with a half space is wrong by d in s. Elsewhere all d are equally frequent, and the
 * overlap is too large: by (h / 2 - |s|)^2 / (2 h) for depths |s| < h / 2, which is h^2 / 24 if
 * added up over depths. No ball can mend what its share has wrong, and it shows most where overlaps
 * are thin. Edges k times smaller leave 1 / k of the first and 1 / k^2 of the second.
 *
 * Shapes   field: packed, as alg_ist_pack leaves it. A share may become empty: of a sphere at a
 *          sharp edge.
 * Errors   BASE_ERR_MEMORY.
 * Cost     O(voxels of both grids), on all CPUs, whose number changes nothing; about 1 us for each
 *          of the field's, and for each fine one outside of them.
 */
base_status alg_ist_share_fine(const alg_voxel_field *field, const alg_voxel_runs *fine,
                               alg_ist_packing *packing, base_error *err) BASE_MUST_CHECK;

/**
 * Secondary radii: the balls' volumes are to each other as the shares, and sum up to volume_m3.
 *
 * centroid: a ball lies around the centroid of its share instead of the sphere's centre. The share
 * of a sphere near the surface has most of its volume on that side; with the first moment right as
 * well, volumes of overlaps have a quarter of the error. Where packing goes on until no voxel is
 * free, shares are the voxels around a centre, and nothing moves: it takes a smallest radius of a
 * voxel edge or two.
 *
 * Shapes   packing: all shares are filled, by alg_ist_share_rest or _fine; its middles are filled
 *          here for centroids alone. grid: that of the shares. The ball of an empty share has the
 *          radius 0.
 * Errors   BASE_ERR_MEMORY.
 * Source   IST IV-B.1; the sum is the exact volume of the mesh, not that of its voxels. Centroids
 *          are this suite's.
 */
base_status alg_ist_secondary_radii(const alg_voxel_runs *grid, double volume_m3, bool centroid,
                                    alg_ist_packing *packing, base_error *err) BASE_MUST_CHECK;

#endif
