#include "algorithms/ist/body.h"

#include "algorithms/ist/query.h"
#include "algorithms/support.h"

#include "base/elementary.h"

#include <string.h>

/** Value of a parameter, or the fallback for an entry that has no such row. */
static double read_setting(const alg *entry, const alg_settings *settings, const char *name,
                           double fallback)
{
    for (size_t i = 0; i < entry->parameter_count; i++) {
        if (strcmp(entry->parameters[i].name, name) == 0) {
            return settings->values[i];
        }
    }
    return fallback;
}

static alg_ist_tree_options read_tree_options(const alg *entry, const alg_settings *settings)
{
    return (alg_ist_tree_options){
        .branching = 2u << (int)read_setting(entry, settings, "branching", 1),
        .clustering = (alg_ist_clustering)read_setting(entry, settings, "clustering", ALG_IST_GAS),
        .criterion = (alg_ist_criterion)read_setting(entry, settings, "criterion", ALG_IST_ALONE),
        .fixed = read_setting(entry, settings, "stop", 0) == 1,
        .layered = read_setting(entry, settings, "hierarchy", 0) == 1,
        .seed = settings->seed,
    };
}

alg_ist_options alg_ist_read_options(const alg *entry, const alg_settings *settings)
{
    return (alg_ist_options){
        .packing = (alg_ist_kind)read_setting(entry, settings, "packing", ALG_IST_GRID),
        .error = 0.01 * read_setting(entry, settings, "error", 0),
        .voxels = (uint32_t)read_setting(entry, settings, "voxels", 128),
        .limits = {read_setting(entry, settings, "min-radius", 0),
                   (size_t)read_setting(entry, settings, "spheres", 0)},
        .centroid = read_setting(entry, settings, "radius", 0) == ALG_IST_CENTROID,
        .cones = read_setting(entry, settings, "directions", 0) == 1,
        .tree = read_tree_options(entry, settings),
    };
}

const char *const alg_ist_facts[] = {
    [ALG_IST_FACT_GAP] = "gap_m",
    [ALG_IST_FACT_GAP_MEAN] = "gap_mean_m",
    [ALG_IST_FACT_VOXELS] = "voxels_count",
    [ALG_IST_FACT_DENSITY] = "packing_density",
    [ALG_IST_FACT_SECONDARY] = "secondary_volume_m3",
    [ALG_IST_FACT_FIELD_NS] = "stage_field_ns",
    [ALG_IST_FACT_PACKING_NS] = "stage_packing_ns",
    [ALG_IST_FACT_SHARES_NS] = "stage_shares_ns",
    [ALG_IST_FACT_TREE_NS] = "stage_tree_ns",
    [ALG_IST_FACT_LEVELS] = "levels_count",
    [ALG_IST_FACT_CHILDREN_MEAN] = "children_mean",
    [ALG_IST_FACT_LEAF_DEPTH_MEAN] = "leaf_depth_mean",
    [ALG_IST_FACT_NODE_VOLUME] = "node_volume_level_1",
    [ALG_IST_FACT_NODE_VOLUME + 1] = "node_volume_level_2",
    [ALG_IST_FACT_NODE_VOLUME + 2] = "node_volume_level_3",
    [ALG_IST_FACT_NODE_VOLUME + 3] = "node_volume_level_4",
    [ALG_IST_FACT_COUNT] = NULL,
};

static double volume_of_balls(const double *radii, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += radii[i] * radii[i] * radii[i];
    }
    return 4.0 / 3 * BASE_PI * sum;
}

/** All facts of a packing but its gap. */
static void tell_packing(const alg_ist_options *options, const alg_ist_packing *packing,
                         const alg_ist_building *building, double volume_m3, alg_build_info *info)
{
    info->facts[ALG_IST_FACT_VOXELS] = building->voxels;
    if (options->packing != ALG_IST_COVER) {
        info->facts[ALG_IST_FACT_DENSITY] =
            volume_of_balls(packing->radii, packing->count) / volume_m3;
        info->facts[ALG_IST_FACT_SECONDARY] = volume_of_balls(packing->secondary, packing->count);
    }
    info->facts[ALG_IST_FACT_FIELD_NS] = building->field_ns;
    info->facts[ALG_IST_FACT_PACKING_NS] = building->packing_ns;
    info->facts[ALG_IST_FACT_SHARES_NS] = building->shares_ns;
}

static base_status measure_gap(const alg_mesh *mesh, const alg_ist_packing *packing,
                               alg_ist_gap *gap, base_error *err)
{
    const geo_mesh view = alg_mesh_view(mesh);
    return alg_ist_measure_gap(packing, &view, gap, err);
}

/** The spheres own the surface only for their normals: outer radii would widen the tree. */
static base_status find_normals(const alg_mesh *mesh, alg_ist_packing *packing, base_error *err)
{
    base_arena scratch = {0};
    const geo_mesh view = alg_mesh_view(mesh);
    alg_ist_owners owners;
    const base_status status = alg_ist_own_surface(packing, &view, &scratch, &owners, err);
    if (status == BASE_OK) {
        alg_ist_normal_cones(&view, &owners, packing);
        for (size_t i = 0; i < packing->count; i++) {
            packing->outer[i] = 0;
        }
    }
    base_arena_release(&scratch);
    return status;
}

