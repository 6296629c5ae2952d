#include "groundtruth/depth/blocked.h"

#include "base/heap.h"
#include "geometry/pose.h"
#include "groundtruth/body/body.h"

#include <float.h>
#include <string.h>

/* Cells that come this near to the upper end, relatively, are not worth a look. */
#define TIGHT 5e-3

/* Steps to a larger ball. */
enum { CLIMB = 8 };

typedef struct search {
    gt_way_out *way;
    gt_blocked_space *space;
    double slack;     /* of distances to surfaces */
    uint32_t face[2]; /* of A and of B, where the last nearest points were */
} search;

/* --- Balls ------------------------------------------------------------------------------------ */

/** How far inside, negative outside. *inward: unit, the way in which that grows. */
static double depth_inside(const geo_surface *surface, vec3 p, uint32_t *face, vec3 *inward)
{
    const geo_closest closest = geo_surface_closest(surface, p, *face);
    const double side = geo_surface_contains(surface, p) ? 1 : -1;
    *face = closest.face;
    *inward = vec3_scale(side, vec3_normalize(vec3_sub(p, closest.point)));
    return side * sqrt(closest.distance2);
}

/** *uphill: unit, the way of the point in which the radius grows. */
static gt_blocked_ball ball_around(search *s, vec3 centre, vec3 point, vec3 *uphill)
{
    const geo_pose *const pose = s->way->pose;
    const vec3 to_b = vec3_sub(point, vec3_add(pose->translation, centre));
    vec3 into_a, into_b;
    const double r = depth_inside(&s->way->a->shell.surface, point, &s->face[0], &into_a);
    const double q = depth_inside(&s->way->b->shell.surface, mat3_tmul_vec3(pose->rotation, to_b),
                                  &s->face[1], &into_b);
    *uphill = vec3_normalize(vec3_add(into_a, geo_pose_rotate(pose, into_b)));
    return (gt_blocked_ball){centre, point, r + q - s->slack};
}

/** The largest ball around the centre that is met uphill from the point, or one that is enough. */
static gt_blocked_ball climb(search *s, vec3 centre, vec3 point, double enough)
{
    vec3 uphill;
    double step = 0.5 * enough;
    gt_blocked_ball top = ball_around(s, centre, point, &uphill);
    for (int i = 0; i < CLIMB && top.radius < enough; i++) {
        vec3 next_uphill;
        const vec3 next_point = vec3_madd(top.point, step, uphill);
        const gt_blocked_ball next = ball_around(s, centre, next_point, &next_uphill);
        if (next.radius > top.radius) {
            top = next;
            uphill = next_uphill;
            step *= 1.5;
        } else {
            step *= 0.4;
        }
    }
    return top;
}

/** The same from where another ball was seen, half the way of B from there: as deep in both. */
static gt_blocked_ball climb_from(search *s, const gt_blocked_ball *other, vec3 centre,
                                  double enough)
{
    const vec3 half_way = vec3_scale(0.5, vec3_sub(centre, other->centre));
    return climb(s, centre, vec3_add(other->point, half_way), enough);
}

static const gt_blocked_ball *larger(const gt_blocked_ball *x, const gt_blocked_ball *y)
{
    return y->radius > x->radius ? y : x;
}

/* --- Cells ------------------------------------------------------------------------------------ */

/** Of any translation in the cell from 0, or a hair less. */
static double least_length(const gt_blocked_cell *c)
{
    const vec3 off = vec3_sub(vec3_abs(c->centre), (vec3){c->half, c->half, c->half});
    return vec3_norm(vec3_max(off, (vec3){0, 0, 0})) * (1 - 4 * DBL_EPSILON);
}

/** Keys of a heap come largest first, and floats >= 0 are in the order of their bits. */
static uint64_t key_of(const gt_blocked_cell *c, size_t place)
{
    const float length = base_float_below(least_length(c));
    uint32_t bits;
    memcpy(&bits, &length, sizeof bits);
    return (uint64_t)~bits << 32 | place;
}

