/**
 * The sides of a solid's surface, for each position and scale: the neighbourhood is wholly inside
 * or wholly outside, or the surface lies within a slab, the space between two parallel planes.
 *
 * There are grids of cubes ("voxels") whose edges double from level to level. Each voxel describes
 * a *region*: all points of all cubes whose centre is in the voxel, in any orientation, with edges
 * of ALG_BOUNDS_SLABS_CUBE voxels. The surface in the region lies between the planes of the voxel's
 * slab. The part of the region beyond each plane is either wholly inside the solid or wholly
 * outside. A smooth surface is a plane up to terms of second order, so a slab's thickness decreases
 * with the square of the edge.
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
 * Planes dot(normal, x) = offset, with x relative to the voxel's centre, in units of its edge.
 * Small integers, so that four slabs share a cache line; the functions below convert them. Offsets
 * are rounded outwards, for the normal as it is stored.
 */
typedef struct alg_bounds_slab {
    int16_t normal[3];
    int16_t lower, upper; /* the surface in the region is between these planes, including them */
    int16_t middle;       /* offset of most of the surface near the centre; not a bound */
    uint16_t inside;      /* ALG_BOUNDS_BELOW_INSIDE, ALG_BOUNDS_ABOVE_INSIDE */
    uint16_t unused;
} alg_bounds_slab;

/** Returns the normal; its length is 1 to four digits. */
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
    double reach;  /* largest absolute coordinate */
} alg_bounds_slabs;

/**
 * Builds the slabs of a solid. The coarsest voxels have about an eighth of the box's longest edge.
 *
 * Shapes   resolution: as for alg_bounds_cells_build; the finest cubes have the same edge.
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT if the box has no extent.
 * Memory   arena: 16 bytes a slab, 2 KiB a block.
 * Cost     the number of triangles near each voxel, on all CPUs. The number of CPUs does not change
 *          the result.
 */
base_status alg_bounds_slabs_build(const geo_surface *surface, uint32_t resolution,
                                   base_arena *arena, alg_bounds_slabs *slabs,
                                   base_error *err) BASE_MUST_CHECK;

#endif
