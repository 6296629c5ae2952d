/**
 * Distances of triangles that are nearest to near spheres: the paper's way to the accuracy of
 * triangles.
 *
 * With g the smallest distance of two inner spheres and `band` times the mean gaps of both bodies
 * on top of it, the candidates are the pairs of spheres that are not farther apart; each stands for
 * the faces that are nearest to its centres. The nearest pair of these faces is then improved in
 * `rounds` (alg_ist_nearby_approach). The smaller of its distance and g is the answer: the distance
 * of two points of the bodies, so an upper bound.
 *
 * Which spheres are candidates, and which faces win, follows from g alone, by sizes and, where
 * equal, numbers: neither the order of the search nor its start changes an answer, but for where
 * spheres that overlap are said to meet.
 */
#include "algorithms/entries.h"
#include "algorithms/ist/nearby.h"
#include "algorithms/ist/saved.h"
#include "algorithms/life.h"
#include "geometry/pose.h"

/* Sorted by name. */
enum {
    BAND,
    BRANCHING,
    CLUSTERING,
    CRITERION,
    HIERARCHY,
    MIN_RADIUS,
    PACKING,
    ROUNDS,
    SPHERES,
    START,
    STOP,
    VOXELS,
    PARAMETER_COUNT
};

/* clang-format off */
static const alg_parameter parameters[] = {
    [BAND] = {"band", ALG_REAL, 0, 0, 100, NULL,
              "mean gaps by which candidates may be farther than nearest"},
    [BRANCHING] = ALG_IST_ROW_BRANCHING,
    [CLUSTERING] = ALG_IST_ROW_CLUSTERING,
    [CRITERION] = ALG_IST_ROW_CRITERION,
    [HIERARCHY] = ALG_IST_ROW_HIERARCHY,
    [MIN_RADIUS] = ALG_IST_ROW_MIN_RADIUS,
    [PACKING] = ALG_IST_ROW_PACKING,
    [ROUNDS] = {"rounds", ALG_INTEGER, 5, 0, 100, NULL, "of going to and fro between the surfaces"},
    [SPHERES] = ALG_IST_ROW_SPHERES,
    [START] = ALG_IST_ROW_START,
    [STOP] = ALG_IST_ROW_STOP,
    [VOXELS] = ALG_IST_ROW_VOXELS,
};
/* clang-format on */

/** A bound pair; it lives in its own arena. */
typedef struct state {
    base_arena arena;
    alg_ist_nearby near;
    double band_m; /* by which the spheres of candidates may be farther apart than the nearest */
    uint32_t rounds;
} state;

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_DISTANCE  ? ALG_UPPER_BOUND
           : quantity == ALG_CONTACT ? ALG_LOWER_BOUND
                                     : ALG_NOT_ANSWERED;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    (void)role;
    alg_ist_options options = ALG_IST_OPTIONS(settings);
    options.skin = true;
    return alg_ist_body_prepare(&options, mesh, prepared, info, message);
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       unsigned wanted, void **held, alg_message *message)
{
    const alg_ist_body *const a = fixed, *const b = moving;
    *held = NULL;
    if (wanted & ALG_WANT_VOLUME) {
        return alg_fail(message, ALG_UNSUPPORTED, "ist-triangles has no volume");
    }
    const alg_status status = alg_create(sizeof(state), held, message);
    if (status != ALG_OK) {
        return status;
    }
    state *const s = *held;
    base_error err = {0};
    if (alg_ist_nearby_bind(a, b, settings->values[START] == 1, wanted, &s->arena, &s->near,
                            &err) != BASE_OK) {
        return alg_abandon(held, alg_fail_geo(message, &err));
    }
    s->band_m = settings->values[BAND] * (a->skin->gap.mean_m + b->skin->gap.mean_m);
    s->rounds = (uint32_t)settings->values[ROUNDS];
    return ALG_OK;
}

static void reset(void *held)
{
    alg_ist_nearby_reset(&((state *)held)->near);
}

static void measure_candidate(alg_ist_nearby *n, uint32_t a, uint32_t b)
{
    alg_ist_nearby_measure(n, n->a->skin->nearest[a], n->b->skin->nearest[b]);
}

/** A pair of spheres within the band is a candidate; the band does not change in a walk. */
static void decide(alg_ist_walk *walk, uint32_t a, uint32_t b)
{
    const alg_ist_sphere *const sa = &walk->a->spheres[a], *const sb = &walk->b->spheres[b];
    const double apart = vec3_distance(geo_pose_apply(walk->pose, sb->centre), sa->centre);
    if (apart - sa->primary - sb->primary <= walk->nearest) {
        measure_candidate(walk->context, a, b);
    }
}

static void measure_band(state *s, alg_answer *answer)
{
    alg_ist_nearby *const n = &s->near;
    alg_ist_walk walk = {.a = &n->a->solid,
                         .b = &n->b->solid,
                         .pose = n->pose,
                         .radius = ALG_IST_NEAR,
                         .seeking = true,
                         .nearest = answer->distance_m + s->band_m,
                         .tests_most = UINT64_MAX,
                         .decide = decide,
                         .context = n,
                         .stack = n->spheres.stack};
    alg_ist_walk_run(&walk);
    alg_ist_nearby_count(n, &walk, answer);
}

/** The bodies are not nearer than their nearest spheres less both largest gaps: see owners.h. */
static void answer_bracket(const alg_ist_nearby *n, double spheres_m, alg_answer *answer)
{
    const double lower = spheres_m - n->a->skin->gap.most_m - n->b->skin->gap.most_m - n->slack;
    answer->distance_lo_m = lower > 0 ? lower : 0;
    answer->distance_hi_m = answer->distance_m;
    answer->answered |= ALG_HAS_DISTANCE_BRACKET;
}

static void query(void *held, const geo_pose *pose, alg_answer *answer)
{
    state *const s = held;
    alg_ist_nearby *const n = &s->near;
    const bool apart = alg_ist_nearby_begin(n, pose, answer);
    const double spheres_m = answer->distance_m;
    if (apart) {
        measure_candidate(n, n->spheres.last[0], n->spheres.last[1]);
        if (s->band_m > 0) {
            measure_band(s, answer);
        }
        alg_ist_nearby_approach(n, s->rounds);
        answer->counters[ALG_IST_NEARBY_TRIANGLES] = n->triangle_tests;
        if (sqrt(n->best.distance2) < spheres_m) {
            alg_ist_nearby_answer(n, answer);
        }
    }
    answer_bracket(n, spheres_m, answer);
}

const alg alg_ist_triangles = {
    .abi_version = ALG_ABI_VERSION,
    .name = "ist-triangles",
    .summary = "inner sphere trees, then the triangles nearest to the nearest spheres",
    .source = "IST IV-A",
    .flags = ALG_NEEDS_SOLIDS | ALG_KEEPS_STATE,
    .parameters = parameters,
    .parameter_count = PARAMETER_COUNT,
    .counters = alg_ist_nearby_counters,
    .contract = contract,
    .prepare = prepare,
    .dispose = alg_destroy,
    .bind = bind,
    .release = alg_destroy,
    .reset = reset,
    .query = query,
    .draw = alg_ist_body_draw,
    .facts = alg_ist_facts,
    .state_version = ALG_IST_STATE_VERSION,
    .save = alg_ist_body_save,
    .load = alg_ist_body_load_skin,
};
