/*
 * Every pair of triangles that cross gives a segment, an edge of the overlap's boundary. A crossed
 * triangle's part inside the other body is bounded by its segments and by stretches of its own
 * edges, which begin and end at crossings and corners. All are turned into triangles with one apex,
 * the start of the first segment, so that a small part of a large triangle is a sum of small ones.
 * The stretches of an edge need no order: each crossing adds the way from the edge's first crossing
 * to its own, with its sign, and an end that is inside (state 1) the way to that end.
 *
 * The pieces of surface between crossed triangles come from prefix sums (flux.h). Their states
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
    geo_triangle triangle; /* in A's frame */
    vec3 apex;
    vec3 first[3]; /* per edge: its first crossing */
    vec3 normal;   /* the area vector of its part inside, so far */
    uint32_t place;
    int sum[3];      /* per edge: crossings in less those out */
    bool crossed[3]; /* is the edge? */
    int8_t state[3]; /* of the corners; UNKNOWN before they are found */
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
    double grain_m;     /* more than the rounding of a point */
    double gaps_m2;     /* what a point that is off may do to the volume, per length */
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

static bool grow(query *q, side *of)
{
    void *items = of->items;
    q->status = geo_grow(&items, &of->capacity, of->count + 1, sizeof *of->items, q->err);
    of->items = items;
    return q->status == GEO_OK;
}

/** NULL when out of memory. */
static crossed *crossed_at(query *q, int s, uint32_t place, const geo_triangle *corners, vec3 apex)
{
    side *const of = q->side[s];
    if (of->slot[place] == 0) {
        if (of->count == of->capacity && !grow(q, of)) {
            return NULL;
        }
        of->items[of->count] = (crossed){
            .triangle = *corners,
            .apex = apex,
            .place = place,
            .state = {UNKNOWN, UNKNOWN, UNKNOWN},
        };
        of->slot[place] = (uint32_t)++of->count;
    }
    return &of->items[of->slot[place] - 1];
}

/**
 * The triangle apex, from, to belongs to the part inside, or with the sign -1 does not. Often one
 * of the others is the apex too: then it is nothing.
 */
static void add_triangle(query *q, int s, crossed *c, vec3 from, vec3 to, double sign)
{
    const vec3 added = gt_moments_add_triangle(&q->part[s], sign, vec3_sub(c->apex, q->origin),
                                               vec3_sub(from, q->origin), vec3_sub(to, q->origin));
    c->normal = vec3_add(c->normal, added);
}

static double length_of(vec3 v)
{
    return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

/**
 * Where a point of the boundary is off by a length, a triangle from the apex to it is off by that
 * length times their distance, and what it adds to the volume by as much times the distance from
 * the origin.
 */
static void add_gap(query *q, const crossed *c, vec3 p)
{
    const double far = length_of(vec3_sub(c->apex, q->origin)) + length_of(vec3_sub(p, q->origin));
    q->gaps_m2 += (length_of(vec3_sub(p, c->apex)) + q->grain_m) * (far + q->grain_m);
}

/** sign: +1 into the other body, -1 out of it. */
static void add_crossing(query *q, int s, crossed *c, const gt_crossing *at, int sign)
{
    const int k = at->edge;
    if (c->crossed[k]) {
        add_triangle(q, s, c, c->first[k], at->point, -sign);
    } else {
        c->crossed[k] = true;
        c->first[k] = at->point;
    }
    c->sum[k] += sign;
    add_gap(q, c, at->point);
}

static bool visit(void *context, const uint32_t places[2], const geo_triangle corners[2],
                  const gt_segment *segment)
{
    query *const q = context;
    if (q->result->pairs++ == 0) {
        q->origin = segment->start.point;
    }
    const vec3 start = segment->start.point, end = segment->end.point;
    crossed *of[2];
    for (int s = 0; s < 2; s++) {
        of[s] = crossed_at(q, s, places[s], &corners[s], start);
        if (of[s] == NULL) {
            return false;
        }
    }
    /* Seen from outside, the part of a that is in B is on the left of the segment, that of b on
     * the right. */
    add_triangle(q, 0, of[0], start, end, 1);
    add_triangle(q, 1, of[1], start, end, -1);
    const bool start_of_b = segment->start.of_b, end_of_b = segment->end.of_b;
    add_crossing(q, start_of_b, of[start_of_b], &segment->start, start_of_b ? 1 : -1);
    add_crossing(q, end_of_b, of[end_of_b], &segment->end, end_of_b ? -1 : 1);
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
        __builtin_prefetch(&q->body[s]->flux.links[c->place]);
        for (int k = 0; k < 3; k++) {
            if (c->sum[k] == 1 || c->sum[k] == -1) {
                spread(q, c, k, c->sum[k] < 0);
                break;
            }
        }
    }
}

/** What summing will read of a crossed triangle, or half of the time would go by waiting. */
static void fetch_around(const gt_flux_body *flux, const uint32_t *slot, const gt_link *link)
{
    for (int k = 0; k < 3; k++) {
        __builtin_prefetch(&slot[link->across[k] / 3]);
        __builtin_prefetch(&flux->links[link->across[k] / 3]);
    }
    gt_fixed_fetch(flux, link->number);
    gt_fixed_fetch(flux, link->end);
}

/** From a neighbour, or by a ray. */
static void find_other_states(query *q, int s)
{
    const gt_flux_body *const flux = &q->body[s]->flux;
    side *const of = q->side[s];
    for (size_t i = 0; i < of->count; i++) {
        crossed *const c = &of->items[i];
        const gt_link *const link = &flux->links[c->place];
        fetch_around(flux, of->slot, link);
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
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3;
        const vec3 begin = c->triangle.p[k], end = c->triangle.p[next];
        const bool from_begin = c->state[k] == 1, to_end = c->state[next] == 1;
        if (!c->crossed[k] && to_end) {
            add_triangle(q, s, c, begin, end, 1);
        }
        if (c->crossed[k] && from_begin) {
            add_triangle(q, s, c, begin, c->first[k], 1);
        }
        if (c->crossed[k] && to_end) {
            add_triangle(q, s, c, c->first[k], end, 1);
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
        q->result->flaws += c->crossed[k];
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
