/** Points and normals of surface voxels, of a pointshell. */
#ifndef ALGORITHMS_IMP_POINTS_H
#define ALGORITHMS_IMP_POINTS_H

#include "algorithms/imp/body.h"
#include "algorithms/voxel/pointshell.h"

/** The voxel that a point lies in; of a plane between two, the upper one. */
alg_imp_cell alg_imp_cell_of(const alg_voxel_grid *grid, vec3 point);

/** What places points. */
typedef struct alg_imp_placing {
    const alg_voxel_grid *grid;
    const alg_pointshell *shell;
    const alg_imp_tree *tree;
    const alg_imp_cell *cells; /* of the tree's surface voxels */
    unsigned threads;
} alg_imp_placing;

/**
 * Gives each surface voxel the point nearest to its centre of those in it, or of all that are in
 * surface voxels where none is in it; of equally near ones the first of the shell. That is no
 * farther away than half a diagonal of a voxel, up to rounding: two phases take or keep a point for
 * each voxel and triangle that meet, the nearest of the triangle to the voxel's centre, until the
 * voxel has one.
 *
 * Shapes   the shell has points; voxels: those of the tree.
 * Errors   BASE_ERR_MEMORY.
 * Cost     O(levels) for a point or a voxel; where the nearest point is far away, O(voxels in a
 *          cube as large as that).
 */
base_status alg_imp_points_place(const alg_imp_placing *placing, alg_imp_voxel *voxels,
                                 base_error *err) BASE_MUST_CHECK;

#endif
