/**
 * Signed distances from the centres of voxels to the surface of a solid, for the layers of a voxmap
 * that are needed, and their interpolation.
 */
#ifndef ALGORITHMS_VOXEL_DISTANCES_H
#define ALGORITHMS_VOXEL_DISTANCES_H

#include "algorithms/voxel/map.h"
#include "base/error.h"
#include "base/memory.h"
#include "geometry/surface.h"

/** Flag in `blocks`: no voxel of the block is measured. */
#define ALG_VOXEL_UNKNOWN 0xffffffffu

typedef struct alg_voxel_distances {
    const alg_voxel_map *map; /* borrowed */
    uint32_t outward;         /* voxels of layer -outward and of inner layers are measured */
    uint32_t block_count[3];
    uint32_t open_count;
    uint32_t *blocks; /* arena; x fastest: number of the block's values, or ALG_VOXEL_UNKNOWN */
    float *values;    /* arena; 8 x 8 x 8 per block, x fastest; NaN: not measured */
} alg_voxel_distances;

/** Returns the number of blocks along an axis of `size` voxels. */
static inline uint32_t alg_voxel_distance_blocks(uint32_t size)
{
    return (size + ALG_VOXEL_MAP_BLOCK - 1) / ALG_VOXEL_MAP_BLOCK;
}

/** Returns the distance of a voxel in the grid: negative inside, NaN if it is not measured. */
static inline float alg_voxel_distance(const alg_voxel_distances *d, uint32_t x, uint32_t y,
                                       uint32_t z)
{
    const uint32_t n = ALG_VOXEL_MAP_BLOCK;
    const uint32_t block =
        d->blocks[((size_t)(z / n) * d->block_count[1] + y / n) * d->block_count[0] + x / n];
    return block == ALG_VOXEL_UNKNOWN
               ? NAN
               : d->values[(size_t)block * (n * n * n) + ((z % n) * n + y % n) * n + x % n];
}

/**
 * Measures the voxels of layer -outward and of inner layers: the distance of the centre to the
 * nearest point of the surface, rounded to float, negative if the centre is inside of the solid.
 * The layers alone do not give the sign: an outer hollow whose opening is narrower than voxels has
 * layers of the inside.
 *
 * Shapes   surface: closed, of the body that the map was made from. 1 <= outward < map->layers.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 4 bytes per block, 2 KiB per block with a measured voxel.
 * Cost     1 to 3 us per measured voxel, on all CPUs; the result does not depend on their number.
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

#endif
