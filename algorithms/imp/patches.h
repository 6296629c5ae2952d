/**
 * Patches: the pieces of a body's surface in its voxels.
 *
 * A surface voxel has a patch for each side of the surface that passes through it. Usually it has
 * one patch. It has two at an edge of the body, or if a plate is thinner than the voxel. A patch
 * has the mean point and the mean outward normal of its pieces of triangles. Its area is that of
 * the sum of their area vectors. So the sum of area times normal over all patches of a solid is
 * that of the mesh, for any grid.
 *
 * Source   this suite. IMP 3.3.1 needs a normal at each voxel and does not say how to compute it.
 */
#ifndef ALGORITHMS_IMP_PATCHES_H
#define ALGORITHMS_IMP_PATCHES_H

#include "algorithms/imp/body.h"

/**
 * Cuts the triangles at the planes of the grid and fills body->patches and body->patch_starts.
 *
 * A piece joins the first patch of its voxel whose normal is less than 45 degrees from its own. If
 * the voxel of a piece is not stored (probe=points), the piece goes to the stored voxel, among the
 * 5 x 5 x 5 around it, whose centre is nearest to the piece. If none of these is stored, the piece
 * is left out.
 *
 * Shapes   the grid, the tree and the voxels of the body are complete. The faces of a solid are
 *          oriented outwards. A piece of another mesh is turned so that it faces the side of the
 *          voxel's normal.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 28 bytes per patch, 4 bytes per voxel; scratch outside of it.
 * Cost     0.2 to 0.5 us per piece, on one thread.
 */
base_status alg_imp_patches_build(const geo_mesh *mesh, alg_imp_body *body,
                                  base_error *err) BASE_MUST_CHECK;

/**
 * Returns the patch whose point is nearest to `point`, which is in the body's frame. The search
 * descends the body's tree and skips nodes whose balls are farther than the nearest patch so far.
 * If several patches are equally near, the one with the smallest index is returned.
 *
 * Shapes   the body has at least one patch. hint: the patch that the search starts from, any patch
 *          of the body. A near one saves time; the result does not depend on it.
 * Cost     about 1 us with a near hint.
 */
uint32_t alg_imp_closest_patch(const alg_imp_body *body, vec3 point, uint32_t hint);

/** The longest list of patches that alg_imp_closest_patches makes. */
enum { ALG_IMP_NEAR_MAX = 4096 };

/** The memory in which alg_imp_closest_patches works: a list of patches. */
typedef struct alg_imp_near {
    float at[3][ALG_IMP_NEAR_MAX]; /* points, from the middle of the group, divided by its limit */
    float distance2[ALG_IMP_NEAR_MAX];
    uint32_t patch[ALG_IMP_NEAR_MAX];
    uint32_t count;
} alg_imp_near;

/**
 * Fills patches[i] with the result of alg_imp_closest_patch for points[i]. The points share one
 * search, which is faster if they are near each other. Let m be the middle of the points, r their
 * largest distance from it, and u the distance of the patch nearest to m. Then no point is farther
 * than u + r from its nearest patch, so all nearest patches are within u + 2 r of m. If there are
 * more of these than fit into the list, each point is searched alone.
 *
 * Shapes   points[count], patches[count], count >= 1. hint: as for alg_imp_closest_patch.
 * Returns  the patch nearest to m, a hint for groups nearby.
 * Cost     for a ball of 64 voxels in the middle of a box of 128 voxels, a quarter of the
 *          instructions of searches for each point.
 */
uint32_t alg_imp_closest_patches(const alg_imp_body *body, const vec3 *points, uint32_t count,
                                 uint32_t hint, alg_imp_near *near, uint32_t *patches);

/** Returns the point of a patch, in the body's frame. */
static inline vec3 alg_imp_patch_point(const alg_imp_body *body, uint32_t patch)
{
    const float *const p = body->patches[patch].point;
    return vec3_add(body->grid.corner, (vec3){(double)p[0], (double)p[1], (double)p[2]});
}

/** The side of a body that faces a point. */
typedef struct alg_imp_side {
    vec3 normal;  /* outward, unit */
    double depth; /* depth of the point behind the plane of the side, in m; negative in front of
                     it */
} alg_imp_side;

/**
 * Returns the side of a body near a point, which is in the body's frame. `patch`: of all patches of
 * the voxel, the one nearest to the point.
 *
 * The voxel of a thin plate or a tooth has other sides that meet this patch in a convex edge. Then
 * the body is behind all of these sides, so the side with the least depth is returned.
 */
alg_imp_side alg_imp_side_of(const alg_imp_body *body, uint32_t voxel, uint32_t patch, vec3 point);

#endif
