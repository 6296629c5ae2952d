/**
 * The truth's own methods as contestants: exact-distance, exact-volume, exact-depth-force,
 * exact-tetra. They are timed like all others. Their answers are judged only by the other method of
 * their quantity (bench_truth_for).
 */
#include "suite/inputs/truth_entries.h"

#include "algorithms/registry.h"
#include "base/memory.h"
#include "geometry/pose.h"
#include "groundtruth/groundtruth.h"
#include "suite/message.h"

#include <stdio.h>
#include <string.h>

/** A prepared body. */
typedef struct entry_body {
    geo_mesh mesh; /* borrowed: the contract keeps it until dispose */
    geo_mesh_report report;
    gt_body *truth;
    vec3 centroid;
} entry_body;

/** A bound pair. */
typedef struct entry_pair {
    const entry_body *a, *b;
    gt_flux_space *space;        /* of exact-volume and exact-depth-force */
    gt_depth_space *depth_space; /* of exact-depth-force */
    gt_depth_role role;
    gt_distance_hint hint; /* of exact-distance: start of the search */
    bool keeps_hint;
} entry_pair;

/* --- Bodies and pairs ------------------------------------------------------------------------- */

static alg_status fail(alg_message *message, alg_status status, const char *text)
{
    snprintf(message->text, sizeof message->text, "%.*s", (int)sizeof message->text - 1, text);
    return status;
}

static alg_status fail_geo(alg_message *message, const base_error *err)
{
    return fail(message, err->status == BASE_ERR_MEMORY ? ALG_OUT_OF_MEMORY : ALG_FAILED,
                err->text);
}

static void dispose(void *prepared)
{
    if (prepared) {
        entry_body *const body = prepared;
        gt_body_destroy(body->truth);
        base_free(body);
    }
}

/**
 * Builds the truth of a body. The properties of the mesh that the suite already knows are not
 * computed again.
 */
static base_status build(entry_body *body, const alg_mesh *mesh, base_error *err)
{
    body->mesh = (geo_mesh){mesh->vertices, mesh->vertex_count, mesh->faces, mesh->face_count};
    body->centroid = mesh->centroid;
    body->report = (geo_mesh_report){.box = mesh->box,
                                     .measure = geo_mesh_measures(&body->mesh),
                                     .closed = mesh->solid,
                                     .solid = mesh->solid};
    return gt_body_create(&body->mesh, &body->report, &body->truth, err);
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    (void)settings;
    (void)role;
    *prepared = NULL;
    entry_body *const body = base_alloc(1, sizeof *body);
    if (!body) {
        return fail(message, ALG_OUT_OF_MEMORY, "out of memory");
    }
    base_error err = {0};
    if (build(body, mesh, &err) != BASE_OK) {
        dispose(body);
        return fail_geo(message, &err);
    }
    info->bytes = gt_body_bytes(body->truth);
    info->primitives = mesh->face_count;
    *prepared = body;
    return ALG_OK;
}

/** Runs TetGen here, so that its time is part of the build. */
static alg_status prepare_tetra(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                                void **prepared, alg_build_info *info, alg_message *message)
{
    const alg_status status = prepare(settings, mesh, role, prepared, info, message);
    if (status != ALG_OK) {
        return status;
    }
    entry_body *const body = *prepared;
    base_error err = {0};
    if (gt_body_tetrahedralise(body->truth, NULL, &err) != BASE_OK) {
        *prepared = NULL;
        dispose(body);
        return fail_geo(message, &err);
    }
    info->bytes = gt_body_bytes(body->truth);
    info->primitives = gt_body_tetrahedron_count(body->truth);
    return ALG_OK;
}

static void release(void *state)
{
    if (state) {
        entry_pair *const pair = state;
        gt_flux_space_destroy(pair->space);
        gt_depth_space_destroy(pair->depth_space);
        base_free(pair);
    }
}

