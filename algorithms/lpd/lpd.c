/**
 * Local penetration depth: segments of intersection are chained into curves, and curves are merged
 * into regions. Each region has a direction and a depth along it. The depth is computed by depth
 * buffers as in the paper (lpd), exactly (lpd-exact), or exactly along an improved direction
 * (lpd-refine).
 */
#include "algorithms/life.h"
#include "algorithms/lpd/exact.h"
#include "algorithms/lpd/pixels.h"
#include "algorithms/lpd/response.h"
#include "algorithms/registry.h"
#include "geometry/pose.h"

/** Method of the last stage. The first two stages are the same for all entries. */
typedef enum measure {
    BY_PIXELS,
    EXACTLY,
    REFINED,
} measure;

/* The parameters that all entries have come first. BY_PIXELS has three more. EXACTLY has WINDOW;
 * REFINED has WINDOW and then two of its own. */
enum {
    CHAIN,
    CELLS,
    K,
    ENDS,
    ENDS_EQUAL,
    CLOSING,
    MERGE,
    MERGE_FACTOR,
    COHERENCE,
    REGIONS,
    FORCE,
    DROP,
    MOVE,
    COMMON_COUNT,
    PIXELS = COMMON_COUNT,
    PIXEL,
    CULLING,
    PIXELS_COUNT,
    WINDOW = COMMON_COUNT,
    EXACT_COUNT,
    OBJECTIVE = EXACT_COUNT,
    STEPS,
    REFINED_COUNT,
};

/** Choices of `merge`: the mean length by which the distance for merging curves is scaled. */
typedef enum merge {
    BY_FRAME,
    BY_MODELS,
} merge;

/*
 * Limits of memory and of the time of stage 3. Segments and regions beyond them are dropped.
 * Merging 65,536 segments takes some seconds if each is a curve of its own and all are near to each
 * other. chain=naive takes as long for any 65,536 segments.
 */
enum { SEGMENTS_MAX = 65536, REGIONS_MAX = 256 };

/* The words are in the order of the enumerations to which their indices are converted. */
/* clang-format off */
#define COMMON_PARAMETERS(closing) \
    [CHAIN] = {"chain", ALG_CHOICE, ALG_LPD_GRID, .help = "how segments are chained into curves", \
        .choices = (const alg_choice[]){ \
            {"adjacency", "across the edge at which a segment ends, to the adjacent triangle"}, \
            {"grid", "the nearest end in a hashed grid, as in the paper"}, \
            {"naive", "the nearest of all ends: quadratic"}, \
            {0}}}, \
    [CELLS] = {"cells", ALG_CHOICE, 1, \
        .help = "cells of the grid in which the next end is searched", \
        .choices = (const alg_choice[]){ \
            {"27", "the end's cell and those around it, up to the longest side of a cell"}, \
            {"same", "the end's cell, as in the paper"}, \
            {0}}}, \
    [K] = {"k", ALG_REAL, 50, 0.1, 1e6, NULL, "segments per cell along a side of the grid"}, \
    [ENDS] = {"ends", ALG_CHOICE, 1, .help = "ends at which a curve is extended", \
        .choices = (const alg_choice[]){ \
            {"both", "its end, then its begin"}, \
            {"one", "its end, as in the paper"}, \
            {0}}}, \
    [ENDS_EQUAL] = {"ends-equal", ALG_CHOICE, 0, \
        .help = "whether an end at the same point is the next one without a distance", \
        .choices = (const alg_choice[]){ \
            {"on", "it is the next one"}, \
            {"off", "the nearest end is the next one, as in the paper"}, \
            {0}}}, \
    [CLOSING] = {"closing", ALG_CHOICE, closing, \
        .help = "whether a curve ends when it returns to its begin", \
        .choices = (const alg_choice[]){ \
            {"off", "it continues while a free end is near, as in the paper"}, \
            {"on", "it ends"}, \
            {0}}}, \
    [MERGE] = {"merge", ALG_CHOICE, BY_FRAME, \
        .help = "mean length that scales the distance at which curves are merged", \
        .choices = (const alg_choice[]){ \
            {"frame", "of the frame's segments"}, \
            {"models", "of the edges of both models"}, \
            {0}}}, \
    [MERGE_FACTOR] = {"merge-factor", ALG_REAL, 1, 0, 1e6, NULL, \
        "distance at which curves are merged, in these lengths; 0: no curves are merged"}, \
    [COHERENCE] = {"coherence", ALG_CHOICE, 1, \
        .help = "whether directions of the previous frame are kept", \
        .choices = (const alg_choice[]){ \
            {"last", "a region keeps its direction while its depth is at most a tenth larger"}, \
            {"none", "directions are not kept, as in the paper"}, \
            {0}}}, \
    [REGIONS] = {"regions", ALG_CHOICE, 0, \
        .help = "regions that the translation of the answer separates", \
        .choices = (const alg_choice[]){ \
            {"deepest", "the deepest region"}, \
            {"all", "all regions at once, by the shortest such translation"}, \
            {0}}}, \
    [FORCE] = {"force", ALG_CHOICE, ALG_LPD_ALONG_AREA, \
        .help = "direction of a region's force", \
        .choices = (const alg_choice[]){ \
            {"area", "along its vector area: the gradient of the volume in common"}, \
            {"depth", "along the direction of its depth"}, \
            {0}}}, \
    [DROP] = {"drop", ALG_REAL, 0, 0, 1, NULL, \
        "the share of segments that are left out at random, for a test"}, \
    [MOVE] = {"move", ALG_REAL, 0, 0, 1, NULL, \
        "distance by which ends are moved at random, in mean edges, for a test"}

