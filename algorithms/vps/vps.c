/**
 * Voxmap-pointshell: contact, depth and force from the points of one body in the voxels of the
 * other. This file has the parameters, the bodies and the pairs.
 */
#include "algorithms/archive.h"
#include "algorithms/life.h"
#include "algorithms/registry.h"
#include "algorithms/voxel/walls.h"
#include "algorithms/vps/vps.h"

enum {
    VOXMAP,
    VOXELS,
    LAYERS,
    STORAGE,
    FLOOD,
    SHELL,
    SHELL_VOXELS,
    GENERATOR,
    NAVIGATION,
    PROJECTION,
    TOLERANCE,
    CONTACT,
    DEPTH,
    WEIGHTS,
    PARAMETER_COUNT
};

/** Greatest number of voxels on the longest edge of a body's box. */
enum { VOXELS_MAX = 2048 };

/** Default of `voxels`, and the least number that voxels=auto chooses. */
enum { VOXELS_USUAL = 128 };

/* The words are in the order of the enumerations to which their indices are converted. */
/* clang-format off */
static const alg_parameter parameters[] = {
    [VOXMAP] = {"voxmap", ALG_CHOICE, 0,
                .help = "which body is the voxmap; the other one is the pointshell",
                .choices = (const alg_choice[]){
                    {"fixed", "the fixed body, A"},
                    {"moving", "the moving body, B"},
                    {0}}},
    [VOXELS] = {"voxels", ALG_INTEGER, VOXELS_USUAL, 2, VOXELS_MAX, ALG_WALLS_AUTO,
                "voxels of the voxmap along the longest edge of its body's box"},
    [LAYERS] = {"layers", ALG_INTEGER, 16, 1, ALG_VOXEL_LAYERS_MAX, NULL,
                "layers of voxels on each side of the surface; depths are limited to them"},
    [STORAGE] = {"storage", ALG_CHOICE, ALG_VOXEL_BLOCKED,
                 .help = "how the voxmap stores its voxels",
                 .choices = (const alg_choice[]){
                     {"blocked", "blocks of 8 x 8 x 8; a block of equal voxels stores one value"},
                     {"dense", "one byte per voxel"},
                     {0}}},
    [FLOOD] = {"flood", ALG_CHOICE, ALG_VOXEL_STACK,
               .help = "which row of voxels the flood of the outside visits next",
               .choices = (const alg_choice[]){
                   {"stack", "the row that was reached last, as in the paper"},
                   {"queue", "the row that was reached first"},
                   {0}}},
    [SHELL] = {"shell", ALG_CHOICE, ALG_POINTSHELL_TWO_PHASE,
               .help = "which points the pointshell has",
               .choices = (const alg_choice[]){
                   {"two-phase", "points inside triangles, then a point on a boundary for each "
                                 "voxel that has no point"},
                   {"all", "a point for each triangle and surface voxel of it"},
                   {"blue-noise", "as many points as with two-phase, evenly distributed"},
                   {0}}},
    [SHELL_VOXELS] = {"shell-voxels", ALG_INTEGER, 64, 2, VOXELS_MAX, NULL,
                      "voxels of the pointshell's grid along the longest edge of its body's box"},
    [GENERATOR] = {"generator", ALG_CHOICE, ALG_VOXEL_OURS,
                   .help = "how voxels are generated; old also generates the points",
                   .choices = (const alg_choice[]){
                       {"ours", "rows of voxels at a time, on all CPUs"},
                       {"paper", "triangle by triangle, as in the paper"},
                       {"old", "voxel by voxel, by the method before the paper"},
                       {0}}},
    [NAVIGATION] = {"navigation", ALG_CHOICE, ALG_VOXEL_AUTO,
                    .help = "which voxels generator=paper tests against a triangle",
                    .choices = (const alg_choice[]){
                        {"auto", "no test, all voxels of the triangle's box, or the second "
                                 "approach, by the size of the box"},
                        {"box", "all voxels of the triangle's box"},
                        {"first", "the paper's first approach: by rows along x, then y and z from "
                                  "the corners"},
                        {"second", "the paper's second approach: from both ends of z, without "
                                   "tests between them"},
                        {0}}},
    [PROJECTION] = {"projection", ALG_CHOICE, ALG_POINTSHELL_KKT,
                    .help = "how the centre of a voxel is projected onto a triangle",
                    .choices = (const alg_choice[]){
                        {"kkt", "by the optimality conditions (KKT), as in the paper"},
                        {"voronoi", "by the Voronoi regions of the triangle's corners, edges and "
                                    "face"},
                        {0}}},
    [TOLERANCE] = {"tolerance", ALG_REAL, 0, -0.5, 1, NULL,
                   "generator=old enlarges each voxel by this share of its edge, on each side"},
    [CONTACT] = {"contact", ALG_CHOICE, ALG_VPS_SURFACE,
                 .help = "which voxels are a contact, and what that promises",
                 .choices = (const alg_choice[]){
                     {"surface", "surface voxels and inner voxels; the answer is no bound"},
                     {"sure", "inner voxels, if the point is inside of the solid: no false alarm"},
                     {"possible", "all voxels within reach of the points: no contact is missed"},
                     {0}}},
    [DEPTH] = {"depth", ALG_CHOICE, ALG_VPS_PLANE, .help = "how deep a point is",
               .choices = (const alg_choice[]){
                   {"plane", "distance to the plane through the voxel's centre, along the normal "
                             "of the point"},
                   {"layers", "number of layers"},
                   {"field", "distance interpolated between voxels, along its gradient"},
                   {0}}},
    [WEIGHTS] = {"weights", ALG_CHOICE, 0, .help = "how much each point counts in a force",
                 .choices = (const alg_choice[]){
                     {"count", "1, as in the paper; faces across a diagonal of the grid have up to "
                               "1.7 times as many points"},
                     {"area", "the point's share of the area of the surface; the mean is 1"},
                     {0}}},
};
/* clang-format on */

