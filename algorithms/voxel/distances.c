#include "algorithms/voxel/distances.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>

/* --- Signed distances ------------------------------------------------------------------------- */

enum {
    BLOCK = ALG_VOXEL_MAP_BLOCK,
    BLOCK_VOXELS = BLOCK * BLOCK * BLOCK,
    BLOCKS_A_CHUNK = 4, /* blocks that a thread takes at a time */
};

/** Computes the first voxel of block b. */
static void block_corner(const alg_voxel_distances *d, size_t b, uint32_t corner[3])
{
    for (int axis = 0; axis < 3; axis++) {
        corner[axis] = (uint32_t)(b % d->block_count[axis]) * BLOCK;
        b /= d->block_count[axis];
    }
}

static bool is_measured(const alg_voxel_distances *d, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t *const size = d->map->grid.size;
    return x < size[0] && y < size[1] && z < size[2] &&
           alg_voxel_layer(d->map, x, y, z) >= -(int)d->outward;
}

/** Assigns numbers to the blocks that contain a voxel that is to be measured. */
static void open_blocks(alg_voxel_distances *d)
{
    const size_t count = (size_t)d->block_count[0] * d->block_count[1] * d->block_count[2];
    for (size_t b = 0; b < count; b++) {
        uint32_t corner[3];
        bool open = false;
        block_corner(d, b, corner);
        for (uint32_t i = 0; i < BLOCK_VOXELS && !open; i++) {
            open = is_measured(d, corner[0] + i % BLOCK, corner[1] + i / BLOCK % BLOCK,
                               corner[2] + i / (BLOCK * BLOCK));
        }
        d->blocks[b] = open ? d->open_count++ : ALG_VOXEL_UNKNOWN;
    }
}

typedef struct measuring {
    const geo_surface *surface;
    alg_voxel_distances *distances;
} measuring;

/**
 * Measures the voxels of a block. The order goes back and forth along x and y, so that consecutive
 * voxels are neighbours. The face that is nearest to a voxel is a hint for the next one.
 */
static void measure_block(const measuring *m, const uint32_t corner[3], float *values)
{
    const alg_voxel_map *const map = m->distances->map;
    uint32_t hint = UINT32_MAX;
    for (uint32_t i = 0; i < BLOCK_VOXELS; i++) {
        const uint32_t z = i / (BLOCK * BLOCK), row = i / BLOCK;
        const uint32_t y = z % 2 == 0 ? row % BLOCK : BLOCK - 1 - row % BLOCK;
        const uint32_t x = row % 2 == 0 ? i % BLOCK : BLOCK - 1 - i % BLOCK;
        const uint32_t at[3] = {corner[0] + x, corner[1] + y, corner[2] + z};
        float *const value = &values[(z * BLOCK + y) * BLOCK + x];
        *value = NAN;
        if (is_measured(m->distances, at[0], at[1], at[2])) {
            const vec3 centre = alg_voxel_middle(&map->grid, at[0], at[1], at[2]);
            const geo_closest closest = geo_surface_closest(m->surface, centre, hint);
            hint = closest.face;
            const bool inside = alg_voxel_layer(map, at[0], at[1], at[2]) >= 0 &&
                                geo_surface_contains(m->surface, centre);
            const double distance = sqrt(closest.distance2);
            *value = (float)(inside ? -distance : distance);
        }
    }
}

static void measure_blocks(void *context, size_t begin, size_t end)
{
    const measuring *const m = context;
    const alg_voxel_distances *const d = m->distances;
    for (size_t b = begin; b < end; b++) {
        uint32_t corner[3];
        if (d->blocks[b] != ALG_VOXEL_UNKNOWN) {
            block_corner(d, b, corner);
            measure_block(m, corner, d->values + (size_t)d->blocks[b] * BLOCK_VOXELS);
        }
    }
}

base_status alg_voxel_distances_build(const geo_surface *surface, const alg_voxel_map *map,
                                      uint32_t outward, base_arena *arena,
                                      alg_voxel_distances *distances, base_error *err)
{
    base_assert(outward >= 1 && outward < map->layers);
    *distances = (alg_voxel_distances){.map = map, .outward = outward};
    size_t count = 1;
    for (int axis = 0; axis < 3; axis++) {
        distances->block_count[axis] = (map->grid.size[axis] + BLOCK - 1) / BLOCK;
        count *= distances->block_count[axis];
    }
    distances->blocks = base_arena_alloc(arena, count, sizeof *distances->blocks);
    if (!distances->blocks) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for distances");
    }
    open_blocks(distances);
    distances->values = base_arena_alloc(arena, (size_t)distances->open_count * BLOCK_VOXELS,
                                         sizeof *distances->values);
    if (!distances->values) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for distances");
    }
    measuring m = {surface, distances};
    base_parallel_for(count, BLOCKS_A_CHUNK, 0, measure_blocks, &m);
    return BASE_OK;
}

