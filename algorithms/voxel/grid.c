#include "algorithms/voxel/grid.h"

#include "base/memory.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

base_status alg_voxel_grid_place(geo_box box, uint32_t resolution, uint32_t padding,
                                 alg_voxel_grid *grid, base_error *err)
{
    base_assert(resolution >= 1 && padding >= 1);
    const vec3 size = vec3_sub(box.hi, box.lo), middle = geo_box_centre(box);
    const double edge = fmax(size.x, fmax(size.y, size.z)) / resolution;
    *grid = (alg_voxel_grid){.edge = edge, .padding = padding};
    /* The middle, the corner and a plane each have an error of up to 2^-52 times the box's largest
     * coordinate. The sum must be below a quarter of an edge, since a face is at least that far
     * from all planes. */
    if (!(edge > 16 * 0x1p-52 * geo_box_reach(box))) {
        return base_fail(err, BASE_ERR_INPUT,
                         "the body is too small, or too far from the origin, for %u voxels",
                         resolution);
    }
    double half[3];
    for (int axis = 0; axis < 3; axis++) {
        const double count = ceil(vec3_get(size, axis) / edge + 0.5);
        if (!(count + 2.0 * padding <= ALG_VOXEL_SIZE_MAX)) {
            return base_fail(err, BASE_ERR_INPUT, "more than %d voxels along an axis",
                             ALG_VOXEL_SIZE_MAX);
        }
        grid->size[axis] = (uint32_t)count + 2 * padding;
        half[axis] = 0.5 * count * edge;
    }
    grid->corner = vec3_sub(middle, (vec3){half[0], half[1], half[2]});
    return BASE_OK;
}

/* --- Bits ------------------------------------------------------------------------------------- */

base_status alg_voxel_bits_create(const uint32_t size[3], alg_voxel_bits *bits, base_error *err)
{
    *bits = (alg_voxel_bits){.size = {size[0], size[1], size[2]}, .row_words = (size[0] + 63) / 64};
    bits->words = base_alloc(alg_voxel_bits_words(bits), sizeof *bits->words);
    if (!bits->words) {
        *bits = (alg_voxel_bits){0};
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %u x %u x %u voxels", size[0],
                         size[1], size[2]);
    }
    return BASE_OK;
}

void alg_voxel_bits_release(alg_voxel_bits *bits)
{
    base_free(bits->words);
    *bits = (alg_voxel_bits){0};
}

uint64_t alg_voxel_bits_count(const alg_voxel_bits *bits)
{
    const size_t words = alg_voxel_bits_words(bits);
    uint64_t count = 0;
    for (size_t w = 0; w < words; w++) {
        count += (uint64_t)__builtin_popcountll(bits->words[w]);
    }
    return count;
}

/* --- Sparse grids ----------------------------------------------------------------------------- */

static uint32_t *entry_at(const alg_voxel_blocks *grid, uint32_t x, uint32_t y, uint32_t z)
{
    return &grid->blocks[((size_t)z * grid->count[1] + y) * grid->count[0] + x];
}

base_status alg_voxel_blocks_create(const uint32_t size[3], base_arena *arena,
                                    alg_voxel_blocks *grid, base_error *err)
{
    *grid = (alg_voxel_blocks){0};
    for (int axis = 0; axis < 3; axis++) {
        grid->size[axis] = size[axis];
        grid->count[axis] = (size[axis] + ALG_VOXEL_BLOCK - 1) / ALG_VOXEL_BLOCK;
    }
    const size_t blocks = (size_t)grid->count[0] * grid->count[1] * grid->count[2];
    grid->blocks = base_arena_alloc(arena, blocks, sizeof *grid->blocks);
    if (!grid->blocks) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu blocks of voxels", blocks);
    }
    return BASE_OK;
}

void alg_voxel_blocks_open(alg_voxel_blocks *grid, uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t *const entry =
        entry_at(grid, x / ALG_VOXEL_BLOCK, y / ALG_VOXEL_BLOCK, z / ALG_VOXEL_BLOCK);
    if (!(*entry & ALG_VOXEL_OPEN)) {
        *entry = ALG_VOXEL_OPEN | grid->open_count++;
    }
}

base_status alg_voxel_blocks_allocate(alg_voxel_blocks *grid, base_arena *arena, base_error *err)
{
    const size_t block = ALG_VOXEL_BLOCK * ALG_VOXEL_BLOCK * ALG_VOXEL_BLOCK;
    grid->voxels = base_arena_alloc(arena, block * grid->open_count, sizeof *grid->voxels);
    if (!grid->voxels) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %u blocks of voxels",
                         grid->open_count);
    }
    return BASE_OK;
}

/**
 * Sets the number of those voxels of block `at` that are in the range, or of all its voxels if the
 * block is not open.
 */
