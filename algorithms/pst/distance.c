#include "algorithms/pst/distance.h"

#include "geometry/triangle.h"

#include <float.h>
#include <string.h>

/** Candidates that a walk keeps; those beyond are a lower bound alone. */
enum { ROOM = 1024 };

struct alg_pst_search {
    alg_pst_walk walk;
    alg_pst_candidate candidates[ROOM];
    uint32_t last; /* the point that led to the nearest pair of the query before, or NONE */
};

#define NONE UINT32_MAX

base_status alg_pst_distance_bind(alg_pst_distance *pair, base_arena *arena, base_error *err)
{
    const alg_pst_tree *const tree = &pair->points->tree;
    const size_t room = alg_pst_walk_room(tree);
    struct alg_pst_search *const search = base_arena_alloc(arena, 1, sizeof *search);
    alg_pst_cluster *const open = base_arena_alloc(arena, room, sizeof *open);
    if (!search || !open) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a walk of %zu clusters", room);
    }
    *search = (struct alg_pst_search){
        .walk = {.tree = tree, .field = &pair->field->field, .open = open, .capacity = ROOM},
        .last = NONE,
    };
    search->walk.candidates = search->candidates;
    pair->search = search;
    return BASE_OK;
}

void alg_pst_distance_reset(alg_pst_distance *pair)
{
    pair->search->last = NONE;
}

/* --- One query -------------------------------------------------------------------------------- */

/** A point of either surface, each in its own body's frame, and their faces. */
typedef struct couple {
    vec3 on_points, on_field;
    uint32_t points_face, field_face;
    double distance;
} couple;

typedef struct query {
    const alg_pst_distance *pair;
    const geo_pose *pose;     /* B's frame into A's */
    geo_pose inverse;         /* A's frame into B's */
    const geo_pose *to_field; /* the points' frame into the field's */
    const geo_pose *to_points;
    double rounding; /* of a computed distance */
    couple best;     /* infinitely far: none */
    uint32_t origin; /* the point that led to it */
    double lower;    /* no surface of what was measured or left out is nearer */
    bool ended;      /* not by a budget */
    uint64_t searches;
    vec3 in_both; /* A's frame, of bodies that overlap */
} query;

static const alg_shell *field_skin(const query *q)
{
    return q->pair->field->skin;
}

static const alg_shell *points_skin(const query *q)
{
    return q->pair->points->skin;
}

/** The points of a couple in A's frame. */
static void place(const query *q, const couple *c, vec3 *in_a, vec3 *in_b)
{
    const bool moving = q->pair->moving;
    *in_a = moving ? c->on_points : c->on_field;
    *in_b = geo_pose_apply(q->pose, moving ? c->on_field : c->on_points);
}

static void measure_couple(const query *q, couple *c)
{
    vec3 in_a, in_b;
    place(q, c, &in_a, &in_b);
    c->distance = vec3_distance(in_a, in_b);
}

static void search_field(query *q, couple *c, uint32_t hint)
{
    const vec3 at = geo_pose_apply(q->to_field, c->on_points);
    const geo_closest found = geo_surface_closest(&field_skin(q)->surface, at, hint);
    c->on_field = found.point;
    c->field_face = found.face;
    q->searches++;
}

static void search_points(query *q, couple *c)
{
    const vec3 at = geo_pose_apply(q->to_points, c->on_field);
    const geo_closest found = geo_surface_closest(&points_skin(q)->surface, at, c->points_face);
    c->on_points = found.point;
    c->points_face = found.face;
    q->searches++;
}

static void take_if_nearer(query *q, const couple *c)
{
    if (c->distance < q->best.distance) {
        q->best = *c;
    }
}

/** From a couple on, the nearest point of either surface to the last one of the other. */
static void alternate(query *q, couple c)
{
    for (uint32_t round = 0; round < q->pair->rounds; round++) {
        couple next = c;
        if (round % 2 == 0) {
            search_points(q, &next);
        } else {
            search_field(q, &next, next.field_face);
        }
        measure_couple(q, &next);
        if (!(next.distance < c.distance)) {
            return;
        }
        take_if_nearer(q, &next);
        c = next;
    }
}

