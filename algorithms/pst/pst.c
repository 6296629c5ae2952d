/**
 * Point-sphere tree against distance field. The points of one body are looked up in the field of
 * the other body. Contact, depth and force come from the points inside, the distance from the
 * nearest points. A query may have a budget of lookups, a deadline, or both.
 */
#include "algorithms/pst/pst.h"

#include "algorithms/archive.h"
#include "algorithms/pst/distance.h"
#include "algorithms/pst/penetration.h"
#include "algorithms/registry.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/random.h"

#include <math.h>

enum {
    FIELD,
    VOXELS,
    TOLERANCE,
    SHELL,
    SHELL_VOXELS,
    CLUSTERS,
    DEPTH,
    LAYERS,
    NORMALS,
    WEIGHTS,
    WALK,
    BUDGET,
    DEADLINE,
    CANDIDATES,
    ROUNDS,
    START,
    PARAMETER_COUNT
};

/** Choices of `shell`: AUTO, or 1 + an alg_pst_shell. */
enum { AUTO };

/* The words are in the order of the enumerations to which their indices are converted. */
/* clang-format off */
static const alg_parameter parameters[] = {
    [FIELD] = ALG_PST_ROW_FIELD,
    [VOXELS] = ALG_PST_ROW_VOXELS,
    [TOLERANCE] = ALG_PST_ROW_TOLERANCE,
    [SHELL] = {"shell", ALG_CHOICE, AUTO, .help = "kind of points",
               .choices = (const alg_choice[]){
                   {"auto", "blue-noise for queries that ask for a force, mesh for all others"},
                   {"mesh", "vertices of the mesh, with long edges halved"},
                   {"two-phase", "projections of the centres of surface voxels"},
                   {"blue-noise", "as many points as two-phase, evenly distributed"},
                   {0}}},
    [SHELL_VOXELS] = ALG_PST_ROW_SHELL_VOXELS,
    [CLUSTERS] = {"clusters", ALG_CHOICE, ALG_PST_NEIGHBOURS, .help = "clustering of the points",
                  .choices = (const alg_choice[]){
                      {"neighbours", "a cluster grows from a point to its nearest points, as in "
                                     "the paper"},
                      {"balanced", "clusters of a level have equally many points, up to one"},
                      {0}}},
    [DEPTH] = {"depth", ALG_CHOICE, ALG_PST_FIELD, .help = "depth of a point",
               .choices = (const alg_choice[]){
                   {"field", "the distance interpolated between corners of cells"},
                   {"layers", "whole layers of voxels"},
                   {0}}},
    [LAYERS] = {"layers", ALG_INTEGER, 8, 1, ALG_VOXEL_LAYERS_MAX, NULL,
                "layers on each side of the surface, for depth=layers"},
    [NORMALS] = {"normals", ALG_CHOICE, ALG_PST_OWN, .help = "direction in which a point pushes",
                 .choices = (const alg_choice[]){
                     {"own", "the point's own normal, as in the paper"},
                     {"field", "the gradient of the field"},
                     {0}}},
    [WEIGHTS] = {"weights", ALG_CHOICE, 0, .help = "weight of a point's push",
                 .choices = (const alg_choice[]){
                     {"count", "the same for all points, as in the paper"},
                     {"area", "the point's share of the surface"},
                     {0}}},
    [WALK] = {"walk", ALG_CHOICE, 0, .help = "traversal for contact, depth and force",
              .choices = (const alg_choice[]){
                  {"tree", "clusters from a queue; those that cannot push are left out"},
                  {"flat", "all points, without a tree"},
                  {0}}},
    [BUDGET] = {"budget", ALG_INTEGER, 0, 0, 1e9, NULL,
                "greatest number of lookups of spheres and points; 0: no limit"},
    [DEADLINE] = {"deadline-us", ALG_REAL, 0, 0, 1e6, NULL,
                  "time for a query, by the clock; 0: no limit, and no clock is read"},
    [CANDIDATES] = {"candidates", ALG_INTEGER, 8, 1, ALG_PST_CANDIDATES_MOST, NULL,
                    "greatest number of points that are measured on the meshes"},
    [ROUNDS] = {"rounds", ALG_INTEGER, 12, 0, ALG_PST_ROUNDS_MOST, NULL,
                "descents of a measurement on the meshes; 0: no measurement"},
    [START] = ALG_PST_ROW_START("the points that were nearest in the previous query"),
};
/* clang-format on */

