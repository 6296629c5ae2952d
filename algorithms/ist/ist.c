/** Inner sphere trees: distance, volume, contact and forces, the queries of the paper. */
#include "algorithms/ist/body.h"
#include "algorithms/ist/query.h"
#include "algorithms/life.h"
#include "algorithms/registry.h"

/** Choices of `radius`. */
enum { PRIMARY, SECONDARY, CENTROID, SHARES };

enum {
    ERROR = ALG_IST_SHARED,
    RADIUS,
    GRADIENT_PARAMETER_COUNT,
    DIRECTIONS = GRADIENT_PARAMETER_COUNT, /* ist-gradient does not have this parameter */
    PARAMETER_COUNT
};

/* clang-format off */
static const alg_parameter parameters[] = {
    ALG_IST_ROWS,
    [ERROR] = {"error", ALG_REAL, 0, 0, 100, NULL,
               "largest error of a distance, percent of the size; 0: by voxels"},
    [RADIUS] = {"radius", ALG_CHOICE, SECONDARY, .help = "balls that give the volume",
                .choices = (const alg_choice[]){
                    [PRIMARY] = {"primary", "the inner spheres: a lower bound of the volume"},
                    [SECONDARY] = {"secondary", "balls with the volume of the voxels that belong "
                                                "to each sphere, as in the paper"},
                    [CENTROID] = {"centroid", "the same, around the centroids of these voxels"},
                    [SHARES] = {"shares", "the same, with voxels of a quarter of the edge"},
                    {0}}},
    [DIRECTIONS] = {"directions", ALG_CHOICE, 0, .help = "directions of forces",
                    .choices = (const alg_choice[]){
                        {"centres", "along the line of the centres of two spheres"},
                        {"cones", "corrected by the normals of the surface near the spheres"},
                        {0}}},
};
/* clang-format on */

static const char *const counter_names[] = {
    [ALG_IST_COUNT_BALLS] = "bv_tests_count", [ALG_IST_COUNT_LEAVES] = "primitive_tests_count",
    [ALG_IST_COUNT_NODES] = "nodes_count",    [ALG_IST_COUNT_CONTACTS] = "contacts_count",
    [ALG_IST_COUNT_CONTACTS + 1] = NULL,
};

/** State of a bound pair. */
typedef struct state {
    base_arena arena;
    alg_ist_pair pair;
    alg_ist_pairs pairs;
} state;

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    if (quantity == ALG_DISTANCE) {
        return ALG_UPPER_BOUND;
    }
    if (quantity == ALG_CONTACT) {
        return ALG_LOWER_BOUND;
    }
    const bool fills = settings->values[ALG_IST_PACKING] != ALG_IST_COVER;
    if (quantity == ALG_FORCE && fills) {
        return ALG_APPROXIMATE;
    }
    if (quantity != ALG_VOLUME || !fills) {
        return ALG_NOT_ANSWERED;
    }
    return settings->values[RADIUS] == PRIMARY ? ALG_LOWER_BOUND : ALG_APPROXIMATE;
}

/** Implements alg_algorithm.body_settings. A body stores both primary and secondary balls, so
 * radius=primary and radius=secondary share it. Only queries read `start`. */
static void body_settings(alg_settings *settings)
{
    if (settings->values[RADIUS] == PRIMARY) {
        settings->values[RADIUS] = SECONDARY;
    }
    settings->values[ALG_IST_START] = parameters[ALG_IST_START].fallback;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    (void)role;
    alg_ist_options options = alg_ist_options_of(settings);
    options.error = 0.01 * settings->values[ERROR];
    options.centroid = settings->values[RADIUS] >= CENTROID;
    options.fine = settings->values[RADIUS] == SHARES;
    options.cones = settings->values[DIRECTIONS] == 1;
    return alg_ist_body_prepare(&options, mesh, prepared, info, message);
}

static alg_status bind_pair(const alg_settings *settings, bool gradient, const void *fixed,
                            const void *moving, const alg_request *request, void **held,
                            alg_message *message)
{
    const alg_ist_body *const a = fixed, *const b = moving;
    const alg_status status = alg_create(sizeof(state), held, message);
    if (status != ALG_OK) {
        return status;
    }
    state *const s = *held;
    base_error err = {0};
    s->pair = (alg_ist_pair){
        .centroid_b = b->centroid,
        .secondary = settings->values[RADIUS] != PRIMARY,
        .cones = settings->values[DIRECTIONS] == 1,
        .gradient = gradient,
        .coherent = settings->values[ALG_IST_START] == 1,
        .wanted = request->wanted,
    };
    if (alg_ist_pair_bind(&a->solid, &b->solid, &s->arena, &s->pair, &err) != BASE_OK ||
        alg_ist_pairs_bind(a, b, request, &s->arena, &s->pairs, &err) != BASE_OK) {
        return alg_abandon(held, alg_fail_geo(message, &err));
    }
    return ALG_OK;
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, void **held, alg_message *message)
{
    return bind_pair(settings, false, fixed, moving, request, held, message);
}

static alg_status bind_of_gradient(const alg_settings *settings, const void *fixed,
                                   const void *moving, const alg_request *request, void **held,
                                   alg_message *message)
{
    return bind_pair(settings, true, fixed, moving, request, held, message);
}

static void reset(void *held)
{
    alg_ist_pair_reset(&((state *)held)->pair);
}

static void query(void *held, const geo_pose *pose, alg_answer *answer)
{
    state *const s = held;
    alg_ist_query(&s->pair, pose, answer);
    alg_ist_list_pairs(&s->pairs, s->pair.stack, pose, answer);
}

const alg_algorithm alg_ist = {
    .abi_version = ALG_ABI_VERSION,
    .name = "ist",
    .summary = "inner sphere trees: distance between, and overlap of, spheres inside the bodies",
    .source = "IST III, IV",
    .flags = ALG_NEEDS_SOLIDS | ALG_KEEPS_STATE,
    .force_unit = "m3",
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
    .draw = alg_ist_body_draw,
    .facts = alg_ist_facts,
    .save = alg_ist_body_save,
    .load = alg_ist_body_load,
    .body_settings = body_settings,
};

static alg_law law_of_gradient(const alg_settings *settings)
{
    (void)settings;
    return ALG_LAW_AREA;
}

const alg_algorithm alg_ist_gradient = {
    .abi_version = ALG_ABI_VERSION,
    .name = "ist-gradient",
    .summary = "inner sphere trees: forces by the gradient of the overlap of spheres",
    .source = "IST III, IV",
    .flags = ALG_NEEDS_SOLIDS | ALG_KEEPS_STATE,
    .force_unit = "m2",
    .parameters = parameters,
    .parameter_count = GRADIENT_PARAMETER_COUNT,
    .counters = counter_names,
    .contract = contract,
    .prepare = prepare,
    .dispose = alg_destroy,
    .bind = bind_of_gradient,
    .release = alg_destroy,
    .reset = reset,
    .query = query,
    .draw = alg_ist_body_draw,
    .facts = alg_ist_facts,
    .save = alg_ist_body_save,
    .load = alg_ist_body_load,
    .body_settings = body_settings,
    .law = law_of_gradient,
};
