/*
 * The pieces of surface between crossed triangles come from prefix sums (flux.h). Their states
 * (1 inside, 0 outside) are those of the corners of crossed triangles, which follow from the
 * crossings of an edge where it has one more in than out, or out than in; otherwise one corner is
 * asked by a ray.
 */
#include "groundtruth/volume/flux/flux_query.h"

#include "geometry/pose.h"

/* --- Inside or outside ------------------------------------------------------------------------ */

/** Is a point of body s, in its own frame, inside the other body? */
static int ask(gt_flux_task *q, int s, vec3 p)
{
    q->result->inside_tests++;
    return s == 0 ? geo_surface_contains_moved(&q->body[1]->surface, q->pose, p)
                  : geo_surface_contains(&q->body[0]->surface, geo_pose_apply(q->pose, p));
}

/** From the state of one corner those of the others. */
static void spread(gt_flux_task *q, gt_crossed *c, int corner, int state)
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
static void find_states_by_edges(gt_flux_task *q, int s)
{
    gt_crossed_side *const of = q->side[s];
    for (size_t i = 0; i < of->count; i++) {
        gt_crossed *const c = &of->items[i];
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
}

/** From a neighbour, or by a ray. */
static void find_other_states(gt_flux_task *q, int s)
{
    const gt_flux_body *const flux = &q->body[s]->flux;
    gt_crossed_side *const of = q->side[s];
    for (size_t i = 0; i < of->count; i++) {
        gt_crossed *const c = &of->items[i];
        const gt_link *const link = &flux->links[c->place];
        fetch_around(flux, of->slot, link);
        for (int k = 0; k < 3 && c->state[0] == GT_UNKNOWN; k++) {
            const uint32_t across = link->across[k], slot = of->slot[across / 3];
            /* this edge's first corner is the last of the neighbour's */
            const int state = slot != 0 ? of->items[slot - 1].state[(across + 1) % 3] : GT_UNKNOWN;
            if (state != GT_UNKNOWN) {
                spread(q, c, k, state);
            }
        }
        if (c->state[0] == GT_UNKNOWN) {
            spread(q, c, 0, ask(q, s, q->body[s]->tree.triangles[c->place].p[0]));
        }
    }
}

/* --- Sums ------------------------------------------------------------------------------------- */

/** The stretches of its edges that are inside. */
static void add_edges(gt_flux_task *q, int s, gt_crossed *c)
{
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3;
        const bool from_begin = c->state[k] == 1, to_end = c->state[next] == 1;
        if (!c->crossed[k] && to_end) {
            gt_crossed_add(q, s, c, c->corner[k], c->corner[next]);
        }
        if (c->crossed[k] && from_begin) {
            gt_crossed_add(q, s, c, c->corner[k], c->first[k]);
        }
        if (c->crossed[k] && to_end) {
            gt_crossed_add(q, s, c, c->first[k], c->corner[next]);
        }
    }
    q->part[s].area += 0.5 * vec3_norm(c->normal2);
}

/** What is below the uncrossed children of a crossed triangle, less what is below it. */
static void add_stretches(gt_flux_task *q, int s, const gt_crossed *c, gt_stretches *sum)
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
            gt_stretches_add(sum, link->end, link->number);
        } else if ((link->children >> k & 1) != 0) {
            gt_stretches_add(sum, flux->links[neighbour].number, flux->links[neighbour].end);
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
static void add_shells(gt_flux_task *q, int s, gt_stretches *sum)
{
    const gt_flux_body *const flux = &q->body[s]->flux;
    gt_crossed_side *const of = q->side[s];
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
            state = ask(q, s, flux->shells[i].point);
        } else {
            const gt_crossed *const c = &of->items[of->least[i] - 1];
            const uint8_t parent = flux->links[c->place].parent;
            state = parent == GT_NO_EDGE ? 0 : c->state[parent];
            of->least[i] = 0;
        }
        if (state == 1) {
            gt_stretches_add(sum, flux->shells[i].begin, flux->shells[i].end);
        }
    }
}

gt_moments gt_flux_sum(gt_flux_task *q, int s)
{
    find_states_by_edges(q, s);
    find_other_states(q, s);
    const gt_flux_body *const flux = &q->body[s]->flux;
    gt_stretches whole = {.flux = flux};
    for (size_t i = 0; i < q->side[s]->count; i++) {
        add_edges(q, s, &q->side[s]->items[i]);
        add_stretches(q, s, &q->side[s]->items[i], &whole);
    }
    add_shells(q, s, &whole);
    gt_stretches_finish(&whole);
    const geo_pose identity = geo_pose_identity();
    const geo_pose *const pose = s == 0 ? &identity : q->pose;
    const gt_moments there = gt_fixed_moments(flux, &whole.sum);
    const gt_moments here = gt_moments_move(
        &there, pose->rotation, vec3_sub(geo_pose_apply(pose, flux->origin), q->origin));
    gt_moments sum = gt_fan_moments(&q->part[s]);
    gt_moments_add(&sum, &here);
    return sum;
}
