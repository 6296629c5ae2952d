/*
 * Every pair of triangles that cross gives a segment, an edge of the overlap's boundary. A crossed
 * triangle's part inside the other body is bounded by its segments and by stretches of its own
 * edges. Both are turned into triangles with one point of the first segment, so that a small part
 * of a large triangle is a sum of small ones: a segment (p, q) as it stands; the stretches of an
 * edge need no order: with the state (1 inside, 0 outside) at its end and a sum of +-t over its
 * crossings their total length is known.
 *
 * The stretches of surface between crossed triangles come from prefix sums (flux.h). Their states
 * are those of the corners of crossed triangles, which follow from the crossings of an edge where
 * it has one more in than out, or out than in; otherwise one corner is asked by a ray.
 */
#include "groundtruth/body.h"
#include "groundtruth/bounds.h"
#include "groundtruth/flux_pair.h"
#include "groundtruth/flux_pairs.h"

#include "geometry/pose.h"

#include <float.h>

/** A crossed triangle. */
typedef struct crossed {
    uint32_t place;
    int sum[3];        /* per edge: crossings in less those out */
    unsigned count[3]; /* of crossings */
    /** Per edge, t as counted from its first crossing, which is `base` at `point`: sum of +-t and
     * of +-t^2. So what little of a long edge is inside is not a difference of large numbers. */
    double base[3], at[3], at2[3];
    vec3 point[3];
    vec3 apex;             /* of all that its part is made of: where its first segment starts */
    vec3 normal;           /* the area vector of its part inside, so far */
    int8_t state[3];       /* of the corners; UNKNOWN before they are found */
    geo_triangle triangle; /* in A's frame */
} crossed;

enum { UNKNOWN = -1 };

typedef struct side {
    uint32_t *slot; /* per triangle: 1 + its place in items, 0 if it is not crossed */
    size_t slot_capacity;
    crossed *items;
    size_t count, capacity;
    uint32_t *least; /* per shell: 1 + the item with the smallest number, 0 if none is crossed */
    size_t least_capacity;
} side;

struct gt_flux_space {
    side side[2];
};

typedef struct query {
    const gt_body *body[2];
    const geo_pose *pose;
    side *side[2];
    gt_moments part[2]; /* of crossed triangles, relative to origin */
    vec3 origin;        /* a point of the boundary, so that little cancels */
    double grain_m;     /* to which points are exact */
    double gaps_m2;     /* what that may do to the volume, per length */
    gt_flux *result;
    geo_status status;
    geo_error *err;
} query;

gt_flux_space *gt_flux_space_create(void)
{
    return geo_alloc(1, sizeof(gt_flux_space));
}

void gt_flux_space_destroy(gt_flux_space *space)
{
    for (int s = 0; s < 2 && space != NULL; s++) {
        geo_free(space->side[s].slot);
        geo_free(space->side[s].items);
        geo_free(space->side[s].least);
    }
    geo_free(space);
}

/* --- Crossed triangles ------------------------------------------------------------------------ */

/** NULL when out of memory. */
static crossed *crossed_at(query *q, int s, uint32_t place, const geo_triangle *corners, vec3 apex)
{
    side *const of = q->side[s];
    if (of->slot[place] == 0) {
        void *items = of->items;
        q->status = geo_grow(&items, &of->capacity, of->count + 1, sizeof *of->items, q->err);
        of->items = items;
        if (q->status != GEO_OK) {
            return NULL;
        }
        of->items[of->count] = (crossed){
            .place = place,
            .state = {UNKNOWN, UNKNOWN, UNKNOWN},
            .apex = apex,
            .triangle = *corners,
        };
        of->slot[place] = (uint32_t)++of->count;
    }
    return &of->items[of->slot[place] - 1];
}

static void add_segment(query *q, int s, crossed *c, vec3 from, vec3 to)
{
    const vec3 added = gt_moments_add_triangle(&q->part[s], vec3_sub(c->apex, q->origin),
                                               vec3_sub(from, q->origin), vec3_sub(to, q->origin));
    c->normal = vec3_add(c->normal, added);
}

