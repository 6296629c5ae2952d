#include "algorithms/ist/body.h"

#include "algorithms/ist/cover.h"
#include "algorithms/ist/query.h"
#include "algorithms/support.h"

#include <string.h>

/* Samples of a cover are so far apart, in gaps: between them the gap grows by a third at most, at
 * sharp edges (measured on the pump; by 4 % on the bunny). */
static const double cover_spacing = 2;

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
        .voxels = (uint32_t)read_setting(entry, settings, "voxels", 128),
        .limits = {read_setting(entry, settings, "min-radius", 0),
                   (size_t)read_setting(entry, settings, "spheres", 0)},
        .tree = read_tree_options(entry, settings),
    };
}

/** Disjoint spheres on a voxel grid. */
static alg_status pack_grid(const alg_ist_options *options, const geo_surface *surface,
                            double volume_m3, geo_arena *scratch, alg_ist_packing *packing,
                            alg_message *message)
{
    alg_voxel_grid grid;
    alg_voxel_field field;
    geo_error err = {0};
    if (alg_voxel_grid_build(surface->mesh, options->voxels, scratch, &grid, &err) != GEO_OK ||
        alg_voxel_field_build(&grid, surface, scratch, &field, &err) != GEO_OK ||
        alg_ist_pack(&field, &options->limits, packing, &err) != GEO_OK) {
        return alg_fail_geo(message, &err);
    }
    if (packing->count == 0) {
        return alg_fail(message, ALG_UNSUPPORTED,
                        grid.voxel_count == 0
                            ? "the body is too thin for %u voxels along its box: none has its "
                              "centre inside; ask for more voxels"
                            : "the body is too thin for %u voxels along its box: no sphere reaches "
                              "min-radius; ask for more voxels or smaller spheres",
                        options->voxels);
    }
    if (alg_ist_share_rest(&field, packing, &err) != GEO_OK) {
        return alg_fail_geo(message, &err);
    }
    alg_ist_fill_gaps(packing, volume_m3);
    return ALG_OK;
}

/** Overlapping spheres that follow the surface. */
static alg_status pack_cover(const alg_ist_options *options, const geo_surface *surface,
                             geo_arena *scratch, alg_ist_packing *packing, alg_message *message)
{
    const vec3 size = vec3_sub(surface->bvh.box.hi, surface->bvh.box.lo);
    const double edge = fmax(size.x, fmax(size.y, size.z)) / options->voxels;
    const alg_ist_cover_options wanted = {.gap = ALG_IST_COVER_GAP * edge,
                                          .radius_least = options->limits.radius_least * edge,
                                          .count_most = options->limits.count_most};
    alg_ist_samples samples;
    geo_error err = {0};
    if (alg_ist_sample(surface->mesh, cover_spacing * wanted.gap, scratch, &samples, &err) !=
            GEO_OK ||
        alg_ist_cover(surface, &samples, &wanted, packing, NULL, &err) != GEO_OK) {
        return alg_fail_geo(message, &err);
    }
    if (packing->count == 0) {
        return alg_fail(message, ALG_UNSUPPORTED,
                        "no sphere inside the body reaches min-radius; ask for smaller spheres");
    }
    return ALG_OK;
}

/** Packs the solid. scratch: arena of what is needed for that alone. */
static alg_status pack_solid(const alg_ist_options *options, const alg_mesh *mesh,
                             geo_arena *scratch, alg_ist_packing *packing, alg_message *message)
{
    geo_mesh copy;
    geo_surface surface;
    geo_error err = {0};
    if (alg_mesh_copy(mesh, scratch, &copy, &err) != GEO_OK ||
        geo_surface_build(&copy, scratch, &surface, &err) != GEO_OK) {
        return alg_fail_geo(message, &err);
    }
    return options->packing == ALG_IST_COVER
               ? pack_cover(options, &surface, scratch, packing, message)
               : pack_grid(options, &surface, mesh->volume_m3, scratch, packing, message);
}

