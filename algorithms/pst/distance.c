#include "algorithms/pst/distance.h"

#include "base/elementary.h"
#include "geometry/triangle.h"

#include <float.h>
#include <string.h>

/** Number of candidates that a traversal stores; of further ones only a lower bound is kept. */
enum { ROOM = 1024 };

/* Part of a deadline that is reserved for a measurement, but at most half of it. */
enum { MEASURE_NS = 1500 };

/* Alternating descents stop when the distance decreases by less than this share. */
#define NEARER_SHARE 0x1p-14
/* The result of a descent from the field's face is accepted if it exceeds the field's value by at
 * most this share. */
#define VALUE_SHARE 0x1p-8

struct alg_pst_search {
    alg_pst_walk walk;
    alg_pst_candidate candidates[ROOM];
    uint32_t last[ALG_PST_CANDIDATES_MOST]; /* points measured in this query, or before it in the
                                               previous one */
    uint32_t last_count;
};

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
        .walk = {.tree = tree, .field = &pair->field->field, .open = open, .capacity = ROOM}};
    search->walk.candidates = search->candidates;
    pair->search = search;
    return BASE_OK;
}

void alg_pst_distance_reset(alg_pst_distance *pair)
{
    pair->search->last_count = 0;
}

/* --- One query -------------------------------------------------------------------------------- */

/** A point of each surface, in its own body's frame, and their faces. */
typedef struct couple {
    vec3 on_points, on_field;
    uint32_t points_face, field_face;
    double distance;
} couple;

typedef struct query {
    const alg_pst_distance *pair;
    const geo_pose *pose;     /* from B's frame to A's */
    geo_pose inverse;         /* from A's frame to B's */
    const geo_pose *to_field; /* from the points' frame to the field's */
    const geo_pose *to_points;
    double rounding; /* bound of the rounding error of a computed distance */
    couple best;     /* distance INFINITY if no couple was measured */
    double lower;    /* lower bound of the distance over everything measured or left out */
    uint64_t searches;
    uint64_t deadline_ns; /* in the time of alg_clock_ns; 0: no deadline */
    bool late;            /* true if the time was over before all measurements and decisions were
                             made */
    double apart2; /* square of the distance beyond which points may lead to another minimum */
    vec3 in_both;  /* common point of overlapping bodies, in A's frame */
} query;

static const geo_shell *field_skin(const query *q)
{
    return q->pair->field->skin;
}

static const geo_shell *points_skin(const query *q)
{
    return q->pair->points->skin;
}

/** Returns true if the deadline is over in `ahead_ns` nanoseconds. */
static bool is_late(const query *q, uint64_t ahead_ns)
{
    return q->deadline_ns > 0 && alg_clock_ns() + ahead_ns >= q->deadline_ns;
}

/** Computes the points of a couple in A's frame. */
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

static void set_on_field(query *q, couple *c, geo_closest found)
{
    c->on_field = found.point;
    c->field_face = found.face;
    measure_couple(q, c);
    q->searches++;
}

static void descend_field(query *q, couple *c, uint32_t from)
{
    const vec3 at = geo_pose_apply(q->to_field, c->on_points);
    set_on_field(q, c, geo_adjacency_descend(&q->pair->field->adjacency, at, from));
}

static void descend_points(query *q, couple *c)
{
    const vec3 at = geo_pose_apply(q->to_points, c->on_field);
    const geo_closest found =
        geo_adjacency_descend(&q->pair->points->adjacency, at, c->points_face);
    c->on_points = found.point;
    c->points_face = found.face;
    measure_couple(q, c);
    q->searches++;
}

static void take_if_nearer(query *q, const couple *c)
{
    if (c->distance < q->best.distance) {
        q->best = *c;
    }
}

/** Starting from a couple, finds alternately the point of one surface nearest to the last point of
 * the other. */
static void alternate(query *q, couple c)
{
    for (uint32_t round = 0; round < q->pair->rounds; round++) {
        couple next = c;
        if (round % 2 == 0) {
            descend_points(q, &next);
        } else {
            descend_field(q, &next, next.field_face);
        }
        take_if_nearer(q, &next);
        if (!(next.distance < c.distance * (1 - NEARER_SHARE))) {
            return;
        }
        c = next;
    }
}

/** Returns true if the result of a descent is about as near as the field's value. Otherwise the
 * descent ended in another local minimum. */
static bool is_nearest(const query *q, const alg_pst_sample *s, double distance)
{
    const double value = (double)s->value;
    const double off = fmin((double)s->above, VALUE_SHARE * fmax(value, 0));
    return distance <= value + off + q->rounding;
}

