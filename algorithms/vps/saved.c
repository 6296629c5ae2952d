#include "algorithms/vps/saved.h"

#include <float.h>
#include <string.h>

/* A new member must be saved as well, and raises ALG_VPS_STATE_VERSION. */
_Static_assert(sizeof(alg_voxel_map) == sizeof(alg_voxel_grid) + 6 * sizeof(uint32_t) +
                                            2 * sizeof(void *) + 2 * sizeof(uint64_t) &&
                   sizeof(alg_voxel_grid) == 4 * sizeof(double) + 4 * sizeof(uint32_t),
               "all of a voxmap is saved, or follows from what is");
_Static_assert(sizeof(alg_voxel_distances) == 3 * sizeof(void *) + 6 * sizeof(uint32_t),
               "all of distances is saved, or follows from what is");
_Static_assert(sizeof(alg_vps_points) == 2 * sizeof(uint32_t) +
                                             (3 + ALG_VPS_LEVELS_MAX) * sizeof(void *) +
                                             3 * sizeof(double),
               "all of points is saved, or follows from what is");

enum { BLOCK_VOXELS = ALG_VOXEL_MAP_BLOCK * ALG_VOXEL_MAP_BLOCK * ALG_VOXEL_MAP_BLOCK };

/* --- Voxmaps ---------------------------------------------------------------------------------- */

/** Precedes blocks and values. */
typedef struct map_header {
    alg_voxel_grid grid;
    uint32_t layers, storage, open_count, is_map;
    uint64_t surface_count, inner_count;
} map_header;

static size_t block_count(const alg_voxel_map *map)
{
    return (size_t)map->block_count[0] * map->block_count[1] * map->block_count[2];
}

static size_t value_count(const alg_voxel_map *map)
{
    return map->storage == ALG_VOXEL_DENSE ? alg_voxel_grid_count(&map->grid)
                                           : (size_t)map->open_count * BLOCK_VOXELS;
}

static bool save_map(const alg_voxel_map *map, bool is_map, const alg_writer *to)
{
    const map_header header = {.grid = map->grid,
                               .layers = map->layers,
                               .storage = map->storage,
                               .open_count = map->open_count,
                               .is_map = is_map,
                               .surface_count = map->surface_count,
                               .inner_count = map->inner_count};
    return alg_give(to, &header, 1, sizeof header) &&
           alg_give(to, map->blocks, block_count(map), sizeof *map->blocks) &&
           alg_give(to, map->values, value_count(map), sizeof *map->values);
}

/** The grid is that of the body's box, and layers and storage are of this role. */
static bool is_map_plausible(const map_header *h, const alg_vps_options *options,
                             const geo_mesh *mesh, base_error *err)
{
    alg_voxel_grid grid;
    const geo_box box = geo_mesh_box(mesh);
    const alg_vps_map_options o = alg_vps_map_of(options);
    bool good = alg_voxel_grid_place(box, options->voxels, o.padding, &grid, err) == BASE_OK &&
                vec3_equal(h->grid.corner, grid.corner) && h->grid.edge == grid.edge &&
                h->grid.padding == grid.padding && h->layers == o.layers &&
                h->storage == (uint32_t)o.storage && h->is_map == options->is_map;
    for (int axis = 0; axis < 3; axis++) {
        good = good && h->grid.size[axis] == grid.size[axis];
    }
    return good;
}

/** Is an entry of a block, or a byte of a voxel, one that a build has made? */
static bool is_layer(int layer, uint32_t layers)
{
    return layer >= -(int)layers && layer <= (int)layers;
}

static bool are_values_good(const alg_voxel_map *map)
{
    bool good = true;
    for (size_t i = 0; map->storage == ALG_VOXEL_BLOCKED && i < block_count(map); i++) {
        const uint32_t entry = map->blocks[i];
        good &= entry & ALG_VOXEL_MAP_OPEN
                    ? (entry & ~ALG_VOXEL_MAP_OPEN) < map->open_count
                    : entry <= UINT8_MAX && is_layer((int8_t)(uint8_t)entry, map->layers);
    }
    for (size_t i = 0; i < value_count(map); i++) {
        good &= is_layer(map->values[i], map->layers);
    }
    return good;
}

/** Are the outermost voxels outside, and surface and inner ones as many as is said? */
static bool are_counts_good(const alg_voxel_map *map)
{
    const uint32_t *const n = map->grid.size;
    uint64_t surface = 0, inner = 0;
    bool good = true;
    for (uint32_t z = 0; z < n[2]; z++) {
        for (uint32_t y = 0; y < n[1]; y++) {
            const bool edge = y == 0 || z == 0 || y + 1 == n[1] || z + 1 == n[2];
            for (uint32_t x = 0; x < n[0]; x++) {
                const int layer = alg_voxel_layer(map, x, y, z);
                surface += layer == 0;
                inner += layer > 0;
                good &= layer < 0 || !(edge || x == 0 || x + 1 == n[0]);
            }
        }
    }
    return good && surface == map->surface_count && inner == map->inner_count;
}

