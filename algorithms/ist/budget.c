/**
 * Time-critical volumes: bounds that are narrowed until a budget is used up, of work or of time.
 *
 * The fixed body is slabs, the moving one cells (see bracket.h).
 */
#include "algorithms/ist/bracket.h"

#include "algorithms/entries.h"
#include "algorithms/ist/query.h"
#include "algorithms/support.h"

/* Sorted by name; name, type, default, range, choices, help. */
enum { BUDGET, CELLS, PARAMETER_COUNT };

static const alg_parameter work_parameters[] = {
    {"budget", ALG_INTEGER, 0,   0, 1e9, NULL, "tests of cubes for a volume; 0: no limit"         },
    {"cells",  ALG_INTEGER, 128, 2, 512, NULL, "on a body's longest box edge, or up to twice that"},
};

static const alg_parameter time_parameters[] = {
    {"budget-us", ALG_REAL,    500, 0, 1e6, NULL, "time for a volume; 0: no limit"                   },
    {"cells",     ALG_INTEGER, 128, 2, 512, NULL, "on a body's longest box edge, or up to twice that"},
};
_Static_assert(sizeof work_parameters / sizeof *work_parameters == PARAMETER_COUNT &&
                   sizeof time_parameters / sizeof *time_parameters == PARAMETER_COUNT,
               "one row each");

enum { COUNT_TESTS, COUNT_CUBES };

static const char *const counter_names[] = {
    [COUNT_TESTS] = "bv_tests_count", [COUNT_CUBES] = "nodes_count", NULL};

/* Cubes that are opened between two looks at the clock: about 2 us. */
enum { BATCH = 4 };

/** A prepared body; it lives in its own arena. */
typedef struct body {
    geo_arena arena;
    alg_ist_slabs slabs; /* of a fixed body */
    alg_ist_cells cells; /* of a moving one */
} body;

/** A bound pair. */
typedef struct state {
    geo_arena arena;
    alg_ist_bracket bracket;
    uint64_t budget;    /* tests; 0: no limit */
    uint64_t budget_ns; /* 0: no limit */
} state;

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_VOLUME ? ALG_APPROXIMATE : ALG_NOT_ANSWERED;
}

static void dispose(void *prepared)
{
    if (prepared != NULL) {
        geo_arena arena = ((body *)prepared)->arena;
        geo_arena_release(&arena);
    }
}

/** scratch: arena of what is needed while building alone. */
static geo_status build(const alg_mesh *mesh, uint32_t resolution, alg_role role, geo_arena *arena,
                        geo_arena *scratch, body *b, geo_error *err)
{
    geo_mesh copy;
    geo_surface surface;
    geo_status status = alg_mesh_copy(mesh, scratch, &copy, err);
    if (status == GEO_OK && role == ALG_MOVING) {
        return alg_ist_cells_build(&copy, resolution, arena, &b->cells, err);
    }
    if (status == GEO_OK) {
        status = geo_surface_build(&copy, scratch, &surface, err);
    }
    return status == GEO_OK ? alg_ist_slabs_build(&surface, resolution, arena, &b->slabs, err)
                            : status;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    *prepared = NULL;
    if (!mesh->solid) {
        return alg_fail(message, ALG_UNSUPPORTED, "a volume needs a solid");
    }
    geo_arena arena = {0}, scratch = {0};
    geo_error err = {0};
    body *const b = geo_arena_alloc(&arena, 1, sizeof *b);
    const geo_status status =
        b != NULL ? build(mesh, (uint32_t)settings->values[CELLS], role, &arena, &scratch, b, &err)
                  : geo_fail(&err, GEO_ERR_MEMORY, "out of memory for a body");
    geo_arena_release(&scratch);
    if (status != GEO_OK) {
        geo_arena_release(&arena);
        return alg_fail_geo(message, &err);
    }
    b->arena = arena;
    info->bytes = arena.bytes;
    info->primitives = role == ALG_FIXED ? b->slabs.slab_count : b->cells.leaf_count;
    *prepared = b;
    return ALG_OK;
}

static void release(void *held)
{
    if (held != NULL) {
        geo_arena arena = ((state *)held)->arena;
        geo_arena_release(&arena);
    }
}

static alg_status bind_pair(const state *budgets, const void *fixed, const void *moving,
                            void **held, alg_message *message)
{
    const body *const a = fixed, *const b = moving;
    geo_arena arena = {0};
    state *const s = geo_arena_alloc(&arena, 1, sizeof *s);
    alg_ist_waiting *const waiting = geo_arena_alloc(&arena, ALG_IST_WAITING_MAX, sizeof *waiting);
    *held = NULL;
    if (s == NULL || waiting == NULL) {
        geo_arena_release(&arena);
        return alg_fail(message, ALG_OUT_OF_MEMORY, "out of memory for a queue");
    }
    *s = *budgets;
    s->arena = arena;
    s->bracket = (alg_ist_bracket){
        .a = &a->slabs, .b = &b->cells, .waiting = waiting, .capacity = ALG_IST_WAITING_MAX};
    *held = s;
    return ALG_OK;
}

static alg_status bind_work(const alg_settings *settings, const void *fixed, const void *moving,
                            unsigned wanted, void **held, alg_message *message)
{
    (void)wanted;
    const state budgets = {.budget = (uint64_t)settings->values[BUDGET]};
    return bind_pair(&budgets, fixed, moving, held, message);
}

static alg_status bind_time(const alg_settings *settings, const void *fixed, const void *moving,
                            unsigned wanted, void **held, alg_message *message)
{
    (void)wanted;
    const state budgets = {.budget_ns = (uint64_t)(1e3 * settings->values[BUDGET])};
    return bind_pair(&budgets, fixed, moving, held, message);
}

static void answer_volume(const alg_ist_bracket *bracket, bool stopped, alg_answer *answer)
{
    const alg_ist_bounds bounds = alg_ist_bracket_bounds(bracket);
    answer->volume_m3 = bounds.middle;
    answer->volume_lo_m3 = bounds.lower;
    answer->volume_hi_m3 = bounds.upper;
    answer->colliding |= bounds.lower > 0;
    answer->answered |= ALG_HAS_VOLUME | ALG_HAS_VOLUME_BRACKET;
    answer->outcome = stopped ? ALG_BUDGET_REACHED : ALG_CONVERGED;
    answer->counters[COUNT_TESTS] = bracket->tests;
    answer->counters[COUNT_CUBES] = bracket->opened;
}

static void query_work(void *held, const geo_pose *pose, alg_answer *answer)
{
    state *const s = held;
    alg_ist_bracket *const bracket = &s->bracket;
    const uint64_t budget = s->budget > 0 ? s->budget : UINT64_MAX;
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
    alg_ist_bracket *const bracket = &s->bracket;
    const uint64_t begin = alg_ist_clock_ns();
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
    .summary = "bounds of the overlap, narrowed until a budget of work is used up",
    .source = "IST V",
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
    .summary = "bounds of the overlap, narrowed until a budget of time is used up",
    .source = "IST V",
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
