/**
 * Grids of voxels: the positions of their planes, and data of their voxels. The data are a bit for
 * each voxel, a number for each voxel (stored sparsely), or an octree over some of the voxels.
 *
 * Source   VPS 3; the positions of the planes are this suite's, so that counts of voxels can be
 *          reproduced.
 */
#ifndef ALGORITHMS_VOXEL_GRID_H
#define ALGORITHMS_VOXEL_GRID_H

#include "base/memory.h"
#include "base/error.h"
#include "geometry/vec.h"

#include <stdbool.h>
#include <stdint.h>

/** Largest number of voxels along an axis, including the padding. */
enum { ALG_VOXEL_SIZE_MAX = 1 << 15 };

/**
 * Along each axis, plane i is at the corner plus i - padding edges, and voxel i is the closed
 * interval between planes i and i + 1. The voxels without the padding contain the body's box and
 * have the same middle. Along each axis the box reaches into its first and last voxel by more than
 * a quarter and at most three quarters of an edge; along its longest edge it is half an edge. So no
 * face of the box lies in a plane of the grid. Such a face would have surface voxels on both sides,
 * since voxels are closed. A plane through the centres of these voxels would be half an edge above
 * or below the face.
 */
typedef struct alg_voxel_grid {
    vec3 corner;      /* lower corner of the voxels without the padding */
    double edge;      /* h = longest edge of the box / resolution */
    uint32_t padding; /* voxels on each side beyond the box */
    uint32_t size[3]; /* number of voxels, including the padding */
} alg_voxel_grid;

/**
 * Returns the position of plane i. All code uses this one formula: fl(corner + fl(edge * (i -
 * padding))).
 */
static inline double alg_voxel_plane(const alg_voxel_grid *grid, int axis, int64_t i)
{
    return vec3_get(grid->corner, axis) + grid->edge * (double)(i - (int64_t)grid->padding);
}

/** Returns the closed box of voxel (x, y, z). */
static inline geo_box alg_voxel_box(const alg_voxel_grid *grid, int64_t x, int64_t y, int64_t z)
{
    return (geo_box){
        {alg_voxel_plane(grid, 0, x), alg_voxel_plane(grid, 1, y), alg_voxel_plane(grid, 2, z)},
        {alg_voxel_plane(grid, 0, x + 1), alg_voxel_plane(grid, 1, y + 1),
         alg_voxel_plane(grid, 2, z + 1)}};
}

/** Returns the centre of voxel (x, y, z): the middle of its planes. */
static inline vec3 alg_voxel_middle(const alg_voxel_grid *grid, int64_t x, int64_t y, int64_t z)
{
    return geo_box_centre(alg_voxel_box(grid, x, y, z));
}

/**
 * Returns the position t along an axis, in voxels, of a point with coordinate x. The point is in
 * voxel floor(t). If the point is on a plane up to rounding, floor(t) may be either of the two
 * voxels at the plane.
 */
static inline double alg_voxel_coordinate(const alg_voxel_grid *grid, int axis, double x)
{
    return (x - vec3_get(grid->corner, axis)) * (1 / grid->edge) + grid->padding;
}

/**
 * Returns the Morton code of three numbers of 21 bits. Bits 3 k, 3 k + 1 and 3 k + 2 of the code
 * are bits k of x, y and z.
 */
static inline uint64_t alg_voxel_morton(uint64_t x, uint64_t y, uint64_t z)
{
    uint64_t part[3] = {x, y, z};
    for (int axis = 0; axis < 3; axis++) { /* moves bit k to bit 3 k */
        uint64_t bits = part[axis];
        bits = (bits | bits << 32) & 0x001f00000000ffffu;
        bits = (bits | bits << 16) & 0x001f0000ff0000ffu;
        bits = (bits | bits << 8) & 0x100f00f00f00f00fu;
        bits = (bits | bits << 4) & 0x10c30c30c30c30c3u;
        part[axis] = (bits | bits << 2) & 0x1249249249249249u;
    }
    return part[0] | part[1] << 1 | part[2] << 2;
}

/**
 * Computes the grid of a body's box. If the box is n edges long along an axis, the axis has ceil(n
 * + 1/2) voxels plus twice the padding.
 *
 * Shapes   the box is not empty; resolution >= 1, padding >= 1.
 * Errors   BASE_ERR_INPUT for more than ALG_VOXEL_SIZE_MAX voxels along an axis. BASE_ERR_INPUT for
 *          a box that is too small or too far from the origin, so that the edge of a voxel is lost
 *          in the rounding of coordinates; an example is a point.
 */
