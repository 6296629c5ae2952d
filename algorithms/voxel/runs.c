/**
 * Finds the voxels inside: sorts the crossings of each column of centres with the surface, and
 * pairs them.
 */
#include "algorithms/voxel/runs.h"

#include "base/memory.h"
#include "geometry/predicates.h"

/* The highest bit of a voxel's number is free for other uses: field.h marks unmeasured voxels with
 * it. */
#define VOXELS_MOST 0x80000000u

/** A crossing of the surface and a column, between the centres `level` - 1 and `level`. */
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

/**
 * Returns the number of voxels along an edge; a remainder of 0 up to rounding does not count as a
 * voxel.
 */
static uint32_t count_cells(double length, double edge, uint32_t resolution)
{
    return 1 + clamp_index(ceil(length / edge - 1e-9) - 1, resolution - 1);
}

static void place_grid(geo_box box, uint32_t resolution, alg_voxel_runs *grid)
{
    const vec3 size = vec3_sub(box.hi, box.lo);
    grid->edge = fmax(size.x, fmax(size.y, size.z)) / resolution;
    for (int axis = 0; axis < 3; axis++) {
        grid->size[axis] = count_cells(vec3_get(size, axis), grid->edge, resolution);
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
 * Returns the lowest centre of the column above the face's plane. facing: the sign of the z
 * component of its normal.
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
 * Sorts by column, then level. Shapes: starts has column_count + 1 entries, levels one for each
 * crossing; both are filled.
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

/** Pairs the sorted crossings; with runs NULL it only counts them. */
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
    place_grid(geo_mesh_box(mesh), resolution, grid);
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
