/**
 * The sides of a solid's surface, for each position and scale. The neighbourhood of a position is
 * wholly inside, or wholly outside, or the surface in it lies within a slab, which is the space
 * between two parallel planes.
 *
 * There are grids of cubes ("voxels") whose edges double from level to level. Each voxel describes
 * a *region*. Consider all cubes with edges of ALG_BOUNDS_SLABS_CUBE voxels, in any orientation,
 * whose centre is in the voxel: the region contains all points of these cubes. The surface in the
 * region lies between the planes of the voxel's slab. The part of the region beyond each plane is
 * either wholly inside the solid or wholly outside. A smooth surface is a plane up to terms of
 * second order, so a slab's thickness decreases with the square of the edge.
 */
#ifndef ALGORITHMS_BOUNDS_SLABS_H
#define ALGORITHMS_BOUNDS_SLABS_H

#include "algorithms/voxel/grid.h"
#include "base/memory.h"
#include "base/error.h"
#include "geometry/surface.h"

/** Bits of alg_bounds_slab.inside. */
enum {
    ALG_BOUNDS_BELOW_INSIDE = 1, /* the part below the lower plane is inside */
    ALG_BOUNDS_ABOVE_INSIDE = 2, /* the part above the upper plane is inside */
};

/**
 * Planes dot(normal, x) = offset, with x relative to the voxel's centre, in units of its edge. The
 * members are small integers, so that four slabs share a cache line. The functions below convert
 * them. The normal is rounded first; the offsets then belong to the rounded normal, and are rounded
 * outwards.
 */
typedef struct alg_bounds_slab {
    int16_t normal[3];
    int16_t lower, upper; /* the surface in the region is between these planes, including them */
    int16_t middle;       /* mean offset of the surface near the voxel's centre; not a bound */
    uint16_t inside;      /* ALG_BOUNDS_BELOW_INSIDE, ALG_BOUNDS_ABOVE_INSIDE */
    uint16_t unused;
} alg_bounds_slab;

/** Returns the normal. Its length differs from 1 by less than 1e-4. */
static inline vec3 alg_bounds_slab_normal(const alg_bounds_slab *slab)
{
    return (vec3){0x1p-15 * slab->normal[0], 0x1p-15 * slab->normal[1], 0x1p-15 * slab->normal[2]};
}

/** Returns lower, upper or middle in edges of the voxel. */
static inline double alg_bounds_slab_offset(int16_t offset)
{
    return 0x1p-12 * offset;
}

/** Edge of the cubes that define a region, in edges of its voxel. A larger number makes slabs
 * thinner and more numerous. */
enum { ALG_BOUNDS_SLABS_CUBE = 2 };

enum { ALG_BOUNDS_SLABS_LEVELS_MAX = 16 };

/** State of a voxel: one of these, or ALG_BOUNDS_SLABS_FIRST + the index of its slab. */
enum { ALG_BOUNDS_SLABS_OUTSIDE, ALG_BOUNDS_SLABS_INSIDE, ALG_BOUNDS_SLABS_FIRST };

/** Voxels of one level. Voxels outside of the grid are outside of the solid. */
typedef struct alg_bounds_slabs_level {
    double edge;
    vec3 origin; /* lower corner of voxel (0, 0, 0) */
    alg_voxel_blocks grid;
} alg_bounds_slabs_level;

typedef struct alg_bounds_slabs {
    alg_bounds_slabs_level levels[ALG_BOUNDS_SLABS_LEVELS_MAX]; /* the finest first */
    uint32_t level_count;
    alg_bounds_slab *slabs; /* arena */
    uint32_t slab_count;
    double volume; /* of the solid */
    double reach;  /* largest absolute coordinate of the solid's box */
} alg_bounds_slabs;

/**
 * Builds the slabs of a solid. The edge of the coarsest voxels is more than 1/16 and at most 1/8 of
 * the box's longest edge. If resolution is 2 or 3, there is one level, and it may have larger
 * voxels.
 *
 * Shapes   resolution: as for alg_bounds_cells_build; the cubes of the finest level have the edge
 *          of the smallest cells.
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT if the box has no extent.
 * Memory   arena: 16 bytes a slab, and 2 KiB a block with a slab.
 * Cost     grows with the sum over all voxels of the number of triangles near each. Uses all CPUs.
 *          The result does not depend on the number of CPUs.
 */
base_status alg_bounds_slabs_build(const geo_surface *surface, uint32_t resolution,
                                   base_arena *arena, alg_bounds_slabs *slabs,
                                   base_error *err) BASE_MUST_CHECK;

#endif