/**
 * Where a point p of the boundary is rounded by a length, a triangle from the apex to it may be off
 * by that length times |p - apex|, and what it adds to the volume by as much times its distance
 * from the origin; `more`: of what lies beyond p.
 */
static void add_gap(query *q, vec3 apex, vec3 p, double more)
{
    const double far = vec3_distance(apex, q->origin) + vec3_distance(p, q->origin) + more;
    q->gaps_m2 += (vec3_distance(apex, p) + q->grain_m) * (far + q->grain_m);
}

/** sign: +1 into the other body, -1 out of it. */
static void add_crossing(query *q, crossed *c, const gt_crossing *at, int sign)
{
    const int k = at->edge;
    if (c->count[k]++ == 0) {
        c->base[k] = at->at;
        c->point[k] = at->point;
    }
    const double t = at->at - c->base[k];
    c->sum[k] += sign;
    c->at[k] += sign * t;
    c->at2[k] += sign * t * t;
    add_gap(q, c->apex, at->point, 0);
}

static bool visit(void *context, const uint32_t places[2], const geo_triangle corners[2],
                  const gt_segment *segment)
{
    query *const q = context;
    if (q->result->pairs++ == 0) {
        q->origin = segment->start.point;
    }
    const vec3 start = segment->start.point, end = segment->end.point;
    crossed *const of_a = crossed_at(q, 0, places[0], &corners[0], start);
    crossed *const of_b = of_a != NULL ? crossed_at(q, 1, places[1], &corners[1], start) : NULL;
    if (of_b == NULL) {
        return false;
    }
    /* Seen from outside, the part of a that is in B is on the left of the segment, that of b on
     * the right. */
    add_segment(q, 0, of_a, start, end);
    add_segment(q, 1, of_b, end, start);
    add_crossing(q, segment->start.of_b ? of_b : of_a, &segment->start,
                 segment->start.of_b ? 1 : -1);
    add_crossing(q, segment->end.of_b ? of_b : of_a, &segment->end, segment->end.of_b ? -1 : 1);
    return true;
}

static void find_pairs(query *q)
{
    const gt_body *const a = q->body[0], *const b = q->body[1];
    const geo_pose there = gt_origin_pose(a, b, q->pose);
    gt_pairs_task task = {
        .tree = {&a->tree,                 &b->tree},
        .flux = {&a->flux,                 &b->flux},
        .pose = q->pose,
        .to_other = {geo_pose_inverse(&there), there   },
        .margin = gt_bounds_margin(a->span, b->span, vec3_norm(there.translation),
                                   128 * DBL_EPSILON * (gt_pair_reach(a, b, q->pose) + b->reach)),
        .visit = visit,
        .context = q,
    };
    if (geo_cpu_avx2()) {
        gt_pairs_avx2(&task);
    } else {
        gt_pairs_sse2(&task);
    }
    q->result->exact = task.exact;
}

/* --- Inside or outside ------------------------------------------------------------------------ */

/** Is a point of body s inside the other one? */
static int ask(query *q, int s, vec3 p)
{
    q->result->inside_tests++;
    return s == 0 ? geo_surface_contains_moved(&q->body[1]->surface, q->pose, p)
                  : geo_surface_contains(&q->body[0]->surface, p);
}

/** From the state of one corner those of the others. */
static void spread(query *q, crossed *c, int corner, int state)
{
    for (int i = 0; i < 3; i++) {
        c->state[corner] = (int8_t)state;
        q->result->flaws += state != 0 && state != 1;
        state += c->sum[corner];
        corner = (corner + 1) % 3;
    }
    q->result->flaws += state != c->state[corner];
}

/** An edge that is crossed once more in than out begins outside. */
static void find_states_by_edges(query *q, int s)
{
    side *const of = q->side[s];
    for (size_t i = 0; i < of->count; i++) {
        crossed *const c = &of->items[i];
        for (int k = 0; k < 3; k++) {
            if (c->sum[k] == 1 || c->sum[k] == -1) {
                spread(q, c, k, c->sum[k] < 0);
                break;
            }
        }
    }
}

