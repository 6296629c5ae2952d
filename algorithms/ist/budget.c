/**
 * Time-critical queries: bounds that are narrowed until a budget is used up, of work or of time.
 *
 * For volumes the fixed body is slabs, the moving one cells (see bracket.h). For distances both are
 * inner spheres that cover the surface, with outer ones around them (query.h, owners.h).
 */
#include "algorithms/ist/bracket.h"

#include "algorithms/entries.h"
#include "algorithms/ist/body.h"
#include "algorithms/ist/query.h"
#include "algorithms/support.h"

/* Sorted by name; name, type, default, range, choices, help. */
enum { BUDGET, CELLS, VOXELS, PARAMETER_COUNT };

static const alg_parameter work_parameters[] = {
    {"budget", ALG_INTEGER, 0,   0, 1e9, NULL, "tests of balls or cubes; 0: no limit"             },
    {"cells",  ALG_INTEGER, 128, 2, 512, NULL, "on a body's longest box edge, or up to twice that"},
    ALG_IST_ROW_VOXELS,
};

static const alg_parameter time_parameters[] = {
    {"budget-us", ALG_REAL,    500, 0, 1e6, NULL, "time for a query; 0: no limit"                    },
    {"cells",     ALG_INTEGER, 128, 2, 512, NULL, "on a body's longest box edge, or up to twice that"},
    ALG_IST_ROW_VOXELS,
};
_Static_assert(sizeof work_parameters / sizeof *work_parameters == PARAMETER_COUNT &&
                   sizeof time_parameters / sizeof *time_parameters == PARAMETER_COUNT,
               "one row each");

enum { COUNT_TESTS, COUNT_OPENED };

static const char *const counter_names[] = {
    [COUNT_TESTS] = "bv_tests_count", [COUNT_OPENED] = "nodes_count", NULL};

/* Cubes that are opened between two looks at the clock: about 2 us. */
enum { BATCH = 4 };

/** A prepared body; it lives in its own arena. */
typedef struct body {
    base_arena arena;
    alg_ist_slabs slabs;   /* of a fixed body */
    alg_ist_cells cells;   /* of a moving one */
    alg_ist_body *spheres; /* owned */
} body;

/** A bound pair. */
typedef struct state {
    base_arena arena;
    unsigned wanted;
    alg_ist_pair spheres;
    const alg_ist_skin *skin_a, *skin_b;
    alg_ist_bracket bracket;
    uint64_t budget;    /* tests; 0: no limit */
    uint64_t budget_ns; /* 0: no limit */
} state;

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_VOLUME     ? ALG_APPROXIMATE
           : quantity == ALG_DISTANCE ? ALG_UPPER_BOUND
                                      : ALG_NOT_ANSWERED;
}

static void dispose(void *prepared)
{
    if (prepared) {
        alg_ist_body_dispose(((body *)prepared)->spheres);
        base_arena arena = ((body *)prepared)->arena;
        base_arena_release(&arena);
    }
}

/** scratch: arena of what is needed while building alone. */
static base_status build(const alg_mesh *mesh, uint32_t resolution, alg_role role,
                         base_arena *arena, base_arena *scratch, body *b, base_error *err)
{
    const geo_mesh view = alg_mesh_view(mesh);
    geo_surface surface;
    if (role == ALG_MOVING) {
        return alg_ist_cells_build(&view, resolution, arena, &b->cells, err);
    }
    const base_status status = geo_surface_build(&view, scratch, &surface, err);
    return status == BASE_OK ? alg_ist_slabs_build(&surface, resolution, arena, &b->slabs, err)
                             : status;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    *prepared = NULL;
    if (!mesh->solid) {
        return alg_fail(message, ALG_UNSUPPORTED, "a volume needs a solid");
    }
    base_arena arena = {0}, scratch = {0};
    base_error err = {0};
    body *const b = base_arena_alloc(&arena, 1, sizeof *b);
    const base_status status =
        b ? build(mesh, (uint32_t)settings->values[CELLS], role, &arena, &scratch, b, &err)
          : base_fail(&err, BASE_ERR_MEMORY, "out of memory for a body");
    base_arena_release(&scratch);
    if (status != BASE_OK) {
        base_arena_release(&arena);
        return alg_fail_geo(message, &err);
    }
    b->arena = arena;
    const alg_ist_options options = {
        .packing = ALG_IST_COVER,
        .voxels = (uint32_t)settings->values[VOXELS],
        .tree = {.branching = 4, .seed = settings->seed},
        .skin = true,
    };
    const alg_status spheres = alg_ist_body_prepare(&options, mesh, &b->spheres, info, message);
    if (spheres != ALG_OK) {
        dispose(b);
        return spheres;
    }
    info->bytes += arena.bytes;
    info->primitives += role == ALG_FIXED ? b->slabs.slab_count : b->cells.leaf_count;
    *prepared = b;
    return ALG_OK;
}

