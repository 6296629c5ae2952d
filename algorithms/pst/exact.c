/**
 * The exact distance. A traversal of the points in the field finds a few candidates. The triangles
 * at these points are searched for in the hierarchy of the other surface.
 *
 * Traversal  its limit decreases to the least distance that was looked up, which has an error. So
 *            the nearest point may be left out. But the traversal has a lower bound of everything
 *            left out. If that bound is not greater than the measured distance, a second traversal
 *            uses the measured distance as a fixed limit. It leaves out nothing that is nearer.
 * Capacity   there is room for all points as candidates, so none is lost.
 * Overlap    the distance is 0 if a point is inside of a solid by more than the field's error, if
 *            triangles intersect, or if a part of one body is inside the other.
 * Bits       the distance has the bits of geo_triangle_distance2 of the nearest pair of faces.
 *            Among equally near pairs, the pair with the smallest face of A, then of B, is taken,
 *            so the answer does not depend on the start of the search. For overlapping bodies the
 *            witness is any common point.
 * Source     this suite's own.
 */
#include "algorithms/pst/exact.h"

#include "algorithms/pst/distance.h"
#include "algorithms/registry.h"
#include "base/simd.h"
#include "base/memory.h"
#include "geometry/vec.h"
#include "geometry/triangle.h"

#include <stdlib.h>
#include <string.h>

enum { FIELD, VOXELS, TOLERANCE, SHELL_VOXELS, START, PARAMETER_COUNT };

static const alg_parameter parameters[] = {
    [FIELD] = ALG_PST_ROW_FIELD,
    [VOXELS] = ALG_PST_ROW_VOXELS,
    [TOLERANCE] = ALG_PST_ROW_TOLERANCE,
    [SHELL_VOXELS] = ALG_PST_ROW_SHELL_VOXELS,
    [START] = ALG_PST_ROW_START("the pair of faces that was nearest in the previous query"),
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
    alg_pst_traversal traversal;
    alg_pst_exact_search search;
    uint32_t *stamps; /* arena; for each part, the query that searched it last */
    uint32_t last[2]; /* faces of the previous query, the field's first; UINT32_MAX without one */
} state;

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_DISTANCE || quantity == ALG_CONTACT ? ALG_EXACT : ALG_NOT_ANSWERED;
}

/* --- Parts of a mesh -------------------------------------------------------------------------- */

/*
 * The mesh is divided a second time, because the tree has sorted its points. The corners of the
 * parts are found among the points of the tree by their positions. Points at the same position
 * represent the same parts.
 */

/** A point of the tree, for sorting by position. */
typedef struct placed_point {
    vec3 at;
    uint32_t point;
} placed_point;