base_status alg_voxel_grid_place(geo_box box, uint32_t resolution, uint32_t padding,
                                 alg_voxel_grid *grid, base_error *err) BASE_MUST_CHECK;

/** Returns the total number of voxels. */
static inline uint64_t alg_voxel_grid_count(const alg_voxel_grid *grid)
{
    return (uint64_t)grid->size[0] * grid->size[1] * grid->size[2];
}

/* --- Bits ------------------------------------------------------------------------------------- */

/** One bit for each voxel of a grid; a word holds 64 neighbours along x. */
typedef struct alg_voxel_bits {
    uint32_t size[3];
    size_t row_words; /* words per row along x; bits of the last word beyond size[0] are 0 */
    uint64_t *words;  /* owned (base_alloc): alg_voxel_bits_create */
} alg_voxel_bits;

/** Returns the total number of words. */
static inline size_t alg_voxel_bits_words(const alg_voxel_bits *bits)
{
    return bits->row_words * bits->size[1] * bits->size[2];
}

/** Returns the first word of the row along x at (y, z). */
static inline uint64_t *alg_voxel_bits_row(const alg_voxel_bits *bits, uint32_t y, uint32_t z)
{
    return bits->words + ((size_t)z * bits->size[1] + y) * bits->row_words;
}

static inline bool alg_voxel_bit(const alg_voxel_bits *bits, uint32_t x, uint32_t y, uint32_t z)
{
    return alg_voxel_bits_row(bits, y, z)[x / 64] >> x % 64 & 1;
}

static inline void alg_voxel_bit_set(const alg_voxel_bits *bits, uint32_t x, uint32_t y, uint32_t z)
{
    alg_voxel_bits_row(bits, y, z)[x / 64] |= (uint64_t)1 << x % 64;
}

/**
 * Creates bits that are all 0. Errors: BASE_ERR_MEMORY. Memory: words come from base_alloc; release
 * them with alg_voxel_bits_release.
 */
base_status alg_voxel_bits_create(const uint32_t size[3], alg_voxel_bits *bits,
                                  base_error *err) BASE_MUST_CHECK;
/** Releases bits from alg_voxel_bits_create, or zeroed ones. *bits is zeroed. */
void alg_voxel_bits_release(alg_voxel_bits *bits);

/** Returns the number of set bits. */
uint64_t alg_voxel_bits_count(const alg_voxel_bits *bits);

/* --- Sparse grids ----------------------------------------------------------------------------- */

/*
 * A number for each voxel, stored in blocks of 8 x 8 x 8. A block is open if it stores a number for
 * each of its voxels. A block that is not open stores one number, which all of its voxels have. A
 * grid is filled in three steps: alg_voxel_blocks_open for every block whose voxels have different
 * numbers, alg_voxel_blocks_allocate, then alg_voxel_blocks_fill for ranges of voxels. All voxels
 * are initially 0.
 */

enum { ALG_VOXEL_BLOCK = 8 }; /* edge of a block, in voxels */

/**
 * Flag in an entry of `blocks`: the block is open, and the other bits are its index among the open
 * blocks. Numbers of voxels do not have this bit.
 */
#define ALG_VOXEL_OPEN 0x80000000u

typedef struct alg_voxel_blocks {
    uint32_t size[3];  /* voxels */
    uint32_t count[3]; /* blocks */
    uint32_t *blocks;  /* arena; x fastest: the number of all voxels of the block, or ALG_VOXEL_OPEN
                          | index of the open block */
    uint32_t *voxels;  /* arena; voxels of the open blocks, x fastest */
    uint32_t open_count;
} alg_voxel_blocks;

/** The voxels [lo, hi) along each axis. */
typedef struct alg_voxel_range {
    uint32_t lo[3], hi[3];
} alg_voxel_range;

/**
 * Creates a grid of `size` voxels, all 0.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 4 bytes per block.
 */
base_status alg_voxel_blocks_create(const uint32_t size[3], base_arena *arena,
                                    alg_voxel_blocks *grid, base_error *err) BASE_MUST_CHECK;

/** Opens the block of voxel (x, y, z). The voxel must be in the grid. */
void alg_voxel_blocks_open(alg_voxel_blocks *grid, uint32_t x, uint32_t y, uint32_t z);

