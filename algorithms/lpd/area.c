/**
 * The entry lpd-area: force and torque from the curves of intersection alone. The force is minus
 * the gradient of the common volume. Stages 2 and 3 of the method are not needed for it.
 */
#include "algorithms/lpd/exact.h"
#include "algorithms/registry.h"
#include "geometry/pose.h"

/* Limit that bounds the memory. Segments beyond it are left out. */
enum { SEGMENTS_MAX = 65536 };

enum { COUNT_SEGMENTS, COUNT_CURVES, COUNT_OPEN, COUNTERS };
static const char *const counter_names[] = {
    [COUNT_SEGMENTS] = "segments_count",
    [COUNT_CURVES] = "curves_count",
    [COUNT_OPEN] = "open_curves_count",
    [COUNTERS] = NULL,
};

enum { STAGE_PAIRS, STAGE_CURVES, STAGES };
static const char *const stage_names[] = {
    [STAGE_PAIRS] = "pairs", [STAGE_CURVES] = "curves", [STAGES] = NULL};

/** A curve ends when it returns to its begin, so closed curves need no chords. */
static const alg_lpd_chaining chaining = {
    .search = ALG_LPD_GRID, .closing = true, .ends_equal = true, .k = 50};

/** A bound pair. */
typedef struct state {
    base_arena arena;
    alg_lpd_pair pair;
    bool force, stages; /* true if requested */
    alg_lpd_segments segments;
    alg_lpd_curves curves;
    uint32_t *numbers; /* numbers of all curves: 0, 1, 2, ... */
} state;

/** The gradient is exact for closed curves, which solids have. Open curves are closed by chords, so
 * the force of a general mesh is approximate. */
static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_CONTACT ? ALG_EXACT
           : quantity == ALG_FORCE ? ALG_APPROXIMATE
                                   : ALG_NOT_ANSWERED;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    (void)settings, (void)role;
    return alg_lpd_body_prepare(mesh, prepared, info, message);
}

static base_status make_lists(state *s, base_error *err)
{
    const uint64_t pairs = (uint64_t)s->pair.a->tree.count * s->pair.b->tree.count;
    const uint32_t room = pairs < SEGMENTS_MAX ? (uint32_t)pairs : SEGMENTS_MAX;
    base_status status = alg_lpd_segments_create(room, &s->arena, &s->segments, err);
    if (status == BASE_OK) {
        status = alg_lpd_curves_create(room, &s->arena, &s->curves, err);
    }
    if (status == BASE_OK) {
        s->numbers = base_arena_alloc(&s->arena, room, sizeof *s->numbers);
        status = s->numbers ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (uint32_t i = 0; i < room && status == BASE_OK; i++) {
        s->numbers[i] = i;
    }
    return status;
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, void **held, alg_message *message)
{
    (void)settings;
    const alg_status status = alg_create(sizeof(state), held, message);
    if (status != ALG_OK) {
        return status;
    }
    state *const s = *held;
    s->pair = (alg_lpd_pair){fixed, moving};
    s->force = (request->wanted & ALG_WANT_FORCE) != 0;
    s->stages = request->stages;
    base_error err = {0};
    return make_lists(s, &err) == BASE_OK ? ALG_OK : alg_abandon(held, alg_fail_geo(message, &err));
}

static void query(void *held, const geo_pose *pose, alg_answer *answer)
{
    state *const s = held;
    alg_stages stages = alg_stages_begin(s->stages);
    alg_lpd_segments_find(&s->pair, pose, &s->segments);
    answer->colliding = s->segments.pair_count > 0 || alg_lpd_nested(&s->pair, pose);
    answer->outcome = s->segments.left_count > 0 ? ALG_BUDGET_REACHED : ALG_CONVERGED;
    answer->counters[COUNT_SEGMENTS] = s->segments.count;
    answer->answered |= ALG_HAS_CONTACT;
    alg_stages_end(&stages, answer);
    if (s->force) {
        alg_lpd_curves_chain(&chaining, &s->pair, &s->segments, &s->curves);
        const vec3 about = geo_pose_apply(pose, s->pair.b->centroid);
        const alg_lpd_patch patch =
            alg_lpd_patch_make(&s->segments, &s->curves, s->numbers, s->curves.count, about);
        answer->force = patch.area;
        answer->torque = patch.moment;
        answer->counters[COUNT_CURVES] = s->curves.count;
        answer->counters[COUNT_OPEN] = s->curves.open_count;
        answer->answered |= ALG_HAS_FORCE;
    }
    alg_stages_end(&stages, answer);
}

static alg_law law(const alg_settings *settings)
{
    (void)settings;
    return ALG_LAW_AREA;
}

const alg_algorithm alg_lpd_area = {
    .abi_version = ALG_ABI_VERSION,
    .name = "lpd-area",
    .summary = "the gradient of the volume from the curves of intersection alone",
    .source = "LPD 2",
    .force_unit = "m2",
    .counters = counter_names,
    .stages = stage_names,
    .contract = contract,
    .prepare = prepare,
    .dispose = alg_destroy,
    .bind = bind,
    .release = alg_destroy,
    .query = query,
    .law = law,
};
