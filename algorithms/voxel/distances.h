/**
 * Distances derived from a voxmap: signed distances from the centres of voxels to the surface of a
 * solid, and lower bounds of the distances from the cells of the grid to the voxels of chosen
 * layers.
 */
#ifndef ALGORITHMS_VOXEL_DISTANCES_H
#define ALGORITHMS_VOXEL_DISTANCES_H

#include "algorithms/voxel/map.h"
#include "base/error.h"
#include "base/memory.h"
#include "geometry/surface.h"

/* --- Signed distances ------------------------------------------------------------------------- */

/** Value in `blocks` of a block without a measured voxel. */
#define ALG_VOXEL_UNKNOWN 0xffffffffu

typedef struct alg_voxel_distances {
    const alg_voxel_map *map; /* borrowed */
    uint32_t outward;         /* voxels of layer -outward and of inner layers are measured */
    uint32_t block_count[3];
    uint32_t open_count;
    uint32_t *blocks; /* arena; x fastest; position of a block in `values`, or ALG_VOXEL_UNKNOWN */
    float *values;    /* arena; 8 x 8 x 8 per block, x fastest; NaN: not measured */
} alg_voxel_distances;

/** Returns the distance of a voxel in the grid: negative inside, NaN if it is not measured. */
static inline float alg_voxel_distance(const alg_voxel_distances *d, uint32_t x, uint32_t y,
                                       uint32_t z)
{
    const size_t n = ALG_VOXEL_MAP_BLOCK;
    const uint32_t block = d->blocks[alg_voxel_block_index(d->block_count, x, y, z)];
    return block == ALG_VOXEL_UNKNOWN
               ? NAN
               : d->values[block * (n * n * n) + alg_voxel_in_block(x, y, z)];
}

/**
 * Measures the voxels of layer -outward and of inner layers. The value of a voxel is the distance
 * from its centre to the nearest point of the surface, rounded to float. It is negative if the
 * centre is inside of the solid. The layers of the map are not enough to find the sign: if a hollow
 * is open to the outside, but its opening is narrower than a voxel, its voxels have the layers of
 * the inside. Therefore the centres of these voxels are tested against the surface.
 *
 * Shapes   surface: closed, of the body that the map was made from. 1 <= outward < map->layers.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 4 bytes per block, 2 KiB per block with a measured voxel.
 * Cost     1 to 3 us per measured voxel, on all CPUs. The result does not depend on the number of
 *          CPUs.
 */
base_status alg_voxel_distances_build(const geo_surface *surface, const alg_voxel_map *map,
                                      uint32_t outward, base_arena *arena,
                                      alg_voxel_distances *distances,
                                      base_error *err) BASE_MUST_CHECK;

/**
 * Returns the distance at a point, trilinear between the eight nearest centres, and its gradient,
 * which has about unit length and points outwards.
 *
 * Shapes   p: in a voxel of layer 0 or more whose neighbours are all measured.
 */
double alg_voxel_distances_at(const alg_voxel_distances *distances, vec3 p, vec3 *gradient);

/* --- Clearance -------------------------------------------------------------------------------- */

/** Edge of a cell, in voxels. */
enum { ALG_VOXEL_CELL_BITS = 2, ALG_VOXEL_CELL = 1 << ALG_VOXEL_CELL_BITS };

/** Number of steps of a clearance per voxel, and the largest clearance in voxels. */
enum { ALG_VOXEL_CLEARANCE_STEPS = 16, ALG_VOXEL_CLEARANCE_MAX = 16 };

typedef struct alg_voxel_clearance {
    int32_t least;     /* the "voxels that matter" are those of this layer and of inner layers */
    uint32_t count[3]; /* cells */
    /**
     * Arena; x fastest. The value 0 means that the cell contains a voxel that matters. A value n >
     * 0 means that it contains no such voxel, and that the distance from any point of the cell to
     * such a voxel is at least (n - 1) / ALG_VOXEL_CLEARANCE_STEPS edges of a voxel. The array has
     * one more element at its end, so that 32 bits can be read at every cell.
     */
    int16_t *cells;
} alg_voxel_clearance;

/**
 * Computes the clearance of all cells.
 *
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT for more than 2^31 cells.
 * Memory   arena: 2 bytes per cell; scratch outside of it.
 * Cost     O(cells that are within ALG_VOXEL_CLEARANCE_MAX voxels of a voxel that matters), on all
 *          CPUs. The result does not depend on the number of CPUs.
 */
base_status alg_voxel_clearance_build(const alg_voxel_map *map, int32_t least, base_arena *arena,
                                      alg_voxel_clearance *clearance,
                                      base_error *err) BASE_MUST_CHECK;

#endif
