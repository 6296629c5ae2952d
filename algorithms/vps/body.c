#include "algorithms/vps/body.h"

#include "algorithms/archive.h"

const char *const alg_vps_facts[] = {
    [ALG_VPS_FACT_VOXELS] = "voxels_count",
    [ALG_VPS_FACT_SURFACE_VOXELS] = "surface_voxels_count",
    [ALG_VPS_FACT_INNER_VOXELS] = "inner_voxels_count",
    [ALG_VPS_FACT_BOX_TESTS] = "box_tests_count",
    [ALG_VPS_FACT_POINTS] = "points_count",
    [ALG_VPS_FACT_RECOVERED] = "recovered_share",
    [ALG_VPS_FACT_SPACING_MEAN] = "spacing_mean_m",
    [ALG_VPS_FACT_SPACING_MIN] = "spacing_min_m",
    [ALG_VPS_FACT_SPACING_DEVIATION] = "spacing_deviation",
    [ALG_VPS_FACT_PROJECTION_ERROR] = "projection_error_rel",
    [ALG_VPS_FACT_LOAD_NS] = "stage_load_ns",
    [ALG_VPS_FACT_INITIALISE_NS] = "stage_initialise_ns",
    [ALG_VPS_FACT_SURFACE_NS] = "stage_surface_ns",
    [ALG_VPS_FACT_FILL_NS] = "stage_fill_ns",
    [ALG_VPS_FACT_PROJECT_NS] = "stage_project_ns",
    [ALG_VPS_FACT_POINTS_NS] = "stage_points_ns",
    [ALG_VPS_FACT_COUNT] = NULL,
};
_Static_assert((int)ALG_VPS_FACT_COUNT <= (int)ALG_FACTS_MAX, "all facts have a place");

/* --- Voxmaps ---------------------------------------------------------------------------------- */

/** Parameters of the voxel map, which depend on the body's role. */
typedef struct map_options {
    uint32_t padding, layers;
    alg_voxel_storage storage;
} map_options;

static map_options map_of(const alg_vps_options *options)
{
    if (!options->is_map) {
        return (map_options){ALG_VPS_SHELL_PADDING, ALG_VPS_SHELL_LAYERS, ALG_VOXEL_BLOCKED};
    }
    /* A field of distances starts in the first layer outside, which must not be the last layer. */
    const uint32_t least = options->field ? 2 : 1;
    const uint32_t layers = options->layers > least ? options->layers : least;
    /* Layers are counted from the surface voxels at the border of the box; one more voxel is
       outside. */
    return (map_options){layers + 1, layers, options->storage};
}

static base_status build_map(const alg_vps_options *options, const geo_mesh *mesh,
                             base_arena *arena, alg_voxel_map *map, double *facts, base_error *err)
{
    for (int i = ALG_VPS_FACT_LOAD_NS; i <= ALG_VPS_FACT_FILL_NS; i++) {
        facts[i] = 0;
    }
    const map_options o = map_of(options);
    uint64_t last = alg_clock_ns(), tests;
    const geo_box box = geo_mesh_box(mesh);
    alg_end_stage(&last, &facts[ALG_VPS_FACT_LOAD_NS]);
    alg_voxel_grid grid;
    alg_voxel_bits bits = {0};
    base_status status = alg_voxel_grid_place(box, options->voxels, o.padding, &grid, err);
    if (status != BASE_OK) {
        return status;
    }
    status = alg_voxel_bits_create(grid.size, &bits, err);
    if (status != BASE_OK) {
        return status;
    }
    alg_end_stage(&last, &facts[ALG_VPS_FACT_INITIALISE_NS]);
    status = alg_voxel_surface_mark(mesh, &grid, &options->surface, &bits, &tests, err);
    alg_end_stage(&last, &facts[ALG_VPS_FACT_SURFACE_NS]);
    if (status == BASE_OK) {
        status = alg_voxel_map_build(&grid, &bits, o.layers, o.storage, arena, map, err);
    }
    alg_end_stage(&last, &facts[ALG_VPS_FACT_FILL_NS]);
    alg_voxel_bits_release(&bits);
    if (status == BASE_OK) {
        facts[ALG_VPS_FACT_VOXELS] = (double)alg_voxel_grid_count(&grid);
        facts[ALG_VPS_FACT_SURFACE_VOXELS] = (double)map->surface_count;
        facts[ALG_VPS_FACT_INNER_VOXELS] = (double)map->inner_count;
        facts[ALG_VPS_FACT_BOX_TESTS] = (double)tests;
    }
    return status;
}