/** Measures a point and starts descents from it. Returns a lower bound of the distance of the
 * surface that the point represents. */
static double measure(query *q, uint32_t point)
{
    struct alg_pst_search *const search = q->pair->search;
    const alg_pst_points *const points = &q->pair->points->tree.points;
    couple c = {.on_points = points->points[point], .points_face = points->faces[point]};
    const vec3 at = geo_pose_apply(q->to_field, c.on_points);
    const alg_pst_sample s = alg_pst_field_at(&q->pair->field->field, at);
    descend_field(q, &c, s.face);
    double bound = 0;
    if (!is_nearest(q, &s, c.distance) && !is_late(q, 0)) {
        set_on_field(q, &c, geo_surface_closest(&field_skin(q)->surface, at, c.field_face));
        bound = alg_pst_surface_bound(points, point, c.distance - q->rounding);
    }
    take_if_nearer(q, &c);
    alternate(q, c);
    search->last[search->last_count++] = point;
    return bound;
}

/* --- Candidates ------------------------------------------------------------------------------- */

/** Returns true if a point is far from all measured ones. */
static bool is_elsewhere(const query *q, uint32_t point)
{
    const vec3 *const points = q->pair->points->tree.points.points;
    const struct alg_pst_search *const search = q->pair->search;
    for (uint32_t i = 0; i < search->last_count; i++) {
        if (vec3_distance2(points[point], points[search->last[i]]) <= q->apart2) {
            return false;
        }
    }
    return true;
}

/** Returns the candidate with the least value, among those that may be nearer than the best and are
 * far from all measured ones; NULL if there is no such candidate. */
static alg_pst_candidate *find_next(const query *q, const alg_pst_walk *walk)
{
    alg_pst_candidate *next = NULL;
    for (uint32_t i = 0; i < walk->count; i++) {
        alg_pst_candidate *const one = &walk->candidates[i];
        if ((double)one->bound < q->best.distance && (!next || one->value < next->value) &&
            is_elsewhere(q, one->point)) {
            next = one;
        }
    }
    return next;
}

/** Returns true if another candidate may be measured. The first one always is. */
static bool may_measure(query *q)
{
    const uint32_t measured = q->pair->search->last_count;
    if (measured == 0) {
        return true;
    }
    q->late = is_late(q, MEASURE_NS);
    return !q->late && measured < q->pair->candidates;
}

/** Measures candidates until no other can be nearer, or up to the allowed number, and raises their
 * bounds. */
static void measure_candidates(query *q, const alg_pst_walk *walk)
{
    q->pair->search->last_count = 0;
    if (walk->count == 0) {
        (void)measure(q, walk->nearest); /* its bound is included in walk->rest */
    }
    alg_pst_candidate *next;
    while (may_measure(q) && (next = find_next(q, walk))) {
        next->bound = fmaxf(next->bound, base_float_below(measure(q, next->point)));
    }
}

/** Sets the lower bound from the rest of the traversal and all candidates. */
static void bound_candidates(query *q, const alg_pst_walk *walk)
{
    q->lower = (double)walk->rest;
    for (uint32_t i = 0; i < walk->count; i++) {
        q->lower = fmin(q->lower, (double)walk->candidates[i].bound);
    }
}

/* --- Overlap ---------------------------------------------------------------------------------- */

/** Returns true if the traversal's nearest point is inside the field's solid. */
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

/** Returns true if the two nearest triangles intersect. */
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
    q->in_both = geo_triangle_common_point(a, b);
    return true;
}

/** Containment of surfaces that are farther apart than the rounding errors: a rounded point is on
 * the same side as the exact one. This costs a tenth of is_nested. */
static bool is_nested_apart(query *q)
{
    vec3 p;
    if (geo_shell_holds_part(field_skin(q), points_skin(q), q->to_field, &p)) {
        q->in_both = q->pair->moving ? geo_pose_apply(q->pose, p) : p;
        return true;
    }
    if (geo_shell_holds_part(points_skin(q), field_skin(q), q->to_points, &p)) {
        q->in_both = q->pair->moving ? p : geo_pose_apply(q->pose, p);
        return true;
    }
    return false;
}

static bool is_nested(query *q)
{
    const alg_pst_distance *const pair = q->pair;
    const geo_shell *const a = pair->moving ? pair->points->skin : pair->field->skin;
    const geo_shell *const b = pair->moving ? pair->field->skin : pair->points->skin;
    return geo_shells_nested(a, b, q->pose, &q->in_both);
}

