#include "algorithms/imp/body.h"

#include "algorithms/archive.h"
#include "algorithms/imp/balls.h"
#include "algorithms/imp/coarse.h"
#include "algorithms/imp/descriptors.h"
#include "algorithms/imp/patches.h"
#include "algorithms/imp/points.h"
#include "algorithms/imp/spheres.h"
#include "algorithms/life.h"
#include "algorithms/voxel/surface.h"

const char *const alg_imp_facts[] = {
    [ALG_IMP_FACT_VOXELS] = "voxels_count",
    [ALG_IMP_FACT_SURFACE_VOXELS] = "surface_voxels_count",
    [ALG_IMP_FACT_FULL_VOXELS] = "full_voxels_count",
    [ALG_IMP_FACT_NODES] = "nodes_count",
    [ALG_IMP_FACT_NODE_BYTES] = "node_bytes",
    [ALG_IMP_FACT_SINGLE_NODES] = "single_nodes_count",
    [ALG_IMP_FACT_SMALLER_PATTERNS] = "smaller_patterns_count",
    [ALG_IMP_FACT_SMALLER_SQUARES] = "smaller_squares_count",
    [ALG_IMP_FACT_EDGE] = "edge_m",
    [ALG_IMP_FACT_SURFACE_NS] = "stage_surface_ns",
    [ALG_IMP_FACT_POINTS_NS] = "stage_points_ns",
    [ALG_IMP_FACT_TREE_NS] = "stage_tree_ns",
    [ALG_IMP_FACT_COUNT] = NULL,
};
_Static_assert((int)ALG_IMP_FACT_COUNT <= (int)ALG_FACTS_MAX, "all facts have a place");

/* Normals of points need two layers, and two voxels on each side of the voxel of a point, which may
 * be the first voxel of the padding. */
enum { LAYERS = 2, PADDING = 3 };

/* --- Voxels ----------------------------------------------------------------------------------- */

/**
 * Fills the descriptors. Full voxels are those inside of a solid; other meshes have no full voxels.
 */
static base_status fill_descriptors(const alg_imp_options *options, const geo_mesh *mesh,
                                    const alg_voxel_map *map, base_arena *scratch, alg_imp_body *b,
                                    base_error *err)
{
    geo_surface surface;
    base_status status = b->solid ? geo_surface_build(mesh, scratch, &surface, err) : BASE_OK;
    b->descriptors = base_arena_alloc(&b->arena, alg_imp_descriptors_bytes(b->grid.size), 1);
    if (status == BASE_OK && !b->descriptors) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for descriptors of voxels");
    }
    if (status == BASE_OK) {
        alg_imp_descriptors_fill(map, options->tree.threads, b->descriptors);
        alg_imp_descriptors_leave_hollows(map, b->solid ? &surface : NULL, options->tree.threads,
                                          b->descriptors);
    }
    return status;
}

/** Builds the map of the mesh, and the grid and descriptors of the body. */
static base_status build_voxels(const alg_imp_options *options, const geo_mesh *mesh,
                                base_arena *scratch, alg_imp_body *b, alg_voxel_map *map,
                                base_error *err)
{
    const alg_voxel_surface_options exact = {.generator = ALG_VOXEL_OURS};
    alg_voxel_bits bits = {0};
    uint64_t tests;
    base_status status =
        alg_voxel_grid_place(geo_mesh_box(mesh), options->voxels, PADDING, &b->grid, err);
    if (status == BASE_OK) {
        status = alg_voxel_bits_create(b->grid.size, &bits, err);
    }
    if (status == BASE_OK) {
        status = alg_voxel_surface_mark(mesh, &b->grid, &exact, &bits, &tests, err);
    }
    if (status == BASE_OK) {
        status = alg_voxel_map_build(&b->grid, &bits, LAYERS, ALG_VOXEL_BLOCKED, scratch, map, err);
    }
    alg_voxel_bits_release(&bits);
    return status == BASE_OK ? fill_descriptors(options, mesh, map, scratch, b, err) : status;
}

/** Sets the bits of the voxels of one kind. The caller frees them with alg_voxel_bits_release. */
static base_status select_voxels(const alg_imp_body *body, alg_imp_descriptor kind,
                                 alg_voxel_bits *bits, base_error *err)
{
    const base_status status = alg_voxel_bits_create(body->grid.size, bits, err);
    if (status == BASE_OK) {
        alg_imp_descriptors_select(body->descriptors, kind, 0, bits);
    }
    return status;
}

/* --- The tree --------------------------------------------------------------------------------- */