/** Builds the field from the skin's surface, or from a temporary surface if there is no skin. */
static base_status build_field(alg_vps_body *b, const geo_mesh *mesh, base_error *err)
{
    base_arena scratch = {0};
    geo_surface own;
    const geo_surface *surface = b->skin ? &b->skin->surface : &own;
    base_status status = b->skin ? BASE_OK : geo_surface_build(mesh, &scratch, &own, err);
    if (status == BASE_OK) {
        status = alg_voxel_distances_build(surface, &b->map, 1, &b->arena, &b->distances, err);
    }
    base_arena_release(&scratch);
    return status;
}

/** Returns the first voxel from x on along a row that may be a surface voxel; skips other blocks.
 */
static uint32_t pass_blocks(const alg_voxel_map *map, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t n = ALG_VOXEL_MAP_BLOCK;
    const uint32_t *const row =
        map->blocks + ((size_t)(z / n) * map->block_count[1] + y / n) * map->block_count[0];
    uint32_t block = x / n;
    while (block < map->block_count[0] && row[block] != 0 && !(row[block] & ALG_VOXEL_MAP_OPEN)) {
        block++;
    }
    return block > x / n ? block * n : x;
}

static void visit_row(const alg_voxel_map *map, uint32_t y, uint32_t z, alg_vps_run_visitor *visit,
                      void *context)
{
    const uint32_t size = map->grid.size[0];
    for (uint32_t x = 0; x < size; x++) {
        if (map->storage == ALG_VOXEL_BLOCKED && x % ALG_VOXEL_MAP_BLOCK == 0) {
            x = pass_blocks(map, x, y, z);
        }
        const uint32_t first = x;
        while (x < size && alg_voxel_layer(map, x, y, z) == 0) {
            x++;
        }
        if (x > first) {
            visit(context, first, x, y, z);
        }
    }
}

void alg_vps_surface_runs(const alg_voxel_map *map, alg_vps_run_visitor *visit, void *context)
{
    for (uint32_t z = 0; z < map->grid.size[2]; z++) {
        for (uint32_t y = 0; y < map->grid.size[1]; y++) {
            visit_row(map, y, z, visit, context);
        }
    }
}

/** Bits of a grid that begins `shift` voxels before the grid of the runs. */
typedef struct shifted {
    alg_voxel_bits bits;
    uint32_t shift;
} shifted;

static void set_run(void *context, uint32_t x0, uint32_t x1, uint32_t y, uint32_t z)
{
    const shifted *const s = context;
    uint64_t *const row = alg_voxel_bits_row(&s->bits, y + s->shift, z + s->shift);
    for (uint32_t x = x0 + s->shift; x < x1 + s->shift; x++) {
        row[x / 64] |= (uint64_t)1 << x % 64;
    }
}

base_status alg_vps_widen(const alg_voxel_map *map, uint32_t layers, base_arena *arena,
                          alg_voxel_map *wide, base_error *err)
{
    alg_voxel_grid grid = map->grid;
    shifted s = {.shift = layers > grid.padding ? layers - grid.padding : 0};
    grid.padding += s.shift;
    for (int axis = 0; axis < 3; axis++) {
        grid.size[axis] += 2 * s.shift;
        if (grid.size[axis] > ALG_VOXEL_SIZE_MAX) {
            return base_fail(err, BASE_ERR_INPUT, "more than %d voxels along an axis",
                             ALG_VOXEL_SIZE_MAX);
        }
    }
    base_status status = alg_voxel_bits_create(grid.size, &s.bits, err);
    if (status != BASE_OK) {
        return status;
    }
    alg_vps_surface_runs(map, set_run, &s);
    status = alg_voxel_map_build(&grid, &s.bits, layers, map->storage, arena, wide, err);
    alg_voxel_bits_release(&s.bits);
    return status;
}

