#include "algorithms/pst/body.h"

#include "algorithms/archive.h"
#include "algorithms/voxel/surface.h"
#include "base/elementary.h"
#include "base/memory.h"

#include <math.h>

const char *const alg_pst_facts[] = {
    [ALG_PST_FACT_BLOCKS] = "blocks_count",
    [ALG_PST_FACT_CELLS] = "cells_count",
    [ALG_PST_FACT_ERROR_P50] = "error_p50_edges",
    [ALG_PST_FACT_ERROR_MAX] = "error_max_edges",
    [ALG_PST_FACT_POINTS] = "points_count",
    [ALG_PST_FACT_FORCE_POINTS] = "force_points_count",
    [ALG_PST_FACT_SPACING_MEAN] = "spacing_mean_m",
    [ALG_PST_FACT_SPACING_MIN] = "spacing_min_m",
    [ALG_PST_FACT_SPACING_DEVIATION] = "spacing_deviation",
    [ALG_PST_FACT_CLUSTER_MEAN] = "cluster_points_mean",
    [ALG_PST_FACT_CLUSTER_DEVIATION] = "cluster_points_deviation",
    [ALG_PST_FACT_CLUSTER_RADIUS] = "cluster_radius_spacings",
    [ALG_PST_FACT_NODES] = "nodes_count",
    [ALG_PST_FACT_FIELD_NS] = "stage_field_ns",
    [ALG_PST_FACT_POINTS_NS] = "stage_points_ns",
    [ALG_PST_FACT_TREE_NS] = "stage_tree_ns",
    [ALG_PST_FACT_COUNT] = NULL,
};
_Static_assert((int)ALG_PST_FACT_COUNT <= (int)ALG_FACTS_MAX, "all facts have a place");

/* --- Facts of fields -------------------------------------------------------------------------- */

/** Partially sorts the items so that the k-th smallest is at its sorted position. Returns that
 * item. */
static float select_kth(float *items, size_t count, size_t k)
{
    size_t first = 0, last = count - 1;
    while (first < last) {
        const float pivot = items[first + (last - first) / 2];
        size_t i = first, j = last;
        for (;; i++, j--) {
            while (items[i] < pivot) {
                i++;
            }
            while (items[j] > pivot) {
                j--;
            }
            if (i >= j) {
                break;
            }
            const float swapped = items[i];
            items[i] = items[j];
            items[j] = swapped;
        }
        if (k <= j) {
            last = j;
        } else {
            first = j + 1;
        }
    }
    return items[k];
}

static base_status tell_field(const alg_pst_field *field, double *facts, base_error *err)
{
    const size_t count = field->brick_count;
    float *const errors = base_alloc(count, sizeof *errors);
    if (!errors) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the errors of %zu bricks", count);
    }
    float most = 0;
    for (size_t i = 0; i < count; i++) {
        const float below = base_half_value(field->bricks[i].below);
        const float above = base_half_value(field->bricks[i].above);
        errors[i] = below > above ? below : above;
        most = errors[i] > most ? errors[i] : most;
    }
    const uint32_t *const n = field->block_count;
    facts[ALG_PST_FACT_BLOCKS] = (double)n[0] * n[1] * n[2];
    facts[ALG_PST_FACT_CELLS] = 8 * (double)count;
    facts[ALG_PST_FACT_ERROR_P50] = (double)select_kth(errors, count, count / 2) / field->edge;
    facts[ALG_PST_FACT_ERROR_MAX] = (double)most / field->edge;
    base_free(errors);
    return BASE_OK;
}

/* --- Building --------------------------------------------------------------------------------- */

/** Builds the surface of the mesh and its adjacency. */
static base_status build_skin(alg_pst_body *body, const alg_mesh *mesh, base_error *err)
{
    geo_shell *const skin = base_arena_alloc(&body->arena, 1, sizeof *skin);
    if (!skin) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a surface");
    }
    body->skin = skin;
    const base_status status =
        geo_shell_build(alg_mesh_view(mesh), mesh->solid, &body->arena, skin, err);
    return status == BASE_OK ? geo_adjacency_build(&skin->mesh, &body->arena, &body->adjacency, err)
                             : status;
}

/** Builds the voxmap of a field's body, with padding for its layers. */
static base_status build_map(const alg_pst_options *options, alg_pst_body *body, base_error *err)
{
    const geo_mesh *const mesh = &body->skin->mesh;
    const alg_voxel_surface_options exact = {.generator = ALG_VOXEL_OURS};
    alg_voxel_grid grid;
    alg_voxel_bits bits = {0};
    uint64_t tests;
    /* Layers are counted from the surface voxels at the border of the box. */
    base_status status = alg_voxel_grid_place(geo_mesh_box(mesh), options->field.voxels,
                                              options->layers + 1, &grid, err);
    if (status == BASE_OK) {
        status = alg_voxel_bits_create(grid.size, &bits, err);
    }
    if (status == BASE_OK) {
        status = alg_voxel_surface_mark(mesh, &grid, &exact, &bits, &tests, err);
    }
    if (status == BASE_OK) {
        status = alg_voxel_map_build(&grid, &bits, options->layers, ALG_VOXEL_BLOCKED, &body->arena,
                                     &body->map, err);
    }
    alg_voxel_bits_release(&bits);
    return status;
}

