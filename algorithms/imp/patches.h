/**
 * Patches: the pieces of a body's surface in its voxels.
 *
 * A surface voxel has a patch for each side of the surface that passes through it: usually one, two
 * at an edge or in a plate that is thinner than the voxel. A patch has the area, the mean point and
 * the mean outward normal of its pieces of triangles, so that the sum of area times normal over all
 * patches is that of the mesh, for any grid.
 *
 * Source   this suite. IMP 3.3.1 needs a normal at each voxel and does not say how to compute it.
 */
#ifndef ALGORITHMS_IMP_PATCHES_H
#define ALGORITHMS_IMP_PATCHES_H

#include "algorithms/imp/body.h"

/**
 * Cuts the triangles at the planes of the grid and fills body->patches and body->patch_starts.
 *
 * A piece joins the first patch of its voxel whose normal is less than 45 degrees from its own. A
 * piece in a voxel that is not stored (probe=points) goes to the nearest stored voxel.
 *
 * Shapes   the body has its grid, tree and voxels. Normals of a solid point out of it; those of
 *          another mesh are turned to the side of the voxel's normal.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 28 bytes per patch, 4 bytes per voxel; scratch outside of it.
 * Cost     0.2 to 0.5 us per piece, on one thread.
 */
base_status alg_imp_patches_build(const geo_mesh *mesh, alg_imp_body *body,
                                  base_error *err) BASE_MUST_CHECK;

#endif