/* --- Pointshells ------------------------------------------------------------------------------ */

static base_status build_points(const alg_vps_options *options, const geo_mesh *mesh, bool solid,
                                alg_vps_body *b, double *facts, base_error *err)
{
    base_arena scratch = {0};
    alg_pointshell shell;
    alg_pointshell_options shell_options = options->shell;
    shell_options.solid = solid;
    uint64_t last = alg_clock_ns();
    base_status status = alg_pointshell_build(mesh, &b->map, &shell_options, &scratch, &shell, err);
    facts[ALG_VPS_FACT_POINTS_NS] = 0;
    alg_end_stage(&last, &facts[ALG_VPS_FACT_POINTS_NS]);
    if (status == BASE_OK) {
        facts[ALG_VPS_FACT_POINTS] = shell.count;
        facts[ALG_VPS_FACT_RECOVERED] = shell.recovered_share;
        facts[ALG_VPS_FACT_SPACING_MEAN] = shell.spacing_mean;
        facts[ALG_VPS_FACT_SPACING_MIN] = shell.spacing_least;
        facts[ALG_VPS_FACT_SPACING_DEVIATION] = shell.spacing_deviation;
        facts[ALG_VPS_FACT_PROJECTION_ERROR] = shell.projection_error;
        facts[ALG_VPS_FACT_PROJECT_NS] = shell.project_ns;
        facts[ALG_VPS_FACT_POINTS_NS] -= shell.spacing_ns;
        status = alg_vps_points_build(&shell, &b->arena, &b->points, err);
    }
    base_arena_release(&scratch);
    return status;
}

/* --- Bodies ----------------------------------------------------------------------------------- */

static base_status build_skin(alg_vps_body *body, const alg_mesh *mesh, base_error *err)
{
    geo_shell *const skin = base_arena_alloc(&body->arena, 1, sizeof *skin);
    if (!skin) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a surface");
    }
    body->skin = skin;
    return geo_shell_build(alg_mesh_view(mesh), mesh->solid, &body->arena, skin, err);
}

static base_status build(const alg_vps_options *options, const alg_mesh *mesh, alg_vps_body *b,
                         double *facts, base_error *err)
{
    const geo_mesh view = alg_mesh_view(mesh);
    base_status status = build_map(options, &view, &b->arena, &b->map, facts, err);
    if (status == BASE_OK && b->is_map) {
        status = alg_voxel_clearance_build(&b->map, 0, &b->arena, &b->clearance, err);
    }
    if (status == BASE_OK && options->skin) {
        status = build_skin(b, mesh, err);
    }
    if (status == BASE_OK && b->field) {
        status = build_field(b, &view, err);
    }
    if (status == BASE_OK && !options->is_map) {
        status = build_points(options, &view, mesh->solid, b, facts, err);
    }
    return status;
}

alg_status alg_vps_body_prepare(const alg_vps_options *options, const alg_mesh *mesh, void **body,
                                alg_build_info *info, alg_message *message)
{
    *body = NULL;
    const bool field = options->is_map && options->field;
    if (field && !mesh->solid) {
        return alg_fail(message, ALG_UNSUPPORTED,
                        "depth=field needs a solid for its voxmap; plane and layers do not");
    }
    const alg_status status = alg_create(sizeof(alg_vps_body), body, message);
    if (status != ALG_OK) {
        return status;
    }
    alg_vps_body *const b = *body;
    base_error err = {0};
    b->is_map = options->is_map;
    b->field = field;
    b->centroid = mesh->centroid;
    if (build(options, mesh, b, info->facts, &err) != BASE_OK) {
        return alg_abandon(body, alg_fail_geo(message, &err));
    }
    info->bytes = b->arena.bytes;
    info->primitives = b->is_map ? b->map.surface_count : b->points.count;
    return ALG_OK;
}

/* --- Saving and loading ----------------------------------------------------------------------- */