static const char *const counter_names[] = {
    [ALG_PST_COUNT_SPHERES] = "bv_tests_count",         [ALG_PST_COUNT_POINTS] = "points_count",
    [ALG_PST_COUNT_CLOSEST] = "closest_points_count",   [ALG_PST_COUNT_CONTACTS] = "contacts_count",
    [ALG_PST_COUNT_TRIANGLES] = "triangle_tests_count", [ALG_PST_COUNT] = NULL,
};

enum { WANT_PENETRATION = ALG_WANT_CONTACT | ALG_WANT_DEPTH | ALG_WANT_FORCE };

/** State of a bound pair. */
typedef struct state {
    base_arena arena;
    unsigned wanted;
    alg_pst_penetration penetration;
    alg_pst_distance distance;
    uint64_t budget;    /* lookups; 0: no limit */
    uint64_t budget_ns; /* 0: no limit */
} state;

/* --- Bodies ----------------------------------------------------------------------------------- */

const char *const alg_pst_facts[] = {
    [ALG_PST_FACT_CELLS] = "cells_count",
    [ALG_PST_FACT_DEPTH_ERROR_P50] = "depth_error_p50_edges",
    [ALG_PST_FACT_DEPTH_ERROR_P99] = "depth_error_p99_edges",
    [ALG_PST_FACT_DEPTH_ERROR_MAX] = "depth_error_max_edges",
    [ALG_PST_FACT_DEEP_ERROR_P99] = "deep_error_p99_edges",
    [ALG_PST_FACT_POINTS] = "points_count",
    [ALG_PST_FACT_FORCE_POINTS] = "force_points_count",
    [ALG_PST_FACT_SPACING_MEAN] = "spacing_mean_m",
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
_Static_assert((int)ALG_PST_FACT_COUNT <= (int)ALG_FACTS_MAX,
               "there are as many facts as this at most");

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

/** Returns a random point of the triangle, moved inwards along its normal by up to `depth`. */
static vec3 draw_point(base_random *random, const geo_triangle *t, double depth)
{
    const double u = sqrt(base_random_unit(random)), v = base_random_unit(random);
    const vec3 p = t->p[0], a = vec3_sub(t->p[1], p), b = vec3_sub(t->p[2], p);
    const vec3 on = vec3_madd(vec3_madd(p, u * (1 - v), a), u * v, b);
    const vec3 inward = vec3_normalize(vec3_cross(b, a));
    return vec3_madd(on, depth * base_random_unit(random), inward);
}

/**
 * Tells how far depths of points are from exact depths. Draws points below evenly distributed
 * points of the surface: one at most ALG_PST_NEAR edges away, and one at most half the diagonal of
 * the box away. Of the latter, only those that are deeper than ALG_PST_NEAR edges count.
 */
static base_status tell_depths(const alg_pst_body *b, uint32_t layers, double *facts,
                               base_error *err)
{
    enum { DRAWN = 1024 };
    const geo_surface *const surface = &b->skin->surface;
    const double near = ALG_PST_NEAR * b->field.edge;
    const double farthest[] = {near, geo_box_diagonal(surface->bvh.box) / 2};
    float *const errors[] = {base_alloc(DRAWN, sizeof(float)), base_alloc(DRAWN, sizeof(float))};
    size_t count[] = {0, 0};
    if (!errors[0] || !errors[1]) {
        base_free(errors[0]);
        base_free(errors[1]);
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for errors of depths");
    }
    base_random random = base_random_seed(1);
    const double step = geo_mesh_measures(surface->mesh).area_m2 / DRAWN;
    double area = 0;
    for (size_t face = 0, drawn = 0; face < surface->mesh->face_count; face++) {
        const geo_triangle t = geo_mesh_triangle(surface->mesh, face);
        area += vec3_norm(vec3_cross(vec3_sub(t.p[1], t.p[0]), vec3_sub(t.p[2], t.p[0]))) / 2;
        for (; drawn < DRAWN && ((double)drawn + 0.5) * step < area; drawn++) {
            for (int deep = 0; deep < 2; deep++) {
                const vec3 p = draw_point(&random, &t, farthest[deep]);
                const double exact =
                    sqrt(geo_surface_closest(surface, p, (uint32_t)face).distance2);
                if ((deep && exact <= near) || !geo_surface_contains(surface, p)) {
                    continue;
                }
                const double depth = b->has_map ? alg_pst_layer_depth(&b->map, layers, p)
                                                : -(double)alg_pst_field_at(&b->field, p).value;
                errors[deep][count[deep]++] = (float)(fabs(depth - exact) / b->field.edge);
            }
        }
    }
    if (count[0] > 0) {
        const size_t n = count[0];
        facts[ALG_PST_FACT_DEPTH_ERROR_P50] = (double)select_kth(errors[0], n, n / 2);
        facts[ALG_PST_FACT_DEPTH_ERROR_P99] = (double)select_kth(errors[0], n, n * 99 / 100);
        facts[ALG_PST_FACT_DEPTH_ERROR_MAX] = (double)select_kth(errors[0], n, n - 1);
    }
    if (count[1] > 0) {
        const size_t n = count[1];
        facts[ALG_PST_FACT_DEEP_ERROR_P99] = (double)select_kth(errors[1], n, n * 99 / 100);
    }
    base_free(errors[0]);
    base_free(errors[1]);
    return BASE_OK;
}

/** Builds the surface of the mesh, and the adjacency of its faces. */
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

static base_status build_field(const alg_pst_options *options, alg_pst_body *b, double *facts,
                               base_error *err)
{
    uint64_t last = alg_clock_ns();
    facts[ALG_PST_FACT_FIELD_NS] = 0;
    base_status status = alg_pst_field_build(&b->skin->surface, b->skin->solid, &options->field,
                                             &b->arena, &b->field, err);
    if (status == BASE_OK && options->map) {
        b->has_map = true;
        status = alg_pst_map_build(&b->skin->mesh, options->field.voxels, options->layers,
                                   &b->arena, &b->map, err);
    }
    alg_end_stage(&last, &facts[ALG_PST_FACT_FIELD_NS]);
    facts[ALG_PST_FACT_CELLS] = 8 * (double)b->field.brick_count;
    return status == BASE_OK && b->field.solid ? tell_depths(b, options->layers, facts, err)
                                               : status;
}

/** Builds points and their tree. Adds the durations of both stages to the facts. */
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

static void serialize_tree(alg_archive *archive, alg_pst_tree *tree)
{
    alg_pst_points *const points = &tree->points;
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
    const size_t padded = (size_t)points->count + ALG_PST_WIDTH - 1;
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

/** Saves or loads a body, except for the skin, which load builds again from the mesh. The members
 * that the role does not use are zero. */
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

static alg_status save(const void *body, const alg_writer *to, alg_message *message)
{
    return alg_save(serialize_body, body, to, message);
}

static alg_status load(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
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

/** Draws the clusters of a node, which are on this level. */
static void draw_clusters(const alg_pst_tree *tree, uint32_t index, uint32_t level,
                          const alg_sink *sink)
{
    const alg_pst_node *const node = &tree->nodes[index];
    for (int i = 0; i < ALG_PST_WIDTH; i++) {
        if (node->count[i] == 0) {
            continue;
        }
        const vec3 centre = {(double)node->centre[0][i], (double)node->centre[1][i],
                             (double)node->centre[2][i]};
        const geo_ball ball = {vec3_add(tree->origin, centre), (double)node->radius[i]};
        if (ALG_SINK_TAKES(sink, node)) {
            sink->node(sink->context, &ball, level);
        }
        if (node->child[i] != ALG_PST_LEAF) {
            draw_clusters(tree, node->child[i], level + 1, sink);
            continue;
        }
        if (ALG_SINK_TAKES(sink, sphere)) {
            sink->sphere(sink->context, &ball);
        }
        for (uint32_t p = node->first[i];
             ALG_SINK_TAKES(sink, point) && p < node->first[i] + node->count[i]; p++) {
            sink->point(sink->context, &tree->points.points[p], &tree->points.normals[p]);
        }
    }
}

/**
 * Draws the clusters of the tree, the spheres of the lowest ones, and the points. The first point
 * below a cluster represents it. For a field it draws nothing.
 */
static void draw(const void *body, const alg_sink *sink)
{
    const alg_pst_body *const b = body;
    if (b->is_field) {
        return;
    }
    if (ALG_SINK_TAKES(sink, node)) {
        sink->node(sink->context, &b->tree.ball, 0);
    }
    draw_clusters(&b->tree, 0, 1, sink);
}

/* --- Contract --------------------------------------------------------------------------------- */

/** Implements alg_algorithm.contract. A measured distance is an upper bound, because it is the
 * distance of two points of the surfaces. With rounds=0, nothing is measured. */
static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    if (quantity == ALG_DISTANCE) {
        return settings->values[ROUNDS] > 0 ? ALG_UPPER_BOUND : ALG_APPROXIMATE;
    }
    return quantity == ALG_CONTACT || quantity == ALG_DEPTH || quantity == ALG_FORCE
               ? ALG_APPROXIMATE
               : ALG_NOT_ANSWERED;
}

/**
 * Implements alg_algorithm.law. Points push along their own normals, in proportion to their depths
 * in the field: this is the law by depth. If the field is the moving body, the bodies are
 * exchanged. Forces along the field's gradient follow no law, because the gradient changes its
 * direction where the nearest face changes.
 */
static alg_law law(const alg_settings *settings)
{
    if (settings->values[NORMALS] != ALG_PST_OWN) {
        return ALG_LAW_NONE;
    }
    return settings->values[FIELD] == 0 ? ALG_LAW_DEPTH : ALG_LAW_DEPTH_EXCHANGED;
}

static bool reads_clock(const alg_settings *settings)
{
    return settings->values[DEADLINE] > 0;
}

/* --- Settings of bodies ----------------------------------------------------------------------- */

/** Implements alg_algorithm.body_settings. A body does not depend on the parameters of queries. It
 * depends on `layers` only with depth=layers. */
static void body_settings(alg_settings *settings)
{
    static const int of_queries[] = {NORMALS, WALK, BUDGET, DEADLINE, CANDIDATES, ROUNDS, START};
    for (size_t i = 0; i < sizeof of_queries / sizeof *of_queries; i++) {
        settings->values[of_queries[i]] = parameters[of_queries[i]].fallback;
    }
    if (settings->values[DEPTH] != ALG_PST_LAYERS) {
        settings->values[LAYERS] = parameters[LAYERS].fallback;
    }
}

/** Returns the options of a body. The settings must have gone through body_settings. */
static alg_pst_options options_of(const alg_settings *settings, alg_role role)
{
    const double *const values = settings->values;
    const bool apart = values[SHELL] == AUTO;
    return (alg_pst_options){
        .is_field = role == (values[FIELD] == 0 ? ALG_FIXED : ALG_MOVING),
        .field = {.voxels = (uint32_t)values[VOXELS],
                  .tolerance = values[TOLERANCE],
                  .margin = ALG_PST_MARGIN},
        .map = values[DEPTH] == ALG_PST_LAYERS,
        .layers = (uint32_t)values[LAYERS],
        .points = {.kind = apart ? ALG_PST_MESH : (alg_pst_shell)(values[SHELL] - 1),
                   .voxels = (uint32_t)values[SHELL_VOXELS],
                   .seed = settings->seed,
                   .weigh = values[WEIGHTS] == 1},
        .forces_apart = apart,
        .clusters = (alg_pst_clusters)values[CLUSTERS],
    };
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    const alg_pst_options options = options_of(settings, role);
    return alg_pst_body_prepare(&options, mesh, prepared, info, message);
}

/* --- Pairs ------------------------------------------------------------------------------------ */

/** Rejects requests that cannot be answered with these bodies, or with a budget of 1. */
static alg_status decline(const state *s, const alg_pst_body *field, alg_message *message)
{
    if (s->wanted & WANT_PENETRATION && !field->field.solid) {
        return alg_fail(message, ALG_UNSUPPORTED,
                        "contact, depth and force need a solid for the field; distance does not");
    }
    if (s->wanted & WANT_PENETRATION && s->wanted & ALG_WANT_DISTANCE && s->budget == 1) {
        return alg_fail(message, ALG_UNSUPPORTED,
                        "budget=1: a distance and a penetration take a lookup each");
    }
    return ALG_OK;
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, void **held, alg_message *message)
{
    const alg_pst_body *const a = fixed, *const b = moving;
    const alg_pst_body *const field = a->is_field ? a : b, *const points = a->is_field ? b : a;
    const double *const values = settings->values;
    const unsigned wanted = request->wanted;
    alg_status status = alg_create(sizeof(state), held, message);
    if (status != ALG_OK) {
        return status;
    }
    state *const s = *held;
    base_error err = {0};
    s->wanted = wanted;
    s->budget = (uint64_t)values[BUDGET];
    s->budget_ns = (uint64_t)(1e3 * values[DEADLINE]);
    s->penetration = (alg_pst_penetration){
        .field = field,
        .points = wanted & ALG_WANT_FORCE && points->forces ? points->forces : &points->tree,
        .moving = !a->is_field,
        .depth = (alg_pst_depth)values[DEPTH],
        .normals = (alg_pst_normals)values[NORMALS],
        .flat = values[WALK] == 1,
        .layers = (uint32_t)values[LAYERS],
        .budget = s->budget,
        .budget_ns = s->budget_ns,
        .centroid_b = b->centroid,
        .wanted = wanted,
    };
    s->distance = (alg_pst_distance){
        .field = field,
        .points = points,
        .moving = !a->is_field,
        .candidates = (uint32_t)values[CANDIDATES],
        .rounds = (uint32_t)values[ROUNDS],
        .coherent = values[START] == 1,
        .budget = s->budget,
        .budget_ns = s->budget_ns,
    };
    status = decline(s, field, message);
    if (status == ALG_OK &&
        ((wanted & WANT_PENETRATION &&
          alg_pst_penetration_bind(&s->penetration, &s->arena, &err) != BASE_OK) ||
         (wanted & ALG_WANT_DISTANCE &&
          alg_pst_distance_bind(&s->distance, &s->arena, &err) != BASE_OK))) {
        status = alg_fail_geo(message, &err);
    }
    return status == ALG_OK ? ALG_OK : alg_abandon(held, status);
}

static void reset(void *held)
{
    ((state *)held)->distance.last_count = 0;
}

/* --- Queries ---------------------------------------------------------------------------------- */

/** Returns the rest of a limit, at least 1, because 0 means no limit. If there is no limit, returns
 * 0. */
static uint64_t left_of(uint64_t limit, uint64_t used)
{
    return limit == 0 ? 0 : limit > used ? limit - used : 1;
}

/** Answers a penetration (contact, depth or force) and the distance. The penetration may use half
 * of the budget and of the time, the distance the rest. */
static void query_both(state *s, const geo_pose *pose, alg_answer *answer)
{
    const uint64_t begin = s->budget_ns > 0 ? alg_clock_ns() : 0;
    s->penetration.budget = s->budget / 2;
    s->penetration.budget_ns = s->budget_ns / 2;
    alg_pst_penetration_query(&s->penetration, pose, answer);
    const alg_answer penetration = *answer;
    for (int i = 0; i < ALG_PST_COUNT; i++) {
        answer->counters[i] = 0;
    }
    const uint64_t *const used = penetration.counters;
    s->distance.budget =
        left_of(s->budget, used[ALG_PST_COUNT_SPHERES] + used[ALG_PST_COUNT_POINTS]);
    s->distance.budget_ns = s->budget_ns > 0 ? left_of(s->budget_ns, alg_clock_ns() - begin) : 0;
    alg_pst_distance_query(&s->distance, pose, answer);
    for (int i = 0; i < ALG_PST_COUNT; i++) {
        answer->counters[i] += used[i];
    }
    answer->answered |= penetration.answered;
    answer->colliding |= penetration.colliding;
    if (penetration.outcome == ALG_BUDGET_REACHED) {
        answer->outcome = ALG_BUDGET_REACHED;
    }
}

static void query(void *held, const geo_pose *pose, alg_answer *answer)
{
    state *const s = held;
    if (s->wanted & WANT_PENETRATION && s->wanted & ALG_WANT_DISTANCE) {
        query_both(s, pose, answer);
    } else if (s->wanted & ALG_WANT_DISTANCE) {
        alg_pst_distance_query(&s->distance, pose, answer);
    } else {
        alg_pst_penetration_query(&s->penetration, pose, answer);
    }
}

const alg_algorithm alg_pst = {
    .abi_version = ALG_ABI_VERSION,
    .name = "pst",
    .summary = "point-sphere tree: points of one body in the distance field of the other",
    .source = "PST 2, 3",
    .flags = ALG_KEEPS_STATE,
    .force_unit = "m",
    .parameters = parameters,
    .parameter_count = PARAMETER_COUNT,
    .counters = counter_names,
    .contract = contract,
    .prepare = prepare,
    .dispose = alg_destroy,
    .bind = bind,
    .release = alg_destroy,
    .reset = reset,
    .query = query,
    .draw = draw,
    .facts = alg_pst_facts,
    .save = save,
    .load = load,
    .body_settings = body_settings,
    .law = law,
    .reads_clock = reads_clock,
};
