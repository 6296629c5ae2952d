/**
 * Distances from the interior voxels of a solid to its surface.
 */
#ifndef ALGORITHMS_VOXEL_FIELD_H
#define ALGORITHMS_VOXEL_FIELD_H

#include "algorithms/voxel/runs.h"
#include "base/elementary.h"
#include "base/error.h"
#include "base/memory.h"
#include "geometry/surface.h"

/**
 * Distances from the centres of the interior voxels to the surface, computed on demand. Until a
 * voxel is measured, its radius is the distance to some point of the surface (an upper bound, which
 * is good far inside), and its face is some near face.
 *
 * A measured radius is the exact distance minus the rounding of its computation, rounded down to
 * float: the ball around the centre lies inside the solid. It is 0 for a centre on the surface.
 */
typedef struct alg_voxel_field {
    const alg_voxel_runs *grid; /* borrowed */
    const geo_surface *surface; /* borrowed */
    double slack;               /* subtracted from every distance for the rounding of doubles */
    float *radius;              /* arena; callers may lower entries, which measuring does not
                                   undo */
    uint32_t *face;             /* arena; has the bit ALG_VOXEL_UNMEASURED until it is measured */
} alg_voxel_field;

/**
 * Slack that is subtracted from a distance to a surface for the rounding of doubles, relative to
 * the largest coordinate. Closest points have an error of a few roundings of coordinates; the slack
 * of contracts is 64.
 */
#define ALG_VOXEL_SLACK (16 * 0x1p-52)

#define ALG_VOXEL_UNMEASURED 0x80000000u

/**
 * Measures one voxel in each block of 4x4x4 and bounds the others by the surface point found.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 8 bytes per voxel.
 * Cost     voxels / 64 closest-point queries on all CPUs; the result does not depend on their
 *          number.
 */
base_status alg_voxel_field_build(const alg_voxel_runs *grid, const geo_surface *surface,
                                  base_arena *arena, alg_voxel_field *field,
                                  base_error *err) BASE_MUST_CHECK;

/**
 * Measures voxels[count], each listed once; NULL: the voxels 0 to count - 1. Uses all CPUs; neither
 * their number nor the order in which voxels are measured changes a result.
 */
void alg_voxel_field_measure(alg_voxel_field *field, const uint32_t *voxels, size_t count);

/** Returns the largest float that is not above `value`; 0 for values below 0. */
static inline float alg_voxel_round_down(double value)
{
    return value > 0 ? base_float_below(value) : 0;
}

#endif
