#include "algorithms/bounds/saved.h"

#include <math.h>

/** Edges are powers of two, and no body is larger or smaller than this. */
static bool is_edge(double edge)
{
    int exponent;
    return edge > 0x1p-500 && edge < 0x1p500 && frexp(edge, &exponent) == 0.5;
}

static bool is_point(vec3 p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

/* --- Slabs ------------------------------------------------------------------------------------ */

/** Precedes the slabs. */
typedef struct slabs_header {
    uint32_t level_count, slab_count;
    double finest; /* edge of the first level */
    double volume, reach;
} slabs_header;

/** Precedes the blocks of a level and its voxels. */
typedef struct level_header {
    vec3 origin;
    uint32_t size[3], open_count;
} level_header;

/* A new member must be saved as well, and raises ALG_BOUNDS_STATE_VERSION. */
_Static_assert(sizeof(alg_voxel_blocks) == 2 * sizeof(void *) + 8 * sizeof(uint32_t) &&
                   sizeof(alg_bounds_slabs_level) ==
                       sizeof(double) + sizeof(vec3) + sizeof(alg_voxel_blocks) &&
                   sizeof(alg_bounds_slabs) ==
                       ALG_BOUNDS_SLABS_LEVELS_MAX * sizeof(alg_bounds_slabs_level) +
                           2 * sizeof(void *) + sizeof(uint64_t) + 2 * sizeof(double),
               "all of slabs is saved");

enum {
    BLOCK_VOXELS = ALG_VOXEL_BLOCK * ALG_VOXEL_BLOCK * ALG_VOXEL_BLOCK,
    SIZE_MAX_AXIS = 1 << 16
};

static size_t block_count(const alg_voxel_blocks *grid)
{
    return (size_t)grid->count[0] * grid->count[1] * grid->count[2];
}

static bool save_level(const alg_bounds_slabs_level *level, const alg_writer *to)
{
    const alg_voxel_blocks *const grid = &level->grid;
    const level_header header = {
        .origin = level->origin,
        .size = {grid->size[0], grid->size[1], grid->size[2]},
        .open_count = grid->open_count
    };
    return alg_give(to, &header, 1, sizeof header) &&
           alg_give(to, grid->blocks, block_count(grid), sizeof *grid->blocks) &&
           alg_give(to, grid->voxels, (size_t)grid->open_count * BLOCK_VOXELS,
                    sizeof *grid->voxels);
}

bool alg_bounds_slabs_save(const alg_bounds_slabs *slabs, const alg_writer *to)
{
    const slabs_header header = {.level_count = slabs->level_count,
                                 .slab_count = slabs->slab_count,
                                 .finest = slabs->levels[0].edge,
                                 .volume = slabs->volume,
                                 .reach = slabs->reach};
    bool taken = alg_give(to, &header, 1, sizeof header) &&
                 alg_give(to, slabs->slabs, slabs->slab_count, sizeof *slabs->slabs);
    for (uint32_t l = 0; l < slabs->level_count && taken; l++) {
        taken = save_level(&slabs->levels[l], to);
    }
    return taken;
}

static bool are_slabs_good(const alg_bounds_slabs *slabs)
{
    bool good = true;
    for (uint32_t i = 0; i < slabs->slab_count; i++) {
        const alg_bounds_slab *const s = &slabs->slabs[i];
        good &= s->lower <= s->middle && s->middle <= s->upper && s->unused == 0 &&
                s->inside <= (ALG_BOUNDS_BELOW_INSIDE | ALG_BOUNDS_ABOVE_INSIDE);
    }
    return good;
}

/** Are all voxels outside, inside, or of a slab that is there? */
static bool are_voxels_good(const alg_voxel_blocks *grid, uint32_t slab_count)
{
    const uint32_t end = ALG_BOUNDS_SLABS_FIRST + slab_count;
    bool good = true;
    for (size_t i = 0; i < block_count(grid); i++) {
        const uint32_t entry = grid->blocks[i];
        good &= entry & ALG_VOXEL_OPEN ? (entry & ~ALG_VOXEL_OPEN) < grid->open_count : entry < end;
    }
    for (size_t i = 0; i < (size_t)grid->open_count * BLOCK_VOXELS; i++) {
        good &= grid->voxels[i] < end;
    }
    return good;
}

/** Its size is that of a grid, and its blocks and voxels are among the bytes. */
static bool is_level_plausible(const level_header *h, size_t left)
{
    size_t blocks = 1;
    for (int axis = 0; axis < 3; axis++) {
        if (h->size[axis] == 0 || h->size[axis] > SIZE_MAX_AXIS) {
            return false;
        }
        blocks *= (h->size[axis] + ALG_VOXEL_BLOCK - 1) / ALG_VOXEL_BLOCK;
    }
    return is_point(h->origin) && blocks <= left / sizeof(uint32_t) &&
           h->open_count <= (left / sizeof(uint32_t) - blocks) / BLOCK_VOXELS;
}

static base_status load_level(alg_reader *from, uint32_t slab_count, base_arena *arena,
                              alg_bounds_slabs_level *level, base_error *err)
{
    alg_voxel_blocks *const grid = &level->grid;
    level_header h;
    if (!alg_take(from, &h, 1, sizeof h) || !is_level_plausible(&h, from->left)) {
        return base_fail(err, BASE_ERR_INPUT, "its sizes are not those of a grid");
    }
    level->origin = h.origin;
    base_status status = alg_voxel_blocks_create(h.size, arena, grid, err);
    if (status != BASE_OK) {
        return status;
    }
    grid->open_count = h.open_count;
    status = alg_voxel_blocks_allocate(grid, arena, err);
    if (status != BASE_OK) {
        return status;
    }
    const bool whole =
        alg_take(from, grid->blocks, block_count(grid), sizeof *grid->blocks) &&
        alg_take(from, grid->voxels, (size_t)grid->open_count * BLOCK_VOXELS, sizeof *grid->voxels);
    return whole && are_voxels_good(grid, slab_count)
               ? BASE_OK
               : base_fail(err, BASE_ERR_INPUT, "its voxels name slabs that are not there");
}

base_status alg_bounds_slabs_load(alg_reader *from, base_arena *arena, alg_bounds_slabs *slabs,
                                  base_error *err)
{
    slabs_header h;
    if (!alg_take(from, &h, 1, sizeof h) || h.level_count == 0 ||
        h.level_count > ALG_BOUNDS_SLABS_LEVELS_MAX ||
        h.slab_count > from->left / sizeof *slabs->slabs || !is_edge(h.finest) ||
        !(h.volume > 0 && isfinite(h.volume)) || !(h.reach > 0 && isfinite(h.reach))) {
        return base_fail(err, BASE_ERR_INPUT, "its sizes are not those of slabs");
    }
    *slabs = (alg_bounds_slabs){.level_count = h.level_count,
                                .slab_count = h.slab_count,
                                .volume = h.volume,
                                .reach = h.reach};
    slabs->slabs = base_arena_alloc(arena, h.slab_count, sizeof *slabs->slabs);
    if (!slabs->slabs) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %u slabs", h.slab_count);
    }
    if (!alg_take(from, slabs->slabs, h.slab_count, sizeof *slabs->slabs) ||
        !are_slabs_good(slabs)) {
        return base_fail(err, BASE_ERR_INPUT, "its slabs have no inside");
    }
    base_status status = BASE_OK;
    for (uint32_t l = 0; l < h.level_count && status == BASE_OK; l++) {
        slabs->levels[l].edge = ldexp(h.finest, (int)l);
        status = load_level(from, h.slab_count, arena, &slabs->levels[l], err);
    }
    return status;
}