static base_status build_field(const alg_pst_options *options, alg_pst_body *b, double *facts,
                               base_error *err)
{
    uint64_t last = alg_clock_ns();
    facts[ALG_PST_FACT_FIELD_NS] = 0;
    base_status status = alg_pst_field_build(&b->skin->surface, b->skin->solid, &options->field,
                                             &b->arena, &b->field, err);
    if (status == BASE_OK && options->map) {
        b->has_map = true;
        status = build_map(options, b, err);
    }
    alg_end_stage(&last, &facts[ALG_PST_FACT_FIELD_NS]);
    return status == BASE_OK ? tell_field(&b->field, facts, err) : status;
}

/** Adds the durations of both stages to the facts. */
static base_status build_tree(const alg_pst_body *b, const alg_pst_points_options *options,
                              alg_pst_clusters clusters, base_arena *arena, alg_pst_tree *tree,
                              double *facts, base_error *err)
{
    alg_pst_points points;
    uint64_t last = alg_clock_ns();
    base_status status = alg_pst_points_build(&b->skin->surface, options, arena, &points, err);
    alg_end_stage(&last, &facts[ALG_PST_FACT_POINTS_NS]);
    if (status == BASE_OK) {
        status = alg_pst_tree_build(&points, clusters, arena, tree, err);
    }
    alg_end_stage(&last, &facts[ALG_PST_FACT_TREE_NS]);
    return status;
}

static base_status build_trees(const alg_pst_options *options, alg_pst_body *b, double *facts,
                               base_error *err)
{
    facts[ALG_PST_FACT_POINTS_NS] = facts[ALG_PST_FACT_TREE_NS] = 0;
    base_status status =
        build_tree(b, &options->points, options->clusters, &b->arena, &b->tree, facts, err);
    if (status == BASE_OK && options->forces_apart) {
        alg_pst_points_options points = options->points;
        points.kind = ALG_PST_BLUE_NOISE;
        b->forces = base_arena_alloc(&b->arena, 1, sizeof *b->forces);
        status = b->forces
                     ? build_tree(b, &points, options->clusters, &b->arena, b->forces, facts, err)
                     : base_fail(err, BASE_ERR_MEMORY, "out of memory for a tree");
    }
    if (status == BASE_OK) {
        const alg_pst_tree *const tree = &b->tree;
        facts[ALG_PST_FACT_POINTS] = tree->points.count;
        facts[ALG_PST_FACT_FORCE_POINTS] = (b->forces ? b->forces : tree)->points.count;
        facts[ALG_PST_FACT_SPACING_MEAN] = tree->points.spacing_mean;
        facts[ALG_PST_FACT_SPACING_MIN] = tree->points.spacing_least;
        facts[ALG_PST_FACT_SPACING_DEVIATION] = tree->points.spacing_deviation;
        facts[ALG_PST_FACT_CLUSTER_MEAN] = tree->cluster_mean;
        facts[ALG_PST_FACT_CLUSTER_DEVIATION] = tree->cluster_deviation;
        facts[ALG_PST_FACT_CLUSTER_RADIUS] = tree->cluster_radius;
        facts[ALG_PST_FACT_NODES] = tree->node_count;
    }
    return status;
}

alg_status alg_pst_body_prepare(const alg_pst_options *options, const alg_mesh *mesh, void **body,
                                alg_build_info *info, alg_message *message)
{
    const alg_status status = alg_create(sizeof(alg_pst_body), body, message);
    if (status != ALG_OK) {
        return status;
    }
    alg_pst_body *const b = *body;
    base_error err = {0};
    b->is_field = options->is_field;
    b->centroid = mesh->centroid;
    if (build_skin(b, mesh, &err) != BASE_OK ||
        (b->is_field ? build_field(options, b, info->facts, &err)
                     : build_trees(options, b, info->facts, &err)) != BASE_OK) {
        return alg_abandon(body, alg_fail_geo(message, &err));
    }
    info->bytes = b->arena.bytes;
    info->primitives = b->is_field ? b->field.brick_count : b->tree.points.count;
    return ALG_OK;
}

/* --- Saving and loading ----------------------------------------------------------------------- */

_Static_assert(sizeof(alg_pst_field) == 104 && sizeof(alg_pst_points) == 88 &&
                   sizeof(alg_pst_tree) == 248 && sizeof(alg_pst_body) == 544,
               "a member that is added is serialized as well");

