/**
 * A voxmap: the layer of each voxel of a grid. 0: a surface voxel; k > 0: k layers inside of the
 * surface; k < 0: outside. Layers are counted by voxels that share a corner, and clamped to -layers
 * and layers: farther voxels have the value of the last layer.
 *
 * Distances: any point of a voxel of layer k, |k| >= 1, is at least (|k| - 1) edges from the
 * surface. If |k| < layers, it is at most (|k| + 1) sqrt(3) edges from the surface.
 *
 * A voxel is outside if a flood from voxel (0, 0, 0) reaches it through faces of voxels without
 * crossing surface voxels. The other voxels are inside. If a mesh is open, the flood enters through
 * any opening that surface voxels do not close.
 *
 * Source   VPS 3 ("Layering").
 */
#ifndef ALGORITHMS_VOXEL_MAP_H
#define ALGORITHMS_VOXEL_MAP_H

#include "algorithms/archive.h"
#include "algorithms/voxel/grid.h"
#include "base/error.h"
#include "base/memory.h"

enum { ALG_VOXEL_LAYERS_MAX = 127 };

typedef enum alg_voxel_storage {
    ALG_VOXEL_BLOCKED, /* blocks of 8 x 8 x 8; a block whose voxels have equal layers stores one
                          layer */
    ALG_VOXEL_DENSE,   /* one byte per voxel, x fastest */
} alg_voxel_storage;

/** Order in which the flood visits rows of voxels. The result does not depend on it. */
typedef enum alg_voxel_flood {
    ALG_VOXEL_STACK, /* the row that was reached last, as in the paper */
    ALG_VOXEL_QUEUE, /* the row that was reached first */
} alg_voxel_flood;

typedef struct alg_voxel_map_options {
    uint32_t layers; /* 1 to ALG_VOXEL_LAYERS_MAX */
    alg_voxel_storage storage;
    alg_voxel_flood flood;
    uint64_t *visits; /* NULL, or receives the number of rows along x that the flood visits; a row
                         that is visited twice counts twice */
} alg_voxel_map_options;

/** Edge of a block. */
enum { ALG_VOXEL_MAP_BLOCK = ALG_VOXEL_BLOCK };

/**
 * Flag in an entry of `blocks`: the block is open, and its voxels start at values[(entry &
 * ~ALG_VOXEL_MAP_OPEN) * 512]. The entry of any other block is the layer of all of its voxels, as a
 * uint8_t.
 */
#define ALG_VOXEL_MAP_OPEN ALG_VOXEL_OPEN

typedef struct alg_voxel_map {
    alg_voxel_grid grid;
    uint32_t layers;
    alg_voxel_storage storage;
    uint32_t block_count[3];             /* blocked */
    uint32_t open_count;                 /* blocked: number of open blocks */
    uint32_t *blocks;                    /* arena; blocked: x fastest */
    int8_t *values;                      /* arena; layers of all voxels (dense), or of the voxels of
                                            the open blocks (blocked) */
    uint64_t surface_count, inner_count; /* numbers of voxels */
} alg_voxel_map;

/**
 * Floods the outside and computes the layers around the surface voxels.
 *
 * Shapes   surface: of the grid's size, without bits on the grid's outermost voxels.
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT for 2^31 open blocks or more.
 * Memory   arena: 1 byte per voxel (dense), or 4 bytes per block and 512 bytes per open block
 *          (blocked). The values of voxels beyond the grid are undefined. Scratch outside of the
 *          arena: one bit per voxel, 5 bytes per row along x, and tiles.
 * Cost     the flood, on one thread, then O(layers) operations per 64 voxels on all CPUs. The
 *          result does not depend on the number of CPUs.
 */
base_status alg_voxel_map_build(const alg_voxel_grid *grid, const alg_voxel_bits *surface,
                                const alg_voxel_map_options *options, base_arena *arena,
                                alg_voxel_map *map, base_error *err) BASE_MUST_CHECK;

/** Saves or loads the members of a voxmap as a part of a body's archive: archive.h. */
void alg_voxel_map_serialize(alg_archive *archive, alg_voxel_map *map);

/** Returns the layer of a voxel in the grid. */
static inline int alg_voxel_layer(const alg_voxel_map *map, uint32_t x, uint32_t y, uint32_t z)
{
    const size_t n = ALG_VOXEL_MAP_BLOCK;
    if (map->storage == ALG_VOXEL_DENSE) {
        return map->values[((size_t)z * map->grid.size[1] + y) * map->grid.size[0] + x];
    }
    const uint32_t entry = map->blocks[alg_voxel_block_index(map->block_count, x, y, z)];
    return entry & ALG_VOXEL_MAP_OPEN ? map->values[(entry & ~ALG_VOXEL_MAP_OPEN) * (n * n * n) +
                                                    alg_voxel_in_block(x, y, z)]
                                      : (int8_t)(uint8_t)entry;
}

#endif
