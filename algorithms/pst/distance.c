#include "algorithms/pst/distance.h"

#include "base/simd.h"
#include "base/elementary.h"
#include "geometry/vec.h"
#include "geometry/triangle.h"

#include <float.h>
#include <math.h>

/** Value of alg_pst_traversal.worst if the candidate with the greatest bound is not known. */
#define UNKNOWN UINT32_MAX

/** Greatest number of candidates that a traversal stores. Of further candidates only a lower bound
 * is kept. */
enum { CAPACITY = 1024 };

/* Time that is reserved for a measurement at the end of a query. In a traversal at most half of the
 * query's time is reserved. */
enum { MEASURE_NS = 1500 };

/* Alternating descents stop when the distance decreases by less than this share. */
#define NEARER_SHARE 0x1p-14
/* The result of a descent from the field's face is accepted if it exceeds the field's value by at
 * most this share, and by at most the field's error. */
#define VALUE_SHARE 0x1p-8

/* --- Traversal -------------------------------------------------------------------------------- */

double alg_pst_surface_bound(const alg_pst_points *points, uint32_t point, double distance)
{
    const double y = fmax(distance - points->reach - points->slack, 0);
    const double square = y * y * (1 - 0x1p-48) - (double)points->patch2[point];
    return square > 0 ? sqrt(square) * (1 - 0x1p-50) : 0;
}

base_status alg_pst_traversal_bind(alg_pst_traversal *traversal, const alg_pst_tree *tree,
                                   const alg_pst_field *field, uint32_t capacity, base_arena *arena,
                                   base_error *err)
{
    const size_t clusters = (size_t)tree->node_count * ALG_PST_WIDTH;
    *traversal = (alg_pst_traversal){
        .tree = tree,
        .field = field,
        .candidates = base_arena_alloc(arena, capacity, sizeof *traversal->candidates),
        .capacity = capacity,
        .open = base_arena_alloc(arena, clusters, sizeof *traversal->open),
    };
    return traversal->candidates && traversal->open
               ? BASE_OK
               : base_fail(err, BASE_ERR_MEMORY, "out of memory for a traversal of %zu clusters",
                           clusters);
}

alg_pst_sample alg_pst_traversal_sample(const alg_pst_traversal *traversal)
{
    const float *const at = traversal->nearest_at;
    const vec3 from_corner = {(double)at[0], (double)at[1], (double)at[2]};
    return alg_pst_field_at(traversal->field, vec3_add(traversal->field->corner, from_corner));
}

/** Removes the candidates with a bound above the current limit. */
static void drop_candidates(alg_pst_traversal *w)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        const alg_pst_candidate candidate = w->candidates[i];
        const bool stays = candidate.bound <= w->limit;
        w->rest = stays ? w->rest : fminf(w->rest, candidate.bound);
        w->candidates[kept] = candidate;
        kept += stays;
    }
    w->count = kept;
}

bool alg_pst_make_room(alg_pst_traversal *w, float bound)
{
    /* When a candidate is stored, its bound is not above the limit. So candidates are removed only
       after the limit has decreased. */
    if (w->worst == UNKNOWN || w->limit < w->full_limit) {
        w->worst = UNKNOWN;
        drop_candidates(w);
        if (w->count < w->capacity) {
            return true;
        }
        w->full_limit = w->limit;
        w->worst = 0;
        for (uint32_t i = 1; i < w->count; i++) {
            if (w->candidates[i].bound > w->candidates[w->worst].bound) {
                w->worst = i;
            }
        }
    }
    const float greatest = w->candidates[w->worst].bound;
    if (!(bound < greatest)) {
        return false;
    }
    w->rest = fminf(w->rest, greatest);
    w->candidates[w->worst] = w->candidates[--w->count];
    w->worst = UNKNOWN;
    return true;
}

void alg_pst_traverse(alg_pst_traversal *w, const geo_pose *to_field)
{
    const alg_pst_tree *const tree = w->tree;
    const geo_pose moved = {to_field->rotation,
                            vec3_sub(geo_pose_apply(to_field, tree->origin), w->field->corner)};
    w->motion = geo_motion_make(&moved);
    const double side = w->field->edge * ALG_PST_BLOCK_CELLS;
    const uint32_t *const n = w->field->block_count;
    const vec3 extent = {side * n[0], side * n[1], side * n[2]}; /* of the blocks */
    const double apart = vec3_norm(moved.translation);
    const double sizes = tree->extent + apart + vec3_norm(extent);
    const double doubles = 16 * DBL_EPSILON *
                           (sizes + vec3_norm(tree->origin) + vec3_norm(w->field->corner) +
                            vec3_norm(to_field->translation));
    const alg_pst_points *const points = &tree->points;
    w->margin = base_float_above((double)tree->packed_rounding + points->slack + points->reach +
                                 16 * 0x1p-24 * sizes + doubles);
    w->count = 0;
    w->worst = UNKNOWN; /* of this query */
    w->rest = INFINITY;
    w->ended = true;
    w->inside = false;
    w->nearest = 0;
    w->nearest_value = INFINITY;
    w->nearest_radius = 0;
    w->spheres = 0;
    w->points = 0;
    w->open_count = 0;
    w->opened = 0;
    (base_cpu_avx2() ? alg_pst_traverse_avx2 : alg_pst_traverse_sse2)(w);
    for (uint32_t i = 0; i < w->open_count; i++) {
        w->rest = fminf(w->rest, w->open[i].bound);
    }
    drop_candidates(w);
}