/** From a neighbour, or by a ray. */
static void find_other_states(query *q, int s)
{
    side *const of = q->side[s];
    for (size_t i = 0; i < of->count; i++) {
        crossed *const c = &of->items[i];
        const gt_link *const link = &q->body[s]->flux.links[c->place];
        for (int k = 0; k < 3 && c->state[0] == UNKNOWN; k++) {
            const uint32_t across = link->across[k], slot = of->slot[across / 3];
            /* this edge's first corner is the last of the neighbour's */
            const int state = slot != 0 ? of->items[slot - 1].state[(across + 1) % 3] : UNKNOWN;
            if (state != UNKNOWN) {
                spread(q, c, k, state);
            }
        }
        if (c->state[0] == UNKNOWN) {
            spread(q, c, 0, ask(q, s, c->triangle.p[0]));
        }
    }
}

/* --- Sums ------------------------------------------------------------------------------------- */

/** The stretches of its edges that are inside. */
static void add_edges(query *q, int s, crossed *c)
{
    const vec3 apex = vec3_sub(c->apex, q->origin);
    for (int k = 0; k < 3; k++) {
        const double begin = c->state[k], end = c->state[(k + 1) % 3];
        if (c->count[k] == 0 && end == 0) {
            continue;
        }
        const vec3 p = c->triangle.p[k], along = vec3_sub(c->triangle.p[(k + 1) % 3], p);
        const vec3 from = c->count[k] > 0 ? c->point[k] : p, y = vec3_sub(from, q->origin);
        const double before = c->base[k], rest = 1 - before;
        const double length = begin * before + end * rest - c->at[k];
        const double square = end * rest * rest - begin * before * before - c->at2[k];
        const vec3 added =
            gt_moments_add_fan(&q->part[s], apex, y, vec3_add(y, along), length, square);
        c->normal = vec3_add(c->normal, added);
        if (begin != 0 || end != 0) {
            add_gap(q, c->apex, from, (begin * before + end * rest) * vec3_norm(along));
        }
    }
    q->part[s].area += vec3_norm(c->normal);
}

/** What is below the uncrossed children of a crossed triangle, less what is below it. */
static void add_stretches(query *q, int s, const crossed *c, gt_fixed *sum)
{
    const gt_flux_body *const flux = &q->body[s]->flux;
    const gt_link *const link = &flux->links[c->place];
    for (int k = 0; k < 3; k++) {
        const uint32_t neighbour = link->across[k] / 3;
        if (q->side[s]->slot[neighbour] != 0) {
            continue;
        }
        q->result->flaws += c->count[k] != 0;
        if (c->state[k] != 1) {
            continue;
        }
        if (link->parent == k) {
            gt_fixed_subtract(sum, flux, link->number, link->end);
        } else if ((link->children >> k & 1) != 0) {
            gt_fixed_add(sum, flux, flux->links[neighbour].number, flux->links[neighbour].end);
        }
    }
}

static uint32_t shell_of(const gt_flux_body *flux, uint32_t number)
{
    uint32_t lo = 0, hi = flux->shell_count;
    while (hi - lo > 1) {
        const uint32_t middle = lo + (hi - lo) / 2;
        *(flux->shells[middle].begin <= number ? &lo : &hi) = middle;
    }
    return lo;
}

/** A whole shell, if its root is inside: what is not, crossed triangles take away. */
static void add_shells(query *q, int s, gt_fixed *sum)
{
    const gt_flux_body *const flux = &q->body[s]->flux;
    side *const of = q->side[s];
    for (size_t i = 0; i < of->count; i++) {
        const uint32_t number = flux->links[of->items[i].place].number;
        uint32_t *const least = &of->least[shell_of(flux, number)];
        if (*least == 0 || number < flux->links[of->items[*least - 1].place].number) {
            *least = (uint32_t)i + 1;
        }
    }
    for (uint32_t i = 0; i < flux->shell_count; i++) {
        int state;
        if (of->least[i] == 0) {
            const vec3 p = flux->shells[i].point;
            state = ask(q, s, s == 0 ? p : geo_pose_apply(q->pose, p));
        } else {
            const crossed *const c = &of->items[of->least[i] - 1];
            const uint8_t parent = flux->links[c->place].parent;
            state = parent == GT_NO_EDGE ? 0 : c->state[parent];
            of->least[i] = 0;
        }
        if (state == 1) {
            gt_fixed_add(sum, flux, flux->shells[i].begin, flux->shells[i].end);
        }
    }
}