static const char *const counter_names[] = {
    [ALG_VPS_COUNT_CONTACTS] = "contacts_count",
    [ALG_VPS_COUNT_LOOKUPS] = "lookups_count",
    [ALG_VPS_COUNT_POINTS] = "points_count",
    [ALG_VPS_COUNT_POINTS + 1] = NULL,
};

static const char *const fact_names[] = {
    [ALG_VPS_FACT_VOXELS] = "voxels_count",
    [ALG_VPS_FACT_SURFACE_VOXELS] = "surface_voxels_count",
    [ALG_VPS_FACT_INNER_VOXELS] = "inner_voxels_count",
    [ALG_VPS_FACT_BOX_TESTS] = "box_tests_count",
    [ALG_VPS_FACT_FLOOD] = "flood_rows_count",
    [ALG_VPS_FACT_POINTS] = "points_count",
    [ALG_VPS_FACT_RECOVERED] = "recovered_share",
    [ALG_VPS_FACT_RECOVERED_COUNT] = "recovered_count",
    [ALG_VPS_FACT_SPACING_MEAN] = "spacing_mean_m",
    [ALG_VPS_FACT_SPACING_MIN] = "spacing_min_m",
    [ALG_VPS_FACT_SPACING_DEVIATION] = "spacing_deviation",
    [ALG_VPS_FACT_PROJECTION_ERROR] = "projection_error_rel",
    [ALG_VPS_FACT_BOUNDARY] = "boundary_share",
    [ALG_VPS_FACT_NORMAL_P50] = "normal_deg_p50",
    [ALG_VPS_FACT_NORMAL_P95] = "normal_deg_p95",
    [ALG_VPS_FACT_NORMAL_MAX] = "normal_deg_max",
    [ALG_VPS_FACT_TURNED] = "normals_turned_share",
    [ALG_VPS_FACT_LOAD_NS] = "stage_load_ns",
    [ALG_VPS_FACT_INITIALISE_NS] = "stage_initialise_ns",
    [ALG_VPS_FACT_SURFACE_NS] = "stage_surface_ns",
    [ALG_VPS_FACT_FILL_NS] = "stage_fill_ns",
    [ALG_VPS_FACT_COLLECT_NS] = "stage_collect_ns",
    [ALG_VPS_FACT_PROJECT_NS] = "stage_project_ns",
    [ALG_VPS_FACT_POINTS_NS] = "stage_points_ns",
    [ALG_VPS_FACT_RESOLUTION] = "resolution_count",
    [ALG_VPS_FACT_THIN] = ALG_FACT_THIN,
    [ALG_VPS_FACT_WALL] = "wall_m",
    [ALG_VPS_FACT_DEPTH_ERROR] = "depth_error_expected_m",
    [ALG_VPS_FACT_COUNT] = NULL,
};
_Static_assert((int)ALG_VPS_FACT_COUNT <= (int)ALG_FACTS_MAX, "all facts have a place");

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    if (quantity == ALG_CONTACT) {
        return settings->values[CONTACT] == ALG_VPS_SURE       ? ALG_LOWER_BOUND
               : settings->values[CONTACT] == ALG_VPS_POSSIBLE ? ALG_UPPER_BOUND
                                                               : ALG_APPROXIMATE;
    }
    return quantity == ALG_DEPTH || quantity == ALG_FORCE ? ALG_APPROXIMATE : ALG_NOT_ANSWERED;
}

