/**
 * Time-critical queries: bounds that are improved until a budget of work or of time is used up.
 *
 * The two quantities use different data. The volume comes from a traversal of B's cubes, with their
 * exact volumes, against A's slabs (bracket.h). It uses no spheres. The distance comes from a
 * traversal of the inner spheres of both bodies, with outer spheres around them (ist/query.h).
 */
#include "algorithms/archive.h"
#include "algorithms/bounds/bracket.h"
#include "algorithms/ist/body.h"
#include "algorithms/ist/query.h"
#include "algorithms/life.h"
#include "algorithms/registry.h"

enum { CELLS, VOXELS, BUDGET, DEADLINE, PARAMETER_COUNT };

static const alg_parameter parameters[] = {
    [CELLS] = {"cells", ALG_INTEGER, 128, 2, 512, NULL,
               "cubes on a body's longest box edge; up to twice as many"},
    [VOXELS] = ALG_IST_ROW_VOXELS,
    [BUDGET] = {"budget", ALG_INTEGER, 0, 0, 1e9, NULL,
                "greatest number of tests of balls or cubes; 0: no limit"},
    [DEADLINE] = {"deadline-us", ALG_REAL, 0, 0, 1e6, NULL,
                  "time for a query, by the clock; 0: no limit, and no clock is read"},
};

enum { COUNT_TESTS, COUNT_OPENED };

static const char *const counter_names[] = {
    [COUNT_TESTS] = "bv_tests_count", [COUNT_OPENED] = "nodes_count", NULL};

/* The number of cubes that are opened between two clock readings. They take about 2 us. */
enum { BATCH = 4 };

/** A prepared body. It lies in its own arena. */
typedef struct body {
    base_arena arena;
    alg_bounds_slabs slabs; /* only for the fixed body */
    alg_bounds_cells cells; /* only for the moving body */
    alg_ist_body *spheres;  /* owned, freed by alg_destroy */
} body;

/** State of a bound pair. */
typedef struct state {
    base_arena arena;
    unsigned wanted;
    alg_ist_pair spheres;
    const geo_shell *shell_a, *shell_b;
    alg_bounds_bracket bracket;
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
        alg_destroy(((body *)prepared)->spheres);
        alg_destroy(prepared);
    }
}

static bool reads_clock(const alg_settings *settings)
{
    return settings->values[DEADLINE] > 0;
}

/** Implements alg_algorithm.body_settings. Only queries read the budget and the deadline. */
static void body_settings(alg_settings *settings)
{
    settings->values[BUDGET] = settings->values[DEADLINE] = 0;
}

/** Builds the data for the volume: cells of the moving body, slabs of the fixed body. */
static base_status build(const alg_mesh *mesh, uint32_t resolution, alg_role role, body *b,
                         base_error *err)
{
    const geo_mesh view = alg_mesh_view(mesh);
    if (role == ALG_MOVING) {
        return alg_bounds_cells_build(&view, resolution, &b->arena, &b->cells, err);
    }
    base_arena scratch = {0};
    geo_surface surface;
    base_status status = geo_surface_build(&view, &scratch, &surface, err);
    if (status == BASE_OK) {
        status = alg_bounds_slabs_build(&surface, resolution, &b->arena, &b->slabs, err);
    }
    base_arena_release(&scratch);
    return status;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    *prepared = NULL;
    if (!mesh->solid) {
        return alg_fail(message, ALG_UNSUPPORTED, "a volume needs a solid");
    }
    alg_status status = alg_create(sizeof(body), prepared, message);
    if (status != ALG_OK) {
        return status;
    }
    body *const b = *prepared;
    base_error err = {0};
    if (build(mesh, (uint32_t)settings->values[CELLS], role, b, &err) != BASE_OK) {
        return alg_abandon(prepared, alg_fail_geo(message, &err));
    }
    const alg_ist_options options = {
        .packing = ALG_IST_COVER,
        .voxels = (uint32_t)settings->values[VOXELS],
        .tree = {.branching = 4, .seed = settings->seed},
        .skin = true,
    };
    void *spheres;
    status = alg_ist_body_prepare(&options, mesh, &spheres, info, message);
    b->spheres = spheres;
    if (status != ALG_OK) {
        return alg_abandon(prepared, status);
    }
    info->bytes += b->arena.bytes;
    info->primitives += role == ALG_FIXED ? b->slabs.slab_count : b->cells.leaf_count;
    return ALG_OK;
}

