/**
 * The exact distance: a traversal of the points in the field leaves a few candidates. Their
 * triangles are searched for in the hierarchy of the other surface.
 *
 * Walk       its limit decreases to the least distance that was looked up, which has an error. It
 *            has a lower bound of everything left out. If that bound is not greater than the
 *            measured distance, a second traversal uses the measured distance as a fixed limit, so
 *            that nothing nearer is left out.
 * Room       there is room for as many candidates as points, so none is lost.
 * Overlap    the distance is 0 if a point is inside of a solid by more than the field's error,
 *            triangles intersect, or a part of one body is inside the other.
 * Bits       those of geo_triangle_distance2 of the nearest pair of faces. Among equally near pairs
 *            the one with the smallest face numbers counts, so the answer does not depend on the
 *            start of the search. Overlapping bodies have any common point as witness.
 * Source     this suite's own.
 */
#include "algorithms/pst/body.h"
#include "algorithms/pst/exact_search.h"
#include "algorithms/pst/walk.h"
#include "algorithms/registry.h"
#include "geometry/triangle.h"
#include "geometry/vec.h"

#include <string.h>

enum { FIELD, VOXELS, TOLERANCE, SHELL_VOXELS, START, PARAMETER_COUNT };

static const alg_parameter parameters[] = {
    [FIELD] = ALG_PST_ROW_FIELD,
    [VOXELS] = ALG_PST_ROW_VOXELS,
    [TOLERANCE] = ALG_PST_ROW_TOLERANCE,
    [SHELL_VOXELS] = ALG_PST_ROW_SHELL_VOXELS,
    [START] = ALG_PST_ROW_START("from the pair of faces that was nearest in the query before"),
};

enum { COUNT_SPHERES, COUNT_POINTS, COUNT_NODES, COUNT_TRIANGLES };
static const char *const counter_names[] = {
    [COUNT_SPHERES] = "bv_tests_count",
    [COUNT_POINTS] = "points_count",
    [COUNT_NODES] = "node_tests_count",
    [COUNT_TRIANGLES] = "triangle_tests_count",
    NULL,
};

/** A prepared body. */
typedef struct body {
    base_arena arena;
    alg_pst_body *base;  /* owned */
    geo_tree tree;       /* only of a field's body */
    alg_pst_parts parts; /* only of a body of points */
} body;

/** A bound pair. */
typedef struct state {
    base_arena arena;
    const body *field, *points;
    bool moving, coherent; /* moving: true if the field is B's */
    alg_pst_walk walk;
    alg_pst_exact_search search;
    uint32_t *stamps; /* arena; for each part, the query that searched it last */
    uint32_t stamp;
    uint32_t last[2]; /* faces of the previous query, the field's first; UINT32_MAX if there are
                         none */
} state;

/* --- Contract and parameters ------------------------------------------------------------------ */

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_DISTANCE || quantity == ALG_CONTACT ? ALG_EXACT : ALG_NOT_ANSWERED;
}

/* --- Bodies ----------------------------------------------------------------------------------- */

static void body_settings(alg_settings *settings)
{
    settings->values[START] = parameters[START].fallback;
}

static alg_pst_options options_of(const alg_settings *settings, alg_role role)
{
    const double *const values = settings->values;
    return (alg_pst_options){
        .is_field = role == (values[FIELD] == 0 ? ALG_FIXED : ALG_MOVING),
        .field = {(uint32_t)values[VOXELS], values[TOLERANCE], ALG_PST_MARGIN},
        .points = {ALG_PST_MESH, (uint32_t)values[SHELL_VOXELS], settings->seed, false},
        .clusters = ALG_PST_NEIGHBOURS,
    };
}

static void dispose(void *prepared)
{
    if (prepared) {
        alg_destroy(((body *)prepared)->base);
        alg_destroy(prepared);
    }
}

/** Builds the parts that depend on the mesh, both after preparing and after loading. */
static alg_status complete(const alg_pst_options *options, body *b, alg_message *message)
{
    base_error err = {0};
    const geo_mesh *const mesh = &b->base->skin->mesh;
    const base_status status =
        b->base->is_field
            ? geo_tree_build(mesh, geo_box_centre(geo_mesh_box(mesh)), &b->arena, &b->tree, &err)
            : alg_pst_parts_build(mesh, options->points.voxels, &b->base->tree, &b->arena,
                                  &b->parts, &err);
    return status == BASE_OK ? ALG_OK : alg_fail_geo(message, &err);
}

static alg_status abandon(void **prepared, alg_status status)
{
    dispose(*prepared);
    *prepared = NULL;
    return status;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    const alg_pst_options options = options_of(settings, role);
    alg_status status = alg_create(sizeof(body), prepared, message);
    if (status != ALG_OK) {
        return status;
    }
    body *const b = *prepared;
    void *base = NULL;
    status = alg_pst_body_prepare(&options, mesh, &base, info, message);
    b->base = base;
    if (status == ALG_OK) {
        status = complete(&options, b, message);
    }
    info->bytes += b->arena.bytes;
    return status == ALG_OK ? ALG_OK : abandon(prepared, status);
}