/* --- Cells ------------------------------------------------------------------------------------ */

/** Precedes the cells. */
typedef struct cells_header {
    vec3 origin;
    double finest;
    uint32_t levels, cell_count;
} cells_header;

_Static_assert(sizeof(alg_bounds_cells) ==
                   sizeof(vec3) + 3 * sizeof(double) + sizeof(void *) + 4 * sizeof(uint32_t),
               "all of cells is saved, or follows from what is");

/** 2^levels cubes an edge: more than alg_bounds_cells_build makes. */
enum { LEVELS_MAX = 16 };

bool alg_bounds_cells_save(const alg_bounds_cells *cells, const alg_writer *to)
{
    const cells_header header = {.origin = cells->origin,
                                 .finest = cells->finest,
                                 .levels = cells->levels,
                                 .cell_count = cells->cell_count};
    return alg_give(to, &header, 1, sizeof header) &&
           alg_give(to, cells->cells, cells->cell_count, sizeof *cells->cells);
}

/**
 * Is cell `number`, with cubes of half its edge, an octree whose numbers are depth first from
 * *next on, and whose volumes sum up? Counts its leaves.
 */
static bool is_octree(alg_bounds_cells *cells, uint32_t number, uint32_t level, double half,
                      uint32_t *next)
{
    const alg_bounds_cell *const cell = &cells->cells[number];
    const double whole = half * half * half;
    for (int i = 0; i < 8; i++) {
        const uint32_t child = cell->child[i];
        const double volume = cell->volume[i];
        bool good;
        if (child == ALG_BOUNDS_CELL_EMPTY || child == ALG_BOUNDS_CELL_WHOLE) {
            good = volume == (child == ALG_BOUNDS_CELL_EMPTY ? 0 : whole);
        } else if (child == ALG_BOUNDS_CELL_LEAF) {
            cells->leaf_count++;
            good = level == 1 && volume >= 0 && volume <= whole;
        } else {
            good = level > 1 && child == *next && child < cells->cell_count;
            *next += good;
            good = good && is_octree(cells, child, level - 1, 0.5 * half, next) &&
                   volume == alg_bounds_cell_volume(&cells->cells[child]);
        }
        if (!good) {
            return false;
        }
    }
    return true;
}

base_status alg_bounds_cells_load(alg_reader *from, base_arena *arena, alg_bounds_cells *cells,
                                  base_error *err)
{
    cells_header h;
    if (!alg_take(from, &h, 1, sizeof h) || !is_point(h.origin) || !is_edge(h.finest) ||
        h.levels == 0 || h.levels > LEVELS_MAX || h.cell_count == 0 ||
        h.cell_count > from->left / sizeof *cells->cells) {
        return base_fail(err, BASE_ERR_INPUT, "its sizes are not those of cells");
    }
    *cells = (alg_bounds_cells){.origin = h.origin,
                                .edge = ldexp(h.finest, (int)h.levels),
                                .finest = h.finest,
                                .levels = h.levels,
                                .cell_count = h.cell_count};
    cells->cells = base_arena_alloc(arena, h.cell_count, sizeof *cells->cells);
    if (!cells->cells) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %u cells", h.cell_count);
    }
    uint32_t next = 1;
    if (!alg_take(from, cells->cells, h.cell_count, sizeof *cells->cells) ||
        !is_octree(cells, 0, h.levels, 0.5 * cells->edge, &next) || next != h.cell_count) {
        return base_fail(err, BASE_ERR_INPUT, "its cells are no octree");
    }
    cells->volume = alg_bounds_cell_volume(&cells->cells[0]);
    return BASE_OK;
}