static base_status load_map(alg_reader *from, const alg_vps_options *options, const geo_mesh *mesh,
                            base_arena *arena, alg_voxel_map *map, base_error *err)
{
    map_header h;
    if (!alg_take(from, &h, 1, sizeof h) || !is_map_plausible(&h, options, mesh, err)) {
        return base_fail(err, BASE_ERR_INPUT, "its grid is not that of the body");
    }
    *map = (alg_voxel_map){.grid = h.grid,
                           .layers = h.layers,
                           .storage = (alg_voxel_storage)h.storage,
                           .open_count = h.open_count,
                           .surface_count = h.surface_count,
                           .inner_count = h.inner_count};
    for (int axis = 0; axis < 3 && map->storage == ALG_VOXEL_BLOCKED; axis++) {
        map->block_count[axis] = alg_voxel_distance_blocks(h.grid.size[axis]);
    }
    const size_t blocks = block_count(map), values = value_count(map);
    if ((map->storage == ALG_VOXEL_DENSE && h.open_count != 0) ||
        blocks > from->left / sizeof *map->blocks ||
        values > from->left - blocks * sizeof *map->blocks) {
        return base_fail(err, BASE_ERR_INPUT, "the bytes end within the voxels");
    }
    map->blocks = base_arena_alloc(arena, blocks, sizeof *map->blocks);
    map->values = base_arena_alloc(arena, values, sizeof *map->values);
    if (!map->blocks || !map->values) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a voxmap");
    }
    const bool whole = alg_take(from, map->blocks, blocks, sizeof *map->blocks) &&
                       alg_take(from, map->values, values, sizeof *map->values);
    return whole && are_values_good(map) && are_counts_good(map)
               ? BASE_OK
               : base_fail(err, BASE_ERR_INPUT, "its voxels have layers that are not there");
}

/* --- Distances -------------------------------------------------------------------------------- */

/** Precedes blocks and values. */
typedef struct field_header {
    uint32_t outward, open_count;
} field_header;

static size_t field_blocks(const alg_voxel_distances *d)
{
    return (size_t)d->block_count[0] * d->block_count[1] * d->block_count[2];
}

static bool save_field(const alg_voxel_distances *d, const alg_writer *to)
{
    const field_header header = {d->outward, d->open_count};
    return alg_give(to, &header, 1, sizeof header) &&
           alg_give(to, d->blocks, field_blocks(d), sizeof *d->blocks) &&
           alg_give(to, d->values, (size_t)d->open_count * BLOCK_VOXELS, sizeof *d->values);
}

/** Is each voxel measured that should be, with no more than the size of the grid, and no other? */
static bool is_field_good(const alg_voxel_distances *d)
{
    const alg_voxel_grid *const grid = &d->map->grid;
    const double most = grid->edge * ((double)grid->size[0] + grid->size[1] + grid->size[2]);
    bool good = true;
    for (size_t b = 0; b < field_blocks(d); b++) {
        good &= d->blocks[b] == ALG_VOXEL_UNKNOWN || d->blocks[b] < d->open_count;
    }
    for (uint32_t z = 0; z < grid->size[2] && good; z++) {
        for (uint32_t y = 0; y < grid->size[1]; y++) {
            for (uint32_t x = 0; x < grid->size[0]; x++) {
                const double value = (double)alg_voxel_distance(d, x, y, z);
                const bool asked = alg_voxel_layer(d->map, x, y, z) >= -(int)d->outward;
                good &= asked ? fabs(value) <= most : isnan(value);
            }
        }
    }
    return good;
}

static base_status load_field(alg_reader *from, const alg_voxel_map *map, base_arena *arena,
                              alg_voxel_distances *d, base_error *err)
{
    field_header h;
    *d = (alg_voxel_distances){.map = map};
    for (int axis = 0; axis < 3; axis++) {
        d->block_count[axis] = alg_voxel_distance_blocks(map->grid.size[axis]);
    }
    const size_t blocks = field_blocks(d);
    if (!alg_take(from, &h, 1, sizeof h) || h.outward == 0 || h.outward >= map->layers ||
        blocks > from->left / sizeof *d->blocks ||
        h.open_count >
            (from->left - blocks * sizeof *d->blocks) / (BLOCK_VOXELS * sizeof *d->values)) {
        return base_fail(err, BASE_ERR_INPUT, "the bytes end within the distances");
    }
    d->outward = h.outward;
    d->open_count = h.open_count;
    d->blocks = base_arena_alloc(arena, blocks, sizeof *d->blocks);
    d->values = base_arena_alloc(arena, (size_t)h.open_count * BLOCK_VOXELS, sizeof *d->values);
    if (!d->blocks || !d->values) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for distances");
    }
    const bool whole =
        alg_take(from, d->blocks, blocks, sizeof *d->blocks) &&
        alg_take(from, d->values, (size_t)h.open_count * BLOCK_VOXELS, sizeof *d->values);
    return whole && is_field_good(d)
               ? BASE_OK
               : base_fail(err, BASE_ERR_INPUT, "its distances are not those of its voxels");
}