/** Fills a body in its arena. */
static base_status fill_body(const alg_ist_options *options, const alg_mesh *mesh,
                             alg_ist_packing *packing, alg_ist_body *b, alg_ist_gap *gap,
                             base_error *err)
{
    base_status status = measure_gap(mesh, packing, gap, err);
    if (status == BASE_OK && options->cones) {
        status = find_normals(mesh, packing, err);
    }
    if (status == BASE_OK && options->skin) {
        b->skin = base_arena_alloc(&b->arena, 1, sizeof *b->skin);
        status = b->skin ? alg_ist_skin_build(mesh, packing, &b->arena, b->skin, err)
                         : base_fail(err, BASE_ERR_MEMORY, "out of memory for a surface");
    }
    if (status == BASE_OK) {
        status = alg_ist_tree_build(packing, &options->tree, &b->arena, &b->tree, err);
    }
    if (status == BASE_OK && options->skin) {
        b->skin->gap = *gap;
        status = alg_ist_skin_finish(&b->tree, &b->arena, b->skin, err);
    }
    return status;
}

static alg_status build_body(const alg_ist_options *options, const alg_mesh *mesh,
                             alg_ist_packing *packing, alg_ist_body **built, alg_ist_gap *gap,
                             alg_message *message)
{
    base_arena arena = {0};
    base_error err = {0};
    alg_ist_body *const b = base_arena_alloc(&arena, 1, sizeof *b);
    if (!b) {
        return alg_fail(message, ALG_OUT_OF_MEMORY, "out of memory for a body");
    }
    *b = (alg_ist_body){.arena = arena, .centroid = mesh->centroid};
    if (fill_body(options, mesh, packing, b, gap, &err) != BASE_OK) {
        alg_ist_body_dispose(b);
        return alg_fail_geo(message, &err);
    }
    if (!(b->tree.reach >= ALG_IST_REACH_LEAST && b->tree.reach <= ALG_IST_REACH_MOST)) {
        const double reach = b->tree.reach;
        alg_ist_body_dispose(b);
        return alg_fail(message, ALG_UNSUPPORTED,
                        "ist needs a body that reaches from %g to %g m, not %g m",
                        ALG_IST_REACH_LEAST, ALG_IST_REACH_MOST, reach);
    }
    *built = b;
    return ALG_OK;
}

static void tell_tree(const alg_ist_tree *tree, double volume_m3, double *facts)
{
    const alg_ist_quality quality = alg_ist_tree_quality(tree, volume_m3);
    facts[ALG_IST_FACT_LEVELS] = quality.levels;
    facts[ALG_IST_FACT_CHILDREN_MEAN] = quality.children_mean;
    facts[ALG_IST_FACT_LEAF_DEPTH_MEAN] = quality.leaf_depth_mean;
    for (int level = 0; level < ALG_IST_QUALITY_LEVELS; level++) {
        facts[ALG_IST_FACT_NODE_VOLUME + level] = quality.node_volume[level];
    }
}

alg_status alg_ist_body_prepare(const alg_ist_options *options, const alg_mesh *mesh,
                                alg_ist_body **body, alg_build_info *info, alg_message *message)
{
    *body = NULL;
    if (!mesh->solid) {
        return alg_fail(message, ALG_UNSUPPORTED, "inner spheres need a solid");
    }
    alg_ist_packing packing = {0};
    alg_ist_building building;
    alg_ist_gap gap;
    alg_status status = alg_ist_pack_body(options, mesh, &packing, &building, message);
    if (status == ALG_OK) {
        tell_packing(options, &packing, &building, mesh->volume_m3, info);
        double tree_ns = 0, last = alg_ist_now_ns();
        status = build_body(options, mesh, &packing, body, &gap, message);
        alg_ist_end_stage(&last, &tree_ns);
        info->facts[ALG_IST_FACT_TREE_NS] = tree_ns;
    }
    alg_ist_packing_release(&packing);
    if (status == ALG_OK) {
        info->bytes = (*body)->arena.bytes;
        info->primitives = (*body)->tree.sphere_count;
        info->facts[ALG_IST_FACT_GAP] = gap.most_m;
        info->facts[ALG_IST_FACT_GAP_MEAN] = gap.mean_m;
        tell_tree(&(*body)->tree, mesh->volume_m3, info->facts);
    }
    return status;
}

void alg_ist_body_dispose(void *body)
{
    if (body) {
        base_arena arena = ((alg_ist_body *)body)->arena;
        base_arena_release(&arena);
    }
}

void alg_ist_body_draw(const void *body, const alg_sink *sink)
{
    const alg_ist_tree *const tree = &((const alg_ist_body *)body)->tree;
    for (uint32_t i = 0; i < tree->sphere_count; i++) {
        const alg_ist_sphere *const s = &tree->spheres[i];
        sink->sphere(sink->context, &(geo_ball){s->centre, s->primary});
    }
}
