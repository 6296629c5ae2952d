/**
 * The voxels inside a solid, as runs along z.
 *
 * A voxel is a cube; it is *interior* if its centre is inside the solid. Interior voxels are
 * numbered by column (x fastest, then y), upwards in z, so that a run of a column has consecutive
 * numbers.
 */
#ifndef ALGORITHMS_VOXEL_RUNS_H
#define ALGORITHMS_VOXEL_RUNS_H

#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh.h"
#include "geometry/vec.h"

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

#endif