/* --- Descents --------------------------------------------------------------------------------- */

base_status alg_pst_distance_bind(alg_pst_distance *pair, base_arena *arena, base_error *err)
{
    pair->last_count = 0;
    return alg_pst_traversal_bind(&pair->traversal, &pair->points->tree, &pair->field->field,
                                  CAPACITY, arena, err);
}

/** A point of each surface, in its own body's frame, and their faces. */
typedef struct couple {
    vec3 on_points, on_field;
    uint32_t points_face, field_face;
    double distance;
} couple;

typedef struct query {
    alg_pst_distance *pair;
    const geo_shell *field, *points; /* the surfaces */
    const geo_pose *pose;            /* from B's frame to A's */
    const geo_pose *to_field;        /* from the points' frame to the field's */
    const geo_pose *to_points;
    double rounding; /* bound of the rounding error of a computed distance */
    couple best;     /* nearest couple so far; distance INFINITY if no couple was measured */
    double lower;    /* least lower bound of all candidates and of everything left out */
    uint64_t searches;
    uint64_t deadline_ns; /* in the time of alg_clock_ns; 0: no deadline */
    bool late;            /* true if the time was over before all measurements and decisions were
                             made */
    double apart2; /* a point is measured only if its squared distance from all measured points is
                      greater; a nearer one would lead to the same minimum */
    vec3 in_both;  /* common point of overlapping bodies, in A's frame */
} query;

/** Returns true if the deadline has passed, or will pass in the next `ahead_ns` nanoseconds. */
static bool is_late(const query *q, uint64_t ahead_ns)
{
    return q->deadline_ns > 0 && alg_clock_ns() + ahead_ns >= q->deadline_ns;
}

/** Computes the points of a couple in A's frame. */
static void move_couple(const query *q, const couple *c, vec3 *in_a, vec3 *in_b)
{
    const bool moving = q->pair->moving;
    *in_a = moving ? c->on_points : c->on_field;
    *in_b = geo_pose_apply(q->pose, moving ? c->on_field : c->on_points);
}

/** Replaces a couple's point on the field's body (side 0) or on the points' body (side 1), and
 * computes the distance again. */
static void set_point(query *q, couple *c, int side, geo_closest found)
{
    *(side == 0 ? &c->on_field : &c->on_points) = found.point;
    *(side == 0 ? &c->field_face : &c->points_face) = found.face;
    vec3 in_a, in_b;
    move_couple(q, c, &in_a, &in_b);
    c->distance = vec3_distance(in_a, in_b);
    q->searches++;
}

/** Descends on the surface of a side, from the face `from` to the point nearest to the other side's
 * point. */
static void descend(query *q, couple *c, int side, uint32_t from)
{
    const alg_pst_body *const body = side == 0 ? q->pair->field : q->pair->points;
    const vec3 at = side == 0 ? geo_pose_apply(q->to_field, c->on_points)
                              : geo_pose_apply(q->to_points, c->on_field);
    set_point(q, c, side, geo_adjacency_descend(&body->adjacency, at, from));
}

/** Measures a point: finds the nearest point of the field's body, then alternately the point of one
 * surface nearest to the last point of the other surface. Returns a lower bound of the distance of
 * the surface that the point represents, or 0 if the whole surface was not searched. */
static double measure(query *q, uint32_t point)
{
    alg_pst_distance *const pair = q->pair;
    const alg_pst_points *const points = &pair->points->tree.points;
    couple c = {.on_points = points->points[point], .points_face = points->faces[point]};
    const vec3 at = geo_pose_apply(q->to_field, c.on_points);
    const alg_pst_sample s = alg_pst_field_at(&pair->field->field, at);
    descend(q, &c, 0, s.face);
    /* The distance of the nearest point is about the field's value. If the descent ended farther
       away, it found another local minimum. */
    const double value = (double)s.value;
    const double off = fmin((double)s.above, VALUE_SHARE * fmax(value, 0));
    const bool nearest = c.distance <= value + off + q->rounding;
    double bound = 0;
    if (!nearest && !is_late(q, 0)) {
        set_point(q, &c, 0, geo_surface_closest(&q->field->surface, at, c.field_face));
        bound = alg_pst_surface_bound(points, point, c.distance - q->rounding);
    }
    q->best = c.distance < q->best.distance ? c : q->best;
    for (uint32_t round = 0; round < pair->rounds; round++) {
        const double before = c.distance;
        const int side = round % 2 == 0;
        descend(q, &c, side, side == 0 ? c.field_face : c.points_face);
        q->best = c.distance < q->best.distance ? c : q->best;
        if (!(c.distance < before * (1 - NEARER_SHARE))) {
            break;
        }
    }
    pair->last[pair->last_count++] = point;
    return bound;
}