static void push(gt_blocked_space *space, const gt_blocked_cell *c)
{
    const uint64_t key = key_of(c, space->cell_count);
    size_t at = space->queue_count++;
    space->cells[space->cell_count++] = *c;
    for (; at > 0 && space->queue[(at - 1) / 2] < key; at = (at - 1) / 2) {
        space->queue[at] = space->queue[(at - 1) / 2];
    }
    space->queue[at] = key;
}

static gt_blocked_cell *pop(gt_blocked_space *space)
{
    gt_blocked_cell *const first = &space->cells[(uint32_t)space->queue[0]];
    space->queue[0] = space->queue[--space->queue_count];
    base_heap_sift_down(space->queue, space->queue_count, 0);
    return first;
}

/** How far the ball reaches beyond a place; negative where it does not reach it. */
static double reach_beyond(const gt_blocked_ball *ball, vec3 at)
{
    return ball->radius - vec3_distance(at, ball->centre);
}

/** Of those kept and that of the cell the one that reaches farthest beyond the cell's centre. */
static const gt_blocked_ball *find_ball(const gt_blocked_space *space, const gt_blocked_cell *c)
{
    const gt_blocked_ball *best = &c->near;
    double farthest = reach_beyond(best, c->centre);
    for (size_t k = 0; k < space->ball_count; k++) {
        const double reach = reach_beyond(&space->balls[k], c->centre);
        if (reach > farthest) {
            farthest = reach;
            best = &space->balls[k];
        }
    }
    return best;
}

/**
 * Is the cell in a ball? In one that is known, or in one around its centre: found from that, from
 * the one of the larger cell, or from where the surfaces meet when B is at the centre.
 */
static bool is_blocked(search *s, gt_blocked_cell *c)
{
    const double enough = sqrt(3) * c->half * (1 + 4 * DBL_EPSILON);
    const gt_blocked_ball *const known = find_ball(s->space, c);
    if (reach_beyond(known, c->centre) >= enough) {
        return true;
    }
    gt_blocked_ball best = climb_from(s, known, c->centre, enough);
    if (best.radius < enough && known != &c->near) {
        const gt_blocked_ball found = climb_from(s, &c->near, c->centre, enough);
        best = *larger(&best, &found);
    }
    if (best.radius < enough) {
        const gt_place place = gt_way_out_try(s->way, c->centre);
        if (!(place.gap > 0)) {
            const gt_blocked_ball found = climb(s, c->centre, place.common, enough);
            best = *larger(&best, &found);
        }
    }
    if (s->space->ball_count < GT_BALLS_MAX) {
        s->space->balls[s->space->ball_count++] = best;
    }
    c->near = best;
    return best.radius >= enough;
}

/** Those of the eight parts that hold places nearer than the upper end. */
static void split(search *s, const gt_blocked_cell *c)
{
    const double h = 0.5 * c->half;
    for (int k = 0; k < 8; k++) {
        const vec3 off = {k & 1 ? h : -h, k & 2 ? h : -h, k & 4 ? h : -h};
        const gt_blocked_cell part = {vec3_add(c->centre, off), h, c->near};
        if (least_length(&part) < s->way->length) {
            push(s->space, &part);
        }
    }
}

void gt_blocked_search(gt_way_out *way, gt_blocked_space *space, gt_blocked *result)
{
    /* Sixteen times that of a gap: the foot on a triangle that is just no sliver. Points are turned
     * back to B's own frame, and its corners have been rounded on the way from there. */
    const double slack = 16 * way->slack + 64 * DBL_EPSILON * way->b->reach;
    search s = {way, space, slack, {UINT32_MAX, UINT32_MAX}};
    const gt_blocked_cell all = {.half = way->length, .near = {.radius = -INFINITY}};
    space->cell_count = space->queue_count = space->ball_count = 0;
    *result = (gt_blocked){0, 0};
    push(space, &all);
    while (space->queue_count > 0) {
        gt_blocked_cell *const c = pop(space);
        result->least_m = least_length(c);
        if (result->least_m >= (1 - TIGHT) * way->length || c->half < s.slack ||
            space->cell_count + 8 > GT_CELLS_MAX) {
            return;
        }
        result->cells++;
        if (!is_blocked(&s, c)) {
            split(&s, c);
        }
    }
}