double alg_voxel_distances_at(const alg_voxel_distances *distances, vec3 p, vec3 *gradient)
{
    const alg_voxel_grid *const grid = &distances->map->grid;
    uint32_t at[3];
    double f[3]; /* fraction from the lower to the upper centre */
    for (int axis = 0; axis < 3; axis++) {
        const double t = alg_voxel_coordinate(grid, axis, vec3_get(p, axis)) - 0.5;
        at[axis] = (uint32_t)t;
        f[axis] = t - at[axis];
    }
    double v[8];
    for (uint32_t i = 0; i < 8; i++) {
        v[i] = (double)alg_voxel_distance(distances, at[0] + (i & 1), at[1] + (i >> 1 & 1),
                                          at[2] + (i >> 2));
    }
    /* Interpolates along x, then y, then z. Each step interpolates the values, and their
     * differences along the axes before. */
    double x[4], dx[4];
    for (int i = 0; i < 4; i++) {
        dx[i] = v[2 * i + 1] - v[2 * i];
        x[i] = v[2 * i] + f[0] * dx[i];
    }
    double y[2], dy[2], dxy[2];
    for (int i = 0; i < 2; i++) {
        dy[i] = x[2 * i + 1] - x[2 * i];
        y[i] = x[2 * i] + f[1] * dy[i];
        dxy[i] = dx[2 * i] + f[1] * (dx[2 * i + 1] - dx[2 * i]);
    }
    const double dz = y[1] - y[0];
    *gradient = vec3_scale(1 / grid->edge, (vec3){dxy[0] + f[2] * (dxy[1] - dxy[0]),
                                                  dy[0] + f[2] * (dy[1] - dy[0]), dz});
    return y[0] + f[2] * dz;
}

/* --- Clearance -------------------------------------------------------------------------------- */

/*
 * Squared distances of boxes are computed one axis after the other. Along an axis a cell and a
 * voxel are d voxels apart: d is 0 if the voxel is in the cell, and 1 if it is beside the cell.
 * Their gap is d - 1 voxels. The cost 4 (d - 1)^2 + 1, or 0 if d is 0, is summed over the axes. The
 * smallest sum over all voxels that matter is four times the squared gap to the nearest one, plus
 * at most 3. It is 0 if and only if the cell contains such a voxel.
 */

enum {
    CELL = ALG_VOXEL_CELL,
    REACH = ALG_VOXEL_CLEARANCE_MAX,
    FAR = 4 * REACH * REACH, /* cost of all voxels beyond REACH */
    SLABS_A_PART = 16,       /* slabs of cells along z that a thread takes at a time */
};

typedef struct task {
    const alg_voxel_map *map;
    alg_voxel_clearance *clearance;
    bool *failed; /* [part]: out of memory */
} task;

/** Buffers of a part. */
typedef struct scratch {
    bool *matters;   /* owned; a row of voxels, followed by false */
    uint16_t *row;   /* owned; costs along x of a row of voxels */
    uint16_t *slice; /* owned; costs along x and y of a slice of voxels */
    uint16_t *slabs; /* owned; costs of the part's cells */
} scratch;

/** Returns the cost along an axis of voxel i for cell c. */
static uint16_t cost_of(int64_t c, int64_t i)
{
    const int64_t first = c * CELL, last = first + CELL - 1;
    const int64_t d = i < first ? first - i : i > last ? i - last : 0;
    return (uint16_t)(d == 0 ? 0 : d > REACH ? FAR : 4 * (d - 1) * (d - 1) + 1);
}

static void fill_far(uint16_t *costs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        costs[i] = FAR;
    }
}

/**
 * Lowers costs[i] to next[i] + more if this is smaller. `next` has the sums of the costs along the
 * axes before, and `more` is the cost along this axis.
 */
static void lower_costs(uint16_t *costs, const uint16_t *next, uint16_t more, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint16_t sum = (uint16_t)(next[i] + more);
        costs[i] = sum < costs[i] ? sum : costs[i];
    }
}

/** Finds the cells [*begin, *end) along an axis that are within REACH of voxel i. */
static void find_cells(int64_t i, int64_t count, int64_t *begin, int64_t *end)
{
    *begin = i > REACH ? (i - REACH) / CELL : 0;
    *end = (i + REACH) / CELL + 1 < count ? (i + REACH) / CELL + 1 : count;
}