/**
 * Points push along their own normals by their depths in the voxmap. This is the law "depth" if the
 * voxmap is the fixed body, for which the parameter is 0; otherwise the roles are exchanged. Forces
 * along the distance gradient follow no law, since the gradient changes its direction where the
 * nearest face changes.
 */
static alg_law law(const alg_settings *settings)
{
    if (settings->values[DEPTH] == ALG_VPS_FIELD) {
        return ALG_LAW_NONE;
    }
    return settings->values[VOXMAP] == 0 ? ALG_LAW_DEPTH : ALG_LAW_DEPTH_EXCHANGED;
}

/**
 * Resets the parameters that do not change a body: all values of `depth` but "field", and the
 * parameters that the generator does not read.
 */
static void body_settings(alg_settings *settings)
{
    double *const values = settings->values;
    const bool old = values[GENERATOR] == ALG_VOXEL_OLD;
    if (values[DEPTH] != ALG_VPS_FIELD) {
        values[DEPTH] = ALG_VPS_PLANE;
    }
    if (values[GENERATOR] != ALG_VOXEL_PAPER) {
        values[NAVIGATION] = ALG_VOXEL_AUTO;
    }
    if (old) {
        values[PROJECTION] = ALG_POINTSHELL_KKT;
        values[SHELL] = ALG_POINTSHELL_TWO_PHASE;
    } else {
        values[TOLERANCE] = 0;
    }
}

/* --- Options of a body ------------------------------------------------------------------------ */

/** Number of layers of a pointshell's voxels. The normals need them. */
enum { SHELL_LAYERS = 2 };

/** The options that a body is built with. */
typedef struct options {
    bool is_map;     /* true for a voxmap, false for a pointshell; it depends on the role */
    uint32_t voxels; /* on the longest edge of the body's box; 0: alg_walls_resolve chooses them */
    alg_voxel_surface_options surface;
    alg_voxel_map_options map; /* the padding is one voxel wider than the layers */
    bool skin;  /* keeps the surface of the body, which contact=sure and contact=possible need */
    bool field; /* compute signed distances, for depth=field; only of a voxmap */
    alg_pointshell_options shell; /* only of a pointshell; `solid` is set from the mesh */
} options;

/** Returns the options of a body. The settings must have gone through body_settings. */
static options options_of(const alg_settings *settings, alg_role role)
{
    const double *const values = settings->values;
    const bool is_map = role == (values[VOXMAP] == 0 ? ALG_FIXED : ALG_MOVING);
    const bool old = values[GENERATOR] == ALG_VOXEL_OLD;
    const bool field = is_map && values[DEPTH] == ALG_VPS_FIELD;
    /* A field has the voxels from layer -1 on, which must not be the last layer outside. */
    const uint32_t least = field ? 2 : 1, layers = (uint32_t)values[LAYERS];
    const alg_vps_contact contact = (alg_vps_contact)values[CONTACT];
    const alg_voxel_navigation navigation = (alg_voxel_navigation)values[NAVIGATION];
    return (options){
        .is_map = is_map,
        .voxels = (uint32_t)values[is_map ? VOXELS : SHELL_VOXELS],
        .surface = {(alg_voxel_generator)values[GENERATOR], navigation, values[TOLERANCE]},
        .skin = contact == ALG_VPS_POSSIBLE || (is_map && contact == ALG_VPS_SURE),
        .map = {.layers = is_map ? (layers > least ? layers : least) : SHELL_LAYERS,
                .storage = is_map ? (alg_voxel_storage)values[STORAGE] : ALG_VOXEL_BLOCKED,
                .flood = (alg_voxel_flood)values[FLOOD]},
        .field = field,
        .shell = {.kind = old ? ALG_POINTSHELL_OLD : (alg_pointshell_kind)values[SHELL],
                  .projection = (alg_pointshell_projection)values[PROJECTION],
                  .navigation = navigation,
                  .seed = settings->seed,
                  .shares = values[WEIGHTS] != 0,
                  .threads = values[GENERATOR] == ALG_VOXEL_OURS ? 0 : 1},
    };
}

