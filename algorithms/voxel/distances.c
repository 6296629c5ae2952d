#include "algorithms/voxel/distances.h"

#include "base/parallel.h"

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

static bool has_measured(const alg_voxel_distances *d, const uint32_t corner[3])
{
    for (uint32_t i = 0; i < BLOCK_VOXELS; i++) {
        if (is_measured(d, corner[0] + i % BLOCK, corner[1] + i / BLOCK % BLOCK,
                        corner[2] + i / (BLOCK * BLOCK))) {
            return true;
        }
    }
    return false;
}

/** Assigns numbers to the blocks that contain a measured voxel. */
static void open_blocks(alg_voxel_distances *d)
{
    const size_t count = (size_t)d->block_count[0] * d->block_count[1] * d->block_count[2];
    for (size_t b = 0; b < count; b++) {
        uint32_t corner[3];
        block_corner(d, b, corner);
        d->blocks[b] = has_measured(d, corner) ? d->open_count++ : ALG_VOXEL_UNKNOWN;
    }
}

typedef struct measure_job {
    const geo_surface *surface;
    alg_voxel_distances *distances;
} measure_job;

/**
 * Returns the signed distance of a voxel. *hint: the face nearest to the previous voxel; is set to
 * that of this one.
 */
static float measure(const measure_job *job, const uint32_t at[3], uint32_t *hint)
{
    const alg_voxel_map *const map = job->distances->map;
    const vec3 centre = alg_voxel_middle(&map->grid, at[0], at[1], at[2]);
    const geo_closest closest = geo_surface_closest(job->surface, centre, *hint);
    *hint = closest.face;
    const bool inside = alg_voxel_layer(map, at[0], at[1], at[2]) >= 0 &&
                        geo_surface_contains(job->surface, centre);
    const double distance = sqrt(closest.distance2);
    return (float)(inside ? -distance : distance);
}

/** Measures a block back and forth along x and y, so that consecutive voxels are neighbours. */
static void measure_block(const measure_job *job, const uint32_t corner[3], float *values)
{
    uint32_t hint = UINT32_MAX;
    for (uint32_t i = 0; i < BLOCK_VOXELS; i++) {
        const uint32_t z = i / (BLOCK * BLOCK), row = i / BLOCK;
        const uint32_t y = z % 2 == 0 ? row % BLOCK : BLOCK - 1 - row % BLOCK;
        const uint32_t x = row % 2 == 0 ? i % BLOCK : BLOCK - 1 - i % BLOCK;
        const uint32_t at[3] = {corner[0] + x, corner[1] + y, corner[2] + z};
        values[(z * BLOCK + y) * BLOCK + x] =
            is_measured(job->distances, at[0], at[1], at[2]) ? measure(job, at, &hint) : NAN;
    }
}

static void measure_blocks(void *context, size_t begin, size_t end)
{
    const measure_job *const job = context;
    const alg_voxel_distances *const d = job->distances;
    for (size_t b = begin; b < end; b++) {
        uint32_t corner[3];
        if (d->blocks[b] != ALG_VOXEL_UNKNOWN) {
            block_corner(d, b, corner);
            measure_block(job, corner, d->values + (size_t)d->blocks[b] * BLOCK_VOXELS);
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
        distances->block_count[axis] = alg_voxel_distance_blocks(map->grid.size[axis]);
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
    measure_job job = {surface, distances};
    base_parallel_for(count, BLOCKS_A_CHUNK, 0, measure_blocks, &job);
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
    /* Interpolates along x, y and z in turn: values, and differences along the previous axes. */
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