static alg_status bind_pair(const void *fixed, const void *moving, void **state,
                            alg_message *message)
{
    *state = NULL;
    entry_pair *const pair = base_alloc(1, sizeof *pair);
    if (!pair) {
        return fail(message, ALG_OUT_OF_MEMORY, "out of memory");
    }
    *pair = (entry_pair){.a = fixed, .b = moving};
    *state = pair;
    return ALG_OK;
}

/* --- exact-distance --------------------------------------------------------------------------- */

static alg_contract distance_contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_DISTANCE || quantity == ALG_CONTACT ? ALG_EXACT : ALG_NOT_ANSWERED;
}

enum { START_COLD, START_LAST };
static const alg_parameter distance_parameters[] = {
    {"start", ALG_CHOICE, START_COLD, .help = "start of the search",
     .choices =
         (const alg_choice[]){[START_COLD] = {"cold", "every query for itself"},
                              [START_LAST] = {"last", "from the faces that the frame before found"},
                              {0}}},
};

static void reset_distance(void *state)
{
    entry_pair *const pair = state;
    pair->hint = GT_NO_HINT;
}

static alg_status bind_distance(const alg_settings *settings, const void *fixed, const void *moving,
                                const alg_request *request, void **state, alg_message *message)
{
    (void)request;
    const alg_status status = bind_pair(fixed, moving, state, message);
    if (status == ALG_OK) {
        entry_pair *const pair = *state;
        pair->keeps_hint = settings->values[0] == START_LAST;
        reset_distance(pair);
    }
    return status;
}

static void query_distance(void *state, const geo_pose *pose, alg_answer *answer)
{
    entry_pair *const pair = state;
    gt_distance d;
    gt_distance_hint hint = pair->keeps_hint ? pair->hint : GT_NO_HINT;
    gt_distance_query_from(pair->a->truth, pair->b->truth, pose, &hint, &d);
    pair->hint = hint;
    answer->distance_m = d.distance_m.lo > 0 ? 0.5 * (d.distance_m.lo + d.distance_m.hi) : 0;
    answer->colliding = d.distance_m.lo <= 0;
    answer->witness_a = d.witness_a;
    answer->witness_b = d.witness_b;
    answer->counters[0] = d.triangle_tests;
    answer->answered = ALG_HAS_DISTANCE | ALG_HAS_WITNESS | ALG_HAS_CONTACT;
    answer->outcome = ALG_CONVERGED;
}

/* --- exact-volume, exact-tetra ---------------------------------------------------------------- */

static alg_contract flux_contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_VOLUME || quantity == ALG_FORCE ? ALG_EXACT : ALG_NOT_ANSWERED;
}

static alg_law flux_law(const alg_settings *settings)
{
    (void)settings;
    return ALG_LAW_AREA;
}

static alg_contract tetra_contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_VOLUME ? ALG_EXACT : ALG_NOT_ANSWERED;
}

static alg_status bind_tetra(const alg_settings *settings, const void *fixed, const void *moving,
                             const alg_request *request, void **state, alg_message *message)
{
    (void)settings, (void)request;
    return bind_pair(fixed, moving, state, message);
}

static alg_status bind_flux(const alg_settings *settings, const void *fixed, const void *moving,
                            const alg_request *request, void **state, alg_message *message)
{
    (void)settings, (void)request;
    const alg_status status = bind_pair(fixed, moving, state, message);
    if (status != ALG_OK) {
        return status;
    }
    entry_pair *const pair = *state;
    pair->space = gt_flux_space_create();
    /* Any query allocates enough for all others. With both centroids at the same point, a query
     * touches much of the memory. */
    const geo_pose pose =
        geo_pose_make(geo_quat_identity(), vec3_sub(pair->a->centroid, pair->b->centroid));
    gt_flux flux;
    if (!pair->space ||
        gt_flux_query(pair->a->truth, pair->b->truth, &pose, pair->space, &flux, NULL) != BASE_OK) {
        *state = NULL;
        release(pair);
        return fail(message, ALG_OUT_OF_MEMORY, "out of memory");
    }
    return ALG_OK;
}