/** Measures a point and what it leads to; returns a lower bound of the surface that it stands for. */
static double measure(query *q, uint32_t point)
{
    const alg_pst_points *const points = &q->pair->points->tree.points;
    couple c = {.on_points = points->points[point], .points_face = points->faces[point]};
    const vec3 at = geo_pose_apply(q->to_field, c.on_points);
    search_field(q, &c, alg_pst_field_at(&q->pair->field->field, at).face);
    measure_couple(q, &c);
    const double before = q->best.distance;
    take_if_nearer(q, &c);
    alternate(q, c);
    q->origin = q->best.distance < before ? point : q->origin;
    return alg_pst_surface_bound(points, point, c.distance - q->rounding);
}

/* --- Candidates ------------------------------------------------------------------------------- */

/** Takes the candidate with the least bound away. */
static alg_pst_candidate take_least(alg_pst_walk *walk)
{
    uint32_t least = 0;
    for (uint32_t i = 1; i < walk->count; i++) {
        least = walk->candidates[i].bound < walk->candidates[least].bound ? i : least;
    }
    const alg_pst_candidate taken = walk->candidates[least];
    walk->candidates[least] = walk->candidates[--walk->count];
    return taken;
}

/** Is the time of a query used up? */
static bool is_late(const alg_pst_walk *walk)
{
    return walk->deadline_ns > 0 && alg_clock_ns() >= walk->deadline_ns;
}

/** Measures candidates until the next one cannot be nearer, or as many as are allowed; one at the least, as
 * the answer is a pair of points. */
static void measure_candidates(query *q, alg_pst_walk *walk)
{
    q->lower = (double)walk->rest;
    uint32_t measured = 0;
    if (walk->count == 0) {
        (void)measure(q, walk->nearest); /* its bound is that of what was left out */
        measured++;
    }
    for (; walk->count > 0; measured++) {
        const alg_pst_candidate next = take_least(walk);
        const bool done = (double)next.bound >= q->best.distance;
        const bool late = !done && measured > 0 && is_late(walk);
        if (done || late || measured >= q->pair->candidates) {
            q->lower = fmin(q->lower, (double)next.bound);
            q->ended = q->ended && !late;
            return;
        }
        const double bound = measure(q, next.point);
        q->lower = fmin(q->lower, fmax(bound, (double)next.bound));
    }
}

/** Without a measurement the answer is the field's own. */
static void estimate(query *q, alg_pst_walk *walk, alg_answer *answer)
{
    const alg_pst_sample s = alg_pst_walk_sample(walk);
    q->lower = (double)walk->rest;
    for (uint32_t i = 0; i < walk->count; i++) {
        q->lower = fmin(q->lower, (double)walk->candidates[i].bound);
    }
    const double off = (double)walk->nearest_radius + (double)walk->margin;
    const double value = fabs((double)s.value);
    answer->distance_hi_m = fmax(value, (double)s.value + (double)s.above) + off;
    answer->distance_lo_m = fmin(q->lower, answer->distance_hi_m);
    answer->distance_m = fmin(fmax(value, answer->distance_lo_m), answer->distance_hi_m);
    answer->answered = ALG_HAS_DISTANCE | ALG_HAS_DISTANCE_BRACKET;
}

/* --- Overlap ---------------------------------------------------------------------------------- */

/** Is the walk's nearest point in the field's solid? */
static bool is_inside(query *q, const alg_pst_walk *walk)
{
    if (!field_skin(q)->solid || walk->nearest_value - walk->nearest_radius > walk->margin) {
        return false;
    }
    const vec3 own = q->pair->points->tree.points.points[walk->nearest];
    const vec3 at = geo_pose_apply(q->to_field, own);
    if (!walk->inside && !geo_surface_contains(&field_skin(q)->surface, at)) {
        return false;
    }
    q->in_both = q->pair->moving ? own : geo_pose_apply(q->pose, own);
    return true;
}

/** Do the triangles intersect that were found to be nearest? */
static bool intersects(query *q)
{
    const couple *const c = &q->best;
    geo_triangle a = geo_mesh_triangle(&field_skin(q)->mesh, c->field_face);
    geo_triangle b = geo_mesh_triangle(&points_skin(q)->mesh, c->points_face);
    if (q->pair->moving) {
        const geo_triangle t = a;
        a = b;
        b = t;
    }
    b = geo_pose_apply_triangle(q->pose, b);
    if (!geo_triangle_intersect(a, b)) {
        return false;
    }
    q->in_both = alg_common_point(a, b);
    return true;
}

