/**
 * Distance, volume, contact and forces of inner spheres: the queries of the paper.
 */
#include "algorithms/ist/body.h"
#include "algorithms/ist/pairs.h"
#include "algorithms/ist/query.h"
#include "algorithms/life.h"
#include "algorithms/registry.h"

#include <string.h>

/** Which balls make the volume: the choices of `radius`. */
enum { PRIMARY, SECONDARY, CENTROID, SHARES };

/* Sorted by name. */
enum {
    BRANCHING,
    CLUSTERING,
    CRITERION,
    DIRECTIONS,
    ERROR,
    HIERARCHY,
    MIN_RADIUS,
    PACKING,
    RADIUS,
    SPHERES,
    START,
    STOP,
    VOXELS,
    PARAMETER_COUNT
};

/*
 * The directions of a gradient leave no choice: the table of ist-gradient has no row DIRECTIONS,
 * and all rows behind it are one place earlier.
 */
#define EARLIER(PLACE) ((PLACE)-1)

/* clang-format off */
#define ROWS_BEFORE_DIRECTIONS \
    [BRANCHING] = ALG_IST_ROW_BRANCHING, \
    [CLUSTERING] = ALG_IST_ROW_CLUSTERING, \
    [CRITERION] = ALG_IST_ROW_CRITERION
#define ROWS_BEHIND_DIRECTIONS(PLACE) \
    [PLACE(ERROR)] = {"error", ALG_REAL, 0, 0, 100, NULL, \
               "most of a distance, percent of the size; 0: by voxels"}, \
    [PLACE(HIERARCHY)] = ALG_IST_ROW_HIERARCHY, \
    [PLACE(MIN_RADIUS)] = ALG_IST_ROW_MIN_RADIUS, \
    [PLACE(PACKING)] = ALG_IST_ROW_PACKING, \
    [PLACE(RADIUS)] = {"radius", ALG_CHOICE, SECONDARY, 0, 3, \
                       "primary|secondary|centroid|shares", "balls of the volume"}, \
    [PLACE(SPHERES)] = ALG_IST_ROW_SPHERES, \
    [PLACE(START)] = ALG_IST_ROW_START, \
    [PLACE(STOP)] = ALG_IST_ROW_STOP, \
    [PLACE(VOXELS)] = ALG_IST_ROW_VOXELS

static const alg_parameter parameters[] = {
    ROWS_BEFORE_DIRECTIONS,
    [DIRECTIONS] = {"directions", ALG_CHOICE, 0, 0, 1, "centres|cones",
                    "of forces: as centres lie; out of the normals"},
    ROWS_BEHIND_DIRECTIONS(),
};

static const alg_parameter gradient_parameters[] = {
    ROWS_BEFORE_DIRECTIONS,
    ROWS_BEHIND_DIRECTIONS(EARLIER),
};
/* clang-format on */

static const char *const counter_names[] = {
    [ALG_IST_COUNT_BALLS] = "bv_tests_count", [ALG_IST_COUNT_LEAVES] = "primitive_tests_count",
    [ALG_IST_COUNT_NODES] = "nodes_count",    [ALG_IST_COUNT_CONTACTS] = "contacts_count",
    [ALG_IST_COUNT_CONTACTS + 1] = NULL,
};

/** A bound pair. */
typedef struct state {
    base_arena arena;
    alg_ist_pair pair;
    alg_ist_pairs pairs;
} state;

/** Returns the settings of ist-gradient in the places of those of ist. */
static alg_settings settings_of(const alg_settings *of_gradient)
{
    alg_settings s = *of_gradient;
    memmove(&s.values[DIRECTIONS + 1], &of_gradient->values[DIRECTIONS],
            (PARAMETER_COUNT - DIRECTIONS - 1) * sizeof *s.values);
    s.values[DIRECTIONS] = parameters[DIRECTIONS].fallback;
    return s;
}

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    if (quantity == ALG_DISTANCE) {
        return ALG_UPPER_BOUND;
    }
    if (quantity == ALG_CONTACT) {
        return ALG_LOWER_BOUND;
    }
    if (quantity == ALG_DEPTH || settings->values[PACKING] == ALG_IST_COVER) {
        return ALG_NOT_ANSWERED;
    }
    if (quantity == ALG_FORCE) {
        return ALG_APPROXIMATE;
    }
    return settings->values[RADIUS] == PRIMARY ? ALG_LOWER_BOUND : ALG_APPROXIMATE;
}

/** Which of the first two balls make the volume, and where a distance begins, is up to queries. */
static void body_settings(alg_settings *settings)
{
    if (settings->values[RADIUS] == PRIMARY) {
        settings->values[RADIUS] = SECONDARY;
    }
    settings->values[START] = parameters[START].fallback;
}

static alg_contract contract_of_gradient(const alg_settings *settings, alg_quantity quantity)
{
    const alg_settings s = settings_of(settings);
    return contract(&s, quantity);
}

static void body_settings_of_gradient(alg_settings *settings)
{
    alg_settings s = settings_of(settings);
    body_settings(&s);
    memcpy(&settings->values[DIRECTIONS], &s.values[DIRECTIONS + 1],
           (PARAMETER_COUNT - DIRECTIONS - 1) * sizeof *s.values);
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    (void)role;
    alg_ist_options options = ALG_IST_OPTIONS(settings, );
    options.error = 0.01 * settings->values[ERROR];
    options.centroid = settings->values[RADIUS] >= CENTROID;
    options.fine = settings->values[RADIUS] == SHARES;
    options.cones = settings->values[DIRECTIONS] == 1;
    return alg_ist_body_prepare(&options, mesh, prepared, info, message);
}

static alg_status prepare_of_gradient(const alg_settings *settings, const alg_mesh *mesh,
                                      alg_role role, void **prepared, alg_build_info *info,
                                      alg_message *message)
{
    const alg_settings s = settings_of(settings);
    return prepare(&s, mesh, role, prepared, info, message);
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
        .coherent = settings->values[START] == 1,
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
    const alg_settings s = settings_of(settings);
    return bind_pair(&s, true, fixed, moving, request, held, message);
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
    .parameters = gradient_parameters,
    .parameter_count = PARAMETER_COUNT - 1,
    .counters = counter_names,
    .contract = contract_of_gradient,
    .prepare = prepare_of_gradient,
    .dispose = alg_destroy,
    .bind = bind_of_gradient,
    .release = alg_destroy,
    .reset = reset,
    .query = query,
    .draw = alg_ist_body_draw,
    .facts = alg_ist_facts,
    .save = alg_ist_body_save,
    .load = alg_ist_body_load,
    .body_settings = body_settings_of_gradient,
    .law = law_of_gradient,
};
