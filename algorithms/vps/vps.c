/**
 * Voxmap-pointshell: contact, depth and force from the points of one body in the voxels of the
 * other.
 */
#include "algorithms/life.h"
#include "algorithms/registry.h"
#include "algorithms/vps/body.h"
#include "algorithms/vps/query.h"

enum {
    VOXMAP,
    VOXELS,
    LAYERS,
    STORAGE,
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

/* The words are in the order of the enumerations to which their indices are converted. */
/* clang-format off */
static const alg_parameter parameters[] = {
    [VOXMAP] = {"voxmap", ALG_CHOICE, 0,
                .help = "which body is the voxmap; the other one is the pointshell",
                .choices = (const alg_choice[]){
                    {"fixed", "the fixed body, A"},
                    {"moving", "the moving body, B"},
                    {0}}},
    [VOXELS] = {"voxels", ALG_INTEGER, 128, 2, ALG_VPS_VOXELS_MAX, NULL,
                "voxels of the voxmap along the longest edge of its body's box"},
    [LAYERS] = {"layers", ALG_INTEGER, 16, 1, ALG_VOXEL_LAYERS_MAX, NULL,
                "layers of voxels on each side of the surface, at which depths are cut"},
    [STORAGE] = {"storage", ALG_CHOICE, ALG_VOXEL_BLOCKED,
                 .help = "how the voxmap stores its voxels",
                 .choices = (const alg_choice[]){
                     {"blocked", "blocks of 8 x 8 x 8; a block of equal voxels stores one value"},
                     {"dense", "one byte per voxel"},
                     {0}}},
    [SHELL] = {"shell", ALG_CHOICE, ALG_POINTSHELL_TWO_PHASE,
               .help = "which points the pointshell has",
               .choices = (const alg_choice[]){
                   {"two-phase", "those inside their triangles, then one on a boundary for each "
                                 "voxel without any"},
                   {"all", "one for each triangle in each surface voxel; none is removed"},
                   {"blue-noise", "as many as two-phase gives, evenly spread"},
                   {0}}},
    [SHELL_VOXELS] = {"shell-voxels", ALG_INTEGER, 64, 2, ALG_VPS_VOXELS_MAX, NULL,
                      "voxels of the pointshell's grid along the longest edge of its body's box"},
    [GENERATOR] = {"generator", ALG_CHOICE, ALG_VOXEL_OURS,
                   .help = "how voxels are generated; old: points as well",
                   .choices = (const alg_choice[]){
                       {"ours", "rows of voxels at a time, on all CPUs"},
                       {"paper", "triangle by triangle, as in the paper"},
                       {"old", "voxel by voxel, as before the paper"},
                       {0}}},
    [NAVIGATION] = {"navigation", ALG_CHOICE, ALG_VOXEL_AUTO,
                    .help = "which voxels generator=paper tests against a triangle",
                    .choices = (const alg_choice[]){
                        {"auto", "by the size of a triangle's box: no test, all voxels, or the "
                                 "second approach"},
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
                   "generator=old enlarges voxels by this part of their edge"},
    [CONTACT] = {"contact", ALG_CHOICE, ALG_VPS_SURFACE,
                 .help = "which voxels count, and what that promises",
                 .choices = (const alg_choice[]){
                     {"surface", "a surface voxel or an inner one; neither bound"},
                     {"sure", "an inner voxel, inside of the solid; no false alarm"},
                     {"possible", "any voxel within reach of the points; nothing is missed"},
                     {0}}},
    [DEPTH] = {"depth", ALG_CHOICE, ALG_VPS_PLANE, .help = "how deep a point is",
               .choices = (const alg_choice[]){
                   {"plane", "to the plane through the voxel's centre, along the point's normal"},
                   {"layers", "whole layers"},
                   {"field", "a distance interpolated between voxels, along its gradient"},
                   {0}}},
    [WEIGHTS] = {"weights", ALG_CHOICE, 0, .help = "how much each point counts in a force",
                 .choices = (const alg_choice[]){
                     {"count", "1, as in the paper: faces across a diagonal of the grid have up to "
                               "1.7 times as many points"},
                     {"area", "its share of the surface's area, 1 in the mean"},
                     {0}}},
};
/* clang-format on */

static const char *const counter_names[] = {
    [ALG_VPS_COUNT_CONTACTS] = "contacts_count",
    [ALG_VPS_COUNT_LOOKUPS] = "lookups_count",
    [ALG_VPS_COUNT_POINTS] = "points_count",
    [ALG_VPS_COUNT_POINTS + 1] = NULL,
};

/** State of a bound pair. */
typedef struct state {
    base_arena arena;
    alg_vps_pair pair;
    /* Only for contact=possible: */
    alg_voxel_map wide; /* replaces the voxmap if it has too few layers */
    alg_voxel_clearance clearance;
} state;

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
 * Points push along their own normals by their depths in the voxmap, which is the law by depth. The
 * voxmap is the fixed body if voxmap is 0. Forces along the distance gradient follow no law: the
 * gradient changes its direction where the nearest face changes.
 */
static alg_law law(const alg_settings *settings)
{
    if (settings->values[DEPTH] == ALG_VPS_FIELD) {
        return ALG_LAW_NONE;
    }
    return settings->values[VOXMAP] == 0 ? ALG_LAW_DEPTH : ALG_LAW_DEPTH_EXCHANGED;
}

/** Only depth=field is built into a body. Parameters that the generator does not read are reset. */
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

/** Returns the options of a body. The settings must have gone through body_settings. */
static alg_vps_options options_of(const alg_settings *settings, alg_role role)
{
    const double *const values = settings->values;
    const bool is_map = role == (values[VOXMAP] == 0 ? ALG_FIXED : ALG_MOVING);
    const bool old = values[GENERATOR] == ALG_VOXEL_OLD;
    const alg_vps_contact contact = (alg_vps_contact)values[CONTACT];
    const alg_voxel_navigation navigation = (alg_voxel_navigation)values[NAVIGATION];
    return (alg_vps_options){
        .is_map = is_map,
        .voxels = (uint32_t)values[is_map ? VOXELS : SHELL_VOXELS],
        .surface = {(alg_voxel_generator)values[GENERATOR], navigation, values[TOLERANCE]},
        .skin = contact == ALG_VPS_POSSIBLE || (is_map && contact == ALG_VPS_SURE),
        .layers = (uint32_t)values[LAYERS],
        .storage = (alg_voxel_storage)values[STORAGE],
        .field = values[DEPTH] == ALG_VPS_FIELD,
        .shell = {.kind = old ? ALG_POINTSHELL_OLD : (alg_pointshell_kind)values[SHELL],
                  .projection = (alg_pointshell_projection)values[PROJECTION],
                  .navigation = navigation,
                  .seed = settings->seed,
                  .shares = values[WEIGHTS] != 0,
                  .threads = values[GENERATOR] == ALG_VOXEL_OURS ? 0 : 1},
    };
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    const alg_vps_options options = options_of(settings, role);
    *prepared = NULL;
    if (options.is_map && settings->values[CONTACT] == ALG_VPS_SURE && !mesh->solid) {
        return alg_fail(message, ALG_UNSUPPORTED,
                        "contact=sure needs a solid for its voxmap; surface and possible do not");
    }
    return alg_vps_body_prepare(&options, mesh, prepared, info, message);
}

/** Builds layers, padding and clearance that contact=possible needs for this pair. */
static alg_status widen(state *s, const alg_vps_points *points, alg_message *message)
{
    const alg_voxel_map *const map = s->pair.map;
    /* The factor adds a margin, because poses are rounded as well. */
    const uint32_t k =
        alg_vps_reach_in_layers(1.001 * (points->reach + points->slack), map->grid.edge);
    if (k >= ALG_VOXEL_LAYERS_MAX) {
        return alg_fail(message, ALG_UNSUPPORTED,
                        "contact=possible: points lie up to %.3g m from a place of the surface, "
                        "over %d voxels: more shell-voxels, or fewer voxels",
                        points->reach, ALG_VOXEL_LAYERS_MAX - 1);
    }
    base_error err = {0};
    base_status status = BASE_OK;
    if (k >= map->layers || k > map->grid.padding) {
        status = alg_vps_widen(map, k + 1, &s->arena, &s->wide, &err);
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
        status = widen(s, &shell->points, message);
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
    .draw = alg_vps_body_draw,
    .facts = alg_vps_facts,
    .save = alg_vps_body_save,
    .load = alg_vps_body_load,
    .body_settings = body_settings,
    .law = law,
};