/**
 * Answers volume and force. The force is that of water displacement: a unit of pressure on the
 * surface of the overlap that belongs to B. The torque is about B's centroid.
 */
static void query_flux(void *state, const geo_pose *pose, alg_answer *answer)
{
    const entry_pair *const pair = state;
    gt_flux flux;
    if (gt_flux_query(pair->a->truth, pair->b->truth, pose, pair->space, &flux, NULL) != BASE_OK) {
        answer->outcome = ALG_DEGENERATE;
        return;
    }
    const vec3 centroid = geo_pose_apply(pose, pair->b->centroid);
    double bound;
    const vec3 turned = gt_flux_torque(&flux, centroid, &bound);
    answer->volume_m3 = flux.value_m3;
    answer->colliding = answer->volume_m3 > 0 || flux.pairs > 0;
    answer->force = vec3_scale(-1, flux.gradient_m2);
    answer->torque = vec3_scale(-1, turned);
    answer->counters[0] = flux.pairs;
    answer->counters[1] = flux.exact;
    answer->counters[2] = flux.inside_tests;
    answer->answered = ALG_HAS_VOLUME | ALG_HAS_FORCE;
    answer->outcome = flux.flaws == 0 ? ALG_CONVERGED : ALG_DEGENERATE;
}

static void query_tetra(void *state, const geo_pose *pose, alg_answer *answer)
{
    const entry_pair *const pair = state;
    gt_volume volume;
    gt_volume_query(pair->a->truth, pair->b->truth, pose, &volume);
    answer->volume_m3 = volume.value_m3;
    answer->colliding = answer->volume_m3 > 0;
    answer->counters[0] = volume.tetrahedron_tests;
    answer->counters[1] = volume.box_pairs;
    answer->answered = ALG_HAS_VOLUME;
    answer->outcome = ALG_CONVERGED;
}

/* --- exact-depth-force ------------------------------------------------------------------------ */

static const alg_parameter depth_force_parameters[] = {
    {"field", ALG_CHOICE, 0,
     .help = "body in which depths are measured; the other one's surface is pushed",
     .choices = (const alg_choice[]){{"fixed", "the fixed body, A: law depth"},
                                     {"moving", "the moving body, B: law depth-exchanged"},
                                     {0}}},
};

static alg_contract depth_force_contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_FORCE ? ALG_EXACT : ALG_NOT_ANSWERED;
}

static alg_law depth_force_law(const alg_settings *settings)
{
    return settings->values[0] == 0 ? ALG_LAW_DEPTH : ALG_LAW_DEPTH_EXCHANGED;
}

static alg_status bind_depth_force(const alg_settings *settings, const void *fixed,
                                   const void *moving, const alg_request *request, void **state,
                                   alg_message *message)
{
    const alg_status status = bind_flux(settings, fixed, moving, request, state, message);
    if (status != ALG_OK) {
        return status;
    }
    entry_pair *const pair = *state;
    pair->role = settings->values[0] == 0 ? GT_DEPTH_OF_A : GT_DEPTH_OF_B;
    pair->depth_space = gt_depth_space_create();
    if (!pair->depth_space) {
        *state = NULL;
        release(pair);
        return fail(message, ALG_OUT_OF_MEMORY, "out of memory");
    }
    return ALG_OK;
}

