/**
 * Finds the voxels inside of a solid: sorts the crossings of each column of centres with the
 * surface, and pairs them. Then measures the distances of their centres to the surface, lazily.
 */
#include "algorithms/voxel/field.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/predicates.h"

/* --- Voxels ----------------------------------------------------------------------------------- */

/* The highest bit of a voxel's number is free for other uses: ALG_VOXEL_UNMEASURED marks
 * unmeasured voxels. */
#define VOXELS_MOST 0x80000000u

/**
 * A crossing of the surface and a column. It is between the centres of voxels level - 1 and
 * `level`.
 */
typedef struct crossing {
    uint32_t column;
    uint32_t level;
} crossing;

typedef struct crossing_list {
    crossing *items; /* owned */
    size_t count, capacity;
} crossing_list;

static uint32_t clamp_index(double value, uint32_t highest)
{
    return value > 0 ? value < highest ? (uint32_t)value : highest : 0;
}

static void fit_grid(geo_box box, uint32_t resolution, alg_voxel_runs *grid)
{
    const vec3 size = vec3_sub(box.hi, box.lo);
    grid->edge = fmax(size.x, fmax(size.y, size.z)) / resolution;
    for (int axis = 0; axis < 3; axis++) {
        /* A remainder of 0 up to rounding does not count as a voxel. */
        const double cells = ceil(vec3_get(size, axis) / grid->edge - 1e-9);
        grid->size[axis] = 1 + clamp_index(cells - 1, resolution - 1);
    }
    const vec3 cells = {grid->size[0], grid->size[1], grid->size[2]};
    grid->origin = vec3_madd(geo_box_centre(box), -0.5 * grid->edge, cells);
}

/**
 * Returns the side of p, moved by (e, e^2), of the line from a to b: 0 only if a and b have the
 * same x and y. Exchanging a and b always changes the sign, so that two faces at an edge give
 * consistent results for a column.
 */
static int column_side(vec3 a, vec3 b, vec3 p)
{
    const double a2[2] = {a.x, a.y}, b2[2] = {b.x, b.y}, p2[2] = {p.x, p.y};
    const int side = geo_orient2d(a2, b2, p2);
    if (side != 0) {
        return side;
    }
    if (a.y != b.y) {
        return b.y < a.y ? 1 : -1;
    }
    return (b.x > a.x) - (b.x < a.x);
}

/**
 * Returns the z index of the lowest voxel of a column whose centre is above the face's plane.
 * facing: sign of the z component of the face's normal.
 */
static uint32_t crossing_level(const alg_voxel_runs *grid, geo_triangle t, int facing, uint32_t x,
                               uint32_t y)
{
    const vec3 n = vec3_cross(vec3_sub(t.p[1], t.p[0]), vec3_sub(t.p[2], t.p[0]));
    const vec3 base = alg_voxel_centre(grid, x, y, 0);
    const geo_box box = geo_box_of_triangle(t);
    const double dz = (n.x * (base.x - t.p[0].x) + n.y * (base.y - t.p[0].y)) / n.z;
    const double z = fmin(fmax(t.p[0].z - dz, box.lo.z), box.hi.z);
    const uint32_t top = grid->size[2];
    /* The estimate is computed in double; exact signs move it to the correct level. */
    uint32_t level = clamp_index(floor((z - base.z) / grid->edge) + 1, top);
    while (level > 0 &&
           facing * geo_orient3d(t.p[0], t.p[1], t.p[2], alg_voxel_centre(grid, x, y, level - 1)) <
               0) {
        level--;
    }
    while (level < top &&
           facing * geo_orient3d(t.p[0], t.p[1], t.p[2], alg_voxel_centre(grid, x, y, level)) >=
               0) {
        level++;
    }
    return level;
}

/** Adds the crossings of the columns that pass through a face. */
static base_status add_crossings(const alg_voxel_runs *grid, geo_triangle t, crossing_list *list,
                                 base_error *err)
{
    const double p[3][2] = {{t.p[0].x, t.p[0].y}, {t.p[1].x, t.p[1].y}, {t.p[2].x, t.p[2].y}};
    const int facing = geo_orient2d(p[0], p[1], p[2]);
    if (facing == 0) {
        return BASE_OK; /* the face is vertical: a column moved by (e, e^2) does not meet it */
    }
    const geo_box box = geo_box_of_triangle(t);
    const vec3 base = alg_voxel_centre(grid, 0, 0, 0);
    const uint32_t x0 = clamp_index(floor((box.lo.x - base.x) / grid->edge), grid->size[0] - 1);
    const uint32_t x1 = clamp_index(ceil((box.hi.x - base.x) / grid->edge), grid->size[0] - 1);
    const uint32_t y0 = clamp_index(floor((box.lo.y - base.y) / grid->edge), grid->size[1] - 1);
    const uint32_t y1 = clamp_index(ceil((box.hi.y - base.y) / grid->edge), grid->size[1] - 1);
    for (uint32_t y = y0; y <= y1; y++) {
        for (uint32_t x = x0; x <= x1; x++) {
            const vec3 q = alg_voxel_centre(grid, x, y, 0);
            if (column_side(t.p[0], t.p[1], q) != facing ||
                column_side(t.p[1], t.p[2], q) != facing ||
                column_side(t.p[2], t.p[0], q) != facing) {
                continue;
            }
            const base_status status =
                base_reserve(list->items, list->capacity, list->count + 1, err);
            if (status != BASE_OK) {
                return status;
            }
            list->items[list->count++] =
                (crossing){y * grid->size[0] + x, crossing_level(grid, t, facing, x, y)};
        }
    }
    return BASE_OK;
}

/**
 * Sorts crossings by column, then by level. starts: column_count + 1 zeros, filled with the index
 * of each column's first crossing. levels: one entry for each crossing, filled.
 */
