/** Points and normals of surface voxels, from a pointshell. */
#ifndef ALGORITHMS_IMP_POINTS_H
#define ALGORITHMS_IMP_POINTS_H

#include "algorithms/imp/body.h"
#include "algorithms/voxel/pointshell.h"

/** Returns the voxel that a point lies in; on a plane between two voxels, the upper one. */
alg_imp_cell alg_imp_cell_of(const alg_voxel_grid *grid, vec3 point);

/** The input of alg_imp_points_place. */
typedef struct alg_imp_placing {
    const alg_voxel_grid *grid;
    const alg_pointshell *shell;
    const alg_imp_tree *tree;
    const alg_imp_cell *cells; /* cells of the tree's surface voxels */
    unsigned threads;
} alg_imp_placing;

/**
 * Gives each surface voxel the point nearest to its centre, among those in the voxel if there are
 * any, else among all points in surface voxels. The first one of the shell wins a tie. The distance
 * is at most half a diagonal of a voxel, up to rounding: for each voxel and triangle that meet, two
 * phases take or keep the point of the triangle nearest to the voxel's centre, until the voxel has
 * one.
 *
 * Shapes   the shell has points; voxels: those of the tree.
 * Errors   BASE_ERR_MEMORY.
 * Cost     O(levels) for a point or a voxel; if the nearest point is far away, O(voxels in a cube
 *          of that size).
 */
base_status alg_imp_points_place(const alg_imp_placing *placing, alg_imp_voxel *voxels,
                                 base_error *err) BASE_MUST_CHECK;

#endif
