/*
 * Both hierarchies at once, depth first, the most promising pair of boxes first. A pair of boxes
 * has an interval of contact too, in float and widened, from which nothing below it sticks out.
 */
#include "groundtruth/depth/sweep.h"

#include "base/elementary.h"
#include "base/simd.h"
#include "geometry/pose.h"
#include "groundtruth/depth/contact_interval.h"

#include <float.h>

/* A direction with less than this along an axis hardly moves along it. */
#define STANDSTILL 1e-6F

/* Of boxes in float, relative to the lengths in play; generous. */
#define ROUNDING 48

/** Centre and half edges of a box. */
typedef struct half_box {
    float c[3], e[3];
} half_box;

static half_box get_box(const geo_bvh_node *node, uint32_t lane)
{
    half_box box;
    for (int k = 0; k < 3; k++) {
        box.c[k] = 0.5F * (node->lo[k][lane] + node->hi[k][lane]);
        box.e[k] = 0.5F * (node->hi[k][lane] - node->lo[k][lane]);
    }
    return box;
}

static half_box move_box(const gt_frame_change *m, const half_box *box)
{
    half_box moved;
    for (int i = 0; i < 3; i++) {
        moved.c[i] = m->t[i];
        moved.e[i] = 0;
        for (int k = 0; k < 3; k++) {
            moved.c[i] += m->r[i][k] * box->c[k];
            moved.e[i] += m->size[i][k] * box->e[k];
        }
    }
    return moved;
}

static gt_frame_change make_change(const geo_pose *pose)
{
    gt_frame_change m;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            m.r[i][k] = (float)vec3_get(pose->rotation.row[i], k);
            m.size[i][k] = fabsf(m.r[i][k]);
        }
        m.t[i] = (float)vec3_get(pose->translation, i);
    }
    return m;
}

/* --- One question ----------------------------------------------------------------------------- */

/** May an interval change the answer? Also of a pair of boxes. */
static bool matters(const gt_sweep *s, double from, double to)
{
    switch (s->asked) {
    case GT_SWEEP_REACH:
        return from <= s->best && to > s->best;
    case GT_SWEEP_NEXT:
        return from < s->best && to > s->at;
    default:
        return to > s->best;
    }
}

static void take(gt_sweep *s, gt_interval contact)
{
    s->tests++;
    if (contact.from <= contact.to && matters(s, contact.from, contact.to)) {
        if (s->asked != GT_SWEEP_NEXT) {
            s->best = contact.to;
        } else if (contact.from > s->at) {
            s->best = contact.from;
        }
    }
}

static void test_leaves(gt_sweep *s, const geo_bvh_node *a, uint32_t lane_a, const geo_bvh_node *b,
                        uint32_t lane_b)
{
    for (uint32_t j = 0; j < b->count[lane_b]; j++) {
        const geo_triangle t =
            geo_pose_apply_triangle(s->pose, s->body[1]->triangles[b->first[lane_b] + j]);
        for (uint32_t i = 0; i < a->count[lane_a]; i++) {
            const geo_triangle *const u = &s->body[0]->triangles[a->first[lane_a] + i];
            take(s, gt_contact_interval(u, &t, s->along, s->widen));
        }
    }
}

typedef struct span8 {
    f32x8 from, to;
} span8;

/**
 * Cuts to the translations with |apart - t step| <= reach. apart: the centres of A's boxes less
 * those of B's.
 */
static span8 cut_span(const gt_sweep *s, span8 span, f32x8 apart, f32x8 reach, float step)
{
    if (fabsf(step) < STANDSTILL) {
        const f32x8 most = f32x8_add(reach, f32x8_set(s->drift));
        const m32x8 meet = f32x8_le(f32x8_abs(apart), most);
        span.to = f32x8_select(meet, span.to, f32x8_set(-INFINITY));
        return span;
    }
    const f32x8 centre = f32x8_div(apart, f32x8_set(step));
    const f32x8 half = f32x8_div(reach, f32x8_set(fabsf(step)));
    span.from = f32x8_max(span.from, f32x8_sub(centre, half));
    span.to = f32x8_min(span.to, f32x8_add(centre, half));
    return span;
}

/** When the children of a node on `side` may be in contact with a box of the other body. */
static span8 contact_span(const gt_sweep *s, const geo_bvh_node *node, int side,
                          const half_box *fixed, const half_box *moved)
{
    const gt_frame_change *const m = &s->to_other[side];
    const f32x8 sign = f32x8_set(side == 0 ? 1.0F : -1.0F), half = f32x8_set(0.5F);
    span8 span = {f32x8_set(-INFINITY), f32x8_set(INFINITY)};
    f32x8 c[3], e[3];
    for (int k = 0; k < 3; k++) {
        const f32x8 lo = f32x8_load(node->lo[k]), hi = f32x8_load(node->hi[k]);
        c[k] = f32x8_mul(half, f32x8_add(lo, hi));
        e[k] = f32x8_mul(half, f32x8_sub(hi, lo));
        const f32x8 apart = f32x8_mul(sign, f32x8_sub(c[k], f32x8_set(moved->c[k])));
        const f32x8 reach = f32x8_add(e[k], f32x8_set(moved->e[k] + s->margin));
        span = cut_span(s, span, apart, reach, s->step[side][k]);
    }
    for (int i = 0; i < 3; i++) {
        f32x8 centre = f32x8_set(m->t[i]), reach = f32x8_set(fixed->e[i] + s->margin);
        for (int k = 0; k < 3; k++) {
            centre = f32x8_add(centre, f32x8_mul(f32x8_set(m->r[i][k]), c[k]));
            reach = f32x8_add(reach, f32x8_mul(f32x8_set(m->size[i][k]), e[k]));
        }
        const f32x8 apart = f32x8_mul(sign, f32x8_sub(centre, f32x8_set(fixed->c[i])));
        span = cut_span(s, span, apart, reach, s->step[1 - side][i]);
    }
    return span;
}

