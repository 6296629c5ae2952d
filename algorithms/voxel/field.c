/**
 * Distances of voxel centres to the surface, measured lazily.
 */
#include "algorithms/voxel/field.h"

#include "base/parallel.h"

enum {
    BLOCK = 4,                     /* edge of a block, in voxels */
    BLOCK_COLUMNS = BLOCK * BLOCK, /* columns of voxels in a block */
    BLOCK_VOXELS = BLOCK * BLOCK * BLOCK,
    BLOCKS_A_CHUNK = 4, /* stacks of blocks that a thread takes at a time */
    MEASURED_A_CHUNK = 512,
};

static float radius_of(const alg_voxel_field *field, double distance)
{
    return alg_voxel_round_down(distance - field->slack);
}

/** Measures a voxel. Returns the point of the surface that is nearest to its centre. */
static vec3 measure_voxel(alg_voxel_field *field, uint32_t voxel, vec3 centre, uint32_t hint)
{
    const geo_closest c = geo_surface_closest(field->surface, centre, hint);
    const float radius = radius_of(field, sqrt(c.distance2));
    field->radius[voxel] = radius < field->radius[voxel] ? radius : field->radius[voxel];
    field->face[voxel] = c.face;
    return c.point;
}

/** The interior voxels of one block. */
typedef struct block {
    vec3 centres[BLOCK_VOXELS];
    uint32_t voxels[BLOCK_VOXELS];
    int count;
    int middle; /* the voxel nearest to the middle of the block */
} block;

/** The runs of the columns of a stack of blocks, traversed upwards. */
typedef struct stack {
    uint32_t at[BLOCK_COLUMNS], end[BLOCK_COLUMNS]; /* indices into grid->runs */
} stack;

static void open_stack(const alg_voxel_runs *grid, uint32_t x0, uint32_t y0, stack *s)
{
    for (uint32_t i = 0; i < BLOCK_COLUMNS; i++) {
        const uint32_t x = x0 + i % BLOCK, y = y0 + i / BLOCK;
        s->at[i] = s->end[i] = 0;
        if (x < grid->size[0] && y < grid->size[1]) {
            const size_t column = (size_t)y * grid->size[0] + x;
            s->at[i] = grid->columns[column];
            s->end[i] = grid->columns[column + 1];
        }
    }
}

static void collect_block(const alg_voxel_runs *grid, stack *s, uint32_t z0, block *b)
{
    const uint32_t z1 = z0 + BLOCK;
    uint32_t least = UINT32_MAX;
    b->count = 0;
    for (uint32_t i = 0; i < BLOCK_COLUMNS; i++) {
        while (s->at[i] < s->end[i] && grid->runs[s->at[i]].z1 <= z0) {
            s->at[i]++;
        }
        for (uint32_t r = s->at[i]; r < s->end[i] && grid->runs[r].z0 < z1; r++) {
            const alg_voxel_run *const run = &grid->runs[r];
            const uint32_t top = run->z1 < z1 ? run->z1 : z1;
            for (uint32_t z = run->z0 > z0 ? run->z0 : z0; z < top; z++) {
                const int dx = (int)(2 * (i % BLOCK)) - (BLOCK - 1);
                const int dy = (int)(2 * (i / BLOCK)) - (BLOCK - 1);
                const int dz = (int)(2 * (z - z0)) - (BLOCK - 1);
                const uint32_t off = (uint32_t)(dx * dx + dy * dy + dz * dz);
                if (off < least) {
                    least = off;
                    b->middle = b->count;
                }
                b->voxels[b->count] = run->first + (z - run->z0);
                b->centres[b->count++] = alg_voxel_centre(grid, run->x, run->y, z);
            }
        }
    }
}

/**
 * Measures the middle voxel of a block; its face and nearest point bound the radii of the other
 * voxels.
 */
static uint32_t bound_block(alg_voxel_field *field, const block *b, uint32_t hint)
{
    const uint32_t middle = b->voxels[b->middle];
    field->radius[middle] = INFINITY;
    const vec3 nearest = measure_voxel(field, middle, b->centres[b->middle], hint);
    const uint32_t face = field->face[middle];
    for (int i = 0; i < b->count; i++) {
        if (i != b->middle) {
            field->radius[b->voxels[i]] = radius_of(field, vec3_distance(b->centres[i], nearest));
            field->face[b->voxels[i]] = face | ALG_VOXEL_UNMEASURED;
        }
    }
    return face;
}

static void bound_stacks(void *context, size_t begin, size_t end)
{
    alg_voxel_field *const field = context;
    const alg_voxel_runs *const grid = field->grid;
    const size_t across = (grid->size[0] + BLOCK - 1) / BLOCK;
    for (size_t i = begin; i < end; i++) {
        stack s;
        block b;
        open_stack(grid, (uint32_t)(i % across) * BLOCK, (uint32_t)(i / across) * BLOCK, &s);
        uint32_t hint = UINT32_MAX;
        for (uint32_t z = 0; z < grid->size[2]; z += BLOCK) {
            collect_block(grid, &s, z, &b);
            if (b.count > 0) {
                hint = bound_block(field, &b, hint);
            }
        }
    }
}

typedef struct measure_job {
    alg_voxel_field *field;
    const uint32_t *voxels;
} measure_job;

static void measure_voxels(void *context, size_t begin, size_t end)
{
    const measure_job *const job = context;
    for (size_t i = begin; i < end; i++) {
        const uint32_t voxel = job->voxels ? job->voxels[i] : (uint32_t)i;
        const uint32_t hint = job->field->face[voxel] & ~ALG_VOXEL_UNMEASURED;
        if (hint != job->field->face[voxel]) {
            measure_voxel(job->field, voxel, alg_voxel_position(job->field->grid, voxel), hint);
        }
    }
}

void alg_voxel_field_measure(alg_voxel_field *field, const uint32_t *voxels, size_t count)
{
    measure_job job = {field, voxels};
    base_parallel_for(count, MEASURED_A_CHUNK, 0, measure_voxels, &job);
}

base_status alg_voxel_field_build(const alg_voxel_runs *grid, const geo_surface *surface,
                                  base_arena *arena, alg_voxel_field *field, base_error *err)
{
    *field = (alg_voxel_field){.grid = grid, .surface = surface};
    field->slack = ALG_VOXEL_SLACK * geo_box_reach(surface->bvh.box);
    field->radius = base_arena_alloc(arena, grid->voxel_count, sizeof *field->radius);
    field->face = base_arena_alloc(arena, grid->voxel_count, sizeof *field->face);
    if (!field->radius || !field->face) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %u voxels", grid->voxel_count);
    }
    const size_t stacks =
        (size_t)((grid->size[0] + BLOCK - 1) / BLOCK) * ((grid->size[1] + BLOCK - 1) / BLOCK);
    base_parallel_for(stacks, BLOCKS_A_CHUNK, 0, bound_stacks, field);
    return BASE_OK;
}
