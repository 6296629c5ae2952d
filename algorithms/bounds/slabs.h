/**
 * Where a solid is, for each place and scale: around the place all is inside, all is outside, or
 * the surface lies within a slab, the space between two parallel planes.
 *
 * Grids of cubes ("voxels") whose edges double from level to level. Each voxel describes a
 * *region*: all points of all cubes of edge `alg_bounds_slabs_cube(level)`, in any orientation,
 * whose centre is in the voxel. The surface in the region lies between the planes of the voxel's
 * slab, and what is beyond each of them is inside the solid or outside, all of it. A smooth surface
 * is a plane but for terms of second order, so a slab's thickness decreases with the square of the
 * edge.
 */
#ifndef ALGORITHMS_BOUNDS_SLABS_H
#define ALGORITHMS_BOUNDS_SLABS_H

#include "algorithms/voxel/blocks.h"
#include "base/arena.h"
#include "base/error.h"
#include "geometry/surface.h"

/** Bits of alg_bounds_slab.inside. */
enum {
    ALG_BOUNDS_BELOW_INSIDE = 1, /* what is below the lower plane */
    ALG_BOUNDS_ABOVE_INSIDE = 2, /* what is above the upper one */
};

/**
 * Planes dot(normal, x) = offset, x relative to the voxel's centre, in its edges. Small integers,
 * so that four slabs share a cache line: see the functions below for their units. Offsets are
 * rounded outwards, for the normal as it is stored.
 */
typedef struct alg_bounds_slab {
    int16_t normal[3];
    int16_t lower, upper; /* the surface in the region is between, ends included */
    int16_t middle;       /* where most of the surface near the centre is; no bound */
    uint16_t inside;      /* ALG_BOUNDS_BELOW_INSIDE, ALG_BOUNDS_ABOVE_INSIDE */
    uint16_t unused;
} alg_bounds_slab;

/** Of unit length to four digits. */
static inline vec3 alg_bounds_slab_normal(const alg_bounds_slab *slab)
{
    return (vec3){0x1p-15 * slab->normal[0], 0x1p-15 * slab->normal[1], 0x1p-15 * slab->normal[2]};
}

/** lower, upper or middle in edges of the voxel. */
static inline double alg_bounds_slab_offset(int16_t offset)
{
    return 0x1p-12 * offset;
}

enum { ALG_BOUNDS_SLABS_LEVELS_MAX = 16 };

/** What a voxel is: one of these, or ALG_BOUNDS_SLABS_FIRST + the number of its slab. */
enum { ALG_BOUNDS_SLABS_OUTSIDE, ALG_BOUNDS_SLABS_INSIDE, ALG_BOUNDS_SLABS_FIRST };

/** Voxels of one edge; those that are not in the grid are outside. */
typedef struct alg_bounds_slabs_level {
    double edge;
    vec3 origin; /* corner of voxel (0, 0, 0) */
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

/** Edge of the cubes that make the regions of a level's voxels. */
double alg_bounds_slabs_cube(const alg_bounds_slabs *slabs, uint32_t level);

/**
 * Builds the slabs of a solid: the coarsest voxels are about an eighth of the box's longest edge.
 *
 * Shapes   resolution: as for alg_bounds_cells_build; the finest cubes have the same edge.
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT when the box has no extent.
 * Memory   arena: 16 bytes a slab, 2 KiB a block.
 * Cost     triangles near each voxel, on all CPUs, whose number does not change the result.
 */
base_status alg_bounds_slabs_build(const geo_surface *surface, uint32_t resolution,
                                   base_arena *arena, alg_bounds_slabs *slabs,
                                   base_error *err) BASE_MUST_CHECK;

#endif
