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

/**
 * Returns the patch whose point is nearest to `point`, which is in the body's frame, by the balls
 * of the body's tree. The smallest number wins a tie.
 *
 * Shapes   hint: any patch of the body, which has at least one, to start from. A near one saves
 *          time and does not change the result.
 * Cost     about 1 us with a near hint.
 */
uint32_t alg_imp_closest_patch(const alg_imp_body *body, vec3 point, uint32_t hint);

/** Returns the point of a patch, in the body's frame. */
static inline vec3 alg_imp_patch_point(const alg_imp_body *body, uint32_t patch)
{
    const float *const p = body->patches[patch].point;
    return vec3_add(body->grid.corner, (vec3){(double)p[0], (double)p[1], (double)p[2]});
}

/** The side of a body that faces a point. */
typedef struct alg_imp_side {
    vec3 normal;  /* outward, unit */
    double depth; /* depth of the point behind the plane of the side */
} alg_imp_side;

/**
 * Returns the side of a body near a point. `patch` is the patch of the voxel that is nearest to the
 * point.
 *
 * If the voxel has other sides that meet this patch in a convex edge, the body is behind all of
 * them, so the side with the least depth is returned. This matters for a thin plate or a tooth.
 */
alg_imp_side alg_imp_side_of(const alg_imp_body *body, uint32_t voxel, uint32_t patch, vec3 point);

#endif