/** Everything of body s that is inside the other one, relative to the query's origin. */
static gt_moments sum_side(query *q, int s)
{
    find_states_by_edges(q, s);
    find_other_states(q, s);
    gt_fixed whole = {0};
    for (size_t i = 0; i < q->side[s]->count; i++) {
        add_edges(q, s, &q->side[s]->items[i]);
        add_stretches(q, s, &q->side[s]->items[i], &whole);
    }
    add_shells(q, s, &whole);
    const gt_flux_body *const flux = &q->body[s]->flux;
    const geo_pose identity = geo_pose_identity();
    const geo_pose *const pose = s == 0 ? &identity : q->pose;
    const gt_moments there = gt_fixed_moments(flux, &whole);
    const gt_moments here = gt_moments_move(
        &there, pose->rotation, vec3_sub(geo_pose_apply(pose, flux->origin), q->origin));
    gt_moments sum = q->part[s];
    gt_moments_add(&sum, &here);
    return sum;
}

static void conclude(const query *q, gt_moments sum_a, const gt_moments *sum_b)
{
    gt_flux *const r = q->result;
    const mat3 *const b = &sum_b->tensor;
    r->gradient_m2 = sum_b->normal;
    /* y cross n, then about A's origin instead */
    const vec3 turn = {b->row[1].z - b->row[2].y, b->row[2].x - b->row[0].z,
                       b->row[0].y - b->row[1].x};
    r->torque_m3 = vec3_add(turn, vec3_cross(q->origin, sum_b->normal));
    gt_moments_add(&sum_a, sum_b);
    const double volume =
        (sum_a.tensor.row[0].x + sum_a.tensor.row[1].y + sum_a.tensor.row[2].z) / 3;
    const double slack = 1e-11 * fabs(volume) + q->grain_m * (sum_a.area + 0.125 * q->gaps_m2);
    r->volume_m3 = gt_bracket_around(volume, slack);
    r->value_m3 = volume > 0 ? volume : 0;
    r->flaws += volume < -slack;
    r->area_m2 = sum_a.area;
    r->centroid = volume > 0 ? vec3_madd(q->origin, 1 / (4 * volume), sum_a.quadratic) : q->origin;
}

/* --- The query -------------------------------------------------------------------------------- */

static geo_status prepare_side(side *of, const gt_flux_body *flux, size_t triangles, geo_error *err)
{
    void *slot = of->slot, *least = of->least;
    geo_status status = geo_grow(&slot, &of->slot_capacity, triangles, sizeof *of->slot, err);
    of->slot = slot;
    if (status == GEO_OK) {
        status = geo_grow(&least, &of->least_capacity, flux->shell_count, sizeof *of->least, err);
        of->least = least;
    }
    of->count = 0;
    return status;
}

/** slot is all 0 between queries. */
static void clear_side(side *of)
{
    for (size_t i = 0; i < of->count; i++) {
        of->slot[of->items[i].place] = 0;
    }
    of->count = 0;
}

geo_status gt_flux_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                         gt_flux_space *space, gt_flux *result, geo_error *err)
{
    geo_assert(a->report->solid && b->report->solid);
    *result = (gt_flux){.volume_m3 = GT_NONE};
    query q = {
        .body = {a,               b              },
        .pose = pose,
        .side = {&space->side[0], &space->side[1]},
        .origin = a->centre,
        .grain_m = 64 * DBL_EPSILON * gt_pair_reach(a, b, pose),
        .result = result,
        .err = err
    };
    for (int s = 0; s < 2 && q.status == GEO_OK; s++) {
        q.status = prepare_side(q.side[s], &q.body[s]->flux, q.body[s]->mesh->face_count, err);
    }
    if (q.status == GEO_OK) {
        find_pairs(&q);
    }
    if (q.status == GEO_OK) {
        const gt_moments sum_a = sum_side(&q, 0), sum_b = sum_side(&q, 1);
        conclude(&q, sum_a, &sum_b);
    }
    clear_side(q.side[0]);
    clear_side(q.side[1]);
    return q.status;
}
