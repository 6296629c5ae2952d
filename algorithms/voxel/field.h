/**
 * Distances from the interior voxels of a solid to its surface.
 */
#ifndef ALGORITHMS_VOXEL_FIELD_H
#define ALGORITHMS_VOXEL_FIELD_H

#include "algorithms/voxel/runs.h"
#include "base/arena.h"
#include "base/elementary.h"
#include "base/error.h"
#include "geometry/surface.h"

/**
 * Distances from the centres of the interior voxels to the surface, computed where they are asked
 * for. Until a voxel is measured, its radius is the distance to some point of the surface (an upper
 * bound, and a good one far inside) and its face is a near one.
 *
 * A measured radius is the exact distance less the rounding of its computation, rounded down to
 * float: the ball around the centre lies inside the solid. It is 0 for a centre on the surface.
 */
typedef struct alg_voxel_field {
    const alg_voxel_runs *grid; /* borrowed */
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
base_status alg_voxel_field_build(const alg_voxel_runs *grid, const geo_surface *surface,
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