_Static_assert(sizeof(alg_voxel_distances) == 48 && sizeof(alg_vps_points) == 136 &&
                   sizeof(alg_voxel_clearance) == 24 && sizeof(alg_vps_body) == 376,
               "a member that is added is serialized as well");

/** The caller sets `map`, which points to the body's map. */
static void serialize_distances(alg_archive *archive, alg_voxel_distances *d)
{
    const uint32_t *const n = d->block_count;
    const size_t block = ALG_VOXEL_MAP_BLOCK * ALG_VOXEL_MAP_BLOCK * ALG_VOXEL_MAP_BLOCK;
    ALG_VALUE(archive, d->outward);
    ALG_VALUE(archive, d->block_count);
    ALG_VALUE(archive, d->open_count);
    ALG_ARRAY(archive, d->blocks, (size_t)n[0] * n[1] * n[2]);
    ALG_ARRAY(archive, d->values, d->open_count * block);
}

static void serialize_points(alg_archive *archive, alg_vps_points *p)
{
    ALG_VALUE(archive, p->count);
    ALG_VALUE(archive, p->level_count);
    uint32_t nodes = alg_vps_octet_count(p->count);
    ALG_ARRAY(archive, p->octets, nodes);
    ALG_ARRAY(archive, p->normals, p->count);
    ALG_ARRAY(archive, p->weights, p->count);
    for (uint32_t k = 0; k < p->level_count && k < ALG_VPS_LEVELS_MAX; k++) {
        nodes = alg_vps_octet_count(nodes);
        ALG_ARRAY(archive, p->levels[k], nodes);
    }
    ALG_VALUE(archive, p->reach);
    ALG_VALUE(archive, p->slack);
    ALG_VALUE(archive, p->extent);
}

static void serialize_clearance(alg_archive *archive, alg_voxel_clearance *c)
{
    ALG_VALUE(archive, c->least);
    ALG_VALUE(archive, c->count);
    ALG_ARRAY(archive, c->cells, (size_t)c->count[0] * c->count[1] * c->count[2] + 1);
}

/** The skin itself is rebuilt from the mesh. */
static void serialize_body(alg_archive *archive, void *body)
{
    alg_vps_body *const b = body;
    alg_voxel_map_serialize(archive, &b->map);
    serialize_clearance(archive, &b->clearance);
    ALG_VALUE(archive, b->is_map);
    ALG_VALUE(archive, b->field);
    serialize_distances(archive, &b->distances);
    serialize_points(archive, &b->points);
    ALG_OBJECT(archive, b->skin);
    ALG_VALUE(archive, b->centroid);
}

alg_status alg_vps_body_save(const void *body, const alg_writer *to, alg_message *message)
{
    return alg_save(serialize_body, body, to, message);
}

alg_status alg_vps_body_load(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                             const void *bytes, size_t size, void **body, alg_build_info *info,
                             alg_message *message)
{
    (void)settings, (void)role, (void)info;
    const alg_status loaded =
        alg_load(serialize_body, sizeof(alg_vps_body), bytes, size, body, message);
    if (loaded != ALG_OK) {
        return loaded;
    }
    alg_vps_body *const b = *body;
    base_error err;
    b->distances.map = &b->map;
    base_status status = BASE_OK;
    if (b->skin) {
        status = geo_shell_build(alg_mesh_view(mesh), mesh->solid, &b->arena, b->skin, &err);
    }
    return status == BASE_OK ? ALG_OK : alg_abandon(body, alg_fail_geo(message, &err));
}

/* --- Pictures --------------------------------------------------------------------------------- */

void alg_vps_body_draw(const void *body, const alg_sink *sink)
{
    const alg_voxel_map *const map = &((const alg_vps_body *)body)->map;
    const alg_voxel_grid *const grid = &map->grid;
    if (sink->size >= offsetof(alg_sink, grid) + sizeof sink->grid && sink->grid) {
        sink->grid(sink->context, &grid->corner, grid->edge, grid->padding, grid->size);
    }
    if (sink->size >= offsetof(alg_sink, surface_voxels) + sizeof sink->surface_voxels &&
        sink->surface_voxels) {
        alg_vps_surface_runs(map, sink->surface_voxels, sink->context);
    }
}
