/**
 * All pairs of triangles that share a point, with the intersection of each pair. This is the exact
 * contact of surfaces, whether they are closed, open or triangle soups.
 *
 * Without a buffer, pairs are only counted. A contact is the midpoint of a pair's intersection. It
 * has no normal and no depth, because surfaces have no inside.
 */
#include "algorithms/life.h"
#include "algorithms/registry.h"
#include "geometry/tree.h"
#include "geometry/vec.h"

enum { COUNT_TESTS };
static const char *const counter_names[] = {[COUNT_TESTS] = "primitive_tests_count", NULL};

typedef struct body {
    base_arena arena;
    geo_tree tree;
} body;

typedef struct state {
    base_arena arena;
    const body *a, *b;
} state;

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_CONTACT ? ALG_EXACT : ALG_NOT_ANSWERED;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    (void)settings, (void)role;
    const alg_status status = alg_create(sizeof(body), prepared, message);
    if (status != ALG_OK) {
        return status;
    }
    body *const b = *prepared;
    const geo_mesh view = alg_mesh_view(mesh);
    base_error err = {0};
    if (geo_tree_build(&view, geo_box_centre(mesh->box), INFINITY, &b->arena, &b->tree, &err) !=
        BASE_OK) {
        return alg_abandon(prepared, alg_fail_geo(message, &err));
    }
    info->bytes = b->arena.bytes;
    info->primitives = mesh->face_count;
    return ALG_OK;
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, void **held, alg_message *message)
{
    (void)settings, (void)request;
    const alg_status status = alg_create(sizeof(state), held, message);
    if (status == ALG_OK) {
        state *const s = *held;
        s->a = fixed;
        s->b = moving;
    }
    return status;
}

/** Counts a pair. Stores the pair and its contact if there is room; only then it reads `common`. */
static bool list_pair(void *context, uint32_t face_a, uint32_t face_b, const geo_common *common)
{
    alg_answer *const answer = context;
    const uint32_t index = answer->pair_count++;
    if (index < answer->pair_capacity) {
        answer->pairs[index] = (alg_face_pair){face_a, face_b, common->from, common->to};
    }
    if (index < answer->contact_capacity) {
        const vec3 along = vec3_sub(common->to, common->from);
        answer->contacts[index] = (alg_contact){.point = vec3_madd(common->from, 0.5, along)};
    }
    return true;
}

static void query(void *held, const geo_pose *pose, alg_answer *answer)
{
    const state *const s = held;
    const bool list = answer->pair_capacity > 0 || answer->contact_capacity > 0;
    geo_tree_intersections(&s->a->tree, &s->b->tree, pose, list, list_pair, answer,
                           &answer->counters[COUNT_TESTS]);
    answer->colliding = answer->pair_count > 0;
    answer->answered = ALG_HAS_CONTACT | ALG_HAS_PAIRS;
    if (answer->contact_capacity > 0) {
        answer->contact_count = answer->pair_count;
        answer->answered |= ALG_HAS_CONTACTS;
    }
    answer->outcome = ALG_CONVERGED;
}

const alg_algorithm alg_exact_pairs = {
    .abi_version = ALG_ABI_VERSION,
    .name = "exact-pairs",
    .summary = "all pairs of triangles that share a point, with the segments that they share",
    .source = "Moller1997",
    .flags = ALG_SURFACE | ALG_ALL_PAIRS,
    .counters = counter_names,
    .contract = contract,
    .prepare = prepare,
    .dispose = alg_destroy,
    .bind = bind,
    .release = alg_destroy,
    .query = query,
};