static void sort_crossings(const crossing_list *list, size_t column_count, uint32_t *starts,
                           uint32_t *levels)
{
    for (size_t i = 0; i < list->count; i++) {
        starts[list->items[i].column + 1]++;
    }
    for (size_t c = 0; c < column_count; c++) {
        starts[c + 1] += starts[c];
    }
    for (size_t i = list->count; i-- > 0;) {
        levels[--starts[list->items[i].column + 1]] = list->items[i].level;
    }
    /* Now starts[c + 1] is the begin of column c. */
    for (size_t c = 0; c < column_count; c++) {
        starts[c] = starts[c + 1];
    }
    starts[column_count] = (uint32_t)list->count;
    for (size_t c = 0; c < column_count; c++) {
        for (uint32_t i = starts[c] + 1; i < starts[c + 1]; i++) {
            const uint32_t level = levels[i];
            uint32_t at = i;
            for (; at > starts[c] && levels[at - 1] > level; at--) {
                levels[at] = levels[at - 1];
            }
            levels[at] = level;
        }
    }
}

/**
 * Pairs the sorted crossings to runs, and counts runs and voxels. If grid->runs is NULL, it only
 * counts.
 */
static void pair_crossings(const uint32_t *starts, const uint32_t *levels, alg_voxel_runs *grid,
                           uint64_t *voxels, uint64_t *run_count)
{
    *voxels = *run_count = 0;
    const size_t column_count = (size_t)grid->size[0] * grid->size[1];
    for (size_t c = 0; c < column_count; c++) {
        if (grid->runs) {
            grid->columns[c] = (uint32_t)*run_count;
        }
        for (uint32_t i = starts[c]; i + 1 < starts[c + 1]; i += 2) {
            if (levels[i] == levels[i + 1]) {
                continue;
            }
            if (grid->runs) {
                grid->runs[*run_count] = (alg_voxel_run){
                    (uint16_t)(c % grid->size[0]), (uint16_t)(c / grid->size[0]),
                    (uint16_t)levels[i], (uint16_t)levels[i + 1], (uint32_t)*voxels};
            }
            *run_count += 1;
            *voxels += levels[i + 1] - levels[i];
        }
    }
    if (grid->runs) {
        grid->columns[column_count] = (uint32_t)*run_count;
    }
}

static base_status build_runs(const uint32_t *starts, const uint32_t *levels, base_arena *arena,
                              alg_voxel_runs *grid, base_error *err)
{
    const size_t column_count = (size_t)grid->size[0] * grid->size[1];
    for (size_t c = 0; c < column_count; c++) {
        if ((starts[c + 1] - starts[c]) % 2 != 0) {
            return base_fail(err, BASE_ERR_INPUT, "the surface is not closed");
        }
    }
    uint64_t voxels, run_count;
    pair_crossings(starts, levels, grid, &voxels, &run_count);
    if (voxels >= VOXELS_MOST) {
        return base_fail(err, BASE_ERR_INPUT, "more than 2^31 voxels");
    }
    grid->columns = base_arena_alloc(arena, column_count + 1, sizeof *grid->columns);
    grid->runs = base_arena_alloc(arena, run_count, sizeof *grid->runs);
    if (!grid->columns || !grid->runs) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a voxel grid");
    }
    pair_crossings(starts, levels, grid, &voxels, &run_count);
    grid->voxel_count = (uint32_t)voxels;
    grid->run_count = (uint32_t)run_count;
    return BASE_OK;
}

const alg_voxel_run *alg_voxel_find(const alg_voxel_runs *grid, uint32_t voxel)
{
    base_assert(voxel < grid->voxel_count);
    uint32_t low = 0, high = grid->run_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (grid->runs[middle].first <= voxel) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &grid->runs[low];
}

vec3 alg_voxel_position(const alg_voxel_runs *grid, uint32_t voxel)
{
    const alg_voxel_run *const run = alg_voxel_find(grid, voxel);
    return alg_voxel_centre(grid, run->x, run->y, run->z0 + (voxel - run->first));
}

base_status alg_voxel_runs_build(const geo_mesh *mesh, uint32_t resolution, base_arena *arena,
                                 alg_voxel_runs *grid, base_error *err)
{
    base_assert(resolution >= 1 && resolution <= ALG_VOXEL_RESOLUTION_MAX);
    *grid = (alg_voxel_runs){0};
    fit_grid(geo_mesh_box(mesh), resolution, grid);
    return alg_voxel_runs_fill(mesh, arena, grid, err);
}

base_status alg_voxel_runs_fill(const geo_mesh *mesh, base_arena *arena, alg_voxel_runs *grid,
                                base_error *err)
{
    const size_t column_count = (size_t)grid->size[0] * grid->size[1];
    crossing_list list = {0};
    uint32_t *starts = NULL, *levels = NULL;
    base_status status = BASE_OK;
    for (size_t f = 0; f < mesh->face_count; f++) {
        status = add_crossings(grid, geo_mesh_triangle(mesh, f), &list, err);
        if (status != BASE_OK) {
            goto done;
        }
    }
    starts = base_alloc(column_count + 1, sizeof *starts);
    levels = base_alloc(list.count, sizeof *levels);
    if (!starts || !levels) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for a voxel grid");
        goto done;
    }
    sort_crossings(&list, column_count, starts, levels);
    status = build_runs(starts, levels, arena, grid, err);
done:
    base_free(list.items);
    base_free(starts);
    base_free(levels);
    return status;
}

/* --- Distances -------------------------------------------------------------------------------- */

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
 * Measures the middle voxel of a block. The nearest point of the surface gives bounds of the radii
 * of the other voxels. Returns the face of that point.
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