static void release(void *held)
{
    if (held) {
        base_arena arena = ((state *)held)->arena;
        base_arena_release(&arena);
    }
}

static alg_status bind_pair(const state *budgets, const void *fixed, const void *moving,
                            void **held, alg_message *message)
{
    const body *const a = fixed, *const b = moving;
    base_arena arena = {0};
    state *const s = base_arena_alloc(&arena, 1, sizeof *s);
    alg_ist_waiting *const waiting = base_arena_alloc(&arena, ALG_IST_WAITING_MAX, sizeof *waiting);
    const alg_ist_tree *const tree_a = &a->spheres->tree, *const tree_b = &b->spheres->tree;
    alg_ist_entry *const stack =
        base_arena_alloc(&arena, alg_ist_stack_size(tree_a, tree_b), sizeof *stack);
    *held = NULL;
    if (!s || !waiting || !stack) {
        base_arena_release(&arena);
        return alg_fail(message, ALG_OUT_OF_MEMORY, "out of memory for a queue");
    }
    *s = *budgets;
    s->arena = arena;
    s->skin_a = a->spheres->skin;
    s->skin_b = b->spheres->skin;
    s->spheres = (alg_ist_pair){
        .a = tree_a,
        .b = tree_b,
        .bounded = true,
        .wanted = ALG_WANT_DISTANCE,
        .stack = stack,
        .last = {ALG_IST_NOBODY, ALG_IST_NOBODY}
    };
    s->bracket = (alg_ist_bracket){
        .a = &a->slabs, .b = &b->cells, .waiting = waiting, .capacity = ALG_IST_WAITING_MAX};
    *held = s;
    return ALG_OK;
}

static alg_status bind_work(const alg_settings *settings, const void *fixed, const void *moving,
                            unsigned wanted, void **held, alg_message *message)
{
    const state budgets = {.wanted = wanted, .budget = (uint64_t)settings->values[BUDGET]};
    return bind_pair(&budgets, fixed, moving, held, message);
}

static alg_status bind_time(const alg_settings *settings, const void *fixed, const void *moving,
                            unsigned wanted, void **held, alg_message *message)
{
    const state budgets = {.wanted = wanted,
                           .budget_ns = (uint64_t)(1e3 * settings->values[BUDGET])};
    return bind_pair(&budgets, fixed, moving, held, message);
}

/**
 * Outer spheres cover the surfaces: where they are apart the surfaces do not meet, and a part of
 * one body inside the other is the only way to overlap.
 */
static void answer_distance(state *s, const geo_pose *pose, alg_answer *answer)
{
    vec3 in_both;
    s->spheres.budget = s->budget;
    s->spheres.budget_ns = s->budget_ns;
    alg_ist_query(&s->spheres, pose, answer);
    if (answer->distance_lo_m > 0 && alg_ist_skins_nested(s->skin_a, s->skin_b, pose, &in_both)) {
        answer->distance_m = answer->distance_lo_m = answer->distance_hi_m = 0;
        answer->witness_a = answer->witness_b = in_both;
        answer->colliding = true;
    }
    const uint64_t tests = answer->counters[ALG_IST_COUNT_BALLS];
    const uint64_t opened = answer->counters[ALG_IST_COUNT_NODES];
    for (int i = 0; i < ALG_COUNTERS_MAX; i++) {
        answer->counters[i] = 0;
    }
    answer->counters[COUNT_TESTS] = tests;
    answer->counters[COUNT_OPENED] = opened;
}

