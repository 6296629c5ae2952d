/**
 * Secondary radii: radii of balls with the volume that belongs to each sphere.
 *
 * Source   IST IV-B.1.
 */
#ifndef ALGORITHMS_IST_SPHERES_SECONDARY_H
#define ALGORITHMS_IST_SPHERES_SECONDARY_H

#include "algorithms/ist/spheres/packing.h"

/**
 * Assigns every voxel that packing has left free to the sphere with the smallest |x - c| - r (the
 * first one wins a tie) and adds it to its share.
 *
 * Errors   BASE_ERR_MEMORY.
 */
base_status alg_ist_share_rest(const alg_voxel_field *field, alg_ist_packing *packing,
                               base_error *err) BASE_MUST_CHECK;

/**
 * Replaces the shares that packing has computed by shares of finer voxels of the same solid. Each
 * finer voxel belongs to the sphere of the field's voxel that it lies in; if that voxel is not
 * interior, it belongs to the sphere with the smallest |x - c| - r.
 *
 * Finer voxels represent the surface more accurately. A face of voxels of edge h is off the true
 * face by some d, |d| <= h / 2. If the face is parallel to the grid, d is the same all along it,
 * and an overlap of depth s with a half space has the relative error d / s. Otherwise all d are
 * equally frequent, and the overlap is too large: by (h / 2 - |s|)^2 / (2 h) for depths |s| < h /
 * 2, which is h^2 / 24 when integrated over depths. A ball cannot correct the errors of its share,
 * and they matter most for thin overlaps. Edges k times smaller reduce the first error to 1 / k and
 * the second to 1 / k^2.
 *
 * Shapes   field: packed, as alg_ist_pack leaves it. A share may become empty, for a sphere at a
 *          sharp edge.
 * Errors   BASE_ERR_MEMORY.
 * Cost     O(voxels of both grids), on all CPUs, whose number does not change the result; about 1
 *          us for each voxel of the field, and for each fine voxel outside of them.
 */
base_status alg_ist_share_fine(const alg_voxel_field *field, const alg_voxel_runs *fine,
                               alg_ist_packing *packing, base_error *err) BASE_MUST_CHECK;

/**
 * Computes secondary radii: the volumes of the balls are proportional to the shares, and sum up to
 * volume_m3.
 *
 * centroid: a ball is centred at the centroid of its share instead of the sphere's centre. The
 * share of a sphere near the surface has most of its volume on the side of the surface; with the
 * first moment correct as well, volumes of overlaps have a quarter of the error. If packing
 * continues until no voxel is free, shares are the voxels around a centre, and the balls do not
 * move: a minimum radius of one or two voxel edges is needed.
 *
 * Shapes   packing: all shares are filled, by alg_ist_share_rest or _fine; its middles are filled
 *          here only if `centroid` is set. grid: that of the shares. The ball of an empty share has
 *          the radius 0.
 * Errors   BASE_ERR_MEMORY.
 * Source   IST IV-B.1; the sum is the exact volume of the mesh, not that of its voxels. Centroids
 *          are this suite's.
 */
base_status alg_ist_secondary_radii(const alg_voxel_runs *grid, double volume_m3, bool centroid,
                                    alg_ist_packing *packing, base_error *err) BASE_MUST_CHECK;

#endif
