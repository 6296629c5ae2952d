#include "algorithms/ist/query.h"

#include "algorithms/entries.h"
#include "algorithms/support.h"

/* Sorted by name; name, type, default, range, choices, help. */
enum { MIN_RADIUS, RADIUS, SPHERES, START, VOXELS, PARAMETER_COUNT };

static const alg_parameter parameters[] = {
    {"min-radius", ALG_REAL,    0,   0, 100,  NULL,                "smallest radius, in voxel edges"},
    {"radius",     ALG_CHOICE,  1,   0, 1,    "primary|secondary", "radii for the volume"           },
    {"spheres",    ALG_INTEGER, 0,   0, 1e8,  NULL,                "most of a body; 0: no limit"    },
    {"start",      ALG_CHOICE,  0,   0, 1,    "cold|last",         "where a distance begins"        },
    {"voxels",     ALG_INTEGER, 128, 2, 2048, NULL,                "on a body's longest box edge"   },
};
_Static_assert(ALG_VOXEL_RESOLUTION_MAX == 2048, "the range of voxels");
_Static_assert(sizeof parameters / sizeof *parameters == PARAMETER_COUNT, "one row each");

static const char *const counter_names[] = {
    [ALG_IST_COUNT_BALLS] = "bv_tests_count", [ALG_IST_COUNT_LEAVES] = "primitive_tests_count",
    [ALG_IST_COUNT_NODES] = "nodes_count",    [ALG_IST_COUNT_CONTACTS] = "contacts_count",
    [ALG_IST_COUNT_CONTACTS + 1] = NULL,
};

/** A prepared body; it lives in its own arena. */
typedef struct body {
    geo_arena arena;
    alg_ist_tree tree;
    vec3 centroid;
} body;

/** A bound pair. */
typedef struct state {
    geo_arena arena;
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
    return settings->values[RADIUS] == 0 ? ALG_LOWER_BOUND : ALG_APPROXIMATE;
}

static void dispose(void *prepared)
{
    if (prepared != NULL) {
        geo_arena arena = ((body *)prepared)->arena;
        geo_arena_release(&arena);
    }
}

/** Packs the solid. scratch: arena of what is needed for that alone. */
static alg_status pack_body(const alg_settings *settings, const alg_mesh *mesh, geo_arena *scratch,
                            alg_ist_packing *packing, alg_message *message)
{
    const uint32_t voxels = (uint32_t)settings->values[VOXELS];
    const alg_ist_limits limits = {settings->values[MIN_RADIUS], (size_t)settings->values[SPHERES]};
    geo_mesh copy;
    geo_surface surface;
    alg_voxel_grid grid;
    alg_voxel_field field;
    geo_error err = {0};
    if (alg_mesh_copy(mesh, scratch, &copy, &err) != GEO_OK ||
        geo_surface_build(&copy, scratch, &surface, &err) != GEO_OK ||
        alg_voxel_grid_build(&copy, voxels, scratch, &grid, &err) != GEO_OK ||
        alg_voxel_field_build(&grid, &surface, scratch, &field, &err) != GEO_OK ||
        alg_ist_pack(&field, &limits, packing, &err) != GEO_OK) {
        return alg_fail_geo(message, &err);
    }
    if (packing->count == 0) {
        return alg_fail(message, ALG_UNSUPPORTED,
                        grid.voxel_count == 0
                            ? "the body is too thin for %u voxels along its box: none has its "
                              "centre inside; ask for more voxels"
                            : "the body is too thin for %u voxels along its box: no sphere reaches "
                              "min-radius; ask for more voxels or smaller spheres",
                        voxels);
    }
    if (alg_ist_share_rest(&field, packing, &err) != GEO_OK) {
        return alg_fail_geo(message, &err);
    }
    alg_ist_fill_gaps(packing, mesh->volume_m3);
    return ALG_OK;
}

static alg_status build_body(const alg_settings *settings, const alg_mesh *mesh,
                             const alg_ist_packing *packing, body **built, alg_message *message)
{
    geo_arena arena = {0};
    geo_error err = {0};
    body *const b = geo_arena_alloc(&arena, 1, sizeof *b);
    geo_status status =
        b != NULL ? GEO_OK : geo_fail(&err, GEO_ERR_MEMORY, "out of memory for a body");
    if (status == GEO_OK) {
        const alg_ist_tree_options options = {.branching = 4, .seed = settings->seed};
        status = alg_ist_tree_build(packing, &options, &arena, &b->tree, &err);
    }
    if (status != GEO_OK) {
        geo_arena_release(&arena);
        return alg_fail_geo(message, &err);
    }
    if (!(b->tree.reach >= ALG_IST_REACH_LEAST && b->tree.reach <= ALG_IST_REACH_MOST)) {
        geo_arena_release(&arena);
        return alg_fail(message, ALG_UNSUPPORTED,
                        "ist needs a body that reaches from %g to %g m, not %g m",
                        ALG_IST_REACH_LEAST, ALG_IST_REACH_MOST, b->tree.reach);
    }
    b->centroid = mesh->centroid;
    b->arena = arena;
    *built = b;
    return ALG_OK;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    (void)role;
    *prepared = NULL;
    if (!mesh->solid) {
        return alg_fail(message, ALG_UNSUPPORTED, "ist needs a solid");
    }
    geo_arena scratch = {0};
    alg_ist_packing packing = {0};
    body *built = NULL;
    alg_status status = pack_body(settings, mesh, &scratch, &packing, message);
    geo_arena_release(&scratch);
    if (status == ALG_OK) {
        status = build_body(settings, mesh, &packing, &built, message);
    }
    alg_ist_packing_release(&packing);
    if (status == ALG_OK) {
        *info = (alg_build_info){built->arena.bytes, built->tree.sphere_count};
        *prepared = built;
    }
    return status;
}

static void release(void *held)
{
    if (held != NULL) {
        geo_arena arena = ((state *)held)->arena;
        geo_arena_release(&arena);
    }
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       unsigned wanted, void **held, alg_message *message)
{
    const body *const a = fixed, *const b = moving;
    *held = NULL;
    geo_arena arena = {0};
    state *const s = geo_arena_alloc(&arena, 1, sizeof *s);
    alg_ist_entry *const stack =
        geo_arena_alloc(&arena, alg_ist_stack_size(&a->tree, &b->tree), sizeof *stack);
    if (s == NULL || stack == NULL) {
        geo_arena_release(&arena);
        return alg_fail(message, ALG_OUT_OF_MEMORY, "out of memory for a traversal");
    }
    s->arena = arena;
    s->pair = (alg_ist_pair){
        .a = &a->tree,
        .b = &b->tree,
        .centroid_b = b->centroid,
        .secondary = settings->values[RADIUS] == 1,
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

/** The disjoint spheres, which are inside the body; not those that fill its gaps. */
static void draw(const void *prepared, const alg_sink *sink)
{
    const alg_ist_tree *const tree = &((const body *)prepared)->tree;
    for (uint32_t i = 0; i < tree->sphere_count; i++) {
        const alg_ist_sphere *const s = &tree->spheres[i];
        sink->sphere(sink->context, &(geo_ball){s->centre, s->primary});
    }
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
    .dispose = dispose,
    .bind = bind,
    .release = release,
    .reset = reset,
    .query = query,
    .draw = draw,
};