static void answer_volume(const alg_ist_bracket *bracket, bool stopped, alg_answer *answer)
{
    const alg_ist_bounds bounds = alg_ist_bracket_bounds(bracket);
    answer->volume_m3 = bounds.middle;
    answer->volume_lo_m3 = bounds.lower;
    answer->volume_hi_m3 = bounds.upper;
    answer->colliding |= bounds.lower > 0;
    answer->answered |= ALG_HAS_VOLUME | ALG_HAS_VOLUME_BRACKET;
    if (answer->outcome != ALG_BUDGET_REACHED) {
        answer->outcome = stopped ? ALG_BUDGET_REACHED : ALG_CONVERGED;
    }
    answer->counters[COUNT_TESTS] += bracket->tests;
    answer->counters[COUNT_OPENED] += bracket->opened;
}

/** Of a query for both, the volume has what the distance has left. */
static void query_work(void *held, const geo_pose *pose, alg_answer *answer)
{
    state *const s = held;
    if (s->wanted & ALG_WANT_DISTANCE) {
        answer_distance(s, pose, answer);
    }
    if (!(s->wanted & ALG_WANT_VOLUME)) {
        return;
    }
    alg_ist_bracket *const bracket = &s->bracket;
    const uint64_t budget = s->budget > 0 ? s->budget - answer->counters[COUNT_TESTS] : UINT64_MAX;
    alg_ist_bracket_begin(bracket, pose);
    bool more = true;
    while (more && bracket->tests < budget) {
        const uint64_t left = budget - bracket->tests;
        more = alg_ist_bracket_step(bracket, left < 8 ? (uint32_t)left : 8);
    }
    answer_volume(bracket, more, answer);
}

static void query_time(void *held, const geo_pose *pose, alg_answer *answer)
{
    state *const s = held;
    const uint64_t begin = alg_ist_clock_ns();
    if (s->wanted & ALG_WANT_DISTANCE) {
        answer_distance(s, pose, answer);
    }
    if (!(s->wanted & ALG_WANT_VOLUME)) {
        return;
    }
    alg_ist_bracket *const bracket = &s->bracket;
    alg_ist_bracket_begin(bracket, pose);
    bool more = true;
    while (more && (s->budget_ns == 0 || alg_ist_clock_ns() - begin < s->budget_ns)) {
        for (int i = 0; more && i < BATCH; i++) {
            more = alg_ist_bracket_step(bracket, 8);
        }
    }
    answer_volume(bracket, more, answer);
}

const alg alg_ist_budget = {
    .abi_version = ALG_ABI_VERSION,
    .name = "ist-budget",
    .summary = "bounds of distance and overlap, narrowed until a budget of work is used up",
    .source = "IST VI",
    .flags = ALG_NEEDS_SOLIDS,
    .parameters = work_parameters,
    .parameter_count = PARAMETER_COUNT,
    .counters = counter_names,
    .contract = contract,
    .prepare = prepare,
    .dispose = dispose,
    .bind = bind_work,
    .release = release,
    .query = query_work,
};

const alg alg_ist_deadline = {
    .abi_version = ALG_ABI_VERSION,
    .name = "ist-deadline",
    .summary = "bounds of distance and overlap, narrowed until a budget of time is used up",
    .source = "IST VI",
    .flags = ALG_NEEDS_SOLIDS | ALG_READS_CLOCK,
    .parameters = time_parameters,
    .parameter_count = PARAMETER_COUNT,
    .counters = counter_names,
    .contract = contract,
    .prepare = prepare,
    .dispose = dispose,
    .bind = bind_time,
    .release = release,
    .query = query_time,
};