static void query_depth_force(void *state, const geo_pose *pose, alg_answer *answer)
{
    const entry_pair *const pair = state;
    gt_depth_force found;
    if (gt_depth_force_query(pair->a->truth, pair->b->truth, pose, pair->role, pair->space,
                             pair->depth_space, &found, NULL) != BASE_OK) {
        answer->outcome = ALG_DEGENERATE;
        return;
    }
    answer->colliding = found.integral_m3.hi > 0;
    answer->force = found.force_m3;
    answer->torque = found.torque_m4;
    answer->counters[0] = found.pieces;
    answer->answered = ALG_HAS_FORCE;
    answer->outcome = found.flaws > 0  ? ALG_DEGENERATE
                      : found.complete ? ALG_CONVERGED
                                       : ALG_BUDGET_REACHED;
}

/* --- The entries ------------------------------------------------------------------------------ */

static const char *const distance_counters[] = {"primitive_tests_count", NULL};
static const char *const flux_counters[] = {"crossing_pairs_count", "exact_signs_count",
                                            "inside_tests_count", NULL};
static const char *const depth_force_counters[] = {"pieces_count", NULL};
static const char *const tetra_counters[] = {"primitive_tests_count", "box_pairs_count", NULL};

static const alg_algorithm exact_distance = {
    .abi_version = ALG_ABI_VERSION,
    .name = "exact-distance",
    .summary = "the truth's distance: two hierarchies of cylinders, exact signs",
    .source = "",
    .flags = ALG_KEEPS_STATE,
    .parameters = distance_parameters,
    .parameter_count = 1,
    .counters = distance_counters,
    .contract = distance_contract,
    .prepare = prepare,
    .dispose = dispose,
    .bind = bind_distance,
    .release = release,
    .reset = reset_distance,
    .query = query_distance,
};

static const alg_algorithm exact_volume = {
    .abi_version = ALG_ABI_VERSION,
    .name = "exact-volume",
    .summary = "the truth's volume and its gradient, by flux through the surfaces",
    .source = "",
    .flags = ALG_NEEDS_SOLIDS,
    .force_unit = "m2",
    .counters = flux_counters,
    .contract = flux_contract,
    .prepare = prepare,
    .dispose = dispose,
    .bind = bind_flux,
    .release = release,
    .query = query_flux,
    .law = flux_law,
};

static const alg_algorithm exact_depth_force = {
    .abi_version = ALG_ABI_VERSION,
    .name = "exact-depth-force",
    .summary = "the truth's force by depth, within a thousandth of the sum of its parts",
    .source = "",
    .flags = ALG_NEEDS_SOLIDS,
    .force_unit = "m3",
    .parameters = depth_force_parameters,
    .parameter_count = 1,
    .counters = depth_force_counters,
    .contract = depth_force_contract,
    .prepare = prepare,
    .dispose = dispose,
    .bind = bind_depth_force,
    .release = release,
    .query = query_depth_force,
    .law = depth_force_law,
};

static const alg_algorithm exact_tetra = {
    .abi_version = ALG_ABI_VERSION,
    .name = "exact-tetra",
    .summary = "the truth's volume by clipped tetrahedra (needs TetGen)",
    .source = "",
    .flags = ALG_NEEDS_SOLIDS,
    .counters = tetra_counters,
    .contract = tetra_contract,
    .prepare = prepare_tetra,
    .dispose = dispose,
    .bind = bind_tetra,
    .release = release,
    .query = query_tetra,
};

static const struct {
    const alg_algorithm *algorithm;
    unsigned method;
} entries[] = {
    {&exact_distance, GT_BY_BVH},
    {&exact_volume, GT_BY_FLUX},
    {&exact_depth_force, GT_BY_DEPTH_SURFACE | GT_BY_DEPTH_SURFACE_EXCHANGED},
    {&exact_tetra, GT_BY_TETRA},
};

void bench_truth_entries_register(void)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        alg_message message;
        if (alg_register(entries[i].algorithm, &message) != ALG_OK) {
            bench_warn("%s", message.text);
        }
    }
}

unsigned bench_truth_entry_method(const alg_algorithm *algorithm)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (entries[i].algorithm == algorithm) {
            return entries[i].method;
        }
    }
    return 0;
}