/**
 * Allocates the voxels of the open blocks.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 2 KiB per open block.
 */
base_status alg_voxel_blocks_allocate(alg_voxel_blocks *grid, base_arena *arena,
                                      base_error *err) BASE_MUST_CHECK;

/**
 * Sets the number of the voxels of a range. If a block is not open, all of its voxels get the
 * number, even if the range contains only a part of the block. So the caller must have opened every
 * block whose voxels have different numbers.
 *
 * Shapes   the range is in the grid, and may be empty; number < ALG_VOXEL_OPEN.
 */
void alg_voxel_blocks_fill(alg_voxel_blocks *grid, const alg_voxel_range *range, uint32_t number);

/** Returns the index of the block of a voxel in an array of count[] blocks, x fastest. */
static inline size_t alg_voxel_block_index(const uint32_t count[3], uint32_t x, uint32_t y,
                                           uint32_t z)
{
    const uint32_t n = ALG_VOXEL_BLOCK;
    return ((size_t)(z / n) * count[1] + y / n) * count[0] + x / n;
}

/** Returns the entry of `blocks` for the block of a voxel in the grid. */
static inline uint32_t alg_voxel_block_of(const alg_voxel_blocks *grid, uint32_t x, uint32_t y,
                                          uint32_t z)
{
    return grid->blocks[alg_voxel_block_index(grid->count, x, y, z)];
}

/** Returns the index of a voxel in its block, x fastest. */
static inline uint32_t alg_voxel_in_block(uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t n = ALG_VOXEL_BLOCK;
    return ((z % n) * n + y % n) * n + x % n;
}

/** Returns the voxels of an open block, from its entry. */
static inline uint32_t *alg_voxel_block_voxels(const alg_voxel_blocks *grid, uint32_t entry)
{
    return grid->voxels +
           (size_t)(entry & ~ALG_VOXEL_OPEN) * ALG_VOXEL_BLOCK * ALG_VOXEL_BLOCK * ALG_VOXEL_BLOCK;
}

/** Returns the number of a voxel in the grid. */
static inline uint32_t alg_voxel_number(const alg_voxel_blocks *grid, uint32_t x, uint32_t y,
                                        uint32_t z)
{
    const uint32_t entry = alg_voxel_block_of(grid, x, y, z);
    return entry & ALG_VOXEL_OPEN ? alg_voxel_block_voxels(grid, entry)[alg_voxel_in_block(x, y, z)]
                                  : entry;
}

/* --- Octrees ---------------------------------------------------------------------------------- */

/*
 * An octree over some of the voxels of a grid. The root is a cube of 2^levels voxels along each
 * edge. A cube that contains none of these voxels is empty and not divided. Child i of a cube is in
 * the upper half along x if bit 0 of i is set, along y if bit 1 is set, and along z if bit 2 is
 * set.
 */

enum { ALG_VOXEL_OCTREE_LEVELS_MAX = 16 };

/** A child without voxels. No other child has the value 0, since node 0 is the root. */
#define ALG_VOXEL_EMPTY 0u

/** A child that is a voxel: this bit and the voxel's index in the array of voxels. */
#define ALG_VOXEL_LEAF 0x80000000u

typedef struct alg_voxel_at {
    uint32_t x, y, z;
} alg_voxel_at;

typedef struct alg_voxel_octree_node {
    uint32_t child[8]; /* ALG_VOXEL_EMPTY, index of a node, or ALG_VOXEL_LEAF | index of a voxel */
} alg_voxel_octree_node;

typedef struct alg_voxel_octree {
    alg_voxel_octree_node *nodes; /* arena; depth first, nodes[0] is the root */
    uint32_t node_count;
    uint32_t levels; /* at least 1: children of a node of level 1 are voxels */
} alg_voxel_octree;

/**
 * Builds the octree.
 *
 * Shapes   voxels: distinct, in any order, with coordinates below 2^levels; count < 2^31. 1 <=
 *          levels <= ALG_VOXEL_OCTREE_LEVELS_MAX.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 32 bytes per node; scratch outside of it.
 * Cost     O(count (log count + levels)).
 */
base_status alg_voxel_octree_build(const alg_voxel_at *voxels, size_t count, uint32_t levels,
                                   base_arena *arena, alg_voxel_octree *octree,
                                   base_error *err) BASE_MUST_CHECK;

#endif