static alg_status save(const void *prepared, const alg_writer *to, alg_message *message)
{
    return alg_pst_body_save(((const body *)prepared)->base, to, message);
}

static alg_status load(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                       const void *bytes, size_t size, void **prepared, alg_build_info *info,
                       alg_message *message)
{
    const alg_pst_options options = options_of(settings, role);
    alg_status status = alg_create(sizeof(body), prepared, message);
    if (status != ALG_OK) {
        return status;
    }
    body *const b = *prepared;
    void *base = NULL;
    status = alg_pst_body_load(settings, mesh, role, bytes, size, &base, info, message);
    b->base = base;
    if (status == ALG_OK) {
        status = complete(&options, b, message);
    }
    return status == ALG_OK ? ALG_OK : abandon(prepared, status);
}

static void draw(const void *prepared, const alg_sink *sink)
{
    alg_pst_body_draw(((const body *)prepared)->base, sink);
}

/* --- Pairs ------------------------------------------------------------------------------------ */

static void reset(void *held)
{
    state *const s = held;
    s->last[0] = s->last[1] = UINT32_MAX;
}

static base_status bind_parts(state *s, base_error *err)
{
    const alg_pst_tree *const tree = &s->points->base->tree;
    s->walk = (alg_pst_walk){
        .tree = tree, .field = &s->field->base->field, .capacity = tree->points.count};
    s->walk.candidates =
        base_arena_alloc(&s->arena, tree->points.count, sizeof *s->walk.candidates);
    s->walk.open = base_arena_alloc(&s->arena, alg_pst_walk_room(tree), sizeof *s->walk.open);
    s->stamps = base_arena_alloc(&s->arena, s->points->parts.count, sizeof *s->stamps);
    if (!s->walk.candidates || !s->walk.open || !s->stamps) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %u candidates",
                         tree->points.count);
    }
    s->search = (alg_pst_exact_search){
        .tree = &s->field->tree,
        .parts = &s->points->parts,
        .mesh = {&s->field->base->skin->mesh, &s->points->base->skin->mesh},
        .moving = s->moving,
    };
    return alg_pst_exact_search_bind(&s->search, &s->arena, err);
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, void **held, alg_message *message)
{
    (void)request;
    const body *const a = fixed, *const b = moving;
    const alg_status status = alg_create(sizeof(state), held, message);
    if (status != ALG_OK) {
        return status;
    }
    state *const s = *held;
    base_error err = {0};
    s->moving = !a->base->is_field;
    s->field = s->moving ? b : a;
    s->points = s->moving ? a : b;
    s->coherent = settings->values[START] == 1;
    reset(s);
    return bind_parts(s, &err) == BASE_OK ? ALG_OK : alg_abandon(held, alg_fail_geo(message, &err));
}

/* --- One query -------------------------------------------------------------------------------- */

static void begin(state *s, const geo_pose *pose)
{
    const vec3 any = {0, 0, 1};
    alg_pst_exact_search_begin(&s->search, pose, INFINITY, any);
    if (++s->stamp == 0) {
        memset(s->stamps, 0, s->points->parts.count * sizeof *s->stamps);
        s->stamp = 1;
    }
    s->walk.limit = INFINITY;
    s->walk.fixed = false;
    if (s->coherent && s->last[0] != UINT32_MAX) {
        alg_pst_exact_search_pair(&s->search, s->last[0], s->last[1]);
        s->walk.limit = base_float_above(alg_pst_exact_search_limit(&s->search));
    }
}

/** Parts that are collected until there are eight. */
typedef struct eights {
    uint32_t parts[ALG_PST_EIGHT];
    uint32_t count;
} eights;

static void search_eights(state *s, eights *e)
{
    if (e->count > 0) {
        alg_pst_exact_search_parts(&s->search, e->parts, e->count);
    }
    e->count = 0;
}

/** Adds those parts of a point that were not yet searched in this query. */
static void add_point(state *s, uint32_t point, eights *e)
{
    const alg_pst_parts *const parts = &s->points->parts;
    for (uint32_t i = parts->first[point]; i < parts->first[point + 1]; i++) {
        const uint32_t part = parts->members[i];
        if (s->stamps[part] != s->stamp) {
            s->stamps[part] = s->stamp;
            e->parts[e->count++] = part;
            if (e->count == ALG_PST_EIGHT) {
                search_eights(s, e);
            }
        }
    }
}

/** Searches the nearest point first, which makes the limit small. The others follow in the order of
 * the tree, in which consecutive points are neighbours. */
static void search_candidates(state *s)
{
    const alg_pst_walk *const walk = &s->walk;
    eights e = {.count = 0};
    add_point(s, walk->nearest, &e);
    search_eights(s, &e);
    for (uint32_t i = 0; i < walk->count; i++) {
        if ((double)walk->candidates[i].bound <= alg_pst_exact_search_limit(&s->search)) {
            add_point(s, walk->candidates[i].point, &e);
        }
    }
    search_eights(s, &e);
}