static void serialize_field(alg_archive *archive, alg_pst_field *field)
{
    const uint32_t *const n = field->block_count;
    ALG_VALUE(archive, field->corner);
    ALG_VALUE(archive, field->edge);
    ALG_VALUE(archive, field->block_count);
    ALG_VALUE(archive, field->brick_count);
    ALG_VALUE(archive, field->solid);
    ALG_ARRAY(archive, field->blocks, (size_t)n[0] * n[1] * n[2]);
    ALG_ARRAY(archive, field->bricks, field->brick_count);
    ALG_ARRAY(archive, field->packed, field->brick_count);
    ALG_VALUE(archive, field->side);
    ALG_VALUE(archive, field->per_side);
    ALG_VALUE(archive, field->extent);
}

static void serialize_points(alg_archive *archive, alg_pst_points *points)
{
    ALG_VALUE(archive, points->kind);
    ALG_VALUE(archive, points->count);
    ALG_ARRAY(archive, points->points, points->count);
    ALG_ARRAY(archive, points->normals, points->count);
    ALG_ARRAY(archive, points->patch2, points->count);
    ALG_ARRAY(archive, points->faces, points->count);
    ALG_ARRAY(archive, points->shares, points->count);
    ALG_VALUE(archive, points->reach);
    ALG_VALUE(archive, points->slack);
    ALG_VALUE(archive, points->spacing_mean);
    ALG_VALUE(archive, points->spacing_least);
    ALG_VALUE(archive, points->spacing_deviation);
}

static void serialize_tree(alg_archive *archive, alg_pst_tree *tree)
{
    serialize_points(archive, &tree->points);
    const size_t padded = (size_t)tree->points.count + ALG_PST_WIDTH - 1;
    ALG_ARRAY(archive, tree->x, padded);
    ALG_ARRAY(archive, tree->y, padded);
    ALG_ARRAY(archive, tree->z, padded);
    ALG_VALUE(archive, tree->origin);
    ALG_VALUE(archive, tree->extent);
    ALG_VALUE(archive, tree->rounding);
    ALG_VALUE(archive, tree->ball);
    ALG_VALUE(archive, tree->node_count);
    ALG_VALUE(archive, tree->level_count);
    ALG_ARRAY(archive, tree->nodes, tree->node_count);
    ALG_ARRAY(archive, tree->packed, tree->node_count);
    ALG_VALUE(archive, tree->leaf_count);
    ALG_ARRAY(archive, tree->leaves, tree->leaf_count);
    ALG_VALUE(archive, tree->packed_rounding);
    ALG_VALUE(archive, tree->cluster_mean);
    ALG_VALUE(archive, tree->cluster_deviation);
    ALG_VALUE(archive, tree->cluster_radius);
}

/** The skin is rebuilt from the mesh. Parts that the role lacks are zero. */
static void serialize_body(alg_archive *archive, void *body)
{
    alg_pst_body *const b = body;
    ALG_VALUE(archive, b->is_field);
    serialize_field(archive, &b->field);
    ALG_VALUE(archive, b->has_map);
    alg_voxel_map_serialize(archive, &b->map);
    serialize_tree(archive, &b->tree);
    if (ALG_OBJECT(archive, b->forces)) {
        serialize_tree(archive, b->forces);
    }
    ALG_VALUE(archive, b->centroid);
}

alg_status alg_pst_body_save(const void *body, const alg_writer *to, alg_message *message)
{
    return alg_save(serialize_body, body, to, message);
}

alg_status alg_pst_body_load(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                             const void *bytes, size_t size, void **body, alg_build_info *info,
                             alg_message *message)
{
    (void)settings, (void)role, (void)info;
    const alg_status status =
        alg_load(serialize_body, sizeof(alg_pst_body), bytes, size, body, message);
    base_error err;
    return status != ALG_OK || build_skin(*body, mesh, &err) == BASE_OK
               ? status
               : alg_abandon(body, alg_fail_geo(message, &err));
}

/* --- Pictures --------------------------------------------------------------------------------- */

void alg_pst_body_draw(const void *body, const alg_sink *sink)
{
    const alg_pst_body *const b = body;
    if (b->is_field || sink->size < offsetof(alg_sink, sphere) + sizeof sink->sphere ||
        !sink->sphere) {
        return;
    }
    const alg_pst_tree *const tree = &b->tree;
    for (uint32_t n = 0; n < tree->node_count; n++) {
        const alg_pst_node *const node = &tree->nodes[n];
        for (int i = 0; i < ALG_PST_WIDTH; i++) {
            if (node->count[i] > 0 && node->child[i] == ALG_PST_LEAF) {
                const vec3 centre = {(double)node->centre[0][i], (double)node->centre[1][i],
                                     (double)node->centre[2][i]};
                const geo_ball ball = {vec3_add(tree->origin, centre), (double)node->radius[i]};
                sink->sphere(sink->context, &ball);
            }
        }
    }
}
