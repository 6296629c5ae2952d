/**
 * Point-sphere tree against distance field: contact, depth and force from the points of one body in
 * the field of the other, and the distance from its nearest points, within a budget of lookups, of
 * time, or of both.
 */
#include "algorithms/life.h"
#include "algorithms/pst/body.h"
#include "algorithms/pst/distance.h"
#include "algorithms/pst/penetration.h"
#include "algorithms/registry.h"

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
    [SHELL] = {"shell", ALG_CHOICE, AUTO, .help = "which points",
               .choices = (const alg_choice[]){
                   {"auto", "blue-noise for a query that asks a force, mesh for any other one"},
                   {"mesh", "vertices of the mesh, with long edges halved"},
                   {"two-phase", "projections of the middles of surface voxels"},
                   {"blue-noise", "as many as two-phase gives, evenly spread"},
                   {0}}},
    [SHELL_VOXELS] = ALG_PST_ROW_SHELL_VOXELS,
    [CLUSTERS] = {"clusters", ALG_CHOICE, ALG_PST_NEIGHBOURS, .help = "how points are put together",
                  .choices = (const alg_choice[]){
                      {"neighbours", "a cluster grows from a point to its nearest ones, as in the "
                                     "paper"},
                      {"balanced", "all clusters of a level have as many points, within one"},
                      {0}}},
    [DEPTH] = {"depth", ALG_CHOICE, ALG_PST_FIELD, .help = "how deep a point is",
               .choices = (const alg_choice[]){
                   {"field", "a distance interpolated between corners of cells"},
                   {"layers", "whole layers of voxels"},
                   {0}}},
    [LAYERS] = {"layers", ALG_INTEGER, 8, 1, ALG_VOXEL_LAYERS_MAX, NULL,
                "of depth=layers, on each side of the surface"},
    [NORMALS] = {"normals", ALG_CHOICE, ALG_PST_OWN, .help = "which way a point pushes",
                 .choices = (const alg_choice[]){
                     {"own", "along the point's own normal, as in the paper"},
                     {"field", "along the gradient of the field"},
                     {0}}},
    [WEIGHTS] = {"weights", ALG_CHOICE, 0, .help = "how much a point pushes",
                 .choices = (const alg_choice[]){
                     {"count", "each point alike, as in the paper"},
                     {"area", "each point by its share of the surface"},
                     {0}}},
    [WALK] = {"walk", ALG_CHOICE, 0, .help = "of contact, depth and force",
              .choices = (const alg_choice[]){
                  {"tree", "clusters from a queue; those that are clear are left out"},
                  {"flat", "all points, as without a tree"},
                  {0}}},
    [BUDGET] = {"budget", ALG_INTEGER, 0, 0, 1e9, NULL,
                "lookups of spheres and points; 0: no limit"},
    [DEADLINE] = {"deadline-us", ALG_REAL, 0, 0, 1e6, NULL,
                  "time for a query, by the clock; 0: no limit, and no clock is read"},
    [CANDIDATES] = {"candidates", ALG_INTEGER, 8, 1, ALG_PST_CANDIDATES_MOST, NULL,
                    "points that are measured on the meshes, at most"},
    [ROUNDS] = {"rounds", ALG_INTEGER, 12, 0, ALG_PST_ROUNDS_MOST, NULL,
                "of a distance: nearest points on the meshes; 0: by the field alone"},
    [START] = ALG_PST_ROW_START("from the points that were nearest in the query before"),
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

/* --- Contract --------------------------------------------------------------------------------- */

/** A distance is an upper bound if nearest pairs are measured, since these are points of both
 * surfaces. */
static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    if (quantity == ALG_DISTANCE) {
        return settings->values[ROUNDS] > 0 ? ALG_UPPER_BOUND : ALG_APPROXIMATE;
    }
    return quantity == ALG_VOLUME ? ALG_NOT_ANSWERED : ALG_APPROXIMATE;
}

/**
 * Points push along their own normals by their depths in the field, which is the law by depth. The
 * field is the fixed body if field is 0. Forces along the field's gradient follow no law: the
 * gradient changes its direction where the nearest face changes.
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

/* --- Bodies ----------------------------------------------------------------------------------- */

/** A body does not depend on the parameters of queries, and depends on layers only with
 * depth=layers. */
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

/** Rejects requests that these bodies, or a budget of 1, cannot answer. */
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

static base_status bind_parts(state *s, base_error *err)
{
    base_status status = BASE_OK;
    if (s->wanted & WANT_PENETRATION) {
        status = alg_pst_penetration_bind(&s->penetration, &s->arena, err);
    }
    if (status == BASE_OK && s->wanted & ALG_WANT_DISTANCE) {
        status = alg_pst_distance_bind(&s->distance, &s->arena, err);
    }
    return status;
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
    if (status == ALG_OK && bind_parts(s, &err) != BASE_OK) {
        status = alg_fail_geo(message, &err);
    }
    return status == ALG_OK ? ALG_OK : alg_abandon(held, status);
}

static void reset(void *held)
{
    state *const s = held;
    if (s->wanted & ALG_WANT_DISTANCE) {
        alg_pst_distance_reset(&s->distance);
    }
}

/* --- Queries ---------------------------------------------------------------------------------- */

/** Returns the rest of a limit, at least 1, since 0 stands for no limit. */
static uint64_t left_of(uint64_t limit, uint64_t used)
{
    return limit == 0 ? 0 : limit > used ? limit - used : 1;
}

/** Answers depth and distance. The penetration may use half of each budget, the distance the
 * rest. */
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
    .draw = alg_pst_body_draw,
    .facts = alg_pst_facts,
    .save = alg_pst_body_save,
    .load = alg_pst_body_load,
    .body_settings = body_settings,
    .law = law,
    .reads_clock = reads_clock,
};
