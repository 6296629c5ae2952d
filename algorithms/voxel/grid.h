/**
 * The grid of a voxmap: the positions of its planes.
 *
 * Source   VPS 3; the positions of the planes are this suite's, so that counts of voxels can be
 *          reproduced.
 */
#ifndef ALGORITHMS_VOXEL_GRID_H
#define ALGORITHMS_VOXEL_GRID_H

#include "base/error.h"
#include "geometry/vec.h"

/** Largest number of voxels along an axis, including the padding. */
enum { ALG_VOXEL_SIZE_MAX = 1 << 15 };

/**
 * Along each axis plane i is at the corner plus i - padding edges; voxel i is the closed interval
 * between planes i and i + 1. The voxels without the padding contain the body's box, and have the
 * same middle. The box overlaps its first and last voxel by a quarter to three quarters of an edge,
 * and by half an edge along its longest edges: no face of the box lies in a plane of the grid. A
 * face in a plane would have surface voxels on both sides, since voxels are closed, and a tangent
 * plane through the centre of a voxel would then be half an edge above the face.
 */
typedef struct alg_voxel_grid {
    vec3 corner;      /* lower corner of the voxels without the padding */
    double edge;      /* h = longest edge of the box / resolution */
    uint32_t padding; /* voxels on each side beyond the box */
    uint32_t size[3]; /* number of voxels, including the padding */
} alg_voxel_grid;

/** Returns plane i. All code uses this one formula: fl(corner + fl(edge * (i - padding))). */
static inline double alg_voxel_plane(const alg_voxel_grid *grid, int axis, int64_t i)
{
    return vec3_get(grid->corner, axis) + grid->edge * (double)(i - (int64_t)grid->padding);
}

/** Returns the closed box of voxel (x, y, z). */
static inline geo_box alg_voxel_box(const alg_voxel_grid *grid, int64_t x, int64_t y, int64_t z)
{
    return (geo_box){
        {alg_voxel_plane(grid, 0, x), alg_voxel_plane(grid, 1, y), alg_voxel_plane(grid, 2, z)},
        {alg_voxel_plane(grid, 0, x + 1), alg_voxel_plane(grid, 1, y + 1),
         alg_voxel_plane(grid, 2, z + 1)}};
}

/** Returns the centre of voxel (x, y, z): the middle of its planes. */
static inline vec3 alg_voxel_middle(const alg_voxel_grid *grid, int64_t x, int64_t y, int64_t z)
{
    return geo_box_centre(alg_voxel_box(grid, x, y, z));
}

/**
 * Returns the position t of a point along an axis, in voxels: the point is in voxel floor(t). A
 * point on a plane, up to rounding, may be in either of the two closed voxels.
 */
static inline double alg_voxel_coordinate(const alg_voxel_grid *grid, int axis, double x)
{
    return (x - vec3_get(grid->corner, axis)) * (1 / grid->edge) + grid->padding;
}

/**
 * Computes the grid of a body's box. An axis along which the box is n edges long has ceil(n + 1/2)
 * voxels, and twice the padding.
 *
 * Shapes   the box is not empty; resolution >= 1, padding >= 1.
 * Errors   BASE_ERR_INPUT for more than ALG_VOXEL_SIZE_MAX voxels along an axis, and for a box so
 *          small that the edge of a voxel is lost in the rounding of its coordinates, for example a
 *          point.
 */
base_status alg_voxel_grid_place(geo_box box, uint32_t resolution, uint32_t padding,
                                 alg_voxel_grid *grid, base_error *err) BASE_MUST_CHECK;

/** Returns the total number of voxels. */
static inline uint64_t alg_voxel_grid_count(const alg_voxel_grid *grid)
{
    return (uint64_t)grid->size[0] * grid->size[1] * grid->size[2];
}

#endif