static bool is_nested(query *q)
{
    const alg_pst_distance *const pair = q->pair;
    const alg_shell *const a = pair->moving ? pair->points->skin : pair->field->skin;
    const alg_shell *const b = pair->moving ? pair->field->skin : pair->points->skin;
    return alg_shells_nested(a, b, q->pose, &q->in_both);
}

static void answer_overlap(const query *q, alg_answer *answer)
{
    answer->distance_m = answer->distance_lo_m = answer->distance_hi_m = 0;
    answer->witness_a = answer->witness_b = q->in_both;
    answer->answered = ALG_HAS_DISTANCE | ALG_HAS_DISTANCE_BRACKET | ALG_HAS_WITNESS;
}

static void answer_couple(const query *q, alg_answer *answer)
{
    place(q, &q->best, &answer->witness_a, &answer->witness_b);
    answer->distance_m = answer->distance_hi_m = q->best.distance;
    answer->distance_lo_m = fmin(fmax(q->lower, 0), q->best.distance);
    answer->answered = ALG_HAS_DISTANCE | ALG_HAS_DISTANCE_BRACKET | ALG_HAS_WITNESS;
}

/* --- All of it -------------------------------------------------------------------------------- */

/** The limit to begin with: what the field says of the point that was nearest in the query before. It takes a
 * lookup of the walk's budget, which must have another one left. */
static bool begin_from_last(const alg_pst_distance *pair, const geo_pose *to_field)
{
    struct alg_pst_search *const search = pair->search;
    alg_pst_walk *const walk = &search->walk;
    walk->limit = INFINITY;
    if (!pair->coherent || search->last == NONE || pair->budget == 1) {
        return false;
    }
    const vec3 at = geo_pose_apply(to_field, pair->points->tree.points.points[search->last]);
    walk->limit = fmaxf(alg_pst_field_at(&pair->field->field, at).value, 0);
    walk->budget -= pair->budget > 0;
    return true;
}

static query begin(const alg_pst_distance *pair, const geo_pose *pose)
{
    const double sizes = geo_box_reach(pair->field->skin->surface.bvh.box) +
                         geo_box_reach(pair->points->skin->surface.bvh.box) +
                         vec3_norm(pose->translation);
    return (query){.pair = pair,
                   .pose = pose,
                   .inverse = geo_pose_inverse(pose),
                   .rounding = 64 * DBL_EPSILON * sizes,
                   .best = {.distance = INFINITY},
                   .origin = NONE};
}

void alg_pst_distance_query(alg_pst_distance *pair, const geo_pose *pose, alg_answer *answer)
{
    alg_pst_walk *const walk = &pair->search->walk;
    query q = begin(pair, pose);
    q.to_field = pair->moving ? &q.inverse : pose;
    q.to_points = pair->moving ? pose : &q.inverse;
    walk->fixed = false;
    walk->budget = pair->budget;
    walk->deadline_ns = pair->budget_ns > 0 ? alg_clock_ns() + pair->budget_ns : 0;
    const bool coherent = begin_from_last(pair, q.to_field);
    alg_pst_walk_run(walk, q.to_field);
    q.ended = walk->ended;
    bool overlap = is_inside(&q, walk);
    if (!overlap && pair->rounds > 0) {
        measure_candidates(&q, walk);
        answer_couple(&q, answer);
        overlap = intersects(&q);
    } else if (!overlap) {
        estimate(&q, walk, answer);
    }
    if (overlap || is_nested(&q)) {
        answer_overlap(&q, answer);
    }
    pair->search->last = q.origin != NONE ? q.origin : walk->nearest;
    answer->outcome = q.ended ? ALG_CONVERGED : ALG_BUDGET_REACHED;
    answer->counters[ALG_PST_COUNT_SPHERES] += walk->spheres;
    answer->counters[ALG_PST_COUNT_POINTS] += walk->points + coherent;
    answer->counters[ALG_PST_COUNT_CLOSEST] += q.searches;
}