/* --- Candidates ------------------------------------------------------------------------------- */

/** Returns true if a point is far from all measured points. */
static bool is_elsewhere(const query *q, uint32_t point)
{
    const alg_pst_distance *const pair = q->pair;
    const vec3 *const points = pair->points->tree.points.points;
    for (uint32_t i = 0; i < pair->last_count; i++) {
        if (vec3_distance2(points[point], points[pair->last[i]]) <= q->apart2) {
            return false;
        }
    }
    return true;
}

/** Returns the candidate with the least value, among those that may be nearer than the best couple
 * and are far from all measured points; NULL if there is no such candidate. */
static alg_pst_candidate *find_next(const query *q)
{
    const alg_pst_traversal *const t = &q->pair->traversal;
    alg_pst_candidate *next = NULL;
    for (uint32_t i = 0; i < t->count; i++) {
        alg_pst_candidate *const one = &t->candidates[i];
        if ((double)one->bound < q->best.distance && (!next || one->value < next->value) &&
            is_elsewhere(q, one->point)) {
            next = one;
        }
    }
    return next;
}

/** Measures candidates and raises their bounds. Stops if no other candidate can be nearer, if the
 * allowed number is reached, or if the time is over. At least one point is measured. */
static void measure_candidates(query *q)
{
    alg_pst_distance *const pair = q->pair;
    pair->last_count = 0;
    if (pair->traversal.count == 0) {
        (void)measure(q, pair->traversal.nearest); /* its bound is included in `rest` */
    }
    for (;;) {
        if (pair->last_count > 0) {
            q->late = is_late(q, MEASURE_NS);
            if (q->late || pair->last_count >= pair->candidates) {
                break;
            }
        }
        alg_pst_candidate *const next = find_next(q);
        if (!next) {
            break;
        }
        next->bound = fmaxf(next->bound, base_float_below(measure(q, next->point)));
    }
}

/* --- Overlap ---------------------------------------------------------------------------------- */

/** Returns true if the traversal's nearest point is inside the field's solid, and sets in_both. */
static bool is_inside(query *q)
{
    const alg_pst_traversal *const t = &q->pair->traversal;
    if (!q->field->solid || t->nearest_value - t->nearest_radius > t->margin) {
        return false;
    }
    const vec3 own = t->tree->points.points[t->nearest];
    const vec3 at = geo_pose_apply(q->to_field, own);
    if (!t->inside && !geo_surface_contains(&q->field->surface, at)) {
        return false;
    }
    q->in_both = q->pair->moving ? own : geo_pose_apply(q->pose, own);
    return true;
}

/** Returns true if the triangles of the best couple intersect, and sets in_both. */
static bool intersects(query *q)
{
    const bool moving = q->pair->moving;
    const geo_triangle f = geo_mesh_triangle(&q->field->mesh, q->best.field_face);
    const geo_triangle p = geo_mesh_triangle(&q->points->mesh, q->best.points_face);
    const geo_triangle a = moving ? p : f, b = geo_pose_apply_triangle(q->pose, moving ? f : p);
    if (!geo_triangle_intersect(a, b)) {
        return false;
    }
    q->in_both = geo_triangle_common_point(a, b);
    return true;
}

/**
 * Returns true if the bodies overlap although no point was found inside. If the time is over before
 * this is decided, the bracket is extended to 0.
 *
 * Surfaces that are farther apart than the rounding errors need only a tenth of the time, because a
 * rounded point is then on the same side of a surface as the exact point.
 */
static bool overlaps(query *q)
{
    const bool moving = q->pair->moving;
    if (q->lower > q->rounding) {
        vec3 p;
        if (geo_shell_holds_part(q->field, q->points, q->to_field, &p)) {
            q->in_both = moving ? geo_pose_apply(q->pose, p) : p;
            return true;
        }
        if (geo_shell_holds_part(q->points, q->field, q->to_points, &p)) {
            q->in_both = moving ? p : geo_pose_apply(q->pose, p);
            return true;
        }
        return false;
    }
    if (is_late(q, 0)) {
        q->late = true;
        q->lower = 0;
        return false;
    }
    const bool measured = isfinite(q->best.distance);
    return (measured && q->lower <= 0 && intersects(q)) ||
           geo_shells_nested(moving ? q->points : q->field, moving ? q->field : q->points, q->pose,
                             &q->in_both);
}