/** Makes a first measurement, which determines the direction of the search. */
static void measure_nearest(state *s)
{
    const alg_pst_walk *const walk = &s->walk;
    alg_pst_exact_search_pair(&s->search, alg_pst_walk_sample(walk).face,
                              walk->tree->points.faces[walk->nearest]);
}

static void count_walk(const alg_pst_walk *walk, alg_answer *answer)
{
    answer->counters[COUNT_SPHERES] += walk->spheres;
    answer->counters[COUNT_POINTS] += walk->points;
}

/** Traverses and searches. Returns true if a point is inside by more than the field's error. */
static bool search(state *s, const geo_pose *to_field, alg_answer *answer)
{
    alg_pst_walk *const walk = &s->walk;
    alg_pst_walk_run(walk, to_field);
    count_walk(walk, answer);
    if (walk->inside) {
        return true;
    }
    measure_nearest(s);
    search_candidates(s);
    if (!s->search.intersect && (double)walk->rest <= alg_pst_exact_search_limit(&s->search)) {
        walk->limit = base_float_above(alg_pst_exact_search_limit(&s->search));
        walk->fixed = true;
        alg_pst_walk_run(walk, to_field);
        count_walk(walk, answer);
        if (walk->inside) {
            return true;
        }
        search_candidates(s);
    }
    return false;
}

/* --- Answers ---------------------------------------------------------------------------------- */

static void answer_overlap(vec3 in_both, alg_answer *answer)
{
    answer->distance_m = answer->distance_lo_m = answer->distance_hi_m = 0;
    answer->witness_a = answer->witness_b = in_both;
    answer->colliding = true;
}

/** Answers with the best pair: 0 and a common point, or its distance and a bracket for rounding. */
static void answer_pair(const state *s, alg_answer *answer)
{
    const alg_pst_exact_search *const found = &s->search;
    geo_triangle t[2];
    for (int side = 0; side < 2; side++) {
        const geo_triangle own = geo_mesh_triangle(found->mesh[side], found->face[side]);
        t[side == (int)s->moving ? 0 : 1] = alg_pst_exact_search_moved(found, side, own);
    }
    if (found->intersect) {
        answer_overlap(geo_triangle_common_point(t[0], t[1]), answer);
        return;
    }
    const double distance2 =
        geo_triangle_distance2(t[0], t[1], &answer->witness_a, &answer->witness_b);
    const double distance = sqrt(distance2);
    /* search->error is 128 eps of the sum of all reaches; half of it bounds the error of a
       distance. */
    const double slack = 1e-12 * distance + 0.5 * found->error;
    answer->distance_m = distance;
    answer->distance_lo_m = fmax(distance - slack, 0);
    answer->distance_hi_m = distance + slack;
    answer->colliding = distance2 == 0;
}

static bool is_nested(const state *s, const geo_pose *pose, vec3 *in_both)
{
    const geo_shell *const field = s->field->base->skin, *const points = s->points->base->skin;
    return geo_shells_nested(s->moving ? points : field, s->moving ? field : points, pose, in_both);
}

static void query(void *held, const geo_pose *pose, alg_answer *answer)
{
    state *const s = held;
    const geo_pose to_field = s->moving ? geo_pose_inverse(pose) : *pose;
    vec3 in_both;
    begin(s, pose);
    if (search(s, &to_field, answer)) {
        in_both = s->walk.tree->points.points[s->walk.nearest];
        answer_overlap(s->moving ? in_both : geo_pose_apply(pose, in_both), answer);
    } else {
        answer_pair(s, answer);
        if (!s->search.intersect && is_nested(s, pose, &in_both)) {
            answer_overlap(in_both, answer);
        }
    }
    s->last[0] = s->search.face[0];
    s->last[1] = s->search.face[1];
    answer->counters[COUNT_NODES] += s->search.nodes;
    answer->counters[COUNT_TRIANGLES] += s->search.triangles;
    answer->answered =
        ALG_HAS_DISTANCE | ALG_HAS_DISTANCE_BRACKET | ALG_HAS_WITNESS | ALG_HAS_CONTACT;
    answer->outcome = ALG_CONVERGED;
}

const alg_algorithm alg_pst_exact = {
    .abi_version = ALG_ABI_VERSION,
    .name = "pst-exact",
    .summary = "exact distance: point-sphere tree in a distance field, then triangles",
    .source = "PST 2, 3",
    .flags = ALG_KEEPS_STATE,
    .parameters = parameters,
    .parameter_count = PARAMETER_COUNT,
    .counters = counter_names,
    .contract = contract,
    .prepare = prepare,
    .dispose = dispose,
    .bind = bind,
    .release = alg_destroy,
    .reset = reset,
    .query = query,
    .draw = draw,
    .facts = alg_pst_facts,
    .save = save,
    .load = load,
    .body_settings = body_settings,
};