_Static_assert(sizeof(alg_bounds_slabs_level) == 80 && sizeof(alg_bounds_slabs) == 1320 &&
                   sizeof(alg_bounds_cells) == 72,
               "a member that is added is serialized as well");

static void serialize_slabs(alg_archive *archive, alg_bounds_slabs *slabs)
{
    const size_t block = ALG_VOXEL_BLOCK * ALG_VOXEL_BLOCK * ALG_VOXEL_BLOCK;
    ALG_VALUE(archive, slabs->level_count);
    for (uint32_t l = 0; l < slabs->level_count; l++) {
        alg_voxel_blocks *const grid = &slabs->levels[l].grid;
        const uint32_t *const n = grid->count;
        ALG_VALUE(archive, slabs->levels[l].edge);
        ALG_VALUE(archive, slabs->levels[l].origin);
        ALG_VALUE(archive, grid->size);
        ALG_VALUE(archive, grid->count);
        ALG_VALUE(archive, grid->open_count);
        ALG_ARRAY(archive, grid->blocks, (size_t)n[0] * n[1] * n[2]);
        ALG_ARRAY(archive, grid->voxels, grid->open_count * block);
    }
    ALG_VALUE(archive, slabs->slab_count);
    ALG_ARRAY(archive, slabs->slabs, slabs->slab_count);
    ALG_VALUE(archive, slabs->volume);
    ALG_VALUE(archive, slabs->reach);
}

static void serialize_cells(alg_archive *archive, alg_bounds_cells *cells)
{
    ALG_VALUE(archive, cells->origin);
    ALG_VALUE(archive, cells->edge);
    ALG_VALUE(archive, cells->finest);
    ALG_VALUE(archive, cells->levels);
    ALG_VALUE(archive, cells->volume);
    ALG_VALUE(archive, cells->cell_count);
    ALG_ARRAY(archive, cells->cells, cells->cell_count);
    ALG_VALUE(archive, cells->leaf_count);
}

/** Saves or loads a body. The members that its role does not use are zero. */
static void serialize_body(alg_archive *archive, void *object)
{
    body *const b = object;
    serialize_slabs(archive, &b->slabs);
    serialize_cells(archive, &b->cells);
    if (ALG_OBJECT(archive, b->spheres)) {
        alg_ist_body_serialize(archive, b->spheres);
    }
}

static alg_status save(const void *prepared, const alg_writer *to, alg_message *message)
{
    return alg_save(serialize_body, prepared, to, message);
}

/** Implements alg_algorithm.load. Loaded spheres lie in the body's arena, except for their skin. */
static alg_status load(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                       const void *bytes, size_t size, void **prepared, alg_build_info *info,
                       alg_message *message)
{
    (void)settings, (void)role, (void)info;
    alg_status status = alg_load(serialize_body, sizeof(body), bytes, size, prepared, message);
    base_error err;
    if (status == ALG_OK &&
        alg_ist_body_attach(((body *)*prepared)->spheres, mesh, &err) != BASE_OK) {
        status = alg_fail_geo(message, &err);
        dispose(*prepared);
        *prepared = NULL;
    }
    return status;
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, void **held, alg_message *message)
{
    const body *const a = fixed, *const b = moving;
    const alg_ist_body *const spheres_a = a->spheres, *const spheres_b = b->spheres;
    const alg_status status = alg_create(sizeof(state), held, message);
    if (status != ALG_OK) {
        return status;
    }
    state *const s = *held;
    base_error err = {0};
    s->wanted = request->wanted;
    s->budget = (uint64_t)settings->values[BUDGET];
    s->budget_ns = (uint64_t)(1e3 * settings->values[DEADLINE]);
    s->shell_a = &spheres_a->skin->shell;
    s->shell_b = &spheres_b->skin->shell;
    s->spheres = (alg_ist_pair){.bounded = true,
                                .wanted = ALG_WANT_DISTANCE,
                                .budget = s->budget,
                                .budget_ns = s->budget_ns};
    if (alg_ist_pair_bind(&spheres_a->solid, &spheres_b->solid, &s->arena, &s->spheres, &err) !=
        BASE_OK) {
        return alg_abandon(held, alg_fail_geo(message, &err));
    }
    s->bracket = (alg_bounds_bracket){
        .a = &a->slabs,
        .b = &b->cells,
        .cubes = base_arena_alloc(&s->arena, ALG_BOUNDS_CUBES_MAX, sizeof *s->bracket.cubes),
        .capacity = ALG_BOUNDS_CUBES_MAX,
    };
    if (!s->bracket.cubes) {
        return alg_abandon(held, alg_fail(message, ALG_OUT_OF_MEMORY, "out of memory for a queue"));
    }
    return ALG_OK;
}

