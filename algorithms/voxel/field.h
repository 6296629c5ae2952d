/**
 * The voxels inside of a solid, as runs along z, and the distances of their centres to its surface.
 *
 * A voxel is a cube; it is *interior* if its centre is inside the solid. Interior voxels are
 * numbered by column (x fastest, then y), upwards in z, so that a run of a column has consecutive
 * numbers.
 */
#ifndef ALGORITHMS_VOXEL_FIELD_H
#define ALGORITHMS_VOXEL_FIELD_H

#include "algorithms/voxel/grid.h"
#include "base/elementary.h"
#include "base/error.h"
#include "base/memory.h"
#include "geometry/vec.h"
#include "geometry/mesh.h"
#include "geometry/surface.h"

/* --- Voxels ----------------------------------------------------------------------------------- */

enum { ALG_VOXEL_RESOLUTION_MAX = 2048 };

/** The interior voxels (x, y, z0) to (x, y, z1 - 1), numbered from `first` on. */
typedef struct alg_voxel_run {
    uint16_t x, y, z0, z1;
    uint32_t first;
} alg_voxel_run;

typedef struct alg_voxel_runs {
    vec3 origin; /* corner of voxel (0, 0, 0) */
    double edge; /* edge of a voxel */
    uint32_t size[3];
    uint32_t *columns;   /* arena; size[0] * size[1] + 1: first run of column y * size[0] + x */
    alg_voxel_run *runs; /* arena; in ascending order of voxel numbers */
    uint32_t run_count;
    uint32_t voxel_count;
} alg_voxel_runs;

/**
 * Returns the centre of voxel (x, y, z). All code uses this one formula, so that results are
 * bit-identical.
 */
static inline vec3 alg_voxel_centre(const alg_voxel_runs *grid, uint32_t x, uint32_t y, uint32_t z)
{
    return (vec3){grid->origin.x + grid->edge * (x + 0.5), grid->origin.y + grid->edge * (y + 0.5),
                  grid->origin.z + grid->edge * (z + 0.5)};
}

/**
 * Divides the mesh's box into `resolution` cells along its longest edge, and as many as needed
 * along the others, with the box in the middle, and finds the interior voxels by the parity of the
 * crossings of each column of centres with the surface. All signs are exact. A column that touches
 * an edge or a vertex counts as moved by (e, e^2) for a vanishing e > 0, and a centre on the
 * surface as below it, so that every closed surface gives a consistent answer.
 *
 * Shapes   1 <= resolution <= ALG_VOXEL_RESOLUTION_MAX.
 * Errors   BASE_ERR_INPUT if the surface is not closed (a column crosses it an odd number of times)
 *          or there are 2^31 interior voxels; BASE_ERR_MEMORY.
 * Memory   arena: 4 bytes per column, 12 bytes per run; scratch outside of it.
 * Cost     O(columns + crossings).
 */
base_status alg_voxel_runs_build(const geo_mesh *mesh, uint32_t resolution, base_arena *arena,
                                 alg_voxel_runs *grid, base_error *err) BASE_MUST_CHECK;

/** Returns the run that contains an interior voxel, by binary search. */
const alg_voxel_run *alg_voxel_find(const alg_voxel_runs *grid, uint32_t voxel);

/** Returns the centre of an interior voxel by number. */
vec3 alg_voxel_position(const alg_voxel_runs *grid, uint32_t voxel);

/* --- Distances -------------------------------------------------------------------------------- */

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