static int compare_positions(vec3 a, vec3 b)
{
    for (int k = 0; k < 3; k++) {
        const double x = vec3_get(a, k), y = vec3_get(b, k);
        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    return 0;
}

static int compare_points(const void *a, const void *b)
{
    const placed_point *const p = a, *const q = b;
    const int order = compare_positions(p->at, q->at);
    return order != 0 ? order : (p->point > q->point) - (p->point < q->point);
}

static int compare_parts(const void *a, const void *b)
{
    const alg_pst_part *const p = a, *const q = b;
    for (int k = 0; k < 3; k++) {
        if (p->corner[k] != q->corner[k]) {
            return p->corner[k] < q->corner[k] ? -1 : 1;
        }
    }
    return (p->face > q->face) - (p->face < q->face);
}

/** Returns the index of the first sorted point at a position, or where it would be inserted. */
static size_t find_position(const placed_point *sorted, size_t count, vec3 at)
{
    size_t first = 0, last = count;
    while (first < last) {
        const size_t middle = first + (last - first) / 2;
        if (compare_positions(sorted[middle].at, at) < 0) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return first;
}

/** Visits each point at the position of a corner of a part once. Stores the part as a member of the
 * point, at next[point], unless count_only is set. Increments next[point]. */
static void add_members(const placed_point *sorted, size_t count, const alg_pst_parts *parts,
                        uint32_t part, bool count_only, uint32_t *next)
{
    const uint32_t *const c = parts->parts[part].corner;
    for (int k = 0; k < 3; k++) {
        if ((k > 0 && c[k] == c[0]) || (k > 1 && c[k] == c[1])) {
            continue; /* two corners at the same position */
        }
        const vec3 at = parts->points[c[k]];
        for (size_t i = find_position(sorted, count, at);
             i < count && compare_positions(sorted[i].at, at) == 0; i++) {
            if (!count_only) {
                parts->members[next[sorted[i].point]] = part;
            }
            next[sorted[i].point]++;
        }
    }
}

/** Fills parts->first and parts->members. next: a zeroed item for each point. Returns false if
 * memory is short. */
static bool list_members(const placed_point *sorted, size_t count, uint32_t *next,
                         base_arena *arena, alg_pst_parts *parts)
{
    parts->first = base_arena_alloc(arena, count + 1, sizeof *parts->first);
    if (!parts->first) {
        return false;
    }
    for (uint32_t i = 0; i < parts->count; i++) {
        add_members(sorted, count, parts, i, true, next);
    }
    for (size_t i = 0; i < count; i++) {
        parts->first[i + 1] = parts->first[i] + next[i];
        next[i] = parts->first[i];
    }
    parts->members = base_arena_alloc(arena, parts->first[count], sizeof *parts->members);
    for (uint32_t i = 0; parts->members && i < parts->count; i++) {
        add_members(sorted, count, parts, i, false, next);
    }
    return parts->members;
}

/** Fills the parts of a division, whose corners become indices of the tree's points, and counts the
 * parts of each face. Returns false if a corner is not a point of the tree. */
static bool fill_parts(const alg_division *division, const placed_point *sorted, size_t count,
                       alg_pst_parts *parts)
{
    parts->count = (uint32_t)division->part_count;
    for (uint32_t i = 0; i < parts->count; i++) {
        const alg_part *const t = &division->parts[i];
        parts->parts[i].face = t->face;
        parts->of_face[t->face] = parts->of_face[t->face] == 0 ? 1 : 2;
        for (int k = 0; k < 3; k++) {
            const vec3 at = division->vertices[t->corner[k]];
            const size_t found = find_position(sorted, count, at);
            if (found == count || compare_positions(sorted[found].at, at) != 0) {
                return false;
            }
            parts->parts[i].corner[k] = sorted[found].point;
        }
    }
    qsort(parts->parts, parts->count, sizeof *parts->parts, compare_parts);
    return true;
}

/**
 * Builds the parts of a mesh.
 *
 * Shapes   tree: of points of kind ALG_PST_MESH of this mesh, with the same number of voxels.
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT for a tree of other points.
 * Memory   arena: 28 bytes a part, 4 a point and 1 a face; scratch outside of it.
 */
static base_status build_parts(const geo_mesh *mesh, uint32_t voxels, const alg_pst_tree *tree,
                               base_arena *arena, alg_pst_parts *parts, base_error *err)
{
    const size_t count = tree->points.count;
    alg_division division;
    base_status status = alg_pst_points_divide(mesh, voxels, &division, err);
    if (status != BASE_OK) {
        return status;
    }
    placed_point *const sorted = base_alloc(count, sizeof *sorted);
    uint32_t *const next = base_alloc(count, sizeof *next);
    *parts = (alg_pst_parts){
        .points = tree->points.points,
        .parts = base_arena_alloc(arena, division.part_count, sizeof *parts->parts),
        .of_face = base_arena_alloc(arena, mesh->face_count, sizeof *parts->of_face),
    };
    bool good = sorted && next && parts->parts && parts->of_face;
    if (good) {
        for (uint32_t i = 0; i < count; i++) {
            sorted[i] = (placed_point){tree->points.points[i], i};
        }
        qsort(sorted, count, sizeof *sorted, compare_points);
        if (!fill_parts(&division, sorted, count, parts)) {
            status = base_fail(err, BASE_ERR_INPUT, "points are not those of the mesh");
        } else {
            good = list_members(sorted, count, next, arena, parts);
        }
    }
    if (!good) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for the parts of a mesh");
    }
    base_free(sorted);
    base_free(next);
    alg_division_release(&division);
    return status;
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

/**
 * The last step of prepare and load: builds the members that follow from the mesh. status: the
 * status of making the body's base. If this or the build has failed, disposes of the body.
 */
static alg_status complete(const alg_pst_options *options, alg_status status, void **prepared,
                           alg_message *message)
{
    body *const b = *prepared;
    base_error err = {0};
    if (status == ALG_OK) {
        const geo_mesh *const mesh = &b->base->skin->mesh;
        const vec3 centre = geo_box_centre(geo_mesh_box(mesh));
        const base_status built = b->base->is_field
                                      ? geo_tree_build(mesh, centre, geo_tree_longest_edge(mesh),
                                                       &b->arena, &b->tree, &err)
                                      : build_parts(mesh, options->points.voxels, &b->base->tree,
                                                    &b->arena, &b->parts, &err);
        status = built == BASE_OK ? ALG_OK : alg_fail_geo(message, &err);
    }
    if (status != ALG_OK) {
        dispose(b);
        *prepared = NULL;
    }
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
    void *base = NULL;
    status = alg_pst_body_prepare(&options, mesh, &base, info, message);
    body *const b = *prepared;
    b->base = base;
    status = complete(&options, status, prepared, message);
    info->bytes += status == ALG_OK ? b->arena.bytes : 0;
    return status;
}

static alg_status save(const void *prepared, const alg_writer *to, alg_message *message)
{
    return alg_pst.save(((const body *)prepared)->base, to, message);
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
    void *base = NULL;
    status = alg_pst.load(settings, mesh, role, bytes, size, &base, info, message);
    ((body *)*prepared)->base = base;
    return complete(&options, status, prepared, message);
}

static void draw(const void *prepared, const alg_sink *sink)
{
    alg_pst.draw(((const body *)prepared)->base, sink);
}

/* --- Pairs ------------------------------------------------------------------------------------ */

static void reset(void *held)
{
    state *const s = held;
    s->last[0] = s->last[1] = UINT32_MAX;
}

static base_status bind_search(state *s, base_error *err)
{
    const alg_pst_tree *const tree = &s->points->base->tree;
    s->stamps = base_arena_alloc(&s->arena, s->points->parts.count, sizeof *s->stamps);
    s->search = (alg_pst_exact_search){
        .tree = &s->field->tree,
        .parts = &s->points->parts,
        .mesh = {&s->field->base->skin->mesh, &s->points->base->skin->mesh},
        .moving = s->moving,
        .seen = base_arena_alloc(&s->arena, ALG_PST_SEEN, sizeof *s->search.seen),
    };
    for (int side = 0; side < 2; side++) {
        s->search.reach[side] = geo_box_reach(geo_mesh_box(s->search.mesh[side]));
    }
    if (!s->stamps || !s->search.seen) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a search of triangles");
    }
    return alg_pst_traversal_bind(&s->traversal, tree, &s->field->base->field, tree->points.count,
                                  &s->arena, err);
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
    return bind_search(s, &err) == BASE_OK ? ALG_OK
                                           : alg_abandon(held, alg_fail_geo(message, &err));
}

/* --- The best pair of faces ------------------------------------------------------------------- */

bool alg_pst_exact_note(alg_pst_exact_search *search, uint32_t face, uint32_t other,
                        double distance2, bool intersect)
{
    if (search->intersect) {
        return false;
    }
    if (!intersect) {
        /* Ties go to the smallest face of A, then of B. */
        const uint32_t now[2] = {face, other}, *const best = search->face;
        const int a = search->moving;
        const bool first = now[a] < best[a] || (now[a] == best[a] && now[!a] < best[!a]);
        if (!(distance2 < search->distance2 || (distance2 == search->distance2 && first))) {
            return false;
        }
    }
    search->intersect = intersect;
    search->distance2 = intersect ? 0 : distance2;
    search->face[0] = face;
    search->face[1] = other;
    return true;
}

/** Transforms a direction from A's frame to the tree's. */
static vec3 to_tree_frame(const alg_pst_exact_search *search, vec3 direction)
{
    return search->moving ? mat3_tmul_vec3(search->pose.rotation, direction) : direction;
}

void alg_pst_exact_aim(alg_pst_exact_search *search)
{
    geo_triangle t[2];
    for (int side = 0; side < 2; side++) {
        t[side] = alg_pst_exact_moved(search, side,
                                      geo_mesh_triangle(search->mesh[side], search->face[side]));
    }
    vec3 at[2];
    geo_triangle_distance2(t[0], t[1], &at[0], &at[1]);
    search->axis = to_tree_frame(search, vec3_normalize(vec3_sub(at[1], at[0])));
}

/** Measures a pair of faces: `face` of the tree's body and `other` of the other one. */
static void measure_pair(alg_pst_exact_search *search, uint32_t face, uint32_t other)
{
    const geo_triangle t = alg_pst_exact_moved(search, 0, geo_mesh_triangle(search->mesh[0], face));
    const geo_triangle o =
        alg_pst_exact_moved(search, 1, geo_mesh_triangle(search->mesh[1], other));
    search->triangles++;
    const bool intersect = geo_triangle_intersect(t, o);
    const double distance2 = intersect ? 0 : geo_triangle_distance2(t, o, NULL, NULL);
    if (alg_pst_exact_note(search, face, other, distance2, intersect) && !intersect) {
        alg_pst_exact_aim(search);
    }
}

/* --- One query -------------------------------------------------------------------------------- */

static void begin(state *s, const geo_pose *pose)
{
    alg_pst_exact_search *const search = &s->search;
    search->pose = geo_pose_settled(pose);
    search->to_tree = s->moving ? geo_pose_inverse(&search->pose) : search->pose;
    search->to_tree.translation = vec3_sub(search->to_tree.translation, search->tree->origin);
    search->error =
        128 * DBL_EPSILON * (search->reach[0] + search->reach[1] + vec3_norm(pose->translation));
    search->axis = to_tree_frame(search, (vec3){0, 0, 1});
    search->intersect = false;
    search->face[0] = search->face[1] = UINT32_MAX;
    search->distance2 = INFINITY;
    search->nodes = search->triangles = 0;
    if (++search->query == 0) {
        memset(s->stamps, 0, s->points->parts.count * sizeof *s->stamps);
        memset(search->seen, 0, ALG_PST_SEEN * sizeof *search->seen);
        search->query = 1;
    }
    s->traversal.limit = INFINITY;
    s->traversal.fixed = false;
    if (s->coherent && s->last[0] != UINT32_MAX) {
        measure_pair(search, s->last[0], s->last[1]);
        s->traversal.limit = base_float_above(sqrt(search->distance2));
    }
}

/** Parts that are collected until the packet is full. */
typedef struct packet {
    uint32_t parts[ALG_PST_WIDTH];
    uint32_t count;
} packet;

static void search_packet(state *s, packet *p)
{
    if (p->count > 0 && !s->search.intersect) {
        (base_cpu_avx2() ? alg_pst_exact_avx2 : alg_pst_exact_sse2)(&s->search, p->parts, p->count);
    }
    p->count = 0;
}

/** Adds those parts of a point that were not yet searched in this query. */
static void add_point(state *s, uint32_t point, packet *p)
{
    const alg_pst_parts *const parts = &s->points->parts;
    for (uint32_t i = parts->first[point]; i < parts->first[point + 1]; i++) {
        const uint32_t part = parts->members[i];
        if (s->stamps[part] != s->search.query) {
            s->stamps[part] = s->search.query;
            p->parts[p->count++] = part;
            if (p->count == ALG_PST_WIDTH) {
                search_packet(s, p);
            }
        }
    }
}

/** Searches the parts of the candidates. The nearest point is first, because it makes the limit
 * small. The others follow in the order in which the traversal has stored them: the points of a
 * leaf, which are neighbours, follow each other. */
static void search_candidates(state *s)
{
    const alg_pst_traversal *const t = &s->traversal;
    packet p = {.count = 0};
    add_point(s, t->nearest, &p);
    search_packet(s, &p);
    for (uint32_t i = 0; i < t->count; i++) {
        if ((double)t->candidates[i].bound <= sqrt(s->search.distance2)) {
            add_point(s, t->candidates[i].point, &p);
        }
    }
    search_packet(s, &p);
}

/** Runs a traversal and adds its counters. Returns true if a point is inside by more than the
 * field's error. */
static bool traverse(alg_pst_traversal *t, const geo_pose *to_field, alg_answer *answer)
{
    alg_pst_traverse(t, to_field);
    answer->counters[COUNT_SPHERES] += t->spheres;
    answer->counters[COUNT_POINTS] += t->points;
    return t->inside;
}

/** Traverses and searches, twice if necessary. Returns true if a point is inside by more than the
 * field's error. Otherwise the best pair is in s->search. */
static bool search(state *s, const geo_pose *to_field, alg_answer *answer)
{
    alg_pst_traversal *const t = &s->traversal;
    alg_pst_exact_search *const found = &s->search;
    if (traverse(t, to_field, answer)) {
        return true;
    }
    /* A first measurement determines the axis of the search. */
    measure_pair(found, alg_pst_traversal_sample(t).face, t->tree->points.faces[t->nearest]);
    search_candidates(s);
    if (!found->intersect && (double)t->rest <= sqrt(found->distance2)) {
        t->limit = base_float_above(sqrt(found->distance2));
        t->fixed = true;
        if (traverse(t, to_field, answer)) {
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

/** Answers with the best pair. If it shares a point, the distance is 0. Otherwise the answer is the
 * distance of the pair, with a bracket for its rounding. */
static void answer_pair(const state *s, alg_answer *answer)
{
    const alg_pst_exact_search *const found = &s->search;
    geo_triangle t[2];
    for (int side = 0; side < 2; side++) {
        const geo_triangle own = geo_mesh_triangle(found->mesh[side], found->face[side]);
        t[side == (int)s->moving ? 0 : 1] = alg_pst_exact_moved(found, side, own);
    }
    if (found->intersect) {
        answer_overlap(geo_triangle_common_point(t[0], t[1]), answer);
        return;
    }
    const double distance2 =
        geo_triangle_distance2(t[0], t[1], &answer->witness_a, &answer->witness_b);
    const double distance = sqrt(distance2);
    /* search->error is 128 eps times the sum of both reaches and the length of the translation.
     * Half
       of it bounds the error of a distance. */
    const double slack = 1e-12 * distance + 0.5 * found->error;
    answer->distance_m = distance;
    answer->distance_lo_m = fmax(distance - slack, 0);
    answer->distance_hi_m = distance + slack;
    answer->colliding = distance2 == 0;
}

static void query(void *held, const geo_pose *pose, alg_answer *answer)
{
    state *const s = held;
    const geo_pose to_field = s->moving ? geo_pose_inverse(pose) : *pose;
    vec3 in_both;
    begin(s, pose);
    if (search(s, &to_field, answer)) {
        in_both = s->traversal.tree->points.points[s->traversal.nearest];
        answer_overlap(s->moving ? in_both : geo_pose_apply(pose, in_both), answer);
    } else {
        const geo_shell *const a = (s->moving ? s->points : s->field)->base->skin;
        const geo_shell *const b = (s->moving ? s->field : s->points)->base->skin;
        answer_pair(s, answer);
        if (!s->search.intersect && geo_shells_nested(a, b, pose, &in_both)) {
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