static const alg_parameter pixels_parameters[] = {
    COMMON_PARAMETERS(0),
    [PIXELS] = {"pixels", ALG_INTEGER, 64, 0, ALG_LPD_PIXELS_MAX, NULL,
                "pixels of a depth buffer along both sides; 0: their size is `pixel`"},
    [PIXEL] = {"pixel", ALG_REAL, 0.5, 0.001, 1000, NULL,
               "size of a pixel if pixels=0, in mean edges of the finer body"},
    [CULLING] = {"culling", ALG_CHOICE, 1, .help = "triangles that are drawn into depth buffers",
        .choices = (const alg_choice[]){
            {"off", "all, into both buffers of their body, as in the paper"},
            {"on", "those that can change the depth"},
            {0}}},
};

/** EXACTLY uses the first EXACT_COUNT rows, REFINED all. */
static const alg_parameter exact_parameters[] = {
    COMMON_PARAMETERS(1),
    [WINDOW] = {"window", ALG_CHOICE, 1, .help = "window in which a depth is computed",
        .choices = (const alg_choice[]){
            {"curve", "the rectangle around the curve, as in the paper"},
            {"grown", "enlarged by the depth until the depth no longer increases"},
            {0}}},
    [OBJECTIVE] = {"objective", ALG_CHOICE, ALG_LPD_GRADIENT,
        .help = "choice of the next direction",
        .choices = (const alg_choice[]){
            {"gradient", "the normal of the surfaces that separate last: the depth's gradient"},
            {"pattern", "rings around the best direction: uses depths alone"},
            {0}}},
    [STEPS] = {"steps", ALG_INTEGER, 8, 1, 1000, NULL, "maximum number of directions on each side"},
};
/* clang-format on */

enum {
    COUNT_SEGMENTS,
    COUNT_CURVES,
    COUNT_OPEN,
    COUNT_BRANCHES,
    COUNT_LONGER,
    COUNT_BLIND,
    COUNT_END_TESTS,
    COUNT_TRIANGLES,
    COUNTERS
};
static const char *const counter_names[] = {
    [COUNT_SEGMENTS] = "segments_count",
    [COUNT_CURVES] = "curves_count",
    [COUNT_OPEN] = "open_curves_count",
    [COUNT_BRANCHES] = "branches_count",
    [COUNT_LONGER] = "longer_boxes_count",
    [COUNT_BLIND] = "blind_regions_count",
    [COUNT_END_TESTS] = "tests_count",
    [COUNT_TRIANGLES] = "primitive_tests_count",
    [COUNTERS] = NULL,
};

enum { STAGE_PAIRS, STAGE_CURVES, STAGE_BOXES, STAGE_DEPTHS, STAGES };
static const char *const stage_names[] = {
    [STAGE_PAIRS] = "pairs",   [STAGE_CURVES] = "curves", [STAGE_BOXES] = "boxes",
    [STAGE_DEPTHS] = "depths", [STAGES] = NULL,
};