static void fill_block(alg_voxel_blocks *grid, const uint32_t at[3], const alg_voxel_range *range,
                       uint32_t number)
{
    const uint32_t n = ALG_VOXEL_BLOCK;
    uint32_t *const entry = entry_at(grid, at[0], at[1], at[2]);
    if (!(*entry & ALG_VOXEL_OPEN)) {
        *entry = number;
        return;
    }
    alg_voxel_range in = *range; /* relative to the block's corner */
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t lo = at[axis] * n;
        in.lo[axis] = range->lo[axis] > lo ? range->lo[axis] - lo : 0;
        in.hi[axis] = range->hi[axis] - lo < n ? range->hi[axis] - lo : n;
    }
    uint32_t *const voxels = alg_voxel_block_voxels(grid, *entry);
    for (uint32_t z = in.lo[2]; z < in.hi[2]; z++) {
        for (uint32_t y = in.lo[1]; y < in.hi[1]; y++) {
            for (uint32_t x = in.lo[0]; x < in.hi[0]; x++) {
                voxels[(z * n + y) * n + x] = number;
            }
        }
    }
}

void alg_voxel_blocks_fill(alg_voxel_blocks *grid, const alg_voxel_range *range, uint32_t number)
{
    const uint32_t n = ALG_VOXEL_BLOCK;
    base_assert(!(number & ALG_VOXEL_OPEN));
    uint32_t at[3];
    for (at[2] = range->lo[2] / n; at[2] * n < range->hi[2]; at[2]++) {
        for (at[1] = range->lo[1] / n; at[1] * n < range->hi[1]; at[1]++) {
            for (at[0] = range->lo[0] / n; at[0] * n < range->hi[0]; at[0]++) {
                fill_block(grid, at, range, number);
            }
        }
    }
}

/* --- Octrees ---------------------------------------------------------------------------------- */

/** A voxel, and the code that sorts it in depth-first order. */
typedef struct sort_key {
    uint64_t code; /* Morton code: ascending codes are in depth-first order */
    uint32_t voxel;
} sort_key;

typedef struct builder {
    sort_key *keys;               /* owned; sorted */
    alg_voxel_octree_node *nodes; /* owned */
    size_t node_count, node_capacity;
} builder;

static int compare_keys(const void *left, const void *right)
{
    const sort_key *const a = left, *const b = right;
    return (a->code > b->code) - (a->code < b->code);
}

/** Builds the node of a cube of `level`, which contains keys [begin, end). */
static base_status build_node(builder *b, uint32_t level, size_t begin, size_t end,
                              uint32_t *number, base_error *err)
{
    const base_status status = base_reserve(b->nodes, b->node_capacity, b->node_count + 1, err);
    if (status != BASE_OK) {
        return status;
    }
    *number = (uint32_t)b->node_count++;
    alg_voxel_octree_node node = {{ALG_VOXEL_EMPTY}};
    for (uint32_t i = 0; i < 8; i++) {
        const size_t first = begin;
        while (begin < end && (b->keys[begin].code >> (3 * (level - 1)) & 7) == i) {
            begin++;
        }
        if (first == begin) {
            continue;
        }
        if (level == 1) {
            node.child[i] = ALG_VOXEL_LEAF | b->keys[first].voxel;
            continue;
        }
        const base_status below = build_node(b, level - 1, first, begin, &node.child[i], err);
        if (below != BASE_OK) {
            return below;
        }
    }
    b->nodes[*number] = node;
    return BASE_OK;
}

base_status alg_voxel_octree_build(const alg_voxel_at *voxels, size_t count, uint32_t levels,
                                   base_arena *arena, alg_voxel_octree *octree, base_error *err)
{
    base_assert(levels >= 1 && levels <= ALG_VOXEL_OCTREE_LEVELS_MAX && count < ALG_VOXEL_LEAF);
    *octree = (alg_voxel_octree){.levels = levels};
    uint32_t root;
    builder b = {.keys = base_alloc(count, sizeof *b.keys)};
    base_status status = BASE_OK;
    if (!b.keys) {
        status =
            base_fail(err, BASE_ERR_MEMORY, "out of memory for an octree of %zu voxels", count);
        goto done;
    }
    for (size_t i = 0; i < count; i++) {
        b.keys[i] =
            (sort_key){alg_voxel_morton(voxels[i].x, voxels[i].y, voxels[i].z), (uint32_t)i};
    }
    qsort(b.keys, count, sizeof *b.keys, compare_keys);
    status = build_node(&b, levels, 0, count, &root, err);
    if (status != BASE_OK) {
        goto done;
    }
    octree->nodes = base_arena_alloc(arena, b.node_count, sizeof *octree->nodes);
    if (!octree->nodes) {
        status =
            base_fail(err, BASE_ERR_MEMORY, "out of memory for an octree of %zu voxels", count);
        goto done;
    }
    memcpy(octree->nodes, b.nodes, b.node_count * sizeof *b.nodes);
    octree->node_count = (uint32_t)b.node_count;
done:
    base_free(b.keys);
    base_free(b.nodes);
    return status;
}
