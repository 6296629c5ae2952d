/**
 * The walls of a solid and its voxels: the thickness of the thinnest wall, a resolution for it, and
 * the share of the solid that is thinner than its voxels.
 *
 * Source   this suite.
 */
#ifndef ALGORITHMS_VOXEL_WALLS_H
#define ALGORITHMS_VOXEL_WALLS_H

#include "algorithms/algorithms.h"
#include "algorithms/voxel/grid.h"
#include "base/error.h"
#include "geometry/mesh.h"

/* --- Thickness -------------------------------------------------------------------------------- */

/**
 * Estimates the thickness of the thinnest wall. 4096 points are distributed evenly over the area of
 * the surface. The thickness at a point is the length of the ray from it along the inward normal to
 * the next face. A point stands for the volume of half of its ray times its part of the area, which
 * adds up to the volume of a plate. The result is the thickness up to which the points stand for
 * ALG_WALLS_SHARE of the volume, so that edges and tips of small volume do not count as walls.
 *
 * It is exact up to rounding for plates, hollow boxes and tubes. A solid ball has its diameter.
 * For walls with an angle between their faces it is a length across, not the least one.
 *
 * Shapes   the mesh is a solid.
 * Returns  *thickness_m > 0; INFINITY if no ray meets a face.
 * Errors   BASE_ERR_MEMORY.
 * Cost     about 2 us a triangle for the hierarchy, and 10 ms. The result has the same bits for any
 *          number of threads.
 */
base_status alg_walls_measure(const geo_mesh *mesh, double *thickness_m,
                              base_error *err) BASE_MUST_CHECK;

#define ALG_WALLS_SHARE 0.01

/* --- Resolution ------------------------------------------------------------------------------- */

/** The word of a parameter that gives a resolution in voxels; it is stored as 0. */
#define ALG_WALLS_AUTO                                                                             \
    (const alg_choice[])                                                                           \
    {                                                                                              \
        {"auto", "five in the thinnest wall, or the default if more; at most 2^26 in the grid"},   \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }

enum {
    ALG_WALLS_VOXELS = 5,    /* voxels in the thinnest wall */
    ALG_WALLS_MOST = 1 << 26 /* voxels of a grid: the limit of memory, one byte each if dense */
};

/** A resolution that was chosen, or given. */
typedef struct alg_resolution {
    uint32_t voxels; /* along the longest edge of the body's box */
    double wall_m;   /* thickness of the thinnest wall; NaN if the resolution was given */
} alg_resolution;

/**
 * Chooses a resolution: ALG_WALLS_VOXELS voxels in the thinnest wall, and not less than `least`. It
 * is less if it would exceed `most`, or the grid ALG_WALLS_MOST voxels. If `asked` is not 0, it is
 * the resolution, and nothing is measured.
 *
 * Errors   ALG_UNSUPPORTED if `asked` is 0 and the mesh is not a solid; ALG_OUT_OF_MEMORY.
 */
alg_status alg_walls_resolve(const alg_mesh *mesh, uint32_t asked, uint32_t least, uint32_t most,
                             alg_resolution *resolution, alg_message *message);

/* --- Solids that are thinner than their voxels ------------------------------------------------ */

/** Largest number of voxels of a grid that is measured: two bits of memory for each. */
#define ALG_THIN_MEASURED_MOST ((uint64_t)1 << 30)

/**
 * Measures the share of a solid's volume in voxels that have no inner voxel in or beside them; of
 * the 26 voxels around a voxel, all are beside it. A voxel that a half space meets always has such
 * a voxel. So the share is nearly 0 for a body that is thick for its voxels, and 1 for a plate
 * without inner voxels. Sharp edges have a small share: less than 0.1 % of a cube of 30 voxels.
 *
 * Inner voxels are those whose centre is in the solid. Without by_centre, the surface must not pass
 * through them either. The volume in these voxels is found by 131,072 random points, in 4096 of
 * them or in all.
 *
 * Shapes   surface: the surface voxels of the mesh; the mesh is a solid inside of the grid.
 * Returns  *share in [0, 1], the same bits for any number of threads. 0 is exact. NaN for a grid of
 *          more than ALG_THIN_MEASURED_MOST voxels.
 * Errors   BASE_ERR_MEMORY.
 * Cost     O(columns of the grid + words of the grid). If there is such a volume, also 2 us a
 *          triangle for a hierarchy, and 30 ms.
 */
base_status alg_thin_share(const geo_mesh *mesh, const alg_voxel_grid *grid,
                           const alg_voxel_bits *surface, bool by_centre, double *share,
                           base_error *err) BASE_MUST_CHECK;

#endif