/** State of a bound pair. */
typedef struct state {
    base_arena arena;
    alg_lpd_pair pair;
    unsigned wanted;
    bool stages;

    alg_lpd_noise noise;
    alg_lpd_chaining chaining;
    merge merge;
    double merge_factor;
    bool coherent;
    measure measure;
    alg_lpd_resolution resolution;
    bool grows; /* windows grow with their depth */
    alg_lpd_objective objective;
    uint32_t steps;
    alg_lpd_pushing pushing;
    bool all_regions; /* the answered translation separates all regions at once */

    alg_lpd_segments segments;
    alg_lpd_curves curves;
    alg_lpd_groups groups;
    alg_lpd_region *regions;
    uint32_t region_count;  /* number of regions: those of the first region_count groups */
    alg_lpd_screen *screen; /* only for BY_PIXELS */
    alg_lpd_column *column;
    alg_lpd_past past;
} state;

/* --- Contract --------------------------------------------------------------------------------- */

/** Contacts are decided exactly, by pairs of triangles. Depths are local and also exist for open
 * meshes. */
static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    switch (quantity) {
    case ALG_CONTACT:
        return ALG_EXACT;
    case ALG_DEPTH:
    case ALG_FORCE:
        return ALG_APPROXIMATE;
    default:
        return ALG_NOT_ANSWERED;
    }
}

/* --- Bodies ----------------------------------------------------------------------------------- */

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    (void)settings, (void)role;
    return alg_lpd_body_prepare(mesh, prepared, info, message);
}

/* --- Pairs ------------------------------------------------------------------------------------ */