/* --- Points ----------------------------------------------------------------------------------- */

/** Precedes the points. */
typedef struct points_header {
    uint64_t count;
    double reach;
} points_header;

static bool save_points(const alg_vps_points *p, const alg_writer *to)
{
    const points_header header = {p->count, p->reach};
    return alg_give(to, &header, 1, sizeof header) &&
           alg_give(to, p->octets, alg_vps_octet_count(p->count), sizeof *p->octets) &&
           alg_give(to, p->normals, p->count, sizeof *p->normals) &&
           (!p->weights || alg_give(to, p->weights, p->count, sizeof *p->weights));
}

/** Do all lie on the body's box, up to rounding, and have a normal? */
static bool are_points_good(const alg_vps_points *points, geo_box box)
{
    const double slack = 1e-9 * geo_box_diagonal(box) + 64 * DBL_EPSILON * geo_box_reach(box);
    bool good = true;
    for (uint32_t i = 0; i < points->count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            const double x = vec3_get(alg_vps_point(points, i), axis);
            good &= x >= vec3_get(box.lo, axis) - slack && x <= vec3_get(box.hi, axis) + slack;
        }
        good &= fabs(vec3_norm2(points->normals[i]) - 1) < 1e-9;
    }
    return good;
}

/** Weights are shares of an area: not negative, and at most 1 in the mean. */
static bool are_weights_good(const alg_vps_points *points)
{
    double sum = 0;
    bool good = true;
    for (uint32_t i = 0; i < points->count; i++) {
        good &= points->weights[i] >= 0;
        sum += points->weights[i];
    }
    return good && sum <= points->count * (1 + 1e-6);
}

static base_status load_points(alg_reader *from, geo_box box, bool weighed, base_arena *arena,
                               alg_vps_points *points, base_error *err)
{
    points_header h;
    if (!alg_take(from, &h, 1, sizeof h) ||
        h.count > from->left / ((weighed ? 7 : 6) * sizeof(double)) || h.count > UINT32_MAX ||
        !(h.reach >= 0 && h.reach <= DBL_MAX)) {
        return base_fail(err, BASE_ERR_INPUT, "the bytes end within the points");
    }
    const base_status status =
        alg_vps_points_create((uint32_t)h.count, weighed, arena, points, err);
    if (status != BASE_OK) {
        return status;
    }
    points->reach = h.reach;
    const bool whole =
        alg_take(from, points->octets, alg_vps_octet_count(points->count),
                 sizeof *points->octets) &&
        alg_take(from, points->normals, points->count, sizeof *points->normals) &&
        (!weighed || alg_take(from, points->weights, points->count, sizeof *points->weights));
    if (!whole || !are_points_good(points, box) || (weighed && !are_weights_good(points))) {
        return base_fail(err, BASE_ERR_INPUT, "its points are not on the body");
    }
    alg_vps_points_measure(points);
    return BASE_OK;
}

/* --- Bodies ----------------------------------------------------------------------------------- */

alg_status alg_vps_body_save(const void *body, const alg_writer *to, alg_message *message)
{
    const alg_vps_body *const b = body;
    const bool taken = save_map(&b->map, b->is_map, to) &&
                       (!b->field || save_field(&b->distances, to)) &&
                       (b->is_map || save_points(&b->points, to));
    return taken ? ALG_OK : alg_fail(message, ALG_FAILED, "its bytes are not wanted");
}

static base_status load(const alg_vps_options *options, const alg_mesh *mesh, alg_reader *from,
                        alg_vps_body *b, base_error *err)
{
    const geo_mesh view = alg_mesh_view(mesh);
    base_status status = load_map(from, options, &view, &b->arena, &b->map, err);
    if (status == BASE_OK && b->is_map) {
        status = alg_voxel_clearance_build(&b->map, 0, &b->arena, &b->clearance, err);
    }
    if (status == BASE_OK && options->skin) {
        status = alg_vps_body_skin(b, mesh, err);
    }
    if (status == BASE_OK && b->field) {
        status = load_field(from, &b->map, &b->arena, &b->distances, err);
    }
    if (status == BASE_OK && !b->is_map) {
        status = load_points(from, geo_mesh_box(&view), options->shell.shares, &b->arena,
                             &b->points, err);
    }
    return status == BASE_OK && from->left > 0
               ? base_fail(err, BASE_ERR_INPUT, "there are bytes behind it")
               : status;
}

alg_status alg_vps_body_load(const alg_vps_options *options, const alg_mesh *mesh,
                             const void *bytes, size_t size, void **body, alg_message *message)
{
    const alg_status status = alg_create(sizeof(alg_vps_body), body, message);
    if (status != ALG_OK) {
        return status;
    }
    alg_vps_body *const b = *body;
    alg_reader from = {bytes, size};
    base_error err = {0};
    b->is_map = options->is_map;
    b->field = options->is_map && options->field;
    b->centroid = mesh->centroid;
    return load(options, mesh, &from, b, &err) == BASE_OK
               ? ALG_OK
               : alg_abandon(body, alg_fail_geo(message, &err));
}
