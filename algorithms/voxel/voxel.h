/**
 * Voxels inside a solid, as runs, and their distances to its surface.
 *
 * Shared by the families that start from voxels. A voxel is a cube; it is *interior* when its
 * centre is inside the solid. Interior voxels are numbered by column (x fastest, then y), upwards
 * in z, so a run of a column is a stretch of consecutive numbers.
 */
#ifndef ALGORITHMS_VOXEL_VOXEL_H
#define ALGORITHMS_VOXEL_VOXEL_H

#include "base/arena.h"
#include "base/elementary.h"
#include "base/error.h"
#include "geometry/surface.h"

enum { ALG_VOXEL_RESOLUTION_MAX = 2048 };

/** Interior voxels (x, y, z0) to (x, y, z1 - 1), numbered from `first` on. */
typedef struct alg_voxel_run {
    uint16_t x, y, z0, z1;
    uint32_t first;
} alg_voxel_run;

typedef struct alg_voxel_grid {
    vec3 origin; /* corner of voxel (0, 0, 0) */
    double edge; /* of a voxel */
    uint32_t size[3];
    uint32_t *columns;   /* arena; size[0] * size[1] + 1: first run of column y * size[0] + x */
    alg_voxel_run *runs; /* arena; in the order of the numbers */
    uint32_t run_count;
    uint32_t voxel_count;
} alg_voxel_grid;

/** Centre of voxel (x, y, z): the one formula, so that everyone sees the same doubles. */
static inline vec3 alg_voxel_centre(const alg_voxel_grid *grid, uint32_t x, uint32_t y, uint32_t z)
{
    return (vec3){grid->origin.x + grid->edge * (x + 0.5), grid->origin.y + grid->edge * (y + 0.5),
                  grid->origin.z + grid->edge * (z + 0.5)};
}

/**
 * Cuts the mesh's box into `resolution` cells along its longest edge, as many as needed along the
 * others, with the box in the middle, and finds the interior voxels: parity of the crossings of
 * each column of centres with the surface. All signs are exact. A column that grazes an edge or a
 * vertex counts as moved by (e, e^2) for a vanishing e > 0, and a centre on the surface as below
 * it, so every closed surface gives a consistent answer.
 *
 * Shapes   1 <= resolution <= ALG_VOXEL_RESOLUTION_MAX.
 * Errors   BASE_ERR_INPUT if the surface is not closed (a column crosses it an odd number of times)
 *          or there are 2^31 interior voxels; BASE_ERR_MEMORY.
 * Memory   arena: 4 bytes a column, 12 bytes a run; scratch outside of it.
 * Cost     O(columns + crossings).
 */
base_status alg_voxel_grid_build(const geo_mesh *mesh, uint32_t resolution, base_arena *arena,
                                 alg_voxel_grid *grid, base_error *err) BASE_MUST_CHECK;

/** The run that holds an interior voxel, by binary search. */
const alg_voxel_run *alg_voxel_find(const alg_voxel_grid *grid, uint32_t voxel);

/** Centre of an interior voxel by number. */
vec3 alg_voxel_position(const alg_voxel_grid *grid, uint32_t voxel);

/**
 * Distances from the centres of the interior voxels to the surface, computed where they are asked
 * for. Until a voxel is measured, its radius is the distance to some point of the surface (an upper
 * bound, and a good one far inside) and its face is a near one.
 *
 * A measured radius is the exact distance less the rounding of its computation, rounded down to
 * float: the ball around the centre lies inside the solid. It is 0 for a centre on the surface.
 */
typedef struct alg_voxel_field {
    const alg_voxel_grid *grid; /* borrowed */
    const geo_surface *surface; /* borrowed */
    double slack;               /* taken off every distance for the rounding of doubles */
    float *radius;              /* arena; a user may lower entries, measuring respects that */
    uint32_t *face;             /* arena; with the bit ALG_VOXEL_UNMEASURED until measured */
} alg_voxel_field;

/**
 * What is taken off a distance to a surface for the rounding of doubles, in units of the largest
 * coordinate. Closest points are a few roundings of coordinates off; the slack of contracts is 64.
 */
#define ALG_VOXEL_SLACK (16 * 0x1p-52)

#define ALG_VOXEL_UNMEASURED 0x80000000u

/**
 * Measures one voxel in each block of 4x4x4 and bounds the others by the surface point found.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 8 bytes a voxel.
 * Cost     voxels / 64 closest-point queries on all CPUs; the result does not depend on them.
 */
base_status alg_voxel_field_build(const alg_voxel_grid *grid, const geo_surface *surface,
                                  base_arena *arena, alg_voxel_field *field,
                                  base_error *err) BASE_MUST_CHECK;

/**
 * Measures voxels[count], each listed once; NULL: the voxels 0 to count - 1. On all CPUs; neither
 * their number nor the order in which voxels are measured changes a result.
 */
void alg_voxel_field_measure(alg_voxel_field *field, const uint32_t *voxels, size_t count);

/** The largest float that is not above `value`; 0 for values below 0. */
static inline float alg_voxel_round_down(double value)
{
    return value > 0 ? base_float_below(value) : 0;
}

#endif