/** Is x to be looked at after y? */
static bool later(const gt_sweep *s, const gt_sweep_pair *x, const gt_sweep_pair *y)
{
    return s->asked == GT_SWEEP_NEXT ? x->from > y->from : x->to < y->to;
}

/** Pairs a child of one body with all children of a node of the other body, on `side`. */
static void split(gt_sweep *s, uint32_t fixed, int side, uint32_t number, size_t base)
{
    const int other = 1 - side;
    const geo_bvh_node *const node = &s->body[side]->bvh.nodes[number];
    const geo_bvh_node *const home = &s->body[other]->bvh.nodes[fixed / GEO_BVH_WIDTH];
    const half_box box = get_box(home, fixed % GEO_BVH_WIDTH);
    const half_box moved = move_box(&s->to_other[other], &box);
    const span8 span = contact_span(s, node, side, &box, &moved);
    float from[GEO_BVH_WIDTH], to[GEO_BVH_WIDTH];
    f32x8_store(from, span.from);
    f32x8_store(to, span.to);
    for (uint32_t lane = 0; lane < GEO_BVH_WIDTH; lane++) {
        if (!geo_bvh_lane_used(node, (int)lane) || !(from[lane] <= to[lane]) ||
            !matters(s, (double)from[lane], (double)to[lane])) {
            continue;
        }
        gt_sweep_pair next = {.from = from[lane], .to = to[lane]};
        next.of[side] = number * GEO_BVH_WIDTH + lane;
        next.of[other] = fixed;
        size_t at = s->depth++;
        while (at > base && later(s, &s->stack[at - 1], &next)) {
            at--;
        }
        for (size_t k = s->depth - 1; k > at; k--) {
            s->stack[k] = s->stack[k - 1];
        }
        s->stack[at] = next;
    }
}

static float size_of(const geo_bvh_node *node, uint32_t lane)
{
    return (node->hi[0][lane] - node->lo[0][lane]) + (node->hi[1][lane] - node->lo[1][lane]) +
           (node->hi[2][lane] - node->lo[2][lane]);
}

static void visit(gt_sweep *s, const gt_sweep_pair *p)
{
    const geo_bvh_node *node[2];
    uint32_t lane[2];
    for (int side = 0; side < 2; side++) {
        node[side] = &s->body[side]->bvh.nodes[p->of[side] / GEO_BVH_WIDTH];
        lane[side] = p->of[side] % GEO_BVH_WIDTH;
    }
    const bool leaf_a = node[0]->count[lane[0]] > 0, leaf_b = node[1]->count[lane[1]] > 0;
    if (leaf_a && leaf_b) {
        test_leaves(s, node[0], lane[0], node[1], lane[1]);
    } else {
        const bool b_larger = !(size_of(node[0], lane[0]) > size_of(node[1], lane[1]));
        const int side = leaf_a || (!leaf_b && b_larger);
        split(s, p->of[1 - side], side, node[side]->first[lane[side]], s->depth);
    }
}

double gt_sweep_ask(gt_sweep *s, gt_question asked, double at, double start)
{
    s->asked = asked;
    s->at = at;
    s->best = start;
    s->depth = 0;
    const geo_bvh_node *const root = &s->body[0]->bvh.nodes[0];
    for (uint32_t lane = 0; lane < GEO_BVH_WIDTH; lane++) {
        if (geo_bvh_lane_used(root, (int)lane)) {
            split(s, lane, 1, 0, 0);
        }
    }
    while (s->depth > 0) {
        const gt_sweep_pair p = s->stack[--s->depth];
        if (matters(s, (double)p.from, (double)p.to)) {
            visit(s, &p);
        }
    }
    return s->best;
}

void gt_sweep_start(gt_sweep *s, const gt_body *a, const gt_body *b, const geo_pose *pose,
                    vec3 along)
{
    const geo_pose there = gt_origin_pose(a, b, pose);
    const geo_pose back = geo_pose_inverse(&there);
    const double reach = gt_pair_reach(a, b, pose) + b->reach;
    const double far = a->span + b->span + vec3_norm(there.translation);
    const vec3 in_b = mat3_tmul_vec3(pose->rotation, along);
    s->body[0] = a;
    s->body[1] = b;
    s->pose = pose;
    s->along = along;
    s->to_other[0] = make_change(&back);
    s->to_other[1] = make_change(&there);
    s->margin = base_float_above(ROUNDING * (double)FLT_EPSILON * far + 256 * DBL_EPSILON * reach);
    s->drift = base_float_above(2 * (double)STANDSTILL * far);
    for (int k = 0; k < 3; k++) {
        s->step[0][k] = (float)vec3_get(along, k);
        s->step[1][k] = (float)vec3_get(in_b, k);
    }
    s->tests = 0;
}