alg_status alg_ist_pack_body(const alg_ist_options *options, const alg_mesh *mesh,
                             alg_ist_packing *packing, alg_message *message)
{
    geo_arena scratch = {0};
    const alg_status status = pack_solid(options, mesh, &scratch, packing, message);
    geo_arena_release(&scratch);
    return status;
}

const char *const alg_ist_facts[] = {
    [ALG_IST_FACT_GAP] = "gap_m",
    [ALG_IST_FACT_GAP_MEAN] = "gap_mean_m",
    [ALG_IST_FACT_COUNT] = NULL,
};

static geo_status measure_gap(const alg_mesh *mesh, const alg_ist_packing *packing,
                              alg_ist_gap *gap, geo_error *err)
{
    geo_arena scratch = {0};
    geo_mesh copy;
    geo_status status = alg_mesh_copy(mesh, &scratch, &copy, err);
    if (status == GEO_OK) {
        status = alg_ist_measure_gap(packing, &copy, gap, err);
    }
    geo_arena_release(&scratch);
    return status;
}

/** Fills a body in its arena. */
static geo_status fill_body(const alg_ist_options *options, const alg_mesh *mesh,
                            alg_ist_packing *packing, alg_ist_body *b, alg_ist_gap *gap,
                            geo_error *err)
{
    geo_status status = measure_gap(mesh, packing, gap, err);
    if (status == GEO_OK && options->skin) {
        b->skin = geo_arena_alloc(&b->arena, 1, sizeof *b->skin);
        status = b->skin != NULL ? alg_ist_skin_build(mesh, packing, &b->arena, b->skin, err)
                                 : geo_fail(err, GEO_ERR_MEMORY, "out of memory for a surface");
    }
    if (status == GEO_OK) {
        status = alg_ist_tree_build(packing, &options->tree, &b->arena, &b->tree, err);
    }
    if (status == GEO_OK && options->skin) {
        b->skin->gap = *gap;
        status = alg_ist_skin_finish(&b->tree, &b->arena, b->skin, err);
    }
    return status;
}

static alg_status build_body(const alg_ist_options *options, const alg_mesh *mesh,
                             alg_ist_packing *packing, alg_ist_body **built, alg_ist_gap *gap,
                             alg_message *message)
{
    geo_arena arena = {0};
    geo_error err = {0};
    alg_ist_body *const b = geo_arena_alloc(&arena, 1, sizeof *b);
    if (b == NULL) {
        return alg_fail(message, ALG_OUT_OF_MEMORY, "out of memory for a body");
    }
    *b = (alg_ist_body){.arena = arena, .centroid = mesh->centroid};
    if (fill_body(options, mesh, packing, b, gap, &err) != GEO_OK) {
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

alg_status alg_ist_body_prepare(const alg_ist_options *options, const alg_mesh *mesh,
                                alg_ist_body **body, alg_build_info *info, alg_message *message)
{
    *body = NULL;
    if (!mesh->solid) {
        return alg_fail(message, ALG_UNSUPPORTED, "inner spheres need a solid");
    }
    alg_ist_packing packing = {0};
    alg_ist_gap gap;
    alg_status status = alg_ist_pack_body(options, mesh, &packing, message);
    if (status == ALG_OK) {
        status = build_body(options, mesh, &packing, body, &gap, message);
    }
    alg_ist_packing_release(&packing);
    if (status == ALG_OK) {
        info->bytes = (*body)->arena.bytes;
        info->primitives = (*body)->tree.sphere_count;
        info->facts[ALG_IST_FACT_GAP] = gap.most_m;
        info->facts[ALG_IST_FACT_GAP_MEAN] = gap.mean_m;
    }
    return status;
}

void alg_ist_body_dispose(void *body)
{
    if (body != NULL) {
        geo_arena arena = ((alg_ist_body *)body)->arena;
        geo_arena_release(&arena);
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