/**
 * Returns the part of the surface voxels' volume that is inside of the solid: the solid's volume
 * without the full voxels, divided by the volume of the surface voxels.
 */
static double fill_share_of(const alg_imp_body *b, const alg_mesh *mesh, uint64_t inner)
{
    const double edge = b->grid.edge, voxels = mesh->volume_m3 / (edge * edge * edge);
    const double share = (voxels - (double)inner) / b->tree.voxel_count;
    return !mesh->solid ? 0.5 : fmin(fmax(share, 0), 1);
}

/** Builds the blocks of coarse.h; only a fixed solid has them. */
static base_status build_coarse(alg_imp_body *b, const alg_voxel_bits *surface,
                                const alg_voxel_bits *inner, base_error *err)
{
    if (!b->solid || b->role != ALG_FIXED) {
        return BASE_OK;
    }
    b->coarse = base_arena_alloc(&b->arena, 1, sizeof *b->coarse);
    return b->coarse ? alg_imp_coarse_build(surface, inner, &b->arena, b->coarse, err)
                     : base_fail(err, BASE_ERR_MEMORY, "out of memory for blocks of voxels");
}

/** Builds the tree and its fill_share. kept: the surface voxels that are stored; NULL: all. */
static base_status grow_tree(alg_imp_body *body, const alg_imp_options *options,
                             const alg_mesh *mesh, const alg_voxel_bits *kept, base_error *err)
{
    alg_voxel_bits surface = {0}, inner = {0};
    base_status status = kept ? BASE_OK : select_voxels(body, ALG_IMP_VOXEL_SURFACE, &surface, err);
    if (status == BASE_OK) {
        status = select_voxels(body, ALG_IMP_VOXEL_FULL, &inner, err);
    }
    if (status == BASE_OK) {
        status = alg_imp_tree_build(kept ? kept : &surface,
                                    options->fill == ALG_IMP_SOLID ? &inner : NULL, &options->tree,
                                    &body->arena, &body->tree, NULL, err);
    }
    if (status == BASE_OK) {
        status = build_coarse(body, kept ? kept : &surface, &inner, err);
    }
    if (status == BASE_OK) {
        body->fill_share = fill_share_of(body, mesh, alg_voxel_bits_count(&inner));
    }
    alg_voxel_bits_release(&surface);
    alg_voxel_bits_release(&inner);
    return status;
}

/** Sets the bits of the surface voxels that hold points of a shell. */
static base_status keep_points(const alg_imp_body *b, const alg_pointshell *shell,
                               alg_voxel_bits *kept, base_error *err)
{
    const base_status status = alg_voxel_bits_create(b->grid.size, kept, err);
    for (uint32_t i = 0; i < shell->count && status == BASE_OK; i++) {
        const alg_imp_cell at = alg_imp_cell_of(&b->grid, shell->points[i]);
        if (alg_imp_descriptor_at(b, at.x, at.y, at.z) == ALG_IMP_VOXEL_SURFACE) {
            alg_voxel_bits_row(kept, at.y, at.z)[at.x / 64] |= (uint64_t)1 << at.x % 64;
        }
    }
    return status;
}

static base_status build_tree(const alg_imp_options *options, const alg_mesh *mesh,
                              const alg_pointshell *shell, alg_imp_body *b, base_error *err)
{
    const bool some = options->role == ALG_MOVING && options->probe == ALG_IMP_POINTS;
    alg_voxel_bits kept = {0};
    base_status status = some ? keep_points(b, shell, &kept, err) : BASE_OK;
    if (status == BASE_OK) {
        status = grow_tree(b, options, mesh, some ? &kept : NULL, err);
    }
    alg_voxel_bits_release(&kept);
    return status;
}

/* --- Points ----------------------------------------------------------------------------------- */

static void note_cell(void *context, uint32_t number, alg_imp_cell cell)
{
    alg_imp_cell *const cells = context;
    cells[number] = cell;
}

static base_status build_points(const alg_imp_options *options, const alg_pointshell *shell,
                                base_arena *scratch, alg_imp_body *b, base_error *err)
{
    const uint32_t count = b->tree.voxel_count;
    alg_imp_cell *const cells = base_arena_alloc(scratch, count, sizeof *cells);
    b->voxels = base_arena_alloc(&b->arena, count, sizeof *b->voxels);
    if (!cells || !b->voxels) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for points of %u voxels", count);
    }
    alg_imp_tree_visit(&b->tree, note_cell, cells);
    const alg_imp_placing placing = {&b->grid, shell, &b->tree, cells, options->tree.threads};
    return alg_imp_points_place(&placing, b->voxels, err);
}

