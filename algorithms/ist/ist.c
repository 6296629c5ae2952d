#include "algorithms/ist/query.h"

#include "algorithms/entries.h"
#include "algorithms/ist/body.h"
#include "algorithms/ist/saved.h"
#include "algorithms/support.h"

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

static const alg_parameter parameters[] = {
    ALG_IST_ROW_BRANCHING,
    ALG_IST_ROW_CLUSTERING,
    ALG_IST_ROW_CRITERION,
    {"directions", ALG_CHOICE, 0,                 0, 1, "centres|cones",
      "of forces: as centres lie; out of the normals"                                                           },
    ALG_IST_ROW_ERROR,
    ALG_IST_ROW_HIERARCHY,
    ALG_IST_ROW_MIN_RADIUS,
    ALG_IST_ROW_PACKING,
    {"radius",     ALG_CHOICE, ALG_IST_SECONDARY, 0, 2, "primary|secondary|centroid",
      "balls of the volume"                                                                                     },
    ALG_IST_ROW_SPHERES,
    {"start",      ALG_CHOICE, 0,                 0, 1, "cold|last",                  "where a distance begins"},
    ALG_IST_ROW_STOP,
    ALG_IST_ROW_VOXELS,
};
_Static_assert(sizeof parameters / sizeof *parameters == PARAMETER_COUNT, "one row each");

static const char *const counter_names[] = {
    [ALG_IST_COUNT_BALLS] = "bv_tests_count", [ALG_IST_COUNT_LEAVES] = "primitive_tests_count",
    [ALG_IST_COUNT_NODES] = "nodes_count",    [ALG_IST_COUNT_CONTACTS] = "contacts_count",
    [ALG_IST_COUNT_CONTACTS + 1] = NULL,
};

/** A bound pair. */
typedef struct state {
    base_arena arena;
    alg_ist_pair pair;
} state;

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    if (quantity == ALG_DISTANCE) {
        return ALG_UPPER_BOUND;
    }
    if (quantity == ALG_CONTACT) {
        return ALG_LOWER_BOUND;
    }
    if (settings->values[PACKING] == ALG_IST_COVER) {
        return ALG_NOT_ANSWERED;
    }
    return settings->values[RADIUS] == ALG_IST_PRIMARY ? ALG_LOWER_BOUND : ALG_APPROXIMATE;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    (void)role;
    const alg_ist_options options = alg_ist_read_options(&alg_ist, settings);
    alg_ist_body *built;
    const alg_status status = alg_ist_body_prepare(&options, mesh, &built, info, message);
    *prepared = built;
    return status;
}

static void release(void *held)
{
    if (held) {
        base_arena arena = ((state *)held)->arena;
        base_arena_release(&arena);
    }
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       unsigned wanted, void **held, alg_message *message)
{
    const alg_ist_body *const a = fixed, *const b = moving;
    *held = NULL;
    base_arena arena = {0};
    state *const s = base_arena_alloc(&arena, 1, sizeof *s);
    alg_ist_entry *const stack =
        base_arena_alloc(&arena, alg_ist_stack_size(&a->tree, &b->tree), sizeof *stack);
    if (!s || !stack) {
        base_arena_release(&arena);
        return alg_fail(message, ALG_OUT_OF_MEMORY, "out of memory for a traversal");
    }
    s->arena = arena;
    s->pair = (alg_ist_pair){
        .a = &a->tree,
        .b = &b->tree,
        .centroid_b = b->centroid,
        .secondary = settings->values[RADIUS] != ALG_IST_PRIMARY,
        .cones = settings->values[DIRECTIONS] == 1,
        .coherent = settings->values[START] == 1,
        .wanted = wanted,
        .stack = stack,
        .last = {ALG_IST_NOBODY, ALG_IST_NOBODY}
    };
    *held = s;
    return ALG_OK;
}

static void reset(void *held)
{
    state *const s = held;
    s->pair.last[0] = s->pair.last[1] = ALG_IST_NOBODY;
}

static void query(void *held, const geo_pose *pose, alg_answer *answer)
{
    state *const s = held;
    alg_ist_query(&s->pair, pose, answer);
}

const alg alg_ist = {
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
    .dispose = alg_ist_body_dispose,
    .bind = bind,
    .release = release,
    .reset = reset,
    .query = query,
    .draw = alg_ist_body_draw,
    .facts = alg_ist_facts,
    .state_version = ALG_IST_STATE_VERSION,
    .save = alg_ist_body_save,
    .load = alg_ist_body_load,
};