/**
 * Outer spheres cover the surfaces. If the outer spheres of the two bodies are disjoint, the
 * surfaces do not intersect, and the bodies overlap only if a part of one lies inside the other.
 * Then this is tested, without regard to the budget and the deadline. The test takes at most one
 * point-in-surface test for each connected part of either body, so its cost is limited.
 */
static void answer_distance(state *s, const geo_pose *pose, alg_answer *answer)
{
    vec3 in_both;
    alg_ist_query(&s->spheres, pose, answer);
    if (answer->distance_lo_m > 0 && geo_shells_nested(s->shell_a, s->shell_b, pose, &in_both)) {
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

/** Implements alg_algorithm.query. If both quantities are wanted, the distance comes first, and the
 * volume gets the tests and the time that are left. */
static void query(void *held, const geo_pose *pose, alg_answer *answer)
{
    state *const s = held;
    const uint64_t begin_ns = s->budget_ns > 0 ? alg_clock_ns() : 0;
    if (s->wanted & ALG_WANT_DISTANCE) {
        answer_distance(s, pose, answer);
    }
    if (!(s->wanted & ALG_WANT_VOLUME)) {
        return;
    }
    alg_bounds_bracket *const bracket = &s->bracket;
    const uint64_t budget = s->budget > 0 ? s->budget - answer->counters[COUNT_TESTS] : UINT64_MAX;
    alg_bounds_bracket_begin(bracket, pose);
    bool more = true;
    while (more && bracket->tests < budget &&
           (s->budget_ns == 0 || alg_clock_ns() - begin_ns < s->budget_ns)) {
        for (int i = 0; i < BATCH && more && bracket->tests < budget; i++) {
            const uint64_t left = budget - bracket->tests;
            more = alg_bounds_bracket_step(bracket, left < 8 ? (uint32_t)left : 8);
        }
    }
    const alg_bounds_volume bounds = alg_bounds_bracket_bounds(bracket);
    answer->volume_m3 = bounds.middle;
    answer->volume_lo_m3 = bounds.lower;
    answer->volume_hi_m3 = bounds.upper;
    answer->colliding |= bounds.lower > 0;
    answer->answered |= ALG_HAS_VOLUME | ALG_HAS_VOLUME_BRACKET;
    if (answer->outcome != ALG_BUDGET_REACHED) {
        answer->outcome = more ? ALG_BUDGET_REACHED : ALG_CONVERGED;
    }
    answer->counters[COUNT_TESTS] += bracket->tests;
    answer->counters[COUNT_OPENED] += bracket->opened;
}

const alg_algorithm alg_bounds_budget = {
    .abi_version = ALG_ABI_VERSION,
    .name = "bounds-budget",
    .summary = "within a budget or deadline: volume by cubes against slabs, distance by spheres",
    .source = "IST VI",
    .flags = ALG_NEEDS_SOLIDS,
    .parameters = parameters,
    .parameter_count = PARAMETER_COUNT,
    .counters = counter_names,
    .contract = contract,
    .prepare = prepare,
    .dispose = dispose,
    .bind = bind,
    .release = alg_destroy,
    .query = query,
    .save = save,
    .load = load,
    .body_settings = body_settings,
    .reads_clock = reads_clock,
};