/* --- Bodies ----------------------------------------------------------------------------------- */

static uint32_t count_smaller(const alg_imp_tree *tree)
{
    const alg_imp_sphere *const table = tree->tables[tree->root_level];
    const float whole = alg_imp_sphere_of_cube(tree->children, tree->root_level).radius;
    uint32_t smaller = 0;
    for (uint32_t i = 0; i < alg_imp_table_count(tree->children); i++) {
        smaller += table[i].radius < whole;
    }
    return smaller;
}

/**
 * Counts the patterns of a quadtree with a smaller ball, which the paper gives beside those of the
 * octree.
 */
static uint32_t count_smaller_squares(void)
{
    const double whole = alg_imp_ball_of_squares(15).radius;
    uint32_t smaller = 0;
    for (unsigned pattern = 1; pattern < 15; pattern++) {
        smaller += alg_imp_ball_of_squares(pattern).radius < 0.999 * whole;
    }
    return smaller;
}

/** Returns the number of nodes of a level that have one child. */
static uint64_t count_single(const alg_imp_tree *tree, uint32_t level)
{
    const uint32_t octets = alg_imp_octets(tree->children);
    uint64_t single = 0;
    for (size_t i = 0; i < tree->levels[level].count; i++) {
        int children = 0;
        for (uint32_t o = 0; o < octets; o++) {
            children += __builtin_popcount(tree->levels[level].present[i * octets + o]);
        }
        single += children == 1;
    }
    return single;
}

static void tell(const alg_imp_body *b, double *facts)
{
    const alg_imp_tree *const tree = &b->tree;
    uint64_t nodes = 0, single = 0;
    for (uint32_t l = 1; l <= tree->root_level; l++) {
        nodes += tree->levels[l].count;
        single += count_single(tree, l);
    }
    facts[ALG_IMP_FACT_VOXELS] = (double)alg_voxel_grid_count(&b->grid);
    facts[ALG_IMP_FACT_SURFACE_VOXELS] = tree->voxel_count;
    facts[ALG_IMP_FACT_FULL_VOXELS] = (double)tree->full_count;
    facts[ALG_IMP_FACT_NODES] = (double)nodes;
    facts[ALG_IMP_FACT_NODE_BYTES] = (double)alg_imp_tree_bytes(tree);
    facts[ALG_IMP_FACT_SINGLE_NODES] = (double)single;
    facts[ALG_IMP_FACT_EDGE] = b->grid.edge;
    if (tree->sphere_kind == ALG_IMP_PATTERNS) {
        facts[ALG_IMP_FACT_SMALLER_PATTERNS] = count_smaller(tree);
        facts[ALG_IMP_FACT_SMALLER_SQUARES] = count_smaller_squares();
    }
}

static base_status build(const alg_imp_options *options, const alg_mesh *mesh, alg_imp_body *b,
                         double *facts, base_error *err)
{
    const alg_pointshell_options two_phases = {.kind = ALG_POINTSHELL_TWO_PHASE};
    const geo_mesh view = alg_mesh_view(mesh);
    base_arena scratch = {0};
    alg_voxel_map map;
    alg_pointshell shell = {0};
    uint64_t last = alg_clock_ns();
    facts[ALG_IMP_FACT_SURFACE_NS] = facts[ALG_IMP_FACT_POINTS_NS] = facts[ALG_IMP_FACT_TREE_NS] =
        0;
    base_status status = build_voxels(options, &view, &scratch, b, &map, err);
    alg_end_stage(&last, &facts[ALG_IMP_FACT_SURFACE_NS]);
    if (status == BASE_OK) {
        status = alg_pointshell_build(&view, &map, &two_phases, &scratch, &shell, err);
    }
    alg_end_stage(&last, &facts[ALG_IMP_FACT_POINTS_NS]);
    facts[ALG_IMP_FACT_POINTS_NS] -= shell.spacing_ns;
    if (status == BASE_OK) {
        status = build_tree(options, mesh, &shell, b, err);
    }
    alg_end_stage(&last, &facts[ALG_IMP_FACT_TREE_NS]);
    if (status == BASE_OK) {
        status = build_points(options, &shell, &scratch, b, err);
    }
    if (status == BASE_OK) {
        status = alg_imp_patches_build(&view, b, err);
    }
    alg_end_stage(&last, &facts[ALG_IMP_FACT_POINTS_NS]);
    base_arena_release(&scratch);
    return status;
}

