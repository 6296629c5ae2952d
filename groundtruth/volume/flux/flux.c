/*
 * Every pair of triangles that cross gives a segment, an edge of the overlap's boundary. A crossed
 * triangle's part inside the other body is bounded by its segments and by stretches of its own
 * edges, which begin and end at crossings and corners. All are turned into triangles with one apex,
 * the start of the first segment, so that a small part of a large triangle is a sum of small ones.
 * The stretches of an edge need no order: each crossing adds the way from the edge's first crossing
 * to its own, with its sign, and an end that is inside (state 1) the way to that end.
 */
#include "base/cpu.h"
#include "base/memory.h"
#include "geometry/pose.h"
#include "geometry/tree_pairs.h"
#include "groundtruth/volume/flux/flux_query.h"
#include "groundtruth/volume/flux/flux_queue.h"

#include <float.h>

gt_flux_space *gt_flux_space_create(void)
{
    return base_alloc(1, sizeof(gt_flux_space));
}

void gt_flux_space_destroy(gt_flux_space *space)
{
    for (int s = 0; s < 2 && space; s++) {
        base_free(space->side[s].slot);
        base_free(space->side[s].items);
        base_free(space->side[s].least);
    }
    base_free(space);
}

/* --- Crossed triangles ------------------------------------------------------------------------ */

static bool grow(gt_flux_task *q, gt_crossed_side *of)
{
    void *items = of->items;
    q->status = base_grow(&items, &of->capacity, of->count + 1, sizeof *of->items, q->err);
    of->items = items;
    return q->status == BASE_OK;
}

/** NULL when out of memory. */
static gt_crossed *crossed_at(gt_flux_task *q, int s, uint32_t place, const geo_triangle *corners,
                              vec3 apex)
{
    gt_crossed_side *const of = q->side[s];
    if (of->slot[place] == 0) {
        if (of->count == of->capacity && !grow(q, of)) {
            return NULL;
        }
        gt_crossed *const c = &of->items[of->count];
        c->apex = apex;
        c->normal2 = (vec3){0, 0, 0};
        c->place = place;
        for (int k = 0; k < 3; k++) {
            c->corner[k] = vec3_sub(corners->p[k], q->origin);
            c->sum[k] = 0;
            c->crossed[k] = false;
            c->state[k] = GT_UNKNOWN;
        }
        of->slot[place] = (uint32_t)++of->count;
    }
    return &of->items[of->slot[place] - 1];
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
static void add_gap(gt_flux_task *q, const gt_crossed *c, vec3 p)
{
    const double far = length_of(c->apex) + length_of(p);
    q->gaps_m2 += (length_of(vec3_sub(p, c->apex)) + q->grain_m) * (far + q->grain_m);
}

/** in: into the other body. */
static void add_crossing(gt_flux_task *q, int s, gt_crossed *c, int edge, vec3 p, bool in)
{
    if (!c->crossed[edge]) {
        c->crossed[edge] = true;
        c->first[edge] = p;
    } else if (in) {
        gt_crossed_add(q, s, c, p, c->first[edge]);
    } else {
        gt_crossed_add(q, s, c, c->first[edge], p);
    }
    c->sum[edge] += in ? 1 : -1;
    add_gap(q, c, p);
}

static bool visit(void *context, const uint32_t places[2], const geo_triangle corners[2],
                  const gt_segment *segment)
{
    gt_flux_task *const q = context;
    if (q->result->pairs++ == 0) {
        q->origin = segment->start.point;
    }
    const vec3 start = vec3_sub(segment->start.point, q->origin);
    const vec3 end = vec3_sub(segment->end.point, q->origin);
    gt_crossed *of[2];
    for (int s = 0; s < 2; s++) {
        of[s] = crossed_at(q, s, places[s], &corners[s], start);
        if (!of[s]) {
            return false;
        }
    }
    /* Seen from outside, the part of a that is in B is on the left of the segment, that of b on
     * the right. */
    gt_crossed_add(q, 0, of[0], start, end);
    gt_crossed_add(q, 1, of[1], end, start);
    const bool start_of_b = segment->start.of_b, end_of_b = segment->end.of_b;
    add_crossing(q, start_of_b, of[start_of_b], segment->start.edge, start, start_of_b);
    add_crossing(q, end_of_b, of[end_of_b], segment->end.edge, end, !end_of_b);
    return true;
}

static void find_pairs(gt_flux_task *q)
{
    const gt_body *const a = q->body[0], *const b = q->body[1];
    gt_queue queue = {
        .tree = {&a->tree,        &b->tree       },
        .forward = {a->flux.forward, b->flux.forward},
        .pose = q->pose,
        .visit = visit,
        .context = q,
        .go = true,
    };
    if (base_cpu_avx2()) {
        geo_tree_pairs(&a->tree, &b->tree, q->pose, gt_queue_add_avx2, &queue);
        gt_queue_end_avx2(&queue);
    } else {
        geo_tree_pairs(&a->tree, &b->tree, q->pose, gt_queue_add_sse2, &queue);
        gt_queue_end_sse2(&queue);
    }
    q->result->exact = queue.exact;
}

static void conclude(const gt_flux_task *q, gt_moments sum_a, const gt_moments *sum_b)
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

static base_status prepare_side(gt_crossed_side *of, const gt_flux_body *flux, size_t triangles,
                                base_error *err)
{
    void *slot = of->slot, *least = of->least;
    base_status status = base_grow(&slot, &of->slot_capacity, triangles, sizeof *of->slot, err);
    of->slot = slot;
    if (status == BASE_OK) {
        status = base_grow(&least, &of->least_capacity, flux->shell_count, sizeof *of->least, err);
        of->least = least;
    }
    of->count = 0;
    return status;
}

/** slot is all 0 between queries. */
static void clear_side(gt_crossed_side *of)
{
    for (size_t i = 0; i < of->count; i++) {
        of->slot[of->items[i].place] = 0;
    }
    of->count = 0;
}

base_status gt_flux_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                          gt_flux_space *space, gt_flux *result, base_error *err)
{
    base_assert(a->report->solid && b->report->solid);
    *result = (gt_flux){.volume_m3 = GT_NONE};
    gt_flux_task q = {
        .body = {a,               b              },
        .pose = pose,
        .side = {&space->side[0], &space->side[1]},
        .origin = a->centre,
        .grain_m = 64 * DBL_EPSILON * gt_pair_reach(a, b, pose),
        .result = result,
        .err = err
    };
    for (int s = 0; s < 2 && q.status == BASE_OK; s++) {
        q.status = prepare_side(q.side[s], &q.body[s]->flux, q.body[s]->mesh->face_count, err);
    }
    if (q.status == BASE_OK) {
        find_pairs(&q);
    }
    if (q.status == BASE_OK) {
        const gt_moments sum_a = gt_flux_sum(&q, 0), sum_b = gt_flux_sum(&q, 1);
        conclude(&q, sum_a, &sum_b);
    }
    clear_side(q.side[0]);
    clear_side(q.side[1]);
    return q.status;
}
