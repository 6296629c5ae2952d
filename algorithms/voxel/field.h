/**
 * The voxels inside of a solid, as runs along z, and the distances of their centres to its surface.
 *
 * A voxel is a cube. It is *interior* if its centre is inside the solid. Interior voxels are
 * numbered column by column (x fastest, then y), and upwards along z in each column. So the voxels
 * of a run have consecutive numbers.
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
    uint32_t *columns;   /* arena; size[0] * size[1] + 1 entries: index of the first run of column y
                            * size[0] + x */
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
 * Places a grid over the mesh's box and finds the interior voxels. The grid has `resolution` voxels
 * along the longest edge of the box, and as many as needed along the other edges. The box is in the
 * middle of the grid. Voxels are classified column by column: the line through the centres of a
 * column crosses the surface, and parts between an odd crossing and the next one are interior. All
 * signs are exact. A column that touches an edge or a vertex is treated as if it were moved by (e,
 * e^2) along x and y for a vanishing e > 0. A centre on the surface counts as below it. So every
 * closed surface gives a consistent result.
 *
 * Shapes   1 <= resolution <= ALG_VOXEL_RESOLUTION_MAX.
 * Errors   BASE_ERR_INPUT if a column crosses the surface an odd number of times, which shows that
 *          the surface is not closed. BASE_ERR_INPUT for 2^31 interior voxels or more.
 *          BASE_ERR_MEMORY.
 * Memory   arena: 4 bytes per column, 12 bytes per run; scratch outside of it.
 * Cost     O(columns + columns in the boxes of all faces). Sorting the crossings of one column
 *          takes time quadratic in their number.
 */
base_status alg_voxel_runs_build(const geo_mesh *mesh, uint32_t resolution, base_arena *arena,
                                 alg_voxel_runs *grid, base_error *err) BASE_MUST_CHECK;

/**
 * Finds the interior voxels of a grid that is already placed: origin, edge and size are set. The
 * grid must contain the mesh's box; otherwise as alg_voxel_runs_build.
 */
base_status alg_voxel_runs_fill(const geo_mesh *mesh, base_arena *arena, alg_voxel_runs *grid,
                                base_error *err) BASE_MUST_CHECK;

/** Returns the run that contains an interior voxel, by binary search. */
const alg_voxel_run *alg_voxel_find(const alg_voxel_runs *grid, uint32_t voxel);

/** Returns the centre of an interior voxel by number. */
vec3 alg_voxel_position(const alg_voxel_runs *grid, uint32_t voxel);

/* --- Distances -------------------------------------------------------------------------------- */

/**
 * Distances from the centres of the interior voxels to the surface, computed on demand. Until a
 * voxel is measured, its radius is the distance to some near point of the surface, which is an
 * upper bound, and its face is the face of that point. The bound is close to the distance for
 * voxels far inside.
 *
 * A measured radius is the computed distance minus `slack`, rounded down to float, so that the ball
 * around the centre lies inside the solid. It is 0 for a centre on the surface.
 */
typedef struct alg_voxel_field {
    const alg_voxel_runs *grid; /* borrowed */
    const geo_surface *surface; /* borrowed */
    double slack;               /* subtracted from every distance for the rounding of doubles */
    float *radius;              /* arena; callers may lower entries, and measuring does not raise
                                   them again */
    uint32_t *face;             /* arena; has the bit ALG_VOXEL_UNMEASURED until it is measured */
} alg_voxel_field;

/**
 * Slack that is subtracted from a distance to a surface for the rounding of doubles, relative to
 * the largest coordinate. Closest points have an error of a few roundings of coordinates.
 */
#define ALG_VOXEL_SLACK (16 * 0x1p-52)

#define ALG_VOXEL_UNMEASURED 0x80000000u

/**
 * Measures one interior voxel in each block of 4 x 4 x 4 voxels. The radii of the other voxels are
 * their distances from the surface point that is found for it.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 8 bytes per voxel.
 * Cost     one closest-point query for each block with an interior voxel, on all CPUs. The result
 *          does not depend on the number of CPUs.
 */
base_status alg_voxel_field_build(const alg_voxel_runs *grid, const geo_surface *surface,
                                  base_arena *arena, alg_voxel_field *field,
                                  base_error *err) BASE_MUST_CHECK;

/**
 * Measures voxels[0] to voxels[count - 1], each listed once; if voxels is NULL, measures the voxels
 * 0 to count - 1. Voxels that are measured already are skipped. Uses all CPUs. Neither their number
 * nor the order of measuring changes a result.
 */
void alg_voxel_field_measure(alg_voxel_field *field, const uint32_t *voxels, size_t count);

/** Returns the largest float that is not above `value`, or 0 if the value is negative. */
static inline float alg_voxel_round_down(double value)
{
    return value > 0 ? base_float_below(value) : 0;
}

#endif