alg_status alg_imp_body_prepare(const alg_imp_options *options, const alg_mesh *mesh, void **body,
                                alg_build_info *info, alg_message *message)
{
    const alg_status status = alg_create(sizeof(alg_imp_body), body, message);
    if (status != ALG_OK) {
        return status;
    }
    alg_imp_body *const b = *body;
    base_error err = {0};
    b->role = options->role;
    b->solid = mesh->solid;
    b->centroid = mesh->centroid;
    b->volume_m3 = mesh->solid ? mesh->volume_m3 : (double)INFINITY;
    if (build(options, mesh, b, info->facts, &err) != BASE_OK) {
        return alg_abandon(body, alg_fail_geo(message, &err));
    }
    tell(b, info->facts);
    info->bytes = b->arena.bytes;
    info->primitives = b->tree.voxel_count + b->tree.full_count;
    return ALG_OK;
}

/* --- Saving and loading ----------------------------------------------------------------------- */

_Static_assert(sizeof(alg_imp_level) == 48 && sizeof(alg_imp_tree) == 824 &&
                   sizeof(alg_imp_body) == 976,
               "a member that is added is serialized as well");

static void serialize_tree(alg_archive *archive, alg_imp_tree *tree)
{
    ALG_VALUE(archive, tree->children);
    ALG_VALUE(archive, tree->sphere_kind);
    ALG_VALUE(archive, tree->root_level);
    ALG_VALUE(archive, tree->voxel_count);
    ALG_VALUE(archive, tree->full_count);
    ALG_VALUE(archive, tree->size);
    for (uint32_t l = 1; l <= tree->root_level; l++) {
        alg_imp_level *const level = &tree->levels[l];
        ALG_VALUE(archive, level->count);
        const size_t octets = (size_t)level->count * alg_imp_octets(tree->children);
        ALG_ARRAY(archive, level->first, level->count);
        ALG_ARRAY(archive, level->present, octets);
        ALG_ARRAY(archive, level->full, octets);
        ALG_ARRAY(archive, level->box, level->count);
        ALG_ARRAY(archive, level->spheres, level->count);
        ALG_ARRAY(archive, tree->tables[l], alg_imp_table_count(tree->children));
    }
}

static void serialize_body(alg_archive *archive, void *body)
{
    alg_imp_body *const b = body;
    ALG_VALUE(archive, b->grid);
    serialize_tree(archive, &b->tree);
    ALG_ARRAY(archive, b->voxels, b->tree.voxel_count);
    ALG_ARRAY(archive, b->patch_starts, (size_t)b->tree.voxel_count + 1);
    ALG_ARRAY(archive, b->patches, b->patch_starts ? b->patch_starts[b->tree.voxel_count] : 0);
    if (ALG_OBJECT(archive, b->coarse)) {
        alg_voxel_map_serialize(archive, b->coarse);
    }
    ALG_ARRAY(archive, b->descriptors, alg_imp_descriptors_bytes(b->grid.size));
    ALG_VALUE(archive, b->fill_share);
    ALG_VALUE(archive, b->volume_m3);
    ALG_VALUE(archive, b->centroid);
    ALG_VALUE(archive, b->role);
    ALG_VALUE(archive, b->solid);
}

alg_status alg_imp_body_save(const void *body, const alg_writer *to, alg_message *message)
{
    return alg_save(serialize_body, body, to, message);
}

alg_status alg_imp_body_load(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                             const void *bytes, size_t size, void **body, alg_build_info *info,
                             alg_message *message)
{
    (void)settings, (void)mesh, (void)role, (void)info;
    return alg_load(serialize_body, sizeof(alg_imp_body), bytes, size, body, message);
}

/* --- Pictures --------------------------------------------------------------------------------- */

/** Arguments of draw_voxel. */
typedef struct drawing {
    const alg_voxel_grid *grid;
    const alg_sink *sink;
} drawing;

static void draw_voxel(void *context, uint32_t number, alg_imp_cell cell)
{
    (void)number;
    const drawing *const d = context;
    const geo_ball ball = {alg_voxel_middle(d->grid, cell.x, cell.y, cell.z),
                           0.5 * sqrt(3) * d->grid->edge};
    d->sink->sphere(d->sink->context, &ball);
}

void alg_imp_body_draw(const void *body, const alg_sink *sink)
{
    const alg_imp_body *const b = body;
    drawing d = {&b->grid, sink};
    if (sink->size >= offsetof(alg_sink, sphere) + sizeof sink->sphere && sink->sphere) {
        alg_imp_tree_visit(&b->tree, draw_voxel, &d);
    }
}