/* --- Voxmaps ---------------------------------------------------------------------------------- */

static base_status build_map(const options *o, const geo_mesh *mesh, bool solid, base_arena *arena,
                             alg_voxel_map *map, double *facts, base_error *err)
{
    for (int i = ALG_VPS_FACT_LOAD_NS; i <= ALG_VPS_FACT_FILL_NS; i++) {
        facts[i] = 0;
    }
    uint64_t last = alg_clock_ns(), tests;
    const geo_box box = geo_mesh_box(mesh);
    alg_end_stage(&last, &facts[ALG_VPS_FACT_LOAD_NS]);
    alg_voxel_grid grid;
    alg_voxel_bits bits = {0};
    base_status status = alg_voxel_grid_place(box, o->voxels, o->map.layers + 1, &grid, err);
    if (status != BASE_OK) {
        return status;
    }
    status = alg_voxel_bits_create(grid.size, &bits, err);
    if (status != BASE_OK) {
        return status;
    }
    alg_end_stage(&last, &facts[ALG_VPS_FACT_INITIALISE_NS]);
    status = alg_voxel_surface_mark(mesh, &grid, &o->surface, &bits, &tests, err);
    alg_end_stage(&last, &facts[ALG_VPS_FACT_SURFACE_NS]);
    uint64_t visits;
    if (status == BASE_OK) {
        alg_voxel_map_options map_options = o->map;
        map_options.visits = &visits;
        status = alg_voxel_map_build(&grid, &bits, &map_options, arena, map, err);
    }
    alg_end_stage(&last, &facts[ALG_VPS_FACT_FILL_NS]);
    if (status == BASE_OK && o->is_map && solid) {
        status = alg_thin_share(mesh, &grid, &bits, false, &facts[ALG_VPS_FACT_THIN], err);
    }
    alg_voxel_bits_release(&bits);
    if (status == BASE_OK) {
        facts[ALG_VPS_FACT_VOXELS] = (double)alg_voxel_grid_count(&grid);
        facts[ALG_VPS_FACT_SURFACE_VOXELS] = (double)map->surface_count;
        facts[ALG_VPS_FACT_INNER_VOXELS] = (double)map->inner_count;
        facts[ALG_VPS_FACT_BOX_TESTS] = (double)tests;
        facts[ALG_VPS_FACT_FLOOD] = (double)visits;
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

/**
 * Returns the first voxel from x on in a row along x that may be a surface voxel. Skips blocks
 * whose voxels all have the same other layer.
 */
static uint32_t skip_blocks(const alg_voxel_map *map, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t n = ALG_VOXEL_MAP_BLOCK;
    const uint32_t *const row = map->blocks + alg_voxel_block_index(map->block_count, 0, y, z);
    uint32_t block = x / n;
    while (block < map->block_count[0] && row[block] != 0 && !(row[block] & ALG_VOXEL_MAP_OPEN)) {
        block++;
    }
    return block > x / n ? block * n : x;
}

/** Called for the surface voxels (x0, y, z) to (x1 - 1, y, z). */
typedef void run_visitor(void *context, uint32_t x0, uint32_t x1, uint32_t y, uint32_t z);

/**
 * Visits the voxels of layer 0 of a map, in runs along x. The order is by z, then by y, then by x.
 */
static void visit_surface(const alg_voxel_map *map, run_visitor *visit, void *context)
{
    const uint32_t *const size = map->grid.size;
    for (uint32_t z = 0; z < size[2]; z++) {
        for (uint32_t y = 0; y < size[1]; y++) {
            for (uint32_t x = 0; x < size[0]; x++) {
                if (map->storage == ALG_VOXEL_BLOCKED && x % ALG_VOXEL_MAP_BLOCK == 0) {
                    x = skip_blocks(map, x, y, z);
                }
                const uint32_t first = x;
                while (x < size[0] && alg_voxel_layer(map, x, y, z) == 0) {
                    x++;
                }
                if (x > first) {
                    visit(context, first, x, y, z);
                }
            }
        }
    }
}

/** Bits of a grid. Along each axis it begins `shift` voxels before the grid of the visited runs. */
typedef struct shifted {
    alg_voxel_bits bits;
    uint32_t shift;
} shifted;

static void set_run(void *context, uint32_t x0, uint32_t x1, uint32_t y, uint32_t z)
{
    const shifted *const s = context;
    for (uint32_t x = x0; x < x1; x++) {
        alg_voxel_bit_set(&s->bits, x + s->shift, y + s->shift, z + s->shift);
    }
}

/**
 * Makes a map of the same surface voxels with `layers` layers and at least `layers` voxels of
 * padding.
 */
static base_status widen_map(const alg_voxel_map *map, uint32_t layers, base_arena *arena,
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
    visit_surface(map, set_run, &s);
    status = alg_voxel_map_build(
        &grid, &s.bits, &(alg_voxel_map_options){.layers = layers, .storage = map->storage}, arena,
        wide, err);
    alg_voxel_bits_release(&s.bits);
    return status;
}

/* --- Pointshells ------------------------------------------------------------------------------ */

static base_status build_points(const options *o, const geo_mesh *mesh, bool solid, alg_vps_body *b,
                                double *facts, base_error *err)
{
    base_arena scratch = {0};
    alg_pointshell shell;
    alg_pointshell_options shell_options = o->shell;
    shell_options.solid = solid;
    uint64_t last = alg_clock_ns();
    base_status status = alg_pointshell_build(mesh, &b->map, &shell_options, &scratch, &shell, err);
    facts[ALG_VPS_FACT_POINTS_NS] = 0;
    alg_end_stage(&last, &facts[ALG_VPS_FACT_POINTS_NS]);
    if (status == BASE_OK) {
        facts[ALG_VPS_FACT_POINTS] = shell.count;
        facts[ALG_VPS_FACT_RECOVERED] = shell.recovered_share;
        facts[ALG_VPS_FACT_RECOVERED_COUNT] = shell.recovered_count;
        facts[ALG_VPS_FACT_SPACING_MEAN] = shell.spacing_mean;
        facts[ALG_VPS_FACT_SPACING_MIN] = shell.spacing_least;
        facts[ALG_VPS_FACT_SPACING_DEVIATION] = shell.spacing_deviation;
        facts[ALG_VPS_FACT_PROJECTION_ERROR] = shell.projection_error;
        facts[ALG_VPS_FACT_BOUNDARY] = shell.boundary_share;
        facts[ALG_VPS_FACT_COLLECT_NS] = shell.collect_ns;
        facts[ALG_VPS_FACT_PROJECT_NS] = shell.project_ns;
        facts[ALG_VPS_FACT_POINTS_NS] -= shell.spacing_ns;
        status = alg_vps_points_build(&shell, &b->arena, &b->points, err);
    }
    alg_pointshell_angles angles;
    if (status == BASE_OK) {
        status = alg_pointshell_angles_measure(mesh, &shell, &angles, err);
    }
    if (status == BASE_OK) {
        facts[ALG_VPS_FACT_NORMAL_P50] = angles.median;
        facts[ALG_VPS_FACT_NORMAL_P95] = angles.p95;
        facts[ALG_VPS_FACT_NORMAL_MAX] = angles.largest;
        facts[ALG_VPS_FACT_TURNED] = angles.turned_share;
    }
    base_arena_release(&scratch);
    return status;
}

/* --- Bodies ----------------------------------------------------------------------------------- */

static base_status build(const options *o, const alg_mesh *mesh, alg_vps_body *b, double *facts,
                         base_error *err)
{
    const geo_mesh view = alg_mesh_view(mesh);
    base_status status = build_map(o, &view, mesh->solid, &b->arena, &b->map, facts, err);
    if (status == BASE_OK && o->is_map) {
        status = alg_voxel_clearance_build(&b->map, 0, &b->arena, &b->clearance, err);
    }
    if (status == BASE_OK && o->skin) {
        b->skin = base_arena_alloc(&b->arena, 1, sizeof *b->skin);
        status = b->skin ? geo_shell_build(view, mesh->solid, &b->arena, b->skin, err)
                         : base_fail(err, BASE_ERR_MEMORY, "out of memory for a surface");
    }
    if (status == BASE_OK && o->field) {
        status = build_field(b, &view, err);
    }
    if (status == BASE_OK && !o->is_map) {
        status = build_points(o, &view, mesh->solid, b, facts, err);
    }
    return status;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    options o = options_of(settings, role);
    *prepared = NULL;
    if (o.is_map && settings->values[CONTACT] == ALG_VPS_SURE && !mesh->solid) {
        return alg_fail(message, ALG_UNSUPPORTED,
                        "contact=sure needs a solid for its voxmap; surface and possible do not");
    }
    if (o.field && !mesh->solid) {
        return alg_fail(message, ALG_UNSUPPORTED,
                        "depth=field needs a solid for its voxmap; plane and layers do not");
    }
    alg_resolution resolution;
    alg_status status =
        alg_walls_resolve(mesh, o.voxels, VOXELS_USUAL, VOXELS_MAX, &resolution, message);
    if (status == ALG_OK) {
        status = alg_create(sizeof(alg_vps_body), prepared, message);
    }
    if (status != ALG_OK) {
        return status;
    }
    o.voxels = resolution.voxels;
    alg_vps_body *const b = *prepared;
    base_error err = {0};
    b->is_map = o.is_map;
    b->field = o.field;
    b->centroid = mesh->centroid;
    if (build(&o, mesh, b, info->facts, &err) != BASE_OK) {
        return alg_abandon(prepared, alg_fail_geo(message, &err));
    }
    info->facts[ALG_VPS_FACT_RESOLUTION] = o.voxels;
    if (!isnan(resolution.wall_m)) {
        info->facts[ALG_VPS_FACT_WALL] = resolution.wall_m;
        info->facts[ALG_VPS_FACT_DEPTH_ERROR] = 0.5 * sqrt(3) * b->map.grid.edge;
    }
    info->bytes = b->arena.bytes;
    info->primitives = b->is_map ? b->map.surface_count : b->points.count;
    return ALG_OK;
}

/* --- Saving and loading ----------------------------------------------------------------------- */

_Static_assert(sizeof(alg_voxel_distances) == 48 && sizeof(alg_vps_points) == 136 &&
                   sizeof(alg_voxel_clearance) == 24 && sizeof(alg_vps_body) == 376,
               "a member that is added is serialized as well");

static void serialize_points(alg_archive *archive, alg_vps_points *p)
{
    ALG_VALUE(archive, p->count);
    ALG_VALUE(archive, p->level_count);
    uint32_t nodes = alg_vps_packet_count(p->count);
    ALG_ARRAY(archive, p->packets, nodes);
    ALG_ARRAY(archive, p->normals, p->count);
    ALG_ARRAY(archive, p->weights, p->count);
    for (uint32_t k = 0; k < p->level_count && k < ALG_VPS_LEVELS_MAX; k++) {
        nodes = alg_vps_packet_count(nodes);
        ALG_ARRAY(archive, p->levels[k], nodes);
    }
    ALG_VALUE(archive, p->reach);
    ALG_VALUE(archive, p->slack);
    ALG_VALUE(archive, p->extent);
}

/** `distances.map` is set again, and the skin is rebuilt from the mesh. */
static void serialize_body(alg_archive *archive, void *body)
{
    alg_vps_body *const b = body;
    alg_voxel_clearance *const c = &b->clearance;
    alg_voxel_distances *const d = &b->distances;
    const uint32_t *const n = d->block_count;
    const size_t block = ALG_VOXEL_MAP_BLOCK * ALG_VOXEL_MAP_BLOCK * ALG_VOXEL_MAP_BLOCK;
    alg_voxel_map_serialize(archive, &b->map);
    ALG_VALUE(archive, c->least);
    ALG_VALUE(archive, c->count);
    ALG_ARRAY(archive, c->cells, (size_t)c->count[0] * c->count[1] * c->count[2] + 1);
    ALG_VALUE(archive, b->is_map);
    ALG_VALUE(archive, b->field);
    ALG_VALUE(archive, d->outward);
    ALG_VALUE(archive, d->block_count);
    ALG_VALUE(archive, d->open_count);
    ALG_ARRAY(archive, d->blocks, (size_t)n[0] * n[1] * n[2]);
    ALG_ARRAY(archive, d->values, d->open_count * block);
    serialize_points(archive, &b->points);
    ALG_OBJECT(archive, b->skin);
    ALG_VALUE(archive, b->centroid);
}

static alg_status save(const void *body, const alg_writer *to, alg_message *message)
{
    return alg_save(serialize_body, body, to, message);
}

static alg_status load(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
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

/** Draws the grid and the surface voxels, also for a pointshell, and the points of the shell. */
static void draw(const void *body, const alg_sink *sink)
{
    const alg_vps_body *const b = body;
    const alg_voxel_grid *const grid = &b->map.grid;
    if (ALG_SINK_TAKES(sink, grid)) {
        sink->grid(sink->context, &grid->corner, grid->edge, grid->padding, grid->size);
    }
    if (ALG_SINK_TAKES(sink, surface_voxels)) {
        visit_surface(&b->map, sink->surface_voxels, sink->context);
    }
    for (uint32_t i = 0; ALG_SINK_TAKES(sink, point) && !b->is_map && i < b->points.count; i++) {
        const vec3 point = alg_vps_point(&b->points, i);
        sink->point(sink->context, &point, &b->points.normals[i]);
    }
}

/* --- Pairs ------------------------------------------------------------------------------------ */

/** State of a bound pair. */
typedef struct state {
    base_arena arena;
    alg_vps_pair pair;
    /* Only for contact=possible: */
    alg_voxel_map wide; /* replaces the voxmap if that has too few layers or too little padding */
    alg_voxel_clearance clearance;
} state;

/** Builds layers, padding and clearance that contact=possible needs for this pair. */
static alg_status widen_pair(state *s, const alg_vps_points *points, alg_message *message)
{
    const alg_voxel_map *const map = s->pair.map;
    /* The factor adds a margin for the rounding of poses. */
    const uint32_t k =
        alg_vps_reach_in_layers(1.001 * (points->reach + points->slack), map->grid.edge);
    if (k >= ALG_VOXEL_LAYERS_MAX) {
        return alg_fail(message, ALG_UNSUPPORTED,
                        "contact=possible: points of the surface are up to %.3g m from the "
                        "pointshell, more than %d voxels; use more shell-voxels or fewer voxels",
                        points->reach, ALG_VOXEL_LAYERS_MAX - 1);
    }
    base_error err = {0};
    base_status status = BASE_OK;
    if (k >= map->layers || k > map->grid.padding) {
        status = widen_map(map, k + 1, &s->arena, &s->wide, &err);
        s->pair.map = &s->wide;
    }
    if (status == BASE_OK) {
        status =
            alg_voxel_clearance_build(s->pair.map, -(int32_t)k, &s->arena, &s->clearance, &err);
        s->pair.clearance = &s->clearance;
    }
    return status == BASE_OK ? ALG_OK : alg_fail_geo(message, &err);
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, void **held, alg_message *message)
{
    const alg_vps_body *const a = fixed, *const b = moving;
    const alg_vps_body *const voxels = a->is_map ? a : b, *const shell = a->is_map ? b : a;
    alg_status status = alg_create(sizeof(state), held, message);
    if (status != ALG_OK) {
        return status;
    }
    state *const s = *held;
    s->pair = (alg_vps_pair){
        .map = &voxels->map,
        .clearance = &voxels->clearance,
        .points = &shell->points,
        .distances = voxels->field ? &voxels->distances : NULL,
        .moving = !a->is_map,
        .contact = (alg_vps_contact)settings->values[CONTACT],
        .depth = (alg_vps_depth)settings->values[DEPTH],
        .layers = (uint32_t)settings->values[LAYERS],
        .a = a->skin,
        .b = b->skin,
        .centroid_b = b->centroid,
        .wanted = request->wanted,
    };
    if (s->pair.contact == ALG_VPS_POSSIBLE) {
        status = widen_pair(s, &shell->points, message);
    }
    return status == ALG_OK ? ALG_OK : alg_abandon(held, status);
}

static void query(void *held, const geo_pose *pose, alg_answer *answer)
{
    alg_vps_query(&((const state *)held)->pair, pose, answer);
}

const alg_algorithm alg_vps = {
    .abi_version = ALG_ABI_VERSION,
    .name = "vps",
    .summary = "voxmap-pointshell: points on one body, looked up in the voxels of the other",
    .source = "VPS 2, 3, 4",
    .force_unit = "m",
    .parameters = parameters,
    .parameter_count = PARAMETER_COUNT,
    .counters = counter_names,
    .contract = contract,
    .prepare = prepare,
    .dispose = alg_destroy,
    .bind = bind,
    .release = alg_destroy,
    .query = query,
    .draw = draw,
    .facts = fact_names,
    .save = save,
    .load = load,
    .body_settings = body_settings,
    .law = law,
};
