/**
 * Where a solid is, near each place and at each scale: inside, outside, or on which side of a slab.
 *
 * Grids of cubes ("voxels") whose edges double from level to level. Each voxel speaks for its
 * *region*: all points within reach of a cube of edge `alg_ist_slabs_cube(level)`, in any
 * orientation, whose centre is in the voxel. The surface in the region lies between two parallel
 * planes, and what is beyond each of them is inside the solid or outside, all of it. The slab's
 * thickness goes down with the square of the edge where the surface is smooth: it is what the first
 * order leaves over.
 */
#ifndef ALGORITHMS_IST_SLABS_H
#define ALGORITHMS_IST_SLABS_H

#include "base/arena.h"
#include "base/error.h"
#include "geometry/surface.h"

/** Bits of alg_ist_slab.inside. */
enum {
    ALG_IST_BELOW_INSIDE = 1, /* what is below the lower plane */
    ALG_IST_ABOVE_INSIDE = 2, /* what is above the upper one */
};

/**
 * Planes dot(normal, x) = offset, x relative to the voxel's centre, in its edges. Small integers,
 * so that four slabs share a cache line: see the functions below for their units. Offsets are
 * rounded outwards, for the normal as it is stored.
 */
typedef struct alg_ist_slab {
    int16_t normal[3];
    int16_t lower, upper; /* the surface in the region is between, ends included */
    int16_t middle;       /* where most of the surface near the centre is; no bound */
    uint16_t inside;      /* ALG_IST_BELOW_INSIDE, ALG_IST_ABOVE_INSIDE */
    uint16_t unused;
} alg_ist_slab;

/** Of unit length to four digits. */
static inline vec3 alg_ist_slab_normal(const alg_ist_slab *slab)
{
    return (vec3){0x1p-15 * slab->normal[0], 0x1p-15 * slab->normal[1], 0x1p-15 * slab->normal[2]};
}

/** lower, upper or middle in edges of the voxel. */
static inline double alg_ist_slab_offset(int16_t offset)
{
    return 0x1p-12 * offset;
}

enum {
    ALG_IST_SLABS_LEVELS_MAX = 16,
    ALG_IST_SLABS_BLOCK = 8, /* edge of a block, in voxels */
};

/** What a voxel is: one of these, or ALG_IST_SLABS_FIRST + the number of its slab. */
enum { ALG_IST_SLABS_OUTSIDE, ALG_IST_SLABS_INSIDE, ALG_IST_SLABS_FIRST };

/** Voxels of one edge; those beyond `size` are outside. */
typedef struct alg_ist_slabs_level {
    double edge;
    vec3 origin;       /* corner of voxel (0, 0, 0) */
    uint32_t size[3];  /* voxels */
    uint32_t block[3]; /* blocks of ALG_IST_SLABS_BLOCK^3 voxels */
    uint32_t *blocks;  /* arena; a state of all its voxels, or ALG_IST_SLABS_FIRST + its number */
} alg_ist_slabs_level;

typedef struct alg_ist_slabs {
    alg_ist_slabs_level levels[ALG_IST_SLABS_LEVELS_MAX]; /* the finest first */
    uint32_t level_count;
    uint32_t *voxels; /* arena; of the blocks that are not of one state */
    alg_ist_slab *slabs;
    uint32_t slab_count;
    double volume; /* of the solid */
    double reach;  /* largest absolute coordinate */
} alg_ist_slabs;

/** Edge of the cubes that a level's voxels speak for. */
double alg_ist_slabs_cube(const alg_ist_slabs *slabs, uint32_t level);

/** The voxels of a block that is not of one state: x fastest, then y. */
static inline const uint32_t *alg_ist_slabs_voxels(const alg_ist_slabs *slabs, uint32_t block)
{
    return slabs->voxels + (size_t)(block - ALG_IST_SLABS_FIRST) * ALG_IST_SLABS_BLOCK *
                               ALG_IST_SLABS_BLOCK * ALG_IST_SLABS_BLOCK;
}

/**
 * Builds the slabs of a solid: the coarsest voxels are about an eighth of the box's longest edge.
 *
 * Shapes   resolution: as for alg_ist_cells_build; the finest cubes have the same edge.
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT when the box has no extent.
 * Memory   arena: 16 bytes a slab, 2 KiB a block.
 * Cost     triangles near each voxel, on all CPUs, whose number does not change the result.
 */
base_status alg_ist_slabs_build(const geo_surface *surface, uint32_t resolution, base_arena *arena,
                                alg_ist_slabs *slabs, base_error *err) BASE_MUST_CHECK;

#endif