/** Returns true if bodies overlap although no point was found inside. If the time is over before
 * this is decided, the bracket is extended to 0. */
static bool overlaps(query *q)
{
    if (q->lower > q->rounding) {
        return is_nested_apart(q);
    }
    if (is_late(q, 0)) {
        q->late = true;
        q->lower = 0;
        return false;
    }
    const bool measured = isfinite(q->best.distance);
    return (measured && q->lower <= 0 && intersects(q)) || is_nested(q);
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

/** Without a measurement the answer comes from the field alone. */
static void answer_estimate(const query *q, const alg_pst_walk *walk, alg_answer *answer)
{
    const alg_pst_sample s = alg_pst_walk_sample(walk);
    const double off = (double)walk->nearest_radius + (double)walk->margin;
    const double value = fabs((double)s.value);
    answer->distance_hi_m = fmax(value, (double)s.value + (double)s.above) + off;
    answer->distance_lo_m = fmin(q->lower, answer->distance_hi_m);
    answer->distance_m = fmin(fmax(value, answer->distance_lo_m), answer->distance_hi_m);
    answer->answered = ALG_HAS_DISTANCE | ALG_HAS_DISTANCE_BRACKET;
}

/* --- The complete query ----------------------------------------------------------------------- */

static query begin(const alg_pst_distance *pair, const geo_pose *pose)
{
    const double sizes = geo_box_reach(pair->field->skin->surface.bvh.box) +
                         geo_box_reach(pair->points->skin->surface.bvh.box) +
                         vec3_norm(pose->translation);
    const double apart = 4 * pair->points->tree.points.spacing_mean;
    return (query){.pair = pair,
                   .pose = pose,
                   .inverse = geo_pose_inverse(pose),
                   .apart2 = apart * apart,
                   .rounding = 64 * DBL_EPSILON * sizes,
                   .best = {.distance = INFINITY}};
}

/** Looks up the points measured in the previous query, within the budget. Returns their least value
 * as a limit. */
static float look_up_last(const query *q, uint32_t *count)
{
    const alg_pst_distance *const pair = q->pair;
    const struct alg_pst_search *const search = pair->search;
    float limit = INFINITY;
    for (*count = 0; pair->coherent && *count < search->last_count; ++*count) {
        if (pair->budget > 0 && *count + 1 >= pair->budget) {
            break;
        }
        const vec3 own = pair->points->tree.points.points[search->last[*count]];
        const vec3 at = geo_pose_apply(q->to_field, own);
        limit = fminf(limit, fmaxf(alg_pst_field_at(&pair->field->field, at).value, 0));
    }
    return limit;
}

/** Without measurements only the traversal's nearest point is known. */
static void remember_nearest(struct alg_pst_search *search)
{
    search->last[0] = search->walk.nearest;
    search->last_count = 1;
}

void alg_pst_distance_query(alg_pst_distance *pair, const geo_pose *pose, alg_answer *answer)
{
    alg_pst_walk *const walk = &pair->search->walk;
    query q = begin(pair, pose);
    q.to_field = pair->moving ? &q.inverse : pose;
    q.to_points = pair->moving ? pose : &q.inverse;
    uint32_t known;
    if (pair->budget_ns > 0) {
        const uint64_t kept = pair->rounds > 0 ? MEASURE_NS : 0, half = pair->budget_ns / 2;
        q.deadline_ns = alg_clock_ns() + pair->budget_ns;
        walk->deadline_ns = q.deadline_ns - (kept < half ? kept : half);
    }
    walk->limit = look_up_last(&q, &known);
    walk->fixed = false;
    walk->budget = pair->budget > 0 ? pair->budget - known : 0;
    alg_pst_walk_run(walk, q.to_field);
    remember_nearest(pair->search);
    bool overlap = is_inside(&q, walk);
    if (!overlap) {
        if (pair->rounds > 0) {
            measure_candidates(&q, walk);
        }
        bound_candidates(&q, walk);
        overlap = overlaps(&q);
    }
    if (overlap) {
        answer_overlap(&q, answer);
    } else if (pair->rounds > 0) {
        answer_couple(&q, answer);
    } else {
        answer_estimate(&q, walk, answer);
    }
    answer->outcome = walk->ended && !q.late ? ALG_CONVERGED : ALG_BUDGET_REACHED;
    answer->counters[ALG_PST_COUNT_SPHERES] += walk->spheres;
    answer->counters[ALG_PST_COUNT_POINTS] += walk->points + known;
    answer->counters[ALG_PST_COUNT_CLOSEST] += q.searches;
}