static base_status make_lists(state *s, base_error *err)
{
    /* There are at most as many segments as pairs of triangles. */
    const uint64_t pairs = (uint64_t)s->pair.a->tree.count * s->pair.b->tree.count;
    const uint32_t room = pairs < SEGMENTS_MAX ? (uint32_t)pairs : SEGMENTS_MAX;
    base_status status = alg_lpd_segments_create(room, &s->arena, &s->segments, err);
    if (status == BASE_OK) {
        status = alg_lpd_curves_create(room, &s->arena, &s->curves, err);
    }
    if (status == BASE_OK) {
        status = alg_lpd_groups_create(room, &s->arena, &s->groups, err);
    }
    if (status == BASE_OK) {
        s->regions = base_arena_alloc(&s->arena, REGIONS_MAX, sizeof *s->regions);
        status = s->regions ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    if (status == BASE_OK) {
        status = alg_lpd_column_create(&s->pair, s->grows, &s->arena, &s->column, err);
    }
    if (status == BASE_OK && s->measure == BY_PIXELS) {
        status =
            alg_lpd_screen_create(&s->pair, s->resolution.draws_all, &s->arena, &s->screen, err);
    }
    return status;
}

/** Returns the mean edge of both bodies. */
static double mean_edge(const state *s)
{
    return 0.5 * (s->pair.a->mean_edge_m + s->pair.b->mean_edge_m);
}

static void read_settings(const alg_settings *settings, state *s)
{
    const double *const values = settings->values;
    s->chaining = (alg_lpd_chaining){
        .search = (alg_lpd_search)values[CHAIN],
        .neighbours = values[CELLS] == 0,
        .both_ends = values[ENDS] == 0,
        .closing = values[CLOSING] == 1,
        .ends_equal = values[ENDS_EQUAL] == 0,
        .k = values[K],
    };
    s->noise = (alg_lpd_noise){
        .drop = values[DROP],
        .move_m = values[MOVE] * mean_edge(s),
        .seed = settings->seed,
    };
    s->merge = (merge)values[MERGE];
    s->merge_factor = values[MERGE_FACTOR];
    s->coherent = values[COHERENCE] == 0;
    s->pushing = (alg_lpd_pushing)values[FORCE];
    s->all_regions = values[REGIONS] == 1;
    if (s->measure == BY_PIXELS) {
        const double a = s->pair.a->mean_edge_m, b = s->pair.b->mean_edge_m;
        s->resolution = (alg_lpd_resolution){
            .pixels = (uint32_t)values[PIXELS],
            .pixel_m = values[PIXEL] * (a < b ? a : b),
            .draws_all = values[CULLING] == 0,
        };
    } else {
        s->grows = values[WINDOW] == 1;
    }
    if (s->measure == REFINED) {
        s->objective = (alg_lpd_objective)values[OBJECTIVE];
        s->steps = (uint32_t)values[STEPS];
    }
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, measure how, void **held, alg_message *message)
{
    const alg_status status = alg_create(sizeof(state), held, message);
    if (status != ALG_OK) {
        return status;
    }
    state *const s = *held;
    s->pair = (alg_lpd_pair){fixed, moving};
    s->wanted = request->wanted;
    s->stages = request->stages;
    s->measure = how;
    read_settings(settings, s);
    base_error err = {0};
    return make_lists(s, &err) == BASE_OK ? ALG_OK : alg_abandon(held, alg_fail_geo(message, &err));
}

static alg_status bind_pixels(const alg_settings *settings, const void *fixed, const void *moving,
                              const alg_request *request, void **held, alg_message *message)
{
    return bind(settings, fixed, moving, request, BY_PIXELS, held, message);
}

static alg_status bind_exact(const alg_settings *settings, const void *fixed, const void *moving,
                             const alg_request *request, void **held, alg_message *message)
{
    return bind(settings, fixed, moving, request, EXACTLY, held, message);
}

static alg_status bind_refine(const alg_settings *settings, const void *fixed, const void *moving,
                              const alg_request *request, void **held, alg_message *message)
{
    return bind(settings, fixed, moving, request, REFINED, held, message);
}

static void reset(void *held)
{
    ((state *)held)->past.count = 0;
}

/* --- Regions ---------------------------------------------------------------------------------- */

/**
 * Finds a translation along the box's third axis or against it. REFINED also tries directions near
 * these two, and *box becomes the box of the result.
 */
static alg_lpd_translation find_translation(state *s, const geo_pose *pose,
                                            const alg_lpd_group *group, alg_lpd_box *box,
                                            uint64_t *tests)
{
    switch (s->measure) {
    case BY_PIXELS:
        return alg_lpd_depth_by_pixels(&s->pair, pose, box, &s->resolution, s->screen, tests);
    case EXACTLY:
        return alg_lpd_depth_exact(&s->pair, pose, box, s->column, tests);
    case REFINED:
    default:
        return alg_lpd_depth_refined(
            &(alg_lpd_refinement){
                .pair = &s->pair,
                .pose = pose,
                .segments = &s->segments,
                .curves = &s->curves,
                .groups = &s->groups,
                .group = group,
                .objective = s->objective,
                .steps = s->steps,
                .column = s->column,
                .tests = tests,
            },
            box);
    }
}

/**
 * Returns the depth along the box's third axis. With BY_PIXELS, it is infinity if no pixel shows
 * both bodies, and the limit is not used. Else it is infinity if that direction does not lead out
 * or if the depth exceeds the limit.
 */
static double depth_along(state *s, const geo_pose *pose, const alg_lpd_box *box, double limit_m,
                          uint64_t *tests)
{
    if (s->measure == BY_PIXELS) {
        return alg_lpd_pixels_along(&s->pair, pose, box, &s->resolution, s->screen, tests);
    }
    const alg_lpd_height height =
        alg_lpd_depth_along(&s->pair, pose, box, limit_m, s->column, tests);
    return height.inside ? (double)INFINITY : height.depth_m;
}

/** Keeps the direction of the previous frame if the depth along it is nearly as small. */
static void keep_direction(state *s, const geo_pose *pose, alg_lpd_region *region, uint64_t *tests)
{
    vec3 last;
    if (!alg_lpd_past_direction(&s->past, &region->box, &last)) {
        return;
    }
    const alg_lpd_group *const group = &s->groups.items[region->group];
    const alg_lpd_box box = alg_lpd_box_along(&s->segments, &s->curves, &s->groups, group, last);
    const double limit = (1 + ALG_LPD_KEEPS) * region->translation.depth_m;
    const double depth = depth_along(s, pose, &box, limit, tests);
    if (depth <= limit) {
        region->translation = (alg_lpd_translation){last, depth};
        region->box = box;
    }
}

/**
 * Finds the depth and direction of a region. The depth is infinite if no pixel shows both bodies,
 * since then no separating direction is known.
 */
static void find_region(state *s, const geo_pose *pose, uint32_t g, alg_answer *answer)
{
    const alg_lpd_group *const group = &s->groups.items[g];
    uint64_t *const tests = &answer->counters[COUNT_TRIANGLES];
    alg_lpd_region *const region = &s->regions[g];
    *region = (alg_lpd_region){.group = g, .box = group->box, .patch = group->patch};
    region->translation = find_translation(s, pose, group, &region->box, tests);
    answer->counters[COUNT_LONGER] += group->longer;
    if (isinf(region->translation.depth_m)) {
        answer->counters[COUNT_BLIND]++;
        return;
    }
    if (s->coherent) {
        keep_direction(s, pose, region, tests);
    }
    /* Only the faces of solids are known to be turned outwards. For other meshes, the vector area
     * is turned to the side of the direction that separates the bodies. */
    const bool solids = s->pair.a->shell.solid && s->pair.b->shell.solid;
    if (!solids && vec3_dot(region->patch.area, region->translation.direction) < 0) {
        region->patch = alg_lpd_patch_turned(&region->patch);
    }
    if (s->grows) {
        region->box = alg_lpd_box_grown(&region->box, region->translation.depth_m);
    }
}

/* --- Answers ---------------------------------------------------------------------------------- */

/** Answers the translation out of all regions at once. Returns false if there is none. */
static bool answer_all(const state *s, alg_answer *answer)
{
    /* A translation longer than this separates the bodies in any case. */
    const double limit = 2 * (s->pair.a->tree.span + s->pair.b->tree.span);
    vec3 t;
    if (!alg_lpd_translation_of_all(s->regions, s->region_count, limit, &t)) {
        answer->outcome = ALG_DEGENERATE;
        return false;
    }
    answer->depth_m = vec3_norm(t);
    if (answer->depth_m > 0) {
        answer->direction = vec3_scale(1 / answer->depth_m, t);
    }
    return true;
}

/** Answers the deepest region; if several are equally deep, the first one. */
static void answer_deepest(const state *s, alg_answer *answer)
{
    const alg_lpd_translation *deepest = NULL;
    for (uint32_t g = 0; g < s->region_count; g++) {
        const alg_lpd_translation *const own = &s->regions[g].translation;
        if (isfinite(own->depth_m) && (!deepest || own->depth_m > deepest->depth_m)) {
            deepest = own;
        }
    }
    if (deepest) {
        answer->depth_m = deepest->depth_m;
        answer->direction = deepest->direction;
    }
}

/** Fills contacts, force, depth and the list of regions. */
static void answer_response(const state *s, const geo_pose *pose, alg_answer *answer)
{
    const alg_lpd_regions regions = {&s->segments, &s->curves, &s->groups, s->regions,
                                     s->region_count};
    if (answer->contact_capacity > 0) {
        answer->contact_count =
            alg_lpd_contacts(&regions, answer->contacts, answer->contact_capacity);
        answer->answered |= ALG_HAS_CONTACTS;
    }
    if (s->wanted & ALG_WANT_FORCE) {
        const alg_lpd_wrench wrench =
            alg_lpd_force(&regions, s->pushing, geo_pose_apply(pose, s->pair.b->centroid));
        answer->force = wrench.force;
        answer->torque = wrench.torque;
        answer->answered |= ALG_HAS_FORCE;
    }
    if (s->wanted & ALG_WANT_DEPTH) {
        if (!s->all_regions || !answer_all(s, answer)) {
            answer_deepest(s, answer);
        }
        answer->region_count = alg_lpd_entries(&regions, answer->regions, answer->region_capacity);
        answer->answered |= ALG_HAS_DEPTH | ALG_HAS_REGIONS;
    }
}

/**
 * Makes the region of a body inside the other, which has no intersection curve. The vector area of
 * such bodies is 0. The force uses the area of a face of the smaller body's box instead: the face
 * across the direction. So a body that has been pressed in completely is still pushed out.
 */
static void find_nested(state *s, const geo_pose *pose, alg_answer *answer)
{
    alg_lpd_region *const region = &s->regions[0];
    *region = (alg_lpd_region){0};
    region->translation = alg_lpd_nested_translation(&s->pair, pose, s->column, &region->box,
                                                     &answer->counters[COUNT_TRIANGLES]);
    const double face = 4 * region->box.half[0] * region->box.half[1];
    region->patch.area = vec3_scale(face, region->translation.direction);
    s->groups.items[0] = (alg_lpd_group){.box = region->box};
    s->groups.count = s->region_count = 1;
    alg_lpd_past_keep(&s->past, s->regions, 1);
}

/** Runs stages 1 to 3. */
static void find_regions(state *s, const geo_pose *pose, alg_stages *stages, alg_answer *answer)
{
    alg_lpd_curves_chain(&s->chaining, &s->pair, &s->segments, &s->curves);
    answer->counters[COUNT_CURVES] = s->curves.count;
    answer->counters[COUNT_OPEN] = s->curves.open_count;
    answer->counters[COUNT_BRANCHES] = s->curves.branch_count;
    answer->counters[COUNT_END_TESTS] = s->curves.tests;
    alg_stages_end(stages, answer);
    const double length = s->merge == BY_FRAME ? alg_lpd_mean_length(&s->segments) : mean_edge(s);
    alg_lpd_groups_merge(&s->segments, &s->curves, s->merge_factor * length, &s->groups);
    alg_stages_end(stages, answer);
    s->region_count = s->groups.count < REGIONS_MAX ? s->groups.count : REGIONS_MAX;
    for (uint32_t g = 0; g < s->region_count; g++) {
        find_region(s, pose, g, answer);
    }
    if (s->groups.count > REGIONS_MAX && answer->outcome == ALG_CONVERGED) {
        answer->outcome = ALG_DEGENERATE;
    }
    alg_lpd_past_keep(&s->past, s->regions, s->region_count);
    alg_stages_end(stages, answer);
}

static void query(void *held, const geo_pose *pose, alg_answer *answer)
{
    state *const s = held;
    alg_stages stages = alg_stages_begin(s->stages);
    alg_lpd_segments_find(&s->pair, pose, &s->segments);
    alg_lpd_noise_add(&s->noise, &s->segments);
    const bool nested = s->segments.pair_count == 0 && alg_lpd_nested(&s->pair, pose);
    alg_stages_end(&stages, answer);
    answer->outcome = s->segments.left_count > 0 ? ALG_BUDGET_REACHED : ALG_CONVERGED;
    answer->colliding = s->segments.pair_count > 0 || nested;
    answer->counters[COUNT_SEGMENTS] = s->segments.count;
    answer->answered |= ALG_HAS_CONTACT;
    if (s->wanted & (ALG_WANT_DEPTH | ALG_WANT_FORCE)) {
        find_regions(s, pose, &stages, answer);
        if (nested) {
            find_nested(s, pose, answer);
        }
        answer_response(s, pose, answer);
        return;
    }
    for (int stage = STAGE_CURVES; stage_names[stage]; stage++) {
        alg_stages_end(&stages, answer);
    }
}

#define COMMON_ENTRIES                                                                             \
    .abi_version = ALG_ABI_VERSION, .flags = ALG_KEEPS_STATE, .force_unit = "m3",                  \
    .counters = counter_names, .stages = stage_names, .contract = contract, .prepare = prepare,    \
    .dispose = alg_destroy, .release = alg_destroy, .reset = reset, .query = query

const alg_algorithm alg_lpd = {
    COMMON_ENTRIES,
    .name = "lpd",
    .summary = "local penetration depth: curves of intersection, depth buffers",
    .source = "LPD",
    .parameters = pixels_parameters,
    .parameter_count = PIXELS_COUNT,
    .bind = bind_pixels,
};

const alg_algorithm alg_lpd_exact = {
    COMMON_ENTRIES,
    .name = "lpd-exact",
    .summary = "lpd without pixels: exact depth along the direction, in windows that grow",
    .source = "LPD 3",
    .parameters = exact_parameters,
    .parameter_count = EXACT_COUNT,
    .bind = bind_exact,
};

const alg_algorithm alg_lpd_refine = {
    COMMON_ENTRIES,
    .name = "lpd-refine",
    .summary = "lpd-exact along a direction that is turned to reduce the depth",
    .source = "LPD 3",
    .parameters = exact_parameters,
    .parameter_count = REFINED_COUNT,
    .bind = bind_refine,
};