/* --- The complete query ----------------------------------------------------------------------- */

/** Answers with the field alone, without a measurement. */
static void answer_estimate(const query *q, alg_answer *answer)
{
    const alg_pst_traversal *const t = &q->pair->traversal;
    const alg_pst_sample s = alg_pst_traversal_sample(t);
    const double off = (double)t->nearest_radius + (double)t->margin;
    const double value = fabs((double)s.value);
    answer->distance_hi_m = fmax(value, (double)s.value + (double)s.above) + off;
    answer->distance_lo_m = fmin(q->lower, answer->distance_hi_m);
    answer->distance_m = fmin(fmax(value, answer->distance_lo_m), answer->distance_hi_m);
}

/** Looks up the points measured in the previous query, within the budget, and sets the traversal's
 * limit. Returns their number. */
static uint32_t look_up_last(const query *q)
{
    alg_pst_distance *const pair = q->pair;
    uint32_t count = 0;
    pair->traversal.limit = INFINITY;
    while (pair->coherent && count < pair->last_count &&
           (pair->budget == 0 || count + 1 < pair->budget)) {
        const vec3 own = pair->points->tree.points.points[pair->last[count++]];
        const vec3 at = geo_pose_apply(q->to_field, own);
        const float value = alg_pst_field_at(&pair->field->field, at).value;
        pair->traversal.limit = fminf(pair->traversal.limit, fmaxf(value, 0));
    }
    return count;
}

/** Traverses, measures, and tests for an overlap. Returns true if the bodies overlap. */
static bool search(query *q)
{
    alg_pst_distance *const pair = q->pair;
    alg_pst_traversal *const t = &pair->traversal;
    alg_pst_traverse(t, q->to_field);
    /* If nothing is measured, the next query starts from the traversal's nearest point alone. */
    pair->last[0] = t->nearest;
    pair->last_count = 1;
    if (is_inside(q)) {
        return true;
    }
    if (pair->rounds > 0) {
        measure_candidates(q);
    }
    q->lower = (double)t->rest;
    for (uint32_t i = 0; i < t->count; i++) {
        q->lower = fmin(q->lower, (double)t->candidates[i].bound);
    }
    return overlaps(q);
}

void alg_pst_distance_query(alg_pst_distance *pair, const geo_pose *pose, alg_answer *answer)
{
    alg_pst_traversal *const t = &pair->traversal;
    const geo_shell *const field = pair->field->skin, *const points = pair->points->skin;
    const geo_pose inverse = geo_pose_inverse(pose);
    const double apart = 4 * pair->points->tree.points.spacing_mean;
    query q = {
        .pair = pair,
        .field = field,
        .points = points,
        .pose = pose,
        .to_field = pair->moving ? &inverse : pose,
        .to_points = pair->moving ? pose : &inverse,
        .rounding = 64 * DBL_EPSILON *
                    (geo_box_reach(field->surface.bvh.box) +
                     geo_box_reach(points->surface.bvh.box) + vec3_norm(pose->translation)),
        .apart2 = apart * apart,
        .best = {.distance = INFINITY},
    };
    if (pair->budget_ns > 0) {
        const uint64_t kept = pair->rounds > 0 ? MEASURE_NS : 0, half = pair->budget_ns / 2;
        q.deadline_ns = alg_clock_ns() + pair->budget_ns;
        t->deadline_ns = q.deadline_ns - (kept < half ? kept : half);
    }
    const uint32_t repeated = look_up_last(&q);
    t->fixed = false;
    t->budget = pair->budget > 0 ? pair->budget - repeated : 0;
    answer->answered = ALG_HAS_DISTANCE | ALG_HAS_DISTANCE_BRACKET;
    if (search(&q)) {
        answer->distance_m = answer->distance_lo_m = answer->distance_hi_m = 0;
        answer->witness_a = answer->witness_b = q.in_both;
        answer->answered |= ALG_HAS_WITNESS;
    } else if (pair->rounds > 0) {
        move_couple(&q, &q.best, &answer->witness_a, &answer->witness_b);
        answer->distance_m = answer->distance_hi_m = q.best.distance;
        answer->distance_lo_m = fmin(fmax(q.lower, 0), q.best.distance);
        answer->answered |= ALG_HAS_WITNESS;
    } else {
        answer_estimate(&q, answer);
    }
    answer->outcome = t->ended && !q.late ? ALG_CONVERGED : ALG_BUDGET_REACHED;
    answer->counters[ALG_PST_COUNT_SPHERES] += t->spheres;
    answer->counters[ALG_PST_COUNT_POINTS] += t->points + repeated;
    answer->counters[ALG_PST_COUNT_CLOSEST] += q.searches;
}