/** Fills the costs along x of a row of voxels. Returns false if no voxel of the row matters. */
static bool scan_row(const task *t, uint32_t y, uint32_t z, const scratch *s)
{
    const int64_t size = t->map->grid.size[0], count = t->clearance->count[0];
    bool any = false;
    for (int64_t x = 0; x < size; x++) {
        s->matters[x] = alg_voxel_layer(t->map, (uint32_t)x, y, z) >= t->clearance->least;
        any = any || s->matters[x];
    }
    fill_far(s->row, (size_t)count);
    for (int64_t x = 0; x < size && any; x++) {
        /* A voxel inside a run of voxels that matter is skipped: for each cell another voxel of the
         * run is at least as near. */
        if (s->matters[x] && (x % CELL == 0 || !s->matters[x - 1] || !s->matters[x + 1])) {
            int64_t begin, end;
            find_cells(x, count, &begin, &end);
            for (int64_t c = begin; c < end; c++) {
                const uint16_t cost = cost_of(c, x);
                s->row[c] = cost < s->row[c] ? cost : s->row[c];
            }
        }
    }
    return any;
}

/**
 * Fills the costs along x and y of a slice of voxels. Returns false if no voxel of the slice
 * matters.
 */
static bool scan_slice(const task *t, uint32_t z, const scratch *s)
{
    const size_t row = t->clearance->count[0], count = t->clearance->count[1];
    bool any = false;
    fill_far(s->slice, count * row);
    for (uint32_t y = 0; y < t->map->grid.size[1]; y++) {
        if (scan_row(t, y, z, s)) {
            int64_t begin, end;
            find_cells(y, (int64_t)count, &begin, &end);
            for (int64_t c = begin; c < end; c++) {
                lower_costs(s->slice + (size_t)c * row, s->row, cost_of(c, y), row);
            }
            any = true;
        }
    }
    return any;
}

/** Fills slabs [begin, end) of cells. */
static void fill_slabs(const task *t, int64_t begin, int64_t end, const scratch *s)
{
    const uint32_t *const count = t->clearance->count;
    const size_t slice = (size_t)count[0] * count[1];
    fill_far(s->slabs, (size_t)(end - begin) * slice);
    const int64_t last = end * CELL + REACH, size = t->map->grid.size[2];
    for (int64_t z = begin * CELL > REACH ? begin * CELL - REACH : 0; z < last && z < size; z++) {
        if (scan_slice(t, (uint32_t)z, s)) {
            for (int64_t c = begin; c < end; c++) {
                lower_costs(s->slabs + (size_t)(c - begin) * slice, s->slice, cost_of(c, z), slice);
            }
        }
    }
    int16_t *const cells = t->clearance->cells + (size_t)begin * slice;
    for (size_t i = 0; i < (size_t)(end - begin) * slice; i++) {
        const int gap2 = s->slabs[i] / 4;
        cells[i] = (int16_t)(s->slabs[i] == 0 ? 0 : 1 + ALG_VOXEL_CLEARANCE_STEPS * sqrt(gap2));
    }
}

static void fill_parts(void *context, size_t begin, size_t end)
{
    const task *const t = context;
    const uint32_t *const count = t->clearance->count;
    const size_t slice = (size_t)count[0] * count[1];
    for (size_t part = begin; part < end; part++) {
        const int64_t first = (int64_t)part * SLABS_A_PART;
        const scratch s = {
            .matters = base_alloc((size_t)t->map->grid.size[0] + 1, sizeof *s.matters),
            .row = base_alloc(count[0], sizeof *s.row),
            .slice = base_alloc(slice, sizeof *s.slice),
            .slabs = base_alloc(SLABS_A_PART * slice, sizeof *s.slabs),
        };
        t->failed[part] = !(s.matters && s.row && s.slice && s.slabs);
        if (!t->failed[part]) {
            const int64_t last = first + SLABS_A_PART;
            fill_slabs(t, first, last < count[2] ? last : count[2], &s);
        }
        base_free(s.matters);
        base_free(s.row);
        base_free(s.slice);
        base_free(s.slabs);
    }
}

base_status alg_voxel_clearance_build(const alg_voxel_map *map, int32_t least, base_arena *arena,
                                      alg_voxel_clearance *clearance, base_error *err)
{
    uint64_t count = 1;
    clearance->least = least;
    for (int axis = 0; axis < 3; axis++) {
        clearance->count[axis] = (map->grid.size[axis] + CELL - 1) / CELL;
        count *= clearance->count[axis];
    }
    if (count > INT32_MAX) {
        return base_fail(err, BASE_ERR_INPUT, "more than 2^31 cells of a voxmap");
    }
    const size_t parts = (clearance->count[2] + SLABS_A_PART - 1) / SLABS_A_PART;
    bool *const failed = base_alloc(parts, sizeof *failed);
    clearance->cells = base_arena_alloc(arena, count + 1, sizeof *clearance->cells);
    bool good = failed && clearance->cells;
    if (good) {
        base_parallel_for(parts, 1, 0, fill_parts, &(task){map, clearance, failed});
    }
    for (size_t part = 0; part < parts && good; part++) {
        good = !failed[part];
    }
    base_free(failed);
    return good ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory for a voxmap");
}
